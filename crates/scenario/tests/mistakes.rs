//! Every mistake that a new user makes, and the whole answer that it gets.

use closlab_scenario::Scenario;

/// What was written, and the answer.
const MISTAKES: &[(&str, &str)] = &[
    (
        r#"[farbic]
leaves = 4"#,
        r#"farbic: unknown section; did you mean "fabric"? Known: name, seed, fabric, asymmetry, failures, control_plane, switch, scheme, transport, workload, measure"#,
    ),
    (
        r#"[fabric]
leafs = 4"#,
        r#"fabric.leafs: unknown field; did you mean "leaves"? Known: leaves, spines, hosts_per_leaf, links_per_pair, striping, pods, host_rate, uplink_rate, host_delay, uplink_delay, buffer, nic_buffer, ecn_threshold"#,
    ),
    (
        r#"load = 0.5"#,
        r#"load: unknown field here; it belongs to [workload]"#,
    ),
    (
        r#"[fabric]
load = 0.5"#,
        r#"fabric.load: unknown field here; it belongs to [workload]"#,
    ),
    (
        r#"[fabric]
host_rate = "10Gb""#,
        r#"fabric.host_rate: "10Gb" is not a rate: unknown unit "Gb"; write a number and one of bps, Kbps, kbps, Mbps, Gbps, Tbps (for example "10Gbps")"#,
    ),
    (
        r#"[fabric]
host_rate = 10"#,
        r#"fabric.host_rate: 10 has no unit; write a text of number and unit, as "10Gbps""#,
    ),
    (
        r#"[fabric]
host_rate = "0Gbps""#,
        r#"fabric.host_rate: "0Gbps" is too small; write 1bps to 8Tbps"#,
    ),
    (
        r#"[fabric]
host_rate = "100Tbps""#,
        r#"fabric.host_rate: "100Tbps" is too large; write 1bps to 8Tbps"#,
    ),
    (
        r#"[fabric]
leaves = 0"#,
        r#"fabric.leaves: 0 is too small; write a whole number from 1 to 65535"#,
    ),
    (
        r#"[fabric]
leaves = 70000"#,
        r#"fabric.leaves: 70000 is too large; write a whole number from 1 to 65535"#,
    ),
    (
        r#"[fabric]
leaves = -1"#,
        r#"fabric.leaves: -1 is too small; write a whole number from 1 to 65535"#,
    ),
    (
        r#"[fabric]
leaves = 4.5"#,
        r#"fabric.leaves: 4.5 is not a whole number; write a whole number from 1 to 65535"#,
    ),
    (
        r#"[fabric]
leaves = "four""#,
        r#"fabric.leaves: "four" is not a whole number; write a whole number from 1 to 65535"#,
    ),
    (
        r#"[fabric]
leaves = 65535
spines = 65535"#,
        r#"fabric: 65535 leaves of 8 hosts and 65535 x 1 uplinks have 8590721010 directed links, and 1048576 is the most; write fewer"#,
    ),
    (
        r#"[fabric]
kind = "fattree""#,
        r#"fabric.kind: unknown kind "fattree"; did you mean "fat-tree"? Known: leaf-spine, three-tier, fat-tree, vl2, facebook, file, figure"#,
    ),
    (
        r#"[fabric]
leaves = 1"#,
        r#"workload.pairs: "other-leaf" needs hosts under at least 2 leaves, and fabric.leaves is 1; write more leaves, or pairs = "any" of kind = "poisson""#,
    ),
    (
        r#"[fabric]
hosts_per_leaf = 1
leaves = 1"#,
        r#"fabric.hosts_per_leaf: 1: the fabric's only host would have nobody to send to; write at least 2, or more leaves"#,
    ),
    (
        r#"[fabric]
buffer = "1KB""#,
        r#"fabric.buffer: 1KB does not hold one full packet; write at least 1538B (transport.mss and 78 B of headers and framing)"#,
    ),
    (
        r#"[fabric]
buffer = "200GB"
host_rate = "1Mbps""#,
        r#"fabric.buffer: 200GB take longer than 86400s to send at 1Mbps; write less"#,
    ),
    (
        r#"[fabric]
buffer = "99999999999999999999GB""#,
        r#"fabric.buffer: "99999999999999999999GB" is not a size: it is too large; write a number and one of B, kB, KB, KiB, MB, MiB, GB, GiB (for example "64KB")"#,
    ),
    (
        r#"[fabric]
ecn_threshold = "97.5KB""#,
        r#"fabric.ecn_threshold: 97500B would never mark anything, since flows are not ECN-capable; set transport.ecn = true or remove it"#,
    ),
    (
        r#"[transport]
ecn = true"#,
        r#"transport.ecn: true has no effect, since no switch marks packets; set fabric.ecn_threshold, such as "97.5KB", or set it to false"#,
    ),
    (
        r#"[fabric]
ecn_threshold = "150KB"
[transport]
ecn = true"#,
        r#"fabric.ecn_threshold: 150KB would never mark anything, since a queue holds 150KB at most; write less than fabric.buffer"#,
    ),
    (
        r#"[workload]
load = 1.5"#,
        r#"workload.load: 1.5 is too large; write a number above 0 and below 1"#,
    ),
    (
        r#"[workload]
load = 0"#,
        r#"workload.load: 0 is too small; write a number above 0 and below 1"#,
    ),
    (
        r#"[workload]
load = -1"#,
        r#"workload.load: -1 is too small; write a number above 0 and below 1"#,
    ),
    (
        r#"[workload]
load = 1"#,
        r#"workload.load: 1 is too large; write a number above 0 and below 1"#,
    ),
    (
        r#"[workload]
load = nan"#,
        r#"workload.load: NaN is not a finite number; write one with digits"#,
    ),
    (
        r#"[workload]
load = "high""#,
        r#"workload.load: "high" is not a number; write a number above 0 and below 1"#,
    ),
    (
        r#"[workload]
load = "50%""#,
        r#"workload.load: "50%" is not a number; write a number above 0 and below 1"#,
    ),
    (
        r#"[workload]
kind = "permutation"
load = 0.5"#,
        r#"workload.load: kind = "permutation" has no such field, kind = "poisson" has; known: flows_per_host, size, stagger"#,
    ),
    (
        r#"[workload]
kind = "poison""#,
        r#"workload.kind: unknown kind "poison"; did you mean "poisson"? Known: poisson, permutation"#,
    ),
    (
        r#"[workload]
sizes = "web-search""#,
        r#"workload.sizes: "web-search" is not a choice; did you mean "websearch"? Known: websearch, datamining, fixed"#,
    ),
    (
        r#"[workload]
sizes = "fixed""#,
        r#"workload.size: missing, since sizes = "fixed" needs it; write such as size = "1MB""#,
    ),
    (
        r#"[workload]
size = "1MB""#,
        r#"workload.size: 1MB has no effect with these sizes; remove it, or set sizes = "fixed""#,
    ),
    (
        r#"[fabric]
spines = 16
[workload]
load = 0.8"#,
        r#"workload.load: 0.8: host links would be loaded 1.600 and uplinks 0.800 (host to uplink capacity is 1:2), so the host links could never carry it; write a load below 0.5000"#,
    ),
    (
        r#"[workload]
load = 0.8
load_reference = "hosts""#,
        r#"workload.load: 0.8: host links would be loaded 0.800 and uplinks 1.600 (host to uplink capacity is 2:1), so the uplink links could never carry it; write a load below 0.5000"#,
    ),
    (
        r#"[workload]
kind = "permutation"
flows_per_host = 20000"#,
        r#"workload.flows_per_host: 20000 is too large; write a whole number from 1 to 16384"#,
    ),
    (
        r#"[workload]
kind = "permutation"
stagger = "1s""#,
        r#"workload.stagger: 1s is more than measure.window = 50ms: some flows would not be measured; lower it or raise the window"#,
    ),
    (
        r#"[scheme]
name = "dril""#,
        r#"scheme.name: unknown scheme "dril"; did you mean "drill"? Known: ecmp, random-packet, round-robin-packet, drill, letflow"#,
    ),
    (
        r#"scheme = "drill""#,
        r#"scheme: "drill" is not a section; write [scheme] and below it name = "drill""#,
    ),
    (
        r#"[scheme]
name = "drill"
k = 2"#,
        r#"scheme.k: "drill" has no such field; known: d, m"#,
    ),
    (
        r#"[scheme]
name = "drill"
flowlet_timeout = "100us""#,
        r#"scheme.flowlet_timeout: "drill" has no such field, "letflow" has; known: d, m"#,
    ),
    (
        r#"[scheme]
d = 2"#,
        r#"scheme.d: "ecmp" has no such field, "drill" has; remove it"#,
    ),
    (
        r#"[scheme]
name = "drill"
d = 0"#,
        r#"scheme.d: 0 is too small; write a whole number from 1 to 256"#,
    ),
    (
        r#"[scheme]
name = "letflow"
flowlet_timeout = 100"#,
        r#"scheme.flowlet_timeout: 100 has no unit; write a text of number and unit, as "500us""#,
    ),
    (
        r#"[scheme]
name = "letflow"
flowlet_timeout = "1ps""#,
        r#"scheme.flowlet_timeout: "1ps" is too small; write 1ns to 1s"#,
    ),
    (
        r#"[scheme]
name = "letflow"
flowlet_timout = "1us""#,
        r#"scheme.flowlet_timout: "letflow" has no such field; did you mean "flowlet_timeout"? Known: flowlet_timeout, entries"#,
    ),
    (
        r#"[switch]
engines = 0"#,
        r#"switch.engines: 0 is too small; write a whole number from 1 to 65535"#,
    ),
    (
        r#"[switch]
engines = 5"#,
        r#"switch.engines: 5 are more than the 4 ports of a spine; write 1 to 4"#,
    ),
    (
        r#"[switch]
visibility = "delayed""#,
        r#"switch.visibility: "delayed" is not a choice; known: enqueued, immediate"#,
    ),
    (
        r#"[transport]
mss = 65458"#,
        r#"transport.mss: 65458 is too large; write a whole number from 1 to 65457"#,
    ),
    (
        r#"[transport]
rto_min = "2m""#,
        r#"transport.rto_min: "2m" is not a time: unknown unit "m"; write a number and one of ps, ns, us, ms, s (for example "500us")"#,
    ),
    (
        r#"[transport]
rto_min = "61s""#,
        r#"transport.rto_min: 61s is more than rto_max = 60s; lower it or raise rto_max"#,
    ),
    (
        r#"[transport]
rto_initial = "1ms""#,
        r#"transport.rto_initial: 1ms is not between rto_min = 10ms and rto_max = 60s; write a time in between"#,
    ),
    (
        r#"[transport]
delayed_ack_timeout = "40ms""#,
        r#"transport.delayed_ack_timeout: 40ms is not less than rto_min = 10ms: every delayed acknowledgment would cause a spurious time-out; lower it, or set delayed_ack_segments = 1"#,
    ),
    (
        r#"[transport]
receive_window = "1KB""#,
        r#"transport.receive_window: 1KB are less than one segment; write at least 1460B (transport.mss)"#,
    ),
    (
        r#"[transport]
dupthresh_max = 5"#,
        r#"transport.dupthresh_max: 5 has no effect with dupthresh = "fixed"; remove it, or set dupthresh = "adaptive""#,
    ),
    (
        r#"[transport]
dupthresh = "adaptive"
dupthresh_max = 2"#,
        r#"transport.dupthresh_max: 2 is less than dupthresh_segments = 3, where the threshold starts; raise it"#,
    ),
    (
        r#"[transport]
handshake = "yes""#,
        r#"transport.handshake: "yes" is not true or false; write true or false"#,
    ),
    (
        r#"[measure]
window = "0ms""#,
        r#"measure.window: "0ms" is too small; write 1ps to 86400s"#,
    ),
    (
        r#"[measure]
limit = "86400s""#,
        r#"measure: warmup 5ms and window 50ms and limit 86400s are together more than 86400s; write less"#,
    ),
    (
        r#"[workload]
sizes = "fixed"
size = "1B""#,
        r#"measure: some 550000000 flows would arrive in 55ms (warmup and window), and 16777216 is the most; write less, lower workload.load or choose larger flows"#,
    ),
    (
        r#"[measure]
window = 1979-05-27"#,
        r#"measure.window: 1979-05-27 is a date, which no field takes; write text in quotation marks"#,
    ),
    (
        r#"name = 3"#,
        r#"name: 3 is not a text; write it in quotation marks"#,
    ),
    (
        r#"seed = -1"#,
        r#"seed: -1 is too small; write a whole number from 0 to 9223372036854775807"#,
    ),
    (
        r#"seed = 99999999999999999999"#,
        r#"line 1, column 8: a whole number is beyond TOML's largest, 9223372036854775807"#,
    ),
    (
        r#"[fabric
leaves = 4"#,
        r#"line 1, column 8: unclosed table, expected `]`"#,
    ),
    (
        r#"[fabric]
leaves = 4
leaves = 5"#,
        r#"line 3, column 1: duplicate key"#,
    ),
    (
        r#"[[fabric]]
leaves = 4"#,
        r#"fabric: [{"leaves":4}] is not a section; write [fabric] and its fields below it"#,
    ),
    (
        r#"[measure]
queue_sample = "10us""#,
        r#"measure.queue_sample: unknown field; did you mean "queue_samples"? Known: warmup, window, limit, queue_samples, throughput_samples"#,
    ),
    (
        r#"[fabric]
leaves = 10000
hosts_per_leaf = 2"#,
        r#"fabric.leaves: 10000 need 100040000 routing entries, and 67108864 is the most; write fewer"#,
    ),
    (
        r#"[fabric]
hosts_per_leaf = 65535
spines = 2
leaves = 2"#,
        r#"fabric.links_per_pair: 1: the fabric would have 65537 ports on a leaf, and 65536 is the most; make the fabric smaller"#,
    ),
    (
        r#"[fabric]
host_delay = "2s""#,
        r#"fabric.host_delay: "2s" is too large; write at most 1s"#,
    ),
    (
        r#"[transport]
dupthresh = "Fixed""#,
        r#"transport.dupthresh: "Fixed" is not a choice; did you mean "fixed"? Known: fixed, adaptive"#,
    ),
    (
        r#"[transport]
dup_thresh = 3"#,
        r#"transport.dup_thresh: unknown field; did you mean "dupthresh"? Known: kind, mss, initial_window, receive_window, handshake, delayed_ack_segments, delayed_ack_timeout, rto_min, rto_initial, rto_max, dupthresh, dupthresh_segments, dupthresh_max, ecn, reorder_timeout"#,
    ),
    (
        r#"[workload]
kind = "permutation"
flows_per_host = 16384
[fabric]
leaves = 128
hosts_per_leaf = 32"#,
        r#"workload.flows_per_host: 16384 make 67108864 flows of 4096 hosts, and 16777216 is the most; write fewer"#,
    ),
    (
        r#"[workload]
kind = "permutation"
[fabric]
leaves = 1"#,
        r#"workload.kind: "permutation" needs hosts under at least 2 leaves, and fabric.leaves is 1; write more leaves, or pairs = "any" of kind = "poisson""#,
    ),
    (
        r#"[workload]
kind = 3"#,
        r#"workload.kind: 3 is not a name; write one of poisson, permutation"#,
    ),
    (
        r#"[scheme]
name = "letflow"
entries = "many""#,
        r#"scheme.entries: "many" is not a whole number; write a whole number from 1 to 16777216"#,
    ),
    (
        r#"[scheme]
name = "letflow"
flowlet_timeout = "500""#,
        r#"scheme.flowlet_timeout: "500" is not a time: it has no unit; write a number and one of ps, ns, us, ms, s (for example "500us")"#,
    ),
    (
        r#"[transport]
rto_min = 10"#,
        r#"transport.rto_min: 10 has no unit; write a text of number and unit, as "10ms""#,
    ),
    (
        r#"[fabric]
buffer = "150Kb""#,
        r#"fabric.buffer: "150Kb" is not a size: unknown unit "Kb"; write a number and one of B, kB, KB, KiB, MB, MiB, GB, GiB (for example "64KB")"#,
    ),
    (
        r#"[measure]
warmup = "5 seconds""#,
        r#"measure.warmup: "5 seconds" is not a time: unknown unit "seconds"; write a number and one of ps, ns, us, ms, s (for example "500us")"#,
    ),
    (
        r#"[transport]
initial_window = 1e3"#,
        r#"transport.initial_window: 1000.0 is not a whole number; write a whole number from 1 to 65535"#,
    ),
    (
        r#"[fabric]
host_rate = true"#,
        r#"fabric.host_rate: true is not a quantity; write a text of number and unit, as "10Gbps""#,
    ),
    (
        r#"measure = []"#,
        r#"measure: [] is not a section; write [measure] and its fields below it"#,
    ),
];

#[test]
fn every_mistake_is_answered_with_path_value_and_remedy() {
    let wrong: Vec<String> = MISTAKES
        .iter()
        .filter_map(|(written, answer)| {
            let got = Scenario::from_toml(written).expect_err(written).to_string();
            (got != *answer).then(|| format!("for {written}\n  got {got}\n not {answer}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn json_is_checked_like_toml() {
    let answer = |json: &str| Scenario::from_json(json).unwrap_err().to_string();
    assert_eq!(
        answer(r#"{"fabric": {"leafs": 4}}"#),
        Scenario::from_toml("[fabric]\nleafs = 4")
            .unwrap_err()
            .to_string()
    );
    assert_eq!(
        answer(r#"{"fabric": {"leaves": null}}"#),
        "fabric.leaves: null is not a whole number; write a whole number from 1 to 65535"
    );
    assert_eq!(
        answer("3"),
        "3 is not a scenario; write an object of sections"
    );
    assert_eq!(
        answer(r#"{"workload": {"load": NaN}}"#),
        "not JSON (which has no NaN): expected value at line 1 column 23"
    );
    assert!(Scenario::from_json(r#"{"fabric": {"ecn_threshold": null}}"#).is_ok());
}

#[test]
fn paths_and_messages_stand_apart() {
    let error = Scenario::from_toml("[workload]\nload = 1.5").unwrap_err();
    assert_eq!(error.path, "workload.load");
    assert_eq!(
        error.message,
        "1.5 is too large; write a number above 0 and below 1"
    );
}

#[test]
fn a_scenario_changed_by_hand_is_checked_too() {
    let mut scenario = Scenario::default();
    assert_eq!(scenario.validate(), Ok(()));
    scenario.switch.engines = 0;
    assert_eq!(scenario.validate().unwrap_err().path, "switch.engines");
    let mut scenario = Scenario::default();
    scenario.scheme.values.push(3);
    assert_eq!(scenario.validate().unwrap_err().path, "scheme");
    let mut scenario = Scenario::default();
    if let closlab_scenario::Workload::Poisson(poisson) = &mut scenario.workload {
        poisson.load = f64::NAN;
    }
    assert_eq!(scenario.validate().unwrap_err().path, "workload.load");
}
