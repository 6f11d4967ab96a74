//! The normative words of a sentence.

use crate::requirement::Level;

/// Words that, before the normative word, show that a sentence binds someone other than the server.
const OTHERS: [&str; 8] = ["webhook", "webhooks", "client", "clients", "test", "tests", "generator", "generators"];

/// The weaker level that the words of an edge define: SHOULD or MAY, the weakest if it has both.
///
/// Words in backquotes are code. If a clause names a webhook, a client, a test or a generator before the normative
/// word, it binds that one, not the server, and does not affect the level.
pub(super) fn level_in_words(text: &str) -> Option<Level> {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    clauses(&prose).filter_map(level_of_clause).max()
}

fn clauses(prose: &str) -> impl Iterator<Item = &str> {
    [". ", "; ", ": "]
        .iter()
        .fold(vec![prose], |parts, end| parts.into_iter().flat_map(|part| part.split(end)).collect())
        .into_iter()
}

fn level_of_clause(clause: &str) -> Option<Level> {
    let words = clause.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .take_while(|word| !OTHERS.iter().any(|other| word.eq_ignore_ascii_case(other)))
        .filter_map(|word| match word {
            "SHOULD" => Some(Level::Should),
            "MAY" => Some(Level::May),
            _ => None,
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::none("a RV is opaque", None)]
    #[case::must("it MUST be so", None)]
    #[case::should("tests compare for equality only. It SHOULD grow.", Some(Level::Should))]
    #[case::should_not("Instances SHOULD NOT delay", Some(Level::Should))]
    #[case::in_parentheses("301 to the right URL (SHOULD); 404 else", Some(Level::Should))]
    #[case::may("other servers MAY say 405.", Some(Level::May))]
    #[case::the_weakest("it MAY; it SHOULD", Some(Level::May))]
    #[case::binds_a_generator("everything smaller works. Generators SHOULD stay there.", None)]
    #[case::binds_a_test("A test MUST compare causes and SHOULD check fields.", None)]
    #[case::named_after_the_word("it MAY ask a webhook", Some(Level::May))]
    #[case::code("it says `MAY` there", None)]
    #[case::within_a_word("DISMAY", None)]
    #[case::lower_case("it may be so", None)]
    fn levels(#[case] text: &str, #[case] expected: Option<Level>) {
        assert_eq!(level_in_words(text), expected);
    }
}
