//! `letflow`: a random path for each flowlet. The manual page is [`LetFlow::MANUAL`].

use crate::hash;
use crate::manual::{Manual, Param, ParamUnit};
use crate::shared::flowlet_table::FlowletTable;
use crate::{Balancer, Header, PathGroup, SwitchConfig, SwitchView};
use closlab_units::rng::Rng;
use closlab_units::{PortId, Time};

/// LetFlow.
#[derive(Debug)]
pub struct LetFlow {
    engines: Vec<Engine>,
    salt: u32,
    flowlets: u64,
}

/// What one forwarding engine keeps.
#[derive(Debug)]
struct Engine {
    table: FlowletTable,
    rng: Rng,
}

impl Balancer for LetFlow {
    const MANUAL: Manual = Manual {
        name: "letflow",
        summary: "each flowlet takes a path chosen uniformly at random",
        description: "A flow's packets follow one port until the flow pauses; the next packet then starts a new \
            flowlet on a random port. The flowlet table is indexed by a hash of the 5-tuple, so flows that \
            collide share an entry. An entry holds a port, a valid bit and an age bit; a sweep every timeout \
            sets the age bit and, if no packet has cleared it until the next sweep, clears the valid bit: a \
            flowlet ends after a gap between one and two timeouts. Each forwarding engine has a table of its \
            own (at its leaf a flow always enters on the same port, so on the same engine). Where an entry \
            shared by two flows names a port that does not lead to the packet's destination, the entry counts \
            as invalid (the paper does not meet this case: all uplinks \
            of a leaf lead everywhere).",
        published: "Vanini et al., Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching \
            (NSDI 2017) section 3",
        params: &[
            Param {
                name: "flowlet_timeout",
                meaning: "interval of the aging sweep; flowlets end after a gap of one to two of it",
                unit: ParamUnit::Time,
                default: 500_000_000,
                source: "LetFlow section 4.2: \"A flowlet timeout around 500 us supports the largest range of \
                    flow rates. We adopt this value in our experiments\"",
                min: 1_000,
                max: 1_000_000_000_000,
            },
            Param {
                name: "entries",
                meaning: "entries of each forwarding engine's flowlet table",
                unit: ParamUnit::Count,
                default: 65_536,
                source: "LetFlow section 3: \"a table with 64K entries\"",
                min: 1,
                max: 1 << 24,
            },
        ],
        state: "for each forwarding engine the flowlet table (a port, a valid bit and an age bit for each entry) \
            and a 64-bit pseudo-random generator",
        state_bits: |values, size| size.engines * (values[1] * (size.port_bits() + 2) + 64),
    };

    fn new(config: &SwitchConfig, values: &[u64]) -> LetFlow {
        let engine = |engine| Engine {
            table: FlowletTable::new(values[1] as usize, Time::from_ps(values[0])),
            rng: config.rng(engine),
        };
        LetFlow {
            engines: (0..config.engines).map(engine).collect(),
            salt: config.salt(),
            flowlets: 0,
        }
    }

    #[inline]
    fn choose(
        &mut self,
        view: &mut impl SwitchView,
        packet: &mut Header,
        group: PathGroup<'_>,
    ) -> PortId {
        let Engine { table, rng } = &mut self.engines[view.engine()];
        let index = table.index(hash::salted(packet.hash, self.salt));
        let port = match table.active(view.now(), index) {
            Some(port) if group.ports.contains(&port) => port,
            _ => {
                self.flowlets += 1;
                group.ports[rng.below(group.ports.len() as u32) as usize]
            }
        };
        table.touch(index, port);
        port
    }

    fn decisions(&self) -> u64 {
        self.flowlets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::testing::{FakeSwitch, header, ports};

    fn letflow(entries: u64) -> LetFlow {
        LetFlow::new(&FakeSwitch::config(4, 1, 1), &[500_000_000, entries])
    }

    #[test]
    fn a_flowlet_stays_and_the_next_one_moves_at_random() {
        let mut scheme = letflow(65_536);
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        let group = PathGroup::new(0, &ports);
        let mut used = [0u32; 4];
        for flowlet in 0..2_000u64 {
            switch.now = Time::from_ms(2) * flowlet;
            let port = scheme.choose(&mut switch, &mut header(1), group);
            used[port.index()] += 1;
            for packet in 1..5 {
                switch.now += Time::from_us(100) * packet.min(1);
                assert_eq!(scheme.choose(&mut switch, &mut header(1), group), port);
            }
        }
        assert_eq!(scheme.decisions(), 2_000);
        // Binomial(2000, 1/4): 500 with a standard deviation of 19.
        assert!(
            used.iter().all(|&count| (410..=590).contains(&count)),
            "{used:?}"
        );
    }

    #[test]
    fn colliding_flows_share_a_flowlet() {
        let mut scheme = letflow(1);
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        let group = PathGroup::new(0, &ports);
        let first = scheme.choose(&mut switch, &mut header(1), group);
        for flow in 2..50 {
            switch.now += Time::from_us(400);
            assert_eq!(scheme.choose(&mut switch, &mut header(flow), group), first);
        }
        assert_eq!(scheme.decisions(), 1);
    }

    #[test]
    fn engines_keep_tables_of_their_own() {
        let mut scheme = LetFlow::new(&FakeSwitch::config(4, 2, 1), &[500_000_000, 1]);
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        for packet in 0..100 {
            switch.engine = packet % 2;
            scheme.choose(
                &mut switch,
                &mut header(packet as u32),
                PathGroup::new(0, &ports),
            );
        }
        assert_eq!(scheme.decisions(), 2);
    }

    #[test]
    fn a_shared_entry_never_leads_astray() {
        let mut scheme = letflow(1);
        let mut switch = FakeSwitch::new(4);
        let (left, right) = ([PortId(0), PortId(1)], [PortId(2), PortId(3)]);
        for flow in 0..100 {
            let side = if flow % 2 == 0 { &left } else { &right };
            let port = scheme.choose(&mut switch, &mut header(flow), PathGroup::new(0, side));
            assert!(side.contains(&port));
        }
    }
}
