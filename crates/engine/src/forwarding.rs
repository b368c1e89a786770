//! A switch's forwarding table: for each destination ToR the ports that lead there.

use closlab_balance::{ComponentSpan, Components, PathGroup};
use closlab_fabric::control::{Component, Quiver, Symmetry};
use closlab_fabric::{Fabric, FabricError, LOCAL, NO_ROUTE, Routes};
use closlab_units::{NodeId, PortId, TorId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the control plane gives the switches.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    /// Equal-cost groups.
    pub routes: Arc<Routes>,
    /// Symmetric components, for the schemes that use them.
    pub quiver: Option<Arc<Quiver>>,
}

impl Tables {
    /// The tables of `fabric` as it stands, with symmetric components where `splits` asks for them.
    ///
    /// # Errors
    /// A fabric that can't be routed (see [`Routes::compute_partial`]).
    pub(crate) fn compute(fabric: &Fabric, splits: bool) -> Result<Tables, FabricError> {
        let routes = Arc::new(Routes::compute_partial(fabric)?);
        Ok(Tables::with_routes(fabric, routes, splits))
    }

    /// The same from routes that are known already.
    pub(crate) fn with_routes(fabric: &Fabric, routes: Arc<Routes>, splits: bool) -> Tables {
        let quiver = || Arc::new(Quiver::compute(fabric, &routes, Symmetry::OwnPair));
        Tables {
            quiver: splits.then(quiver),
            routes,
        }
    }
}

/// Where a packet may go next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Routed<'a> {
    /// The destination hangs off this switch.
    Local,
    /// No port leads there.
    Nowhere,
    /// One port only.
    Only(PortId),
    /// Several equal-cost ports.
    Group(PathGroup<'a>),
}

/// A path group's places in `ports` and `spans`.
#[derive(Debug, Clone, Copy)]
struct Group {
    first: u32,
    count: u16,
    spans: u16,
    first_span: u32,
}

/// The forwarding table of one switch.
#[derive(Debug, Default)]
pub(crate) struct Forwarding {
    /// For each destination ToR its path group, [`LOCAL`] or [`NO_ROUTE`].
    table: Box<[u16]>,
    groups: Box<[Group]>,
    ports: Box<[PortId]>,
    spans: Box<[ComponentSpan]>,
    span_ports: Box<[PortId]>,
}

impl Forwarding {
    /// The table of switch `node` towards `tors` ToRs, without the ports `down`.
    pub(crate) fn new(tors: usize, tables: &Tables, node: NodeId, down: &[PortId]) -> Forwarding {
        let mut builder = Builder {
            down,
            ..Builder::default()
        };
        for group in tables.routes.groups(node) {
            builder.add_group(&group.ports, &[]);
        }
        let tor = |tor| TorId(tor as u16);
        let mut table: Vec<u16> = (0..tors)
            .map(|dst| tables.routes.group_index(node, tor(dst)))
            .collect();
        if let Some(quiver) = &tables.quiver {
            builder.add_split_groups(quiver, &tables.routes, node, &mut table);
        }
        builder.build(table)
    }

    /// The number of path groups and of parts of groups.
    pub(crate) fn slots(&self) -> usize {
        self.groups.len() + self.spans.len()
    }

    #[inline]
    pub(crate) fn route(&self, dst_tor: u16) -> Routed<'_> {
        let index = usize::from(self.table[usize::from(dst_tor)]);
        let Some(&Group {
            first,
            count,
            spans,
            first_span,
        }) = self.groups.get(index)
        else {
            let local = index == usize::from(LOCAL);
            return if local {
                Routed::Local
            } else {
                Routed::Nowhere
            };
        };
        let first = first as usize;
        match count {
            0 => Routed::Nowhere,
            1 => Routed::Only(self.ports[first]),
            _ => {
                let ports = &self.ports[first..first + usize::from(count)];
                let group = PathGroup::new(index, ports);
                if spans == 0 {
                    return Routed::Group(group);
                }
                let first_span = first_span as usize;
                let spans = &self.spans[first_span..first_span + usize::from(spans)];
                let components = Components {
                    spans,
                    ports: &self.span_ports,
                };
                Routed::Group(PathGroup {
                    components,
                    ..group
                })
            }
        }
    }
}

/// Gathers groups and their parts.
#[derive(Default)]
struct Builder<'a> {
    down: &'a [PortId],
    groups: Vec<Group>,
    ports: Vec<PortId>,
    spans: Vec<ComponentSpan>,
    span_ports: Vec<PortId>,
}

impl Builder<'_> {
    fn add_group(&mut self, ports: &[PortId], components: &[Component]) {
        let (first, first_span) = (self.ports.len(), self.spans.len());
        self.ports
            .extend(ports.iter().filter(|port| !self.down.contains(port)));
        self.add_components(components);
        self.groups.push(Group {
            first: first as u32,
            count: (self.ports.len() - first) as u16,
            spans: (self.spans.len() - first_span) as u16,
            first_span: first_span as u32,
        });
    }

    /// Components whose ports are all down take no flows.
    fn add_components(&mut self, components: &[Component]) {
        let alive =
            |component: &&Component| component.ports.iter().any(|port| !self.down.contains(port));
        let alive: Vec<&Component> = components.iter().filter(alive).collect();
        let total: u64 = alive
            .iter()
            .map(|component| u64::from(component.weight))
            .sum();
        let mut weight = 0;
        for component in alive {
            weight += u64::from(component.weight);
            let first = self.span_ports.len();
            let ports = component
                .ports
                .iter()
                .filter(|port| !self.down.contains(port));
            self.span_ports.extend(ports);
            self.spans.push(ComponentSpan {
                below: (weight << 32) / total,
                // Numbered once the number of groups is known.
                index: 0,
                first: first as u32,
                count: (self.span_ports.len() - first) as u16,
            });
        }
    }

    /// Destinations whose paths are not all symmetric get groups of their own, with their parts.
    fn add_split_groups(
        &mut self,
        quiver: &Quiver,
        routes: &Routes,
        node: NodeId,
        table: &mut [u16],
    ) {
        let mut known: BTreeMap<usize, u16> = BTreeMap::new();
        for (dst, entry) in table.iter_mut().enumerate() {
            let tor = TorId(dst as u16);
            let components = quiver.components(node, tor);
            if *entry >= NO_ROUTE || components.len() < 2 {
                continue;
            }
            let decomposition = quiver.decomposition_index(node, tor);
            let ports = &routes.groups(node)[usize::from(*entry)].ports;
            *entry = *known.entry(decomposition).or_insert_with(|| {
                self.add_group(ports, components);
                self.groups.len() as u16 - 1
            });
        }
    }

    fn build(mut self, table: Vec<u16>) -> Forwarding {
        for (number, span) in self.spans.iter_mut().enumerate() {
            span.index = (self.groups.len() + number) as u32;
        }
        Forwarding {
            table: table.into(),
            groups: self.groups.into(),
            ports: self.ports.into(),
            spans: self.spans.into(),
            span_ports: self.span_ports.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use closlab_fabric::{Asymmetry, LeafSpine};
    use closlab_units::{Bytes, Rate, Time};

    /// DRILL Fig. 4: four leaves, three spines, L0-S0 failed.
    fn fig4() -> Fabric {
        let fabric = LeafSpine {
            leaves: 4,
            spines: 3,
            hosts_per_leaf: 1,
            links_per_pair: 1,
            host_rate: Rate::from_gbps(40),
            uplink_rate: Rate::from_gbps(40),
            host_delay: Time::from_us(1),
            uplink_delay: Time::from_us(1),
            buffer: Bytes::new(150_000),
            nic_buffer: Bytes::new(150_000),
        }
        .build()
        .unwrap();
        let failed_links = vec!["leaf0-spine0".to_owned()];
        Asymmetry {
            failed_links,
            ..Asymmetry::default()
        }
        .apply(fabric)
        .unwrap()
    }

    fn leaf3(with_components: bool, down: &[PortId]) -> Forwarding {
        let fabric = fig4();
        let routes = Arc::new(Routes::compute(&fabric).unwrap());
        let tables = Tables::with_routes(&fabric, routes, with_components);
        Forwarding::new(4, &tables, fabric.tors[3], down)
    }

    /// The parts towards L1 as (share of the flows in thousandths, ports).
    fn parts(forwarding: &Forwarding) -> Vec<(u64, Vec<u16>)> {
        let Routed::Group(group) = forwarding.route(1) else {
            panic!("several ports lead to L1")
        };
        let mut last = 0;
        let part = |span: &ComponentSpan| {
            let share = ((span.below - last) * 1_000) >> 32;
            last = span.below;
            let first = span.first as usize;
            let ports = &group.components.ports[first..first + usize::from(span.count)];
            (share, ports.iter().map(|port| port.0).collect())
        };
        group.components.spans.iter().map(part).collect()
    }

    #[test]
    fn drill_fig4_gives_flows_to_its_components_by_weight() {
        // Port 0 is the host's; 1, 2 and 3 lead to the spines.
        assert_eq!(
            parts(&leaf3(true, &[])),
            [(333, vec![1]), (666, vec![2, 3])]
        );
        assert_eq!(parts(&leaf3(false, &[])), []);
    }

    #[test]
    fn a_dead_port_leaves_its_component() {
        // {P2} keeps the weight of {P1, P2} until the control plane has converged.
        assert_eq!(
            parts(&leaf3(true, &[PortId(2)])),
            [(333, vec![1]), (666, vec![3])]
        );
        assert_eq!(parts(&leaf3(true, &[PortId(1)])), [(1_000, vec![2, 3])]);
    }

    #[test]
    fn parts_have_numbers_of_their_own() {
        let forwarding = leaf3(true, &[]);
        let numbers: Vec<u32> = forwarding.spans.iter().map(|span| span.index).collect();
        let groups = forwarding.groups.len() as u32;
        assert_eq!(
            numbers,
            (groups..forwarding.slots() as u32).collect::<Vec<u32>>()
        );
    }
}
