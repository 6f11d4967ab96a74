//! Trees and errors of syntax, compared with those of upstream.
//!
//! `parser.jsonl` has upstream's answers for release 1.36. If `CRDIBLE_RULES_ORACLE` names the program `crdible-rules`
//! of any release, it is asked the same and more.

use std::fmt::Write as _;

use crdible_cel::syntax::{ParseOptions, parse, print, print_with_ids};
use rstest::rstest;
use serde_json::{Value as Json, json};

use crate::compared::{ask, requests};
use crate::texts::{Draws, FILES, soup};

const OPTIONS: ParseOptions = ParseOptions { escaped_fields: false, sort_by: true };

/// A tree, or places and texts of errors.
type Answer = Result<String, Vec<(Option<u32>, String)>>;

fn own(text: &str, options: ParseOptions) -> Answer {
    match parse(text, &options) {
        Ok(ast) => Ok(print_with_ids(&ast)),
        Err(issues) => Err(issues.into_iter().map(|issue| (issue.offset, issue.message)).collect()),
    }
}

/// The lines of the file: text and answer.
fn recorded() -> Vec<(String, Answer)> {
    let lines = include_str!("parser.jsonl").lines();
    let of = |line: &str| {
        let line: Json = serde_json::from_str(line).expect("a line of JSON");
        let text = line["text"].as_str().expect("a text").to_owned();
        let answer = match &line["tree"] {
            Json::String(tree) => Ok(tree.clone()),
            _ => Err(serde_json::from_value(line["issues"].clone()).expect("places and texts")),
        };
        (text, answer)
    };
    lines.map(of).collect()
}

#[test]
fn trees_and_errors_are_those_of_upstream() {
    for (text, answer) in recorded() {
        assert_eq!(own(&text, OPTIONS), answer, "{text:?}");
    }
}

/// What `upstream/rules/golden.sh` wrote.
#[test]
fn trees_and_errors_are_those_that_were_written() {
    let requests = requests(FILES[0].1, "parse");
    let lines = include_str!("../data/syntax.jsonl").lines();
    assert_eq!(requests.len(), lines.clone().count());
    for line in lines {
        let line: Json = serde_json::from_str(line).expect("a line of JSON");
        let text = line["text"].as_str().expect("a text");
        if line["answer"]["panic"].is_null() && !text.is_empty() {
            assert_eq!(own(text, OPTIONS), of_program(text, &line["answer"]), "{text:?}");
        }
    }
}

#[rstest]
#[case("a || b || c || d", "_||_(_||_(a, b), _||_(c, d))")]
#[case("a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))")]
#[case("a + b * c < d", "_<_(_+_(a, _*_(b, c)), d)")]
#[case("--1", "1")]
#[case("-9223372036854775808", "-9223372036854775808")]
#[case("!!!a", "!_(a)")]
#[case("a.?b[?c]", "_[?_](_?._(a, \"b\"), c)")]
#[case("[?a, b,]", "[?a, b]")]
#[case("{?a: b,}", "{?a: b}")]
#[case(".a.b{c: 1}", ".a.b{c: 1}")]
#[case("has(a.b)", "a.b~test")]
#[case("'\\x41' + r'\\x'", "_+_(\"A\", \"\\\\x\")")]
#[case("b'ä\\xff'", "b\"\\xc3\\xa4\\xff\"")]
#[case("'''a\r\nb'''", "\"a\\x0ab\"")]
fn trees(#[case] text: &str, #[case] tree: &str) {
    assert_eq!(print(&parse(text, &OPTIONS).expect("it is right")), tree);
}

#[test]
fn what_releases_have() {
    let text = "a.`b-c`";
    assert!(parse(text, &OPTIONS).is_err());
    let ast = parse(text, &ParseOptions { escaped_fields: true, ..OPTIONS }).expect("1.37 has it");
    assert_eq!(print(&ast), "a.b-c");
    let ast = parse("a.sortBy(b, c)", &ParseOptions::default()).expect("a method");
    assert_eq!(print(&ast), "a.sortBy(b, c)");
}

/// `n` times before, and `n` times behind: the deepest that is accepted.
#[rstest]
#[case("(", "a", ")", 249)]
#[case("[", "", "]", 250)]
#[case("", "a", "+a", 250)]
#[case("", "a", ".a()", 250)]
#[case("a+(", "a", ")", 124)]
#[case("a+a*(", "a", ")", 83)]
#[case("a<(", "a", ")", 124)]
#[case("a[", "a", "]", 249)]
#[case("f(", "a", ")", 249)]
#[case("a?b:", "c", "", 249)]
fn depths_have_a_limit(#[case] before: &str, #[case] inside: &str, #[case] behind: &str, #[case] deepest: usize) {
    let nested = |depth| format!("{}{inside}{}", before.repeat(depth), behind.repeat(depth));
    assert!(parse(&nested(deepest), &OPTIONS).is_ok());
    let issues = parse(&nested(deepest + 1), &OPTIONS).expect_err("it is too deep");
    let messages: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    let known = ["expression recursion limit exceeded: 250", "max recursion depth exceeded"];
    assert!(messages.len() == 1 && known.contains(&messages[0]), "{messages:?}");
}

#[rstest]
#[case("a || ", "a")]
#[case("a && ", "a")]
#[case("!", "a")]
#[case("-", "a")]
fn without_limit(#[case] part: &str, #[case] end: &str) {
    assert!(parse(&format!("{}{end}", part.repeat(19_000)), &OPTIONS).is_ok());
}

#[test]
fn texts_have_a_largest_size() {
    let text = format!("'{}'", "ä".repeat(99_998));
    assert!(parse(&text, &OPTIONS).is_ok());
    assert_eq!(
        own(&format!("{text} "), OPTIONS),
        Err(vec![(None, "expression code point size exceeds limit: size: 100001, limit 100000".to_owned())])
    );
}

/// Nothing overflows the stack, and nothing takes memory without bounds.
#[test]
fn hostile_texts_are_refused() {
    let parts = [
        "(", "[", "{", "a.f(", "f(", "a[", "a?", "a?b:", "{a:", "a{b:", "!(", "-(", "a.?", "a.all(b,", "'", "\"\"\"",
        "`",
    ];
    for part in parts {
        assert!(parse(&part.repeat(90_000 / part.len()), &OPTIONS).is_err(), "{part}");
    }
    // Each doubles what is before it.
    let issues = parse(&format!("a{}", ".optMap(b, b)".repeat(60)), &OPTIONS).expect_err("it is too large");
    assert_eq!(issues[0].message, "expression is too large once its macros are expanded");
}

/// Random texts, the same in each run.
fn random_texts(count: usize) -> Vec<String> {
    let mut draws = Draws::new(0);
    (0..count).map(|_| soup(&mut draws)).collect()
}

#[test]
fn no_text_makes_it_panic() {
    for text in random_texts(20_000) {
        let _ = own(&text, OPTIONS);
    }
}

/// What the program says about each text.
fn asked(oracle: &str, texts: &[String]) -> Vec<Json> {
    let questions: Vec<Json> = texts.iter().map(|text| json!({"op": "parse", "text": text})).collect();
    ask(oracle, &questions)
}

#[test]
fn the_program_of_upstream_answers_in_the_same_way() {
    let Ok(oracle) = std::env::var("CRDIBLE_RULES_ORACLE") else { return };
    let probes = asked(&oracle, &["a.`b`".to_owned(), "a.sortBy(b, c)".to_owned()]);
    let options = ParseOptions {
        escaped_fields: !probes[0]["ast"].is_null(),
        sort_by: probes[1]["ast"]["kind"] == "comprehension",
    };
    let mut texts: Vec<String> = recorded().into_iter().map(|(text, _)| text).filter(|text| !text.is_empty()).collect();
    texts.extend(random_texts(20_000));
    let answers = asked(&oracle, &texts);
    assert_eq!(answers.len(), texts.len());
    for (text, answer) in texts.iter().zip(&answers) {
        // Upstream's parser panics at `a{?1: b}.optMap(c, d)`.
        if !answer["panic"].is_null() {
            assert!(own(text, options).is_err(), "{text:?}");
            continue;
        }
        // Upstream keeps a hundred.
        let own = own(text, options).map_err(|mut issues| {
            issues.truncate(100);
            issues
        });
        assert_eq!(own, of_program(text, answer), "{text:?}");
    }
}

fn of_program(text: &str, answer: &Json) -> Answer {
    if let Some(issues) = answer["issues"].as_array() {
        let issue = |issue: &Json| (place(text, issue), issue["text"].as_str().expect("a text").to_owned());
        return Err(issues.iter().map(issue).collect());
    }
    let mut tree = String::new();
    write_node(&mut tree, &answer["ast"]);
    Ok(tree)
}

fn place(text: &str, issue: &Json) -> Option<u32> {
    let number = |key: &str| usize::try_from(issue[key].as_u64().expect("a number")).expect("a small number");
    let before = text.split('\n').take(number("line").checked_sub(1)?).map(|line| line.chars().count() + 1);
    u32::try_from((before.sum::<usize>() + number("column")).checked_sub(1)?).ok()
}

fn name<'a>(node: &'a Json, key: &str) -> &'a str {
    node[key].as_str().unwrap_or_default()
}

fn write_id(tree: &mut String, node: &Json) {
    write!(tree, "#{}@{}", node["id"], node["at"][0]).expect("a String takes all");
}

fn write_nodes(tree: &mut String, nodes: &Json, optional: &Json) {
    let optional: Vec<u64> = optional.as_array().into_iter().flatten().filter_map(Json::as_u64).collect();
    for (place, node) in nodes.as_array().into_iter().flatten().enumerate() {
        *tree += if place == 0 { "" } else { ", " };
        *tree += if optional.contains(&(place as u64)) { "?" } else { "" };
        write_node(tree, node);
    }
}

/// As [`print_with_ids`] prints it.
fn write_node(tree: &mut String, node: &Json) {
    match name(node, "kind") {
        "constant" => *tree += &constant(&node["value"]),
        "ident" => *tree += name(node, "name"),
        "select" => {
            write_node(tree, &node["operand"]);
            *tree += &format!(".{}{}", name(node, "field"), if node["test"] == true { "~test" } else { "" });
        }
        "call" => {
            if !node["target"].is_null() {
                write_node(tree, &node["target"]);
                *tree += ".";
            }
            *tree += &format!("{}(", name(node, "function"));
            write_nodes(tree, &node["args"], &Json::Null);
            *tree += ")";
        }
        "list" => {
            *tree += "[";
            write_nodes(tree, &node["elements"], &node["optional"]);
            *tree += "]";
        }
        "map" | "struct" => {
            *tree += &format!("{}{{", name(node, "message"));
            for (place, entry) in node["entries"].as_array().into_iter().flatten().enumerate() {
                *tree += if place == 0 { "" } else { ", " };
                *tree += if entry["optional"] == true { "?" } else { "" };
                if entry["key"].is_null() {
                    *tree += name(entry, "field");
                } else {
                    write_node(tree, &entry["key"]);
                }
                *tree += ":";
                write_id(tree, entry);
                *tree += " ";
                write_node(tree, &entry["value"]);
            }
            *tree += "}";
        }
        kind => {
            assert_eq!(kind, "comprehension");
            *tree += &format!("fold({}", name(node, "variable"));
            if !node["second"].is_null() {
                *tree += &format!(", {}", name(node, "second"));
            }
            *tree += " in ";
            write_node(tree, &node["range"]);
            *tree += &format!("; {} = ", name(node, "accumulator"));
            write_node(tree, &node["init"]);
            for part in ["condition", "step", "result"] {
                *tree += "; ";
                write_node(tree, &node[part]);
            }
            *tree += ")";
        }
    }
    write_id(tree, node);
}

/// As the printer prints literals: parsed again, for the letters in quotes.
fn constant(value: &Json) -> String {
    let (kind, value) = value.as_object().and_then(|value| value.iter().next()).expect("a tagged value");
    let written = value.as_str().unwrap_or_default();
    match kind.as_str() {
        "null" => "null".to_owned(),
        "uint" => format!("{value}u").replace('"', ""),
        "double" => format!("{:e}", written.parse::<f64>().expect("a number")),
        "string" => quoted(written),
        "bytes" => {
            use base64::Engine as _;
            let bytes = base64::prelude::BASE64_STANDARD.decode(written).expect("base64");
            let shown = |byte: &u8| match byte {
                b'"' | b'\\' | 0..0x20 | 0x7f.. => format!("\\x{byte:02x}"),
                _ => char::from(*byte).to_string(),
            };
            format!("b\"{}\"", bytes.iter().map(shown).collect::<String>())
        }
        _ => value.to_string().replace('"', ""),
    }
}

fn quoted(text: &str) -> String {
    let shown = |letter| match letter {
        '"' | '\\' => format!("\\{letter}"),
        '\0'..='\u{1f}' | '\u{7f}' => format!("\\x{:02x}", letter as u32),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(shown).collect::<String>())
}
