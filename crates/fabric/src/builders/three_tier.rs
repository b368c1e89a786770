//! The general three-tier Clos of Expeditus (section 2.2, Fig. 1).

use super::pods::{Names, Pods, Tier};
use crate::error::FabricError;
use crate::fabric::Fabric;
use crate::fraction::reduced;
use closlab_units::{Bytes, Rate, Time};

/// Expeditus Fig. 1: pods of ToRs, each connected to all aggregation switches of its pod; aggregation switch `i`
/// of every pod belongs to core plane `i` and connects to all core switches of that plane.
///
/// The paper's `t_2^3`, the second ToR of the third pod, is `tor2.1` here: pod (or plane) before the point,
/// position behind it, both counted from 0. Numbers of switches, hosts and ports follow these names: ToRs, then
/// aggregation switches, then cores; a ToR's ports are its hosts, then its aggregation switches; an aggregation
/// switch's its ToRs, then its cores; a core's go by pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreeTierClos {
    /// The paper's p.
    pub pods: u32,
    /// ToR switches in each pod, the paper's r.
    pub tors_per_pod: u32,
    /// Aggregation switches in each pod, and so core planes: the paper's n.
    pub aggregations_per_pod: u32,
    /// Core switches in each plane, the paper's m.
    pub cores_per_plane: u32,
    /// Hosts under each ToR.
    pub hosts_per_tor: u32,
    /// Rate of every host's cable.
    pub host_rate: Rate,
    /// Rate of every cable between a ToR and an aggregation switch.
    pub tor_rate: Rate,
    /// Rate of every cable between an aggregation switch and a core.
    pub core_rate: Rate,
    /// One-way propagation delay of a host's cable.
    pub host_delay: Time,
    /// One-way propagation delay of a cable between a ToR and an aggregation switch.
    pub tor_delay: Time,
    /// One-way propagation delay of a cable between an aggregation switch and a core.
    pub core_delay: Time,
    /// Room of every switch output queue, including the packet in transmission.
    pub buffer: Bytes,
    /// Room of a host's output queue, including the packet in transmission.
    pub nic_buffer: Bytes,
}

impl ThreeTierClos {
    /// Builds the fabric, or names the first field that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        self.wiring().build()
    }

    /// Host capacity to uplink capacity of a ToR, as a reduced fraction: `(2, 1)` is "oversubscribed 2:1".
    ///
    /// Errors are those of [`ThreeTierClos::build`].
    pub fn tor_oversubscription(&self) -> Result<(u64, u64), FabricError> {
        self.wiring().validate()?;
        let hosts = u64::from(self.hosts_per_tor) * self.host_rate.bps();
        Ok(reduced(hosts, self.tor_uplinks()))
    }

    /// Capacity from an aggregation switch to its ToRs to that to its cores, as a reduced fraction (Expeditus,
    /// section 2.2: 48 ToRs and 12 of 48 possible cores are 4:1).
    ///
    /// Errors are those of [`ThreeTierClos::build`].
    pub fn core_oversubscription(&self) -> Result<(u64, u64), FabricError> {
        self.wiring().validate()?;
        let cores = u64::from(self.cores_per_plane) * self.core_rate.bps();
        Ok(reduced(self.aggregation_downlinks(), cores))
    }

    /// The same fabric with as many hosts under each ToR as oversubscribe it `ratio`:1: "the ToR tier is
    /// oversubscribed with more hosts" (Expeditus, section 5.4).
    pub fn with_tor_oversubscription(self, ratio: u32) -> Result<ThreeTierClos, FabricError> {
        self.wiring().validate()?;
        let hosts = exactly(
            u128::from(self.tor_uplinks()) * u128::from(ratio),
            u128::from(self.host_rate.bps()),
        )
        .ok_or_else(|| unequal("tor_oversubscription", ratio, "hosts under a ToR"))?;
        Ok(ThreeTierClos {
            hosts_per_tor: hosts,
            ..self
        })
    }

    /// The same fabric with as few cores in each plane as oversubscribe it `ratio`:1: "we vary the number of core
    /// switches to obtain different oversubscription ratios at the core tier" (Expeditus, section 5.1).
    pub fn with_core_oversubscription(self, ratio: u32) -> Result<ThreeTierClos, FabricError> {
        self.wiring().validate()?;
        let cores = exactly(
            u128::from(self.aggregation_downlinks()),
            u128::from(self.core_rate.bps()) * u128::from(ratio),
        )
        .ok_or_else(|| unequal("core_oversubscription", ratio, "cores in a plane"))?;
        Ok(ThreeTierClos {
            cores_per_plane: cores,
            ..self
        })
    }

    /// At most 65,536 ports of 8 Tbps once validated: 5.3e17, well within 64 bits.
    fn tor_uplinks(&self) -> u64 {
        u64::from(self.aggregations_per_pod) * self.tor_rate.bps()
    }

    fn aggregation_downlinks(&self) -> u64 {
        u64::from(self.tors_per_pod) * self.tor_rate.bps()
    }

    fn wiring(&self) -> Pods {
        let tier = |rate_field, rate, delay_field, delay| Tier {
            rate_field,
            rate,
            delay_field,
            delay,
        };
        Pods {
            what: "a three-tier Clos",
            pods: ("pods", self.pods),
            tors: ("tors_per_pod", self.tors_per_pod),
            aggregations: ("aggregations_per_pod", self.aggregations_per_pod),
            cores: ("cores_per_plane", self.cores_per_plane),
            hosts: ("hosts_per_tor", self.hosts_per_tor),
            host_tier: tier("host_rate", self.host_rate, "host_delay", self.host_delay),
            tor_tier: tier("tor_rate", self.tor_rate, "tor_delay", self.tor_delay),
            core_tier: tier("core_rate", self.core_rate, "core_delay", self.core_delay),
            buffer: self.buffer,
            nic_buffer: self.nic_buffer,
            names: Names {
                tor: |pod, i, _| format!("tor{pod}.{i}"),
                aggregation: |pod, i, _| format!("agg{pod}.{i}"),
                core: |plane, i, _| format!("core{plane}.{i}"),
            },
        }
    }
}

/// The quotient, if it is a whole number of at least one that fits a count.
fn exactly(dividend: u128, divisor: u128) -> Option<u32> {
    let whole = divisor != 0 && dividend.is_multiple_of(divisor);
    let quotient = if whole { dividend / divisor } else { 0 };
    u32::try_from(quotient).ok().filter(|&count| count > 0)
}

fn unequal(field: &str, ratio: u32, what: &str) -> FabricError {
    FabricError::new(
        field,
        ratio,
        format!("no whole number of {what} gives {ratio}:1"),
        format!("write the number of {what} instead, or a ratio that divides evenly"),
    )
}
