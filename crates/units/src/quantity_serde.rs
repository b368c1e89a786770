//! Quantities in scenario files: strings with a unit, read exactly, and refused as bare numbers.

use crate::{Bytes, Rate, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

struct QuantityVisitor<T>(&'static str, PhantomData<T>);

impl<T: FromStr<Err = crate::ParseError>> Visitor<'_> for QuantityVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a string with a unit, such as {:?}", self.0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! quantity_serde {
    ($type:ident, $example:literal, $pattern:literal) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(QuantityVisitor($example, PhantomData))
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    "examples": [$example],
                })
            }
        }
    };
}

quantity_serde!(Time, "500us", r"^[0-9_]+(\.[0-9_]+)? *(ps|ns|us|ms|s)$");
quantity_serde!(
    Rate,
    "10Gbps",
    r"^[0-9_]+(\.[0-9_]+)? *(bps|kbps|Kbps|Mbps|Gbps|Tbps)$"
);
quantity_serde!(
    Bytes,
    "64KB",
    r"^[0-9_]+(\.[0-9_]+)? *(B|KB|kB|KiB|MB|MiB|GB|GiB)$"
);
