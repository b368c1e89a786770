//! What the sender sends next: RFC 6675's `NextSeg` and the windows that bound it.

use super::{Phase, Sender};
use crate::TcpConfig;
use crate::congestion::CongestionControl;
use crate::ranges::Range;
use crate::segment::{Ecn, SackBlock, Segment, TcpFlags, wrap};
use closlab_units::Time;

impl<C: CongestionControl> Sender<C> {
    /// New data, if both windows have room for a segment beside the `pipe` bytes in the network.
    ///
    /// RFC 6675 asks for room for a full segment; the last one may be shorter and needs only its own.
    #[inline]
    pub(super) fn poll_new_data(
        &mut self,
        now: Time,
        config: &TcpConfig,
        pipe: u64,
    ) -> Option<Segment> {
        let len = self.next_new_len(config);
        self.cwnd_limited = len > 0 && pipe + len > self.congestion.cwnd();
        if len == 0 || self.cwnd_limited {
            return None;
        }
        Some(self.send_new_data(now, config, len))
    }

    /// The length of the next new segment; 0 if there is no data or the receiver's window is full.
    #[inline]
    fn next_new_len(&self, config: &TcpConfig) -> u64 {
        let len = config.mss64().min(self.size - self.high_data);
        if self.high_data + len > self.high_ack + config.receive_window {
            0
        } else {
            len
        }
    }

    #[inline]
    fn send_new_data(&mut self, now: Time, config: &TcpConfig, len: u64) -> Segment {
        let start = self.high_data;
        self.high_data += len;
        self.stats.segments_sent += 1;
        if self.timed_at == Time::MAX {
            self.timed_at = now;
            self.timed_end = self.high_data;
        }
        if self.deadline == Time::MAX {
            self.deadline = now + self.rtt.rto();
        }
        let mut segment = self.segment(start, self.high_data);
        if config.ecn {
            segment.ecn = Ecn::Ect;
            if self.cwr_pending {
                self.cwr_pending = false;
                segment.flags = segment.flags | TcpFlags::CWR;
            }
        }
        segment
    }

    #[inline]
    fn segment(&self, start: u64, end: u64) -> Segment {
        // RFC 9293 section 3.9.1: the last bytes the application wrote are pushed.
        let push = if end == self.size {
            TcpFlags::PSH
        } else {
            TcpFlags::NONE
        };
        Segment {
            number: wrap(start),
            // At most one mss, which is a u16.
            len: (end - start) as u16,
            flags: TcpFlags::ACK | push,
            ecn: Ecn::NotEct,
            sack: [SackBlock::default(); 3],
        }
    }

    /// The next segment while there are holes: a retransmission or new data, in RFC 6675's order.
    pub(super) fn poll_with_scoreboard(
        &mut self,
        now: Time,
        config: &TcpConfig,
    ) -> Option<Segment> {
        if self.fast_retransmit {
            return Some(self.send_fast_retransmit(now, config));
        }
        let pipe = self.scoreboard.pipe(self.high_ack, self.high_data);
        if self.phase == Phase::Open {
            // Limited transmit (RFC 3042), bounded by pipe as in RFC 6675 section 5, step 3.
            return self.poll_new_data(now, config, pipe);
        }
        self.poll_recovery(now, config, pipe)
    }

    /// RFC 6675 section 4, `NextSeg`, under the window's bound of section 5, step C. After a timeout only
    /// rules 1 and 2 apply: what was outstanding, then new data.
    fn poll_recovery(&mut self, now: Time, config: &TcpConfig, pipe: u64) -> Option<Segment> {
        let room = self.congestion.cwnd().saturating_sub(pipe);
        if let Some(hole) = self.scoreboard.next_lost() {
            return self.send_hole(now, config, hole, room);
        }
        if self.next_new_len(config) > 0 {
            return self.poll_new_data(now, config, pipe);
        }
        self.cwnd_limited = false;
        if self.phase == Phase::Loss {
            return None;
        }
        if let Some(hole) = self.scoreboard.next_hole() {
            return self.send_hole(now, config, hole, room);
        }
        self.send_rescue(now, config, room)
    }

    /// RFC 6675 section 5, step 4.3.
    fn send_fast_retransmit(&mut self, now: Time, config: &TcpConfig) -> Segment {
        self.fast_retransmit = false;
        let hole = self.scoreboard.hole_from(self.high_ack);
        let segment = self.retransmit_first_of(now, config, hole);
        self.rescue_rxt = self.scoreboard.high_rxt();
        segment
    }

    fn send_hole(
        &mut self,
        now: Time,
        config: &TcpConfig,
        hole: Range,
        room: u64,
    ) -> Option<Segment> {
        let end = self.first_segment_end(config, hole);
        self.cwnd_limited = end - hole.start > room;
        if self.cwnd_limited {
            return None;
        }
        Some(self.retransmit_first_of(now, config, hole))
    }

    /// RFC 6675 section 4, `NextSeg` rule 4: once in a recovery, the segment with the highest outstanding
    /// byte, so that a lost tail need not wait for the timer.
    fn send_rescue(&mut self, now: Time, config: &TcpConfig, room: u64) -> Option<Segment> {
        if self.high_ack <= self.rescue_rxt {
            return None;
        }
        let hole = self.scoreboard.highest_hole(self.high_ack, self.high_data);
        let mss = config.mss64();
        let start = hole.start.max((hole.end - 1) / mss * mss);
        if hole.end - start > room {
            return None;
        }
        self.rescue_rxt = self.recovery_point;
        // Not told to the scoreboard: HighRxt stays, and as no new data are left nothing can be
        // acknowledged above this segment that would make its arrival look like reordering.
        Some(self.retransmit(now, start, hole.end))
    }

    fn first_segment_end(&self, config: &TcpConfig, hole: Range) -> u64 {
        hole.end
            .min(hole.start + config.mss64())
            .min(self.high_data)
    }

    fn retransmit_first_of(&mut self, now: Time, config: &TcpConfig, hole: Range) -> Segment {
        let end = self.first_segment_end(config, hole);
        self.scoreboard.retransmitted_to(end);
        self.retransmit(now, hole.start, end)
    }

    /// Sends `start..end` again. Retransmissions are not ECN-capable (RFC 3168 section 6.1.5).
    fn retransmit(&mut self, now: Time, start: u64, end: u64) -> Segment {
        self.stats.segments_sent += 1;
        self.stats.retransmitted_segments += 1;
        // Karn's rule, and more: the acknowledgement of a later segment waits for this one too, so that
        // its time would measure the recovery.
        self.timed_at = Time::MAX;
        // RFC 6675 section 6 allows the timer to be restarted at each retransmission of a fast recovery:
        // with minima near the round-trip time it would else expire before the retransmission's
        // acknowledgement can arrive. (After a timeout it is running since then.)
        if self.phase == Phase::Recovery || self.deadline == Time::MAX {
            self.deadline = now + self.rtt.rto();
        }
        self.segment(start, end)
    }
}
