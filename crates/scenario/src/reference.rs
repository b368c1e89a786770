//! The reference page of all fields.

use crate::field::{Section, sections};
use std::fmt::Write as _;

/// The reference page of all fields of a scenario, in Markdown.
pub fn reference_markdown() -> String {
    let mut page = String::from(
        "# Scenario reference\n\n\
         A scenario is a TOML file (or the same names as Python keyword arguments). Every field has a default, and \
         the resolved file beside the results names them all. Times, rates and sizes are texts with a unit \
         (\"500us\", \"10Gbps\", \"64KB\"); KB, MB, GB are powers of 1000, KiB, MiB, GiB powers of 1024. What is not \
         listed here is refused.\n",
    );
    for section in sections() {
        heading(&mut page, &section);
        page.push_str("| Field | Allowed | Default | Meaning | Source of the default |\n");
        page.push_str("|---|---|---|---|---|\n");
        for field in &section.fields {
            let path = if section.name.is_empty() {
                field.name.clone()
            } else {
                format!("{}.{}", section.name, field.name)
            };
            let default = match &field.default {
                None if field.required => "has to be written".to_owned(),
                None => "absent".to_owned(),
                Some(default) => format!("`{default}`"),
            };
            let _ = writeln!(
                page,
                "| `{path}` | {} | {default} | {} | {} |",
                cell(&field.allowed),
                cell(&field.text.meaning),
                cell(&field.text.source),
            );
        }
    }
    page
}

fn heading(page: &mut String, section: &Section) {
    let _ = match (&section.kind, section.name.as_str()) {
        (_, "") => writeln!(page, "\n## At the top\n"),
        (None, name) if section.is_list => writeln!(page, "\n### Each of `{name}`\n"),
        (None, name) => writeln!(page, "\n## `[{name}]`\n"),
        (Some((tag, kind)), name) => writeln!(page, "\n## `[{name}]` with `{tag} = {kind:?}`\n"),
    };
    if !section.name.is_empty() {
        let _ = writeln!(page, "{}\n", section.text.meaning);
    }
}

/// Text that can't break a table's row.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
