//! The same scenario and seed give the same records: twice, and from several threads at once.

mod common;

use common::{schemes, simulate};

fn toml(scheme: &str, seed: u64) -> String {
    format!(
        "seed = {seed}\nscheme.name = \"{scheme}\"\n\
         [fabric]\nleaves = 3\nspines = 3\nhosts_per_leaf = 4\nlinks_per_pair = 2\n\
         [switch]\nengines = 3\n\
         [workload]\nload = 0.6\n\
         [measure]\nwarmup = \"500us\"\nwindow = \"3ms\"\nlimit = \"200ms\"\nqueue_samples = \"10us\"\n"
    )
}

#[test]
fn records_are_equal_twice_and_from_parallel_threads() {
    for scheme in schemes() {
        let alone = simulate(&toml(scheme, 5));
        let threads: Vec<_> = (0..3)
            .map(|_| std::thread::spawn(move || simulate(&toml(scheme, 5))))
            .collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone, "{scheme}");
        }
    }
}

#[test]
fn another_seed_gives_other_flows() {
    let (first, second) = (simulate(&toml("ecmp", 1)), simulate(&toml("ecmp", 2)));
    assert_ne!(first.flows.size_bytes, second.flows.size_bytes);
    assert_ne!(first.flows.start_ps, second.flows.start_ps);
}

#[test]
fn schemes_meet_the_very_same_flows() {
    let reference = simulate(&toml("ecmp", 3)).flows;
    for scheme in schemes() {
        let flows = simulate(&toml(scheme, 3)).flows;
        // Runs end when their last measured flow does, so one may have started more flows than the other.
        let common = flows.len().min(reference.len());
        assert!(common > 10);
        assert_eq!(
            flows.start_ps[..common],
            reference.start_ps[..common],
            "{scheme}"
        );
        assert_eq!(
            flows.size_bytes[..common],
            reference.size_bytes[..common],
            "{scheme}"
        );
        assert_eq!(flows.src[..common], reference.src[..common], "{scheme}");
        assert_eq!(flows.dst[..common], reference.dst[..common], "{scheme}");
    }
}
