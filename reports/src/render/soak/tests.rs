#![allow(clippy::unwrap_used)]

use rstest::rstest;

use super::{duration, seeds, soak};
use crate::SoakTally;
use crate::journal::{Journal, StopReason, TargetKind};
use crate::render::Style;
use crate::sample::{KNOWN, catalogue, clean, eventful, fold};
use crate::soak::{Asked, Soak};

fn sum(rounds: &[Journal]) -> Soak {
    let mut tally = SoakTally::new(rounds[0].header.clone(), Asked { cases: Some(100), seconds: None });
    for (round, seed) in rounds.iter().zip(42..) {
        let mut round = round.clone();
        round.header.run.seed = seed;
        tally.add(&fold(&round, KNOWN), &catalogue());
    }
    tally.conclude(Some(StopReason::Finished), None, "2026-11-21T13:00:00Z".to_owned(), 8000.0)
}

#[test]
fn a_clean_soak() {
    insta::assert_snapshot!(soak(&sum(&[clean(), clean()]), Style::default()));
}

#[test]
fn an_eventful_soak() {
    insta::assert_snapshot!(soak(&sum(&[clean(), eventful(), eventful()]), Style::default()));
}

#[test]
fn a_failure_on_the_embedded_server_is_a_defect_of_crdible() {
    let mut journal = eventful();
    journal.header.target.kind = TargetKind::Embedded;
    let sum = sum(&[journal]);
    let path = sum.failures.iter().find_map(|found| found.path.clone()).unwrap();
    let text = soak(&sum, Style::default());
    let last = text.lines().last().unwrap();
    assert!(
        last.contains("a defect of crdible itself") && last.contains(&format!("with the file {path} at https://")),
        "{text}"
    );
}

#[rstest]
#[case(0.2, "0 s")]
#[case(59.6, "1 min 0 s")]
#[case(307.0, "5 min 7 s")]
#[case(8000.0, "2 h 13 min")]
#[case(-1.0, "0 s")]
fn durations(#[case] seconds: f64, #[case] expected: &str) {
    assert_eq!(duration(seconds), expected);
}

#[test]
fn many_seeds_take_several_lines_and_very_many_are_cut() {
    assert_eq!(seeds(&[7]), "seed 7\n");
    let all: Vec<u64> = (0..1000).map(|seed| (1 << 52) + seed).collect();
    let text = seeds(&all);
    assert!(text.lines().all(|line| line.len() <= 120), "{text}");
    assert!(text.ends_with("and 600, each of which follows from the one before\n"), "{text}");
    assert!(text.contains(&all[399].to_string()) && !text.contains(&all[400].to_string()));
}
