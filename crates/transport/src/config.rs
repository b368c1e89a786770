//! The parameters of an end point.

use closlab_units::Time;

/// When an unacknowledged segment with later data acknowledged above it counts as lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dupthresh {
    /// After this many later segments (RFC 5681 section 3.2 and RFC 6675 section 2: 3).
    Fixed(u32),
    /// Starts at `initial` and grows with the reordering seen, up to `max`, as in Linux (sysctls
    /// `tcp_reordering`, 3, and `tcp_max_reordering`, 300; 127 before Linux 3.19). In segments.
    Adaptive {
        /// The threshold before any reordering was seen.
        initial: u32,
        /// The highest threshold that reordering may lead to.
        max: u32,
    },
}

impl Dupthresh {
    /// The threshold that a new connection starts with, in segments.
    pub const fn initial(self) -> u32 {
        match self {
            Dupthresh::Fixed(threshold) => threshold,
            Dupthresh::Adaptive { initial, .. } => initial,
        }
    }
}

/// The parameters of a TCP sender and of its receiver. Both ends of a flow are given the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TcpConfig {
    /// Maximum segment size: payload bytes of a full segment.
    pub mss: u16,
    /// Initial congestion window in segments (RFC 6928: 10; RFC 5681 section 3.1: 3).
    pub initial_window: u32,
    /// The window that the receiver offers, in bytes, constant: the application reads at once.
    pub receive_window: u64,
    /// Retransmission timeout before the first round-trip sample (RFC 6298 section 2.1: 1 s); also the
    /// first interval at which a SYN or SYN-ACK is repeated.
    pub rto_initial: Time,
    /// Lower bound of the retransmission timeout (RFC 6298 section 2.4: 1 s; Linux: 200 ms).
    pub rto_min: Time,
    /// Upper bound of the retransmission timeout, back-off included (RFC 6298 section 2.5).
    pub rto_max: Time,
    /// An acknowledgement for every so many segments (RFC 5681 section 4.2: 2); 1 acknowledges each.
    pub delayed_ack_segments: u32,
    /// The longest that an acknowledgement is delayed (RFC 5681 section 4.2: at most 500 ms). Without
    /// effect when `delayed_ack_segments` is 1.
    pub delayed_ack_timeout: Time,
    /// When a segment counts as lost.
    pub dupthresh: Dupthresh,
    /// Whether a flow begins with SYN and SYN-ACK, or with data at once.
    pub handshake: bool,
    /// Whether data are sent ECN-capable and marks are echoed (RFC 3168).
    pub ecn: bool,
    /// How long the receiver's shim holds out-of-order segments back from TCP (DRILL, SIGCOMM 2017,
    /// section 3.3); `None`: no shim.
    pub reorder_timeout: Option<Time>,
}

/// Linux's values out of the box.
impl Default for TcpConfig {
    fn default() -> TcpConfig {
        TcpConfig {
            // Ethernet's 1,500 bytes less IPv4 and TCP headers without options.
            mss: 1460,
            // RFC 6928; Linux TCP_INIT_CWND.
            initial_window: 10,
            // Linux sysctl tcp_rmem, its upper value.
            receive_window: 6 << 20,
            // RFC 6298 section 2.1; Linux TCP_TIMEOUT_INIT.
            rto_initial: Time::from_ms(1_000),
            // Linux TCP_RTO_MIN.
            rto_min: Time::from_ms(200),
            // Linux TCP_RTO_MAX.
            rto_max: Time::from_ms(120_000),
            // RFC 5681 section 4.2.
            delayed_ack_segments: 2,
            // Linux TCP_DELACK_MIN.
            delayed_ack_timeout: Time::from_ms(40),
            // RFC 6675 section 2.
            dupthresh: Dupthresh::Fixed(3),
            handshake: true,
            ecn: false,
            reorder_timeout: None,
        }
    }
}

/// RFC 7323 section 2.3: the largest window that TCP can offer, which also keeps numbers unambiguous.
const LARGEST_WINDOW: u64 = 1 << 30;

/// One day: far beyond any use, and small enough that deadlines never pass the end of time.
const LONGEST_TIMEOUT: Time = Time::from_ms(86_400_000);

impl TcpConfig {
    /// Whether the values make a working end point; otherwise which field is wrong, and the remedy.
    pub fn check(&self) -> Result<(), String> {
        self.check_sizes()?;
        self.check_times()?;
        self.check_dupthresh()
    }

    fn check_sizes(&self) -> Result<(), String> {
        if self.mss == 0 {
            return Err("mss = 0: segments would be empty; give at least 1 byte".into());
        }
        if self.initial_window == 0 {
            return Err(
                "initial_window = 0: nothing could be sent; give at least 1 segment".into(),
            );
        }
        if self.receive_window < u64::from(self.mss) {
            return Err(format!(
                "receive_window = {}: it is below mss = {}, so that no full segment could be sent; \
                 give at least one mss",
                self.receive_window, self.mss
            ));
        }
        if self.receive_window > LARGEST_WINDOW {
            return Err(format!(
                "receive_window = {}: TCP can offer at most {LARGEST_WINDOW} bytes (RFC 7323 section \
                 2.3); give that or less",
                self.receive_window
            ));
        }
        if self.delayed_ack_segments == 0 {
            return Err(
                "delayed_ack_segments = 0: give 1 to acknowledge every segment, 2 as in RFC 5681"
                    .into(),
            );
        }
        Ok(())
    }

    fn check_times(&self) -> Result<(), String> {
        if self.rto_min == Time::ZERO {
            return Err("rto_min = 0ps: timers would expire at once; give a positive time".into());
        }
        if self.rto_max > LONGEST_TIMEOUT {
            return Err(format!(
                "rto_max = {}: give at most {LONGEST_TIMEOUT}",
                self.rto_max
            ));
        }
        if self.rto_min > self.rto_max {
            return Err(format!(
                "rto_min = {}: it exceeds rto_max = {}; lower it or raise rto_max",
                self.rto_min, self.rto_max
            ));
        }
        if self.rto_initial < self.rto_min || self.rto_initial > self.rto_max {
            return Err(format!(
                "rto_initial = {}: give a time from rto_min = {} to rto_max = {}",
                self.rto_initial, self.rto_min, self.rto_max
            ));
        }
        if self.delayed_ack_segments > 1
            && (self.delayed_ack_timeout == Time::ZERO
                || self.delayed_ack_timeout > LONGEST_TIMEOUT)
        {
            return Err(format!(
                "delayed_ack_timeout = {}: with delayed_ack_segments = {} give a positive time up to \
                 {LONGEST_TIMEOUT}",
                self.delayed_ack_timeout, self.delayed_ack_segments
            ));
        }
        match self.reorder_timeout {
            Some(timeout) if timeout == Time::ZERO || timeout > LONGEST_TIMEOUT => Err(format!(
                "reorder_timeout = {timeout}: give a positive time up to {LONGEST_TIMEOUT}, or none \
                 to leave the shim out"
            )),
            _ => Ok(()),
        }
    }

    fn check_dupthresh(&self) -> Result<(), String> {
        if self.dupthresh.initial() == 0 {
            return Err(
                "dupthresh = 0: every segment would be lost when sent; give 3 as in RFC 5681"
                    .into(),
            );
        }
        match self.dupthresh {
            Dupthresh::Adaptive { initial, max } if initial > max => Err(format!(
                "dupthresh initial = {initial}: it exceeds max = {max}; lower it or raise max"
            )),
            _ => Ok(()),
        }
    }

    /// The maximum segment size in the type of sequence numbers.
    #[inline]
    pub(crate) fn mss64(&self) -> u64 {
        u64::from(self.mss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut TcpConfig)) -> String {
        let mut config = TcpConfig::default();
        change(&mut config);
        config.check().expect_err("should be refused")
    }

    #[test]
    fn the_defaults_pass() {
        assert_eq!(TcpConfig::default().check(), Ok(()));
    }

    #[test]
    fn errors_name_the_field_and_the_value() {
        let named = [
            ("mss = 0", refused(|c| c.mss = 0)),
            ("initial_window = 0", refused(|c| c.initial_window = 0)),
            (
                "receive_window = 1459",
                refused(|c| c.receive_window = 1459),
            ),
            (
                "receive_window = 1073741825",
                refused(|c| c.receive_window = (1 << 30) + 1),
            ),
            ("rto_min = 0ps", refused(|c| c.rto_min = Time::ZERO)),
            ("rto_min = 2s", {
                refused(|c| {
                    c.rto_min = Time::from_ms(2_000);
                    c.rto_max = Time::from_ms(1_000);
                })
            }),
            ("rto_max =", refused(|c| c.rto_max = Time::MAX)),
            (
                "rto_initial = 10ms",
                refused(|c| c.rto_initial = Time::from_ms(10)),
            ),
            (
                "delayed_ack_segments = 0",
                refused(|c| c.delayed_ack_segments = 0),
            ),
            (
                "delayed_ack_timeout = 0ps",
                refused(|c| c.delayed_ack_timeout = Time::ZERO),
            ),
            (
                "reorder_timeout = 0ps",
                refused(|c| c.reorder_timeout = Some(Time::ZERO)),
            ),
            (
                "dupthresh = 0",
                refused(|c| c.dupthresh = Dupthresh::Fixed(0)),
            ),
            (
                "dupthresh initial = 4",
                refused(|c| c.dupthresh = Dupthresh::Adaptive { initial: 4, max: 3 }),
            ),
        ];
        for (name, error) in named {
            assert!(error.starts_with(name), "{name}: {error}");
        }
    }
}
