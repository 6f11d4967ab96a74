//! CEL-043: all evaluations for one object share a budget, and none follows after it is spent.

use super::{
    costs::{CHEAP, SQUARE, integers, zeros},
    shared::{forbidden, forbidding, rule, with_rules},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-043"];

pub(super) const PROPERTY: Property = Property::new("cel-043-object-budget", plan)
    .title("all rules of one object share a budget, and none is evaluated after it is spent")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules])
    .edges(&[Edge { name: "full", plan: full }]);

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

/// A definition with these rules, an object of it, and what it says of full lists.
struct Budget {
    counts: Counts,
    has_last: bool,
    definition: usize,
    stored: StepId,
}

fn content(count: usize, n: i64) -> Value {
    json!({ "spec": { "l": zeros(count), "n": n } })
}

impl Budget {
    fn new(plan: &mut Plan, counts: Counts, has_last: bool) -> Self {
        let copies = |text: &str, count: usize| vec![rule(text); count];
        let last = has_last.then(|| forbidding("self.size() < 300", "last"));
        let list = with_rules(integers(CHEAP), copies(SQUARE, counts.at).into_iter().chain(last));
        let above = copies(&SQUARE.replace("self", "self.l"), counts.above);
        let schema = root_of(with_rules(object_of(json!({ "l": list, "n": { "type": "integer" } })), above));
        let definition = plan.define_schema(schema);
        let stored = plan.create(definition, content(1, 0));
        plan.check("small", ASSERTS, stored, Expectation::Content(content(1, 0)));
        Self { counts, has_last, definition, stored }
    }

    /// The causes of a list of this number of zeros.
    fn causes(&self, count: usize) -> Vec<Cause> {
        if count < CHEAP {
            return vec![];
        }
        if self.counts.above + self.counts.at > FEW {
            let field = if self.counts.above > FEW + FEW / 2 { "spec" } else { "spec.l" };
            return vec![Cause::new(field, Reason::Invalid.name())];
        }
        if self.has_last { vec![forbidden("spec.l")] } else { vec![] }
    }

    /// A write in one of three ways.
    fn write(&self, plan: &mut Plan, way: usize, count: usize, n: i64) {
        let content = content(count, n);
        let written = match way {
            0 => plan.try_create(self.definition, content.clone()),
            1 => plan.try_put_back(self.stored, vec![Edit::Set("/spec".to_owned(), content["spec"].clone())]),
            _ => plan.try_patch(self.stored, Method::MergePatch, content.clone()),
        };
        plan.check("object-budget", ASSERTS, written, content_or(content, self.causes(count)));
        plan.count_case();
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (counts, has_last) = choices.span("node", |choices| (*choices.pick(&COUNTS), choices.chance(1, 2)));
    let budget = Budget::new(plan, counts, has_last);
    choices.cases("write", |choices, _| {
        // To spend the budget takes a server seconds.
        let count = if choices.chance(1, 60) { CHEAP } else { 1 + choices.index(50) };
        let way = choices.weighted(&[2, 1, 1]);
        budget.write(plan, way, count, choices.between(0, 3));
    });
}

/// An update that spends the budget over two nodes, and a create that does not.
fn full(plan: &mut Plan) {
    let spent = Budget::new(plan, Counts { above: 12, at: 12 }, true);
    spent.write(plan, 1, CHEAP, 1);
    let enough = Budget::new(plan, Counts { above: 5, at: 5 }, true);
    enough.write(plan, 0, CHEAP, 1);
}
