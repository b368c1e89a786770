//! The conservation audit: run after every run, in tests and in earnest.
//!
//! Every packet and every byte that was sent is delivered, dropped with a reason, or still in a queue or on a
//! wire; every flow that ended delivered exactly its size.

use crate::error::RunError;
use crate::network::Network;
use closlab_balance::Balancer;
use closlab_record::Flows;

fn require(what: &str, left: u64, right: u64) -> Result<(), RunError> {
    if left == right {
        Ok(())
    } else {
        Err(RunError::Audit(format!("{what}: {left} is not {right}")))
    }
}

/// Checks that nothing appeared or vanished in the network.
pub(crate) fn network<B: Balancer>(net: &Network<B>) -> Result<(), RunError> {
    let flux = net.flux();
    let (mut accepted, mut held, mut held_bytes, mut entries) = (0, 0, 0, 0);
    let (mut lost, mut lost_bytes, mut cut) = (0, 0, 0);
    for link in net.links() {
        let (packets, bytes) = link.in_flight();
        let counters = &link.counters;
        accepted += counters.packets;
        held += packets;
        held_bytes += bytes;
        entries += u64::from(packets > 0) + u64::from(link.stale_entries());
        lost += counters.dropped_packets + counters.lost_packets();
        lost_bytes += counters.dropped_bytes + counters.lost_bytes;
        cut += counters.cut_packets;
    }
    let left = flux.delivered_packets + lost + flux.unroutable_packets + held;
    let what = "injected, and delivered + dropped + lost + unroutable + in flight";
    require(&format!("packets {what}"), flux.injected_packets, left)?;
    let left = flux.delivered_bytes + lost_bytes + flux.unroutable_bytes + held_bytes;
    require(&format!("bytes {what}"), flux.injected_bytes, left)?;
    let moved = flux.packet_hops + held + cut;
    require(
        "packets accepted by links, and hops + in flight + cut",
        accepted,
        moved,
    )?;
    require(
        "busy links, and entries in the event queue",
        entries,
        net.pending_events(),
    )
}

/// Checks that every flow that ended delivered its size, and none ended before it was delivered.
pub(crate) fn flows(flows: &Flows) -> Result<(), RunError> {
    for flow in 0..flows.len() {
        let (received, acknowledged) = (flows.receiver_fct_ps[flow], flows.sender_fct_ps[flow]);
        if received > 0 || acknowledged > 0 {
            require(
                "bytes delivered of a flow that ended, and its size",
                flows.delivered_bytes[flow],
                flows.size_bytes[flow],
            )?;
        }
        if acknowledged > 0 && (received == 0 || received > acknowledged) {
            let text = format!(
                "flow {flow} was acknowledged after {acknowledged} ps, received after {received} ps"
            );
            return Err(RunError::Audit(text));
        }
    }
    Ok(())
}
