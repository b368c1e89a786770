//! From exact fractions to the small integer weights that a switch's table holds.

/// A non-negative fraction: numerator and denominator, the latter never zero.
pub(crate) type Fraction = (u128, u128);

/// The smallest integers in the same proportion as `fractions`.
///
/// Where those would not fit 32 bits (incommensurable rates over many paths) they are rounded down to a
/// scale on which the largest stands between 2^31 and 2^32; a path that has any capacity keeps at least 1.
pub(crate) fn proportional(fractions: &[Fraction]) -> Vec<u32> {
    exact(fractions).unwrap_or_else(|| rounded(fractions))
}

fn exact(fractions: &[Fraction]) -> Option<Vec<u32>> {
    let mut common: u128 = 1;
    for &(numerator, denominator) in fractions {
        let denominator = denominator / gcd(numerator, denominator);
        common = (common / gcd(common, denominator)).checked_mul(denominator)?;
    }
    let mut scaled = Vec::with_capacity(fractions.len());
    for &(numerator, denominator) in fractions {
        let divisor = gcd(numerator, denominator);
        let factor = common / (denominator / divisor);
        scaled.push((numerator / divisor).checked_mul(factor)?);
    }
    let divisor = scaled.iter().copied().fold(0, gcd).max(1);
    scaled
        .iter()
        .map(|&value| u32::try_from(value / divisor).ok())
        .collect()
}

fn rounded(fractions: &[Fraction]) -> Vec<u32> {
    let room = |&(numerator, _): &Fraction| numerator.leading_zeros();
    let shift = fractions.iter().map(room).min().unwrap_or(0);
    let values: Vec<u128> = fractions
        .iter()
        .map(|&(numerator, denominator)| (numerator << shift) / denominator)
        .collect();
    let largest = values.iter().copied().max().unwrap_or(0);
    let unit = (largest >> 32) + 1;
    let weight = |(&value, &(numerator, _)): (&u128, &Fraction)| {
        let floor = u32::from(numerator > 0);
        u32::try_from(value / unit).unwrap_or(u32::MAX).max(floor)
    };
    values.iter().zip(fractions).map(weight).collect()
}

/// The greatest common divisor; `gcd(0, b)` is `b`.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_the_smallest_integers_in_proportion() {
        assert_eq!(proportional(&[(40, 1), (20, 1), (10, 1)]), [4, 2, 1]);
        assert_eq!(proportional(&[(1, 2), (1, 3), (0, 7)]), [3, 2, 0]);
        assert_eq!(proportional(&[(9, 3)]), [1]);
        assert_eq!(proportional(&[]), [0; 0]);
    }

    #[test]
    fn what_does_not_fit_is_rounded_and_never_vanishes() {
        let weights = proportional(&[(u128::MAX / 3, 1), (u128::MAX / 5, 7), (1, 1), (0, 1)]);
        assert!(weights[0] >= 1 << 31);
        let expected = u64::from(weights[0]) * 3 / 35;
        assert!(u64::from(weights[1]).abs_diff(expected) <= 1);
        assert_eq!(weights[2..], [1, 0]);
    }
}
