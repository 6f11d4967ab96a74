//! The tables of `ARCHITECTURE.md`.

use std::{collections::BTreeSet, fs};

use crate::architecture::{Uses, sources::root};

/// The text of `ARCHITECTURE.md`.
pub(crate) fn document() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md")
}

/// A table with the columns name, description, uses.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The first table below this heading.
    pub(crate) fn read(heading: &str) -> Self {
        let text = document();
        let (_, section) = text.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no section {heading}"));
        let lines = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        // Without the header and the line below it.
        let rows: Vec<Vec<String>> = lines.skip(2).map(cells).collect();
        assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == 3), "a table of three columns below {heading}");
        Self { rows }
    }

    /// What the last column allows each name in the first.
    pub(crate) fn uses(&self) -> Uses {
        let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
        let row = |row: &Vec<String>| {
            let name = names(&row[0]).pop_first().unwrap_or_else(|| panic!("{row:?} names nothing"));
            (name, names(&row[2]))
        };
        self.rows.iter().map(row).collect()
    }
}
