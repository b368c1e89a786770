//! Sections that come in several kinds, each with its own fields.

use schemars::{Schema, json_schema};
use serde_json::{Map, Value};

/// Defines a section with a field (its tag) that decides which other fields there are.
macro_rules! tagged {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident by $tag:literal {
            $($(#[doc = $variant_doc:literal])+ $variant:ident($content:ty) = $kind:literal,)+
        }
        default $default:ident = $default_kind:literal
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(tag = $tag)]
        pub enum $name {
            $($(#[doc = $variant_doc])+ #[serde(rename = $kind)] $variant($content),)+
        }

        impl Default for $name {
            fn default() -> $name {
                $name::$default(Default::default())
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let variants = vec![$(
                    $crate::tagged::variant(
                        $tag,
                        $kind,
                        concat!($($variant_doc, "\n"),+).trim(),
                        <$content as schemars::JsonSchema>::json_schema(generator),
                    )
                ),+];
                $crate::tagged::one_of($tag, $default_kind, variants)
            }
        }
    };
}

pub(crate) use tagged;

/// The schema of one kind: `content` with the tag put before its fields.
pub(crate) fn variant(tag: &str, name: &str, description: &str, mut content: Schema) -> Value {
    let mut properties = Map::new();
    properties.insert(
        tag.to_owned(),
        json_schema!({"type": "string", "const": name, "description": description}).to_value(),
    );
    if let Some(Value::Object(fields)) = content.remove("properties") {
        properties.extend(fields);
    }
    let object = content.ensure_object();
    object.insert("properties".to_owned(), Value::Object(properties));
    object.insert("description".to_owned(), description.into());
    content.to_value()
}

/// The schema of a section of several kinds.
pub(crate) fn one_of(tag: &str, default: &str, variants: Vec<Value>) -> Schema {
    json_schema!({"oneOf": variants, "default": {tag: default}})
}
