//! What fails, when routing learns of it, and what the fabric then looks like.

use closlab_fabric::Convergence;
use closlab_scenario::{Role, Scenario};
use closlab_units::Time;

const FAILURES: &str = r#"
[failures]
changes = [
  { at = "30ms", switches = ["spine0"], up = true },
  { at = "20ms", links = ["leaf0-spine1"], switches = ["spine0"] },
]
grey = [
  { at = "10ms", link = "spine1->leaf0", loss = 0.01 },
  { at = "5ms", link = "leaf0-spine1", black_hole = 0.5 },
]
local_repair = false
[control_plane]
spf = "1ms"
"#;

#[test]
fn the_plan_is_in_order_of_time_and_covers_both_directions() {
    let scenario = Scenario::from_toml(FAILURES).unwrap();
    let fabric = scenario.build_fabric().unwrap();
    let plan = scenario.failure_plan(&fabric).unwrap();
    let changes: Vec<_> = plan
        .changes
        .iter()
        .map(|change| (change.at, change.links.len(), change.up))
        .collect();
    // A spine has four cables of two directions; one further cable fails with it.
    let ms = Time::from_ms;
    assert_eq!(changes, [(ms(20), 10, false), (ms(30), 8, true)]);
    let greys: Vec<_> = plan
        .greys
        .iter()
        .map(|grey| (grey.at, fabric.link_name(grey.link), grey.loss))
        .collect();
    let expected = [
        (ms(5), "leaf0->spine1".to_owned(), 0.0),
        (ms(5), "spine1->leaf0".to_owned(), 0.0),
        (ms(10), "spine1->leaf0".to_owned(), 0.01),
    ];
    assert_eq!(greys, expected);
    assert!(!plan.local_repair);
    assert_eq!(plan.convergence.spf, ms(1));
    assert_eq!(plan.convergence.detection, ms(150));
    let ideal = Scenario::from_toml("control_plane.convergence = \"ideal\"").unwrap();
    let plan = ideal.failure_plan(&fabric).unwrap();
    assert_eq!(plan.convergence, Convergence::IDEAL);
}

#[test]
fn unreachable_leaves_may_be_reported() {
    let text = "asymmetry.failed_switches = [\"leaf0\"]\ncontrol_plane.unreachable = \"report\"";
    let scenario = Scenario::from_toml(text).unwrap();
    let described = scenario.describe_fabric().unwrap();
    assert_eq!(described.summary.unreachable_pairs, 6);
    // The switch's cables to its 8 hosts and its 4 spines.
    assert_eq!(described.summary.failed_cables, 12);
}

#[test]
fn random_failures_follow_the_seed_and_the_limits() {
    let text = "asymmetry.random_failures = [{ between = [\"spine\", \"leaf\"], count = 4, per_switch = 1 }]";
    let failed = |extra: &str| {
        let scenario = Scenario::from_toml(&format!("{extra}\n{text}")).unwrap();
        let fabric = scenario.build_fabric().unwrap();
        let down = fabric.cables().filter(|&link| !fabric.link(link).up);
        down.collect::<Vec<_>>()
    };
    assert_eq!(failed("").len(), 4);
    assert_eq!(failed("seed = 1"), failed(""));
    assert!((2..10).any(|seed| failed(&format!("seed = {seed}")) != failed("")));
}

#[test]
fn the_graph_has_pods_hosts_and_failed_cables() {
    let text = "fabric.kind = \"fat-tree\"\nasymmetry.failed_links = [\"edge1.0-agg1.1\"]\n\
                asymmetry.rates = [{ link = \"agg0.0-core0.0\", rate = \"1Gbps\" }]";
    let scenario = Scenario::from_toml(text).unwrap();
    let graph = scenario.fabric_graph().unwrap();
    assert_eq!(graph.nodes.len(), 20);
    let edge = graph.nodes.iter().find(|node| node.name == "edge1.0");
    let edge = edge.unwrap();
    assert_eq!((edge.role, edge.index, edge.pod), ("leaf", 2, Some(1)));
    assert_eq!((edge.hosts, edge.host_bps), (2, 20_000_000_000));
    let core = graph.nodes.iter().find(|node| node.role == "core");
    assert_eq!(core.unwrap().pod, None);
    assert_eq!(
        graph.cables.iter().map(|cable| cable.parallel).sum::<u64>(),
        32
    );
    assert_eq!(graph.cables.iter().filter(|cable| !cable.up).count(), 1);
    let slow = graph
        .cables
        .iter()
        .filter(|cable| cable.rate.bps() == 1_000_000_000);
    assert_eq!(slow.count(), 1);
    let described = scenario.describe_fabric().unwrap();
    assert_eq!(described.oversubscription(Role::Core), None);
}

#[test]
fn lists_are_written_one_line_each_and_read_back() {
    let scenario = Scenario::from_toml(FAILURES).unwrap();
    let text = scenario.to_toml();
    let line = r#"  { at = "20ms", links = ["leaf0-spine1"], switches = ["spine0"], up = false },"#;
    assert!(text.contains(line), "{text}");
    assert_eq!(Scenario::from_toml(&text), Ok(scenario));
}
