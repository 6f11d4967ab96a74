//! What is said about rules to people: costs, bounds and decisions. Costs are compared with what upstream's own code
//! refused (`data/rules.jsonl`).

use std::collections::BTreeMap;

use crdible_semantics::{
    Schema, Semantics,
    definition::Spec,
    rules::{Decision, Ending, EstimatedCost, Subject, survey, typed},
};
use serde_json::{Value, json};

/// The requests of this kind, and what upstream answered.
fn recorded(op: &str) -> Vec<(Value, Value)> {
    let lines = include_str!("../data/rules.jsonl").lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("a line"));
    lines
        .filter(|line| line["request"]["op"] == op)
        .map(|line| (line["request"].clone(), line["answer"].clone()))
        .collect()
}

/// The factor by which an expression exceeds its limit, as a cause prints it.
fn factor(text: &str) -> Option<&str> {
    let (what, rest) = text.split_once("exceeds budget by factor of ")?;
    let is_single = what.contains("estimated rule cost ") || what.contains("estimated messageExpression cost ");
    rest.split_once("x (").map(|(factor, _)| factor).filter(|_| is_single && !what.contains("total"))
}

/// The same of a cost.
#[expect(clippy::cast_precision_loss, reason = "a factor in a message")]
fn factor_of(total: u64) -> String {
    let factor = total as f64 / EstimatedCost::LIMIT as f64;
    match factor {
        _ if factor > 100.0 => "more than 100".to_owned(),
        _ if factor < 1.5 => format!("{factor:.6}"),
        _ => format!("{factor:.1}"),
    }
}

#[test]
fn costs_are_those_by_which_upstream_refuses() {
    let (mut refused, mut accepted) = (0, 0);
    for (request, answer) in recorded("definition") {
        // Which rules are named of many that cost too much varies upstream.
        if request.get("oldDefinition").is_some() || answer.get("varies").is_some() {
            continue;
        }
        let spec = Spec::of(&request["definition"]);
        let causes: Vec<&Value> = answer["causes"].as_array().into_iter().flatten().collect();
        let text = |cause: &Value| cause["text"].as_str().unwrap_or_default().to_owned();
        let expected: BTreeMap<String, String> = causes
            .iter()
            .filter_map(|cause| Some((cause["field"].as_str()?.to_owned(), factor(&text(cause))?.to_owned())))
            .collect();
        // Other errors may keep upstream from estimating.
        let is_whole = causes.iter().all(|cause| text(cause).contains("cost"));
        let mut found = BTreeMap::new();
        for rule in survey(&Semantics::UPSTREAM, &spec).into_iter().flat_map(|version| version.rules) {
            for (member, cost) in [("rule", rule.cost), ("messageExpression", rule.message_cost)] {
                let Some(cost) = cost else { continue };
                accepted += usize::from(cost.total <= EstimatedCost::LIMIT);
                if cost.total > EstimatedCost::LIMIT {
                    found.insert(format!("{}.{member}", rule.field), factor_of(cost.total));
                    assert!(!cost.advice.is_empty() || cost.values == 1, "{}: {cost:?}", rule.text);
                }
                for advice in cost.advice {
                    assert!(advice.total < cost.total, "{}: {advice:?}", rule.text);
                }
            }
        }
        refused += expected.len();
        for (field, factor) in &expected {
            assert_eq!(found.get(field), Some(factor), "{field} of {request}");
        }
        assert!(!is_whole || found == expected, "{found:?} and {expected:?}: {request}");
    }
    assert!(refused > 5 && accepted > 100, "{refused} refused, {accepted} accepted");
}

#[test]
fn a_decision_has_the_value_of_its_rule() {
    let (mut fails, mut errs) = (0, 0);
    for (request, _) in recorded("object") {
        let (schema, _) = Schema::parse(&request["schema"]).expect("a schema");
        let old = request.get("oldObject");
        let Ok(subject) = Subject::new(&Semantics::UPSTREAM, &schema, &request["object"], old) else { continue };
        for rule in subject.examine(&Semantics::UPSTREAM, &schema).rules {
            let Some(decision) = rule.decision else { continue };
            match rule.ending {
                Ending::Fails | Ending::Forgiven => {
                    assert_eq!(decision.value, "false", "{}", rule.text);
                    fails += 1;
                }
                Ending::Errs => {
                    assert!(decision.value.starts_with("error: "), "{}: {decision:?}", rule.text);
                    errs += 1;
                }
                other => panic!("{}: {other:?}", rule.text),
            }
        }
    }
    assert!(fails > 20 && errs > 5, "{fails} fail, {errs} err");
}

fn schema() -> Schema {
    let rules = json!([{ "rule": "self.a < 3 && self.l.all(x, x < 3)" }]);
    let list = json!({ "type": "array", "items": { "type": "integer" } });
    let spec = json!({
        "type": "object",
        "properties": { "a": { "type": "integer" }, "l": list, "m": {
            "type": "object", "additionalProperties": { "type": "string" }
        } },
        "x-kubernetes-validations": rules,
    });
    Schema::parse(&json!({ "type": "object", "properties": { "spec": spec } })).expect("a schema").0
}

fn object(spec: &Value) -> Value {
    json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "a" }, "spec": spec })
}

/// Rules in every kind of node, and what each says about one object.
#[test]
fn each_rule_says_where_it_is_written() {
    let text = |rule: &str| json!({ "type": "string", "x-kubernetes-validations": [{ "rule": rule }] });
    let items =
        json!({ "type": "object", "properties": { "a.b": text("self == oldSelf"), "k": { "type": "string" } } });
    let list = json!({
        "type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
    });
    let map = json!({ "type": "object", "additionalProperties": text("self == 'v'") });
    let spec = json!({
        "type": "object", "properties": { "l": list, "m": map },
        "x-kubernetes-validations": [{ "rule": "has(self.l)" }, { "rule": "has(self.m) && self.m.size() == 1" }],
    });
    let (schema, _) = Schema::parse(&json!({ "type": "object", "properties": { "spec": spec } })).expect("a schema");
    let with = |value: &str| object(&json!({ "l": [{ "k": "x", "a.b": value }], "m": { "properties": "w" } }));
    let subject = Subject::new(&Semantics::UPSTREAM, &schema, &with("new"), Some(&with("old"))).expect("an object");
    let found = subject.examine_and_decide(&Semantics::UPSTREAM, &schema, &|rule| rule.place == "spec");
    let said: Vec<_> = { found.rules.iter() }
        .map(|rule| (rule.field.as_str(), rule.ending, rule.old.as_deref(), rule.decision.is_some()))
        .collect();
    let expected = [
        ("openAPIV3Schema.properties[spec].x-kubernetes-validations[0]", Ending::Holds, None, true),
        ("openAPIV3Schema.properties[spec].x-kubernetes-validations[1]", Ending::Holds, None, true),
        (
            "openAPIV3Schema.properties[spec].properties[l].items.properties[a.b].x-kubernetes-validations[0]",
            Ending::Fails,
            Some("\"old\""),
            false,
        ),
        (
            "openAPIV3Schema.properties[spec].properties[m].additionalProperties.x-kubernetes-validations[0]",
            Ending::Forgiven,
            None,
            false,
        ),
    ];
    assert_eq!(said, expected);
    let because = found.rules[1].decision.clone().expect("a decision").because;
    let operands: Vec<_> = because.iter().map(|part| (part.text.as_str(), part.value.as_str())).collect();
    assert_eq!(operands, [("has(self.m)", "true"), ("self.m.size() == 1", "true")]);
    // Unless it is asked, nothing is found out about a rule that holds.
    let usual = subject.examine(&Semantics::UPSTREAM, &schema).rules;
    assert_eq!(usual.iter().map(|rule| rule.decision.is_some()).collect::<Vec<_>>(), [false, false, true, true]);
}

#[test]
fn long_lists_are_cut() {
    let object = object(&json!({ "a": 1, "l": vec![5; 5_000] }));
    let subject = Subject::new(&Semantics::UPSTREAM, &schema(), &object, None).expect("an object");
    let found = subject.examine(&Semantics::UPSTREAM, &schema());
    let decision = found.rules[0].decision.clone().expect("a decision");
    let [all] = &decision.because[..] else { panic!("{decision:?}") };
    assert_eq!((all.text.as_str(), all.because.len(), all.left_out), ("self.l.all(x, x < 3)", 3, 997));
    assert!(all.because.iter().all(|one| one.element.as_deref() == Some("x = 5")), "{all:?}");
}

/// The condition costs the limit for each of a thousand elements: not all of them are tried.
#[test]
fn decisions_about_costly_expressions_end() {
    let object = object(&json!({ "a": 1, "l": (0..1_000).collect::<Vec<_>>() }));
    let subject = Subject::new(&Semantics::UPSTREAM, &schema(), &object, None).expect("an object");
    let text = "self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))";
    let found = subject.evaluate(&Semantics::UPSTREAM, &schema(), "spec", text).expect("an expression");
    let decision = found.given.expect("a value").decision;
    assert_eq!(decision.value, "error: operation cancelled: actual cost limit exceeded");
    assert!(decision.left_out < 30 && decision.because.len() == 3, "{decision:?}");
    assert!(decision.because.iter().all(|one| one.value == decision.value), "{decision:?}");
}

#[test]
fn expressions_are_evaluated_at_a_place() {
    let (schema, object) = (schema(), object(&json!({ "a": 1, "l": [7], "m": { "k.x": "v" } })));
    let subject = Subject::new(&Semantics::UPSTREAM, &schema, &object, None).expect("an object");
    for (path, text, of, value) in [
        ("", "self.kind", "string", "\"Thing\""),
        ("spec.l[0]", "self * 2", "int", "14"),
        ("spec.m[k.x]", "self", "string", "\"v\""),
        ("spec.m['k.x']", "self.size() == 2", "bool", "false"),
        ("spec", "self.m.map(k, k + self.m[k])", "list(string)", "[\"k.xv\"]"),
        ("spec", "self.?b", "", ""),
        ("metadata", "self.name", "string", "\"a\""),
    ] {
        match subject.evaluate(&Semantics::UPSTREAM, &schema, path, text) {
            Ok(found) => {
                let Decision { value: found_value, .. } = found.given.expect("a value").decision;
                assert_eq!((found.of.as_str(), found_value.as_str()), (of, value), "{text} at {path}");
            }
            Err(error) => {
                assert!(of.is_empty() && error.to_string().contains("undefined field 'b'"), "{text}: {error}")
            }
        }
    }
    let found = typed(&Semantics::UPSTREAM, &schema, "spec.m[*]", "self.upperAscii()").expect("a type");
    assert!(found.of == "string" && found.given.is_none() && found.cost.most > 100_000, "{found:?}");
}
