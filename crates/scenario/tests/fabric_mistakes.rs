//! What a user gets wrong about fabrics, asymmetry and failures, and what the scenario answers.

use closlab_scenario::Scenario;

const MISTAKES: &[(&str, &str)] = &[
    (
        r#"leaves = 8"#,
        r#"leaves: unknown field here; it belongs to [fabric]"#,
    ),
    (
        r#"[fabric]
kind = "fat-tree"
k = 5"#,
        r#"fabric.k: 5: half of a switch's ports lead up and half lead down; write an even number of at least 2, such as 12"#,
    ),
    (
        r#"[fabric]
kind = "fat-tree"
spines = 4"#,
        r#"fabric.spines: kind = "fat-tree" has no such field, kind = "leaf-spine" has; known: k, rate, host_delay, link_delay, buffer, nic_buffer, ecn_threshold"#,
    ),
    (
        r#"[fabric]
kind = "vl2"
aggregates = 3"#,
        r#"fabric.aggregates: 3: each ToR connects to a pair of aggregate switches; write an even number, such as 8"#,
    ),
    (
        r#"[fabric]
kind = "vl2"
link_rate = "0bps""#,
        r#"fabric.link_rate: "0bps" is too small; write 1bps to 8Tbps"#,
    ),
    (
        r#"[fabric]
kind = "three-tier"
pods = 60000
tors_per_pod = 60000"#,
        r#"fabric: it would have 28800240000 directed links, and 1048576 is the most; write fewer"#,
    ),
    (
        r#"[fabric]
striping = "pods""#,
        r#"fabric.pods: missing, since striping = "pods" needs it; write such as pods = 2"#,
    ),
    (
        r#"[fabric]
pods = 2"#,
        r#"fabric.pods: 2 has no effect with this striping; remove it, or set striping = "pods""#,
    ),
    (
        r#"[fabric]
striping = "pods"
pods = 3"#,
        r#"fabric.pods: 3: 4 leaves can't be dealt equally to 3 pods; write a number that divides 4"#,
    ),
    (
        r#"[fabric]
kind = "file""#,
        r#"fabric.switches: 0 switches: none of them is a leaf, so no host could be connected; give at least one switch the role leaf"#,
    ),
    (
        r#"[fabric]
kind = "file"
switches = "leaf0""#,
        r#"fabric.switches: "leaf0" is not a list; write it in brackets, as [...]"#,
    ),
    (
        r#"[fabric]
kind = "file"
switches = ["leaf0"]"#,
        r#"fabric.switches[0]: "leaf0" is not a table; write its fields in braces"#,
    ),
    (
        r#"[fabric]
kind = "file"
switches = [{ name = "leaf0" }]"#,
        r#"fabric.switches[0].role: missing; it has to be written (fields: name, role)"#,
    ),
    (
        r#"[fabric]
kind = "file"
switches = [{ name = "leaf0", role = "tor" }]"#,
        r#"fabric.switches[0].role: "tor" is not a choice; known: leaf, aggregation, spine, core"#,
    ),
    (
        r#"[fabric]
kind = "file"
switches = [{ name = "leaf0", role = "leaf", hosts = 4 }]"#,
        r#"fabric.switches[0].hosts: unknown field; known: name, role"#,
    ),
    (
        r#"[fabric]
kind = "file"
switches = [{ name = "leaf0", role = "leaf" }]
hosts = [{ name = "a" }, { name = "b" }]
cables = [{ ends = ["a", "leaf0"], rate = "10Gbps" }, { ends = ["b", "leaf1"], rate = "10Gbps" }]"#,
        r#"fabric.cables[1].ends: leaf1: there is no switch or host of this name; the nearest name is "leaf0""#,
    ),
    (
        r#"[fabric]
kind = "file"
switches = [{ name = "l0", role = "leaf" }, { name = "l1", role = "leaf" }]
hosts = [{ name = "a" }, { name = "b" }]
cables = [{ ends = ["a", "l0"], rate = "10Gbps" }, { ends = ["b", "l1"], rate = "10Gbps" }]"#,
        r#"fabric: l1 -> l0: no path is left between these leaves, nor from l0 -> l1; keep a working path between every two leaves, or set control_plane.unreachable = "report""#,
    ),
    (
        r#"[fabric]
kind = "file"
cables = [{ ends = ["a", "b", "c"], rate = "10Gbps" }]"#,
        r#"fabric.cables[0].ends: ["a","b","c"] is too long; write 2 in brackets"#,
    ),
    (
        r#"[asymmetry]
failed_links = ["leaf0-spine9"]"#,
        r#"asymmetry.failed_links[0]: leaf0-spine9: the fabric has no such link; the nearest name is "leaf0-spine0""#,
    ),
    (
        r#"[asymmetry]
failed_switches = ["spin1"]"#,
        r#"asymmetry.failed_switches[0]: spin1: the fabric has no such switch; the nearest name is "spine1""#,
    ),
    (
        r#"[asymmetry]
rates = [{ link = "leaf0-spine1", rate = "0bps" }]"#,
        r#"asymmetry.rates[0].rate: "0bps" is too small; write 1bps to 8Tbps"#,
    ),
    (
        r#"[asymmetry]
rates = [{ link = "leaf0-spine1" }]"#,
        r#"asymmetry.rates[0].rate: missing; it has to be written (fields: link, rate)"#,
    ),
    (
        r#"[asymmetry]
extra_cables = [{ beside = "host0-leaf0" }]"#,
        r#"asymmetry.extra_cables[0].beside: host0-leaf0: a host has one network interface, so it takes one cable; name a cable between two switches"#,
    ),
    (
        r#"[asymmetry]
failed_switches = ["spine0", "spine1", "spine2", "spine3"]"#,
        r#"asymmetry: leaf1 -> leaf0: no path is left between these leaves, nor from leaf2 -> leaf0, leaf3 -> leaf0 and for 9 more pairs; keep a working path between every two leaves, or set control_plane.unreachable = "report""#,
    ),
    (
        r#"[asymmetry]
failed_links = ["host3-leaf0"]"#,
        r#"asymmetry: host3: its cable has failed; keep it working, or set control_plane.unreachable = "report""#,
    ),
    (
        r#"[asymmetry]
random_failures = [{ between = ["tor", "spine"], count = 1 }]"#,
        r#"asymmetry.random_failures[0].between[0]: "tor" is not a choice; known: leaf, aggregation, spine, core"#,
    ),
    (
        r#"[asymmetry]
random_failures = [{ between = ["leaf", "core"], count = 1 }]"#,
        r#"asymmetry.random_failures[0].count: 1: only 0 of the 0 cables in question can fail together; let fewer fail, or raise per_switch"#,
    ),
    (
        r#"[asymmetry]
random_failures = [{ between = ["leaf", "spine"], count = 9, per_switch = 2 }]"#,
        r#"asymmetry.random_failures[0].count: 9: only 8 of the 16 cables in question can fail together; let fewer fail, or raise per_switch"#,
    ),
    (
        r#"[failures]
changes = [{ at = "20ms" }]"#,
        r#"failures.changes[0]: neither links nor switches change; write one, as links = ["leaf0-spine1"]"#,
    ),
    (
        r#"[failures]
changes = [{ links = ["leaf0-spine1"] }]"#,
        r#"failures.changes[0].at: missing; it has to be written (fields: at, links, switches, up)"#,
    ),
    (
        r#"[failures]
changes = [{ at = "20ms", links = ["leaf0-spine8"] }]"#,
        r#"failures.changes[0].links[0]: leaf0-spine8: the fabric has no such link; the nearest name is "leaf0-spine0""#,
    ),
    (
        r#"[failures]
changes = [{ at = "20ms", switches = ["leaf9"] }]"#,
        r#"failures.changes[0].switches[0]: leaf9: the fabric has no such switch; the nearest name is "leaf0""#,
    ),
    (
        r#"[failures]
changes = [{ at = "2s", links = ["leaf0-spine1"] }]"#,
        r#"failures.changes[0].at: 2s is not before the run's end at 1055ms (measure.warmup, window and limit); write less"#,
    ),
    (
        r#"[failures]
grey = [{ at = "10ms", link = "leaf0>spine1", loss = 0.01 }]"#,
        r#"failures.grey[0].link: leaf0>spine1: the fabric has no such link; the nearest name is "leaf0-spine1""#,
    ),
    (
        r#"[failures]
grey = [{ at = "10ms", link = "leaf0->spine1", loss = 1.5 }]"#,
        r#"failures.grey[0].loss: 1.5 is too large; write a number from 0 to 1"#,
    ),
    (
        r#"[control_plane]
convergence = "ideal"
detection = "1ms""#,
        r#"control_plane.detection: convergence = "ideal" has no such field, convergence = "ospf" has; known: unreachable"#,
    ),
    (
        r#"[control_plane]
convergence = "bgp""#,
        r#"control_plane.convergence: unknown convergence "bgp"; known: ospf, ideal"#,
    ),
    (
        r#"[control_plane]
unreachable = "ignore""#,
        r#"control_plane.unreachable: "ignore" is not a choice; known: error, report"#,
    ),
];

#[test]
fn every_mistake_is_answered_with_path_value_and_remedy() {
    for (written, answer) in MISTAKES {
        let got = Scenario::from_toml(written).expect_err(written);
        assert_eq!(got.to_string(), *answer, "for {written}");
    }
}
