//! Failures in the middle of a run, without the scenario around them.

use crate::control::Control;
use crate::forwarding::Tables;
use crate::hosts::Hosts;
use crate::network::{Network, SwitchSetup};
use crate::plan::Plan;
use crate::schedule::Schedule;
use crate::simulation::Simulation;
use closlab_balance::Balancer;
use closlab_balance::registry::{MANUALS, Visitor, dispatch};
use closlab_fabric::{Convergence, Fabric, FailurePlan, GreyChange, LeafSpine, LinkChange};
use closlab_record::Records;
use closlab_transport::{Dupthresh, TcpConfig};
use closlab_units::{Bytes, LinkId, Rate, Time, TorId};
use closlab_workload::{Generator, LongFlows, Pairs};

const CONVERGENCE: Convergence = Convergence {
    detection: Time::from_us(200),
    flooding_per_hop: Time::from_us(100),
    spf: Time::from_us(300),
    table_update: Time::from_us(100),
};

fn fabric() -> Fabric {
    LeafSpine {
        leaves: 3,
        spines: 2,
        hosts_per_leaf: 3,
        links_per_pair: 1,
        host_rate: Rate::from_gbps(10),
        uplink_rate: Rate::from_gbps(10),
        host_delay: Time::from_us(1),
        uplink_delay: Time::from_us(1),
        buffer: Bytes::new(60_000),
        nic_buffer: Bytes::new(1_500_000),
    }
    .build()
    .unwrap()
}

/// Both directions of a leaf's `uplink`-th cable.
fn cable(fabric: &Fabric, tor: u16, uplink: usize) -> Vec<LinkId> {
    let link = fabric.uplinks_of(TorId(tor)).nth(uplink).unwrap();
    vec![link, fabric.reverse(link)]
}

/// Two flows of 1 MB from every host, begun within 100 us; `failures` strike.
struct Strike {
    failures: FailurePlan,
}

impl Visitor for Strike {
    type Output = Records;

    fn visit<B: Balancer + Send>(self) -> Records {
        let fabric = fabric();
        let tables = Tables::compute(&fabric, B::USES_COMPONENTS).unwrap();
        let setup = SwitchSetup {
            seed: 1,
            engines: 2,
            delayed_visibility: true,
            ecn_threshold: None,
            scheme_values: &B::MANUAL.defaults(),
        };
        let net: Network<B> = Network::with_tables(&fabric, &tables, &setup);
        let config = TcpConfig {
            mss: 1_460,
            initial_window: 10,
            receive_window: 256_000,
            rto_initial: Time::from_ms(2),
            rto_min: Time::from_ms(2),
            rto_max: Time::from_ms(60_000),
            delayed_ack_segments: 2,
            delayed_ack_timeout: Time::from_ms(1),
            dupthresh: Dupthresh::Fixed(3),
            handshake: true,
            ecn: false,
            reorder_timeout: None,
        };
        let long = LongFlows {
            flows_per_host: 2,
            size: 1_000_000,
            stagger: Time::from_us(100),
        };
        let flows = Generator::long_flows(&fabric, &long, Pairs::Permutation, 1).unwrap();
        let plan = Plan {
            window_start: Time::ZERO,
            window_end: Time::from_ms(10),
            end: Time::from_ms(2_000),
            queue_samples: None,
            throughput_samples: Some(Time::from_us(100)),
        };
        let schedule = Schedule::new(&fabric, &tables, self.failures).unwrap();
        let control = Control::new();
        let hosts = Hosts::new(&fabric, config);
        // The audit is part of the run.
        Simulation::new(&fabric, plan, net, hosts, flows, schedule, &control)
            .run()
            .unwrap()
    }
}

fn strike(scheme: &str, failures: FailurePlan) -> Records {
    dispatch(scheme, Strike { failures }).unwrap()
}

fn down_and_up(convergence: Convergence, local_repair: bool) -> FailurePlan {
    let links = cable(&fabric(), 0, 0);
    let changes = vec![
        LinkChange {
            at: Time::from_us(500),
            links: links.clone(),
            up: false,
        },
        LinkChange {
            at: Time::from_us(2_500),
            links,
            up: true,
        },
    ];
    FailurePlan {
        changes,
        greys: Vec::new(),
        convergence,
        local_repair,
    }
}

#[test]
fn every_flow_survives_a_failure_and_every_packet_is_accounted_for() {
    for manual in MANUALS {
        for local_repair in [false, true] {
            let records = strike(manual.name, down_and_up(CONVERGENCE, local_repair));
            let name = manual.name;
            assert_eq!(
                records.flows.delivered_bytes, records.flows.size_bytes,
                "{name}"
            );
            assert_eq!(records.totals.flows_unfinished[0], 0, "{name}");
            let cut: u64 = records.links.cut_packets.iter().sum();
            assert!(
                cut > 0,
                "{name}: nothing was in flight on the link that failed"
            );
            assert!(records.totals.lost_packets[0] >= cut, "{name}");
        }
    }
}

#[test]
fn packets_are_lost_until_switches_learn_and_not_afterwards() {
    let refused = |convergence, local_repair| -> u64 {
        let records = strike("ecmp", down_and_up(convergence, local_repair));
        records.links.refused_packets.iter().sum()
    };
    // With an ideal control plane no packet is sent to a dead link; without local repair the switches at its ends go
    // on until they have converged (200 + 300 + 100 us).
    assert_eq!(refused(Convergence::IDEAL, false), 0);
    assert_eq!(
        refused(CONVERGENCE, true),
        0,
        "both ends leave the link out at once"
    );
    assert!(refused(CONVERGENCE, false) > 10);
}

#[test]
fn switches_learn_at_their_own_times() {
    let records = strike("drill", down_and_up(CONVERGENCE, true));
    let events = &records.events;
    let of = |kind: &str, change: u32| -> Vec<(u64, &str)> {
        (0..events.len())
            .filter(|&row| events.event[row] == kind && events.change[row] == change)
            .map(|row| (events.time_ps[row] / 1_000_000, events.name[row].as_str()))
            .collect()
    };
    assert_eq!(
        of("down", 0),
        [(500, "leaf0->spine0"), (500, "spine0->leaf0")]
    );
    assert_eq!(of("repaired", 0), [(500, "leaf0"), (500, "spine0")]);
    let learned = [
        (1_100, "leaf0"),
        (1_100, "spine0"),
        (1_200, "leaf1"),
        (1_200, "leaf2"),
        (1_200, "spine1"),
    ];
    assert_eq!(of("learned", 0), learned);
    assert_eq!(
        of("up", 1),
        [(2_500, "leaf0->spine0"), (2_500, "spine0->leaf0")]
    );
    assert_eq!(of("learned", 1)[0], (3_100, "leaf0"));
}

#[test]
fn the_link_is_used_again_once_it_is_back() {
    let records = strike("random-packet", down_and_up(Convergence::IDEAL, true));
    let packets = |name: &str| {
        let link = records
            .links
            .name
            .iter()
            .position(|link| link == name)
            .unwrap();
        records.links.packets[link]
    };
    let (failed, other) = (packets("leaf0->spine0"), packets("leaf0->spine1"));
    assert!(failed > 200 && failed < other, "{failed} and {other}");
}

#[test]
fn a_leaf_cut_off_makes_its_packets_unroutable_until_it_is_back() {
    let fabric = fabric();
    let links = [cable(&fabric, 0, 0), cable(&fabric, 0, 1)].concat();
    let changes = vec![
        LinkChange {
            at: Time::from_us(500),
            links: links.clone(),
            up: false,
        },
        LinkChange {
            at: Time::from_us(5_000),
            links,
            up: true,
        },
    ];
    let convergence = Convergence::IDEAL;
    let plan = FailurePlan {
        changes,
        greys: Vec::new(),
        convergence,
        local_repair: true,
    };
    let records = strike("drill", plan);
    assert!(records.totals.unroutable_packets[0] > 0);
    assert_eq!(records.totals.flows_unfinished[0], 0);
    // While it was cut off, nothing reached its hosts; the others went on.
    let throughput = &records.throughput;
    let lost: u64 = throughput.lost_packets.iter().sum();
    let unroutable = records.totals.unroutable_packets[0];
    assert_eq!(lost, records.totals.lost_packets[0] + unroutable);
}

#[test]
fn throughput_dips_and_recovers() {
    let records = strike("ecmp", down_and_up(CONVERGENCE, false));
    let throughput = &records.throughput;
    let total: u64 = throughput.delivered_payload_bytes.iter().sum();
    // All but what arrives in the last, incomplete interval: at most 100 us at nine hosts' 10 Gbps.
    let sent: u64 = records.flows.size_bytes.iter().sum();
    assert!(
        total + 9 * 125_000 >= sent,
        "samples cover the run: {total} of {sent}"
    );
    let at = |us: u64| {
        let row = throughput
            .time_ps
            .iter()
            .position(|&time| time == us * 1_000_000)
            .unwrap();
        throughput.delivered_payload_bytes[row]
    };
    assert!(at(700) < at(500), "{} then {}", at(500), at(700));
}

#[test]
fn a_grey_link_loses_what_it_is_told_to_and_heals() {
    let link = cable(&fabric(), 0, 0)[0];
    let grey = |us, loss, black_hole| GreyChange {
        at: Time::from_us(us),
        link,
        loss,
        black_hole,
    };
    let greys = vec![grey(100, 0.05, 0.0), grey(3_000, 0.0, 0.0)];
    let records = strike(
        "random-packet",
        FailurePlan {
            greys,
            ..FailurePlan::NONE
        },
    );
    let lost = records.links.grey_packets[link.index()];
    assert!(lost > 20, "{lost}");
    assert_eq!(records.totals.lost_packets[0], lost);
    assert_eq!(records.totals.flows_unfinished[0], 0);
    let kinds: Vec<&str> = records.events.event.iter().map(String::as_str).collect();
    assert_eq!(kinds, ["grey", "healed"]);
}

#[test]
fn runs_with_failures_repeat() {
    for manual in MANUALS {
        let first = strike(manual.name, down_and_up(CONVERGENCE, true));
        assert_eq!(
            first,
            strike(manual.name, down_and_up(CONVERGENCE, true)),
            "{}",
            manual.name
        );
    }
}
