//! What a scenario's fabric is like, in a few numbers.

use crate::{Fabric, MIN_WIRE, Scenario, ScenarioError, WIRE_OVERHEAD};
use closlab_fabric::{LeafSpine, Routes, base_rtt};
use closlab_units::{HostId, Time, TorId};

/// A fabric in a few numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FabricDescription {
    /// Hosts.
    pub hosts: u64,
    /// Leaf switches.
    pub leaves: u64,
    /// All switches.
    pub switches: u64,
    /// Directed links: two for each cable.
    pub links: u64,
    /// Capacity of a leaf's hosts to that of its uplinks, as `2:1`.
    pub oversubscription: String,
    /// Sum of the rates of all host links, one way.
    pub host_capacity_bps: u64,
    /// Sum of the rates of all uplinks of leaves, one way: what a load of `uplinks` refers to.
    pub uplink_capacity_bps: u64,
    /// What the uplinks of half of the leaves (rounded down) can send to the other half.
    pub bisection_bps: u64,
    /// Round trip of a full segment and its acknowledgment on the idle fabric, between the first and the last
    /// host.
    pub base_rtt: Time,
    /// Equal-cost paths between the first and the last leaf.
    pub paths: u64,
}

impl Scenario {
    /// The fabric in a few numbers.
    ///
    /// # Errors
    /// A fabric that can't be; never for a scenario that has been validated.
    pub fn describe_fabric(&self) -> Result<FabricDescription, ScenarioError> {
        let fabric = self.build_fabric()?;
        let refused =
            |error: &dyn std::fmt::Display| ScenarioError::new("fabric", error.to_string());
        let routes = Routes::compute(&fabric).map_err(|error| refused(&error))?;
        let (above, below) = match &self.fabric {
            Fabric::LeafSpine(section) => LeafSpine::from(section).oversubscription(),
        }
        .map_err(|error| refused(&error))?;
        let uplinks: Vec<u64> = (0..fabric.tors.len())
            .filter_map(TorId::from_index)
            .map(|tor| fabric.uplink_capacity(tor))
            .collect();
        let rates = fabric
            .hosts
            .iter()
            .map(|host| fabric.link(host.uplink).rate.bps());
        let host_at = HostId::from_index;
        let ends = host_at(0).zip(host_at(fabric.hosts.len().saturating_sub(1)));
        let (first, last) = ends.ok_or_else(|| ScenarioError::new("fabric", "it has no hosts"))?;
        let segment = u64::from(self.transport.mss) + u64::from(WIRE_OVERHEAD);
        let data = segment.max(u64::from(MIN_WIRE));
        let (from, to) = (fabric.host(first).tor, fabric.host(last).tor);
        Ok(FabricDescription {
            hosts: fabric.hosts.len() as u64,
            leaves: fabric.tors.len() as u64,
            switches: fabric.switches.len() as u64,
            links: fabric.links.len() as u64,
            oversubscription: format!("{above}:{below}"),
            host_capacity_bps: rates.sum(),
            uplink_capacity_bps: uplinks.iter().sum(),
            bisection_bps: uplinks[..uplinks.len() / 2].iter().sum(),
            base_rtt: base_rtt(&fabric, &routes, first, last, data, MIN_WIRE.into()),
            paths: routes.path_count(&fabric, from, to),
        })
    }
}
