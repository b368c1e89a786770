//! What flows would take alone: the denominator of FCT slowdown, by running them.

use crate::control::Control;
use crate::error::RunError;
use crate::hosts::Hosts;
use crate::network::Network;
use closlab_balance::Balancer;
use closlab_units::{FlowId, Time};
use closlab_workload::Flow;
use std::collections::BTreeMap;

/// Runs each flow alone in an idle fabric, one after the other, and gives its time from start to the receiver's
/// last byte.
///
/// Flows of equal size whose ends are under one leaf, and those whose ends are under different leaves, take
/// equal times in a symmetric fabric: each such case runs once.
pub(crate) fn alone<B: Balancer>(
    mut net: Network<B>,
    mut hosts: Hosts,
    flows: impl Iterator<Item = (FlowId, Flow)>,
    control: &Control,
) -> Result<Vec<(FlowId, Time)>, RunError> {
    let mut known: BTreeMap<(u64, bool), Time> = BTreeMap::new();
    let mut times = Vec::new();
    for (id, flow) in flows {
        let case = (flow.size, hosts.same_leaf(&flow));
        let time = match known.get(&case) {
            Some(&time) => time,
            None => {
                let time = run_one(&mut net, &mut hosts, &flow);
                known.insert(case, time);
                control.note(net.now(), net.flux().packet_hops);
                time
            }
        };
        times.push((id, time));
        if control.is_cancelled() {
            return Err(RunError::Cancelled);
        }
    }
    crate::audit::network(&net)?;
    Ok(times)
}

/// Runs one flow until it has ended and its last packets have left the fabric.
fn run_one<B: Balancer>(net: &mut Network<B>, hosts: &mut Hosts, flow: &Flow) -> Time {
    let flow = Flow {
        start: net.now(),
        ..*flow
    };
    hosts.start(net, &flow, true);
    while !hosts.is_idle() || net.busy_links() > 0 {
        match net.advance(hosts.next_timer().min(net.now() + Time::from_ms(1))) {
            Some(delivery) => hosts.deliver(net, &delivery),
            None if hosts.next_timer() <= net.now() => hosts.fire(net),
            None => {}
        }
    }
    hosts.last_receiver_fct()
}
