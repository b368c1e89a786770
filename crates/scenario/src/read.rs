//! Reading a scenario from TOML or JSON.

use crate::check::{check, join};
use crate::{Dupthresh, Scenario, ScenarioError};
use serde_json::{Map, Number, Value};

impl Scenario {
    /// Reads TOML: checks it, fills in every default and checks how the values fit together.
    pub fn from_toml(text: &str) -> Result<Scenario, ScenarioError> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let place = error.span().map_or_else(String::new, |span| {
                let (line, column) = position(text, span.start);
                format!("line {line}, column {column}: ")
            });
            // The parser's words for a number beyond 64 bits name a type that no user knows.
            let what = if error.message().starts_with("invalid type: integer") {
                "a whole number is beyond TOML's largest, 9223372036854775807"
            } else {
                error.message()
            };
            ScenarioError::new("", format!("{place}{what}"))
        })?;
        resolve(json_table("", table)?)
    }

    /// Reads JSON: checks it, fills in every default and checks how the values fit together.
    pub fn from_json(text: &str) -> Result<Scenario, ScenarioError> {
        let value = serde_json::from_str(text).map_err(|error| {
            ScenarioError::new("", format!("not JSON (which has no NaN): {error}"))
        })?;
        resolve(value)
    }
}

/// The line and column of a byte offset, both from 1.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

fn resolve(mut written: Value) -> Result<Scenario, ScenarioError> {
    check(&mut written)?;
    let mut scenario: Scenario = serde_json::from_value(written)
        .map_err(|error| ScenarioError::new("", error.to_string()))?;
    if scenario.transport.dupthresh == Dupthresh::Adaptive {
        scenario.transport.dupthresh_max = Some(scenario.transport.largest_dupthresh());
    }
    scenario.check_together()?;
    Ok(scenario)
}

fn json_table(path: &str, table: toml::Table) -> Result<Value, ScenarioError> {
    let fields = table
        .into_iter()
        .map(|(name, value)| {
            let value = json(&join(path, &name), value)?;
            Ok((name, value))
        })
        .collect::<Result<Map<String, Value>, ScenarioError>>()?;
    Ok(Value::Object(fields))
}

fn json(path: &str, value: toml::Value) -> Result<Value, ScenarioError> {
    match value {
        toml::Value::String(text) => Ok(Value::String(text)),
        toml::Value::Integer(number) => Ok(number.into()),
        toml::Value::Boolean(truth) => Ok(truth.into()),
        toml::Value::Float(number) => {
            Number::from_f64(number).map(Value::Number).ok_or_else(|| {
                let message = format!("{number} is not a finite number; write one with digits");
                ScenarioError::new(path, message)
            })
        }
        toml::Value::Datetime(date) => Err(ScenarioError::new(
            path,
            format!("{date} is a date, which no field takes; write text in quotation marks"),
        )),
        toml::Value::Array(items) => items
            .into_iter()
            .enumerate()
            .map(|(index, item)| json(&format!("{path}[{index}]"), item))
            .collect(),
        toml::Value::Table(table) => json_table(path, table),
    }
}
