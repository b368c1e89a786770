//! Throughput over time: how deep it dips when a link fails, and when it is back.

use crate::network::Network;
use crate::plan::Plan;
use closlab_balance::Balancer;
use closlab_record::{Throughput, ThroughputRow};
use closlab_units::Time;

/// What had been counted at an instant.
#[derive(Debug, Clone, Copy, Default)]
struct Counted {
    payload_bytes: u64,
    lost_packets: u64,
    dropped_packets: u64,
}

/// Samples what hosts received and what was lost, from the start of the window to the end of the run.
#[derive(Debug)]
pub(crate) struct ThroughputProbe {
    interval: Time,
    next: Time,
    last: Counted,
    samples: Throughput,
}

impl ThroughputProbe {
    pub(crate) fn new(plan: &Plan) -> ThroughputProbe {
        ThroughputProbe {
            interval: plan.throughput_samples.unwrap_or(Time::MAX),
            next: plan
                .throughput_samples
                .map_or(Time::MAX, |_| plan.window_start),
            last: Counted::default(),
            samples: Throughput::default(),
        }
    }

    /// When the next sample is due.
    pub(crate) fn next(&self) -> Time {
        self.next
    }

    /// Takes the sample that is due now, if any. The first one only sets the counters.
    pub(crate) fn sample<B: Balancer>(&mut self, net: &Network<B>, window_start: Time) {
        if net.now() < self.next {
            return;
        }
        let now = count(net);
        if self.next > window_start {
            self.samples.push(ThroughputRow {
                time_ps: self.next.ps(),
                delivered_payload_bytes: now.payload_bytes - self.last.payload_bytes,
                lost_packets: now.lost_packets - self.last.lost_packets,
                dropped_packets: now.dropped_packets - self.last.dropped_packets,
            });
        }
        self.last = now;
        self.next = self.next.checked_add(self.interval).unwrap_or(Time::MAX);
    }

    pub(crate) fn into_samples(self) -> Throughput {
        self.samples
    }
}

fn count<B: Balancer>(net: &Network<B>) -> Counted {
    let flux = net.flux();
    let counters = || net.links().iter().map(|link| &link.counters);
    Counted {
        payload_bytes: flux.delivered_payload_bytes,
        lost_packets: flux.unroutable_packets
            + counters()
                .map(|counters| counters.lost_packets())
                .sum::<u64>(),
        dropped_packets: counters().map(|counters| counters.dropped_packets).sum(),
    }
}
