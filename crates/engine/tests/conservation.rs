//! Whatever the fabric, the scheme and the losses: nothing is lost or invented, and every flow arrives whole.

mod common;

use closlab_engine::{Control, RunError, run};
use common::{scenario, schemes, simulate};
use proptest::prelude::*;

fn any_scenario() -> impl Strategy<Value = String> {
    let fabric = (2u32..5, 1u32..5, 1u32..5, 1u32..4);
    let rates = (
        prop::sample::select(vec!["1Gbps", "3Gbps", "10Gbps", "40Gbps"]),
        prop::bool::ANY,
    );
    let buffers = prop::sample::select(vec!["1600B", "5KB", "20KB", "150KB"]);
    let names: Vec<&'static str> = schemes().collect();
    let hosts = (
        prop::bool::ANY,
        prop::bool::ANY,
        prop::sample::select(vec!["", "reorder_timeout = \"100us\"\n"]),
    );
    (fabric, rates, buffers, prop::sample::select(names), hosts, any::<u32>(), 1u32..3).prop_map(
        |((leaves, spines, hosts, parallel), (rate, ecn), buffer, scheme, (handshake, adaptive, shim), seed, engines)| {
            let dupthresh = if adaptive { "adaptive" } else { "fixed" };
            let threshold = if ecn { "ecn_threshold = \"1500B\"\n" } else { "" };
            format!(
                "seed = {seed}\nscheme.name = \"{scheme}\"\n\
                 [fabric]\nleaves = {leaves}\nspines = {spines}\nhosts_per_leaf = {hosts}\n\
                 links_per_pair = {parallel}\nhost_rate = \"{rate}\"\nuplink_rate = \"{rate}\"\n\
                 buffer = \"{buffer}\"\n{threshold}\
                 [switch]\nengines = {engines}\n\
                 [transport]\nhandshake = {handshake}\ndupthresh = \"{dupthresh}\"\necn = {ecn}\n\
                 rto_min = \"2ms\"\nrto_initial = \"2ms\"\n{shim}\
                 [workload]\nkind = \"permutation\"\nflows_per_host = 3\nsize = \"100KB\"\nstagger = \"50us\"\n\
                 [measure]\nwarmup = \"0ms\"\nwindow = \"1ms\"\nlimit = \"60s\"\n"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_flow_arrives_whole_and_every_packet_is_accounted_for(toml in any_scenario()) {
        // `run` itself fails if its audit does.
        let records = simulate(&toml);
        prop_assert!(!records.flows.is_empty());
        prop_assert_eq!(records.totals.flows_unfinished[0], 0);
        prop_assert_eq!(&records.flows.delivered_bytes, &records.flows.size_bytes);
        for flow in 0..records.flows.len() {
            prop_assert!(records.flows.retransmitted_segments[flow] <= records.flows.segments_sent[flow]);
        }
    }
}

#[test]
fn flows_cut_off_at_the_limit_are_reported_as_unfinished() {
    let records = simulate(
        "[workload]\nkind = \"permutation\"\nsize = \"10MB\"\nstagger = \"0us\"\n\
         [measure]\nwarmup = \"0ms\"\nwindow = \"1ms\"\nlimit = \"0ms\"\n",
    );
    let totals = &records.totals;
    assert_eq!(
        (totals.flows_measured[0], totals.flows_unfinished[0]),
        (32, 32)
    );
    assert_eq!(totals.end_ps[0], 1_000_000_000);
    assert!(
        totals.in_flight_packets[0] > 0,
        "packets were under way when the run ended"
    );
    assert!(
        records
            .flows
            .delivered_bytes
            .iter()
            .all(|&bytes| 0 < bytes && bytes < 10_000_000)
    );
    assert!(records.flows.receiver_fct_ps.iter().all(|&fct| fct == 0));
}

#[test]
fn a_cancelled_run_gives_no_records() {
    let control = Control::new();
    control.cancel();
    assert_eq!(
        run(&scenario("workload.load = 0.5"), &control),
        Err(RunError::Cancelled)
    );
}

#[test]
fn a_nic_too_small_drops_and_says_where() {
    let records = simulate(
        "[fabric]\nnic_buffer = \"5KB\"\n[workload]\nkind = \"permutation\"\nsize = \"300KB\"\n\
         [measure]\nwarmup = \"0ms\"\nwindow = \"2ms\"\nlimit = \"10s\"\n",
    );
    let links = &records.links;
    let dropped = |tier: &str| -> u64 {
        (0..links.len())
            .filter(|&link| links.tier[link] == tier)
            .map(|link| links.dropped_packets[link])
            .sum()
    };
    assert!(dropped("host->leaf") > 0);
    let tiers = ["host->leaf", "leaf->spine", "spine->leaf", "leaf->host"];
    assert_eq!(
        tiers.map(dropped).iter().sum::<u64>(),
        records.totals.dropped_packets[0]
    );
}
