//! The Python module `closlab._core`: converts, maps errors, releases the GIL. It decides nothing.

mod error;
mod listing;
mod run;
mod scenario;

use pyo3::prelude::*;

/// The simulator's native part; use the package `closlab`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("ScenarioError", py.get_type::<error::ScenarioError>())?;
    module.add("RunError", py.get_type::<error::RunError>())?;
    module.add("Cancelled", py.get_type::<error::Cancelled>())?;
    module.add_class::<run::Run>()?;
    for function in [
        wrap_pyfunction!(version, module)?,
        wrap_pyfunction!(scenario::resolve_toml, module)?,
        wrap_pyfunction!(scenario::resolve_json, module)?,
        wrap_pyfunction!(scenario::to_toml, module)?,
        wrap_pyfunction!(scenario::schema, module)?,
        wrap_pyfunction!(scenario::reference, module)?,
        wrap_pyfunction!(scenario::describe_fabric, module)?,
        wrap_pyfunction!(scenario::fabric_graph, module)?,
        wrap_pyfunction!(listing::schemes, module)?,
        wrap_pyfunction!(listing::scheme_state_bits, module)?,
        wrap_pyfunction!(listing::workloads, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}

/// The version of closlab.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
