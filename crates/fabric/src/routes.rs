//! The control plane: equal-cost groups of ports on shortest paths, per destination ToR.

use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric, Link};
use closlab_units::{NodeId, PortId, TorId};
use std::collections::{BTreeMap, VecDeque};
use std::mem::size_of;

/// Group index at the destination's own ToR: the packet leaves on the host's port.
pub const LOCAL: u16 = u16::MAX;

/// Group index at a switch that has no path to the destination. No ToR ever has it: see [`Routes::compute`].
pub const NO_ROUTE: u16 = u16::MAX - 1;

/// The ports of one switch that lie on a shortest path to some destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Never empty, ascending; parallel cables count one port each.
    pub ports: Vec<PortId>,
}

/// Forwarding state of every switch: for each destination ToR one group of equal-cost ports.
///
/// Costs are hops (links between switches), as in a fabric routed by eBGP with ECMP (RFC 7938). There is no
/// rule against a path down and up again; it is used only where no shorter path is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routes {
    tors: Vec<NodeId>,
    tables: Vec<Table>,
}

/// One switch's part. `index[dst]` and `hops[dst]` are dense over ToRs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table {
    index: Vec<u16>,
    hops: Vec<u16>,
    groups: Vec<Group>,
}

const UNREACHED: u16 = u16::MAX;

/// A switch's ports towards other switches.
type Neighbours = Vec<Vec<(PortId, NodeId)>>;

impl Routes {
    /// Shortest paths between all ToRs, by breadth-first search from each destination over the directed
    /// links between switches.
    ///
    /// # Errors
    /// A ToR that can't reach another one (the pair is named), or a switch with more than 65,534 groups.
    pub fn compute(fabric: &Fabric) -> Result<Routes, FabricError> {
        let (downstream, upstream) = neighbours(fabric);
        let mut tables: Vec<Table> = fabric.switches.iter().map(|_| Table::new(fabric)).collect();
        let mut interned: Vec<BTreeMap<Vec<PortId>, u16>> =
            vec![BTreeMap::new(); fabric.switches.len()];
        let mut ports = Vec::new();
        for dst in 0..fabric.tors.len() {
            let hops = hops_to(fabric.tors[dst], &upstream, fabric)?;
            require_all_tors(fabric, dst, &hops)?;
            for (node, table) in tables.iter_mut().enumerate() {
                table.hops[dst] = hops[node];
                if hops[node] == 0 || hops[node] == UNREACHED {
                    table.index[dst] = if hops[node] == 0 { LOCAL } else { NO_ROUTE };
                    continue;
                }
                ports.clear();
                let closer = |&&(_, next): &&(PortId, NodeId)| {
                    hops[next.index()] != UNREACHED && hops[next.index()] + 1 == hops[node]
                };
                ports.extend(
                    downstream[node]
                        .iter()
                        .filter(closer)
                        .map(|&(port, _)| port),
                );
                let name = &fabric.switches[node].name;
                table.index[dst] = table.intern(&mut interned[node], &ports, name)?;
            }
        }
        Ok(Routes {
            tors: fabric.tors.clone(),
            tables,
        })
    }

    /// Which of `groups(switch)` leads to `dst`; [`LOCAL`] at `dst` itself, [`NO_ROUTE`] where none does.
    #[inline]
    pub fn group_index(&self, switch: NodeId, dst: TorId) -> u16 {
        self.tables[switch.index()].index[dst.index()]
    }

    /// The distinct groups of `switch`; destinations with equal port sets share one.
    #[inline]
    pub fn groups(&self, switch: NodeId) -> &[Group] {
        &self.tables[switch.index()].groups
    }

    /// The group that leads from `switch` to `dst`; `None` at `dst` itself and where there is no path.
    pub fn group(&self, switch: NodeId, dst: TorId) -> Option<&Group> {
        self.groups(switch)
            .get(usize::from(self.group_index(switch, dst)))
    }

    /// Links between switches on a shortest path from `switch` to `dst`; `None` where there is no path.
    pub fn hops(&self, switch: NodeId, dst: TorId) -> Option<u16> {
        let hops = self.tables[switch.index()].hops[dst.index()];
        (hops != UNREACHED).then_some(hops)
    }

    /// The number of shortest paths from `src` to `dst`, parallel cables counted apart; 1 from a ToR to
    /// itself. Saturates at `u64::MAX`.
    pub fn path_count(&self, fabric: &Fabric, src: TorId, dst: TorId) -> u64 {
        let along = |paths: u64, _: &Link| paths;
        self.fold_paths(fabric, src, dst, 1, along, u64::saturating_add)
    }

    /// Bytes of memory the forwarding state holds, its heap included (capacity slack aside).
    pub fn memory_bytes(&self) -> usize {
        let of_group = |g: &Group| size_of::<Group>() + g.ports.len() * size_of::<PortId>();
        let of_table = |t: &Table| {
            size_of::<Table>()
                + (t.index.len() + t.hops.len()) * size_of::<u16>()
                + t.groups.iter().map(of_group).sum::<usize>()
        };
        size_of::<Routes>()
            + self.tors.len() * size_of::<NodeId>()
            + self.tables.iter().map(of_table).sum::<usize>()
    }

    /// Carries `start` from `src` over all shortest paths to `dst`, hop by hop: `along` a link, and `join`ed
    /// where paths meet.
    pub(crate) fn fold_paths<T: Copy>(
        &self,
        fabric: &Fabric,
        src: TorId,
        dst: TorId,
        start: T,
        along: impl Fn(T, &Link) -> T,
        join: impl Fn(T, T) -> T,
    ) -> T {
        let mut result = start;
        // All switches of one layer are equally far from `dst`, so each layer is complete before it is left.
        let mut layer = BTreeMap::from([(self.tors[src.index()], start)]);
        while !layer.is_empty() {
            let mut next = BTreeMap::new();
            for (&node, &value) in &layer {
                if self.group_index(node, dst) == LOCAL {
                    result = value;
                }
                for port in self.group(node, dst).map_or(&[][..], |group| &group.ports) {
                    let link = fabric.link(fabric.switch(node).ports[port.index()]);
                    if let Endpoint::Switch(to) = link.to {
                        let arriving = along(value, link);
                        next.entry(to)
                            .and_modify(|held| *held = join(*held, arriving))
                            .or_insert(arriving);
                    }
                }
            }
            layer = next;
        }
        result
    }
}

impl Table {
    fn new(fabric: &Fabric) -> Table {
        Table {
            index: vec![NO_ROUTE; fabric.tors.len()],
            hops: vec![UNREACHED; fabric.tors.len()],
            groups: Vec::new(),
        }
    }

    fn intern(
        &mut self,
        known: &mut BTreeMap<Vec<PortId>, u16>,
        ports: &[PortId],
        switch: &str,
    ) -> Result<u16, FabricError> {
        if let Some(&index) = known.get(ports) {
            return Ok(index);
        }
        let index = u16::try_from(self.groups.len())
            .ok()
            .filter(|&i| i < NO_ROUTE);
        let index = index.ok_or_else(|| {
            FabricError::new(
                "routes",
                format!("groups of {switch}"),
                format!("a switch has at most {NO_ROUTE} groups of equal-cost ports"),
                "use fewer leaves",
            )
        })?;
        known.insert(ports.to_vec(), index);
        self.groups.push(Group {
            ports: ports.to_vec(),
        });
        Ok(index)
    }
}

/// For each switch, the switches its ports lead to, and the switches that lead to it.
fn neighbours(fabric: &Fabric) -> (Neighbours, Vec<Vec<NodeId>>) {
    let mut downstream = vec![Vec::new(); fabric.switches.len()];
    let mut upstream = vec![Vec::new(); fabric.switches.len()];
    for (switch, down) in fabric.switches.iter().zip(&mut downstream) {
        for &id in &switch.ports {
            let link = fabric.link(id);
            if let (Endpoint::Switch(from), Endpoint::Switch(to)) = (link.from, link.to) {
                down.push((link.from_port, to));
                upstream[to.index()].push(from);
            }
        }
    }
    (downstream, upstream)
}

/// The hops from every switch to `root`, [`UNREACHED`] where there is no path.
fn hops_to(
    root: NodeId,
    upstream: &[Vec<NodeId>],
    fabric: &Fabric,
) -> Result<Vec<u16>, FabricError> {
    let mut hops = vec![UNREACHED; upstream.len()];
    let mut queue = VecDeque::from([root]);
    hops[root.index()] = 0;
    while let Some(node) = queue.pop_front() {
        let further = hops[node.index()] + 1;
        for &before in &upstream[node.index()] {
            if hops[before.index()] == UNREACHED {
                if further == UNREACHED {
                    return Err(FabricError::new(
                        "routes",
                        format!(
                            "{} -> {}",
                            fabric.switch(before).name,
                            fabric.switch(root).name
                        ),
                        format!("the path has {further} hops or more"),
                        "use a fabric of fewer tiers",
                    ));
                }
                hops[before.index()] = further;
                queue.push_back(before);
            }
        }
    }
    Ok(hops)
}

fn require_all_tors(fabric: &Fabric, dst: usize, hops: &[u16]) -> Result<(), FabricError> {
    let lost = fabric
        .tors
        .iter()
        .find(|src| hops[src.index()] == UNREACHED);
    lost.map_or(Ok(()), |&src| {
        let name = |node: NodeId| &fabric.switch(node).name;
        Err(FabricError::new(
            "routes",
            format!("{} -> {}", name(src), name(fabric.tors[dst])),
            "no path is left between these leaves",
            "keep at least one working path between every two leaves",
        ))
    })
}
