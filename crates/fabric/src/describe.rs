//! A fabric in a few numbers.

use crate::fabric::{Endpoint, Fabric, Link, Role};
use crate::fraction::reduced;
use crate::latency::base_rtt;
use crate::routes::Routes;
use closlab_units::{HostId, Time, TorId};
use std::collections::BTreeMap;

/// What `closlab fabric` says of a fabric. Links that are down count nowhere but in the numbers of cables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FabricSummary {
    /// All hosts, those whose cable is down included.
    pub hosts: u64,
    /// Each tier that has switches, from the ToRs upwards, with their number.
    pub switches: Vec<(Role, u64)>,
    /// All cables, those of hosts and those that are down included.
    pub cables: u64,
    /// Cables of which a direction is down.
    pub failed_cables: u64,
    /// Each tier that has switches, from the ToRs upwards.
    pub tiers: Vec<TierSummary>,
    /// Bits per second that half of the ToRs can send to the other half, as the core cut bounds it: the least,
    /// over all tiers with uplinks, of what all uplinks of the tier carry together, halved. In a symmetric Clos,
    /// where half of every tier lies on either side, no cut is smaller; failures that hit one half harder than
    /// the other can make the true bisection smaller, never larger. 0 if no tier has uplinks.
    pub bisection_bps: u64,
    /// Shortest paths from the first ToR, by their length: in a leaf-spine one entry, in a three-tier Clos one
    /// for the same pod and one for the others.
    pub paths: Vec<PathSummary>,
    /// Ordered pairs of ToRs without a path.
    pub unreachable_pairs: u64,
    /// Round trip of one packet and its acknowledgement on the idle fabric, between the first and the last host
    /// whose cables work; `None` if there is no path.
    pub base_rtt: Option<Time>,
    /// Bytes of memory of the fabric's own table.
    pub fabric_bytes: u64,
    /// Bytes of memory of its routes.
    pub routes_bytes: u64,
}

/// One tier of switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierSummary {
    /// The tier.
    pub role: Role,
    /// Bits per second of all its links to hosts and lower tiers together.
    pub down_bps: u64,
    /// Bits per second of all its links to higher tiers together; 0 in the top tier.
    pub up_bps: u64,
}

/// The ToRs at one distance from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathSummary {
    /// Links between switches on each path.
    pub hops: u16,
    /// How many ToRs are that far.
    pub tors: u64,
    /// Shortest paths to that one of them which has the fewest, parallel cables counted apart.
    pub fewest: u64,
    /// Shortest paths to that one which has the most.
    pub most: u64,
}

impl TierSummary {
    /// `down_bps` to `up_bps` in lowest terms: `(2, 1)` is "oversubscribed 2:1". `None` in the top tier.
    pub fn oversubscription(&self) -> Option<(u64, u64)> {
        (self.up_bps > 0).then(|| reduced(self.down_bps, self.up_bps))
    }
}

impl FabricSummary {
    /// Summarises `fabric`, whose `routes` must be computed from it. The round trip is that of
    /// `data_wire_bytes` there and `ack_wire_bytes` back, each counting everything that occupies the wire.
    pub fn new(
        fabric: &Fabric,
        routes: &Routes,
        data_wire_bytes: u64,
        ack_wire_bytes: u64,
    ) -> FabricSummary {
        let tiers = tiers(fabric);
        let uplinks = tiers.iter().map(|tier| tier.up_bps).filter(|&bps| bps > 0);
        let failed = |link| !(fabric.link(link).up && fabric.link(fabric.reverse(link)).up);
        let of_role = |role| fabric.switches.iter().filter(|s| s.role == role).count() as u64;
        let rtt = working_ends(fabric)
            .map(|(a, b)| base_rtt(fabric, routes, a, b, data_wire_bytes, ack_wire_bytes));
        FabricSummary {
            hosts: fabric.hosts.len() as u64,
            switches: tiers.iter().map(|t| (t.role, of_role(t.role))).collect(),
            cables: fabric.cables().count() as u64,
            failed_cables: fabric.cables().filter(|&link| failed(link)).count() as u64,
            bisection_bps: uplinks.min().unwrap_or(0) / 2,
            tiers,
            paths: paths(fabric, routes),
            unreachable_pairs: routes.unreachable_pairs().count() as u64,
            base_rtt: rtt.filter(|&rtt| rtt < Time::MAX),
            fabric_bytes: fabric.memory_bytes() as u64,
            routes_bytes: routes.memory_bytes() as u64,
        }
    }

    /// Bytes of memory of all tables together, divided by the hosts and rounded up; 0 without hosts.
    pub fn bytes_per_host(&self) -> u64 {
        let bytes = self.fabric_bytes + self.routes_bytes;
        if self.hosts == 0 {
            0
        } else {
            bytes.div_ceil(self.hosts)
        }
    }
}

fn tiers(fabric: &Fabric) -> Vec<TierSummary> {
    let present = |role: &Role| fabric.switches.iter().any(|s| s.role == *role);
    let roles = Role::ALL.into_iter().filter(present);
    let empty = |role| TierSummary {
        role,
        down_bps: 0,
        up_bps: 0,
    };
    let mut tiers: Vec<TierSummary> = roles.map(empty).collect();
    for link in fabric.links.iter().filter(|link| link.up) {
        let Endpoint::Switch(from) = link.from else {
            continue;
        };
        let role = fabric.switch(from).role;
        let height = role.height();
        let Some(tier) = tiers.iter_mut().find(|tier| tier.role == role) else {
            continue;
        };
        match height_of(fabric, link) {
            Some(to) if to > height => tier.up_bps = tier.up_bps.saturating_add(link.rate.bps()),
            Some(to) if to == height => {}
            _ => tier.down_bps = tier.down_bps.saturating_add(link.rate.bps()),
        }
    }
    tiers
}

/// How high the switch stands to which `link` leads; `None` for a host.
fn height_of(fabric: &Fabric, link: &Link) -> Option<usize> {
    match link.to {
        Endpoint::Switch(to) => Some(fabric.switch(to).role.height()),
        Endpoint::Host(_) => None,
    }
}

fn paths(fabric: &Fabric, routes: &Routes) -> Vec<PathSummary> {
    let src = TorId(0);
    let mut by_hops: BTreeMap<u16, PathSummary> = BTreeMap::new();
    for dst in (1..fabric.tors.len()).filter_map(TorId::from_index) {
        let Some(hops) = routes.hops(fabric.tors[src.index()], dst) else {
            continue;
        };
        let count = routes.path_count(fabric, src, dst);
        let entry = by_hops.entry(hops).or_insert(PathSummary {
            hops,
            tors: 0,
            fewest: count,
            most: count,
        });
        entry.tors += 1;
        entry.fewest = entry.fewest.min(count);
        entry.most = entry.most.max(count);
    }
    by_hops.into_values().collect()
}

/// The first and the last host whose cables work; the same one twice if it is alone.
fn working_ends(fabric: &Fabric) -> Option<(HostId, HostId)> {
    let mut working = (0..fabric.hosts.len())
        .filter_map(HostId::from_index)
        .filter(|&host| fabric.host_is_up(host));
    let first = working.next()?;
    Some((first, working.next_back().unwrap_or(first)))
}
