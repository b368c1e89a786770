//! What a switch parses of a packet.

/// The IP protocol of the 5-tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IpProtocol {
    /// Transmission Control Protocol, number 6.
    Tcp = 6,
    /// User Datagram Protocol, number 17.
    Udp = 17,
}

/// The ECN field of the IP header (RFC 3168 section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Ecn {
    /// The sender does not understand ECN: never marked.
    #[default]
    NotEct = 0,
    /// ECN-capable transport, ECT(0).
    Ect = 2,
    /// Congestion experienced.
    Ce = 3,
}

/// Flags a switch can read: those of TCP (RFC 9293 section 3.1), and whether the packet is UDP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TcpFlags(pub u8);

impl TcpFlags {
    /// Opens a connection: the first packet of a flow.
    pub const SYN: TcpFlags = TcpFlags(0x02);
    /// Carries an acknowledgment number.
    pub const ACK: TcpFlags = TcpFlags(0x10);
    /// Echo of congestion experienced (RFC 3168).
    pub const ECE: TcpFlags = TcpFlags(0x40);
    /// Congestion window reduced (RFC 3168).
    pub const CWR: TcpFlags = TcpFlags(0x80);

    /// Whether all flags of `other` are set.
    #[inline]
    pub const fn contains(self, other: TcpFlags) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The parsed header of a packet: 32 bytes, copied by value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Header {
    /// Source host address.
    pub src: u32,
    /// Destination host address.
    pub dst: u32,
    /// The 5-tuple's hash before any switch's salt: [`crate::hash::five_tuple`].
    pub hash: u32,
    /// Source port.
    pub sport: u16,
    /// Destination port.
    pub dport: u16,
    /// Bytes on the wire, with everything that occupies the link (preamble and inter-frame gap too).
    pub size: u16,
    /// Bytes of payload.
    pub payload: u16,
    /// The top-of-rack switch of `dst`: the result of the routing look-up.
    pub dst_tor: u16,
    /// TCP's flags.
    pub flags: TcpFlags,
    /// The IP header's ECN field.
    pub ecn: Ecn,
    /// A scheme's own tag, zero when the packet enters the fabric.
    pub tag: [u8; 8],
}

const _: () = assert!(
    size_of::<Header>() == 32,
    "a packet must stay within one cache line"
);
