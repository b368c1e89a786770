//! `make bench`: the speed of the simulator.
//!
//! Each case runs in a process of its own, so that its peak memory is its own, and prints one line:
//! `bench <case> packet_hops_per_cpu_s=<n> ns_per_hop=<n> peak_rss_mb=<n>`. A packet-hop is one packet
//! crossing one link; the time is CPU time of the whole run, building the fabric and writing the
//! records in memory included.

mod cases;

use cases::{CASES, Case};
use closlab_engine::{Control, run};
use closlab_scenario::Scenario;
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::error::Error;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match wanted.as_slice() {
        [flag, name] if flag == "--case" => one(name),
        names => all(names),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the cases whose names contain one of `parts` (all cases if there are none).
fn all(parts: &[String]) -> Result<(), Box<dyn Error>> {
    let chosen = |case: &&Case| {
        parts.is_empty() || parts.iter().any(|part| case.name.contains(part.as_str()))
    };
    let cases: Vec<&Case> = CASES.iter().filter(chosen).collect();
    if cases.is_empty() {
        let names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        return Err(format!(
            "no case is called like {parts:?}; there are {}",
            names.join(", ")
        )
        .into());
    }
    for case in cases {
        let status = Command::new(std::env::current_exe()?)
            .args(["--case", case.name])
            .status()?;
        if !status.success() {
            return Err(format!("case {} failed", case.name).into());
        }
    }
    Ok(())
}

fn one(name: &str) -> Result<(), Box<dyn Error>> {
    let case = CASES
        .iter()
        .find(|case| case.name == name)
        .ok_or("no such case")?;
    let scenario = Scenario::from_toml(case.scenario)?;
    let before = getrusage(UsageWho::RUSAGE_SELF)?;
    let records = run(&scenario, &Control::new())?;
    let after = getrusage(UsageWho::RUSAGE_SELF)?;
    let nanoseconds = cpu_ns(&after) - cpu_ns(&before);
    let hops = records.totals.packet_hops[0];
    println!(
        "bench {name} packet_hops_per_cpu_s={:.0} ns_per_hop={:.1} peak_rss_mb={:.0}",
        hops as f64 * 1e9 / nanoseconds as f64,
        nanoseconds as f64 / hops as f64,
        after.max_rss() as f64 / 1024.0,
    );
    Ok(())
}

/// User and system time in nanoseconds.
fn cpu_ns(usage: &Usage) -> i64 {
    usage.user_time().num_nanoseconds() + usage.system_time().num_nanoseconds()
}
