//! Random samples without repetition.

use closlab_units::rng::Rng;

/// Draws `k` different indices out of `n`, in random order, without allocation.
#[derive(Debug)]
pub(crate) struct Sampler {
    /// The indices below `active`, in the order that earlier draws left them in.
    order: Vec<u16>,
    active: usize,
}

impl Sampler {
    /// A sampler for at most `most` indices.
    pub(crate) fn new(most: usize) -> Sampler {
        Sampler {
            order: vec![0; most],
            active: 0,
        }
    }

    /// Calls `visit` with `k` different indices below `n`, or with all of them when `k >= n`.
    #[inline]
    pub(crate) fn each_distinct(
        &mut self,
        rng: &mut Rng,
        n: usize,
        k: usize,
        mut visit: impl FnMut(usize),
    ) {
        if k == 2 && n > 2 {
            let first = rng.below(n as u32) as usize;
            let other = rng.below(n as u32 - 1) as usize;
            visit(first);
            visit(if other >= first { other + 1 } else { other });
        } else {
            self.shuffle(rng, n, k, visit);
        }
    }

    fn shuffle(&mut self, rng: &mut Rng, n: usize, k: usize, mut visit: impl FnMut(usize)) {
        if self.active != n {
            self.active = n;
            for (place, index) in self.order[..n].iter_mut().enumerate() {
                *index = place as u16;
            }
        }
        for place in 0..k.min(n) {
            let other = place + rng.below((n - place) as u32) as usize;
            self.order.swap(place, other);
            visit(usize::from(self.order[place]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use closlab_units::rng::Purpose;

    #[test]
    fn samples_are_distinct_complete_and_uniform() {
        let mut rng = Rng::stream(3, Purpose::Test, 0);
        let mut sampler = Sampler::new(8);
        for k in 1..=10usize {
            let mut counts = [0u32; 8];
            for _ in 0..8_000 {
                let mut seen = [false; 8];
                let mut drawn = 0;
                sampler.each_distinct(&mut rng, 8, k, |index| {
                    assert!(!seen[index], "{index} drawn twice");
                    seen[index] = true;
                    counts[index] += 1;
                    drawn += 1;
                });
                assert_eq!(drawn, k.min(8));
            }
            // Each index is drawn Binomial(8000, k/8) times; five standard deviations either way.
            let p = k.min(8) as f64 / 8.0;
            let spread = 5.0 * (8_000.0 * p * (1.0 - p)).sqrt();
            for count in counts {
                assert!(
                    (f64::from(count) - 8_000.0 * p).abs() <= spread,
                    "k={k}: {counts:?}"
                );
            }
        }
    }

    #[test]
    fn group_size_may_change_between_draws() {
        let mut rng = Rng::stream(4, Purpose::Test, 0);
        let mut sampler = Sampler::new(6);
        for n in [6, 2, 5, 1, 3] {
            let mut sum = 0;
            sampler.each_distinct(&mut rng, n, n, |index| sum += index);
            assert_eq!(sum, n * (n - 1) / 2);
        }
    }
}
