//! A resolved scenario, written and read back, is the same scenario.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use closlab_balance::registry::MANUALS;
use closlab_scenario::{
    Asymmetry, CableEntry, Change, ControlPlane, Dupthresh, ExtraCables, Fabric, FacebookFabric,
    Failures, FatTreeFabric, FileFabric, FlowSizes, Grey, HostEntry, IdealControl, LeafSpineFabric,
    LoadReference, Measure, OspfControl, Pairs, PermutationWorkload, PoissonWorkload,
    RandomFailures, RateOverride, Scenario, Scheme, Striping, Switch, SwitchEntry, ThreeTierFabric,
    Tier, Transport, Unreachable, Visibility, Vl2Fabric, Workload,
};
use closlab_units::{Bytes, Rate, Time};
use proptest::prelude::*;

fn time(ps: std::ops::RangeInclusive<u64>) -> impl Strategy<Value = Time> {
    // Odd numbers of picoseconds as well as round ones.
    (ps, prop::sample::select(vec![1, 1_000, 1_000_000]))
        .prop_map(|(ps, unit)| Time::from_ps((ps / unit).max(1) * unit))
}

fn leaf_spine() -> impl Strategy<Value = Fabric> {
    let sizes = (2..6u16, 1..5u16, 1..9u16, 1..3u16);
    let rates = (1_000_000u64..400_000_000_000, 1_000_000u64..400_000_000_000);
    let delays = (time(0..=5_000_000), time(0..=5_000_000));
    let buffers = (70_000u64..2_000_000, 70_000u64..2_000_000);
    let striping = prop::sample::select(vec![
        (Striping::Even, None),
        (Striping::NextSpine, None),
        (Striping::Pods, Some(1)),
    ]);
    let parts = (sizes, rates, delays, buffers, striping);
    parts.prop_map(|(sizes, rates, delays, buffers, striping)| {
        Fabric::LeafSpine(LeafSpineFabric {
            leaves: sizes.0,
            spines: sizes.1,
            hosts_per_leaf: sizes.2,
            links_per_pair: sizes.3,
            striping: striping.0,
            pods: striping.1,
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

/// Two leaves, a spine and two hosts under each leaf.
fn file(rate: u64, delay: Time, buffer: Option<u64>, parallel: u16) -> FileFabric {
    let switch = |name: &str, role| SwitchEntry {
        name: name.to_owned(),
        role,
    };
    let buffer = buffer.map(Bytes::new);
    let cable = |a: &str, b: &str, parallel| CableEntry {
        ends: [a.to_owned(), b.to_owned()],
        rate: Rate::from_bps(rate),
        delay,
        buffer,
        parallel,
    };
    let mut fabric = FileFabric {
        switches: vec![
            switch("leaf0", Tier::Leaf),
            switch("leaf1", Tier::Leaf),
            switch("top.0", Tier::Spine),
        ],
        cables: vec![
            cable("leaf0", "top.0", parallel),
            cable("top.0", "leaf1", parallel),
        ],
        ..FileFabric::default()
    };
    for leaf in ["leaf0", "leaf1"] {
        for i in 0..2 {
            let name = format!("{leaf}_{i}");
            fabric.cables.push(cable(&name, leaf, 1));
            fabric.hosts.push(HostEntry {
                name,
                nic_buffer: buffer,
            });
        }
    }
    fabric
}

fn other_fabric() -> impl Strategy<Value = Fabric> {
    let rate = || (1_000_000u64..400_000_000_000).prop_map(Rate::from_bps);
    let three = ((1..4u16, 1..4u16, 1..4u16), 1..3u16, 1..4u16, rate()).prop_map(
        |(
            (pods, tors_per_pod, aggregations_per_pod),
            cores_per_plane,
            hosts_per_tor,
            core_rate,
        )| {
            Fabric::ThreeTier(ThreeTierFabric {
                pods: pods + 1,
                tors_per_pod,
                aggregations_per_pod,
                cores_per_plane,
                hosts_per_tor,
                core_rate,
                ..ThreeTierFabric::default()
            })
        },
    );
    let fat = (1..4u16, rate()).prop_map(|(half, rate)| {
        let k = 2 * half;
        let fabric = FatTreeFabric::default();
        Fabric::FatTree(FatTreeFabric { k, rate, ..fabric })
    });
    let vl2 = (2..6u16, 1..4u16, 1..4u16).prop_map(|(tors, pairs, intermediates)| {
        Fabric::Vl2(Vl2Fabric {
            tors,
            aggregates: 2 * pairs,
            intermediates,
            ..Vl2Fabric::default()
        })
    });
    let facebook = (1..4u16, 2..4u16, 1..4u16, rate()).prop_map(|(pods, racks, spines, rate)| {
        Fabric::Facebook(FacebookFabric {
            pods,
            racks_per_pod: racks,
            spines_per_plane: spines,
            spine_rate: rate,
            ..FacebookFabric::default()
        })
    });
    let file = (
        1_000_000u64..400_000_000_000,
        time(0..=5_000_000),
        prop::option::of(70_000u64..2_000_000),
        1..4u16,
    )
        .prop_map(|(rate, delay, buffer, parallel)| {
            Fabric::File(file(rate, delay, buffer, parallel))
        });
    prop_oneof![three, fat, vl2, facebook, file]
}

fn fabric() -> impl Strategy<Value = Fabric> {
    prop_oneof![leaf_spine(), other_fabric()]
}

/// Changes to cables that `fabric` has.
fn uneven(fabric: &Fabric, draws: &[u16; 4]) -> (Asymmetry, Failures) {
    let built = Scenario {
        fabric: fabric.clone(),
        ..Scenario::default()
    }
    .build_fabric()
    .unwrap();
    let is_switch = |end| matches!(end, closlab_fabric::Endpoint::Switch(_));
    let trunks: Vec<String> = built
        .cables()
        .filter(|&link| is_switch(built.link(link).from) && is_switch(built.link(link).to))
        .map(|link| built.cable_name(link))
        .map(|name| name.split('#').next().unwrap_or("").to_owned())
        .collect();
    let name = |draw: u16| trunks[usize::from(draw) % trunks.len()].clone();
    let asymmetry = Asymmetry {
        extra_cables: vec![ExtraCables {
            beside: name(draws[0]),
            count: 1 + draws[0] % 3,
        }],
        rates: vec![RateOverride {
            link: name(draws[1]),
            rate: Rate::from_bps(1_000_000 + u64::from(draws[1])),
        }],
        failed_links: vec![format!("{}#0", name(draws[2]))],
        failed_switches: Vec::new(),
        random_failures: vec![RandomFailures {
            between: [Tier::Leaf, Tier::Spine],
            count: 1,
            per_switch: (draws[3].is_multiple_of(2)).then_some(3),
            switches: Vec::new(),
            seed: (draws[3].is_multiple_of(3)).then_some(u64::from(draws[3])),
        }],
    };
    let asymmetry = match fabric {
        Fabric::LeafSpine(_) => asymmetry,
        _ => Asymmetry {
            random_failures: Vec::new(),
            ..asymmetry
        },
    };
    let at = Time::from_ps(u64::from(draws[0]));
    let failures = Failures {
        changes: vec![Change {
            at,
            links: vec![name(draws[1])],
            switches: vec![built.switches[0].name.clone()],
            up: draws[1].is_multiple_of(2),
        }],
        grey: vec![Grey {
            at,
            link: name(draws[2]).replace('-', "->"),
            loss: f64::from(draws[2]) / f64::from(u16::MAX),
            black_hole: f64::from(draws[3]) / f64::from(u16::MAX),
        }],
        local_repair: draws[2].is_multiple_of(2),
    };
    (asymmetry, failures)
}

fn control_plane() -> impl Strategy<Value = ControlPlane> {
    let ospf = (
        time(0..=9_000_000_000),
        time(0..=9_000_000_000),
        time(0..=9_000_000_000),
        time(0..=9_000_000_000),
    )
        .prop_map(|(detection, flooding_per_hop, spf, table_update)| {
            ControlPlane::Ospf(OspfControl {
                detection,
                flooding_per_hop,
                spf,
                table_update,
                unreachable: Unreachable::Report,
            })
        });
    let unreachable = Unreachable::Report;
    prop_oneof![
        ospf,
        Just(ControlPlane::Ideal(IdealControl { unreachable }))
    ]
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
        prop::option::of(time(1_000..=9_000_000)),
    );
    let top = (".*", 0..=i64::MAX as u64, any::<bool>(), any::<bool>());
    let draws = prop::option::of(any::<[u16; 4]>());
    let uneven_fabric = (fabric(), draws, control_plane()).prop_map(|(fabric, draws, control)| {
        let (asymmetry, failures) = draws.map_or_else(Default::default, |d| uneven(&fabric, &d));
        (fabric, asymmetry, failures, control)
    });
    (
        top,
        uneven_fabric,
        scheme(),
        transport(),
        workload(),
        measure,
    )
        .prop_map(
            |(top, uneven_fabric, scheme, mut transport, workload, measure)| {
                let (mut fabric, asymmetry, failures, control_plane) = uneven_fabric;
                if let (true, Fabric::LeafSpine(leaf_spine)) = (top.3, &mut fabric) {
                    transport.ecn = true;
                    leaf_spine.ecn_threshold = Some(Bytes::new(leaf_spine.buffer.get() / 2));
                }
                Scenario {
                    name: top.0,
                    seed: top.1,
                    fabric,
                    asymmetry,
                    failures,
                    control_plane,
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
                        throughput_samples: measure.4,
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
            "fabric.leaves", "fabric.pods", "asymmetry.rates", "failures.changes", "failures.local_repair",
            "control_plane.spf", "measure.throughput_samples", "fabric.host_rate", "fabric.buffer", "switch.engines", "scheme.name",
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
