//! What the builders and the control plane promise.

mod asymmetry;
mod builders;
mod describe;
mod figures;
mod file;
mod golden;
mod leaf_spine;
mod properties;
mod routes;
mod scale;

use crate::{LeafSpine, ThreeTierClos};
use closlab_units::{Bytes, Rate, Time};

/// `leaves` x `spines` with `hosts` under each leaf and `parallel` cables; 10 and 40 Gbps.
fn leaf_spine(leaves: u32, spines: u32, hosts: u32, parallel: u32) -> LeafSpine {
    LeafSpine {
        leaves,
        spines,
        hosts_per_leaf: hosts,
        links_per_pair: parallel,
        host_rate: Rate::from_gbps(10),
        uplink_rate: Rate::from_gbps(40),
        host_delay: Time::from_ns(500),
        uplink_delay: Time::from_ns(200),
        buffer: Bytes::new(500_000),
        nic_buffer: Bytes::new(2_000_000),
    }
}

/// Expeditus' p, r, n and m, with `hosts` under each ToR; 10 Gbps everywhere.
fn three_tier(p: u32, r: u32, n: u32, m: u32, hosts: u32) -> ThreeTierClos {
    let (rate, delay) = (Rate::from_gbps(10), Time::from_ns(500));
    ThreeTierClos {
        pods: p,
        tors_per_pod: r,
        aggregations_per_pod: n,
        cores_per_plane: m,
        hosts_per_tor: hosts,
        host_rate: rate,
        tor_rate: rate,
        core_rate: rate,
        host_delay: delay,
        tor_delay: delay,
        core_delay: delay,
        buffer: Bytes::new(150_000),
        nic_buffer: Bytes::new(1_500_000),
    }
}
