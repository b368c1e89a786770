//! Timers: RFC 6298's back-off and Karn's rule, the handshake's repetitions, delayed acknowledgements.

mod pipe;

use closlab_transport::{Receiver, SackBlock, Segment, Sender, TcpConfig, TcpFlags};
use closlab_units::Time;
use pipe::{Fate, Pipe, config};

const LIMIT: Time = Time::from_ms(10_000);

fn us(n: u64) -> Time {
    Time::from_us(n)
}

fn ms(n: u64) -> Time {
    Time::from_ms(n)
}

fn handshake() -> TcpConfig {
    TcpConfig {
        handshake: true,
        ..config()
    }
}

#[test]
fn the_timeout_doubles_at_each_expiry_up_to_its_maximum() {
    let mut pipe =
        Pipe::new(config(), 1_000).data(|n, _| if n < 10 { Fate::Drop } else { Fate::Deliver });
    pipe.run(LIMIT);
    let at: Vec<u64> = pipe
        .sent
        .iter()
        .map(|s| s.at.ps() / 1_000_000_000)
        .collect();
    // 1, 2, 4, ... ms after one another, at most 100.
    assert_eq!(at, [0, 1, 3, 7, 15, 31, 63, 127, 227, 327, 427]);
    assert_eq!(pipe.sender.stats().timeouts, 10);
    // Karn: the acknowledgement of a segment sent again is no sample, and the back-off stays.
    assert_eq!(pipe.sender.srtt(), None);
    assert_eq!(pipe.sender.rto(), ms(100));
}

#[test]
fn a_sample_of_new_data_ends_the_back_off() {
    let mut pipe =
        Pipe::new(config(), 20_000).data(|n, _| if n < 10 { Fate::Drop } else { Fate::Deliver });
    pipe.run(LIMIT);
    // 101 us is measured (by the first of two segments that leave together); 101 + 4 * 50.5 is below
    // rto_min.
    assert_eq!(pipe.sender.stats().timeouts, 1);
    assert_eq!(pipe.sender.rto(), ms(1));
    assert!(pipe.sender.srtt().is_some());
}

#[test]
fn segments_are_timed_one_at_a_time() {
    let mut pipe = Pipe::new(config(), 3_000);
    pipe.run(LIMIT);
    // Only the first of the three is timed: 1 us on the wire and 100 us of delay.
    assert_eq!(pipe.sender.srtt(), Some(us(101)));
}

#[test]
fn a_recovery_gives_no_sample() {
    // Segment 0 is timed and lost: the acknowledgement that covers it waited for the retransmission.
    let mut pipe = Pipe::new(config(), 10_000).losing(&[0]);
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.srtt(), None);
}

#[test]
fn an_acknowledgement_of_new_data_restarts_the_timer_and_the_last_stops_it() {
    let config = config();
    let mut sender = Sender::new(&config, 2_000);
    sender.start(Time::ZERO, &config);
    while sender.poll_transmit(Time::ZERO, &config).is_some() {}
    assert_eq!(sender.deadline(), ms(1));
    let ack = |number| Segment {
        number,
        flags: TcpFlags::ACK,
        ..Segment::default()
    };
    sender.on_segment(us(400), &config, &ack(1_000));
    // SRTT 400, RTTVAR 200: RTO = 1,200 us.
    assert_eq!(sender.rto(), us(1_200));
    assert_eq!(sender.deadline(), us(1_600));
    sender.on_deadline(us(1_599), &config);
    assert_eq!(sender.stats().timeouts, 0);
    sender.on_segment(us(500), &config, &ack(2_000));
    assert_eq!(sender.deadline(), Time::MAX);
    assert!(sender.is_done());
}

#[test]
fn acknowledgements_of_what_was_never_sent_are_ignored() {
    let config = config();
    let mut sender = Sender::new(&config, 20_000);
    sender.start(Time::ZERO, &config);
    while sender.poll_transmit(Time::ZERO, &config).is_some() {}
    for number in [10_001, 20_000, u32::MAX] {
        let ack = Segment {
            number,
            flags: TcpFlags::ACK,
            ..Segment::default()
        };
        sender.on_segment(us(100), &config, &ack);
    }
    assert_eq!(sender.acknowledged(), 0);
}

#[test]
fn the_handshake_takes_a_round_trip_and_gives_the_first_sample() {
    let mut pipe = Pipe::new(handshake(), 1_000);
    pipe.run(LIMIT);
    assert_eq!(pipe.sent[0].at, us(101));
    assert_eq!(pipe.now, us(202));
    assert_eq!(pipe.sender.srtt(), Some(us(101)));
}

#[test]
fn a_lost_syn_is_repeated_with_back_off_and_costs_the_initial_window() {
    let mut pipe =
        Pipe::new(handshake(), 20_000).syns(|n, _| if n < 2 { Fate::Drop } else { Fate::Deliver });
    pipe.run(LIMIT);
    // Sent at 0, 1 and 3 ms; RFC 5681 section 3.1: one segment to start with.
    assert_eq!(pipe.sent[0].at, ms(3) + us(101));
    assert_eq!(
        pipe.sent.iter().filter(|s| s.at == pipe.sent[0].at).count(),
        1
    );
    assert_eq!(pipe.sender.stats().timeouts, 2);
}

#[test]
fn a_repeated_syn_gives_no_sample() {
    // The SYN is repeated at 1 ms although the first arrives, at 1,011 us: which of the two the answer is
    // for can't be told. The data segment's round trip is the only sample.
    let mut pipe = Pipe::new(handshake(), 1_000).syns(|n, _| {
        if n == 0 {
            Fate::Late(us(960))
        } else {
            Fate::Deliver
        }
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sent[0].at, us(1_061));
    assert_eq!(pipe.sender.srtt(), Some(us(101)));
}

#[test]
fn a_lost_syn_ack_is_repeated_by_either_side() {
    // The SYN-ACK (the second of these segments) is lost. Both sides wait 1 ms, the receiver from 51 us
    // on, so that the repeated SYN comes first to the receiver: at 1,051 us, when its own timer expires.
    let mut pipe =
        Pipe::new(handshake(), 1_000).syns(|n, _| if n == 1 { Fate::Drop } else { Fate::Deliver });
    pipe.run(LIMIT);
    assert_eq!(pipe.sent[0].at, us(1_101));
    assert_eq!(pipe.receiver.deadline(), Time::MAX);
    // By the receiver alone: its SYN is the only one to arrive.
    let mut pipe = Pipe::new(handshake(), 1_000).syns(|n, segment| {
        let repeated_syn = n > 0 && !segment.flags.contains(TcpFlags::ACK);
        if n == 1 || repeated_syn {
            Fate::Drop
        } else {
            Fate::Deliver
        }
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sent[0].at, us(1_101));
}

#[test]
fn a_repeated_syn_ack_after_the_handshake_changes_nothing() {
    let mut pipe = Pipe::new(handshake(), 20_000).syns(|n, _| {
        if n == 1 {
            Fate::Twice(us(130))
        } else {
            Fate::Deliver
        }
    });
    pipe.run(LIMIT);
    assert_eq!(pipe.sender.stats().retransmitted_segments, 0);
    assert_eq!(pipe.sender.stats().dup_acks, 0);
}

#[test]
fn a_repeated_syn_after_the_handshake_is_not_answered() {
    let mut pipe = Pipe::new(handshake(), 20_000).syns(|n, _| {
        if n == 0 {
            Fate::Twice(us(130))
        } else {
            Fate::Deliver
        }
    });
    pipe.run(LIMIT);
    let syn_acks = pipe
        .answers
        .iter()
        .filter(|(_, a)| a.flags.contains(TcpFlags::SYN));
    assert_eq!(syn_acks.count(), 1);
}

#[test]
fn the_syn_ack_is_repeated_with_back_off() {
    // Only the first SYN arrives, and only the fourth SYN-ACK.
    let mut answers = 0;
    let mut pipe = Pipe::new(handshake(), 1_000).syns(move |n, segment| {
        let answer = segment.flags.contains(TcpFlags::ACK);
        answers += u32::from(answer);
        if n == 0 || answers == 4 && answer {
            Fate::Deliver
        } else {
            Fate::Drop
        }
    });
    pipe.run(LIMIT);
    let syn_acks = pipe
        .answers
        .iter()
        .filter(|(_, a)| a.flags.contains(TcpFlags::SYN));
    let at: Vec<Time> = syn_acks.map(|(at, _)| *at).collect();
    assert_eq!(at, [us(51), us(1_051), us(3_051), us(7_051)]);
}

#[test]
fn a_fast_retransmission_restarts_the_timer() {
    let config = config();
    let mut sender = Sender::new(&config, 20_000);
    sender.start(Time::ZERO, &config);
    while sender.poll_transmit(Time::ZERO, &config).is_some() {}
    assert_eq!(sender.deadline(), ms(1));
    let mut duplicate = Segment {
        flags: TcpFlags::ACK,
        ..Segment::default()
    };
    duplicate.sack[0] = SackBlock {
        start: 1_000,
        end: 4_000,
    };
    sender.on_segment(us(700), &config, &duplicate);
    assert_eq!(sender.deadline(), ms(1));
    assert_eq!(
        sender.poll_transmit(us(700), &config).map(|s| s.number),
        Some(0)
    );
    assert_eq!(sender.deadline(), us(1_700));
}

fn data(number: u32) -> Segment {
    Segment {
        number,
        len: 1000,
        flags: TcpFlags::ACK,
        ..Segment::default()
    }
}

#[test]
fn acknowledgements_are_delayed_for_two_segments_or_the_timeout() {
    let config = TcpConfig {
        delayed_ack_segments: 2,
        delayed_ack_timeout: us(40),
        ..config()
    };
    let mut receiver = Receiver::new(&config, 100_000);
    let acked =
        |receiver: &mut Receiver, now| receiver.poll_transmit(now, &config).map(|ack| ack.number);
    receiver.on_segment(us(0), &config, &data(0));
    assert_eq!(acked(&mut receiver, us(0)), None);
    assert_eq!(receiver.deadline(), us(40));
    receiver.on_segment(us(10), &config, &data(1_000));
    assert_eq!(acked(&mut receiver, us(10)), Some(2_000));
    assert_eq!(receiver.deadline(), Time::MAX);
    // The third waits for the timer; a call before the time has no effect.
    receiver.on_segment(us(20), &config, &data(2_000));
    receiver.on_deadline(us(59), &config);
    assert_eq!(acked(&mut receiver, us(59)), None);
    receiver.on_deadline(us(60), &config);
    assert_eq!(acked(&mut receiver, us(60)), Some(3_000));
    // Out of order, gap filled, duplicate: at once.
    receiver.on_segment(us(70), &config, &data(4_000));
    assert_eq!(acked(&mut receiver, us(70)), Some(3_000));
    receiver.on_segment(us(71), &config, &data(3_000));
    assert_eq!(acked(&mut receiver, us(71)), Some(5_000));
    receiver.on_segment(us(72), &config, &data(3_000));
    assert_eq!(acked(&mut receiver, us(72)), Some(5_000));
    // The end of what was written: at once.
    let last = Segment {
        flags: TcpFlags::ACK | TcpFlags::PSH,
        ..data(5_000)
    };
    receiver.on_segment(us(80), &config, &last);
    assert_eq!(acked(&mut receiver, us(80)), Some(6_000));
    assert_eq!(receiver.stats().acks_sent, 6);
}

#[test]
fn the_last_segment_is_acknowledged_without_delay() {
    let config = TcpConfig {
        delayed_ack_segments: 2,
        delayed_ack_timeout: us(400),
        ..config()
    };
    let mut pipe = Pipe::new(config, 3_000);
    pipe.run(LIMIT);
    assert_eq!(pipe.now, us(103));
}

#[test]
fn a_flow_of_no_bytes_is_done_at_once() {
    let mut pipe = Pipe::new(handshake(), 0);
    pipe.run(LIMIT);
    assert!(pipe.sender.is_done() && pipe.receiver.is_complete());
    assert_eq!((pipe.sent.len(), pipe.answers.len()), (0, 0));
}
