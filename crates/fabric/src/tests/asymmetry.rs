//! Names, additional cables, other rates, failures.

use super::{leaf_spine, three_tier};
use crate::{Asymmetry, Endpoint, ExtraCables, Fabric, RandomFailures, RateOverride, Role, Routes};
use closlab_units::{LinkId, NodeId, PortId, Rate, TorId};

fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn down(fabric: &Fabric) -> Vec<String> {
    let failed = fabric.cables().filter(|&link| !fabric.link(link).up);
    failed.map(|link| fabric.cable_name(link)).collect()
}

#[test]
fn cables_are_found_by_the_names_they_have() {
    let fabric = leaf_spine(2, 2, 2, 2).build().unwrap();
    let found = |name: &str| {
        let links = fabric.cables_named(name).unwrap();
        links
            .iter()
            .map(|&link| fabric.link_name(link))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found("leaf1-spine0"),
        ["leaf1->spine0#0", "leaf1->spine0#1"]
    );
    assert_eq!(found("leaf1-spine0#1"), ["leaf1->spine0#1"]);
    assert_eq!(found("spine0-leaf1#1"), ["spine0->leaf1#1"]);
    assert_eq!(found("host3-leaf1"), ["host3->leaf1"]);
    assert_eq!(found("leaf1-host3"), ["leaf1->host3"]);
    assert_eq!(fabric.cables().count(), fabric.links.len() / 2);
    for link in fabric.cables() {
        let name = fabric.cable_name(link);
        assert_eq!(fabric.cables_named(&name).unwrap(), [link], "{name}");
        assert_eq!(fabric.cable_name(fabric.reverse(link)), name);
    }
}

#[test]
fn unknown_names_get_the_nearest_known_one() {
    let built = || leaf_spine(3, 2, 2, 2).build().unwrap();
    let cases = [
        ("leaf1-spin0#1", "leaf1-spine0#1"),
        ("leaf2-spine1#2", "leaf2-spine1#0"),
        ("leaf0-leaf1#0", "leaf0-spine1#0"),
        ("host9-leaf2", "host4-leaf2"),
        ("leaf1spine1#0", "leaf1-spine1#0"),
    ];
    for (wrong, nearest) in cases {
        let failed_links = texts(&["leaf0-spine0", wrong]);
        let asymmetry = Asymmetry {
            failed_links,
            ..Asymmetry::default()
        };
        let error = asymmetry.apply(built()).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!(
                "failed_links[1] = {wrong}: the fabric has no such link"
            )),
            "{error}"
        );
        assert!(error.ends_with(&format!("{nearest:?}")), "{error}");
    }
    let failed_switches = texts(&["spin1"]);
    let asymmetry = Asymmetry {
        failed_switches,
        ..Asymmetry::default()
    };
    let error = asymmetry.apply(built()).unwrap_err().to_string();
    assert_eq!(
        error,
        "failed_switches[0] = spin1: the fabric has no such switch; the nearest name is \"spine1\""
    );
}

#[test]
fn additional_cables_are_like_the_first_and_take_new_ports() {
    let before = leaf_spine(2, 2, 2, 1).build().unwrap();
    let asymmetry = Asymmetry {
        extra_cables: vec![ExtraCables {
            beside: "leaf1-spine0".to_owned(),
            count: 2,
        }],
        failed_links: texts(&["leaf1-spine0#2"]),
        ..Asymmetry::default()
    };
    let after = asymmetry.apply(before.clone()).unwrap();
    assert_eq!(after.links[..before.links.len()], before.links);
    assert_eq!(after.links.len(), before.links.len() + 4);
    assert_eq!(down(&after), ["leaf1-spine0#2"]);
    let (first, added) = (
        before.cables_named("leaf1-spine0").unwrap()[0],
        before.links.len(),
    );
    for (offset, original) in [(0, first), (1, before.reverse(first))] {
        let (like, new) = (before.link(original), after.links[added + offset]);
        assert_eq!(
            (new.from, new.to, new.rate),
            (like.from, like.to, like.rate)
        );
        assert_eq!((new.delay, new.buffer), (like.delay, like.buffer));
    }
    let routes = Routes::compute(&after).unwrap();
    let up = &routes.group(NodeId(1), TorId(0)).unwrap().ports;
    assert_eq!(*up, [PortId(2), PortId(3), PortId(4)]);
    assert_eq!(routes.path_count(&after, TorId(0), TorId(1)), 3);
    for (beside, count, part) in [
        ("host0-leaf0", 1, "one cable"),
        ("leaf1-spine0", 0, "at least 1"),
    ] {
        let extra_cables = vec![ExtraCables {
            beside: beside.to_owned(),
            count,
        }];
        let asymmetry = Asymmetry {
            extra_cables,
            ..Asymmetry::default()
        };
        let error = asymmetry.apply(before.clone()).unwrap_err().to_string();
        assert!(
            error.starts_with("extra_cables[0]") && error.contains(part),
            "{error}"
        );
    }
}

#[test]
fn rates_change_in_both_directions() {
    let before = leaf_spine(2, 2, 1, 2).build().unwrap();
    let with = |link: &str, gbps| {
        let rates = vec![RateOverride {
            link: link.to_owned(),
            rate: Rate::from_gbps(gbps),
        }];
        Asymmetry {
            rates,
            ..Asymmetry::default()
        }
        .apply(before.clone())
    };
    let after = with("spine1-leaf0#1", 10).unwrap();
    let changed: Vec<String> = (0..after.links.len() as u32)
        .map(LinkId)
        .filter(|&id| after.link(id) != before.link(id))
        .map(|id| after.link_name(id))
        .collect();
    assert_eq!(changed, ["leaf0->spine1#1", "spine1->leaf0#1"]);
    let slow = after.cables_named(&changed[0].replace("->", "-")).unwrap()[0];
    assert_eq!(after.link(slow).rate, Rate::from_gbps(10));
    let error = with("leaf0-spine0", 0).unwrap_err().to_string();
    assert!(
        error.starts_with("rates[0].rate = 0bps: nothing would ever leave"),
        "{error}"
    );
    let error = with("leaf0-spine7", 1).unwrap_err().to_string();
    assert!(
        error.starts_with("rates[0].link = leaf0-spine7: "),
        "{error}"
    );
}

#[test]
fn a_failed_switch_loses_all_its_cables() {
    let built = leaf_spine(3, 2, 2, 1).build().unwrap();
    let fail = |name: &str| {
        let failed_switches = texts(&[name]);
        Asymmetry {
            failed_switches,
            ..Asymmetry::default()
        }
        .apply(built.clone())
        .unwrap()
    };
    let spine = fail("spine1");
    assert_eq!(
        down(&spine),
        ["leaf0-spine1", "leaf1-spine1", "leaf2-spine1"]
    );
    assert!(Routes::compute(&spine).is_ok());
    let leaf = fail("leaf1");
    assert_eq!(down(&leaf).len(), 4);
    assert!(!leaf.host_is_up(closlab_units::HostId(2)));
    assert_eq!(
        Routes::compute_partial(&leaf)
            .unwrap()
            .unreachable_pairs()
            .count(),
        4
    );
}

/// So many of the cables between aggregation switches and cores of the 12-pod fat-tree's first pod.
fn expeditus_failures(count: u32, seed: u64) -> RandomFailures {
    RandomFailures {
        between: (Role::Core, Role::Aggregation),
        count,
        per_switch: Some(2),
        switches: texts(&["agg0.*"]),
        seed,
    }
}

fn fail_at_random(fabric: Fabric, failures: &[RandomFailures]) -> Result<Fabric, String> {
    let random_failures = failures.to_vec();
    let asymmetry = Asymmetry {
        random_failures,
        ..Asymmetry::default()
    };
    asymmetry.apply(fabric).map_err(|error| error.to_string())
}

#[test]
fn random_failures_keep_to_their_tier_pod_and_limit() {
    let built = three_tier(12, 6, 6, 6, 6).build().unwrap();
    let mut drawn = Vec::new();
    for seed in 0..40 {
        // All of Expeditus' limit: two at each of six aggregation switches.
        let failures = [expeditus_failures(12, seed)];
        let fabric = fail_at_random(built.clone(), &failures).unwrap();
        let names = down(&fabric);
        assert_eq!(names.len(), 12);
        for i in 0..6 {
            let of_switch = names
                .iter()
                .filter(|n| n.starts_with(&format!("agg0.{i}-core{i}.")));
            assert_eq!(of_switch.count(), 2, "{names:?}");
        }
        assert!(Routes::compute(&fabric).is_ok());
        assert_eq!(fail_at_random(built.clone(), &failures).unwrap(), fabric);
        drawn.push(names);
    }
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn.len(), 40, "seeds draw alike");
}

#[test]
fn random_failures_are_uniform_over_the_cables() {
    // Each of 16 cables fails in 1 of 4 draws: 800 of 3,200, standard deviation 24.5; 5 of them make 123.
    let built = leaf_spine(4, 4, 1, 1).build().unwrap();
    let mut counts = vec![0i32; built.links.len()];
    for seed in 0..3_200 {
        let failures = RandomFailures {
            between: (Role::Leaf, Role::Spine),
            count: 4,
            per_switch: None,
            switches: Vec::new(),
            seed,
        };
        let fabric = fail_at_random(built.clone(), &[failures]).unwrap();
        for link in fabric.cables().filter(|&link| !fabric.link(link).up) {
            counts[link.index()] += 1;
        }
    }
    for link in built.cables() {
        let host = matches!(built.link(link).from, Endpoint::Host(_));
        let expected = if host { 0..=0 } else { 677..=923 };
        assert!(
            expected.contains(&counts[link.index()]),
            "{link} {counts:?}"
        );
    }
}

#[test]
fn earlier_failures_count_and_entries_draw_apart() {
    let built = three_tier(2, 2, 2, 6, 2).build().unwrap();
    let one = expeditus_failures(1, 7);
    let fabric = fail_at_random(built.clone(), &[one.clone(), one.clone(), one.clone()]).unwrap();
    assert_eq!(down(&fabric).len(), 3, "a cable failed twice");
    // The same entry in another place of the list draws otherwise.
    let differs = (0..20).filter(|&seed| {
        let (none, one) = (expeditus_failures(0, seed), expeditus_failures(1, seed));
        let alone = fail_at_random(built.clone(), std::slice::from_ref(&one)).unwrap();
        down(&alone) != down(&fail_at_random(built.clone(), &[none, one]).unwrap())
    });
    assert!(differs.count() > 10);
    let error = fail_at_random(
        built.clone(),
        &[expeditus_failures(3, 7), expeditus_failures(2, 7)],
    );
    let error = error.unwrap_err();
    assert!(
        error.starts_with("random_failures[1].count = 2: only 1 of the 9 cables"),
        "{error}"
    );
    let none = RandomFailures {
        switches: texts(&["agg7.*"]),
        ..one
    };
    let error = fail_at_random(built, &[none]).unwrap_err();
    assert!(
        error.starts_with("random_failures[0].switches = agg7.*: "),
        "{error}"
    );
    assert!(error.contains("agg0.0"), "{error}");
}
