//! The fabric of every figure in the four papers is a short scenario.

use closlab_fabric::figures::{Buffers, FIGURES};
use closlab_scenario::Scenario;

/// The figure's name, and the scenario that builds it.
const PAPERS: &[(&str, &str)] = &[
    (
        "letflow-fig1a",
        r#"fabric = { leaves = 3, spines = 2, hosts_per_leaf = 32, uplink_rate = "40Gbps" }
asymmetry.failed_links = ["leaf0-spine1"]"#,
    ),
    (
        "letflow-fig1b",
        r#"fabric = { leaves = 2, spines = 2, hosts_per_leaf = 32, links_per_pair = 2, uplink_rate = "40Gbps" }
asymmetry.failed_links = ["leaf1-spine1#1"]"#,
    ),
    (
        "letflow-fig13",
        r#"fabric = { leaves = 6, spines = 6, hosts_per_leaf = 48, striping = "pods", pods = 3 }"#,
    ),
    (
        "letflow-fig15",
        r#"asymmetry.failed_links = ["agg1.1-core1.1"]
[fabric]
kind = "three-tier"
pods = 2
cores_per_plane = 2
hosts_per_tor = 16
tor_rate = "40Gbps"
core_rate = "40Gbps"
host_delay = "1us"
tor_delay = "1us"
core_delay = "1us""#,
    ),
    (
        "letflow-fig17",
        r#"fabric = { leaves = 3, spines = 2, hosts_per_leaf = 32, uplink_rate = "80Gbps" }
asymmetry.rates = [{ link = "leaf2-spine1", rate = "10Gbps" }]
workload.load = 0.3"#,
    ),
    (
        "drill-fig4",
        r#"fabric = { leaves = 4, spines = 3, hosts_per_leaf = 12, uplink_rate = "40Gbps" }
asymmetry.failed_links = ["leaf0-spine0"]"#,
    ),
    (
        "drill-fig5",
        r#"fabric.kind = "facebook"
asymmetry.failed_links = ["rack0-fabric0"]"#,
    ),
    ("drill-fig10", r#"fabric.kind = "vl2""#),
    (
        "drill-fig13",
        r#"fabric = { leaves = 16, spines = 16, hosts_per_leaf = 48, striping = "next-spine" }"#,
    ),
    (
        "expeditus-fig6",
        r#"fabric = { kind = "three-tier", pods = 3, tors_per_pod = 3, cores_per_plane = 2 }
asymmetry.failed_links = ["agg0.0-core0.0"]"#,
    ),
    (
        "expeditus-baseline",
        r#"[fabric]
kind = "three-tier"
pods = 12
tors_per_pod = 6
aggregations_per_pod = 6
cores_per_plane = 3
hosts_per_tor = 6"#,
    ),
    (
        "expeditus-fat-tree",
        r#"fabric = { kind = "fat-tree", k = 12 }"#,
    ),
    (
        "expeditus-largest",
        r#"[fabric]
kind = "three-tier"
pods = 96
tors_per_pod = 48
aggregations_per_pod = 4
cores_per_plane = 48
hosts_per_tor = 16
tor_rate = "40Gbps"
core_rate = "40Gbps"
[measure]
window = "1ms"
limit = "1ms"
warmup = "0ms""#,
    ),
];

#[test]
fn every_figure_is_a_short_scenario() {
    for figure in FIGURES {
        let (_, text) = PAPERS
            .iter()
            .find(|(name, _)| *name == figure.name)
            .unwrap();
        let scenario = Scenario::from_toml(text).expect(text);
        let expected = (figure.build)(Buffers::default()).unwrap();
        assert_eq!(
            scenario.build_fabric().unwrap(),
            expected,
            "{}",
            figure.name
        );
    }
}

#[test]
fn every_figure_is_one_line_of_a_scenario() {
    for figure in FIGURES {
        let line = format!(
            "fabric = {{ kind = \"figure\", figure = \"{}\" }}",
            figure.name
        );
        // VL2's and Expeditus' figures can't all carry the default load; the load is not what is tested.
        let text = format!(
            "{line}\nworkload.load = 0.1\nmeasure.window = \"1ms\"\nmeasure.limit = \"1ms\""
        );
        let scenario = Scenario::from_toml(&text).expect(&text);
        let expected = (figure.build)(Buffers::default()).unwrap();
        assert_eq!(
            scenario.build_fabric().unwrap(),
            expected,
            "{}",
            figure.name
        );
    }
}

#[test]
fn drill_fig_1_is_a_short_scenario() {
    let scenario = Scenario::from_toml("fabric = { leaves = 4, spines = 3 }").unwrap();
    assert_eq!(scenario.describe_fabric().unwrap().paths, 3);
}
