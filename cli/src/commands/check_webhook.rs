//! `crdible check-webhook`.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use crdible_reports::{
    Report, TargetRelease,
    glob::matches,
    journal::{self as lines, Line},
    shell::quoted,
};
use crdible_semantics::Release;
use crdible_spec::Level;
use tokio::sync::mpsc;

use crate::{
    error::CliError,
    files::{Recorder, counterexamples, journal, known},
    flags::{OutputArgs, seconds, seed, seed_or_drawn},
    output::{self, FileArgs, Progress},
    runs::contract,
    signals::terminated,
};
use crdible::{
    connection::{self, Target, TargetOptions, redact},
    converter::{Asker, ConverterTransport, Reached, requests_of_a_case},
    execute::Record,
    reviews::{self, ReviewProperty, Subject},
    run::{
        self, ConfirmedFinding, Examiner as _, Interrupt, JournalLines, Known, ReplayHint, RunOptions, ScenarioSource,
        Stop, new_run_id,
    },
    scenario::{Contract, Loss, Refusal},
};

/// The example in the help.
pub(crate) const EXAMPLE: &str = "\
Example:
  crdible check-webhook https://localhost:9443/convert --crd config/crd/bases/example.com_things.yaml \\
    --insecure-skip-tls-verify --samples config/samples/";

/// The default number of cases for each property.
const CASES: u64 = 100;

/// How long an API server waits for an answer (CONV-008).
const SERVERS_PATIENCE: Duration = Duration::from_secs(30);

/// A property with fewer judged cases than this is inconclusive.
const MINIMUM: u64 = 20;

/// The property that is asked of a webhook that no API server could use.
const PROTOCOL: &str = "conv-030-protocol";

/// If the usual number of cases took longer than this, there are fewer.
const LONG: Duration = Duration::from_secs(90);

/// About how long fewer cases take, if they are not the fewest.
const AIM: Duration = Duration::from_secs(60);

/// The fewest cases by which a property is judged although some are discarded.
const FEWEST: u64 = 30;

/// The webhook, and what it converts.
#[derive(Debug, Args)]
pub(crate) struct CheckWebhookArgs {
    /// URL of the webhook, as in spec.conversion.webhook.clientConfig.url; http is allowed, for tests
    #[arg(value_name = "URL", required_unless_present = "launch")]
    url: Option<String>,
    /// File or folder with the CustomResourceDefinition whose objects the webhook converts
    #[arg(long, value_name = "PATH")]
    crd: PathBuf,
    /// Command that starts the webhook for this run, and prints its URL as its first line
    #[arg(long, value_name = "COMMAND", conflicts_with = "url")]
    launch: Option<String>,
    /// File to which the standard error of the launched webhook is appended
    #[arg(long, value_name = "FILE", requires = "launch")]
    launch_log: Option<PathBuf>,
    /// File with the CA certificates to verify the webhook's certificate
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Skip TLS certificate verification
    #[arg(long)]
    insecure_skip_tls_verify: bool,
    /// Timeout for one review, in seconds or with a unit; at most 30s, for which an API server waits
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = seconds)]
    request_timeout: Duration,
    /// File or folder with objects of your own, which are converted besides generated ones; may be repeated
    #[arg(long, value_name = "PATH", help_heading = "What to test")]
    samples: Vec<PathBuf>,
    /// Field of a version that conversion loses on purpose, such as v1:.spec.host; may be repeated
    #[arg(long, value_name = "VERSION:.PATH", help_heading = "What to test")]
    lossy: Vec<Loss>,
    /// Objects that conversion refuses on purpose: those with a field, such as v1:.spec.x, or with a value,
    /// such as v1:.spec.mode=legacy; may be repeated
    #[arg(long, value_name = "VERSION:.PATH[=VALUE]", help_heading = "What to test")]
    refuses: Vec<Refusal>,
    /// Only properties whose ID matches (`*` and `?` are wildcards)
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    property: Vec<String>,
    /// Only what a converter must do, without recommendations (SHOULD)
    #[arg(long, help_heading = "What to test")]
    only_must: bool,
    /// File of known failures, which are listed separately and not counted
    #[arg(long, value_name = "FILE", help_heading = "What to test")]
    known: Option<PathBuf>,
    /// Seed of all random choices [default: what `CRDIBLE_SEED` says, or a random one; it is printed]
    #[arg(long, value_name = "NUMBER", value_parser = seed, help_heading = "How much to test")]
    seed: Option<u64>,
    /// Cases for each property [default: 100]
    #[arg(
        long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "How much to test"
    )]
    cases: Option<u64>,
    /// Stop after this time, in seconds or with a unit (90, 5m, 2h); without --cases, run as many cases as possible
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = "How much to test")]
    time: Option<Duration>,
    /// Scenarios in flight at once
    #[arg(
        long, value_name = "NUMBER", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=256),
        help_heading = "How much to test"
    )]
    workers: u16,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    files: FileArgs,
}

pub(crate) async fn check_webhook(arguments: &CheckWebhookArgs) -> Result<u8, CliError> {
    if arguments.request_timeout > SERVERS_PATIENCE {
        return Err(CliError::usage(
            "--request-timeout: an API server waits for 30 s, and a later answer is as good as none (CONV-048)",
        ));
    }
    arguments.output.check()?;
    let contract = contract::read(&arguments.crd, &arguments.lossy, &arguments.refuses)?;
    let samples = contract::samples(&arguments.samples, &contract)?;
    let properties = select(arguments, &contract)?;
    let known = known::read(arguments.known.as_deref())?;
    let files = arguments.files.open(&[])?;
    let options = target_options(arguments);
    // A webhook that crashes on one object must still be asked for the others.
    let target = connection::connect(&options).await.map_err(named_after_the_webhook)?.relaunching(&options);
    output::keep_secret(target.secrets());
    let outcome =
        judge(arguments, &target, Subject { contract: Arc::new(contract), samples }, &properties, &known).await;
    target.shutdown().await;
    let report = outcome?;
    output::result(&arguments.output.format.of(&report));
    let code = report.exit_code();
    files.write(&[report])?;
    Ok(code)
}

fn target_options(arguments: &CheckWebhookArgs) -> TargetOptions {
    TargetOptions {
        server: arguments.url.clone(),
        launch: arguments.launch.clone(),
        launch_log: arguments.launch_log.clone(),
        ca: arguments.ca.clone(),
        insecure: arguments.insecure_skip_tls_verify,
        request_timeout: Some(arguments.request_timeout),
        ..TargetOptions::default()
    }
}

/// Names the argument of this command in an error about the flag of other commands.
fn named_after_the_webhook(error: connection::TargetError) -> CliError {
    match error {
        connection::TargetError::Usage(text) => CliError::Usage(text.replace("--server", "URL")),
        error => error.into(),
    }
}

/// The selected properties that apply.
fn select(arguments: &CheckWebhookArgs, contract: &Contract) -> Result<Vec<&'static ReviewProperty>, CliError> {
    let is_named = |property: &&ReviewProperty| {
        arguments.property.is_empty() || arguments.property.iter().any(|pattern| matches(pattern, property.id))
    };
    if let Some(pattern) = arguments.property.iter().find(|pattern| !reviews::all().any(|one| matches(pattern, one.id)))
    {
        let ids: Vec<&str> = reviews::all().map(|property| property.id).collect();
        return Err(CliError::usage(format!("--property {pattern} matches none of: {}", ids.join(", "))));
    }
    let is_asked = |property: &&ReviewProperty| !arguments.only_must || property.level() == Level::Must;
    let selected: Vec<_> =
        reviews::all().filter(is_named).filter(is_asked).filter(|property| (property.applies)(contract)).collect();
    if selected.is_empty() {
        return Err(CliError::usage("the definition and the flags leave no property to test"));
    }
    Ok(selected)
}

async fn judge(
    arguments: &CheckWebhookArgs,
    target: &Target,
    subject: Subject,
    properties: &[&'static ReviewProperty],
    known: &crdible_reports::KnownFailures,
) -> Result<Report, CliError> {
    let asker = Arc::new(Asker::new(ConverterTransport::Http(Arc::clone(&target.transport))));
    let reached = asker.reach().await?;
    // Leaked once: the command checks one converter and then ends.
    let subject: &'static Subject = Box::leak(Box::new(subject));
    let of_all = |properties: &[&'static ReviewProperty]| -> Vec<ScenarioSource> {
        properties.iter().map(|property| ScenarioSource::Review(property, subject)).collect()
    };
    let (sources, cases, unusable) = match reached {
        Reached::Unusable(why) => {
            let protocol: Vec<_> = reviews::find(PROTOCOL).into_iter().collect();
            (of_all(&protocol), Some(MINIMUM), Some(format!("{why}. Nothing but the protocol was asked")))
        }
        Reached::After(pace) => {
            let sources = of_all(properties);
            let cases = arguments.cases.or_else(|| fewer_cases(arguments, &sources, pace));
            (sources, cases, None)
        }
    };
    let described = lines::Target {
        kind: lines::TargetKind::Converter,
        address: target.description.shown().to_owned(),
        version: None,
        release: Release::BASELINE.to_string(),
    };
    let usual = if arguments.time.is_some() { u64::MAX / 4 } else { CASES };
    let options = RunOptions {
        seed: seed_or_drawn(arguments.seed)?,
        time: arguments.time,
        workers: usize::from(arguments.workers),
        known: Known::at(TargetRelease::of(&described), known.clone()),
        ..RunOptions::new(sources, cases.unwrap_or(usual))
    };
    let id = new_run_id();
    let secrets = target.secrets();
    let header = journal::header(&id, "check-webhook", &options, None, &[secrets], (described, None));
    let mut recorder = Recorder::open(arguments.output.journal.as_deref(), vec![secrets.clone()], header)?;
    let mut plan = run::plan(&options, MINIMUM, false, |_| None);
    // Recommendations do not change the verdict, neither by failing nor by too few cases.
    let is_recommendation = |id: &str| reviews::find(id).is_some_and(|property| property.level() != Level::Must);
    plan.properties.iter_mut().filter(|planned| is_recommendation(&planned.id)).for_each(|planned| planned.minimum = 0);
    recorder.write(Line::Plan(plan));
    let (sender, mut events) = mpsc::unbounded_channel();
    let (raise, interrupt) = Interrupt::new();
    let signalled = tokio::spawn(async move {
        terminated().await;
        let _ = raise.send(true);
    });
    let mut progress = Progress::of(&options);
    let running = run::run(Arc::clone(&asker), options, sender, interrupt);
    let recording = async {
        let mut lines = JournalLines::of_run();
        while let Some(event) = progress.next(&mut events).await {
            let line = lines.line(&event, |finding, _| replay_hint(arguments, finding));
            line.into_iter().for_each(|line| recorder.write(line));
        }
    };
    let (summary, ()) = tokio::join!(running, recording);
    signalled.abort();
    progress.finish();
    if summary.stop == Stop::Time && summary.cases.values().all(|cases| *cases == 0) {
        let note = format!(
            "no answer came before the time was over; a server waits {} s for one, so use a longer --time",
            arguments.request_timeout.as_secs()
        );
        recorder.write(Line::Event(lines::Event::new(lines::Event::NOTE, note)));
    }
    if let Some(note) = unusable {
        recorder.write(Line::Event(lines::Event::new(lines::Event::NOTE, note)));
    }
    if summary.stop != Stop::Interrupted {
        for note in notes(&asker, subject, target.restarts()) {
            recorder.write(Line::Event(lines::Event::new(lines::Event::NOTE, note)));
        }
    }
    Ok(recorder.report(&summary.stop, asker.requests(), summary.sent, known))
}

/// Fewer cases than usual, if answers are so slow that all would take long; says how long.
fn fewer_cases(arguments: &CheckWebhookArgs, sources: &[ScenarioSource], pace: Duration) -> Option<u64> {
    if arguments.time.is_some() {
        return None;
    }
    let one_of_each = pace.mul_f64(requests_of_a_case(sources)) / u32::from(arguments.workers).max(1);
    let cases = fitting_cases(one_of_each)?;
    output::warn(&format!(
        "an answer of the webhook takes about {} ms: {cases} cases of each property, which take about {} s; {CASES}, \
         the usual number, would take about {} s (--cases {CASES})",
        pace.as_millis(),
        takes(cases, one_of_each).as_secs(),
        takes(CASES, one_of_each).as_secs()
    ));
    Some(cases)
}

/// How many cases of each property do not take long, if the usual number does and one of each takes this long.
fn fitting_cases(one_of_each: Duration) -> Option<u64> {
    if takes(CASES, one_of_each) <= LONG {
        return None;
    }
    let fitting = (FEWEST..CASES).rev().find(|cases| takes(*cases, one_of_each) <= AIM);
    Some(fitting.unwrap_or(FEWEST))
}

fn takes(cases: u64, one_of_each: Duration) -> Duration {
    one_of_each.saturating_mul(u32::try_from(cases).unwrap_or(u32::MAX))
}

/// Notes for the user, besides failures.
fn notes(asker: &Asker, subject: &Subject, restarts: u32) -> Vec<String> {
    let mut notes = Vec::new();
    if restarts > 0 {
        notes.push(format!(
            "the webhook ended {} during the run and was started again; see its log for the reason",
            if restarts == 1 { "once".to_owned() } else { format!("{restarts} times") }
        ));
    }
    let annotations = asker.own_annotations();
    if !annotations.is_empty() {
        notes.push(format!(
            "the converter keeps data in annotations ({}), which a \
             client loses that replaces all annotations (CONV-051)",
            annotations.join(", ")
        ));
    }
    let with_rules = subject.contract.versions.iter().filter(|version| reviews::has_rules(&version.schema));
    let with_rules: Vec<&str> = with_rules.map(|version| version.name.as_str()).collect();
    if !with_rules.is_empty() {
        notes.push(format!(
            "CEL rules ({}) are not evaluated: generated objects may break them, so that the converter may refuse them",
            with_rules.join(", ")
        ));
    }
    notes
}

/// Writes the counterexample of a finding to a file, and returns the command that replays it.
fn replay_hint(arguments: &CheckWebhookArgs, finding: &ConfirmedFinding) -> ReplayHint {
    let path = counterexamples::write(&arguments.output.failures, "", finding, Release::BASELINE);
    let url = arguments.url.as_deref().map(|url| quoted(&redact(url)));
    let mut flags = String::new();
    for (flag, value) in
        [("--launch", arguments.launch.clone()), ("--ca", arguments.ca.as_ref().map(|path| path.display().to_string()))]
    {
        if let Some(value) = value {
            flags.push_str(&format!(" {flag} {}", quoted(&value)));
        }
    }
    if arguments.insecure_skip_tls_verify {
        flags.push_str(" --insecure-skip-tls-verify");
    }
    let command = match &path {
        Some(path) => {
            let server = url.map(|url| format!(" --server {url}")).unwrap_or_default();
            format!("crdible replay {}{server}{flags}", quoted(path))
        }
        None => {
            let url = url.map(|url| format!(" {url}")).unwrap_or_default();
            let (crd, property) = (arguments.crd.display().to_string(), &finding.signature().property);
            format!("crdible check-webhook{url}{flags} --crd {} --property {property}", quoted(&crd))
        }
    };
    ReplayHint { path, command }
}

/// Refuses the embedded server as the target of counterexamples of converters.
pub(crate) fn refuse_embedded(target: &Target) -> Result<(), CliError> {
    if target.is_embedded() {
        return Err(CliError::usage(
            "this is about a conversion webhook: pass its URL with --server, or its command with --launch",
        ));
    }
    Ok(())
}

/// Runs a counterexample of a converter again; the target's URL is that of the webhook. `None` if it was interrupted.
pub(crate) async fn replay(
    target: &Target,
    counterexample: &run::Counterexample,
) -> Result<Option<(run::Replayed, Record)>, CliError> {
    refuse_embedded(target)?;
    let asker = Asker::new(ConverterTransport::Http(Arc::clone(&target.transport)));
    tokio::select! {
        biased;
        () = terminated() => Ok(None),
        outcome = crdible::converter::replay(&asker, counterexample) => Ok(Some(outcome?)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::fitting_cases;

    #[rstest]
    #[case::quick(100, None)]
    #[case::just_quick_enough(900, None)]
    #[case::slow(1_000, Some(60))]
    #[case::very_slow(20_000, Some(30))]
    fn a_slow_webhook_gets_fewer_cases(#[case] milliseconds: u64, #[case] expected: Option<u64>) {
        assert_eq!(fitting_cases(Duration::from_millis(milliseconds)), expected);
    }
}
