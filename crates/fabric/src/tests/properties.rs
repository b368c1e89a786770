//! Properties of any fabric, checked on random ones against plain reference algorithms.

use super::{leaf_spine, three_tier};
use crate::assembly::{Assembly, Cable};
use crate::{
    Endpoint, Fabric, LOCAL, NO_ROUTE, Role, Routes, StripedLeafSpine, Striping, Vl2, figures,
};
use closlab_units::{Bytes, LinkId, NodeId, PortId, Rate, Time, TorId};
use proptest::prelude::*;

const FAR: usize = usize::MAX / 4;

/// A fabric of `leaves` leaves and some spines, one host under each leaf, and arbitrary cables.
fn irregular(leaves: usize, spines: usize, cables: &[(usize, usize)]) -> Fabric {
    let cable = Cable {
        rate: Rate::from_gbps(10),
        delay: Time::from_ns(100),
        near_buffer: Bytes::new(100_000),
        far_buffer: Bytes::new(50_000),
    };
    let mut assembly = Assembly::default();
    let mut nodes = Vec::new();
    for i in 0..leaves + spines {
        let role = if i < leaves { Role::Leaf } else { Role::Spine };
        nodes.push(Endpoint::Switch(
            assembly.switch(format!("s{i}"), role).unwrap(),
        ));
    }
    for tor in 0..leaves {
        assembly.host(TorId(tor as u16), cable).unwrap();
    }
    for &(a, b) in cables {
        let (a, b) = (a % nodes.len(), b % nodes.len());
        if a != b {
            assembly.connect(nodes[a], nodes[b], cable).unwrap();
        }
    }
    assembly.finish()
}

/// Hop counts between all switches, by Floyd and Warshall.
fn reference_hops(fabric: &Fabric) -> Vec<Vec<usize>> {
    let count = fabric.switches.len();
    let mut hops = vec![vec![FAR; count]; count];
    for link in &fabric.links {
        if let (Endpoint::Switch(a), Endpoint::Switch(b), true) = (link.from, link.to, link.up) {
            hops[a.index()][b.index()] = 1;
        }
    }
    for (i, row) in hops.iter_mut().enumerate() {
        row[i] = 0;
    }
    for via in 0..count {
        for a in 0..count {
            for b in 0..count {
                hops[a][b] = hops[a][b].min(hops[a][via] + hops[via][b]);
            }
        }
    }
    hops
}

/// Walks every port of every group on the way and counts the ways to arrive.
fn walk(fabric: &Fabric, routes: &Routes, at: NodeId, dst: TorId, hops_left: usize) -> u64 {
    if routes.group_index(at, dst) == LOCAL {
        assert_eq!(hops_left, 0, "a detour");
        return 1;
    }
    assert!(hops_left > 0, "a loop or a detour");
    let ports = &routes.group(at, dst).unwrap().ports;
    let mut paths = 0;
    for port in ports {
        let link = fabric.link(fabric.switch(at).ports[port.index()]);
        assert!(link.up, "a group contains a failed link");
        let Endpoint::Switch(next) = link.to else {
            panic!("a group contains a host port");
        };
        paths += walk(fabric, routes, next, dst, hops_left - 1);
    }
    paths
}

fn check_wiring(fabric: &Fabric) {
    for (index, link) in fabric.links.iter().enumerate() {
        let id = LinkId(index as u32);
        let back = fabric.reverse(id);
        assert_ne!(back, id);
        assert_eq!(fabric.reverse(back), id);
        let other = fabric.link(back);
        assert_eq!((other.from, other.to), (link.to, link.from));
        assert_eq!(
            (other.from_port, other.to_port),
            (link.to_port, link.from_port)
        );
        assert_eq!((other.rate, other.delay), (link.rate, link.delay));
        match link.from {
            Endpoint::Host(host) => assert_eq!(fabric.host(host).uplink, id),
            Endpoint::Switch(node) => {
                assert_eq!(fabric.switch(node).ports[link.from_port.index()], id);
                assert_eq!(fabric.switch(node).ingress[link.from_port.index()], back);
            }
        }
    }
    for switch in &fabric.switches {
        assert_eq!(switch.ports.len(), switch.ingress.len());
    }
}

fn check_routes(fabric: &Fabric) {
    let expected = reference_hops(fabric);
    let reach = |a: NodeId, b: NodeId| expected[a.index()][b.index()];
    let connected = fabric
        .tors
        .iter()
        .all(|&a| fabric.tors.iter().all(|&b| reach(a, b) < FAR));
    let whole = Routes::compute(fabric);
    assert_eq!(whole.is_ok(), connected, "{whole:?}");
    let routes = Routes::compute_partial(fabric).unwrap();
    assert!(whole.is_err() || whole.as_ref() == Ok(&routes));
    let cut_off = |&a: &NodeId| fabric.tors.iter().filter(|&&b| reach(a, b) == FAR).count();
    let expected_pairs: usize = fabric.tors.iter().map(cut_off).sum();
    assert_eq!(routes.unreachable_pairs().count(), expected_pairs);
    for (dst, &target) in fabric.tors.iter().enumerate() {
        let dst = TorId(dst as u16);
        for node in (0..fabric.switches.len() as u32).map(NodeId) {
            let hops = reach(node, target);
            if hops == FAR {
                assert_eq!(routes.group_index(node, dst), NO_ROUTE);
                assert_eq!(routes.hops(node, dst), None);
                continue;
            }
            assert_eq!(routes.hops(node, dst).map(usize::from), Some(hops));
            let paths = walk(fabric, &routes, node, dst, hops);
            if let Some(src) = fabric.switch(node).tor {
                assert_eq!(routes.path_count(fabric, src, dst), paths);
            }
            check_complete(fabric, &routes, &expected, node, dst);
        }
    }
}

/// A group holds every port on a shortest path, ascending, and equal groups are stored once.
fn check_complete(fabric: &Fabric, routes: &Routes, hops: &[Vec<usize>], node: NodeId, dst: TorId) {
    let target = fabric.tors[dst.index()].index();
    let is_closer = |link: LinkId| match fabric.link(link).to {
        Endpoint::Switch(next) => {
            fabric.link(link).up && hops[next.index()][target] < hops[node.index()][target]
        }
        Endpoint::Host(_) => false,
    };
    let egress = &fabric.switch(node).ports;
    let closer = (0..egress.len()).filter(|&port| is_closer(egress[port]));
    let expected: Vec<PortId> = closer.map(|port| PortId(port as u16)).collect();
    let held = routes
        .group(node, dst)
        .map_or(&[][..], |group| &group.ports);
    assert_eq!(held, expected);
    let groups = routes.groups(node);
    for (i, group) in groups.iter().enumerate() {
        assert!(
            !groups[..i].contains(group),
            "an equal group is stored twice"
        );
    }
}

/// A small fabric of each builder.
fn small(builder: usize, a: u32, b: u32, c: u32) -> Fabric {
    let rate = Rate::from_gbps(10);
    let (delay, buffer) = (Time::from_ns(500), Bytes::new(150_000));
    let striped = |striping| {
        let base = leaf_spine(2 * a, 2 * b, 1, c);
        StripedLeafSpine { base, striping }.build()
    };
    match builder {
        0 => leaf_spine(a, b, 1, c).build(),
        1 => three_tier(a, b, c, 2, 1).build(),
        2 => striped(Striping::Neighbours),
        3 => striped(Striping::Pods { pods: 2 }),
        4 => figures::drill_fig5(figures::Buffers::default()),
        _ => Vl2 {
            tors: 2 * a,
            aggregates: 2 * b,
            intermediates: c,
            hosts_per_tor: 1,
            host_rate: rate,
            link_rate: rate,
            host_delay: delay,
            link_delay: delay,
            buffer,
            nic_buffer: buffer,
        }
        .build(),
    }
    .unwrap()
}

/// Marks the cables as failed, whole or in one direction only.
fn fail(fabric: &mut Fabric, failures: &[(usize, bool)]) {
    for &(link, both) in failures {
        let id = LinkId((link % fabric.links.len()) as u32);
        if both {
            fabric.set_cable_up(id, false);
        } else {
            fabric.links[id.index()].up = false;
        }
    }
}

proptest! {
    #[test]
    fn any_builder_with_any_failures_is_routed_right(
        builder in 0usize..6,
        (a, b, c) in (1u32..4, 1u32..4, 1u32..4),
        failures in prop::collection::vec((0usize..1_000, any::<bool>()), 0..14),
    ) {
        let mut fabric = small(builder, a, b, c);
        check_wiring(&fabric);
        fail(&mut fabric, &failures);
        check_routes(&fabric);
    }

    #[test]
    fn random_fabrics_are_wired_and_routed_right(
        leaves in 1usize..6,
        spines in 0usize..6,
        cables in prop::collection::vec((0usize..11, 0usize..11), 0..26),
        failures in prop::collection::vec((0usize..1_000, any::<bool>()), 0..4),
    ) {
        let mut fabric = irregular(leaves, spines, &cables);
        check_wiring(&fabric);
        fail(&mut fabric, &failures);
        check_routes(&fabric);
    }

    #[test]
    fn leaf_spines_are_wired_and_routed_right(
        leaves in 1u32..6,
        spines in 1u32..5,
        hosts in 1u32..5,
        parallel in 1u32..4,
    ) {
        let fabric = leaf_spine(leaves, spines, hosts, parallel).build().unwrap();
        prop_assert_eq!(fabric.hosts.len() as u32, leaves * hosts);
        for (index, host) in fabric.hosts.iter().enumerate() {
            prop_assert_eq!(u32::from(host.tor.0), index as u32 / hosts);
        }
        check_wiring(&fabric);
        check_routes(&fabric);
    }
}
