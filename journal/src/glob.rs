//! Patterns in which `*` stands for any characters and `?` for exactly one.

/// Whether the whole text matches the pattern. Takes at most the product of both lengths: only the last `*` is
/// ever retried.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at_pattern, mut at_text) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at_text < text.len() {
        match pattern.get(at_pattern) {
            Some('*') => {
                retry = Some((at_pattern + 1, at_text));
                at_pattern += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == text[at_text] => {
                at_pattern += 1;
                at_text += 1;
            }
            // What follows the last star does not match: let the star take one character more.
            _ => match retry {
                Some((after_star, start)) => {
                    retry = Some((after_star, start + 1));
                    (at_pattern, at_text) = (after_star, start + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at_pattern..].iter().all(|&rest| rest == '*')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::matches;

    #[rstest]
    #[case("prune-*", "prune-001-unknown-keys", true)]
    #[case("*keys", "prune-001-unknown-keys", true)]
    #[case("*a*b", "xaxxbxb", true)]
    #[case("prune-00?-*", "prune-001-x", true)]
    #[case("prune", "prune-001", false)]
    #[case("", "", true)]
    #[case("", "a", false)]
    #[case("*", "", true)]
    #[case("?", "", false)]
    #[case("?", "é", true)]
    #[case("a*b", "a", false)]
    fn patterns(#[case] pattern: &str, #[case] text: &str, #[case] expected: bool) {
        assert_eq!(matches(pattern, text), expected);
    }

    /// The definition, without any cleverness.
    fn by_definition(pattern: &[char], text: &[char]) -> bool {
        match (pattern.first(), text.first()) {
            (None, None) => true,
            (Some('*'), _) => {
                by_definition(&pattern[1..], text) || (!text.is_empty() && by_definition(pattern, &text[1..]))
            }
            (Some(wanted), Some(letter)) => {
                (*wanted == '?' || wanted == letter) && by_definition(&pattern[1..], &text[1..])
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn matching_is_what_is_defined(pattern in "[ab*?]{0,8}", text in "[ab]{0,8}") {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(matches(&pattern, &text), by_definition(&letters(&pattern), &letters(&text)));
        }
    }
}
