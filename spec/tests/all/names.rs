//! How IDs and references are written and parsed.

use crdible_spec::{IdError, Prefix, Reference, RequirementId};
use proptest::prelude::*;
use rstest::rstest;

#[rstest]
#[case::no_dash("PRUNE004", "is not a requirement ID")]
#[case::empty("", "is not a requirement ID")]
#[case::unknown_prefix("FOO-004", "expected one of CRDVAL, STRUCT")]
#[case::typo("PRUN-004", "did you mean PRUNE?")]
#[case::lower_case("prune-004", "is not a prefix")]
#[case::two_digits("PRUNE-04", "three digits")]
#[case::four_digits("PRUNE-0004", "three digits")]
#[case::zero("PRUNE-000", "three digits")]
#[case::sign("PRUNE-+04", "three digits")]
#[case::other_digits("PRUNE-٠٠٤", "three digits")]
#[case::edge_without_number("PRUNE-004/e", "after the slash")]
#[case::edge_zero("PRUNE-004/e0", "after the slash")]
#[case::edge_leading_zero("PRUNE-004/e01", "after the slash")]
#[case::edge_sign("PRUNE-004/e+1", "after the slash")]
#[case::edge_too_great("PRUNE-004/e65536", "after the slash")]
#[case::edge_letter("PRUNE-004/2", "after the slash")]
#[case::two_edges("PRUNE-004/e1/e2", "after the slash")]
#[case::blank("PRUNE-004 ", "three digits")]
fn invalid_references_are_rejected(#[case] text: &str, #[case] message: &str) {
    let error: IdError = text.parse::<Reference>().unwrap_err();
    assert!(error.to_string().contains(message), "{error}");
    assert!(serde_json::from_value::<Reference>(text.into()).is_err());
}

#[test]
fn references_are_ordered_by_chapter() {
    let mut references: Vec<Reference> =
        ["DISC-002", "ADM-001", "DISC-001/e2", "CRDVAL-010", "DISC-001", "OAPI-001", "DISC-001/e10"]
            .map(|text| text.parse().unwrap())
            .to_vec();
    references.sort();
    let sorted: Vec<String> = references.iter().map(ToString::to_string).collect();
    assert_eq!(sorted, ["CRDVAL-010", "DISC-001", "DISC-001/e2", "DISC-001/e10", "DISC-002", "OAPI-001", "ADM-001"]);
}

#[test]
fn display_respects_the_width() {
    let id: RequirementId = "VER-001".parse().unwrap();
    assert_eq!(format!("{id:<10}|"), "VER-001   |");
}

fn references() -> impl Strategy<Value = Reference> {
    let prefixes: Vec<Prefix> = Prefix::all().collect();
    (prop::sample::select(prefixes), 1_u16..=999, prop::option::of(1_u16..))
        .prop_map(|(prefix, number, edge)| Reference { requirement: RequirementId::new(prefix, number).unwrap(), edge })
}

proptest! {
    #[test]
    fn references_round_trip(reference in references()) {
        let text = reference.to_string();
        prop_assert_eq!(text.parse::<Reference>(), Ok(reference));
        let json = serde_json::to_string(&reference).unwrap();
        prop_assert_eq!(&json, &format!("\"{text}\""));
        prop_assert_eq!(serde_json::from_str::<Reference>(&json).unwrap(), reference);
    }

    /// Each reference has one written form.
    #[test]
    fn written_form_is_unique(text in "(PRUNE|VER|CEL|INV|[A-Z]{0,4})-?[0-9]{0,4}(/?e?[0-9]{0,6})") {
        if let Ok(reference) = text.parse::<Reference>() {
            prop_assert_eq!(reference.to_string(), text);
        }
    }

    #[test]
    fn any_text_is_looked_up_without_panic(text in any::<String>()) {
        let _ = text.parse::<Reference>();
        let catalogue = crdible_spec::Catalogue::embedded();
        let _ = catalogue.nearest(&text);
        let _ = catalogue.matching(&text).count();
    }
}
