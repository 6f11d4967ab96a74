//! Patterns of signatures.

/// Whether the whole text fits the pattern, in which `*` stands for any characters, also none. Takes at most the product
/// of both lengths: only the last `*` is ever tried again.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at_pattern, mut at_text) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at_text < text.len() {
        if pattern.get(at_pattern) == Some(&b'*') {
            retry = Some((at_pattern + 1, at_text));
            at_pattern += 1;
        } else if pattern.get(at_pattern) == Some(&text[at_text]) {
            at_pattern += 1;
            at_text += 1;
        } else if let Some((after_star, start)) = retry {
            retry = Some((after_star, start + 1));
            (at_pattern, at_text) = (after_star, start + 1);
        } else {
            return false;
        }
    }
    pattern[at_pattern..].iter().all(|&byte| byte == b'*')
}
