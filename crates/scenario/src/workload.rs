//! `[workload]`: who sends how much to whom, and when.

use crate::tagged::tagged;
use closlab_units::{Bytes, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

tagged! {
    /// Who sends how much to whom, and when.
    pub enum Workload by "kind" {
        /// Flows arrive at random (a Poisson process) with sizes drawn from a distribution.
        Poisson(PoissonWorkload) = "poisson",
        /// Every host sends long flows to one host under another leaf and receives from one.
        Permutation(PermutationWorkload) = "permutation",
    }
    default Poisson = "poisson"
}

/// Flows arrive as a Poisson process between random hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PoissonWorkload {
    /// The distribution of flow sizes.
    ///
    /// Source: LetFlow section 5, the workload of its most detailed figures.
    pub sizes: FlowSizes,
    /// The size of every flow; needed with `sizes = "fixed"`, and only there.
    ///
    /// Source: none: it has to be chosen.
    #[schemars(extend("x-minimum" = "1B", "x-maximum" = "1000000GB"))]
    pub size: Option<Bytes>,
    /// Payload that arrives as a fraction of the capacity that `load_reference` names.
    ///
    /// Source: our choice: the middle of its range, which studies sweep.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub load: f64,
    /// The capacity that `load` is a fraction of.
    ///
    /// Source: LetFlow section 5.1: load is relative to the bisectional bandwidth.
    pub load_reference: LoadReference,
    /// Who sends to whom.
    ///
    /// Source: LetFlow section 5.1: all traffic traverses the fabric.
    pub pairs: Pairs,
}

impl Default for PoissonWorkload {
    fn default() -> PoissonWorkload {
        PoissonWorkload {
            sizes: FlowSizes::WebSearch,
            size: None,
            load: 0.5,
            load_reference: LoadReference::Uplinks,
            pairs: Pairs::OtherLeaf,
        }
    }
}

/// Every host sends long flows to one host under another leaf and receives from one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PermutationWorkload {
    /// Flows that each host sends, all to the same host.
    ///
    /// Source: our choice: the plain permutation.
    #[schemars(range(min = 1, max = 16384))]
    pub flows_per_host: u16,
    /// The size of every flow.
    ///
    /// Source: our choice: 8 ms at 10 Gbps, long against slow start.
    #[schemars(extend("x-minimum" = "1B", "x-maximum" = "1000000GB"))]
    pub size: Bytes,
    /// Flows start at random in this span after the warm-up; must be at most `measure.window`.
    ///
    /// Source: our choice: hosts don't start at one instant.
    #[schemars(extend("x-maximum" = "86400s"))]
    pub stagger: Time,
}

impl Default for PermutationWorkload {
    fn default() -> PermutationWorkload {
        PermutationWorkload {
            flows_per_host: 1,
            size: Bytes::new(10_000_000),
            stagger: Time::from_ms(1),
        }
    }
}

/// A distribution of flow sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FlowSizes {
    /// The web-search cluster of DCTCP (SIGCOMM 2010).
    #[serde(rename = "websearch")]
    WebSearch,
    /// The data-mining cluster of VL2 (SIGCOMM 2009).
    #[serde(rename = "datamining")]
    DataMining,
    /// All flows have the size `size`.
    #[serde(rename = "fixed")]
    Fixed,
}

/// The capacity that a load is a fraction of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LoadReference {
    /// All links from leaves to spines; only flows between leaves count.
    Uplinks,
    /// All links from hosts to leaves.
    Hosts,
}

/// Who may send to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pairs {
    /// Hosts under different leaves.
    OtherLeaf,
    /// Any two hosts.
    Any,
}
