//! The fabrics of the papers' figures, by name.
//!
//! What a figure and its text say is taken from them; what they leave open is chosen here, with the reason beside
//! it. Positions are counted from 0 as everywhere in this crate, also where a paper counts from 1. Propagation
//! delays are in none of them: [`DELAY`] for DRILL and LetFlow, [`EXPEDITUS_DELAY`] from Expeditus' round trip.

use crate::asymmetry::{Asymmetry, RateOverride};
use crate::builders::{
    FacebookFabric, FatTree, LeafSpine, StripedLeafSpine, Striping, ThreeTierClos, Vl2,
};
use crate::error::FabricError;
use crate::fabric::Fabric;
use closlab_units::{Bytes, Rate, Time};

/// Room of the output queues, which none of the figures states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffers {
    /// Of every switch port.
    pub switch: Bytes,
    /// Of every host.
    pub nic: Bytes,
}

impl Default for Buffers {
    /// 100 packets of 1500 B at a switch, the drop-tail queues of the ns-3 code of Expeditus' authors; 1000 at a
    /// host, Linux's transmit queue.
    fn default() -> Buffers {
        Buffers {
            switch: Bytes::new(150_000),
            nic: Bytes::new(1_500_000),
        }
    }
}

/// Of every cable in DRILL's and LetFlow's figures, whose papers are silent: the order of what a store-and-forward
/// switch and 200 m of fibre take.
pub const DELAY: Time = Time::from_us(1);

/// Of every cable in Expeditus' fabrics: "the fabric RTT is ~32 us across pods" (section 5.1), and six links of
/// 10 Gbps each way leave 2 us for each (a full packet and its acknowledgement are serialised in 7.8 us).
pub const EXPEDITUS_DELAY: Time = Time::from_us(2);

/// A figure's fabric.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// `letflow-fig1a`.
    pub name: &'static str,
    /// What it is, and where.
    pub title: &'static str,
    /// Builds it.
    pub build: fn(Buffers) -> Result<Fabric, FabricError>,
}

/// Every figure, by paper.
pub const FIGURES: [Figure; 13] = [
    Figure {
        name: "letflow-fig1a",
        title: "three leaves, L0-S1 failed (LetFlow Fig. 1a)",
        build: letflow_fig1a,
    },
    Figure {
        name: "letflow-fig1b",
        title: "the testbed, one of two S1-L1 links failed (LetFlow Fig. 1b)",
        build: letflow_fig1b,
    },
    Figure {
        name: "letflow-fig13",
        title: "6 x 6 with imbalanced striping (LetFlow Fig. 13)",
        build: letflow_fig13,
    },
    Figure {
        name: "letflow-fig15",
        title: "three tiers with a failed link (LetFlow Fig. 15)",
        build: letflow_fig15,
    },
    Figure {
        name: "letflow-fig17",
        title: "two destinations of varying asymmetry (LetFlow Fig. 17a)",
        build: letflow_fig17,
    },
    Figure {
        name: "drill-fig4",
        title: "four leaves, three spines, L0-S0 failed (DRILL Fig. 4)",
        build: drill_fig4,
    },
    Figure {
        name: "drill-fig5",
        title: "Facebook's fabric, R0-F0 failed (DRILL Fig. 5)",
        build: drill_fig5,
    },
    Figure {
        name: "drill-fig10",
        title: "VL2 (DRILL Fig. 10)",
        build: drill_fig10,
    },
    Figure {
        name: "drill-fig13",
        title: "16 x 16 with imbalanced striping (DRILL Fig. 13)",
        build: drill_fig13,
    },
    Figure {
        name: "expeditus-fig6",
        title: "a small Clos, a_1^1-c_1^1 failed (Expeditus Fig. 6)",
        build: expeditus_fig6,
    },
    Figure {
        name: "expeditus-baseline",
        title: "12-pod fat-tree, core oversubscribed 2:1 (Expeditus section 5.1)",
        build: expeditus_baseline,
    },
    Figure {
        name: "expeditus-fat-tree",
        title: "12-pod fat-tree without oversubscription (Expeditus section 5.5)",
        build: expeditus_fat_tree,
    },
    Figure {
        name: "expeditus-largest",
        title: "96 pods, 73,728 hosts (Expeditus section 2.2)",
        build: expeditus_largest,
    },
];

/// Fig. 1a: "the link between L0 and S1 is down, thus any L0 -> L2 traffic can only use the L0 -> S0 -> L2 path";
/// all links run at 40 Gbps. Hosts are not stated: 32 of 10 Gbps under each leaf as in Fig. 1b, so that they never
/// limit the 48 Gbps of section 2.1.
pub fn letflow_fig1a(buffers: Buffers) -> Result<Fabric, FabricError> {
    let built = leaf_spine([3, 2, 32], 40, buffers).build()?;
    failed(&["leaf0-spine1"]).apply(built)
}

/// Fig. 1b and section 5.1, the baseline: two leaves of 32 hosts of 10 Gbps, two spines, "each leaf switch is
/// connected to each spine switch with two 40 Gbps links", one of S1's to L1 failed ("the S1 -> L1 link (on the path
/// with reduced capacity)").
pub fn letflow_fig1b(buffers: Buffers) -> Result<Fabric, FabricError> {
    let built = LeafSpine {
        links_per_pair: 2,
        ..leaf_spine([2, 2, 32], 40, buffers)
    }
    .build()?;
    failed(&["leaf1-spine1#1"]).apply(built)
}

/// Fig. 13 and section 5.2: 6 leaves of 48 hosts and 6 spines, two 10 Gbps links inside a pod and one across. How
/// many pods is only drawn: three, since leaves then have 2 x 2 + 4 = 8 uplinks, a switch's radix that 6 spines do
/// not divide, which is how imbalanced striping comes about.
pub fn letflow_fig13(buffers: Buffers) -> Result<Fabric, FabricError> {
    StripedLeafSpine {
        base: leaf_spine([6, 6, 48], 10, buffers),
        striping: Striping::Pods { pods: 3 },
    }
    .build()
}

/// Fig. 15: "a 3-tier topology with asymmetry", traffic from L0-L1 to L2-L3. The rest is only drawn. Four leaves in
/// two pods of two aggregation switches, two cores in each plane, all links 40 Gbps and 2:1 oversubscription at the
/// leaves as in the baseline. The failed link is one between the destinations' pod and a core: every leaf keeps
/// all its uplinks and one of its two ways to the other pod has half the capacity, as in Fig. 1b one tier below.
pub fn letflow_fig15(buffers: Buffers) -> Result<Fabric, FabricError> {
    let rate = Rate::from_gbps(40);
    let built = ThreeTierClos {
        host_rate: Rate::from_gbps(10),
        tor_rate: rate,
        core_rate: rate,
        ..three_tier([2, 2, 2, 2, 16], DELAY, buffers)
    }
    .build()?;
    failed(&["agg1.1-core1.1"]).apply(built)
}

/// Fig. 17a: L1 sends to L0 and L2 over two spines; "the two paths from L1 to L0 are symmetric (both have 80 Gbps of
/// capacity) while [...] there is only one 10 Gbps link between S1 to L2". One cable of 80 Gbps for each lettered
/// link, as the ideal split of 8:1 between Links e and f says. Hosts as in Fig. 1.
pub fn letflow_fig17(buffers: Buffers) -> Result<Fabric, FabricError> {
    let built = leaf_spine([3, 2, 32], 80, buffers).build()?;
    Asymmetry {
        rates: vec![RateOverride {
            link: "leaf2-spine1".to_owned(),
            rate: Rate::from_gbps(10),
        }],
        ..Asymmetry::default()
    }
    .apply(built)
}

/// Fig. 4 and section 3.4: leaves L0 to L3, spines S0 to S2, "the L0-S0 link fails and [...] all links have 40Gbps
/// capacity". Hosts are not stated: 12 of 10 Gbps under each leaf fill its uplinks.
pub fn drill_fig4(buffers: Buffers) -> Result<Fabric, FabricError> {
    let built = leaf_spine([4, 3, 12], 40, buffers).build()?;
    failed(&["leaf0-spine0"]).apply(built)
}

/// Fig. 5 and section 3.4.1: "link (R0, F0) fails". Its paths R5 F2 S0 F0 R1 and R5 F3 S3 F1 R1 give 2 fabric switches
/// in each pod and 2 spines in each plane; F2 and F3 are R5's, so the second pod ends with R5: 3 racks in each.
/// Rates and hosts are not stated: as in Fig. 4, 8 hosts filling two uplinks.
pub fn drill_fig5(buffers: Buffers) -> Result<Fabric, FabricError> {
    let rate = Rate::from_gbps(40);
    let built = FacebookFabric {
        pods: 2,
        racks_per_pod: 3,
        fabric_switches_per_pod: 2,
        spines_per_plane: 2,
        hosts_per_rack: 8,
        host_rate: Rate::from_gbps(10),
        rack_rate: rate,
        spine_rate: rate,
        host_delay: DELAY,
        rack_delay: DELAY,
        spine_delay: DELAY,
        buffer: buffers.switch,
        nic_buffer: buffers.nic,
    }
    .build()?;
    failed(&["rack0-fabric0"]).apply(built)
}

/// Fig. 10 and section 4: "16 ToR switches, each connected to 20 hosts via 1Gbps links, 8 Aggregate switches, and 4
/// Intermediate switches. Core links are 10Gbps".
pub fn drill_fig10(buffers: Buffers) -> Result<Fabric, FabricError> {
    Vl2 {
        tors: 16,
        aggregates: 8,
        intermediates: 4,
        hosts_per_tor: 20,
        host_rate: Rate::from_gbps(1),
        link_rate: Rate::from_gbps(10),
        host_delay: DELAY,
        link_delay: DELAY,
        buffer: buffers.switch,
        nic_buffer: buffers.nic,
    }
    .build()
}

/// Fig. 13 and section 4: 16 leaves of 48 hosts, 16 spines, 10 Gbps everywhere; leaf `i` has two links to the spines
/// `i` and `i + 1` modulo 16, one to every other.
pub fn drill_fig13(buffers: Buffers) -> Result<Fabric, FabricError> {
    StripedLeafSpine {
        base: leaf_spine([16, 16, 48], 10, buffers),
        striping: Striping::Neighbours,
    }
    .build()
}

/// Fig. 6 and section 3.3: the Clos of Fig. 2 (n = m = 2, r = 3, and three pods, the last that its text names), the
/// link from `a_1^1` to `c_1^1` down. 10 Gbps as in section 5.1, as many hosts as uplinks.
pub fn expeditus_fig6(buffers: Buffers) -> Result<Fabric, FabricError> {
    let built = three_tier([3, 3, 2, 2, 2], EXPEDITUS_DELAY, buffers).build()?;
    failed(&["agg0.0-core0.0"]).apply(built)
}

/// Section 5.1: "a 12-pod fat-tree", 10 Gbps, "the baseline oversubscription ratio is 2:1" at the core tier by fewer
/// core switches: 18 of the 36 that [`expeditus_fat_tree`] has.
pub fn expeditus_baseline(buffers: Buffers) -> Result<Fabric, FabricError> {
    three_tier([12, 6, 6, 6, 6], EXPEDITUS_DELAY, buffers)
        .with_core_oversubscription(2)?
        .build()
}

/// Section 5.5: the same fat-tree without oversubscription, 432 hosts and 36 cores.
pub fn expeditus_fat_tree(buffers: Buffers) -> Result<Fabric, FabricError> {
    FatTree {
        k: 12,
        rate: Rate::from_gbps(10),
        host_delay: EXPEDITUS_DELAY,
        link_delay: EXPEDITUS_DELAY,
        buffer: buffers.switch,
        nic_buffer: buffers.nic,
    }
    .build()
}

/// Section 2.2: "commodity ToR switches typically have 4 x 40 Gbps uplinks [...] aggregation/core switches can have up
/// to 96 x 40 Gbps ports. With 96 pods, the topology can accommodate 73,728 10Gbps hosts": 48 ToRs of 16 hosts in
/// each pod, half of an aggregation switch's ports up, 48 cores in each of 4 planes.
pub fn expeditus_largest(buffers: Buffers) -> Result<Fabric, FabricError> {
    let rate = Rate::from_gbps(40);
    ThreeTierClos {
        tor_rate: rate,
        core_rate: rate,
        ..three_tier([96, 48, 4, 48, 16], EXPEDITUS_DELAY, buffers)
    }
    .build()
}

/// Leaves, spines and hosts under each leaf of 10 Gbps; uplinks of `gbps`.
fn leaf_spine([leaves, spines, hosts]: [u32; 3], gbps: u64, buffers: Buffers) -> LeafSpine {
    LeafSpine {
        leaves,
        spines,
        hosts_per_leaf: hosts,
        links_per_pair: 1,
        host_rate: Rate::from_gbps(10),
        uplink_rate: Rate::from_gbps(gbps),
        host_delay: DELAY,
        uplink_delay: DELAY,
        buffer: buffers.switch,
        nic_buffer: buffers.nic,
    }
}

/// Expeditus' p, r, n and m, and the hosts under each ToR; 10 Gbps everywhere.
fn three_tier([p, r, n, m, hosts]: [u32; 5], delay: Time, buffers: Buffers) -> ThreeTierClos {
    let rate = Rate::from_gbps(10);
    ThreeTierClos {
        pods: p,
        tors_per_pod: r,
        aggregations_per_pod: n,
        cores_per_plane: m,
        hosts_per_tor: hosts,
        host_rate: rate,
        tor_rate: rate,
        core_rate: rate,
        host_delay: delay,
        tor_delay: delay,
        core_delay: delay,
        buffer: buffers.switch,
        nic_buffer: buffers.nic,
    }
}

fn failed(links: &[&str]) -> Asymmetry {
    Asymmetry {
        failed_links: links.iter().map(|&link| link.to_owned()).collect(),
        ..Asymmetry::default()
    }
}
