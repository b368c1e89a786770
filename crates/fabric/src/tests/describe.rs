//! A fabric in a few numbers.

use super::{leaf_spine, three_tier};
use crate::{FabricSummary, PathSummary, Role, Routes, ThreeTierClos, base_rtt};
use closlab_units::{HostId, Rate, TorId};

const GBPS: u64 = 1_000_000_000;

#[test]
fn a_leaf_spine_is_summarised_by_its_closed_formulas() {
    let fabric = leaf_spine(4, 3, 16, 2).build().unwrap();
    let routes = Routes::compute(&fabric).unwrap();
    let summary = FabricSummary::new(&fabric, &routes, 1_538, 84);
    assert_eq!(summary.hosts, 64);
    assert_eq!(summary.switches, [(Role::Leaf, 4), (Role::Spine, 3)]);
    assert_eq!((summary.cables, summary.failed_cables), (64 + 4 * 3 * 2, 0));
    let tiers: Vec<_> = summary
        .tiers
        .iter()
        .map(|t| (t.down_bps, t.up_bps))
        .collect();
    assert_eq!(tiers, [(640 * GBPS, 960 * GBPS), (960 * GBPS, 0)]);
    assert_eq!(summary.tiers[0].oversubscription(), Some((2, 3)));
    assert_eq!(summary.tiers[1].oversubscription(), None);
    assert_eq!(summary.bisection_bps, 480 * GBPS);
    let paths = PathSummary {
        hops: 2,
        tors: 3,
        fewest: 12,
        most: 12,
    };
    assert_eq!(summary.paths, [paths]);
    assert_eq!(summary.unreachable_pairs, 0);
    let rtt = base_rtt(&fabric, &routes, HostId(0), HostId(63), 1_538, 84);
    assert_eq!(summary.base_rtt, Some(rtt));
    let bytes = fabric.memory_bytes() + routes.memory_bytes();
    assert_eq!(summary.bytes_per_host(), (bytes as u64).div_ceil(64));
}

#[test]
fn an_oversubscribed_core_bounds_the_bisection() {
    let clos = ThreeTierClos {
        core_rate: Rate::from_gbps(5),
        ..three_tier(4, 2, 3, 2, 6)
    };
    let fabric = clos.build().unwrap();
    let routes = Routes::compute(&fabric).unwrap();
    let summary = FabricSummary::new(&fabric, &routes, 1_538, 84);
    let ratios: Vec<_> = summary.tiers.iter().map(|t| t.oversubscription()).collect();
    assert_eq!(ratios, [Some((2, 1)), Some((2, 1)), None]);
    assert_eq!(Ok(ratios[0].unwrap()), clos.tor_oversubscription());
    assert_eq!(Ok(ratios[1].unwrap()), clos.core_oversubscription());
    // 12 aggregation switches of 2 x 5 Gbps, halved; the uplinks of ToRs would carry twice as much.
    assert_eq!(summary.bisection_bps, 60 * GBPS);
    let path = |hops, tors, count| PathSummary {
        hops,
        tors,
        fewest: count,
        most: count,
    };
    assert_eq!(summary.paths, [path(2, 1, 3), path(4, 6, 6)]);
}

#[test]
fn failures_count_where_they_are() {
    let mut fabric = leaf_spine(4, 2, 1, 1).build().unwrap();
    let whole = Routes::compute(&fabric).unwrap();
    let before = FabricSummary::new(&fabric, &whole, 1_538, 84);
    let one = fabric.cables_named("leaf2-spine1").unwrap()[0];
    fabric.set_cable_up(one, false);
    for link in fabric.uplinks_of(TorId(1)).collect::<Vec<_>>() {
        fabric.set_cable_up(link, false);
    }
    fabric.set_cable_up(fabric.host(HostId(3)).uplink, false);
    let routes = Routes::compute_partial(&fabric).unwrap();
    let summary = FabricSummary::new(&fabric, &routes, 1_538, 84);
    assert_eq!(summary.failed_cables, 4);
    assert_eq!(summary.unreachable_pairs, 6);
    assert_eq!(summary.tiers[0].down_bps, 30 * GBPS);
    assert_eq!(summary.bisection_bps, 5 * 40 * GBPS / 2);
    assert_eq!(
        summary.paths,
        [PathSummary {
            hops: 2,
            tors: 2,
            fewest: 1,
            most: 2
        }]
    );
    // Host 3 is cut off: host 2 is the last, just as far away.
    assert_eq!(summary.base_rtt, before.base_rtt);
    fabric.set_cable_up(fabric.host(HostId(2)).uplink, false);
    let summary = FabricSummary::new(&fabric, &routes, 1_538, 84);
    assert_eq!(
        summary.base_rtt, None,
        "hosts 0 and 1 are cut off from each other"
    );
}
