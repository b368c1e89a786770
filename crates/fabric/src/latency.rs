//! The delay of an idle fabric: what a packet needs when it never waits.

use crate::fabric::{Fabric, Link};
use crate::routes::Routes;
use closlab_units::{HostId, LinkId, Time};

/// The time one packet of `wire_bytes` needs from the first bit leaving `src` to the last bit reaching
/// `dst`, if every queue is empty: on each link its serialisation (switches store and forward) and the
/// propagation delay. Where shortest paths (by hops) differ, the fastest of them.
///
/// `wire_bytes` counts everything that occupies the wire, at most 2 MB (see [`closlab_units::Rate`]);
/// `routes` must be computed from `fabric`. [`Time::MAX`] where there is no path, be it that the ToRs are cut
/// off from each other or that a host's own cable is down.
pub fn base_delay(
    fabric: &Fabric,
    routes: &Routes,
    src: HostId,
    dst: HostId,
    wire_bytes: u64,
) -> Time {
    if !fabric.host_is_up(src) || !fabric.host_is_up(dst) {
        return Time::MAX;
    }
    let hop = |link: &Link| link.rate.serialisation(wire_bytes) + link.delay;
    let at_host = |link: LinkId| hop(fabric.link(link));
    let (from, to) = (fabric.host(src), fabric.host(dst));
    let along = |so_far: Time, link: &Link| so_far + hop(link);
    let start = at_host(from.uplink);
    routes
        .fold_paths(fabric, from.tor, to.tor, start, along, Time::min)
        .map_or(Time::MAX, |to_tor| to_tor + at_host(to.downlink))
}

/// The round trip of one data packet and its acknowledgement on an idle fabric: [`base_delay`] there with
/// `data_wire_bytes` and back with `ack_wire_bytes`. Hosts answer at once. [`Time::MAX`] where either way has
/// no path.
pub fn base_rtt(
    fabric: &Fabric,
    routes: &Routes,
    src: HostId,
    dst: HostId,
    data_wire_bytes: u64,
    ack_wire_bytes: u64,
) -> Time {
    let there = base_delay(fabric, routes, src, dst, data_wire_bytes);
    let back = base_delay(fabric, routes, dst, src, ack_wire_bytes);
    there.checked_add(back).unwrap_or(Time::MAX)
}
