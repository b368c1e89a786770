//! Why a workload was refused.

use std::fmt;

/// A refused workload: which field, the value it had, what is wrong with it and what to do.
///
/// The parts stand apart so that a caller can put the scenario's path before the field's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadError {
    /// The field (`"load"`, `"sizes"`), or a line of a file (`"mine.cdf line 3"`).
    pub field: String,
    /// The value as the user wrote it.
    pub value: String,
    /// What is wrong with that value.
    pub why: String,
    /// What to write instead.
    pub remedy: String,
}

impl WorkloadError {
    pub(crate) fn new(
        field: impl Into<String>,
        value: impl fmt::Display,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> WorkloadError {
        WorkloadError {
            field: field.into(),
            value: value.to_string(),
            why: why.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for WorkloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} = {}: {}; {}",
            self.field, self.value, self.why, self.remedy
        )
    }
}

impl std::error::Error for WorkloadError {}
