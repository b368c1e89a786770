//! The event queue: the next arrival at the far end of each busy link, in total order.
//!
//! Links are FIFOs, so only the head of each link stands here: at most one entry a link. Entries live in
//! a wheel of narrow time buckets found by a bitmap; when the cursor reaches a bucket its few entries are
//! sorted and taken from the end. What the wheel cannot hold (a time beyond its horizon, or inside the
//! bucket being emptied) waits in a binary heap, so a crowded instant or a far slower link costs a logarithm
//! and never a scan.
//!
//! The order is total: by time, then by link number. It does not depend on the order of insertion, on the
//! bucket width or on the number of buckets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;
const LINK_BITS: u32 = 32;
/// The widest bucket: an offset within a bucket and a link number share 64 bits.
const MAX_SHIFT: u32 = u64::BITS - LINK_BITS - 1;

/// How many busy links share a bucket. A few are cheaper than one: they are sorted in one go, and what they will
/// need is fetched for all of them at once. Measured on 128 and on 2,304 hosts; 4 to 128 differ by less than
/// a tenth.
const EVENTS_A_BUCKET: u64 = 16;

/// Which wheel suits a fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WheelSize {
    /// A bucket is 2^`shift` picoseconds wide.
    pub shift: u32,
    /// There are 2^`bits` buckets.
    pub bits: u32,
}

impl WheelSize {
    /// A wheel for `links` links whose next arrival typically lies `span` picoseconds ahead and at most
    /// `horizon`: a few busy links a bucket, and a horizon within the wheel where 2^16 buckets suffice.
    pub(crate) fn for_links(links: usize, span: u64, horizon: u64) -> WheelSize {
        let width = (span * EVENTS_A_BUCKET / (links as u64).max(1)).clamp(1, 1 << MAX_SHIFT);
        let shift = width.ilog2();
        let buckets = (horizon >> shift).clamp(1 << 6, (1 << 16) - 1) + 1;
        WheelSize {
            shift,
            bits: buckets.next_power_of_two().ilog2().min(16),
        }
    }
}

/// The event queue.
#[derive(Debug)]
pub(crate) struct EventQueue {
    shift: u32,
    mask: u64,
    /// The bucket being emptied, counted from the start of the run.
    cursor: u64,
    /// The rest of that bucket, latest first: offset in the bucket and link number.
    near: Vec<u64>,
    /// For each bucket its first link.
    heads: Box<[u32]>,
    /// For each link the next one in its bucket.
    next: Box<[u32]>,
    /// For each link its time.
    times: Box<[u64]>,
    /// One bit for each bucket that is not empty, and one for each word of these that is not zero.
    words: Box<[u64]>,
    summary: Box<[u64]>,
    in_wheel: usize,
    irregular: BinaryHeap<Reverse<(u64, u32)>>,
}

impl EventQueue {
    /// An empty queue for `links` links.
    pub(crate) fn new(links: usize, size: WheelSize) -> EventQueue {
        let buckets = 1usize << size.bits;
        let words = buckets.div_ceil(64);
        EventQueue {
            shift: size.shift,
            mask: buckets as u64 - 1,
            cursor: 0,
            near: Vec::with_capacity(64),
            heads: vec![NONE; buckets].into(),
            next: vec![NONE; links].into(),
            times: vec![0; links].into(),
            words: vec![0; words].into(),
            summary: vec![0; words.div_ceil(64)].into(),
            in_wheel: 0,
            irregular: BinaryHeap::new(),
        }
    }

    /// Adds the arrival at `time` for `link`, which must not stand in the queue yet.
    #[inline]
    pub(crate) fn push(&mut self, time: u64, link: u32) {
        let bucket = time >> self.shift;
        if bucket.wrapping_sub(self.cursor + 1) < self.mask {
            let slot = (bucket & self.mask) as usize;
            let head = self.heads[slot];
            self.heads[slot] = link;
            self.next[link as usize] = head;
            self.times[link as usize] = time;
            self.in_wheel += 1;
            if head == NONE {
                self.words[slot / 64] |= 1 << (slot % 64);
                self.summary[slot / 4096] |= 1 << (slot / 64 % 64);
            }
        } else {
            self.irregular.push(Reverse((time, link)));
        }
    }

    /// Adds a second entry for a link that stands in the queue already.
    pub(crate) fn push_beside(&mut self, time: u64, link: u32) {
        self.irregular.push(Reverse((time, link)));
    }

    /// Takes the first entry if its time is at most `until`; `warm` is told of the links whose turn is near.
    #[inline]
    pub(crate) fn pop(&mut self, until: u64, warm: impl Fn(u32)) -> Option<(u64, u32)> {
        if self.near.is_empty() {
            if !self.refill(until) {
                return self.pop_irregular(until);
            }
            for &entry in &self.near {
                warm(entry as u32);
            }
        }
        let &packed = self.near.last()?;
        let entry = (
            (self.cursor << self.shift) + (packed >> LINK_BITS),
            packed as u32,
        );
        if let Some(&Reverse(first)) = self.irregular.peek()
            && first < entry
        {
            return self.pop_irregular(until);
        }
        if entry.0 > until {
            return None;
        }
        self.near.pop();
        Some(entry)
    }

    #[cold]
    fn pop_irregular(&mut self, until: u64) -> Option<(u64, u32)> {
        let &Reverse((time, link)) = self.irregular.peek()?;
        if time > until {
            return None;
        }
        self.irregular.pop();
        if self.near.is_empty() {
            // Every bucket before this time is empty: later entries are measured from here.
            self.cursor = self.cursor.max(time >> self.shift);
        }
        Some((time, link))
    }

    /// Makes the next bucket that holds an entry the current one, unless it begins after `until` or an
    /// irregular entry comes before it.
    #[inline]
    fn refill(&mut self, until: u64) -> bool {
        if self.in_wheel == 0 {
            return false;
        }
        let from = ((self.cursor + 1) & self.mask) as usize;
        let Some(slot) = self.occupied_from(from).or_else(|| self.occupied_from(0)) else {
            return false;
        };
        let bucket = self.cursor + 1 + ((slot as u64).wrapping_sub(from as u64) & self.mask);
        let start = bucket << self.shift;
        if start > until
            || self
                .irregular
                .peek()
                .is_some_and(|&Reverse((time, _))| time < start)
        {
            return false;
        }
        self.cursor = bucket;
        self.empty_bucket(slot, start);
        true
    }

    /// The first bucket at or after `from` that holds an entry.
    #[inline]
    fn occupied_from(&self, from: usize) -> Option<usize> {
        let word = from / 64;
        let bits = self.words[word] & (!0 << (from % 64));
        if bits != 0 {
            return Some(word * 64 + bits.trailing_zeros() as usize);
        }
        let mut mask = if word % 64 == 63 {
            0
        } else {
            !0 << (word % 64 + 1)
        };
        for (group, &summary) in self.summary.iter().enumerate().skip(word / 64) {
            let bits = summary & mask;
            if bits != 0 {
                let word = group * 64 + bits.trailing_zeros() as usize;
                return Some(word * 64 + self.words[word].trailing_zeros() as usize);
            }
            mask = !0;
        }
        None
    }

    #[inline]
    fn empty_bucket(&mut self, slot: usize, start: u64) {
        let mut link = std::mem::replace(&mut self.heads[slot], NONE);
        while link != NONE {
            self.near
                .push(((self.times[link as usize] - start) << LINK_BITS) | u64::from(link));
            link = self.next[link as usize];
        }
        self.in_wheel -= self.near.len();
        self.words[slot / 64] &= !(1 << (slot % 64));
        if self.words[slot / 64] == 0 {
            self.summary[slot / 4096] &= !(1 << (slot / 64 % 64));
        }
        if self.near.len() > 1 {
            self.near.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.near.len() + self.in_wheel + self.irregular.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sizes() -> impl Strategy<Value = WheelSize> {
        (0u32..=MAX_SHIFT, 6u32..=12).prop_map(|(shift, bits)| WheelSize { shift, bits })
    }

    proptest! {
        /// Against a plain sorted set, whatever the wheel's size and however times are spread.
        #[test]
        fn pops_in_total_order(
            size in sizes(),
            spread in 0u32..40,
            steps in prop::collection::vec((any::<bool>(), any::<u64>(), any::<u64>()), 1..400),
        ) {
            const LINKS: usize = 40;
            let mut queue = EventQueue::new(LINKS, size);
            let mut model = std::collections::BTreeSet::new();
            let mut free: Vec<u32> = (0..LINKS as u32).collect();
            let mut now = 0u64;
            for (push, a, b) in steps {
                if push && !free.is_empty() {
                    let link = free.swap_remove(a as usize % free.len());
                    let time = now + (b & ((1 << spread) - 1));
                    queue.push(time, link);
                    model.insert((time, link));
                } else {
                    let until = now + (b & ((1 << spread) - 1));
                    let expected = model.first().copied().filter(|&(time, _)| time <= until);
                    prop_assert_eq!(queue.pop(until, |_| ()), expected);
                    if let Some((time, link)) = expected {
                        model.remove(&(time, link));
                        free.push(link);
                        now = time;
                    } else {
                        now = until;
                    }
                }
                prop_assert_eq!(queue.len(), model.len());
            }
            while let Some(entry) = queue.pop(u64::MAX, |_| ()) {
                prop_assert_eq!(Some(entry), model.pop_first());
            }
            prop_assert!(model.is_empty());
        }
    }

    #[test]
    fn thousands_at_one_instant_leave_by_link_number() {
        let links = 5_000;
        let mut queue = EventQueue::new(links, WheelSize::for_links(links, 2_000_000, 2_000_000));
        for link in (0..links as u32).rev() {
            queue.push(1_234_567, link);
        }
        for link in 0..links as u32 {
            assert_eq!(queue.pop(u64::MAX, |_| ()), Some((1_234_567, link)));
        }
        assert_eq!(queue.pop(u64::MAX, |_| ()), None);
    }

    #[test]
    fn wheel_size_follows_the_density_of_events() {
        let small = WheelSize::for_links(320, 2_230_400, 2_230_400);
        let large = WheelSize::for_links(9_216, 2_230_400, 2_230_400);
        assert!(large.shift < small.shift);
        assert!(2_230_400 >> small.shift < 1 << small.bits);
        assert!(2_230_400 >> large.shift < 1 << large.bits);
    }
}
