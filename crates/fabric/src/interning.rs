//! Equal values stored once: what keeps the routing state of large fabrics small.

use std::collections::BTreeMap;

/// Destinations in one block. With 64 a row of the largest fabric (4,608 ToRs) has 72 entries, and a block
/// differs from its neighbours only where a pod begins or ends in it.
pub(crate) const BLOCK: usize = 64;

/// One switch's entries for 64 consecutive destinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block {
    pub index: [u16; BLOCK],
    pub hops: [u8; BLOCK],
}

/// What fills a block beyond the last destination, and before its entries are known.
pub(crate) const UNUSED: Block = Block {
    index: [crate::NO_ROUTE; BLOCK],
    hops: [crate::graph::UNREACHED; BLOCK],
};

/// Distinct values, numbered in the order in which they came first.
#[derive(Debug)]
pub(crate) struct Interned<T> {
    known: BTreeMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned {
            known: BTreeMap::new(),
            values: Vec::new(),
        }
    }
}

impl<T: Ord + Clone> Interned<T> {
    /// The number of `value`, a new one if it has not come before.
    ///
    /// Values are fewer than pairs of switch and ToR, of which 32 bits hold more than any memory does.
    pub fn index_of(&mut self, value: &T) -> u32 {
        if let Some(&index) = self.known.get(value) {
            return index;
        }
        let index = self.values.len() as u32;
        self.known.insert(value.clone(), index);
        self.values.push(value.clone());
        index
    }

    pub fn into_values(self) -> Vec<T> {
        self.values
    }
}
