//! The fabric in motion: links, switches and their balancers, one event for each packet and hop.
//!
//! A network knows nothing of transports or flows. Whoever owns the hosts injects packets, advances the
//! network to an instant and takes what reached a host on the way; that may be simulated TCP or, one day, real
//! frames.

use crate::forwarding::{Routed, Tables};
use crate::grey::Grey;
use crate::link::{Link, LinkCounters, LinkEnd, LinkSetup, Offer};
use crate::packet::Packet;
use crate::queue::{EventQueue, WheelSize};
use crate::switch::{Switch, View, engine_of};
use closlab_balance::{Balancer, Ingress, SwitchConfig};
use closlab_fabric::{Endpoint, Fabric, Routes};
use closlab_units::rng::{Purpose, Rng};
use closlab_units::{HostId, LinkId, NodeId, PortId, Rate, Time};
use std::sync::Arc;

/// How switches are built, beyond the fabric they stand in.
#[derive(Debug, Clone)]
pub struct SwitchSetup<'a> {
    /// The run's seed.
    pub seed: u64,
    /// Forwarding engines of each switch; input ports are dealt to them in contiguous blocks.
    pub engines: usize,
    /// Whether a packet counts in the queue length only once wholly enqueued (DRILL section 3.2.1).
    pub delayed_visibility: bool,
    /// ECN threshold K of switch ports in bytes; `None` marks nothing.
    pub ecn_threshold: Option<u64>,
    /// The values of the scheme's parameters, in its manual's order.
    pub scheme_values: &'a [u64],
}

/// A packet that reached its host.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// The host.
    pub host: HostId,
    /// The packet.
    pub packet: Packet,
}

/// What entered the network and what left it. injected = delivered + dropped + lost + unroutable + in flight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flux {
    /// Packets that crossed a link.
    pub packet_hops: u64,
    /// Packets that hosts offered to their NICs.
    pub injected_packets: u64,
    /// Their bytes on the wire.
    pub injected_bytes: u64,
    /// Packets that reached a host or were absorbed by a switch.
    pub delivered_packets: u64,
    /// Their bytes on the wire.
    pub delivered_bytes: u64,
    /// Payload of the packets that reached a host.
    pub delivered_payload_bytes: u64,
    /// Packets that reached a switch with no way to their destination.
    pub unroutable_packets: u64,
    /// Their bytes on the wire.
    pub unroutable_bytes: u64,
}

/// Links, switches and the event queue that moves packets along them.
#[derive(Debug)]
pub struct Network<B> {
    now: u64,
    seed: u64,
    queue: EventQueue,
    links: Vec<Link>,
    switches: Vec<Switch>,
    balancers: Vec<B>,
    /// For each host the link from its NIC, and its leaf's port to it.
    uplinks: Vec<u32>,
    host_ports: Vec<PortId>,
    tracks_entering: bool,
    flux: Flux,
}

impl<B: Balancer> Network<B> {
    /// A network at rest at time zero, whose switches forward by `routes`.
    pub fn new(fabric: &Fabric, routes: &Routes, setup: &SwitchSetup<'_>) -> Network<B> {
        let tables = Tables {
            routes: Arc::new(routes.clone()),
            quiver: None,
        };
        Network::with_tables(fabric, &tables, setup)
    }

    /// A network at rest at time zero, whose switches forward by `tables`.
    pub(crate) fn with_tables(
        fabric: &Fabric,
        tables: &Tables,
        setup: &SwitchSetup<'_>,
    ) -> Network<B> {
        let switches: Vec<Switch> = (0..fabric.switches.len())
            .map(|node| Switch::new(fabric, tables, NodeId(node as u32), setup.engines))
            .collect();
        let balancer = |(node, switch): (usize, &Switch)| {
            let config = SwitchConfig {
                seed: setup.seed,
                node: NodeId(node as u32),
                ports: switch.ports(),
                engines: setup.engines,
                groups: switch.groups(),
            };
            B::new(&config, setup.scheme_values)
        };
        let hosts = (0..fabric.hosts.len()).map(|host| HostId(host as u32));
        Network {
            now: 0,
            seed: setup.seed,
            queue: EventQueue::new(fabric.links.len(), wheel_size(fabric)),
            balancers: switches.iter().enumerate().map(balancer).collect(),
            links: fabric
                .links
                .iter()
                .map(|link| new_link(fabric, link, setup))
                .collect(),
            switches,
            uplinks: fabric.hosts.iter().map(|host| host.uplink.0).collect(),
            host_ports: hosts.map(|host| fabric.host_port(host)).collect(),
            tracks_entering: setup.delayed_visibility && setup.engines > 1,
            flux: Flux::default(),
        }
    }

    /// The instant that the network has reached.
    #[inline]
    pub fn now(&self) -> Time {
        Time::from_ps(self.now)
    }

    /// A host hands a packet to its NIC now. The packet may be lost there if the NIC's queue is full.
    #[inline]
    pub fn inject(&mut self, host: HostId, packet: &Packet) {
        self.flux.injected_packets += 1;
        self.flux.injected_bytes += u64::from(packet.header.size);
        self.send(self.uplinks[host.index()], packet);
    }

    /// Moves packets until one reaches a host, or until every arrival up to and at `until` has happened.
    ///
    /// In the latter case (`None`) the network stands at `until`, which must not lie in its past.
    #[inline]
    pub fn advance(&mut self, until: Time) -> Option<Delivery> {
        while let Some((time, link)) = self
            .queue
            .pop(until.ps(), |link| self.links[link as usize].warm())
        {
            debug_assert!(time >= self.now, "time went backwards");
            self.now = time;
            let arriving = &mut self.links[link as usize];
            if arriving.special && arriving.is_stale(time) {
                continue;
            }
            self.flux.packet_hops += 1;
            let (mut packet, next) = arriving.arrive();
            if let Some(next) = next {
                if arriving.has_stale_entry() {
                    self.queue.push_beside(next, link);
                } else {
                    self.queue.push(next, link);
                }
            }
            if arriving.special && arriving.swallows(&packet) {
                continue;
            }
            match arriving.end {
                LinkEnd::Host(host) => {
                    self.deliver(&packet);
                    self.flux.delivered_payload_bytes += u64::from(packet.header.payload);
                    return Some(Delivery {
                        host: HostId(host),
                        packet,
                    });
                }
                LinkEnd::Switch { node, port, engine } => {
                    self.forward(
                        node as usize,
                        PortId(port),
                        usize::from(engine),
                        &mut packet,
                    );
                }
            }
        }
        self.now = until.ps();
        None
    }

    #[inline]
    fn deliver(&mut self, packet: &Packet) {
        self.flux.delivered_packets += 1;
        self.flux.delivered_bytes += u64::from(packet.header.size);
    }

    #[inline]
    fn forward(&mut self, node: usize, port: PortId, engine: usize, packet: &mut Packet) {
        let switch = &mut self.switches[node];
        let balancer = &mut self.balancers[node];
        switch.packets += 1;
        let mut view = View::new(self.now, engine, &mut self.links, switch.port_links());
        if balancer.ingress(&mut view, port, &mut packet.header) == Ingress::Absorb {
            self.deliver(packet);
            return;
        }
        let out = match switch.route(packet.header.dst_tor) {
            Routed::Nowhere => {
                self.flux.unroutable_packets += 1;
                self.flux.unroutable_bytes += u64::from(packet.header.size);
                return;
            }
            Routed::Local => self.host_ports[packet.header.dst as usize],
            Routed::Only(port) => port,
            Routed::Group(group) => balancer.choose(&mut view, &mut packet.header, group),
        };
        balancer.egress(&mut view, out, &mut packet.header);
        let link = switch.port_links()[out.index()];
        let accepted = self.send(link, packet);
        if self.tracks_entering && accepted {
            let until = self.now + self.switches[node].writing_time(engine, packet.header.size);
            self.links[link as usize].enter(self.now, until, packet.header.size, engine as u16);
        }
    }

    /// Offers a packet to a link; whether it was accepted.
    #[inline]
    fn send(&mut self, link: u32, packet: &Packet) -> bool {
        match self.links[link as usize].offer(self.now, packet) {
            Offer::Head(arrival) => {
                if self.links[link as usize].has_stale_entry() {
                    self.queue.push_beside(arrival, link);
                } else {
                    self.queue.push(arrival, link);
                }
                true
            }
            Offer::Behind => true,
            Offer::Dropped => false,
        }
    }

    /// `link` goes down now, or works again with an empty queue. What it held is lost and counted.
    pub fn set_up(&mut self, link: LinkId, up: bool) {
        let link = &mut self.links[link.index()];
        if up {
            link.bring_up()
        } else {
            link.take_down(self.now)
        }
    }

    /// From now on `link`, though up, loses packets with probability `loss` and all packets of the share
    /// `black_hole` of the flows; 0 and 0 heal it.
    pub fn set_grey(&mut self, link: LinkId, loss: f64, black_hole: f64) {
        let healthy = loss == 0.0 && black_hole == 0.0;
        let rng = Rng::stream(self.seed, Purpose::Loss, u64::from(link.0));
        self.links[link.index()].set_grey((!healthy).then(|| Grey::new(loss, black_hole, rng)));
    }

    /// `switch` forwards by `tables` from now on, leaving out the ports `down` that it knows to be dead itself.
    pub(crate) fn set_tables(&mut self, switch: NodeId, tables: &Tables, down: &[PortId]) {
        let state = &mut self.switches[switch.index()];
        state.set_tables(tables, down);
        self.balancers[switch.index()].regroup(state.groups());
    }

    /// What entered and left so far.
    pub fn flux(&self) -> Flux {
        self.flux
    }

    /// Packets waiting in the queue of `link`, the one in transmission not counted.
    pub fn waiting(&mut self, link: LinkId) -> u64 {
        self.links[link.index()].waiting(self.now)
    }

    /// What `link` has counted so far.
    pub fn link_counters(&self, link: LinkId) -> LinkCounters {
        self.links[link.index()].counters
    }

    pub(crate) fn links(&self) -> &[Link] {
        &self.links
    }

    pub(crate) fn switch_packets(&self, node: NodeId) -> u64 {
        self.switches[node.index()].packets
    }

    pub(crate) fn decisions(&self, node: NodeId) -> u64 {
        self.balancers[node.index()].decisions()
    }

    /// Whether nothing is in a queue or on a wire.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.queue.len() == 0
    }

    /// Entries in the event queue.
    pub(crate) fn pending_events(&self) -> u64 {
        self.queue.len() as u64
    }

    /// Bytes of memory in links and their rings.
    pub fn link_memory_bytes(&self) -> usize {
        self.links.iter().map(Link::memory_bytes).sum()
    }
}

fn new_link(fabric: &Fabric, link: &closlab_fabric::Link, setup: &SwitchSetup<'_>) -> Link {
    let threshold = match link.from {
        Endpoint::Switch(_) => setup.ecn_threshold,
        Endpoint::Host(_) => None,
    };
    let end = match link.to {
        Endpoint::Host(host) => LinkEnd::Host(host.0),
        Endpoint::Switch(node) => {
            let ports = fabric.switch(node).ports.len();
            let engine = engine_of(link.to_port, ports, setup.engines) as u16;
            LinkEnd::Switch {
                node: node.0,
                port: link.to_port.0,
                engine,
            }
        }
    };
    let mut state = Link::new(LinkSetup {
        rate: link.rate,
        delay_ps: link.delay.ps(),
        buffer_bytes: link.buffer.get(),
        ecn_threshold_bytes: threshold.unwrap_or(u64::MAX),
        end,
    });
    if !link.up {
        state.take_down(0);
    }
    state
}

/// A wheel fit for the fabric: a busy link's next arrival lies one full packet ahead, an idle link's first one
/// a packet and a propagation delay.
fn wheel_size(fabric: &Fabric) -> WheelSize {
    const FULL_PACKET: u64 = 1_538;
    let packet = |rate: Rate| rate.serialisation(FULL_PACKET).ps();
    let spans: Vec<u64> = fabric.links.iter().map(|link| packet(link.rate)).collect();
    let mean = spans.iter().sum::<u64>() / (spans.len() as u64).max(1);
    let horizon = fabric
        .links
        .iter()
        .map(|link| packet(link.rate) + link.delay.ps())
        .max();
    WheelSize::for_links(fabric.links.len(), mean, horizon.unwrap_or(1))
}
