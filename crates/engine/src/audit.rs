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
    let (mut accepted, mut held, mut held_bytes, mut busy) = (0, 0, 0, 0);
    let (mut dropped, mut dropped_bytes) = (0, 0);
    for link in net.links() {
        let (packets, bytes) = link.in_flight();
        accepted += link.counters.packets;
        held += packets;
        held_bytes += bytes;
        busy += u64::from(packets > 0);
        dropped += link.counters.dropped_packets;
        dropped_bytes += link.counters.dropped_bytes;
    }
    let left = flux.delivered_packets + dropped + held;
    require(
        "packets injected, and delivered + dropped + in flight",
        flux.injected_packets,
        left,
    )?;
    let left = flux.delivered_bytes + dropped_bytes + held_bytes;
    require(
        "bytes injected, and delivered + dropped + in flight",
        flux.injected_bytes,
        left,
    )?;
    require(
        "packets accepted by links, and hops + in flight",
        accepted,
        flux.packet_hops + held,
    )?;
    require(
        "busy links, and entries in the event queue",
        busy,
        net.busy_links() as u64,
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
