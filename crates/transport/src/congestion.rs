//! Congestion control: how many bytes may be in the network.

/// An acknowledgement of new data, as congestion control sees it.
#[derive(Debug, Clone, Copy)]
pub struct Acked {
    /// Bytes newly acknowledged cumulatively.
    pub bytes: u64,
    /// Bytes of a full segment.
    pub mss: u64,
    /// Whether the data were (re)sent after a retransmission timeout whose recovery still lasts.
    pub after_timeout: bool,
}

/// A congestion window and its rules, apart from loss detection and retransmission.
///
/// The sender calls [`on_acked`](Self::on_acked) only while the window may grow: outside fast recovery,
/// when the window (not the receiver's, nor a lack of data) held the sender back (RFC 7661 section 1), and
/// without an ECN echo (RFC 3168 section 6.1.2).
pub trait CongestionControl {
    /// The congestion window in bytes; at least one segment.
    fn cwnd(&self) -> u64;

    /// The slow-start threshold in bytes; `u64::MAX` before the first congestion.
    fn ssthresh(&self) -> u64;

    /// New data were acknowledged.
    fn on_acked(&mut self, _acked: &Acked) {}

    /// Fast recovery begins, or an ECN echo arrived, once for a window of data. `flight` is RFC 5681's
    /// FlightSize without what limited transmit added, in bytes.
    fn on_congestion(&mut self, _flight: u64, _mss: u64) {}

    /// The retransmission timer expired. `flight` as above; `None` when the same segment has timed out
    /// before, which must not lower the threshold again (RFC 5681 section 3.1).
    fn on_timeout(&mut self, _flight: Option<u64>, _mss: u64) {}

    /// The SYN or SYN-ACK was lost: the initial window is one segment (RFC 5681 section 3.1).
    fn on_handshake_timeout(&mut self, _mss: u64) {}
}

/// NewReno: slow start, congestion avoidance and halving of RFC 5681.
///
/// Growth counts bytes (RFC 3465): congestion avoidance adds one segment for each window acknowledged, as
/// RFC 5681 section 3.1 recommends, whether or not acknowledgements are delayed. Slow start adds what was
/// acknowledged, at most L = 2 segments for an acknowledgement (RFC 3465 section 2.2), so that delayed
/// acknowledgements do not slow it down, as they don't in Linux; at most one (RFC 5681's own rule) in slow
/// start after a timeout (RFC 3465 section 2.3).
#[derive(Debug, Clone)]
pub struct NewReno {
    cwnd: u64,
    ssthresh: u64,
    /// Bytes acknowledged towards the next segment of congestion avoidance.
    counted: u64,
}

impl NewReno {
    /// A window of `initial` bytes and an arbitrarily high threshold (RFC 5681 section 3.1).
    pub fn new(initial: u64) -> NewReno {
        NewReno {
            cwnd: initial,
            ssthresh: u64::MAX,
            counted: 0,
        }
    }

    fn halve(&mut self, flight: u64, mss: u64) {
        // RFC 5681 section 3.1, equation 4.
        self.ssthresh = (flight / 2).max(2 * mss);
        self.counted = 0;
    }
}

impl CongestionControl for NewReno {
    #[inline]
    fn cwnd(&self) -> u64 {
        self.cwnd
    }

    #[inline]
    fn ssthresh(&self) -> u64 {
        self.ssthresh
    }

    #[inline]
    fn on_acked(&mut self, acked: &Acked) {
        if self.cwnd < self.ssthresh {
            let segments = if acked.after_timeout { 1 } else { 2 };
            self.cwnd += acked.bytes.min(segments * acked.mss);
            return;
        }
        self.counted += acked.bytes;
        if self.counted >= self.cwnd {
            self.counted -= self.cwnd;
            self.cwnd += acked.mss;
        }
    }

    fn on_congestion(&mut self, flight: u64, mss: u64) {
        self.halve(flight, mss);
        self.cwnd = self.ssthresh;
    }

    fn on_timeout(&mut self, flight: Option<u64>, mss: u64) {
        if let Some(flight) = flight {
            self.halve(flight, mss);
        }
        self.cwnd = mss;
        self.counted = 0;
    }

    fn on_handshake_timeout(&mut self, mss: u64) {
        self.cwnd = mss;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    fn ack(reno: &mut NewReno, bytes: u64, after_timeout: bool) -> u64 {
        reno.on_acked(&Acked {
            bytes,
            mss: MSS,
            after_timeout,
        });
        reno.cwnd()
    }

    #[test]
    fn slow_start_counts_bytes_up_to_two_segments() {
        let mut reno = NewReno::new(10 * MSS);
        assert_eq!(ack(&mut reno, MSS, false), 11 * MSS);
        assert_eq!(ack(&mut reno, 2 * MSS, false), 13 * MSS);
        assert_eq!(ack(&mut reno, 5 * MSS, false), 15 * MSS);
        assert_eq!(ack(&mut reno, 300, false), 15 * MSS + 300);
    }

    #[test]
    fn congestion_avoidance_adds_a_segment_for_each_window() {
        let mut reno = NewReno::new(8 * MSS);
        reno.on_congestion(8 * MSS, MSS);
        assert_eq!((reno.cwnd(), reno.ssthresh()), (4 * MSS, 4 * MSS));
        for _ in 0..3 {
            assert_eq!(ack(&mut reno, MSS, false), 4 * MSS);
        }
        assert_eq!(ack(&mut reno, MSS, false), 5 * MSS);
        assert_eq!(ack(&mut reno, 4 * MSS, false), 5 * MSS);
        // What exceeds a window counts towards the next.
        assert_eq!(ack(&mut reno, 3 * MSS, false), 6 * MSS);
        assert_eq!(ack(&mut reno, 3 * MSS, false), 6 * MSS);
        assert_eq!(ack(&mut reno, MSS, false), 7 * MSS);
    }

    #[test]
    fn a_timeout_starts_from_one_segment_and_only_the_first_lowers_the_threshold() {
        let mut reno = NewReno::new(20 * MSS);
        reno.on_timeout(Some(20 * MSS), MSS);
        assert_eq!((reno.cwnd(), reno.ssthresh()), (MSS, 10 * MSS));
        reno.on_timeout(None, MSS);
        assert_eq!((reno.cwnd(), reno.ssthresh()), (MSS, 10 * MSS));
        assert_eq!(ack(&mut reno, 4 * MSS, true), 2 * MSS);
        reno.on_timeout(Some(MSS), MSS);
        assert_eq!(reno.ssthresh(), 2 * MSS);
    }
}
