//! When flows start: a Poisson process on the picosecond clock.

use crate::error::WorkloadError;
use closlab_units::Time;
use closlab_units::rng::{Purpose, Rng};

/// Arrival times of a Poisson process: independent, exponentially distributed gaps.
///
/// The clock counts whole picoseconds; what a gap has beyond them is carried into the next one, so that
/// rounding does not change the rate. Logarithms come from `libm`, which gives the same bits everywhere.
#[derive(Debug, Clone)]
pub struct PoissonArrivals {
    rng: Rng,
    mean_ps: f64,
    now: Time,
    /// The part of a picosecond by which the exact time is later than `now`, in 0..1.
    fraction: f64,
}

impl PoissonArrivals {
    /// Arrivals `mean_ps` picoseconds apart on average, from time zero on, from the run's arrival stream.
    ///
    /// # Errors
    /// A mean that is not a positive, finite number.
    pub fn new(mean_ps: f64, seed: u64) -> Result<PoissonArrivals, WorkloadError> {
        if !(mean_ps.is_finite() && mean_ps > 0.0) {
            return Err(WorkloadError::new(
                "mean interarrival time",
                format!("{mean_ps} ps"),
                "it must be a positive, finite number",
                "check the load and the flow sizes",
            ));
        }
        Ok(PoissonArrivals {
            rng: Rng::stream(seed, Purpose::Arrivals, 0),
            mean_ps,
            now: Time::ZERO,
            fraction: 0.0,
        })
    }
}

impl Iterator for PoissonArrivals {
    type Item = Time;

    /// The next arrival; `None` only past the end of the clock (213 days).
    fn next(&mut self) -> Option<Time> {
        // `unit_f64` is in (0, 1], so the logarithm is finite and the gap not negative.
        let gap = self.fraction - libm::log(self.rng.unit_f64()) * self.mean_ps;
        // A gap beyond 64 bits saturates here, and then fails the addition below.
        let whole = gap as u64;
        self.fraction = gap - whole as f64;
        self.now = self.now.checked_add(Time::from_ps(whole))?;
        Some(self.now)
    }
}
