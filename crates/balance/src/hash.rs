//! The hash family of the switches.
//!
//! One 32-bit digest of the 5-tuple is computed when a packet enters the fabric; each switch then mixes
//! it with its own salt. Without the salt both tiers of a Clos would make the same choice and ECMP would
//! use a fraction of the paths (polarisation).

use crate::header::IpProtocol;
use closlab_units::rng::mix64;

/// The digest of a 5-tuple.
pub const fn five_tuple(src: u32, dst: u32, sport: u16, dport: u16, protocol: IpProtocol) -> u32 {
    let addresses = ((src as u64) << 32) | dst as u64;
    let rest = ((sport as u64) << 32) | ((dport as u64) << 8) | protocol as u64;
    (mix64(mix64(addresses ^ 0x243f_6a88_85a3_08d3).wrapping_add(rest)) >> 32) as u32
}

/// The digest as the switch with this `salt` sees it.
#[inline]
pub const fn salted(digest: u32, salt: u32) -> u32 {
    (mix64(((salt as u64) << 32) | digest as u64) >> 32) as u32
}

/// Maps a hash to `0..buckets` (`buckets` must not be zero) without division.
#[inline]
pub const fn bucket(hash: u32, buckets: u32) -> u32 {
    ((hash as u64 * buckets as u64) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pearson's chi-square of counts against a uniform expectation.
    fn chi_square(counts: &[u32]) -> f64 {
        let total: u32 = counts.iter().sum();
        let expected = f64::from(total) / counts.len() as f64;
        counts
            .iter()
            .map(|&c| (f64::from(c) - expected).powi(2) / expected)
            .sum()
    }

    #[test]
    fn neighbouring_flows_spread_evenly() {
        let mut counts = [0u32; 16];
        for flow in 0..64_000u32 {
            let sport = 49_152 + (flow % 4_096) as u16;
            let digest = five_tuple(flow / 4_096, 77, sport, 5_001, IpProtocol::Tcp);
            counts[bucket(salted(digest, 5), 16) as usize] += 1;
        }
        // 15 degrees of freedom: 37.7 is the 99.9 % point.
        assert!(chi_square(&counts) < 37.7, "{counts:?}");
    }

    #[test]
    fn two_salts_choose_independently() {
        let mut joint = [0u32; 16];
        for flow in 0..64_000u32 {
            let digest = five_tuple(flow, 1, 50_000, 5_001, IpProtocol::Tcp);
            let (first, second) = (bucket(salted(digest, 1), 4), bucket(salted(digest, 2), 4));
            joint[(first * 4 + second) as usize] += 1;
        }
        assert!(chi_square(&joint) < 37.7, "polarised: {joint:?}");
    }
}
