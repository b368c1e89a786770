//! The wiring that Expeditus' Clos, the fat-tree and Facebook's fabric share: pods joined by core planes.

use super::checks::{LINKS, PORTS, check_buffer, check_counts, check_limits, check_link};
use crate::assembly::{Assembly, Cable};
use crate::error::FabricError;
use crate::fabric::{Fabric, Role};
use closlab_units::{Bytes, Rate, Time};

/// A count as its builder's user knows it: the field and its value.
pub(super) type Count = (&'static str, u32);

/// The cables of one tier as the builder's user knows them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tier {
    pub rate_field: &'static str,
    pub rate: Rate,
    pub delay_field: &'static str,
    pub delay: Time,
}

/// How switches are called: from the pod (or plane), the position in it and the size of a pod (or plane).
pub(super) struct Names {
    pub tor: fn(u32, u32, u32) -> String,
    pub aggregation: fn(u32, u32, u32) -> String,
    pub core: fn(u32, u32, u32) -> String,
}

/// Pods of ToRs and aggregation switches, each of the latter in a core plane of its own.
pub(super) struct Pods {
    /// The whole, with its article, for messages.
    pub what: &'static str,
    pub pods: Count,
    pub tors: Count,
    pub aggregations: Count,
    pub cores: Count,
    pub hosts: Count,
    pub host_tier: Tier,
    pub tor_tier: Tier,
    pub core_tier: Tier,
    pub buffer: Bytes,
    pub nic_buffer: Bytes,
    pub names: Names,
}

impl Pods {
    /// Switches are numbered ToRs pod by pod, then aggregation switches pod by pod, then cores plane by plane;
    /// hosts ToR by ToR. A ToR's ports are its hosts, then its aggregation switches; an aggregation switch's
    /// its ToRs, then its cores; a core's go by pod.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        self.validate()?;
        let [pods, tors, aggregations, cores] =
            [self.pods, self.tors, self.aggregations, self.cores].map(|(_, count)| count);
        let grid = |outer: u32, inner: u32, name: fn(u32, u32, u32) -> String| {
            (0..outer).flat_map(move |o| (0..inner).map(move |i| name(o, i, inner)))
        };
        let mut assembly = Assembly::default();
        let tor_nodes = assembly.tier(Role::Leaf, grid(pods, tors, self.names.tor))?;
        let aggregation_nodes = assembly.tier(
            Role::Aggregation,
            grid(pods, aggregations, self.names.aggregation),
        )?;
        let core_nodes = assembly.tier(Role::Core, grid(aggregations, cores, self.names.core))?;
        let (host, between) = self.cables();
        assembly.hosts(self.hosts.1, host)?;
        let pod_tors = tor_nodes.chunks(tors as usize);
        for (tors, aggregations) in pod_tors.zip(aggregation_nodes.chunks(aggregations as usize)) {
            for &tor in tors {
                for &aggregation in aggregations {
                    assembly.trunk(tor, aggregation, 1, between(&self.tor_tier))?;
                }
            }
        }
        for aggregations in aggregation_nodes.chunks(aggregations as usize) {
            for (&aggregation, plane) in aggregations.iter().zip(core_nodes.chunks(cores as usize))
            {
                for &core in plane {
                    assembly.trunk(aggregation, core, 1, between(&self.core_tier))?;
                }
            }
        }
        Ok(assembly.finish())
    }

    fn cables(&self) -> (Cable, impl Fn(&Tier) -> Cable) {
        let buffer = self.buffer;
        let host = Cable {
            rate: self.host_tier.rate,
            delay: self.host_tier.delay,
            near_buffer: self.nic_buffer,
            far_buffer: buffer,
        };
        let between = move |tier: &Tier| Cable::between_switches(tier.rate, tier.delay, buffer);
        (host, between)
    }

    pub fn validate(&self) -> Result<(), FabricError> {
        let counts = [
            self.pods,
            self.tors,
            self.aggregations,
            self.cores,
            self.hosts,
        ];
        check_counts(&counts, self.what)?;
        let [p, r, n, m, hosts] = counts.map(|(_, count)| u128::from(count));
        let limit = |(field, count): Count, what, needed, most| (field, count, what, needed, most);
        // Each product has at most four factors of 32 bits: it fits 128.
        let switch_cables = p * n * (r + m);
        check_limits(&[
            limit(self.pods, "ToRs", p * r, PORTS),
            limit(self.pods, "ports on a core switch", p, PORTS),
            limit(self.hosts, "ports on a ToR", hosts + n, PORTS),
            limit(self.cores, "ports on an aggregation switch", r + m, PORTS),
            limit(
                self.hosts,
                "directed links",
                2 * (p * r * hosts + switch_cables),
                LINKS,
            ),
        ])?;
        let tiers = [&self.host_tier, &self.tor_tier, &self.core_tier];
        for tier in tiers {
            check_link(tier.rate_field, tier.rate, tier.delay_field, tier.delay)?;
        }
        let [host, tor, core] = tiers.map(|tier| tier.rate);
        check_buffer("buffer", self.buffer, host.min(tor).min(core))?;
        check_buffer("nic_buffer", self.nic_buffer, host)
    }
}
