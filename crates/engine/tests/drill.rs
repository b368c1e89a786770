//! The first truth from the papers, at a size that a test can afford (DRILL section 3.2.3).

mod common;

use common::{completion_times, mean_queue_stdv, simulate};

fn toml(scheme: &str, engines: u32, limit: &str) -> String {
    format!(
        "scheme.name = \"{scheme}\"\n\
         [fabric]\nleaves = 8\nspines = 8\nhosts_per_leaf = 8\n\
         [switch]\nengines = {engines}\n\
         [workload]\nload = 0.8\n\
         [measure]\nwarmup = \"2ms\"\nwindow = \"5ms\"\nlimit = \"{limit}\"\nqueue_samples = \"10us\"\n"
    )
}

#[test]
fn queues_are_more_even_under_drill_than_random_and_far_more_than_under_ecmp() {
    let stdv = |scheme, engines| {
        let records = simulate(&toml(scheme, engines, "0ms"));
        (
            mean_queue_stdv(&records, true),
            mean_queue_stdv(&records, false),
        )
    };
    // The paper's numbers are for 48 x 48 x 48: DRILL over 65 % below random, random some 94 % below ECMP. With
    // eight engines the packets that the others are writing are invisible, and on this small fabric each
    // of eight engines carries an eighth of the load: the gain is smaller.
    for (engines, below_random) in [(1, 0.35), (8, 0.7)] {
        let (ecmp, random, drill) = (
            stdv("ecmp", engines),
            stdv("random-packet", engines),
            stdv("drill", engines),
        );
        println!("{engines} engines: up/down STDV ecmp {ecmp:?} random {random:?} drill {drill:?}");
        assert!(
            drill.0 < below_random * random.0,
            "uplinks: drill {drill:?} random {random:?}"
        );
        assert!(
            random.0 < 0.1 * ecmp.0,
            "uplinks: random {random:?} ecmp {ecmp:?}"
        );
        assert!(
            drill.1 < 0.1 * ecmp.1,
            "downlinks: drill {drill:?} ecmp {ecmp:?}"
        );
    }
}

#[test]
fn flows_finish_sooner_under_drill_than_under_ecmp() {
    let (ecmp, drill) = (
        completion_times(&simulate(&toml("ecmp", 1, "2s"))),
        completion_times(&simulate(&toml("drill", 1, "2s"))),
    );
    let mean = |times: &[u64]| times.iter().sum::<u64>() as f64 / times.len() as f64;
    println!(
        "mean FCT ecmp {:.3e} ps drill {:.3e} ps",
        mean(&ecmp),
        mean(&drill)
    );
    assert!(mean(&drill) < mean(&ecmp));
    assert!(drill.last() < ecmp.last());
}
