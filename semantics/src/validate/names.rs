//! The forms of names, labels and versions. The functions of a plural name give one text for each broken rule, as upstream
//! gives one cause for each.

/// `group/version` or `version`: any text that is not empty and has at most one slash.
pub(crate) fn is_group_version(text: &str) -> bool {
    !text.is_empty() && text.matches('/').count() <= 1
}

/// A kind: a DNS-1035 label once it is lower-cased.
pub(crate) fn is_kind(text: &str) -> bool {
    dns1035_label_faults(&text.to_lowercase()).is_empty()
}

/// Lower-case letters, digits and dashes, no dash at either end, not empty.
fn is_dns_label_text(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn is_dns_subdomain_text(text: &str) -> bool {
    text.split('.').all(is_dns_label_text)
}

/// What is wrong with a text as a DNS-1123 label.
pub(crate) fn dns1123_label_faults(text: &str) -> Vec<&'static str> {
    let mut faults = Vec::new();
    if text.len() > 63 {
        faults.push("is longer than 63 bytes");
    }
    if !is_dns_label_text(text) {
        faults.push("is no DNS-1123 label");
    }
    faults
}

/// What is wrong with a text as a DNS-1035 label.
pub(crate) fn dns1035_label_faults(text: &str) -> Vec<&'static str> {
    let mut faults = Vec::new();
    if text.len() > 63 {
        faults.push("is longer than 63 bytes");
    }
    if !is_dns_label_text(text) || !text.starts_with(|first: char| first.is_ascii_lowercase()) {
        faults.push("is no DNS-1035 label");
    }
    faults
}

/// What is wrong with a text as a DNS-1123 subdomain.
pub(crate) fn dns1123_subdomain_faults(text: &str) -> Vec<&'static str> {
    let mut faults = Vec::new();
    if text.len() > 253 {
        faults.push("is longer than 253 bytes");
    }
    if !is_dns_subdomain_text(text) {
        faults.push("is no DNS-1123 subdomain");
    }
    faults
}

/// What is wrong with a text as the start of a segment of a URL path.
pub(crate) fn path_segment_prefix_faults(text: &str) -> Vec<&'static str> {
    [("/", "contains a slash"), ("%", "contains a per cent sign")]
        .into_iter()
        .filter(|(illegal, _)| text.contains(illegal))
        .map(|(_, fault)| fault)
        .collect()
}

/// What is wrong with a text as a whole segment of a URL path.
pub(crate) fn path_segment_faults(text: &str) -> Vec<&'static str> {
    if text == "." || text == ".." { vec!["is a path of its own"] } else { path_segment_prefix_faults(text) }
}

/// What is wrong with the key of a label, the key of an annotation in lower case, or a finalizer: `[subdomain/]name`.
pub(crate) fn qualified_name_faults(text: &str) -> Vec<&'static str> {
    let mut faults = Vec::new();
    let name = match text.split_once('/') {
        None => text,
        Some((_, name)) if name.contains('/') => return vec!["has more than one slash"],
        Some((prefix, name)) => {
            if prefix.is_empty() {
                faults.push("has an empty prefix");
            } else {
                faults.extend(dns1123_subdomain_faults(prefix));
            }
            name
        }
    };
    if name.is_empty() {
        faults.push("has an empty name");
    } else if name.len() > 63 {
        faults.push("has a name longer than 63 bytes");
    }
    if !is_label_text(name) {
        faults.push("has a name with illegal characters or ends");
    }
    faults
}

/// What is wrong with the value of a label.
pub(crate) fn label_value_faults(text: &str) -> Vec<&'static str> {
    let mut faults = Vec::new();
    if text.len() > 63 {
        faults.push("is longer than 63 bytes");
    }
    if !text.is_empty() && !is_label_text(text) {
        faults.push("has illegal characters or ends");
    }
    faults
}

fn is_label_text(text: &str) -> bool {
    let ends = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    ends(text.bytes().next())
        && ends(text.bytes().last())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}
