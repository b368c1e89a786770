//! The best of many offers, and the memory of the m best.

/// Finds the least loaded of the ports offered and remembers the m least loaded of them for the next time.
///
/// Ports are indices within their path group. Of equally loaded ports the one offered first wins.
#[derive(Debug, Clone)]
pub(crate) struct LeastLoaded {
    /// The best offer so far.
    best: Offer,
    /// The next best ones, ascending by load, where more than one port is remembered.
    runners_up: Vec<Offer>,
    /// How many of these are kept.
    most: usize,
    /// Whether the best itself is remembered.
    remembers: bool,
    remembered: Vec<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Offer {
    load: u64,
    port: u16,
}

const NO_OFFER: Offer = Offer {
    load: u64::MAX,
    port: u16::MAX,
};

impl LeastLoaded {
    /// A memory of `memory` ports, empty at first.
    pub(crate) fn new(memory: usize) -> LeastLoaded {
        let most = memory.saturating_sub(1);
        LeastLoaded {
            best: NO_OFFER,
            runners_up: Vec::with_capacity(most + 1),
            most,
            remembers: memory > 0,
            remembered: Vec::with_capacity(memory),
        }
    }

    /// Starts a new comparison.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.best = NO_OFFER;
        self.runners_up.clear();
    }

    /// Offers a port and its load; a port offered before in this comparison is ignored.
    #[inline]
    pub(crate) fn offer(&mut self, port: u16, load: u64) {
        let offer = Offer { load, port };
        if load < self.best.load {
            let second = std::mem::replace(&mut self.best, offer);
            if self.most > 0 && second != NO_OFFER {
                self.runners_up.insert(0, second);
                self.runners_up.truncate(self.most);
            }
        } else if self.most > 0 {
            self.place(offer);
        }
    }

    fn place(&mut self, offer: Offer) {
        let known = |other: &Offer| other.port == offer.port;
        if known(&self.best) || self.runners_up.iter().any(known) {
            return;
        }
        let place = self
            .runners_up
            .partition_point(|other| other.load <= offer.load);
        self.runners_up.insert(place, offer);
        self.runners_up.truncate(self.most);
    }

    /// Offers every remembered port with its load of now.
    #[inline]
    pub(crate) fn offer_remembered(&mut self, mut load: impl FnMut(u16) -> u64) {
        for slot in 0..self.remembered.len() {
            let port = self.remembered[slot];
            self.offer(port, load(port));
        }
    }

    /// Ends the comparison: remembers its m best and gives the best.
    ///
    /// At least one port must have been offered.
    #[inline]
    pub(crate) fn finish(&mut self) -> u16 {
        self.remembered.clear();
        if self.remembers {
            self.remembered.push(self.best.port);
            if self.most > 0 {
                self.remembered
                    .extend(self.runners_up.iter().map(|offer| offer.port));
            }
        }
        self.best.port
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_the_m_least_loaded() {
        let mut memory = LeastLoaded::new(2);
        memory.begin();
        for (port, load) in [(4, 30), (1, 10), (2, 20), (1, 10)] {
            memory.offer(port, load);
        }
        assert_eq!(memory.finish(), 1);
        assert_eq!(memory.remembered, [1, 2]);
        memory.begin();
        memory.offer(4, 15);
        memory.offer_remembered(|port| if port == 1 { 40 } else { 5 });
        assert_eq!(memory.finish(), 2);
        assert_eq!(memory.remembered, [2, 4]);
    }

    #[test]
    fn the_sample_wins_a_tie_against_memory() {
        let mut memory = LeastLoaded::new(1);
        memory.begin();
        memory.offer(3, 0);
        memory.finish();
        memory.begin();
        memory.offer(5, 0);
        memory.offer_remembered(|_| 0);
        assert_eq!(memory.finish(), 5);
    }

    #[test]
    fn without_memory_nothing_is_remembered() {
        let mut memory = LeastLoaded::new(0);
        memory.begin();
        memory.offer(3, 7);
        memory.offer(6, 2);
        assert_eq!(memory.finish(), 6);
        assert!(memory.remembered.is_empty());
    }
}
