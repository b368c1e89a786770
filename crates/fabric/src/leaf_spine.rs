//! The two-tier Clos: every leaf is connected to every spine.

use crate::assembly::{Assembly, Cable};
use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric, Role};
use closlab_units::{Bytes, NodeId, Rate, Time, TorId};

/// A leaf-spine fabric (two-tier folded Clos) with equal leaves and equal spines.
///
/// Hosts are numbered leaf by leaf; switches leaves first, then spines. A leaf's ports are its hosts, then
/// its uplinks by spine and by parallel cable; a spine's ports go by leaf, then by parallel cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafSpine {
    /// Number of leaf (top-of-rack) switches.
    pub leaves: u32,
    /// Number of spine switches.
    pub spines: u32,
    /// Number of hosts under each leaf.
    pub hosts_per_leaf: u32,
    /// Number of parallel cables between each leaf and each spine.
    pub links_per_pair: u32,
    /// Rate of every host's cable.
    pub host_rate: Rate,
    /// Rate of every cable between a leaf and a spine.
    pub uplink_rate: Rate,
    /// One-way propagation delay of a host's cable.
    pub host_delay: Time,
    /// One-way propagation delay of a cable between a leaf and a spine.
    pub uplink_delay: Time,
    /// Room of every switch output queue, including the packet in transmission.
    pub buffer: Bytes,
    /// Room of a host's output queue, including the packet in transmission.
    pub nic_buffer: Bytes,
}

/// Above this rate a byte lasts less than one picosecond, the clock's step.
const MAX_RATE: Rate = Rate::from_bps(8_000_000_000_000);

/// Light crosses 200,000 km of fibre meanwhile: whoever asks for more mistook the unit.
const MAX_DELAY: Time = Time::from_ms(1_000);

/// A full queue must drain within half the clock's span (106 days), so that no departure overflows it.
const MAX_DRAIN: Time = Time::from_ps(u64::MAX / 2);

impl LeafSpine {
    /// Builds the fabric, or names the first field that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        self.validate()?;
        let mut assembly = Assembly::default();
        let named = |assembly: &mut Assembly, prefix: &str, count: u32, role: Role| {
            (0..count)
                .map(|i| assembly.switch(format!("{prefix}{i}"), role))
                .collect::<Result<Vec<NodeId>, FabricError>>()
        };
        let leaves = named(&mut assembly, "leaf", self.leaves, Role::Leaf)?;
        let spines = named(&mut assembly, "spine", self.spines, Role::Spine)?;
        let host_cable = Cable {
            rate: self.host_rate,
            delay: self.host_delay,
            near_buffer: self.nic_buffer,
            far_buffer: self.buffer,
        };
        let uplink_cable = Cable {
            rate: self.uplink_rate,
            delay: self.uplink_delay,
            near_buffer: self.buffer,
            far_buffer: self.buffer,
        };
        for tor in (0..leaves.len()).filter_map(TorId::from_index) {
            for _ in 0..self.hosts_per_leaf {
                assembly.host(tor, host_cable)?;
            }
        }
        for &leaf in &leaves {
            for &spine in &spines {
                for _ in 0..self.links_per_pair {
                    assembly.connect(
                        Endpoint::Switch(leaf),
                        Endpoint::Switch(spine),
                        uplink_cable,
                    )?;
                }
            }
        }
        Ok(assembly.finish())
    }

    /// Host capacity to uplink capacity of a leaf, as a reduced fraction: `(2, 1)` is "oversubscribed 2:1".
    ///
    /// Errors are those of [`LeafSpine::build`].
    pub fn oversubscription(&self) -> Result<(u64, u64), FabricError> {
        self.validate()?;
        // The checks bound both products by 65,536 ports of 8 Tbps: 5.3e17, well within 64 bits.
        let hosts = u64::from(self.hosts_per_leaf) * self.host_rate.bps();
        let uplinks =
            u64::from(self.spines) * u64::from(self.links_per_pair) * self.uplink_rate.bps();
        let divisor = gcd(hosts, uplinks);
        Ok((hosts / divisor, uplinks / divisor))
    }

    fn validate(&self) -> Result<(), FabricError> {
        let counts = [
            ("leaves", self.leaves),
            ("spines", self.spines),
            ("hosts_per_leaf", self.hosts_per_leaf),
            ("links_per_pair", self.links_per_pair),
        ];
        for (field, count) in counts {
            if count == 0 {
                return Err(FabricError::new(
                    field,
                    0,
                    "a leaf-spine fabric needs some",
                    "write at least 1",
                ));
            }
        }
        self.validate_identifiers()?;
        check_link("host_rate", self.host_rate, "host_delay", self.host_delay)?;
        check_link(
            "uplink_rate",
            self.uplink_rate,
            "uplink_delay",
            self.uplink_delay,
        )?;
        let slower = self.host_rate.min(self.uplink_rate);
        check_buffer("buffer", self.buffer, slower)?;
        check_buffer("nic_buffer", self.nic_buffer, self.host_rate)
    }

    /// Refuses before anything is built: a mistyped count must not eat all memory first.
    fn validate_identifiers(&self) -> Result<(), FabricError> {
        let [leaves, spines, hosts, parallel] = [
            self.leaves,
            self.spines,
            self.hosts_per_leaf,
            self.links_per_pair,
        ]
        .map(u128::from);
        const PORTS: u128 = 1 << 16;
        const LINKS: u128 = 1 << 32;
        let cables = leaves * hosts + leaves * spines * parallel;
        let limits = [
            ("leaves", self.leaves, "ToRs", leaves, PORTS),
            (
                "hosts_per_leaf",
                self.hosts_per_leaf,
                "host ports on a leaf",
                hosts,
                PORTS,
            ),
            (
                "links_per_pair",
                self.links_per_pair,
                "ports on a leaf",
                hosts + spines * parallel,
                PORTS,
            ),
            (
                "links_per_pair",
                self.links_per_pair,
                "ports on a spine",
                leaves * parallel,
                PORTS,
            ),
            (
                "hosts_per_leaf",
                self.hosts_per_leaf,
                "directed links",
                2 * cables,
                LINKS,
            ),
        ];
        for (field, value, what, needed, limit) in limits {
            if needed > limit {
                return Err(FabricError::new(
                    field,
                    value,
                    format!("the fabric would have {needed} {what}, and {limit} is the most"),
                    "make the fabric smaller",
                ));
            }
        }
        Ok(())
    }
}

fn check_link(
    rate_field: &str,
    rate: Rate,
    delay_field: &str,
    delay: Time,
) -> Result<(), FabricError> {
    if rate.bps() == 0 {
        return Err(FabricError::new(
            rate_field,
            rate,
            "nothing would ever leave",
            "write a rate such as \"10Gbps\"",
        ));
    }
    if rate > MAX_RATE {
        return Err(FabricError::new(
            rate_field,
            rate,
            "a byte would last less than a picosecond, the clock's step",
            format!("write at most {MAX_RATE}"),
        ));
    }
    if delay > MAX_DELAY {
        return Err(FabricError::new(
            delay_field,
            delay,
            "no cable is that long",
            format!("write at most {MAX_DELAY}"),
        ));
    }
    Ok(())
}

fn check_buffer(field: &str, buffer: Bytes, rate: Rate) -> Result<(), FabricError> {
    if buffer == Bytes::new(0) {
        return Err(FabricError::new(
            field,
            buffer,
            "a queue counts the packet in transmission, so every packet would be dropped",
            "write at least the largest packet's size",
        ));
    }
    let drain_ps = u128::from(buffer.get()) * 8_000_000_000_000 / u128::from(rate.bps());
    if drain_ps > u128::from(MAX_DRAIN.ps()) {
        return Err(FabricError::new(
            field,
            buffer,
            format!("at {rate} a full queue drains later than the clock can tell"),
            "write a smaller buffer or a higher rate",
        ));
    }
    Ok(())
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
