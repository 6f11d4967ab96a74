//! What no one writes in earnest: everything ends, soon, with an answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crdible_cel::syntax::{ParseOptions, parse};
use crdible_cel::{Bounds, Environment, Evaluated, Release, Sizes, Spent, Type, Value, check, estimate, plan};
use rstest::rstest;

use crate::texts::{Draws, own, soup};

/// What an evaluation may spend.
const LIMIT: u64 = 1_000_000;
/// Small threads have a stack of this size.
const STACK: usize = 2 << 20;

struct Nothing;

impl Sizes for Nothing {
    fn size(&self, _: &[Arc<str>]) -> Option<Bounds> {
        None
    }
}

/// How far a text comes.
#[derive(Debug, PartialEq)]
enum Outcome {
    Unparsed,
    Refused(String),
    Failed(String),
    /// It has a value, or is over the limit.
    Evaluated,
}

/// Does everything with a text that this crate can do.
fn outcome(text: &str) -> Outcome {
    let options = ParseOptions { escaped_fields: true, sort_by: true };
    let Ok(ast) = parse(text, &options) else { return Outcome::Unparsed };
    let list = || Type::list(Type::Int);
    let environment = Environment::new(Release::new_rules(38))
        .with_variable("a", Type::Bool)
        .with_variable("l", list())
        .with_variable("s", Type::String)
        .with_variable("x", Type::Dyn);
    let checked = match check(ast, &environment) {
        Ok(checked) => checked,
        Err(issues) => return Outcome::Refused(issues[0].message.clone()),
    };
    let bounds = estimate(&checked, &Nothing);
    assert!(bounds.least <= bounds.most || bounds.most == 0, "{text}: {bounds:?}");
    let program = match plan(&checked, &environment) {
        Ok(program) => program,
        Err(error) => return Outcome::Refused(error.message.to_string()),
    };
    let variable = |name: &str| {
        Some(Ok(match name {
            "a" => Value::Bool(false),
            "l" => Value::list(vec![Value::Int(1), Value::Int(2)]),
            "s" => Value::from("text"),
            _ => Value::Null,
        }))
    };
    match program.evaluate(&variable, LIMIT) {
        (Err(error), spent) if !spent.is_over_limit => Outcome::Failed(error.message.to_string()),
        _ => Outcome::Evaluated,
    }
}

/// The value of an expression without variables, and what it costs.
fn evaluated(text: &str, limit: u64) -> (Evaluated, Spent) {
    let release = Release::stored_rules(37);
    let environment = Environment::new(release);
    let ast = parse(text, &release.syntax()).expect("the syntax is right");
    let checked = check(ast, &environment).expect("the types are right");
    plan(&checked, &environment).expect("the constants are right").evaluate(&|_| None, limit)
}

/// On a small thread.
fn on_a_small_stack(text: String) -> Outcome {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || outcome(&text));
    thread.expect("a thread").join().expect("nothing panics, and the stack is enough")
}

/// Constructs that nest, and multiply what a level needs: chains of `||` and `&&`, signs, macros.
#[rstest]
#[case::logic("CHAINS!(", ")", 240)]
#[case::macros("[a].exists_one(b,!", ")", 249)]
#[case::both("[a].exists_one(b,CHAINS!", ")", 200)]
#[case::sorting("[[a].sortBy(b,", ").size()==1][0]", 60)]
#[case::lists_and_maps("[{1:!(a==(a?a:", "))}][0][1]", 40)]
#[case::choices("(a?a:", ")", 124)]
#[case::methods("[a].transformMap(b,c,a||", ").size()==1", 80)]
fn the_deepest_expressions_fit_a_small_stack(#[case] before: &str, #[case] behind: &str, #[case] levels: usize) {
    let chains = format!("{}{}", "a||".repeat(32), "a&&".repeat(32));
    let text = format!("{}a{}", before.replace("CHAINS", &chains).repeat(levels), behind.repeat(levels));
    let outcome = on_a_small_stack(text);
    assert_ne!(outcome, Outcome::Unparsed);
}

/// Each is small, and would take years, or all memory, if it was done as it is written.
#[rstest]
#[case::equality("([1]DOUBLED) == ([1]DOUBLED)", Outcome::Failed("too many parts of values are compared".into()))]
#[case::difference("([1]DOUBLED) != ([1]DOUBLED)", Outcome::Failed("too many parts of values are compared".into()))]
#[case::flattened("[1]DOUBLED.flatten(100).size() == 1", Outcome::Failed("a result of size 4194305 is too large".into()))]
#[case::printed("'%s'.format([[1]DOUBLED]) == ''", Outcome::Failed("too many parts of values are compared".into()))]
#[case::summed("[[1]]SUMMED[0].size() == 1152921504606846976 || 1 / 0 == 1", Outcome::Evaluated)]
#[case::summed_and_printed("'%s'.format([[[1]]SUMMED]) == ''", Outcome::Failed("too many parts of values are compared".into()))]
#[case::summed_too_often("[[1]]SUMMED.map(b,b+b).map(b,b+b).map(b,b+b)[0].size() == 1", Outcome::Failed("integer overflow".into()))]
#[case::printed_texts("'%s'.format([[MIDDLE]DOUBLED]) == ''", Outcome::Failed("error during formatting: a result of size 134805391 is too large".into()))]
#[case::made("lists.range(10000).map(i, BIG).size() == 1", Outcome::Failed("too large values are made".into()))]
#[case::absorbed("lists.range(10000).exists(i, BIG == '') || true", Outcome::Failed("too large values are made".into()))]
#[case::replaced("MIDDLE.replace('', MIDDLE).size() == 1", Outcome::Failed("a result of size 1012046060024 is too large".into()))]
#[case::split("HUGE.split('').size() == 1", Outcome::Evaluated)]
#[case::joined("[['']]HALF.all(b, lists.range(10000).all(i, b.join() == ''))", Outcome::Failed("too many parts of values are compared".into()))]
#[case::characters("[BIG].all(b, lists.range(100000).all(i, b.charAt(i) != ''))", Outcome::Failed("too many parts of values are compared".into()))]
#[case::long_texts("[[MIDDLE + 'a']]HALF.exists(b, MIDDLE + 'b' in b)", Outcome::Failed("too many parts of values are compared".into()))]
#[case::sliced("[[1]]SUMMED[0].slice(0, 800000000000000000).size() == 1", Outcome::Failed("a result of size 800000000000000000 is too large".into()))]
#[case::sought("[[1]]SUMMED[0].indexOf(2) == 1", Outcome::Evaluated)]
#[case::far_apart("lists.range(100000).all(i, quantity('1').isLessThan(quantity('1e99999')))", Outcome::Failed("too many parts of values are compared".into()))]
#[case::many_digits("sign(quantity(DIGITS)) == 1", Outcome::Failed("too many parts of values are compared".into()))]
#[case::long_versions("[semver('1.0.0-a' + DIGITS)].all(v, lists.range(100000).all(i, v.compareTo(v) == 0))", Outcome::Failed("too many parts of values are compared".into()))]
#[case::queries("[url('/?' + s.replace('', '&FILL'))].all(u, lists.range(1000).all(i, u.getQuery().size() == 3))", Outcome::Failed("too large values are made".into()))]
#[case::typed("[1]MAPPED.size() == 1", Outcome::Refused("the type of this is too large".into()))]
#[case::long_list("lists.range(9000000000000000000).distinct().size() == 1", Outcome::Evaluated)]
#[case::distinct("lists.range(900000).distinct().size() == 1", Outcome::Evaluated)]
#[case::found("lists.range(900000).map(i, lists.range(900000).indexOf(-1)).size() == 1", Outcome::Evaluated)]
#[case::not_numbers("[NANS].sort().size() == 40", Outcome::Evaluated)]
#[case::choices("CHOICES", Outcome::Failed("no such key: 1".into()))]
#[case::text("[s]LONGER[0].size() == 1", Outcome::Evaluated)]
fn what_would_take_years_ends(#[case] text: &str, #[case] expected: Outcome) {
    let nans: Vec<String> = (0..20).map(|number| format!("{}.0, 0.0/0.0", number * 7 % 13)).collect();
    let choices = format!("{}1{} == 1", "(a?x:x)[".repeat(60), "]".repeat(60));
    let text = text
        .replace("DOUBLED", &".map(b,[b,b])".repeat(60))
        .replace("SUMMED", &".map(b,b+b)".repeat(60))
        .replace("MAPPED", &".map(b,{b:b})".repeat(60))
        .replace("HALF", &".map(b,b+b)".repeat(19))
        .replace("HUGE", &format!("s.replace('', '{}').replace('', '{}')", "x".repeat(1_000), "x".repeat(20_000)))
        .replace("BIG", &format!("s.replace('', '{0}').replace('', '{0}')", "x".repeat(1_000)))
        .replace("MIDDLE", &format!("s.replace('', '{}').replace('', '{}')", "x".repeat(1_000), "x".repeat(200)))
        .replace("DIGITS", &format!("'1'.replace('', '{0}').replace('', '{0}')", "7".repeat(1_000)))
        .replace("FILL", &"&".repeat(1_000))
        .replace("LONGER", &".map(b,b+b)".repeat(60))
        .replace("NANS", &nans.join(", "))
        .replace("CHOICES", &choices);
    let begun = Instant::now();
    let outcome = on_a_small_stack(text);
    // Far more than it takes, and far less than it would.
    assert!(begun.elapsed() < Duration::from_secs(60), "{outcome:?} after {:?}", begun.elapsed());
    assert_eq!(outcome, expected);
}

/// A host may nest values as deeply as it likes. They are compared, measured and dropped on a small stack.
#[rstest]
#[case::optionals(Value::some)]
#[case::lists(|value| Value::list(vec![value]))]
#[case::maps(|value| Value::map(vec![(Value::from("a"), value)]))]
fn values_may_be_nested_deeply(#[case] nest: fn(Value) -> Value) {
    const DEPTH: usize = 100_000;
    let nested = move || (0..DEPTH).fold(Value::Int(1), |value, _| nest(value));
    let work = move || {
        let release = Release::stored_rules(37);
        let environment = Environment::new(release).with_variable("x", Type::Dyn).with_variable("y", Type::Dyn);
        let ast = parse("x == y && !(x in [1]) && x == optional.of(x).orValue(y)", &release.syntax());
        let checked = check(ast.expect("the syntax is right"), &environment).expect("the types are right");
        let program = plan(&checked, &environment).expect("the constants are right");
        program.evaluate(&|_| Some(Ok(nested())), LIMIT).0
    };
    let value = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread").join();
    assert!(matches!(value.expect("the stack is enough"), Ok(Value::Bool(true))));
}

/// Loops that collect: each element costs the same, and none is copied again for the next one. A copy of all of them at
/// each step would be more than one evaluation may make.
#[rstest]
#[case::mapped("lists.range(COUNT).map(i, i).size() == COUNT")]
#[case::filtered("lists.range(COUNT).filter(i, i >= 0).size() == COUNT")]
#[case::chosen("lists.range(COUNT).map(i, i % 2 == 0, [i]).size() * 2 == COUNT")]
#[case::transformed("lists.range(COUNT).transformList(i, v, v + i).size() == COUNT")]
#[case::keyed("lists.range(COUNT).transformMap(i, v, i != -1, v).size() == COUNT")]
#[case::entries("lists.range(COUNT).transformMapEntry(i, v, {v: i}).size() == COUNT")]
#[case::nested("lists.range(COUNT).map(i, [i].map(j, j)).size() == COUNT")]
fn a_loop_that_collects_costs_the_same_at_each_element(#[case] text: &str) {
    let units = |count: u64| {
        let (value, spent) = evaluated(&text.replace("COUNT", &count.to_string()), u64::MAX);
        assert!(matches!(value, Ok(Value::Bool(true))), "{value:?}");
        spent.units
    };
    let (few, more) = (units(10), units(20));
    // Only `lists.range` costs by its size, which is part of each element's share.
    assert_eq!(units(100_000), few + (more - few) * (100_000 - 10) / 10);
}

/// What one text costs is what all of its parts cost, also if the loop ends by its limit.
#[test]
fn a_loop_that_collects_ends_at_its_limit() {
    let (value, spent) = evaluated("lists.range(100000).map(i, i).size() == 100000", LIMIT);
    assert!(value.is_err() && spent.is_over_limit, "{value:?} {spent:?}");
    // Of one step more at most.
    assert!(spent.units < LIMIT + 100, "{spent:?}");
}

/// How often random expressions are tried: `CRDIBLE_HOSTILE_ROUNDS`, each time other ones.
fn rounds() -> u64 {
    std::env::var("CRDIBLE_HOSTILE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

#[test]
fn no_text_makes_it_panic() {
    for round in 0..rounds() {
        let mut draws = Draws::new(2 * round + 1);
        let mut evaluated = 0;
        for _ in 0..20_000 {
            evaluated += usize::from(outcome(&soup(&mut draws)) == Outcome::Evaluated);
        }
        assert!(evaluated > 20, "only {evaluated} of them have a value");
    }
}

/// Expressions of the tests with a part of another one in them, or without a part.
#[test]
fn no_mutation_makes_it_panic() {
    let texts = own();
    for round in 0..rounds() {
        let mut draws = Draws::new(2 * round + 2);
        let (mut evaluated, mut failed) = (0, 0);
        for _ in 0..10_000 {
            let (one, other) = (&texts[draws.below(texts.len())], &texts[draws.below(texts.len())]);
            let text = draws.spliced(one, other);
            if text.len() > 2_000 {
                continue;
            }
            match outcome(&text) {
                Outcome::Evaluated => evaluated += 1,
                Outcome::Failed(_) => failed += 1,
                _ => {}
            }
        }
        assert!(evaluated > 100 && failed > 20, "{evaluated} have a value, {failed} fail");
    }
}
