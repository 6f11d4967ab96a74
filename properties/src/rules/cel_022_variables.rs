//! CEL-022: rules know `self` and `oldSelf`, and nothing of the request.

use super::shared::{CHECKING, Texts, try_texts};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-022"];

pub(super) const PROPERTY: Property = Property::new("cel-022-variables", plan)
    .title("only self and oldSelf are defined in rules")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: |plan| VARIABLES.try_all(plan, &Place::spec(), &node()) }]);

const VARIABLES: Texts = Texts {
    name: "variables",
    asserts: ASSERTS,
    right: &[
        "self == 'a'",
        "oldSelf == 'a'",
        "self == 'request'",
        ".self == 'a'",
        "['a'].all(request, request == self)",
        "['a'].exists(object, object == 'a')",
        "[1].all(now, now == 1)",
    ],
    wrong: &[
        "request == null",
        "request.name == 'a'",
        "request.userInfo.username == 'a'",
        "object == self",
        "oldObject == self",
        "authorizer == null",
        "authorizer.path('/x').check('get').allowed()",
        "authorizer.group('').resource('pods').check('get').allowed()",
        "params == null",
        "variables.a == 1",
        "namespaceObject.metadata.name == 'a'",
        "now() > timestamp('2000-01-01T00:00:00Z')",
        "uid() == 'a'",
        "random() > 0.5",
        "this == self",
        "value == self",
        "root == self",
        "spec == self",
        "metadata.name == 'a'",
        "apiVersion == 'v1'",
        "Self == self",
        "oldself == self",
        "operation == 'CREATE'",
        "has(request.name)",
    ],
};

fn node() -> Value {
    json!({ "type": "string", "maxLength": 9 })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    try_texts(plan, choices, &[VARIABLES], &node());
}
