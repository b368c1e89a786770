//! A set of bytes as sorted, disjoint, never adjacent ranges.

/// Bytes `start..end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub start: u64,
    pub end: u64,
}

/// A set of bytes. Empty, it owns no memory; ranges merge, so it is as long as there are holes.
#[derive(Debug, Default)]
pub(crate) struct RangeSet {
    ranges: Vec<Range>,
    covered: u64,
}

impl RangeSet {
    /// Whether no byte is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many bytes are in the set.
    #[inline]
    pub fn covered(&self) -> u64 {
        self.covered
    }

    /// The ranges in ascending order.
    #[inline]
    pub fn as_slice(&self) -> &[Range] {
        &self.ranges
    }

    /// The byte after the last one in the set.
    #[inline]
    pub fn end(&self) -> Option<u64> {
        self.ranges.last().map(|range| range.end)
    }

    /// Adds `start..end`; tells `on_new` of each part that was not in the set, in ascending order.
    pub fn insert(&mut self, start: u64, end: u64, mut on_new: impl FnMut(u64, u64)) {
        debug_assert!(start < end);
        let first = self.first_ending_at_or_after(start);
        let mut cursor = start;
        let mut last = first;
        let mut new_bytes = 0;
        let mut merged = Range { start, end };
        while let Some(range) = self.ranges.get(last).filter(|range| range.start <= end) {
            if range.start > cursor {
                new_bytes += range.start - cursor;
                on_new(cursor, range.start);
            }
            cursor = cursor.max(range.end);
            merged.start = merged.start.min(range.start);
            merged.end = merged.end.max(range.end);
            last += 1;
        }
        if cursor < end {
            new_bytes += end - cursor;
            on_new(cursor, end);
        }
        self.covered += new_bytes;
        if first == last {
            self.ranges.insert(first, merged);
        } else {
            self.ranges[first] = merged;
            if last - first > 1 {
                self.ranges.drain(first + 1..last);
            }
        }
    }

    /// Removes every byte below `limit`; tells `on_removed` of each range or part of one that goes.
    pub fn remove_below(&mut self, limit: u64, mut on_removed: impl FnMut(u64, u64)) {
        let mut gone = 0;
        while let Some(range) = self.ranges.get_mut(gone).filter(|r| r.start < limit) {
            let end = range.end.min(limit);
            self.covered -= end - range.start;
            on_removed(range.start, end);
            if range.end > limit {
                range.start = limit;
                break;
            }
            gone += 1;
        }
        if gone > 0 {
            self.ranges.drain(..gone);
        }
    }

    /// The first range, removed from the set, if it begins at or below `limit`.
    pub fn take_first_reached(&mut self, limit: u64) -> Option<Range> {
        let first = *self.ranges.first().filter(|range| range.start <= limit)?;
        self.covered -= first.end - first.start;
        self.ranges.remove(0);
        Some(first)
    }

    /// How many bytes of `start..end` are in the set.
    pub fn covered_between(&self, start: u64, end: u64) -> u64 {
        let first = self.first_ending_at_or_after(start);
        self.ranges[first..]
            .iter()
            .take_while(|range| range.start < end)
            .map(|range| range.end.min(end) - range.start.max(start))
            .sum()
    }

    /// The first byte at or after `from` that is not in the set, and where the next range begins
    /// (`u64::MAX`: nowhere).
    pub fn hole_from(&self, from: u64) -> Range {
        let mut index = self.first_ending_at_or_after(from);
        let mut start = from;
        if let Some(range) = self.ranges.get(index).filter(|range| range.start <= from) {
            start = range.end;
            index += 1;
        }
        let end = self.ranges.get(index).map_or(u64::MAX, |range| range.start);
        Range { start, end }
    }

    /// The range that holds `byte`.
    pub fn range_of(&self, byte: u64) -> Option<Range> {
        let index = self.ranges.partition_point(|range| range.end <= byte);
        let range = *self.ranges.get(index)?;
        (range.start <= byte).then_some(range)
    }

    fn first_ending_at_or_after(&self, byte: u64) -> usize {
        self.ranges.partition_point(|range| range.end < byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(set: &RangeSet) -> Vec<u64> {
        set.as_slice().iter().flat_map(|r| r.start..r.end).collect()
    }

    #[test]
    fn an_empty_set_owns_no_memory() {
        assert_eq!(RangeSet::default().ranges.capacity(), 0);
    }

    proptest! {
        /// Against a plain list of bytes.
        #[test]
        fn behaves_as_a_set_of_bytes(
            steps in prop::collection::vec((0u64..60, 1u64..8, any::<bool>()), 1..40),
            probe in 0u64..70,
            span in 1u64..20,
        ) {
            let mut set = RangeSet::default();
            let mut model = [false; 80];
            for (at, len, remove) in steps {
                let mut told = Vec::new();
                let mut expected = Vec::new();
                if remove {
                    set.remove_below(at, |a, b| told.extend(a..b));
                    for byte in 0..at {
                        if std::mem::take(&mut model[byte as usize]) {
                            expected.push(byte);
                        }
                    }
                } else {
                    set.insert(at, at + len, |a, b| told.extend(a..b));
                    for byte in at..at + len {
                        if !std::mem::replace(&mut model[byte as usize], true) {
                            expected.push(byte);
                        }
                    }
                }
                prop_assert_eq!(told, expected);
            }
            let expected: Vec<u64> = (0..80).filter(|b| model[*b as usize]).collect();
            prop_assert_eq!(bytes(&set), expected.clone());
            prop_assert_eq!(set.covered(), expected.len() as u64);
            let slice = set.as_slice();
            prop_assert!(slice.windows(2).all(|w| w[0].end < w[1].start));
            let between = expected.iter().filter(|b| (probe..probe + span).contains(b)).count();
            prop_assert_eq!(set.covered_between(probe, probe + span), between as u64);
            let hole = set.hole_from(probe);
            let first = (probe..).find(|b| !model.get(*b as usize).is_some_and(|x| *x));
            prop_assert_eq!(Some(hole.start), first);
            let next = expected.iter().find(|b| **b >= hole.start).copied();
            prop_assert_eq!(hole.end, next.unwrap_or(u64::MAX));
            prop_assert_eq!(set.range_of(probe).is_some(), model[probe as usize]);
        }
    }
}
