//! Comparison of rules with upstream's own code (`crdible-rules`), in development: `CRDIBLE_RULES_REQUESTS` and
//! `CRDIBLE_RULES_ANSWERS` name files of requests and their answers.

use std::io::{BufRead as _, BufReader};

use crdible_semantics::{Rules, Schema, Semantics};
use serde_json::{Value, json};

fn of(request: &Value) -> Value {
    if request["op"] == "definition" {
        let found = Semantics::UPSTREAM.definition_violations(&request["definition"]);
        let rules = found.iter().filter(|one| one.requirement.starts_with("CEL-"));
        let causes: Vec<Value> =
            rules.map(|one| json!({"field": one.field, "reason": one.reason.on_the_wire(), "text": format!("{}: {}", title(one.reason.on_the_wire()), one.detail)})).collect();
        return json!({"causes": causes});
    }
    let (schema, _) = Schema::parse(&request["schema"]).expect("a schema");
    let rules = Rules::of(&schema);
    let found =
        Semantics::UPSTREAM.rule_findings(&rules, &request["object"], &schema, request.get("oldObject"));
    let causes: Vec<Value> = found
        .violations
        .iter()
        .map(|one| json!({"field": one.field, "reason": one.reason.on_the_wire(), "text": format!("{}: {}", title(one.reason.on_the_wire()), one.detail)}))
        .collect();
    json!({"causes": causes, "warnings": found.warnings})
}

fn title(reason: &str) -> &'static str {
    match reason {
        "FieldValueInvalid" => "Invalid value",
        "FieldValueForbidden" => "Forbidden",
        "FieldValueRequired" => "Required value",
        "FieldValueDuplicate" => "Duplicate value",
        "FieldValueNotSupported" => "Unsupported value",
        _ => "Internal error",
    }
}

fn keys(answer: &Value, what: &str) -> Vec<String> {
    let mut keys: Vec<String> = answer[what]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| match one.as_str() {
            Some(text) => text.to_owned(),
            None => {
                let part = |name: &str| one[name].as_str().unwrap_or_default();
                format!("{} {} {}", part("field").replace("<nil>", ""), part("reason"), part("text"))
            }
        })
        .collect();
    keys.sort();
    keys
}

#[test]
fn upstream_says_the_same() {
    let (Ok(requests), Ok(answers)) =
        (std::env::var("CRDIBLE_RULES_REQUESTS"), std::env::var("CRDIBLE_RULES_ANSWERS"))
    else {
        return;
    };
    let lines = |path: &str| BufReader::new(std::fs::File::open(path).expect("a file")).lines();
    let (mut same, mut different) = (0, Vec::new());
    for (number, (request, answer)) in lines(&requests).zip(lines(&answers)).enumerate() {
        let request: Value = serde_json::from_str(&request.expect("a line")).expect("JSON");
        let upstream: Value = serde_json::from_str(&answer.expect("a line")).expect("JSON");
        let own = of(&request);
        let differs = |what: &str| keys(&own, what) != keys(&upstream, what);
        if differs("causes") || differs("warnings") {
            different.push(format!("{number}\t{}\t{own}\t{upstream}", request["op"]));
        } else {
            same += 1;
        }
    }
    std::fs::write(std::env::var("CRDIBLE_RULES_DIFFERENCES").unwrap_or_default(), different.join("\n")).ok();
    assert!(different.is_empty(), "{same} are the same, {} differ", different.len());
}
