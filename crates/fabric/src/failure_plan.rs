//! What fails during a run, and how routing answers.

use crate::convergence::{Convergence, LinkChange};
use closlab_units::{LinkId, Time};

/// A link that is up begins to lose packets, or heals.
#[derive(Debug, Clone, PartialEq)]
pub struct GreyChange {
    /// When.
    pub at: Time,
    /// The link, one direction.
    pub link: LinkId,
    /// Probability of losing any packet, from 0 to 1.
    pub loss: f64,
    /// Share of the flows that lose every packet, from 0 to 1.
    pub black_hole: f64,
}

/// The failures of a run and how routing answers them.
#[derive(Debug, Clone, PartialEq)]
pub struct FailurePlan {
    /// Links that fail or work again, in order of time.
    pub changes: Vec<LinkChange>,
    /// Grey failures, in order of time.
    pub greys: Vec<GreyChange>,
    /// How long the control plane takes.
    pub convergence: Convergence,
    /// Whether a switch stops using its own dead ports at once, before the control plane has converged.
    pub local_repair: bool,
}

impl FailurePlan {
    /// Nothing fails.
    pub const NONE: FailurePlan = FailurePlan {
        changes: Vec::new(),
        greys: Vec::new(),
        convergence: Convergence::IDEAL,
        local_repair: true,
    };
}
