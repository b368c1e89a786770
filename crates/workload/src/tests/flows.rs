//! The list of flows: golden beginning, order, independence of the streams.

use super::{chi_square, chi_square_limit, fabric};
use crate::{
    DPORT, Flow, Generator, LoadReference, LongFlows, Offered, Pairs, SPORT_FIRST, SizeDistribution,
};
use closlab_units::Time;

fn poisson(sizes: &str, pairs: Pairs, seed: u64, count: usize) -> Vec<Flow> {
    let fabric = fabric(4, 16);
    let sizes = SizeDistribution::built_in(sizes).unwrap();
    let offered = Offered::resolve(&fabric, &sizes, pairs, 0.4, LoadReference::Uplinks).unwrap();
    let flows = Generator::poisson(&fabric, sizes, pairs, &offered, seed).unwrap();
    flows.take(count).collect()
}

fn table(flows: &[Flow]) -> Vec<String> {
    let row = |f: &Flow| {
        format!(
            "{:>13} {:>9} {:>2}->{:<2} {}",
            f.start.ps(),
            f.size,
            f.src,
            f.dst,
            f.sport
        )
    };
    flows.iter().map(row).collect()
}

/// Start in ps, size in bytes, hosts, source port. A change here is a change of results.
#[test]
fn the_first_flows_of_seed_1_are_fixed() {
    let expected = [
        "    166102690     47788 17->32 56956",
        "    228640156     27176 14->50 63083",
        "    250771863     17773 41->55 53338",
        "    269276016     71455 48->38 61393",
        "    313039772     94396 56->3  50138",
        "    420966132      1134 12->29 57989",
        "    495529332     49293  4->39 57672",
        "    569623910  20686936 58->5  53471",
    ];
    assert_eq!(
        table(&poisson("websearch", Pairs::OtherLeaf, 1, 8)),
        expected
    );
}

#[test]
fn flows_are_ordered_and_well_formed() {
    let flows = poisson("websearch", Pairs::Any, 3, 20_000);
    assert!(flows.is_sorted_by_key(|flow| flow.start));
    let mut ports = [0u32; 64];
    for flow in &flows {
        assert!(flow.size > 0 && flow.src != flow.dst);
        assert!(flow.sport >= SPORT_FIRST && flow.dport == DPORT);
        ports[usize::from(flow.sport - SPORT_FIRST) / 256] += 1;
    }
    assert!(chi_square(&ports) < chi_square_limit(63.0), "{ports:?}");
}

/// The arrival process is scaled by the mean size; beyond that, sizes move nothing.
#[test]
fn another_size_distribution_moves_neither_pairs_nor_ports_nor_the_shape_of_arrivals() {
    let fabric = fabric(4, 8);
    let flows = |sizes: &str| {
        let sizes = SizeDistribution::built_in(sizes).unwrap();
        let mut offered = Offered::resolve(
            &fabric,
            &sizes,
            Pairs::OtherLeaf,
            0.4,
            LoadReference::Uplinks,
        )
        .unwrap();
        offered.mean_interarrival_ps = 1e6;
        let flows = Generator::poisson(&fabric, sizes, Pairs::OtherLeaf, &offered, 9).unwrap();
        flows.take(1_000).collect::<Vec<_>>()
    };
    let (a, b) = (flows("websearch"), flows("datamining"));
    assert!(
        a.iter()
            .zip(&b)
            .all(|(a, b)| Flow { size: b.size, ..*a } == *b)
    );
    let differing = a.iter().zip(&b).filter(|(a, b)| a.size != b.size).count();
    assert!(differing > 990, "{differing}");
}

#[test]
fn another_pattern_moves_neither_arrivals_nor_sizes_nor_ports() {
    let a = poisson("websearch", Pairs::OtherLeaf, 9, 1_000);
    let b = poisson("websearch", Pairs::Permutation, 9, 1_000);
    assert!(a.iter().zip(&b).all(|(a, b)| Flow {
        src: b.src,
        dst: b.dst,
        ..*a
    } == *b));
    assert_ne!(a, b);
}

#[test]
fn seeds_repeat_and_differ() {
    let flows = |seed| poisson("datamining", Pairs::OtherLeaf, seed, 100);
    assert_eq!(flows(1), flows(1));
    let (a, b) = (flows(1), flows(2));
    assert!(a.iter().zip(&b).all(|(a, b)| a.start != b.start));
}

#[test]
fn long_flows_start_within_the_window_and_have_their_own_ports() {
    let fabric = fabric(4, 8);
    let long = LongFlows {
        flows_per_host: 300,
        size: 1_000_000_000,
        stagger: Time::from_us(100),
    };
    let generator = Generator::long_flows(&fabric, &long, Pairs::Permutation, 1).unwrap();
    let flows: Vec<Flow> = generator.collect();
    assert_eq!(flows.len(), 32 * 300);
    assert!(flows.is_sorted_by_key(|flow| flow.start));
    let last = flows[flows.len() - 1].start;
    assert!(
        last <= Time::from_us(100) && last > Time::from_us(99),
        "{last}"
    );
    assert!(flows[0].start < Time::from_us(1));
    let mut tuples: Vec<_> = flows.iter().map(|f| (f.src, f.dst, f.sport)).collect();
    tuples.sort_unstable();
    tuples.dedup();
    assert_eq!(tuples.len(), flows.len(), "a 5-tuple occurs twice");
    let mut windows = [0u32; 50];
    for flow in &flows {
        windows[(flow.start.ps() / 2_000_001) as usize] += 1;
    }
    assert!(chi_square(&windows) < chi_square_limit(49.0), "{windows:?}");
}

#[test]
fn without_stagger_long_flows_start_together_in_the_order_of_their_sources() {
    let fabric = fabric(2, 4);
    let long = LongFlows {
        flows_per_host: 2,
        size: 5,
        stagger: Time::ZERO,
    };
    let generator = Generator::long_flows(&fabric, &long, Pairs::OtherLeaf, 1).unwrap();
    let flows: Vec<Flow> = generator.collect();
    assert!(
        flows
            .iter()
            .all(|flow| flow.start == Time::ZERO && flow.size == 5)
    );
    let sources: Vec<u32> = flows.iter().map(|flow| flow.src.0).collect();
    assert_eq!(sources, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]);
}

#[test]
fn impossible_long_flows_are_refused() {
    let fabric = fabric(2, 2);
    let good = LongFlows {
        flows_per_host: 1,
        size: 1,
        stagger: Time::ZERO,
    };
    let refused = |long: LongFlows| {
        let result = Generator::long_flows(&fabric, &long, Pairs::Permutation, 1);
        result.map(|_| ()).unwrap_err().to_string()
    };
    let none = LongFlows {
        flows_per_host: 0,
        ..good
    };
    assert!(refused(none).starts_with("flows_per_host = 0"));
    let many = LongFlows {
        flows_per_host: 16_385,
        ..good
    };
    assert!(refused(many).contains("from 1 to 16384"));
    assert!(refused(LongFlows { size: 0, ..good }).starts_with("size = 0"));
    let all_ports = LongFlows {
        flows_per_host: 16_384,
        ..good
    };
    let generator = Generator::long_flows(&fabric, &all_ports, Pairs::Permutation, 1).unwrap();
    assert_eq!(generator.count(), 4 * 16_384);
}
