//! Queues against queueing theory.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use closlab_balance::Balancer;
use closlab_balance::registry::{Visitor, dispatch};
use closlab_engine::{Network, Packet, SwitchSetup};
use closlab_fabric::{Fabric, LeafSpine, Routes};
use closlab_transport::Segment;
use closlab_units::rng::{Purpose, Rng};
use closlab_units::{Bytes, FlowId, HostId, PortId, Rate, Time};

const PACKET: u16 = 1_538;
/// Time on the 10 Gbps bottleneck.
const SERVICE_PS: f64 = 1_230_400.0;

/// One host each side of one 10 Gbps path, with network cards 800 times faster: the leaf's uplink is the only
/// queue.
fn bottleneck() -> Fabric {
    LeafSpine {
        leaves: 2,
        spines: 1,
        hosts_per_leaf: 1,
        links_per_pair: 1,
        host_rate: Rate::from_gbps(8_000),
        uplink_rate: Rate::from_gbps(10),
        host_delay: Time::from_us(1),
        uplink_delay: Time::from_us(1),
        buffer: Bytes::new(1 << 40),
        nic_buffer: Bytes::new(1 << 40),
    }
    .build()
    .unwrap()
}

/// Mean time in the uplink's queue, in service times, of Poisson packets at utilisation `load`.
struct MeanWait {
    load: f64,
    seed: u64,
}

impl Visitor for MeanWait {
    type Output = f64;

    fn visit<B: Balancer + Send>(self) -> f64 {
        const WARMUP: u32 = 20_000;
        const MEASURED: u32 = 200_000;
        let fabric = bottleneck();
        let routes = Routes::compute(&fabric).unwrap();
        let setup = SwitchSetup {
            seed: 1,
            engines: 1,
            delayed_visibility: true,
            ecn_threshold: None,
            scheme_values: &B::MANUAL.defaults(),
        };
        let mut net: Network<B> = Network::new(&fabric, &routes, &setup);
        let uplink = fabric.leaf(closlab_units::TorId(0)).ports[PortId(1).index()];
        let mut route = Packet::new(
            &HEADER,
            FlowId(0),
            &Segment {
                len: PACKET - 78,
                ..Segment::default()
            },
        );
        route.header.dst = 1;
        route.header.dst_tor = 1;
        let mut rng = Rng::stream(self.seed, Purpose::Test, 0);
        let mut at = 0.0;
        let mut before = net.link_counters(uplink);
        for packet in 0..WARMUP + MEASURED {
            if packet == WARMUP {
                before = net.link_counters(uplink);
            }
            at -= libm::log(rng.unit_f64()) * SERVICE_PS / self.load;
            while net.advance(Time::from_ps(at as u64)).is_some() {}
            net.inject(HostId(0), &route);
        }
        let after = net.link_counters(uplink);
        let wait = (after.wait_ps - before.wait_ps) as f64;
        wait / (after.packets - before.packets) as f64 / SERVICE_PS
    }
}

const HEADER: closlab_balance::Header = closlab_balance::Header {
    src: 0,
    dst: 0,
    hash: 0,
    sport: 0,
    dport: 0,
    size: 0,
    payload: 0,
    dst_tor: 0,
    flags: closlab_units::TcpFlags(0),
    ecn: closlab_units::Ecn::NotEct,
    tag: [0; 8],
};

/// Pollaczek and Khinchine: the mean wait in an M/D/1 queue is rho / (2 (1 - rho)) service times.
#[test]
fn mean_queueing_delay_is_that_of_an_md1_queue() {
    const SEEDS: u64 = 20;
    /// Student's t, 19 degrees of freedom, 99.9 % two-sided.
    const T: f64 = 3.883;
    for load in [0.5, 0.8, 0.95] {
        let waits: Vec<f64> = (1..=SEEDS)
            .map(|seed| dispatch("ecmp", MeanWait { load, seed }).unwrap())
            .collect();
        let n = SEEDS as f64;
        let mean = waits.iter().sum::<f64>() / n;
        let variance = waits.iter().map(|wait| (wait - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = T * (variance / n).sqrt();
        let theory = load / (2.0 * (1.0 - load));
        println!("M/D/1 load {load}: {mean:.4} +- {half:.4} service times, theory {theory:.4}");
        assert!(
            (mean - theory).abs() <= half,
            "load {load}: {mean} +- {half}, theory {theory}"
        );
        // The interval must be able to tell a wrong queue: M/M/1 would wait twice as long.
        assert!(half < theory / 10.0, "load {load}: interval too wide");
    }
}
