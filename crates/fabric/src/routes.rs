//! The control plane: equal-cost groups of ports on shortest paths, per destination ToR.

use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric, Link};
use crate::graph::{Graph, UNREACHED};
use crate::interning::{BLOCK, Block, Interned, UNUSED};
use closlab_units::{NodeId, PortId, TorId};
use std::collections::BTreeMap;
use std::mem::size_of;

/// Group index at the destination's own ToR: the packet leaves on the host's port.
pub const LOCAL: u16 = u16::MAX;

/// Group index at a switch that has no path to the destination. No ToR has it in the routes of
/// [`Routes::compute`]; those of [`Routes::compute_partial`] may.
pub const NO_ROUTE: u16 = u16::MAX - 1;

/// The ports of one switch that lie on a shortest path to some destination.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// Never empty, ascending; parallel cables count one port each.
    pub ports: Vec<PortId>,
}

/// Forwarding state of every switch: for each destination ToR one group of equal-cost ports.
///
/// Costs are hops (links between switches), as in a fabric routed by eBGP with ECMP (RFC 7938). There is no
/// rule against a path down and up again; it is used only where no shorter path is left. Links that are not
/// [`up`](Link::up) are not there.
///
/// A fabric of 73,728 hosts has 24 million pairs of switch and ToR, nearly all alike: a switch's row over the
/// destinations is kept in blocks of 64, and equal blocks and equal lists of groups are stored once for the
/// whole fabric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routes {
    tors: Vec<NodeId>,
    /// For each switch its row: one index into `blocks` for every 64 destinations.
    rows: Vec<u32>,
    blocks: Vec<Block>,
    /// For each switch an index into `lists`.
    list_of: Vec<u32>,
    lists: Vec<Vec<Group>>,
}

impl Routes {
    /// Shortest paths between all ToRs, by breadth-first search from each destination over the directed
    /// links between switches.
    ///
    /// # Errors
    /// ToRs that can't reach each other (they are named), a path of more than 254 hops, or a switch with more
    /// than 65,534 groups.
    pub fn compute(fabric: &Fabric) -> Result<Routes, FabricError> {
        let routes = Routes::compute_partial(fabric)?;
        routes.require_all_pairs(fabric)?;
        Ok(routes)
    }

    /// The same for a fabric that may have come apart: pairs of ToRs without a path have no group
    /// ([`NO_ROUTE`]) and are listed by [`Routes::unreachable_pairs`].
    ///
    /// # Errors
    /// A path of more than 254 hops, or a switch with more than 65,534 groups.
    pub fn compute_partial(fabric: &Fabric) -> Result<Routes, FabricError> {
        let graph = Graph::new(fabric);
        let switches = fabric.switches.len();
        let row_len = fabric.tors.len().div_ceil(BLOCK);
        let mut lists: Vec<GroupList> = (0..switches).map(|_| GroupList::default()).collect();
        let mut rows = vec![0; switches * row_len];
        let mut blocks = Interned::default();
        let mut current = vec![UNUSED; switches];
        let mut hops = vec![UNREACHED; switches];
        for (position, roots) in fabric.tors.chunks(BLOCK).enumerate() {
            current.fill(UNUSED);
            for (offset, &root) in roots.iter().enumerate() {
                graph.hops_to(root, fabric, &mut hops)?;
                for (node, block) in current.iter_mut().enumerate() {
                    block.hops[offset] = hops[node];
                    block.index[offset] = match hops[node] {
                        0 => LOCAL,
                        UNREACHED => NO_ROUTE,
                        _ => lists[node]
                            .index_of(graph.closer(node, &hops), &fabric.switches[node].name)?,
                    };
                }
            }
            for (node, block) in current.iter().enumerate() {
                rows[node * row_len + position] = blocks.index_of(block);
            }
        }
        let mut interned = Interned::default();
        let list_of = lists
            .iter()
            .map(|list| interned.index_of(&list.groups))
            .collect();
        Ok(Routes {
            tors: fabric.tors.clone(),
            rows,
            blocks: blocks.into_values(),
            list_of,
            lists: interned.into_values(),
        })
    }

    /// Which of `groups(switch)` leads to `dst`; [`LOCAL`] at `dst` itself, [`NO_ROUTE`] where none does.
    #[inline]
    pub fn group_index(&self, switch: NodeId, dst: TorId) -> u16 {
        self.block(switch, dst).index[dst.index() % BLOCK]
    }

    /// The distinct groups of `switch`; destinations with equal port sets share one.
    #[inline]
    pub fn groups(&self, switch: NodeId) -> &[Group] {
        &self.lists[self.list_of[switch.index()] as usize]
    }

    /// The group that leads from `switch` to `dst`; `None` at `dst` itself and where there is no path.
    pub fn group(&self, switch: NodeId, dst: TorId) -> Option<&Group> {
        self.groups(switch)
            .get(usize::from(self.group_index(switch, dst)))
    }

    /// Links between switches on a shortest path from `switch` to `dst`; `None` where there is no path.
    pub fn hops(&self, switch: NodeId, dst: TorId) -> Option<u16> {
        let hops = self.block(switch, dst).hops[dst.index() % BLOCK];
        (hops != UNREACHED).then_some(u16::from(hops))
    }

    /// Whether a packet that enters the fabric at `src` can get to `dst`.
    pub fn is_reachable(&self, src: TorId, dst: TorId) -> bool {
        self.hops(self.tors[src.index()], dst).is_some()
    }

    /// The pairs (source, destination) of ToRs without a path, by destination; none after [`Routes::compute`].
    pub fn unreachable_pairs(&self) -> impl Iterator<Item = (TorId, TorId)> + '_ {
        let tors = || (0..self.tors.len()).filter_map(TorId::from_index);
        tors()
            .flat_map(move |dst| tors().map(move |src| (src, dst)))
            .filter(|&(src, dst)| !self.is_reachable(src, dst))
    }

    /// The number of shortest paths from `src` to `dst`, parallel cables counted apart; 1 from a ToR to
    /// itself, 0 where there is no path. Saturates at `u64::MAX`.
    pub fn path_count(&self, fabric: &Fabric, src: TorId, dst: TorId) -> u64 {
        let along = |paths: u64, _: &Link| paths;
        self.fold_paths(fabric, src, dst, 1, along, u64::saturating_add)
            .unwrap_or(0)
    }

    /// Bytes of memory the forwarding state holds, its heap included (capacity slack aside).
    pub fn memory_bytes(&self) -> usize {
        let of_group = |g: &Group| size_of::<Group>() + g.ports.len() * size_of::<PortId>();
        let of_list =
            |list: &Vec<Group>| size_of::<Vec<Group>>() + list.iter().map(of_group).sum::<usize>();
        size_of::<Routes>()
            + self.tors.len() * size_of::<NodeId>()
            + (self.rows.len() + self.list_of.len()) * size_of::<u32>()
            + self.blocks.len() * size_of::<Block>()
            + self.lists.iter().map(of_list).sum::<usize>()
    }

    /// Carries `start` from `src` over all shortest paths to `dst`, hop by hop: `along` a link, and `join`ed
    /// where paths meet. `None` where there is no path.
    pub(crate) fn fold_paths<T: Copy>(
        &self,
        fabric: &Fabric,
        src: TorId,
        dst: TorId,
        start: T,
        along: impl Fn(T, &Link) -> T,
        join: impl Fn(T, T) -> T,
    ) -> Option<T> {
        let mut result = None;
        // All switches of one layer are equally far from `dst`, so each layer is complete before it is left.
        let mut layer = BTreeMap::from([(self.tors[src.index()], start)]);
        while !layer.is_empty() {
            let mut next = BTreeMap::new();
            for (&node, &value) in &layer {
                if self.group_index(node, dst) == LOCAL {
                    result = Some(value);
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

    fn block(&self, switch: NodeId, dst: TorId) -> &Block {
        let row_len = self.tors.len().div_ceil(BLOCK);
        let position = switch.index() * row_len + dst.index() / BLOCK;
        &self.blocks[self.rows[position] as usize]
    }

    fn require_all_pairs(&self, fabric: &Fabric) -> Result<(), FabricError> {
        let name = |(src, dst): (TorId, TorId)| {
            format!("{} -> {}", fabric.leaf(src).name, fabric.leaf(dst).name)
        };
        let mut pairs = self.unreachable_pairs();
        let Some(first) = pairs.next() else {
            return Ok(());
        };
        let some: Vec<String> = pairs.by_ref().take(2).map(name).collect();
        let others = match (some.join(", "), pairs.count()) {
            (none, _) if none.is_empty() => String::new(),
            (all, 0) => format!(", nor from {all}"),
            (some, more) => format!(", nor from {some} and for {more} more pairs"),
        };
        Err(FabricError::new(
            "routes",
            name(first),
            format!("no path is left between these leaves{others}"),
            "keep at least one working path between every two leaves, or let unreachable pairs be reported",
        ))
    }
}

/// The groups of one switch while they are found, numbered in the order of the first destination.
#[derive(Debug, Default)]
struct GroupList {
    groups: Vec<Group>,
    known: BTreeMap<Vec<PortId>, u16>,
    /// Neighbouring destinations mostly share a group: compared first.
    last: u16,
    ports: Vec<PortId>,
}

impl GroupList {
    fn index_of(
        &mut self,
        ports: impl Iterator<Item = PortId>,
        switch: &str,
    ) -> Result<u16, FabricError> {
        self.ports.clear();
        self.ports.extend(ports);
        let last = self.groups.get(usize::from(self.last));
        if last.is_some_and(|group| group.ports == self.ports) {
            return Ok(self.last);
        }
        if let Some(&index) = self.known.get(&self.ports) {
            self.last = index;
            return Ok(index);
        }
        let index = u16::try_from(self.groups.len())
            .ok()
            .filter(|&index| index < NO_ROUTE);
        self.last = index.ok_or_else(|| {
            FabricError::new(
                "routes",
                format!("groups of {switch}"),
                format!("a switch has at most {NO_ROUTE} groups of equal-cost ports"),
                "use fewer leaves",
            )
        })?;
        self.known.insert(self.ports.clone(), self.last);
        self.groups.push(Group {
            ports: self.ports.clone(),
        });
        Ok(self.last)
    }
}
