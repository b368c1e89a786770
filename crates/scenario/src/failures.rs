//! `[failures]` and `[control_plane]`: what fails during the run, and how routing answers.

use crate::tagged::tagged;
use closlab_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What fails, and works again, during the run. Packets in the queue or on the wire of a link that fails are lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Failures {
    /// Links and switches that fail or work again, both directions of each cable.
    ///
    /// Source: none, as in most of the papers' experiments.
    pub changes: Vec<Change>,
    /// Links that are up and lose packets.
    ///
    /// Source: none, as in the papers.
    pub grey: Vec<Grey>,
    /// Whether a switch stops using its own dead ports at once, before routing has converged.
    ///
    /// Source: our choice: switches take a port without carrier out of its equal-cost groups by themselves.
    pub local_repair: bool,
}

impl Default for Failures {
    fn default() -> Failures {
        Failures {
            changes: Vec::new(),
            grey: Vec::new(),
            local_repair: true,
        }
    }
}

/// Links and switches that fail, or work again, at one instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// When, from the start of the run.
    ///
    /// Source: none: it has to be written.
    #[schemars(extend("x-maximum" = "86400s"))]
    pub at: Time,
    /// The cables, both directions of each.
    ///
    /// Source: none: links or switches have to be written.
    #[serde(default)]
    pub links: Vec<String>,
    /// The switches: all their cables change.
    ///
    /// Source: none: links or switches have to be written.
    #[serde(default)]
    pub switches: Vec<String>,
    /// Whether they work from then on.
    ///
    /// Source: the section's name: they fail.
    #[serde(default)]
    pub up: bool,
}

/// A link that begins to lose packets although it is up, or heals (both shares 0).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grey {
    /// When, from the start of the run.
    ///
    /// Source: none: it has to be written.
    #[schemars(extend("x-maximum" = "86400s"))]
    pub at: Time,
    /// One direction of a cable as `leaf0->spine1`, or both as `leaf0-spine1`.
    ///
    /// Source: none: it has to be written.
    pub link: String,
    /// Probability of losing any packet.
    ///
    /// Source: none lost unless stated.
    #[serde(default)]
    #[schemars(extend("minimum" = 0, "maximum" = 1))]
    pub loss: f64,
    /// Share of the flows that lose every packet.
    ///
    /// Source: none lost unless stated.
    #[serde(default)]
    #[schemars(extend("minimum" = 0, "maximum" = 1))]
    pub black_hole: f64,
}

tagged! {
    /// When switches learn of failures, and what is done about leaves that can't reach each other.
    pub enum ControlPlane by "convergence" {
        /// A link-state protocol: switches learn hop by hop, each stage taking its time.
        Ospf(OspfControl) = "ospf",
        /// Every switch learns of every change at once.
        Ideal(IdealControl) = "ideal",
    }
    default Ospf = "ospf"
}

/// A link-state protocol; the stages are those of Francois et al. (CCR 2005).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OspfControl {
    /// From a link's change until the switches at its ends tell the others.
    ///
    /// Source: BFD (RFC 5880) at 3 intervals of 50 ms; a lost carrier is seen sooner.
    #[schemars(extend("x-maximum" = "60s"))]
    pub detection: Time,
    /// From one switch to the next: origination, transmission and processing of the message.
    ///
    /// Source: our choice: tens of milliseconds over the few hops of a data center.
    #[schemars(extend("x-maximum" = "60s"))]
    pub flooding_per_hop: Time,
    /// From hearing of a change to new shortest paths, the protocol's hold-down included.
    ///
    /// Source: the first delay of Cisco's SPF throttling, 50 ms by default (timers throttle spf).
    #[schemars(extend("x-maximum" = "60s"))]
    pub spf: Time,
    /// From new shortest paths to a rewritten forwarding table.
    ///
    /// Source: our choice: some hundred prefixes, one for each ToR.
    #[schemars(extend("x-maximum" = "60s"))]
    pub table_update: Time,
    /// What to do when leaves can't reach each other as the run begins.
    ///
    /// Source: our choice: mostly a mistake.
    pub unreachable: Unreachable,
}

impl Default for OspfControl {
    fn default() -> OspfControl {
        OspfControl {
            detection: Time::from_ms(150),
            flooding_per_hop: Time::from_ms(10),
            spf: Time::from_ms(50),
            table_update: Time::from_ms(10),
            unreachable: Unreachable::Error,
        }
    }
}

/// Every switch learns of every change at once: DRILL's "ideal" (section 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct IdealControl {
    /// What to do when leaves can't reach each other as the run begins.
    ///
    /// Source: our choice: mostly a mistake.
    pub unreachable: Unreachable,
}

impl Default for IdealControl {
    fn default() -> IdealControl {
        IdealControl {
            unreachable: Unreachable::Error,
        }
    }
}

impl ControlPlane {
    /// What to do when leaves can't reach each other as the run begins.
    pub fn unreachable(&self) -> Unreachable {
        match self {
            ControlPlane::Ospf(ospf) => ospf.unreachable,
            ControlPlane::Ideal(ideal) => ideal.unreachable,
        }
    }
}

/// What to do when leaves can't reach each other as the run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unreachable {
    /// Refuse the scenario and name them.
    Error,
    /// Start their flows, which are reported as unfinished.
    Report,
}
