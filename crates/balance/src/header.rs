//! What a switch parses of a packet.

use closlab_units::{Ecn, TcpFlags};

/// The IP protocol of the 5-tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IpProtocol {
    /// Transmission Control Protocol, number 6.
    Tcp = 6,
    /// User Datagram Protocol, number 17.
    Udp = 17,
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
