//! What is wrong with the text of an expression.

use std::fmt::Write as _;

/// At most this many are listed.
const MOST: usize = 100;
/// A line that has more bytes is not shown.
const LONGEST_LINE: usize = 16_384;

/// Something that is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Where, in code points from the start of the text; `None` if it is about the whole.
    pub offset: Option<u32>,
    /// What, as upstream words it.
    pub message: String,
}

impl Issue {
    pub(crate) fn at(offset: u32, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), message: message.into() }
    }
}

/// The issues of a text in the order of their places, each with its line, as upstream prints them.
pub fn describe(text: &str, issues: &[Issue]) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut placed: Vec<_> = issues.iter().take(MOST).map(|issue| (position(&lines, issue.offset), issue)).collect();
    placed.sort_by_key(|(position, _)| *position);
    let mut described: Vec<String> =
        placed.into_iter().map(|(position, issue)| one(&lines, position, &issue.message)).collect();
    if issues.len() > MOST {
        described.push(format!("{} more errors were truncated", issues.len() - MOST));
    }
    described.join("\n")
}

/// The line, counted from 1, and the column, counted from 0; `None` if it is about the whole.
type Position = Option<(usize, usize)>;

fn position(lines: &[&str], offset: Option<u32>) -> Position {
    let mut left = offset? as usize;
    for (number, line) in lines.iter().enumerate() {
        let length = line.chars().count();
        if left <= length {
            return Some((number + 1, left));
        }
        left -= length + 1;
    }
    None
}

fn one(lines: &[&str], position: Position, message: &str) -> String {
    let Some((line, column)) = position else { return format!("ERROR: <input>:-1:0: {message}") };
    let mut text = format!("ERROR: <input>:{line}:{}: {message}", column + 1);
    let shown = lines[line - 1].replace('\t', " ");
    if shown.len() > LONGEST_LINE {
        return text;
    }
    let wide = |character: Option<char>| character.is_some_and(|character| character.len_utf8() > 1);
    let mut marks: String = shown.chars().take(column).map(|one| if wide(Some(one)) { '．' } else { '.' }).collect();
    marks.push(if wide(shown.chars().nth(column)) { '＾' } else { '^' });
    let _ = write!(text, "\n | {shown}\n | {marks}");
    text
}

#[cfg(test)]
mod tests {
    use super::{Issue, describe};

    #[test]
    fn issues_have_their_line_and_a_mark() {
        let text = "a +\nä + b";
        let issues = [Issue::at(8, "second"), Issue::at(0, "first")];
        let expected = "ERROR: <input>:1:1: first\n | a +\n | ^\nERROR: <input>:2:5: second\n | ä + b\n | ．...^";
        assert_eq!(describe(text, &issues), expected);
    }

    #[test]
    fn of_many_issues_a_hundred_are_listed() {
        let issues = vec![Issue::at(0, "wrong"); 103];
        assert!(describe("a", &issues).ends_with("\n3 more errors were truncated"));
    }
}
