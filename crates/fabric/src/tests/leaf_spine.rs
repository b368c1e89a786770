//! The leaf-spine builder: order of ports, names, refusals.

use super::leaf_spine;
use crate::{Endpoint, LeafSpine, Role};
use closlab_units::{Bytes, HostId, LinkId, NodeId, PortId, Rate, Time, TorId};

#[test]
fn ports_go_by_host_then_spine_then_parallel_cable() {
    let fabric = leaf_spine(2, 2, 3, 2).build().unwrap();
    assert_eq!((fabric.hosts.len(), fabric.switches.len()), (6, 4));
    assert_eq!(fabric.links.len(), 2 * (6 + 2 * 2 * 2));
    assert_eq!(fabric.tors, [NodeId(0), NodeId(1)]);
    let named = |node: u32| {
        let ports = fabric.switch(NodeId(node)).ports.iter();
        ports
            .map(|&link| fabric.link_name(link))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        named(1),
        [
            "leaf1->host3",
            "leaf1->host4",
            "leaf1->host5",
            "leaf1->spine0#0",
            "leaf1->spine0#1",
            "leaf1->spine1#0",
            "leaf1->spine1#1",
        ]
    );
    assert_eq!(
        named(3),
        [
            "spine1->leaf0#0",
            "spine1->leaf0#1",
            "spine1->leaf1#0",
            "spine1->leaf1#1"
        ]
    );
    assert_eq!(fabric.switch(NodeId(1)).tor, Some(TorId(1)));
    assert_eq!(fabric.switch(NodeId(3)).tor, None);
    assert_eq!(fabric.switch(NodeId(3)).role, Role::Spine);
    assert_eq!(fabric.host_port(HostId(4)), PortId(1));
    assert_eq!(fabric.host(HostId(4)).tor, TorId(1));
    assert_eq!(
        fabric.hosts_of(TorId(1)).collect::<Vec<_>>(),
        [3, 4, 5].map(HostId)
    );
    assert_eq!(fabric.uplink_capacity(TorId(0)), 160_000_000_000);
    assert_eq!(
        fabric.link_name(fabric.host(HostId(4)).uplink),
        "host4->leaf1"
    );
}

#[test]
fn single_cables_have_no_index_in_their_name() {
    let fabric = leaf_spine(2, 2, 1, 1).build().unwrap();
    let up = fabric.uplinks_of(TorId(0)).nth(1).unwrap();
    assert_eq!(fabric.link_name(up), "leaf0->spine1");
    assert_eq!(fabric.link_name(fabric.reverse(up)), "spine1->leaf0");
}

#[test]
fn buffers_belong_to_the_sending_end() {
    let fabric = leaf_spine(2, 1, 1, 1).build().unwrap();
    for (id, link) in fabric.links.iter().enumerate() {
        let nic = matches!(link.from, Endpoint::Host(_));
        let expected = if nic { 2_000_000 } else { 500_000 };
        assert_eq!(
            link.buffer,
            Bytes::new(expected),
            "{}",
            fabric.link_name(LinkId(id as u32))
        );
        let host_side = nic || matches!(link.to, Endpoint::Host(_));
        assert_eq!(link.rate, Rate::from_gbps(if host_side { 10 } else { 40 }));
        assert_eq!(link.delay, Time::from_ns(if host_side { 500 } else { 200 }));
    }
}

#[test]
fn oversubscription_is_a_reduced_fraction() {
    // LetFlow's testbed: 32 hosts of 10 Gbps, 2 spines x 2 x 40 Gbps, "2:1 oversubscription" (section 5.1).
    assert_eq!(leaf_spine(2, 2, 32, 2).oversubscription(), Ok((2, 1)));
    assert_eq!(leaf_spine(2, 4, 16, 1).oversubscription(), Ok((1, 1)));
    assert_eq!(leaf_spine(2, 3, 20, 1).oversubscription(), Ok((5, 3)));
    assert!(leaf_spine(2, 0, 20, 1).oversubscription().is_err());
}

#[test]
fn refusals_name_field_value_and_remedy() {
    let good = leaf_spine(2, 2, 2, 1);
    let cases: [(LeafSpine, &str, &str); 18] = [
        (LeafSpine { leaves: 0, ..good }, "leaves = 0", "at least 1"),
        (LeafSpine { spines: 0, ..good }, "spines = 0", "at least 1"),
        (
            LeafSpine {
                hosts_per_leaf: 0,
                ..good
            },
            "hosts_per_leaf = 0",
            "at least 1",
        ),
        (
            LeafSpine {
                links_per_pair: 0,
                ..good
            },
            "links_per_pair = 0",
            "at least 1",
        ),
        (
            LeafSpine {
                leaves: 65_537,
                ..good
            },
            "leaves = 65537",
            "65536 is the most",
        ),
        (
            LeafSpine {
                hosts_per_leaf: 65_537,
                ..good
            },
            "hosts_per_leaf = 65537",
            "65536 is",
        ),
        (
            LeafSpine {
                hosts_per_leaf: 65_536,
                ..good
            },
            "links_per_pair = 1",
            "65538 ports on a leaf",
        ),
        (
            LeafSpine {
                leaves: 40_000,
                links_per_pair: 2,
                ..good
            },
            "links_per_pair = 2",
            "80000 ports on a spine",
        ),
        (
            LeafSpine {
                leaves: 65_536,
                hosts_per_leaf: 40_000,
                ..good
            },
            "hosts_per_leaf = 40000",
            "directed links",
        ),
        (
            LeafSpine {
                host_rate: Rate::from_bps(0),
                ..good
            },
            "host_rate = 0bps",
            "10Gbps",
        ),
        (
            LeafSpine {
                uplink_rate: Rate::from_gbps(8_001),
                ..good
            },
            "uplink_rate = 8001Gbps",
            "at most 8Tbps",
        ),
        (
            LeafSpine {
                uplink_delay: Time::MAX,
                ..good
            },
            "uplink_delay = ",
            "at most 1s",
        ),
        (
            LeafSpine {
                host_delay: Time::from_ms(1_001),
                ..good
            },
            "host_delay = 1001ms",
            "1s",
        ),
        (
            LeafSpine {
                buffer: Bytes::new(0),
                ..good
            },
            "buffer = 0B",
            "largest packet",
        ),
        (
            LeafSpine {
                nic_buffer: Bytes::new(0),
                ..good
            },
            "nic_buffer = 0B",
            "largest packet",
        ),
        (
            LeafSpine {
                buffer: Bytes::new(u64::MAX),
                ..good
            },
            "buffer = ",
            "smaller buffer",
        ),
        (
            LeafSpine {
                leaves: 1,
                links_per_pair: 40_000,
                ..good
            },
            "links_per_pair = 40000",
            "80002 ports on a leaf",
        ),
        (
            LeafSpine {
                host_rate: Rate::from_bps(1),
                buffer: Bytes::new(10_000_000),
                nic_buffer: Bytes::new(1_000),
                ..good
            },
            "buffer = 10MB",
            "at 1bps",
        ),
    ];
    for (bad, start, part) in cases {
        let error = bad.build().unwrap_err().to_string();
        assert!(
            error.starts_with(start),
            "{error:?} does not start with {start:?}"
        );
        assert!(error.contains(part), "{error:?} does not contain {part:?}");
    }
    assert!(good.build().is_ok());
    let fastest = Rate::from_gbps(8_000);
    assert!(
        LeafSpine {
            uplink_rate: fastest,
            ..good
        }
        .build()
        .is_ok()
    );
}
