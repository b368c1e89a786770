//! The interface between a switch and its load balancer.

use crate::header::Header;
use crate::manual::Manual;
use closlab_units::rng::{Purpose, Rng};
use closlab_units::{NodeId, PortId, Time};

/// What a data plane can see of its switch while it handles one packet.
pub trait SwitchView {
    /// The time of the packet's arrival.
    fn now(&self) -> Time;

    /// The forwarding engine that handles the packet, below [`SwitchConfig::engines`].
    fn engine(&self) -> usize;

    /// Bytes queued at `port`, the packet in transmission included, as this engine may see them: a packet
    /// that another engine is still writing into the queue does not count yet (DRILL section 3.2.1).
    fn queue_bytes(&mut self, port: PortId) -> u64;
}

/// The equal-cost ports that lead to a packet's destination.
#[derive(Debug, Clone, Copy)]
pub struct PathGroup<'a> {
    /// Which of the switch's groups this is, below [`SwitchConfig::groups`].
    pub index: usize,
    /// The ports, ascending; at least two.
    pub ports: &'a [PortId],
    /// Its parts with symmetric paths; empty where all its paths are symmetric, and for schemes that don't
    /// ask ([`Balancer::USES_COMPONENTS`]).
    pub components: Components<'a>,
}

impl<'a> PathGroup<'a> {
    /// A group whose paths are all symmetric.
    pub const fn new(index: usize, ports: &'a [PortId]) -> PathGroup<'a> {
        PathGroup {
            index,
            ports,
            components: Components {
                spans: &[],
                ports: &[],
            },
        }
    }
}

/// Parts of a path group, each of symmetric paths, with weights (DRILL section 3.4.1).
#[derive(Debug, Clone, Copy)]
pub struct Components<'a> {
    /// The parts, by ascending `below`.
    pub spans: &'a [ComponentSpan],
    /// The ports of all parts.
    pub ports: &'a [PortId],
}

/// One part of a path group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComponentSpan {
    /// Flows whose 32-bit hash is below this, and not below that of the part before, belong to this part; 2^32 for
    /// the last one.
    pub below: u64,
    /// Its number among the switch's groups and parts of groups, below [`SwitchConfig::groups`].
    pub index: u32,
    /// Its first port in [`Components::ports`].
    pub first: u32,
    /// Its number of ports; at least one.
    pub count: u16,
}

impl<'a> Components<'a> {
    /// The part that the flow of this hash belongs to, as a group of its own; `None` where there are no parts.
    #[inline]
    pub fn of_flow(&self, hash: u32) -> Option<PathGroup<'a>> {
        let span = self
            .spans
            .iter()
            .find(|span| u64::from(hash) < span.below)?;
        let first = span.first as usize;
        let ports = &self.ports[first..first + usize::from(span.count)];
        Some(PathGroup::new(span.index as usize, ports))
    }
}

/// What becomes of a packet that enters a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ingress {
    /// It is forwarded as usual.
    Forward,
    /// It was meant for this switch and ends here.
    Absorb,
}

/// What a balancer is told of its switch when it is built.
#[derive(Debug, Clone, Copy)]
pub struct SwitchConfig {
    /// The run's seed.
    pub seed: u64,
    /// The switch.
    pub node: NodeId,
    /// Its number of ports.
    pub ports: usize,
    /// Its number of forwarding engines.
    pub engines: usize,
    /// Its number of path groups, parts of groups included.
    pub groups: usize,
}

impl SwitchConfig {
    /// The salt that makes this switch's hash differ from every other's.
    pub fn salt(&self) -> u32 {
        (Rng::stream(self.seed, Purpose::HashSalt, u64::from(self.node.0)).next_u64() >> 32) as u32
    }

    /// The switch's own random stream for forwarding engine `engine`.
    pub fn rng(&self, engine: usize) -> Rng {
        Rng::stream(
            self.seed,
            Purpose::Balancer,
            (u64::from(self.node.0) << 32) | engine as u64,
        )
    }
}

/// A load balancer at one switch.
///
/// `choose` is called for each packet that more than one equal-cost port can take; `ingress` and `egress`
/// see every packet.
pub trait Balancer: Sized {
    /// The scheme's manual page.
    const MANUAL: Manual;

    /// Whether the control plane shall split its path groups into symmetric components.
    const USES_COMPONENTS: bool = false;

    /// The balancer of one switch; `values` holds one value for each of the manual's parameters, in order
    /// and within bounds.
    fn new(config: &SwitchConfig, values: &[u64]) -> Self;

    /// A packet enters on `port`: read, write or strip its tag, or absorb it.
    #[inline]
    fn ingress(
        &mut self,
        _view: &mut impl SwitchView,
        _port: PortId,
        _packet: &mut Header,
    ) -> Ingress {
        Ingress::Forward
    }

    /// Several equal-cost ports lead to the destination: choose one of `group.ports`.
    fn choose(
        &mut self,
        view: &mut impl SwitchView,
        packet: &mut Header,
        group: PathGroup<'_>,
    ) -> PortId;

    /// The packet is about to be given to `port`'s queue: count it, stamp its tag.
    #[inline]
    fn egress(&mut self, _view: &mut impl SwitchView, _port: PortId, _packet: &mut Header) {}

    /// The switch has a new forwarding table with `groups` path groups, numbered afresh: what was remembered of a
    /// group has lost its meaning.
    fn regroup(&mut self, _groups: usize) {}

    /// Choices made anew so far: flowlets for a flowlet scheme, packets for the others.
    fn decisions(&self) -> u64;
}
