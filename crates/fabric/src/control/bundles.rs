//! The routed graph as capacities see it: parallel cables between two switches are one link.

use crate::fabric::{Endpoint, Fabric};
use crate::routes::{Group, Routes};
use closlab_units::{NodeId, PortId, TorId};
use std::collections::{BTreeMap, VecDeque};

/// All working cables from one switch to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bundle {
    /// Dense over all bundles of the fabric.
    pub id: usize,
    pub to: NodeId,
    /// Bits per second of all its cables together.
    pub rate: u64,
    /// Ascending, each with its own rate.
    pub ports: Vec<(PortId, u64)>,
}

/// For each switch and each of its groups in [`Routes`], the bundles of that group.
#[derive(Debug)]
pub(crate) struct Bundles {
    groups: Vec<Vec<Vec<Bundle>>>,
    count: usize,
}

impl Bundles {
    pub fn new(fabric: &Fabric, routes: &Routes) -> Bundles {
        let mut ids = BTreeMap::new();
        let mut of_group = |node: NodeId, group: &Group| {
            let mut bundles: Vec<Bundle> = Vec::new();
            for &port in &group.ports {
                let link = fabric.link(fabric.switch(node).ports[port.index()]);
                let Endpoint::Switch(to) = link.to else {
                    continue;
                };
                let rate = link.rate.bps();
                if let Some(bundle) = bundles.iter_mut().find(|bundle| bundle.to == to) {
                    bundle.rate += rate;
                    bundle.ports.push((port, rate));
                    continue;
                }
                let next = ids.len();
                let id = *ids.entry((node, to)).or_insert(next);
                let ports = vec![(port, rate)];
                bundles.push(Bundle {
                    id,
                    to,
                    rate,
                    ports,
                });
            }
            bundles
        };
        let groups = nodes(fabric)
            .map(|node| {
                let groups = routes.groups(node).iter();
                groups.map(|group| of_group(node, group)).collect()
            })
            .collect();
        Bundles {
            groups,
            count: ids.len(),
        }
    }

    /// The number of bundles, the bound of [`Bundle::id`].
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bundles on shortest paths from `node` to `dst`; none at `dst` itself or where there is no path.
    pub fn towards(&self, routes: &Routes, node: NodeId, dst: TorId) -> &[Bundle] {
        let group = usize::from(routes.group_index(node, dst));
        self.groups[node.index()]
            .get(group)
            .map_or(&[][..], Vec::as_slice)
    }
}

/// All switches.
pub(crate) fn nodes(fabric: &Fabric) -> impl Iterator<Item = NodeId> + use<> {
    (0..fabric.switches.len()).filter_map(NodeId::from_index)
}

/// All ToRs.
pub(crate) fn tors(fabric: &Fabric) -> impl Iterator<Item = TorId> + use<> {
    (0..fabric.tors.len()).filter_map(TorId::from_index)
}

/// The switches that `node`'s cables lead to, port by port, broken ones included.
pub(crate) fn neighbours(
    fabric: &Fabric,
    node: NodeId,
) -> impl Iterator<Item = (PortId, NodeId)> + '_ {
    let ports = fabric.switch(node).ports.iter();
    ports.filter_map(|&id| {
        let link = fabric.link(id);
        match link.to {
            Endpoint::Switch(to) => Some((link.from_port, to)),
            Endpoint::Host(_) => None,
        }
    })
}

/// The tier of every switch: its distance from the nearest ToR, over all cables, broken or not: ToRs 0,
/// aggregation switches (or spines) 1, cores 2; `u16::MAX` where no cable leads.
///
/// Counted on the graph, so that a fabric from a file has tiers too.
pub(crate) fn tiers(fabric: &Fabric) -> Vec<u16> {
    let mut tiers = vec![u16::MAX; fabric.switches.len()];
    let mut queue: VecDeque<NodeId> = fabric.tors.iter().copied().collect();
    for &tor in &fabric.tors {
        tiers[tor.index()] = 0;
    }
    while let Some(node) = queue.pop_front() {
        let above = tiers[node.index()].saturating_add(1);
        for (_, next) in neighbours(fabric, node) {
            if tiers[next.index()] == u16::MAX {
                tiers[next.index()] = above;
                queue.push_back(next);
            }
        }
    }
    tiers
}
