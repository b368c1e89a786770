//! `round-robin-packet`: paths in turn, packet by packet. The manual page is [`RoundRobinPacket::MANUAL`].

use crate::manual::Manual;
use crate::{Balancer, Header, PathGroup, SwitchConfig, SwitchView};
use closlab_units::PortId;

/// Per-packet round robin.
#[derive(Debug)]
pub struct RoundRobinPacket {
    next: Vec<u16>,
    engines: usize,
    groups: usize,
    decisions: u64,
}

impl Balancer for RoundRobinPacket {
    const MANUAL: Manual = Manual {
        name: "round-robin-packet",
        summary: "packets take the paths in turn",
        description: "Each forwarding engine sends successive packets to successive equal-cost ports: DRILL's \
            \"Per-packet Round Robin (RR)\". The engine keeps one pointer for each path group (not for each \
            destination: destinations reached by the same ports share one turn), and starts at a random port \
            so that the engines and switches of a fabric do not move in step.",
        published: "DRILL (SIGCOMM 2017) sections 3.2.3 and 4; Cao et al., Per-packet Load-balanced, Low-latency \
            Routing for Clos-based Data Center Networks (CoNEXT 2013)",
        params: &[],
        state: "for each forwarding engine and path group, the next port",
        state_bits: |_, size| size.engines * size.groups * size.port_bits(),
    };

    fn new(config: &SwitchConfig, _values: &[u64]) -> RoundRobinPacket {
        let start = |engine| {
            let mut rng = config.rng(engine);
            (0..config.groups).map(move |_| rng.below(config.ports as u32) as u16)
        };
        RoundRobinPacket {
            next: (0..config.engines).flat_map(start).collect(),
            engines: config.engines,
            groups: config.groups,
            decisions: 0,
        }
    }

    #[inline]
    fn choose(
        &mut self,
        view: &mut impl SwitchView,
        _packet: &mut Header,
        group: PathGroup<'_>,
    ) -> PortId {
        self.decisions += 1;
        let next = &mut self.next[view.engine() * self.groups + group.index];
        // The random start may lie past a small group's end.
        let index = if usize::from(*next) < group.ports.len() {
            usize::from(*next)
        } else {
            0
        };
        *next = index as u16 + 1;
        group.ports[index]
    }

    fn regroup(&mut self, groups: usize) {
        self.groups = groups;
        self.next = vec![0; self.engines * groups];
    }

    fn decisions(&self) -> u64 {
        self.decisions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::testing::{FakeSwitch, header, ports};

    #[test]
    fn every_window_of_n_packets_visits_every_port_once() {
        let mut scheme = RoundRobinPacket::new(&FakeSwitch::config(5, 1, 1), &[]);
        let mut switch = FakeSwitch::new(5);
        let ports = ports(5);
        let chosen: Vec<usize> = (0..50)
            .map(|flow| {
                let group = PathGroup::new(0, &ports);
                scheme.choose(&mut switch, &mut header(flow), group).index()
            })
            .collect();
        for window in chosen.windows(5) {
            let mut seen = window.to_vec();
            seen.sort_unstable();
            assert_eq!(seen, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_new_forwarding_table_starts_new_turns() {
        let mut scheme = RoundRobinPacket::new(&FakeSwitch::config(3, 2, 1), &[]);
        let mut switch = FakeSwitch::new(3);
        let ports = ports(3);
        scheme.regroup(4);
        switch.engine = 1;
        let turns: Vec<usize> = (0..3)
            .map(|_| {
                let group = PathGroup::new(3, &ports);
                scheme.choose(&mut switch, &mut header(0), group).index()
            })
            .collect();
        assert_eq!(turns, [0, 1, 2]);
    }

    #[test]
    fn engines_and_groups_take_turns_of_their_own() {
        let mut scheme = RoundRobinPacket::new(&FakeSwitch::config(3, 2, 2), &[]);
        let mut switch = FakeSwitch::new(3);
        let ports = ports(3);
        let mut step = |engine, index| {
            switch.engine = engine;
            scheme
                .choose(&mut switch, &mut header(0), PathGroup::new(index, &ports))
                .index()
        };
        let first = step(0, 0);
        step(1, 0);
        step(0, 1);
        assert_eq!(step(0, 0), (first + 1) % 3);
    }
}
