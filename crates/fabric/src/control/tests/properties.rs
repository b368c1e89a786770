//! Every part against enumeration of all paths on random fabrics with random failures.

use super::{Clos, node, tor, wired};
use crate::control::{Component, Presto, Quiver, Symmetry, Wcmp};
use crate::{Endpoint, Fabric, Routes};
use closlab_units::{PortId, TorId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A path by its switches.
type Path = Vec<usize>;

/// Bits per second of all working cables between two switches.
fn capacity(fabric: &Fabric, from: usize, to: usize) -> u64 {
    let ends = (Endpoint::Switch(node(from)), Endpoint::Switch(node(to)));
    let links = fabric
        .links
        .iter()
        .filter(|l| l.up && (l.from, l.to) == ends);
    links.map(|l| l.rate.bps()).sum()
}

/// All shortest paths between two switches, by breadth-first growth of all paths at once.
fn shortest_paths(fabric: &Fabric, from: usize, to: usize) -> Vec<Path> {
    let mut paths: Vec<Path> = vec![vec![from]];
    for _ in 0..fabric.switches.len() {
        let arrived: Vec<Path> = paths
            .iter()
            .filter(|p| p.last() == Some(&to))
            .cloned()
            .collect();
        if !arrived.is_empty() {
            return arrived;
        }
        let grow = |path: &Path| -> Vec<Path> {
            let last = path[path.len() - 1];
            let next = (0..fabric.switches.len()).filter(|&n| !path.contains(&n));
            let next = next.filter(|&n| capacity(fabric, last, n) > 0);
            next.map(|n| [path.as_slice(), &[n]].concat()).collect()
        };
        paths = paths.iter().flat_map(grow).collect();
    }
    Vec::new()
}

/// Input over output rate at each link of a path as a reduced ratio; (1, 0) at the source.
fn factors(fabric: &Fabric, path: &Path) -> Vec<(u64, u64)> {
    let rates: Vec<u64> = path
        .windows(2)
        .map(|w| capacity(fabric, w[0], w[1]))
        .collect();
    let factor = |i: usize| match rates[..i].iter().min() {
        None => (1, 0),
        Some(&arriving) => {
            let (mut a, mut b) = (arriving, rates[i]);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            (arriving / a, rates[i] / a)
        }
    };
    (0..rates.len()).map(factor).collect()
}

type Labels = BTreeMap<(usize, usize), BTreeSet<(usize, usize, (u64, u64))>>;

fn labels(fabric: &Fabric) -> Labels {
    let mut labels = Labels::new();
    for src in 0..fabric.tors.len() {
        for dst in (0..fabric.tors.len()).filter(|&dst| dst != src) {
            for path in shortest_paths(fabric, src, dst) {
                for (edge, cf) in path.windows(2).zip(factors(fabric, &path)) {
                    let set = labels.entry((edge[0], edge[1])).or_default();
                    set.insert((src, dst, cf));
                }
            }
        }
    }
    labels
}

/// A component by brute force: capacity behind each port (times the least common multiple of bundle rates
/// avoided by keeping numerator and denominator), and the number of paths.
#[derive(Default)]
struct Expected {
    behind: BTreeMap<PortId, f64>,
    capacity: u64,
    paths: u64,
}

fn expected_components(
    fabric: &Fabric,
    labels: &Labels,
    from: usize,
    dst: usize,
    symmetry: Symmetry,
) -> Vec<Expected> {
    let mut classes: BTreeMap<Vec<_>, Expected> = BTreeMap::new();
    for path in shortest_paths(fabric, from, dst) {
        let own = factors(fabric, &path);
        let score = path.windows(2).zip(own).map(|(edge, cf)| {
            // Traffic between leaves may never cross a link that a switch's own paths use.
            let set = labels.get(&(edge[0], edge[1])).cloned().unwrap_or_default();
            match symmetry {
                Symmetry::AllPairs => (set, (0, 0)),
                Symmetry::OwnPair => {
                    let pairs = set.iter().map(|&(s, d, _)| (s, d, (0, 0)));
                    (pairs.collect(), cf)
                }
            }
        });
        let component = classes.entry(score.collect()).or_default();
        let rates = path.windows(2).map(|w| capacity(fabric, w[0], w[1]));
        let slowest = rates.min().unwrap();
        component.capacity += slowest;
        component.paths += 1;
        let first = capacity(fabric, path[0], path[1]) as f64;
        for &id in &fabric.switch(node(from)).ports {
            let link = fabric.link(id);
            if link.up && link.to == Endpoint::Switch(node(path[1])) {
                let part = slowest as f64 * link.rate.bps() as f64 / first;
                *component.behind.entry(link.from_port).or_insert(0.0) += part;
            }
        }
    }
    classes.into_values().collect()
}

/// Whether integer weights stand in the same proportion as the exact values.
fn proportional(weights: &[u32], values: &[f64]) -> bool {
    let (w, v): (u64, f64) = (
        weights.iter().map(|&w| u64::from(w)).sum(),
        values.iter().sum(),
    );
    weights.len() == values.len()
        && weights.iter().zip(values).all(|(&weight, &value)| {
            (f64::from(weight) / w as f64 - value / v).abs() < 1e-9 && weight > 0
        })
}

fn check_components(fabric: &Fabric) -> Result<(), TestCaseError> {
    let routes = Routes::compute_partial(fabric).unwrap();
    let labels = labels(fabric);
    for symmetry in [Symmetry::OwnPair, Symmetry::AllPairs] {
        let quiver = Quiver::compute(fabric, &routes, symmetry);
        for from in 0..fabric.switches.len() {
            for dst in (0..fabric.tors.len()).filter(|&dst| dst != from) {
                let found = quiver.components(node(from), tor(dst));
                let mut expected = expected_components(fabric, &labels, from, dst, symmetry);
                prop_assert_eq!(found.len(), expected.len(), "{} -> {}", from, dst);
                let all: Vec<u64> = expected.iter().map(|e| e.capacity).collect();
                let total: u64 = all.iter().sum();
                let weights: u64 = found.iter().map(|c| u64::from(c.weight)).sum();
                // Matched one to one by all that a component is.
                for component in found {
                    let same = |e: &Expected| is(component, e, total, weights);
                    let Some(position) = expected.iter().position(same) else {
                        return Err(TestCaseError::fail(format!(
                            "{from} -> {dst} {symmetry:?}: no such component {component:?}"
                        )));
                    };
                    expected.swap_remove(position);
                }
            }
        }
    }
    Ok(())
}

fn is(found: &Component, expected: &Expected, total: u64, weights: u64) -> bool {
    let ports: Vec<PortId> = expected.behind.keys().copied().collect();
    let behind: Vec<f64> = expected.behind.values().copied().collect();
    found.ports == ports
        && found.paths == expected.paths
        && proportional(&found.shares, &behind)
        && u128::from(found.weight) * u128::from(total)
            == u128::from(expected.capacity) * u128::from(weights)
}

fn check_wcmp(fabric: &Fabric) -> Result<(), TestCaseError> {
    let routes = Routes::compute_partial(fabric).unwrap();
    let wcmp = Wcmp::compute(fabric, &routes);
    for from in 0..fabric.switches.len() {
        for dst in (0..fabric.tors.len()).filter(|&dst| dst != from) {
            // All paths as one class: the sums behind each port are WCMP's weights.
            let mut behind: BTreeMap<PortId, f64> = BTreeMap::new();
            let every = labels(fabric);
            for class in expected_components(fabric, &every, from, dst, Symmetry::OwnPair) {
                for (port, part) in class.behind {
                    *behind.entry(port).or_insert(0.0) += part;
                }
            }
            let group = wcmp.group(node(from), tor(dst));
            prop_assert_eq!(group.is_none(), behind.is_empty());
            if let Some(group) = group {
                let ports: Vec<PortId> = behind.keys().copied().collect();
                let parts: Vec<f64> = behind.values().copied().collect();
                prop_assert_eq!(&group.ports, &ports);
                prop_assert!(
                    proportional(&group.weights, &parts),
                    "{:?} {:?}",
                    group,
                    parts
                );
            }
        }
    }
    Ok(())
}

fn check_presto(fabric: &Fabric) -> Result<(), TestCaseError> {
    let routes = Routes::compute_partial(fabric).unwrap();
    let presto = Presto::compute(fabric).unwrap();
    let hops = |at, dst: TorId| routes.hops(at, dst);
    for src in 0..fabric.tors.len() {
        for dst in 0..fabric.tors.len() {
            for way in presto.routes(fabric, &routes, tor(src), tor(dst)) {
                prop_assert!(way.weight > 0);
                let mut at = node(src);
                for port in way.ports {
                    let link = fabric.link(fabric.switch(at).ports[port.index()]);
                    prop_assert!(link.up);
                    let Endpoint::Switch(next) = link.to else {
                        return Err(TestCaseError::fail("leads to a host"));
                    };
                    let left = hops(next, tor(dst)).unwrap();
                    prop_assert_eq!(left + 1, hops(at, tor(dst)).unwrap());
                    at = next;
                }
                prop_assert_eq!(at, node(dst));
            }
        }
    }
    Ok(())
}

fn break_some(fabric: &mut Fabric, broken: &[prop::sample::Index]) {
    for index in broken {
        let link = index.index(fabric.links.len());
        fabric.links[link].up = false;
    }
}

fn irregular() -> impl Strategy<Value = Fabric> {
    let rate = prop::sample::select(vec![10u64, 20, 25, 40]);
    let shape = (2usize..5, 1usize..5);
    let cables = prop::collection::vec((0usize..9, 0usize..9, rate), 1..24);
    let broken = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    (shape, cables, broken).prop_map(|((leaves, others), cables, broken)| {
        let count = leaves + others;
        let cables = cables
            .iter()
            .map(|&(a, b, rate)| (a % count, b % count, rate));
        let cables: Vec<_> = cables.filter(|&(a, b, _)| a != b).collect();
        let mut fabric = wired(leaves, others, &cables);
        break_some(&mut fabric, &broken);
        fabric
    })
}

fn broken_clos() -> impl Strategy<Value = Fabric> {
    let shape = (2usize..4, 1usize..3, 1usize..3, 1usize..3);
    let broken = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    (shape, broken, any::<bool>()).prop_map(|((p, r, n, m), broken, slow)| {
        let clos = Clos { p, r, n, m };
        let mut fabric = clos.build(|pod, _| if slow && pod == 0 { 10 } else { 40 });
        break_some(&mut fabric, &broken);
        fabric
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn components_partition_the_shortest_paths(fabric in prop_oneof![irregular(), broken_clos()]) {
        check_components(&fabric)?;
    }

    #[test]
    fn wcmp_weights_are_path_capacities(fabric in prop_oneof![irregular(), broken_clos()]) {
        check_wcmp(&fabric)?;
    }

    #[test]
    fn presto_routes_are_working_shortest_paths(fabric in prop_oneof![irregular(), broken_clos()]) {
        check_presto(&fabric)?;
    }
}
