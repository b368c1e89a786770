//! Small deterministic random streams, named by purpose and entity.
//!
//! Every random decision draws from a stream of its own, derived from the run's one seed: a draw more in
//! one place moves nothing anywhere else, and two schemes see the very same flow arrivals.

/// What a stream is for. The discriminants are part of the results: never renumber them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Flow inter-arrival times.
    Arrivals = 1,
    /// Flow sizes.
    Sizes = 2,
    /// Who talks to whom.
    Pairs = 3,
    /// Source ports of flows.
    Ports = 4,
    /// The hash salt of a switch.
    HashSalt = 5,
    /// A load balancer's choices at one switch.
    Balancer = 6,
    /// Random loss on a link.
    Loss = 7,
    /// Reserved for tests.
    Test = 8,
    /// Which links of a fabric fail.
    Failures = 9,
}

/// A 64-bit finaliser with full avalanche (SplitMix64's, Steele et al., OOPSLA 2014).
#[inline]
pub const fn mix64(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64: 64 bits of state, equidistributed, passes BigCrush; small enough for one a forwarding engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// The stream for `purpose` at `entity` in the run seeded with `seed`.
    pub const fn stream(seed: u64, purpose: Purpose, entity: u64) -> Rng {
        let a = mix64(seed.wrapping_add(GOLDEN));
        let b = mix64(a ^ (purpose as u64).wrapping_mul(GOLDEN));
        Rng(mix64(b.wrapping_add(entity.wrapping_mul(GOLDEN))))
    }

    /// 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix64(self.0)
    }

    /// A number below `bound` (which must not be zero), by Lemire's multiply-shift.
    ///
    /// The bias is below `bound` / 2^32: under one in a million for groups of thousands of ports.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as u32
    }

    /// A number in `(0, 1]` with 53 random bits, for workload generation and loss.
    #[inline]
    pub fn unit_f64(&mut self) -> f64 {
        ((self.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_fixed_for_ever() {
        let mut rng = Rng::stream(1, Purpose::Arrivals, 0);
        let drawn: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(drawn, GOLDEN_DRAWS);
    }

    const GOLDEN_DRAWS: [u64; 3] = [
        825_971_408_479_201_008,
        5_728_486_194_924_192_429,
        12_195_047_730_207_523_859,
    ];

    #[test]
    fn streams_differ_by_seed_purpose_and_entity() {
        let first = |seed, purpose, entity| Rng::stream(seed, purpose, entity).next_u64();
        let base = first(1, Purpose::Sizes, 0);
        assert_ne!(base, first(2, Purpose::Sizes, 0));
        assert_ne!(base, first(1, Purpose::Pairs, 0));
        assert_ne!(base, first(1, Purpose::Sizes, 1));
    }

    #[test]
    fn below_is_uniform_within_its_confidence_interval() {
        let mut rng = Rng::stream(7, Purpose::Test, 0);
        let mut counts = [0u32; 12];
        let draws = 120_000;
        for _ in 0..draws {
            counts[rng.below(12) as usize] += 1;
        }
        // Chi-square with 11 degrees of freedom: 31.3 is its 99.9 % point.
        let expected = f64::from(draws) / 12.0;
        let chi: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - expected).powi(2) / expected)
            .sum();
        assert!(chi < 31.3, "chi-square {chi}");
    }
}
