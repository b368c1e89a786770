//! `ecmp`: one hash-chosen path for each flow. The manual page is [`Ecmp::MANUAL`].

use crate::hash;
use crate::manual::Manual;
use crate::{Balancer, Header, PathGroup, SwitchConfig, SwitchView};
use closlab_units::PortId;

/// Equal-cost multi-path by a hash of the 5-tuple.
#[derive(Debug)]
pub struct Ecmp {
    salt: u32,
    decisions: u64,
}

impl Balancer for Ecmp {
    const MANUAL: Manual = Manual {
        name: "ecmp",
        summary: "each flow takes one path, chosen by a hash of its 5-tuple",
        description: "The 5-tuple (addresses, ports, protocol) is hashed with a salt of the switch's own and \
            mapped to one of the equal-cost ports, so a flow's packets stay in order and flows collide by \
            chance. The salt differs from switch to switch: if all tiers hashed alike, the upper one would \
            see only flows that the lower one had already sorted (polarisation).",
        published: "RFC 2992 (Analysis of an Equal-Cost Multi-Path Algorithm), as described in DRILL section 2",
        params: &[],
        state: "none",
        state_bits: |_, _| 0,
    };

    fn new(config: &SwitchConfig, _values: &[u64]) -> Ecmp {
        Ecmp {
            salt: config.salt(),
            decisions: 0,
        }
    }

    #[inline]
    fn choose(
        &mut self,
        _view: &mut impl SwitchView,
        packet: &mut Header,
        group: PathGroup<'_>,
    ) -> PortId {
        self.decisions += 1;
        let index = hash::bucket(
            hash::salted(packet.hash, self.salt),
            group.ports.len() as u32,
        );
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
    fn a_flow_keeps_its_path_and_flows_use_all_paths() {
        let mut ecmp = Ecmp::new(&FakeSwitch::config(4, 1, 1), &[]);
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        let group = PathGroup::new(0, &ports);
        let mut used = [0u32; 4];
        for flow in 0..4_000 {
            let chosen = ecmp.choose(&mut switch, &mut header(flow), group);
            assert_eq!(chosen, ecmp.choose(&mut switch, &mut header(flow), group));
            used[chosen.index()] += 1;
        }
        // Binomial(4000, 1/4): 1000 with a standard deviation of 27.
        assert!(
            used.iter().all(|&count| (880..=1_120).contains(&count)),
            "{used:?}"
        );
    }

    #[test]
    fn two_switches_choose_differently() {
        let mut switch = FakeSwitch::new(4);
        let ports = ports(4);
        let group = PathGroup::new(0, &ports);
        let mut first = Ecmp::new(&FakeSwitch::config(4, 1, 1), &[]);
        let other = SwitchConfig {
            node: closlab_units::NodeId(9),
            ..FakeSwitch::config(4, 1, 1)
        };
        let mut second = Ecmp::new(&other, &[]);
        let same = (0..4_000)
            .filter(|&flow| {
                first.choose(&mut switch, &mut header(flow), group)
                    == second.choose(&mut switch, &mut header(flow), group)
            })
            .count();
        assert!(
            (880..=1_120).contains(&same),
            "{same} of 4000 alike, a quarter expected"
        );
    }
}
