//! Instants and spans in picoseconds.

use crate::parse::{self, Kind, ParseError};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};
use std::str::FromStr;

const KIND: Kind = Kind {
    what: "time",
    base: "ps",
    example: "500us",
    units: &[
        ("ps", 1),
        ("ns", 1_000),
        ("us", 1_000_000),
        ("ms", 1_000_000_000),
        ("s", 1_000_000_000_000),
    ],
};

/// An instant since the start of the run, or a span, in whole picoseconds (213 days at most).
///
/// One byte lasts a whole number of picoseconds at every common Ethernet rate (800 ps at 10 Gbps, 10 ps at
/// 800 Gbps), so serialisation times carry no rounding error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// The start of the run, or no time at all.
    pub const ZERO: Time = Time(0);
    /// Later than every instant of a run: "never".
    pub const MAX: Time = Time(u64::MAX);

    /// `ps` picoseconds.
    pub const fn from_ps(ps: u64) -> Time {
        Time(ps)
    }

    /// `ns` nanoseconds.
    pub const fn from_ns(ns: u64) -> Time {
        Time(ns * 1_000)
    }

    /// `us` microseconds.
    pub const fn from_us(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Time {
        Time(ms * 1_000_000_000)
    }

    /// The number of picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Seconds, for reports only: the engine never computes with them.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e12
    }

    /// `self - other`, or zero when `other` is later.
    pub const fn saturating_sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }

    /// `self + other`, or `None` past the end of time.
    pub fn checked_add(self, other: Time) -> Option<Time> {
        self.0.checked_add(other.0).map(Time)
    }
}

impl Add for Time {
    type Output = Time;
    #[inline]
    fn add(self, other: Time) -> Time {
        Time(self.0 + other.0)
    }
}

impl AddAssign for Time {
    #[inline]
    fn add_assign(&mut self, other: Time) {
        self.0 += other.0;
    }
}

impl Sub for Time {
    type Output = Time;
    #[inline]
    fn sub(self, other: Time) -> Time {
        Time(self.0 - other.0)
    }
}

impl Mul<u64> for Time {
    type Output = Time;
    #[inline]
    fn mul(self, times: u64) -> Time {
        Time(self.0 * times)
    }
}

impl Sum for Time {
    fn sum<I: Iterator<Item = Time>>(times: I) -> Time {
        times.fold(Time::ZERO, Add::add)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parse::display(self.0, &KIND, f)
    }
}

impl FromStr for Time {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Time, ParseError> {
        parse::quantity(text, &KIND).map(Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_exactly() {
        assert_eq!("500us".parse(), Ok(Time::from_us(500)));
        assert_eq!("1.5 us".parse(), Ok(Time::from_ns(1_500)));
        assert_eq!("0.001ns".parse(), Ok(Time::from_ps(1)));
        assert_eq!(Time::from_ns(1_500).to_string(), "1500ns");
        assert_eq!(Time::from_ms(20).to_string(), "20ms");
        assert_eq!(Time::ZERO.to_string(), "0ps");
    }

    #[test]
    fn refuses_what_is_not_a_time() {
        for bad in [
            "", "5", "us", "5 m", "1..5us", "-1us", "1e3us", ".5us", "5.us",
        ] {
            assert!(bad.parse::<Time>().is_err(), "{bad:?} was read");
        }
        let finer = "0.0001ns".parse::<Time>().unwrap_err().to_string();
        assert!(finer.contains("finer than 1 ps"), "{finer}");
        let bare = "5".parse::<Time>().unwrap_err().to_string();
        assert!(bare.contains("no unit") && bare.contains("500us"), "{bare}");
        assert!(
            "300000000s"
                .parse::<Time>()
                .unwrap_err()
                .to_string()
                .contains("too large")
        );
    }
}
