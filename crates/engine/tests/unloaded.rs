//! Completion times of lone flows, by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use closlab_engine::{Control, run, unloaded};
use common::{completion_times, scenario};

/// A lone flow of `size` bytes between two leaves, every link 10 Gbps and 1 us, without handshake.
fn lone(size: &str, extra: &str) -> String {
    format!(
        "[fabric]\nleaves = 2\nspines = 2\nhosts_per_leaf = 1\n\
         [transport]\nhandshake = false\n{extra}\n\
         [workload]\nkind = \"permutation\"\nsize = \"{size}\"\nstagger = \"0us\"\n\
         [measure]\nwarmup = \"0ms\"\nwindow = \"1ms\"\nlimit = \"1s\"\n"
    )
}

fn fct_ps(toml: &str) -> u64 {
    unloaded(&scenario(toml), &Control::new()).unwrap()[0]
        .1
        .ps()
}

#[test]
fn one_packet_takes_four_serialisations_and_four_propagations() {
    // 1460 B of payload are 1538 B on the wire: 1.2304 us on each of 4 links, and 1 us on each.
    assert_eq!(fct_ps(&lone("1460B", "")), 4 * 1_230_400 + 4 * 1_000_000);
    // One byte is the shortest frame: 84 B on the wire.
    assert_eq!(fct_ps(&lone("1B", "")), 4 * 67_200 + 4 * 1_000_000);
}

#[test]
fn a_window_of_packets_pipelines() {
    // Ten full packets leave back to back: the last one starts nine serialisations later.
    assert_eq!(
        fct_ps(&lone("14600B", "")),
        (4 + 9) * 1_230_400 + 4 * 1_000_000
    );
}

#[test]
fn the_handshake_costs_one_round_trip_of_minimal_frames() {
    let with = lone("1460B", "").replace("handshake = false", "handshake = true");
    let round_trip = 8 * 67_200 + 8 * 1_000_000;
    assert_eq!(fct_ps(&with), round_trip + 4 * 1_230_400 + 4 * 1_000_000);
}

#[test]
fn a_flow_that_meets_no_other_takes_the_unloaded_time_under_every_scheme() {
    for scheme in common::schemes() {
        // A flow of 2 MB each 100 ms or so, gone within 2 ms.
        let toml = format!(
            "scheme.name = \"{scheme}\"\n[fabric]\nleaves = 2\nhosts_per_leaf = 2\n\
             [workload]\nsizes = \"fixed\"\nsize = \"2MB\"\nload = 0.002\n\
             [measure]\nwarmup = \"0ms\"\nwindow = \"900ms\"\n"
        );
        let records = run(&scenario(&toml), &Control::new()).unwrap();
        let alone = fct_ps(&toml);
        let times = completion_times(&records);
        assert!(times.len() >= 5);
        assert!(
            times.iter().all(|&fct| fct == alone),
            "{scheme}: {times:?} alone {alone}"
        );
    }
}

#[test]
fn no_measured_flow_beats_its_unloaded_time() {
    let toml =
        "[measure]\nwarmup = \"1ms\"\nwindow = \"5ms\"\n[workload]\npairs = \"any\"\nload = 0.4\n";
    let scenario = scenario(toml);
    let records = run(&scenario, &Control::new()).unwrap();
    let alone = unloaded(&scenario, &Control::new()).unwrap();
    assert_eq!(alone.len() as u64, records.totals.flows_measured[0]);
    for (flow, time) in alone {
        let fct = records.flows.receiver_fct_ps[flow.index()];
        assert!(
            fct >= time.ps(),
            "flow {flow}: {fct} ps loaded, {time} alone"
        );
    }
}
