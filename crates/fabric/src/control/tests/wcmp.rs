//! WCMP weights and their reduction.

use super::{Clos, cut, drill_fig4, letflow_fig13, node, routes, tor, two_tier, wired};
use crate::control::wcmp::{reduce, within};
use crate::control::{Oversubscription, Wcmp};
use crate::{Fabric, Routes};
use closlab_units::TorId;
use proptest::prelude::*;

fn weights(fabric: &Fabric, switch: usize, dst: TorId) -> Vec<u32> {
    let wcmp = Wcmp::compute(fabric, &routes(fabric));
    wcmp.group(node(switch), dst).unwrap().weights.clone()
}

#[test]
fn letflow_fig13_weighs_paths_by_their_slowest_bundle() {
    let fabric = letflow_fig13();
    // Inside the pod: 20 Gbps over two cables through S0 and S1, 10 over one through the others.
    assert_eq!(weights(&fabric, 0, tor(1)), [1; 8]);
    // Across: 10 Gbps through every spine, for S0 and S1 over two cables.
    assert_eq!(weights(&fabric, 0, tor(2)), [1, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn a_broken_core_link_halves_the_aggregation_switch_in_the_eyes_of_both_pods() {
    let clos = Clos {
        p: 2,
        r: 2,
        n: 2,
        m: 2,
    };
    let mut fabric = clos.build(|_, _| 40);
    cut(&mut fabric, clos.aggregation(0, 0), clos.core(0, 0));
    let far = tor(clos.tor(1, 0));
    assert_eq!(weights(&fabric, 0, far), [1, 2]);
    assert_eq!(weights(&fabric, 0, tor(1)), [1, 1]);
    assert_eq!(weights(&fabric, clos.tor(1, 0), tor(0)), [1, 2]);
}

#[test]
fn unequal_rates_count_by_the_slowest_link() {
    let rates = [[40, 40, 10], [40, 10, 10], [25, 10, 100]];
    let fabric = two_tier(3, 3, |leaf, spine| vec![rates[leaf][spine]]);
    assert_eq!(weights(&fabric, 0, tor(1)), [4, 1, 1]);
    assert_eq!(weights(&fabric, 0, tor(2)), [5, 2, 2]);
    // Parallel cables of different rates share in proportion to them: 40 + 10 of one path, then 25.
    let fabric = wired(
        2,
        2,
        &[(0, 2, 40), (0, 2, 10), (2, 1, 50), (0, 3, 25), (3, 1, 25)],
    );
    assert_eq!(weights(&fabric, 0, tor(1)), [8, 2, 5]);
}

#[test]
fn equal_paths_weigh_1_as_drill_says_of_presto_and_wcmp() {
    let fabric = drill_fig4();
    assert_eq!(weights(&fabric, 3, tor(1)), [1, 1, 1]);
    assert_eq!(weights(&fabric, 0, tor(1)), [1, 1]);
    let routes = routes(&fabric);
    let wcmp = Wcmp::compute(&fabric, &routes);
    assert!(wcmp.group(node(0), tor(0)).is_none());
    assert_eq!(wcmp.groups(node(3)).len(), routes.groups(node(3)).len());
}

#[test]
fn destinations_cut_off_have_no_group() {
    let mut fabric = two_tier(3, 1, |_, _| vec![10]);
    cut(&mut fabric, 2, 3);
    let routes = Routes::compute_partial(&fabric).unwrap();
    let wcmp = Wcmp::compute(&fabric, &routes);
    assert!(wcmp.group(node(0), tor(2)).is_none());
    assert_eq!(wcmp.group(node(0), tor(1)).unwrap().weights, [1]);
}

#[test]
fn reduction_walks_up_from_equal_weights() {
    // 5:10 under 1.1: 1:1 gives the first 1.5 times its part, 1:2 exactly its part.
    assert_eq!(reduce(&[5, 10], Oversubscription(1_100)), [1, 2]);
    assert_eq!(reduce(&[5, 10], Oversubscription(1_500)), [1, 1]);
    // 2:3: 1:1 oversubscribes the first by 1/2 * 5/2 = 1.25; 1:2 the second by 2/3 * 5/3 = 1.11.
    assert_eq!(reduce(&[2, 3], Oversubscription(1_250)), [1, 1]);
    assert_eq!(reduce(&[2, 3], Oversubscription(1_249)), [1, 2]);
    assert_eq!(reduce(&[2, 3], Oversubscription(1_100)), [2, 3]);
    // 1:2 gives the first 1/3 * 301/100 = 1.0033 times its part.
    assert_eq!(reduce(&[100, 201], Oversubscription(1_004)), [1, 2]);
    assert_ne!(reduce(&[100, 201], Oversubscription(1_003)), [1, 2]);
    assert_eq!(reduce(&[100, 201], Oversubscription(1_000)), [100, 201]);
}

/// Three groups on leaf 0: weights that need 9 + 7 + 5 entries or more.
fn uneven() -> Wcmp {
    let rates = [[100, 40, 10], [100, 25, 10], [10, 40, 25], [40, 10, 100]];
    let fabric = two_tier(4, 3, |leaf, spine| vec![rates[leaf][spine]]);
    Wcmp::compute(&fabric, &routes(&fabric))
}

#[test]
fn fitting_takes_the_smallest_bound_that_fits() {
    let fabric = two_tier(4, 3, |_, _| vec![10]);
    let wcmp = uneven();
    let full = wcmp.entries(node(0));
    assert!(full > 20, "{full} entries leave nothing to reduce");
    assert_eq!(wcmp.fit(&fabric, 1_000).unwrap(), wcmp);
    let untouched = wcmp.fit(&fabric, full).unwrap();
    assert_eq!(untouched.groups(node(0)), wcmp.groups(node(0)));
    let mut previous = full;
    for limit in (9..full).rev() {
        let fitted = wcmp.fit(&fabric, limit).unwrap();
        let entries = fitted.entries(node(0));
        assert!(entries <= limit && entries <= previous);
        previous = entries;
        // The paper's way: step by step.
        let reduced = |bound| -> Vec<Vec<u32>> {
            let groups = wcmp.groups(node(0)).iter();
            groups.map(|g| reduce(&g.weights, bound)).collect()
        };
        let size =
            |groups: Vec<Vec<u32>>| -> u64 { groups.iter().flatten().map(|&w| u64::from(w)).sum() };
        let mut bound = Oversubscription::FIRST;
        while size(reduced(bound)) > limit {
            bound.0 += 1;
        }
        let weights: Vec<Vec<u32>> = fitted
            .groups(node(0))
            .iter()
            .map(|g| g.weights.clone())
            .collect();
        assert_eq!(weights, reduced(bound), "limit {limit}");
    }
    assert_eq!(previous, 9, "three groups of three ports at the least");
}

#[test]
fn a_table_too_small_for_the_ports_is_refused_by_name() {
    let fabric = two_tier(4, 3, |_, _| vec![10]);
    let error = uneven().fit(&fabric, 8).unwrap_err().to_string();
    assert!(error.contains("wcmp_table_entries = 8"), "{error}");
    assert!(error.contains("s0 needs 9 entries"), "{error}");
    assert!(error.contains("at least 9"), "{error}");
}

proptest! {
    #[test]
    fn reduced_groups_keep_the_bound_and_never_grow(
        weights in prop::collection::vec(1u32..500, 1..10),
        bound in 1_000u64..3_000,
    ) {
        let bound = Oversubscription(bound);
        let reduced = reduce(&weights, bound);
        prop_assert!(within(&weights, &reduced, bound));
        let sum = |w: &[u32]| w.iter().sum::<u32>();
        prop_assert!(sum(&reduced) <= sum(&weights));
        prop_assert!(reduced.iter().all(|&w| w > 0));
        // By definition, in floating point.
        let worst = weights.iter().zip(&reduced).map(|(&w, &r)| {
            f64::from(r) * f64::from(sum(&weights)) / (f64::from(w) * f64::from(sum(&reduced)))
        });
        prop_assert!(worst.fold(0.0, f64::max) <= bound.0 as f64 / 1e3 + 1e-9);
        // A looser bound never needs more.
        let looser = reduce(&weights, Oversubscription(bound.0 + 100));
        prop_assert!(sum(&looser) <= sum(&reduced));
    }
}

#[test]
fn a_switch_that_fits_keeps_its_exact_weights() {
    let fabric = two_tier(2, 2, |_, spine| vec![1_000 + spine as u64]);
    let wcmp = Wcmp::compute(&fabric, &routes(&fabric));
    let weights = |limit| {
        let fitted = wcmp.fit(&fabric, limit).unwrap();
        fitted.group(node(0), tor(1)).unwrap().weights.clone()
    };
    assert_eq!(weights(2_001), [1_000, 1_001]);
    assert_eq!(weights(2_000), [1, 1]);
}
