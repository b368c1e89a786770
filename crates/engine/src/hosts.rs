//! The hosts: their connections, and the timers of these.

use crate::network::{Delivery, Network};
use crate::packet::Packet;
use closlab_balance::{Balancer, Header, IpProtocol, hash};
use closlab_fabric::Fabric;
use closlab_record::{FlowRow, Flows};
use closlab_transport::{Receiver, Sender, TcpConfig};
use closlab_units::{Ecn, FlowId, HostId, TcpFlags, Time};
use closlab_workload::Flow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NO_CONNECTION: u32 = u32::MAX;

/// The two ends of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum End {
    Sender = 0,
    Receiver = 1,
}

/// A flow under way.
#[derive(Debug)]
struct Connection {
    flow: FlowId,
    src: HostId,
    dst: HostId,
    received: bool,
    sender: Sender,
    receiver: Receiver,
    forward: Header,
    backward: Header,
    /// For each end the time of its pending entry among the timers. An entry is left where it is when the
    /// deadline moves away, and looked at again when it comes up: a deadline moves with every acknowledgment.
    armed: [Time; 2],
}

/// Every host, and the records of their flows.
#[derive(Debug)]
pub(crate) struct Hosts {
    config: TcpConfig,
    tor_of: Vec<u16>,
    connections: Vec<Connection>,
    free: Vec<u32>,
    /// For each flow its place among the connections.
    connection_of: Vec<u32>,
    timers: BinaryHeap<Reverse<(Time, u32)>>,
    flows: Flows,
    open_measured: u64,
}

impl Hosts {
    pub(crate) fn new(fabric: &Fabric, config: TcpConfig) -> Hosts {
        Hosts {
            config,
            tor_of: fabric.hosts.iter().map(|host| host.tor.0).collect(),
            connections: Vec::new(),
            free: Vec::new(),
            connection_of: Vec::new(),
            timers: BinaryHeap::new(),
            flows: Flows::default(),
            open_measured: 0,
        }
    }

    /// The time of the first timer.
    #[inline]
    pub(crate) fn next_timer(&self) -> Time {
        self.timers
            .peek()
            .map_or(Time::MAX, |&Reverse((time, _))| time)
    }

    /// Measured flows that are under way.
    #[inline]
    pub(crate) fn open_measured(&self) -> u64 {
        self.open_measured
    }

    /// Whether no flow is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.free.len() == self.connections.len()
    }

    /// A flow starts now.
    pub(crate) fn start<B: Balancer>(&mut self, net: &mut Network<B>, flow: &Flow, measured: bool) {
        let id = FlowId(self.connection_of.len() as u32);
        let connection = self.connect(id, flow);
        let index = match self.free.pop() {
            Some(index) => {
                self.connections[index as usize] = connection;
                index
            }
            None => {
                self.connections.push(connection);
                self.connections.len() as u32 - 1
            }
        };
        self.connection_of.push(index);
        self.flows.push(self.row(id, flow, measured));
        self.open_measured += u64::from(measured);
        self.connections[index as usize]
            .sender
            .start(net.now(), &self.config);
        self.pump_sender(net, index);
    }

    /// Whether both ends of `flow` are under one leaf.
    pub(crate) fn same_leaf(&self, flow: &Flow) -> bool {
        self.tor_of[flow.src.index()] == self.tor_of[flow.dst.index()]
    }

    /// From start to the receiver's last byte, of the flow that started last; zero if it has not ended.
    pub(crate) fn last_receiver_fct(&self) -> Time {
        Time::from_ps(self.flows.receiver_fct_ps.last().copied().unwrap_or(0))
    }

    fn connect(&self, id: FlowId, flow: &Flow) -> Connection {
        let header = |src: HostId, dst: HostId, sport, dport| Header {
            src: src.0,
            dst: dst.0,
            hash: hash::five_tuple(src.0, dst.0, sport, dport, IpProtocol::Tcp),
            sport,
            dport,
            size: 0,
            payload: 0,
            dst_tor: self.tor_of[dst.index()],
            flags: TcpFlags(0),
            ecn: Ecn::NotEct,
            tag: [0; 8],
        };
        Connection {
            flow: id,
            src: flow.src,
            dst: flow.dst,
            received: false,
            sender: Sender::new(&self.config, flow.size),
            receiver: Receiver::new(&self.config, flow.size),
            forward: header(flow.src, flow.dst, flow.sport, flow.dport),
            backward: header(flow.dst, flow.src, flow.dport, flow.sport),
            armed: [Time::MAX; 2],
        }
    }

    fn row(&self, id: FlowId, flow: &Flow, measured: bool) -> FlowRow {
        FlowRow {
            flow: id.0,
            src: flow.src.0,
            dst: flow.dst.0,
            src_leaf: self.tor_of[flow.src.index()],
            dst_leaf: self.tor_of[flow.dst.index()],
            size_bytes: flow.size,
            start_ps: flow.start.ps(),
            measured: u8::from(measured),
            receiver_fct_ps: 0,
            sender_fct_ps: 0,
            delivered_bytes: 0,
            segments_sent: 0,
            retransmitted_segments: 0,
            timeouts: 0,
            fast_recoveries: 0,
            dup_acks: 0,
            reordered_segments: 0,
            duplicate_segments: 0,
            ecn_reductions: 0,
            held_segments: 0,
            shim_timeouts: 0,
        }
    }

    /// A packet has reached its host.
    #[inline]
    pub(crate) fn deliver<B: Balancer>(&mut self, net: &mut Network<B>, delivery: &Delivery) {
        let index = self.connection_of[delivery.packet.flow.index()];
        if index == NO_CONNECTION {
            // The flow has ended: a copy that a retransmission made superfluous.
            return;
        }
        let connection = &mut self.connections[index as usize];
        let segment = delivery.packet.segment();
        if delivery.host == connection.dst {
            connection
                .receiver
                .on_segment(net.now(), &self.config, &segment);
            self.pump_receiver(net, index);
        } else {
            connection
                .sender
                .on_segment(net.now(), &self.config, &segment);
            self.pump_sender(net, index);
        }
    }

    /// The first timer has come up.
    pub(crate) fn fire<B: Balancer>(&mut self, net: &mut Network<B>) {
        let Some(Reverse((time, key))) = self.timers.pop() else {
            return;
        };
        let (index, end) = (key >> 1, key & 1);
        let connection = &mut self.connections[index as usize];
        if connection.armed[end as usize] != time {
            // Superseded by an earlier entry, or left behind by a flow that has ended.
            return;
        }
        connection.armed[end as usize] = Time::MAX;
        if end == End::Sender as u32 {
            if connection.sender.deadline() <= time {
                connection.sender.on_deadline(time, &self.config);
            }
            self.pump_sender(net, index);
        } else {
            if connection.receiver.deadline() <= time {
                connection.receiver.on_deadline(time, &self.config);
            }
            self.pump_receiver(net, index);
        }
    }

    #[inline]
    fn pump_sender<B: Balancer>(&mut self, net: &mut Network<B>, index: u32) {
        let connection = &mut self.connections[index as usize];
        while let Some(segment) = connection.sender.poll_transmit(net.now(), &self.config) {
            let packet = Packet::new(&connection.forward, connection.flow, &segment);
            net.inject(connection.src, &packet);
        }
        if connection.sender.is_done() {
            self.finish(net.now(), index);
        } else {
            let deadline = connection.sender.deadline();
            self.arm(index, End::Sender, deadline);
        }
    }

    #[inline]
    fn pump_receiver<B: Balancer>(&mut self, net: &mut Network<B>, index: u32) {
        let connection = &mut self.connections[index as usize];
        while let Some(segment) = connection.receiver.poll_transmit(net.now(), &self.config) {
            let packet = Packet::new(&connection.backward, connection.flow, &segment);
            net.inject(connection.dst, &packet);
        }
        if !connection.received && connection.receiver.is_complete() {
            connection.received = true;
            let flow = connection.flow.index();
            self.flows.receiver_fct_ps[flow] = net.now().ps() - self.flows.start_ps[flow];
        }
        let deadline = connection.receiver.deadline();
        self.arm(index, End::Receiver, deadline);
    }

    #[inline]
    fn arm(&mut self, index: u32, end: End, deadline: Time) {
        let armed = &mut self.connections[index as usize].armed[end as usize];
        if deadline < *armed {
            *armed = deadline;
            self.timers
                .push(Reverse((deadline, index << 1 | end as u32)));
        }
    }

    fn finish(&mut self, now: Time, index: u32) {
        let flow = self.connections[index as usize].flow.index();
        self.note(index);
        self.flows.sender_fct_ps[flow] = now.ps() - self.flows.start_ps[flow];
        self.open_measured -= u64::from(self.flows.measured[flow]);
        self.connection_of[flow] = NO_CONNECTION;
        self.connections[index as usize].armed = [Time::MAX; 2];
        self.free.push(index);
    }

    /// Copies what the two ends have counted into the flow's record.
    fn note(&mut self, index: u32) {
        let connection = &self.connections[index as usize];
        let (sender, receiver) = (connection.sender.stats(), connection.receiver.stats());
        let (flow, flows) = (connection.flow.index(), &mut self.flows);
        flows.delivered_bytes[flow] = connection.receiver.delivered();
        flows.segments_sent[flow] = sender.segments_sent;
        flows.retransmitted_segments[flow] = sender.retransmitted_segments;
        flows.timeouts[flow] = sender.timeouts;
        flows.fast_recoveries[flow] = sender.fast_recoveries;
        flows.dup_acks[flow] = sender.dup_acks;
        flows.ecn_reductions[flow] = sender.ecn_reductions;
        flows.reordered_segments[flow] = receiver.reordered_segments;
        flows.duplicate_segments[flow] = receiver.duplicate_segments;
        flows.held_segments[flow] = receiver.held_segments;
        flows.shim_timeouts[flow] = receiver.shim_timeouts;
    }

    /// The records of all flows, those under way as they stand now.
    pub(crate) fn into_flows(mut self) -> Flows {
        for flow in 0..self.connection_of.len() {
            let index = self.connection_of[flow];
            if index != NO_CONNECTION {
                self.note(index);
            }
        }
        self.flows
    }
}
