//! TCP's law of the inverse square root of the loss rate (Mathis et al., CCR 1997, equation 3): under
//! random loss of rate p, a window of sqrt(3 / (2 b p)) segments on average.
//!
//! b is the number of segments for each of which the window grows by one step. Growth here counts bytes
//! (RFC 3465), so b = 1 whether or not acknowledgements are delayed.

mod pipe;

use closlab_transport::TcpConfig;
use closlab_units::Time;
use closlab_units::rng::{Purpose, Rng};
use pipe::{Fate, Pipe, config};

/// The mean window in segments, over `rounds` round trips of exactly 100 us on a link without limit, and
/// how many timeouts there were for each thousand losses.
fn mean_window(per_million: u32, delayed_ack_segments: u32, rounds: u64) -> (f64, u32) {
    let config = TcpConfig {
        delayed_ack_segments,
        // Within a round trip: an odd segment out waits little.
        delayed_ack_timeout: Time::from_us(10),
        ..config()
    };
    let mut rng = Rng::stream(1, Purpose::Test, u64::from(per_million));
    let mut pipe = Pipe::new(config, 1 << 40).data(move |_, _| {
        if rng.below(1_000_000) < per_million {
            Fate::Drop
        } else {
            Fate::Deliver
        }
    });
    pipe.log = false;
    pipe.spacing = Time::ZERO;
    pipe.run_until(Time::from_us(100 * rounds));
    let stats = pipe.sender.stats();
    let segments = pipe.sender.acknowledged() as f64 / 1000.0;
    (
        segments / rounds as f64,
        stats.timeouts * 1000 / stats.retransmitted_segments,
    )
}

#[test]
fn the_mean_window_follows_the_inverse_square_root_of_the_loss_rate() {
    for (per_million, rounds) in [(1_000, 40_000), (3_000, 40_000), (10_000, 40_000)] {
        for delayed_ack_segments in [1, 2] {
            let (window, timeouts) = mean_window(per_million, delayed_ack_segments, rounds);
            let law = (1.5 / (f64::from(per_million) / 1e6)).sqrt();
            let ratio = window / law;
            assert!(
                timeouts < 50,
                "{timeouts} timeouts in a thousand losses: not the regime of the law"
            );
            assert!(
                (ratio - 1.0).abs() < 0.15,
                "p = {per_million}e-6: {window} against {law}"
            );
        }
    }
}
