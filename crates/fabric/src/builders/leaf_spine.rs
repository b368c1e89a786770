//! The two-tier Clos: every leaf is connected to every spine.

use super::checks::{LINKS, PORTS, check_buffer, check_counts, check_limits, check_link};
use crate::assembly::{Assembly, Cable};
use crate::error::FabricError;
use crate::fabric::{Fabric, Role};
use crate::fraction::reduced;
use closlab_units::{Bytes, Rate, Time};

/// A leaf-spine fabric (two-tier folded Clos) with equal leaves and equal spines.
///
/// Hosts are numbered leaf by leaf; switches leaves first, then spines. A leaf's ports are its hosts, then
/// its uplinks by spine and by parallel cable; a spine's ports go by leaf, then by parallel cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafSpine {
    /// Number of leaf (top-of-rack) switches.
    pub leaves: u32,
    /// Number of spine switches.
    pub spines: u32,
    /// Number of hosts under each leaf.
    pub hosts_per_leaf: u32,
    /// Number of parallel cables between each leaf and each spine.
    pub links_per_pair: u32,
    /// Rate of every host's cable.
    pub host_rate: Rate,
    /// Rate of every cable between a leaf and a spine.
    pub uplink_rate: Rate,
    /// One-way propagation delay of a host's cable.
    pub host_delay: Time,
    /// One-way propagation delay of a cable between a leaf and a spine.
    pub uplink_delay: Time,
    /// Room of every switch output queue, including the packet in transmission.
    pub buffer: Bytes,
    /// Room of a host's output queue, including the packet in transmission.
    pub nic_buffer: Bytes,
}

impl LeafSpine {
    /// Builds the fabric, or names the first field that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        self.validate(self.links_per_pair)?;
        self.wire(|_, _| self.links_per_pair)
    }

    /// Wires `cables(leaf, spine)` parallel cables between each leaf and each spine.
    pub(super) fn wire(&self, cables: impl Fn(u32, u32) -> u32) -> Result<Fabric, FabricError> {
        let mut assembly = Assembly::default();
        let leaves = assembly.tier(Role::Leaf, (0..self.leaves).map(|i| format!("leaf{i}")))?;
        let spines = assembly.tier(Role::Spine, (0..self.spines).map(|i| format!("spine{i}")))?;
        let host_cable = Cable {
            rate: self.host_rate,
            delay: self.host_delay,
            near_buffer: self.nic_buffer,
            far_buffer: self.buffer,
        };
        let uplink_cable =
            Cable::between_switches(self.uplink_rate, self.uplink_delay, self.buffer);
        assembly.hosts(self.hosts_per_leaf, host_cable)?;
        for (i, &leaf) in (0..).zip(&leaves) {
            for (j, &spine) in (0..).zip(&spines) {
                assembly.trunk(leaf, spine, cables(i, j), uplink_cable)?;
            }
        }
        Ok(assembly.finish())
    }

    /// Host capacity to uplink capacity of a leaf, as a reduced fraction: `(2, 1)` is "oversubscribed 2:1".
    ///
    /// Errors are those of [`LeafSpine::build`].
    pub fn oversubscription(&self) -> Result<(u64, u64), FabricError> {
        self.validate(self.links_per_pair)?;
        // The checks bound both products by 65,536 ports of 8 Tbps: 5.3e17, well within 64 bits.
        let hosts = u64::from(self.hosts_per_leaf) * self.host_rate.bps();
        let uplinks =
            u64::from(self.spines) * u64::from(self.links_per_pair) * self.uplink_rate.bps();
        Ok(reduced(hosts, uplinks))
    }

    /// Checks every field, for a fabric of at most `most_links` parallel cables between two switches.
    pub(super) fn validate(&self, most_links: u32) -> Result<(), FabricError> {
        let counts = [
            ("leaves", self.leaves),
            ("spines", self.spines),
            ("hosts_per_leaf", self.hosts_per_leaf),
            ("links_per_pair", self.links_per_pair),
        ];
        check_counts(&counts, "a leaf-spine fabric")?;
        self.validate_identifiers(most_links)?;
        check_link("host_rate", self.host_rate, "host_delay", self.host_delay)?;
        check_link(
            "uplink_rate",
            self.uplink_rate,
            "uplink_delay",
            self.uplink_delay,
        )?;
        let slower = self.host_rate.min(self.uplink_rate);
        check_buffer("buffer", self.buffer, slower)?;
        check_buffer("nic_buffer", self.nic_buffer, self.host_rate)
    }

    fn validate_identifiers(&self, most_links: u32) -> Result<(), FabricError> {
        let [leaves, spines, hosts, parallel] =
            [self.leaves, self.spines, self.hosts_per_leaf, most_links].map(u128::from);
        let cables = leaves * hosts + leaves * spines * parallel;
        let (per_leaf, per_pair) = (self.hosts_per_leaf, self.links_per_pair);
        check_limits(&[
            ("leaves", self.leaves, "ToRs", leaves, PORTS),
            (
                "hosts_per_leaf",
                per_leaf,
                "host ports on a leaf",
                hosts,
                PORTS,
            ),
            (
                "links_per_pair",
                per_pair,
                "ports on a leaf",
                hosts + spines * parallel,
                PORTS,
            ),
            (
                "links_per_pair",
                per_pair,
                "ports on a spine",
                leaves * parallel,
                PORTS,
            ),
            (
                "hosts_per_leaf",
                per_leaf,
                "directed links",
                2 * cables,
                LINKS,
            ),
        ])
    }
}
