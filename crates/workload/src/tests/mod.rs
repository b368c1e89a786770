//! What the generators promise, by exact reference where there is one and by statistical test elsewhere.
//!
//! Statistical tests run on fixed seeds, with limits that a right generator exceeds once in 1,000 seeds or
//! less; most are shown to reject a wrong one.

mod arrivals;
mod flows;
mod load;
mod pairs;
mod sizes;
mod text;

use closlab_fabric::{Fabric, LeafSpine};
use closlab_units::{Bytes, Rate, Time};

const SEEDS: [u64; 5] = [1, 2, 3, 40, 500];

/// Kolmogorov's statistic sqrt(n) D exceeds this once in 1,000 (for continuous distributions; more rarely
/// for others).
const KOLMOGOROV: f64 = 1.95;

/// `leaves` leaves with `hosts` hosts of 10 Gbps each, and 4 spines at 40 Gbps.
fn fabric(leaves: u32, hosts: u32) -> Fabric {
    let builder = LeafSpine {
        leaves,
        spines: 4,
        hosts_per_leaf: hosts,
        links_per_pair: 1,
        host_rate: Rate::from_gbps(10),
        uplink_rate: Rate::from_gbps(40),
        host_delay: Time::from_us(1),
        uplink_delay: Time::from_us(1),
        buffer: Bytes::new(1_000_000),
        nic_buffer: Bytes::new(1_000_000),
    };
    builder.build().unwrap()
}

/// sqrt(n) times the largest distance between the samples' distribution and `cdf`, which gives P(X <= x)
/// and P(X < x).
fn kolmogorov<T: PartialOrd + Copy>(samples: &mut [T], cdf: impl Fn(T) -> (f64, f64)) -> f64 {
    samples.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let n = samples.len() as f64;
    let mut distance = 0.0f64;
    let mut seen = 0;
    for run in samples.chunk_by(|a, b| a == b) {
        let (upto, below) = cdf(run[0]);
        distance = distance.max((below - seen as f64 / n).abs());
        seen += run.len();
        distance = distance.max((upto - seen as f64 / n).abs());
    }
    distance * n.sqrt()
}

/// The chi-square statistic of counts that should be equal.
fn chi_square(counts: &[u32]) -> f64 {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    counts
        .iter()
        .map(|&c| (f64::from(c) - expected).powi(2) / expected)
        .sum()
}

/// What chi-square with `degrees` (many) degrees of freedom exceeds once in 1,000: mean + 3.1 sigma, and
/// Wilson and Hilferty's correction for the skew.
fn chi_square_limit(degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    degrees * (1.0 - spread + 3.09 * spread.sqrt()).powi(3)
}
