//! One run: flows arrive, hosts and network move on in turn, records are kept.

use crate::audit;
use crate::control::Control;
use crate::error::RunError;
use crate::hosts::Hosts;
use crate::network::Network;
use crate::plan::Plan;
use crate::queue_probe::QueueProbe;
use crate::recorder;
use crate::schedule::Schedule;
use crate::throughput_probe::ThroughputProbe;
use closlab_balance::Balancer;
use closlab_fabric::Fabric;
use closlab_record::Records;
use closlab_units::Time;
use closlab_workload::Flow;
use std::iter::Peekable;

/// How many deliveries and timers lie between two looks at the control.
const CONTROL_INTERVAL: u32 = 4_096;

/// A run under way.
pub(crate) struct Simulation<'a, B, F: Iterator<Item = Flow>> {
    fabric: &'a Fabric,
    plan: Plan,
    control: &'a Control,
    net: Network<B>,
    hosts: Hosts,
    flows: Peekable<F>,
    schedule: Schedule,
    queues: QueueProbe,
    throughput: ThroughputProbe,
    window: Window,
    next_arrival: Time,
    /// The next of the window's edges, the failures, the samples and the end.
    next_mark: Time,
}

/// For how long each link had been transmitting when the window began, and for how long it did so in it.
#[derive(Debug, Default)]
struct Window {
    before: Option<Vec<u64>>,
    within: Option<Vec<u64>>,
}

impl<'a, B: Balancer, F: Iterator<Item = Flow>> Simulation<'a, B, F> {
    pub(crate) fn new(
        fabric: &'a Fabric,
        plan: Plan,
        net: Network<B>,
        hosts: Hosts,
        flows: F,
        schedule: Schedule,
        control: &'a Control,
    ) -> Simulation<'a, B, F> {
        let mut flows = flows.peekable();
        let next_arrival = flows.peek().map_or(Time::MAX, |flow| flow.start);
        Simulation {
            fabric,
            plan,
            control,
            net,
            hosts,
            flows,
            schedule,
            queues: QueueProbe::new(fabric, &plan),
            throughput: ThroughputProbe::new(&plan),
            window: Window::default(),
            next_arrival,
            next_mark: Time::ZERO,
        }
    }

    pub(crate) fn run(mut self) -> Result<Records, RunError> {
        self.control.set_end(self.plan.end);
        while !self.is_over() {
            for _ in 0..CONTROL_INTERVAL {
                self.step();
            }
            self.control
                .note(self.net.now(), self.net.flux().packet_hops);
            if self.control.is_cancelled() {
                return Err(RunError::Cancelled);
            }
        }
        let flux = self.net.flux();
        self.control.note(self.plan.end, flux.packet_hops);
        audit::network(&self.net)?;
        let within = self
            .window
            .within
            .unwrap_or_else(|| vec![0; self.fabric.links.len()]);
        let end = self.net.now();
        let probed = recorder::Probed {
            queues: self.queues.into_samples(),
            events: self.schedule.into_events(end),
            throughput: self.throughput.into_samples(),
        };
        let flows = self.hosts.into_flows();
        let records = recorder::records(self.fabric, &self.plan, &self.net, &within, flows, probed);
        audit::flows(&records.flows)?;
        Ok(records)
    }

    /// Whether the window has passed and every flow measured has ended, or the time is up.
    #[inline]
    fn is_over(&self) -> bool {
        let now = self.net.now();
        now >= self.plan.end || (self.window.within.is_some() && self.hosts.open_measured() == 0)
    }

    /// Moves on to the next delivery or to the next thing that is not an arrival on a link.
    ///
    /// Of what happens at one instant the links come first, then the marks of the plan, then timers, then
    /// flows that start.
    #[inline]
    fn step(&mut self) {
        if self.is_over() {
            return;
        }
        let timer = self.hosts.next_timer();
        let until = timer.min(self.next_arrival).min(self.next_mark);
        if let Some(delivery) = self.net.advance(until) {
            self.hosts.deliver(&mut self.net, &delivery);
        } else if self.next_mark <= until {
            self.pass_mark();
        } else if timer <= until {
            self.hosts.fire(&mut self.net);
        } else if let Some(flow) = self.flows.next() {
            let measured = (self.plan.window_start..self.plan.window_end).contains(&flow.start);
            self.hosts.start(&mut self.net, &flow, measured);
            self.next_arrival = self.flows.peek().map_or(Time::MAX, |flow| flow.start);
        }
    }

    fn pass_mark(&mut self) {
        let now = self.net.now();
        if now >= self.plan.window_start && self.window.before.is_none() {
            self.window.before = Some(self.transmitting_ps());
        }
        if now >= self.plan.window_end && self.window.within.is_none() {
            let before = self.window.before.take().unwrap_or_default();
            let after = self.transmitting_ps();
            let within = after.iter().zip(before).map(|(end, start)| end - start);
            self.window.within = Some(within.collect());
        }
        self.schedule.apply(&mut self.net);
        self.queues.sample(&mut self.net);
        self.throughput.sample(&self.net, self.plan.window_start);
        let edges = [self.plan.window_start, self.plan.window_end, self.plan.end];
        let edge = edges
            .into_iter()
            .filter(|&edge| edge > now)
            .min()
            .unwrap_or(Time::MAX);
        let samples = self.queues.next().min(self.throughput.next());
        self.next_mark = edge.min(samples).min(self.schedule.next());
    }

    fn transmitting_ps(&self) -> Vec<u64> {
        let now = self.net.now().ps();
        self.net
            .links()
            .iter()
            .map(|link| link.transmitting_ps(now))
            .collect()
    }
}
