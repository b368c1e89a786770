//! Presto's trees: how many, disjoint, pruned, weighted.

use super::{Clos, cut, drill_fig4, letflow_fig13, node, ports, routes, tor, two_tier, vl2};
use crate::control::{Presto, SourceRoute};
use crate::{Endpoint, Fabric};
use closlab_units::{LinkId, TorId};
use std::collections::BTreeSet;

fn source_routes(fabric: &Fabric, src: usize, dst: usize) -> Vec<SourceRoute> {
    let presto = Presto::compute(fabric).unwrap();
    presto.routes(fabric, &routes(fabric), tor(src), tor(dst))
}

fn labels_and_weights(routes: &[SourceRoute]) -> Vec<(u16, u32)> {
    routes.iter().map(|r| (r.label, r.weight)).collect()
}

/// The links of a source route; fails if it does not end at `dst` or crosses a broken cable.
fn follow(fabric: &Fabric, src: TorId, dst: TorId, route: &SourceRoute) -> Vec<LinkId> {
    let mut at = fabric.tors[src.index()];
    let mut links = Vec::new();
    for port in &route.ports {
        let id = fabric.switch(at).ports[port.index()];
        let link = fabric.link(id);
        assert!(link.up, "broken {}", fabric.link_name(id));
        let Endpoint::Switch(next) = link.to else {
            panic!("a host in the middle");
        };
        at = next;
        links.push(id);
    }
    assert_eq!(at, fabric.tors[dst.index()]);
    links
}

#[test]
fn leaf_spine_has_a_tree_for_each_spine_and_cable_and_none_shares_a_cable() {
    let fabric = two_tier(3, 2, |_, _| vec![10, 10]);
    let presto = Presto::compute(&fabric).unwrap();
    assert_eq!(presto.labels(), 4);
    let roots: Vec<_> = (0..4).map(|label| presto.root(label)).collect();
    assert_eq!(roots, [node(3), node(3), node(4), node(4)]);
    let mut used: Vec<BTreeSet<LinkId>> = vec![BTreeSet::new(); 4];
    for (src, dst) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        let ways = source_routes(&fabric, src, dst);
        assert_eq!(labels_and_weights(&ways), [(0, 1), (1, 1), (2, 1), (3, 1)]);
        for way in &ways {
            assert_eq!(way.ports.len(), 2);
            used[usize::from(way.label)].extend(follow(&fabric, tor(src), tor(dst), way));
        }
    }
    // Each tree spans three leaves by three cables in both directions; together they are all the cables.
    assert!(used.iter().all(|links| links.len() == 6));
    assert_eq!(used.iter().flatten().collect::<BTreeSet<_>>().len(), 24);
    assert!(source_routes(&fabric, 1, 1).is_empty());
}

#[test]
fn three_tiers_have_a_tree_for_each_core() {
    let clos = Clos {
        p: 2,
        r: 2,
        n: 2,
        m: 3,
    };
    let fabric = clos.build(|_, _| 40);
    let presto = Presto::compute(&fabric).unwrap();
    assert_eq!(presto.labels(), 6);
    let ways = source_routes(&fabric, 0, 3);
    let mut above = BTreeSet::new();
    for (label, way) in ways.iter().enumerate() {
        assert_eq!((usize::from(way.label), way.weight), (label, 1));
        let links = follow(&fabric, tor(0), tor(3), way);
        assert_eq!(links.len(), 4);
        let core = node(clos.core(label / 3, label % 3));
        assert_eq!(fabric.link(links[1]).to, Endpoint::Switch(core));
        assert_eq!(presto.root(way.label), core);
        above.extend([links[1], links[2]]);
    }
    assert_eq!(above.len(), 12, "disjoint above the aggregation switches");
    // Inside the pod the ways meet below the core: three labels for each aggregation switch.
    let inside = source_routes(&fabric, 0, 1);
    let first_ports: Vec<_> = inside.iter().map(|way| way.ports[0]).collect();
    let up = |plane| ports(&fabric, 0, &[clos.aggregation(0, plane)])[0];
    assert_eq!(first_ports, [0, 0, 0, 1, 1, 1].map(up));
    assert!(
        inside
            .iter()
            .all(|way| way.ports.len() == 2 && way.weight == 1)
    );
}

#[test]
fn a_failure_prunes_a_tree_for_the_pairs_that_need_the_cable() {
    let clos = Clos {
        p: 2,
        r: 2,
        n: 2,
        m: 2,
    };
    let mut fabric = clos.build(|_, _| 40);
    cut(&mut fabric, clos.aggregation(0, 0), clos.core(0, 0));
    // The other plane keeps two of three ways, as under WCMP.
    let across = [(1, 1), (2, 1), (3, 1)];
    assert_eq!(labels_and_weights(&source_routes(&fabric, 0, 2)), across);
    assert_eq!(labels_and_weights(&source_routes(&fabric, 3, 1)), across);
    let inside = [(0, 1), (1, 1), (2, 1), (3, 1)];
    assert_eq!(labels_and_weights(&source_routes(&fabric, 0, 1)), inside);
    for way in source_routes(&fabric, 0, 2) {
        follow(&fabric, tor(0), tor(2), &way);
    }
}

#[test]
fn fig4_of_drill_keeps_equal_weights() {
    let fabric = drill_fig4();
    let from_l3 = source_routes(&fabric, 3, 1);
    assert_eq!(labels_and_weights(&from_l3), [(0, 1), (1, 1), (2, 1)]);
    let from_l0 = source_routes(&fabric, 0, 1);
    assert_eq!(labels_and_weights(&from_l0), [(1, 1), (2, 1)]);
}

#[test]
fn letflow_fig13_shares_single_cables_between_the_trees_of_a_spine() {
    let fabric = letflow_fig13();
    assert_eq!(Presto::compute(&fabric).unwrap().labels(), 12);
    let weights = |src, dst| -> Vec<u32> {
        let ways = source_routes(&fabric, src, dst);
        ways.iter().map(|way| way.weight).collect()
    };
    // Inside the pod 20 Gbps through S0 and S1 by two trees each; 10 Gbps through the others, by two trees.
    assert_eq!(weights(0, 1), [2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(weights(0, 2), [1; 12]);
}

#[test]
fn slower_links_weigh_less() {
    let rates = [[40, 25], [40, 10], [10, 40]];
    let fabric = two_tier(3, 2, |leaf, spine| vec![rates[leaf][spine]]);
    assert_eq!(
        labels_and_weights(&source_routes(&fabric, 0, 1)),
        [(0, 4), (1, 1)]
    );
    assert_eq!(
        labels_and_weights(&source_routes(&fabric, 0, 2)),
        [(0, 2), (1, 5)]
    );
}

#[test]
fn vl2_has_a_tree_for_each_way_up_to_an_intermediate_switch() {
    let fabric = vl2();
    let presto = Presto::compute(&fabric).unwrap();
    assert_eq!(presto.labels(), 6);
    let ways = source_routes(&fabric, 0, 3);
    assert_eq!(ways.len(), 6);
    let first: BTreeSet<_> = ways
        .iter()
        .map(|way| (presto.root(way.label), way.ports[0]))
        .collect();
    assert_eq!(
        first.len(),
        6,
        "every uplink with every intermediate switch"
    );
}

#[test]
fn a_pair_that_only_a_detour_connects_has_no_label() {
    let clos = Clos {
        p: 2,
        r: 3,
        n: 2,
        m: 1,
    };
    let mut fabric = clos.build(|_, _| 40);
    cut(&mut fabric, 0, clos.aggregation(0, 0));
    cut(&mut fabric, 1, clos.aggregation(0, 1));
    // s0 reaches s1 only down and up again through s2.
    assert_eq!(routes(&fabric).hops(node(0), tor(1)), Some(4));
    assert!(source_routes(&fabric, 0, 1).is_empty());
    assert_eq!(labels_and_weights(&source_routes(&fabric, 0, 2)), [(1, 1)]);
}
