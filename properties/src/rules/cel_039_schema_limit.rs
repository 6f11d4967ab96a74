//! CEL-039: the estimated costs of all rules of a version have a limit together.

use super::{
    costs::{SQUARE, integers},
    shared::{CHECKING, of_rule, rule, with_rules},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-039"];

pub(super) const PROPERTY: Property = Property::new("cel-039-schema-limit", plan)
    .title("rules that may cost more than a hundred million units together are refused, the worst named")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[
        Edge { name: "of-each-version", plan: of_each_version },
        Edge { name: "most-expensive", plan: |plan| try_group(plan, &Group { groups: 2, big: 4, rest: Rest::Middle }) },
        Edge { name: "all-small", plan: |plan| try_group(plan, &Group { groups: 3, big: 0, rest: Rest::Small }) },
        Edge { name: "both-limits", plan: |plan| both_limits(plan, 10_000, &Place::spec()) },
    ]);

/// Lengths of lists for which a rule costs 3.9 million, 1.5 million and 0.39 million units: the limit of one is ten
/// million, and what costs less than one million is not named (CEL-038, CEL-039).
const BIG: u64 = 750;
const MIDDLE: u64 = 470;
const SMALL: u64 = 235;

/// What there is beside the most expensive rules: enough for 250 million or more.
#[derive(Clone, Copy)]
enum Rest {
    Middle,
    Small,
}

/// Many rules at some lists, and a few more expensive ones.
struct Group {
    /// How many lists have the many.
    groups: usize,
    /// How many are more expensive.
    big: usize,
    rest: Rest,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    match choices.index(4) {
        0 => {
            let n = 8_000 + choices.draw(20_000);
            let place = Place::draw(choices, &Places { containers: &[Container::Object], ..Places::ANY });
            both_limits(plan, n, &place);
        }
        1 => {
            // Below the limit: at most 40 million together.
            let counts = choices.many("list", 1, 10, |choices, _| 1 + choices.index(20));
            let mut left = 100;
            let lists: Vec<(u64, usize)> = counts
                .into_iter()
                .map(|count| {
                    let count = count.min(left);
                    left -= count;
                    (SMALL, count)
                })
                .collect();
            let (schema, _) = schema(&lists);
            check(plan, "below", schema, vec![]);
        }
        // Of the many, four must be the most expensive, since those that cost the same are named in any order.
        2 => try_group(plan, &Group { groups: 1 + choices.index(4), big: 4, rest: Rest::Middle }),
        _ => try_group(plan, &Group { groups: 1 + choices.index(4), big: choices.index(5), rest: Rest::Small }),
    }
}

/// Tries a version whose rules cost more than all may together: the most expensive are named, if they cost at least a
/// hundredth of the limit.
fn try_group(plan: &mut Plan, group: &Group) {
    let (length, count) = match group.rest {
        Rest::Middle => (MIDDLE, 160),
        Rest::Small => (SMALL, 660),
    };
    let mut lists = vec![(BIG, group.big)];
    lists.extend(vec![(length, count / group.groups + 1); group.groups]);
    let (schema, mut causes) = schema(&lists);
    causes.push(Cause::new("openAPIV3Schema", Reason::Forbidden.name()));
    check(plan, "above", schema, causes);
}

/// A root with lists of these lengths, each with this many rules; and the causes of the rules of the longest kind. Of
/// those every second one is cheap, and its message is as expensive.
fn schema(lists: &[(u64, usize)]) -> (Value, Vec<Cause>) {
    let (mut properties, mut causes) = (Map::new(), Vec::new());
    for (at, (length, count)) in lists.iter().enumerate() {
        if *count == 0 {
            continue;
        }
        let name = format!("l{at}");
        let place = Place::spec().property(&name);
        let is_message = |index: usize| *length == BIG && index % 2 == 1;
        if *length == BIG {
            let member = |index| if is_message(index) { "messageExpression" } else { "rule" };
            let cause = |index| of_rule(index, member(index), Reason::Forbidden);
            causes.extend(place.schema_causes((0..*count).map(cause)));
        }
        let message = format!("{SQUARE} ? 'a' : 'b'");
        let entry = |index| {
            if is_message(index) { json!({ "rule": "true", "messageExpression": message }) } else { rule(SQUARE) }
        };
        properties.insert(name, with_rules(integers(*length), (0..*count).map(entry)));
    }
    (spec_of(Value::Object(properties)), causes)
}

/// One rule above both limits: it is reported twice.
fn both_limits(plan: &mut Plan, n: u64, place: &Place) {
    let schema = place.schema(with_rules(integers(n), [rule(SQUARE)]));
    let twice = [of_rule(0, "rule", Reason::Forbidden), of_rule(0, "rule", Reason::Forbidden)];
    let mut causes = place.schema_causes(twice);
    causes.push(Cause::new("openAPIV3Schema", Reason::Forbidden.name()));
    check(plan, "both-limits", schema, causes);
}

/// Seven versions, each below the limit: together they would be above it.
fn of_each_version(plan: &mut Plan) {
    let (schema, _) = schema(&[(BIG, 5), (BIG, 5)]);
    let versions = (1..=7).map(|number| Version::named(format!("v{number}"), schema.clone()).stored_if(number == 1));
    let definition = plan.uninstalled();
    let defined = plan.try_define_versions(definition, versions.collect());
    plan.check("of-each-version", ASSERTS, defined, Expectation::Accepted);
    plan.count_case();
}

fn check(plan: &mut Plan, name: &str, schema: Value, causes: Vec<Cause>) {
    let defined = plan.try_define(schema);
    let expectation = if causes.is_empty() { Expectation::Accepted } else { Expectation::Causes(causes) };
    plan.check(name, ASSERTS, defined, expectation);
    plan.count_case();
}
