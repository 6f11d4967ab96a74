//! CEL-043: all evaluations for one object share a budget, and none follows after it is spent.

use super::{
    costs::{CHEAP, SQUARE, numbers, zeros},
    shared::{forbidden, forbidding, rule, with_rules},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-043"];

pub(super) const PROPERTY: Property = Property::new("cel-043-object-budget", plan)
    .title("all rules of one object share a budget, and none is evaluated after it is spent")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules]);

/// Where rules are, from the one that is evaluated first: the object, its list, and its elements, if there is one.
#[derive(Clone, Copy, Debug)]
struct Counts {
    /// Rules of the object that are about the list.
    above: usize,
    /// Rules of the list.
    at: usize,
}

/// Ten rules cost 6.3 million, thirty cost 18.9 million.
const COUNTS: [Counts; 5] = [
    Counts { above: 0, at: 10 },
    Counts { above: 5, at: 5 },
    Counts { above: 0, at: 30 },
    // Each node on its own would not spend the budget.
    Counts { above: 12, at: 12 },
    Counts { above: 30, at: 0 },
];

/// How many of these rules cannot spend the budget, and how many do.
const FEW: usize = 10;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (counts, has_last) = choices.span("node", |choices| (*choices.pick(&COUNTS), choices.chance(1, 2)));
    let copies = |text: &str, count: usize| vec![rule(text); count];
    let last = has_last.then(|| forbidding("self.size() < 300", "last"));
    let list = numbers(CHEAP, copies(SQUARE, counts.at).into_iter().chain(last));
    let above = copies(&SQUARE.replace("self", "self.l"), counts.above);
    let schema = root_of(with_rules(object_of(json!({ "l": list, "n": { "type": "integer" } })), above));
    let definition = plan.define_schema(schema);
    let causes = |is_full: bool| {
        if !is_full {
            return vec![];
        }
        if counts.above + counts.at > FEW {
            let field = if counts.above > FEW + FEW / 2 { "spec" } else { "spec.l" };
            return vec![Cause::new(field, Reason::Invalid.name())];
        }
        if has_last { vec![forbidden("spec.l", "last")] } else { vec![] }
    };
    let content = |count: usize, n: i64| json!({ "spec": { "l": zeros(count), "n": n } });
    let stored = plan.create(definition, content(1, 0));
    plan.check("small", ASSERTS, stored, Expectation::Content(content(1, 0)));
    plan.cases(choices, "write", |plan, choices| {
        let is_full = choices.chance(3, 4);
        let content = content(if is_full { CHEAP } else { 1 }, choices.between(0, 3));
        let written = match choices.weighted(&[2, 1, 1]) {
            0 => plan.try_create(definition, content.clone()),
            1 => plan.try_put_back(stored, vec![Edit::Set("/spec".to_owned(), content["spec"].clone())]),
            _ => plan.try_patch(stored, Method::MergePatch, content.clone()),
        };
        plan.check("object-budget", ASSERTS, written, content_or(content, causes(is_full)));
    });
}
