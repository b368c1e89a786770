//! Link rates in bits per second.

use crate::Time;
use crate::parse::{self, Kind, ParseError};
use std::fmt;
use std::str::FromStr;

const KIND: Kind = Kind {
    what: "rate",
    base: "bps",
    example: "10Gbps",
    units: &[
        ("bps", 1),
        ("Kbps", 1_000),
        ("kbps", 1_000),
        ("Mbps", 1_000_000),
        ("Gbps", 1_000_000_000),
        ("Tbps", 1_000_000_000_000),
    ],
};

const PS_PER_SECOND_TIMES_BITS_PER_BYTE: u64 = 8_000_000_000_000;

/// A rate in whole bits per second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

impl Rate {
    /// `bps` bits per second.
    pub const fn from_bps(bps: u64) -> Rate {
        Rate(bps)
    }

    /// `gbps` gigabits (10^9 bits) per second.
    pub const fn from_gbps(gbps: u64) -> Rate {
        Rate(gbps * 1_000_000_000)
    }

    /// Bits per second.
    pub const fn bps(self) -> u64 {
        self.0
    }

    /// How long one byte lasts, if that is a whole number of picoseconds.
    pub const fn ps_per_byte(self) -> Option<u64> {
        if self.0 != 0 && PS_PER_SECOND_TIMES_BITS_PER_BYTE.is_multiple_of(self.0) {
            Some(PS_PER_SECOND_TIMES_BITS_PER_BYTE / self.0)
        } else {
            None
        }
    }

    /// How long `bytes` take on a link of this rate, rounded up to a whole picosecond.
    ///
    /// Exact for sizes up to 2 MB; the rate must not be zero.
    pub const fn serialisation(self, bytes: u64) -> Time {
        Time::from_ps((bytes * PS_PER_SECOND_TIMES_BITS_PER_BYTE).div_ceil(self.0))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parse::display(self.0, &KIND, f)
    }
}

impl FromStr for Rate {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Rate, ParseError> {
        parse::quantity(text, &KIND).map(Rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rates_and_refuses_bytes_per_second() {
        assert_eq!("10Gbps".parse(), Ok(Rate::from_gbps(10)));
        assert_eq!("2.5 Gbps".parse(), Ok(Rate::from_bps(2_500_000_000)));
        for bad in ["10Gb", "10GB/s", "10", "10 gbps"] {
            let error = bad.parse::<Rate>().unwrap_err().to_string();
            assert!(error.contains("Gbps"), "{error}");
        }
        assert_eq!(Rate::from_gbps(40).to_string(), "40Gbps");
    }

    #[test]
    fn serialisation_is_exact_at_common_rates() {
        assert_eq!(
            Rate::from_gbps(10).serialisation(1538),
            Time::from_ps(1_230_400)
        );
        assert_eq!(Rate::from_gbps(10).ps_per_byte(), Some(800));
        assert_eq!(Rate::from_gbps(3).ps_per_byte(), None);
        assert_eq!(Rate::from_gbps(3).serialisation(1), Time::from_ps(2_667));
    }
}
