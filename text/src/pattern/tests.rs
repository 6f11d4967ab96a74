//! Both matchers agree with each other and with a naive matcher.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::*;
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
fn simulation_and_automaton_agree(#[case] text: &str) {
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
fn expressions_without_an_automaton_match_too() {
    let large = Pattern::parse(r"^(\pL{100}){10}(\pN{1000})?$").unwrap();
    assert!(!is_automaton(&large));
    let text = "é".repeat(1_000);
    assert!(large.is_match(&text) && !large.is_match(&text[2..]));

    let deep = Pattern::parse(&format!("^{}a{}$", "(?:b".repeat(400), ")?".repeat(400))).unwrap();
    assert!(!is_automaton(&deep));
    assert!(deep.is_match("bbb") && !deep.is_match("bba"));
    assert!(deep.is_match(&format!("{}a", "b".repeat(400))));
}

/// The program of the simulation grows linearly with the depth of the expression, so matching does too.
#[rstest]
#[case::stars("(?:b", ")*")]
#[case::pluses("(?:b", ")+")]
#[case::optional_parts("(?:b", ")?")]
#[case::branches("(?:b|c", ")*")]
#[case::at_least_one("(?:b", "){1,}")]
fn programs_do_not_explode(#[case] open: &str, #[case] close: &str) {
    let steps = |depth: usize| {
        let text = format!("{}a{}", open.repeat(depth), close.repeat(depth));
        Simulation::new(Pattern::parse(&text).unwrap().hir()).step_count()
    };
    let (small, large) = (steps(75), steps(300));
    assert!(large <= small * 4, "{small} steps at depth 75, {large} at depth 300");
}

/// An expression over `a`, `b` and `c`, as a tree that a naive matcher can follow.
#[derive(Clone, Debug)]
enum Naive {
    Empty,
    Letter(char),
    /// `[ab]` or `[^ab]`.
    Class {
        is_negated: bool,
    },
    Start,
    End,
    Row(Vec<Self>),
    Branches(Vec<Self>),
    Repeated(Box<Self>, usize, Option<usize>),
}

impl Naive {
    fn any() -> impl Strategy<Value = Self> {
        let leaf = prop_oneof![
            Just(Self::Empty),
            proptest::sample::select(vec!['a', 'b', 'c']).prop_map(Self::Letter),
            any::<bool>().prop_map(|is_negated| Self::Class { is_negated }),
            Just(Self::Start),
            Just(Self::End),
        ];
        leaf.prop_recursive(4, 16, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 1..4).prop_map(Self::Row),
                proptest::collection::vec(inner.clone(), 1..4).prop_map(Self::Branches),
                (inner, 0..3_usize, proptest::option::of(0..3_usize)).prop_map(|(part, least, more)| Self::Repeated(
                    Box::new(part),
                    least,
                    more.map(|more| least + more)
                )),
            ]
        })
    }

    fn text(&self) -> String {
        let all = |parts: &[Self]| parts.iter().map(Self::text).collect::<Vec<_>>();
        match self {
            Self::Empty => String::new(),
            Self::Letter(letter) => letter.to_string(),
            Self::Class { is_negated } => if *is_negated { "[^ab]" } else { "[ab]" }.to_owned(),
            Self::Start => "^".to_owned(),
            Self::End => "$".to_owned(),
            Self::Row(parts) => all(parts).concat(),
            Self::Branches(parts) => format!("(?:{})", all(parts).join("|")),
            Self::Repeated(part, least, most) => {
                let most = most.map(|most| most.to_string()).unwrap_or_default();
                format!("(?:{}){{{least},{most}}}", part.text())
            }
        }
    }

    /// The positions at which a match that starts at one of `starts` can end.
    fn ends(&self, text: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        let letter = |accepts: &dyn Fn(char) -> bool| {
            starts.iter().filter(|&&at| text.get(at).is_some_and(|&letter| accepts(letter))).map(|at| at + 1).collect()
        };
        match self {
            Self::Empty => starts.clone(),
            Self::Letter(expected) => letter(&|letter| letter == *expected),
            Self::Class { is_negated } => letter(&|letter| matches!(letter, 'a' | 'b') != *is_negated),
            Self::Start => starts.iter().copied().filter(|&at| at == 0).collect(),
            Self::End => starts.iter().copied().filter(|&at| at == text.len()).collect(),
            Self::Row(parts) => parts.iter().fold(starts.clone(), |starts, part| part.ends(text, &starts)),
            Self::Branches(parts) => parts.iter().flat_map(|part| part.ends(text, starts)).collect(),
            Self::Repeated(part, least, most) => {
                let mut now = (0..*least).fold(starts.clone(), |starts, _| part.ends(text, &starts));
                let mut all = now.clone();
                // Each further copy either consumes a letter or adds no position.
                for _ in *least..most.unwrap_or(least + text.len() + 1) {
                    now = part.ends(text, &now);
                    all.extend(&now);
                }
                all
            }
        }
    }
}

proptest! {
    #[test]
    fn both_matchers_agree_with_a_naive_one(naive in Naive::any(), text in "[abc]{0,6}") {
        let letters: Vec<char> = text.chars().collect();
        let expected = !naive.ends(&letters, &(0..=letters.len()).collect()).is_empty();
        let pattern = Pattern::parse(&naive.text()).unwrap();
        prop_assert!(is_automaton(&pattern));
        prop_assert_eq!(pattern.is_match(&text), expected, "{} on {:?}", pattern, text);
        prop_assert_eq!(Simulation::new(pattern.hir()).is_match(&text), expected, "{} on {:?}", pattern, text);
    }
}

#[rstest]
#[case::first("a+", "baacaaa", &["aa", "aaa"])]
#[case::preferred("a|ab", "abab", &["a", "a"])]
#[case::lazy("a+?", "aaa", &["a", "a", "a"])]
#[case::empty("x*", "axb", &["", "x", ""])]
#[case::nothing("z", "abc", &[])]
#[case::unicode("[é-ö]+", "aéöb", &["éö"])]
fn finds_where_go_does(#[case] expression: &str, #[case] text: &str, #[case] found: &[&str]) {
    let pattern = Pattern::parse(expression).expect("an expression");
    let all: Vec<&str> = pattern.find_all(text).map(|range| &text[range]).collect();
    assert_eq!(all, found);
    assert_eq!(pattern.find(text).map(|range| &text[range]), found.first().copied());
}

/// The automaton of such an expression is larger than the limit for matches.
#[test]
fn finds_with_a_large_expression() {
    let pattern = Pattern::parse("(\\pL{500}|b){2}c").expect("an expression");
    assert_eq!(pattern.find("abbc"), Some(1..4));
}
