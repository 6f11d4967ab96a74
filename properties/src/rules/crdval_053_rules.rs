//! CRDVAL-053: a default must satisfy the rules of its node and below, as a new value and as an unchanged one.

use super::shared::with_rules;
use crate::prelude::*;
use crate::shared::{PIECES, accepted, alone, refused};

const ASSERTS: &[&str] = &["CRDVAL-053"];
const REASONS: &[&str] = &["CRDVAL-053", "CRDVAL-053/e2"];

pub(super) const PROPERTY: Property = Property::new("crdval-053-rules", plan)
    .title("a default is rejected if a rule of its node or below is false for it, but not for rules above it")
    .asserts(REASONS)
    .needs(&[Capability::DefinitionValidation, Capability::Rules])
    .edges(&[Edge { name: "each", plan: |plan| alone(plan, &pieces()) }]);

/// Where defaults are checked, but not elements, whose paths are a quirk.
const PLACES: Places = Places { containers: &[Container::Object, Container::Preserved], ..Places::ANY };

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let pieces = pieces();
    choices.many("piece", 1, PIECES, |choices, _| {
        let place = Place::draw(choices, &PLACES);
        choices.pick(&pieces).try_at(plan, &place);
    });
}

fn number(rule: Value, default: Value) -> Value {
    with_rules(json!({ "type": "integer", "default": default }), [rule])
}

fn pieces() -> Vec<Piece> {
    let plain = |rule: &str| json!({ "rule": rule });
    let optional = |rule: &str| json!({ "rule": rule, "optionalOldSelf": true });
    let because = |rule: &str, reason: &str| json!({ "rule": rule, "reason": reason });
    let object = |of_p: Value, rules: Vec<Value>, default: Value| {
        with_rules(json!({ "type": "object", "default": default, "properties": { "p": of_p } }), rules)
    };
    let below = || with_rules(json!({ "type": "integer" }), [plain("self > 1")]);
    let at = &[(".default", "Invalid")];
    let twice = &[(".default", "Invalid"), (".default", "Invalid")];
    vec![
        accepted("holds", ASSERTS, number(plain("self > 1"), json!(2))),
        refused("is-false", ASSERTS, number(plain("self > 1"), json!(1)), at),
        refused("cannot-be-evaluated", ASSERTS, number(plain("1 / self > 0"), json!(0)), at),
        refused(
            "forbids",
            REASONS,
            number(because("self > 1", "FieldValueForbidden"), json!(1)),
            &[(".default", "Forbidden")],
        ),
        refused(
            "requires",
            REASONS,
            number(because("self > 1", "FieldValueRequired"), json!(1)),
            &[(".default", "Required")],
        ),
        refused(
            "is-duplicate",
            REASONS,
            number(because("self > 1", "FieldValueDuplicate"), json!(1)),
            &[(".default", "Duplicate")],
        ),
        refused(
            "two-rules",
            ASSERTS,
            with_rules(
                json!({ "type": "integer", "default": 1 }),
                [plain("self > 1"), plain("self < 5"), plain("self > 2")],
            ),
            twice,
        ),
        // As an unchanged value.
        accepted("equals-itself", ASSERTS, number(plain("self == oldSelf"), json!(1))),
        refused("differs-from-itself", ASSERTS, number(plain("self != oldSelf"), json!(1)), at),
        refused("must-be-new", ASSERTS, number(optional("!oldSelf.hasValue()"), json!(1)), at),
        // As a new value.
        refused("must-be-old", ASSERTS, number(optional("oldSelf.hasValue()"), json!(1)), at),
        accepted("new-or-old", ASSERTS, number(optional("oldSelf.orValue(5) > 0"), json!(1))),
        accepted("holds-below", ASSERTS, object(below(), vec![], json!({ "p": 2 }))),
        refused("is-false-below", ASSERTS, object(below(), vec![], json!({ "p": 1 })), &[(".default.p", "Invalid")]),
        refused(
            "is-false-at-the-object",
            ASSERTS,
            object(json!({ "type": "integer" }), vec![plain("self.p > 1")], json!({ "p": 1 })),
            at,
        ),
        accepted("nothing-below", ASSERTS, object(below(), vec![], json!({}))),
        // A rule above it is not evaluated.
        accepted(
            "is-false-above",
            REASONS,
            with_rules(object_of(json!({ "p": { "type": "integer", "default": 1 } })), [plain("self.p > 1")]),
        ),
        // Rules are evaluated only if the value is valid.
        refused("is-invalid", REASONS, extended(number(plain("self > 1"), json!(1)), &json!({ "minimum": 2 })), at),
        refused(
            "has-a-path",
            REASONS,
            object(
                json!({ "type": "integer" }),
                vec![json!({ "rule": "self.p > 1", "fieldPath": ".p" })],
                json!({ "p": 1 }),
            ),
            &[(".default.p", "Invalid")],
        ),
    ]
}
