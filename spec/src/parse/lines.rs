//! Lines as an author means them: an item line or a list line may be wrapped.

use std::borrow::Cow;

/// What begins a line of its own: a heading, an item, a list line, a row of a table.
const STARTS: [&str; 4] = ["#", "**", "- ", "|"];

/// The lines of a text without line ends, numbered from 1.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// Joins each item line and list line with the lines that continue it, with one blank between them. The number is that
/// of the first line.
pub(super) fn joined<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> impl Iterator<Item = (usize, Cow<'a, str>)> {
    let mut lines = lines.peekable();
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let mut whole = Cow::Borrowed(first);
        while let Some((_, next)) = lines.next_if(|(_, next)| continues(first, next)) {
            let whole = whole.to_mut();
            whole.push(' ');
            whole.push_str(next.trim_start());
        }
        Some((number, whole))
    })
}

/// Whether a line continues one that begins with `first`: below an item line without indentation, below a list line
/// indented by two blanks.
fn continues(first: &str, next: &str) -> bool {
    let text = if first.starts_with("- ") {
        next.strip_prefix("  ")
    } else if first.starts_with("**") {
        Some(next)
    } else {
        None
    };
    text.is_some_and(|text| {
        text.starts_with(|character: char| !character.is_whitespace())
            && !STARTS.iter().any(|start| text.starts_with(start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::item("**A-001 — t.** One", "two.", true)]
    #[case::item_indented("**A-001 — t.** One", "  two.", false)]
    #[case::list_line("- Edge: one", "  two.", true)]
    #[case::list_line_not_indented("- Edge: one", "two.", false)]
    #[case::list_line_indented_further("- Edge: one", "   two.", false)]
    #[case::blank_line("**A-001 — t.** One", "", false)]
    #[case::next_item("**A-001 — t.** One", "**A-002 — t.** Two", false)]
    #[case::next_list_line("- Edge: one", "- Edge: two", false)]
    #[case::nested_list("- Edge: one", "  - two", false)]
    #[case::table("**A-001 — t.** One", "| a |", false)]
    #[case::heading("**A-001 — t.** One", "## 1.1 Two", false)]
    #[case::prose("Some words", "and more.", false)]
    fn lines_continue_items_and_list_lines(#[case] first: &str, #[case] next: &str, #[case] expected: bool) {
        assert_eq!(continues(first, next), expected);
    }

    #[test]
    fn joined_lines_have_the_number_of_the_first() {
        let text = "**A-001 — t.** One\ntwo\nthree.\n- Edge: four\n  five.\n\nsix";
        let lines: Vec<(usize, String)> = joined(numbered(text)).map(|(at, line)| (at, line.into_owned())).collect();
        let expected = [(1, "**A-001 — t.** One two three."), (4, "- Edge: four five."), (6, ""), (7, "six")];
        assert_eq!(lines, expected.map(|(at, line)| (at, line.to_owned())));
    }
}
