//! What the builders and the control plane promise.

mod leaf_spine;
mod properties;
mod routes;
mod scale;

use crate::LeafSpine;
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
