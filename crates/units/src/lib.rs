//! Exact quantities, names and header fields shared by every crate.
//!
//! Time is a whole number of picoseconds, rates are whole bits per second, sizes whole bytes: nothing
//! here rounds silently. People write quantities as strings with a unit (`"10Gbps"`, `"500us"`,
//! `"64KB"`); [`parse`] turns them into integers exactly or says why it can't.

mod bytes;
mod ids;
mod parse;
mod quantity_serde;
mod rate;
pub mod rng;
mod time;
mod wire;

pub use bytes::Bytes;
pub use ids::{FlowId, HostId, LinkId, NodeId, PortId, TorId};
pub use parse::ParseError;
pub use rate::Rate;
pub use time::Time;
pub use wire::{Ecn, TcpFlags};
