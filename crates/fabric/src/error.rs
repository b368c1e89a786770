//! Why a fabric could not be built or routed.

use std::fmt;

/// A refused fabric: which field, the value it had, what is wrong with it and what to do.
///
/// The parts stand apart so that a caller can put the scenario's path before the field's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FabricError {
    /// The field as the builder spells it (`"hosts_per_leaf"`), or `"routes"`.
    pub field: String,
    /// The value as the user would write it (`"0"`, `"10Gbps"`, `"leaf0 -> leaf3"`).
    pub value: String,
    /// What is wrong with that value.
    pub why: String,
    /// What to write instead.
    pub remedy: String,
}

impl FabricError {
    pub(crate) fn new(
        field: impl Into<String>,
        value: impl fmt::Display,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> FabricError {
        FabricError {
            field: field.into(),
            value: value.to_string(),
            why: why.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for FabricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} = {}: {}; {}",
            self.field, self.value, self.why, self.remedy
        )
    }
}

impl std::error::Error for FabricError {}
