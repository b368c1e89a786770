//! Wiring a fabric cable by cable, so that every builder numbers ports and links by the same rule.

use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric, Host, Link, Role, Switch};
use closlab_units::{Bytes, HostId, LinkId, NodeId, PortId, Rate, Time, TorId};

/// The two directions of a cable share its rate and delay; each has its own output queue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cable {
    pub rate: Rate,
    pub delay: Time,
    /// The queue at the first named end.
    pub near_buffer: Bytes,
    /// The queue at the second named end.
    pub far_buffer: Bytes,
}

/// A fabric under construction: ports are numbered in the order in which cables are plugged in.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    fabric: Fabric,
}

impl Assembly {
    pub fn switch(&mut self, name: String, role: Role) -> Result<NodeId, FabricError> {
        let node = numbered("switches", self.fabric.switches.len(), NodeId::from_index)?;
        let tor = match role {
            Role::Leaf => Some(numbered(
                "leaves",
                self.fabric.tors.len(),
                TorId::from_index,
            )?),
            Role::Spine => None,
        };
        self.fabric.tors.extend(tor.map(|_| node));
        self.fabric.switches.push(Switch {
            name,
            role,
            tor,
            ports: Vec::new(),
            ingress: Vec::new(),
        });
        Ok(node)
    }

    /// A host under `tor`, on the leaf's next free port. The cable's near end is the host.
    pub fn host(&mut self, tor: TorId, cable: Cable) -> Result<HostId, FabricError> {
        let id = numbered("hosts", self.fabric.hosts.len(), HostId::from_index)?;
        let leaf = Endpoint::Switch(self.fabric.tors[tor.index()]);
        let (uplink, downlink) = self.connect(Endpoint::Host(id), leaf, cable)?;
        self.fabric.hosts.push(Host {
            name: format!("host{id}"),
            tor,
            uplink,
            downlink,
        });
        Ok(id)
    }

    /// Plugs a cable between the next free ports of two ends: the links near->far and far->near.
    pub fn connect(
        &mut self,
        near: Endpoint,
        far: Endpoint,
        cable: Cable,
    ) -> Result<(LinkId, LinkId), FabricError> {
        let (near_port, far_port) = (self.next_port(near)?, self.next_port(far)?);
        let forth = numbered("links", self.fabric.links.len(), LinkId::from_index)?;
        let back = numbered("links", self.fabric.links.len() + 1, LinkId::from_index)?;
        let link = Link {
            from: near,
            to: far,
            from_port: near_port,
            to_port: far_port,
            rate: cable.rate,
            delay: cable.delay,
            buffer: cable.near_buffer,
        };
        self.fabric.links.push(link);
        self.fabric.links.push(Link {
            from: far,
            to: near,
            from_port: far_port,
            to_port: near_port,
            buffer: cable.far_buffer,
            ..link
        });
        self.plug(near, forth, back);
        self.plug(far, back, forth);
        Ok((forth, back))
    }

    pub fn finish(self) -> Fabric {
        self.fabric
    }

    fn next_port(&self, end: Endpoint) -> Result<PortId, FabricError> {
        match end {
            Endpoint::Host(_) => Ok(PortId(0)),
            Endpoint::Switch(node) => {
                let switch = self.fabric.switch(node);
                let field = format!("ports of {}", switch.name);
                numbered(&field, switch.ports.len(), PortId::from_index)
            }
        }
    }

    fn plug(&mut self, end: Endpoint, egress: LinkId, ingress: LinkId) {
        if let Endpoint::Switch(node) = end {
            let switch = &mut self.fabric.switches[node.index()];
            switch.ports.push(egress);
            switch.ingress.push(ingress);
        }
    }
}

fn numbered<T>(field: &str, index: usize, id: fn(usize) -> Option<T>) -> Result<T, FabricError> {
    id(index).ok_or_else(|| {
        FabricError::new(
            field,
            format!("more than {index}"),
            "the identifiers of this kind end there",
            "make the fabric smaller",
        )
    })
}
