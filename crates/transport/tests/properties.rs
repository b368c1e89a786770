//! For any fate of any segment: the flow ends, every byte is delivered in order, no timer is left. The
//! pipe itself checks after each event what must always hold.

mod pipe;

use closlab_transport::{Dupthresh, Ecn, Receiver, Sender, TcpConfig};
use closlab_units::Time;
use pipe::{Fate, Pipe, config};
use proptest::prelude::*;

/// Mostly delivered, so that flows move; the rest lost, late by up to 300 us, doubled or marked.
fn fate() -> impl Strategy<Value = Fate> {
    let time = (0u64..300_000).prop_map(Time::from_ns);
    prop_oneof![
        6 => Just(Fate::Deliver),
        2 => Just(Fate::Drop),
        2 => time.clone().prop_map(Fate::Late),
        1 => time.prop_map(Fate::Twice),
        1 => Just(Fate::Mark),
    ]
}

fn dupthresh() -> impl Strategy<Value = Dupthresh> {
    prop_oneof![
        (1u32..6).prop_map(Dupthresh::Fixed),
        (1u32..4, 0u32..40).prop_map(|(initial, more)| Dupthresh::Adaptive {
            initial,
            max: initial + more,
        }),
    ]
}

prop_compose! {
    fn any_config()(
        mss in 1u16..2_000,
        initial_window in 1u32..40,
        window_segments in 1u64..100,
        delayed_ack_segments in 1u32..4,
        dupthresh in dupthresh(),
        handshake in any::<bool>(),
        ecn in any::<bool>(),
        shim in prop::option::of((1u64..400).prop_map(Time::from_us)),
        rto_min in (20u64..2_000).prop_map(Time::from_us),
    ) -> TcpConfig {
        TcpConfig {
            mss,
            initial_window,
            receive_window: window_segments * u64::from(mss),
            rto_initial: rto_min,
            rto_min,
            delayed_ack_segments,
            delayed_ack_timeout: Time::from_us(120),
            dupthresh,
            handshake,
            ecn,
            reorder_timeout: shim,
            ..config()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_flow_ends_with_every_byte_delivered(
        config in any_config(),
        segments in 1u64..150,
        short in 0u64..2_000,
        data in prop::collection::vec(fate(), 0..300),
        acks in prop::collection::vec(fate(), 0..300),
        syns in prop::collection::vec(fate(), 0..6),
        poll_every in 1usize..4,
    ) {
        let mss = u64::from(config.mss);
        let size = segments * mss - short % mss;
        let pick = |fates: Vec<Fate>| {
            move |n: usize, _: &_| fates.get(n).copied().unwrap_or(Fate::Deliver)
        };
        let mut pipe = Pipe::new(config, size)
            .data(pick(data))
            .acks(pick(acks))
            .syns(pick(syns));
        pipe.poll_every = poll_every;
        pipe.run(Time::from_ms(60_000));
        prop_assert_eq!(pipe.receiver.delivered(), size);
        prop_assert!(pipe.receiver.is_complete());
        prop_assert_eq!(pipe.sender.acknowledged(), size);
        prop_assert_eq!(pipe.sender.deadline(), Time::MAX);
        prop_assert_eq!(pipe.receiver.deadline(), Time::MAX);
        prop_assert_eq!(pipe.sender.pipe(), 0);
        let sent = pipe.sender.stats();
        let first_time = sent.segments_sent - sent.retransmitted_segments;
        prop_assert_eq!(u64::from(first_time), size.div_ceil(mss));
        if pipe.sender.stats().ecn_reductions > 0 {
            prop_assert!(pipe.config.ecn);
        }
    }
}

#[test]
fn both_ends_fit_four_hundred_bytes() {
    let both = size_of::<Sender>() + size_of::<Receiver>();
    assert!(
        both <= 400,
        "{} + {}",
        size_of::<Sender>(),
        size_of::<Receiver>()
    );
}

/// A flow of more than 4 GiB whose numbers wrap, with losses all along and just where they wrap.
#[test]
fn numbers_wrap_past_four_gibibytes() {
    let mss = 65_000;
    let config = TcpConfig {
        mss,
        receive_window: 64 * u64::from(mss),
        ..config()
    };
    let size = (1u64 << 32) + 20_000_000;
    let at_wrap = (1usize << 32) / usize::from(mss);
    let lost =
        move |n: usize| n % 997 == 5 || (at_wrap..at_wrap + 90).contains(&n) && n.is_multiple_of(2);
    let mut pipe = Pipe::new(config, size).data(move |n, segment| {
        assert_eq!(segment.ecn, Ecn::NotEct);
        if lost(n) { Fate::Drop } else { Fate::Deliver }
    });
    pipe.log = false;
    pipe.run(Time::from_ms(1_000_000));
    assert_eq!(pipe.receiver.delivered(), size);
    assert!(pipe.sender.stats().retransmitted_segments > 100);
    assert_eq!(pipe.receiver.stats().duplicate_segments, 0);
}
