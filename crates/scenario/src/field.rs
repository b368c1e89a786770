//! All fields of a scenario as a flat list, for whatever is generated from them.

use crate::check::{integer_bounds, join};
use crate::schema::{Node, schema};

/// A section, one kind of a section that comes in several, or the items of a list.
pub(crate) struct Section {
    /// Its name; empty for the fields at the top.
    pub name: String,
    /// Whether it is the items of a list, several of which may be written.
    pub is_list: bool,
    /// The field that decides its kind and the value that this kind has.
    pub kind: Option<(String, String)>,
    /// What it is.
    pub text: Documentation,
    /// Its fields, that of the kind included.
    pub fields: Vec<Field>,
}

/// One field.
pub(crate) struct Field {
    /// Its name in its section.
    pub name: String,
    /// What may be written: its type, unit and bounds.
    pub allowed: String,
    /// Its default as written; `None` if it is absent by default.
    pub default: Option<String>,
    /// Whether it has to be written.
    pub required: bool,
    /// What it is.
    pub text: Documentation,
}

/// What the definition says.
pub(crate) struct Documentation {
    /// The meaning.
    pub meaning: String,
    /// Where the default comes from.
    pub source: String,
}

impl Documentation {
    fn of(node: Node<'_>) -> Documentation {
        let text = node.keyword("description").as_str().unwrap_or("");
        let (meaning, source) = text.split_once("\n\nSource: ").unwrap_or((text, ""));
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Documentation {
            meaning: flat(meaning),
            source: flat(source),
        }
    }

    /// The meaning's beginning, short enough for a comment.
    pub fn brief(&self) -> &str {
        let end = [". ", "; ", ": "]
            .iter()
            .filter_map(|stop| self.meaning.find(stop))
            .min()
            .unwrap_or(self.meaning.len());
        self.meaning[..end].trim_end_matches('.')
    }
}

/// All sections, each kind on its own, in the order of their definition.
pub(crate) fn sections() -> Vec<Section> {
    let schema = schema();
    let (mut top, mut sections) = (Vec::new(), Vec::new());
    for (name, node) in Node::root(&schema).properties() {
        if let Some((tag, kinds)) = node.kinds() {
            let default = node.keyword("default")[tag].to_string();
            for (kind, node) in kinds {
                let kind = Some((tag.to_owned(), kind.to_owned()));
                let mut section = section(name, kind, node);
                for field in section.fields.iter_mut().filter(|field| field.name == tag) {
                    field.default = Some(default.clone());
                }
                sections.push(section);
                sections.extend(lists(name, node));
            }
        } else if node.json_type() == "object" {
            sections.push(section(name, None, node));
            sections.extend(lists(name, node));
        } else {
            top.push(field(name, node));
        }
    }
    let first = Section {
        name: String::new(),
        is_list: false,
        kind: None,
        text: Documentation::of(Node::root(&schema)),
        fields: top,
    };
    sections.insert(0, first);
    sections
}

/// The names of the sections that have a field `name`.
pub(crate) fn sections_with(name: &str) -> Vec<String> {
    let mut found: Vec<String> = sections()
        .into_iter()
        .filter(|section| !section.name.is_empty())
        .filter(|section| section.fields.iter().any(|field| field.name == name))
        .map(|section| section.name)
        .collect();
    found.dedup();
    found
}

fn section(name: &str, kind: Option<(String, String)>, node: Node<'_>) -> Section {
    Section {
        name: name.to_owned(),
        is_list: false,
        kind,
        text: Documentation::of(node),
        fields: node
            .properties()
            .into_iter()
            .map(|(name, field_node)| Field {
                required: node.required().any(|required| required == name),
                ..field(name, field_node)
            })
            .collect(),
    }
}

/// The lists of tables in the section `name`, each as a section of its own.
fn lists(name: &str, node: Node<'_>) -> Vec<Section> {
    let properties = node.properties().into_iter();
    let tables = properties.filter(|(_, node)| node.items().json_type() == "object");
    let list = |(field, node): (&str, Node<'_>)| Section {
        is_list: true,
        ..section(&join(name, field), None, node.items())
    };
    tables.map(list).collect()
}

fn field(name: &str, node: Node<'_>) -> Field {
    let default = node.keyword("default");
    let mut text = Documentation::of(node);
    for (choice, meaning) in node.choices().unwrap_or_default() {
        let meaning = meaning.trim_end_matches('.');
        text.meaning.push_str(&format!(" `{choice:?}`: {meaning}."));
    }
    Field {
        name: name.to_owned(),
        allowed: allowed(node),
        default: (!default.is_null()).then(|| default.to_string()),
        required: false,
        text,
    }
}

fn allowed(node: Node<'_>) -> String {
    let quantity = |what: &str| {
        let bound = |key| node.keyword(key).as_str();
        match (bound("x-minimum"), bound("x-maximum")) {
            (Some(minimum), Some(maximum)) => format!("{what}, {minimum} to {maximum}"),
            (Some(minimum), None) => format!("{what}, at least {minimum}"),
            (None, Some(maximum)) => format!("{what}, at most {maximum}"),
            (None, None) => what.to_owned(),
        }
    };
    match node.type_name {
        Some("Time") => return quantity("time"),
        Some("Rate") => return quantity("rate"),
        Some("Bytes") => return quantity("size"),
        _ => {}
    }
    if let Some(choices) = node.choices() {
        let names: Vec<String> = choices
            .iter()
            .map(|(name, _)| format!("{name:?}"))
            .collect();
        return names.join(", ");
    }
    match node.json_type() {
        "integer" => {
            let (minimum, maximum) = integer_bounds(node);
            format!("whole number, {minimum} to {maximum}")
        }
        "number" => {
            let bound = |key| node.keyword(key);
            match bound("minimum") {
                least if least.is_number() => format!("number, {least} to {}", bound("maximum")),
                _ => format!(
                    "number above {} and below {}",
                    bound("exclusiveMinimum"),
                    bound("exclusiveMaximum")
                ),
            }
        }
        "array" => match node.keyword("minItems").as_u64() {
            Some(count) => format!("list of {count}: {}", allowed(node.items())),
            None => format!("list of {}", allowed(node.items())),
        },
        "object" => "tables, see below".to_owned(),
        "boolean" => "true or false".to_owned(),
        _ if node.keyword("const").is_string() => node.keyword("const").to_string(),
        _ => "text".to_owned(),
    }
}
