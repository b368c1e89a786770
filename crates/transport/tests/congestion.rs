//! Window growth and reduction against RFC 5681, RFC 3465, RFC 6928 and RFC 3168, by hand.

mod pipe;

use closlab_transport::{Flags, TcpConfig};
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
        .map(|(_, a)| a.flags.contains(Flags::ECE))
        .collect();
    let first = echoing.iter().position(|e| *e).unwrap();
    let last = echoing.iter().rposition(|e| *e).unwrap();
    assert_eq!(first, 12);
    assert!(echoing[first..=last].iter().all(|e| *e));
    assert_eq!(
        last, 33,
        "the segment after the 34 sent before the reduction says CWR"
    );
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
