//! Tables, as aligned text or as Markdown.

use super::Style;

/// How a rendering of several runs is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For a terminal.
    Text(Style),
    /// Markdown, as code hosts show it.
    Markdown,
}

impl Form {
    /// A heading with an empty line after it.
    pub(super) fn heading(self, text: &str) -> String {
        match self {
            Self::Text(style) => format!("{}\n\n", style.strong(text)),
            Self::Markdown => format!("## {text}\n\n"),
        }
    }

    /// A line of a list.
    pub(super) fn item(self, text: &str) -> String {
        match self {
            Self::Text(_) => format!("  {text}\n"),
            Self::Markdown => format!("- {}\n", escaped(text)),
        }
    }

    /// A table with an empty line after it; the first row is its head. All rows have the same number of cells.
    pub(super) fn table(self, rows: &[Vec<String>]) -> String {
        let mut text = match self {
            Self::Text(style) => aligned(rows, style),
            Self::Markdown => markdown(rows),
        };
        text.push('\n');
        text
    }
}

fn aligned(rows: &[Vec<String>], style: Style) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        let line = line.trim_end();
        text.push_str(&if number == 0 { style.faint(line) } else { line.to_owned() });
        text.push('\n');
    }
    text
}

fn markdown(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if number == 0 {
            text.push_str(&format!("|{}\n", "---|".repeat(row.len())));
        }
    }
    text
}

/// Text in which nothing is Markdown or HTML, except code in backquotes, on one line.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    // Without its partner a backquote is a character like any other, and several in a row have their own rules.
    let mut backquotes_left = if text.contains("``") { 0 } else { text.matches('`').count() / 2 * 2 };
    for character in text.chars() {
        match character {
            '`' if backquotes_left > 0 => {
                backquotes_left -= 1;
                in_code = !in_code;
                escaped.push('`');
            }
            '\n' | '\r' => escaped.push(' '),
            // In code nothing is special but the border of the table's cell.
            '|' => escaped.push_str("\\|"),
            _ if in_code => escaped.push(character),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' => {
                escaped.push('\\');
                escaped.push(character);
            }
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Form, escaped};
    use crate::render::Style;

    #[rstest]
    #[case::plain("a, b: c.", "a, b: c.")]
    #[case::code("`a_b*c` and a_b*c", "`a_b*c` and a\\_b\\*c")]
    #[case::cell("a|`b|c`", "a\\|`b\\|c`")]
    #[case::html("<script>&amp;", "&lt;script>&amp;amp;")]
    #[case::lone_backquote("a ` <b>", "a \\` &lt;b>")]
    #[case::lines("a\nb", "a b")]
    #[case::backquotes_in_a_row("`` <b> ``", "\\`\\` &lt;b> \\`\\`")]
    fn text_stays_text(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(escaped(text), expected);
    }

    #[test]
    fn a_table_in_both_forms() {
        let rows = [vec![String::new(), "one".to_owned()], vec!["longer".to_owned(), "1".to_owned()]];
        assert_eq!(Form::Text(Style::default()).table(&rows), "        one\nlonger  1\n\n");
        assert_eq!(Form::Markdown.table(&rows), "|  | one |\n|---|---|\n| longer | 1 |\n\n");
    }
}
