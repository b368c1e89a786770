//! `[fabric]`: switches, hosts and links.

use crate::tagged::tagged;
use closlab_units::{Bytes, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

tagged! {
    /// The switches, hosts and links.
    pub enum Fabric {
        /// Two tiers: every leaf is connected to every spine, and hosts are connected to leaves.
        LeafSpine(LeafSpineFabric) = "leaf-spine",
    }
    default LeafSpine = "leaf-spine"
}

/// A two-tier fabric: every leaf is connected to every spine, hosts are connected to leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LeafSpineFabric {
    /// Leaf switches.
    ///
    /// Source: our choice, small enough to look at; DRILL section 4 has 16.
    #[schemars(range(min = 1))]
    pub leaves: u16,
    /// Spine switches: the equal-cost paths between two leaves are this times `links_per_pair`.
    ///
    /// Source: our choice, small enough to look at; DRILL section 4 has 4 to 20.
    #[schemars(range(min = 1))]
    pub spines: u16,
    /// Hosts under each leaf.
    ///
    /// Source: our choice: with 4 spines of the same rate an oversubscription of 2:1, as in LetFlow section 5.1.
    #[schemars(range(min = 1))]
    pub hosts_per_leaf: u16,
    /// Parallel links between each leaf and each spine.
    ///
    /// Source: DRILL section 4; LetFlow section 5.1 has 2.
    #[schemars(range(min = 1))]
    pub links_per_pair: u16,
    /// Rate of the link between a host and its leaf, in each direction.
    ///
    /// Source: DRILL section 4 and LetFlow section 5.1.
    #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
    pub host_rate: Rate,
    /// Rate of each link between a leaf and a spine, in each direction.
    ///
    /// Source: DRILL section 4, its scaled-out fabric; its first one and LetFlow section 5.1 have 40 Gbps.
    #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
    pub uplink_rate: Rate,
    /// Propagation delay between a host and its leaf, one way.
    ///
    /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
    #[schemars(extend("x-maximum" = "1s"))]
    pub host_delay: Time,
    /// Propagation delay between a leaf and a spine, one way.
    ///
    /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
    #[schemars(extend("x-maximum" = "1s"))]
    pub uplink_delay: Time,
    /// Drop-tail buffer of each switch output port, in bytes on the wire, the packet in transmission included.
    ///
    /// Source: 100 packets of 1500 B, the drop-tail queues of the ns-3 code of Expeditus' authors.
    pub buffer: Bytes,
    /// Drop-tail buffer of each host's network card, in bytes on the wire.
    ///
    /// Source: Linux's transmit queue of 1000 packets (txqueuelen) of 1500 B.
    pub nic_buffer: Bytes,
    /// Packets of ECN-capable flows are marked on entering a switch's queue that already holds more than this;
    /// absent: nothing is marked. Needs `transport.ecn`.
    ///
    /// Source: off as in the papers compared; DCTCP section 3.4 has K = 65 packets at 10 Gbps ("97.5KB").
    pub ecn_threshold: Option<Bytes>,
}

impl Default for LeafSpineFabric {
    fn default() -> LeafSpineFabric {
        LeafSpineFabric {
            leaves: 4,
            spines: 4,
            hosts_per_leaf: 8,
            links_per_pair: 1,
            host_rate: Rate::from_gbps(10),
            uplink_rate: Rate::from_gbps(10),
            host_delay: Time::from_us(1),
            uplink_delay: Time::from_us(1),
            buffer: Bytes::new(150_000),
            nic_buffer: Bytes::new(1_500_000),
            ecn_threshold: None,
        }
    }
}
