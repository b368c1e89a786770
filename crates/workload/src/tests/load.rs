//! Offered load: closed forms, refusals, and the load that the generator really offers.

use super::{SEEDS, fabric};
use crate::{Generator, LoadReference, Offered, Pairs, SizeDistribution};
use closlab_fabric::Fabric;

fn websearch() -> SizeDistribution {
    SizeDistribution::built_in("websearch").unwrap()
}

fn refusal(fabric: &Fabric, pairs: Pairs, load: f64, reference: LoadReference) -> String {
    let error = Offered::resolve(fabric, &websearch(), pairs, load, reference).unwrap_err();
    error.to_string()
}

#[test]
fn rates_have_their_closed_form() {
    // 2 leaves x 32 hosts x 10 Gbps over 2 x 4 x 40 Gbps: 2:1.
    let fabric = fabric(2, 32);
    let sizes = SizeDistribution::fixed(100_000).unwrap();
    let offered = Offered::resolve(
        &fabric,
        &sizes,
        Pairs::OtherLeaf,
        0.5,
        LoadReference::Uplinks,
    )
    .unwrap();
    assert_eq!(offered.reference_bps, 320_000_000_000);
    // 160 Gbps in flows of 800,000 bits.
    assert!((offered.flows_per_second - 200_000.0).abs() < 1e-6);
    assert!((offered.mean_interarrival_ps - 5e6).abs() < 1e-6);
    assert!((offered.uplink_load - 0.5).abs() < 1e-12);
    assert!((offered.host_load - 0.25).abs() < 1e-12);

    // Of 63 other hosts 32 are under the other leaf.
    let any = Offered::resolve(&fabric, &sizes, Pairs::Any, 0.5, LoadReference::Uplinks).unwrap();
    assert!((any.flows_per_second - 200_000.0 * 63.0 / 32.0).abs() < 1e-6);
    assert!((any.uplink_load - 0.5).abs() < 1e-12);

    let hosts = Offered::resolve(&fabric, &sizes, Pairs::Any, 0.5, LoadReference::Hosts).unwrap();
    assert_eq!(hosts.reference_bps, 640_000_000_000);
    assert!((hosts.flows_per_second - 400_000.0).abs() < 1e-6);
    assert!((hosts.host_load - 0.5).abs() < 1e-12);
    assert!((hosts.uplink_load - 32.0 / 63.0).abs() < 1e-12);
}

#[test]
fn wire_load_counts_the_headers_of_every_packet() {
    let fabric = fabric(2, 16);
    // 3 segments: 1460 + 1460 + 80 bytes of payload, 78 bytes of headers each.
    let sizes = SizeDistribution::fixed(3_000).unwrap();
    let offered = Offered::resolve(
        &fabric,
        &sizes,
        Pairs::OtherLeaf,
        0.6,
        LoadReference::Uplinks,
    )
    .unwrap();
    let wire = offered.wire_load(&sizes, 1_460, 78).unwrap();
    assert!((wire - 0.6 * 3_234.0 / 3_000.0).abs() < 1e-12, "{wire}");
    let error = offered.wire_load(&sizes, 0, 78).unwrap_err().to_string();
    assert!(error.starts_with("mss = 0"), "{error}");
}

#[test]
fn loads_outside_the_possible_are_refused_with_the_bound() {
    let two_to_one = fabric(2, 32);
    for bad in [0.0, -0.5, 1.0, 60.0, f64::NAN, f64::INFINITY] {
        let error = refusal(&two_to_one, Pairs::OtherLeaf, bad, LoadReference::Uplinks);
        assert!(error.starts_with(&format!("load = {bad}: ")), "{error}");
        assert!(error.contains("not a percentage"), "{error}");
    }
    // The hosts could send twice what the uplinks carry, so at most half of it.
    let error = refusal(&two_to_one, Pairs::OtherLeaf, 0.6, LoadReference::Hosts);
    assert!(error.contains("host to uplink capacity is 2:1"), "{error}");
    assert!(
        error.contains("uplink links could never") && error.contains("below 0.5000"),
        "{error}"
    );

    // The other way round: 12 hosts of 10 Gbps can't fill 160 Gbps of uplinks.
    let undersubscribed = fabric(2, 12);
    let error = refusal(
        &undersubscribed,
        Pairs::OtherLeaf,
        0.9,
        LoadReference::Uplinks,
    );
    assert!(
        error.contains("capacity is 3:4") && error.contains("host links could never"),
        "{error}"
    );
    assert!(error.contains("below 0.7500"), "{error}");
    let sizes = websearch();
    let just_below = Offered::resolve(
        &undersubscribed,
        &sizes,
        Pairs::OtherLeaf,
        0.7499,
        LoadReference::Uplinks,
    );
    assert!(just_below.is_ok());

    let one_leaf = fabric(1, 4);
    let error = refusal(&one_leaf, Pairs::Any, 0.5, LoadReference::Uplinks);
    assert!(error.contains("no flow crosses"), "{error}");
    let local = Offered::resolve(&one_leaf, &sizes, Pairs::Any, 0.5, LoadReference::Hosts);
    assert_eq!(local.unwrap().uplink_load, 0.0);
}

/// Every host sends as much as every other, so the slowest one bounds the load.
#[test]
fn the_slowest_host_bounds_the_load() {
    let mut fabric = fabric(2, 32);
    let slow = fabric.hosts[3].uplink;
    fabric.links[slow.index()].rate = closlab_units::Rate::from_gbps(2);
    // A load of 0.5 is 160 Gbps from 64 hosts: 2.5 Gbps from each.
    let error = refusal(&fabric, Pairs::OtherLeaf, 0.5, LoadReference::Uplinks);
    assert!(
        error.contains("host links would be loaded 1.250"),
        "{error}"
    );
    assert!(error.contains("below 0.4000"), "{error}");
}

/// The payload that crosses uplinks, over time and capacity, is the load within its confidence interval.
#[test]
fn the_generator_offers_the_load() {
    let fabric = fabric(4, 16);
    for (pairs, load) in [
        (Pairs::OtherLeaf, 0.3),
        (Pairs::Any, 0.6),
        (Pairs::Permutation, 0.9),
    ] {
        let sizes = websearch();
        let offered =
            Offered::resolve(&fabric, &sizes, pairs, load, LoadReference::Uplinks).unwrap();
        for seed in SEEDS {
            let flows = Generator::poisson(&fabric, sizes.clone(), pairs, &offered, seed).unwrap();
            let (mut bits, mut squares, mut end) = (0.0, 0.0, 0.0);
            for flow in flows.take(200_000) {
                end = flow.start.as_secs_f64();
                if fabric.host(flow.src).tor != fabric.host(flow.dst).tor {
                    let size = flow.size as f64 * 8.0;
                    bits += size;
                    squares += size * size;
                }
            }
            // A compound Poisson sum has the variance (number x mean square): estimated from the sample.
            let capacity = offered.reference_bps as f64 * end;
            let (measured, deviation) = (bits / capacity, f64::sqrt(squares) / capacity);
            let sigmas = (measured - load) / deviation;
            assert!(
                sigmas.abs() < 3.3,
                "{pairs:?}, seed {seed}: {measured} for {load}"
            );
            assert!(
                deviation < 0.01 * load,
                "the interval is too wide to tell anything"
            );
        }
    }
}
