//! How the values of a scenario fit together.

use crate::check::check;
use crate::{
    Dupthresh, Fabric, FlowSizes, LeafSpineFabric, MAX_FLOWS, MAX_LINKS, MAX_ROUTES, MAX_TIME,
    Measure, Pairs, Scenario, ScenarioError, Transport, WIRE_OVERHEAD, Workload,
};
use closlab_units::Time;

type Checked = Result<(), ScenarioError>;

fn error(path: &str, message: String) -> Checked {
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
        let Fabric::LeafSpine(fabric) = &self.fabric;
        check_scheme(self)?;
        check_size(fabric)?;
        check_engines(self.switch.engines, fabric)?;
        check_windows(&self.transport)?;
        check_timeouts(&self.transport)?;
        check_dupthresh(&self.transport)?;
        check_buffers(fabric, &self.transport)?;
        check_ecn(fabric, &self.transport)?;
        check_measure(&self.measure)?;
        check_workload(&self.workload, fabric, &self.measure)?;
        self.check_load()
    }

    /// Builds the fabric and checks that it can carry the load, and that flows can be counted.
    fn check_load(&self) -> Checked {
        let fabric = self.build_fabric()?;
        let Some(offered) = self.offered(&fabric)? else {
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

/// Directed links, in wide integers: any counts that the fields can hold.
fn links(fabric: &LeafSpineFabric) -> u64 {
    let per_leaf = u64::from(fabric.hosts_per_leaf)
        + u64::from(fabric.spines) * u64::from(fabric.links_per_pair);
    2 * u64::from(fabric.leaves) * per_leaf
}

fn check_size(fabric: &LeafSpineFabric) -> Checked {
    let links = links(fabric);
    if links > MAX_LINKS {
        return error(
            "fabric",
            format!(
                "{} leaves of {} hosts and {} x {} uplinks have {links} directed links, and {MAX_LINKS} is the \
                 most; write fewer",
                fabric.leaves, fabric.hosts_per_leaf, fabric.spines, fabric.links_per_pair
            ),
        );
    }
    let leaves = u64::from(fabric.leaves);
    let routes = leaves * (leaves + u64::from(fabric.spines));
    if routes > MAX_ROUTES {
        return error(
            "fabric.leaves",
            format!(
                "{leaves} need {routes} routing entries, and {MAX_ROUTES} is the most; write fewer"
            ),
        );
    }
    Ok(())
}

/// The ports of each kind of switch.
fn ports(fabric: &LeafSpineFabric) -> [(&'static str, u64); 2] {
    let parallel = u64::from(fabric.links_per_pair);
    [
        (
            "leaf",
            u64::from(fabric.hosts_per_leaf) + u64::from(fabric.spines) * parallel,
        ),
        ("spine", u64::from(fabric.leaves) * parallel),
    ]
}

fn check_engines(engines: u16, fabric: &LeafSpineFabric) -> Checked {
    for (of, ports) in ports(fabric) {
        if u64::from(engines) > ports {
            return error(
                "switch.engines",
                format!("{engines} are more than the {ports} ports of a {of}; write 1 to {ports}"),
            );
        }
    }
    Ok(())
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

fn check_buffers(fabric: &LeafSpineFabric, transport: &Transport) -> Checked {
    let packet = u64::from(transport.mss) + u64::from(WIRE_OVERHEAD);
    let slower = fabric.host_rate.min(fabric.uplink_rate);
    for (path, buffer, rate) in [
        ("fabric.buffer", fabric.buffer, slower),
        ("fabric.nic_buffer", fabric.nic_buffer, fabric.host_rate),
    ] {
        if buffer.get() < packet {
            return error(
                path,
                format!(
                    "{buffer} does not hold one full packet; write at least {packet}B (transport.mss and {} B of \
                     headers and framing)",
                    WIRE_OVERHEAD
                ),
            );
        }
        let drain = u128::from(buffer.get()) * 8_000_000_000_000 / u128::from(rate.bps());
        if drain > u128::from(MAX_TIME.ps()) {
            return error(
                path,
                format!("{buffer} take longer than {MAX_TIME} to send at {rate}; write less"),
            );
        }
    }
    Ok(())
}

fn check_ecn(fabric: &LeafSpineFabric, transport: &Transport) -> Checked {
    match (fabric.ecn_threshold, transport.ecn) {
        (Some(threshold), false) => error(
            "fabric.ecn_threshold",
            format!(
                "{threshold} would never mark anything, since flows are not ECN-capable; set transport.ecn = true \
                 or remove it"
            ),
        ),
        (None, true) => error(
            "transport.ecn",
            "true has no effect, since no switch marks packets; set fabric.ecn_threshold, such as \"97.5KB\", or \
             set it to false"
                .to_owned(),
        ),
        (Some(threshold), true) if threshold >= fabric.buffer => error(
            "fabric.ecn_threshold",
            format!(
                "{threshold} would never mark anything, since a queue holds {} at most; write less than \
                 fabric.buffer",
                fabric.buffer
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

fn check_workload(workload: &Workload, fabric: &LeafSpineFabric, measure: &Measure) -> Checked {
    if u64::from(fabric.leaves) * u64::from(fabric.hosts_per_leaf) < 2 {
        return error(
            "fabric.hosts_per_leaf",
            "1: the fabric's only host would have nobody to send to; write at least 2, or more leaves".to_owned(),
        );
    }
    match workload {
        Workload::Poisson(poisson) => {
            check_fixed_size(poisson)?;
            if poisson.pairs == Pairs::OtherLeaf {
                check_leaves("workload.pairs", "\"other-leaf\"", fabric)?;
            }
            Ok(())
        }
        Workload::Permutation(permutation) => {
            check_leaves("workload.kind", "\"permutation\"", fabric)?;
            check_stagger(permutation.stagger, measure.window)?;
            check_count(permutation.flows_per_host, fabric)
        }
    }
}

fn check_leaves(path: &str, value: &str, fabric: &LeafSpineFabric) -> Checked {
    if fabric.leaves >= 2 {
        return Ok(());
    }
    error(
        path,
        format!(
            "{value} needs hosts under at least 2 leaves, and fabric.leaves is {}; write more leaves, or pairs = \
             \"any\" of kind = \"poisson\"",
            fabric.leaves
        ),
    )
}

fn check_count(flows_per_host: u16, fabric: &LeafSpineFabric) -> Checked {
    let hosts = u64::from(fabric.leaves) * u64::from(fabric.hosts_per_leaf);
    let flows = hosts * u64::from(flows_per_host);
    if flows > MAX_FLOWS {
        return error(
            "workload.flows_per_host",
            format!(
                "{flows_per_host} make {flows} flows of {hosts} hosts, and {MAX_FLOWS} is the most; write fewer"
            ),
        );
    }
    Ok(())
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
