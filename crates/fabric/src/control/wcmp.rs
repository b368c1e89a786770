//! WCMP: equal-cost ports weighted by the capacity that lies behind them.
//!
//! Published: Zhou et al., "WCMP: Weighted Cost Multipathing for Improved Fairness in Data Centers"
//! (EuroSys 2014): weights from the routing protocol's view of the topology, and the reduction of weights to
//! the size of a switch's multipath table, where a port of weight w takes w entries. Compared with DRILL
//! (section 4, Fig. 13) and LetFlow (section 5.2, Figs. 14 and 16).
//!
//! The weight of a next hop is the sum of the capacities of the shortest paths through it, as defined in
//! [`control`](crate::control). In a three-tier Clos whose aggregation switch lost one of two core links this gives that
//! switch half of its neighbour's weight although a lone ToR could fill both its uplinks: the capacity behind
//! an aggregation switch is shared by the whole pod, and relieving the switch that lost some is what WCMP is
//! for. Parallel cables to the next hop divide its weight by their rates.

use super::bundles::{Bundle, Bundles, nodes, tors};
use super::shares::{Fraction, proportional};
use crate::error::FabricError;
use crate::fabric::Fabric;
use crate::routes::Routes;
use closlab_units::{NodeId, PortId, TorId};
use std::collections::BTreeMap;

/// Equal-cost ports with weights.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WeightedGroup {
    /// Never empty, ascending: the ports of the group in [`Routes`].
    pub ports: Vec<PortId>,
    /// One for each port; at least 1, without a common divisor.
    pub weights: Vec<u32>,
}

impl WeightedGroup {
    /// Entries of the multipath table that the group takes: the sum of its weights.
    pub fn entries(&self) -> u64 {
        entries(&self.weights)
    }
}

/// A bound on oversubscription, in thousandths: how many times more traffic than its fair part any port may
/// get from the reduction of weights. 1000 allows no change at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Oversubscription(pub u64);

impl Oversubscription {
    /// Where the reduction to a table's size begins: 1.002, and then in steps of 0.001 (WCMP paper, table
    /// fitting).
    pub const FIRST: Oversubscription = Oversubscription(1_002);
}

/// One switch's part: `index[dst]` is dense over ToRs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table {
    index: Vec<u32>,
    groups: Vec<WeightedGroup>,
}

const NONE: u32 = u32::MAX;

/// The weighted groups of every switch. Destinations with equal ports and weights share a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wcmp {
    tables: Vec<Table>,
}

impl Wcmp {
    /// The weights of all switches towards all ToRs. `routes` must be computed from `fabric`.
    pub fn compute(fabric: &Fabric, routes: &Routes) -> Wcmp {
        let bundles = Bundles::new(fabric, routes);
        let mut tables: Vec<BTreeMap<WeightedGroup, u32>> =
            vec![BTreeMap::new(); fabric.switches.len()];
        let mut indices = vec![vec![NONE; fabric.tors.len()]; fabric.switches.len()];
        for dst in tors(fabric) {
            let capacities = path_capacities(fabric, routes, &bundles, dst);
            for node in nodes(fabric) {
                let next_hops = bundles.towards(routes, node, dst);
                if next_hops.is_empty() {
                    continue;
                }
                let group = weigh(next_hops, &capacities);
                let known = &mut tables[node.index()];
                // A switch has fewer than 2^16 destinations, hence groups.
                let next = known.len() as u32;
                indices[node.index()][dst.index()] = *known.entry(group).or_insert(next);
            }
        }
        let table = |(known, index): (BTreeMap<WeightedGroup, u32>, Vec<u32>)| {
            let mut groups: Vec<(u32, WeightedGroup)> =
                known.into_iter().map(|(group, i)| (i, group)).collect();
            groups.sort_unstable();
            let groups = groups.into_iter().map(|(_, group)| group).collect();
            Table { index, groups }
        };
        Wcmp {
            tables: tables.into_iter().zip(indices).map(table).collect(),
        }
    }

    /// The weighted group that leads from `switch` to `dst`; `None` at `dst` itself and where there is no path.
    pub fn group(&self, switch: NodeId, dst: TorId) -> Option<&WeightedGroup> {
        let table = &self.tables[switch.index()];
        table.groups.get(table.index[dst.index()] as usize)
    }

    /// The distinct groups of `switch`.
    pub fn groups(&self, switch: NodeId) -> &[WeightedGroup] {
        &self.tables[switch.index()].groups
    }

    /// Entries that all groups of `switch` take in its multipath table.
    pub fn entries(&self, switch: NodeId) -> u64 {
        self.groups(switch).iter().map(WeightedGroup::entries).sum()
    }

    /// The same groups with weights so reduced that no switch needs more than `limit` entries: on each
    /// switch all groups are reduced under one bound on oversubscription, the smallest of
    /// [`Oversubscription::FIRST`], 1.003, 1.004 ... that fits (WCMP paper, table fitting). Switches that fit
    /// already keep their weights.
    ///
    /// # Errors
    /// A switch whose ports alone, with weight 1 each, need more than `limit` entries.
    pub fn fit(&self, fabric: &Fabric, limit: u64) -> Result<Wcmp, FabricError> {
        let mut fitted = self.clone();
        for (node, table) in nodes(fabric).zip(&mut fitted.tables) {
            if self.entries(node) <= limit {
                continue;
            }
            let least: u64 = table.groups.iter().map(|g| g.ports.len() as u64).sum();
            if least > limit {
                return Err(FabricError::new(
                    "wcmp_table_entries",
                    limit,
                    format!(
                        "{} needs {least} entries even with equal weights",
                        fabric.switch(node).name
                    ),
                    format!("write at least {least}"),
                ));
            }
            let bound = smallest_fitting(&table.groups, limit);
            for group in &mut table.groups {
                group.weights = reduce(&group.weights, bound);
            }
        }
        Ok(fitted)
    }
}

/// The smallest bound under which all groups take at most `limit` entries.
///
/// The paper raises the bound step by step. [`reduce`] walks through the same weights whatever the bound and
/// stops at the first allowed, so that a larger bound never needs more entries, and bisection finds the same.
fn smallest_fitting(groups: &[WeightedGroup], limit: u64) -> Oversubscription {
    let fits = |bound: u64| {
        let reduced =
            |group: &WeightedGroup| entries(&reduce(&group.weights, Oversubscription(bound)));
        groups.iter().map(reduced).sum::<u64>() <= limit
    };
    // With this bound any group may have equal weights: no port gets more than all the traffic.
    let largest = groups.iter().map(WeightedGroup::entries).max().unwrap_or(1);
    let (mut low, mut high) = (Oversubscription::FIRST.0, largest.saturating_mul(1_000));
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Oversubscription(high)
}

/// The smaller weights that give no port more than `bound` times its fair part (WCMP paper, algorithm
/// `ReduceWcmpGroup`): from equal weights 1 upwards, each step adds 1 to the port that is then the least
/// oversubscribed (the first of equals), until the bound holds; `weights` themselves if nothing smaller does.
///
/// Weights must be at least 1. Switch tables may use it on any group, whatever made its weights.
pub fn reduce(weights: &[u32], bound: Oversubscription) -> Vec<u32> {
    let size = u128::from(entries(weights));
    let mut reduced = vec![1u32; weights.len()];
    let mut reduced_size = weights.len() as u128;
    while !within(weights, &reduced, bound) {
        // The port's oversubscription after one more entry is (w' + 1) size / ((size' + 1) w): only
        // (w' + 1) / w differs between ports.
        let least = (0..weights.len()).min_by(|&a, &b| {
            let after = |i: usize| u64::from(reduced[i]) + 1;
            (after(a) * u64::from(weights[b])).cmp(&(after(b) * u64::from(weights[a])))
        });
        if let Some(port) = least {
            reduced[port] += 1;
            reduced_size += 1;
        }
        if reduced_size >= size {
            return weights.to_vec();
        }
    }
    reduced
}

/// Whether `reduced` gives no port more than `bound` times the part that `weights` give it.
pub fn within(weights: &[u32], reduced: &[u32], bound: Oversubscription) -> bool {
    let (size, reduced_size) = (entries(weights), entries(reduced));
    weights.iter().zip(reduced).all(|(&weight, &now)| {
        u128::from(now) * u128::from(size) * 1_000
            <= u128::from(weight) * u128::from(reduced_size) * u128::from(bound.0)
    })
}

fn entries(weights: &[u32]) -> u64 {
    weights.iter().copied().map(u64::from).sum()
}

/// Shortest paths by capacity: how many there are of each.
type Capacities = BTreeMap<u64, u128>;

/// The shortest paths from every switch to `dst`.
fn path_capacities(
    fabric: &Fabric,
    routes: &Routes,
    bundles: &Bundles,
    dst: TorId,
) -> Vec<Capacities> {
    let mut order: Vec<(u16, NodeId)> = nodes(fabric)
        .filter_map(|node| Some((routes.hops(node, dst)?, node)))
        .collect();
    // The nearest first: a switch's next hops stand before it.
    order.sort_unstable();
    let mut capacities = vec![Capacities::new(); fabric.switches.len()];
    for (hops, node) in order {
        let mut here = Capacities::new();
        if hops == 0 {
            here.insert(u64::MAX, 1);
        }
        for bundle in bundles.towards(routes, node, dst) {
            for (&capacity, &paths) in &capacities[bundle.to.index()] {
                let held = here.entry(capacity.min(bundle.rate)).or_insert(0);
                *held = held.saturating_add(paths);
            }
        }
        capacities[node.index()] = here;
    }
    capacities
}

fn weigh(next_hops: &[Bundle], capacities: &[Capacities]) -> WeightedGroup {
    let mut parts: Vec<(PortId, Fraction)> = Vec::new();
    for bundle in next_hops {
        let behind = capacities[bundle.to.index()].iter();
        let capacity = behind.fold(0u128, |sum, (&capacity, &paths)| {
            sum.saturating_add(paths.saturating_mul(u128::from(capacity.min(bundle.rate))))
        });
        for &(port, rate) in &bundle.ports {
            let part = capacity.saturating_mul(u128::from(rate));
            parts.push((port, (part, u128::from(bundle.rate))));
        }
    }
    parts.sort_unstable();
    let fractions: Vec<Fraction> = parts.iter().map(|&(_, fraction)| fraction).collect();
    WeightedGroup {
        ports: parts.iter().map(|&(port, _)| port).collect(),
        weights: proportional(&fractions),
    }
}
