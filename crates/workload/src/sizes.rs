//! Flow sizes drawn from a piecewise linear distribution, in integers, with an exact mean.
//!
//! The sampler's rule. A draw is an integer k, uniform on 1..=2^53, and stands for the probability k/2^53.
//! Each cumulative probability of the table is kept as such an integer too. Between two points (x0, K0) and
//! (x1, K1) the size is x0 + ceil((k - K0)(x1 - x0)/(K1 - K0)): the straight line of the table, rounded up, so
//! that each of the sizes x0+1, ..., x1 is equally likely. A size is therefore at least 1 without any clamp.
//! A first probability above 0, or two points with equal size, is a point mass at that size.
//!
//! Rounding up lifts the mean by half a byte over the mean of the lines. [`SizeDistribution::mean`] is the
//! mean of the rule itself, summed over all 2^53 draws in closed form, so that the load computed from it is
//! the load that is offered.

use crate::error::WorkloadError;
use crate::tables::{TABLES, Table};
use closlab_units::rng::Rng;

/// The number of equally likely draws, and the integer that stands for probability 1.
pub(crate) const ONE: u64 = 1 << 53;

/// Larger flows are refused: a petabyte would outlast any run, so the unit must be wrong.
pub(crate) const MAX_SIZE: u64 = 1_000_000_000_000_000;

/// A point of the table: this share (in 2^-53) of flows has at most this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Point {
    pub size: u64,
    pub upto: u64,
}

/// A distribution of flow sizes (payload bytes, integers of at least 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeDistribution {
    name: String,
    citation: String,
    /// Ascending in both; `upto` of the last is [`ONE`].
    points: Vec<Point>,
}

/// A line of the listing of workloads.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// The name to write in a scenario.
    pub name: String,
    /// Points in the table.
    pub points: usize,
    /// Mean size in bytes, of the sampler itself.
    pub mean: f64,
    /// Median size in bytes.
    pub p50: u64,
    /// 99th percentile of the size in bytes.
    pub p99: u64,
    /// Largest size in bytes.
    pub max: u64,
    /// Share of flows smaller than 100 KB.
    pub flows_below_100kb: f64,
    /// Share of all bytes that belong to flows larger than 1 MB.
    pub bytes_above_1mb: f64,
    /// Where the numbers were published and who read the points.
    pub citation: String,
}

/// Part of the draws: `weight` of them give the sizes `base + 1 ..= base + width` equally often, or always
/// `base` when `width` is 0.
#[derive(Debug, Clone, Copy)]
struct Segment {
    base: u64,
    width: u64,
    below: u64,
    weight: u64,
}

impl SizeDistribution {
    /// The names that [`SizeDistribution::built_in`] knows.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        TABLES.iter().map(|table| table.name)
    }

    /// A published distribution by name.
    ///
    /// # Errors
    /// An unknown name; the known ones are listed.
    pub fn built_in(name: &str) -> Result<SizeDistribution, WorkloadError> {
        let known = TABLES.iter().find(|table| table.name == name);
        known.map(SizeDistribution::from_table).ok_or_else(|| {
            let names: Vec<&str> = SizeDistribution::built_in_names().collect();
            WorkloadError::new(
                "sizes",
                name,
                "no built-in distribution has this name",
                format!(
                    "write one of {}, or give a file of points",
                    names.join(", ")
                ),
            )
        })
    }

    /// Every flow has `size` bytes.
    ///
    /// # Errors
    /// A size of zero, or beyond 1 PB.
    pub fn fixed(size: u64) -> Result<SizeDistribution, WorkloadError> {
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(WorkloadError::new(
                "size",
                size,
                "a flow has from 1 byte to 1 PB",
                "write a size such as \"64KB\"",
            ));
        }
        let points = vec![Point { size, upto: ONE }];
        let name = format!("fixed {size}");
        Ok(SizeDistribution::from_points(
            name,
            String::from("given by the user"),
            points,
        ))
    }

    /// A distribution from the text of a file: two columns, size in bytes and cumulative probability,
    /// joined by straight lines; `#` starts a comment. `name` stands in results and in errors.
    ///
    /// Sizes and probabilities ascend and the last probability is 1. A first probability above 0 is a
    /// point mass at the first size.
    ///
    /// # Errors
    /// The first line that breaks a rule, by number.
    pub fn from_text(name: &str, text: &str) -> Result<SizeDistribution, WorkloadError> {
        let points = crate::text::points(name, text)?;
        let citation = String::from("given by the user");
        Ok(SizeDistribution::from_points(
            name.to_owned(),
            citation,
            points,
        ))
    }

    fn from_table(table: &Table) -> SizeDistribution {
        let points = table.points.iter().map(|&(size, p)| Point {
            size,
            upto: draws(p),
        });
        SizeDistribution::from_points(
            table.name.to_owned(),
            table.citation.to_owned(),
            points.collect(),
        )
    }

    fn from_points(name: String, citation: String, points: Vec<Point>) -> SizeDistribution {
        SizeDistribution {
            name,
            citation,
            points,
        }
    }

    /// The name under which results report it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the numbers were published.
    pub fn citation(&self) -> &str {
        &self.citation
    }

    /// A flow size in bytes; exactly one number is taken from `rng`.
    #[inline]
    pub fn sample(&self, rng: &mut Rng) -> u64 {
        // 53 bits, as `Rng::unit_f64` takes, but kept as an integer.
        self.size_of_draw((rng.next_u64() >> 11) + 1)
    }

    /// The smallest size s with P(size <= s) >= `p`; the smallest size of all for `p` = 0. `None` unless
    /// 0 <= `p` <= 1.
    pub fn quantile(&self, p: f64) -> Option<u64> {
        (0.0..=1.0).contains(&p).then(|| self.size_of_draw(rank(p)))
    }

    /// P(flow size <= `size`).
    pub fn cumulative(&self, size: u64) -> f64 {
        self.draws_up_to(size) as f64 / ONE as f64
    }

    /// The mean size in bytes, of the sampler's own rule (rounding included).
    pub fn mean(&self) -> f64 {
        // Exact up to this last division: the sum is an integer below 2^53 * 10^15 < 2^103.
        self.segments().map(|s| s.total_bytes()).sum::<u128>() as f64 / ONE as f64
    }

    /// The largest size that can be drawn.
    pub fn max(&self) -> u64 {
        self.size_of_draw(ONE)
    }

    /// The smallest size that can be drawn.
    pub fn min(&self) -> u64 {
        self.size_of_draw(1)
    }

    /// The mean number of segments when each carries at most `mss` (not zero) bytes of payload.
    pub fn mean_segments(&self, mss: u64) -> f64 {
        self.segments()
            .map(|s| s.mean_segments(mss) * s.weight as f64)
            .sum::<f64>()
            / ONE as f64
    }

    /// The share of all bytes that belong to flows larger than `size`.
    pub fn bytes_above(&self, size: u64) -> f64 {
        let bytes: f64 = self.segments().map(|s| s.bytes_above(size)).sum();
        bytes / ONE as f64 / self.mean()
    }

    /// What a listing says of this distribution.
    pub fn describe(&self) -> Description {
        Description {
            name: self.name.clone(),
            points: self.points.len(),
            mean: self.mean(),
            p50: self.size_of_draw(rank(0.5)),
            p99: self.size_of_draw(rank(0.99)),
            max: self.max(),
            flows_below_100kb: self.cumulative(99_999),
            bytes_above_1mb: self.bytes_above(1_000_000),
            citation: self.citation.clone(),
        }
    }

    fn size_of_draw(&self, k: u64) -> u64 {
        let i = self.points.partition_point(|point| point.upto < k);
        let point = self.points[i];
        if i == 0 {
            return point.size;
        }
        let before = self.points[i - 1];
        let run = u128::from(point.size - before.size) * u128::from(k - before.upto);
        // At most `point.size - before.size`, so it fits.
        before.size + run.div_ceil(u128::from(point.upto - before.upto)) as u64
    }

    fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        let first = self.points.first().map(|point| Segment {
            base: point.size,
            width: 0,
            below: 0,
            weight: point.upto,
        });
        let lines = self.points.windows(2).map(|pair| Segment {
            base: pair[0].size,
            width: pair[1].size - pair[0].size,
            below: pair[0].upto,
            weight: pair[1].upto - pair[0].upto,
        });
        first
            .into_iter()
            .chain(lines)
            .filter(|segment| segment.weight > 0)
    }

    /// How many of the draws give at most `size`.
    fn draws_up_to(&self, size: u64) -> u64 {
        let within = self.segments().take_while(|segment| segment.min() <= size);
        within.last().map_or(0, |segment| {
            let reached = (size - segment.base).min(segment.width);
            if reached == segment.width {
                return segment.below + segment.weight;
            }
            let draws =
                u128::from(reached) * u128::from(segment.weight) / u128::from(segment.width);
            segment.below + draws as u64
        })
    }
}

impl Segment {
    fn min(&self) -> u64 {
        self.base + u64::from(self.width > 0)
    }

    /// The sum of the sizes of all draws of this segment.
    ///
    /// Sum over j = 1..=W of ceil(j n/W) is (n W + n + W - gcd(n, W))/2: pairing j with W - j adds up to
    /// n + 1, except for the gcd(n, W) terms where j n/W is whole.
    fn total_bytes(&self) -> u128 {
        let (n, w) = (u128::from(self.width), u128::from(self.weight));
        let risen = (n * w + n + w - gcd(n, w)) / 2;
        u128::from(self.base) * w + if n == 0 { 0 } else { risen }
    }

    /// The sum of the sizes above `size`, taking the sizes of the segment as exactly equally likely.
    fn bytes_above(&self, size: u64) -> f64 {
        if size < self.min() {
            return self.total_bytes() as f64;
        }
        let above = (self.base + self.width).saturating_sub(size);
        if above == 0 {
            return 0.0;
        }
        let mean = size as f64 + (above + 1) as f64 / 2.0;
        mean * self.weight as f64 * (above as f64 / self.width as f64)
    }

    /// The mean of ceil(size/mss), taking the sizes of the segment as exactly equally likely.
    fn mean_segments(&self, mss: u64) -> f64 {
        if self.width == 0 {
            return self.base.div_ceil(mss) as f64;
        }
        // Sum over s = 1..=x of ceil(s/m): whole rows of m, then the rest of one row.
        let up_to = |x: u64| {
            let (m, q, r) = (u128::from(mss), u128::from(x / mss), u128::from(x % mss));
            m * (q * (q + 1) / 2) + r * (q + 1)
        };
        (up_to(self.base + self.width) - up_to(self.base)) as f64 / self.width as f64
    }
}

/// A probability as a number of draws. Multiplying by a power of two is exact.
pub(crate) fn draws(probability: f64) -> u64 {
    (probability * ONE as f64).round() as u64
}

/// The first draw at or above a probability in 0..=1.
fn rank(probability: f64) -> u64 {
    ((probability * ONE as f64).ceil() as u64).max(1)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed form of a segment's sum, and its counts, against every single draw.
    #[test]
    fn segments_add_up_over_all_draws() {
        for width in 0..25 {
            for weight in 1..40 {
                let segment = Segment {
                    base: 3,
                    width,
                    below: 0,
                    weight,
                };
                let size = |k: u64| 3 + (k * width).div_ceil(weight);
                let total: u64 = (1..=weight).map(size).sum();
                assert_eq!(
                    segment.total_bytes(),
                    u128::from(total),
                    "{width} over {weight}"
                );
            }
        }
    }

    #[test]
    fn counting_draws_is_the_inverse_of_sampling() {
        let names = SizeDistribution::built_in_names();
        for sizes in names.filter_map(|name| SizeDistribution::built_in(name).ok()) {
            let mut rng = Rng::stream(1, closlab_units::rng::Purpose::Test, 0);
            for _ in 0..10_000 {
                let size = sizes.sample(&mut rng);
                let last = sizes.draws_up_to(size);
                assert_eq!(sizes.size_of_draw(last), size);
                assert!(last == ONE || sizes.size_of_draw(last + 1) > size);
            }
        }
    }
}
