//! What a scenario's fabric is like, in a few numbers.

use crate::{MIN_WIRE, Scenario, ScenarioError, WIRE_OVERHEAD};
use closlab_fabric::{FabricSummary, Role};
use closlab_units::TorId;

/// A fabric in a few numbers, its asymmetry included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FabricDescription {
    /// Counts, tiers, bisection, paths, base round trip of a full segment and its acknowledgment, memory.
    pub summary: FabricSummary,
    /// Directed links: two for each cable.
    pub links: u64,
    /// Sum of the rates of all host links, one way.
    pub host_capacity_bps: u64,
    /// Sum of the rates of all uplinks of leaves, one way, failed ones included: what a load of `uplinks`
    /// refers to.
    pub uplink_capacity_bps: u64,
    /// Shortest paths between the first and the last leaf.
    pub paths: u64,
}

impl FabricDescription {
    /// Leaf switches.
    pub fn leaves(&self) -> u64 {
        let mut tiers = self.summary.switches.iter();
        tiers
            .find(|(role, _)| *role == Role::Leaf)
            .map_or(0, |(_, count)| *count)
    }

    /// All switches.
    pub fn switches(&self) -> u64 {
        self.summary.switches.iter().map(|(_, count)| count).sum()
    }

    /// Capacity below the tier to that above it, as `2:1`, of what works; `None` for a tier without uplinks.
    pub fn oversubscription(&self, role: Role) -> Option<String> {
        let tier = self.summary.tiers.iter().find(|tier| tier.role == role)?;
        let (down, up) = tier.oversubscription()?;
        Some(format!("{down}:{up}"))
    }
}

impl Scenario {
    /// The fabric in a few numbers.
    ///
    /// # Errors
    /// A fabric that can't be; never for a scenario that has been validated.
    pub fn describe_fabric(&self) -> Result<FabricDescription, ScenarioError> {
        let fabric = self.build_fabric()?;
        let routes = self.routes(&fabric)?;
        let segment = u64::from(self.transport.mss) + u64::from(WIRE_OVERHEAD);
        let data = segment.max(u64::from(MIN_WIRE));
        let tors = || (0..fabric.tors.len()).filter_map(TorId::from_index);
        let rates = fabric
            .hosts
            .iter()
            .map(|host| fabric.link(host.uplink).rate.bps());
        let ends = tors().next().zip(tors().next_back());
        Ok(FabricDescription {
            summary: FabricSummary::new(&fabric, &routes, data, MIN_WIRE.into()),
            links: fabric.links.len() as u64,
            host_capacity_bps: rates.sum(),
            uplink_capacity_bps: tors().map(|tor| fabric.uplink_capacity(tor)).sum(),
            paths: ends.map_or(0, |(from, to)| routes.path_count(&fabric, from, to)),
        })
    }
}
