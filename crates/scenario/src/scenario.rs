//! The whole scenario.

use crate::{
    Asymmetry, ControlPlane, Fabric, Failures, Measure, Scheme, Switch, Transport, Workload,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One run: fabric, scheme, transport, workload, and what is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scenario {
    /// A name for tables and plots.
    ///
    /// Source: none: it has no effect on the results.
    pub name: String,
    /// The seed of all random draws; another seed gives other flows.
    ///
    /// Source: our choice: a constant, so that runs repeat.
    #[schemars(range(max = 9223372036854775807u64))]
    pub seed: u64,
    /// The switches, hosts and links.
    pub fabric: Fabric,
    /// What makes the fabric uneven when the run begins.
    pub asymmetry: Asymmetry,
    /// What fails during the run.
    pub failures: Failures,
    /// When switches learn of failures.
    pub control_plane: ControlPlane,
    /// What every switch is like inside.
    pub switch: Switch,
    /// The load balancer and its parameters.
    pub scheme: Scheme,
    /// The end points.
    pub transport: Transport,
    /// Who sends how much to whom, and when.
    pub workload: Workload,
    /// What is measured, and how long.
    pub measure: Measure,
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario {
            name: "unnamed".to_owned(),
            seed: 1,
            fabric: Fabric::default(),
            asymmetry: Asymmetry::default(),
            failures: Failures::default(),
            control_plane: ControlPlane::default(),
            switch: Switch::default(),
            scheme: Scheme::default(),
            transport: Transport::default(),
            workload: Workload::default(),
            measure: Measure::default(),
        }
    }
}

impl Scenario {
    /// The values of the scheme's parameters in the order of its manual page; times are in picoseconds.
    pub fn scheme_values(&self) -> &[u64] {
        &self.scheme.values
    }
}
