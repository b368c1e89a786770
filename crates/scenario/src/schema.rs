//! The JSON schema of a scenario, generated from its structs and the schemes' manual pages.

use crate::Scenario;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The JSON schema of a scenario (draft 2020-12).
///
/// Beyond the standard's keywords, `x-minimum` and `x-maximum` bound quantities, which are strings with a unit.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12();
    SchemaGenerator::new(settings)
        .into_root_schema_for::<Scenario>()
        .to_value()
}

/// A place in the schema: the keywords of a field, and those of the type that it refers to.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    root: &'a Value,
    /// The field's own keywords: description, default, bounds.
    own: &'a Value,
    /// The type's keywords.
    target: &'a Value,
    /// The type's name, for types that have one.
    pub type_name: Option<&'a str>,
    /// Whether the field may be absent.
    pub optional: bool,
}

impl<'a> Node<'a> {
    /// The whole scenario.
    pub fn root(root: &'a Value) -> Node<'a> {
        Node::at(root, root)
    }

    fn at(root: &'a Value, own: &'a Value) -> Node<'a> {
        let mut inner = own;
        let mut optional = false;
        if let Some(alternatives) = own["anyOf"].as_array() {
            optional = true;
            inner = alternatives
                .iter()
                .find(|schema| schema["type"] != "null")
                .unwrap_or(own);
        }
        if let Some(types) = own["type"].as_array() {
            optional = types.iter().any(|name| name == "null");
        }
        let type_name = inner["$ref"]
            .as_str()
            .and_then(|reference| reference.rsplit('/').next());
        let target = type_name.map_or(inner, |name| &root["$defs"][name]);
        Node {
            root,
            own,
            target,
            type_name,
            optional,
        }
    }

    /// The keyword `key`, the field's own if it has it, else its type's.
    pub fn keyword(&self, key: &str) -> &'a Value {
        match &self.own[key] {
            Value::Null => &self.target[key],
            own => own,
        }
    }

    /// The schema of a list's items.
    pub fn items(&self) -> Node<'a> {
        Node::at(self.root, &self.target["items"])
    }

    /// The fields that have to be written.
    pub fn required(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let names = self.target["required"].as_array().into_iter().flatten();
        names.filter_map(Value::as_str)
    }

    /// The JSON type: `object`, `array`, `integer`, `number`, `boolean` or `string`.
    pub fn json_type(&self) -> &'a str {
        let types = &self.target["type"];
        match types.as_array() {
            None => types.as_str().unwrap_or(""),
            Some(types) => types
                .iter()
                .filter_map(Value::as_str)
                .find(|name| *name != "null")
                .unwrap_or(""),
        }
    }

    /// The fields of a section, in order.
    pub fn properties(&self) -> Vec<(&'a str, Node<'a>)> {
        let Some(properties) = self.target["properties"].as_object() else {
            return Vec::new();
        };
        properties
            .iter()
            .map(|(name, schema)| (name.as_str(), Node::at(self.root, schema)))
            .collect()
    }

    /// The kinds of a section that comes in several: its tag's name and, by its value, each kind.
    pub fn kinds(&self) -> Option<(&'a str, Vec<(&'a str, Node<'a>)>)> {
        let variants = self.target["oneOf"].as_array()?;
        let tag_of = |variant: &'a Value| {
            variant["properties"].as_object().and_then(|properties| {
                properties
                    .iter()
                    .find_map(|(name, schema)| Some((name.as_str(), schema["const"].as_str()?)))
            })
        };
        let tag = variants.first().and_then(tag_of)?.0;
        let kinds = variants
            .iter()
            .filter_map(|variant| Some((tag_of(variant)?.1, Node::at(self.root, variant))))
            .collect();
        Some((tag, kinds))
    }

    /// The values that a string may have, with what they mean, if it is a choice.
    pub fn choices(&self) -> Option<Vec<(&'a str, &'a str)>> {
        let described = self.target["oneOf"].as_array()?;
        described
            .iter()
            .map(|choice| {
                let meaning = choice["description"].as_str().unwrap_or("");
                Some((choice["const"].as_str()?, meaning))
            })
            .collect()
    }
}
