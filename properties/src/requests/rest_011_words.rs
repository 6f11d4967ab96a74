//! REST-011: words that YAML reads as something else than text, and keys that occur twice.

use crdible_scenario::Form;

use super::texts::{YAML, create_of_text};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-011-words", plan)
    .title("plain words in YAML have their YAML 1.1 values, and quoted ones are strings")
    .asserts(&["REST-011/e1", "REST-051/e1"])
    .needs(&[Capability::Storing, Capability::Yaml]);

/// Plain words and their values.
fn words() -> Vec<(&'static str, Value)> {
    vec![
        ("on", json!(true)),
        ("yes", json!(true)),
        ("y", json!(true)),
        ("no", json!(false)),
        ("off", json!(false)),
        ("n", json!(false)),
        ("010", json!(8)),
        ("0x10", json!(16)),
        ("1.0", json!(1)),
        ("1e3", json!(1000)),
        ("~", Value::Null),
        ("2020-01-01", json!("2020-01-01")),
        ("word", json!("word")),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let free = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let definition = plan.define_schema(object_of(json!({ "spec": free })));
    plan.cases(choices, "object", |plan, choices| {
        let (mut text, mut spec) = (String::from("\nspec:"), Map::new());
        choices.many_average("word", 1, 6, 3, |choices, number| {
            let (word, value) = choices.pick(&words()).clone();
            let name = format!("w{number}");
            let (written, value) = match choices.draw(3) {
                0 => (word.to_owned(), value),
                1 => (format!("[{word}, '{word}']"), json!([value, word])),
                2 => (format!("'{word}'"), json!(word)),
                _ => (format!("\"{word}\""), json!(word)),
            };
            text.push_str(&format!("\n  {name}: {written}"));
            spec.insert(name, value);
        });
        let mut warnings = Vec::new();
        if choices.chance(1, 3) {
            // Four lines come before the text, and one begins it.
            let line = text.lines().count() + 4;
            text.push_str("\n  w0: again");
            spec.insert("w0".to_owned(), json!("again"));
            warnings.push(format!("line {line}: key \"w0\" already set in map"));
        }
        let request = create_of_text(plan, definition, Form::Yaml, text);
        let reads = choices.chance(1, 2);
        let accept = reads.then(|| YAML.to_owned());
        let created = plan.send(Request { dry_run: !reads, accept: accept.clone(), ..request });
        let content = json!({ "spec": spec });
        plan.check("values", &["REST-011/e1"], created, Expectation::Content(content));
        plan.check("repeated-key", &["REST-051/e1"], created, NamedCheck::Warnings { texts: warnings });
        if reads {
            let read = plan.send(Request { accept, ..Request::get(plan.object_of(created)) });
            plan.check("read", &["REST-011/e1"], read, at("/spec", json!(spec)));
        }
    });
}
