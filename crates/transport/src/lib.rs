//! End points of one-way flows, as state machines without I/O.
//!
//! The host modelled here is a TCP host with an application that writes `size` bytes at once on one side
//! and reads without delay on the other: NewReno congestion control (RFC 5681, growth by bytes as in
//! RFC 3465), SACK-based loss recovery (RFC 6675), one round trip timed at a time (RFC 6298), no options
//! but SACK and DSACK on the wire, an optional handshake, optional ECN (RFC 3168), an optional reordering
//! shim below the receiver. There is no FIN: a flow ends when its last byte is acknowledged. There is
//! neither path-MTU discovery nor window scaling on the wire, nor undoing of needless reductions.
//!
//! A [`Sender`] and a [`Receiver`] know neither network nor clock: they are told `now`, take segments,
//! answer with segments and one deadline.
//!
//! ```
//! use closlab_transport::{Receiver, Sender, TcpConfig};
//! use closlab_units::Time;
//!
//! let config = TcpConfig { handshake: false, ..TcpConfig::default() };
//! let mut sender = Sender::new(&config, 3_000);
//! let mut receiver = Receiver::new(&config, 3_000);
//! let (sent, arrived) = (Time::ZERO, Time::from_us(10));
//! sender.start(sent, &config);
//! while let Some(data) = sender.poll_transmit(sent, &config) {
//!     receiver.on_segment(arrived, &config, &data);
//!     while let Some(ack) = receiver.poll_transmit(arrived, &config) {
//!         sender.on_segment(arrived, &config, &ack);
//!     }
//! }
//! assert!(receiver.is_complete() && sender.is_done());
//! assert_eq!(sender.deadline(), Time::MAX);
//! ```

mod config;
mod congestion;
mod dupthresh;
mod ranges;
mod receiver;
mod rtt;
mod scoreboard;
mod segment;
mod sender;
mod shim;

pub use config::{Dupthresh, TcpConfig};
pub use congestion::{Acked, CongestionControl, NewReno};
pub use receiver::{Receiver, ReceiverStats};
pub use segment::{Ecn, SackBlock, Segment, TcpFlags};
pub use sender::{Sender, SenderStats};
