//! Words of a POSIX shell.

/// The text as one word of a POSIX shell, quoted if necessary.
pub fn quoted(text: &str) -> String {
    let is_safe = |character: char| character.is_ascii_alphanumeric() || "-_./:=,@%+".contains(character);
    // zsh expands a leading `=`.
    if !text.is_empty() && !text.starts_with('=') && text.chars().all(is_safe) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
