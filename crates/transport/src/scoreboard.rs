//! The sender's record of selectively acknowledged bytes (RFC 6675 section 4), kept so that what the RFC
//! computes by walking every outstanding byte is here a few additions.
//!
//! `IsLost` is monotone: when a hole is lost, so is every hole below it. One number, the *lost edge*, thus
//! says it for all of them. `HighRxt` is likewise one number. With the count of selectively acknowledged
//! bytes below each of the two, `SetPipe` takes constant time.

use crate::ranges::{Range, RangeSet};

/// A position in sequence space and how many selectively acknowledged bytes lie below it.
#[derive(Debug, Default, Clone, Copy)]
struct Mark {
    at: u64,
    sacked_below: u64,
}

impl Mark {
    fn on_sacked(&mut self, start: u64, end: u64) {
        self.sacked_below += end.min(self.at).saturating_sub(start);
    }

    fn on_removed(&mut self, start: u64, end: u64) {
        self.sacked_below -= end.min(self.at).saturating_sub(start);
    }

    fn on_acknowledged(&mut self, high_ack: u64) {
        if self.at < high_ack {
            self.at = high_ack;
        }
    }

    fn move_to(&mut self, at: u64, sacked: &RangeSet) {
        if at >= self.at {
            self.sacked_below += sacked.covered_between(self.at, at);
        } else {
            self.sacked_below -= sacked.covered_between(at, self.at);
        }
        self.at = at;
    }

    /// Bytes from `high_ack` to the mark that are not selectively acknowledged.
    fn holes_from(&self, high_ack: u64) -> u64 {
        self.at - high_ack - self.sacked_below
    }
}

/// What has been selectively acknowledged, counted lost, and retransmitted. All numbers are byte offsets;
/// ends are exclusive.
#[derive(Debug, Default)]
pub(crate) struct Scoreboard {
    sacked: RangeSet,
    /// Every hole below is lost, none at or above.
    lost: Mark,
    /// RFC 6675's HighRxt: every hole below has been retransmitted in this loss recovery.
    retransmitted: Mark,
    /// See [`Self::ever_retransmitted`].
    ever_retransmitted: u64,
}

impl Scoreboard {
    /// Whether nothing is selectively acknowledged.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.sacked.is_empty()
    }

    /// Selectively acknowledged bytes.
    pub fn sacked_bytes(&self) -> u64 {
        self.sacked.covered()
    }

    /// The byte after the highest selectively acknowledged one.
    pub fn high_sacked(&self) -> Option<u64> {
        self.sacked.end()
    }

    /// RFC 6675's HighRxt as an exclusive end.
    pub fn high_rxt(&self) -> u64 {
        self.retransmitted.at
    }

    /// Below, segments may have been retransmitted at some time; at and above, none ever was.
    pub fn ever_retransmitted(&self) -> u64 {
        self.ever_retransmitted
    }

    /// Records that `start..end` is selectively acknowledged (RFC 6675 `Update`); tells `on_new` of each
    /// part not known before.
    pub fn sack(&mut self, start: u64, end: u64, mut on_new: impl FnMut(u64, u64)) {
        let (lost, retransmitted) = (&mut self.lost, &mut self.retransmitted);
        self.sacked.insert(start, end, |from, to| {
            lost.on_sacked(from, to);
            retransmitted.on_sacked(from, to);
            on_new(from, to);
        });
    }

    /// Forgets everything below the cumulative acknowledgement.
    pub fn acknowledge(&mut self, high_ack: u64) {
        let (lost, retransmitted) = (&mut self.lost, &mut self.retransmitted);
        self.sacked.remove_below(high_ack, |start, end| {
            lost.on_removed(start, end);
            retransmitted.on_removed(start, end);
        });
        lost.on_acknowledged(high_ack);
        retransmitted.on_acknowledged(high_ack);
    }

    /// Moves the lost edge to where RFC 6675's `IsLost` puts it: to the start of the highest range with
    /// `dupthresh` ranges or more than (`dupthresh` - 1) * `mss` bytes from it upwards.
    pub fn update_lost(&mut self, high_ack: u64, dupthresh: u32, mss: u64) {
        let edge = self.lost_edge(dupthresh, mss).unwrap_or(high_ack);
        self.lost.move_to(edge, &self.sacked);
    }

    fn lost_edge(&self, dupthresh: u32, mss: u64) -> Option<u64> {
        let enough_bytes = u64::from(dupthresh - 1) * mss;
        let ranges = self.sacked.as_slice();
        let enough_ranges = dupthresh as usize;
        if ranges.len() < enough_ranges && self.sacked.covered() <= enough_bytes {
            return None;
        }
        let mut bytes = 0;
        let highest_first = ranges.iter().rev().enumerate();
        for (above, range) in highest_first {
            bytes += range.end - range.start;
            if above + 1 >= enough_ranges || bytes > enough_bytes {
                return Some(range.start);
            }
        }
        None
    }

    /// Counts every hole from `high_ack` to `high_data` as lost and none as retransmitted, as after a
    /// retransmission timeout.
    pub fn lose_everything(&mut self, high_ack: u64, high_data: u64) {
        self.lost.move_to(high_data, &self.sacked);
        self.retransmitted.move_to(high_ack, &self.sacked);
    }

    /// Whether the first hole is lost: RFC 6675's `IsLost (HighACK + 1)`.
    pub fn first_is_lost(&self, high_ack: u64) -> bool {
        self.lost.at > high_ack
    }

    /// Records that `..end` has been retransmitted: HighRxt.
    pub fn retransmitted_to(&mut self, end: u64) {
        self.retransmitted.move_to(end, &self.sacked);
        self.ever_retransmitted = self.ever_retransmitted.max(end);
    }

    /// RFC 6675's `SetPipe`: bytes believed to be in the network.
    pub fn pipe(&self, high_ack: u64, high_data: u64) -> u64 {
        let holes = high_data - high_ack - self.sacked.covered();
        holes - self.lost.holes_from(high_ack) + self.retransmitted.holes_from(high_ack)
    }

    /// RFC 6675's `NextSeg` rule 1: the first hole that is lost and not yet retransmitted, up to the next
    /// selectively acknowledged byte.
    pub fn next_lost(&self) -> Option<Range> {
        let hole = self.sacked.hole_from(self.retransmitted.at);
        (hole.start < self.lost.at).then_some(hole)
    }

    /// RFC 6675's `NextSeg` rule 3: the first hole below a selectively acknowledged byte that is not yet
    /// retransmitted, lost or not.
    pub fn next_hole(&self) -> Option<Range> {
        let hole = self.sacked.hole_from(self.retransmitted.at);
        (hole.end != u64::MAX).then_some(hole)
    }

    /// The first hole at or after `from`.
    pub fn hole_from(&self, from: u64) -> Range {
        self.sacked.hole_from(from)
    }

    /// The highest hole below `high_data`, for RFC 6675's `NextSeg` rule 4.
    pub fn highest_hole(&self, high_ack: u64, high_data: u64) -> Range {
        let ranges = self.sacked.as_slice();
        match ranges {
            [] => Range {
                start: high_ack,
                end: high_data,
            },
            [.., last] if last.end < high_data => Range {
                start: last.end,
                end: high_data,
            },
            [only] => Range {
                start: high_ack,
                end: only.start,
            },
            [.., below, last] => Range {
                start: below.end,
                end: last.start,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MSS: u64 = 10;

    /// RFC 6675 section 4, word for word, byte by byte.
    struct Literal {
        sacked: Vec<bool>,
        high_ack: u64,
        high_data: u64,
        high_rxt: u64,
        dupthresh: u32,
    }

    impl Literal {
        fn is_sacked(&self, byte: u64) -> bool {
            self.sacked[byte as usize]
        }

        fn is_lost(&self, byte: u64) -> bool {
            let mut discontiguous = 0;
            let mut bytes = 0;
            for b in byte + 1..self.high_data {
                if self.is_sacked(b) {
                    bytes += 1;
                    discontiguous += u32::from(b == byte + 1 || !self.is_sacked(b - 1));
                }
            }
            discontiguous >= self.dupthresh || bytes > u64::from(self.dupthresh - 1) * MSS
        }

        fn pipe(&self) -> u64 {
            let mut pipe = 0;
            for byte in (self.high_ack..self.high_data).filter(|b| !self.is_sacked(*b)) {
                pipe += u64::from(!self.is_lost(byte));
                pipe += u64::from(byte < self.high_rxt);
            }
            pipe
        }

        fn next_lost(&self) -> Option<u64> {
            let from = self.high_rxt.max(self.high_ack);
            (from..self.high_data).find(|b| !self.is_sacked(*b) && self.is_lost(*b))
        }
    }

    proptest! {
        /// Segments are selectively acknowledged, retransmitted and acknowledged in any order; pipe, lost
        /// edge and next segment are always those of the RFC's text.
        #[test]
        fn agrees_with_the_literal_text(
            steps in prop::collection::vec((0u8..4, 0u64..40), 1..60),
            dupthresh in 1u32..6,
        ) {
            let high_data = 40 * MSS;
            let mut board = Scoreboard::default();
            let mut literal = Literal {
                sacked: vec![false; high_data as usize],
                high_ack: 0,
                high_data,
                high_rxt: 0,
                dupthresh,
            };
            for (what, segment) in steps {
                let (start, end) = (segment * MSS, (segment + 1) * MSS);
                match what {
                    0 | 1 if start > literal.high_ack => {
                        board.sack(start, end, |_, _| {});
                        literal.sacked[start as usize..end as usize].fill(true);
                    }
                    2 => {
                        if let Some(hole) = board.next_lost() {
                            literal.high_rxt = hole.end.min(hole.start + MSS);
                            board.retransmitted_to(literal.high_rxt);
                        }
                    }
                    3 if segment < 8 && start > literal.high_ack => {
                        // An acknowledgement never stops inside what it acknowledges selectively.
                        let hole = board.hole_from(start).start.min(high_data);
                        board.acknowledge(hole);
                        literal.high_ack = hole;
                        literal.high_rxt = literal.high_rxt.max(hole);
                        literal.sacked[..hole as usize].fill(false);
                    }
                    _ => continue,
                }
                board.update_lost(literal.high_ack, dupthresh, MSS);
                prop_assert_eq!(board.pipe(literal.high_ack, high_data), literal.pipe());
                prop_assert_eq!(board.next_lost().map(|h| h.start), literal.next_lost());
            }
        }
    }

    #[test]
    fn a_timeout_loses_every_hole_and_keeps_what_is_sacked() {
        let mut board = Scoreboard::default();
        board.sack(20, 40, |_, _| {});
        board.sack(60, 70, |_, _| {});
        board.lose_everything(0, 100);
        assert_eq!(board.pipe(0, 100), 0);
        assert_eq!(board.next_lost(), Some(Range { start: 0, end: 20 }));
        board.retransmitted_to(20);
        assert_eq!(board.pipe(0, 100), 20);
        assert_eq!(board.next_lost(), Some(Range { start: 40, end: 60 }));
        board.retransmitted_to(60);
        let tail = board.next_lost().unwrap();
        assert_eq!(tail.start, 70);
        board.retransmitted_to(100);
        assert_eq!(board.next_lost(), None);
        assert_eq!(board.pipe(0, 100), 70);
    }

    #[test]
    fn the_highest_hole_is_found_in_every_shape() {
        let mut board = Scoreboard::default();
        assert_eq!(board.highest_hole(5, 100), Range { start: 5, end: 100 });
        board.sack(90, 100, |_, _| {});
        assert_eq!(board.highest_hole(5, 100), Range { start: 5, end: 90 });
        board.sack(20, 30, |_, _| {});
        assert_eq!(board.highest_hole(5, 100), Range { start: 30, end: 90 });
        assert_eq!(
            board.highest_hole(5, 110),
            Range {
                start: 100,
                end: 110
            }
        );
    }
}
