use crdible_semantics::*;
use serde_json::{json, Value, Map};
fn wrap(b: Value) -> Value { json!({"type":"object","properties":{"a":b}}) }
fn val(n: usize) -> Value { (0..n).fold(Value::Null, |b,_| Value::Object(Map::from_iter([("a".to_owned(), b)]))) }
fn run(step: &str, n: usize) {
    let step = step.to_owned();
    let big = std::thread::Builder::new().stack_size(256<<20).spawn(move || { let mut j = json!({"type":"string","default":"x"}); for _ in 1..n { j = wrap(j); } (Schema::parse(&j).unwrap().0, j) }).unwrap().join().unwrap();
    let (schema, j) = big;
    std::thread::Builder::new().stack_size(2<<20).spawn(move || {
        let mut o = val(n);
        match step.as_str() {
            "parse" => { std::mem::forget(Schema::parse(&j)); }
            "violations" => { std::mem::forget(Upstream.schema_violations(&schema, &SchemaContext::default())); }
            "object" => { std::mem::forget(Upstream.object_violations(&o, &schema)); }
            "prune" => { Upstream.prune(&mut o, &schema, false); }
            "nulls" => { Upstream.drop_nulls(&mut o, &schema); }
            "coerce" => { let _ = Upstream.coerce_embedded(&mut o, &schema); }
            "default" => { Upstream.default(&mut o, &schema); }
            "print" => { std::mem::forget(schema.to_json()); }
            "clone" => { std::mem::forget(schema.clone()); }
            "drop" => { drop(schema); json::dismantle(o); std::mem::forget(j); return; }
            _ => panic!(),
        }
        std::mem::forget(schema); std::mem::forget(o); std::mem::forget(j);
    }).unwrap().join().unwrap();
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a.len() > 2 { run(&a[1], a[2].parse().unwrap()); return; }
    println!("Schema {} bytes", std::mem::size_of::<Schema>());
    for step in ["parse","violations","object","prune","nulls","coerce","default","print","clone","drop"] {
        let (mut lo, mut hi) = (1, 10000);
        while hi - lo > 5 { let m = (lo+hi)/2; let ok = std::process::Command::new(std::env::current_exe().unwrap()).args([step, &m.to_string()]).stderr(std::process::Stdio::null()).status().unwrap().success(); if ok { lo = m } else { hi = m } }
        println!("{step}: {lo} levels, {} bytes a level", (2<<20)/lo);
    }
}
