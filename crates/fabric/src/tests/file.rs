//! Fabrics described node by node.

use crate::{CableEntry, Fabric, FabricFile, HostEntry, Role, Routes, SwitchEntry};
use closlab_units::{Bytes, PortId, Rate, Time, TorId};

fn cable(a: &str, b: &str) -> CableEntry {
    CableEntry {
        ends: [a.to_owned(), b.to_owned()],
        rate: Rate::from_gbps(10),
        delay: Time::from_us(1),
        buffer: Bytes::new(150_000),
        parallel: 1,
    }
}

/// A ring of three: two leaves, a core between them, and a direct cable. Hosts are listed against the order of
/// the leaves.
fn example() -> FabricFile {
    let switch = |name: &str, role| SwitchEntry {
        name: name.to_owned(),
        role,
    };
    let host = |name: &str| HostEntry {
        name: name.to_owned(),
        nic_buffer: Bytes::new(1_500_000),
    };
    FabricFile {
        switches: vec![
            switch("mid", Role::Core),
            switch("left", Role::Leaf),
            switch("right", Role::Leaf),
        ],
        hosts: vec![host("c"), host("a"), host("b")],
        cables: vec![
            CableEntry {
                parallel: 2,
                ..cable("mid", "left")
            },
            cable("right", "c"),
            cable("b", "left"),
            cable("right", "mid"),
            CableEntry {
                rate: Rate::from_gbps(1),
                ..cable("a", "left")
            },
        ],
    }
}

#[test]
fn a_description_is_wired_hosts_first() {
    let fabric = example().build().unwrap();
    let names = |fabric: &Fabric, tor| {
        let ports = fabric.leaf(tor).ports.iter();
        ports
            .map(|&link| fabric.link_name(link))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&fabric, TorId(0)),
        ["left->a", "left->b", "left->mid#0", "left->mid#1"]
    );
    assert_eq!(names(&fabric, TorId(1)), ["right->c", "right->mid"]);
    let hosts: Vec<(&str, TorId)> = fabric
        .hosts
        .iter()
        .map(|h| (h.name.as_str(), h.tor))
        .collect();
    assert_eq!(hosts, [("a", TorId(0)), ("b", TorId(0)), ("c", TorId(1))]);
    let up = fabric.link(fabric.hosts[0].uplink);
    assert_eq!(
        (up.rate, up.buffer),
        (Rate::from_gbps(1), Bytes::new(1_500_000))
    );
    assert_eq!(
        fabric.link(fabric.hosts[0].downlink).buffer,
        Bytes::new(150_000)
    );
    let routes = Routes::compute(&fabric).unwrap();
    assert_eq!(routes.path_count(&fabric, TorId(0), TorId(1)), 2);
    let up = &routes.group(fabric.tors[0], TorId(1)).unwrap().ports;
    assert_eq!(*up, [PortId(2), PortId(3)]);
}

/// What is done to the example, how the message begins and what it holds.
type Mistake = (fn(&mut FabricFile), &'static str, &'static str);

fn assert_refused(mistakes: &[Mistake]) {
    for (change, start, part) in mistakes {
        let mut file = example();
        change(&mut file);
        let error = file.build().unwrap_err().to_string();
        assert!(
            error.starts_with(start),
            "{error:?} does not start with {start:?}"
        );
        assert!(error.contains(part), "{error:?} does not contain {part:?}");
    }
}

#[test]
fn mistakes_in_nodes_name_the_entry_and_what_to_write() {
    assert_refused(&[
        (
            |f| f.switches[2].name = "left".to_owned(),
            "switches[2].name = left: another",
            "a name of its own",
        ),
        (
            |f| f.hosts[1].name = "mid".to_owned(),
            "hosts[1].name = mid: another",
            "own",
        ),
        (
            |f| drop(f.cables.remove(1)),
            "hosts[0].name = c: no cable leads",
            "add a cable",
        ),
        (
            |f| f.switches[0].name = "mid-1".to_owned(),
            "switches[0].name = \"mid-1\": cables are named",
            "letters, digits",
        ),
        (
            |f| f.hosts[0].name = String::new(),
            "hosts[0].name = \"\": ",
            "letters",
        ),
        (
            |f| f.hosts[2].nic_buffer = Bytes::new(0),
            "hosts[2].nic_buffer = 0B: ",
            "largest packet",
        ),
        (
            |f| f.switches.truncate(1),
            "switches = 1 switches: none",
            "role leaf",
        ),
    ]);
}

#[test]
fn mistakes_in_cables_name_the_entry_and_what_to_write() {
    assert_refused(&[
        (
            |f| f.cables[3].ends[1] = "midd".to_owned(),
            "cables[3].ends = midd: there is no switch or host",
            "nearest name is \"mid\"",
        ),
        (
            |f| f.cables[0].rate = Rate::from_bps(0),
            "cables[0].rate = 0bps: nothing would ever leave",
            "10Gbps",
        ),
        (
            |f| f.cables[0].ends = ["mid".to_owned(), "mid".to_owned()],
            "cables[0].ends = mid-mid: both ends are the same",
            "different",
        ),
        (
            |f| f.cables.push(cable("c", "left")),
            "cables[5].ends = c-left: ",
            "c already has cables[1]",
        ),
        (
            |f| f.cables[1].parallel = 2,
            "cables[1].parallel = 2: a host has one network interface",
            "write 1",
        ),
        (
            |f| f.cables[0].parallel = 0,
            "cables[0].parallel = 0: ",
            "at least 1",
        ),
        (
            |f| f.cables[1].ends[0] = "mid".to_owned(),
            "cables[1].ends = mid-c: only a leaf has hosts",
            "role leaf",
        ),
        (
            |f| f.cables[1].ends[0] = "a".to_owned(),
            "cables[1].ends = a-c: both ends are hosts",
            "to a leaf",
        ),
        (
            |f| f.cables[4].delay = Time::from_ms(2_000),
            "cables[4].delay = ",
            "at most 1s",
        ),
    ]);
}
