//! Equal-cost groups, path counts and idle delays against closed forms.

use super::leaf_spine;
use crate::assembly::{Assembly, Cable};
use crate::{Fabric, LOCAL, NO_ROUTE, Role, Routes, base_delay, base_rtt};
use closlab_units::{Bytes, HostId, NodeId, PortId, Rate, Time, TorId};

#[test]
fn leaf_spine_groups_are_the_uplinks_and_the_parallel_downlinks() {
    let fabric = leaf_spine(3, 2, 2, 2).build().unwrap();
    let routes = Routes::compute(&fabric).unwrap();
    let up: Vec<PortId> = (2..6).map(PortId).collect();
    for leaf in 0..3 {
        assert_eq!(
            routes.groups(NodeId(leaf)).len(),
            1,
            "equal port sets must share a group"
        );
        for dst in (0..3).map(TorId) {
            let index = routes.group_index(NodeId(leaf), dst);
            if u32::from(dst.0) == leaf {
                assert_eq!(index, LOCAL);
                assert_eq!(routes.group(NodeId(leaf), dst), None);
            } else {
                assert_eq!(index, 0);
                assert_eq!(routes.groups(NodeId(leaf))[0].ports, up);
                assert_eq!(routes.hops(NodeId(leaf), dst), Some(2));
            }
        }
    }
    for spine in [NodeId(3), NodeId(4)] {
        assert_eq!(routes.groups(spine).len(), 3);
        for dst in 0..3u16 {
            let group = routes.group(spine, TorId(dst)).unwrap();
            assert_eq!(group.ports, [PortId(2 * dst), PortId(2 * dst + 1)]);
        }
    }
}

#[test]
fn path_counts_have_their_closed_form() {
    for (leaves, spines, parallel) in [(2, 1, 1), (2, 2, 2), (8, 4, 1), (5, 7, 3)] {
        let fabric = leaf_spine(leaves, spines, 1, parallel).build().unwrap();
        let routes = Routes::compute(&fabric).unwrap();
        // Any spine, any of the parallel cables up, any of them down.
        let expected = u64::from(spines * parallel * parallel);
        assert_eq!(routes.path_count(&fabric, TorId(0), TorId(1)), expected);
        assert_eq!(routes.path_count(&fabric, TorId(1), TorId(1)), 1);
    }
}

#[test]
fn an_unreachable_leaf_is_an_error_that_names_the_pair() {
    let mut assembly = Assembly::default();
    for i in 0..2 {
        assembly.switch(format!("leaf{i}"), Role::Leaf).unwrap();
    }
    let error = Routes::compute(&assembly.finish()).unwrap_err().to_string();
    assert!(
        error.starts_with("routes = leaf1 -> leaf0: no path"),
        "{error}"
    );
    assert!(error.contains("nor from leaf0 -> leaf1;"), "{error}");
}

#[test]
fn unreachable_pairs_can_be_recorded_instead() {
    let mut fabric = leaf_spine(4, 2, 1, 1).build().unwrap();
    for link in fabric.uplinks_of(TorId(2)).collect::<Vec<_>>() {
        fabric.set_cable_up(link, false);
    }
    let error = Routes::compute(&fabric).unwrap_err().to_string();
    assert!(error.starts_with("routes = leaf2 -> leaf0: "), "{error}");
    assert!(
        error.contains("leaf2 -> leaf1, leaf0 -> leaf2 and for 3 more pairs"),
        "{error}"
    );
    let routes = Routes::compute_partial(&fabric).unwrap();
    let pairs: Vec<(u16, u16)> = routes
        .unreachable_pairs()
        .map(|(src, dst)| (src.0, dst.0))
        .collect();
    assert_eq!(pairs, [(2, 0), (2, 1), (0, 2), (1, 2), (3, 2), (2, 3)]);
    assert!(!routes.is_reachable(TorId(2), TorId(3)));
    assert!(routes.is_reachable(TorId(2), TorId(2)));
    assert_eq!(routes.group_index(NodeId(0), TorId(2)), NO_ROUTE);
    assert_eq!(routes.path_count(&fabric, TorId(0), TorId(2)), 0);
    assert_eq!(routes.path_count(&fabric, TorId(0), TorId(3)), 2);
    let delay = |dst| base_delay(&fabric, &routes, HostId(0), HostId(dst), 1_500);
    assert_eq!(delay(2), Time::MAX);
    assert!(delay(3) < Time::MAX);
    let rtt = base_rtt(&fabric, &routes, HostId(0), HostId(2), 1_500, 84);
    assert_eq!(rtt, Time::MAX);
}

#[test]
fn a_failed_host_link_cuts_off_the_host_and_changes_no_route() {
    let mut fabric = leaf_spine(3, 2, 2, 1).build().unwrap();
    let before = Routes::compute(&fabric).unwrap();
    fabric.set_cable_up(fabric.host(HostId(3)).downlink, false);
    let routes = Routes::compute(&fabric).unwrap();
    assert_eq!(routes, before);
    assert!(!fabric.host_is_up(HostId(3)));
    assert!(fabric.host_is_up(HostId(2)));
    for (a, b) in [(0, 3), (3, 0)] {
        let delay = base_delay(&fabric, &routes, HostId(a), HostId(b), 1_500);
        assert_eq!(delay, Time::MAX);
    }
}

#[test]
fn failed_links_keep_their_ports_and_leave_the_groups() {
    let mut fabric = leaf_spine(3, 3, 2, 1).build().unwrap();
    let link = fabric.cables_named("leaf0-spine1").unwrap()[0];
    fabric.set_cable_up(link, false);
    let routes = Routes::compute(&fabric).unwrap();
    let ports = |node, dst| {
        routes
            .group(NodeId(node), TorId(dst))
            .unwrap()
            .ports
            .clone()
    };
    assert_eq!(ports(0, 1), [PortId(2), PortId(4)]);
    // A port towards a leaf that spine 1 can't reach directly any more: down to another leaf and up again.
    assert_eq!(ports(4, 0), [PortId(1), PortId(2)]);
    assert_eq!(routes.hops(NodeId(4), TorId(0)), Some(3));
    // Leaf 1 goes to leaf 0 by the two other spines only.
    assert_eq!(ports(1, 0), [PortId(2), PortId(4)]);
    assert_eq!(ports(1, 2), [PortId(2), PortId(3), PortId(4)]);
}

#[test]
fn a_line_of_switches_too_long_to_count_is_refused() {
    let line = |length: u32| {
        let mut assembly = Assembly::default();
        let role = |i| if i == 0 { Role::Leaf } else { Role::Spine };
        let nodes: Vec<NodeId> = (0..length)
            .map(|i| assembly.switch(format!("s{i}"), role(i)).unwrap())
            .collect();
        let cable =
            Cable::between_switches(Rate::from_gbps(10), Time::from_ns(100), Bytes::new(100_000));
        for pair in nodes.windows(2) {
            assembly.trunk(pair[0], pair[1], 1, cable).unwrap();
        }
        Routes::compute(&assembly.finish())
    };
    let routes = line(255).unwrap();
    assert_eq!(routes.hops(NodeId(254), TorId(0)), Some(254));
    let error = line(256).unwrap_err().to_string();
    assert!(
        error.starts_with("routes = s255 -> s0: the path has 255 hops"),
        "{error}"
    );
}

#[test]
fn idle_round_trip_is_summed_link_by_link() {
    let fabric = leaf_spine(2, 2, 2, 1).build().unwrap();
    let routes = Routes::compute(&fabric).unwrap();
    // 1538 B last 1230.4 ns at 10 Gbps and 307.6 ns at 40 Gbps; 84 B last 67.2 ns and 16.8 ns.
    let there = 2 * 1_230_400 + 2 * 307_600 + 2 * 500_000 + 2 * 200_000;
    let back = 2 * 67_200 + 2 * 16_800 + 2 * 500_000 + 2 * 200_000;
    let rtt = base_rtt(&fabric, &routes, HostId(0), HostId(3), 1_538, 84);
    assert_eq!(rtt, Time::from_ps(there + back));
    // Under one leaf: two host links each way.
    let near = base_rtt(&fabric, &routes, HostId(0), HostId(1), 1_538, 84);
    assert_eq!(near, Time::from_ps(2 * (1_230_400 + 67_200) + 4 * 500_000));
}

#[test]
fn idle_delay_is_that_of_the_fastest_shortest_path() {
    let mut fabric = leaf_spine(2, 2, 1, 1).build().unwrap();
    let routes = Routes::compute(&fabric).unwrap();
    let before = base_delay(&fabric, &routes, HostId(0), HostId(1), 1_500);
    let slow = fabric.uplinks_of(TorId(0)).next().unwrap();
    fabric.links[slow.index()].rate = Rate::from_gbps(1);
    assert_eq!(
        base_delay(&fabric, &routes, HostId(0), HostId(1), 1_500),
        before
    );
    let other = fabric.uplinks_of(TorId(0)).nth(1).unwrap();
    fabric.links[other.index()].delay = Time::from_us(3);
    let slower = before + Time::from_ns(2_800);
    assert_eq!(
        base_delay(&fabric, &routes, HostId(0), HostId(1), 1_500),
        slower
    );
}

#[test]
fn each_direction_of_a_cable_counts_for_itself() {
    // Leaf 0 can't send to spine 1 any more, but spine 1 still sends to leaf 0.
    let mut fabric = leaf_spine(2, 2, 1, 1).build().unwrap();
    fabric.switches[0].ports.pop();
    let routes = Routes::compute(&fabric).unwrap();
    assert_eq!(routes.path_count(&fabric, TorId(0), TorId(1)), 1);
    assert_eq!(routes.path_count(&fabric, TorId(1), TorId(0)), 2);
}

#[test]
fn idle_delay_takes_the_links_of_both_hosts() {
    let mut fabric = leaf_spine(2, 1, 1, 1).build().unwrap();
    let routes = Routes::compute(&fabric).unwrap();
    let delay = |fabric: &Fabric| base_delay(fabric, &routes, HostId(0), HostId(1), 1_500);
    let before = delay(&fabric);
    let (up, down) = (fabric.hosts[0].uplink, fabric.hosts[1].downlink);
    fabric.links[up.index()].delay = Time::from_ns(600);
    fabric.links[down.index()].delay = Time::from_ns(503);
    assert_eq!(delay(&fabric), before + Time::from_ns(103));
}
