//! Writing a resolved scenario.

use crate::Scenario;
use crate::field::{Field, Section, sections};
use serde_json::{Map, Value};
use std::fmt::Write as _;

impl Scenario {
    /// The scenario as TOML, every field written and explained; reading it back gives the same scenario.
    pub fn to_toml(&self) -> String {
        let Value::Object(scenario) = self.to_value() else {
            return String::new();
        };
        let sections = sections();
        let (tables, top): (Vec<_>, Vec<_>) =
            scenario.iter().partition(|(_, value)| value.is_object());
        let mut text = String::new();
        for (name, value) in top {
            let field = sections
                .iter()
                .filter(|section| section.name.is_empty())
                .find_map(|section| named(section, name));
            line(&mut text, name, value, field);
        }
        for (name, value) in tables {
            if let Value::Object(fields) = value {
                table(&mut text, name, fields, &sections);
            }
        }
        text
    }

    /// The scenario as JSON, every field written; reading it back gives the same scenario.
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }

    /// The scenario as a JSON value.
    pub(crate) fn to_value(&self) -> Value {
        // A struct of plain fields with text keys always has a JSON form; `null` would be refused when read.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

fn table(text: &mut String, name: &str, fields: &Map<String, Value>, sections: &[Section]) {
    let of_kind = |section: &&Section| match &section.kind {
        None => true,
        Some((tag, kind)) => fields.get(tag).is_some_and(|value| value == kind),
    };
    let section = sections
        .iter()
        .filter(|section| section.name == name)
        .find(of_kind);
    let _ = writeln!(text, "\n[{name}]");
    for (name, value) in fields {
        let field = section.and_then(|section| named(section, name));
        line(text, name, value, field);
    }
}

fn named<'a>(section: &'a Section, name: &str) -> Option<&'a Field> {
    section.fields.iter().find(|field| field.name == name)
}

/// One field with what it means; an absent one as a comment.
fn line(text: &mut String, name: &str, value: &Value, field: Option<&Field>) {
    let assignment = match value {
        Value::Null => format!("# {name} is absent"),
        value => format!("{name} = {}", toml_text(value)),
    };
    let _ = match field.map(|field| field.text.brief()) {
        None | Some("") => writeln!(text, "{assignment}"),
        Some(brief) => writeln!(text, "{assignment:<32}  # {brief}"),
    };
}

/// The value as TOML. A list of tables has a line for each; what is absent in a table is left out.
fn toml_text(value: &Value) -> String {
    match value {
        Value::String(text) => toml::Value::String(text.clone()).to_string(),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let lines: Vec<String> = items.iter().map(toml_text).collect();
            format!("[\n  {},\n]", lines.join(",\n  "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(toml_text).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let written = fields.iter().filter(|(_, value)| !value.is_null());
            let fields: Vec<String> = written
                .map(|(name, value)| format!("{name} = {}", toml_text(value)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        value => value.to_string(),
    }
}
