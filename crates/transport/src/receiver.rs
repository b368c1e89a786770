//! The receiving end point: reassembly and acknowledgements.

use crate::TcpConfig;
use crate::ranges::{Range, RangeSet};
use crate::segment::{Ecn, SackBlock, Segment, TcpFlags, unwrap, wrap};
use crate::shim::Shim;
use closlab_units::Time;

/// What a receiver has seen and done. Arrivals are counted where the host meets the network, before the
/// reordering shim; SYNs are not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceiverStats {
    /// Data segments that arrived.
    pub segments: u32,
    /// Of those, the ones that are reordered as RFC 4737 section 3 defines it (Type-P-Reordered): their
    /// number is below the end of the highest that had arrived, and their bytes had not arrived before. A
    /// retransmission that fills a hole looks the same on the wire and is counted too.
    pub reordered_segments: u32,
    /// Of those, the ones all of whose bytes had arrived before.
    pub duplicate_segments: u32,
    /// Acknowledgements sent, SYN-ACKs left out.
    pub acks_sent: u32,
    /// Segments that the shim held back.
    pub held_segments: u32,
    /// Times that the shim gave up waiting and passed everything on.
    pub shim_timeouts: u32,
}

/// Where the connection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// No SYN has arrived.
    Listen,
    /// A SYN-ACK was sent; no data have arrived.
    SynReceived,
    /// Data have arrived, or need no handshake.
    Established,
}

/// The end point that receives a flow: reassembles it, acknowledges as RFC 5681 section 4.2 says, with
/// SACK (RFC 2018), DSACK (RFC 2883) and ECN echo (RFC 3168), under the optional reordering shim.
///
/// Driven like the [`Sender`](crate::Sender): after every call, poll until `None`, then read the deadline.
#[derive(Debug)]
pub struct Receiver {
    size: u64,
    /// The next byte expected: every byte below has been delivered.
    expected: u64,
    /// The end of the highest segment that has arrived at the host: RFC 4737's NextExp.
    highest: u64,
    /// Bytes beyond `expected` that have arrived at TCP.
    out_of_order: RangeSet,
    /// A byte of each range that was extended most recently, the latest first (`u64::MAX`: none).
    recent: [u64; 3],
    /// Bytes that arrived twice, to be reported in the next acknowledgement.
    duplicate: SackBlock,
    /// When the delayed acknowledgement, or the SYN-ACK's repetition, is due.
    ack_deadline: Time,
    shim: Option<Box<Shim>>,
    /// In-order segments since the last acknowledgement.
    unacknowledged: u32,
    syn_ack_timeouts: u32,
    stage: Stage,
    syn_ack_pending: bool,
    ack_now: bool,
    /// RFC 3168 section 6.1.3: echo until the sender says that it has reduced its window.
    echo: bool,
    stats: ReceiverStats,
}

impl Receiver {
    /// A receiver of `size` bytes. `config` must have passed [`TcpConfig::check`].
    pub fn new(config: &TcpConfig, size: u64) -> Receiver {
        Receiver {
            size,
            expected: 0,
            highest: 0,
            out_of_order: RangeSet::default(),
            recent: [u64::MAX; 3],
            duplicate: SackBlock::default(),
            ack_deadline: Time::MAX,
            shim: config
                .reorder_timeout
                .map(|timeout| Box::new(Shim::new(timeout))),
            unacknowledged: 0,
            syn_ack_timeouts: 0,
            stage: if config.handshake {
                Stage::Listen
            } else {
                Stage::Established
            },
            syn_ack_pending: false,
            ack_now: false,
            echo: false,
            stats: ReceiverStats::default(),
        }
    }

    /// A segment of the sender has arrived.
    #[inline]
    pub fn on_segment(&mut self, now: Time, config: &TcpConfig, segment: &Segment) {
        if segment.flags.contains(TcpFlags::SYN) {
            self.on_syn();
            return;
        }
        if segment.len == 0 {
            return;
        }
        let Some(start) = unwrap(self.expected, segment.number) else {
            return;
        };
        self.establish();
        self.count_arrival(start, segment.len);
        let Some(mut shim) = self.shim.take() else {
            self.on_data(now, config, start, segment);
            return;
        };
        if shim.passes(now, start, segment) {
            self.on_data(now, config, start, segment);
            for held in shim.take_ready() {
                self.on_data(now, config, held.start, &held.segment);
            }
        } else {
            self.stats.held_segments += 1;
        }
        self.shim = Some(shim);
    }

    /// The time has come to [`deadline`](Self::deadline). Without effect before it, so that a caller may
    /// leave a superseded timer in place.
    pub fn on_deadline(&mut self, now: Time, config: &TcpConfig) {
        if now >= self.ack_deadline {
            self.ack_deadline = Time::MAX;
            if self.stage == Stage::SynReceived {
                self.syn_ack_pending = true;
                self.syn_ack_timeouts += 1;
            } else {
                self.ack_now = true;
            }
        }
        let Some(mut shim) = self.shim.take() else {
            return;
        };
        if now >= shim.deadline() {
            self.stats.shim_timeouts += 1;
            for held in shim.flush() {
                self.on_data(now, config, held.start, &held.segment);
            }
        }
        self.shim = Some(shim);
    }

    /// The next acknowledgement or SYN-ACK to send now, if any.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time, config: &TcpConfig) -> Option<Segment> {
        if self.syn_ack_pending {
            return Some(self.syn_ack(now, config));
        }
        if !self.ack_now {
            return None;
        }
        self.ack_now = false;
        self.unacknowledged = 0;
        self.ack_deadline = Time::MAX;
        self.stats.acks_sent += 1;
        let echo = if self.echo {
            TcpFlags::ECE
        } else {
            TcpFlags::NONE
        };
        Some(Segment {
            number: wrap(self.expected),
            len: 0,
            flags: TcpFlags::ACK | echo,
            ecn: Ecn::NotEct,
            sack: self.sack_blocks(),
        })
    }

    /// When [`on_deadline`](Self::on_deadline) wants to be called; `Time::MAX`: never.
    #[inline]
    pub fn deadline(&self) -> Time {
        match &self.shim {
            None => self.ack_deadline,
            Some(shim) => self.ack_deadline.min(shim.deadline()),
        }
    }

    /// Contiguous bytes handed to the application.
    #[inline]
    pub fn delivered(&self) -> u64 {
        self.expected
    }

    /// Whether the application has every byte.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.expected == self.size
    }

    /// What the receiver has seen and done.
    pub fn stats(&self) -> &ReceiverStats {
        &self.stats
    }

    fn on_syn(&mut self) {
        match self.stage {
            // A SYN that arrives again asks for the SYN-ACK that was lost.
            Stage::Listen | Stage::SynReceived => {
                self.stage = Stage::SynReceived;
                self.syn_ack_pending = true;
            }
            // A copy that the network delayed: data show that the handshake is over.
            Stage::Established => {}
        }
    }

    /// The first data complete the handshake; the SYN-ACK need not be repeated any more.
    #[inline]
    fn establish(&mut self) {
        if self.stage != Stage::Established {
            self.stage = Stage::Established;
            self.syn_ack_pending = false;
            self.ack_deadline = Time::MAX;
        }
    }

    fn syn_ack(&mut self, now: Time, config: &TcpConfig) -> Segment {
        self.syn_ack_pending = false;
        let mut interval = config.rto_initial;
        for _ in 0..self.syn_ack_timeouts {
            interval = (interval * 2).min(config.rto_max);
            if interval == config.rto_max {
                break;
            }
        }
        self.ack_deadline = now + interval;
        Segment {
            flags: TcpFlags::SYN | TcpFlags::ACK,
            ..Segment::default()
        }
    }

    #[inline]
    fn count_arrival(&mut self, start: u64, len: u16) {
        self.stats.segments += 1;
        let end = start + u64::from(len);
        if start < self.highest {
            if self.has_arrived(start, end) {
                self.stats.duplicate_segments += 1;
            } else {
                self.stats.reordered_segments += 1;
            }
        }
        self.highest = self.highest.max(end);
    }

    fn has_arrived(&self, start: u64, end: u64) -> bool {
        end <= self.expected
            || self.out_of_order.hole_from(start.max(self.expected)).start >= end
            || self
                .shim
                .as_ref()
                .is_some_and(|shim| shim.holds(start, end))
    }

    /// A data segment reaches TCP.
    #[inline]
    fn on_data(&mut self, now: Time, config: &TcpConfig, start: u64, segment: &Segment) {
        if segment.flags.contains(TcpFlags::CWR) {
            self.echo = false;
        }
        if segment.ecn == Ecn::Ce {
            self.echo = true;
        }
        let end = start + u64::from(segment.len);
        if start == self.expected && self.out_of_order.is_empty() && end <= self.size {
            self.expected = end;
            self.acknowledge_in_order(now, config, segment.flags);
        } else {
            self.on_unusual_data(config, start, end);
        }
    }

    /// RFC 5681 section 4.2: an acknowledgement for every so many segments, at the latest after a time.
    ///
    /// The end of what the application wrote (PSH) is acknowledged at once, as Linux does for one-way
    /// flows (`tcp_cleanup_rbuf`): else the delay would be part of when a sender knows its flow done.
    #[inline]
    fn acknowledge_in_order(&mut self, now: Time, config: &TcpConfig, flags: TcpFlags) {
        self.unacknowledged += 1;
        if self.unacknowledged >= config.delayed_ack_segments || flags.contains(TcpFlags::PSH) {
            self.ack_now = true;
        } else if self.unacknowledged == 1 {
            self.ack_deadline = now + config.delayed_ack_timeout;
        }
    }

    /// A duplicate, a segment beyond a gap, or one that fills a gap: acknowledged at once (RFC 5681
    /// section 4.2). What lies outside the window or the flow is only answered (RFC 9293 section
    /// 3.10.7.4).
    fn on_unusual_data(&mut self, config: &TcpConfig, start: u64, end: u64) {
        self.ack_now = true;
        if end > self.size || end > self.expected + config.receive_window {
            return;
        }
        if start < self.expected {
            self.report_duplicate(start, end.min(self.expected));
        }
        if end <= self.expected {
            return;
        }
        if start > self.expected {
            self.hold(start, end);
        } else {
            self.expected = end;
            self.deliver_reached();
        }
    }

    fn hold(&mut self, start: u64, end: u64) {
        if let Some(known) = self.known_stretch(start, end) {
            self.report_duplicate(known.start, known.end);
        }
        self.out_of_order.insert(start, end, |_, _| {});
        let position = self.recent_position(start);
        self.recent[..=position].rotate_right(1);
        self.recent[0] = start;
    }

    /// The first stretch of `start..end` that had arrived before: a DSACK block can tell of one only.
    fn known_stretch(&self, start: u64, end: u64) -> Option<Range> {
        if self.out_of_order.end().is_none_or(|last| last <= start) {
            return None;
        }
        let hole = self.out_of_order.hole_from(start);
        let known = if hole.start > start {
            Range {
                start,
                end: hole.start.min(end),
            }
        } else {
            let after = self.out_of_order.hole_from(hole.end);
            Range {
                start: hole.end,
                end: after.start.min(end),
            }
        };
        (known.start < end).then_some(known)
    }

    /// Where the entry that the range of `start` displaces stands: its own former one, or the last.
    fn recent_position(&self, start: u64) -> usize {
        let range = self.out_of_order.range_of(start);
        let same = |byte: &u64| range.is_some_and(|r| (r.start..r.end).contains(byte));
        self.recent
            .iter()
            .position(same)
            .unwrap_or(self.recent.len() - 1)
    }

    fn deliver_reached(&mut self) {
        let before = self.expected;
        while let Some(range) = self.out_of_order.take_first_reached(self.expected) {
            if range.start < before {
                self.report_duplicate(range.start, before.min(range.end));
            }
            self.expected = self.expected.max(range.end);
        }
    }

    fn report_duplicate(&mut self, start: u64, end: u64) {
        self.duplicate = SackBlock {
            start: wrap(start),
            end: wrap(end),
        };
    }

    /// DSACK first (RFC 2883 section 4), then the ranges that changed most recently (RFC 2018 section 4).
    fn sack_blocks(&mut self) -> [SackBlock; 3] {
        let mut blocks = [SackBlock::default(); 3];
        let duplicate = std::mem::take(&mut self.duplicate);
        if duplicate.is_empty() && self.out_of_order.is_empty() {
            return blocks;
        }
        let mut used = 0;
        if !duplicate.is_empty() {
            blocks[0] = duplicate;
            used = 1;
        }
        let first_range = used;
        let ranges = &self.out_of_order;
        let recent = self.recent.iter().filter(|byte| **byte != u64::MAX);
        let recent = recent.filter_map(|byte| ranges.range_of(*byte));
        // RFC 2018 section 4: as many blocks as fit. Where recent ranges have merged, others fill up.
        let others = ranges.as_slice().iter().rev().copied();
        for range in recent.chain(others) {
            if used == blocks.len() {
                break;
            }
            let block = SackBlock {
                start: wrap(range.start),
                end: wrap(range.end),
            };
            if !blocks[first_range..used].contains(&block) {
                blocks[used] = block;
                used += 1;
            }
        }
        blocks
    }
}
