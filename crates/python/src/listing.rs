//! What there is to choose from: schemes and workloads.

use crate::error::guarded;
use crate::scenario::checked;
use closlab_balance::manual::{Manual, Param, ParamUnit, StateSize};
use closlab_balance::registry::MANUALS;
use closlab_scenario::Scheme;
use closlab_workload::SizeDistribution;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The manual pages of all schemes.
#[pyfunction]
pub(crate) fn schemes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    MANUALS.iter().map(|manual| scheme(py, manual)).collect()
}

fn scheme<'py>(py: Python<'py>, manual: &Manual) -> PyResult<Bound<'py, PyDict>> {
    let params = manual.params.iter().map(|param| parameter(py, param));
    let dict = PyDict::new(py);
    dict.set_item("name", manual.name)?;
    dict.set_item("summary", manual.summary)?;
    dict.set_item("description", manual.description)?;
    dict.set_item("published", manual.published)?;
    dict.set_item("state", manual.state)?;
    dict.set_item("params", params.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn parameter<'py>(py: Python<'py>, param: &Param) -> PyResult<Bound<'py, PyDict>> {
    let unit = match param.unit {
        ParamUnit::Count => "count",
        ParamUnit::Time => "time",
    };
    let dict = PyDict::new(py);
    dict.set_item("name", param.name)?;
    dict.set_item("meaning", param.meaning)?;
    dict.set_item("unit", unit)?;
    dict.set_item("default", Scheme::value_text(param, param.default))?;
    dict.set_item("source", param.source)?;
    dict.set_item("min", Scheme::value_text(param, param.min))?;
    dict.set_item("max", Scheme::value_text(param, param.max))?;
    Ok(dict)
}

/// The bits of state that a switch of `ports` ports, `engines` forwarding engines and `groups` path groups needs
/// for scheme `name`; `params_json` is a JSON object, and parameters that it leaves out have their defaults.
#[pyfunction]
pub(crate) fn scheme_state_bits(
    py: Python<'_>,
    name: &str,
    params_json: &str,
    ports: u64,
    engines: u64,
    groups: u64,
) -> PyResult<u64> {
    let size = StateSize {
        ports,
        engines,
        groups,
    };
    checked(py, || {
        Scheme::from_json(name, params_json)?.state_bits(size)
    })
}

/// The built-in distributions of flow sizes.
#[pyfunction]
pub(crate) fn workloads(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let descriptions = guarded(|| {
        SizeDistribution::built_in_names()
            .filter_map(|name| SizeDistribution::built_in(name).ok())
            .map(|sizes| sizes.describe())
            .collect::<Vec<_>>()
    })?;
    let dicts = descriptions.into_iter().map(|sizes| {
        let dict = PyDict::new(py);
        dict.set_item("name", sizes.name)?;
        dict.set_item("points", sizes.points)?;
        dict.set_item("mean_bytes", sizes.mean)?;
        dict.set_item("p50_bytes", sizes.p50)?;
        dict.set_item("p99_bytes", sizes.p99)?;
        dict.set_item("max_bytes", sizes.max)?;
        dict.set_item("flows_below_100kb", sizes.flows_below_100kb)?;
        dict.set_item("bytes_above_1mb", sizes.bytes_above_1mb)?;
        dict.set_item("citation", sizes.citation)?;
        Ok(dict)
    });
    dicts.collect()
}
