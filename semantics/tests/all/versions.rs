//! Chapter 8.1: the order of versions.

use std::cmp::Ordering;

use crdible_semantics::Semantics;
use proptest::prelude::*;
use rstest::rstest;

#[rstest]
#[case::ver_001("v1", true)]
#[case::ver_001_leading_zero("v01", true)]
#[case::ver_001_zero("v0", true)]
#[case::ver_001_beta_zero("v1beta0", true)]
#[case::ver_001_largest("v9223372036854775807", true)]
#[case::ver_001_largest_minor("v1alpha9223372036854775807", true)]
#[case::ver_001_beyond_64_bits("v9223372036854775808", false)]
#[case::ver_001_far_beyond("v99999999999999999999", false)]
#[case::ver_001_minor_beyond_64_bits("v1beta9223372036854775808", false)]
#[case::ver_001_no_minor("v1beta", false)]
#[case::ver_001_other_class("v1rc1", false)]
#[case::ver_001_upper_case("V1", false)]
#[case::ver_001_dot("v1.0", false)]
#[case::ver_001_no_major("vbeta1", false)]
#[case::ver_001_trailing_text("v1beta1x", false)]
#[case::ver_001_sign("v+1", false)]
#[case::ver_001_other_digits("v１", false)]
#[case::ver_001_only_v("v", false)]
#[case::ver_001_empty("", false)]
fn kube_like_versions_are_parsed(#[case] text: &str, #[case] kube_like: bool) {
    assert_eq!(Semantics::UPSTREAM.parse_version(text).is_some(), kube_like);
}

#[rstest]
#[case::ver_002_ga_over_beta("v1", "v2beta9")]
#[case::ver_002_beta_over_alpha("v2beta9", "v10alpha1")]
#[case::ver_002_major_as_number("v10", "v9")]
#[case::ver_002_minor_as_number("v1beta10", "v1beta9")]
#[case::ver_002_major_before_minor("v2beta1", "v1beta9")]
#[case::ver_002_kube_like_first("v1alpha1", "a")]
#[case::ver_002_kube_like_before_overflow("v1", "v99999999999999999999")]
#[case::ver_002_others_ascending("foo1", "foo10")]
#[case::ver_002_bytes("a-b", "a1")]
#[case::ver_002_digits_before_letters("a1", "aa")]
fn higher_versions_come_first(#[case] higher: &str, #[case] lower: &str) {
    assert_eq!(Semantics::UPSTREAM.compare_versions(higher, lower), Ordering::Less);
    assert_eq!(Semantics::UPSTREAM.compare_versions(lower, higher), Ordering::Greater);
}

#[test]
fn ver_002_the_example_order() {
    let sorted = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
    let mut versions: Vec<String> = sorted.iter().rev().map(|text| (*text).to_owned()).collect();
    Semantics::UPSTREAM.sort_versions(&mut versions);
    assert_eq!(versions, sorted);
}

fn version() -> impl Strategy<Value = String> {
    prop_oneof![
        "v[0-9]{1,2}",
        "v[0-9]{1,2}(alpha|beta)[0-9]{1,2}",
        "v[0-9]{18,21}",
        "v?[0-9]?(alpha|beta|rc)?[0-9]?[a-c-]?",
    ]
}

proptest! {
    #[test]
    fn ver_003_total_preorder(a in version(), b in version(), c in version()) {
        let compare = |a: &str, b: &str| Semantics::UPSTREAM.compare_versions(a, b);
        prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
        prop_assert_eq!(compare(&a, &a), Ordering::Equal);
        if compare(&a, &b).is_le() && compare(&b, &c).is_le() {
            prop_assert!(compare(&a, &c).is_le());
        }
        if compare(&a, &b).is_eq() && a != b {
            // Only strings with equal numbers are equal (`v1`, `v01`).
            prop_assert_eq!(Semantics::UPSTREAM.parse_version(&a), Semantics::UPSTREAM.parse_version(&b));
            prop_assert!(Semantics::UPSTREAM.parse_version(&a).is_some());
        }
    }
}
