//! `doctor --probe` says what a server can do, measures what can be measured, and leaves nothing behind. All servers are
//! in process, and the clock is paused: what a probe waits for comes at once, or never.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crdible::connection::{Target, TargetOptions, connect};
use crdible::doctor::{Measure, Measured, Probe, Problem, Unremoved, probe};
use crdible::properties::Capability;
use crdible::run::{Interrupt, Opening, Selection, Setup, Support};
use crdible_spec::Catalogue;
use rstest::rstest;
use tokio::time::Instant;

use super::mock::{DEFINITIONS, Does, Mock, target};

/// The result of a probe of this server. What is reported line by line is what is rendered.
async fn probe_of(mock: Arc<Mock>) -> Probe {
    let reported = Mutex::new(String::new());
    let probe = probe_reported(mock, Interrupt::never(), |lines| reported.lock().unwrap().push_str(lines)).await;
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&reported.into_inner().unwrap()), lines(&probe.render()));
    probe
}

async fn probe_reported(mock: Arc<Mock>, interrupt: Interrupt, report: impl Fn(&str) + Sync) -> Probe {
    let target = target(mock);
    probe(&target, &setup(&target), interrupt, &report).await.unwrap()
}

fn setup(target: &Target) -> Setup {
    Setup { patience: Duration::from_secs(5), ..Setup::of(target) }
}

/// The result of a probe of this server, of which nothing may be left.
async fn probed(mock: Mock) -> Probe {
    let mock = Arc::new(mock);
    let probe = probe_of(Arc::clone(&mock)).await;
    assert_eq!(mock.paths(), [""; 0], "{}", probe.render());
    assert!(probe.cleaned.is_ok(), "{}", probe.render());
    probe
}

/// What the probe says of a capability.
fn support(probe: &Probe, wanted: Capability) -> &Support {
    &probe.capabilities.iter().find(|(capability, _)| *capability == wanted).unwrap().1
}

/// What was seen instead of a success of the measurement.
fn failure(probe: &Probe, what: Measure) -> &str {
    let Some(Measured::Failed(seen)) = probe.measured(what) else { panic!("{what}: {}", probe.render()) };
    seen
}

fn is_measured(probe: &Probe, what: Measure) -> bool {
    matches!(probe.measured(what), Some(Measured::Time(_) | Measured::Rate(_)))
}

#[tokio::test(start_paused = true)]
async fn a_mock_lacks_nearly_everything_and_is_measured() {
    let probe = probed(Mock::default()).await;
    let text = probe.render();
    assert!(probe.problem.is_none() && probe.exit_code() == 0, "{text}");
    for capability in [
        Capability::DefinitionDryRun,
        Capability::ObjectDryRun,
        Capability::DefinitionDefaults,
        Capability::DefinitionValidation,
        Capability::Validation,
        Capability::Pruning,
        Capability::Defaulting,
        Capability::FieldValidation,
        Capability::Conditions,
        Capability::StoredVersions,
        Capability::Discovery,
        Capability::Versions,
        Capability::OpenApiV3,
    ] {
        assert!(matches!(support(&probe, capability), Support::Missing(_)), "{capability}: {text}");
    }
    for (capability, basis) in [
        (Capability::UpdateValidation, Capability::Validation),
        (Capability::Causes, Capability::DefinitionValidation),
        (Capability::NameConflicts, Capability::Conditions),
        (Capability::AggregatedDiscovery, Capability::Discovery),
    ] {
        assert_eq!(*support(&probe, capability), Support::Implied(basis), "{capability}: {text}");
    }
    for capability in [Capability::Definitions, Capability::Serving, Capability::Storing] {
        assert_eq!(*support(&probe, capability), Support::Whole, "{capability}: {text}");
    }
    for what in [Measure::Served, Measure::Get, Measure::List, Measure::Patch] {
        assert!(is_measured(&probe, what), "{what}: {text}");
    }
    assert!(is_measured(&probe, Measure::Creates) && is_measured(&probe, Measure::Gets), "{text}");
    assert!(is_measured(&probe, Measure::Removed), "{text}");
    assert!(failure(&probe, Measure::Established).starts_with("not within "), "{text}");
    assert!(failure(&probe, Measure::Discovered).contains("GET /apis returned 404"));
    assert_eq!(failure(&probe, Measure::Create), "a created object has no uid and no resourceVersion");
    assert!(failure(&probe, Measure::Left).contains("removed them one by one"), "{text}");
    for line in [
        "  no   dry runs of objects (REST-058): a dry run of an object is not accepted, stores it, or does not end like the real request",
        "  no   pruning (PRUNE-001): an undeclared field is not pruned",
        "  ?    causes of rejections: not tried: it needs validation of definitions\n",
        "  yes  storage of objects\n",
        "  schema changed until served: not measured\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(text.ends_with("nothing is left behind\n"), "{text}");
}

/// A mock that does one thing more has one capability more.
#[rstest]
#[case::establishes(Mock::that(&[Does::Establish]), Capability::Conditions)]
#[case::dry_runs(Mock::that(&[Does::Establish, Does::DryRun]), Capability::ObjectDryRun)]
#[case::dry_runs_of_definitions(Mock::that(&[Does::Establish, Does::DryRun]), Capability::DefinitionDryRun)]
#[case::loses_labels(Mock::that(&[Does::Establish, Does::LoseLabels]), Capability::Serving)]
#[tokio::test(start_paused = true)]
async fn one_capability(#[case] mock: Mock, #[case] capability: Capability) {
    let probe = probed(mock).await;
    assert_eq!(*support(&probe, capability), Support::Whole, "{}", probe.render());
    assert!(probe.problem.is_none(), "{}", probe.render());
}

/// What a request is answered with, if not with a success.
#[rstest]
#[case::identifies(Mock::that(&[Does::Establish, Does::Identify]), Measure::Create, None)]
#[case::deletes(Mock::that(&[Does::Establish]), Measure::Delete, None)]
#[case::deletes_anything(
    Mock::that(&[Does::Establish, Does::DeleteAnything]),
    Measure::Delete,
    Some("a second one is no 404: DELETE ")
)]
#[case::forbidden_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(403)]), Measure::Patch, Some("403"))]
#[case::failed_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(500)]), Measure::Patch, Some("500"))]
#[case::no_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(405)]), Measure::Patch, Some("405"))]
#[case::establishes(Mock::that(&[Does::Establish]), Measure::Established, None)]
#[tokio::test(start_paused = true)]
async fn one_request(#[case] mock: Mock, #[case] what: Measure, #[case] seen: Option<&str>) {
    let forbids = mock.does(&Does::AnswerPatches(403));
    let probe = probed(mock).await;
    match seen {
        None => assert!(is_measured(&probe, what), "{}", probe.render()),
        Some(seen) => assert!(failure(&probe, what).contains(seen), "{}", probe.render()),
    }
    assert_eq!(probe.missing_permissions.iter().any(|request| request.starts_with("PATCH /apis/")), forbids);
}

/// Of a capability that a server has in part, what is wrong is said, too.
#[tokio::test(start_paused = true)]
async fn a_capability_in_part_is_said_to_be_so() {
    let probe = probed(Mock::that(&[Does::Establish, Does::AnswerInvalid(422)])).await;
    let text = probe.render();
    assert!(matches!(support(&probe, Capability::DefinitionValidation), Support::Partial(_)), "{text}");
    assert!(text.contains("  some validation of definitions (CRDVAL-"), "{text}");
}

/// The code and the form of a rejection are another promise than the rejection. What is accepted does not have them.
#[tokio::test(start_paused = true)]
async fn a_rejection_as_text_breaks_the_form_only() {
    let probe = probed(Mock::that(&[Does::Establish, Does::RejectAsText])).await;
    assert!(matches!(support(&probe, Capability::Validation), Support::Partial(_)), "{}", probe.render());
    assert!(matches!(support(&probe, Capability::Causes), Support::Missing(_)), "{}", probe.render());
}

#[tokio::test(start_paused = true)]
async fn an_empty_list_is_called_empty() {
    let probe = probe_of(Arc::new(Mock::that(&[Does::Establish, Does::ListNothing]))).await;
    assert_eq!(failure(&probe, Measure::List), "the list is empty");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_listed_may_be_left() {
    let probe = probe_of(Arc::new(Mock::that(&[Does::Establish, Does::HideLists]))).await;
    let text = probe.render();
    assert!(failure(&probe, Measure::Left).contains("500"), "{text}");
    assert!(text.contains("\nthe definitions are removed, but objects may be left without them: GET "), "{text}");
    assert_eq!(probe.exit_code(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_rate_of_refusals_is_not_measured() {
    let probe = probed(Mock::that(&[Does::Establish, Does::HideMany])).await;
    assert!(is_measured(&probe, Measure::Creates) && failure(&probe, Measure::Gets).starts_with("not measured: "));
    assert_eq!(probe.exit_code(), 0, "{}", probe.render());
    assert!(failure(&probe, Measure::Left).contains("removed them one by one"));
}

#[tokio::test(start_paused = true)]
async fn objects_that_cannot_be_removed_are_left_and_told() {
    let mock = Arc::new(Mock::that(&[Does::Establish, Does::KeepObjects]));
    let probe = probe_of(Arc::clone(&mock)).await;
    let Err(Unremoved::Objects { count, collection }) = &probe.cleaned else { panic!("{}", probe.render()) };
    assert_eq!(*count, mock.paths().len());
    assert!(collection.ends_with("/v1/things"), "{collection}");
    let text = probe.render();
    assert!(text.contains(" were still there (LIFE-015); the probe could remove 1 of them\n"), "{text}");
    assert!(text.ends_with(&format!("see GET {collection}\n")) && !text.contains("--clean"), "{text}");
    assert_eq!(probe.exit_code(), 4);
    assert!(mock.lists.load(Ordering::Relaxed) < 60, "the server is not flooded: {:?}", mock.lists);
}

#[tokio::test(start_paused = true)]
async fn objects_that_are_never_served_end_the_probe_after_what_can_be_tried() {
    let probe = probed(Mock::that(&[Does::ServeNothing])).await;
    let text = probe.render();
    assert!(matches!(&probe.problem, Some(Problem::NotServed { seen, .. }) if seen.contains("404")), "{probe:?}");
    assert_eq!(probe.exit_code(), 3);
    assert!(matches!(support(&probe, Capability::Serving), Support::Missing(_)), "{text}");
    assert!(matches!(support(&probe, Capability::DefinitionDryRun), Support::Missing(_)), "{text}");
    assert!(text.contains("ended early: no object of the definition was accepted"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_write_without_answer_ends_the_probe() {
    let probe = probed(Mock::that(&[Does::Hang])).await;
    assert!(matches!(probe.problem, Some(Problem::Target(_))), "{probe:?}");
    assert_eq!(probe.exit_code(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_embedded_server_has_every_capability() {
    let target = connect(&TargetOptions::default()).await.unwrap();
    let probe = probe(&target, &setup(&target), Interrupt::never(), &|_| {}).await.unwrap();
    let text = probe.render();
    assert_eq!(probe.capabilities.len(), Capability::all().count(), "{text}");
    assert!(probe.capabilities.iter().all(|(_, support)| *support == Support::Whole), "{text}");
    assert!(probe.measured.iter().all(|measured| !matches!(measured.result, Measured::Failed(_))), "{text}");
    assert!(!text.contains("not measured"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn every_named_requirement_exists() {
    let probe = probed(Mock::that(&[Does::Establish])).await;
    let named = probe.capabilities.iter().filter_map(|(_, support)| match support {
        Support::Partial(failure) | Support::Missing(failure) => Some(&failure.requirements),
        Support::Whole | Support::Implied(_) | Support::Excused(_) | Support::Refused(_) | Support::NotTried => None,
    });
    let named: Vec<&Vec<String>> = named.collect();
    assert!(named.len() > 10, "{}", probe.render());
    for requirements in named {
        assert!(!requirements.is_empty(), "{}", probe.render());
        for requirement in requirements {
            assert!(Catalogue::embedded().iter().any(|known| known.id.to_string() == **requirement), "{requirement}");
        }
    }
}

/// What a server answers to invalid definitions says something of their validation alone. One that forbids them leaves
/// that open, and the permission is missing.
#[rstest]
#[case::forbidden(&[Does::Establish, Does::AnswerInvalid(403)], true)]
#[case::conflict(&[Does::Establish, Does::AnswerInvalid(409)], false)]
#[case::failed(&[Does::Establish, Does::AnswerInvalid(500)], false)]
#[tokio::test(start_paused = true)]
async fn invalid_definitions(#[case] does: &'static [Does], #[case] are_forbidden: bool) {
    let create = format!("POST {DEFINITIONS}");
    let probe = probed(Mock::that(does)).await;
    let text = probe.render();
    let validation = support(&probe, Capability::DefinitionValidation);
    let line = if are_forbidden {
        assert_eq!(*validation, Support::Refused(create.clone()), "{text}");
        assert_eq!(*support(&probe, Capability::Causes), Support::Implied(Capability::DefinitionValidation), "{text}");
        format!("  ?    validation of definitions: not tried: the server forbids {create}\n")
    } else {
        assert!(matches!(validation, Support::Partial(_)), "{text}");
        "  some validation of definitions (".to_owned()
    };
    assert!(text.contains(&line), "{text}");
    let permissions: Vec<String> = probe.missing_permissions.iter().cloned().collect();
    assert_eq!(permissions, if are_forbidden { vec![create] } else { vec![] }, "{text}");
    assert_eq!(probe.exit_code(), if are_forbidden { 3 } else { 0 }, "{text}");
    assert_eq!(*support(&probe, Capability::Storing), Support::Whole, "the others are tried: {text}");
    assert!(matches!(support(&probe, Capability::Pruning), Support::Missing(_)), "{text}");
    assert!(is_measured(&probe, Measure::Creates), "{text}");
}

/// From the creation on, whatever else takes longer.
#[tokio::test(start_paused = true)]
async fn discovery_is_looked_at_from_the_creation_on() {
    let probe = probed(Mock::that(&[Does::Discover])).await;
    let text = probe.render();
    let Some(Measured::Time(listed)) = probe.measured(Measure::Discovered) else { panic!("{text}") };
    let Some(Measured::Time(served)) = probe.measured(Measure::Served) else { panic!("{text}") };
    assert!(listed < served, "an object is not tried at once, since no condition comes: {text}");
}

/// A server that never answers is waited for within bounds, and what was written to it may be there.
#[rstest]
#[case::to_writes(&[Does::NeverAnswerWrites], 3)]
#[case::to_anything(&[Does::NeverAnswerAgain], 4)]
#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_given_up(#[case] does: &'static [Does], #[case] code: u8) {
    let begun = Instant::now();
    let probe = probe_of(Arc::new(Mock::that(does))).await;
    let text = probe.render();
    let Some(Problem::TooSlow { limit, .. }) = &probe.problem else { panic!("{text}") };
    assert!((*limit..*limit * 3 / 2).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    assert_eq!(probe.exit_code(), code, "{text}");
    assert!(probe.measured.is_empty() && text.contains("ended early: waited 300 s for all capabilities\n"), "{text}");
    assert_eq!(*support(&probe, Capability::Definitions), Support::NotTried, "{text}");
}

/// With the usual patience the wait for what never comes is within those bounds.
#[rstest]
#[case::without_conditions(&[])]
#[case::that_serves_nothing(&[Does::ServeNothing])]
#[tokio::test(start_paused = true)]
async fn a_server_that_lacks_nearly_everything_is_not_given_up(#[case] does: &'static [Does]) {
    let target = target(Arc::new(Mock::that(does)));
    let probe = probe(&target, &Setup::of(&target), Interrupt::never(), &|_| {}).await.unwrap();
    assert!(!matches!(probe.problem, Some(Problem::TooSlow { .. })), "{}", probe.render());
    assert!(probe.capabilities.iter().all(|(_, support)| *support != Support::NotTried), "{}", probe.render());
}

/// Whatever ends the tries, what could not be removed is reported once, at the end, with its names.
#[rstest]
#[case::all_is_tried(&[Does::Establish, Does::KeepDefinitions], false)]
#[case::an_error_ends_it(&[Does::Establish, Does::KeepDefinitions, Does::BreakOpenApi], true)]
#[tokio::test(start_paused = true)]
async fn definitions_that_cannot_be_removed_are_told(#[case] does: &'static [Does], #[case] is_unfinished: bool) {
    let mock = Arc::new(Mock::that(does));
    let probe = probe_of(Arc::clone(&mock)).await;
    let text = probe.render();
    assert_eq!(probe.unfinished.is_some(), is_unfinished, "{text}");
    assert_eq!(*support(&probe, Capability::Serving), Support::Whole, "{text}");
    let Err(Unremoved::Definitions { names, .. }) = &probe.cleaned else { panic!("{text}") };
    let mut left: Vec<String> = names.iter().map(|object| format!("{DEFINITIONS}/{object}")).collect();
    left.sort();
    let definitions = mock.paths().into_iter().filter(|path| path.starts_with(DEFINITIONS));
    assert_eq!(left, definitions.collect::<Vec<_>>(), "{text}");
    assert_eq!(text.matches("not removed: ").count(), 1, "{text}");
    assert_eq!(probe.exit_code(), 4, "{text}");
}

/// The result of a probe that is interrupted when a line is reported that `begins` like this.
async fn interrupted_at(mock: &Arc<Mock>, begins: &str) -> Probe {
    let (raise, interrupt) = Interrupt::new();
    let probe = probe_reported(Arc::clone(mock), interrupt, |lines| {
        if lines.starts_with(begins) {
            raise.send(true).unwrap();
        }
    });
    let probe = probe.await;
    let text = probe.render();
    assert!(matches!(probe.problem, Some(Problem::Interrupted)), "{text}");
    assert_eq!(probe.exit_code(), 130, "{text}");
    assert_eq!(mock.paths(), [""; 0], "{text}");
    assert!(text.ends_with("ended early: interrupted\nnothing is left behind\n"), "{text}");
    probe
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_during_the_measurements_keeps_what_was_measured() {
    let probe = interrupted_at(&Arc::new(Mock::that(&[Does::Establish])), "  one get").await;
    let text = probe.render();
    assert!(is_measured(&probe, Measure::Get) && probe.measured(Measure::Creates).is_none(), "{text}");
    assert!(text.contains("  creates: not measured\n"), "{text}");
    assert_eq!(*support(&probe, Capability::Storing), Support::Whole, "{text}");
}

/// The last line before what was created for the capabilities is removed is about one that was not tried.
#[tokio::test(start_paused = true)]
async fn after_an_interrupt_nothing_is_measured() {
    let mock = Arc::new(Mock::that(&[Does::Establish]));
    let probe = interrupted_at(&mock, "  ?    aggregated discovery: not tried: it needs discovery").await;
    assert!(probe.measured.is_empty(), "{}", probe.render());
    assert_eq!(*support(&probe, Capability::Storing), Support::Whole, "{}", probe.render());
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_leaves_capabilities_untried() {
    let probe = interrupted_at(&Arc::new(Mock::that(&[Does::Establish])), "  yes  serving of definitions").await;
    let text = probe.render();
    assert_eq!(*support(&probe, Capability::Serving), Support::Whole, "{text}");
    assert_eq!(*support(&probe, Capability::Watches), Support::NotTried, "{text}");
    assert!(probe.measured.is_empty() && text.contains("  ?    watches: not tried\n"), "{text}");
}

/// Of a capability that no source needs, nothing is known.
#[tokio::test(start_paused = true)]
async fn what_was_not_tried_is_not_said_to_be_there() {
    let target = connect(&TargetOptions::default()).await.unwrap();
    let opening = setup(&target).open(&target, Selection::Only(&[]), Interrupt::never()).await.unwrap();
    let Opening::Open(session) = opening else { panic!("it is not interrupted") };
    for (capability, support) in session.capabilities() {
        assert_eq!(support, Support::NotTried, "{capability}");
    }
    assert_eq!(session.close().await, []);
}
