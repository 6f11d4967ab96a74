//! The table, one file per group of rules.

mod extensions;
mod int_or_string;
mod keys;
mod lists;
mod made;
mod metadata;
mod nodes;
mod quantifiers;
mod types;

use std::sync::LazyLock;

use super::row::Row;

/// All rows.
pub fn rows() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        [
            types::rows(),
            quantifiers::rows(),
            int_or_string::rows(),
            extensions::rows(),
            metadata::rows(),
            lists::rows(),
            keys::rows(),
            made::rows(),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
    &ROWS
}

/// The rows that cover this requirement.
pub fn rows_of(requirement: &str) -> impl Iterator<Item = &'static Row> {
    rows().iter().filter(move |row| row.asserts_of(requirement).is_some())
}
