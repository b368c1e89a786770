//! `[fabric]` with `kind = "file"`: any fabric, described node by node and cable by cable.

use crate::fabric::kind_of_fabric;
use closlab_units::{Bytes, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

kind_of_fabric! {
    /// Any fabric: hosts are connected to leaves, each by one cable; routing sees the cables, not the tiers.
    pub struct FileFabric {
        /// Every switch; at least one is a leaf.
        ///
        /// Source: none: they have to be written.
        pub switches: Vec<SwitchEntry> = Vec::new(),
        /// Every host.
        ///
        /// Source: none: they have to be written.
        pub hosts: Vec<HostEntry> = Vec::new(),
        /// Every cable: exactly one for each host, to a leaf; any between switches.
        ///
        /// Source: none: they have to be written.
        pub cables: Vec<CableEntry> = Vec::new(),
    }
}

/// One switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SwitchEntry {
    /// Its name: letters, digits, `.` and `_`.
    ///
    /// Source: none: it has to be written.
    pub name: String,
    /// Its tier; only leaves have hosts.
    ///
    /// Source: none: it has to be written.
    pub role: Tier,
}

/// One host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostEntry {
    /// Its name: letters, digits, `.` and `_`.
    ///
    /// Source: none: it has to be written.
    pub name: String,
    /// Drop-tail buffer of its network card; absent: `fabric.nic_buffer`.
    ///
    /// Source: hosts are alike unless stated otherwise.
    #[serde(default)]
    pub nic_buffer: Option<Bytes>,
}

/// One cable, or several parallel ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CableEntry {
    /// The names of both ends, in any order.
    ///
    /// Source: none: they have to be written.
    pub ends: [String; 2],
    /// Rate in each direction.
    ///
    /// Source: none: it has to be written.
    #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
    pub rate: Rate,
    /// Propagation delay, one way.
    ///
    /// Source: 1 us for each hop, as in ConWeave's ns-3 code.
    #[serde(default = "one_hop")]
    #[schemars(extend("x-maximum" = "1s"))]
    pub delay: Time,
    /// Drop-tail buffer of the output port at each end that is a switch; absent: `fabric.buffer`.
    ///
    /// Source: ports are alike unless stated otherwise.
    #[serde(default)]
    pub buffer: Option<Bytes>,
    /// Parallel cables; 1 at a host.
    ///
    /// Source: the plain cable.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1024))]
    pub parallel: u16,
}

const fn one_hop() -> Time {
    Time::from_us(1)
}

const fn one() -> u16 {
    1
}

/// A tier of switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Top-of-rack switches, to which hosts are connected; a fat-tree's edge switches.
    Leaf,
    /// The middle tier of three; VL2's aggregates and Facebook's fabric switches.
    Aggregation,
    /// The upper tier of a leaf-spine fabric.
    Spine,
    /// The top tier of three; VL2's intermediate switches and the spines of Facebook's fabric.
    Core,
}
