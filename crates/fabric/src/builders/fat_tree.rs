//! The k-ary fat-tree of Al-Fares et al. (SIGCOMM 2008), "a special case of the 3-tier Clos" (Expeditus,
//! section 2.2).

use super::pods::{Names, Pods, Tier};
use crate::error::FabricError;
use crate::fabric::Fabric;
use closlab_units::{Bytes, Rate, Time};

/// k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 core switches, k/2 hosts under each edge switch; all
/// links are alike. The 12-pod fat-tree has 432 hosts and 36 cores (Expeditus, section 5.1).
///
/// With fewer cores or more hosts it is a [`ThreeTierClos`](super::ThreeTierClos). Switches are called `edge1.0`,
/// `agg1.0` (pod, position) and `core0.2` (plane, position), and numbered in that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FatTree {
    /// Ports of every switch; even.
    pub k: u32,
    /// Rate of every cable.
    pub rate: Rate,
    /// One-way propagation delay of a host's cable.
    pub host_delay: Time,
    /// One-way propagation delay of a cable between switches.
    pub link_delay: Time,
    /// Room of every switch output queue, including the packet in transmission.
    pub buffer: Bytes,
    /// Room of a host's output queue, including the packet in transmission.
    pub nic_buffer: Bytes,
}

impl FatTree {
    /// Builds the fabric, or names the first field that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        if self.k == 0 || !self.k.is_multiple_of(2) {
            return Err(FabricError::new(
                "k",
                self.k,
                "half of a switch's ports lead up and half lead down",
                "write an even number of at least 2, such as 12",
            ));
        }
        let half = ("k", self.k / 2);
        let tier = |delay_field, delay| Tier {
            rate_field: "rate",
            rate: self.rate,
            delay_field,
            delay,
        };
        let between = tier("link_delay", self.link_delay);
        Pods {
            what: "a fat-tree",
            pods: ("k", self.k),
            tors: half,
            aggregations: half,
            cores: half,
            hosts: half,
            host_tier: tier("host_delay", self.host_delay),
            tor_tier: between,
            core_tier: between,
            buffer: self.buffer,
            nic_buffer: self.nic_buffer,
            names: Names {
                tor: |pod, i, _| format!("edge{pod}.{i}"),
                aggregation: |pod, i, _| format!("agg{pod}.{i}"),
                core: |plane, i, _| format!("core{plane}.{i}"),
            },
        }
        .build()
    }
}
