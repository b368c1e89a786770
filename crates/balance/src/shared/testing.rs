//! A switch for tests of schemes: its queues are numbers.

use crate::hash::five_tuple;
use crate::{Header, IpProtocol, SwitchConfig, SwitchView};
use closlab_units::{Ecn, NodeId, PortId, TcpFlags, Time};

pub(crate) struct FakeSwitch {
    pub now: Time,
    pub engine: usize,
    pub queues: Vec<u64>,
}

impl FakeSwitch {
    pub(crate) fn new(ports: usize) -> FakeSwitch {
        FakeSwitch {
            now: Time::ZERO,
            engine: 0,
            queues: vec![0; ports],
        }
    }

    pub(crate) fn config(ports: usize, engines: usize, groups: usize) -> SwitchConfig {
        SwitchConfig {
            seed: 1,
            node: NodeId(0),
            ports,
            engines,
            groups,
        }
    }
}

impl SwitchView for FakeSwitch {
    fn now(&self) -> Time {
        self.now
    }

    fn engine(&self) -> usize {
        self.engine
    }

    fn queue_bytes(&mut self, port: PortId) -> u64 {
        self.queues[port.index()]
    }
}

pub(crate) fn ports(n: u16) -> Vec<PortId> {
    (0..n).map(PortId).collect()
}

/// A data packet of flow number `flow`.
pub(crate) fn header(flow: u32) -> Header {
    let (src, dst, sport, dport) = (
        flow % 97,
        1_000 + flow % 89,
        49_152 + (flow % 16_000) as u16,
        5_001,
    );
    Header {
        src,
        dst,
        hash: five_tuple(src, dst, sport, dport, IpProtocol::Tcp),
        sport,
        dport,
        size: 1_538,
        payload: 1_460,
        dst_tor: 1,
        flags: TcpFlags::default(),
        ecn: Ecn::NotEct,
        tag: [0; 8],
    }
}
