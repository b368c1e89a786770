//! `random-packet`: a random path for each packet. The manual page is [`RandomPacket::MANUAL`].

use crate::manual::Manual;
use crate::{Balancer, Header, PathGroup, SwitchConfig, SwitchView};
use closlab_units::PortId;
use closlab_units::rng::Rng;

/// Per-packet random spraying.
#[derive(Debug)]
pub struct RandomPacket {
    engines: Vec<Rng>,
    decisions: u64,
}

impl Balancer for RandomPacket {
    const MANUAL: Manual = Manual {
        name: "random-packet",
        summary: "each packet takes a path chosen uniformly at random",
        description: "Every packet is sent to one of the equal-cost ports, all equally likely, with no regard to \
            load or flow: DRILL's \"Per-packet Random\". Each forwarding engine draws from a random stream of \
            its own.",
        published: "DRILL (SIGCOMM 2017) section 3.1; Dixit et al., On the Impact of Packet Spraying in Data \
            Center Networks (INFOCOM 2013)",
        params: &[],
        state: "a 64-bit pseudo-random generator for each forwarding engine",
        state_bits: |_, size| 64 * size.engines,
    };

    fn new(config: &SwitchConfig, _values: &[u64]) -> RandomPacket {
        RandomPacket {
            engines: (0..config.engines).map(|e| config.rng(e)).collect(),
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
        let index = self.engines[view.engine()].below(group.ports.len() as u32);
        group.ports[index as usize]
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
    fn packets_of_one_flow_spread_evenly() {
        let mut scheme = RandomPacket::new(&FakeSwitch::config(4, 2, 1), &[]);
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        let mut used = [0u32; 4];
        for packet in 0..4_000 {
            switch.engine = packet % 2;
            let group = PathGroup::new(0, &ports);
            used[scheme.choose(&mut switch, &mut header(1), group).index()] += 1;
        }
        assert!(
            used.iter().all(|&count| (880..=1_120).contains(&count)),
            "{used:?}"
        );
        assert_eq!(scheme.decisions(), 4_000);
    }
}
