//! Sizes in bytes.

use crate::parse::{self, Kind, ParseError};
use std::fmt;
use std::str::FromStr;

const KIND: Kind = Kind {
    what: "size",
    base: "B",
    example: "64KB",
    units: &[
        ("B", 1),
        ("kB", 1_000),
        ("KB", 1_000),
        ("KiB", 1 << 10),
        ("MB", 1_000_000),
        ("MiB", 1 << 20),
        ("GB", 1_000_000_000),
        ("GiB", 1 << 30),
    ],
};

/// A number of bytes. `KB`, `MB`, `GB` are powers of 1000, `KiB`, `MiB`, `GiB` powers of 1024.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

impl Bytes {
    /// `n` bytes.
    pub const fn new(n: u64) -> Bytes {
        Bytes(n)
    }

    /// The number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parse::display(self.0, &KIND, f)
    }
}

impl FromStr for Bytes {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Bytes, ParseError> {
        parse::quantity(text, &KIND).map(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_and_binary_units_differ() {
        assert_eq!("64KB".parse(), Ok(Bytes::new(64_000)));
        assert_eq!("64KiB".parse(), Ok(Bytes::new(65_536)));
        assert_eq!("1.5MB".parse(), Ok(Bytes::new(1_500_000)));
        assert!("64Kb".parse::<Bytes>().is_err());
        assert!(
            "0.5B"
                .parse::<Bytes>()
                .unwrap_err()
                .to_string()
                .contains("finer than 1 B")
        );
        assert_eq!(Bytes::new(3_000).to_string(), "3KB");
        assert_eq!(Bytes::new(256_000).to_string(), "256KB");
        assert_eq!(Bytes::new(65_536).to_string(), "64KiB");
        for n in [0, 1, 1538, 65_536, 150_000, 1_000_000] {
            assert_eq!(Bytes::new(n).to_string().parse(), Ok(Bytes::new(n)));
        }
    }
}
