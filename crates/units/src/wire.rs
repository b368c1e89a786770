//! Header fields that both switches and hosts read.

use std::ops::BitOr;

/// The bits of the TCP header's flag octet (RFC 9293 section 3.1, RFC 3168 section 6.1), with their
/// real values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TcpFlags(pub u8);

impl TcpFlags {
    /// No flag.
    pub const NONE: TcpFlags = TcpFlags(0);
    /// Opens a connection. It occupies no sequence number here (see [`Segment::number`]).
    pub const SYN: TcpFlags = TcpFlags(0x02);
    /// The last bytes of what the application wrote: the receiver acknowledges at once.
    pub const PSH: TcpFlags = TcpFlags(0x08);
    /// The segment acknowledges (every segment but the first SYN).
    pub const ACK: TcpFlags = TcpFlags(0x10);
    /// ECN-Echo: the receiver has seen a Congestion Experienced mark (RFC 3168 section 6.1.3).
    pub const ECE: TcpFlags = TcpFlags(0x40);
    /// Congestion Window Reduced: the sender has reacted (RFC 3168 section 6.1.2).
    pub const CWR: TcpFlags = TcpFlags(0x80);

    /// Whether every flag of `other` is set.
    #[inline]
    pub const fn contains(self, other: TcpFlags) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for TcpFlags {
    type Output = TcpFlags;
    #[inline]
    fn bitor(self, other: TcpFlags) -> TcpFlags {
        TcpFlags(self.0 | other.0)
    }
}

/// The ECN field of the IP header (RFC 3168 section 5): as it was on arrival, or as it shall be sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Ecn {
    /// Not ECN-capable: a congested queue drops it.
    #[default]
    NotEct = 0,
    /// ECN-capable, ECT(0).
    Ect = 2,
    /// Congestion experienced: a queue has marked it.
    Ce = 3,
}
