//! Expeditus section 3.3 and Fig. 6, ids and pairwise connectivity.

use super::{Clos, cut, letflow_fig13, node, ports, routes, tor, two_tier, vl2, wired};
use crate::control::{Expeditus, Multiplier};
use crate::{Endpoint, Fabric};

/// Fig. 6: three pods are drawn, two aggregation switches in each, two cores on each plane.
const FIG6: Clos = Clos {
    p: 3,
    r: 3,
    n: 2,
    m: 2,
};

fn compute(fabric: &Fabric) -> Expeditus {
    Expeditus::compute(fabric, &routes(fabric)).unwrap()
}

fn ratio(numerator: u64, denominator: u64) -> Option<Multiplier> {
    Some(Multiplier {
        numerator,
        denominator,
    })
}

/// (egress, ingress) multipliers of `switch`.
fn multipliers(
    expeditus: &Expeditus,
    switch: usize,
) -> Vec<(Option<Multiplier>, Option<Multiplier>)> {
    let entries = expeditus.entries(node(switch)).iter();
    entries.map(|e| (e.egress, e.ingress)).collect()
}

const ONE: (Option<Multiplier>, Option<Multiplier>) =
    (Some(Multiplier::ONE), Some(Multiplier::ONE));

#[test]
fn fig6_doubles_the_load_of_links_to_the_weakened_switch_in_its_pod_only() {
    let mut fabric = FIG6.build(|_, _| 40);
    let healthy = compute(&fabric);
    cut(&mut fabric, FIG6.aggregation(0, 0), FIG6.core(0, 0));
    let expeditus = compute(&fabric);
    let two = (ratio(2, 1), ratio(2, 1));
    for pod in 0..3 {
        for i in 0..3 {
            let tor = FIG6.tor(pod, i);
            let expected = if pod == 0 { [two, ONE] } else { [ONE, ONE] };
            assert_eq!(multipliers(&expeditus, tor), expected, "pod {pod}");
            assert_eq!(multipliers(&healthy, tor), [ONE, ONE]);
        }
        let above = FIG6.aggregation(pod, 0);
        assert_eq!(multipliers(&expeditus, above), [ONE, ONE]);
    }
    assert!(expeditus.inter_pod(tor(0), tor(3)));
    assert!(!expeditus.inter_pod(tor(0), tor(2)));
}

#[test]
fn ids_are_the_plane_and_the_place_in_it() {
    let fabric = FIG6.build(|_, _| 40);
    let expeditus = compute(&fabric);
    for pod in 0..3 {
        for plane in 0..2 {
            let (below, above) = (FIG6.tor(pod, 1), FIG6.aggregation(pod, plane));
            let entry = &expeditus.entries(node(below))[plane];
            assert_eq!(entry.to, Some(node(above)));
            assert_eq!(entry.ports, ports(&fabric, below, &[above]));
            assert_eq!(expeditus.id(node(below), entry.ports[0]), Some(plane as u8));
            for i in 0..2 {
                let entry = &expeditus.entries(node(above))[i];
                assert_eq!(entry.to, Some(node(FIG6.core(plane, i))));
            }
            let down = ports(&fabric, above, &[below])[0];
            assert_eq!(expeditus.id(node(above), down), None);
        }
    }
    assert!(expeditus.entries(node(FIG6.core(0, 0))).is_empty());
}

#[test]
fn routes_tell_which_ids_reach_a_destination() {
    let mut fabric = FIG6.build(|_, _| 40);
    cut(&mut fabric, FIG6.aggregation(0, 0), FIG6.core(0, 0));
    cut(&mut fabric, FIG6.tor(0, 2), FIG6.aggregation(0, 1));
    let expeditus = compute(&fabric);
    let routes = routes(&fabric);
    let reaching = |switch: usize, dst: usize| expeditus.reaching(&routes, node(switch), tor(dst));
    // "They are the only paths to reach a_1^1": from pod 2 the first plane has its second core left.
    let foreign = FIG6.aggregation(1, 0);
    assert_eq!(reaching(foreign, FIG6.tor(0, 0)), [1]);
    assert_eq!(reaching(foreign, FIG6.tor(2, 0)), [0, 1]);
    assert_eq!(reaching(FIG6.tor(1, 0), FIG6.tor(0, 0)), [0, 1]);
    // The ToR that lost its second uplink is reached over the first plane, from its own pod too.
    assert_eq!(reaching(FIG6.tor(1, 0), FIG6.tor(0, 2)), [0]);
    assert_eq!(reaching(FIG6.tor(0, 0), FIG6.tor(0, 2)), [0]);
    assert_eq!(reaching(0, 0), [0; 0]);
    // Its table keeps the entry of the broken uplink in place.
    let entries = expeditus.entries(node(FIG6.tor(0, 2)));
    assert_eq!(entries[1].ports.len(), 1);
}

#[test]
fn slower_core_links_multiply_by_the_ratio_of_capacities() {
    let fabric = FIG6.build(|pod, plane| if (pod, plane) == (1, 1) { 25 } else { 40 });
    let expeditus = compute(&fabric);
    let slow = (ratio(8, 5), ratio(8, 5));
    assert_eq!(multipliers(&expeditus, FIG6.tor(1, 0)), [ONE, slow]);
    assert_eq!(multipliers(&expeditus, FIG6.tor(0, 0)), [ONE, ONE]);
}

#[test]
fn directions_fail_apart_and_a_switch_without_cores_has_no_multiplier() {
    let mut fabric = FIG6.build(|_, _| 40);
    let (above, core) = (FIG6.aggregation(0, 0), FIG6.core(0, 1));
    let ends = (Endpoint::Switch(node(above)), Endpoint::Switch(node(core)));
    let up = fabric.links.iter_mut().find(|l| (l.from, l.to) == ends);
    up.unwrap().up = false;
    let first = multipliers(&compute(&fabric), 0);
    assert_eq!(first, [(ratio(2, 1), ratio(1, 1)), ONE]);
    cut(&mut fabric, above, FIG6.core(0, 0));
    let second = multipliers(&compute(&fabric), 0);
    assert_eq!(second, [(None, ratio(2, 1)), ONE]);
}

#[test]
fn two_tiers_have_an_entry_for_each_spine_and_no_multipliers() {
    let fabric = two_tier(3, 4, |leaf, _| vec![if leaf == 0 { 10 } else { 40 }]);
    let expeditus = compute(&fabric);
    assert_eq!(multipliers(&expeditus, 0), [ONE; 4]);
    assert!(!expeditus.inter_pod(tor(0), tor(2)));
    assert!(expeditus.entries(node(4)).is_empty());
    assert_eq!(
        expeditus.reaching(&routes(&fabric), node(0), tor(1)),
        [0, 1, 2, 3]
    );
    let doubled = letflow_fig13();
    let entries = compute(&doubled);
    let cables: Vec<usize> = entries
        .entries(node(2))
        .iter()
        .map(|e| e.ports.len())
        .collect();
    assert_eq!(cables, [1, 1, 2, 2, 1, 1]);
}

#[test]
fn fabrics_that_expeditus_cannot_name_are_refused() {
    let error = |fabric: &Fabric| {
        let error = Expeditus::compute(fabric, &routes(fabric)).unwrap_err();
        error.to_string()
    };
    let message = error(&vl2());
    assert!(message.contains("s4 and s5"), "{message}");
    assert!(message.contains("pairwise connectivity"), "{message}");
    let chain = [
        (0, 2, 10),
        (2, 4, 10),
        (4, 6, 10),
        (6, 5, 10),
        (5, 3, 10),
        (3, 1, 10),
    ];
    assert!(error(&wired(2, 5, &chain)).contains("4 tiers"));
    let wide = two_tier(2, 129, |_, _| vec![10]);
    assert!(error(&wide).contains("129 uplink ids at s0"));
    compute(&two_tier(2, 128, |_, _| vec![10]));
}

#[test]
fn planes_are_numbered_by_their_first_core_wherever_their_switches_stand_in_the_pod() {
    // Pods {0; 2, 3} and {1; 4, 5}; core 6 joins 3 and 4, core 7 joins 2 and 5.
    let inside = [(0, 2, 10), (0, 3, 10), (1, 4, 10), (1, 5, 10)];
    let across = [(2, 7, 10), (5, 7, 10), (3, 6, 10), (4, 6, 10)];
    let expeditus = compute(&wired(2, 6, &[inside, across].concat()));
    let above = |tor: usize| {
        let entries = expeditus.entries(node(tor)).iter();
        entries.map(|e| e.to).collect::<Vec<_>>()
    };
    assert_eq!(above(0), [Some(node(3)), Some(node(2))]);
    assert_eq!(above(1), [Some(node(4)), Some(node(5))]);
}
