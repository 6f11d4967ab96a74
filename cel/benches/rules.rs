//! Prints how long rules take. It asserts nothing: machines differ.
//!
//! ```sh
//! cargo bench -p crdible-cel
//! ```

#![expect(clippy::print_stdout, reason = "its purpose is to print figures")]

use std::env;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crdible_cel::{
    Bounds, Environment, Evaluated, ObjectTypes, Program, Release, Sizes, Type, Value, check, estimate, plan, syntax,
};

const RULES: [(&str, &str); 2] =
    [("presence and size", "has(self.a) && self.a.size() < 5"), ("100 elements", "self.b.all(x, x >= 0)")];
/// How long each is done.
const TIME: Duration = Duration::from_millis(300);

/// An object with a text and a list.
struct Thing;

impl ObjectTypes for Thing {
    fn is_declared(&self, object: &str) -> bool {
        object == "Thing"
    }

    fn field(&self, _: &str, field: &str) -> Option<Type> {
        match field {
            "a" => Some(Type::String),
            "b" => Some(Type::list(Type::Int)),
            _ => None,
        }
    }
}

impl Sizes for Thing {
    fn size(&self, _: &[Arc<str>]) -> Option<Bounds> {
        Some(Bounds::new(0, 100))
    }
}

fn main() {
    // `cargo test --benches` and `cargo bench -- --list` run this program, too, but expect nothing of it.
    if env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let environment = Environment::new(Release::new_rules(36))
        .with_objects(Arc::new(Thing))
        .with_variable("self", Type::object("Thing"));
    let numbers = Value::list((0..100).map(Value::Int).collect());
    let thing = Value::map(vec![(Value::from("a"), Value::from("text")), (Value::from("b"), numbers)]);
    println!("microseconds {:30} {:>9} {:>9}", "", "compiled", "evaluated");
    for (name, rule) in RULES {
        let compiled = each(|| compile(rule, &environment));
        let program = compile(rule, &environment);
        let variable = |_: &str| -> Option<Evaluated> { Some(Ok(thing.clone())) };
        let evaluated = each(|| program.evaluate(&variable, 1_000_000));
        println!("             {name:30} {compiled:9.2} {evaluated:9.3}");
    }
}

/// From the text to a program with an estimate.
fn compile(rule: &str, environment: &Environment) -> Program {
    let ast = syntax::parse(rule, &environment.release().syntax()).expect("the syntax is right");
    let checked = check(ast, environment).expect("the types are right");
    black_box(estimate(&checked, &Thing));
    plan(&checked, environment).expect("the constants are right")
}

/// How long something takes on average, in microseconds.
fn each<T>(mut work: impl FnMut() -> T) -> f64 {
    let begun = Instant::now();
    let mut times = 0_u32;
    while begun.elapsed() < TIME {
        for _ in 0..100 {
            black_box(work());
        }
        times += 100;
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(times)
}
