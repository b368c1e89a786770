//! Why a run gave no records.

use std::fmt;

/// Why a run gave no records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunError {
    /// The scenario describes something that can't be built; the text names the field and the remedy.
    Impossible(String),
    /// [`crate::Control::cancel`] was called.
    Cancelled,
    /// The audit found that packets or bytes appeared or vanished: a defect of the simulator, and the
    /// results would be wrong.
    Audit(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Impossible(why) => f.write_str(why),
            RunError::Cancelled => f.write_str("the run was cancelled"),
            RunError::Audit(what) => write!(
                f,
                "the conservation audit failed, so the results are not to be trusted: {what}; please report \
                 the scenario"
            ),
        }
    }
}

impl std::error::Error for RunError {}
