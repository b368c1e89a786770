//! Who talks to whom.

use crate::error::WorkloadError;
use closlab_fabric::Fabric;
use closlab_units::HostId;
use closlab_units::rng::{Purpose, Rng};

/// A traffic pattern. The source of a flow is a host chosen uniformly; the pattern gives its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    /// Uniform among the hosts under other leaves: all traffic crosses the fabric (LetFlow section 5.1,
    /// DRILL's "Random").
    OtherLeaf,
    /// Uniform among all other hosts.
    Any,
    /// A random permutation fixed for the run: each host sends to one host under another leaf and each
    /// receives from exactly one.
    Permutation,
}

/// Entities of the random stream `Purpose::Pairs`.
const DRAWS: u64 = 0;
const PERMUTATION: u64 = 1;

/// Draws sources and destinations on one fabric.
#[derive(Debug, Clone)]
pub struct PairSampler {
    rng: Rng,
    /// All hosts, leaf by leaf.
    order: Vec<HostId>,
    /// For each host, where its own leaf stands in `order`: first position and number of hosts.
    leaf_of: Vec<(u32, u32)>,
    target: Target,
}

#[derive(Debug, Clone)]
enum Target {
    OtherLeaf,
    Any,
    /// The destination of each host.
    Fixed(Vec<HostId>),
}

impl PairSampler {
    /// The sampler of `pairs` on `fabric`, from the run's pair stream.
    ///
    /// # Errors
    /// A fabric on which the pattern can't exist: fewer than two leaves with hosts (`OtherLeaf`), fewer
    /// than two hosts (`Any`), more than half of the hosts under one leaf (`Permutation`).
    pub fn new(pairs: Pairs, fabric: &Fabric, seed: u64) -> Result<PairSampler, WorkloadError> {
        let mut order: Vec<HostId> = Vec::with_capacity(fabric.hosts.len());
        order.extend((0..fabric.hosts.len()).filter_map(HostId::from_index));
        order.sort_by_key(|&host| fabric.host(host).tor);
        let mut leaf_of = vec![(0, 0); order.len()];
        let mut largest = 0;
        let mut first = 0;
        for leaf in order.chunk_by(|&a, &b| fabric.host(a).tor == fabric.host(b).tor) {
            // Hosts are numbered by 32 bits, so their counts fit.
            let count = leaf.len() as u32;
            for host in leaf {
                leaf_of[host.index()] = (first, count);
            }
            first += count;
            largest = largest.max(leaf.len());
        }
        check(pairs, order.len(), largest)?;
        let target = match pairs {
            Pairs::OtherLeaf => Target::OtherLeaf,
            Pairs::Any => Target::Any,
            Pairs::Permutation => Target::Fixed(permutation(
                &leaf_of,
                &mut Rng::stream(seed, Purpose::Pairs, PERMUTATION),
            )),
        };
        Ok(PairSampler {
            rng: Rng::stream(seed, Purpose::Pairs, DRAWS),
            order,
            leaf_of,
            target,
        })
    }

    /// The source and the destination of a new flow.
    pub fn pair(&mut self) -> (HostId, HostId) {
        let src = self.order[self.rng.below(self.order.len() as u32) as usize];
        (src, self.destination(src))
    }

    /// The destination of a new flow from `src`.
    pub fn destination(&mut self, src: HostId) -> HostId {
        let (leaf_first, leaf_count) = self.leaf_of[src.index()];
        let hosts = self.order.len() as u32;
        // Draw a position among the hosts that remain when some are left out, then step over those.
        match &self.target {
            Target::OtherLeaf => {
                let drawn = self.rng.below(hosts - leaf_count);
                let skipped = if drawn >= leaf_first { leaf_count } else { 0 };
                self.order[(drawn + skipped) as usize]
            }
            Target::Any => {
                // Host numbers are dense, so the source leaves out its own number.
                let drawn = self.rng.below(hosts - 1);
                HostId(drawn + u32::from(drawn >= src.0))
            }
            Target::Fixed(target) => target[src.index()],
        }
    }
}

impl Pairs {
    /// The share of flows whose two hosts are under different leaves.
    pub fn crossing_fraction(self, fabric: &Fabric) -> f64 {
        match self {
            Pairs::OtherLeaf | Pairs::Permutation => 1.0,
            Pairs::Any => {
                let hosts = fabric.hosts.len() as u64;
                let mut under = vec![0u64; fabric.tors.len()];
                for host in &fabric.hosts {
                    under[host.tor.index()] += 1;
                }
                let crossing: u64 = under.iter().map(|count| count * (hosts - count)).sum();
                crossing as f64 / (hosts * hosts.saturating_sub(1)) as f64
            }
        }
    }
}

fn check(pairs: Pairs, hosts: usize, largest_leaf: usize) -> Result<(), WorkloadError> {
    let (fits, name, why) = match pairs {
        Pairs::OtherLeaf => (
            hosts > largest_leaf,
            "OtherLeaf",
            "all hosts are under one leaf, so none has a destination",
        ),
        Pairs::Any => (hosts >= 2, "Any", "a flow needs two hosts"),
        Pairs::Permutation => (
            hosts > 0 && 2 * largest_leaf <= hosts,
            "Permutation",
            "more than half of the hosts are under one leaf, so they can't all send to other leaves",
        ),
    };
    if fits {
        return Ok(());
    }
    Err(WorkloadError::new(
        "pairs",
        name,
        why,
        "give the fabric more leaves with hosts, or choose another pattern",
    ))
}

/// A permutation under which every host's target is under another leaf.
///
/// A uniform shuffle, then every host that drew its own leaf exchanges targets with a random suitable one.
/// Suitable is a host under another leaf whose target is under another leaf too: the
/// exchange then mends one or two hosts and breaks none. One always exists while no leaf holds more than
/// half of the hosts: with n hosts, m under this leaf, n - m are elsewhere, and at most m - 1 of those have
/// targets under this leaf.
fn permutation(leaf_of: &[(u32, u32)], rng: &mut Rng) -> Vec<HostId> {
    let count = leaf_of.len();
    let mut target: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        target.swap(i, rng.below(i as u32 + 1) as usize);
    }
    let leaf = |host: usize| leaf_of[host].0;
    for host in 0..count {
        if leaf(host) != leaf(target[host]) {
            continue;
        }
        // Drawn until it fits, so that every suitable host is equally likely.
        let mut other = host;
        while leaf(other) == leaf(host) || leaf(target[other]) == leaf(host) {
            other = rng.below(count as u32) as usize;
        }
        target.swap(host, other);
    }
    target.into_iter().filter_map(HostId::from_index).collect()
}
