//! Sampled sizes against the published curves, and the exact sums against brute force.

use super::{KOLMOGOROV, SEEDS, kolmogorov};
use crate::SizeDistribution;
use closlab_units::rng::{Purpose, Rng};

fn built_in(name: &str) -> SizeDistribution {
    SizeDistribution::built_in(name).unwrap()
}

fn samples(sizes: &SizeDistribution, seed: u64, count: usize) -> Vec<u64> {
    let mut rng = Rng::stream(seed, Purpose::Sizes, 0);
    (0..count).map(|_| sizes.sample(&mut rng)).collect()
}

/// Figures computed independently from the same points, by linear interpolation without rounding.
#[test]
fn descriptions_match_the_published_curves() {
    let cases = [
        (
            "websearch",
            12,
            1_711_250.0,
            73_077,
            23_333_333,
            30_000_000,
            0.542,
            0.950,
        ),
        (
            "datamining",
            13,
            12_658_198.6,
            1_100,
            550_000_000,
            1_000_000_000,
            0.823,
            0.998,
        ),
    ];
    for (name, points, mean, p50, p99, max, below, above) in cases {
        let row = built_in(name).describe();
        assert_eq!((row.name.as_str(), row.points), (name, points));
        // Rounding up adds half a byte.
        assert!(
            (row.mean - mean - 0.5).abs() < 0.1,
            "{name}: mean {}",
            row.mean
        );
        assert!(row.p50.abs_diff(p50) <= 1, "{name}: p50 {}", row.p50);
        assert!(row.p99.abs_diff(p99) <= 1, "{name}: p99 {}", row.p99);
        assert_eq!(row.max, max);
        assert!(
            (row.flows_below_100kb - below).abs() < 0.000_5,
            "{}",
            row.flows_below_100kb
        );
        assert!(
            (row.bytes_above_1mb - above).abs() < 0.000_5,
            "{}",
            row.bytes_above_1mb
        );
        assert!(row.citation.contains("SIGCOMM"));
    }
    let names: Vec<&str> = SizeDistribution::built_in_names().collect();
    assert_eq!(names, ["websearch", "datamining"]);
}

#[test]
fn sampled_sizes_follow_the_table() {
    for name in SizeDistribution::built_in_names() {
        let sizes = built_in(name);
        for seed in SEEDS {
            let statistic = kolmogorov(&mut samples(&sizes, seed, 50_000), |size| {
                (sizes.cumulative(size), sizes.cumulative(size - 1))
            });
            assert!(statistic < KOLMOGOROV, "{name}, seed {seed}: {statistic}");
        }
    }
}

/// Two percent of the flows moved by 5 % of the median would be noticed.
#[test]
fn the_test_of_sampled_sizes_rejects_a_near_miss() {
    let sizes = built_in("websearch");
    let near = SizeDistribution::from_text("near", "0 0\n80000 0.51\n30000000 1").unwrap();
    let statistic = kolmogorov(&mut samples(&near, 1, 50_000), |size| {
        (sizes.cumulative(size), sizes.cumulative(size - 1))
    });
    assert!(statistic > 2.0 * KOLMOGOROV, "{statistic}");
}

#[test]
fn the_mean_is_the_mean_of_the_samples() {
    for name in SizeDistribution::built_in_names() {
        let sizes = built_in(name);
        for seed in SEEDS {
            let drawn = samples(&sizes, seed, 400_000);
            let n = drawn.len() as f64;
            let mean = drawn.iter().map(|&s| s as f64).sum::<f64>() / n;
            let variance = drawn
                .iter()
                .map(|&s| (s as f64 - mean).powi(2))
                .sum::<f64>()
                / n;
            let sigmas = (mean - sizes.mean()) / (variance / n).sqrt();
            assert!(
                sigmas.abs() < 3.3,
                "{name}, seed {seed}: {mean} is {sigmas} sigmas off"
            );
        }
    }
}

/// Ten sizes, few enough to be listed.
#[test]
fn every_figure_of_a_small_table_is_exact() {
    // 1..=4 with 1/16 each, 6 with 1/4, then 7..=10 with 1/8 each.
    let text = "0 0\n4 0.25\n6 0.25\n6 0.5\n10 1";
    let sizes = SizeDistribution::from_text("small", text).unwrap();
    let weights: [(u64, f64); 9] = [
        (1, 1.0),
        (2, 1.0),
        (3, 1.0),
        (4, 1.0),
        (6, 4.0),
        (7, 2.0),
        (8, 2.0),
        (9, 2.0),
        (10, 2.0),
    ];
    let sum = |f: &dyn Fn(u64) -> f64| weights.iter().map(|&(s, w)| f(s) * w / 16.0).sum::<f64>();
    let mean = sum(&|s| s as f64);
    assert_eq!(sizes.mean(), mean);
    assert_eq!((sizes.min(), sizes.max()), (1, 10));
    for x in 0..12 {
        let at_most = sum(&|s| f64::from(u8::from(s <= x)));
        assert_eq!(sizes.cumulative(x), at_most, "P(size <= {x})");
        let above = sum(&|s| if s > x { s as f64 } else { 0.0 }) / mean;
        assert!(
            (sizes.bytes_above(x) - above).abs() < 1e-12,
            "bytes above {x}"
        );
    }
    for mss in 1..13 {
        let expected = sum(&|s| s.div_ceil(mss) as f64);
        assert!(
            (sizes.mean_segments(mss) - expected).abs() < 1e-12,
            "mss {mss}"
        );
    }
    let quantiles = [0.0, 1.0 / 16.0, 0.063, 0.25, 0.2501, 0.5, 0.51, 0.625, 1.0];
    let expected = [1, 1, 2, 4, 6, 6, 7, 7, 10];
    assert_eq!(quantiles.map(|p| sizes.quantile(p)), expected.map(Some));
    assert_eq!([-0.1, 1.1, f64::NAN].map(|p| sizes.quantile(p)), [None; 3]);
    let mut seen = samples(&sizes, 1, 10_000);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, weights.map(|(size, _)| size));
}

#[test]
fn fixed_sizes_are_fixed() {
    let sizes = SizeDistribution::fixed(64_000).unwrap();
    assert_eq!(samples(&sizes, 1, 100), [64_000; 100]);
    assert_eq!(sizes.mean(), 64_000.0);
    assert_eq!(sizes.mean_segments(1_460), 44.0);
    assert_eq!(
        (sizes.cumulative(63_999), sizes.cumulative(64_000)),
        (0.0, 1.0)
    );
    for bad in [0, u64::MAX] {
        let error = SizeDistribution::fixed(bad).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("size = {bad}")) && error.contains("64KB"),
            "{error}"
        );
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_known_ones() {
    let error = SizeDistribution::built_in("web-search")
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("sizes = web-search"), "{error}");
    assert!(error.contains("websearch, datamining"), "{error}");
}
