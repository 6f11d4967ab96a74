//! Comparison of names with user input: globs and edit distance.

/// Whether `text` matches `pattern`: `*` matches any run of characters, `?` matches one; ASCII case is ignored.
///
/// Takes quadratic time at worst, never exponential: only the last `*` is ever retried.
pub(crate) fn glob_matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at_pattern, mut at_text) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while at_text < text.len() {
        match pattern.get(at_pattern) {
            Some('*') => {
                last_star = Some((at_pattern, at_text));
                at_pattern += 1;
            }
            Some(wanted) if *wanted == '?' || wanted.eq_ignore_ascii_case(&text[at_text]) => {
                at_pattern += 1;
                at_text += 1;
            }
            _ => {
                let Some((star, taken)) = last_star else {
                    return false;
                };
                last_star = Some((star, taken + 1));
                at_pattern = star + 1;
                at_text = taken + 1;
            }
        }
    }
    pattern[at_pattern..].iter().all(|rest| *rest == '*')
}

/// The edit distance in characters; swapping two neighbours counts as one edit.
///
/// Takes time proportional to the product of the lengths, so callers limit the length of user input.
pub(crate) fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, from) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, to) in right.iter().enumerate() {
            let replaced = last[column] + usize::from(from != to);
            let mut best = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *from == right[column - 1] && left[row - 1] == *to {
                best = best.min(before_last[column - 1] + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::exact("PRUNE-004", "PRUNE-004", true)]
    #[case::case_is_ignored("prune-004", "PRUNE-004", true)]
    #[case::one_character("INV-00?", "INV-009", true)]
    #[case::not_two("INV-0?", "INV-009", false)]
    #[case::star("PRUNE-*", "PRUNE-004", true)]
    #[case::star_matches_nothing("PRUNE-004*", "PRUNE-004", true)]
    #[case::star_is_retried("*-*04", "PRUNE-0104", true)]
    #[case::prefix_is_not_enough("PRUNE", "PRUNE-004", false)]
    #[case::longer_pattern("PRUNE-004?", "PRUNE-004", false)]
    #[case::empty("", "PRUNE-004", false)]
    fn globs(#[case] pattern: &str, #[case] text: &str, #[case] expected: bool) {
        assert_eq!(glob_matches(pattern, text), expected);
    }

    #[rstest]
    #[case("", "", 0)]
    #[case("", "abc", 3)]
    #[case("PRUNE", "PRUN", 1)]
    #[case("PRUNE", "PURNE", 1)]
    #[case("PRUNE", "PRANE", 1)]
    #[case("kitten", "sitting", 3)]
    fn distances(#[case] left: &str, #[case] right: &str, #[case] expected: usize) {
        assert_eq!(edit_distance(left, right), expected);
        assert_eq!(edit_distance(right, left), expected);
    }
}
