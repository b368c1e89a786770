//! The packet: a plain value of one cache line, copied from ring to ring.

use closlab_balance::Header;
use closlab_scenario::{MIN_WIRE, SACK_BLOCK, SACK_OPTION_BASE, WIRE_OVERHEAD};
use closlab_transport::{SackBlock, Segment};
use closlab_units::{Ecn, FlowId, TcpFlags};

/// A packet on its way through the fabric.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct Packet {
    /// What switches parse.
    pub header: Header,
    /// The flow it belongs to; hosts know their connections by it.
    pub flow: FlowId,
    /// TCP's sequence number (data) or acknowledgment number (acknowledgments).
    pub number: u32,
    /// TCP's SACK blocks.
    pub sack: [SackBlock; 3],
}

impl Packet {
    /// The packet that carries `segment` of `flow`; `route` is the header of all packets of that flow in that
    /// direction.
    #[inline]
    pub fn new(route: &Header, flow: FlowId, segment: &Segment) -> Packet {
        let mut header = *route;
        header.size = wire_size(segment);
        header.payload = segment.len;
        header.flags = segment.flags;
        header.ecn = segment.ecn;
        Packet {
            header,
            flow,
            number: segment.number,
            sack: segment.sack,
        }
    }

    /// The segment that the packet carries.
    #[inline]
    pub fn segment(&self) -> Segment {
        Segment {
            number: self.number,
            len: self.header.payload,
            flags: self.header.flags,
            ecn: self.header.ecn,
            sack: self.sack,
        }
    }

    /// What an unused place of a ring holds.
    pub(crate) const EMPTY: Packet = Packet {
        header: Header {
            src: 0,
            dst: 0,
            hash: 0,
            sport: 0,
            dport: 0,
            size: 0,
            payload: 0,
            dst_tor: 0,
            flags: TcpFlags(0),
            ecn: Ecn::NotEct,
            tag: [0; 8],
        },
        flow: FlowId(0),
        number: 0,
        sack: [SackBlock { start: 0, end: 0 }; 3],
    };
}

/// Bytes that a segment occupies on the wire: payload, headers, SACK option, and never less than the
/// shortest Ethernet frame.
#[inline]
fn wire_size(segment: &Segment) -> u16 {
    let blocks = segment
        .sack
        .iter()
        .filter(|block| !block.is_empty())
        .count() as u16;
    let option = if blocks == 0 {
        0
    } else {
        SACK_OPTION_BASE + SACK_BLOCK * blocks
    };
    (segment.len + WIRE_OVERHEAD + option).max(MIN_WIRE)
}

const _: () = assert!(size_of::<Packet>() == 64, "a packet is one cache line");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_sizes_are_those_of_ethernet() {
        let data = Segment {
            len: 1_460,
            ..Segment::default()
        };
        assert_eq!(wire_size(&data), 1_538);
        assert_eq!(
            wire_size(&Segment::default()),
            84,
            "a pure ACK is padded to the shortest frame"
        );
        let block = SackBlock { start: 1, end: 2 };
        let sack = Segment {
            sack: [block, block, SackBlock::default()],
            ..Segment::default()
        };
        assert_eq!(wire_size(&sack), 78 + 4 + 16);
    }

    #[test]
    fn a_segment_survives_its_packet() {
        let segment = Segment {
            number: 7,
            len: 100,
            flags: TcpFlags(0x50),
            ecn: Ecn::Ce,
            sack: [SackBlock { start: 3, end: 9 }; 3],
        };
        assert_eq!(
            Packet::new(&Packet::EMPTY.header, FlowId(3), &segment).segment(),
            segment
        );
    }
}
