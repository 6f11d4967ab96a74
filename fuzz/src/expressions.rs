//! No expression makes the language panic, and each evaluation ends.

use std::sync::Arc;

use crdible_cel::{Bounds, Environment, Release, Sizes, Type, Value, check, describe, estimate, plan, syntax};

/// What one evaluation may spend, as in upstream.
const LIMIT: u64 = 1_000_000;

/// Nothing is known about sizes.
struct Unknown;

impl Sizes for Unknown {
    fn size(&self, _: &[Arc<str>]) -> Option<Bounds> {
        None
    }
}

/// Does with a text all that can be done with an expression, as the first byte says the release.
///
/// # Panics
/// If the language panics.
pub fn run(data: &[u8]) {
    let Some((first, text)) = data.split_first() else { return };
    let server = 33 + u32::from(first % 5);
    let release = if first & 0x80 == 0 { Release::new_rules(server) } else { Release::stored_rules(server) };
    let text = String::from_utf8_lossy(text);
    let ast = match syntax::parse(&text, &release.syntax()) {
        Ok(ast) => ast,
        Err(issues) => return drop(describe(&text, &issues)),
    };
    let environment = Environment::new(release)
        .with_variable("self", Type::map(Type::String, Type::Dyn))
        .with_variable("list", Type::list(Type::Int))
        .with_variable("text", Type::String)
        .with_variable("any", Type::Dyn);
    let checked = match check(ast, &environment) {
        Ok(checked) => checked,
        Err(issues) => return drop(describe(&text, &issues)),
    };
    estimate(&checked, &Unknown);
    let Ok(program) = plan(&checked, &environment) else { return };
    drop(program.evaluate(&|name| value(name).map(Ok), LIMIT));
}

fn value(name: &str) -> Option<Value> {
    let list = || Value::list(vec![Value::Int(3), Value::Int(1), Value::Int(2)]);
    Some(match name {
        "self" => {
            let entries = vec![(Value::from("a"), list()), (Value::from("b"), Value::from("text")), ("c".into(), Value::Null)];
            Value::map(entries)
        }
        "list" => list(),
        "text" => Value::from("10.0.0.1"),
        "any" => Value::Double(1.5),
        _ => return None,
    })
}
