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

impl Cable {
    /// A cable between two switches with equal output queues.
    pub fn between_switches(rate: Rate, delay: Time, buffer: Bytes) -> Cable {
        Cable {
            rate,
            delay,
            near_buffer: buffer,
            far_buffer: buffer,
        }
    }
}

/// A fabric under construction: ports are numbered in the order in which cables are plugged in.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    fabric: Fabric,
}

impl Assembly {
    /// Goes on with a finished fabric: further cables take the next free ports.
    pub fn resume(fabric: Fabric) -> Assembly {
        Assembly { fabric }
    }

    pub fn fabric(&self) -> &Fabric {
        &self.fabric
    }

    pub fn switch(&mut self, name: String, role: Role) -> Result<NodeId, FabricError> {
        let node = numbered("switches", self.fabric.switches.len(), NodeId::from_index)?;
        let tor = match role {
            Role::Leaf => Some(numbered(
                "leaves",
                self.fabric.tors.len(),
                TorId::from_index,
            )?),
            Role::Spine | Role::Aggregation | Role::Core => None,
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

    /// The switches of one tier, in the order of their names.
    pub fn tier(
        &mut self,
        role: Role,
        names: impl Iterator<Item = String>,
    ) -> Result<Vec<NodeId>, FabricError> {
        names.map(|name| self.switch(name, role)).collect()
    }

    /// `per_tor` hosts under every ToR wired so far, ToR by ToR.
    pub fn hosts(&mut self, per_tor: u32, cable: Cable) -> Result<(), FabricError> {
        for tor in (0..self.fabric.tors.len()).filter_map(TorId::from_index) {
            for _ in 0..per_tor {
                self.host(tor, cable)?;
            }
        }
        Ok(())
    }

    /// `count` parallel cables between two switches.
    pub fn trunk(
        &mut self,
        near: NodeId,
        far: NodeId,
        count: u32,
        cable: Cable,
    ) -> Result<(), FabricError> {
        for _ in 0..count {
            self.connect(Endpoint::Switch(near), Endpoint::Switch(far), cable)?;
        }
        Ok(())
    }

    /// A host `host5` under `tor`, on the leaf's next free port. The cable's near end is the host.
    pub fn host(&mut self, tor: TorId, cable: Cable) -> Result<HostId, FabricError> {
        let name = format!("host{}", self.fabric.hosts.len());
        self.named_host(name, tor, cable)
    }

    /// [`Assembly::host`] with a name of its own.
    pub fn named_host(
        &mut self,
        name: String,
        tor: TorId,
        cable: Cable,
    ) -> Result<HostId, FabricError> {
        let id = numbered("hosts", self.fabric.hosts.len(), HostId::from_index)?;
        let leaf = Endpoint::Switch(self.fabric.tors[tor.index()]);
        let (uplink, downlink) = self.connect(Endpoint::Host(id), leaf, cable)?;
        self.fabric.hosts.push(Host {
            name,
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
            up: true,
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
