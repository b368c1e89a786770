//! `[measure]`: what is measured, and how long.

use closlab_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured, and how long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Measure {
    /// Flows that start before this are not measured: the fabric fills.
    ///
    /// Source: our choice: hundreds of round trips of the default fabric.
    #[schemars(extend("x-maximum" = "86400s"))]
    pub warmup: Time,
    /// Flows that start in this span after the warm-up are measured and followed to their end.
    ///
    /// Source: our choice: some 300 flows of the default workload in about a second of computing; tails need more.
    #[schemars(extend("x-minimum" = "1ps", "x-maximum" = "86400s"))]
    pub window: Time,
    /// The run ends at the latest this long after the window; measured flows that have not ended are then
    /// reported as unfinished. New flows arrive until the end, so that the last measured ones meet the same load.
    ///
    /// Source: our choice: far longer than the window, so that only starving flows stay unfinished.
    #[schemars(extend("x-maximum" = "86400s"))]
    pub limit: Time,
    /// Interval at which the lengths of parallel queues are sampled; absent: never.
    ///
    /// Source: off, since it costs time; DRILL section 3.2.3 samples every 10 us.
    #[schemars(extend("x-minimum" = "1ns", "x-maximum" = "86400s"))]
    pub queue_samples: Option<Time>,
    /// Interval at which delivered bytes and losses are sampled, from the window's start to the end; absent: never.
    ///
    /// Source: off, since it takes space; a failure's dip shows at 1 ms.
    #[schemars(extend("x-minimum" = "1ns", "x-maximum" = "86400s"))]
    pub throughput_samples: Option<Time>,
}

impl Default for Measure {
    fn default() -> Measure {
        Measure {
            warmup: Time::from_ms(5),
            window: Time::from_ms(50),
            limit: Time::from_ms(1_000),
            queue_samples: None,
            throughput_samples: None,
        }
    }
}
