//! What a link and an ended flow occupy.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use closlab_balance::Balancer;
use closlab_balance::registry::{Visitor, dispatch};
use closlab_engine::{Network, Packet, SwitchSetup};
use closlab_fabric::Routes;
use closlab_transport::Segment;
use closlab_units::{FlowId, HostId, Time};
use common::{scenario, simulate};

/// Bytes a link of the 48 x 48 x 48 fabric: at rest, and after every host has sent a window of ten packets.
struct LinkMemory;

impl Visitor for LinkMemory {
    type Output = [f64; 2];

    fn visit<B: Balancer + Send>(self) -> [f64; 2] {
        let scenario = scenario("[fabric]\nleaves = 48\nspines = 48\nhosts_per_leaf = 48\n");
        let fabric = scenario.build_fabric().unwrap();
        let routes = Routes::compute(&fabric).unwrap();
        let setup = SwitchSetup {
            seed: 1,
            engines: 1,
            delayed_visibility: true,
            ecn_threshold: None,
            scheme_values: &B::MANUAL.defaults(),
        };
        let mut net: Network<B> = Network::new(&fabric, &routes, &setup);
        let per_link =
            |net: &Network<B>| net.link_memory_bytes() as f64 / fabric.links.len() as f64;
        let rest = per_link(&net);
        let hosts = fabric.hosts.len() as u32;
        for src in 0..hosts {
            let mut packet = Packet::new(
                &closlab_balance::Header {
                    src,
                    dst: (src + 1_000) % hosts,
                    hash: src,
                    sport: 0,
                    dport: 0,
                    size: 0,
                    payload: 0,
                    dst_tor: 0,
                    flags: closlab_units::TcpFlags(0),
                    ecn: closlab_units::Ecn::NotEct,
                    tag: [0; 8],
                },
                FlowId(src),
                &Segment {
                    len: 1_460,
                    ..Segment::default()
                },
            );
            packet.header.dst_tor = fabric.hosts[packet.header.dst as usize].tor.0;
            for _ in 0..10 {
                net.inject(HostId(src), &packet);
            }
        }
        while net.advance(Time::from_ms(1)).is_some() {}
        [rest, per_link(&net)]
    }
}

#[test]
fn a_link_takes_less_than_a_kilobyte() {
    let [rest, used] = dispatch("random-packet", LinkMemory).unwrap();
    println!("bytes a link: {rest:.0} at rest, {used:.0} after ten packets from every host");
    assert!(rest < 1_000.0 && used < 1_000.0, "{rest} {used}");
}

#[test]
fn an_ended_flow_takes_less_than_200_bytes() {
    let records = simulate(
        "[workload]\nsizes = \"fixed\"\nsize = \"1KB\"\nload = 0.2\n\
         [measure]\nwarmup = \"0ms\"\nwindow = \"20ms\"\n",
    );
    let flows = records.flows.len();
    assert!(flows > 5_000);
    let columns = records.flows.into_columns();
    let bytes: usize = columns
        .iter()
        .map(|(_, column)| column.capacity_bytes())
        .sum();
    // And four bytes to find the connection of a flow under way.
    let each = bytes as f64 / flows as f64 + 4.0;
    println!("bytes an ended flow: {each:.0}");
    assert!(each < 200.0, "{each}");
}
