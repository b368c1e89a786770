//! The network by itself: timing by hand, and a balancer that uses every hook.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use closlab_balance::{Balancer, Header, Ingress, Manual, PathGroup, SwitchConfig, SwitchView};
use closlab_engine::{Network, Packet, SwitchSetup};
use closlab_fabric::{Fabric, LeafSpine, Routes};
use closlab_transport::Segment;
use closlab_units::{Bytes, Ecn, FlowId, HostId, PortId, Rate, TcpFlags, Time};

/// Counts hops in the tag, sends everything to the last port, and absorbs packets to port 9.
#[derive(Debug)]
struct Toy {
    decisions: u64,
}

impl Balancer for Toy {
    const MANUAL: Manual = Manual {
        name: "toy",
        summary: "",
        description: "",
        published: "",
        params: &[],
        state: "",
        state_bits: |_, _| 0,
    };

    fn new(_config: &SwitchConfig, _values: &[u64]) -> Toy {
        Toy { decisions: 0 }
    }

    fn ingress(
        &mut self,
        view: &mut impl SwitchView,
        port: PortId,
        packet: &mut Header,
    ) -> Ingress {
        packet.tag[0] += 1;
        packet.tag[1] = port.0 as u8;
        packet.tag[2] = view.queue_bytes(port) as u8;
        if packet.dport == 9 {
            Ingress::Absorb
        } else {
            Ingress::Forward
        }
    }

    fn choose(
        &mut self,
        _view: &mut impl SwitchView,
        _packet: &mut Header,
        group: PathGroup<'_>,
    ) -> PortId {
        self.decisions += 1;
        group.ports[group.ports.len() - 1]
    }

    fn egress(&mut self, view: &mut impl SwitchView, port: PortId, packet: &mut Header) {
        packet.tag[3] += 10;
        packet.tag[4] = port.0 as u8;
        packet.tag[5] = view.engine() as u8;
    }

    fn decisions(&self) -> u64 {
        self.decisions
    }
}

fn fabric() -> Fabric {
    LeafSpine {
        leaves: 2,
        spines: 3,
        hosts_per_leaf: 2,
        links_per_pair: 1,
        host_rate: Rate::from_gbps(10),
        uplink_rate: Rate::from_gbps(40),
        host_delay: Time::from_us(1),
        uplink_delay: Time::from_us(2),
        buffer: Bytes::new(10_000),
        nic_buffer: Bytes::new(10_000),
    }
    .build()
    .unwrap()
}

fn network(fabric: &Fabric) -> Network<Toy> {
    let routes = Routes::compute(fabric).unwrap();
    let setup = SwitchSetup {
        seed: 1,
        engines: 2,
        delayed_visibility: true,
        ecn_threshold: None,
        scheme_values: &[],
    };
    Network::new(fabric, &routes, &setup)
}

fn packet(dst: u32, dst_tor: u16, dport: u16) -> Packet {
    let header = Header {
        src: 0,
        dst,
        hash: 0,
        sport: 1,
        dport,
        size: 0,
        payload: 0,
        dst_tor,
        flags: TcpFlags(0),
        ecn: Ecn::NotEct,
        tag: [0; 8],
    };
    Packet::new(
        &header,
        FlowId(0),
        &Segment {
            len: 1_460,
            ..Segment::default()
        },
    )
}

#[test]
fn a_packet_arrives_when_arithmetic_says_so() {
    let fabric = fabric();
    let mut net = network(&fabric);
    net.inject(HostId(0), &packet(3, 1, 80));
    let delivery = net.advance(Time::from_ms(1)).unwrap();
    // 1538 B: 1230.4 ns at 10 Gbps, 307.6 ns at 40 Gbps; 1 us to and from hosts, 2 us to and from the spine.
    let expected = 2 * (1_230_400 + 1_000_000) + 2 * (307_600 + 2_000_000);
    assert_eq!(net.now(), Time::from_ps(expected));
    assert_eq!((delivery.host, delivery.packet.header.dst), (HostId(3), 3));
    assert!(net.advance(Time::from_ms(2)).is_none());
    assert_eq!(net.now(), Time::from_ms(2));
    assert_eq!(net.flux().packet_hops, 4);
}

#[test]
fn hooks_see_every_switch_and_the_choice_is_obeyed() {
    let fabric = fabric();
    let mut net = network(&fabric);
    net.inject(HostId(1), &packet(2, 1, 80));
    let tag = net.advance(Time::from_ms(1)).unwrap().packet.header.tag;
    // Leaf, spine, leaf: three times in and out. The last leaf got it from spine 2 (its port 4) on engine 1
    // (ports 3 and 4 of 5) and sent it to its first host.
    assert_eq!(tag[..6], [3, 4, 0, 30, 0, 1]);
    // The leaf has two host ports; its last uplink leads to spine 2.
    let chosen = fabric.leaf(closlab_units::TorId(0)).ports[4];
    assert_eq!(net.link_counters(chosen).packets, 1);
}

#[test]
fn an_absorbed_packet_ends_at_the_switch_and_is_accounted_for() {
    let fabric = fabric();
    let mut net = network(&fabric);
    net.inject(HostId(0), &packet(3, 1, 9));
    assert!(net.advance(Time::from_ms(1)).is_none());
    let flux = net.flux();
    assert_eq!(
        (
            flux.injected_packets,
            flux.delivered_packets,
            flux.packet_hops
        ),
        (1, 1, 1)
    );
}
