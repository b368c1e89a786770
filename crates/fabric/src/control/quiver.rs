//! DRILL's Quiver: which shortest paths are symmetric, so that packets may be spread over them.
//!
//! Published: Ghorbani et al., DRILL (SIGCOMM 2017), sections 3.4.1 (labels, scores, components, weights)
//! and 3.4.3 (capacity factors). A packet is first given to a component by the hash of its flow, then
//! balanced packet by packet inside (section 3.4.2).
//!
//! **Parallel links.** The paper's score belongs to "edges from vertex a to b", and it takes "one 40Gbps link
//! or four 10Gbps links" for the same. So parallel cables are one edge of their summed rate, a path is a
//! sequence of switches, and all cables of a bundle are ports of the same components.
//!
//! **Where capacity factors count.** Labels are `(src, dst, cf)`, and read to the letter two edges are
//! symmetric only if the factors of *all* pairs agree ([`Symmetry::AllPairs`]). The paper's own example
//! denies that: with L0-S0, L0-S1, L1-S0 of 40 Gbps it calls H0 = L0 S0 L1 and H2 = L0 S2 L1 symmetric, but
//! S0->L1 has the label (L3, L1, 1/4) where S2->L1 has (L3, L1, 1). So does its Fig. 13, where DRILL beats
//! WCMP under uneven striping: to the letter almost every path there would be alone in its component and
//! DRILL would be WCMP. The example holds if factors are compared for the pair that is being decomposed
//! ("it models the rate at which the src -> dst traffic builds a queue"), and sets of pairs as before:
//! [`Symmetry::OwnPair`], the default. (The first, informal sentence of 3.4.3 fits the letter better.) With
//! equal links in each stage both are the same.
//!
//! **Several tiers.** "Each source switch decomposes its set of shortest paths towards a destination": every
//! switch, aggregation switches and cores too, decomposes the paths that begin at itself (factors as if it
//! were the source) and classifies packets by its own hash. No tag carries the source's choice. A port whose
//! further paths are not symmetric with each other stands in several components; [`Component::shares`] says
//! how much of each component's capacity lies behind it. Packets of one flow that pass one switch further on
//! stay in one component there, whichever of the upstream component's paths that continues.
//!
//! **Cost.** Labels: one walk over the shortest-path graph of each pair of leaves. Components: path prefixes
//! of equal score and capacity are carried as one with their count, hop by hop, so that a symmetric Clos
//! costs its links, not its paths.

use super::bundles::{Bundles, nodes, tors};
use super::shares::{Fraction, gcd, proportional};
use crate::fabric::Fabric;
use crate::routes::Routes;
use closlab_units::rng::mix64;
use closlab_units::{NodeId, PortId, TorId};
use std::collections::{BTreeMap, BTreeSet};

/// Which capacity factors must agree for two paths to be symmetric (section 3.4.3; see the
/// [module](self)).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// Edges agree in their sets of (src, dst) pairs, paths in the factors of their own traffic.
    #[default]
    OwnPair,
    /// Edges agree in their sets of (src, dst, cf) labels.
    AllPairs,
}

/// Shortest paths that are symmetric with each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Component {
    /// Never empty, ascending: the first hops of the component's paths. A port may stand in several
    /// components.
    pub ports: Vec<PortId>,
    /// One for each port: the part of the component's capacity that lies behind it; at least 1, without a
    /// common divisor.
    pub shares: Vec<u32>,
    /// Proportional to the summed capacity of the component's paths; at least 1, and without a divisor
    /// common to all components towards the same destination.
    pub weight: u32,
    /// The number of paths, parallel cables counted as one; saturates.
    pub paths: u64,
}

/// One switch's part: `index[dst]` is dense over ToRs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table {
    index: Vec<u32>,
    decompositions: Vec<Vec<Component>>,
}

/// The symmetric components of every switch. Destinations with equal components share a decomposition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quiver {
    tables: Vec<Table>,
}

impl Quiver {
    /// The components of all switches towards all ToRs. `routes` must be computed from `fabric`.
    pub fn compute(fabric: &Fabric, routes: &Routes, symmetry: Symmetry) -> Quiver {
        let bundles = Bundles::new(fabric, routes);
        let mut decomposer = Decomposer {
            fabric,
            routes,
            edges: edge_classes(fabric, routes, &bundles, symmetry),
            bundles: &bundles,
            symmetry,
            lists: BTreeMap::new(),
        };
        let table = |node| {
            let mut known: BTreeMap<Vec<Component>, u32> = BTreeMap::new();
            let mut decompositions = Vec::new();
            let mut intern = |dst| {
                let components = decomposer.decompose(node, dst);
                *known.entry(components).or_insert_with_key(|components| {
                    decompositions.push(components.clone());
                    // A switch has fewer than 2^16 destinations, hence decompositions.
                    decompositions.len() as u32 - 1
                })
            };
            Table {
                index: tors(fabric).map(&mut intern).collect(),
                decompositions,
            }
        };
        Quiver {
            tables: nodes(fabric).map(table).collect(),
        }
    }

    /// The components of the shortest paths from `switch` to `dst`, ordered by their ports; none at `dst`
    /// itself and where there is no path.
    pub fn components(&self, switch: NodeId, dst: TorId) -> &[Component] {
        &self.decompositions(switch)[self.decomposition_index(switch, dst)]
    }

    /// Which of `decompositions(switch)` leads to `dst`.
    pub fn decomposition_index(&self, switch: NodeId, dst: TorId) -> usize {
        self.tables[switch.index()].index[dst.index()] as usize
    }

    /// The distinct decompositions of `switch`; the one of its own ToR is empty.
    pub fn decompositions(&self, switch: NodeId) -> &[Vec<Component>] {
        &self.tables[switch.index()].decompositions
    }

    /// Whether every switch has at most one component towards every destination: then DRILL's first step
    /// decides nothing.
    pub fn is_symmetric(&self) -> bool {
        let mut decompositions = self.tables.iter().flat_map(|t| &t.decompositions);
        decompositions.all(|components| components.len() <= 1)
    }
}

/// A capacity factor as a reduced ratio; infinity is `(1, 0)`.
type Factor = (u64, u64);

const INFINITE: Factor = (1, 0);

/// `arriving` over `leaving`; `None` arrives at its source.
fn factor(arriving: Option<u64>, leaving: u64) -> Factor {
    arriving.map_or(INFINITE, |arriving| {
        // Both fit 64 bits, hence their divisor does.
        let divisor = gcd(arriving.into(), leaving.into()) as u64;
        (arriving / divisor, leaving / divisor)
    })
}

/// For each bundle a number that equals another's if and only if both carry the same set of labels.
///
/// A set's score is the sum modulo 2^128 of its labels' hashes, which does not depend on their order. Two
/// given different sets collide with probability 2^-128 if the hash is taken for random; among the 10^6
/// edges of a very large fabric some collide with probability below 10^-26.
fn edge_classes(
    fabric: &Fabric,
    routes: &Routes,
    bundles: &Bundles,
    symmetry: Symmetry,
) -> Vec<u32> {
    let mut scores = vec![0u128; bundles.count()];
    for src in tors(fabric) {
        for dst in tors(fabric).filter(|&dst| dst != src) {
            // The capacities with which paths from `src` arrive at the switches of one layer.
            let mut layer = BTreeMap::from([(fabric.tors[src.index()], BTreeSet::from([None]))]);
            while !layer.is_empty() {
                let mut next: BTreeMap<NodeId, BTreeSet<Option<u64>>> = BTreeMap::new();
                for (&node, arriving) in &layer {
                    for bundle in bundles.towards(routes, node, dst) {
                        let beyond = next.entry(bundle.to).or_default();
                        if symmetry == Symmetry::OwnPair {
                            let score = &mut scores[bundle.id];
                            *score = score.wrapping_add(label_hash(src, dst, INFINITE));
                            continue;
                        }
                        let factors: BTreeSet<Factor> =
                            arriving.iter().map(|&a| factor(a, bundle.rate)).collect();
                        for cf in factors {
                            let score = &mut scores[bundle.id];
                            *score = score.wrapping_add(label_hash(src, dst, cf));
                        }
                        beyond.extend(arriving.iter().map(|a| Some(slower(*a, bundle.rate))));
                    }
                }
                layer = next;
            }
        }
    }
    let mut classes = BTreeMap::new();
    let mut class = |score| {
        let next = classes.len() as u32;
        *classes.entry(score).or_insert(next)
    };
    scores.into_iter().map(&mut class).collect()
}

fn slower(so_far: Option<u64>, rate: u64) -> u64 {
    so_far.map_or(rate, |capacity| capacity.min(rate))
}

/// 128 bits of a label, from two differently keyed 64-bit halves.
fn label_hash(src: TorId, dst: TorId, cf: Factor) -> u128 {
    let pair = (u64::from(src.0) << 16) | u64::from(dst.0);
    let half = |key: u64| mix64(mix64(mix64(pair ^ key).wrapping_add(cf.0)).wrapping_add(cf.1));
    // The keys are the fractional digits of pi and of e: nothing up the sleeve.
    (u128::from(half(0x243f_6a88_85a3_08d3)) << 64) | u128::from(half(0xb7e1_5162_8aed_2a6a))
}

/// Shortest paths from one switch to another place that have the same score and capacity so far and the
/// same first hop: the place, the first bundle's position, the class of the score list, the capacity.
type Prefix = (NodeId, usize, u32, Option<u64>);

struct Decomposer<'a> {
    fabric: &'a Fabric,
    routes: &'a Routes,
    bundles: &'a Bundles,
    edges: Vec<u32>,
    symmetry: Symmetry,
    /// A number for each list of scores: the number of the list without its last edge (0 is empty), then
    /// that edge's class and factor.
    lists: BTreeMap<(u32, u32, Factor), u32>,
}

/// What is known of a component while its paths arrive: for each first bundle the summed capacity.
#[derive(Debug, Default)]
struct Gathered {
    behind: BTreeMap<usize, u128>,
    paths: u64,
}

impl Decomposer<'_> {
    fn decompose(&mut self, node: NodeId, dst: TorId) -> Vec<Component> {
        let mut gathered: BTreeMap<u32, Gathered> = BTreeMap::new();
        let mut layer: BTreeMap<Prefix, u64> = BTreeMap::from([((node, 0, 0, None), 1)]);
        while !layer.is_empty() {
            let mut next = BTreeMap::new();
            for (&(at, first, list, capacity), &paths) in &layer {
                for (position, bundle) in self
                    .bundles
                    .towards(self.routes, at, dst)
                    .iter()
                    .enumerate()
                {
                    let first = if at == node { position } else { first };
                    let cf = match self.symmetry {
                        Symmetry::OwnPair => factor(capacity, bundle.rate),
                        // The edge's class holds the factors already.
                        Symmetry::AllPairs => INFINITE,
                    };
                    let list = self.extended(list, self.edges[bundle.id], cf);
                    let capacity = slower(capacity, bundle.rate);
                    if bundle.to == self.fabric.tors[dst.index()] {
                        let component = gathered.entry(list).or_default();
                        component.paths = component.paths.saturating_add(paths);
                        *component.behind.entry(first).or_insert(0) +=
                            u128::from(capacity) * u128::from(paths);
                    } else {
                        let held = next.entry((bundle.to, first, list, Some(capacity)));
                        let count: &mut u64 = held.or_insert(0);
                        *count = count.saturating_add(paths);
                    }
                }
            }
            layer = next;
        }
        self.finish(node, dst, gathered)
    }

    fn extended(&mut self, list: u32, edge: u32, cf: Factor) -> u32 {
        let next = self.lists.len() as u32 + 1;
        *self.lists.entry((list, edge, cf)).or_insert(next)
    }

    fn finish(
        &self,
        node: NodeId,
        dst: TorId,
        gathered: BTreeMap<u32, Gathered>,
    ) -> Vec<Component> {
        let first_hops = self.bundles.towards(self.routes, node, dst);
        let capacity = |g: &Gathered| (g.behind.values().sum::<u128>(), 1);
        let capacities: Vec<Fraction> = gathered.values().map(capacity).collect();
        let component = |(gathered, weight): (&Gathered, u32)| {
            let mut parts: Vec<(PortId, Fraction)> = Vec::new();
            for (&first, &capacity) in &gathered.behind {
                let bundle = &first_hops[first];
                let part = |rate: u64| (capacity * u128::from(rate), u128::from(bundle.rate));
                parts.extend(bundle.ports.iter().map(|&(port, rate)| (port, part(rate))));
            }
            parts.sort_unstable();
            let fractions: Vec<Fraction> = parts.iter().map(|&(_, part)| part).collect();
            Component {
                ports: parts.iter().map(|&(port, _)| port).collect(),
                shares: proportional(&fractions),
                weight,
                paths: gathered.paths,
            }
        };
        let weighted = gathered.values().zip(proportional(&capacities));
        let mut components: Vec<Component> = weighted.map(component).collect();
        components.sort_unstable();
        components
    }
}
