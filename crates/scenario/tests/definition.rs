//! What is generated from the definition is whole.

use closlab_balance::manual::StateSize;
use closlab_balance::registry::MANUALS;
use closlab_scenario::{Role, Scenario, Scheme, reference_markdown, schema};
use closlab_units::Time;

#[test]
fn every_field_of_the_reference_has_a_meaning_and_a_source() {
    let page = reference_markdown();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert!(rows.len() > 50, "{page}");
    for row in rows {
        assert_eq!(row.len(), 5, "{row:?}");
        let tag = row[0].ends_with(".kind`") || row[0].ends_with(".convergence`");
        for cell in &row[..if tag { 4 } else { 5 }] {
            assert!(!cell.is_empty(), "{row:?}");
        }
    }
}

#[test]
fn the_schema_knows_every_scheme_and_its_parameters() {
    let schema = schema();
    let schemes = schema["$defs"]["Scheme"]["oneOf"].as_array().unwrap();
    assert_eq!(schemes.len(), MANUALS.len());
    for (scheme, manual) in schemes.iter().zip(MANUALS) {
        assert_eq!(scheme["properties"]["name"]["const"], manual.name);
        assert_eq!(scheme["additionalProperties"], false);
        let params = scheme["properties"].as_object().unwrap().keys().skip(1);
        assert!(params.eq(manual.params.iter().map(|param| param.name)));
    }
}

#[test]
fn schemes_alone_are_checked_and_sized() {
    let drill = Scheme::from_json("drill", r#"{"m": 2}"#).unwrap();
    assert_eq!(drill.values, [2, 2]);
    let size = StateSize {
        ports: 32,
        engines: 4,
        groups: 8,
    };
    assert_eq!(drill.state_bits(size), Ok(4 * (2 * 8 * 5 + 64)));
    let answer = |name, params| Scheme::from_json(name, params).unwrap_err().to_string();
    assert_eq!(
        answer("dril", "{}"),
        "scheme.name: unknown scheme \"dril\"; did you mean \"drill\"? Known: ecmp, random-packet, \
         round-robin-packet, drill, letflow"
    );
    assert_eq!(
        answer("drill", r#"{"d": 0}"#),
        "scheme.d: 0 is too small; write a whole number from 1 to 256"
    );
    let huge = StateSize {
        ports: 1 << 40,
        ..size
    };
    assert_eq!(
        drill.state_bits(huge).unwrap_err().to_string(),
        "ports: 1099511627776 is too large; write at most 65536"
    );
}

#[test]
fn a_fabric_is_described_by_hand_counted_numbers() {
    let fabric = Scenario::default().describe_fabric().unwrap();
    let summary = &fabric.summary;
    assert_eq!(
        (summary.hosts, fabric.leaves(), fabric.switches()),
        (32, 4, 8)
    );
    assert_eq!((fabric.links, summary.cables), (96, 48));
    assert_eq!(fabric.oversubscription(Role::Leaf), Some("2:1".to_owned()));
    assert_eq!(fabric.oversubscription(Role::Spine), None);
    assert_eq!(fabric.uplink_capacity_bps, 160_000_000_000);
    assert_eq!(summary.bisection_bps, 80_000_000_000);
    assert_eq!(fabric.paths, 4);
    // Four links each way: 1 us of propagation, 1538 B there and 84 B back at 800 ps a byte.
    let expected = 8 * 1_000_000 + 4 * 800 * (1538 + 84);
    assert_eq!(summary.base_rtt, Some(Time::from_ps(expected)));
}

#[test]
fn permutations_start_in_the_window() {
    let scenario = Scenario::from_toml("workload.kind = \"permutation\"").unwrap();
    let fabric = scenario.build_fabric().unwrap();
    let flows: Vec<_> = scenario.generator(&fabric).unwrap().collect();
    assert_eq!(flows.len(), 32);
    for flow in flows {
        assert!((Time::from_ms(5)..=Time::from_ms(6)).contains(&flow.start));
    }
}

#[test]
fn every_default_scheme_parameter_survives_its_written_form() {
    for manual in MANUALS {
        let text = format!("[scheme]\nname = \"{}\"", manual.name);
        let scenario = Scenario::from_toml(&text).unwrap();
        assert_eq!(scenario.scheme_values(), manual.defaults());
        assert_eq!(Scenario::from_toml(&scenario.to_toml()), Ok(scenario));
    }
}
