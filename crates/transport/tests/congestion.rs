//! Window growth and reduction against RFC 5681, RFC 3465, RFC 6928 and RFC 3168, by hand.

mod pipe;

use closlab_transport::{
    Acked, CongestionControl, Dupthresh, SackBlock, Segment, Sender, TcpConfig, TcpFlags,
};
use closlab_units::Time;
use pipe::{Fate, Pipe, config};

const LIMIT: Time = Time::from_ms(1_000);

#[test]
fn slow_start_doubles_each_round_trip_from_the_initial_window() {
    let mut pipe = Pipe::new(config(), 70_000);
    pipe.run(LIMIT);
    // Ten segments leave at once (RFC 6928); each acknowledgement adds one segment, up to the 60th: then
    // 10 + 20 segments are acknowledged, 40 are out, and no data are left to be held back.
    let first_burst = pipe.sent.iter().filter(|s| s.at == Time::ZERO).count();
    assert_eq!(first_burst, 10);
    let grown: Vec<u64> = (11..=40).map(|segments| segments * 1000).collect();
    assert_eq!(pipe.windows[..30], grown);
    let second = Time::from_us(101);
    let third = Time::from_us(202);
    let in_round = |from, to| {
        pipe.sent
            .iter()
            .filter(|s| s.at >= from && s.at < to)
            .count()
    };
    assert_eq!(in_round(second, third), 20);
    assert_eq!(in_round(third, Time::from_us(303)), 40);
    assert_eq!(pipe.sender.ssthresh(), u64::MAX);
}

#[test]
fn the_window_does_not_grow_when_it_holds_nothing_back() {
    let mut pipe = Pipe::new(config(), 8_000);
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.cwnd(), 10_000);
}

#[test]
fn delayed_acknowledgements_leave_slow_start_its_pace() {
    let delayed = TcpConfig {
        delayed_ack_segments: 2,
        delayed_ack_timeout: Time::from_us(500),
        ..config()
    };
    let mut pipe = Pipe::new(delayed, 200_000);
    pipe.run(LIMIT);
    // Two segments for each acknowledgement (RFC 3465 section 2.2, L = 2).
    assert_eq!(pipe.windows[..5], [12_000, 14_000, 16_000, 18_000, 20_000]);
}

#[test]
fn congestion_avoidance_adds_one_segment_each_round_trip() {
    // Four acknowledgements grow the window to 14 segments before the loss of segment 4 halves it.
    let mut pipe = Pipe::new(config(), 120_000).losing(&[4]);
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.ssthresh(), 7_000);
    let after: Vec<u64> = pipe
        .windows
        .iter()
        .skip_while(|w| **w != 7_000)
        .copied()
        .collect();
    let mut rounds: Vec<(u64, usize)> = Vec::new();
    for window in after {
        match rounds.last_mut() {
            Some((last, count)) if *last == window => *count += 1,
            _ => rounds.push((window, 1)),
        }
    }
    // A window of w segments lasts for w acknowledgements of one segment each.
    let steady: Vec<(u64, usize)> = rounds[1..4].to_vec();
    assert_eq!(steady, [(8_000, 8), (9_000, 9), (10_000, 10)]);
}

#[test]
fn the_receive_window_bounds_what_is_outstanding() {
    let small = TcpConfig {
        receive_window: 4_500,
        ..config()
    };
    let mut pipe = Pipe::new(small, 40_000);
    pipe.run(LIMIT);
    let first_burst = pipe.sent.iter().filter(|s| s.at == Time::ZERO).count();
    assert_eq!(first_burst, 4);
    // It is the receiver's window that holds the sender back: the congestion window stays.
    assert_eq!(pipe.sender.cwnd(), 10_000);
    assert_eq!(pipe.receiver.delivered(), 40_000);
}

#[test]
fn an_ecn_mark_halves_the_window_once_for_a_window_of_data() {
    let ecn = TcpConfig {
        ecn: true,
        ..config()
    };
    // Three marks in the window that follows the initial one.
    let mut pipe = Pipe::new(ecn, 100_000).data(|n, segment| match n {
        12 | 14 | 17 => {
            assert_eq!(segment.ecn, closlab_transport::Ecn::Ect);
            Fate::Mark
        }
        _ => Fate::Deliver,
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().ecn_reductions, 1);
    assert_eq!(pipe.sender.stats().retransmitted_segments, 0);
    // Twelve acknowledgements grew the window from 10 to 22 segments, 34 in all are sent. The thirteenth
    // brings the echo and leaves 21 outstanding: half of them is the new window.
    assert_eq!(pipe.windows[11], 22_000);
    assert_eq!(pipe.windows[12], pipe.sender.ssthresh());
    assert_eq!(pipe.sender.ssthresh(), 10_500);
    // The receiver echoes from the mark until the sender's CWR arrives, then stops.
    let echoing: Vec<bool> = pipe
        .answers
        .iter()
        .map(|(_, a)| a.flags.contains(TcpFlags::ECE))
        .collect();
    let first = echoing.iter().position(|e| *e).unwrap();
    let last = echoing.iter().rposition(|e| *e).unwrap();
    assert_eq!(first, 12);
    assert!(echoing[first..=last].iter().all(|e| *e));
    assert_eq!(
        last, 33,
        "the segment after the 34 sent before the reduction says CWR"
    );
    // While it echoes, the window does not grow.
    assert!(pipe.windows[12..=33].iter().all(|window| *window == 10_500));
}

#[test]
fn ecn_reacts_again_in_the_next_window() {
    let ecn = TcpConfig {
        ecn: true,
        ..config()
    };
    let mut pipe = Pipe::new(ecn, 200_000).data(|n, _| match n {
        12 | 60 => Fate::Mark,
        _ => Fate::Deliver,
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().ecn_reductions, 2);
}

#[test]
fn retransmissions_are_not_ecn_capable_and_a_loss_in_a_marked_window_reduces_once() {
    let ecn = TcpConfig {
        ecn: true,
        ..config()
    };
    let mut pipe = Pipe::new(ecn, 100_000).data(|n, segment| {
        if n > 20 && segment.number == 15_000 {
            assert_eq!(segment.ecn, closlab_transport::Ecn::NotEct);
        }
        match n {
            12 => Fate::Mark,
            15 => Fate::Drop,
            _ => Fate::Deliver,
        }
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().ecn_reductions, 1);
    assert_eq!(pipe.sender.stats().fast_recoveries, 1);
    assert_eq!(pipe.sent_again(), [15]);
    assert_eq!(pipe.sender.ssthresh(), 10_500);
}

#[test]
fn without_ecn_nothing_is_marked_capable_and_echoes_are_ignored() {
    let mut pipe = Pipe::new(config(), 50_000).data(|n, segment| {
        assert_eq!(segment.ecn, closlab_transport::Ecn::NotEct);
        if n == 3 { Fate::Mark } else { Fate::Deliver }
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().ecn_reductions, 0);
    assert_eq!(pipe.sender.ssthresh(), u64::MAX);
}

/// What a congestion control is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Acked(u64),
    Congestion(u64),
    Timeout(Option<u64>),
}

/// A window of ten segments that never moves.
#[derive(Debug, Default)]
struct Recorder(std::rc::Rc<std::cell::RefCell<Vec<Told>>>);

impl CongestionControl for Recorder {
    fn cwnd(&self) -> u64 {
        10_000
    }

    fn ssthresh(&self) -> u64 {
        3_000
    }

    fn on_acked(&mut self, acked: &Acked) {
        self.0.borrow_mut().push(Told::Acked(acked.bytes));
    }

    fn on_congestion(&mut self, flight: u64, _mss: u64) {
        self.0.borrow_mut().push(Told::Congestion(flight));
    }

    fn on_timeout(&mut self, flight: Option<u64>, _mss: u64) {
        self.0.borrow_mut().push(Told::Timeout(flight));
    }
}

fn poll_all(sender: &mut Sender<Recorder>, now: Time, config: &TcpConfig) {
    while sender.poll_transmit(now, config).is_some() {}
}

/// An acknowledgement of thousand `number` with selective acknowledgement of `start..end`.
fn ack(number: u32, start: u32, end: u32) -> Segment {
    let mut sack = [SackBlock::default(); 3];
    sack[0] = SackBlock {
        start: start * 1000,
        end: end * 1000,
    };
    Segment {
        number: number * 1000,
        flags: TcpFlags::ACK,
        sack,
        ..Segment::default()
    }
}

/// A sender of 100 segments that has sent its first ten.
fn ten_sent(recorder: Recorder) -> Sender<Recorder> {
    ten_sent_of(100_000, &config(), recorder)
}

fn ten_sent_of(size: u64, config: &TcpConfig, recorder: Recorder) -> Sender<Recorder> {
    let mut sender = Sender::with_congestion_control(config, size, recorder);
    sender.start(Time::ZERO, config);
    poll_all(&mut sender, Time::ZERO, config);
    assert_eq!(sender.pipe(), 10_000);
    sender
}

fn receive(sender: &mut Sender<Recorder>, acks: &[Segment]) {
    let config = config();
    for ack in acks {
        sender.on_segment(Time::from_us(100), &config, ack);
        poll_all(sender, Time::from_us(100), &config);
    }
}

#[test]
fn three_duplicates_begin_a_recovery_even_if_they_cover_little() {
    let mut sender = ten_sent(Recorder::default());
    // Single bytes in one range: IsLost sees neither three ranges nor more than two segments.
    for n in 1..=3 {
        assert_eq!(sender.stats().fast_recoveries, 0);
        let mut duplicate = ack(0, 0, 0);
        duplicate.sack[0] = SackBlock {
            start: 1_000,
            end: 1_000 + n,
        };
        receive(&mut sender, &[duplicate]);
    }
    assert_eq!(sender.stats().fast_recoveries, 1);
}

#[test]
fn a_block_at_the_next_expected_byte_is_not_believed() {
    let mut sender = ten_sent(Recorder::default());
    receive(&mut sender, &[ack(0, 0, 3)]);
    // Believed, it would let three new segments go.
    assert_eq!(sender.stats().segments_sent, 10);
}

#[test]
fn a_loss_above_a_recovery_that_ends_is_found_at_once() {
    let mut sender = ten_sent(Recorder::default());
    // Segment 0 is lost; of the new ones 10 and 11 are lost and three above arrive.
    receive(&mut sender, &[ack(0, 1, 4), ack(0, 1, 10), ack(0, 12, 15)]);
    assert_eq!(sender.stats().fast_recoveries, 1);
    // This ends the recovery and brings no new selective acknowledgement.
    receive(&mut sender, &[ack(10, 12, 15)]);
    assert_eq!(sender.stats().fast_recoveries, 2);
}

#[test]
fn a_retransmission_that_is_selectively_acknowledged_shows_no_reordering() {
    let mut sender = ten_sent(Recorder::default());
    // Segments 0 and 2 are lost and both sent again; 2 arrives first.
    receive(&mut sender, &[ack(0, 1, 2), ack(0, 3, 6), ack(0, 1, 6)]);
    assert_eq!(sender.stats().retransmitted_segments, 2);
    assert_eq!(sender.stats().max_reordering, 0);
    // Segment 6 overtaken by 7 was never sent again: distance 2.
    receive(&mut sender, &[ack(0, 7, 8), ack(0, 6, 7)]);
    assert_eq!(sender.stats().max_reordering, 2);
}

#[test]
fn after_a_timeout_only_what_was_outstanding_then_is_sent_again() {
    let mut sender = ten_sent_of(12_000, &config(), Recorder::default());
    let now = sender.deadline();
    sender.on_deadline(now, &config());
    poll_all(&mut sender, now, &config());
    assert_eq!(sender.stats().retransmitted_segments, 10);
    // The last two segments go out; of these the second arrives first. Its forerunner is not lost.
    receive(&mut sender, &[ack(2, 0, 0), ack(2, 11, 12)]);
    assert_eq!(sender.stats().segments_sent, 22);
}

#[test]
fn the_rescue_needs_room_in_the_window() {
    let config = config();
    let mut sender = Sender::new(&config, 10_000);
    let now = Time::from_us(100);
    sender.start(Time::ZERO, &config);
    while sender.poll_transmit(Time::ZERO, &config).is_some() {}
    // Three duplicates halve the window to five segments; segment 0 goes again and is acknowledged. Six
    // segments are still out: no room for the tenth to go again.
    for ack in [ack(0, 1, 4), ack(4, 0, 0)] {
        sender.on_segment(now, &config, &ack);
        while sender.poll_transmit(now, &config).is_some() {}
    }
    assert_eq!((sender.cwnd(), sender.pipe()), (5_000, 6_000));
    assert_eq!(sender.stats().retransmitted_segments, 1);
}

#[test]
fn a_timeout_in_disorder_resets_the_adaptive_threshold_and_one_in_recovery_does_not() {
    let adaptive = TcpConfig {
        dupthresh: Dupthresh::Adaptive {
            initial: 3,
            max: 300,
        },
        ..config()
    };
    for (sacked_to, recoveries, after) in [(5, 0, 3), (8, 1, 7)] {
        let mut sender = ten_sent_of(10_000, &adaptive, Recorder::default());
        let now = Time::from_us(100);
        // Segment 1 is overtaken by 7: a distance of seven segments.
        for ack in [ack(0, 7, 8), ack(0, 1, 2), ack(0, 1, sacked_to)] {
            sender.on_segment(now, &adaptive, &ack);
            poll_all(&mut sender, now, &adaptive);
        }
        assert_eq!(sender.dupthresh(), 7);
        assert_eq!(sender.stats().fast_recoveries, recoveries);
        let deadline = sender.deadline();
        sender.on_deadline(deadline, &adaptive);
        assert_eq!(sender.dupthresh(), after);
    }
}

#[test]
fn congestion_control_is_told_the_flight_without_limited_transmit() {
    let config = config();
    let recorder = Recorder::default();
    let told = recorder.0.clone();
    let mut sender = Sender::with_congestion_control(&config, 100_000, recorder);
    let us = Time::from_us;
    sender.start(us(0), &config);
    poll_all(&mut sender, us(0), &config);
    sender.on_segment(us(100), &config, &ack(2, 0, 0));
    poll_all(&mut sender, us(100), &config);
    // Two duplicates, each of which lets a new segment go: 12 are outstanding at the third.
    for n in [4, 5, 6] {
        sender.on_segment(us(100), &config, &ack(2, 3, n));
        assert_eq!(sender.stats().fast_recoveries, u32::from(n == 6));
        poll_all(&mut sender, us(100), &config);
    }
    assert_eq!(
        *told.borrow(),
        [Told::Acked(2_000), Told::Congestion(10_000)]
    );
}

#[test]
fn congestion_control_learns_whether_a_timeout_is_the_first_of_its_segment() {
    let config = config();
    let recorder = Recorder::default();
    let told = recorder.0.clone();
    let mut sender = Sender::with_congestion_control(&config, 100_000, recorder);
    let mut now = Time::ZERO;
    sender.start(now, &config);
    poll_all(&mut sender, now, &config);
    // Two duplicates let two more segments go, which do not count.
    sender.on_segment(now, &config, &ack(0, 1, 3));
    poll_all(&mut sender, now, &config);
    for _ in 0..2 {
        now = sender.deadline();
        sender.on_deadline(now, &config);
        poll_all(&mut sender, now, &config);
    }
    assert_eq!(
        *told.borrow(),
        [Told::Timeout(Some(10_000)), Told::Timeout(None)]
    );
    // An acknowledgement of new data, then the next timeout is a first one again. Seven segments are
    // outstanding, but the threshold of three, which stands for six, must not rise.
    sender.on_segment(now, &config, &ack(5, 0, 0));
    now = sender.deadline();
    sender.on_deadline(now, &config);
    assert_eq!(told.borrow().last(), Some(&Told::Timeout(Some(6_000))));
}
