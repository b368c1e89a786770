//! Any fabric at all, described node by node and cable by cable.

use super::checks::{check_buffer, check_link};
use crate::assembly::{Assembly, Cable};
use crate::error::FabricError;
use crate::fabric::{Fabric, Role};
use crate::names::nearest;
use closlab_units::{Bytes, NodeId, Rate, Time, TorId};
use std::collections::BTreeMap;

/// What a file that describes a fabric says, once it has been read: plain data without any format.
///
/// Switches are numbered in their order, ToRs as the leaves among them; hosts leaf by leaf, under one leaf in
/// their order. A leaf's first ports are its hosts; the cables between switches follow in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FabricFile {
    /// Every switch.
    pub switches: Vec<SwitchEntry>,
    /// Every host.
    pub hosts: Vec<HostEntry>,
    /// Every cable: exactly one for each host, to a leaf; any between switches.
    pub cables: Vec<CableEntry>,
}

/// One switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchEntry {
    /// Letters, digits, `.` and `_`: cables are named by both their ends with a dash between.
    pub name: String,
    /// Only leaves have hosts. Nothing else follows from it: routing sees links, not roles.
    pub role: Role,
}

/// One host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostEntry {
    /// As for switches.
    pub name: String,
    /// Room of its output queue, including the packet in transmission.
    pub nic_buffer: Bytes,
}

/// One cable, or several parallel ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CableEntry {
    /// The names of both ends, in any order.
    pub ends: [String; 2],
    /// Rate of each direction of each cable.
    pub rate: Rate,
    /// One-way propagation delay.
    pub delay: Time,
    /// Room of the output queue at each end that is a switch, including the packet in transmission.
    pub buffer: Bytes,
    /// How many parallel cables; 1 at a host.
    pub parallel: u32,
}

/// A named node: its place in `switches` or `hosts`.
#[derive(Debug, Clone, Copy)]
enum Node {
    Switch(NodeId, Option<TorId>),
    Host(usize),
}

/// A host's place: under which leaf, by which of the file's cables.
type Place = Option<(TorId, usize)>;

impl FabricFile {
    /// Builds the fabric, or names the first entry that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        let mut assembly = Assembly::default();
        let mut nodes = BTreeMap::new();
        for (i, entry) in self.switches.iter().enumerate() {
            let node = assembly.switch(entry.name.clone(), entry.role)?;
            let tor = assembly.fabric().switch(node).tor;
            let field = format!("switches[{i}].name");
            declare(&mut nodes, field, &entry.name, Node::Switch(node, tor))?;
        }
        if assembly.fabric().tors.is_empty() {
            return Err(FabricError::new(
                "switches",
                format!("{} switches", self.switches.len()),
                "none of them is a leaf, so no host could be connected",
                "give at least one switch the role leaf",
            ));
        }
        for (i, entry) in self.hosts.iter().enumerate() {
            declare(
                &mut nodes,
                format!("hosts[{i}].name"),
                &entry.name,
                Node::Host(i),
            )?;
        }
        let mut places: Vec<Place> = vec![None; self.hosts.len()];
        let mut trunks = Vec::new();
        for (i, cable) in self.cables.iter().enumerate() {
            check_cable(i, cable)?;
            match self.ends_of(i, cable, &nodes)? {
                [Node::Switch(near, _), Node::Switch(far, _)] => trunks.push((near, far, cable)),
                [Node::Host(host), Node::Switch(_, tor)]
                | [Node::Switch(_, tor), Node::Host(host)] => {
                    let tor = self.require_host_cable(i, cable, host, tor, places[host])?;
                    places[host] = Some((tor, i));
                }
                [Node::Host(_), Node::Host(_)] => {
                    return Err(refused_cable(
                        i,
                        cable,
                        "both ends are hosts",
                        "connect each host to a leaf",
                    ));
                }
            }
        }
        self.plug_hosts(&mut assembly, &places)?;
        for (near, far, cable) in trunks {
            let kind = Cable::between_switches(cable.rate, cable.delay, cable.buffer);
            assembly.trunk(near, far, cable.parallel, kind)?;
        }
        Ok(assembly.finish())
    }

    /// Both ends of a cable, which must be declared and different.
    fn ends_of(
        &self,
        i: usize,
        cable: &CableEntry,
        nodes: &BTreeMap<&str, Node>,
    ) -> Result<[Node; 2], FabricError> {
        let [a, b] = &cable.ends;
        if a == b {
            return Err(refused_cable(
                i,
                cable,
                "both ends are the same node",
                "connect two different nodes",
            ));
        }
        let find = |name: &String| {
            nodes.get(name.as_str()).copied().ok_or_else(|| {
                FabricError::new(
                    format!("cables[{i}].ends"),
                    name,
                    "there is no switch or host of this name",
                    nearest(name, nodes.keys().map(|&known| known.to_owned())),
                )
            })
        };
        Ok([find(a)?, find(b)?])
    }

    /// The ToR that `host` gets by cable `i`; a host has one interface, and only leaves have hosts.
    fn require_host_cable(
        &self,
        i: usize,
        cable: &CableEntry,
        host: usize,
        tor: Option<TorId>,
        place: Place,
    ) -> Result<TorId, FabricError> {
        let entry = &self.hosts[host];
        let single = "a host has one network interface, so it takes one cable";
        if cable.parallel != 1 {
            let field = format!("cables[{i}].parallel");
            return Err(FabricError::new(field, cable.parallel, single, "write 1"));
        }
        if let Some((_, first)) = place {
            let why = format!("{single}, and {} already has cables[{first}]", entry.name);
            return Err(refused_cable(i, cable, why, "remove one of them"));
        }
        check_buffer(
            &format!("hosts[{host}].nic_buffer"),
            entry.nic_buffer,
            cable.rate,
        )?;
        tor.ok_or_else(|| {
            refused_cable(
                i,
                cable,
                "only a leaf has hosts",
                "connect the host to a leaf, or give the switch the role leaf",
            )
        })
    }

    fn plug_hosts(&self, assembly: &mut Assembly, places: &[Place]) -> Result<(), FabricError> {
        let mut order = Vec::with_capacity(places.len());
        for (host, place) in places.iter().enumerate() {
            let (tor, cable) = place.ok_or_else(|| {
                FabricError::new(
                    format!("hosts[{host}].name"),
                    &self.hosts[host].name,
                    "no cable leads to this host",
                    "add a cable from it to a leaf",
                )
            })?;
            order.push((tor, host, cable));
        }
        order.sort_unstable();
        for (tor, host, cable) in order {
            let (entry, cable) = (&self.hosts[host], &self.cables[cable]);
            let kind = Cable {
                rate: cable.rate,
                delay: cable.delay,
                near_buffer: entry.nic_buffer,
                far_buffer: cable.buffer,
            };
            assembly.named_host(entry.name.clone(), tor, kind)?;
        }
        Ok(())
    }
}

fn declare<'a>(
    nodes: &mut BTreeMap<&'a str, Node>,
    field: String,
    name: &'a str,
    node: Node,
) -> Result<(), FabricError> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    if name.is_empty() || !name.chars().all(is_allowed) {
        return Err(FabricError::new(
            field,
            format!("{name:?}"),
            "cables are named by both their ends with a dash between, so a name can't hold everything",
            "use letters, digits, '.' and '_' only",
        ));
    }
    if nodes.insert(name, node).is_some() {
        return Err(FabricError::new(
            field,
            name,
            "another switch or host has the same name",
            "give every node a name of its own",
        ));
    }
    Ok(())
}

fn check_cable(i: usize, cable: &CableEntry) -> Result<(), FabricError> {
    let field = |name: &str| format!("cables[{i}].{name}");
    if cable.parallel == 0 {
        let (why, remedy) = (
            "a cable that is not there",
            "write at least 1, or remove it",
        );
        return Err(FabricError::new(field("parallel"), 0, why, remedy));
    }
    check_link(&field("rate"), cable.rate, &field("delay"), cable.delay)?;
    check_buffer(&field("buffer"), cable.buffer, cable.rate)
}

fn refused_cable(
    i: usize,
    cable: &CableEntry,
    why: impl Into<String>,
    remedy: &str,
) -> FabricError {
    let [a, b] = &cable.ends;
    FabricError::new(format!("cables[{i}].ends"), format!("{a}-{b}"), why, remedy)
}
