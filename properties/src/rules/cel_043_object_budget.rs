//! CEL-043: all evaluations for one object share a budget, and none follows after it is spent.

use super::shared::{forbidden, forbidding, rule, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-043"];

pub(super) const PROPERTY: Property = Property::new("cel-043-object-budget", plan)
    .title("all rules of one object share a budget, and none is evaluated after it is spent")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Rules])
    .edges(&[Edge { name: "full", plan: full }]);

/// Where rules are, from the one that is evaluated first.
#[derive(Clone, Copy, Debug)]
struct Counts {
    /// Rules of the object that are about its text.
    above: usize,
    /// Rules of the text.
    at: usize,
}

/// To look for a text in another costs a tenth of the length of the one times a tenth of that of the other, and takes a
/// server no time: 0.62 million for a full text. By its estimate, which allows for four bytes in each character, it is
/// four times as much: thirty rules may cost that.
const FULL: usize = 62_000;
/// The length of the text that is looked for.
const WANTED: usize = 1_000;

/// Ten rules cost 6.2 million, twenty-four cost 14.9 million.
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

/// A definition with these rules, an object of it, and whether it refuses full texts after them.
struct Budget {
    counts: Counts,
    has_last: bool,
    definition: usize,
    stored: StepId,
}

fn content(length: usize, n: i64) -> Value {
    json!({ "spec": { "t": "a".repeat(length), "n": n } })
}

impl Budget {
    fn new(plan: &mut Plan, counts: Counts, has_last: bool) -> Self {
        let copies = |value: &str, count: usize| {
            let text = format!("!{value}.contains('{}')", "b".repeat(WANTED));
            vec![rule(&text); count]
        };
        let last = has_last.then(|| forbidding(&format!("self.size() < {FULL}"), "last"));
        let text = json!({ "type": "string", "maxLength": FULL });
        let text = with_rules(text, copies("self", counts.at).into_iter().chain(last));
        let node = object_of(json!({ "t": text, "n": { "type": "integer" } }));
        let schema = root_of(with_rules(node, copies("self.t", counts.above)));
        let definition = plan.define_schema(schema);
        let stored = plan.create(definition, content(1, 0));
        plan.check("small", ASSERTS, stored, Expectation::Content(content(1, 0)));
        Self { counts, has_last, definition, stored }
    }

    /// The causes of a text of this length.
    fn causes(&self, length: usize) -> Vec<Cause> {
        if length < FULL {
            return vec![];
        }
        if self.counts.above + self.counts.at > FEW {
            let field = if self.counts.above > FEW + FEW / 2 { "spec" } else { "spec.t" };
            return vec![Cause::new(field, Reason::Invalid.name())];
        }
        if self.has_last { vec![forbidden("spec.t")] } else { vec![] }
    }

    /// A write in one of three ways.
    fn write(&self, plan: &mut Plan, way: usize, length: usize, n: i64) {
        let content = content(length, n);
        let written = match way {
            0 => plan.try_create(self.definition, content.clone()),
            1 => plan.try_put_back(self.stored, vec![Edit::Set("/spec".to_owned(), content["spec"].clone())]),
            _ => plan.try_patch(self.stored, Method::MergePatch, content.clone()),
        };
        plan.check("object-budget", ASSERTS, written, content_or(content, self.causes(length)));
        plan.count_case();
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (counts, has_last) = choices.span("node", |choices| (*choices.pick(&COUNTS), choices.chance(1, 2)));
    let budget = Budget::new(plan, counts, has_last);
    choices.cases("write", |choices, _| {
        let length = if choices.chance(1, 4) { FULL } else { 1 + choices.index(50) };
        let way = choices.weighted(&[2, 1, 1]);
        budget.write(plan, way, length, choices.between(0, 3));
    });
}

/// An update that spends the budget over two nodes, and a create that does not.
fn full(plan: &mut Plan) {
    let spent = Budget::new(plan, Counts { above: 12, at: 12 }, true);
    spent.write(plan, 1, FULL, 1);
    let enough = Budget::new(plan, Counts { above: 5, at: 5 }, true);
    enough.write(plan, 0, FULL, 1);
}
