//! Watching a run from another thread, and stopping it.

use closlab_units::Time;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The simulated time reached.
    pub now: Time,
    /// The simulated time at which the run ends at the latest.
    pub end: Time,
    /// Packets that crossed a link so far.
    pub packet_hops: u64,
}

/// Shared between a run and whoever watches it. It never influences results, only whether there are any.
#[derive(Debug, Default)]
pub struct Control {
    now: AtomicU64,
    end: AtomicU64,
    packet_hops: AtomicU64,
    cancelled: AtomicBool,
}

impl Control {
    /// A control for one run.
    pub fn new() -> Control {
        Control::default()
    }

    /// Asks the run to stop; it answers with [`crate::RunError::Cancelled`] within milliseconds.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// How far the run has come.
    pub fn progress(&self) -> Progress {
        Progress {
            now: Time::from_ps(self.now.load(Ordering::Relaxed)),
            end: Time::from_ps(self.end.load(Ordering::Relaxed)),
            packet_hops: self.packet_hops.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn set_end(&self, end: Time) {
        self.end.store(end.ps(), Ordering::Relaxed);
    }

    pub(crate) fn note(&self, now: Time, packet_hops: u64) {
        self.now.store(now.ps(), Ordering::Relaxed);
        self.packet_hops.store(packet_hops, Ordering::Relaxed);
    }
}
