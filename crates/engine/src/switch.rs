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
    /// No port leads there.
    Nowhere,
    /// One port only.
    Only(PortId),
    /// Several equal-cost ports.
    Group { index: usize, ports: &'a [PortId] },
}

/// A path group's place in `group_ports`.
#[derive(Debug, Clone, Copy)]
struct Span {
    first: u32,
    count: u16,
}

/// A switch.
#[derive(Debug)]
pub(crate) struct Switch {
    /// Packets that arrived.
    pub packets: u64,
    /// For each destination ToR its path group, [`LOCAL`] or [`NO_ROUTE`].
    table: Box<[u16]>,
    spans: Box<[Span]>,
    group_ports: Box<[PortId]>,
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
        let ports = switch.ports.len();
        let mut engine_bps = vec![0; engines];
        for (port, &link) in switch.ingress.iter().enumerate() {
            let engine = engine_of(PortId(port as u16), ports, engines);
            engine_bps[engine] += fabric.link(link).rate.bps();
        }
        let mut switch = Switch {
            packets: 0,
            table: vec![NO_ROUTE; fabric.tors.len()].into(),
            spans: Box::default(),
            group_ports: Box::default(),
            port_links: switch.ports.iter().map(|link| link.0).collect(),
            engine_rates: engine_bps.into_iter().map(Rate::from_bps).collect(),
        };
        switch.set_table(routes, node, &[]);
        switch
    }

    /// Forwards as `routes` say for switch `node`, without the ports `down`.
    pub(crate) fn set_table(&mut self, routes: &Routes, node: NodeId, down: &[PortId]) {
        let mut spans = Vec::new();
        let mut group_ports = Vec::new();
        for group in routes.groups(node) {
            let first = group_ports.len();
            group_ports.extend(group.ports.iter().filter(|port| !down.contains(port)));
            spans.push(Span {
                first: first as u32,
                count: (group_ports.len() - first) as u16,
            });
        }
        for (tor, entry) in self.table.iter_mut().enumerate() {
            *entry = routes.group_index(node, TorId(tor as u16));
        }
        self.spans = spans.into();
        self.group_ports = group_ports.into();
    }

    /// The number of ports.
    pub(crate) fn ports(&self) -> usize {
        self.port_links.len()
    }

    /// The number of path groups.
    pub(crate) fn groups(&self) -> usize {
        self.spans.len()
    }

    /// The link that each port sends on.
    #[inline]
    pub(crate) fn port_links(&self) -> &[u32] {
        &self.port_links
    }

    #[inline]
    pub(crate) fn route(&self, dst_tor: u16) -> Routed<'_> {
        let group = self.table[usize::from(dst_tor)];
        let Some(&Span { first, count }) = self.spans.get(usize::from(group)) else {
            return if group == LOCAL {
                Routed::Local
            } else {
                Routed::Nowhere
            };
        };
        let first = first as usize;
        match count {
            0 => Routed::Nowhere,
            1 => Routed::Only(self.group_ports[first]),
            _ => Routed::Group {
                index: usize::from(group),
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
