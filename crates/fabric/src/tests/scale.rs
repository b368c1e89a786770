//! How large a fabric is in memory, and (for information) how long it takes to build.

use super::leaf_spine;
use crate::Routes;

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
