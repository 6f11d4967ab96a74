//! What holds for every property: tests that a new one passes without writing any.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crdible_scenario::{
    Action, Body, Capability, Case, Check, Expectation, Method, NamedCheck, Property, Resource, Scenario, is_promised,
};
use crdible_semantics::Release;
use crdible_spec::{Catalogue, Reference, coverage};
use rstest::rstest;

use super::{all, exclusions, explore, reviews};

/// Scenarios planned per property: enough to reach each of its checks.
const CASES: u64 = 300;

/// Characters of a title, at most: it fits on one line of a list.
const TITLE: usize = 100;

fn planned(property: &'static Property) -> Vec<Scenario> {
    planned_at(Release::BASELINE, property)
}

fn planned_at(release: Release, property: &'static Property) -> Vec<Scenario> {
    let cases = (0..CASES).filter_map(|index| Case::plan_at(release, property, 7, index).ok());
    cases.filter_map(|case| case.scenario.into_server()).collect()
}

/// The releases that promise something else of a property than the one that the specification describes.
fn releases_that_differ(property: &Property) -> impl Iterator<Item = Release> {
    let promised = |release| property.asserts.iter().map(|reference| is_promised(reference, release)).collect();
    let of_baseline: Vec<bool> = promised(Release::BASELINE);
    Release::all().filter(move |&release| promised(release) != of_baseline)
}

/// Does something with each property, on all cores.
fn with_each(check: impl Fn(&'static Property) + Sync) {
    let rest = Mutex::new(all().collect::<Vec<_>>());
    let next = || rest.lock().expect("no other has failed").pop();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(property) = next() {
                    check(property);
                }
            });
        }
    });
}

/// All that is asked of planned scenarios, in one test: to plan them takes longer than to look at them.
#[test]
fn scenarios_are_as_their_property_says() {
    let narrower = AtomicUsize::new(0);
    with_each(|property| {
        let scenarios = planned(property);
        assert_few_are_discarded(property, &scenarios);
        assert_consistent(property, scenarios.iter().step_by(7));
        assert_webhooks_are_stated(property, &scenarios);
        scenarios.iter().for_each(|scenario| assert_earlier_are_asserted(property, scenario));
        let blamed = scenarios.iter().map(|scenario| parts_blamed(property, scenario)).sum();
        narrower.fetch_add(blamed, Ordering::Relaxed);
        assert_declared(property, scenarios);
    });
    assert!(narrower.into_inner() > 0, "no check blames a part of what it asserts");
}

/// Together, the checks assert exactly what the property declares.
fn assert_declared(property: &'static Property, of_baseline: Vec<Scenario>) {
    let of_others = releases_that_differ(property).flat_map(|release| planned_at(release, property));
    let scenarios: Vec<Scenario> = of_baseline.into_iter().chain(of_others).collect();
    let checks = scenarios.iter().flat_map(|scenario| &scenario.checks);
    let asserted: BTreeSet<&str> = checks.flat_map(|check| &check.asserts).map(String::as_str).collect();
    let declared: BTreeSet<&str> = property.asserts.iter().copied().collect();
    assert_eq!(asserted, declared, "{}", property.id);
    assert_eq!(declared.len(), property.asserts.len(), "{} declares a reference twice", property.id);
}

/// What is blamed for some reason is asserted, and is less than all. How many reasons there are.
fn parts_blamed(property: &Property, scenario: &Scenario) -> usize {
    let mut count = 0;
    for check in &scenario.checks {
        for (reason, items) in &check.blames {
            let is_part = !items.is_empty() && items.iter().all(|item| check.asserts.contains(item));
            assert!(is_part && items.len() < check.asserts.len(), "{}: {}: {reason}", property.id, check.name);
            count += 1;
        }
    }
    count
}

/// Few cases are discarded, and none is without checks.
fn assert_few_are_discarded(property: &Property, scenarios: &[Scenario]) {
    let count = scenarios.len();
    assert!(count as u64 * 20 > CASES * 19, "{}: only {count} of {CASES} are planned", property.id);
    for scenario in scenarios {
        assert!(!scenario.checks.is_empty(), "{} plans a scenario without checks", property.id);
    }
}

/// What a check needs is found in its scenario, but by which clock tests wait is chosen by what the property states.
fn assert_webhooks_are_stated(property: &Property, scenarios: &[Scenario]) {
    let has_webhook = |scenario: &Scenario| (0..scenario.definitions.len()).any(|number| scenario.has_webhook(number));
    let is_stated = property.needs.contains(&Capability::Webhooks);
    assert!(is_stated || !scenarios.iter().any(has_webhook), "{} does not say that it needs webhooks", property.id);
}

/// They are consistent, and survive serialization.
fn assert_consistent<'a>(property: &Property, scenarios: impl Iterator<Item = &'a Scenario>) {
    for scenario in scenarios {
        scenario.check_references().unwrap_or_else(|problem| panic!("{}: {problem}", property.id));
        let text = serde_json::to_string(scenario).expect("scenarios are data");
        let read: Scenario = serde_json::from_str(&text).expect("scenarios are data");
        assert_eq!(&read, scenario, "{}", property.id);
    }
}

/// Checks that compare an update with a create of the same content: both are one experiment.
const LAWS: [(&str, &str); 1] = [("inv-083-only-forgives", "like-a-create")];

/// What an answer is compared with is known to be right: a read, or the answer to a write of which the same is asserted.
/// Else a later right answer is blamed for an earlier wrong one. That an object has a name, a uid, a time, a revision and
/// a generation is asserted of each kind of write by the properties of chapter 11, and the judge does not blame the later
/// answer if they are missing. Of a Scale this must be asserted here.
fn assert_earlier_are_asserted(property: &Property, scenario: &Scenario) {
    let request = |step: usize| match &scenario.steps[step].action {
        Action::Send(request) => Some(request),
        Action::Install { .. } | Action::Convert { .. } => None,
    };
    for check in &scenario.checks {
        let Some((other, pointer)) = compared(check) else { continue };
        let (Some(own), Some(earlier)) = (request(check.step), request(other)) else { continue };
        // Two new objects, of which neither comes first, and what is sent back exactly as it was answered.
        let is_law = [own, earlier].iter().all(|request| request.method == Method::Post)
            || matches!(own.body, Body::Answer { step, .. } if step == other)
            || LAWS.contains(&(property.id, check.name.as_str()));
        // This is what is asserted of the earlier answer.
        let is_of_earlier = check.name.ends_with("as-answered");
        assert!(
            is_law || is_of_earlier || is_right(scenario, other, &pointer),
            "{}: {} compares `{pointer}` with the answer to {:?}, of which that is not asserted",
            property.id,
            check.name,
            earlier.method
        );
    }
}

/// The step with whose answer a check compares one, and where; none if both are one experiment.
fn compared(check: &Check) -> Option<(usize, String)> {
    let metadata = |field: &str| format!("/metadata/{field}");
    let (other, pointer) = match &check.expect {
        Expectation::SameContent { r#as } => (*r#as, String::new()),
        Expectation::SameAt { r#as, other, .. } => (*r#as, other.clone()),
        Expectation::SameRevision { r#as } => (*r#as, metadata("resourceVersion")),
        Expectation::SameGeneration { r#as } => (*r#as, metadata("generation")),
        Expectation::Named { check: NamedCheck::SameIfAccepted { pointer }, of: Some(of) } => (*of, pointer.clone()),
        Expectation::Named { check: NamedCheck::Listed, of: Some(of) } => (*of, String::new()),
        _ => return None,
    };
    Some((other, pointer))
}

/// Whether the answer to a step is a read, or is asserted to be right at this place.
fn is_right(scenario: &Scenario, step: usize, pointer: &str) -> bool {
    let Action::Send(request) = &scenario.steps[step].action else { return true };
    let always = ["name", "uid", "creationTimestamp", "resourceVersion", "generation"];
    let is_always_there = || always.iter().any(|field| pointer == format!("/metadata/{field}"));
    let is_of_scale = matches!(&request.resource, Resource::Subresource { subresource, .. } if subresource == "scale");
    if request.method == Method::Get || is_always_there() && !is_of_scale {
        return true;
    }
    let covers = |expect: &Expectation| match expect {
        Expectation::Content(_)
        | Expectation::SameContent { .. }
        | Expectation::Named { check: NamedCheck::OneOf { .. }, .. } => !pointer.starts_with("/metadata"),
        Expectation::At { pointer: at, .. } | Expectation::SameAt { pointer: at, .. } => {
            pointer.starts_with(at.as_str()) || at.starts_with(pointer)
        }
        Expectation::Named { check: NamedCheck::Has { pointer: at }, .. } => pointer == at,
        _ => false,
    };
    let assumed = scenario.steps[step].assume.iter();
    assumed.chain(scenario.checks.iter().filter(|check| check.step == step).map(|check| &check.expect)).any(covers)
}

#[test]
fn the_same_seed_plans_the_same_scenario() {
    with_each(|property| {
        for index in 0..20 {
            let plan = || Case::plan(property, 3, index).map(|case| case.scenario);
            assert_eq!(plan(), plan(), "{} {index}", property.id);
        }
    });
}

#[test]
fn ids_are_unique_and_begin_with_a_requirement() {
    let mut seen = BTreeSet::new();
    for property in all() {
        assert!(seen.insert(property.id), "{} is used twice", property.id);
        let requirement: Vec<&str> = property.id.splitn(3, '-').take(2).collect();
        let requirement = requirement.join("-").to_uppercase();
        assert!(Catalogue::embedded().get(requirement.parse().expect("a requirement")).is_some(), "{}", property.id);
    }
}

#[test]
fn titles_are_short_and_differ() {
    let explorations = explore::all().map(|exploration| exploration.title);
    let of_converters = reviews::all().map(|property| property.title);
    let mut seen = BTreeSet::new();
    for title in all().map(|property| property.title).chain(explorations).chain(of_converters) {
        let length = title.chars().count();
        assert!(length <= TITLE, "{length} characters instead of at most {TITLE}: {title}");
        assert!(!title.ends_with('.'), "a full stop: {title}");
        assert!(!title.is_empty(), "a property says nothing of itself");
        assert!(seen.insert(title), "two properties have this title: {title}");
    }
}

#[test]
fn references_exist() {
    for property in all() {
        for text in property.asserts {
            let reference: Reference = text.parse().unwrap_or_else(|error| panic!("{}: {error}", property.id));
            assert!(Catalogue::embedded().resolve(&reference).is_some(), "{}: {text}", property.id);
        }
    }
}

#[test]
fn exclusions_exclude_something_and_contradict_nothing() {
    let asserted = all().flat_map(|property| property.asserts).map(|text| text.parse().expect("a reference"));
    let excluded =
        exclusions::all().map(|(scope, reason)| coverage::Exclusion::new(scope.parse().expect("a scope"), reason));
    let coverage = coverage::coverage(Catalogue::embedded(), asserted, excluded);
    assert!(coverage.unknown.is_empty(), "{:?}", coverage.unknown);
    let must: Vec<_> = coverage.idle.iter().map(|exclusion| exclusion.scope.to_string()).collect();
    let about_quirks = |scope: &String| scope.contains('/') || is_below_must(scope);
    assert!(must.iter().all(about_quirks), "these exclusions exclude nothing: {must:?}");
}

/// Requirements below MUST may be excluded too: the list explains why nothing asserts them.
fn is_below_must(scope: &str) -> bool {
    let requirement = scope.parse().ok().and_then(|id| Catalogue::embedded().get(id));
    requirement.is_some_and(|requirement| requirement.level != crdible_spec::Level::Must)
}

#[rstest]
#[case::definitions(1)]
#[case::structural(2)]
#[case::pruning(3)]
#[case::defaulting(4)]
#[case::values(5)]
#[case::ratcheting(6)]
#[case::rules(7)]
#[case::versions(8)]
#[case::conversion(9)]
#[case::subresources(10)]
#[case::lifecycle(15)]
#[case::requests(11)]
#[case::discovery_and_openapi(12)]
#[case::tables(13)]
#[case::field_selectors(14)]
fn a_chapter_is_asserted_or_excluded_with_a_reason(#[case] chapter: u8) {
    let asserted = all().flat_map(|property| property.asserts).map(|text| text.parse().expect("a reference"));
    let excluded =
        exclusions::all().map(|(scope, reason)| coverage::Exclusion::new(scope.parse().expect("a scope"), reason));
    let coverage = coverage::coverage(Catalogue::embedded(), asserted, excluded);
    let chapter = coverage.chapters.iter().find(|row| row.number == chapter).expect("the chapter");
    let missing: Vec<String> = chapter.unaccounted.iter().map(ToString::to_string).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
