//! Presto's spanning trees: the labels that a host's virtual switch stripes flowcells over.
//!
//! Published: He et al., "Presto: Edge-based Load Balancing for Fast Datacenter Networks" (SIGCOMM 2015),
//! as the four papers at hand describe it: flowcells "are source-routed so they are striped across all
//! paths, without load-awareness" (DRILL section 5), and after a failure the control plane "prunes the
//! spanning trees affected by the failure and uses a static weighted scheduling algorithm, similar to WCMP,
//! over the remaining paths" (DRILL section 3.4). LetFlow's Presto* (section 5.2) takes its weights from here.
//!
//! **Trees.** One for each switch of the highest tier and for each of the parallel ways up to it: in a
//! leaf-spine fabric one per spine and parallel cable, in a three-tier Clos one per core; where a ToR
//! reaches a core over several aggregation switches (VL2), one for each. In two tiers the trees share no
//! cable; in three they share none above the aggregation switches, and below those as few as there are
//! ToR uplinks. A switch with fewer ways up than another takes them in turn.
//!
//! **Failures.** A tree loses the cables that are down, not the rest of it: the label still serves pairs
//! whose way in the tree is whole. Trees follow the wiring and keep their labels when cables break.
//!
//! **Weights.** The capacity of the label's path for the pair, as defined in [`control`](crate::control); trees of
//! the same root divide a cable that they share (a leaf with one cable to a spine where others have two),
//! since they stand for the parallel cables of one way. For Fig. 4 of DRILL this gives the equal weights
//! that its section 3.4 expects of Presto.

use super::bundles::{neighbours, nodes, tiers};
use super::shares::{Fraction, proportional};
use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric};
use crate::routes::Routes;
use closlab_units::{LinkId, NodeId, PortId, TorId};
use std::collections::BTreeMap;

/// The way of one label for a pair of ToRs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRoute {
    /// The spanning tree.
    pub label: u16,
    /// At least 1; the weights of a pair's routes have no common divisor. All 1 in a symmetric fabric.
    pub weight: u32,
    /// The egress port at each switch from the source ToR on; the last leads to the destination ToR.
    pub ports: Vec<PortId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Tree {
    root: NodeId,
    /// Each switch's cable towards the root, indexed by [`NodeId`]; `None` at the root and outside the tree.
    up: Vec<Option<LinkId>>,
}

/// The spanning trees of a fabric; a label is the position of its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presto {
    trees: Vec<Tree>,
}

impl Presto {
    /// Lays the trees over the wiring of `fabric`, cables that are down included.
    ///
    /// # Errors
    /// More trees than a label of 16 bits tells apart.
    pub fn compute(fabric: &Fabric) -> Result<Presto, FabricError> {
        let tiers = tiers(fabric);
        let connected = |node: &NodeId| tiers[node.index()] != u16::MAX;
        let top = nodes(fabric).filter(connected).map(|n| tiers[n.index()]);
        let top = top.max().unwrap_or(0);
        let roots = nodes(fabric).filter(|node| tiers[node.index()] == top);
        let trees: Vec<Tree> = roots.flat_map(|root| trees(fabric, &tiers, root)).collect();
        if trees.len() > 1 << 16 {
            return Err(FabricError::new(
                "presto",
                format!("{} spanning trees", trees.len()),
                "a label has 16 bits",
                "use fewer switches in the highest tier",
            ));
        }
        Ok(Presto { trees })
    }

    /// The number of labels.
    pub fn labels(&self) -> usize {
        self.trees.len()
    }

    /// The switch at the root of `label`'s tree.
    pub fn root(&self, label: u16) -> NodeId {
        self.trees[usize::from(label)].root
    }

    /// The labels that lead from `src` to `dst` over working shortest paths, in ascending order; empty if no
    /// tree is left for the pair (or `src` is `dst`): the switches' own routing must then take over.
    ///
    /// Computed when asked for: a table of all pairs would outgrow memory long before the fabric does.
    pub fn routes(
        &self,
        fabric: &Fabric,
        routes: &Routes,
        src: TorId,
        dst: TorId,
    ) -> Vec<SourceRoute> {
        let mut ways: Vec<(usize, Vec<LinkId>)> = Vec::new();
        for (label, tree) in self.trees.iter().enumerate() {
            let way = tree.way(fabric, src, dst);
            if !way.is_empty() && way.iter().all(|&link| works(fabric, routes, link, dst)) {
                ways.push((label, way));
            }
        }
        let mut users: BTreeMap<(NodeId, LinkId), u64> = BTreeMap::new();
        for (label, way) in &ways {
            for &link in way {
                *users.entry((self.trees[*label].root, link)).or_insert(0) += 1;
            }
        }
        let capacity = |(label, way): &(usize, Vec<LinkId>)| {
            let part = |&link: &LinkId| -> Fraction {
                let sharing = users[&(self.trees[*label].root, link)];
                (fabric.link(link).rate.bps().into(), sharing.into())
            };
            let parts = way.iter().map(part);
            let slowest = parts.min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
            slowest.unwrap_or((0, 1))
        };
        let capacities: Vec<Fraction> = ways.iter().map(capacity).collect();
        let route = |((label, way), weight): ((usize, Vec<LinkId>), u32)| SourceRoute {
            // `compute` lets no more than 2^16 trees pass.
            label: label as u16,
            weight,
            ports: way.iter().map(|&l| fabric.link(l).from_port).collect(),
        };
        let weights = proportional(&capacities);
        ways.into_iter().zip(weights).map(route).collect()
    }
}

/// Whether `link` works and lies on a shortest path to `dst`.
fn works(fabric: &Fabric, routes: &Routes, link: LinkId, dst: TorId) -> bool {
    let link = fabric.link(link);
    let Endpoint::Switch(node) = link.from else {
        return false;
    };
    let group = routes.group(node, dst);
    group.is_some_and(|group| group.ports.binary_search(&link.from_port).is_ok())
}

/// The trees with this root: as many as the most ways up that any switch has to choose from.
fn trees(fabric: &Fabric, tiers: &[u16], root: NodeId) -> Vec<Tree> {
    let tier = tiers[root.index()];
    let mut inside = vec![false; fabric.switches.len()];
    inside[root.index()] = true;
    let mut ways_up: Vec<Vec<(NodeId, LinkId)>> = vec![Vec::new(); fabric.switches.len()];
    for below in (0..tier).rev() {
        for node in nodes(fabric).filter(|node| tiers[node.index()] == below) {
            let parents = neighbours(fabric, node)
                .filter(|&(_, up)| tiers[up.index()] == below + 1 && inside[up.index()]);
            let links = &fabric.switch(node).ports;
            let mut ways: Vec<(NodeId, LinkId)> = parents
                .map(|(port, up)| (up, links[port.index()]))
                .collect();
            ways.sort_unstable();
            inside[node.index()] = !ways.is_empty();
            ways_up[node.index()] = ways;
        }
    }
    let variants = ways_up.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let variant = |variant: usize| Tree {
        root,
        up: ways_up
            .iter()
            .map(|ways| Some(ways.get(variant % ways.len().max(1))?.1))
            .collect(),
    };
    (0..variants).map(variant).collect()
}

impl Tree {
    /// The links from `src` up to where both ways to the root meet, and down to `dst`; empty if they do not.
    fn way(&self, fabric: &Fabric, src: TorId, dst: TorId) -> Vec<LinkId> {
        let rising = |tor: TorId| {
            let start = fabric.tors[tor.index()];
            std::iter::successors(Some((start, None)), |&(node, _)| {
                let link = self.up[node.index()]?;
                match fabric.link(link).to {
                    Endpoint::Switch(above) => Some((above, Some(link))),
                    Endpoint::Host(_) => None,
                }
            })
        };
        let descent: Vec<(NodeId, Option<LinkId>)> = rising(dst).collect();
        let mut way = Vec::new();
        for (node, link) in rising(src) {
            way.extend(link);
            if let Some(meeting) = descent.iter().position(|&(other, _)| other == node) {
                let down = descent[..=meeting].iter().rev();
                way.extend(down.filter_map(|&(_, up)| Some(fabric.reverse(up?))));
                return way;
            }
        }
        Vec::new()
    }
}
