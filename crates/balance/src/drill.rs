//! `drill`: micro load balancing by local queue lengths. The manual page is [`Drill::MANUAL`].

use crate::hash;
use crate::manual::{Manual, Param, ParamUnit};
use crate::shared::least_loaded::LeastLoaded;
use crate::shared::sample::Sampler;
use crate::{Balancer, Header, PathGroup, SwitchConfig, SwitchView};
use closlab_units::PortId;
use closlab_units::rng::Rng;

/// DRILL(d, m).
#[derive(Debug)]
pub struct Drill {
    samples: usize,
    memory: usize,
    salt: u32,
    groups: usize,
    engines: Vec<Rng>,
    memories: Vec<LeastLoaded>,
    sampler: Sampler,
    decisions: u64,
}

impl Balancer for Drill {
    const USES_COMPONENTS: bool = true;
    const MANUAL: Manual = Manual {
        name: "drill",
        summary: "each packet takes the shortest of d random queues and the m shortest remembered",
        description: "On each packet its forwarding engine picks d of the N equal-cost ports at random (all \
            different), compares their queue lengths with those of the m least-loaded ports that it remembers, \
            sends the packet to the shortest, and remembers the m shortest of all that it looked at. Queue \
            lengths are bytes, the packet in transmission included, and do not count packets that another \
            engine is still writing into the queue (section 3.2.1). The paper is silent on three points: an \
            equal length is decided for the random sample, not for the remembered port (this keeps engines \
            from moving together, the synchronisation effect of section 3.2.3); the memory is kept for each \
            path group, since a remembered port helps only where it leads to the destination; where a group \
            has fewer than d ports all of them are looked at. m = 0 is the memoryless DRILL(d, 0) of Theorem 1. \
            Where links have failed or differ, the control plane splits the paths to a destination into \
            symmetric components (section 3.4): a flow's hash assigns it to one of them, by their weights, and \
            the choice above is made inside it.",
        published: "Ghorbani et al., DRILL: Micro Load Balancing for Low-latency Data Center Networks \
            (SIGCOMM 2017) sections 3.2.2 and 3.4",
        params: &[
            Param {
                name: "d",
                meaning: "random ports looked at for each packet",
                unit: ParamUnit::Count,
                default: 2,
                source: "DRILL section 4: \"DRILL(2,1)\" unless stated otherwise",
                min: 1,
                max: 256,
            },
            Param {
                name: "m",
                meaning: "least-loaded ports remembered by each engine",
                unit: ParamUnit::Count,
                default: 1,
                source: "DRILL section 4: \"DRILL(2,1)\" unless stated otherwise",
                min: 0,
                max: 256,
            },
        ],
        state: "for each forwarding engine, m ports for each path group or component and a 64-bit pseudo-random generator",
        state_bits: |values, size| size.engines * (values[1] * size.groups * size.port_bits() + 64),
    };

    fn new(config: &SwitchConfig, values: &[u64]) -> Drill {
        let (samples, memory) = (values[0] as usize, values[1] as usize);
        Drill {
            samples,
            memory,
            salt: config.salt(),
            groups: config.groups,
            engines: (0..config.engines)
                .map(|engine| config.rng(engine))
                .collect(),
            memories: vec![LeastLoaded::new(memory); config.engines * config.groups],
            sampler: Sampler::new(config.ports),
            decisions: 0,
        }
    }

    #[inline]
    fn choose(
        &mut self,
        view: &mut impl SwitchView,
        packet: &mut Header,
        group: PathGroup<'_>,
    ) -> PortId {
        self.decisions += 1;
        let group = self.component(packet, group);
        let engine = view.engine();
        let memory = &mut self.memories[engine * self.groups + group.index];
        memory.begin();
        let rng = &mut self.engines[engine];
        self.sampler
            .each_distinct(rng, group.ports.len(), self.samples, |index| {
                memory.offer(index as u16, view.queue_bytes(group.ports[index]));
            });
        memory.offer_remembered(|index| view.queue_bytes(group.ports[usize::from(index)]));
        group.ports[usize::from(memory.finish())]
    }

    fn regroup(&mut self, groups: usize) {
        self.groups = groups;
        self.memories = vec![LeastLoaded::new(self.memory); self.engines.len() * groups];
    }

    fn decisions(&self) -> u64 {
        self.decisions
    }
}

impl Drill {
    /// The part of `group` that the packet's flow belongs to.
    #[inline]
    fn component<'a>(&self, packet: &Header, group: PathGroup<'a>) -> PathGroup<'a> {
        if group.components.spans.is_empty() {
            return group;
        }
        let hash = hash::salted(packet.hash, self.salt);
        group.components.of_flow(hash).unwrap_or(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::testing::{FakeSwitch, header, ports};
    use crate::{ComponentSpan, Components};

    fn drill(d: u64, m: u64, port_count: usize) -> Drill {
        Drill::new(&FakeSwitch::config(port_count, 1, 1), &[d, m])
    }

    #[test]
    fn looking_everywhere_always_finds_the_shortest() {
        let mut scheme = drill(8, 0, 8);
        let mut switch = FakeSwitch::new(8);
        let ports = ports(8);
        for shortest in 0..8 {
            switch.queues = vec![3_000; 8];
            switch.queues[shortest] = 1_500;
            let chosen = scheme.choose(&mut switch, &mut header(0), PathGroup::new(0, &ports));
            assert_eq!(chosen.index(), shortest);
        }
    }

    #[test]
    fn memory_keeps_the_best_port_until_it_fills() {
        // One sample a packet: without memory the short queue is found once in eight packets; with it, once
        // found it is kept for as long as it is the shorter one.
        let ports = ports(8);
        let group = PathGroup::new(0, &ports);
        let hits = |memory| {
            let mut scheme = drill(1, memory, 8);
            let mut switch = FakeSwitch::new(8);
            switch.queues = vec![9_000; 8];
            switch.queues[5] = 0;
            (0..8_000)
                .filter(|_| scheme.choose(&mut switch, &mut header(0), group) == PortId(5))
                .count()
        };
        // Binomial(8000, 1/8): 1000 with a standard deviation of 30.
        assert!((850..=1_150).contains(&hits(0)), "{}", hits(0));
        assert!(hits(1) > 7_900, "{}", hits(1));
    }

    #[test]
    fn a_choice_is_never_worse_than_its_samples() {
        // DRILL(2,1) on 4 ports: two distinct samples can't both miss the three shorter queues.
        let mut scheme = drill(2, 1, 4);
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        switch.queues = vec![1_500, 1_500, 1_500, 100_000];
        for _ in 0..2_000 {
            let chosen = scheme.choose(&mut switch, &mut header(0), PathGroup::new(0, &ports));
            assert_ne!(chosen, PortId(3));
        }
    }

    #[test]
    fn a_new_forwarding_table_empties_the_memory() {
        let mut scheme = drill(1, 1, 4);
        let mut switch = FakeSwitch::new(4);
        let (wide, narrow) = (ports(4), ports(2));
        for _ in 0..50 {
            scheme.choose(&mut switch, &mut header(0), PathGroup::new(0, &wide));
        }
        // A port remembered as the fourth of its group would lie outside the new group of two.
        scheme.regroup(2);
        for _ in 0..50 {
            let group = PathGroup::new(1, &narrow);
            assert!(narrow.contains(&scheme.choose(&mut switch, &mut header(0), group)));
        }
    }

    #[test]
    fn a_flow_stays_in_its_component_and_flows_spread_by_weight() {
        // DRILL Fig. 4: {P0} of weight 1 and {P1, P2} of weight 2.
        let mut scheme = Drill::new(&FakeSwitch::config(3, 1, 3), &[2, 1]);
        let mut switch = FakeSwitch::new(3);
        let all = ports(3);
        let third = (1 << 32) / 3;
        let spans = [
            ComponentSpan {
                below: third,
                index: 1,
                first: 0,
                count: 1,
            },
            ComponentSpan {
                below: 1 << 32,
                index: 2,
                first: 1,
                count: 2,
            },
        ];
        let components = Components {
            spans: &spans,
            ports: &all,
        };
        let group = PathGroup {
            components,
            ..PathGroup::new(0, &all)
        };
        let mut alone = 0;
        for flow in 0..3_000 {
            let first = scheme.choose(&mut switch, &mut header(flow), group);
            alone += u32::from(first == PortId(0));
            for packet in 0..4 {
                // P0 is now the shortest, now the longest: it does not matter to flows of the other part.
                switch.queues[0] = (packet % 2) * 90_000;
                switch.queues[1] = (packet % 3) * 1_500;
                let next = scheme.choose(&mut switch, &mut header(flow), group);
                assert_eq!(
                    next == PortId(0),
                    first == PortId(0),
                    "flow {flow} changed its component"
                );
            }
        }
        // Binomial(3000, 1/3): 1000 with a standard deviation of 26.
        assert!((900..=1_100).contains(&alone), "{alone}");
    }

    #[test]
    fn equal_queues_are_used_equally() {
        let mut scheme = drill(2, 1, 4);
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        let mut used = [0u32; 4];
        for _ in 0..4_000 {
            let group = PathGroup::new(0, &ports);
            used[scheme.choose(&mut switch, &mut header(0), group).index()] += 1;
        }
        assert!(
            used.iter().all(|&count| (880..=1_120).contains(&count)),
            "{used:?}"
        );
    }
}
