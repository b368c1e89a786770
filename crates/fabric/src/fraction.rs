//! Ratios of capacities as people write them: `(2, 1)` is 2:1.

/// `above : below` in lowest terms; `(0, 0)` stays as it is.
pub(crate) fn reduced(above: u64, below: u64) -> (u64, u64) {
    let divisor = gcd(above, below).max(1);
    (above / divisor, below / divisor)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
