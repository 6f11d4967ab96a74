//! VALUE-013: of maxLength, minLength and pattern, only the first failure is reported; failures of other keywords are
//! reported as well.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-013"];

pub(super) const PROPERTY: Property = Property::new("value-013-first-failure", plan)
    .title("of maxLength, minLength and pattern, only the first failure is reported")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// Keywords of a node; its bounds may contradict each other.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate keyword")]
struct Node {
    most: Option<usize>,
    least: Option<usize>,
    has_pattern: bool,
    has_enumeration: bool,
    has_format: bool,
    has_not: bool,
}

impl Node {
    fn draw(choices: &mut Choices) -> Self {
        let bound = |choices: &mut Choices| choices.chance(2, 3).then(|| choices.up_to(4));
        Self {
            most: bound(choices),
            least: bound(choices),
            has_pattern: choices.chance(2, 3),
            has_enumeration: choices.chance(1, 4),
            has_format: choices.chance(1, 4),
            has_not: choices.chance(1, 4),
        }
    }

    fn schema(&self) -> Value {
        let mut schema = Map::from_iter([("type".to_owned(), json!("string"))]);
        let mut add = |is_there: bool, name: &str, value: Value| {
            if is_there {
                schema.insert(name.to_owned(), value);
            }
        };
        add(self.most.is_some(), "maxLength", json!(self.most));
        add(self.least.is_some(), "minLength", json!(self.least));
        add(self.has_pattern, "pattern", json!("^a*$"));
        add(self.has_enumeration, "enum", json!(["listed"]));
        add(self.has_format, "format", json!("date"));
        add(self.has_not, "not", json!({}));
        Value::Object(schema)
    }

    fn causes(&self, text: &str) -> Vec<RowCause> {
        let length = text.chars().count();
        let mut causes = Vec::new();
        if self.most.is_some_and(|most| length > most) {
            causes.push(Cause::of("", Reason::TooLong));
        } else if self.least.is_some_and(|least| length < least)
            || self.has_pattern && text.chars().any(|letter| letter != 'a')
        {
            causes.push(Cause::of("", Reason::Invalid));
        }
        causes.extend(self.has_enumeration.then_some(Cause::of("", Reason::NotSupported)));
        causes.extend(self.has_format.then_some(Cause::of("", Reason::TypeInvalid)));
        causes.extend(self.has_not.then_some(NIL));
        causes
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let node = choices.span("node", Node::draw);
    plan.at_any_place(choices, &node.schema(), |choices| {
        let text: String = choices
            .many_average("letter", 0, 6, 2, |choices, _| *choices.pick(&['a', 'b', '漢']))
            .into_iter()
            .collect();
        let causes = node.causes(&text);
        Example::judged("first-failure", ASSERTS, json!(text), causes)
    })
}
