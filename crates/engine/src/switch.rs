//! A switch: its forwarding table, its ports, and what its balancer may see.

use crate::forwarding::{Forwarding, Routed, Tables};
use crate::link::Link;
use closlab_balance::SwitchView;
use closlab_fabric::Fabric;
use closlab_units::{NodeId, PortId, Rate, Time};

/// A switch.
#[derive(Debug)]
pub(crate) struct Switch {
    /// Packets that arrived.
    pub packets: u64,
    node: NodeId,
    tors: usize,
    forwarding: Forwarding,
    port_links: Box<[u32]>,
    /// For each forwarding engine the sum of the rates of its input ports.
    engine_rates: Box<[Rate]>,
}

/// The forwarding engine that handles what arrives on `port`: ports are dealt in contiguous blocks.
pub(crate) fn engine_of(port: PortId, ports: usize, engines: usize) -> usize {
    port.index() * engines / ports
}

impl Switch {
    pub(crate) fn new(fabric: &Fabric, tables: &Tables, node: NodeId, engines: usize) -> Switch {
        let switch = fabric.switch(node);
        let ports = switch.ports.len();
        let mut engine_bps = vec![0; engines];
        for (port, &link) in switch.ingress.iter().enumerate() {
            let engine = engine_of(PortId(port as u16), ports, engines);
            engine_bps[engine] += fabric.link(link).rate.bps();
        }
        Switch {
            packets: 0,
            node,
            tors: fabric.tors.len(),
            forwarding: Forwarding::new(fabric.tors.len(), tables, node, &[]),
            port_links: switch.ports.iter().map(|link| link.0).collect(),
            engine_rates: engine_bps.into_iter().map(Rate::from_bps).collect(),
        }
    }

    /// Forwards by `tables` from now on, without the ports `down`.
    pub(crate) fn set_tables(&mut self, tables: &Tables, down: &[PortId]) {
        self.forwarding = Forwarding::new(self.tors, tables, self.node, down);
    }

    /// The number of ports.
    pub(crate) fn ports(&self) -> usize {
        self.port_links.len()
    }

    /// The number of path groups, parts of groups included.
    pub(crate) fn groups(&self) -> usize {
        self.forwarding.slots()
    }

    /// The link that each port sends on.
    #[inline]
    pub(crate) fn port_links(&self) -> &[u32] {
        &self.port_links
    }

    #[inline]
    pub(crate) fn route(&self, dst_tor: u16) -> Routed<'_> {
        self.forwarding.route(dst_tor)
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
