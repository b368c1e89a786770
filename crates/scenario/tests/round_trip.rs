//! A resolved scenario, written and read back, is the same scenario.

use closlab_balance::registry::MANUALS;
use closlab_scenario::{
    Dupthresh, Fabric, FlowSizes, LeafSpineFabric, LoadReference, Measure, Pairs,
    PermutationWorkload, PoissonWorkload, Scenario, Scheme, Switch, Transport, Visibility,
    Workload,
};
use closlab_units::{Bytes, Rate, Time};
use proptest::prelude::*;

fn time(ps: std::ops::RangeInclusive<u64>) -> impl Strategy<Value = Time> {
    // Odd numbers of picoseconds as well as round ones.
    (ps, prop::sample::select(vec![1, 1_000, 1_000_000]))
        .prop_map(|(ps, unit)| Time::from_ps((ps / unit).max(1) * unit))
}

fn fabric() -> impl Strategy<Value = Fabric> {
    let sizes = (2..6u16, 1..5u16, 1..9u16, 1..3u16);
    let rates = (1_000_000u64..400_000_000_000, 1_000_000u64..400_000_000_000);
    let delays = (time(0..=5_000_000), time(0..=5_000_000));
    let buffers = (70_000u64..2_000_000, 70_000u64..2_000_000);
    (sizes, rates, delays, buffers).prop_map(|(sizes, rates, delays, buffers)| {
        Fabric::LeafSpine(LeafSpineFabric {
            leaves: sizes.0,
            spines: sizes.1,
            hosts_per_leaf: sizes.2,
            links_per_pair: sizes.3,
            host_rate: Rate::from_bps(rates.0),
            uplink_rate: Rate::from_bps(rates.1),
            host_delay: delays.0,
            uplink_delay: delays.1,
            buffer: Bytes::new(buffers.0),
            nic_buffer: Bytes::new(buffers.1),
            ecn_threshold: None,
        })
    })
}

fn scheme() -> impl Strategy<Value = Scheme> {
    let one = |manual: &'static closlab_balance::Manual| {
        let ranges: Vec<_> = manual.params.iter().map(|p| p.min..=p.max).collect();
        ranges.prop_map(|values| Scheme {
            name: manual.name,
            values,
        })
    };
    prop::sample::select(MANUALS.iter().collect::<Vec<_>>()).prop_flat_map(one)
}

fn transport() -> impl Strategy<Value = Transport> {
    let sizes = (1..9_001u16, 1..100u16, 10_000u64..(1 << 30), any::<bool>());
    let acks = (1..5u8, time(1_000..=900_000_000));
    let rto = (time(1_000_000_000..=20_000_000_000), 1..50u64, 1..50u64);
    let dupthresh = (1..50u16, prop::option::of(50..400u16));
    let shim = prop::option::of(time(1_000_000..=1_000_000_000));
    (sizes, acks, rto, dupthresh, shim).prop_map(|(sizes, acks, rto, dupthresh, shim)| Transport {
        mss: sizes.0,
        initial_window: sizes.1,
        receive_window: Bytes::new(sizes.2),
        handshake: sizes.3,
        delayed_ack_segments: acks.0,
        delayed_ack_timeout: acks.1,
        rto_min: rto.0,
        rto_initial: rto.0 * rto.1,
        rto_max: rto.0 * rto.1 * rto.2,
        dupthresh: if dupthresh.1.is_some() {
            Dupthresh::Adaptive
        } else {
            Dupthresh::Fixed
        },
        dupthresh_segments: dupthresh.0,
        dupthresh_max: dupthresh.1,
        reorder_timeout: shim,
        ..Transport::default()
    })
}

fn workload() -> impl Strategy<Value = Workload> {
    let sizes = prop_oneof![
        Just((FlowSizes::WebSearch, None)),
        Just((FlowSizes::DataMining, None)),
        (1_000_000u64..9_999_999).prop_map(|size| (FlowSizes::Fixed, Some(Bytes::new(size)))),
    ];
    let reference = prop::sample::select(vec![LoadReference::Uplinks, LoadReference::Hosts]);
    let pairs = prop::sample::select(vec![Pairs::OtherLeaf, Pairs::Any]);
    let poisson = (sizes, 1e-6f64..0.999, reference, pairs).prop_map(
        |((sizes, size), load, load_reference, pairs)| {
            Workload::Poisson(PoissonWorkload {
                sizes,
                size,
                load,
                load_reference,
                pairs,
            })
        },
    );
    let permutation = (1..20u16, 1u64..99_999_999, time(0..=1_000_000_000)).prop_map(
        |(flows_per_host, size, stagger)| {
            Workload::Permutation(PermutationWorkload {
                flows_per_host,
                size: Bytes::new(size),
                stagger,
            })
        },
    );
    prop_oneof![poisson, permutation]
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let measure = (
        time(0..=9_000_000_000),
        time(1_000_000_000..=9_000_000_000),
        time(0..=9_000_000_000),
        prop::option::of(time(1_000..=9_000_000)),
    );
    let top = (".*", 0..=i64::MAX as u64, any::<bool>(), any::<bool>());
    (top, fabric(), scheme(), transport(), workload(), measure).prop_map(
        |(top, mut fabric, scheme, mut transport, workload, measure)| {
            let Fabric::LeafSpine(leaf_spine) = &mut fabric;
            if top.3 {
                transport.ecn = true;
                leaf_spine.ecn_threshold = Some(Bytes::new(leaf_spine.buffer.get() / 2));
            }
            Scenario {
                name: top.0,
                seed: top.1,
                fabric,
                switch: Switch {
                    engines: 1,
                    visibility: if top.2 {
                        Visibility::Enqueued
                    } else {
                        Visibility::Immediate
                    },
                },
                scheme,
                transport,
                workload,
                measure: Measure {
                    warmup: measure.0,
                    window: measure.1,
                    limit: measure.2,
                    queue_samples: measure.3,
                },
            }
        },
    )
}

proptest! {
    #[test]
    fn resolved_text_reads_back_to_the_same_scenario(scenario in scenario()) {
        // Loads that the fabric can't carry are refused; all other draws are valid.
        match scenario.validate() {
            Ok(()) => {
                prop_assert_eq!(&Scenario::from_toml(&scenario.to_toml()), &Ok(scenario.clone()));
                prop_assert_eq!(&Scenario::from_json(&scenario.to_json()), &Ok(scenario));
            }
            Err(error) => prop_assert_eq!(error.path, "workload.load"),
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*") {
        let _ = Scenario::from_toml(&text);
        let _ = Scenario::from_json(&text);
    }

    #[test]
    fn no_value_makes_the_reader_panic(
        path in prop::sample::select(vec![
            "fabric.leaves", "fabric.host_rate", "fabric.buffer", "switch.engines", "scheme.name",
            "transport.mss", "transport.rto_min", "workload.load", "workload.size", "measure.limit",
        ]),
        value in prop_oneof![
            any::<i64>().prop_map(|n| n.to_string()),
            any::<f64>().prop_map(|n| format!("{n:?}").to_lowercase()),
            any::<u64>().prop_map(|n| format!("\"{n}Gbps\"")),
            any::<u64>().prop_map(|n| format!("\"{n}ps\"")),
            any::<u64>().prop_map(|n| format!("\"{n}B\"")),
        ],
    ) {
        let _ = Scenario::from_toml(&format!("{path} = {value}"));
    }
}

#[test]
fn nothing_resolves_to_the_defaults() {
    assert_eq!(Scenario::from_toml(""), Ok(Scenario::default()));
    assert_eq!(Scenario::from_json("{}"), Ok(Scenario::default()));
    let text = Scenario::default().to_toml();
    assert_eq!(Scenario::from_toml(&text), Ok(Scenario::default()));
}

#[test]
fn resolving_fills_in_what_depends_on_other_fields() {
    let scenario = Scenario::from_toml("transport.dupthresh = \"adaptive\"").unwrap();
    assert_eq!(scenario.transport.dupthresh_max, Some(300));
    let scenario = Scenario::from_toml("scheme.name = \"letflow\"").unwrap();
    assert_eq!(scenario.scheme_values(), [500_000_000, 65_536]);
}
