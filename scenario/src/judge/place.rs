//! The kind of place at which something failed: what stays the same while everything generated changes.

/// A place is a pointer into an object or a path into a schema. The keys of an object are generated, so a pointer is
/// reduced to the kind of place; a schema path is reduced to its keyword, which is not generated.
pub fn kind_of_place(place: &str) -> String {
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

    use super::kind_of_place;

    #[rstest]
    #[case::depth_does_not_matter("/spec/a/0/b", "content")]
    #[case::metadata("/metadata/labels/x", "metadata")]
    #[case::schema_keyword("openAPIV3Schema.properties[a].items.type", "type")]
    #[case::schema_property("openAPIV3Schema.properties[metadata]", "properties")]
    #[case::object_field("spec.a[0]", "content")]
    #[case::nil("<nil>", "<nil>")]
    fn places_have_no_generated_names(#[case] from: &str, #[case] to: &str) {
        assert_eq!(kind_of_place(from), to);
    }
}
