//! A switch: its forwarding table, its ports, and what its balancer may see.

use crate::link::Link;
use closlab_balance::SwitchView;
use closlab_fabric::{Fabric, LOCAL, NO_ROUTE, Routes};
use closlab_units::{NodeId, PortId, Rate, Time, TorId};

/// Where a packet may go next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routed<'a> {
    /// The destination hangs off this switch.
    Local,
    /// One port only.
    Only(PortId),
    /// Several equal-cost ports.
    Group { index: usize, ports: &'a [PortId] },
}

/// The forwarding table's entry for one destination ToR.
#[derive(Debug, Clone, Copy)]
struct Entry {
    group: u16,
    /// Number of ports; 0 where the destination hangs off this switch.
    count: u16,
    /// The first of them in `group_ports`.
    first: u32,
}

/// A switch.
#[derive(Debug)]
pub(crate) struct Switch {
    /// Packets that arrived.
    pub packets: u64,
    table: Box<[Entry]>,
    group_ports: Box<[PortId]>,
    groups: usize,
    port_links: Box<[u32]>,
    /// For each forwarding engine the sum of the rates of its input ports.
    engine_rates: Box<[Rate]>,
}

/// The forwarding engine that handles what arrives on `port`: ports are dealt in contiguous blocks.
pub(crate) fn engine_of(port: PortId, ports: usize, engines: usize) -> usize {
    port.index() * engines / ports
}

impl Switch {
    pub(crate) fn new(fabric: &Fabric, routes: &Routes, node: NodeId, engines: usize) -> Switch {
        let switch = fabric.switch(node);
        let mut firsts = Vec::new();
        let mut group_ports = Vec::new();
        for group in routes.groups(node) {
            firsts.push(group_ports.len() as u32);
            group_ports.extend_from_slice(&group.ports);
        }
        let entry = |tor| match routes.group_index(node, TorId(tor as u16)) {
            // The control plane refuses unreachable pairs of ToRs; a spine may still lack a way to a ToR that
            // no packet asks it for.
            LOCAL | NO_ROUTE => Entry {
                group: 0,
                count: 0,
                first: 0,
            },
            group => Entry {
                group,
                count: routes.groups(node)[usize::from(group)].ports.len() as u16,
                first: firsts[usize::from(group)],
            },
        };
        let ports = switch.ports.len();
        let mut engine_bps = vec![0; engines];
        for (port, &link) in switch.ingress.iter().enumerate() {
            engine_bps[engine_of(PortId(port as u16), ports, engines)] +=
                fabric.link(link).rate.bps();
        }
        Switch {
            packets: 0,
            table: (0..fabric.tors.len()).map(entry).collect(),
            groups: firsts.len(),
            group_ports: group_ports.into(),
            port_links: switch.ports.iter().map(|link| link.0).collect(),
            engine_rates: engine_bps.into_iter().map(Rate::from_bps).collect(),
        }
    }

    /// The number of ports.
    pub(crate) fn ports(&self) -> usize {
        self.port_links.len()
    }

    /// The number of path groups.
    pub(crate) fn groups(&self) -> usize {
        self.groups
    }

    /// The link that each port sends on.
    #[inline]
    pub(crate) fn port_links(&self) -> &[u32] {
        &self.port_links
    }

    #[inline]
    pub(crate) fn route(&self, dst_tor: u16) -> Routed<'_> {
        let entry = self.table[usize::from(dst_tor)];
        let first = entry.first as usize;
        match entry.count {
            0 => Routed::Local,
            1 => Routed::Only(self.group_ports[first]),
            count => Routed::Group {
                index: usize::from(entry.group),
                ports: &self.group_ports[first..first + usize::from(count)],
            },
        }
    }

    /// How long `engine` writes a packet of `size` bytes into a queue: it keeps up with all its input ports, so
    /// it writes at the sum of their rates. DRILL states the effect (section 3.2.1) and no duration; this
    /// one makes a central engine all but immediate and an engine of a single port take a packet time.
    pub(crate) fn writing_time(&self, engine: usize, size: u16) -> u64 {
        self.engine_rates[engine]
            .serialisation(u64::from(size))
            .ps()
    }
}

/// What a balancer may see of its switch while it handles one packet.
pub(crate) struct View<'a> {
    now: u64,
    engine: usize,
    links: &'a mut [Link],
    port_links: &'a [u32],
}

impl<'a> View<'a> {
    #[inline]
    pub(crate) fn new(
        now: u64,
        engine: usize,
        links: &'a mut [Link],
        port_links: &'a [u32],
    ) -> View<'a> {
        View {
            now,
            engine,
            links,
            port_links,
        }
    }
}

impl SwitchView for View<'_> {
    #[inline]
    fn now(&self) -> Time {
        Time::from_ps(self.now)
    }

    #[inline]
    fn engine(&self) -> usize {
        self.engine
    }

    #[inline]
    fn queue_bytes(&mut self, port: PortId) -> u64 {
        let link = self.port_links[port.index()] as usize;
        self.links[link].visible_bytes(self.now, self.engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_dealt_to_engines_in_equal_blocks() {
        let dealt: Vec<usize> = (0..8).map(|port| engine_of(PortId(port), 8, 3)).collect();
        assert_eq!(dealt, [0, 0, 0, 1, 1, 1, 2, 2]);
        let own: Vec<usize> = (0..5).map(|port| engine_of(PortId(port), 5, 5)).collect();
        assert_eq!(own, [0, 1, 2, 3, 4]);
    }
}
