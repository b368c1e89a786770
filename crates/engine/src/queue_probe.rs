//! Samples of the lengths of parallel queues (DRILL section 3.2.3).

use crate::network::Network;
use crate::plan::Plan;
use closlab_balance::Balancer;
use closlab_fabric::Fabric;
use closlab_record::{QueueRow, Queues};
use closlab_units::{LinkId, Time, TorId};

/// Parallel queues whose balance is measured together.
#[derive(Debug)]
struct Parallel {
    leaf: u16,
    up: bool,
    links: Vec<LinkId>,
}

/// Samples every leaf's uplink queues and the queues of all switches above towards that leaf.
#[derive(Debug)]
pub(crate) struct QueueProbe {
    interval: Time,
    next: Time,
    end: Time,
    groups: Vec<Parallel>,
    samples: Queues,
}

impl QueueProbe {
    pub(crate) fn new(fabric: &Fabric, plan: &Plan) -> QueueProbe {
        QueueProbe {
            interval: plan.queue_samples.unwrap_or(Time::MAX),
            next: plan.queue_samples.map_or(Time::MAX, |_| plan.window_start),
            end: plan.window_end,
            groups: (0..fabric.tors.len())
                .flat_map(|tor| groups(fabric, tor as u16))
                .collect(),
            samples: Queues::default(),
        }
    }

    /// When the next sample is due.
    pub(crate) fn next(&self) -> Time {
        self.next
    }

    /// Takes the sample that is due now, if any.
    pub(crate) fn sample<B: Balancer>(&mut self, net: &mut Network<B>) {
        if net.now() < self.next {
            return;
        }
        for group in &self.groups {
            let (mut packets, mut packets_squared) = (0, 0);
            for &link in &group.links {
                let waiting = net.waiting(link);
                packets += waiting;
                packets_squared += waiting * waiting;
            }
            self.samples.push(QueueRow {
                time_ps: self.next.ps(),
                leaf: group.leaf,
                up: u8::from(group.up),
                queues: group.links.len() as u32,
                packets,
                packets_squared,
            });
        }
        let next = self
            .next
            .checked_add(self.interval)
            .filter(|&next| next < self.end);
        self.next = next.unwrap_or(Time::MAX);
    }

    pub(crate) fn into_samples(self) -> Queues {
        self.samples
    }
}

fn groups(fabric: &Fabric, leaf: u16) -> [Parallel; 2] {
    let up: Vec<LinkId> = fabric.uplinks_of(TorId(leaf)).collect();
    let down = up.iter().map(|&link| fabric.reverse(link)).collect();
    [
        Parallel {
            leaf,
            up: true,
            links: up,
        },
        Parallel {
            leaf,
            up: false,
            links: down,
        },
    ]
}
