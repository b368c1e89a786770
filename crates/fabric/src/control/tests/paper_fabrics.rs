//! Every part on the fabrics of the papers as the builders make them, by the switches' names.

use super::routes;
use crate::control::{Expeditus, Multiplier, Presto, Quiver, Symmetry, Wcmp};
use crate::figures::{self, Buffers};
use crate::{Fabric, FabricError};
use closlab_units::{NodeId, TorId};

fn built(figure: fn(Buffers) -> Result<Fabric, FabricError>) -> Fabric {
    figure(Buffers::default()).unwrap()
}

/// WCMP's weights from one ToR to another.
fn weights(fabric: &Fabric, src: u16, dst: u16) -> Vec<u32> {
    let wcmp = Wcmp::compute(fabric, &routes(fabric));
    let group = wcmp.group(fabric.tors[usize::from(src)], TorId(dst));
    group.unwrap().weights.clone()
}

#[test]
fn wcmp_weighs_letflows_fabrics() {
    // Fig. 1b: 80 Gbps through S0, 40 through S1, over two uplinks each.
    let fig1b = built(figures::letflow_fig1b);
    assert_eq!(weights(&fig1b, 0, 1), [2, 2, 1, 1]);
    // Fig. 17a: symmetric to L0, 8:1 to L2.
    let fig17 = built(figures::letflow_fig17);
    assert_eq!(weights(&fig17, 1, 0), [1, 1]);
    assert_eq!(weights(&fig17, 1, 2), [8, 1]);
    // Fig. 15: the failure halves one of the two ways to the other pod.
    let mut fig15 = weights(&built(figures::letflow_fig15), 0, 2);
    fig15.sort_unstable();
    assert_eq!(fig15, [1, 2]);
}

#[test]
fn drills_fig5_and_fig13_decompose_as_the_paper_says() {
    let fig5 = built(figures::drill_fig5);
    let quiver = Quiver::compute(&fig5, &routes(&fig5), Symmetry::OwnPair);
    let q = quiver.components(fig5.tors[5], TorId(1));
    assert_eq!(q.iter().map(|c| c.paths).collect::<Vec<_>>(), [2, 2]);
    let named = |name: &str| {
        let position = fig5.switches.iter().position(|s| s.name == name);
        NodeId(position.unwrap() as u32)
    };
    let f3 = quiver.components(named("fabric3"), TorId(1));
    assert_eq!((f3.len(), f3[0].paths), (1, 2));
    let fig13 = built(figures::drill_fig13);
    let quiver = Quiver::compute(&fig13, &routes(&fig13), Symmetry::OwnPair);
    let components = quiver.components(fig13.tors[2], TorId(8));
    let paths: Vec<u64> = components.iter().map(|c| c.paths).collect();
    assert_eq!(paths, [12, 2, 2]);
}

#[test]
fn vl2_is_symmetric_has_trees_over_both_uplinks_and_no_expeditus() {
    let vl2 = built(figures::drill_fig10);
    let routes = routes(&vl2);
    assert!(Quiver::compute(&vl2, &routes, Symmetry::OwnPair).is_symmetric());
    // Four intermediate switches, two ways up from every ToR.
    assert_eq!(Presto::compute(&vl2).unwrap().labels(), 8);
    assert!(Expeditus::compute(&vl2, &routes).is_err());
}

#[test]
fn expeditus_fig6_doubles_the_first_uplinks_of_the_first_pod() {
    let fig6 = built(figures::expeditus_fig6);
    let expeditus = Expeditus::compute(&fig6, &routes(&fig6)).unwrap();
    let doubled = Multiplier {
        numerator: 2,
        denominator: 1,
    };
    for (tor, &switch) in fig6.tors.iter().enumerate() {
        let entries = expeditus.entries(switch);
        let egress: Vec<_> = entries.iter().filter_map(|e| e.egress).collect();
        let first = if tor < 3 { doubled } else { Multiplier::ONE };
        assert_eq!(egress, [first, Multiplier::ONE], "ToR {tor}");
    }
}

#[test]
fn the_fat_tree_has_a_tree_for_each_core_and_an_id_for_each_plane() {
    let fat_tree = built(figures::expeditus_fat_tree);
    let routes = routes(&fat_tree);
    let presto = Presto::compute(&fat_tree).unwrap();
    assert_eq!(presto.labels(), 36);
    let ways = presto.routes(&fat_tree, &routes, TorId(0), TorId(71));
    assert_eq!(ways.len(), 36);
    assert!(ways.iter().all(|way| way.weight == 1));
    let expeditus = Expeditus::compute(&fat_tree, &routes).unwrap();
    assert_eq!(expeditus.entries(fat_tree.tors[3]).len(), 6);
    let reaching = expeditus.reaching(&routes, fat_tree.tors[3], TorId(71));
    assert_eq!(reaching, [0, 1, 2, 3, 4, 5]);
}
