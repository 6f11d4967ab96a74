//! What only can be seen from inside: both matchers agree.
#![allow(clippy::unwrap_used)]

use rstest::rstest;

use super::{Matcher, Pattern, simulation::Simulation};

fn is_automaton(pattern: &Pattern) -> bool {
    matches!(Matcher::new(pattern.hir()), Matcher::Automaton(_))
}

#[rstest]
#[case("")]
#[case("^a*$")]
#[case("a{2,4}b{0}c{1,}")]
#[case("^(a|bc|)d$")]
#[case(r"\b.\B")]
#[case(r"(?m)^b$")]
#[case(r"^(?i:k)+$")]
#[case(r"(a*)*b")]
#[case("^(?:a{2,}b+)+$")]
#[case("^(?:a{3,}|b)+c$")]
#[case(r"[^\x00-\x{10FFFF}]")]
#[case(r"^\pL{2}$")]
#[case(r"((a{0,3}){0,3}|b)c")]
fn the_simulation_is_the_automaton(#[case] text: &str) {
    let pattern = Pattern::parse(text).unwrap();
    assert!(is_automaton(&pattern));
    let simulation = Simulation::new(pattern.hir());
    for text in [
        "",
        "a",
        "b",
        "ab",
        "aab",
        "aaaac",
        "aabcc",
        "d",
        "ad",
        "bcd",
        "x\nb\ny",
        "k",
        "\u{212A}kK",
        "é",
        "éa",
        "c",
        "aaac",
        "bc",
        "日本",
        "\n",
        "a\n",
    ] {
        assert_eq!(simulation.is_match(text), pattern.is_match(text), "{pattern} on {text:?}");
    }
}

#[test]
fn what_no_automaton_takes_is_matched_nevertheless() {
    let large = Pattern::parse(r"^(\pL{100}){10}(\pN{1000})?$").unwrap();
    assert!(!is_automaton(&large));
    let text = "é".repeat(1_000);
    assert!(large.is_match(&text) && !large.is_match(&text[2..]));

    let deep = Pattern::parse(&format!("^{}a{}$", "(?:b".repeat(400), ")?".repeat(400))).unwrap();
    assert!(!is_automaton(&deep));
    assert!(deep.is_match("bbb") && !deep.is_match("bba"));
    assert!(deep.is_match(&format!("{}a", "b".repeat(400))));
}
