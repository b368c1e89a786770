//! How the values of a scenario fit together.

use crate::check::check;
use crate::validate_fabric::{check_built, check_plan};
use crate::{
    Dupthresh, FlowSizes, MAX_FLOWS, MAX_TIME, Measure, Scenario, ScenarioError, Transport,
    Workload,
};
use closlab_units::Time;

pub(crate) type Checked = Result<(), ScenarioError>;

pub(crate) fn error(path: &str, message: String) -> Checked {
    Err(ScenarioError::new(path, message))
}

impl Scenario {
    /// Checks every field and how they fit together; the constructors have done so already.
    pub fn validate(&self) -> Result<(), ScenarioError> {
        check(&mut self.to_value())?;
        self.check_together()
    }

    /// Checks how the fields fit together, each being right for itself.
    pub(crate) fn check_together(&self) -> Result<(), ScenarioError> {
        check_scheme(self)?;
        check_windows(&self.transport)?;
        check_timeouts(&self.transport)?;
        check_dupthresh(&self.transport)?;
        check_plan(&self.fabric, &self.transport)?;
        check_measure(&self.measure)?;
        check_workload(&self.workload, &self.measure)?;
        let fabric = self.build_fabric()?;
        check_built(self, &fabric)?;
        self.check_load(&fabric)
    }

    /// Checks that the fabric can carry the load, and that flows can be counted.
    fn check_load(&self, fabric: &closlab_fabric::Fabric) -> Checked {
        let Some(offered) = self.offered(fabric)? else {
            return Ok(());
        };
        let measure = &self.measure;
        let wanted = measure.warmup + measure.window;
        for (what, span, most) in [
            ("warmup and window", wanted, MAX_FLOWS),
            (
                "warmup, window and limit",
                wanted + measure.limit,
                u64::from(u32::MAX),
            ),
        ] {
            let flows = offered.flows_per_second * span.as_secs_f64();
            if flows > most as f64 {
                return error(
                    "measure",
                    format!(
                        "some {flows:.0} flows would arrive in {span} ({what}), and {most} is the most; write less, \
                         lower workload.load or choose larger flows"
                    ),
                );
            }
        }
        Ok(())
    }
}

fn check_scheme(scenario: &Scenario) -> Checked {
    let scheme = &scenario.scheme;
    match scheme.manual() {
        Some(manual) if manual.params.len() == scheme.values.len() => Ok(()),
        Some(manual) => error(
            "scheme",
            format!(
                "{} values for the {} parameters of {}; write one for each",
                scheme.values.len(),
                manual.params.len(),
                scheme.name
            ),
        ),
        None => error("scheme.name", format!("unknown name {:?}", scheme.name)),
    }
}

fn check_windows(transport: &Transport) -> Checked {
    let window = transport.receive_window;
    if window.get() < u64::from(transport.mss) {
        return error(
            "transport.receive_window",
            format!(
                "{window} are less than one segment; write at least {}B (transport.mss)",
                transport.mss
            ),
        );
    }
    Ok(())
}

fn check_timeouts(transport: &Transport) -> Checked {
    let (minimum, maximum) = (transport.rto_min, transport.rto_max);
    if minimum > maximum {
        return error(
            "transport.rto_min",
            format!("{minimum} is more than rto_max = {maximum}; lower it or raise rto_max"),
        );
    }
    let initial = transport.rto_initial;
    if initial < minimum || initial > maximum {
        return error(
            "transport.rto_initial",
            format!(
                "{initial} is not between rto_min = {minimum} and rto_max = {maximum}; write a time in between"
            ),
        );
    }
    let delay = transport.delayed_ack_timeout;
    if transport.delayed_ack_segments > 1 && delay >= minimum {
        return error(
            "transport.delayed_ack_timeout",
            format!(
                "{delay} is not less than rto_min = {minimum}: every delayed acknowledgment would cause a \
                 spurious time-out; lower it, or set delayed_ack_segments = 1"
            ),
        );
    }
    Ok(())
}

fn check_dupthresh(transport: &Transport) -> Checked {
    let segments = transport.dupthresh_segments;
    match (transport.dupthresh, transport.dupthresh_max) {
        (Dupthresh::Fixed, Some(maximum)) => error(
            "transport.dupthresh_max",
            format!(
                "{maximum} has no effect with dupthresh = \"fixed\"; remove it, or set dupthresh = \"adaptive\""
            ),
        ),
        (Dupthresh::Adaptive, Some(maximum)) if maximum < segments => error(
            "transport.dupthresh_max",
            format!(
                "{maximum} is less than dupthresh_segments = {segments}, where the threshold starts; raise it"
            ),
        ),
        _ => Ok(()),
    }
}

fn check_measure(measure: &Measure) -> Checked {
    let end = [measure.warmup, measure.window, measure.limit]
        .iter()
        .try_fold(Time::ZERO, |sum, time| sum.checked_add(*time));
    match end {
        Some(end) if end <= MAX_TIME => Ok(()),
        _ => error(
            "measure",
            format!(
                "warmup {} and window {} and limit {} are together more than {MAX_TIME}; write less",
                measure.warmup, measure.window, measure.limit
            ),
        ),
    }
}

fn check_workload(workload: &Workload, measure: &Measure) -> Checked {
    match workload {
        Workload::Poisson(poisson) => check_fixed_size(poisson),
        Workload::Permutation(permutation) => check_stagger(permutation.stagger, measure.window),
    }
}

fn check_fixed_size(poisson: &crate::PoissonWorkload) -> Checked {
    match (poisson.sizes, poisson.size) {
        (FlowSizes::Fixed, None) => error(
            "workload.size",
            "missing, since sizes = \"fixed\" needs it; write such as size = \"1MB\"".to_owned(),
        ),
        (FlowSizes::WebSearch | FlowSizes::DataMining, Some(size)) => error(
            "workload.size",
            format!("{size} has no effect with these sizes; remove it, or set sizes = \"fixed\""),
        ),
        _ => Ok(()),
    }
}

fn check_stagger(stagger: Time, window: Time) -> Checked {
    if stagger > window {
        return error(
            "workload.stagger",
            format!(
                "{stagger} is more than measure.window = {window}: some flows would not be measured; lower it or \
                 raise the window"
            ),
        );
    }
    Ok(())
}
