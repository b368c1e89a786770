//! The papers' fabrics against what their text says.

use crate::figures::{self, Buffers, FIGURES, Figure};
use crate::{Fabric, FabricError, FabricSummary, Role, Routes};
use closlab_units::{HostId, NodeId, TorId};

fn built(build: fn(Buffers) -> Result<Fabric, FabricError>) -> (Fabric, Routes) {
    let fabric = build(Buffers::default()).unwrap();
    let routes = Routes::compute(&fabric).unwrap();
    (fabric, routes)
}

/// The first switches of all shortest paths from `src` to `dst`.
fn first_hops(fabric: &Fabric, routes: &Routes, src: u16, dst: u16) -> Vec<String> {
    let leaf = fabric.leaf(TorId(src));
    let group = routes
        .group(fabric.tors[usize::from(src)], TorId(dst))
        .unwrap();
    let to = |port: &closlab_units::PortId| {
        let link = fabric.link(leaf.ports[port.index()]);
        fabric.endpoint_name(link.to).to_owned()
    };
    group.ports.iter().map(to).collect()
}

fn gbps(fabric: &Fabric, name: &str) -> u64 {
    let links = fabric.cables_named(name).unwrap();
    let working = links.iter().filter(|&&link| fabric.link(link).up);
    working
        .map(|&link| fabric.link(link).rate.bps())
        .sum::<u64>()
        / 1_000_000_000
}

#[test]
fn letflows_small_figures_have_the_paths_their_text_tells() {
    let (fabric, routes) = built(figures::letflow_fig1a);
    assert_eq!(first_hops(&fabric, &routes, 0, 2), ["spine0"]);
    assert_eq!(first_hops(&fabric, &routes, 1, 2), ["spine0", "spine1"]);
    // "The path through S1 having half the capacity of the path through S0"; 120 of 160 Gbps are left.
    let (fabric, routes) = built(figures::letflow_fig1b);
    assert_eq!(gbps(&fabric, "leaf1-spine0"), 80);
    assert_eq!(gbps(&fabric, "leaf1-spine1"), 40);
    assert_eq!(gbps(&fabric, "leaf0-spine1"), 80);
    assert_eq!(routes.path_count(&fabric, TorId(0), TorId(1)), 4 + 2);
    assert_eq!(fabric.hosts.len(), 64);
    let (fabric, routes) = built(figures::letflow_fig17);
    assert_eq!(gbps(&fabric, "leaf2-spine1"), 10);
    assert_eq!(gbps(&fabric, "leaf2-spine0"), 80);
    assert_eq!(first_hops(&fabric, &routes, 1, 2), ["spine0", "spine1"]);
}

#[test]
fn letflows_large_figures_are_asymmetric_as_their_text_tells() {
    let (fabric, routes) = built(figures::letflow_fig13);
    assert_eq!((fabric.tors.len(), fabric.hosts.len()), (6, 6 * 48));
    assert_eq!(
        (gbps(&fabric, "leaf2-spine3"), gbps(&fabric, "leaf2-spine4")),
        (20, 10)
    );
    assert_eq!(routes.path_count(&fabric, TorId(2), TorId(3)), 12);
    let (fabric, routes) = built(figures::letflow_fig15);
    for (src, dst, paths) in [(0, 2, 3), (1, 3, 3), (0, 1, 2), (2, 0, 3)] {
        let found = routes.path_count(&fabric, TorId(src), TorId(dst));
        assert_eq!(found, paths, "{src} -> {dst}");
    }
    // Both uplinks are still good for both destinations.
    assert_eq!(first_hops(&fabric, &routes, 0, 2), ["agg0.0", "agg0.1"]);
}

#[test]
fn drills_figures_have_the_paths_their_text_tells() {
    let (fabric, routes) = built(figures::drill_fig4);
    assert_eq!(
        first_hops(&fabric, &routes, 3, 1),
        ["spine0", "spine1", "spine2"]
    );
    assert_eq!(first_hops(&fabric, &routes, 0, 1), ["spine1", "spine2"]);
    assert_eq!(gbps(&fabric, "leaf3-spine2"), 40);
    let (fabric, routes) = built(figures::drill_fig5);
    assert_eq!(first_hops(&fabric, &routes, 5, 1), ["fabric2", "fabric3"]);
    assert_eq!(first_hops(&fabric, &routes, 5, 0), ["fabric3"]);
    assert_eq!(routes.path_count(&fabric, TorId(5), TorId(1)), 4);
    assert_eq!(routes.path_count(&fabric, TorId(5), TorId(0)), 2);
    let (fabric, routes) = built(figures::drill_fig10);
    assert_eq!(
        (fabric.hosts.len(), fabric.switches.len()),
        (320, 16 + 8 + 4)
    );
    assert_eq!(
        (
            gbps(&fabric, "host0-tor0"),
            gbps(&fabric, "tor0-aggregate0")
        ),
        (1, 10)
    );
    assert_eq!(gbps(&fabric, "aggregate7-intermediate3"), 10);
    assert_eq!(routes.path_count(&fabric, TorId(0), TorId(15)), 16);
    let (fabric, _) = built(figures::drill_fig13);
    assert_eq!(fabric.hosts.len(), 16 * 48);
    assert_eq!(
        (gbps(&fabric, "leaf4-spine5"), gbps(&fabric, "leaf4-spine6")),
        (20, 10)
    );
}

#[test]
fn expeditus_figures_have_the_numbers_their_text_tells() {
    let (fabric, routes) = built(figures::expeditus_fig6);
    // a_1^1 reaches other pods by c_2^1 alone, and so do their first aggregation switches reach it.
    assert_eq!(routes.path_count(&fabric, TorId(0), TorId(3)), 1 + 2);
    assert_eq!(routes.path_count(&fabric, TorId(3), TorId(6)), 4);
    let first_aggregation = fabric.switch_named("agg1.0").unwrap();
    let ports = &routes.group(first_aggregation, TorId(0)).unwrap().ports;
    assert_eq!(ports.len(), 1);
    let (fabric, routes) = built(figures::expeditus_baseline);
    let summary = FabricSummary::new(&fabric, &routes, 1_538, 84);
    let cores = fabric
        .switches
        .iter()
        .filter(|s| s.role == Role::Core)
        .count();
    assert_eq!((fabric.hosts.len(), cores), (432, 18));
    assert_eq!(summary.tiers[1].oversubscription(), Some((2, 1)));
    // "The fabric RTT is ~32 us across pods."
    let rtt = summary.base_rtt.unwrap();
    assert_eq!(rtt.ps().div_ceil(1_000_000), 32, "{rtt}");
    let (fabric, routes) = built(figures::expeditus_fat_tree);
    let last = fabric.host(HostId(431)).tor;
    assert_eq!(routes.path_count(&fabric, TorId(0), last), 36);
    assert_eq!(routes.hops(NodeId(0), last), Some(4));
}

#[test]
fn figures_are_found_by_names_of_their_own() {
    let mut names: Vec<&str> = FIGURES.iter().map(|figure| figure.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FIGURES.len());
    let quick = |figure: &&Figure| figure.name != "expeditus-largest";
    for figure in FIGURES.iter().filter(quick) {
        let (fabric, _) = built(figure.build);
        let other = Buffers {
            switch: closlab_units::Bytes::new(77_000),
            ..Buffers::default()
        };
        let resized = (figure.build)(other).unwrap();
        assert_ne!(fabric, resized, "{} ignores its buffers", figure.name);
    }
}
