//! DRILL sections 3.4.1 and 3.4.3.

use super::{Clos, cut, drill_fig4, node, ports, routes, tor, two_tier, vl2};
use crate::control::{Component, Quiver, Symmetry};
use crate::figures::{self, Buffers};
use crate::{Endpoint, Fabric};
use closlab_units::{HostId, PortId};

const BOTH: [Symmetry; 2] = [Symmetry::OwnPair, Symmetry::AllPairs];

fn quiver(fabric: &Fabric, symmetry: Symmetry) -> Quiver {
    Quiver::compute(fabric, &routes(fabric), symmetry)
}

fn ports_and_weights(components: &[Component]) -> Vec<(Vec<PortId>, u32)> {
    let part = |c: &Component| (c.ports.clone(), c.weight);
    components.iter().map(part).collect()
}

#[test]
fn fig4_has_p0_alone_with_weight_1_and_p1_p2_with_weight_2() {
    let fabric = drill_fig4();
    for symmetry in BOTH {
        let quiver = quiver(&fabric, symmetry);
        let [p0, p1_p2] = [ports(&fabric, 3, &[4]), ports(&fabric, 3, &[5, 6])];
        assert_eq!(
            ports_and_weights(quiver.components(node(3), tor(1))),
            [(p0, 1), (p1_p2, 2)]
        );
        let from_l0 = quiver.components(node(0), tor(1));
        assert_eq!(from_l0.len(), 1);
        assert_eq!(from_l0[0].ports, ports(&fabric, 0, &[5, 6]));
        assert!(quiver.components(node(3), tor(3)).is_empty());
        assert!(!quiver.is_symmetric());
    }
}

/// "If L0-S0, L0-S1, and L1-S0 links are 40Gbps and other links are 10Gbps": section 3.4.3.
fn heterogeneous() -> Fabric {
    let fast = [(0, 0), (0, 1), (1, 0)];
    let rate = |leaf, spine| {
        if fast.contains(&(leaf, spine)) {
            40
        } else {
            10
        }
    };
    two_tier(4, 3, |leaf, spine| vec![rate(leaf, spine)])
}

#[test]
fn heterogeneous_example_joins_h0_and_h2_but_not_h1() {
    let fabric = heterogeneous();
    let quiver = quiver(&fabric, Symmetry::OwnPair);
    // p.cap: H0 40 Gbps, H1 and H2 10 Gbps; so {H0, H2} weighs 50 against 10.
    let [h0_h2, h1] = [ports(&fabric, 0, &[4, 6]), ports(&fabric, 0, &[5])];
    let components = quiver.components(node(0), tor(1));
    assert_eq!(ports_and_weights(components), [(h0_h2, 5), (h1, 1)]);
    assert_eq!(components[0].shares, [4, 1]);
    assert_eq!((components[0].paths, components[1].paths), (2, 1));
}

#[test]
fn to_the_letter_the_labels_of_other_pairs_part_h0_from_h2() {
    // S0->L1 has (L3, L1, 1/4), S2->L1 has (L3, L1, 1).
    let quiver = quiver(&heterogeneous(), Symmetry::AllPairs);
    assert_eq!(quiver.components(node(0), tor(1)).len(), 3);
}

#[test]
fn one_fast_cable_or_four_slow_ones_make_the_fabric_asymmetric_alike() {
    for cables in [vec![40], vec![10; 4]] {
        let wide = |leaf, spine| leaf < 2 && spine == 0;
        let fabric = two_tier(4, 3, |leaf, spine| {
            if wide(leaf, spine) {
                cables.clone()
            } else {
                vec![10]
            }
        });
        let quiver_of = |symmetry| quiver(&fabric, symmetry);
        let letter = quiver_of(Symmetry::AllPairs);
        let parts = ports_and_weights(letter.components(node(0), tor(1)));
        let [wide, narrow] = [ports(&fabric, 0, &[4]), ports(&fabric, 0, &[5, 6])];
        assert_eq!(parts, [(wide.clone(), 2), (narrow.clone(), 1)]);
        // Towards a leaf without a fast link the pair's own factor tells the paths apart too.
        let own = quiver_of(Symmetry::OwnPair);
        assert_eq!(own.components(node(0), tor(1)).len(), 1);
        let parts = ports_and_weights(own.components(node(0), tor(2)));
        assert_eq!(parts, [(wide, 1), (narrow, 2)]);
    }
}

#[test]
fn fig13_striping_keeps_most_paths_together_unless_read_to_the_letter() {
    let double = |leaf: usize, spine: usize| spine == leaf || spine == (leaf + 1) % 16;
    let fabric = two_tier(16, 16, |leaf, spine| {
        vec![10; if double(leaf, spine) { 2 } else { 1 }]
    });
    let own = quiver(&fabric, Symmetry::OwnPair);
    let components = own.components(node(2), tor(8));
    let spines = |list: &[usize]| {
        let nodes: Vec<usize> = list.iter().map(|s| 16 + s).collect();
        ports(&fabric, 2, &nodes)
    };
    let others: Vec<usize> = (0..16).filter(|s| ![2, 3, 8, 9].contains(s)).collect();
    assert_eq!(
        ports_and_weights(components),
        [
            (spines(&others), 6),
            (spines(&[2, 3]), 1),
            (spines(&[8, 9]), 1)
        ]
    );
    // Both cables of a double link carry half of its path's 10 Gbps.
    assert_eq!(components[1].shares, [1, 1, 1, 1]);
    let letter = quiver(&fabric, Symmetry::AllPairs);
    assert_eq!(letter.components(node(2), tor(8)).len(), 16);
}

/// DRILL Fig. 5: pods {R0, R1, R2; F0, F1} and {R3, R4, R5; F2, F3}, planes {S0, S1} and {S2, S3}.
const FACEBOOK: Clos = Clos {
    p: 2,
    r: 3,
    n: 2,
    m: 2,
};

#[test]
fn fig5_parts_the_planes_at_the_tor_but_not_at_the_fabric_switch() {
    let mut fabric = FACEBOOK.build(|_, _| 40);
    let f = |i: usize| FACEBOOK.aggregation(i / 2, i % 2);
    cut(&mut fabric, 0, f(0));
    for symmetry in BOTH {
        let quiver = quiver(&fabric, symmetry);
        let q = quiver.components(node(5), tor(1));
        let expected = [f(2), f(3)].map(|above| (ports(&fabric, 5, &[above]), 1));
        assert_eq!(ports_and_weights(q), expected);
        assert_eq!((q[0].paths, q[1].paths), (2, 2), "Q0, Q1 and Q2, Q3");
        let from_f3 = quiver.components(node(f(3)), tor(1));
        let cores = [FACEBOOK.core(1, 0), FACEBOOK.core(1, 1)];
        assert_eq!(from_f3.len(), 1);
        assert_eq!(from_f3[0].ports, ports(&fabric, f(3), &cores));
    }
}

#[test]
fn a_port_whose_further_paths_differ_stands_in_several_components() {
    let clos = Clos {
        p: 3,
        r: 2,
        n: 2,
        m: 2,
    };
    let mut fabric = clos.build(|_, _| 40);
    // The first core loses the third pod: between the first two it carries less foreign traffic.
    cut(&mut fabric, clos.aggregation(2, 0), clos.core(0, 0));
    let quiver = quiver(&fabric, Symmetry::OwnPair);
    let up = |planes: &[usize]| {
        let above: Vec<usize> = planes.iter().map(|&i| clos.aggregation(0, i)).collect();
        ports(&fabric, 0, &above)
    };
    let components = quiver.components(node(0), tor(clos.tor(1, 0)));
    assert_eq!(
        ports_and_weights(components),
        [(up(&[0]), 1), (up(&[0, 1]), 3)]
    );
    assert_eq!(components[1].shares, [1, 2]);
    let above = clos.aggregation(0, 0);
    let at_aggregation = quiver.components(node(above), tor(clos.tor(1, 0)));
    let cores = [0, 1].map(|i| (ports(&fabric, above, &[clos.core(0, i)]), 1));
    assert_eq!(ports_and_weights(at_aggregation), cores);
}

#[test]
fn symmetric_fabrics_have_one_component_for_each_pair() {
    let clos = Clos {
        p: 3,
        r: 3,
        n: 2,
        m: 2,
    };
    let parallel = two_tier(4, 3, |_, _| vec![40, 40]);
    let unequal_hosts = clos.build(|_, _| 10);
    for fabric in [parallel, unequal_hosts, vl2()] {
        let forward = routes(&fabric);
        for symmetry in BOTH {
            let quiver = quiver(&fabric, symmetry);
            assert!(quiver.is_symmetric());
            for switch in (0..fabric.switches.len()).map(node) {
                for dst in (0..fabric.tors.len()).map(tor) {
                    let Some(group) = forward.group(switch, dst) else {
                        assert!(quiver.components(switch, dst).is_empty());
                        continue;
                    };
                    let [component] = quiver.components(switch, dst) else {
                        panic!("{switch} -> {dst}");
                    };
                    assert_eq!((&component.ports, component.weight), (&group.ports, 1));
                    assert!(component.shares.iter().all(|&share| share == 1));
                }
            }
        }
    }
}

#[test]
fn links_differ_if_as_many_but_other_sources_use_them() {
    let mut fabric = two_tier(4, 3, |_, _| vec![40]);
    // Only upwards, so that the first hops of L3 still carry the same pairs.
    for (leaf, spine) in [(0, 4), (2, 5)] {
        let ends = (Endpoint::Switch(node(leaf)), Endpoint::Switch(node(spine)));
        let mut links = fabric.links.iter_mut();
        let link = links.find(|link| (link.from, link.to) == ends);
        link.unwrap().up = false;
    }
    for symmetry in BOTH {
        // S0->L1 carries L2 and L3, S1->L1 carries L0 and L3, S2->L1 all three.
        let quiver = quiver(&fabric, symmetry);
        let expected = [4, 5, 6].map(|spine| (ports(&fabric, 3, &[spine]), 1));
        assert_eq!(
            ports_and_weights(quiver.components(node(3), tor(1))),
            expected
        );
    }
}

#[test]
fn a_broken_host_link_leaves_everything_symmetric() {
    let mut fabric = two_tier(4, 3, |_, _| vec![40]);
    let before = quiver(&fabric, Symmetry::OwnPair);
    let host = fabric.host(HostId(1)).clone();
    for link in [host.uplink, host.downlink] {
        fabric.links[link.index()].up = false;
    }
    let after = quiver(&fabric, Symmetry::OwnPair);
    assert!(after.is_symmetric());
    assert_eq!(after, before);
}

#[test]
#[allow(clippy::disallowed_types, clippy::disallowed_methods)] // The cost is printed, never asserted.
fn the_largest_fabrics_of_the_papers_are_decomposed_in_time() {
    let leaf_spine = two_tier(48, 48, |_, _| vec![10]);
    let fat_tree = figures::expeditus_fat_tree(Buffers::default()).unwrap();
    // 72 edge switches, 72 aggregation switches, then the cores plane by plane.
    let fabrics = [
        ("48 x 48", leaf_spine, (0, 48 + 5)),
        ("12-pod fat-tree", fat_tree, (72 + 6, 144)),
    ];
    for (name, mut fabric, (a, b)) in fabrics {
        for broken in [false, true] {
            if broken {
                cut(&mut fabric, a, b);
            }
            let routes = routes(&fabric);
            for symmetry in BOTH {
                let start = std::time::Instant::now();
                let quiver = Quiver::compute(&fabric, &routes, symmetry);
                println!(
                    "Quiver of {name}, broken {broken}, {symmetry:?}: {:?}",
                    start.elapsed()
                );
                assert_eq!(quiver.is_symmetric(), !broken);
            }
        }
    }
}
