//! Reading a decimal number with a unit, exactly.

use std::fmt;

/// Why a quantity could not be read. The text names the value and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError(String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

/// A unit's name and how many base units it is worth.
pub(crate) type Unit = (&'static str, u64);

/// What is being read, for the error messages.
pub(crate) struct Kind {
    pub what: &'static str,
    pub base: &'static str,
    pub example: &'static str,
    pub units: &'static [Unit],
}

impl Kind {
    fn error(&self, text: &str, why: &str) -> ParseError {
        let names: Vec<&str> = self.units.iter().map(|(name, _)| *name).collect();
        ParseError(format!(
            "{text:?} is not a {}: {why}; write a number and one of {} (for example {:?})",
            self.what,
            names.join(", "),
            self.example
        ))
    }
}

/// Reads `text` as a decimal number followed by one of `kind`'s units, in base units, exactly.
pub(crate) fn quantity(text: &str, kind: &Kind) -> Result<u64, ParseError> {
    let trimmed = text.trim();
    let split = trimmed
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
        .unwrap_or(trimmed.len());
    let (number, unit) = (&trimmed[..split], trimmed[split..].trim_start());
    if number.is_empty() {
        return Err(kind.error(text, "it does not start with a number"));
    }
    let scale = unit_scale(text, unit, kind)?;
    let (digits, decimals) =
        decimal(number).ok_or_else(|| kind.error(text, "its number is malformed"))?;
    let divisor = 10u128.pow(decimals);
    let scaled = digits
        .checked_mul(u128::from(scale))
        .ok_or_else(|| kind.error(text, "it is too large"))?;
    if !scaled.is_multiple_of(divisor) {
        return Err(kind.error(text, &format!("it is finer than 1 {}", kind.base)));
    }
    u64::try_from(scaled / divisor).map_err(|_| kind.error(text, "it is too large"))
}

fn unit_scale(text: &str, unit: &str, kind: &Kind) -> Result<u64, ParseError> {
    if unit.is_empty() {
        return Err(kind.error(text, "it has no unit"));
    }
    match kind.units.iter().find(|(name, _)| *name == unit) {
        Some((_, scale)) => Ok(*scale),
        None => Err(kind.error(text, &format!("unknown unit {unit:?}"))),
    }
}

/// The digits of a decimal number as one integer, and how many of them stand after the point.
fn decimal(number: &str) -> Option<(u128, u32)> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || (number.contains('.') && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let digits: String = whole
        .chars()
        .chain(fraction.chars())
        .filter(|c| *c != '_')
        .collect();
    if digits.len() > 30 {
        return None;
    }
    let decimals = fraction.chars().filter(|c| *c != '_').count();
    Some((digits.parse().ok()?, u32::try_from(decimals).ok()?))
}

/// Writes `value` in the largest decimal unit that holds it exactly, or in a binary one where no decimal unit but the
/// base does, so that reading it back gives it again.
pub(crate) fn display(value: u64, kind: &Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let largest = |decimal: bool| {
        let fits = |&&(_, scale): &&Unit| value >= scale && value.is_multiple_of(scale);
        let units = kind.units.iter().filter(fits);
        units
            .filter(|(_, scale)| !decimal || is_power_of_ten(*scale))
            .max_by_key(|(_, scale)| *scale)
    };
    let decimal = largest(true).filter(|(_, scale)| *scale > 1);
    let (name, scale) = decimal
        .or_else(|| largest(false))
        .copied()
        .unwrap_or(kind.units[0]);
    f.pad(&format!("{}{name}", value / scale))
}

fn is_power_of_ten(scale: u64) -> bool {
    10u64.pow(scale.ilog10()) == scale
}
