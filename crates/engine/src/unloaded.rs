//! What flows would take alone: the denominator of FCT slowdown, by running them.

use crate::control::Control;
use crate::error::RunError;
use crate::hosts::Hosts;
use crate::network::Network;
use closlab_balance::Balancer;
use closlab_fabric::{Fabric, Link, Routes};
use closlab_units::{FlowId, HostId, Rate, Time, TorId};
use closlab_workload::Flow;
use std::collections::BTreeMap;

/// Which flows take equal times alone.
#[derive(Debug)]
pub(crate) struct Classes<'a> {
    fabric: &'a Fabric,
    routes: &'a Routes,
    is_symmetric: bool,
    tries: u16,
}

/// So many of a pair's paths are tried where they differ in rate.
const TRIES: u16 = 16;

/// What a flow's time alone depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// In a fabric whose leaves are all alike: whether both ends are under one.
    Symmetric { same_leaf: bool },
    /// In any other: both leaves, and the rates and delays of both ends' cables, there and back.
    Pair {
        tors: [TorId; 2],
        cables: [[(Rate, Time); 2]; 2],
    },
}

impl<'a> Classes<'a> {
    /// `is_symmetric` says that all pairs of hosts under different leaves are alike, and all under one leaf;
    /// `is_mixed` that the paths of one pair may differ in rate or delay.
    pub(crate) fn new(
        fabric: &'a Fabric,
        routes: &'a Routes,
        is_symmetric: bool,
        is_mixed: bool,
    ) -> Classes<'a> {
        Classes {
            fabric,
            routes,
            is_symmetric,
            tries: if is_mixed { TRIES } else { 1 },
        }
    }

    /// The class of `flow`; `None` if its ends can't reach each other.
    fn of(&self, hosts: &Hosts, flow: &Flow) -> Option<Class> {
        if self.is_symmetric {
            let same_leaf = hosts.same_leaf(flow);
            return Some(Class::Symmetric { same_leaf });
        }
        let ends = [flow.src, flow.dst];
        let tors = ends.map(|host| self.fabric.host(host).tor);
        let [src, dst] = tors;
        let reachable = ends.iter().all(|&host| self.fabric.host_is_up(host))
            && self.routes.is_reachable(src, dst)
            && self.routes.is_reachable(dst, src);
        let cables = ends.map(|host| self.cable(host));
        reachable.then_some(Class::Pair { tors, cables })
    }

    fn cable(&self, host: HostId) -> [(Rate, Time); 2] {
        let host = self.fabric.host(host);
        [host.uplink, host.downlink].map(|link| {
            let Link { rate, delay, .. } = *self.fabric.link(link);
            (rate, delay)
        })
    }
}

/// Runs each flow alone in an idle fabric, one after the other, and gives its time from start to the receiver's
/// last byte. Of the flows of one size and class only the first runs; where paths differ in rate, the fastest of
/// those that 16 source ports hash it to. Flows without a path are left out.
pub(crate) fn alone<B: Balancer>(
    mut net: Network<B>,
    mut hosts: Hosts,
    classes: &Classes<'_>,
    flows: impl Iterator<Item = (FlowId, Flow)>,
    control: &Control,
) -> Result<Vec<(FlowId, Time)>, RunError> {
    let mut known: BTreeMap<(u64, Class), Time> = BTreeMap::new();
    let mut times = Vec::new();
    for (id, flow) in flows {
        if control.is_cancelled() {
            return Err(RunError::Cancelled);
        }
        let Some(class) = classes.of(&hosts, &flow) else {
            continue;
        };
        let case = (flow.size, class);
        let time = match known.get(&case) {
            Some(&time) => time,
            None => {
                let mut try_path = |i| {
                    let sport = flow.sport.wrapping_add(i);
                    run_one(&mut net, &mut hosts, &Flow { sport, ..flow })
                };
                let time = (0..classes.tries).map(&mut try_path).min();
                let time = time.unwrap_or(Time::ZERO);
                known.insert(case, time);
                control.note(net.now(), net.flux().packet_hops);
                time
            }
        };
        times.push((id, time));
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
    while !hosts.is_idle() || !net.is_at_rest() {
        match net.advance(hosts.next_timer().min(net.now() + Time::from_ms(1))) {
            Some(delivery) => hosts.deliver(net, &delivery),
            None if hosts.next_timer() <= net.now() => hosts.fire(net),
            None => {}
        }
    }
    hosts.last_receiver_fct()
}
