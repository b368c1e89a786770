//! What an acknowledgement changes.

use super::{Phase, Sender};
use crate::TcpConfig;
use crate::congestion::{Acked, CongestionControl};
use crate::segment::{Segment, TcpFlags, unwrap};
use closlab_units::Time;

impl<C: CongestionControl> Sender<C> {
    /// An acknowledgement. The common case, new data acknowledged with no hole about, comes first.
    #[inline]
    pub(super) fn on_ack(&mut self, now: Time, config: &TcpConfig, segment: &Segment) {
        if !segment.flags.contains(TcpFlags::ACK) || segment.flags.contains(TcpFlags::SYN) {
            return;
        }
        // What acknowledges data never sent is not for this flow (RFC 9293 section 3.10.7.4).
        let Some(ack) = unwrap(self.high_ack, segment.number).filter(|ack| *ack <= self.high_data)
        else {
            return;
        };
        let echo = segment.flags.contains(TcpFlags::ECE);
        let plain = self.phase == Phase::Open && self.scoreboard.is_empty();
        if plain && !segment.has_sack() && !echo && ack > self.high_ack {
            self.advance(now, config, ack, true);
        } else {
            self.on_unusual_ack(now, config, segment, ack);
        }
    }

    /// The cumulative acknowledgement moves up to `ack`.
    #[inline]
    fn advance(&mut self, now: Time, config: &TcpConfig, ack: u64, may_grow: bool) {
        let bytes = ack - self.high_ack;
        self.high_ack = ack;
        self.dup_acks = 0;
        self.timeouts_in_a_row = 0;
        // One segment is timed at a time (RFC 6298 section 3 asks for a sample a round trip, not more):
        // there is no timestamp option, whose 12 bytes would change every queue, and a send time for each
        // outstanding segment would cost memory and cache in the hot loop.
        if self.timed_at != Time::MAX && ack >= self.timed_end {
            self.rtt.sample(now - self.timed_at, config);
            self.timed_at = Time::MAX;
        }
        if may_grow && self.cwnd_limited {
            self.congestion.on_acked(&Acked {
                bytes,
                mss: config.mss64(),
                after_timeout: self.phase == Phase::Loss,
            });
        }
        // RFC 6298 sections 5.2 and 5.3.
        self.deadline = if ack == self.high_data {
            Time::MAX
        } else {
            now + self.rtt.rto()
        };
    }

    /// Any acknowledgement that meets holes, duplicates or marks: RFC 6675 section 5.
    fn on_unusual_ack(&mut self, now: Time, config: &TcpConfig, segment: &Segment, ack: u64) {
        if ack == self.high_ack && segment.len == 0 && self.high_data > self.high_ack {
            self.stats.dup_acks += 1;
        }
        let high_ack = ack.max(self.high_ack);
        let newly_sacked = self.update(config, segment, high_ack);
        let advanced = high_ack > self.high_ack;
        let echo = config.ecn && segment.flags.contains(TcpFlags::ECE);
        let mut recovered = false;
        if advanced {
            let may_grow = self.phase != Phase::Recovery && !echo;
            self.advance(now, config, high_ack, may_grow);
            recovered = self.phase != Phase::Open && high_ack >= self.recovery_point;
        }
        if recovered {
            self.phase = Phase::Open;
            self.fast_retransmit = false;
        }
        if self.phase != Phase::Loss {
            self.scoreboard
                .update_lost(high_ack, self.threshold.get(), config.mss64());
        }
        if echo {
            self.on_ecn_echo(config);
        }
        if self.phase == Phase::Open {
            self.detect_loss(config, newly_sacked, recovered);
        }
    }

    /// RFC 6675 `Update`, and what it shows of reordering. Answers whether `segment` is a duplicate
    /// acknowledgement as RFC 6675 section 2 defines it: one that selectively acknowledges bytes anew.
    fn update(&mut self, config: &TcpConfig, segment: &Segment, high_ack: u64) -> bool {
        let prior_high_sacked = self.scoreboard.high_sacked().unwrap_or(0);
        let first_original = self.scoreboard.ever_retransmitted();
        // The first original byte that arrived late: below what had been acknowledged before.
        let mut late = u64::MAX;
        let mut newly_sacked = false;
        for block in segment.sack.iter().filter(|block| !block.is_empty()) {
            let start = unwrap(high_ack, block.start);
            let end = unwrap(high_ack, block.end);
            let (Some(start), Some(end)) = (start, end) else {
                continue;
            };
            if start >= end || end > self.high_data {
                continue;
            }
            if end <= high_ack {
                self.on_duplicate_report(config, start, end);
                continue;
            }
            // A receiver that holds the next expected byte would acknowledge it cumulatively: such a
            // block can't come from this flow's receiver.
            if start <= high_ack {
                continue;
            }
            self.scoreboard.sack(start, end, |from, to| {
                newly_sacked = true;
                let original = from.max(first_original);
                if original < to.min(prior_high_sacked) {
                    late = late.min(original);
                }
            });
        }
        if high_ack > self.high_ack && self.high_ack < prior_high_sacked {
            self.note_suspect_filled(config);
            let filled = self.scoreboard.hole_from(self.high_ack.max(first_original));
            if filled.start < high_ack.min(prior_high_sacked) {
                late = late.min(filled.start);
            }
        }
        if late != u64::MAX {
            let distance = self.distance_from(config, late);
            self.learn_reordering(config, distance);
        }
        self.scoreboard.acknowledge(high_ack);
        newly_sacked
    }

    /// Segments from byte `late` to the highest selectively acknowledged one.
    fn distance_from(&self, config: &TcpConfig, late: u64) -> u32 {
        let high_sacked = self.scoreboard.high_sacked().unwrap_or(late);
        // A window holds at most 2^30 bytes, hence fewer segments.
        (high_sacked - late).div_ceil(config.mss64()) as u32
    }

    /// The first hole is being filled. If it is the one that began the latest fast recovery, either its
    /// original or its retransmission has arrived: its distance is kept for the case that the receiver
    /// reports the other one as a duplicate.
    fn note_suspect_filled(&mut self, config: &TcpConfig) {
        if self.high_ack == self.suspect && self.suspect_distance == 0 {
            self.suspect_distance = self.distance_from(config, self.suspect);
        }
    }

    fn learn_reordering(&mut self, config: &TcpConfig, distance: u32) {
        self.stats.max_reordering = self.stats.max_reordering.max(distance);
        self.threshold.on_reordering(config.dupthresh, distance);
    }

    /// A DSACK block (RFC 2883): bytes that arrived twice. If they are those that began the latest fast
    /// recovery, the retransmission was needless (RFC 3708) and the original merely late. Linux learns the
    /// same distance at once from the timestamp option (`tcp_try_undo_partial`), which is not modelled.
    fn on_duplicate_report(&mut self, config: &TcpConfig, start: u64, end: u64) {
        if (start..end).contains(&self.suspect) && self.suspect_distance > 0 {
            self.learn_reordering(config, self.suspect_distance);
            self.suspect = u64::MAX;
            self.suspect_distance = 0;
        }
    }

    /// RFC 3168 section 6.1.2: an echo halves the window, once for a window of data, and not in a loss
    /// recovery, which has already reduced it.
    fn on_ecn_echo(&mut self, config: &TcpConfig) {
        if self.phase != Phase::Open || self.high_ack <= self.reduction_point {
            return;
        }
        self.congestion
            .on_congestion(self.flight_for_reduction(), config.mss64());
        self.stats.ecn_reductions += 1;
        self.note_reduction(config);
    }

    /// RFC 6675 section 5: counts duplicates and enters loss recovery when they suffice.
    ///
    /// The RFC looks for losses on duplicate acknowledgements only; here also when a recovery has just
    /// ended, since data above it may already be lost by its own `IsLost` and no further duplicate need
    /// come.
    fn detect_loss(&mut self, config: &TcpConfig, newly_sacked: bool, recovered: bool) {
        if newly_sacked {
            self.dup_acks += 1;
        } else if !recovered {
            return;
        }
        if self.dup_acks >= self.threshold.get() || self.scoreboard.first_is_lost(self.high_ack) {
            self.enter_recovery(config);
        }
    }

    /// RFC 6675 section 5, step 4.
    ///
    /// The first hole may already have been sent again: a recovery also repairs losses among the data that
    /// it sends anew, and may end before their acknowledgement. The RFC would forget that (step 3.1 sets
    /// HighRxt back); remembering it spares a needless retransmission.
    fn enter_recovery(&mut self, config: &TcpConfig) {
        self.phase = Phase::Recovery;
        self.recovery_point = self.high_data;
        self.fast_retransmit = self.scoreboard.high_rxt() <= self.high_ack;
        self.rescue_rxt = self.scoreboard.high_rxt();
        self.stats.fast_recoveries += 1;
        self.suspect = self.high_ack;
        self.suspect_distance = 0;
        // RFC 3168 section 6.1.2: one reduction for a window of data, whether marked or dropped.
        if self.high_ack >= self.reduction_point {
            let flight = (self.high_data - self.high_ack).min(self.congestion.cwnd());
            self.congestion.on_congestion(flight, config.mss64());
            self.note_reduction(config);
        }
    }
}
