//! The table of hosts, switches and directed links.

use closlab_units::{Bytes, HostId, LinkId, NodeId, PortId, Rate, Time, TorId};
use std::mem::size_of;

/// The tier of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A top-of-rack switch: hosts hang off it.
    Leaf,
    /// The upper tier of a two-tier Clos: connects leaves, never hosts.
    Spine,
    /// The middle tier of a three-tier Clos: connects the ToRs of a pod with the cores (Expeditus, section 2.2).
    Aggregation,
    /// The top tier of a three-tier Clos: connects pods (Expeditus, section 2.2). VL2's intermediate switches and
    /// the spine planes of Facebook's fabric (DRILL, section 3.4.1) are cores too.
    Core,
}

impl Role {
    /// Every role, from the hosts upwards.
    pub const ALL: [Role; 4] = [Role::Leaf, Role::Aggregation, Role::Spine, Role::Core];

    /// The role in records and descriptions: `leaf`, `aggregation`, `spine`, `core`.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Leaf => "leaf",
            Role::Spine => "spine",
            Role::Aggregation => "aggregation",
            Role::Core => "core",
        }
    }

    /// The place in [`Role::ALL`]: which of two linked switches is the upper one.
    pub const fn height(self) -> usize {
        match self {
            Role::Leaf => 0,
            Role::Aggregation => 1,
            Role::Spine => 2,
            Role::Core => 3,
        }
    }
}

/// Either end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Endpoint {
    /// A host's network interface.
    Host(HostId),
    /// A switch.
    Switch(NodeId),
}

/// One direction of a cable, together with the output queue that feeds it. A cable is two links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The sending end.
    pub from: Endpoint,
    /// The receiving end.
    pub to: Endpoint,
    /// The port at the sending end; 0 at a host.
    pub from_port: PortId,
    /// The port at the receiving end; 0 at a host.
    pub to_port: PortId,
    /// Bits per second on the wire; never zero.
    pub rate: Rate,
    /// Propagation delay, one way.
    pub delay: Time,
    /// Room of the output queue at `from`, including the packet in transmission; the NIC's at a host.
    pub buffer: Bytes,
    /// Whether the link works when the run begins. A failed link keeps its identifier and both its ports keep
    /// their numbers, as in a switch whose cable is broken; [`crate::Routes`] never leads over it.
    pub up: bool,
}

/// A switch. Port `p` sends on `ports[p]` and hears from `ingress[p]`; both vectors have the same length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// `leaf3`, `spine0`: what the builder calls this tier, and the position within it.
    pub name: String,
    /// The tier.
    pub role: Role,
    /// The ToR number of a leaf, `None` above.
    pub tor: Option<TorId>,
    /// The egress link of each port.
    pub ports: Vec<LinkId>,
    /// The link arriving on each port: the other direction of the same cable.
    pub ingress: Vec<LinkId>,
}

/// A host with one network interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// `host5`.
    pub name: String,
    /// The leaf it hangs off.
    pub tor: TorId,
    /// The link from the host to its leaf.
    pub uplink: LinkId,
    /// The link from the leaf to the host.
    pub downlink: LinkId,
}

/// Everything that is wired together. Vectors are indexed by the identifier of their element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fabric {
    /// Indexed by [`NodeId`].
    pub switches: Vec<Switch>,
    /// Indexed by [`HostId`].
    pub hosts: Vec<Host>,
    /// Indexed by [`LinkId`].
    pub links: Vec<Link>,
    /// The switch of each ToR, indexed by [`TorId`].
    pub tors: Vec<NodeId>,
}

/// Identifiers given to these methods must come from the same fabric; others panic as an index does.
impl Fabric {
    /// The switch `node`.
    pub fn switch(&self, node: NodeId) -> &Switch {
        &self.switches[node.index()]
    }

    /// The host `host`.
    pub fn host(&self, host: HostId) -> &Host {
        &self.hosts[host.index()]
    }

    /// The link `link`.
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.index()]
    }

    /// The switch of ToR `tor`.
    pub fn leaf(&self, tor: TorId) -> &Switch {
        self.switch(self.tors[tor.index()])
    }

    /// The leaf's port that leads to `host`.
    pub fn host_port(&self, host: HostId) -> PortId {
        self.link(self.host(host).uplink).to_port
    }

    /// The hosts under `tor`, in the order of the leaf's ports.
    pub fn hosts_of(&self, tor: TorId) -> impl Iterator<Item = HostId> + '_ {
        self.leaf(tor)
            .ports
            .iter()
            .filter_map(|&link| match self.link(link).to {
                Endpoint::Host(host) => Some(host),
                Endpoint::Switch(_) => None,
            })
    }

    /// The links from `tor`'s leaf to other switches, in the order of its ports.
    pub fn uplinks_of(&self, tor: TorId) -> impl Iterator<Item = LinkId> + '_ {
        let ports = self.leaf(tor).ports.iter().copied();
        ports.filter(|&link| matches!(self.link(link).to, Endpoint::Switch(_)))
    }

    /// Bits per second that all the uplinks of `tor`'s leaf carry together while none has failed: loads are
    /// "relative to the bisectional bandwidth without the link failure" (LetFlow, section 5.1).
    pub fn uplink_capacity(&self, tor: TorId) -> u64 {
        self.uplinks_of(tor)
            .map(|link| self.link(link).rate.bps())
            .sum()
    }

    /// The other direction of `link`'s cable.
    pub fn reverse(&self, link: LinkId) -> LinkId {
        let Link {
            from, from_port, ..
        } = *self.link(link);
        match from {
            Endpoint::Host(host) => self.host(host).downlink,
            Endpoint::Switch(node) => self.switch(node).ingress[from_port.index()],
        }
    }

    /// Whether both directions of `host`'s cable work; a host without is reached by nobody.
    pub fn host_is_up(&self, host: HostId) -> bool {
        let Host {
            uplink, downlink, ..
        } = *self.host(host);
        self.link(uplink).up && self.link(downlink).up
    }

    /// `host5`, `leaf3` or `spine0`.
    pub fn endpoint_name(&self, endpoint: Endpoint) -> &str {
        match endpoint {
            Endpoint::Host(host) => &self.host(host).name,
            Endpoint::Switch(node) => &self.switch(node).name,
        }
    }

    /// `leaf0->spine1`, and `leaf0->spine1#2` for the third of several parallel links.
    pub fn link_name(&self, id: LinkId) -> String {
        let link = self.link(id);
        let name = format!(
            "{}->{}",
            self.endpoint_name(link.from),
            self.endpoint_name(link.to)
        );
        let Endpoint::Switch(from) = link.from else {
            return name;
        };
        let parallel = self
            .switch(from)
            .ports
            .iter()
            .filter(|&&l| self.link(l).to == link.to);
        let (mut index, mut count) = (0, 0);
        for &sibling in parallel {
            if sibling == id {
                index = count;
            }
            count += 1;
        }
        if count > 1 {
            format!("{name}#{index}")
        } else {
            name
        }
    }

    /// Bytes of memory this table holds, its heap included (capacity slack aside).
    pub fn memory_bytes(&self) -> usize {
        let of_switch = |s: &Switch| {
            size_of::<Switch>()
                + s.name.len()
                + (s.ports.len() + s.ingress.len()) * size_of::<LinkId>()
        };
        let of_host = |h: &Host| size_of::<Host>() + h.name.len();
        size_of::<Fabric>()
            + self.switches.iter().map(of_switch).sum::<usize>()
            + self.hosts.iter().map(of_host).sum::<usize>()
            + size_of::<Link>() * self.links.len()
            + size_of::<NodeId>() * self.tors.len()
    }
}
