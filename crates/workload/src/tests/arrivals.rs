//! Poisson arrivals.

use super::{KOLMOGOROV, SEEDS, kolmogorov};
use crate::PoissonArrivals;

fn times(mean_ps: f64, seed: u64, count: usize) -> Vec<u64> {
    let arrivals = PoissonArrivals::new(mean_ps, seed).unwrap();
    arrivals.take(count).map(|t| t.ps()).collect()
}

#[test]
fn gaps_are_exponential() {
    let mean = 1e9;
    for seed in SEEDS {
        let times = times(mean, seed, 50_000);
        let mut gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let statistic = kolmogorov(&mut gaps, |gap| {
            // A picosecond is 10^-9 of the mean: the steps of the clock do not show.
            let p = 1.0 - libm::exp(-(gap as f64) / mean);
            (p, p)
        });
        assert!(statistic < KOLMOGOROV, "seed {seed}: {statistic}");
        let wrong = kolmogorov(&mut gaps, |gap| {
            let p = 1.0 - libm::exp(-(gap as f64) / (0.95 * mean));
            (p, p)
        });
        assert!(wrong > KOLMOGOROV, "a mean 5 % off goes unnoticed: {wrong}");
    }
}

/// Neighbouring gaps must not depend on one another: their correlation has deviation 1/sqrt(n).
#[test]
fn gaps_are_independent() {
    for seed in SEEDS {
        let times = times(1e9, seed, 50_000);
        let gaps: Vec<f64> = times
            .windows(2)
            .map(|p| (p[1] - p[0]) as f64 / 1e9 - 1.0)
            .collect();
        let n = gaps.len() as f64;
        let correlation = gaps.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / n;
        assert!(
            correlation.abs() < 3.3 / n.sqrt(),
            "seed {seed}: {correlation}"
        );
    }
}

/// With gaps near the clock's step, rounding each of them would be off by half a step.
#[test]
fn the_clock_does_not_bias_the_rate() {
    for seed in SEEDS {
        for mean in [0.7, 1.5, 10.25] {
            let n = 200_000;
            let last = times(mean, seed, n).pop().unwrap() as f64;
            let sigmas = (last / mean - n as f64) / (n as f64).sqrt();
            assert!(
                sigmas.abs() < 3.3,
                "mean {mean} ps, seed {seed}: {sigmas} sigmas off"
            );
        }
    }
}

#[test]
fn arrivals_end_with_the_clock_instead_of_wrapping() {
    let arrivals = PoissonArrivals::new(3e18, 1).unwrap();
    let times: Vec<_> = arrivals.take(1_000).collect();
    assert!(times.len() < 100 && times.is_sorted());
}

#[test]
fn impossible_means_are_refused() {
    for bad in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let error = PoissonArrivals::new(bad, 1).unwrap_err().to_string();
        assert!(error.contains("positive, finite"), "{error}");
    }
}
