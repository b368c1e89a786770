//! Runs.

use crate::error::{guarded, run_error};
use crate::scenario::read;
use closlab_engine::Control;
use closlab_record::{Column, Records};
use closlab_scenario::Scenario;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One run of a scenario given as JSON.
///
/// `progress` and `cancel` may be called from other threads while `execute` or `unloaded` runs; a run once
/// cancelled stays so.
#[pyclass(frozen, module = "closlab._core")]
pub(crate) struct Run {
    scenario: Scenario,
    control: Control,
}

#[pymethods]
impl Run {
    #[new]
    fn new(py: Python<'_>, json: &str) -> PyResult<Run> {
        Ok(Run {
            scenario: read(py, json)?,
            control: Control::new(),
        })
    }

    /// Simulates, and gives the records: columns by name by table.
    fn execute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let records = self.compute(py, closlab_engine::run)?;
        tables(py, records)
    }

    /// The measured flows and what each would take alone in the idle fabric.
    fn unloaded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let times = self.compute(py, closlab_engine::unloaded)?;
        let (flows, fcts): (Vec<u32>, Vec<u64>) = times
            .into_iter()
            .map(|(flow, time)| (flow.0, time.ps()))
            .unzip();
        let dict = PyDict::new(py);
        dict.set_item("flow", PyArray1::from_vec(py, flows))?;
        dict.set_item("unloaded_fct_ps", PyArray1::from_vec(py, fcts))?;
        Ok(dict)
    }

    /// The simulated time reached, that of the end at the latest, and the packet-hops so far.
    fn progress(&self) -> (u64, u64, u64) {
        let progress = self.control.progress();
        (progress.now.ps(), progress.end.ps(), progress.packet_hops)
    }

    /// Stops the run: `execute` then raises `Cancelled`.
    fn cancel(&self) {
        self.control.cancel();
    }
}

impl Run {
    /// Does `work` without the GIL.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        work: fn(&Scenario, &Control) -> Result<T, closlab_engine::RunError>,
    ) -> PyResult<T> {
        py.detach(|| guarded(|| work(&self.scenario, &self.control)))?
            .map_err(|error| run_error(&error))
    }
}

/// The tables as dictionaries of columns; numbers are handed over without a copy.
fn tables(py: Python<'_>, records: Records) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for (name, columns) in records.into_tables() {
        let table = PyDict::new(py);
        for (name, column) in columns {
            match column {
                Column::U8(values) => table.set_item(name, PyArray1::from_vec(py, values))?,
                Column::U16(values) => table.set_item(name, PyArray1::from_vec(py, values))?,
                Column::U32(values) => table.set_item(name, PyArray1::from_vec(py, values))?,
                Column::U64(values) => table.set_item(name, PyArray1::from_vec(py, values))?,
                Column::Text(values) => table.set_item(name, values)?,
            }
        }
        tables.set_item(name, table)?;
    }
    Ok(tables)
}
