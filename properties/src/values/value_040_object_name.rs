//! VALUE-040: names of objects, and namespaces in bodies.

use std::collections::BTreeSet;

use super::shared::JUDGING;
use crate::prelude::*;

const NAMES: &[&str] = &["VALUE-040"];
const RESTRICTED: &[&str] = &["VALUE-040", "VALUE-040/e1"];

pub(super) const PROPERTY: Property = Property::new("value-040-object-name", plan)
    .title("the name of an object must be a DNS subdomain that satisfies the schema")
    .asserts(RESTRICTED)
    .needs(JUDGING)
    .edges(&[Edge { name: "names", plan: names }, Edge { name: "namespaces", plan: namespaces }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let most = choices.chance(1, 2).then(|| choices.between(1, 12));
    let mut schema = spec_of(json!({}));
    if let Some(most) = most {
        schema["properties"]["metadata"] =
            json!({ "type": "object", "properties": { "name": { "type": "string", "maxLength": most } } });
    }
    let definition = plan.define_schema(schema);
    let mut used = BTreeSet::new();
    plan.cases(choices, "name", |plan, choices| {
        let labels = choices.many_average("label", 1, 3, 1, |choices, _| {
            choices.many_average("letter", 1, 80, 3, |choices, at| {
                *choices.pick(if at == 0 { &["a", "0"] } else { &["a", "9"] })
            })
        });
        let labels: Vec<String> = labels.into_iter().map(|letters| letters.concat()).collect();
        let (mut name, mut is_legal) = (labels.join("."), true);
        // A server that ignores dry runs stores the object.
        while !used.insert(name.clone()) {
            name.push('9');
        }
        if choices.chance(1, 2) {
            let (before, behind) = *choices.pick(&[
                ("-", ""),
                ("", "-"),
                (".", ""),
                ("", "."),
                ("A", ""),
                ("", "_b"),
                ("", " "),
                ("é", ""),
                ("", "..b"),
                ("", ".-b"),
            ]);
            name = format!("{before}{name}{behind}");
            is_legal = false;
        }
        let is_long = most.is_some_and(|most| name.chars().count() > usize::try_from(most).unwrap_or(0));
        let mut causes = Vec::new();
        causes.extend((!is_legal).then(|| Cause::new("metadata.name", "Invalid")));
        causes.extend(is_long.then(|| Cause::new("metadata.name", "TooLong")));
        let created = plan.try_create(definition, json!({ "metadata": { "name": name }, "spec": {} }));
        let expectation = match causes.len() {
            0 => at("/metadata/name", name),
            // There may be more than one cause for a name.
            _ => Expectation::CausesInclude(causes),
        };
        plan.check("name", if most.is_some() { RESTRICTED } else { NAMES }, created, expectation);
    });
}

fn names(plan: &mut Plan) {
    let definition = plan.define_schema(spec_of(json!({})));
    let long = |count: usize| "a".repeat(count);
    for name in [long(253), format!("{}.{}", long(100), long(100)), "0".into(), "a-b.c".into(), "1.2.3.4".into()] {
        let created = plan.try_create(definition, json!({ "metadata": { "name": name } }));
        plan.check("legal", NAMES, created, Expectation::Accepted);
    }
    for name in [long(254), "A".into(), "a_b".into(), "a..b".into(), "a/b".into(), "-a".into(), "a b".into()] {
        let created = plan.try_create(definition, json!({ "metadata": { "name": name } }));
        plan.check("illegal", NAMES, created, Expectation::CausesInclude(vec![Cause::new("metadata.name", "Invalid")]));
    }
    let nameless = plan.try_create(definition, json!({ "metadata": { "name": "" } }));
    plan.check_causes("empty", NAMES, nameless, vec![Cause::new("metadata.name", "Required")]);
    plan.count_case();
}

fn namespaces(plan: &mut Plan) {
    let cluster = plan.define_schema(spec_of(json!({})));
    let cleared = plan.try_create(cluster, json!({ "metadata": { "name": "a", "namespace": "elsewhere" } }));
    plan.check("cleared", NAMES, cleared, absent("/metadata/namespace"));
    let namespaced = plan.define(Definition::of_schema(spec_of(json!({}))).namespaced());
    let other = plan.try_create(namespaced, json!({ "metadata": { "name": "a", "namespace": "some-other-place" } }));
    plan.check("other-namespace", NAMES, other, Expectation::BadRequest);
    let filled = plan.try_create(namespaced, json!({ "spec": {} }));
    plan.check("filled-in", NAMES, filled, at("/metadata/namespace", "$namespace"));
    plan.count_case();
}
