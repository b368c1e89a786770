//! What every builder refuses before it builds anything.

use crate::error::FabricError;
use closlab_units::{Bytes, Rate, Time};

/// Above this rate a byte lasts less than one picosecond, the clock's step.
const MAX_RATE: Rate = Rate::from_bps(8_000_000_000_000);

/// Light crosses 200,000 km of fibre meanwhile: whoever asks for more mistook the unit.
const MAX_DELAY: Time = Time::from_ms(1_000);

/// A full queue must drain within half the clock's span (106 days), so that no departure overflows it.
const MAX_DRAIN: Time = Time::from_ps(u64::MAX / 2);

/// A limit on something a builder would make: the field to change and its value, what there would be too
/// many of, how many, and the most there can be.
pub(crate) type Limit<'a> = (&'a str, u32, &'a str, u128, u128);

/// Identifiers of ToRs and ports have 16 bits.
pub(crate) const PORTS: u128 = 1 << 16;

/// Identifiers of directed links have 32 bits.
pub(crate) const LINKS: u128 = 1 << 32;

/// Refuses the first count that is zero; `fabric` says of what, with its article.
pub(crate) fn check_counts(counts: &[(&str, u32)], fabric: &str) -> Result<(), FabricError> {
    let zero = counts.iter().find(|&&(_, count)| count == 0);
    zero.map_or(Ok(()), |&(field, _)| {
        Err(FabricError::new(
            field,
            0,
            format!("{fabric} needs some"),
            "write at least 1",
        ))
    })
}

/// Refuses before anything is built: a mistyped count must not eat all memory first.
pub(crate) fn check_limits(limits: &[Limit<'_>]) -> Result<(), FabricError> {
    let broken = limits
        .iter()
        .find(|&&(_, _, _, needed, limit)| needed > limit);
    broken.map_or(Ok(()), |&(field, value, what, needed, limit)| {
        Err(FabricError::new(
            field,
            value,
            format!("the fabric would have {needed} {what}, and {limit} is the most"),
            "make the fabric smaller",
        ))
    })
}

pub(crate) fn check_link(
    rate_field: &str,
    rate: Rate,
    delay_field: &str,
    delay: Time,
) -> Result<(), FabricError> {
    if rate.bps() == 0 {
        return Err(FabricError::new(
            rate_field,
            rate,
            "nothing would ever leave",
            "write a rate such as \"10Gbps\"",
        ));
    }
    if rate > MAX_RATE {
        return Err(FabricError::new(
            rate_field,
            rate,
            "a byte would last less than a picosecond, the clock's step",
            format!("write at most {MAX_RATE}"),
        ));
    }
    if delay > MAX_DELAY {
        return Err(FabricError::new(
            delay_field,
            delay,
            "no cable is that long",
            format!("write at most {MAX_DELAY}"),
        ));
    }
    Ok(())
}

pub(crate) fn check_buffer(field: &str, buffer: Bytes, rate: Rate) -> Result<(), FabricError> {
    if buffer == Bytes::new(0) {
        return Err(FabricError::new(
            field,
            buffer,
            "a queue counts the packet in transmission, so every packet would be dropped",
            "write at least the largest packet's size",
        ));
    }
    let drain_ps = u128::from(buffer.get()) * 8_000_000_000_000 / u128::from(rate.bps());
    if drain_ps > u128::from(MAX_DRAIN.ps()) {
        return Err(FabricError::new(
            field,
            buffer,
            format!("at {rate} a full queue drains later than the clock can tell"),
            "write a smaller buffer or a higher rate",
        ));
    }
    Ok(())
}
