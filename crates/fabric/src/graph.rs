//! The working links between switches as flat lists, for searches that visit each of them often.

use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric};
use closlab_units::{NodeId, PortId};

/// The distance of a switch from which there is no path.
pub(crate) const UNREACHED: u8 = u8::MAX;

/// The switch graph of a fabric without the links that are down.
#[derive(Debug)]
pub(crate) struct Graph {
    /// `downstream[first_down[n]..first_down[n + 1]]`: the ports of switch `n` and the switches they lead to.
    first_down: Vec<u32>,
    downstream: Vec<(PortId, NodeId)>,
    /// `upstream[first_up[n]..first_up[n + 1]]`: the switches with a link to `n`.
    first_up: Vec<u32>,
    upstream: Vec<NodeId>,
}

impl Graph {
    pub fn new(fabric: &Fabric) -> Graph {
        let mut before = vec![Vec::new(); fabric.switches.len()];
        let (mut first_down, mut downstream) = (vec![0], Vec::new());
        for switch in &fabric.switches {
            for link in switch.ports.iter().map(|&id| fabric.link(id)) {
                if let (Endpoint::Switch(from), Endpoint::Switch(to), true) =
                    (link.from, link.to, link.up)
                {
                    downstream.push((link.from_port, to));
                    before[to.index()].push(from);
                }
            }
            first_down.push(downstream.len() as u32);
        }
        let (mut first_up, mut upstream) = (vec![0], Vec::new());
        for mut nodes in before {
            // Parallel cables lead from the same switch: once is enough for a search.
            nodes.dedup();
            upstream.append(&mut nodes);
            first_up.push(upstream.len() as u32);
        }
        Graph {
            first_down,
            downstream,
            first_up,
            upstream,
        }
    }

    /// Writes the hops from every switch to `root` into `hops`, [`UNREACHED`] where there is no path.
    ///
    /// # Errors
    /// A path of more than 254 hops: no fabric has one, a line of switches drawn by mistake may.
    pub fn hops_to(
        &self,
        root: NodeId,
        fabric: &Fabric,
        hops: &mut [u8],
    ) -> Result<(), FabricError> {
        hops.fill(UNREACHED);
        hops[root.index()] = 0;
        let mut queue = vec![root];
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            let further = hops[node.index()] + 1;
            for &before in range(&self.first_up, &self.upstream, node.index()) {
                if hops[before.index()] != UNREACHED {
                    continue;
                }
                if further == UNREACHED {
                    let name = |node| &fabric.switch(node).name;
                    return Err(FabricError::new(
                        "routes",
                        format!("{} -> {}", name(before), name(root)),
                        format!("the path has {further} hops or more"),
                        "use a fabric of fewer tiers",
                    ));
                }
                hops[before.index()] = further;
                queue.push(before);
            }
        }
        Ok(())
    }

    /// The ports of `node` that lead one hop closer to where `hops` counts from, ascending.
    pub fn closer<'a>(&'a self, node: usize, hops: &'a [u8]) -> impl Iterator<Item = PortId> + 'a {
        // A switch that is asked has a path, so its distance is not UNREACHED, nor is that of a closer one.
        range(&self.first_down, &self.downstream, node)
            .iter()
            .filter(move |(_, next)| hops[next.index()] < hops[node])
            .map(|&(port, _)| port)
    }
}

fn range<'a, T>(first: &[u32], values: &'a [T], node: usize) -> &'a [T] {
    &values[first[node] as usize..first[node + 1] as usize]
}
