//! The receiver: SACK and DSACK blocks, reordering counts, the shim.

mod pipe;

use closlab_transport::{Receiver, SackBlock, Segment, TcpConfig, TcpFlags};
use closlab_units::Time;
use pipe::{Fate, Pipe, config};

const LIMIT: Time = Time::from_ms(1_000);

fn us(n: u64) -> Time {
    Time::from_us(n)
}

/// Sends the segment of thousand `n` to the receiver and reads its acknowledgement: the next thousand
/// expected and the blocks in thousands.
fn arrive(receiver: &mut Receiver, config: &TcpConfig, n: u32) -> (u32, Vec<(u32, u32)>) {
    let segment = Segment {
        number: n * 1000,
        len: 1000,
        flags: TcpFlags::ACK,
        ..Segment::default()
    };
    receiver.on_segment(Time::ZERO, config, &segment);
    let ack = receiver
        .poll_transmit(Time::ZERO, config)
        .expect("each arrival is acknowledged at once");
    assert_eq!(receiver.poll_transmit(Time::ZERO, config), None);
    let blocks = ack.sack.iter().filter(|block| !block.is_empty());
    let blocks = blocks.map(|SackBlock { start, end }| (start / 1000, end / 1000));
    (ack.number / 1000, blocks.collect())
}

#[test]
fn sack_blocks_report_the_latest_first() {
    let config = config();
    let mut receiver = Receiver::new(&config, 1_000_000);
    assert_eq!(arrive(&mut receiver, &config, 0), (1, vec![]));
    assert_eq!(arrive(&mut receiver, &config, 2), (1, vec![(2, 3)]));
    assert_eq!(arrive(&mut receiver, &config, 6), (1, vec![(6, 7), (2, 3)]));
    assert_eq!(
        arrive(&mut receiver, &config, 4),
        (1, vec![(4, 5), (6, 7), (2, 3)])
    );
    // An older range grows: it comes first, as a whole.
    assert_eq!(
        arrive(&mut receiver, &config, 7),
        (1, vec![(6, 8), (4, 5), (2, 3)])
    );
    // A fourth range displaces the one reported longest ago.
    assert_eq!(
        arrive(&mut receiver, &config, 10),
        (1, vec![(10, 11), (6, 8), (4, 5)])
    );
    // Two ranges become one: the one reported longest ago has room again.
    assert_eq!(
        arrive(&mut receiver, &config, 5),
        (1, vec![(4, 8), (10, 11), (2, 3)])
    );
    // The gap below fills.
    assert_eq!(
        arrive(&mut receiver, &config, 1),
        (3, vec![(4, 8), (10, 11)])
    );
    assert_eq!(arrive(&mut receiver, &config, 3), (8, vec![(10, 11)]));
}

#[test]
fn duplicates_are_reported_once_in_the_first_block() {
    let config = config();
    let mut receiver = Receiver::new(&config, 1_000_000);
    arrive(&mut receiver, &config, 0);
    // Below the cumulative acknowledgement (RFC 2883 section 4.1.1).
    assert_eq!(arrive(&mut receiver, &config, 0), (1, vec![(0, 1)]));
    arrive(&mut receiver, &config, 2);
    arrive(&mut receiver, &config, 3);
    // Above it: the second block holds the first (RFC 2883 section 4.1.2).
    assert_eq!(arrive(&mut receiver, &config, 2), (1, vec![(2, 3), (2, 4)]));
    assert_eq!(arrive(&mut receiver, &config, 5), (1, vec![(5, 6), (2, 4)]));
    assert_eq!(receiver.stats().duplicate_segments, 2);
}

#[test]
fn a_partial_duplicate_reports_the_stretch_that_is_known() {
    let config = config();
    let mut receiver = Receiver::new(&config, 1_000_000);
    arrive(&mut receiver, &config, 3);
    let across = Segment {
        number: 2_000,
        len: 4_000,
        flags: TcpFlags::ACK,
        ..Segment::default()
    };
    receiver.on_segment(Time::ZERO, &config, &across);
    let ack = receiver.poll_transmit(Time::ZERO, &config).unwrap();
    let block = |start, end| SackBlock { start, end };
    assert_eq!(ack.sack[..2], [block(3_000, 4_000), block(2_000, 6_000)]);
    // The same below: what fills the gap brings the first held byte again.
    let across = Segment {
        number: 0,
        ..across
    };
    receiver.on_segment(Time::ZERO, &config, &across);
    let ack = receiver.poll_transmit(Time::ZERO, &config).unwrap();
    assert_eq!(ack.number, 6_000);
    assert_eq!(ack.sack[..2], [block(2_000, 4_000), block(0, 0)]);
}

#[test]
fn what_lies_outside_the_window_or_the_flow_is_not_taken() {
    let small = TcpConfig {
        receive_window: 4_000,
        ..config()
    };
    let mut receiver = Receiver::new(&small, 6_000);
    assert_eq!(arrive(&mut receiver, &small, 4), (0, vec![]));
    assert_eq!(arrive(&mut receiver, &small, 3), (0, vec![(3, 4)]));
    assert_eq!(arrive(&mut receiver, &small, 6), (0, vec![(3, 4)]));
}

#[test]
fn reordering_is_counted_as_rfc_4737_does() {
    let config = config();
    let mut receiver = Receiver::new(&config, 1_000_000);
    // 3 and 4 come after 5, 1 after all; the second 5 is a duplicate and no reordering.
    for n in [0, 2, 5, 3, 4, 5, 1, 6, 0] {
        arrive(&mut receiver, &config, n);
    }
    let stats = receiver.stats();
    assert_eq!(stats.segments, 9);
    assert_eq!(stats.reordered_segments, 3);
    assert_eq!(stats.duplicate_segments, 2);
}

fn shim(timeout: Time) -> TcpConfig {
    TcpConfig {
        reorder_timeout: Some(timeout),
        ..config()
    }
}

#[test]
fn the_shim_hides_reordering_from_tcp_but_not_from_the_counts() {
    for extent in 1..=9 {
        let late = Fate::Late(Time::from_ns(1000 * extent + 500));
        let mut pipe = Pipe::new(shim(us(50)), 100_000)
            .data(move |n, _| if n == 12 { late } else { Fate::Deliver });
        pipe.run(LIMIT);
        let seen = pipe.receiver.stats();
        assert_eq!(seen.reordered_segments, 1);
        assert_eq!(seen.held_segments, extent as u32);
        assert_eq!(seen.shim_timeouts, 0);
        assert_eq!(pipe.sender.stats().dup_acks, 0, "extent {extent}");
        assert_eq!(pipe.sender.stats().retransmitted_segments, 0);
    }
}

#[test]
fn the_shim_delays_the_detection_of_a_loss_by_its_timeout() {
    let lost = |timeout| {
        let config = TcpConfig {
            reorder_timeout: timeout,
            ..config()
        };
        let mut pipe = Pipe::new(config, 100_000).losing(&[12]);
        pipe.run(LIMIT);
        assert_eq!(pipe.sent_again(), [12]);
        assert_eq!(pipe.sender.stats().timeouts, 0);
        let resent = pipe.sent.iter().find(|sent| sent.again).unwrap().at;
        (resent, pipe.receiver.stats().shim_timeouts)
    };
    let (without, _) = lost(None);
    let (with, timeouts) = lost(Some(us(30)));
    // Without: the third of the segments behind the hole brings the third duplicate. With: the first
    // behind it, two microseconds earlier, is held for 30 us, then all are passed on at once.
    assert_eq!(with, without + us(30) - us(2));
    assert_eq!(timeouts, 1);
}

#[test]
fn the_shim_passes_a_repeated_segment_on_as_a_duplicate() {
    let config = shim(us(50));
    let mut receiver = Receiver::new(&config, 1_000_000);
    let segment = |n: u32| Segment {
        number: n * 1000,
        len: 1000,
        flags: TcpFlags::ACK,
        ..Segment::default()
    };
    for n in [0, 2, 2, 1] {
        receiver.on_segment(us(1), &config, &segment(n));
    }
    let ack = receiver.poll_transmit(us(1), &config).unwrap();
    assert_eq!(ack.number, 3_000);
    let duplicate = SackBlock {
        start: 2_000,
        end: 3_000,
    };
    assert_eq!(ack.sack[0], duplicate);
    assert_eq!(receiver.stats().duplicate_segments, 1);
    assert_eq!(receiver.stats().held_segments, 2);
    assert_eq!(receiver.deadline(), Time::MAX);
}
