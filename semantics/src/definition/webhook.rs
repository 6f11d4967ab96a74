//! The fields that conversion by a webhook requires (CRDVAL-045..047, CRDVAL-049).

use std::collections::BTreeSet;

use crdible_text::{
    name::{dns1035_label_faults, dns1123_subdomain_faults},
    url::{Url, fault_of_url},
};

use super::model::{Conversion, Service};
use super::violation;
use crate::{Reason, Semantics, Violation, go_text, message};

const CLIENT: &str = "spec.conversion.webhookClientConfig";
const REVIEWS: &str = "spec.conversion.conversionReviewVersions";
const FORM: &str = "; desired format: https://host[/path]";

pub(crate) fn check(semantics: &Semantics, conversion: &Conversion, found: &mut Vec<Violation>) {
    let webhook = conversion.webhook.as_ref();
    match webhook.and_then(|webhook| webhook.client_config.as_ref()).map(|client| (&client.url, &client.service)) {
        Some((Some(url), None)) => semantics.check_webhook_url(url, &format!("{CLIENT}.url"), found),
        Some((None, Some(service))) => semantics.check_webhook_service(service, &format!("{CLIENT}.service"), found),
        Some(_) => {
            found.push(violation(CLIENT, Reason::Required, "CRDVAL-045", "exactly one of url or service is required"));
        }
        None => {
            found.push(violation(CLIENT, Reason::Required, "CRDVAL-045", "required when strategy is set to Webhook"))
        }
    }
    review_versions(webhook.map_or(&[][..], |webhook| webhook.conversion_review_versions.as_slice()), found);
}

fn review_versions(versions: &[String], found: &mut Vec<Violation>) {
    if versions.is_empty() {
        found.push(violation(REVIEWS, Reason::Required, "CRDVAL-049", ""));
        return;
    }
    let mut seen = BTreeSet::new();
    for (index, version) in versions.iter().enumerate() {
        let faults = if seen.insert(version) { dns1035_label_faults(version) } else { vec!["duplicate version"] };
        for fault in faults {
            let detail = message::about_text(version, fault);
            found.push(violation(&format!("{REVIEWS}[{index}]"), Reason::Invalid, "CRDVAL-049", &detail));
        }
    }
    if !versions.iter().any(|version| matches!(version.as_str(), "v1" | "v1beta1")) {
        let given = versions.iter().map(String::as_str).collect();
        let detail = message::about(message::shown(&given), "must include at least one of v1, v1beta1");
        found.push(violation(REVIEWS, Reason::Invalid, "CRDVAL-049", &detail));
    }
}

pub(crate) fn url(url: &str, field: &str, found: &mut Vec<Violation>) {
    let Some(parts) = Url::parse(url) else {
        let url = url.split('#').next().unwrap_or_default();
        let fault = fault_of_url(url).unwrap_or_else(|| "invalid URL".to_owned());
        let detail = format!("url must be a valid URL: parse {}: {fault}{FORM}", go_text::quoted(url));
        found.push(violation(field, Reason::Required, "CRDVAL-046", &detail));
        return;
    };
    let scheme = parts.scheme.to_lowercase();
    let rules = [
        (scheme == "https", scheme.as_str(), "'https' is the only allowed URL scheme", FORM),
        (!parts.host.is_empty(), "", "host must be specified", FORM),
        (parts.user.is_none(), parts.user.unwrap_or_default(), "user information is not permitted in the URL", ""),
        (parts.fragment.is_empty(), parts.fragment, "fragments are not permitted in the URL", ""),
        (parts.query.is_empty(), parts.query, "query parameters are not permitted in the URL", ""),
    ];
    for (_, part, fault, form) in rules.into_iter().filter(|(holds, ..)| !holds) {
        let detail = message::about_text(part, format_args!("{fault}{form}"));
        found.push(violation(field, Reason::Invalid, "CRDVAL-046", &detail));
    }
}

pub(crate) fn service(service: &Service, field: &str, found: &mut Vec<Violation>) {
    for (name, value) in [("name", &service.name), ("namespace", &service.namespace)] {
        if value.is_empty() {
            found.push(violation(&format!("{field}.{name}"), Reason::Required, "CRDVAL-047", ""));
        }
    }
    if let Some(port) = service.port.filter(|port| !(1..=65_535).contains(port)) {
        let detail = message::about(port, "port is not valid: must be between 1 and 65535, inclusive");
        found.push(violation(&format!("{field}.port"), Reason::Invalid, "CRDVAL-047", &detail));
    }
    let path = service.path.as_deref().unwrap_or_default();
    for fault in path_faults(path) {
        let detail = message::about_text(path, fault);
        found.push(violation(&format!("{field}.path"), Reason::Invalid, "CRDVAL-047", &detail));
    }
}

fn path_faults(path: &str) -> Vec<String> {
    match path {
        "" | "/" => return Vec::new(),
        "//" => return vec!["segment[0] may not be empty".to_owned()],
        _ => {}
    }
    let mut faults = Vec::new();
    // Upstream removes the first character without checking it.
    let mut characters = path.chars();
    if characters.next() != Some('/') {
        faults.push("must start with a '/'".to_owned());
    }
    let segments = characters.as_str();
    for (index, segment) in segments.strip_suffix('/').unwrap_or(segments).split('/').enumerate() {
        if segment.is_empty() {
            faults.push(format!("segment[{index}] may not be empty"));
        } else {
            faults.extend(dns1123_subdomain_faults(segment).iter().map(|fault| format!("segment[{index}]: {fault}")));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::crdval_046("https://a.example.com/x", &[])]
    #[case::scheme_in_upper_case("HTTPS://a", &[])]
    #[case::port_alone("https://:443/", &[])]
    #[case::bare_marks("https://a/?#", &[])]
    #[case::empty("", &[Reason::Invalid; 2])]
    #[case::all("http://u@a/?q#f", &[Reason::Invalid; 4])]
    #[case::empty_user("https://@a", &[Reason::Invalid])]
    #[case::no_host("https:///a", &[Reason::Invalid])]
    #[case::blank("https://a b/", &[Reason::Required])]
    #[case::escape("https://a/%zz", &[Reason::Required])]
    #[case::bracket("https://[::1", &[Reason::Required])]
    #[case::colon_in_the_first_segment("1:2", &[Reason::Required])]
    fn crdval_046(#[case] text: &str, #[case] expected: &[Reason]) {
        let mut found = Vec::new();
        url(text, "f", &mut found);
        assert_eq!(found.iter().map(|violation| violation.reason).collect::<Vec<_>>(), expected);
    }

    #[rstest]
    #[case::empty("", 0)]
    #[case::slash("/", 0)]
    #[case::trailing("/a/b.c/", 0)]
    #[case::no_slash("convert", 1)]
    #[case::two_slashes("//", 1)]
    #[case::inner("/a//b", 1)]
    #[case::segments("/A/b_c", 2)]
    fn crdval_047(#[case] path: &str, #[case] faults: usize) {
        assert_eq!(path_faults(path).len(), faults);
    }
}
