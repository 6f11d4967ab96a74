//! Which fields of a definition a strict decoder looks at: below some keywords of a schema it takes what stands there as it is.

/// What leads to a schema.
const SCHEMA: &str = "].schema.openAPIV3Schema.";

/// Whether what is at a path is told when it is unknown, or there twice (CRDVAL-031).
pub(super) fn is_told(path: &str) -> bool {
    path.split_once(SCHEMA).is_none_or(|(_, within)| is_told_of_schema(within))
}

fn is_told_of_schema(path: &str) -> bool {
    let mut keys = path.split('.');
    while let Some(keyword) = keys.next() {
        match keyword.split('[').next().unwrap_or_default() {
            "properties" | "patternProperties" | "definitions" => {
                keys.next();
            }
            "items" | "additionalProperties" | "additionalItems" | "dependencies" | "default" | "example" | "enum" => {
                // The keyword itself is known; it can be there twice.
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

    use super::is_told;

    // What kube-apiserver 1.36.3 tells.
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
    fn crdval_031_below_some_keywords_nothing_is_told(#[case] path: &str, #[case] expected: bool) {
        assert_eq!(is_told(path), expected);
    }
}
