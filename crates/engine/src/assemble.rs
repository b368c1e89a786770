//! From a scenario to the parts of a run.

use crate::control::Control;
use crate::error::RunError;
use crate::hosts::Hosts;
use crate::network::{Network, SwitchSetup};
use crate::plan::Plan;
use crate::simulation::Simulation;
use crate::unloaded::alone;
use closlab_balance::Balancer;
use closlab_balance::registry::{Visitor, dispatch};
use closlab_fabric::{Fabric, Routes};
use closlab_record::Records;
use closlab_scenario::{Scenario, Visibility};
use closlab_units::{FlowId, Time};
use closlab_workload::Generator;

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
/// in the fabric, by running it: the denominator of its slowdown. It does not depend on the scheme.
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
    routes: Routes,
    flows: Generator,
    plan: Plan,
}

impl Parts {
    fn new(scenario: &Scenario) -> Result<Parts, RunError> {
        let impossible = |error: &dyn std::fmt::Display| RunError::Impossible(error.to_string());
        let fabric = scenario
            .build_fabric()
            .map_err(|error| impossible(&error))?;
        let routes = Routes::compute(&fabric).map_err(|error| impossible(&error))?;
        let flows = scenario
            .generator(&fabric)
            .map_err(|error| impossible(&error))?;
        let measure = &scenario.measure;
        let window_end = measure.warmup + measure.window;
        let plan = Plan {
            window_start: measure.warmup,
            window_end,
            end: window_end + measure.limit,
            queue_samples: measure.queue_samples,
        };
        Ok(Parts {
            fabric,
            routes,
            flows,
            plan,
        })
    }

    fn network<B: Balancer>(&self, scenario: &Scenario, scheme_values: &[u64]) -> Network<B> {
        let setup = SwitchSetup {
            seed: scenario.seed,
            engines: usize::from(scenario.switch.engines),
            delayed_visibility: scenario.switch.visibility == Visibility::Enqueued,
            ecn_threshold: scenario.ecn_threshold(),
            scheme_values,
        };
        Network::new(&self.fabric, &self.routes, &setup)
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
        let net: Network<B> = self
            .parts
            .network(self.scenario, self.scenario.scheme_values());
        let Parts {
            fabric,
            flows,
            plan,
            ..
        } = self.parts;
        let hosts = Hosts::new(&fabric, self.scenario.tcp_config());
        Simulation::new(&fabric, plan, net, hosts, flows, self.control).run()
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
        let net: Network<B> = self.parts.network(self.scenario, &B::MANUAL.defaults());
        let hosts = Hosts::new(&self.parts.fabric, self.scenario.tcp_config());
        let plan = self.parts.plan;
        let measured = (0..)
            .map(FlowId)
            .zip(self.parts.flows)
            .take_while(|(_, flow)| flow.start < plan.window_end)
            .filter(|(_, flow)| flow.start >= plan.window_start);
        alone(net, hosts, measured, self.control)
    }
}
