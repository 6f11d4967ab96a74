//! The nesting of a YAML text, determined without parsing it into a value.

use granit_parser::Event;

use super::tree::events;
use crate::wire::json::MAX_NESTING;

/// A text whose bound is at most this is not examined further.
const SHALLOW: usize = 50;

/// An upper bound of the nesting of a text, determined without recursion; with aliases it is the maximum.
pub(crate) fn nesting(body: &[u8]) -> usize {
    let bound = bound(body);
    if bound <= SHALLOW {
        return bound;
    }
    let Ok(text) = std::str::from_utf8(body) else { return 0 };
    let (mut depth, mut deepest) = (0_usize, 0);
    for event in events(text) {
        match event {
            Ok((Event::Alias(_), _)) => return MAX_NESTING,
            Ok((Event::SequenceStart(..) | Event::MappingStart(..), _)) => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            Ok((Event::SequenceEnd | Event::MappingEnd, _)) => depth = depth.saturating_sub(1),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    deepest
}

/// An upper bound from the bytes alone: only brackets and the indicators at the start of a line open levels. Two levels
/// may start in one column, a mapping and the sequence that is its value.
fn bound(body: &[u8]) -> usize {
    if body.contains(&b'*') {
        return usize::MAX;
    }
    let brackets = body.iter().filter(|byte| matches!(byte, b'[' | b'{')).count();
    let is_mark = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'-' | b'?' | b':');
    let lines = body.split(|byte| matches!(byte, b'\n' | b'\r'));
    let marks = lines.map(|line| line.iter().take_while(is_mark).count()).max().unwrap_or_default();
    brackets.saturating_add(2 * (marks + 1))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::blocks(format!("{}a", "- ".repeat(200)), 200)]
    #[case::flow(format!("a: {}{}", "[".repeat(200), "]".repeat(200)), 201)]
    #[case::after_a_quote(format!("a: it\"s\nb: {}{}", "[".repeat(200), "]".repeat(200)), 201)]
    #[case::brackets_in_a_string(format!("a: '{}'", "[".repeat(200)), 1)]
    #[case::aliases("a: &a [x]\nb: *a\n".to_owned(), MAX_NESTING)]
    fn nesting_is_counted(#[case] text: String, #[case] expected: usize) {
        assert_eq!(nesting(text.as_bytes()), expected);
    }

    #[test]
    fn shallow_texts_are_only_bounded() {
        assert!((3..=SHALLOW).contains(&nesting(b"a:\n- b: c\n")));
    }
}
