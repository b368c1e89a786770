//! Reading, writing and describing scenarios.

use crate::error::{guarded, scenario_error};
use closlab_scenario::{Scenario, ScenarioError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The result of `work` on scenarios, its mistakes as exceptions.
pub(crate) fn checked<T>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, ScenarioError>,
) -> PyResult<T> {
    guarded(work)?.map_err(|error| scenario_error(py, &error))
}

/// The scenario in JSON.
pub(crate) fn read(py: Python<'_>, json: &str) -> PyResult<Scenario> {
    checked(py, || Scenario::from_json(json))
}

/// The resolved scenario of a TOML text, as JSON.
#[pyfunction]
pub(crate) fn resolve_toml(py: Python<'_>, text: &str) -> PyResult<String> {
    checked(py, || Ok(Scenario::from_toml(text)?.to_json()))
}

/// The resolved scenario of a JSON text, as JSON.
#[pyfunction]
pub(crate) fn resolve_json(py: Python<'_>, text: &str) -> PyResult<String> {
    checked(py, || Ok(Scenario::from_json(text)?.to_json()))
}

/// The resolved scenario of a JSON text, as TOML with comments.
#[pyfunction]
pub(crate) fn to_toml(py: Python<'_>, json: &str) -> PyResult<String> {
    checked(py, || Ok(Scenario::from_json(json)?.to_toml()))
}

/// The JSON schema of a scenario.
#[pyfunction]
pub(crate) fn schema() -> PyResult<String> {
    guarded(|| closlab_scenario::schema().to_string())
}

/// The reference page of all fields, in Markdown.
#[pyfunction]
pub(crate) fn reference() -> PyResult<String> {
    guarded(closlab_scenario::reference_markdown)
}

/// The fabric of a scenario in a few numbers.
#[pyfunction]
pub(crate) fn describe_fabric<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyDict>> {
    let fabric = checked(py, || Scenario::from_json(json)?.describe_fabric())?;
    let dict = PyDict::new(py);
    dict.set_item("hosts", fabric.hosts)?;
    dict.set_item("leaves", fabric.leaves)?;
    dict.set_item("switches", fabric.switches)?;
    dict.set_item("links", fabric.links)?;
    dict.set_item("oversubscription", fabric.oversubscription)?;
    dict.set_item("host_capacity_bps", fabric.host_capacity_bps)?;
    dict.set_item("uplink_capacity_bps", fabric.uplink_capacity_bps)?;
    dict.set_item("bisection_bps", fabric.bisection_bps)?;
    dict.set_item("base_rtt_ps", fabric.base_rtt.ps())?;
    dict.set_item("paths", fabric.paths)?;
    Ok(dict)
}
