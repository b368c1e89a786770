//! Round-trip estimation and the retransmission timeout (RFC 6298).

use crate::TcpConfig;
use closlab_units::Time;

/// RFC 6298's clock granularity G, the least weight of the variance term. 1 us is that of Linux's TCP
/// clock; a simulated clock is finer, but G only matters where the round-trip time never varies.
pub(crate) const CLOCK_GRANULARITY: Time = Time::from_us(1);

/// SRTT, RTTVAR and RTO, in whole picoseconds: fine enough that truncating the eighths and quarters of
/// RFC 6298 section 2.3 needs no scaled representation.
#[derive(Debug, Clone)]
pub(crate) struct RttEstimator {
    /// `Time::MAX` before the first sample: an `Option` would double the field's size.
    srtt: Time,
    rttvar: Time,
    rto: Time,
}

impl RttEstimator {
    /// Before the first sample (RFC 6298 section 2.1).
    pub fn new(config: &TcpConfig) -> RttEstimator {
        RttEstimator {
            srtt: Time::MAX,
            rttvar: Time::ZERO,
            rto: config.rto_initial,
        }
    }

    /// The smoothed round-trip time, once there is a sample.
    #[inline]
    pub fn srtt(&self) -> Option<Time> {
        (self.srtt != Time::MAX).then_some(self.srtt)
    }

    /// The retransmission timeout, back-off included.
    #[inline]
    pub fn rto(&self) -> Time {
        self.rto
    }

    /// Takes a round-trip time of a segment that was sent once (RFC 6298 sections 2.2 to 2.5; Karn's
    /// rule, section 3, is the caller's). It also ends any back-off.
    pub fn sample(&mut self, rtt: Time, config: &TcpConfig) {
        let srtt = match self.srtt() {
            None => {
                self.rttvar = Time::from_ps(rtt.ps() / 2);
                rtt
            }
            Some(srtt) => {
                let error = srtt.ps().abs_diff(rtt.ps());
                self.rttvar = Time::from_ps((3 * self.rttvar.ps() + error) / 4);
                Time::from_ps((7 * srtt.ps() + rtt.ps()) / 8)
            }
        };
        self.srtt = srtt;
        let rto = srtt + CLOCK_GRANULARITY.max(self.rttvar * 4);
        self.rto = rto.max(config.rto_min).min(config.rto_max);
    }

    /// Doubles the timeout after it expired (RFC 6298 section 5.5).
    pub fn back_off(&mut self, config: &TcpConfig) {
        self.rto = (self.rto * 2).min(config.rto_max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> TcpConfig {
        TcpConfig {
            rto_initial: Time::from_ms(1),
            rto_min: Time::from_us(10),
            rto_max: Time::from_ms(3),
            ..TcpConfig::default()
        }
    }

    /// Worked by hand from RFC 6298 section 2.
    #[test]
    fn follows_the_worked_numbers() {
        let config = config();
        let mut rtt = RttEstimator::new(&config);
        assert_eq!(rtt.rto(), Time::from_ms(1));
        rtt.sample(Time::from_us(100), &config);
        // SRTT = 100, RTTVAR = 50, RTO = 100 + 4 * 50.
        assert_eq!(rtt.srtt(), Some(Time::from_us(100)));
        assert_eq!(rtt.rto(), Time::from_us(300));
        rtt.sample(Time::from_us(180), &config);
        // RTTVAR = (3 * 50 + 80) / 4 = 57.5, SRTT = (700 + 180) / 8 = 110, RTO = 110 + 230.
        assert_eq!(rtt.srtt(), Some(Time::from_us(110)));
        assert_eq!(rtt.rto(), Time::from_us(340));
        rtt.sample(Time::from_us(30), &config);
        // RTTVAR = (172.5 + 80) / 4 = 63.125, SRTT = (770 + 30) / 8 = 100, RTO = 100 + 252.5.
        assert_eq!(rtt.rto(), Time::from_ns(352_500));
    }

    #[test]
    fn backs_off_to_the_maximum_and_a_sample_ends_it() {
        let config = config();
        let mut rtt = RttEstimator::new(&config);
        rtt.back_off(&config);
        assert_eq!(rtt.rto(), Time::from_ms(2));
        rtt.back_off(&config);
        assert_eq!(rtt.rto(), Time::from_ms(3));
        rtt.sample(Time::from_us(100), &config);
        assert_eq!(rtt.rto(), Time::from_us(300));
    }

    #[test]
    fn steady_round_trips_leave_the_granularity_and_the_minimum_counts() {
        let config = config();
        let mut rtt = RttEstimator::new(&config);
        for _ in 0..200 {
            rtt.sample(Time::from_us(100), &config);
        }
        assert_eq!(rtt.rto(), Time::from_us(101));
        for _ in 0..400 {
            rtt.sample(Time::from_us(2), &config);
        }
        assert_eq!(rtt.rto(), config.rto_min);
    }
}
