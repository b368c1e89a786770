//! VL2 (Greenberg et al., SIGCOMM 2009), as DRILL runs it (section 4, Fig. 10).

use super::checks::{LINKS, PORTS, check_buffer, check_counts, check_limits, check_link};
use crate::assembly::{Assembly, Cable};
use crate::error::FabricError;
use crate::fabric::{Fabric, Role};
use closlab_units::{Bytes, Rate, Time};

/// ToRs with two uplinks each, and "a Clos network between its Aggregation and Intermediate switches" (DRILL,
/// section 2): every aggregate switch connects to every intermediate one.
///
/// DRILL Fig. 10 has 16 ToRs of 20 hosts, 8 aggregate and 4 intermediate switches: VL2's own formula, `D_A D_I / 4`
/// ToRs under `D_I` aggregate and `D_A / 2` intermediate switches, with `D_A = D_I = 8`. Which two aggregate switches a
/// ToR has DRILL does not say: here they are paired, 0 with 1, 2 with 3, and each pair takes an equal block of
/// consecutive ToRs, which loads all of them evenly. All switches are called as in the papers, `tor5`, `aggregate2` and
/// `intermediate3`; the latter have the role [`Core`](crate::Role::Core).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vl2 {
    /// Number of ToR switches.
    pub tors: u32,
    /// Number of aggregate switches; even.
    pub aggregates: u32,
    /// Number of intermediate switches.
    pub intermediates: u32,
    /// Hosts under each ToR.
    pub hosts_per_tor: u32,
    /// Rate of every host's cable.
    pub host_rate: Rate,
    /// Rate of every cable between switches: "core links are 10Gbps" (DRILL, section 4). ToR uplinks have
    /// the same: two of 10 Gbps carry DRILL's 20 hosts of 1 Gbps without oversubscription.
    pub link_rate: Rate,
    /// One-way propagation delay of a host's cable.
    pub host_delay: Time,
    /// One-way propagation delay of a cable between switches.
    pub link_delay: Time,
    /// Room of every switch output queue, including the packet in transmission.
    pub buffer: Bytes,
    /// Room of a host's output queue, including the packet in transmission.
    pub nic_buffer: Bytes,
}

/// Every ToR has two, each to another aggregate switch (VL2, section 4.1).
const UPLINKS: u32 = 2;

impl Vl2 {
    /// Builds the fabric, or names the first field that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        self.validate()?;
        let mut assembly = Assembly::default();
        let tors = assembly.tier(Role::Leaf, (0..self.tors).map(|i| format!("tor{i}")))?;
        let aggregates = assembly.tier(
            Role::Aggregation,
            (0..self.aggregates).map(|i| format!("aggregate{i}")),
        )?;
        let intermediates = assembly.tier(
            Role::Core,
            (0..self.intermediates).map(|i| format!("intermediate{i}")),
        )?;
        let host = Cable {
            rate: self.host_rate,
            delay: self.host_delay,
            near_buffer: self.nic_buffer,
            far_buffer: self.buffer,
        };
        let link = Cable::between_switches(self.link_rate, self.link_delay, self.buffer);
        assembly.hosts(self.hosts_per_tor, host)?;
        let pairs = aggregates.len() / UPLINKS as usize;
        for (i, &tor) in tors.iter().enumerate() {
            let pair = i * pairs / tors.len();
            for &aggregate in aggregates.iter().skip(2 * pair).take(UPLINKS as usize) {
                assembly.trunk(tor, aggregate, 1, link)?;
            }
        }
        for &aggregate in &aggregates {
            for &intermediate in &intermediates {
                assembly.trunk(aggregate, intermediate, 1, link)?;
            }
        }
        Ok(assembly.finish())
    }

    fn validate(&self) -> Result<(), FabricError> {
        let counts = [
            ("tors", self.tors),
            ("aggregates", self.aggregates),
            ("intermediates", self.intermediates),
            ("hosts_per_tor", self.hosts_per_tor),
        ];
        check_counts(&counts, "a VL2 network")?;
        if !self.aggregates.is_multiple_of(UPLINKS) {
            return Err(FabricError::new(
                "aggregates",
                self.aggregates,
                "each ToR connects to a pair of aggregate switches",
                "write an even number, such as 8",
            ));
        }
        let [tors, aggregates, intermediates, hosts] = counts.map(|(_, count)| u128::from(count));
        let uplinks = u128::from(UPLINKS);
        let under_pair = (tors * uplinks).div_ceil(aggregates);
        let cables = tors * (hosts + uplinks) + aggregates * intermediates;
        let per_tor = self.hosts_per_tor;
        check_limits(&[
            ("tors", self.tors, "ToRs", tors, PORTS),
            (
                "hosts_per_tor",
                per_tor,
                "ports on a ToR",
                hosts + uplinks,
                PORTS,
            ),
            (
                "intermediates",
                self.intermediates,
                "ports on an aggregate switch",
                under_pair + intermediates,
                PORTS,
            ),
            (
                "aggregates",
                self.aggregates,
                "ports on an intermediate switch",
                aggregates,
                PORTS,
            ),
            (
                "hosts_per_tor",
                per_tor,
                "directed links",
                2 * cables,
                LINKS,
            ),
        ])?;
        check_link("host_rate", self.host_rate, "host_delay", self.host_delay)?;
        check_link("link_rate", self.link_rate, "link_delay", self.link_delay)?;
        check_buffer("buffer", self.buffer, self.host_rate.min(self.link_rate))?;
        check_buffer("nic_buffer", self.nic_buffer, self.host_rate)
    }
}
