//! Patterns and formats: strings are valid or invalid as stated, and every production is reached.

use std::collections::{BTreeMap, BTreeSet};

use crdible_generators::choice::Choices;
use crdible_generators::json::Json;
use crdible_generators::{format, number, pattern, text};
use crdible_semantics::{Format, Pattern};
use rstest::rstest;

use crate::common::{cases, reached};

fn drawn(c: &mut Choices) -> Pattern {
    let text = pattern::pattern(c);
    Pattern::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn thousands_of_patterns_compile_and_have_matches() {
    let (mut matched, mut missed, mut different) = (0, 0, BTreeSet::new());
    let generate = |c: &mut Choices| {
        let pattern = drawn(c);
        let texts = [
            c.keyed("match", |c| pattern::matching(c, &pattern)),
            c.keyed("miss", |c| pattern::near_miss(c, &pattern)),
        ];
        (pattern, texts)
    };
    let (productions, _) = cases(4_000, generate, |seed, (pattern, [text, miss]), _| {
        for (text, expected) in [(text, true), (miss, false)] {
            let Some(text) = text else { continue };
            assert_eq!(pattern.is_match(&text), expected, "seed {seed}: {pattern} on {text:?}");
            *if expected { &mut matched } else { &mut missed } += 1;
        }
        different.insert(pattern.as_str().to_owned());
    });
    assert!(matched > 3_800, "{matched} of 4,000 have a match");
    // A pattern that matches the empty string anywhere has no near miss.
    assert!(missed > 2_400, "{missed} of 4,000 have a near miss");
    assert!(different.len() > 3_000, "{} different patterns", different.len());
    let names = "flags, repetition, counted repetition, large count, lazy repetition, literal text, quoted text, \
        flag from here on, assertion, literal, any character, Perl class, Unicode class, escape, group, \
        group without capture, named group, group with flags, alternation, negated class, class, POSIX class";
    reached(&productions, 120, names);
}

#[test]
fn matches_are_drawn_at_the_edges_and_with_other_characters_around() {
    let counted = |pattern: &str, is_counted: fn(&str) -> bool| {
        let pattern = Pattern::parse(pattern).unwrap();
        (0..1_000)
            .filter(|&seed| {
                pattern::matching(&mut Choices::random(seed), &pattern).is_some_and(|text| is_counted(&text))
            })
            .count()
    };
    // The plainest character, both ends, and one in between.
    assert!(counted("^[a-f]$", |text| text == "a") > 300);
    assert!(counted("^[a-f]$", |text| text == "f") > 50);
    assert!(counted("^[a-f]$", |text| text == "c") > 10);
    // The minimum number of repetitions, and more.
    assert!(counted("^a{2,3}$", |text| text == "aa") > 300);
    assert!(counted("^a{2,3}$", |text| text == "aaa") > 200);
    assert!(counted("^(b|a)$", |text| text == "a") > 300);
    // Characters around the match.
    assert!(counted("b", |text| text.len() > 1) > 100);
    assert_eq!(counted("^b$", |text| text.len() > 1), 0);
}

#[rstest]
#[case::word(r"^\bfoo\b", "foo")]
#[case::lines(r"(?m)^a$\n^b$", "a\nb")]
#[case::simplest("^(|b)[c-e]*[^a]?x{2}$", "xx")]
#[case::plain_character(r"^[\x00-\x{10FFFF}]$", "a")]
#[case::digit(r"^[\x01\x02!1]$", "1")]
fn the_simplest_match_is_simple(#[case] text: &str, #[case] expected: &str) {
    let pattern = Pattern::parse(text).unwrap();
    let found = pattern::matching(&mut Choices::replay(&crdible_generators::choice::Tape::default()), &pattern);
    assert_eq!(found.as_deref(), Some(expected));
}

#[rstest]
#[case::no_character("[^\\x00-\\x{10FFFF}]")]
#[case::never("a^b")]
#[case::long("^(([a-z]{30}){30}){1}([a-z]{1000}){1}(漢漢漢漢漢漢漢漢){1000}$")]
#[case::exponential(&format!("{}^{}", "(?:b?".repeat(150), ")+".repeat(150)))]
#[case::exponential_and_empty(&format!("{}a{}", "(?:|".repeat(150), "){1,}".repeat(150)))]
#[case::deep(&format!("{}a{}", "(?:b".repeat(400), ")?".repeat(400)))]
fn patterns_without_a_match_end_quickly(#[case] text: &str) {
    let pattern = Pattern::parse(text).unwrap();
    for seed in 0..20 {
        let found = pattern::matching(&mut Choices::random(seed), &pattern);
        assert!(found.is_none_or(|text| pattern.is_match(&text)));
        pattern::near_miss(&mut Choices::random(seed), &pattern);
    }
    assert_eq!(pattern::near_miss(&mut Choices::random(1), &Pattern::parse("").unwrap()), None);
}

#[test]
fn valid_and_broken_strings_are_so_for_every_format() {
    for format in Format::all() {
        let (mut valid, mut broken) = (BTreeSet::new(), BTreeMap::<String, u32>::new());
        for seed in 0..2_000 {
            let text = format::valid(&mut Choices::random(seed), format);
            assert!(format.accepts(&text), "seed {seed}: {} {text:?}", format.name());
            valid.insert(text);
            if let Some(text) = format::broken(&mut Choices::random(seed), format) {
                assert!(!format.accepts(&text), "seed {seed}: {} {text:?}", format.name());
                *broken.entry(text).or_default() += 1;
            }
        }
        // Names of Kubernetes objects are usually short, so there are few different ones.
        assert!(valid.len() > 300, "{}: {} different valid texts", format.name(), valid.len());
        let refused = broken.len();
        assert!(refused > 200 || format == Format::Password, "{}: {refused} different broken texts", format.name());
        assert_eq!(broken.values().sum::<u32>(), if format == Format::Password { 0 } else { 2_000 });
    }
}

#[test]
fn strings_of_code_points_have_their_length_and_every_width() {
    let mut widths = BTreeMap::new();
    let (mut marks, mut characters) = (0, 0);
    let generate = |c: &mut Choices| {
        let count = c.up_to(12);
        (count, text::of_code_points(c, count))
    };
    cases(10_000, generate, |seed, (count, text), _| {
        assert_eq!(text.chars().count(), count, "seed {seed}: {text:?}");
        for character in text.chars() {
            *widths.entry((character.len_utf8(), character.len_utf16())).or_insert(0) += 1;
            marks += i32::from(['\u{301}', '\u{20d7}', '\u{1e2ec}'].contains(&character));
            characters += 1;
        }
    });
    for width in [(1, 1), (2, 1), (3, 1), (4, 2)] {
        assert!(widths[&width] * 5 > characters, "{width:?} is {} of {characters}", widths[&width]);
    }
    assert!(marks * 6 > characters, "{marks} of {characters} combine");
}

#[test]
fn written_integers_keep_their_value_and_are_never_plain_literals() {
    let mut forms = BTreeSet::new();
    let generate = |c: &mut Choices| {
        let integer = number::integer(c, -number::EXACT, number::EXACT);
        (integer, number::written(c, integer))
    };
    cases(10_000, generate, |seed, (integer, text), _| {
        let json = Json::parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {text}: {error}"));
        assert_eq!(json, Json::Number(text.clone()), "seed {seed}");
        #[expect(clippy::cast_precision_loss, reason = "within ±2^53")]
        let expected = integer as f64;
        assert!((text.parse::<f64>().unwrap() - expected).abs() < 0.5, "seed {seed}: {integer} is written {text}");
        assert!(text.parse::<i64>().is_err(), "seed {seed}: {text} is a literal");
        forms.insert(text.chars().filter(|character| !character.is_ascii_digit()).collect::<String>());
    });
    for form in [".", "e", "E", "e+", "e-", "E+", ".e", "-.", "-e-"] {
        assert!(forms.contains(form), "no number is written with {form:?}: {forms:?}");
    }
}
