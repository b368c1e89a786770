//! `[asymmetry]`: what makes the fabric uneven when the run begins.

use crate::fabric_file::Tier;
use closlab_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What makes the fabric uneven when the run begins; routing knows it. Applied in the order of the fields. Cables
/// are named by their ends: `leaf0-spine1` are all parallel ones between the two, `leaf0-spine1#1` is the second.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Asymmetry {
    /// Additional parallel cables.
    ///
    /// Source: none, as in a symmetric Clos.
    pub extra_cables: Vec<ExtraCables>,
    /// Cables of another rate.
    ///
    /// Source: none, as in a symmetric Clos; DRILL section 3.4.3 and LetFlow Fig. 17 have some.
    pub rates: Vec<RateOverride>,
    /// Cables that have failed, both directions of each.
    ///
    /// Source: none, as in a symmetric Clos; DRILL Fig. 4 and LetFlow Figs. 1 and 15 have one.
    pub failed_links: Vec<String>,
    /// Switches that have failed: all their cables are down.
    ///
    /// Source: none, as in a symmetric Clos.
    pub failed_switches: Vec<String>,
    /// Cables that have failed at random.
    ///
    /// Source: none, as in a symmetric Clos; Expeditus section 5.5 has some.
    pub random_failures: Vec<RandomFailures>,
}

/// Additional cables beside an existing one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtraCables {
    /// The cable that they are like, between two switches.
    ///
    /// Source: none: it has to be written.
    pub beside: String,
    /// How many.
    ///
    /// Source: the least.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1024))]
    pub count: u16,
}

const fn one() -> u16 {
    1
}

/// Another rate for the cables of one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateOverride {
    /// The cables.
    ///
    /// Source: none: they have to be written.
    pub link: String,
    /// Their rate, in each direction.
    ///
    /// Source: none: it has to be written.
    #[schemars(extend("x-minimum" = "1bps", "x-maximum" = "8Tbps"))]
    pub rate: Rate,
}

/// Cables of one tier that have failed at random, each equally likely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomFailures {
    /// The tiers at both ends of the cables, in any order.
    ///
    /// Source: none: they have to be written.
    pub between: [Tier; 2],
    /// How many cables.
    ///
    /// Source: none: it has to be written.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// At most so many failed cables of this tier at each switch; absent: no limit.
    ///
    /// Source: no limit unless stated; Expeditus section 5.5 has 2.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub per_switch: Option<u32>,
    /// Only cables with an end among these switches, `agg0.*` being all whose name begins so; empty: all.
    ///
    /// Source: Expeditus section 5.5: uniformly at random.
    #[serde(default)]
    pub switches: Vec<String>,
    /// The seed of the draw; absent: that of the scenario. Each entry has a stream of its own.
    ///
    /// Source: Expeditus section 5.5: drawn anew in each run.
    #[serde(default)]
    #[schemars(range(max = 9223372036854775807u64))]
    pub seed: Option<u64>,
}
