//! The stages of a run.

use closlab_units::Time;

/// When a run measures and when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Flows that start before this are not measured.
    pub window_start: Time,
    /// Flows that start at or after this are not measured.
    pub window_end: Time,
    /// The run ends here at the latest, else when the last measured flow has ended.
    pub end: Time,
    /// Interval of the queue samples within the window; `None` takes none.
    pub queue_samples: Option<Time>,
    /// Interval of the throughput samples from the window's start to the end; `None` takes none.
    pub throughput_samples: Option<Time>,
}
