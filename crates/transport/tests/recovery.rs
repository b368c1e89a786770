//! Loss recovery against RFC 6675, worked by hand, and what reordering does to it.

mod pipe;

use closlab_transport::{Dupthresh, TcpConfig};
use closlab_units::Time;
use pipe::{Fate, Pipe, config};
use proptest::prelude::*;

const LIMIT: Time = Time::from_ms(1_000);

fn us(n: u64) -> Time {
    Time::from_us(n)
}

/// Ten segments, of which 1, 3 and 5 are lost, and nothing new to send after the tenth but two.
///
/// Segments leave at 0 and arrive every microsecond from 51 us on; acknowledgements arrive 50 us later.
/// The acknowledgement of segment 0 (101 us) grows the window to 11: 10 and 11 go out. Segments 2, 4 and 6
/// bring three duplicates at 103, 105 and 107 us, the first two of which send nothing (no data are left).
/// The third makes segment 1 lost: FlightSize = 11, no limited transmit, window = 5.5 segments.
#[test]
fn several_losses_in_one_window_are_repaired_in_order_within_a_round_trip() {
    let mut pipe = Pipe::new(config(), 12_000).losing(&[1, 3, 5]);
    pipe.run(LIMIT);
    let again: Vec<(u64, u32)> = pipe.sent[12..]
        .iter()
        .map(|sent| (sent.at.ps() / 1_000_000, sent.number / 1000))
        .collect();
    // 107: fast retransmit of 1. Outstanding 11, sacked 3, lost and not resent 0 above 1: IsLost(3) needs
    // three ranges or more than 2,000 bytes above it, and has 4 and 6. pipe = 11 - 3 - 1 + 1 = 8.
    // 108: 7 is sacked, so 3 is lost (4, 6 and 7 above): pipe = 11 - 4 - 2 + 1 = 6 > 4.5.
    // 109: 8 sacked, 5 is lost: pipe = 11 - 5 - 3 + 1 = 4: room for 3, pipe = 5, no room for 5.
    // 110: 9 sacked: pipe = 4, room for 5.
    // Rule 3 finds no further hole, and rule 4 waits while HighACK (1) is not above RescueRxt (2).
    // 208: segment 1 has arrived and HighACK is 3. There is nothing else to send, so rule 4 sends the
    // highest hole once more, needlessly here: it is the RFC's last resort against a lost retransmission.
    assert_eq!(again, [(107, 1), (109, 3), (110, 5), (208, 5)]);
    let stats = pipe.sender.stats();
    assert_eq!((stats.fast_recoveries, stats.timeouts), (1, 0));
    assert_eq!(pipe.sender.ssthresh(), 5_500);
    assert_eq!(pipe.sender.cwnd(), 5_500);
    assert_eq!(stats.segments_sent, 16);
}

/// As above with data to send: limited transmit and NextSeg's rule 2 come in.
#[test]
fn new_data_are_sent_by_limited_transmit_and_between_retransmissions() {
    let mut pipe = Pipe::new(config(), 60_000).losing(&[0]);
    pipe.run(LIMIT);
    let by_ack: Vec<(u64, u32, bool)> = pipe.sent[10..18]
        .iter()
        .map(|sent| (sent.at.ps() / 1_000_000, sent.number / 1000, sent.again))
        .collect();
    // The first two duplicates each send a new segment (RFC 3042); the third, at 104 us, retransmits.
    // FlightSize without them is 10: window = 5. pipe = 12 - 3 - 1 + 1 = 9 at 104, and each duplicate takes
    // one away; at 109 the ninth and last of the first burst leaves pipe = 12 - 9 = 3 + 0 for the hole
    // resent: 1 + 2 + ... so room comes when pipe reaches 4.
    assert_eq!(
        by_ack[..3],
        [(102, 10, false), (103, 11, false), (104, 0, true)]
    );
    assert_eq!(by_ack[3], (109, 12, false));
    assert_eq!(by_ack[4], (110, 13, false));
    assert_eq!(pipe.sender.stats().fast_recoveries, 1);
    assert_eq!(pipe.sent_again(), [0]);
    assert_eq!(pipe.windows[2], 5_000);
}

#[test]
fn a_loss_at_any_place_of_a_window_is_repaired_without_a_timeout() {
    for lost in 0..40 {
        let mut pipe =
            Pipe::new(config(), 100_000).data(
                move |n, _| {
                    if n == lost { Fate::Drop } else { Fate::Deliver }
                },
            );
        pipe.run(LIMIT);
        assert_eq!(pipe.sent_again(), [lost as u32], "loss of {lost}");
        assert_eq!(pipe.sender.stats().fast_recoveries, 1, "loss of {lost}");
        assert_eq!(pipe.sender.stats().timeouts, 0, "loss of {lost}");
        assert_eq!(pipe.receiver.stats().duplicate_segments, 0);
    }
}

#[test]
fn the_last_segments_lost_need_the_timer() {
    // With fewer than three segments above the loss there are too few duplicates.
    for (lost, timeouts) in [(9, 1), (8, 1), (7, 1), (6, 0)] {
        let mut pipe =
            Pipe::new(config(), 10_000).data(
                move |n, _| {
                    if n == lost { Fate::Drop } else { Fate::Deliver }
                },
            );
        pipe.run(LIMIT);
        assert_eq!(pipe.sender.stats().timeouts, timeouts, "loss of {lost}");
        assert_eq!(pipe.sent_again(), [lost as u32]);
    }
}

#[test]
fn a_lost_tail_is_rescued_within_a_recovery() {
    // Segments 0 and 9 of 10 are lost. The recovery of 0 ends at 10; no segment above 9 can be sacked. Its
    // retransmission acknowledged (HighACK = 9 > RescueRxt = 1), rule 4 sends 9 again before the timer.
    let mut pipe = Pipe::new(config(), 10_000).losing(&[0, 9]);
    pipe.run(LIMIT);
    assert_eq!(pipe.sent_again(), [0, 9]);
    assert_eq!(pipe.sender.stats().timeouts, 0);
    assert!(pipe.now < us(400), "ended at {}", pipe.now);
}

#[test]
fn a_hole_near_the_end_that_is_not_lost_is_sent_again_when_nothing_else_is_left() {
    // Only segment 9 is above the hole at 8: rule 3, not rule 1, and before the first round trip of the
    // recovery is over, as rule 4 would have to wait for.
    let mut pipe = Pipe::new(config(), 10_000).losing(&[0, 8]);
    pipe.run(LIMIT);
    // (Rule 4 then still does, as the retransmission has not been acknowledged.)
    assert_eq!(pipe.sent_again(), [0, 8, 8]);
    assert!(pipe.sent[11].at < us(150), "sent at {}", pipe.sent[11].at);
}

#[test]
fn the_rescue_waits_for_more_than_the_first_retransmission() {
    // HighACK = 1 after the first retransmission is RescueRxt itself, not above it.
    let mut pipe = Pipe::new(config(), 10_000).losing(&[0, 1]);
    pipe.run(LIMIT);
    assert_eq!(pipe.sent_again(), [0, 1]);
}

#[test]
fn a_loss_repaired_by_the_recovery_before_is_not_repaired_again() {
    // The third loss is of data sent during a recovery, repaired there, and then the reason for another.
    let mut pipe = Pipe::new(config(), 2_000_000).losing(&[4, 19, 25]);
    pipe.run(LIMIT);
    let mut again = pipe.sent_again();
    again.dedup();
    assert_eq!(pipe.sent_again(), again);
    assert_eq!(pipe.sender.stats().retransmitted_segments, 3);
    assert_eq!(pipe.receiver.stats().duplicate_segments, 0);
}

#[test]
fn a_lost_retransmission_waits_for_the_timer() {
    // Segment 4 is lost; its retransmission is the 17th segment sent: 10 + 4 + 2 by limited transmit.
    let mut pipe = Pipe::new(config(), 100_000).losing(&[4, 20]);
    pipe.run_until(us(108));
    assert_eq!(pipe.sent_again(), [4]);
    let index = pipe.sent.iter().position(|s| s.again).unwrap();
    assert_eq!(
        index, 20,
        "the retransmission is the segment that the network loses"
    );
    pipe.run(LIMIT);
    let stats = pipe.sender.stats();
    assert_eq!((stats.fast_recoveries, stats.timeouts), (1, 1));
    assert_eq!(pipe.receiver.delivered(), 100_000);
    // What was selectively acknowledged is not sent again.
    assert_eq!(pipe.receiver.stats().duplicate_segments, 0);
    assert_eq!(pipe.sent_again(), [4, 4]);
}

#[test]
fn everything_lost_is_sent_again_in_slow_start() {
    let mut pipe =
        Pipe::new(config(), 20_000).data(|n, _| if n < 10 { Fate::Drop } else { Fate::Deliver });
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().timeouts, 1);
    assert_eq!(pipe.sender.stats().fast_recoveries, 0);
    assert_eq!(pipe.sent_again(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // From one segment after the timeout, threshold 5: one more for each acknowledgement up to 5.
    assert_eq!(pipe.windows[..4], [2_000, 3_000, 4_000, 5_000]);
    assert_eq!(pipe.windows[4..9], [5_000, 5_000, 5_000, 5_000, 6_000]);
    assert_eq!(pipe.sender.ssthresh(), 5_000);
}

#[test]
fn a_needless_timeout_does_not_start_a_fast_recovery() {
    // All first ten arrive, far later than the timeout of 1 ms: what is sent again arrives twice, and the
    // duplicates' acknowledgements must not be taken for a loss.
    let mut pipe = Pipe::new(config(), 30_000).data(|n, _| {
        if n < 10 {
            Fate::Late(us(1_060))
        } else {
            Fate::Deliver
        }
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().timeouts, 1);
    assert_eq!(pipe.sender.stats().fast_recoveries, 0);
    assert!(pipe.receiver.stats().duplicate_segments > 0);
}

#[test]
fn lost_acknowledgements_cost_nothing_while_later_ones_arrive() {
    let mut pipe = Pipe::new(config(), 100_000).acks(|n, _| {
        if n % 3 == 2 || n >= 100 {
            Fate::Deliver
        } else {
            Fate::Drop
        }
    });
    pipe.run(LIMIT);
    // The very last acknowledgement (the 100th) is among those lost: only it needs the timer.
    assert_eq!(pipe.sender.stats().fast_recoveries, 0);
    assert_eq!(pipe.sender.stats().timeouts, 1);
    assert_eq!(pipe.sent_again(), [99]);
}

/// Segment 10 arrives `extent` segments late.
fn late_by(extent: u64, dupthresh: Dupthresh) -> Pipe {
    let config = TcpConfig {
        dupthresh,
        ..config()
    };
    Pipe::new(config, 100_000).data(move |n, _| {
        if n == 12 {
            Fate::Late(Time::from_ns(1000 * extent + 500))
        } else {
            Fate::Deliver
        }
    })
}

#[test]
fn reordering_below_the_threshold_is_tolerated_and_at_it_retransmits() {
    for extent in 1..=5 {
        let mut pipe = late_by(extent, Dupthresh::Fixed(3));
        pipe.run(LIMIT);
        let stats = pipe.sender.stats();
        let expected = u32::from(extent >= 3);
        assert_eq!(stats.fast_recoveries, expected, "extent {extent}");
        assert_eq!(stats.retransmitted_segments, expected, "extent {extent}");
        assert_eq!(stats.dup_acks, extent as u32 + expected, "extent {extent}");
        assert_eq!(stats.timeouts, 0);
        assert_eq!(pipe.receiver.stats().reordered_segments, 1);
        assert_eq!(pipe.receiver.stats().duplicate_segments, expected);
        // Overtaken by `extent`, the segment is that many plus one below the end of the highest.
        assert_eq!(stats.max_reordering, extent as u32 + 1, "extent {extent}");
        assert_eq!(pipe.sender.dupthresh(), 3);
    }
}

#[test]
fn the_adaptive_threshold_learns_from_a_needless_retransmission() {
    let adaptive = Dupthresh::Adaptive {
        initial: 3,
        max: 300,
    };
    for extent in 1..=5 {
        let config = TcpConfig {
            dupthresh: adaptive,
            ..config()
        };
        let late = Fate::Late(Time::from_ns(1000 * extent + 500));
        // Two segments late by the same extent, the second long after the first.
        let mut pipe = Pipe::new(config, 300_000).data(move |_, segment| match segment.number {
            12_000 | 150_000 => late,
            _ => Fate::Deliver,
        });
        pipe.run(LIMIT);
        let stats = pipe.sender.stats();
        // Once at most: the retransmission of 12 teaches what the second needs.
        assert_eq!(
            stats.fast_recoveries,
            u32::from(extent >= 3),
            "extent {extent}"
        );
        assert_eq!(pipe.sender.dupthresh(), (extent as u32 + 1).max(3));
    }
}

#[test]
fn the_adaptive_threshold_learns_up_to_its_maximum() {
    let adaptive = Dupthresh::Adaptive { initial: 3, max: 4 };
    let mut pipe = late_by(8, adaptive);
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().max_reordering, 9);
    assert_eq!(pipe.sender.dupthresh(), 4);
}

#[test]
fn a_real_loss_teaches_no_reordering() {
    let adaptive = Dupthresh::Adaptive {
        initial: 3,
        max: 300,
    };
    let config = TcpConfig {
        dupthresh: adaptive,
        ..config()
    };
    let mut pipe = Pipe::new(config, 200_000).losing(&[12, 15, 16, 70]);
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().max_reordering, 0);
    assert_eq!(pipe.sender.dupthresh(), 3);
    assert_eq!(pipe.sent_again(), [12, 15, 16, 67]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    /// Selective acknowledgements name every hole: nothing but the losses of a large window is sent again,
    /// each once and without a timeout, while new data remain to be sent.
    #[test]
    fn only_what_was_lost_is_sent_again(
        lost in prop::collection::btree_set(0u32..60, 0..12),
    ) {
        let expected: Vec<u32> = lost.iter().copied().collect();
        let mut pending = lost;
        let config = TcpConfig { initial_window: 60, ..config() };
        let mut pipe = Pipe::new(config, 2_000_000).data(move |_, segment| {
            if pending.remove(&(segment.number / 1000)) { Fate::Drop } else { Fate::Deliver }
        });
        pipe.run(LIMIT);
        prop_assert_eq!(pipe.sender.stats().timeouts, 0);
        let mut again = pipe.sent_again();
        again.sort_unstable();
        prop_assert_eq!(again, expected);
        prop_assert_eq!(pipe.receiver.stats().duplicate_segments, 0);
    }
}
