//! `[fabric]`: switches, hosts and links.

use crate::fabric_file::FileFabric;
use crate::figure::FigureFabric;
use crate::tagged::tagged;
use closlab_units::{Bytes, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

tagged! {
    /// The switches, hosts and links.
    pub enum Fabric by "kind" {
        /// Two tiers: every leaf is connected to every spine, and hosts are connected to leaves.
        LeafSpine(LeafSpineFabric) = "leaf-spine",
        /// Three tiers: ToRs and aggregation switches form pods, and each of these has a plane of cores.
        ThreeTier(ThreeTierFabric) = "three-tier",
        /// Three tiers of equal switches with k ports and equal links.
        FatTree(FatTreeFabric) = "fat-tree",
        /// VL2: every ToR is connected to two aggregate switches, and these to every intermediate switch.
        Vl2(Vl2Fabric) = "vl2",
        /// Facebook's fabric: racks and fabric switches form pods, connected by planes of spines.
        Facebook(FacebookFabric) = "facebook",
        /// Any fabric, described switch by switch, host by host and cable by cable.
        File(FileFabric) = "file",
        /// The fabric of a figure in the papers, by its name.
        Figure(FigureFabric) = "figure",
    }
    default LeafSpine = "leaf-spine"
}

/// Defines one kind of fabric: its own fields, and those that every kind has.
macro_rules! kind_of_fabric {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$meta:meta])* pub $field:ident: $type:ty = $default:expr,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $($(#[$meta])* pub $field: $type,)+
            /// Drop-tail buffer of each switch output port, in bytes on the wire, the packet in transmission
            /// included.
            ///
            /// Source: 100 packets of 1500 B, the drop-tail queues of the ns-3 code of Expeditus' authors.
            pub buffer: Bytes,
            /// Drop-tail buffer of each host's network card, in bytes on the wire.
            ///
            /// Source: Linux's transmit queue of 1000 packets (txqueuelen) of 1500 B.
            pub nic_buffer: Bytes,
            /// Packets of ECN-capable flows are marked on entering a switch's queue that already holds more than
            /// this; absent: nothing is marked. Needs `transport.ecn`.
            ///
            /// Source: off as in the papers compared; DCTCP section 3.4 has K = 65 packets at 10 Gbps ("97.5KB").
            pub ecn_threshold: Option<Bytes>,
        }

        impl Default for $name {
            fn default() -> $name {
                $name {
                    $($field: $default,)+
                    buffer: Bytes::new(150_000),
                    nic_buffer: Bytes::new(1_500_000),
                    ecn_threshold: None,
                }
            }
        }
    };
}

pub(crate) use kind_of_fabric;

kind_of_fabric! {
    /// A two-tier fabric: every leaf is connected to every spine, hosts are connected to leaves.
    pub struct LeafSpineFabric {
        /// Leaf switches.
        ///
        /// Source: our choice, small enough to look at; DRILL section 4 has 16.
        #[schemars(range(min = 1))]
        pub leaves: u16 = 4,
        /// Spine switches: the equal-cost paths between two leaves are this times `links_per_pair`.
        ///
        /// Source: our choice, small enough to look at; DRILL section 4 has 4 to 20.
        #[schemars(range(min = 1))]
        pub spines: u16 = 4,
        /// Hosts under each leaf.
        ///
        /// Source: our choice: with 4 spines of the same rate an oversubscription of 2:1, as in LetFlow section 5.1.
        #[schemars(range(min = 1))]
        pub hosts_per_leaf: u16 = 8,
        /// Parallel links between each leaf and each spine.
        ///
        /// Source: DRILL section 4; LetFlow section 5.1 has 2.
        #[schemars(range(min = 1))]
        pub links_per_pair: u16 = 1,
        /// Which pairs of leaf and spine have one link more than `links_per_pair`.
        ///
        /// Source: DRILL section 4 and LetFlow section 5.1 but for their experiments with imbalanced striping.
        pub striping: Striping = Striping::Even,
        /// Pods to which leaves and spines are dealt in equal blocks; needed with `striping = "pods"`, and only there.
        ///
        /// Source: none: it has to be chosen; LetFlow Fig. 13 draws 3 for 6 leaves and 6 spines.
        #[schemars(range(min = 1))]
        pub pods: Option<u16> = None,
        /// Rate of the link between a host and its leaf, in each direction.
        ///
        /// Source: DRILL section 4 and LetFlow section 5.1.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub host_rate: Rate = Rate::from_gbps(10),
        /// Rate of each link between a leaf and a spine, in each direction.
        ///
        /// Source: DRILL section 4, its scaled-out fabric; its first one and LetFlow section 5.1 have 40 Gbps.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub uplink_rate: Rate = Rate::from_gbps(10),
        /// Propagation delay between a host and its leaf, one way.
        ///
        /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
        #[schemars(extend("x-maximum" = "1s"))]
        pub host_delay: Time = Time::from_us(1),
        /// Propagation delay between a leaf and a spine, one way.
        ///
        /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
        #[schemars(extend("x-maximum" = "1s"))]
        pub uplink_delay: Time = Time::from_us(1),
    }
}

/// Which pairs of leaf and spine have one link more than the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Striping {
    /// None.
    Even,
    /// Leaf i and the spines i and i + 1, counted modulo the spines (DRILL Fig. 13).
    NextSpine,
    /// Leaves and spines of the same pod (LetFlow Fig. 13).
    Pods,
}

kind_of_fabric! {
    /// A three-tier Clos (Expeditus Fig. 1): `aggregations_per_pod` is also the number of core planes.
    pub struct ThreeTierFabric {
        /// Pods.
        ///
        /// Source: our choice, small enough to look at; Expeditus section 5.1 has 12.
        #[schemars(range(min = 1))]
        pub pods: u16 = 4,
        /// ToR switches in each pod.
        ///
        /// Source: our choice; Expeditus section 5.1 has 6.
        #[schemars(range(min = 1))]
        pub tors_per_pod: u16 = 2,
        /// Aggregation switches in each pod, each with a plane of cores of its own.
        ///
        /// Source: our choice; Expeditus section 5.1 has 6.
        #[schemars(range(min = 1))]
        pub aggregations_per_pod: u16 = 2,
        /// Core switches in each plane.
        ///
        /// Source: oversubscribed 2:1 at the core as in Expeditus section 5.1, which has 3.
        #[schemars(range(min = 1))]
        pub cores_per_plane: u16 = 1,
        /// Hosts under each ToR.
        ///
        /// Source: as many as uplinks, as in Expeditus section 5.1, which has 6.
        #[schemars(range(min = 1))]
        pub hosts_per_tor: u16 = 2,
        /// Rate of the link between a host and its ToR, in each direction.
        ///
        /// Source: Expeditus section 5.1.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub host_rate: Rate = Rate::from_gbps(10),
        /// Rate of each link between a ToR and an aggregation switch, in each direction.
        ///
        /// Source: Expeditus section 5.1.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub tor_rate: Rate = Rate::from_gbps(10),
        /// Rate of each link between an aggregation switch and a core, in each direction.
        ///
        /// Source: Expeditus section 5.1.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub core_rate: Rate = Rate::from_gbps(10),
        /// Propagation delay between a host and its ToR, one way.
        ///
        /// Source: Expeditus section 5.1: "the fabric RTT is ~32 us across pods", and 2 us for each of its links make that.
        #[schemars(extend("x-maximum" = "1s"))]
        pub host_delay: Time = Time::from_us(2),
        /// Propagation delay between a ToR and an aggregation switch, one way.
        ///
        /// Source: Expeditus section 5.1: "the fabric RTT is ~32 us across pods", and 2 us for each of its links make that.
        #[schemars(extend("x-maximum" = "1s"))]
        pub tor_delay: Time = Time::from_us(2),
        /// Propagation delay between an aggregation switch and a core, one way.
        ///
        /// Source: Expeditus section 5.1: "the fabric RTT is ~32 us across pods", and 2 us for each of its links make that.
        #[schemars(extend("x-maximum" = "1s"))]
        pub core_delay: Time = Time::from_us(2),
    }
}

kind_of_fabric! {
    /// A k-ary fat-tree: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores, k/2 hosts per edge switch.
    pub struct FatTreeFabric {
        /// Ports of every switch, and pods; even.
        ///
        /// Source: our choice, small enough to look at; Expeditus section 5.5 has 12 (432 hosts).
        #[schemars(range(min = 1))]
        pub k: u16 = 4,
        /// Rate of every link, in each direction.
        ///
        /// Source: Expeditus section 5.1.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub rate: Rate = Rate::from_gbps(10),
        /// Propagation delay between a host and its edge switch, one way.
        ///
        /// Source: Expeditus section 5.1: "the fabric RTT is ~32 us across pods", and 2 us for each of its links make that.
        #[schemars(extend("x-maximum" = "1s"))]
        pub host_delay: Time = Time::from_us(2),
        /// Propagation delay between two switches, one way.
        ///
        /// Source: Expeditus section 5.1: "the fabric RTT is ~32 us across pods", and 2 us for each of its links make that.
        #[schemars(extend("x-maximum" = "1s"))]
        pub link_delay: Time = Time::from_us(2),
    }
}

kind_of_fabric! {
    /// VL2 (DRILL Fig. 10): every ToR has two uplinks, aggregates are connected to every intermediate switch.
    pub struct Vl2Fabric {
        /// ToR switches.
        ///
        /// Source: DRILL section 4.
        #[schemars(range(min = 1))]
        pub tors: u16 = 16,
        /// Aggregate switches; even, since each ToR is connected to a pair.
        ///
        /// Source: DRILL section 4.
        #[schemars(range(min = 1))]
        pub aggregates: u16 = 8,
        /// Intermediate switches.
        ///
        /// Source: DRILL section 4.
        #[schemars(range(min = 1))]
        pub intermediates: u16 = 4,
        /// Hosts under each ToR.
        ///
        /// Source: DRILL section 4.
        #[schemars(range(min = 1))]
        pub hosts_per_tor: u16 = 20,
        /// Rate of the link between a host and its ToR, in each direction.
        ///
        /// Source: DRILL section 4.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub host_rate: Rate = Rate::from_gbps(1),
        /// Rate of each link between switches, in each direction.
        ///
        /// Source: DRILL section 4.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub link_rate: Rate = Rate::from_gbps(10),
        /// Propagation delay between a host and its ToR, one way.
        ///
        /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
        #[schemars(extend("x-maximum" = "1s"))]
        pub host_delay: Time = Time::from_us(1),
        /// Propagation delay between two switches, one way.
        ///
        /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
        #[schemars(extend("x-maximum" = "1s"))]
        pub link_delay: Time = Time::from_us(1),
    }
}

kind_of_fabric! {
    /// Facebook's fabric (DRILL Fig. 5): `fabric_switches_per_pod` is also the number of spine planes.
    pub struct FacebookFabric {
        /// Pods.
        ///
        /// Source: DRILL Fig. 5.
        #[schemars(range(min = 1))]
        pub pods: u16 = 2,
        /// Racks in each pod, each with one ToR.
        ///
        /// Source: DRILL Fig. 5: its R5 belongs to the second pod.
        #[schemars(range(min = 1))]
        pub racks_per_pod: u16 = 3,
        /// Fabric switches in each pod, each with a plane of spines of its own.
        ///
        /// Source: DRILL Fig. 5.
        #[schemars(range(min = 1))]
        pub fabric_switches_per_pod: u16 = 2,
        /// Spine switches in each plane.
        ///
        /// Source: DRILL Fig. 5.
        #[schemars(range(min = 1))]
        pub spines_per_plane: u16 = 2,
        /// Hosts in each rack.
        ///
        /// Source: our choice: they fill two uplinks of 40 Gbps; the figure has none.
        #[schemars(range(min = 1))]
        pub hosts_per_rack: u16 = 8,
        /// Rate of the link between a host and its ToR, in each direction.
        ///
        /// Source: DRILL section 4.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub host_rate: Rate = Rate::from_gbps(10),
        /// Rate of each link between a ToR and a fabric switch, in each direction.
        ///
        /// Source: DRILL section 3.4, as in its Fig. 4.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub rack_rate: Rate = Rate::from_gbps(40),
        /// Rate of each link between a fabric switch and a spine, in each direction.
        ///
        /// Source: DRILL section 3.4, as in its Fig. 4.
        #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
        pub spine_rate: Rate = Rate::from_gbps(40),
        /// Propagation delay between a host and its ToR, one way.
        ///
        /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
        #[schemars(extend("x-maximum" = "1s"))]
        pub host_delay: Time = Time::from_us(1),
        /// Propagation delay between a ToR and a fabric switch, one way.
        ///
        /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
        #[schemars(extend("x-maximum" = "1s"))]
        pub rack_delay: Time = Time::from_us(1),
        /// Propagation delay between a fabric switch and a spine, one way.
        ///
        /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
        #[schemars(extend("x-maximum" = "1s"))]
        pub spine_delay: Time = Time::from_us(1),
    }
}
