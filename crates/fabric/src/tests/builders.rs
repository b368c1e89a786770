//! Every builder against its closed formulas, and what it refuses.

use super::{leaf_spine, three_tier};
use crate::figures::{self, Buffers};
use crate::{
    Endpoint, Fabric, FabricError, FacebookFabric, FatTree, Role, Routes, StripedLeafSpine,
    Striping, ThreeTierClos, Vl2,
};
use closlab_units::{Bytes, NodeId, Rate, Time, TorId};

fn fat_tree(k: u32) -> FatTree {
    FatTree {
        k,
        rate: Rate::from_gbps(10),
        host_delay: Time::from_us(1),
        link_delay: Time::from_us(1),
        buffer: Bytes::new(150_000),
        nic_buffer: Bytes::new(1_500_000),
    }
}

fn vl2(tors: u32, aggregates: u32, intermediates: u32) -> Vl2 {
    Vl2 {
        tors,
        aggregates,
        intermediates,
        hosts_per_tor: 2,
        host_rate: Rate::from_gbps(1),
        link_rate: Rate::from_gbps(10),
        host_delay: Time::from_us(1),
        link_delay: Time::from_us(1),
        buffer: Bytes::new(150_000),
        nic_buffer: Bytes::new(1_500_000),
    }
}

fn facebook() -> FacebookFabric {
    FacebookFabric {
        pods: 2,
        racks_per_pod: 3,
        fabric_switches_per_pod: 2,
        spines_per_plane: 2,
        hosts_per_rack: 2,
        host_rate: Rate::from_gbps(10),
        rack_rate: Rate::from_gbps(40),
        spine_rate: Rate::from_gbps(100),
        host_delay: Time::from_us(1),
        rack_delay: Time::from_us(2),
        spine_delay: Time::from_us(3),
        buffer: Bytes::new(150_000),
        nic_buffer: Bytes::new(1_500_000),
    }
}

fn count(fabric: &Fabric, role: Role) -> usize {
    fabric.switches.iter().filter(|s| s.role == role).count()
}

/// Checks hops and paths of every pair of different ToRs against `expected(src, dst)`.
fn check_paths(fabric: &Fabric, expected: impl Fn(usize, usize) -> (u16, u64)) {
    let routes = Routes::compute(fabric).unwrap();
    for src in 0..fabric.tors.len() {
        for dst in (0..fabric.tors.len()).filter(|&dst| dst != src) {
            let (a, b) = (TorId(src as u16), TorId(dst as u16));
            let hops = routes.hops(fabric.tors[src], b).unwrap();
            let found = (hops, routes.path_count(fabric, a, b));
            assert_eq!(found, expected(src, dst), "{src} -> {dst}");
        }
    }
}

#[test]
fn a_three_tier_clos_has_n_paths_inside_a_pod_and_nm_across() {
    for (p, r, n, m) in [(1, 2, 3, 1), (2, 1, 2, 3), (3, 3, 2, 2), (4, 2, 4, 3)] {
        let fabric = three_tier(p, r, n, m, 2).build().unwrap();
        assert_eq!(fabric.hosts.len() as u32, 2 * p * r);
        assert_eq!(count(&fabric, Role::Leaf) as u32, p * r);
        assert_eq!(count(&fabric, Role::Aggregation) as u32, p * n);
        assert_eq!(count(&fabric, Role::Core) as u32, n * m);
        let (r, n, m) = (r as usize, u64::from(n), u64::from(m));
        check_paths(
            &fabric,
            |a, b| {
                if a / r == b / r { (2, n) } else { (4, n * m) }
            },
        );
    }
}

#[test]
fn a_fat_tree_has_the_closed_formulas_of_its_paper() {
    for k in [2, 4, 6, 8] {
        let fabric = fat_tree(k).build().unwrap();
        let half = k / 2;
        assert_eq!(fabric.hosts.len() as u32, k * k * k / 4);
        assert_eq!(count(&fabric, Role::Leaf) as u32, k * half);
        assert_eq!(count(&fabric, Role::Aggregation) as u32, k * half);
        assert_eq!(count(&fabric, Role::Core) as u32, half * half);
        assert!(fabric.switches.iter().all(|s| s.ports.len() as u32 == k));
        let (per_pod, half) = (half as usize, u64::from(half));
        check_paths(&fabric, |a, b| {
            if a / per_pod == b / per_pod {
                (2, half)
            } else {
                (4, half * half)
            }
        });
    }
    let large = figures::expeditus_fat_tree(Buffers::default()).unwrap();
    assert_eq!((large.hosts.len(), count(&large, Role::Core)), (432, 36));
}

#[test]
fn vl2_has_two_paths_under_a_pair_and_four_for_each_intermediate_across() {
    for (tors, aggregates, intermediates) in [(16, 8, 4), (6, 4, 3), (5, 4, 2), (4, 2, 5)] {
        let fabric = vl2(tors, aggregates, intermediates).build().unwrap();
        let pair = |tor: usize| tor * (aggregates as usize / 2) / tors as usize;
        let across = 4 * u64::from(intermediates);
        check_paths(&fabric, |a, b| {
            if pair(a) == pair(b) {
                (2, 2)
            } else {
                (4, across)
            }
        });
        for i in 0..aggregates {
            let tors_below = fabric.switch(NodeId(tors + i)).ports.len() as u32 - intermediates;
            assert!(tors_below.abs_diff(2 * tors / aggregates) <= 1);
        }
    }
}

#[test]
fn facebooks_fabric_is_counted_as_in_its_figure() {
    let fabric = facebook().build().unwrap();
    check_paths(&fabric, |a, b| if a / 3 == b / 3 { (2, 2) } else { (4, 4) });
    // Every hop of the figure's Q0 = R5 F2 S0 F0 R1 and Q3 = R5 F3 S3 F1 R1.
    for path in [
        ["rack5", "fabric2", "spine0", "fabric0", "rack1"],
        ["rack5", "fabric3", "spine3", "fabric1", "rack1"],
    ] {
        for hop in path.windows(2) {
            let cable = format!("{}-{}", hop[0], hop[1]);
            assert_eq!(fabric.cables_named(&cable).unwrap().len(), 1, "{cable}");
        }
    }
    assert!(fabric.cables_named("fabric2-spine2").is_err());
    let rates = |name: &str| {
        let link = fabric.link(fabric.cables_named(name).unwrap()[0]);
        (link.rate, link.delay)
    };
    assert_eq!(
        rates("host0-rack0"),
        (Rate::from_gbps(10), Time::from_us(1))
    );
    assert_eq!(
        rates("rack0-fabric1"),
        (Rate::from_gbps(40), Time::from_us(2))
    );
    assert_eq!(
        rates("fabric1-spine2"),
        (Rate::from_gbps(100), Time::from_us(3))
    );
}

#[test]
fn aggregation_switches_meet_their_own_kind_only() {
    // Pairwise connectivity (Expeditus, section 2.3): by any core, to the switch of the same position.
    let fabric = three_tier(3, 2, 3, 2, 1).build().unwrap();
    let next = |node: NodeId| {
        let ports = fabric.switch(node).ports.iter();
        ports.filter_map(|&link| match fabric.link(link).to {
            Endpoint::Switch(to) => Some(to),
            Endpoint::Host(_) => None,
        })
    };
    let position = |node: NodeId| fabric.switch(node).name.split('.').nth(1);
    for (i, core) in (0..fabric.switches.len()).zip(&fabric.switches) {
        if core.role == Role::Core {
            let met: Vec<_> = next(NodeId(i as u32)).map(position).collect();
            assert_eq!(met.len(), 3);
            assert!(met.iter().all(|p| *p == met[0]), "{met:?}");
        }
    }
    let ports = fabric.switch(NodeId(6)).ports.iter();
    let names: Vec<String> = ports.map(|&link| fabric.link_name(link)).collect();
    assert_eq!(
        names,
        [
            "agg0.0->tor0.0",
            "agg0.0->tor0.1",
            "agg0.0->core0.0",
            "agg0.0->core0.1"
        ]
    );
}

#[test]
fn imbalanced_striping_has_the_products_of_its_cables_as_paths() {
    let striped = |base, striping| StripedLeafSpine { base, striping }.build().unwrap();
    // Fig. 13 of DRILL: 16 + 2 + 2 combinations, and one more where neighbours share a doubled spine.
    let drill = striped(leaf_spine(16, 16, 1, 1), Striping::Neighbours);
    check_paths(&drill, |a, b| {
        let adjacent = (a + 1) % 16 == b || (b + 1) % 16 == a;
        (2, 20 + u64::from(adjacent))
    });
    assert_eq!(drill.uplinks_of(TorId(3)).count(), 18);
    assert_eq!(drill.cables_named("leaf15-spine0").unwrap().len(), 2);
    assert_eq!(drill.cables_named("leaf15-spine1").unwrap().len(), 1);
    // Fig. 13 of LetFlow: 2 x 2 x 2 + 4 inside a pod, 4 x 2 + 2 across.
    let letflow = striped(leaf_spine(6, 6, 1, 1), Striping::Pods { pods: 3 });
    check_paths(&letflow, |a, b| (2, if a / 2 == b / 2 { 12 } else { 10 }));
    assert_eq!(letflow.uplinks_of(TorId(5)).count(), 8);
    assert_eq!(letflow.cables_named("leaf5-spine4").unwrap().len(), 2);
}

#[test]
fn oversubscription_sets_hosts_and_cores() {
    let base = three_tier(12, 6, 6, 6, 6);
    assert_eq!(base.tor_oversubscription(), Ok((1, 1)));
    assert_eq!(base.core_oversubscription(), Ok((1, 1)));
    let core = base.with_core_oversubscription(3).unwrap();
    assert_eq!((core.cores_per_plane, core.hosts_per_tor), (2, 6));
    assert_eq!(core.core_oversubscription(), Ok((3, 1)));
    let tor = base.with_tor_oversubscription(4).unwrap();
    assert_eq!((tor.cores_per_plane, tor.hosts_per_tor), (6, 24));
    assert_eq!(tor.tor_oversubscription(), Ok((4, 1)));
    // Facebook's Altoona: 48 ToRs and 12 of 48 possible cores, 4:1 (Expeditus, section 2.2).
    let altoona = three_tier(96, 48, 4, 12, 16);
    assert_eq!(altoona.core_oversubscription(), Ok((4, 1)));
    let error = base.with_core_oversubscription(4).unwrap_err().to_string();
    assert!(
        error.starts_with("core_oversubscription = 4: no whole"),
        "{error}"
    );
    let zero = base.with_tor_oversubscription(0).unwrap_err().to_string();
    assert!(zero.starts_with("tor_oversubscription = 0: "), "{zero}");
}

fn assert_refused(result: Result<Fabric, FabricError>, start: &str, part: &str) {
    let error = result.unwrap_err().to_string();
    assert!(
        error.starts_with(start),
        "{error:?} does not start with {start:?}"
    );
    assert!(error.contains(part), "{error:?} does not contain {part:?}");
}

#[test]
fn impossible_three_tier_fabrics_name_field_value_and_remedy() {
    type Change = fn(&mut ThreeTierClos);
    let cases: [(Change, &str, &str); 7] = [
        (|c| c.pods = 0, "pods = 0: ", "at least 1"),
        (
            |c| c.cores_per_plane = 0,
            "cores_per_plane = 0: ",
            "three-tier",
        ),
        (
            |c| c.core_rate = Rate::from_bps(0),
            "core_rate = 0bps: ",
            "10Gbps",
        ),
        (|c| c.tor_delay = Time::MAX, "tor_delay = ", "at most 1s"),
        (|c| c.tors_per_pod = 40_000, "pods = 2: ", "80000 ToRs"),
        (
            |c| c.cores_per_plane = 70_000,
            "cores_per_plane = 70000: ",
            "70002 ports on an aggregation switch",
        ),
        (
            |c| c.buffer = Bytes::new(0),
            "buffer = 0B: ",
            "largest packet",
        ),
    ];
    for (change, start, part) in cases {
        let mut clos = three_tier(2, 2, 2, 2, 2);
        change(&mut clos);
        assert_refused(clos.build(), start, part);
    }
    let fabric = FacebookFabric {
        spines_per_plane: 0,
        ..facebook()
    };
    assert_refused(
        fabric.build(),
        "spines_per_plane = 0: a Facebook",
        "at least 1",
    );
    let tree = |k| fat_tree(k).build();
    assert_refused(tree(5), "k = 5: half", "even");
    assert_refused(tree(0), "k = 0: half", "at least 2");
    assert_refused(tree(70_000), "k = 70000: ", "2450000000 ToRs, and 65536 is");
}

#[test]
fn impossible_vl2_and_striped_fabrics_name_field_value_and_remedy() {
    type Change = fn(&mut Vl2);
    let cases: [(Change, &str, &str); 3] = [
        (|v| v.aggregates = 7, "aggregates = 7: ", "even"),
        (
            |v| v.link_rate = Rate::from_bps(0),
            "link_rate = 0bps: ",
            "10Gbps",
        ),
        (
            |v| v.intermediates = 65_535,
            "intermediates = 65535: ",
            "65539 ports",
        ),
    ];
    for (change, start, part) in cases {
        let mut network = vl2(16, 8, 4);
        change(&mut network);
        assert_refused(network.build(), start, part);
    }
    let striped = |base, striping| StripedLeafSpine { base, striping }.build();
    let pods = |pods| striped(leaf_spine(6, 6, 1, 1), Striping::Pods { pods });
    assert_refused(pods(4), "pods = 4: 6 leaves", "divides 6");
    assert_refused(pods(0), "pods = 0: ", "at least 1");
    let crowded = leaf_spine(2, 2, 1, u32::MAX);
    assert_refused(
        striped(crowded, Striping::Neighbours),
        "links_per_pair = 4294967295: ",
        "ports on a leaf",
    );
}
