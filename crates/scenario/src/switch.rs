//! `[switch]`: what every switch is like inside.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What every switch is like inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Switch {
    /// Forwarding engines of each switch. Input ports are dealt to them in contiguous blocks; there can't be
    /// more engines than a switch has ports.
    ///
    /// Source: DRILL section 4: single-engine switches unless stated otherwise.
    #[schemars(range(min = 1))]
    pub engines: u16,
    /// When a forwarding engine sees a packet in a queue's length.
    ///
    /// Source: DRILL section 3.2.1: a queue does not count packets that are still entering it.
    pub visibility: Visibility,
}

impl Default for Switch {
    fn default() -> Switch {
        Switch {
            engines: 1,
            visibility: Visibility::Enqueued,
        }
    }
}

/// When a forwarding engine sees a packet in a queue's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Once it is wholly in the queue.
    Enqueued,
    /// As soon as the queue is chosen.
    Immediate,
}
