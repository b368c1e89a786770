//! What is wrong with a scenario.

use std::fmt;

/// What is wrong with a scenario, and where.
///
/// The message names the value, what is allowed and, for a name, the nearest right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    /// The field's full path, as `workload.load`; empty when the text as a whole could not be read.
    pub path: String,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl ScenarioError {
    /// The error `message` about the field at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> ScenarioError {
        ScenarioError {
            path: path.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScenarioError {}

/// What to say about the unknown `name`, given the names that are known.
pub(crate) fn suggestion(name: &str, known: &[&str]) -> String {
    let wanted = name.to_lowercase();
    let nearest = known
        .iter()
        .map(|right| (similarity(&wanted, right), *right))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(similarity, _)| *similarity >= 0.6);
    match (nearest, known) {
        (_, []) => "remove it".to_owned(),
        (Some((_, right)), [_]) => format!("did you mean {right:?}?"),
        (Some((_, right)), _) => {
            format!("did you mean {right:?}? Known: {}", known.join(", "))
        }
        (None, _) => format!("known: {}", known.join(", ")),
    }
}

/// How alike two names are, from 0 to 1: the better of edit distance and common beginning.
fn similarity(a: &str, b: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(a, b).max(strsim::jaro_winkler(a, b) - 0.2)
}
