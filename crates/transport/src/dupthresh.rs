//! The duplicate threshold of one connection, and how it learns from reordering.

use crate::Dupthresh;

/// How many later segments must be acknowledged before a segment counts as lost, at this moment.
///
/// The adaptive form does what Linux does (`tcp_check_sack_reordering`, `tcp_enter_loss`): a segment that
/// arrives late without having been retransmitted raises the threshold to its distance, in segments, from
/// the end of the highest one acknowledged before it, which is one more than the number of later segments
/// that overtook it; so the same reordering does not trigger a retransmission again. A timeout in a phase
/// of disorder that should have been recovered with the initial threshold shows that it grew too high, and
/// resets it.
#[derive(Debug, Clone)]
pub(crate) struct Threshold {
    current: u32,
}

impl Threshold {
    /// The threshold of a new connection.
    pub fn new(policy: Dupthresh) -> Threshold {
        Threshold {
            current: policy.initial(),
        }
    }

    /// The threshold in segments.
    #[inline]
    pub fn get(&self) -> u32 {
        self.current
    }

    /// A segment was overtaken over a distance of `distance` segments.
    pub fn on_reordering(&mut self, policy: Dupthresh, distance: u32) {
        if let Dupthresh::Adaptive { max, .. } = policy {
            self.current = self.current.max(distance.min(max));
        }
    }

    /// The retransmission timer expired outside loss recovery while `sacked_segments` were selectively
    /// acknowledged.
    pub fn on_timeout(&mut self, policy: Dupthresh, sacked_segments: u64) {
        if sacked_segments >= u64::from(policy.initial()) {
            self.current = policy.initial();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adaptive_threshold_grows_to_its_maximum_and_never_shrinks_by_reordering() {
        let policy = Dupthresh::Adaptive { initial: 3, max: 9 };
        let mut threshold = Threshold::new(policy);
        for (distance, expected) in [(2, 3), (5, 5), (4, 5), (200, 9)] {
            threshold.on_reordering(policy, distance);
            assert_eq!(threshold.get(), expected);
        }
        threshold.on_timeout(policy, 2);
        assert_eq!(threshold.get(), 9);
        threshold.on_timeout(policy, 3);
        assert_eq!(threshold.get(), 3);
    }

    #[test]
    fn the_fixed_threshold_stays() {
        let policy = Dupthresh::Fixed(3);
        let mut threshold = Threshold::new(policy);
        threshold.on_reordering(policy, 50);
        assert_eq!(threshold.get(), 3);
    }
}
