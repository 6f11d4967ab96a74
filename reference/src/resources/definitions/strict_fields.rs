//! Which fields of a definition a strict decoder checks: below some schema keywords it accepts any content.

/// The part of a path that leads into a schema.
const SCHEMA: &str = "].schema.openAPIV3Schema.";

/// Whether an unknown or duplicate field at this path is reported (CRDVAL-031).
pub(super) fn is_reported(path: &str) -> bool {
    path.split_once(SCHEMA).is_none_or(|(_, within)| is_reported_in_schema(within))
}

fn is_reported_in_schema(path: &str) -> bool {
    let mut keys = path.split('.');
    while let Some(keyword) = keys.next() {
        match keyword.split('[').next().unwrap_or_default() {
            "properties" | "patternProperties" | "definitions" => {
                keys.next();
            }
            "items" | "additionalProperties" | "additionalItems" | "dependencies" | "default" | "example" | "enum" => {
                // The keyword itself is known, but can be a duplicate.
                return keys.next().is_none();
            }
            "allOf" | "anyOf" | "oneOf" | "not" => {}
            _ => return true,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_reported;

    // As reported by kube-apiserver 1.36.3.
    #[rstest]
    #[case("zz", true)]
    #[case("spec.versions[0].qq", true)]
    #[case("spec.versions[0].schema.openAPIV3Schema.foo", true)]
    #[case("spec.versions[0].schema.openAPIV3Schema.properties.items.foo", true)]
    #[case("spec.versions[0].schema.openAPIV3Schema.properties.n.anyOf[0].ff", true)]
    #[case("spec.versions[0].schema.openAPIV3Schema.properties.n.not.cc", true)]
    #[case("spec.versions[0].schema.openAPIV3Schema.properties.l.items.hh", false)]
    #[case("spec.versions[0].schema.openAPIV3Schema.properties.m.additionalProperties.gg", false)]
    #[case("spec.versions[0].schema.openAPIV3Schema.properties.spec.default.b", false)]
    fn crdval_031_fields_below_some_keywords_are_not_reported(#[case] path: &str, #[case] expected: bool) {
        assert_eq!(is_reported(path), expected);
    }
}
