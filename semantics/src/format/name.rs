//! Names of Kubernetes: `k8s-short-name`, `k8s-long-name`.

pub(super) fn is_short(text: &str) -> bool {
    text.len() <= 63 && is_part(text)
}

pub(super) fn is_long(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_part)
}

/// Small letters and digits, with dashes inside.
fn is_part(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
