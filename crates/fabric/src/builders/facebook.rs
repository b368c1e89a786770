//! The "Clos-based network deployed in Facebook" of DRILL (section 3.4.1, Fig. 5).

use super::pods::{Names, Pods, Tier};
use crate::error::FabricError;
use crate::fabric::Fabric;
use closlab_units::{Bytes, Rate, Time};

/// "A pod consists of a number of server racks and fabric switches. A folded Clos connects ToRs and fabric
/// switches in each pod. Pods are interconnected via spine planes. Each fabric switch of each pod connects to
/// each spine switch within its local plane" (DRILL, section 3.4.1).
///
/// Switches are counted over the whole fabric as in the figure: with 2 pods of 3 racks and 2 fabric switches and
/// 2 spines in each plane its R5, F2 and S3 are `rack5`, `fabric2` and `spine3`. Spines have the role
/// [`Core`](crate::Role::Core).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FacebookFabric {
    /// Number of pods.
    pub pods: u32,
    /// Racks, and so ToRs, in each pod.
    pub racks_per_pod: u32,
    /// Fabric switches in each pod, and so spine planes.
    pub fabric_switches_per_pod: u32,
    /// Spine switches in each plane.
    pub spines_per_plane: u32,
    /// Hosts in each rack.
    pub hosts_per_rack: u32,
    /// Rate of every host's cable.
    pub host_rate: Rate,
    /// Rate of every cable between a ToR and a fabric switch.
    pub rack_rate: Rate,
    /// Rate of every cable between a fabric switch and a spine.
    pub spine_rate: Rate,
    /// One-way propagation delay of a host's cable.
    pub host_delay: Time,
    /// One-way propagation delay of a cable between a ToR and a fabric switch.
    pub rack_delay: Time,
    /// One-way propagation delay of a cable between a fabric switch and a spine.
    pub spine_delay: Time,
    /// Room of every switch output queue, including the packet in transmission.
    pub buffer: Bytes,
    /// Room of a host's output queue, including the packet in transmission.
    pub nic_buffer: Bytes,
}

impl FacebookFabric {
    /// Builds the fabric, or names the first field that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        let tier = |rate_field, rate, delay_field, delay| Tier {
            rate_field,
            rate,
            delay_field,
            delay,
        };
        Pods {
            what: "a Facebook fabric",
            pods: ("pods", self.pods),
            tors: ("racks_per_pod", self.racks_per_pod),
            aggregations: ("fabric_switches_per_pod", self.fabric_switches_per_pod),
            cores: ("spines_per_plane", self.spines_per_plane),
            hosts: ("hosts_per_rack", self.hosts_per_rack),
            host_tier: tier("host_rate", self.host_rate, "host_delay", self.host_delay),
            tor_tier: tier("rack_rate", self.rack_rate, "rack_delay", self.rack_delay),
            core_tier: tier(
                "spine_rate",
                self.spine_rate,
                "spine_delay",
                self.spine_delay,
            ),
            buffer: self.buffer,
            nic_buffer: self.nic_buffer,
            names: Names {
                tor: |pod, i, racks| format!("rack{}", pod * racks + i),
                aggregation: |pod, i, switches| format!("fabric{}", pod * switches + i),
                core: |plane, i, spines| format!("spine{}", plane * spines + i),
            },
        }
        .build()
    }
}
