//! Checks what a person wrote against the schema, field by field, so that every mistake is answered with its
//! path, its value and its remedy. After this the structs can be filled without surprise.

use crate::error::{ScenarioError, suggestion};
use crate::field::sections_with;
use crate::schema::{Node, schema};
use closlab_units::{Bytes, Rate, Time};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

/// Checks `scenario` and names the kind of each section that comes in several, where it is left out.
pub(crate) fn check(scenario: &mut Value) -> Result<(), ScenarioError> {
    let schema = schema();
    node("", Node::root(&schema), scenario)
}

fn node(path: &str, schema: Node<'_>, value: &mut Value) -> Result<(), ScenarioError> {
    if value.is_null() && schema.optional {
        return Ok(());
    }
    match schema.type_name {
        Some("Time") => return quantity::<Time>(path, schema, value),
        Some("Rate") => return quantity::<Rate>(path, schema, value),
        Some("Bytes") => return quantity::<Bytes>(path, schema, value),
        _ => {}
    }
    if let Some((tag, kinds)) = schema.kinds() {
        return section_of_kinds(path, schema, tag, &kinds, value);
    }
    if let Some(choices) = schema.choices() {
        return choice(path, &choices, value);
    }
    match schema.json_type() {
        "object" => {
            let fields = table(path, value, &[])?;
            section(path, schema, fields, None)
        }
        "array" => list(path, schema, value),
        "integer" => integer(path, schema, value),
        "number" => number(path, schema, value),
        "boolean" if !value.is_boolean() => {
            Err(wrong(path, value, "true or false", "write true or false"))
        }
        "string" if !value.is_string() => {
            Err(wrong(path, value, "a text", "write it in quotation marks"))
        }
        _ => Ok(()),
    }
}

fn list(path: &str, schema: Node<'_>, value: &mut Value) -> Result<(), ScenarioError> {
    let bound = |key| schema.keyword(key).as_u64();
    let remedy = match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most => format!("write {least} in brackets"),
        _ => "write it in brackets, as [...]".to_owned(),
    };
    let shown = value.clone();
    let Some(items) = value.as_array_mut() else {
        return Err(wrong(path, &shown, "a list", &remedy));
    };
    let count = items.len() as u64;
    if bound("minItems").is_some_and(|least| count < least) {
        return Err(out_of_range(path, &shown, "short", &remedy));
    }
    if bound("maxItems").is_some_and(|most| count > most) {
        return Err(out_of_range(path, &shown, "long", &remedy));
    }
    let item_schema = schema.items();
    for (index, item) in items.iter_mut().enumerate() {
        node(&format!("{path}[{index}]"), item_schema, item)?;
    }
    Ok(())
}

fn wrong(path: &str, value: &Value, what: &str, remedy: &str) -> ScenarioError {
    ScenarioError::new(path, format!("{value} is not {what}; {remedy}"))
}

/// The path of the field `name` in the section at `path`.
pub(crate) fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// `value` as a section; `kinds` are a tag and its values, to help who wrote the kind alone.
fn table<'v>(
    path: &str,
    value: &'v mut Value,
    kinds: &[(&str, &str)],
) -> Result<&'v mut Map<String, Value>, ScenarioError> {
    let kind = value.as_str().and_then(|text| {
        let mut known = kinds.iter();
        known.find(|(_, kind)| *kind == text)
    });
    let remedy = match (kind, path) {
        (Some((tag, kind)), _) => format!("write [{path}] and below it {tag} = {kind:?}"),
        (None, _) => format!("write [{path}] and its fields below it"),
    };
    let error = match path {
        "" => wrong(path, value, "a scenario", "write an object of sections"),
        _ if path.ends_with(']') => wrong(path, value, "a table", "write its fields in braces"),
        _ => wrong(path, value, "a section", &remedy),
    };
    value.as_object_mut().ok_or(error)
}

fn section(
    path: &str,
    schema: Node<'_>,
    fields: &mut Map<String, Value>,
    kind: Option<&OtherKinds<'_>>,
) -> Result<(), ScenarioError> {
    let properties = schema.properties();
    for (name, value) in fields.iter_mut() {
        let field_path = join(path, name);
        match properties.iter().find(|(known, _)| known == name) {
            Some((_, field)) => node(&field_path, *field, value)?,
            None => {
                let known: Vec<&str> = properties.iter().map(|(known, _)| *known).collect();
                return Err(unknown(path, name, &known, kind));
            }
        }
    }
    if let Some(missing) = schema.required().find(|name| !fields.contains_key(*name)) {
        let known: Vec<&str> = properties.iter().map(|(known, _)| *known).collect();
        let message = format!(
            "missing; it has to be written (fields: {})",
            known.join(", ")
        );
        return Err(ScenarioError::new(join(path, missing), message));
    }
    Ok(())
}

/// A section's kind, and its other kinds.
struct OtherKinds<'a> {
    tag: &'a str,
    chosen: &'a str,
    kinds: &'a [(&'a str, Node<'a>)],
}

fn unknown(path: &str, name: &str, known: &[&str], kind: Option<&OtherKinds<'_>>) -> ScenarioError {
    let tag = kind.map(|kind| kind.tag);
    let known: Vec<&str> = known.iter().copied().filter(|k| Some(*k) != tag).collect();
    let advice = suggestion(name, &known);
    let message = match kind.map(|kind| (kind, kind.owners(name))) {
        Some((kind, owners)) if !owners.is_empty() => {
            let owners = owners.join(" or ");
            format!(
                "{} has no such field, {owners} has; {advice}",
                kind.told(kind.chosen)
            )
        }
        Some((kind, _)) if kind.tag == "name" && kind.kinds.len() > 1 => {
            format!("{} has no such field; {advice}", kind.told(kind.chosen))
        }
        _ => {
            let elsewhere = sections_with(name);
            if elsewhere.is_empty() || known.contains(&name) || path.ends_with(']') {
                let what = if path.is_empty() { "section" } else { "field" };
                format!("unknown {what}; {advice}")
            } else {
                format!(
                    "unknown field here; it belongs to [{}]",
                    elsewhere.join("] or [")
                )
            }
        }
    };
    ScenarioError::new(join(path, name), message)
}

impl OtherKinds<'_> {
    /// The kinds that have a field `name`, as a person writes them.
    fn owners(&self, name: &str) -> Vec<String> {
        self.kinds
            .iter()
            .filter(|(_, node)| node.properties().iter().any(|(field, _)| *field == name))
            .map(|(kind, _)| self.told(kind))
            .collect()
    }

    fn told(&self, kind: &str) -> String {
        match self.tag {
            "name" => format!("{kind:?}"),
            tag => format!("{tag} = {kind:?}"),
        }
    }
}

fn section_of_kinds(
    path: &str,
    schema: Node<'_>,
    tag: &str,
    kinds: &[(&str, Node<'_>)],
    value: &mut Value,
) -> Result<(), ScenarioError> {
    let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
    let tagged: Vec<(&str, &str)> = names.iter().map(|name| (tag, *name)).collect();
    let fields = table(path, value, &tagged)?;
    if !fields.contains_key(tag) {
        let default = &schema.keyword("default")[tag];
        // First, so that the section reads in the order of its definition.
        fields.shift_insert(0, tag.to_owned(), default.clone());
    }
    let tag_path = join(path, tag);
    let written = &fields[tag];
    let Some(name) = written.as_str() else {
        let remedy = format!("write one of {}", names.join(", "));
        return Err(wrong(&tag_path, written, "a name", &remedy));
    };
    let Some((chosen, kind)) = kinds.iter().find(|(known, _)| *known == name) else {
        let what = if tag == "name" { path } else { tag };
        let message = format!("unknown {what} {name:?}; {}", suggestion(name, &names));
        return Err(ScenarioError::new(tag_path, message));
    };
    let others = OtherKinds { tag, chosen, kinds };
    section(path, *kind, fields, Some(&others))
}

fn choice(path: &str, choices: &[(&str, &str)], value: &Value) -> Result<(), ScenarioError> {
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    match value.as_str() {
        Some(name) if names.contains(&name) => Ok(()),
        Some(name) => Err(ScenarioError::new(
            path,
            format!("{name:?} is not a choice; {}", suggestion(name, &names)),
        )),
        None => {
            let remedy = format!("write one of {:?}", names);
            Err(wrong(path, value, "a choice", &remedy))
        }
    }
}

/// The bounds of an integer: its own and those of its type.
pub(crate) fn integer_bounds(schema: Node<'_>) -> (u64, u64) {
    let format_maximum = match schema.keyword("format").as_str() {
        Some("uint8") => u64::from(u8::MAX),
        Some("uint16") => u64::from(u16::MAX),
        Some("uint32") => u64::from(u32::MAX),
        _ => i64::MAX as u64,
    };
    let minimum = schema.keyword("minimum").as_u64().unwrap_or(0);
    let maximum = schema.keyword("maximum").as_u64().unwrap_or(u64::MAX);
    (minimum, maximum.min(format_maximum))
}

fn integer(path: &str, schema: Node<'_>, value: &Value) -> Result<(), ScenarioError> {
    let (minimum, maximum) = integer_bounds(schema);
    let remedy = format!("write a whole number from {minimum} to {maximum}");
    match value.as_u64() {
        Some(number) if (minimum..=maximum).contains(&number) => Ok(()),
        Some(number) if number < minimum => Err(out_of_range(path, value, "small", &remedy)),
        Some(_) => Err(out_of_range(path, value, "large", &remedy)),
        None if value.is_i64() => Err(out_of_range(path, value, "small", &remedy)),
        None => Err(wrong(path, value, "a whole number", &remedy)),
    }
}

fn out_of_range(path: &str, value: &dyn fmt::Display, way: &str, remedy: &str) -> ScenarioError {
    ScenarioError::new(path, format!("{value} is too {way}; {remedy}"))
}

fn number(path: &str, schema: Node<'_>, value: &Value) -> Result<(), ScenarioError> {
    let bound = |key| schema.keyword(key).as_f64();
    let above = bound("exclusiveMinimum").unwrap_or(f64::NEG_INFINITY);
    let below = bound("exclusiveMaximum").unwrap_or(f64::INFINITY);
    let (least, most) = (bound("minimum"), bound("maximum"));
    let remedy = match (least, most) {
        (Some(least), Some(most)) => format!("write a number from {least} to {most}"),
        _ => format!("write a number above {above} and below {below}"),
    };
    let small = |number| number <= above || least.is_some_and(|least| number < least);
    let large = |number| number >= below || most.is_some_and(|most| number > most);
    match value.as_f64() {
        None => Err(wrong(path, value, "a number", &remedy)),
        Some(number) if small(number) => Err(out_of_range(path, value, "small", &remedy)),
        Some(number) if large(number) => Err(out_of_range(path, value, "large", &remedy)),
        Some(_) => Ok(()),
    }
}

fn quantity<T>(path: &str, schema: Node<'_>, value: &Value) -> Result<(), ScenarioError>
where
    T: FromStr + PartialOrd + fmt::Display,
    T::Err: fmt::Display,
{
    let example = schema.keyword("default").as_str();
    let example = example.or(schema.keyword("examples")[0].as_str());
    let Some(text) = value.as_str() else {
        let what = if value.is_number() {
            "has no unit"
        } else {
            "is not a quantity"
        };
        let example = example.unwrap_or("");
        return Err(ScenarioError::new(
            path,
            format!("{value} {what}; write a text of number and unit, as {example:?}"),
        ));
    };
    let read = text
        .parse::<T>()
        .map_err(|error| ScenarioError::new(path, error.to_string()))?;
    let bound = |key| {
        let text = schema.keyword(key).as_str();
        text.and_then(|text| text.parse::<T>().ok())
    };
    let (minimum, maximum) = (bound("x-minimum"), bound("x-maximum"));
    let remedy = match (&minimum, &maximum) {
        (Some(minimum), Some(maximum)) => format!("write {minimum} to {maximum}"),
        (Some(minimum), None) => format!("write at least {minimum}"),
        (None, Some(maximum)) => format!("write at most {maximum}"),
        (None, None) => String::new(),
    };
    if minimum.is_some_and(|minimum| read < minimum) {
        return Err(out_of_range(path, value, "small", &remedy));
    }
    if maximum.is_some_and(|maximum| read > maximum) {
        return Err(out_of_range(path, value, "large", &remedy));
    }
    Ok(())
}
