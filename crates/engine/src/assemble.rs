//! From a scenario to the parts of a run.

use crate::control::Control;
use crate::error::RunError;
use crate::forwarding::Tables;
use crate::hosts::Hosts;
use crate::network::{Network, SwitchSetup};
use crate::plan::Plan;
use crate::schedule::Schedule;
use crate::simulation::Simulation;
use crate::unloaded::{Classes, alone};
use closlab_balance::Balancer;
use closlab_balance::registry::{Visitor, dispatch};
use closlab_fabric::{Fabric, FailurePlan, Routes};
use closlab_record::Records;
use closlab_scenario::{Fabric as FabricSection, Scenario, Striping, Visibility};
use closlab_units::{FlowId, Time};
use closlab_workload::Generator;
use std::sync::Arc;

/// Simulates `scenario` and gives its records.
///
/// # Errors
/// [`RunError::Cancelled`] after [`Control::cancel`]; [`RunError::Impossible`] for a scenario that passed its
/// own checks but can't be built; [`RunError::Audit`] if the simulator lost or invented a packet.
pub fn run(scenario: &Scenario, control: &Control) -> Result<Records, RunError> {
    let parts = Parts::new(scenario)?;
    dispatch(
        scenario.scheme.name,
        Run {
            scenario,
            parts,
            control,
        },
    )
    .unwrap_or_else(|| Err(no_scheme(scenario.scheme.name)))
}

/// For each measured flow of `scenario` the time from its start to the receiver's last byte if it were alone
/// in the fabric as it is when the run begins, by running it: the denominator of its slowdown. It does not
/// depend on the scheme. Flows whose ends can't reach each other have no such time and are left out.
///
/// # Errors
/// As for [`run`].
pub fn unloaded(scenario: &Scenario, control: &Control) -> Result<Vec<(FlowId, Time)>, RunError> {
    let parts = Parts::new(scenario)?;
    dispatch(
        "ecmp",
        Alone {
            scenario,
            parts,
            control,
        },
    )
    .unwrap_or_else(|| Err(no_scheme("ecmp")))
}

fn no_scheme(name: &str) -> RunError {
    RunError::Impossible(format!("scheme.name: there is no scheme {name:?}"))
}

/// What a run is made of.
struct Parts {
    fabric: Fabric,
    routes: Arc<Routes>,
    flows: Generator,
    failures: FailurePlan,
    plan: Plan,
}

impl Parts {
    fn new(scenario: &Scenario) -> Result<Parts, RunError> {
        let impossible = |error: &dyn std::fmt::Display| RunError::Impossible(error.to_string());
        let fabric = scenario
            .build_fabric()
            .map_err(|error| impossible(&error))?;
        let routes = Arc::new(
            scenario
                .routes(&fabric)
                .map_err(|error| impossible(&error))?,
        );
        let failures = scenario
            .failure_plan(&fabric)
            .map_err(|error| impossible(&error))?;
        let flows = scenario
            .generator(&fabric)
            .map_err(|error| impossible(&error))?;
        let measure = &scenario.measure;
        let window_end = measure.warmup + measure.window;
        let plan = Plan {
            window_start: measure.warmup,
            window_end,
            end: scenario.end(),
            queue_samples: measure.queue_samples,
            throughput_samples: measure.throughput_samples,
        };
        Ok(Parts {
            fabric,
            routes,
            flows,
            failures,
            plan,
        })
    }

    /// Whether some pair's shortest paths may differ, now or after a failure: the regular fabrics are symmetric by
    /// construction, and need no decomposition.
    fn may_be_asymmetric(&self, scenario: &Scenario) -> bool {
        let regular = match &scenario.fabric {
            FabricSection::LeafSpine(section) => section.striping == Striping::Even,
            FabricSection::ThreeTier(_) | FabricSection::FatTree(_) => true,
            FabricSection::Facebook(_) => true,
            FabricSection::Vl2(_) | FabricSection::File(_) => false,
            FabricSection::Figure(section) => section.figure.is_regular(),
        };
        !regular || !scenario.asymmetry.is_none() || !self.failures.changes.is_empty()
    }

    fn network<B: Balancer>(
        &self,
        scenario: &Scenario,
        tables: &Tables,
        scheme_values: &[u64],
    ) -> Network<B> {
        let setup = SwitchSetup {
            seed: scenario.seed,
            engines: usize::from(scenario.switch.engines),
            delayed_visibility: scenario.switch.visibility == Visibility::Enqueued,
            ecn_threshold: scenario.ecn_threshold(),
            scheme_values,
        };
        Network::with_tables(&self.fabric, tables, &setup)
    }
}

struct Run<'a> {
    scenario: &'a Scenario,
    parts: Parts,
    control: &'a Control,
}

impl Visitor for Run<'_> {
    type Output = Result<Records, RunError>;

    fn visit<B: Balancer + Send>(self) -> Self::Output {
        let splits = B::USES_COMPONENTS && self.parts.may_be_asymmetric(self.scenario);
        let tables =
            Tables::with_routes(&self.parts.fabric, Arc::clone(&self.parts.routes), splits);
        let values = self.scenario.scheme_values();
        let net: Network<B> = self.parts.network(self.scenario, &tables, values);
        let Parts {
            fabric,
            flows,
            failures,
            plan,
            ..
        } = self.parts;
        let schedule = Schedule::new(&fabric, &tables, failures)
            .map_err(|error| RunError::Impossible(error.to_string()))?;
        let hosts = Hosts::new(&fabric, self.scenario.tcp_config());
        Simulation::new(&fabric, plan, net, hosts, flows, schedule, self.control).run()
    }
}

struct Alone<'a> {
    scenario: &'a Scenario,
    parts: Parts,
    control: &'a Control,
}

impl Visitor for Alone<'_> {
    type Output = Result<Vec<(FlowId, Time)>, RunError>;

    fn visit<B: Balancer + Send>(self) -> Self::Output {
        let tables = Tables::with_routes(&self.parts.fabric, Arc::clone(&self.parts.routes), false);
        let values = B::MANUAL.defaults();
        let net: Network<B> = self.parts.network(self.scenario, &tables, &values);
        let Parts {
            fabric,
            routes,
            flows,
            plan,
            ..
        } = self.parts;
        let hosts = Hosts::new(&fabric, self.scenario.tcp_config());
        let classes = Classes::new(
            &fabric,
            &routes,
            is_symmetric(self.scenario),
            is_mixed(self.scenario),
        );
        let measured = (0..)
            .map(FlowId)
            .zip(flows)
            .take_while(|(_, flow)| flow.start < plan.window_end)
            .filter(|(_, flow)| flow.start >= plan.window_start);
        alone(net, hosts, &classes, measured, self.control)
    }
}

/// Whether all pairs of hosts under different leaves are alike, and all under one leaf.
fn is_symmetric(scenario: &Scenario) -> bool {
    let even = match &scenario.fabric {
        FabricSection::LeafSpine(section) => section.striping == Striping::Even,
        _ => false,
    };
    even && scenario.asymmetry.is_none()
}

/// Whether the paths of one pair of hosts may differ in rate or delay.
fn is_mixed(scenario: &Scenario) -> bool {
    !scenario.asymmetry.rates.is_empty()
        || matches!(
            scenario.fabric,
            FabricSection::File(_) | FabricSection::Figure(_)
        )
}
