//! The sending end point: what it is, when it is called, and its retransmission timer.

mod acks;
mod transmit;

use crate::TcpConfig;
use crate::congestion::{CongestionControl, NewReno};
use crate::dupthresh::Threshold;
use crate::rtt::RttEstimator;
use crate::scoreboard::Scoreboard;
use crate::segment::{Segment, TcpFlags};
use closlab_units::Time;

/// What a sender has done and seen. Counts of segments are of data segments: SYNs are not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SenderStats {
    /// Data segments sent, retransmissions included.
    pub segments_sent: u32,
    /// Data segments sent again.
    pub retransmitted_segments: u32,
    /// Expiries of the retransmission timer, those of the SYN included.
    pub timeouts: u32,
    /// Fast recoveries entered (RFC 6675 section 5, step 4).
    pub fast_recoveries: u32,
    /// Duplicate acknowledgements received, as RFC 5681 section 2 defines them.
    pub dup_acks: u32,
    /// The greatest distance, in segments, over which an original segment was seen to be overtaken
    /// (what [`crate::Dupthresh::Adaptive`] learns from); 0 if none was.
    pub max_reordering: u32,
    /// Reductions of the congestion window in answer to an ECN echo.
    pub ecn_reductions: u32,
}

/// Where the connection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Before `start`.
    Idle,
    /// A SYN waits to be sent.
    SynPending,
    /// A SYN is in the network.
    SynSent,
    /// Data may be sent.
    Established,
}

/// How losses are being handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No loss recovery.
    Open,
    /// RFC 6675's loss recovery.
    Recovery,
    /// After a retransmission timeout, until what was outstanding then is acknowledged.
    Loss,
}

/// The end point that sends `size` bytes and retransmits what is lost: SACK-based loss recovery
/// (RFC 6675), retransmission timeout (RFC 6298), ECN (RFC 3168), congestion control by `C`.
///
/// After every call of [`start`](Self::start), [`on_segment`](Self::on_segment) or
/// [`on_deadline`](Self::on_deadline), call [`poll_transmit`](Self::poll_transmit) until it answers `None`,
/// then read [`deadline`](Self::deadline). Every call of one flow takes the same configuration.
#[derive(Debug)]
pub struct Sender<C: CongestionControl = NewReno> {
    size: u64,
    /// The next byte the receiver expects: every byte below is acknowledged.
    high_ack: u64,
    /// The byte after the highest one ever sent.
    high_data: u64,
    deadline: Time,
    congestion: C,
    scoreboard: Scoreboard,
    rtt: RttEstimator,
    /// The segment being timed ends here; it was sent at `timed_at`, `Time::MAX` if none is timed.
    timed_end: u64,
    timed_at: Time,
    /// The loss recovery that `phase` says is under way ends when this byte is acknowledged.
    recovery_point: u64,
    /// RFC 6675's RescueRxt.
    rescue_rxt: u64,
    /// `high_data` at the latest reduction of the congestion window.
    reduction_point: u64,
    /// The first byte of the first segment that the latest fast recovery retransmitted, and the distance
    /// it turned out to have been overtaken by if a duplicate shows the retransmission to be needless.
    suspect: u64,
    suspect_distance: u32,
    /// RFC 6675's DupAcks.
    dup_acks: u32,
    threshold: Threshold,
    /// Expiries of the timer since the last byte was acknowledged.
    timeouts_in_a_row: u32,
    stage: Stage,
    phase: Phase,
    /// RFC 6675 step 4.3: the first segment presumed lost goes out whatever `pipe` says.
    fast_retransmit: bool,
    /// The next new data segment shall say that the window was reduced (RFC 3168 section 6.1.2).
    cwr_pending: bool,
    /// Whether the congestion window was what held back the latest `poll_transmit`.
    cwnd_limited: bool,
    stats: SenderStats,
}

impl Sender<NewReno> {
    /// A sender of `size` bytes under NewReno. A flow of no bytes is done from the start.
    pub fn new(config: &TcpConfig, size: u64) -> Sender<NewReno> {
        let initial = u64::from(config.initial_window) * config.mss64();
        Sender::with_congestion_control(config, size, NewReno::new(initial))
    }
}

impl<C: CongestionControl> Sender<C> {
    /// A sender of `size` bytes under `congestion`. `config` must have passed [`TcpConfig::check`].
    pub fn with_congestion_control(config: &TcpConfig, size: u64, congestion: C) -> Sender<C> {
        Sender {
            size,
            high_ack: 0,
            high_data: 0,
            deadline: Time::MAX,
            congestion,
            scoreboard: Scoreboard::default(),
            rtt: RttEstimator::new(config),
            timed_end: 0,
            timed_at: Time::MAX,
            recovery_point: 0,
            rescue_rxt: 0,
            reduction_point: 0,
            suspect: u64::MAX,
            suspect_distance: 0,
            dup_acks: 0,
            threshold: Threshold::new(config.dupthresh),
            timeouts_in_a_row: 0,
            stage: Stage::Idle,
            phase: Phase::Open,
            fast_retransmit: false,
            cwr_pending: false,
            cwnd_limited: false,
            stats: SenderStats::default(),
        }
    }

    /// Opens the flow: a SYN if the configuration asks for a handshake, data at once otherwise.
    pub fn start(&mut self, _now: Time, config: &TcpConfig) {
        self.stage = if config.handshake && self.size > 0 {
            Stage::SynPending
        } else {
            Stage::Established
        };
    }

    /// A segment of the receiver has arrived.
    #[inline]
    pub fn on_segment(&mut self, now: Time, config: &TcpConfig, segment: &Segment) {
        match self.stage {
            Stage::Established => self.on_ack(now, config, segment),
            Stage::SynSent => self.on_syn_ack(now, config, segment),
            Stage::Idle | Stage::SynPending => {}
        }
    }

    /// The time has come to [`deadline`](Self::deadline). Without effect before it, so that a caller may
    /// leave a superseded timer in place.
    pub fn on_deadline(&mut self, now: Time, config: &TcpConfig) {
        if now < self.deadline {
            return;
        }
        self.stats.timeouts += 1;
        self.timeouts_in_a_row += 1;
        self.timed_at = Time::MAX;
        self.rtt.back_off(config);
        if self.stage == Stage::SynSent {
            self.stage = Stage::SynPending;
            self.deadline = Time::MAX;
            self.congestion.on_handshake_timeout(config.mss64());
        } else {
            self.on_retransmission_timeout(now, config);
        }
    }

    /// The next segment to send now, if any.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time, config: &TcpConfig) -> Option<Segment> {
        if self.stage != Stage::Established {
            return self.poll_syn(now);
        }
        if self.phase == Phase::Open && self.scoreboard.is_empty() {
            self.poll_new_data(now, config, self.high_data - self.high_ack)
        } else {
            self.poll_with_scoreboard(now, config)
        }
    }

    /// When [`on_deadline`](Self::on_deadline) wants to be called; `Time::MAX`: never.
    #[inline]
    pub fn deadline(&self) -> Time {
        self.deadline
    }

    /// Whether every byte is acknowledged.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.high_ack == self.size
    }

    /// What the sender has done and seen.
    pub fn stats(&self) -> &SenderStats {
        &self.stats
    }

    /// The congestion window in bytes.
    pub fn cwnd(&self) -> u64 {
        self.congestion.cwnd()
    }

    /// The slow-start threshold in bytes; `u64::MAX` before the first congestion.
    pub fn ssthresh(&self) -> u64 {
        self.congestion.ssthresh()
    }

    /// The smoothed round-trip time (RFC 6298), once it was measured.
    pub fn srtt(&self) -> Option<Time> {
        self.rtt.srtt()
    }

    /// The retransmission timeout (RFC 6298), back-off included.
    pub fn rto(&self) -> Time {
        self.rtt.rto()
    }

    /// Bytes believed to be in the network (RFC 6675's pipe).
    pub fn pipe(&self) -> u64 {
        if self.phase == Phase::Open && self.scoreboard.is_empty() {
            self.high_data - self.high_ack
        } else {
            self.scoreboard.pipe(self.high_ack, self.high_data)
        }
    }

    /// How many segments must arrive above a hole before it counts as lost, at this moment.
    pub fn dupthresh(&self) -> u32 {
        self.threshold.get()
    }

    /// Bytes acknowledged cumulatively.
    pub fn acknowledged(&self) -> u64 {
        self.high_ack
    }

    /// The handshake's answer: it ends the handshake and, by Karn's rule, gives a round-trip sample if
    /// the SYN was sent once.
    fn on_syn_ack(&mut self, now: Time, config: &TcpConfig, segment: &Segment) {
        if !segment.flags.contains(TcpFlags::SYN | TcpFlags::ACK) {
            return;
        }
        self.stage = Stage::Established;
        self.deadline = Time::MAX;
        self.timeouts_in_a_row = 0;
        if self.timed_at != Time::MAX {
            self.rtt.sample(now - self.timed_at, config);
            self.timed_at = Time::MAX;
        }
    }

    fn poll_syn(&mut self, now: Time) -> Option<Segment> {
        if self.stage != Stage::SynPending {
            return None;
        }
        self.stage = Stage::SynSent;
        self.deadline = now + self.rtt.rto();
        if self.timeouts_in_a_row == 0 {
            self.timed_at = now;
        }
        Some(Segment {
            flags: TcpFlags::SYN,
            ..Segment::default()
        })
    }

    /// RFC 6298 section 5.4 and RFC 6675 section 5.1: everything outstanding counts as lost and is sent
    /// again from a window of one segment.
    ///
    /// Selective acknowledgements are kept, as in Linux: the receiver of these flows never discards what it
    /// has acknowledged, which is what RFC 2018 section 8 fears. A new fast recovery must wait until all
    /// that is outstanding now is acknowledged, so that duplicates of needless retransmissions are not
    /// taken for losses.
    fn on_retransmission_timeout(&mut self, now: Time, config: &TcpConfig) {
        let flight = (self.timeouts_in_a_row == 1).then(|| self.flight_for_reduction());
        self.congestion.on_timeout(flight, config.mss64());
        if self.phase == Phase::Open {
            let sacked_segments = self.scoreboard.sacked_bytes() / config.mss64();
            self.threshold.on_timeout(config.dupthresh, sacked_segments);
        }
        self.phase = Phase::Loss;
        self.recovery_point = self.high_data;
        self.note_reduction(config);
        self.scoreboard
            .lose_everything(self.high_ack, self.high_data);
        self.dup_acks = 0;
        self.deadline = now + self.rtt.rto();
    }

    /// RFC 5681's FlightSize without limited transmit's share, from which a threshold is computed.
    ///
    /// Without limited transmit, FlightSize stays within the window; so in the open phase the window bounds
    /// it. During a recovery the window is already reduced: there the bound is what the threshold was
    /// computed from, so that a timeout can only lower it (RFC 5681 section 3.1: "no more than").
    fn flight_for_reduction(&self) -> u64 {
        let flight = self.high_data - self.high_ack;
        let bound = match self.phase {
            Phase::Open => self.congestion.cwnd(),
            Phase::Recovery | Phase::Loss => self.congestion.ssthresh().saturating_mul(2),
        };
        flight.min(bound)
    }

    /// Remembers which data were outstanding at a reduction of the window, and tells the receiver of it.
    fn note_reduction(&mut self, config: &TcpConfig) {
        self.reduction_point = self.high_data;
        self.cwr_pending = config.ecn;
    }
}
