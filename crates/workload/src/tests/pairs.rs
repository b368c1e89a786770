//! Sources and destinations.

use super::{SEEDS, chi_square, chi_square_limit, fabric};
use crate::{PairSampler, Pairs};
use closlab_units::{HostId, TorId};
use proptest::prelude::*;

/// Every ordered pair that the pattern allows is equally likely, and no other ever occurs.
#[test]
fn pairs_are_uniform_over_the_allowed_ones() {
    let fabric = fabric(4, 5);
    let hosts = fabric.hosts.len();
    let tor = |host: usize| fabric.hosts[host].tor;
    for pattern in [Pairs::OtherLeaf, Pairs::Any] {
        for seed in SEEDS {
            let mut sampler = PairSampler::new(pattern, &fabric, seed).unwrap();
            let mut counts = vec![0u32; hosts * hosts];
            for _ in 0..100_000 {
                let (src, dst) = sampler.pair();
                counts[src.index() * hosts + dst.index()] += 1;
            }
            let is_allowed = |&pair: &usize| match pattern {
                Pairs::OtherLeaf => tor(pair / hosts) != tor(pair % hosts),
                _ => pair / hosts != pair % hosts,
            };
            let (allowed, other): (Vec<usize>, Vec<usize>) =
                (0..hosts * hosts).partition(is_allowed);
            assert!(other.iter().all(|&pair| counts[pair] == 0), "{pattern:?}");
            let counts: Vec<u32> = allowed.iter().map(|&pair| counts[pair]).collect();
            let limit = chi_square_limit(counts.len() as f64 - 1.0);
            let statistic = chi_square(&counts);
            assert!(
                statistic < limit,
                "{pattern:?}, seed {seed}: {statistic} of {limit}"
            );
            // The reverse would be as suspicious: counts more even than chance allows.
            assert!(
                statistic > 0.7 * counts.len() as f64,
                "{pattern:?}: {statistic}"
            );
        }
    }
}

#[test]
fn crossing_fraction_is_the_share_of_pairs_between_leaves() {
    let fabric = fabric(4, 5);
    assert_eq!(Pairs::OtherLeaf.crossing_fraction(&fabric), 1.0);
    assert_eq!(Pairs::Permutation.crossing_fraction(&fabric), 1.0);
    // 15 of the 19 other hosts are under other leaves.
    assert!((Pairs::Any.crossing_fraction(&fabric) - 15.0 / 19.0).abs() < 1e-12);
}

#[test]
fn patterns_that_do_not_fit_are_refused() {
    let lonely = fabric(1, 1);
    let one_leaf = fabric(1, 4);
    let refused = |pattern, fabric| {
        PairSampler::new(pattern, fabric, 1)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(refused(Pairs::OtherLeaf, &one_leaf).starts_with("pairs = OtherLeaf: all hosts"));
    assert!(refused(Pairs::Permutation, &one_leaf).starts_with("pairs = Permutation: more than"));
    assert!(refused(Pairs::Any, &lonely).starts_with("pairs = Any: a flow needs two"));
    assert!(PairSampler::new(Pairs::Any, &one_leaf, 1).is_ok());
    // Three hosts of four under one leaf: only one of them could send to the other.
    let mut uneven = fabric(2, 2);
    uneven.hosts[2].tor = TorId(0);
    assert!(refused(Pairs::Permutation, &uneven).starts_with("pairs = Permutation: more than"));
}

/// Leaves of different sizes, and hosts that are not numbered leaf by leaf.
#[test]
fn uneven_leaves_are_drawn_from_fairly() {
    let mut uneven = fabric(3, 4);
    for (host, tor) in [(0, 2), (5, 0), (7, 2), (9, 1)] {
        uneven.hosts[host].tor = TorId(tor);
    }
    let mut sampler = PairSampler::new(Pairs::OtherLeaf, &uneven, 1).unwrap();
    for src in (0..12).map(HostId) {
        let mut counts = [0u32; 12];
        for _ in 0..12_000 {
            counts[sampler.destination(src).index()] += 1;
        }
        let own = |host: &usize| uneven.hosts[*host].tor == uneven.host(src).tor;
        assert!((0..12).filter(own).all(|host| counts[host] == 0));
        let others: Vec<u32> = (0..12)
            .filter(|h| !own(h))
            .map(|host| counts[host])
            .collect();
        let limit = chi_square_limit(others.len() as f64 - 1.0);
        assert!(chi_square(&others) < limit, "{src}: {others:?}");
    }
}

#[test]
fn permutations_depend_on_the_seed_and_reach_all_other_leaves() {
    let fabric = fabric(4, 8);
    let targets = |seed| {
        let mut sampler = PairSampler::new(Pairs::Permutation, &fabric, seed).unwrap();
        (0..32)
            .map(|h| sampler.destination(HostId(h)))
            .collect::<Vec<_>>()
    };
    assert_eq!(targets(1), targets(1));
    assert_ne!(targets(1), targets(2));
    // Over many seeds, a host must send to each of the 24 hosts under other leaves about equally often.
    let drawn: Vec<Vec<HostId>> = (0..24_000).map(targets).collect();
    for host in [0, 8, 13, 24, 31] {
        let mut counts = [0u32; 32];
        for targets in &drawn {
            counts[targets[host].index()] += 1;
        }
        let own = host / 8 * 8;
        let others = [&counts[..own], &counts[own + 8..]].concat();
        let (statistic, limit) = (chi_square(&others), chi_square_limit(23.0));
        assert!(statistic < limit, "host {host}: {statistic} of {limit}");
    }
}

proptest! {
    /// Two leaves are the hardest case: every host must send to the other leaf.
    #[test]
    fn permutations_are_permutations_between_leaves(
        leaves in 2u32..7,
        hosts in 1u32..12,
        seed in any::<u64>(),
    ) {
        let fabric = fabric(leaves, hosts);
        let mut sampler = PairSampler::new(Pairs::Permutation, &fabric, seed).unwrap();
        let mut receives = vec![0; fabric.hosts.len()];
        for src in (0..leaves * hosts).map(HostId) {
            let dst = sampler.destination(src);
            prop_assert_eq!(dst, sampler.destination(src));
            prop_assert_ne!(fabric.host(src).tor, fabric.host(dst).tor);
            receives[dst.index()] += 1;
        }
        prop_assert!(receives.iter().all(|&count| count == 1));
    }
}
