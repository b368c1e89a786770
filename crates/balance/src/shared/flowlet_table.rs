//! The flowlet table with one-bit aging (LetFlow section 3).

use crate::hash;
use closlab_units::{PortId, Time};

/// A table of flowlets, indexed by hash; flows that collide share an entry, as in hardware.
///
/// Hardware sweeps the table at every multiple of the timeout: the first sweep after a packet sets the entry's
/// age bit, the second clears its valid bit. So an entry is valid until two sweeps have passed since its
/// last packet, and a flowlet ends after a gap between one and two timeouts. Here nothing sweeps: an
/// entry remembers in which interval between sweeps its last packet came, which gives the same answer
/// at every instant. A packet at the very instant of a sweep comes after it.
#[derive(Debug)]
pub(crate) struct FlowletTable {
    /// For each entry 0 if never used, else (interval of its last packet + 1) << 16 | port.
    entries: Vec<u64>,
    timeout: u64,
    interval: u64,
    interval_end: u64,
}

const PORT_BITS: u32 = 16;

impl FlowletTable {
    /// A table of `entries` entries swept every `timeout` (not zero).
    pub(crate) fn new(entries: usize, timeout: Time) -> FlowletTable {
        FlowletTable {
            entries: vec![0; entries],
            timeout: timeout.ps(),
            interval: 0,
            interval_end: timeout.ps(),
        }
    }

    /// The entry of the flow with this (salted) hash.
    #[inline]
    pub(crate) fn index(&self, hash: u32) -> usize {
        hash::bucket(hash, self.entries.len() as u32) as usize
    }

    /// The port of the entry's flowlet, if the entry is valid at `now`.
    #[inline]
    pub(crate) fn active(&mut self, now: Time, index: usize) -> Option<PortId> {
        self.advance(now.ps());
        let entry = self.entries[index];
        let last = entry >> PORT_BITS;
        (last != 0 && self.interval + 1 - last < 2).then_some(PortId(entry as u16))
    }

    /// A packet was sent to `port` at the instant last given to [`FlowletTable::active`]: the entry is valid
    /// and young.
    #[inline]
    pub(crate) fn touch(&mut self, index: usize, port: PortId) {
        self.entries[index] = (self.interval + 1) << PORT_BITS | u64::from(port.0);
    }

    #[inline]
    fn advance(&mut self, now: u64) {
        if now >= self.interval_end {
            self.interval = now / self.timeout;
            self.interval_end = (self.interval + 1) * self.timeout;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use closlab_units::rng::{Purpose, Rng};

    const TIMEOUT: Time = Time::from_us(500);

    #[test]
    fn a_flowlet_ends_after_a_gap_between_one_and_two_timeouts() {
        let mut rng = Rng::stream(1, Purpose::Test, 0);
        let (mut shortest, mut longest) = (u64::MAX, 0);
        for _ in 0..20_000 {
            let mut table = FlowletTable::new(4, TIMEOUT);
            let sent = Time::from_ps(u64::from(rng.below(2_000_000_000)));
            let gap = Time::from_ps(u64::from(rng.below(1_500_000_000)));
            table.active(sent, 0);
            table.touch(0, PortId(1));
            let alive = table.active(sent + gap, 0).is_some();
            assert!(alive || gap >= TIMEOUT, "ended after {gap}");
            assert!(!alive || gap <= TIMEOUT * 2, "alive after {gap}");
            if alive {
                longest = longest.max(gap.ps());
            } else {
                shortest = shortest.min(gap.ps());
            }
        }
        // Both ends of the range are really reached.
        assert!(
            shortest < 510_000_000 && longest > 990_000_000,
            "{shortest} {longest}"
        );
    }

    /// The hardware's own process: valid and age bits, and a sweep at every multiple of the timeout.
    struct Ticking {
        valid: bool,
        age: bool,
        next_sweep: u64,
    }

    impl Ticking {
        fn packet(&mut self, now: u64) -> bool {
            while self.next_sweep <= now {
                self.valid &= !self.age;
                self.age = true;
                self.next_sweep += TIMEOUT.ps();
            }
            let was_valid = self.valid;
            (self.valid, self.age) = (true, false);
            was_valid
        }
    }

    #[test]
    fn equals_the_sweeping_table_at_every_packet() {
        let mut rng = Rng::stream(2, Purpose::Test, 0);
        let mut lazy = FlowletTable::new(1, TIMEOUT);
        let mut ticking = Ticking {
            valid: false,
            age: false,
            next_sweep: TIMEOUT.ps(),
        };
        let mut now = 0;
        let (mut hits, mut misses) = (0, 0);
        for _ in 0..50_000 {
            // Gaps around the timeout, some of them exact multiples of it.
            now += match rng.below(4) {
                0 => TIMEOUT.ps() * u64::from(rng.below(4)),
                1 => u64::from(rng.below(10_000)),
                _ => u64::from(rng.below(1_400_000_000)),
            };
            let alive = lazy.active(Time::from_ps(now), 0).is_some();
            lazy.touch(0, PortId(0));
            assert_eq!(alive, ticking.packet(now), "at {now}");
            if alive { hits += 1 } else { misses += 1 }
        }
        assert!(
            hits > 5_000 && misses > 5_000,
            "one-sided test: {hits} {misses}"
        );
    }
}
