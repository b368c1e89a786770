//! Errors of Rust as exceptions of Python.

use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

pyo3::create_exception!(
    closlab,
    ScenarioError,
    PyValueError,
    "A scenario has a mistake. `path` is the field's full path (empty for the text as a whole), `message` what \
     is wrong and what to write instead."
);
pyo3::create_exception!(
    closlab,
    RunError,
    PyRuntimeError,
    "A run failed: the scenario can't be built, or the simulator has a defect."
);
pyo3::create_exception!(closlab, Cancelled, PyException, "A run was cancelled.");

/// The exception for a mistake in a scenario, with its parts as attributes.
pub(crate) fn scenario_error(py: Python<'_>, error: &closlab_scenario::ScenarioError) -> PyErr {
    let exception = ScenarioError::new_err(error.to_string());
    let value = exception.value(py);
    let attributes = value
        .setattr("path", &error.path)
        .and_then(|()| value.setattr("message", &error.message));
    attributes.err().unwrap_or(exception)
}

/// The exception for a run without records.
pub(crate) fn run_error(error: &closlab_engine::RunError) -> PyErr {
    match error {
        closlab_engine::RunError::Cancelled => Cancelled::new_err(error.to_string()),
        other => RunError::new_err(other.to_string()),
    }
}

/// Does `work`; a defect that makes it panic becomes a [`RunError`] that says so.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        RunError::new_err(format!(
            "closlab {} has a defect: {}; please report it with the scenario",
            env!("CARGO_PKG_VERSION"),
            panic_text(panic.as_ref())
        ))
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without text")
}
