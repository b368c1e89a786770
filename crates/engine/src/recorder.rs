//! Turning the state at the end of a run into records.

use crate::network::Network;
use crate::plan::Plan;
use closlab_balance::Balancer;
use closlab_fabric::{Endpoint, Fabric};
use closlab_record::{
    Events, Flows, LinkRow, Links, Queues, Records, SwitchRow, Switches, Throughput, Totals,
    TotalsRow,
};
use closlab_units::{LinkId, NodeId, TorId};

/// What was recorded along the way.
pub(crate) struct Probed {
    pub queues: Queues,
    pub events: Events,
    pub throughput: Throughput,
}

pub(crate) fn records<B: Balancer>(
    fabric: &Fabric,
    plan: &Plan,
    net: &Network<B>,
    window_busy_ps: &[u64],
    flows: Flows,
    probed: Probed,
) -> Records {
    let mut totals = Totals::default();
    totals.push(totals_row(fabric, plan, net, &flows));
    Records {
        links: links(fabric, net, window_busy_ps),
        switches: switches(fabric, net),
        flows,
        queues: probed.queues,
        events: probed.events,
        throughput: probed.throughput,
        totals,
    }
}

fn end_name(fabric: &Fabric, end: Endpoint) -> &'static str {
    match end {
        Endpoint::Host(_) => "host",
        Endpoint::Switch(node) => fabric.switch(node).role.name(),
    }
}

fn links<B: Balancer>(fabric: &Fabric, net: &Network<B>, window_busy_ps: &[u64]) -> Links {
    let mut table = Links::default();
    for (index, (link, state)) in fabric.links.iter().zip(net.links()).enumerate() {
        let counters = state.counters;
        table.push(LinkRow {
            link: index as u32,
            name: fabric.link_name(LinkId(index as u32)),
            tier: format!(
                "{}->{}",
                end_name(fabric, link.from),
                end_name(fabric, link.to)
            ),
            rate_bps: link.rate.bps(),
            packets: counters.packets,
            bytes: counters.bytes,
            window_busy_ps: window_busy_ps[index],
            dropped_packets: counters.dropped_packets,
            dropped_bytes: counters.dropped_bytes,
            marked_packets: counters.marked_packets,
            wait_ps: counters.wait_ps,
            max_wait_ps: counters.max_wait_ps,
            refused_packets: counters.refused_packets,
            cut_packets: counters.cut_packets,
            grey_packets: counters.grey_packets,
            lost_bytes: counters.lost_bytes,
        });
    }
    table
}

fn switches<B: Balancer>(fabric: &Fabric, net: &Network<B>) -> Switches {
    let mut table = Switches::default();
    for (index, switch) in fabric.switches.iter().enumerate() {
        let node = NodeId(index as u32);
        table.push(SwitchRow {
            switch: node.0,
            name: switch.name.clone(),
            role: switch.role.name().to_owned(),
            packets: net.switch_packets(node),
            decisions: net.decisions(node),
        });
    }
    table
}

fn totals_row<B: Balancer>(
    fabric: &Fabric,
    plan: &Plan,
    net: &Network<B>,
    flows: &Flows,
) -> TotalsRow {
    let flux = net.flux();
    let measured = || (0..flows.len()).filter(|&flow| flows.measured[flow] == 1);
    let crosses = |&flow: &usize| flows.src_leaf[flow] != flows.dst_leaf[flow];
    let dropped = net.links().iter().map(|link| link.counters);
    let in_flight = net.links().iter().map(|link| link.in_flight());
    let tors = (0..fabric.tors.len()).map(|tor| TorId(tor as u16));
    TotalsRow {
        window_start_ps: plan.window_start.ps(),
        window_end_ps: plan.window_end.ps(),
        end_ps: net.now().ps(),
        flows_started: flows.len() as u64,
        flows_measured: measured().count() as u64,
        flows_unfinished: measured()
            .filter(|&flow| flows.sender_fct_ps[flow] == 0)
            .count() as u64,
        offered_fabric_bytes: measured()
            .filter(crosses)
            .map(|flow| flows.size_bytes[flow])
            .sum(),
        offered_bytes: measured().map(|flow| flows.size_bytes[flow]).sum(),
        uplink_capacity_bps: tors.map(|tor| fabric.uplink_capacity(tor)).sum(),
        host_capacity_bps: fabric
            .hosts
            .iter()
            .map(|host| fabric.link(host.uplink).rate.bps())
            .sum(),
        packet_hops: flux.packet_hops,
        injected_packets: flux.injected_packets,
        injected_bytes: flux.injected_bytes,
        delivered_packets: flux.delivered_packets,
        delivered_bytes: flux.delivered_bytes,
        dropped_packets: dropped
            .clone()
            .map(|counters| counters.dropped_packets)
            .sum(),
        dropped_bytes: dropped.clone().map(|counters| counters.dropped_bytes).sum(),
        lost_packets: dropped
            .clone()
            .map(|counters| counters.lost_packets())
            .sum(),
        lost_bytes: dropped.map(|counters| counters.lost_bytes).sum(),
        unroutable_packets: flux.unroutable_packets,
        unroutable_bytes: flux.unroutable_bytes,
        in_flight_packets: in_flight.clone().map(|(packets, _)| packets).sum(),
        in_flight_bytes: in_flight.map(|(_, bytes)| bytes).sum(),
    }
}
