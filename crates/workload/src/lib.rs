//! What the hosts send: flow sizes, arrival times, who talks to whom, and how much load that makes.
//!
//! A [`Generator`] yields [`Flow`]s in start order. Times, sizes, pairs and ports are drawn from four named
//! random streams of one seed, so that every load balancer sees the very same flows, and a change of one
//! ingredient (say the sizes) moves none of the others.

mod arrivals;
mod error;
mod flows;
mod load;
mod pairs;
mod sizes;
mod tables;
#[cfg(test)]
mod tests;
mod text;

pub use arrivals::PoissonArrivals;
pub use error::WorkloadError;
pub use flows::{DPORT, Flow, Generator, LongFlows, PoissonFlows, SPORT_FIRST};
pub use load::{LoadReference, Offered};
pub use pairs::{PairSampler, Pairs};
pub use sizes::{Description, SizeDistribution};
