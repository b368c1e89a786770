//! One golden scenario for each scheme: what happened, in numbers a person can read.
//!
//! A difference says what moved: events, losses, path choices or completion times. When a change is meant to
//! move results, run the tests once with `CLOSLAB_UPDATE_GOLDEN=1`, look at the difference, and say so under
//! "Changed results" in the changelog.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use closlab_record::Records;
use common::{schemes, simulate};
use std::path::PathBuf;

fn toml(scheme: &str) -> String {
    format!(
        "seed = 11\nscheme.name = \"{scheme}\"\n\
         [fabric]\nleaves = 4\nspines = 3\nhosts_per_leaf = 6\nlinks_per_pair = 2\n\
         buffer = \"60KB\"\necn_threshold = \"30KB\"\n\
         [switch]\nengines = 3\n\
         [transport]\necn = true\n\
         [workload]\nload = 0.7\n\
         [measure]\nwarmup = \"500us\"\nwindow = \"3ms\"\nlimit = \"500ms\"\nqueue_samples = \"20us\"\n"
    )
}

const HEADER: &str = "scheme,flows,packet_hops,dropped,marked,retransmitted,timeouts,reordered,dup_acks,\
decisions,uplinks_of_leaf0,queued_packets,receiver_fct_us,sender_fct_us";

fn row(scheme: &str, records: &Records) -> String {
    let (flows, links, totals) = (&records.flows, &records.links, &records.totals);
    let sum = |column: &[u32]| column.iter().map(|&value| u64::from(value)).sum::<u64>();
    let uplinks: Vec<String> = (0..links.len())
        .filter(|&link| links.name[link].starts_with("leaf0->spine"))
        .map(|link| links.packets[link].to_string())
        .collect();
    let microseconds = |column: &[u64]| column.iter().sum::<u64>() / 1_000_000;
    [
        scheme.to_owned(),
        flows.len().to_string(),
        totals.packet_hops[0].to_string(),
        totals.dropped_packets[0].to_string(),
        links.marked_packets.iter().sum::<u64>().to_string(),
        sum(&flows.retransmitted_segments).to_string(),
        sum(&flows.timeouts).to_string(),
        sum(&flows.reordered_segments).to_string(),
        sum(&flows.dup_acks).to_string(),
        records.switches.decisions.iter().sum::<u64>().to_string(),
        uplinks.join(" "),
        records.queues.packets.iter().sum::<u64>().to_string(),
        microseconds(&flows.receiver_fct_ps).to_string(),
        microseconds(&flows.sender_fct_ps).to_string(),
    ]
    .join(",")
}

#[test]
fn schemes_do_what_they_did() {
    let rows = schemes().map(|scheme| row(scheme, &simulate(&toml(scheme))));
    let table: Vec<String> = std::iter::once(HEADER.to_owned()).chain(rows).collect();
    let table = table.join("\n") + "\n";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/schemes.csv");
    if std::env::var_os("CLOSLAB_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(table, golden, "results changed; see the head of this file");
}
