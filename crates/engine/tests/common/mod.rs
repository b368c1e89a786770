//! What several test files need.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses a part of it; a test may panic"
)]

use closlab_engine::{Control, run};
use closlab_record::Records;
use closlab_scenario::Scenario;

/// The names of all schemes.
pub fn schemes() -> impl Iterator<Item = &'static str> {
    closlab_balance::registry::MANUALS
        .iter()
        .map(|manual| manual.name)
}

/// The scenario written in `toml`.
pub fn scenario(toml: &str) -> Scenario {
    Scenario::from_toml(toml).unwrap()
}

/// Runs the scenario written in `toml`; the audit is part of every run.
pub fn simulate(toml: &str) -> Records {
    run(&scenario(toml), &Control::new()).unwrap()
}

/// Mean over all samples of the standard deviation of parallel queue lengths, in packets: DRILL's measure.
pub fn mean_queue_stdv(records: &Records, up: bool) -> f64 {
    let queues = &records.queues;
    let rows: Vec<usize> = (0..queues.len())
        .filter(|&row| (queues.up[row] == 1) == up)
        .collect();
    let stdv = |row: usize| {
        let n = f64::from(queues.queues[row]);
        let mean = queues.packets[row] as f64 / n;
        (queues.packets_squared[row] as f64 / n - mean * mean)
            .max(0.0)
            .sqrt()
    };
    rows.iter().map(|&row| stdv(row)).sum::<f64>() / rows.len() as f64
}

/// The receiver's completion times of the measured flows in picoseconds, ascending; all must have ended.
pub fn completion_times(records: &Records) -> Vec<u64> {
    let flows = &records.flows;
    let measured = (0..flows.len()).filter(|&flow| flows.measured[flow] == 1);
    let mut times: Vec<u64> = measured.map(|flow| flows.receiver_fct_ps[flow]).collect();
    times.sort_unstable();
    assert!(
        times.first().is_some_and(|&time| time > 0),
        "a flow has not ended"
    );
    times
}
