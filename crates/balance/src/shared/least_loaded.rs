//! The best of many offers, and the memory of the m best.

/// Finds the least loaded of the ports offered and remembers the m least loaded of them for the next time.
///
/// Ports are indices within their path group. Of equally loaded ports the one offered first wins.
#[derive(Debug, Clone)]
pub(crate) struct LeastLoaded {
    memory: usize,
    remembered: Vec<u16>,
    /// The best offers so far, ascending by load: at least one, at most `memory` of them.
    best: Vec<(u64, u16)>,
}

impl LeastLoaded {
    /// A memory of `memory` ports, empty at first.
    pub(crate) fn new(memory: usize) -> LeastLoaded {
        LeastLoaded {
            memory,
            remembered: Vec::with_capacity(memory),
            best: Vec::with_capacity(memory.max(1) + 1),
        }
    }

    /// Starts a new comparison.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.best.clear();
    }

    /// Offers a port and its load; a port offered before in this comparison is ignored.
    #[inline]
    pub(crate) fn offer(&mut self, port: u16, load: u64) {
        let full = self.best.len() >= self.memory.max(1);
        if full && self.best.last().is_some_and(|&(worst, _)| load >= worst) {
            return;
        }
        if self.best.iter().any(|&(_, known)| known == port) {
            return;
        }
        let place = self
            .best
            .iter()
            .rposition(|&(other, _)| other <= load)
            .map_or(0, |i| i + 1);
        if full {
            self.best.pop();
        }
        self.best.insert(place, (load, port));
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
        self.remembered
            .extend(self.best.iter().take(self.memory).map(|&(_, port)| port));
        self.best[0].1
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
