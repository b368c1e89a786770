//! How large a fabric is in memory, and (for information) how long it takes to build.

use super::leaf_spine;
use crate::figures::{self, Buffers};
use crate::{FabricSummary, Routes};
use closlab_units::TorId;

#[test]
#[expect(
    clippy::disallowed_types,
    reason = "printed for information; nothing depends on it"
)]
fn large_fabrics_stay_small_in_memory() {
    for (leaves, spines, hosts) in [(48, 48, 48), (100, 100, 100)] {
        let started = std::time::Instant::now();
        let fabric = leaf_spine(leaves, spines, hosts, 1).build().unwrap();
        let routes = Routes::compute(&fabric).unwrap();
        let elapsed = started.elapsed();
        let (table, state) = (fabric.memory_bytes(), routes.memory_bytes());
        println!(
            "{leaves} leaves x {spines} spines x {hosts} hosts: {} hosts, {} links in {elapsed:?}; \
             fabric {table} B ({} B a host, {} B a link), routes {state} B",
            fabric.hosts.len(),
            fabric.links.len(),
            table / fabric.hosts.len(),
            table / fabric.links.len(),
        );
        assert!(table / fabric.links.len() < 120, "{table} B");
        // For each pair of switch and ToR two 16-bit entries, and at a spine a group of one port (26 B).
        let pairs = (leaves + spines) * leaves;
        assert!(
            state < 32 * pairs as usize,
            "{state} B for {pairs} pairs of switch and ToR"
        );
    }
}

#[test]
fn routing_state_does_not_grow_with_hosts() {
    let state = |hosts| {
        let fabric = leaf_spine(8, 4, hosts, 1).build().unwrap();
        Routes::compute(&fabric).unwrap().memory_bytes()
    };
    assert_eq!(state(1), state(48));
}

#[test]
#[expect(
    clippy::disallowed_types,
    reason = "printed for information; nothing depends on it"
)]
fn the_largest_fabric_of_expeditus_fits_in_memory() {
    let started = std::time::Instant::now();
    let mut fabric = figures::expeditus_largest(Buffers::default()).unwrap();
    let built = started.elapsed();
    let routes = Routes::compute(&fabric).unwrap();
    let routed = started.elapsed() - built;
    // "With 96 pods, the topology can accommodate 73,728 10Gbps hosts" (section 2.2).
    assert_eq!((fabric.hosts.len(), fabric.tors.len()), (73_728, 4_608));
    let summary = FabricSummary::new(&fabric, &routes, 1_538, 84);
    println!(
        "96 pods: {} hosts, {} switches, {} links; built in {built:?}, routed in {routed:?}; fabric {} B, \
         routes {} B, {} B a host in all",
        summary.hosts,
        fabric.switches.len(),
        fabric.links.len(),
        summary.fabric_bytes,
        summary.routes_bytes,
        summary.bytes_per_host(),
    );
    // A host's own entry and the two links of its cable are 150 B; every four hosts share two cables more.
    assert!(
        summary.bytes_per_host() < 300,
        "{}",
        summary.bytes_per_host()
    );
    // Dense tables of 3 B for each pair of switch and ToR would be 972 B a host.
    let state = routes.memory_bytes();
    assert!(state < 40 * fabric.hosts.len(), "{state}");
    let paths: Vec<_> = summary
        .paths
        .iter()
        .map(|p| (p.hops, p.tors, p.fewest, p.most))
        .collect();
    assert_eq!(paths, [(2, 47, 4, 4), (4, 95 * 48, 192, 192)]);

    // Failures must not undo the sharing.
    for name in ["tor0.0-agg0.0", "agg17.3-core3.40", "tor95.47-agg95.2"] {
        let link = fabric.cables_named(name).unwrap()[0];
        fabric.set_cable_up(link, false);
    }
    let damaged = Routes::compute(&fabric).unwrap();
    assert!(
        damaged.memory_bytes() < 2 * state,
        "{} {state}",
        damaged.memory_bytes()
    );
    assert_eq!(damaged.path_count(&fabric, TorId(0), TorId(4_607)), 2 * 48);
    assert_eq!(damaged.path_count(&fabric, TorId(1), TorId(4_606)), 192);
}
