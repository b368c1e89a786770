//! The reordering shim below the receiver's TCP (DRILL, SIGCOMM 2017, section 3.3; after Presto, SIGCOMM
//! 2015, and Juggler, EuroSys 2016): it holds segments beyond a gap back until the gap fills or the one
//! that has waited longest times out, so that TCP does not take reordering for loss.

use crate::segment::Segment;
use closlab_units::Time;

/// A data segment held back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    /// The byte offset of its first byte.
    pub start: u64,
    arrived: Time,
    /// The segment as it arrived.
    pub segment: Segment,
}

impl Held {
    fn end(&self) -> u64 {
        self.start + u64::from(self.segment.len)
    }
}

/// The segments of one flow that wait below TCP, in ascending order of their first byte.
#[derive(Debug)]
pub(crate) struct Shim {
    timeout: Time,
    held: Vec<Held>,
    /// The byte after the highest one passed on.
    next: u64,
    /// The arrival of the segment that has waited longest; `Time::MAX` if none waits.
    oldest: Time,
}

impl Shim {
    /// An empty shim that holds a segment back for at most `timeout`.
    pub fn new(timeout: Time) -> Shim {
        Shim {
            timeout,
            held: Vec::new(),
            next: 0,
            oldest: Time::MAX,
        }
    }

    /// When the segment that has waited longest times out; `Time::MAX` if none waits.
    #[inline]
    pub fn deadline(&self) -> Time {
        if self.oldest == Time::MAX {
            Time::MAX
        } else {
            self.oldest + self.timeout
        }
    }

    /// Whether the segment that begins at `start` may pass. Else it lies beyond a gap and is now held.
    #[inline]
    pub fn passes(&mut self, now: Time, start: u64, segment: &Segment) -> bool {
        if start <= self.next {
            self.next = self.next.max(start + u64::from(segment.len));
            return true;
        }
        let index = self.held.partition_point(|held| held.start <= start);
        self.held.insert(
            index,
            Held {
                start,
                arrived: now,
                segment: *segment,
            },
        );
        self.oldest = self.oldest.min(now);
        false
    }

    /// Takes out the held segments that no gap separates any longer from what has passed, in order.
    #[inline]
    pub fn take_ready(&mut self) -> Vec<Held> {
        let mut ready = 0;
        while let Some(held) = self.held.get(ready).filter(|h| h.start <= self.next) {
            self.next = self.next.max(held.end());
            ready += 1;
        }
        if ready == 0 {
            return Vec::new();
        }
        let taken = self.held.drain(..ready).collect();
        self.oldest = self
            .held
            .iter()
            .map(|h| h.arrived)
            .min()
            .unwrap_or(Time::MAX);
        taken
    }

    /// Takes out every held segment, in order: the timeout's flush.
    pub fn flush(&mut self) -> Vec<Held> {
        self.oldest = Time::MAX;
        for held in &self.held {
            self.next = self.next.max(held.end());
        }
        std::mem::take(&mut self.held)
    }

    /// Whether bytes `start..end` are all among those held.
    pub fn holds(&self, start: u64, end: u64) -> bool {
        let mut reached = start;
        let first = self.held.partition_point(|held| held.end() <= start);
        for held in self.held[first..].iter().take_while(|h| h.start < end) {
            if held.start > reached {
                return false;
            }
            reached = reached.max(held.end());
        }
        reached >= end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(shim: &mut Shim, us: u64, start: u64) -> bool {
        let segment = Segment {
            len: 10,
            ..Segment::default()
        };
        shim.passes(Time::from_us(us), start, &segment)
    }

    fn starts(taken: &[Held]) -> Vec<u64> {
        taken.iter().map(|held| held.start).collect()
    }

    #[test]
    fn holds_beyond_a_gap_and_releases_in_order() {
        let mut shim = Shim::new(Time::from_us(100));
        assert!(offer(&mut shim, 0, 0));
        assert!(!offer(&mut shim, 1, 40));
        assert!(!offer(&mut shim, 2, 20));
        assert!(!offer(&mut shim, 3, 50));
        assert_eq!(shim.deadline(), Time::from_us(101));
        assert!(shim.take_ready().is_empty());
        assert!(offer(&mut shim, 4, 10));
        assert_eq!(starts(&shim.take_ready()), [20]);
        assert_eq!(shim.deadline(), Time::from_us(101));
        assert!(offer(&mut shim, 5, 30));
        assert_eq!(starts(&shim.take_ready()), [40, 50]);
        assert_eq!(shim.deadline(), Time::MAX);
    }

    #[test]
    fn the_oldest_of_those_left_sets_the_deadline() {
        let mut shim = Shim::new(Time::from_us(100));
        assert!(!offer(&mut shim, 1, 10));
        assert!(!offer(&mut shim, 7, 40));
        assert!(!offer(&mut shim, 5, 60));
        assert!(offer(&mut shim, 8, 0));
        assert_eq!(starts(&shim.take_ready()), [10]);
        assert_eq!(shim.deadline(), Time::from_us(105));
    }

    #[test]
    fn a_flush_empties_it_and_late_segments_pass() {
        let mut shim = Shim::new(Time::from_us(100));
        assert!(!offer(&mut shim, 1, 30));
        assert!(!offer(&mut shim, 2, 20));
        assert!(shim.holds(20, 40) && shim.holds(25, 30));
        assert!(!shim.holds(10, 30) && !shim.holds(30, 50));
        assert_eq!(starts(&shim.flush()), [20, 30]);
        assert_eq!(shim.deadline(), Time::MAX);
        assert!(offer(&mut shim, 3, 0) && offer(&mut shim, 4, 40));
    }
}
