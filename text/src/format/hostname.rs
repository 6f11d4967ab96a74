//! `hostname`.

use std::sync::LazyLock;

use crate::Pattern;

/// One label of letters and digits with single dashes inside, or labels with any
/// dashes inside before a last one of letters only.
static FORMS: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    let single = r"[0-9A-Za-z\pL]+(-[0-9A-Za-z\pL]+)*";
    let dotted = r"([0-9A-Za-z\pL]([-0-9A-Za-z\pL]*[0-9A-Za-z\pL])?\.)+\pL{2,63}";
    Pattern::parse(&format!("^({single}|{dotted})$")).ok()
});

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= 255
        && text.split('.').all(|label| label.len() <= 63)
        && FORMS.as_ref().is_some_and(|forms| forms.is_match(text))
}
