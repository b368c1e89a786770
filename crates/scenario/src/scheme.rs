//! `[scheme]`: the load balancer and its parameters, as its manual page defines them.

use crate::check::check;
use crate::{ScenarioError, tagged};
use closlab_balance::manual::{Manual, Param, ParamUnit, StateSize};
use closlab_balance::registry::{MANUALS, manual};
use closlab_units::Time;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The scheme that a scenario has if it names none.
const DEFAULT: &str = "ecmp";

/// The load balancer and the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// Its name, one of [`closlab_balance::registry::MANUALS`].
    pub name: &'static str,
    /// Its parameters' values in the order of its manual page; times are in picoseconds.
    pub values: Vec<u64>,
}

impl Scheme {
    /// The scheme called `name` with its default parameters; `None` if there is none of this name.
    pub fn named(name: &str) -> Option<Scheme> {
        manual(name).map(|manual| Scheme {
            name: manual.name,
            values: manual.defaults(),
        })
    }

    /// The scheme called `name` with the parameters of the JSON object `params`, checked like a scenario's.
    pub fn from_json(name: &str, params: &str) -> Result<Scheme, ScenarioError> {
        let refused = |why: &str| ScenarioError::new("scheme", format!("{params}: {why}"));
        let params: Map<String, Value> = serde_json::from_str(params)
            .map_err(|error| refused(&format!("not a JSON object: {error}")))?;
        if params.contains_key("name") {
            return Err(refused(
                "the name stands apart from the parameters; leave it out",
            ));
        }
        let mut section = Map::from_iter([("name".to_owned(), Value::from(name))]);
        section.extend(params);
        let mut scenario = json!({ "scheme": section });
        check(&mut scenario)?;
        section = match scenario["scheme"].take() {
            Value::Object(section) => section,
            _ => Map::new(),
        };
        Scheme::from_map(&section).map_err(|error| ScenarioError::new("scheme", error))
    }

    /// The bits of state that a switch needs for the scheme with these parameters.
    ///
    /// # Errors
    /// More than 2^16 ports or engines, or more than 2^32 groups; a scheme changed to one that does not exist.
    pub fn state_bits(&self, size: StateSize) -> Result<u64, ScenarioError> {
        for (path, value, most) in [
            ("ports", size.ports, 1 << 16),
            ("engines", size.engines, 1 << 16),
            ("groups", size.groups, 1 << 32),
        ] {
            if value > most {
                let message = format!("{value} is too large; write at most {most}");
                return Err(ScenarioError::new(path, message));
            }
        }
        let manual = self.manual().ok_or_else(|| {
            ScenarioError::new("scheme.name", format!("there is no scheme {:?}", self.name))
        })?;
        Ok((manual.state_bits)(&self.values, size))
    }

    /// A parameter's value as a person writes it: a number or a text with a unit.
    pub fn value_text(param: &Param, value: u64) -> String {
        match written(param, value) {
            Value::String(text) => text,
            number => number.to_string(),
        }
    }

    /// Its manual page; `None` if its name has been changed to one that does not exist.
    pub fn manual(&self) -> Option<&'static Manual> {
        manual(self.name)
    }

    /// Reads `map`, which holds the name and parameters; absent ones have their defaults.
    fn from_map(map: &Map<String, Value>) -> Result<Scheme, String> {
        let name = match map.get("name") {
            None => DEFAULT,
            Some(name) => name.as_str().ok_or("the scheme's name is not a string")?,
        };
        let manual = manual(name).ok_or_else(|| format!("there is no scheme {name:?}"))?;
        let known = |key: &str| key == "name" || manual.params.iter().any(|p| p.name == key);
        if let Some(key) = map.keys().find(|key| !known(key)) {
            return Err(format!("{name} has no parameter {key:?}"));
        }
        let values = manual.params.iter().map(|param| match map.get(param.name) {
            None => Ok(param.default),
            Some(value) => param_value(param, value),
        });
        Ok(Scheme {
            name: manual.name,
            values: values.collect::<Result<_, String>>()?,
        })
    }
}

impl Default for Scheme {
    fn default() -> Scheme {
        Scheme::named(DEFAULT).unwrap_or(Scheme {
            name: DEFAULT,
            values: Vec::new(),
        })
    }
}

/// A parameter's value as an integer of its unit.
fn param_value(param: &Param, value: &Value) -> Result<u64, String> {
    match param.unit {
        ParamUnit::Count => value
            .as_u64()
            .ok_or_else(|| format!("{}: {value} is not a count", param.name)),
        ParamUnit::Time => Time::deserialize(value)
            .map(Time::ps)
            .map_err(|error| format!("{}: {error}", param.name)),
    }
}

/// A parameter's value as a person writes it: a number or a text with a unit.
fn written(param: &Param, value: u64) -> Value {
    match param.unit {
        ParamUnit::Count => value.into(),
        ParamUnit::Time => Time::from_ps(value).to_string().into(),
    }
}

impl Serialize for Scheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let params = self.manual().map_or(&[][..], |manual| manual.params);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        for (param, &value) in params.iter().zip(&self.values) {
            map.serialize_entry(param.name, &written(param, value))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Scheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scheme, D::Error> {
        let map = Map::deserialize(deserializer)?;
        Scheme::from_map(&map).map_err(D::Error::custom)
    }
}

impl JsonSchema for Scheme {
    fn schema_name() -> Cow<'static, str> {
        "Scheme".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let variants = MANUALS
            .iter()
            .map(|manual| {
                let properties: Map<String, Value> = manual
                    .params
                    .iter()
                    .map(|param| (param.name.to_owned(), param_schema(generator, param)))
                    .collect();
                let content = json_schema!({
                    "type": "object",
                    "properties": properties,
                    "additionalProperties": false,
                });
                let description = format!(
                    "{}.\n\nSource: {}.",
                    capitalised(manual.summary),
                    manual.published
                );
                tagged::variant("name", manual.name, &description, content)
            })
            .collect();
        tagged::one_of("name", DEFAULT, variants)
    }
}

fn param_schema(generator: &mut SchemaGenerator, param: &Param) -> Value {
    let mut schema = match param.unit {
        ParamUnit::Count => json_schema!({
            "type": "integer",
            "minimum": param.min,
            "maximum": param.max,
        }),
        ParamUnit::Time => {
            let mut schema = generator.subschema_for::<Time>();
            schema.insert("x-minimum".to_owned(), written(param, param.min));
            schema.insert("x-maximum".to_owned(), written(param, param.max));
            schema
        }
    };
    let description = format!(
        "{}.\n\nSource: {}.",
        capitalised(param.meaning),
        param.source
    );
    schema.insert("description".to_owned(), description.into());
    schema.insert("default".to_owned(), written(param, param.default));
    schema.to_value()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
