//! Reading, writing and describing scenarios.

use crate::error::{guarded, scenario_error};
use closlab_scenario::{GraphCable, GraphNode, Role, Scenario, ScenarioError};
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

/// The fabric of a scenario in a few numbers and texts.
#[pyfunction]
pub(crate) fn describe_fabric<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyDict>> {
    let fabric = checked(py, || Scenario::from_json(json)?.describe_fabric())?;
    let summary = &fabric.summary;
    let dict = PyDict::new(py);
    dict.set_item("hosts", summary.hosts)?;
    dict.set_item("leaves", fabric.leaves())?;
    for (role, count) in summary.switches.iter().skip(1) {
        dict.set_item(plural(*role), count)?;
    }
    dict.set_item("switches", fabric.switches())?;
    dict.set_item("links", fabric.links)?;
    dict.set_item("cables", summary.cables)?;
    dict.set_item("failed_cables", summary.failed_cables)?;
    let oversubscription = fabric.oversubscription(Role::Leaf);
    dict.set_item(
        "oversubscription",
        oversubscription.unwrap_or("none".to_owned()),
    )?;
    for role in Role::ALL.into_iter().skip(1) {
        if let Some(ratio) = fabric.oversubscription(role) {
            dict.set_item(format!("{}_oversubscription", role.name()), ratio)?;
        }
    }
    dict.set_item("host_capacity_bps", fabric.host_capacity_bps)?;
    dict.set_item("uplink_capacity_bps", fabric.uplink_capacity_bps)?;
    dict.set_item("bisection_bps", summary.bisection_bps)?;
    if let Some(rtt) = summary.base_rtt {
        dict.set_item("base_rtt_ps", rtt.ps())?;
    }
    dict.set_item("paths", fabric.paths)?;
    dict.set_item("unreachable_pairs", summary.unreachable_pairs)?;
    dict.set_item("bytes_per_host", summary.bytes_per_host())?;
    Ok(dict)
}

/// The tier's name for several switches.
fn plural(role: Role) -> &'static str {
    match role {
        Role::Leaf => "leaves",
        Role::Aggregation => "aggregations",
        Role::Spine => "spines",
        Role::Core => "cores",
    }
}

/// The fabric of a scenario as switches and cables for drawing, with its tiers and its paths from the first leaf.
#[pyfunction]
pub(crate) fn fabric_graph<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyDict>> {
    let (graph, summary) = checked(py, || {
        let scenario = Scenario::from_json(json)?;
        Ok((
            scenario.fabric_graph()?,
            scenario.describe_fabric()?.summary,
        ))
    })?;
    let dict = PyDict::new(py);
    let nodes = graph.nodes.iter().map(|entry| node(py, entry));
    dict.set_item("nodes", nodes.collect::<PyResult<Vec<_>>>()?)?;
    let cables = graph.cables.iter().map(|entry| cable(py, entry));
    dict.set_item("cables", cables.collect::<PyResult<Vec<_>>>()?)?;
    let tiers = summary.tiers.iter().map(|tier| {
        let dict = PyDict::new(py);
        dict.set_item("role", tier.role.name())?;
        dict.set_item("down_bps", tier.down_bps)?;
        dict.set_item("up_bps", tier.up_bps)?;
        Ok(dict)
    });
    dict.set_item("tiers", tiers.collect::<PyResult<Vec<_>>>()?)?;
    let paths = summary.paths.iter().map(|paths| {
        let dict = PyDict::new(py);
        dict.set_item("hops", paths.hops)?;
        dict.set_item("leaves", paths.tors)?;
        dict.set_item("fewest", paths.fewest)?;
        dict.set_item("most", paths.most)?;
        Ok(dict)
    });
    dict.set_item("paths", paths.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn node<'py>(py: Python<'py>, node: &GraphNode) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", &node.name)?;
    dict.set_item("role", node.role)?;
    dict.set_item("index", node.index)?;
    dict.set_item("pod", node.pod)?;
    dict.set_item("hosts", node.hosts)?;
    dict.set_item("failed_hosts", node.failed_hosts)?;
    dict.set_item("host_bps", node.host_bps)?;
    Ok(dict)
}

fn cable<'py>(py: Python<'py>, cable: &GraphCable) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("a", cable.a)?;
    dict.set_item("b", cable.b)?;
    dict.set_item("rate_bps", cable.rate.bps())?;
    dict.set_item("up", cable.up)?;
    dict.set_item("parallel", cable.parallel)?;
    Ok(dict)
}
