//! What `run` and `fuzz` have in common: their flags, and how a target is judged.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use crdible_reports::{
    Failure, KnownFailures, Report, Signature, TargetRelease,
    journal::{Event, Line, Sent, Shard},
    render,
    shell::quoted,
};
use crdible_semantics::Release;
use crdible_spec::Catalogue;
use tokio::sync::mpsc;

use crate::{
    amount::AmountArgs,
    arguments::{OutputArgs, TARGET_HEADING, TargetArgs, positive, seconds},
    claims, counterexamples,
    error::CliError,
    journal,
    night::Night,
    output,
    profile::{CORE, Profile},
    progress::{Progress, telling},
    ready,
    recorder::Recorder,
    release::ReleaseChoice,
    renderings::{FileArgs, Files},
    resume::Resumed,
    selection,
    signals::interrupt_runs,
    unjudged,
    webhooks::WebhookArgs,
};
use crdible::{
    connection::{Target, TargetOptions},
    doctor::{Judged, ServerFacts},
    properties::Capability,
    run::{
        self, Event as RunEvent, Finding, JournalLines, Known, Opening, ReplayHint, RunOptions, ScenarioSource,
        Selection, Setup, Stop,
    },
};

/// What to test, against what, and what to write.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Wait up to this time for a target that is not ready yet
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = TARGET_HEADING)]
    wait: Option<Duration>,
    /// End the run after this many failures that are not known
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), help_heading = "How much to test")]
    max_failures: Option<u64>,
    /// Maximum number of requests per second
    #[arg(long, value_name = "NUMBER", value_parser = positive, help_heading = "How much to test")]
    qps: Option<f64>,
    /// Only properties whose ID matches (`*` and `?` are wildcards)
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    property: Vec<String>,
    /// Only properties that assert a matching requirement or edge, such as PRUNE-004 or DEFAULT-*
    #[arg(long, value_name = "GLOB", num_args = 1.., help_heading = "What to test")]
    requirement: Vec<String>,
    /// What the target claims to be: core, full, quirks, or the path of a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = CORE, help_heading = "What to test")]
    profile: String,
    /// The Kubernetes release by which to judge, such as 1.34; auto is the one that the target claims
    #[arg(long, value_name = "MINOR|auto", default_value_t, help_heading = "What to test")]
    release: ReleaseChoice,
    /// File of known failures, which are listed separately and not counted
    #[arg(long, value_name = "FILE", help_heading = "What to test")]
    pub(crate) known: Option<PathBuf>,
    /// Fail if a known failure no longer fails
    #[arg(long, requires = "known", help_heading = "What to test")]
    strict_known: bool,
    /// Namespace for namespaced objects; a few properties also use a second one: kube-public, or default if this is kube-public
    #[arg(long, value_name = "NAME", default_value = "default", help_heading = "What to test")]
    namespace: String,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

/// A property with fewer judged cases than this is inconclusive, however the run ended; a run that requests fewer does
/// not count as a run of its profile.
pub(crate) const MINIMUM: u64 = 50;

/// What a server may lack without fault, and what a user must know then.
const EXCUSED: [(Capability, &str); 2] = [
    (
        Capability::Webhooks,
        "conversion webhooks were not judged, because the server cannot reach those of this command; --webhook-listen and \
         --webhook-host say how it can",
    ),
    (
        Capability::Namespaces,
        "objects in two namespaces were not judged, because the server has no second one, or does not allow objects there: kube-public, \
         or default if --namespace is kube-public",
    ),
];

/// What is done before the first case: a server that lacks much keeps it waiting.
pub(crate) const FINDING_OUT: &str = "finding out what the target can do";

/// What is done after the last case.
pub(crate) const REMOVING: &str = "removing what the run created";

impl TestArgs {
    /// Whether profile and patterns select something, for a command that must know before it writes anything.
    pub(crate) fn check_selection(&self, explores: bool) -> Result<(), CliError> {
        let profile = Profile::find(&self.profile)?;
        selection::select(&profile, &self.property, &self.requirement, explores).map(drop)
    }

    /// Prints the report and writes its files. Returns the exit code.
    pub(crate) fn conclude(&self, report: Report, files: Files) -> Result<u8, CliError> {
        output::result(&self.output.format.of(&report));
        let code = if self.strict_known { report.exit_code_if_strict() } else { report.exit_code() };
        files.write(&[report])?;
        Ok(code)
    }
}

/// How much of it is run, and in which order.
pub(crate) struct Work<'a> {
    /// The command: `run` or `fuzz`.
    pub(crate) command: &'static str,
    pub(crate) amount: &'a AmountArgs,
    pub(crate) shard: Option<Shard>,
    pub(crate) resumed: Option<Resumed>,
    /// Cases that learn instead of those of the seed.
    pub(crate) night: Option<Night>,
}

/// What is run, and by what it is judged.
struct Chosen {
    profile: String,
    sources: Vec<ScenarioSource>,
    release: ReleaseChoice,
    /// Whether nothing is left out.
    selects_all: bool,
    /// What the target does not claim, and how many properties are left out because of it.
    unclaimed: BTreeMap<Capability, u64>,
}

impl Chosen {
    fn of(arguments: &TestArgs, work: &Work<'_>) -> Result<Self, CliError> {
        if let Some(resumed) = &work.resumed {
            let sources = resumed.properties()?.into_iter().map(Into::into).collect();
            let (profile, release) = (resumed.journal.header.profile.clone(), resumed.release()?);
            let unclaimed = resumed.unclaimed().map(|capability| (capability, 0)).collect();
            return Ok(Self { profile, sources, release, selects_all: false, unclaimed });
        }
        let profile = Profile::find(&arguments.profile)?;
        let sources = selection::select(&profile, &arguments.property, &arguments.requirement, work.night.is_some())?;
        let (sources, unclaimed) = selection::claimed(sources, &profile)?;
        let selects_all = arguments.property.is_empty() && arguments.requirement.is_empty();
        Ok(Self { profile: profile.name, sources, release: arguments.release, selects_all, unclaimed })
    }
}

/// Runs it on the target of the flags.
pub(crate) async fn on_target(arguments: &TestArgs, work: Work<'_>, known: &KnownFailures) -> Result<Report, CliError> {
    let chosen = Chosen::of(arguments, &work)?;
    let options = TargetOptions { release: chosen.release.emulated(), ..arguments.target.options() };
    let (target, facts) = ready::connect(&options, arguments.wait).await?;
    let report = judge(arguments, work, chosen, &target, &facts, known).await;
    target.shutdown().await;
    report
}

async fn judge(
    arguments: &TestArgs,
    work: Work<'_>,
    chosen: Chosen,
    target: &Target,
    facts: &ServerFacts,
    known: &KnownFailures,
) -> Result<Report, CliError> {
    let begun = Instant::now();
    let Chosen { profile, sources, release, selects_all, unclaimed } = chosen;
    let Work { command, amount, shard, resumed, mut night } = work;
    let Judged { release, remark: other_release } = release.judged_aloud(facts);
    let setup = amount.setup(Setup { rate: arguments.qps, ..Setup::of(target) }, &arguments.namespace);
    let setup = Setup { unclaimed: unclaimed.keys().copied().collect(), ..arguments.webhooks.setup(setup)? };
    let (sources, unpromised) = selection::promised(sources, release)?;
    let described = journal::target(target.description.kind, target.description.shown(), facts, release);
    if let Some(resumed) = &resumed {
        resumed.check(&described)?;
    }
    let known_here = Known::at(TargetRelease::of(&described), known.clone());
    let max_failures = arguments.max_failures;
    let options = amount.options(sources, &setup);
    let mut options = RunOptions { release, known: known_here, shard, max_failures, ..options };
    if let Some(night) = &mut night {
        night.begin(&mut options);
    }
    let secrets = target.secrets();
    let mut recorder = match &resumed {
        Some(resumed) => {
            resumed.apply(&mut options);
            let mut recorder = Recorder::resume(&resumed.path, vec![secrets.clone()])?;
            recorder.write(Line::Event(Event::new("resumed", format!("as run {}", setup.run))));
            recorder
        }
        None => {
            let header = journal::header(&setup.run, &profile, &options, arguments.qps, &[secrets], (described, None));
            Recorder::open(arguments.output.journal.as_deref(), vec![secrets.clone()], header)?
        }
    };
    let conclude = |tally: &crdible_reports::Tally| {
        let report = tally.report(known, Catalogue::embedded(), jiff::Zoned::now().date());
        let verdict = report.verdict.as_str();
        (report, verdict)
    };

    let interrupt = interrupt_runs(vec![setup.run.clone()]);
    let judged: Vec<ScenarioSource> = properties_of(&options.sources);
    let selection = if selects_all { Selection::Everything } else { Selection::Only(&judged) };
    let session = match telling(FINDING_OUT, setup.open(target, selection, interrupt.clone())).await? {
        Opening::Open(session) => session,
        Opening::Interrupted(left) => {
            output::warn_left_behind(&left, &setup.run);
            return Ok(recorder.close(&Stop::Interrupted, 0, Sent::default(), conclude));
        }
    };
    let excused: Vec<(Capability, &str)> =
        EXCUSED.iter().copied().filter(|(capability, _)| session.is_excused(*capability)).collect();
    // What needs them is as if it had not been selected, and a note says so.
    let is_excused = |lack: Capability| excused.iter().any(|(capability, _)| *capability == lack);
    options.sources.retain(|source| !session.missing(*source).is_some_and(is_excused));
    // An exploration that the target is not able to do leaves nothing unjudged.
    options.sources.retain(|source| !source.needs_no_checks() || session.missing(*source).is_none());
    // A server need not have a second namespace, but a run that leaves out webhooks is one of a part.
    let selects_all = selects_all && !session.is_excused(Capability::Webhooks);
    // The time that it took to find out what the target lacks counts, too.
    options.time = options.time.map(|time| time.saturating_sub(begun.elapsed()));
    if resumed.is_none() {
        let planned = RunOptions { sources: properties_of(&options.sources), ..options.clone() };
        let mut plan = run::plan(&planned, MINIMUM, selects_all, |source| session.missing(source));
        plan.unsupported.extend(run::unpromised(&unpromised, release));
        recorder.write(Line::Plan(plan));
    }
    let told: BTreeSet<&Signature> = resumed.iter().flat_map(Resumed::confirmed).collect();
    let (sender, mut events) = mpsc::unbounded_channel();
    // Whoever reads only the journal or the report must know by what the server was judged.
    if let Some(note) = other_release {
        let _ = sender.send(RunEvent::Note(note));
    }
    if resumed.is_none() && !unclaimed.is_empty() {
        let _ = sender.send(RunEvent::Note(claims::note(&unclaimed)));
    }
    for (_, note) in excused {
        let _ = sender.send(RunEvent::Note(note.to_owned()));
    }
    for (capability, finding) in session.lacks() {
        if let Some(finding) = finding.filter(|finding| !told.contains(finding.signature())) {
            let _ = sender.send(RunEvent::Lacks { capability, finding: Box::new(finding.clone()) });
        }
    }
    for (capability, finding) in session.other_lacks() {
        let Failure { requirements, summary, .. } = finding.failure();
        let note = format!(
            "the target lacks {capability} ({}: {summary}); no selected property needs it",
            requirements.join(", ")
        );
        let _ = sender.send(RunEvent::Note(note));
    }
    let mut progress = Progress::of(&options);
    if let Some(night) = &night {
        progress.say_also(night.teller());
    }
    let known_at = options.known.clone();
    let is_known = |finding: &crdible_reports::journal::Finding| {
        known_at.covers(&finding.failure.requirements, &finding.failure.signature)
    };
    let running = session.run(options, sender, interrupt);
    let recording = async {
        let mut lines = JournalLines::after(resumed.as_ref().map_or(0, |resumed| resumed.journal.findings.len()));
        let mut is_first = true;
        loop {
            let event = tokio::select! {
                event = progress.next(&mut events) => event,
                change = next_change(&mut night) => {
                    if let Some(night) = &mut night {
                        night.keep(change);
                    }
                    continue;
                }
            };
            let Some(event) = event else { break };
            if let Some(night) = &mut night {
                night.tell_now_and_then(&mut recorder);
            }
            // What no property judges is told in notes.
            if night.as_mut().is_some_and(|night| night.takes_note(&event)) {
                continue;
            }
            let hint = |finding: &Finding, id: &str| replay_hint(arguments, command, &setup.run, release, finding, id);
            let line = lines.line(&event, hint);
            if let (true, Line::Finding(finding)) = (is_first, &line)
                && !is_known(finding)
            {
                is_first = false;
                let shown = recorder.redacted(line.clone());
                if let Line::Finding(finding) = shown {
                    progress.show_in_full(&render::one(&finding, Catalogue::embedded(), output::style()));
                }
            }
            recorder.write(line);
        }
    };
    let (summary, ()) = tokio::join!(running, recording);
    progress.finish();
    if let Some(night) = &mut night {
        night.end(&mut recorder);
    }
    // Of a run that goes on, only the report knows what was judged before.
    if let (Some(note), true, None) = (unjudged::note(&summary), resumed.is_none(), &night) {
        recorder.write(Line::Event(Event::new(Event::NOTE, note)));
    }
    let left = telling(REMOVING, session.close()).await;
    for name in &left {
        recorder.write(Line::Event(Event::new("left-behind", name)));
    }
    output::warn_left_behind(&left, &setup.run);
    Ok(recorder.close(&summary.stop, summary.requests, summary.sent, conclude))
}

/// Writes the counterexample of a finding to a file, and returns the command that replays it.
fn replay_hint(
    arguments: &TestArgs,
    command: &str,
    run: &str,
    release: Release,
    finding: &Finding,
    id: &str,
) -> ReplayHint {
    let path = counterexamples::write(&arguments.output.failures, &format!("{run}-{id}.json"), finding, release);
    let target = arguments.target.flags();
    let flags = format!("{target}{}", arguments.release.flag());
    let replayed = match &path {
        // The file names the release.
        Some(path) => format!("crdible replay {}{target}", quoted(path)),
        // A run begins with all capability tests, and no pattern selects one.
        None if finding.signature().is_of_capability() => format!("crdible {command}{flags}"),
        None => format!("crdible {command} --property {}{flags}", finding.signature().property),
    };
    ReplayHint { path, command: replayed }
}

/// Without explorations, which judge nothing.
fn properties_of(sources: &[ScenarioSource]) -> Vec<ScenarioSource> {
    sources.iter().copied().filter(|source| !source.needs_no_checks()).collect()
}

/// The next change of the corpus; never, if there is none.
async fn next_change(night: &mut Option<Night>) -> crdible::fuzz::Change {
    match night {
        Some(night) => night.next_change().await,
        None => std::future::pending().await,
    }
}
