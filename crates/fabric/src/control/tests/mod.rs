//! Worked examples from the papers, and every part against brute force on random fabrics.

mod expeditus;
mod paper_fabrics;
mod presto;
mod properties;
mod quiver;
mod wcmp;

use crate::assembly::{Assembly, Cable};
use crate::figures::{self, Buffers};
use crate::{Endpoint, Fabric, Role, Routes};
use closlab_units::{Bytes, NodeId, PortId, Rate, Time, TorId};

/// A fabric of `leaves` leaves with one host each, further switches, and cables of so many Gbps.
fn wired(leaves: usize, others: usize, cables: &[(usize, usize, u64)]) -> Fabric {
    let cable = |gbps| Cable {
        rate: Rate::from_gbps(gbps),
        delay: Time::from_ns(100),
        near_buffer: Bytes::new(100_000),
        far_buffer: Bytes::new(100_000),
    };
    let mut assembly = Assembly::default();
    for i in 0..leaves + others {
        let role = if i < leaves { Role::Leaf } else { Role::Spine };
        assembly.switch(format!("s{i}"), role).unwrap();
    }
    for tor in 0..leaves {
        assembly.host(TorId(tor as u16), cable(10)).unwrap();
    }
    for &(a, b, gbps) in cables {
        let end = |i: usize| Endpoint::Switch(node(i));
        assembly.connect(end(a), end(b), cable(gbps)).unwrap();
    }
    assembly.finish()
}

/// Every leaf to every spine; `gbps(leaf, spine)` lists the parallel cables.
fn two_tier(leaves: usize, spines: usize, gbps: impl Fn(usize, usize) -> Vec<u64>) -> Fabric {
    let mut cables = Vec::new();
    for leaf in 0..leaves {
        for spine in 0..spines {
            let rates = gbps(leaf, spine).into_iter();
            cables.extend(rates.map(|rate| (leaf, leaves + spine, rate)));
        }
    }
    wired(leaves, spines, &cables)
}

/// The 3-tier Clos of Expeditus Fig. 1: `p` pods of `r` ToRs and `n` aggregation switches, `m` cores per
/// plane. Numbered ToRs first, then aggregation switches (both pod by pod), then cores plane by plane.
#[derive(Clone, Copy)]
struct Clos {
    p: usize,
    r: usize,
    n: usize,
    m: usize,
}

impl Clos {
    fn tor(&self, pod: usize, i: usize) -> usize {
        pod * self.r + i
    }

    fn aggregation(&self, pod: usize, plane: usize) -> usize {
        self.p * self.r + pod * self.n + plane
    }

    fn core(&self, plane: usize, i: usize) -> usize {
        self.p * (self.r + self.n) + plane * self.m + i
    }

    /// `core_gbps(pod, plane)`: the rate of the links from that aggregation switch to its cores.
    fn build(&self, core_gbps: impl Fn(usize, usize) -> u64) -> Fabric {
        let mut cables = Vec::new();
        for pod in 0..self.p {
            for plane in 0..self.n {
                let above = self.aggregation(pod, plane);
                cables.extend((0..self.r).map(|i| (self.tor(pod, i), above, 40)));
                let cores = (0..self.m).map(|i| self.core(plane, i));
                cables.extend(cores.map(|core| (above, core, core_gbps(pod, plane))));
            }
        }
        let others = self.n * (self.p + self.m);
        wired(self.p * self.r, others, &cables)
    }
}

fn node(i: usize) -> NodeId {
    NodeId(i as u32)
}

fn tor(i: usize) -> TorId {
    TorId(i as u16)
}

/// Breaks all cables between `a` and `b`.
fn cut(fabric: &mut Fabric, a: usize, b: usize) {
    let (a, b) = (Endpoint::Switch(node(a)), Endpoint::Switch(node(b)));
    let mut broken = 0;
    for link in &mut fabric.links {
        if (link.from, link.to) == (a, b) || (link.from, link.to) == (b, a) {
            link.up = false;
            broken += 1;
        }
    }
    assert!(broken > 0, "no such cable");
}

fn routes(fabric: &Fabric) -> Routes {
    Routes::compute(fabric).unwrap()
}

/// The ports of `from` that lead to any of `to`.
fn ports(fabric: &Fabric, from: usize, to: &[usize]) -> Vec<PortId> {
    let switch = fabric.switch(node(from));
    let leads = |link: &crate::Link| to.iter().any(|&t| link.to == Endpoint::Switch(node(t)));
    let links = switch.ports.iter().map(|&id| fabric.link(id));
    links.filter(|l| leads(l)).map(|l| l.from_port).collect()
}

/// [`figures::letflow_fig13`]: three pods of two leaves and two spines; two cables inside a pod, one across.
fn letflow_fig13() -> Fabric {
    figures::letflow_fig13(Buffers::default()).unwrap()
}

/// [`figures::drill_fig4`]: four leaves, three spines, 40 Gbps everywhere, L0-S0 broken.
fn drill_fig4() -> Fabric {
    figures::drill_fig4(Buffers::default()).unwrap()
}

/// VL2's shape (DRILL Fig. 10): ToRs on two aggregation switches each, these on every intermediate switch.
fn vl2() -> Fabric {
    let mut cables = Vec::new();
    for tor in 0..4 {
        cables.extend([(tor, 4 + tor / 2 * 2, 10), (tor, 5 + tor / 2 * 2, 10)]);
    }
    for aggregation in 4..8 {
        cables.extend((8..11).map(|intermediate| (aggregation, intermediate, 10)));
    }
    wired(4, 7, &cables)
}
