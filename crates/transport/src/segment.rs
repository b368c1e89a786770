//! What crosses the network between two end points: a TCP segment reduced to what they act on.

pub use closlab_units::{Ecn, TcpFlags};

/// Bytes `start..end` that the receiver holds beyond the cumulative acknowledgement (RFC 2018), or has
/// received twice (RFC 2883). Numbers as on the wire; `start == end` is no block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SackBlock {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl SackBlock {
    /// Whether there is no block here.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A TCP segment as end points see it.
///
/// Sequence numbers are byte offsets from the first payload byte, modulo 2^32: byte 0 has number 0 and
/// the SYN occupies none, so that flows of any length use the same arithmetic as real TCP.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Segment {
    /// Data: the number of the first byte. Acknowledgement: the number of the next byte expected.
    pub number: u32,
    /// Payload bytes; 0 for a pure acknowledgement, a SYN and a SYN-ACK.
    pub len: u16,
    /// TCP header flags.
    pub flags: TcpFlags,
    /// The IP header's ECN field.
    pub ecn: Ecn,
    /// Selective acknowledgements, the one that reports the latest arrival first; unused blocks are empty.
    pub sack: [SackBlock; 3],
}

impl Segment {
    /// Whether the segment carries selective acknowledgements.
    #[inline]
    pub const fn has_sack(&self) -> bool {
        !self.sack[0].is_empty()
    }
}

/// The wire number of byte `offset`: its low 32 bits.
#[inline]
pub(crate) const fn wrap(offset: u64) -> u32 {
    (offset & 0xffff_ffff) as u32
}

/// The byte offset nearest to `expected` whose wire number is `number`; `None` if that would lie before
/// the first byte. Unambiguous while windows are below 2^31 bytes, which [`crate::TcpConfig::check`] ensures.
#[inline]
pub(crate) const fn unwrap(expected: u64, number: u32) -> Option<u64> {
    let ahead = number.wrapping_sub(wrap(expected)).cast_signed();
    expected.checked_add_signed(ahead as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_thirty_two_bytes() {
        assert_eq!(size_of::<Segment>(), 32);
    }

    #[test]
    fn numbers_unwrap_to_the_nearest_offset() {
        let four_gib = 1u64 << 32;
        assert_eq!(unwrap(0, 1460), Some(1460));
        assert_eq!(unwrap(four_gib - 10, 5), Some(four_gib + 5));
        assert_eq!(
            unwrap(four_gib + 5, wrap(four_gib - 10)),
            Some(four_gib - 10)
        );
        assert_eq!(unwrap(7 * four_gib, 0), Some(7 * four_gib));
        assert_eq!(unwrap(10, wrap(four_gib - 1)), None);
    }

    #[test]
    fn flags_combine() {
        let both = TcpFlags::SYN | TcpFlags::ACK;
        assert_eq!(both.0, 0x12);
        assert!(both.contains(TcpFlags::SYN) && both.contains(TcpFlags::ACK));
        assert!(!both.contains(TcpFlags::SYN | TcpFlags::ECE));
    }
}
