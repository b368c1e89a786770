//! The list of flows that a run sends.

use crate::arrivals::PoissonArrivals;
use crate::error::WorkloadError;
use crate::load::Offered;
use crate::pairs::{PairSampler, Pairs};
use crate::sizes::SizeDistribution;
use closlab_fabric::Fabric;
use closlab_units::rng::{Purpose, Rng};
use closlab_units::{HostId, Time};
use std::collections::BTreeSet;

/// The first ephemeral port; they go up to 65535 (RFC 6335, section 6: dynamic ports).
pub const SPORT_FIRST: u16 = 49_152;

/// The destination port of every flow: the default port of iperf 2.
pub const DPORT: u16 = 5001;

const SPORTS: u32 = 1 << 14;

/// One flow: `size` bytes of payload from `src` to `dst`, ready to be sent at `start`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// When the application hands over its bytes.
    pub start: Time,
    /// Payload bytes; at least 1.
    pub size: u64,
    /// The sender of the payload.
    pub src: HostId,
    /// The receiver; never `src`.
    pub dst: HostId,
    /// Source port, in [`SPORT_FIRST`]..=65535.
    pub sport: u16,
    /// Destination port: [`DPORT`].
    pub dport: u16,
}

/// Flows in order of their start.
#[derive(Debug, Clone)]
pub enum Generator {
    /// Flows that keep arriving; the caller stops.
    Poisson(Box<PoissonFlows>),
    /// A given number of flows.
    Long(std::vec::IntoIter<Flow>),
}

/// Flows arriving as a Poisson process, with independent sizes and pairs.
///
/// Source ports are drawn anew for each flow, so two flows between the same hosts share their 5-tuple, and
/// with it their hash, once in 16,384 times.
#[derive(Debug, Clone)]
pub struct PoissonFlows {
    arrivals: PoissonArrivals,
    sizes: SizeDistribution,
    size_rng: Rng,
    pairs: PairSampler,
    port_rng: Rng,
}

/// Long flows from every host, for measuring throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongFlows {
    /// Flows from each host, 1 to 16,384. A host's flows have distinct source ports.
    pub flows_per_host: u32,
    /// Payload bytes of each flow.
    pub size: u64,
    /// Starts are uniform on 0..=stagger, so that hosts do not march in step. Zero starts all at once.
    pub stagger: Time,
}

impl Generator {
    /// Flows that offer the load `offered`, which must have been resolved with the same `sizes` and `pairs`.
    ///
    /// # Errors
    /// A pattern that the fabric can't have; see [`PairSampler::new`].
    pub fn poisson(
        fabric: &Fabric,
        sizes: SizeDistribution,
        pairs: Pairs,
        offered: &Offered,
        seed: u64,
    ) -> Result<Generator, WorkloadError> {
        Ok(Generator::Poisson(Box::new(PoissonFlows {
            arrivals: PoissonArrivals::new(offered.mean_interarrival_ps, seed)?,
            sizes,
            size_rng: Rng::stream(seed, Purpose::Sizes, 0),
            pairs: PairSampler::new(pairs, fabric, seed)?,
            port_rng: Rng::stream(seed, Purpose::Ports, 0),
        })))
    }

    /// `long.flows_per_host` flows from every host; ties start in the order of their sources.
    ///
    /// # Errors
    /// A pattern that the fabric can't have, no flows or more than there are source ports, a size of zero.
    pub fn long_flows(
        fabric: &Fabric,
        long: &LongFlows,
        pairs: Pairs,
        seed: u64,
    ) -> Result<Generator, WorkloadError> {
        if !(1..=SPORTS).contains(&long.flows_per_host) {
            return Err(WorkloadError::new(
                "flows_per_host",
                long.flows_per_host,
                "the flows of a host need distinct source ports",
                format!("write a number from 1 to {SPORTS}"),
            ));
        }
        // Also refuses impossible sizes.
        let sizes = SizeDistribution::fixed(long.size)?;
        let mut pairs = PairSampler::new(pairs, fabric, seed)?;
        let mut arrivals = Rng::stream(seed, Purpose::Arrivals, 0);
        let mut ports = Rng::stream(seed, Purpose::Ports, 0);
        let mut flows = Vec::new();
        for src in (0..fabric.hosts.len()).filter_map(HostId::from_index) {
            let mut taken = BTreeSet::new();
            for _ in 0..long.flows_per_host {
                let mut sport = draw_port(&mut ports);
                while !taken.insert(sport) {
                    sport = draw_port(&mut ports);
                }
                flows.push(Flow {
                    start: uniform_up_to(long.stagger, &mut arrivals),
                    size: sizes.max(),
                    src,
                    dst: pairs.destination(src),
                    sport,
                    dport: DPORT,
                });
            }
        }
        flows.sort_by_key(|flow| flow.start);
        Ok(Generator::Long(flows.into_iter()))
    }
}

impl Iterator for Generator {
    type Item = Flow;

    fn next(&mut self) -> Option<Flow> {
        match self {
            Generator::Poisson(flows) => flows.next(),
            Generator::Long(flows) => flows.next(),
        }
    }
}

impl Iterator for PoissonFlows {
    type Item = Flow;

    /// The next flow; `None` only past the end of the clock (213 days).
    fn next(&mut self) -> Option<Flow> {
        let start = self.arrivals.next()?;
        let (src, dst) = self.pairs.pair();
        Some(Flow {
            start,
            size: self.sizes.sample(&mut self.size_rng),
            src,
            dst,
            sport: draw_port(&mut self.port_rng),
            dport: DPORT,
        })
    }
}

fn draw_port(rng: &mut Rng) -> u16 {
    SPORT_FIRST + rng.below(SPORTS) as u16
}

/// Uniform on 0..=`last`, by multiply-shift on 128 bits.
fn uniform_up_to(last: Time, rng: &mut Rng) -> Time {
    let values = u128::from(last.ps()) + 1;
    Time::from_ps(((u128::from(rng.next_u64()) * values) >> 64) as u64)
}
