//! A comparison as `JUnit` XML.

use std::collections::BTreeSet;

use crdible_spec::Catalogue;

use super::{difference, gaps, headline, sides, sums};
use crate::comparison::{Comparison, ComparisonVerdict, Counts, Difference};
use crate::render::junit::{Document, Suite, Test, TestOutcome};
use crate::render::{Style, visible};
use crate::text::plural;

/// The comparison as `JUnit` XML: one test for each property, and one that the comparison is complete.
///
/// A test fails or has an error only if the verdict is not [`ComparisonVerdict::NoDifferences`]: a property
/// with only known differences is a skipped test.
pub fn comparison_junit(comparison: &Comparison, catalogue: &Catalogue) -> String {
    let comparison = &visible::visible(comparison);
    let [first, second] = sides(comparison);
    let properties = vec![
        ("verdict", headline(comparison)),
        ("first target", first),
        ("second target", second),
        ("seed", comparison.seed.to_string()),
    ];
    let complete = match comparison.verdict {
        ComparisonVerdict::Incomplete => {
            TestOutcome::unhappy(false, "incomplete", &headline(comparison), &gaps(comparison).join("\n"))
        }
        _ => TestOutcome::Passed,
    };
    let output = format!("{}\n{}", headline(comparison), sums(comparison));
    let whole =
        Suite { name: "comparison".to_owned(), properties, tests: vec![test("complete", complete, Some(output))] };

    let found = comparison.differences.iter().map(|difference| &difference.failure.signature.property);
    let names: BTreeSet<&String> = comparison.properties.keys().chain(comparison.skipped.keys()).chain(found).collect();
    let tests = names.into_iter().map(|property| {
        let counts = comparison.properties.get(property);
        let output = counts.map(|Counts { cases, scenarios, differing, errors, discarded }| {
            format!(
                "{} in {}, {differing} with differences, {}, {discarded} discarded",
                plural(*cases, "case"),
                plural(*scenarios, "scenario"),
                plural(*errors, "error")
            )
        });
        test(property, outcome(property, comparison, catalogue), output)
    });
    let of_properties = Suite { name: "properties".to_owned(), properties: Vec::new(), tests: tests.collect() };
    Document { name: "crdible compare", took: None, suites: vec![whole, of_properties] }.to_xml()
}

fn test(name: &str, outcome: TestOutcome, output: Option<String>) -> Test {
    Test { name: name.to_owned(), class: "crdible.comparison".to_owned(), outcome, output }
}

fn outcome(property: &str, comparison: &Comparison, catalogue: &Catalogue) -> TestOutcome {
    let of_property = |difference: &&Difference| difference.failure.signature.property == property;
    let new: Vec<&Difference> = comparison.new_differences().filter(of_property).collect();
    if let Some(first) = new.iter().find(|difference| difference.is_reproduced()).or(new.first()) {
        let texts: Vec<String> =
            new.iter().map(|found| difference(found, comparison, catalogue, Style::default())).collect();
        let signature = first.failure.signature.to_string();
        return TestOutcome::unhappy(first.is_reproduced(), &signature, &first.failure.summary, &texts.join("\n\n"));
    }
    if let Some(capability) = comparison.skipped.get(property) {
        return TestOutcome::skipped(&format!("a target does not support {capability}"));
    }
    let known = comparison.differences.iter().filter(of_property).find_map(|difference| difference.known.as_deref());
    match known {
        Some(reason) => TestOutcome::skipped(&format!("known difference: {reason}")),
        None => TestOutcome::Passed,
    }
}
