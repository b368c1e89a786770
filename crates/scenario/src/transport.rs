//! `[transport]`: the end points.

use closlab_units::{Bytes, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The end points: TCP with selective acknowledgments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transport {
    /// Congestion control.
    ///
    /// Source: the standard's own (RFC 5681), which the papers' simulations use.
    pub kind: CongestionControl,
    /// Payload bytes of a full segment.
    ///
    /// Source: Ethernet's 1500 B less the headers of IPv4 (20 B) and TCP (20 B).
    #[schemars(range(min = 1, max = 65457))]
    pub mss: u16,
    /// Window at the start of a flow, in segments.
    ///
    /// Source: RFC 6928 section 2: ten segments.
    #[schemars(range(min = 1))]
    pub initial_window: u16,
    /// The most that the receiver lets the sender have in flight.
    ///
    /// Source: LetFlow section 4.1, whose simulation caps windows at 256 KB.
    #[schemars(extend("x-maximum" = "1GiB"))]
    pub receive_window: Bytes,
    /// Whether a flow begins with TCP's handshake (SYN, SYN-ACK) or with data.
    ///
    /// Source: RFC 9293 section 3.5: TCP has it.
    pub handshake: bool,
    /// An acknowledgment goes out after this many full segments in order; 1: after every segment.
    ///
    /// Source: RFC 5681 section 4.2: at least every second segment.
    #[schemars(range(min = 1))]
    pub delayed_ack_segments: u8,
    /// An acknowledgment waits at most this long; must be less than `rto_min`.
    ///
    /// Source: our choice: Linux's 40 ms would exceed the default `rto_min` and cause spurious time-outs.
    #[schemars(extend("x-minimum" = "1ns", "x-maximum" = "86400s"))]
    pub delayed_ack_timeout: Time,
    /// The shortest retransmission time-out.
    ///
    /// Source: DCTCP (SIGCOMM 2010) section 4.2, tuned for a data center; RFC 6298 has 1 s, Linux 200 ms.
    #[schemars(extend("x-minimum" = "1ns", "x-maximum" = "86400s"))]
    pub rto_min: Time,
    /// The retransmission time-out before the first round trip is measured; from `rto_min` to `rto_max`.
    ///
    /// Source: our choice: as `rto_min`, since a first round trip is as short as the others; RFC 6298 has 1 s.
    #[schemars(extend("x-maximum" = "86400s"))]
    pub rto_initial: Time,
    /// The longest retransmission time-out, where its doubling stops.
    ///
    /// Source: RFC 6298 section 2 (2.5): a maximum of at least 60 s.
    #[schemars(extend("x-maximum" = "86400s"))]
    pub rto_max: Time,
    /// How the duplicate-acknowledgment threshold of fast retransmit behaves.
    ///
    /// Source: RFC 5681 section 3.2 and RFC 6675 section 2: it is a constant.
    pub dupthresh: Dupthresh,
    /// The duplicate-acknowledgment threshold, in segments; where it starts if it is adaptive.
    ///
    /// Source: RFC 5681 section 3.2 and RFC 6675 section 2: 3; Linux's tcp_reordering starts at 3 too.
    #[schemars(range(min = 1))]
    pub dupthresh_segments: u16,
    /// What an adaptive threshold may grow to; only with `dupthresh = "adaptive"`, whose default is 300.
    ///
    /// Source: Linux's tcp_max_reordering: 300.
    #[schemars(range(min = 1))]
    pub dupthresh_max: Option<u16>,
    /// Whether flows are ECN-capable and halve their window when marked (RFC 3168). Needs
    /// `fabric.ecn_threshold`.
    ///
    /// Source: off as in the papers compared.
    pub ecn: bool,
    /// How long the receiver's reorder buffer holds segments that came before their turn, so that TCP does not
    /// see the reordering; absent: no such buffer.
    ///
    /// Source: off: DRILL section 4 reports results with and without this shim.
    #[schemars(extend("x-minimum" = "1ns", "x-maximum" = "86400s"))]
    pub reorder_timeout: Option<Time>,
}

impl Default for Transport {
    fn default() -> Transport {
        Transport {
            kind: CongestionControl::NewReno,
            mss: 1460,
            initial_window: 10,
            receive_window: Bytes::new(256_000),
            handshake: true,
            delayed_ack_segments: 2,
            delayed_ack_timeout: Time::from_ms(1),
            rto_min: Time::from_ms(10),
            rto_initial: Time::from_ms(10),
            rto_max: Time::from_ms(60_000),
            dupthresh: Dupthresh::Fixed,
            dupthresh_segments: 3,
            dupthresh_max: None,
            ecn: false,
            reorder_timeout: None,
        }
    }
}

impl Transport {
    /// Linux's tcp_max_reordering, which an adaptive threshold may grow to by default.
    pub const DUPTHRESH_MAX: u16 = 300;

    /// What an adaptive threshold may grow to: as written, or the default, which never lies below its start.
    pub fn largest_dupthresh(&self) -> u16 {
        let default = Transport::DUPTHRESH_MAX.max(self.dupthresh_segments);
        self.dupthresh_max.unwrap_or(default)
    }
}

/// Congestion control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum CongestionControl {
    /// Slow start, congestion avoidance and fast recovery (RFC 5681).
    #[serde(rename = "newreno")]
    NewReno,
}

/// How the duplicate-acknowledgment threshold behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dupthresh {
    /// It stays (RFC 5681).
    Fixed,
    /// It grows with the reordering that the sender detects, as in Linux.
    Adaptive,
}
