//! The fabric's switches and cables, for drawing.

use crate::{Scenario, ScenarioError};
use closlab_fabric::{Endpoint, Fabric, Role};
use closlab_units::{LinkId, Rate, TorId};
use std::collections::BTreeMap;

/// A fabric's switches and the cables between them, for drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FabricGraph {
    /// Every switch.
    pub nodes: Vec<GraphNode>,
    /// The cables between switches; parallel ones of equal rate and state are one entry.
    pub cables: Vec<GraphCable>,
}

/// A switch, with its hosts in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphNode {
    /// Its name, as `leaf0`.
    pub name: String,
    /// Its tier: `leaf`, `aggregation`, `spine` or `core`.
    pub role: &'static str,
    /// Its position within its tier.
    pub index: usize,
    /// Its pod, in fabrics that have some.
    pub pod: Option<usize>,
    /// The hosts connected to it.
    pub hosts: u64,
    /// Those of them whose cable has failed.
    pub failed_hosts: u64,
    /// Sum of the rates of its hosts' cables, one way.
    pub host_bps: u64,
}

/// Parallel cables between two switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphCable {
    /// The lower switch, as an index into the nodes.
    pub a: usize,
    /// The upper switch, as an index into the nodes.
    pub b: usize,
    /// The rate of each cable, one way.
    pub rate: Rate,
    /// Whether both directions work.
    pub up: bool,
    /// How many cables.
    pub parallel: u64,
}

impl Scenario {
    /// The fabric as built, with its asymmetry, as switches and cables.
    ///
    /// # Errors
    /// A fabric that can't be; never for a scenario that has been validated.
    pub fn fabric_graph(&self) -> Result<FabricGraph, ScenarioError> {
        let fabric = self.build_fabric()?;
        let mut counts: BTreeMap<Role, usize> = BTreeMap::new();
        let mut nodes: Vec<GraphNode> = Vec::with_capacity(fabric.switches.len());
        for switch in &fabric.switches {
            let count = counts.entry(switch.role).or_default();
            let (hosts, failed_hosts, host_bps) =
                switch.tor.map_or((0, 0, 0), |tor| hosts_of(&fabric, tor));
            nodes.push(GraphNode {
                name: switch.name.clone(),
                role: switch.role.name(),
                index: *count,
                pod: self.fabric.pod(switch.role, *count),
                hosts,
                failed_hosts,
                host_bps,
            });
            *count += 1;
        }
        let mut parallel: BTreeMap<(usize, usize, Rate, bool), u64> = BTreeMap::new();
        for link in fabric.cables() {
            if let Some((a, b)) = ends(&fabric, link) {
                let up = fabric.link(link).up && fabric.link(fabric.reverse(link)).up;
                *parallel
                    .entry((a, b, fabric.link(link).rate, up))
                    .or_default() += 1;
            }
        }
        let cable = |((a, b, rate, up), parallel)| GraphCable {
            a,
            b,
            rate,
            up,
            parallel,
        };
        Ok(FabricGraph {
            nodes,
            cables: parallel.into_iter().map(cable).collect(),
        })
    }
}

/// The number of `tor`'s hosts, of those whose cable has failed, and their rates together.
fn hosts_of(fabric: &Fabric, tor: TorId) -> (u64, u64, u64) {
    fabric
        .hosts_of(tor)
        .fold((0, 0, 0), |(hosts, failed, bps), host| {
            let rate = fabric.link(fabric.host(host).uplink).rate.bps();
            let down = u64::from(!fabric.host_is_up(host));
            (hosts + 1, failed + down, bps + rate)
        })
}

/// The switches at both ends of a cable, the lower tier's first; `None` at a host's.
fn ends(fabric: &Fabric, link: LinkId) -> Option<(usize, usize)> {
    let link = fabric.link(link);
    let (Endpoint::Switch(a), Endpoint::Switch(b)) = (link.from, link.to) else {
        return None;
    };
    let height = |node| fabric.switch(node).role.height();
    let (a, b) = if height(a) <= height(b) {
        (a, b)
    } else {
        (b, a)
    };
    Some((a.index(), b.index()))
}
