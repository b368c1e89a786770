//! Grey failures: a link that is up and loses some of what crosses it.

use closlab_balance::{Header, hash};
use closlab_units::rng::Rng;

/// What a link loses although it is up.
#[derive(Debug, Clone)]
pub(crate) struct Grey {
    /// Probability of losing any packet, as a fraction of 2^64.
    loss: u64,
    /// Share of the flows that lose every packet, as a fraction of 2^32.
    black_hole: u32,
    salt: u32,
    rng: Rng,
}

impl Grey {
    /// Loses packets with probability `loss` and all packets of the share `black_hole` of the flows, both from
    /// 0 to 1; `rng` is the link's own stream.
    pub(crate) fn new(loss: f64, black_hole: f64, mut rng: Rng) -> Grey {
        Grey {
            // A float cast saturates: probability 1 is all but one draw in 2^64.
            loss: (loss * 18_446_744_073_709_551_616.0) as u64,
            black_hole: (black_hole * 4_294_967_296.0) as u32,
            salt: (rng.next_u64() >> 32) as u32,
            rng,
        }
    }

    /// Whether this packet vanishes. A black hole swallows a flow by its 5-tuple: always the same ones.
    pub(crate) fn swallows(&mut self, packet: &Header) -> bool {
        hash::salted(packet.hash, self.salt) < self.black_hole || self.rng.next_u64() < self.loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Packet;
    use closlab_units::rng::Purpose;

    fn header(flow: u32) -> Header {
        Header {
            hash: flow.wrapping_mul(0x9e37_79b9),
            ..Packet::EMPTY.header
        }
    }

    #[test]
    fn random_loss_has_its_rate() {
        let mut grey = Grey::new(0.02, 0.0, Rng::stream(1, Purpose::Loss, 0));
        let lost = (0..100_000).filter(|_| grey.swallows(&header(1))).count();
        // Binomial(100000, 0.02): 2000 with a standard deviation of 44.
        assert!((1_800..=2_200).contains(&lost), "{lost}");
    }

    #[test]
    fn a_black_hole_swallows_some_flows_wholly_and_others_not_at_all() {
        let mut grey = Grey::new(0.0, 0.25, Rng::stream(1, Purpose::Loss, 0));
        let swallowed: Vec<bool> = (0..4_000)
            .map(|flow| grey.swallows(&header(flow)))
            .collect();
        let share = swallowed.iter().filter(|&&lost| lost).count();
        assert!((850..=1_150).contains(&share), "{share}");
        for (flow, &lost) in swallowed.iter().enumerate() {
            assert_eq!(grey.swallows(&header(flow as u32)), lost);
        }
    }
}
