//! The signature of a failure: what stays the same while everything generated changes.

use super::Mismatch;

/// Check, place and reason, without generated names, values and depths: two failures with one signature are one finding.
pub(super) fn of(check: &str, mismatch: &Mismatch) -> String {
    of_parts(check, &mismatch.place, &mismatch.reason)
}

/// The signature of what is wrong in this way at this place.
pub(crate) fn of_parts(check: &str, place: &str, reason: &str) -> String {
    format!("{check}:{}:{reason}", self::place(place))
}

/// A place is either a pointer into an object or a path into a schema. Keys of a user's object are generated, so of a pointer
/// only the kind of place remains; of a schema path its keyword, which is no generated name.
fn place(place: &str) -> String {
    if let Some(pointer) = place.strip_prefix('/') {
        let mut segments = pointer.split('/');
        return match segments.next() {
            Some(meta @ ("metadata" | "apiVersion" | "kind")) => meta.to_owned(),
            _ => "content".to_owned(),
        };
    }
    if place.starts_with("openAPIV3Schema") {
        let keyword = place.rsplit('.').next().unwrap_or(place);
        return keyword.split('[').next().unwrap_or(keyword).to_owned();
    }
    match place {
        "" | "<nil>" => place.to_owned(),
        path if path.starts_with("metadata") => "metadata".to_owned(),
        _ => "content".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::place;

    #[rstest]
    #[case::deep_and_shallow_are_one("/spec/a/0/b", "content")]
    #[case::metadata("/metadata/labels/x", "metadata")]
    #[case::schema_keyword("openAPIV3Schema.properties[a].items.type", "type")]
    #[case::schema_property("openAPIV3Schema.properties[metadata]", "properties")]
    #[case::object_field("spec.a[0]", "content")]
    #[case::nil("<nil>", "<nil>")]
    fn places_hold_no_generated_names(#[case] from: &str, #[case] to: &str) {
        assert_eq!(place(from), to);
    }
}
