//! A comparison as `JUnit` XML.

use std::collections::BTreeSet;

use crdible_spec::Catalogue;
use quick_junit::{NonSuccessKind, Property, Report as Document, TestCase, TestCaseStatus, TestSuite};

use super::{difference, gaps, headline, sides, sums};
use crate::comparison::{Comparison, ComparisonVerdict, Counts, Difference};
use crate::render::junit::{skipped, unhappy, without_skipped};
use crate::render::{Style, visible};
use crate::text::plural;

/// The comparison as `JUnit` XML: one test for each property, and one that the comparison is complete.
///
/// A test fails or has an error only if the verdict is not [`ComparisonVerdict::NoDifferences`]: a property with only known differences is a
/// skipped test.
pub fn comparison_junit(comparison: &Comparison, catalogue: &Catalogue) -> String {
    let comparison = &visible::visible(comparison);
    let mut document = Document::new("crdible compare");
    let [first, second] = sides(comparison);
    let mut suite = TestSuite::new("comparison");
    let properties = [
        ("verdict", headline(comparison)),
        ("first target", first),
        ("second target", second),
        ("seed", comparison.seed.to_string()),
    ];
    suite.add_properties(properties.map(|(name, value)| Property::new(name, value)));
    let complete = match comparison.verdict {
        ComparisonVerdict::Incomplete => {
            unhappy(NonSuccessKind::Error, "incomplete", &headline(comparison), &gaps(comparison).join("\n"))
        }
        _ => TestCaseStatus::success(),
    };
    let mut test = TestCase::new("complete", complete);
    test.set_classname("crdible.comparison");
    test.set_system_out(format!("{}\n{}", headline(comparison), sums(comparison)));
    suite.add_test_case(test);
    document.add_test_suite(suite);

    let mut suite = TestSuite::new("properties");
    let found = comparison.differences.iter().map(|difference| &difference.failure.signature.property);
    let names: BTreeSet<&String> = comparison.properties.keys().chain(comparison.skipped.keys()).chain(found).collect();
    for property in names {
        let mut test = TestCase::new(property.as_str(), status(property, comparison, catalogue));
        test.set_classname("crdible.comparison");
        if let Some(Counts { cases, scenarios, differing, errors, discarded }) = comparison.properties.get(property) {
            test.set_system_out(format!(
                "{} in {}, {differing} with differences, {}, {discarded} discarded",
                plural(*cases, "case"),
                plural(*scenarios, "scenario"),
                plural(*errors, "error")
            ));
        }
        suite.add_test_case(test);
    }
    document.add_test_suite(suite);
    // Writing into memory does not fail.
    without_skipped(&document.to_string().unwrap_or_default())
}

fn status(property: &str, comparison: &Comparison, catalogue: &Catalogue) -> TestCaseStatus {
    let of_property = |difference: &&Difference| difference.failure.signature.property == property;
    let new: Vec<&Difference> = comparison.new_differences().filter(of_property).collect();
    if let Some(first) = new.iter().find(|difference| difference.is_reproduced()).or(new.first()) {
        let kind = if first.is_reproduced() { NonSuccessKind::Failure } else { NonSuccessKind::Error };
        let texts: Vec<String> =
            new.iter().map(|found| difference(found, comparison, catalogue, Style::default())).collect();
        let signature = first.failure.signature.to_string();
        return unhappy(kind, &signature, &first.failure.summary, &texts.join("\n\n"));
    }
    if let Some(capability) = comparison.skipped.get(property) {
        return skipped(&format!("a target lacks {capability}"));
    }
    let known = comparison.differences.iter().filter(of_property).find_map(|difference| difference.known.as_deref());
    match known {
        Some(reason) => skipped(&format!("known difference: {reason}")),
        None => TestCaseStatus::success(),
    }
}
