//! When switches learn that links have failed or work again.
//!
//! A link-state protocol: the switches at the ends of a link detect the change, flood it hop by hop, and each
//! switch that hears of it computes shortest paths and rewrites its table, so that switches learn at different
//! times. The stages are those of Francois et al., "Achieving sub-second IGP convergence in large IP networks"
//! (CCR 2005): detection, origination and flooding, shortest paths, table update.

use crate::fabric::{Endpoint, Fabric};
use closlab_units::{LinkId, NodeId, Time};
use std::collections::VecDeque;

/// How long each stage takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Convergence {
    /// From a link's change until the switches at its ends tell the others.
    pub detection: Time,
    /// From one switch to the next: origination, transmission and processing of the message.
    pub flooding_per_hop: Time,
    /// From hearing of a change to new shortest paths, the protocol's hold-down included.
    pub spf: Time,
    /// From new shortest paths to a rewritten forwarding table.
    pub table_update: Time,
}

impl Convergence {
    /// Every switch learns at once: DRILL's "ideal" (section 4).
    pub const IDEAL: Convergence = Convergence {
        detection: Time::ZERO,
        flooding_per_hop: Time::ZERO,
        spf: Time::ZERO,
        table_update: Time::ZERO,
    };
}

/// Links that fail, or work again, at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkChange {
    /// When it happens.
    pub at: Time,
    /// Both directions of every cable concerned.
    pub links: Vec<LinkId>,
    /// Whether they work from then on.
    pub up: bool,
}

/// A switch's forwarding table takes a change into account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Learned {
    /// When.
    pub at: Time,
    /// Which change, as an index into those given to [`learn`].
    pub change: usize,
    /// Which switch.
    pub switch: NodeId,
}

/// When each switch learns of each of `changes`, which must be in order of time; by time, then change, then switch.
///
/// A message travels over the links that are up after its change. A switch that it can't reach learns with the first
/// link that comes up and reaches it: the switches at its ends exchange their databases (RFC 2328 section 10).
pub fn learn(fabric: &Fabric, changes: &[LinkChange], convergence: &Convergence) -> Vec<Learned> {
    let mut up: Vec<bool> = fabric.links.iter().map(|link| link.up).collect();
    let mut missed: Vec<Vec<usize>> = vec![Vec::new(); fabric.switches.len()];
    let mut learned = Vec::new();
    for (
        change,
        LinkChange {
            at,
            links,
            up: works,
        },
    ) in changes.iter().enumerate()
    {
        for link in links {
            up[link.index()] = *works;
        }
        let local = *at + convergence.detection + convergence.spf + convergence.table_update;
        for (node, hops) in hops_from(fabric, links, &up).into_iter().enumerate() {
            let Some(hops) = hops else {
                missed[node].push(change);
                continue;
            };
            let caught_up = if *works {
                std::mem::take(&mut missed[node])
            } else {
                Vec::new()
            };
            let at = local + convergence.flooding_per_hop * hops;
            let switch = NodeId(node as u32);
            let news = caught_up.into_iter().chain([change]);
            learned.extend(news.map(|change| Learned { at, change, switch }));
        }
    }
    learned.sort_unstable();
    learned
}

/// For each switch the hops from the nearest end of `links`, over the links that are `up`.
fn hops_from(fabric: &Fabric, links: &[LinkId], up: &[bool]) -> Vec<Option<u64>> {
    let mut hops = vec![None; fabric.switches.len()];
    let mut queue = VecDeque::new();
    let ends = links
        .iter()
        .map(|&link| fabric.link(link))
        .flat_map(|link| [link.from, link.to]);
    for end in ends {
        if let Endpoint::Switch(node) = end
            && hops[node.index()].is_none()
        {
            hops[node.index()] = Some(0);
            queue.push_back((node, 0));
        }
    }
    while let Some((node, distance)) = queue.pop_front() {
        for &link in fabric
            .switch(node)
            .ports
            .iter()
            .filter(|link| up[link.index()])
        {
            if let Endpoint::Switch(next) = fabric.link(link).to
                && hops[next.index()].is_none()
            {
                hops[next.index()] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    hops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LeafSpine;
    use closlab_units::{Bytes, Rate, TorId};

    const STAGES: Convergence = Convergence {
        detection: Time::from_ms(10),
        flooding_per_hop: Time::from_ms(1),
        spf: Time::from_ms(50),
        table_update: Time::from_ms(5),
    };

    fn fabric() -> Fabric {
        LeafSpine {
            leaves: 3,
            spines: 2,
            hosts_per_leaf: 1,
            links_per_pair: 1,
            host_rate: Rate::from_gbps(10),
            uplink_rate: Rate::from_gbps(10),
            host_delay: Time::from_us(1),
            uplink_delay: Time::from_us(1),
            buffer: Bytes::new(150_000),
            nic_buffer: Bytes::new(150_000),
        }
        .build()
        .unwrap()
    }

    fn cable(fabric: &Fabric, tor: u16, uplink: usize) -> Vec<LinkId> {
        let link = fabric.uplinks_of(TorId(tor)).nth(uplink).unwrap();
        vec![link, fabric.reverse(link)]
    }

    fn times(fabric: &Fabric, learned: &[Learned], change: usize) -> Vec<(String, u64)> {
        let of_change = learned.iter().filter(|learned| learned.change == change);
        let mut times: Vec<(String, u64)> = of_change
            .map(|learned| {
                let name = fabric.switch(learned.switch).name.clone();
                (name, learned.at.ps() / 1_000_000_000)
            })
            .collect();
        times.sort();
        times
    }

    #[test]
    fn news_travels_hop_by_hop_around_the_failure() {
        let fabric = fabric();
        let links = cable(&fabric, 0, 0);
        let change = LinkChange {
            at: Time::from_ms(100),
            links,
            up: false,
        };
        let learned = learn(&fabric, &[change], &STAGES);
        // leaf0 and spine0 are the ends; spine1 hears from leaf0, the other leaves from spine0.
        let expected = [
            ("leaf0", 165),
            ("leaf1", 166),
            ("leaf2", 166),
            ("spine0", 165),
            ("spine1", 166),
        ];
        assert_eq!(
            times(&fabric, &learned, 0),
            expected.map(|(name, ms)| (name.to_owned(), ms))
        );
        assert!(learned.is_sorted());
    }

    #[test]
    fn a_switch_cut_off_catches_up_when_it_is_back() {
        let fabric = fabric();
        let both: Vec<LinkId> = [cable(&fabric, 2, 0), cable(&fabric, 2, 1)].concat();
        let changes = [
            LinkChange {
                at: Time::from_ms(0),
                links: both,
                up: false,
            },
            LinkChange {
                at: Time::from_ms(1),
                links: cable(&fabric, 0, 0),
                up: false,
            },
            LinkChange {
                at: Time::from_ms(2),
                links: cable(&fabric, 2, 1),
                up: true,
            },
        ];
        let learned = learn(&fabric, &changes, &STAGES);
        let of_leaf2 = |change| {
            times(&fabric, &learned, change)
                .into_iter()
                .find(|(name, _)| name == "leaf2")
        };
        assert_eq!(
            of_leaf2(0),
            Some(("leaf2".to_owned(), 65)),
            "it is an end itself"
        );
        assert_eq!(
            of_leaf2(1),
            Some(("leaf2".to_owned(), 67)),
            "with the link that comes up"
        );
        assert_eq!(of_leaf2(2), Some(("leaf2".to_owned(), 67)));
    }

    #[test]
    fn the_ideal_control_plane_knows_at_once() {
        let fabric = fabric();
        let links = cable(&fabric, 1, 1);
        let change = LinkChange {
            at: Time::from_us(7),
            links,
            up: false,
        };
        let learned = learn(&fabric, &[change], &Convergence::IDEAL);
        assert_eq!(learned.len(), 5);
        assert!(learned.iter().all(|learned| learned.at == Time::from_us(7)));
    }
}
