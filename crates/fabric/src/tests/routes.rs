//! Equal-cost groups, path counts and idle delays against closed forms.

use super::leaf_spine;
use crate::assembly::{Assembly, Cable};
use crate::{Endpoint, Fabric, LOCAL, Role, Routes, base_delay, base_rtt};
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

/// A k-ary fat-tree (Al-Fares et al., SIGCOMM 2008) without hosts: k pods of k/2 edge and k/2 aggregation
/// switches, (k/2)^2 cores. The roles above the edge do not matter to routing.
fn fat_tree(k: usize) -> Fabric {
    let half = k / 2;
    let cable = Cable {
        rate: Rate::from_gbps(10),
        delay: Time::from_ns(100),
        near_buffer: Bytes::new(100_000),
        far_buffer: Bytes::new(100_000),
    };
    let mut assembly = Assembly::default();
    let mut add = |count: usize, role: Role| -> Vec<Endpoint> {
        let node = |i| Endpoint::Switch(assembly.switch(format!("{role:?}{i}"), role).unwrap());
        (0..count).map(node).collect()
    };
    let edges = add(k * half, Role::Leaf);
    let aggregations = add(k * half, Role::Spine);
    let cores = add(half * half, Role::Spine);
    for pod in 0..k {
        for i in 0..half {
            for j in 0..half {
                let (edge, aggregation) = (edges[pod * half + i], aggregations[pod * half + j]);
                assembly.connect(edge, aggregation, cable).unwrap();
                let core = cores[i * half + j];
                assembly
                    .connect(aggregations[pod * half + i], core, cable)
                    .unwrap();
            }
        }
    }
    assembly.finish()
}

#[test]
fn three_tiers_are_routed_by_the_same_search() {
    for k in [4, 6, 8] {
        let fabric = fat_tree(k);
        let routes = Routes::compute(&fabric).unwrap();
        let half = k as u64 / 2;
        let other_pod = TorId(k as u16 / 2);
        assert_eq!(routes.path_count(&fabric, TorId(0), TorId(1)), half);
        assert_eq!(routes.hops(NodeId(0), TorId(1)), Some(2));
        assert_eq!(routes.path_count(&fabric, TorId(0), other_pod), half * half);
        assert_eq!(routes.hops(NodeId(0), other_pod), Some(4));
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
