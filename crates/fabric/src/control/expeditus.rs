//! Expeditus: what its tags mean, and how far a failure further up weighs on a ToR's uplinks.
//!
//! Published: Wang et al., Expeditus, sections 2.2 and 2.3 (ids, pairwise connectivity), 3.2 (tag), 3.3 and
//! Fig. 6 (link load multipliers), 3.4 (two tiers).
//!
//! **Ids.** "An aggregation switch of ID i only connects to aggregation switches of the same ID i in other
//! pods, because they connect to the same core plane." So the aggregation switch's id is its plane's, and
//! planes are what hangs together between aggregation and core tier; they are numbered by their first core,
//! cores within a plane by their number. In two tiers every spine is a plane of its own. Entry i of a tag
//! (its "congestion data") speaks of id i; both ends must count alike, so entries are dense over all ids and
//! stay in place when cables fail ("the switch ... simply sets the utilization of that port to the largest
//! value", section 3.1). Parallel cables to one switch, of which the paper does not speak, share its entry:
//! the tag selects switches, and the chosen switch answers through any of them.
//!
//! **Multipliers.** The paper sets 2 on the ToR uplink to an aggregation switch that lost one of its two core
//! links, "based on the effective capacity at aggregation switches": the capacity of the pod's best
//! connected aggregation switch divided by this one's. Core links of different rates are covered by the same
//! rule. Dividing by the best, not by the capacity before the failure, changes only a factor common to all
//! of a ToR's uplinks, and needs no memory of a time before the failure. A core link counts if the routes
//! use it towards any ToR.

use super::bundles::{neighbours, nodes, tiers};
use super::shares::gcd;
use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric};
use crate::routes::Routes;
use closlab_units::{LinkId, NodeId, PortId, TorId};
use std::collections::{BTreeMap, BTreeSet};

/// "At most 128" congestion metrics fit a tag (section 3.2).
const MAX_ENTRIES: usize = 128;

/// What a link load is multiplied by: a reduced ratio, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiplier {
    /// Never below the denominator.
    pub numerator: u64,
    /// Never zero.
    pub denominator: u64,
}

impl Multiplier {
    /// No change.
    pub const ONE: Multiplier = Multiplier {
        numerator: 1,
        denominator: 1,
    };
}

/// One entry of a switch's congestion table: the uplinks to the switch with this entry's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UplinkEntry {
    /// The aggregation switch (or spine) above a ToR, the core above an aggregation switch; `None` if no
    /// cable was ever laid to one of this id.
    pub to: Option<NodeId>,
    /// Its cables, ascending, those that are down included; empty without `to`.
    pub ports: Vec<PortId>,
    /// For the egress loads that a source ToR writes into a tag of inter-pod traffic. `None`: nothing of
    /// what goes up here can leave the pod. Always 1 above aggregation switches and in two tiers.
    pub egress: Option<Multiplier>,
    /// The same for the ingress loads that a destination ToR adds.
    pub ingress: Option<Multiplier>,
}

/// The congestion tables' layout of every ToR and aggregation switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expeditus {
    /// Indexed by [`NodeId`]; empty where path selection has nothing to choose (cores, spines).
    entries: Vec<Vec<UplinkEntry>>,
    /// Indexed by [`TorId`].
    pods: Vec<u32>,
}

impl Expeditus {
    /// Ids and multipliers. `routes` must be computed from `fabric`.
    ///
    /// # Errors
    /// A fabric without pairwise connectivity (two aggregation switches of one pod on the same core plane,
    /// as in VL2), of more than three tiers, or with more ids than a tag has entries.
    pub fn compute(fabric: &Fabric, routes: &Routes) -> Result<Expeditus, FabricError> {
        let tiers = tiers(fabric);
        let known = tiers.iter().copied().filter(|&tier| tier != u16::MAX);
        let highest = known.max().unwrap_or(0);
        if highest > 2 {
            return Err(refused(
                format!("{} tiers", highest + 1),
                "Expeditus selects a path in two stages, for at most three tiers",
            ));
        }
        let pods = islands(fabric, &tiers, 0);
        let planes = Planes::new(fabric, &tiers);
        planes.require_pairwise(fabric, &pods)?;
        let capacity = |links: Vec<LinkId>| -> u64 {
            let working = links.into_iter().filter(|&l| in_use(fabric, routes, l));
            working.map(|l| fabric.link(l).rate.bps()).sum()
        };
        let mut entries: Vec<Vec<UplinkEntry>> = Vec::with_capacity(tiers.len());
        for node in nodes(fabric) {
            let mut own = planes.entries(fabric, &tiers, node);
            if own.len() > MAX_ENTRIES {
                return Err(refused(
                    format!("{} uplink ids at {}", own.len(), fabric.switch(node).name),
                    "an Expeditus tag holds 128 entries",
                ));
            }
            if tiers[node.index()] == 0 && highest == 2 {
                let up = |node| uplinks(fabric, &tiers, node);
                let egress: Vec<u64> = of_entries(&own, |to| capacity(up(to)));
                let ingress: Vec<u64> = of_entries(&own, |to| {
                    capacity(up(to).into_iter().map(|l| fabric.reverse(l)).collect())
                });
                for (entry, multiplier) in own.iter_mut().zip(multipliers(&egress)) {
                    entry.egress = multiplier;
                }
                for (entry, multiplier) in own.iter_mut().zip(multipliers(&ingress)) {
                    entry.ingress = multiplier;
                }
            }
            entries.push(own);
        }
        let pod = |&tor: &NodeId| pods[tor.index()].unwrap_or(0);
        Ok(Expeditus {
            entries,
            pods: fabric.tors.iter().map(pod).collect(),
        })
    }

    /// The congestion table of `switch`, one entry for each id; their number is the tag's NoE.
    pub fn entries(&self, switch: NodeId) -> &[UplinkEntry] {
        &self.entries[switch.index()]
    }

    /// The id of what `port` of `switch` leads up to; `None` for other ports.
    pub fn id(&self, switch: NodeId, port: PortId) -> Option<u8> {
        let mut entries = self.entries(switch).iter();
        let id = entries.position(|entry| entry.ports.binary_search(&port).is_ok())?;
        u8::try_from(id).ok()
    }

    /// The ids through which `switch` reaches `dst`, ascending: at a ToR those of which the tag must choose
    /// one (the same id serves at both ends), at an aggregation switch the cores for the second stage.
    pub fn reaching(&self, routes: &Routes, switch: NodeId, dst: TorId) -> Vec<u8> {
        let ports = routes.group(switch, dst).map_or(&[][..], |g| &g.ports);
        let ids: BTreeSet<u8> = ports.iter().filter_map(|&p| self.id(switch, p)).collect();
        ids.into_iter().collect()
    }

    /// Whether traffic between these ToRs leaves its pod: only then do multipliers count (section 3.3).
    pub fn inter_pod(&self, src: TorId, dst: TorId) -> bool {
        self.pods[src.index()] != self.pods[dst.index()]
    }
}

fn refused(value: String, why: &str) -> FabricError {
    let remedy = "use a leaf-spine, 3-tier Clos or fat-tree fabric within these limits";
    FabricError::new("expeditus", value, why, remedy)
}

fn of_entries(entries: &[UplinkEntry], capacity: impl Fn(NodeId) -> u64) -> Vec<u64> {
    entries.iter().map(|e| e.to.map_or(0, &capacity)).collect()
}

fn multipliers(capacities: &[u64]) -> impl Iterator<Item = Option<Multiplier>> + '_ {
    let best = capacities.iter().copied().max().unwrap_or(0);
    capacities.iter().map(move |&own| {
        // Both fit 64 bits, hence their divisor does.
        let divisor = gcd(best.into(), own.into()) as u64;
        (own > 0).then(|| Multiplier {
            numerator: best / divisor,
            denominator: own / divisor,
        })
    })
}

/// The cables from `node` to the tier above.
fn uplinks(fabric: &Fabric, tiers: &[u16], node: NodeId) -> Vec<LinkId> {
    let up = neighbours(fabric, node).filter(|&(_, to)| tiers[to.index()] > tiers[node.index()]);
    let links = &fabric.switch(node).ports;
    up.map(|(port, _)| links[port.index()]).collect()
}

fn in_use(fabric: &Fabric, routes: &Routes, link: LinkId) -> bool {
    let link = fabric.link(link);
    let Endpoint::Switch(node) = link.from else {
        return false;
    };
    let mut groups = routes.groups(node).iter();
    groups.any(|group| group.ports.binary_search(&link.from_port).is_ok())
}

/// Numbers what hangs together over cables between tiers `lower` and `lower + 1`; `None` at other tiers.
fn islands(fabric: &Fabric, tiers: &[u16], lower: u16) -> Vec<Option<u32>> {
    let mut island = vec![None; tiers.len()];
    let mut count = 0;
    let within = |node: NodeId| (lower..=lower + 1).contains(&tiers[node.index()]);
    for start in nodes(fabric).filter(|&node| within(node)) {
        if island[start.index()].is_some() {
            continue;
        }
        island[start.index()] = Some(count);
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for (_, next) in neighbours(fabric, node).filter(|&(_, next)| within(next)) {
                if tiers[next.index()] != tiers[node.index()] && island[next.index()].is_none() {
                    island[next.index()] = Some(count);
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    island
}

/// The ids of all switches above the ToRs.
struct Planes {
    /// Of an aggregation switch its plane, of a core its position in the plane; indexed by [`NodeId`].
    id: Vec<Option<usize>>,
    planes: usize,
    /// The number of cores in the plane of each aggregation switch, indexed by [`NodeId`].
    cores: Vec<usize>,
}

impl Planes {
    fn new(fabric: &Fabric, tiers: &[u16]) -> Planes {
        let island = islands(fabric, tiers, 1);
        let mut members: BTreeMap<u32, (Vec<NodeId>, Vec<NodeId>)> = BTreeMap::new();
        for node in nodes(fabric) {
            if let Some(island) = island[node.index()] {
                let (aggregation, cores) = members.entry(island).or_default();
                let tier = if tiers[node.index()] == 1 {
                    aggregation
                } else {
                    cores
                };
                tier.push(node);
            }
        }
        let mut order: Vec<(Vec<NodeId>, Vec<NodeId>)> = members.into_values().collect();
        // By the first core; planes without cores (spines) by themselves.
        order.sort_unstable_by_key(|(aggregation, cores)| {
            (cores.first().copied(), aggregation.first().copied())
        });
        let mut id = vec![None; tiers.len()];
        let mut core_counts = vec![0; tiers.len()];
        for (plane, (aggregation, cores)) in order.iter().enumerate() {
            for node in aggregation {
                id[node.index()] = Some(plane);
                core_counts[node.index()] = cores.len();
            }
            for (position, node) in cores.iter().enumerate() {
                id[node.index()] = Some(position);
            }
        }
        Planes {
            id,
            planes: order.len(),
            cores: core_counts,
        }
    }

    fn require_pairwise(&self, fabric: &Fabric, pods: &[Option<u32>]) -> Result<(), FabricError> {
        let mut seen: BTreeMap<(u32, usize), NodeId> = BTreeMap::new();
        for node in nodes(fabric) {
            let (Some(pod), Some(plane)) = (pods[node.index()], self.id[node.index()]) else {
                continue;
            };
            if let Some(&other) = seen.get(&(pod, plane)) {
                let name = |node: NodeId| &fabric.switch(node).name;
                return Err(refused(
                    format!("{} and {}", name(other), name(node)),
                    "they stand in one pod and reach the same cores, so that there is no pairwise \
                        connectivity (section 2.3)",
                ));
            }
            seen.insert((pod, plane), node);
        }
        Ok(())
    }

    fn entries(&self, fabric: &Fabric, tiers: &[u16], node: NodeId) -> Vec<UplinkEntry> {
        let count = match tiers[node.index()] {
            0 => self.planes,
            1 => self.cores[node.index()],
            _ => 0,
        };
        let blank = UplinkEntry {
            to: None,
            ports: Vec::new(),
            egress: Some(Multiplier::ONE),
            ingress: Some(Multiplier::ONE),
        };
        let mut entries = vec![blank; count];
        for link in uplinks(fabric, tiers, node) {
            let link = fabric.link(link);
            let Endpoint::Switch(to) = link.to else {
                continue;
            };
            if let Some(id) = self.id[to.index()] {
                entries[id].to = Some(to);
                entries[id].ports.push(link.from_port);
            }
        }
        entries
    }
}
