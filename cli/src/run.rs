//! `crdible run`.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use crdible_reports::{
    Failure, KnownFailures, Report, Signature, TargetRelease, fold,
    journal::{Event, Line, Shard},
    render,
    shell::quoted,
};
use crdible_semantics::Release;
use crdible_spec::Catalogue;
use tokio::sync::mpsc;

use crate::{
    amount::AmountArgs,
    arguments::{OutputFormat, TARGET_HEADING, TargetArgs, positive, seconds},
    counterexamples,
    error::CliError,
    journal, known, output,
    profile::{CORE, Profile},
    progress::{Progress, telling},
    ready,
    recorder::Recorder,
    release::ReleaseChoice,
    renderings::FileArgs,
    resume::Resumed,
    selection,
    shard::shard,
    signals::interrupt_runs,
    webhooks::WebhookArgs,
};
use crdible::{
    connection::{Target, TargetOptions},
    doctor::{Judged, ServerFacts},
    properties::{Capability, Property},
    run::{
        self, Event as RunEvent, Finding, JournalLines, Known, Opening, ReplayHint, RunOptions, Selection, Setup, Stop,
    },
};

/// What to run, against what.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    amount: AmountArgs,
    #[command(flatten)]
    webhooks: WebhookArgs,
    /// Wait up to this time for a target that is not ready yet
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = TARGET_HEADING)]
    wait: Option<Duration>,
    /// Run only this part of the cases, such as 3/16; `crdible report merge` puts all parts together
    #[arg(long, value_name = "PART/PARTS", value_parser = shard, requires = "seed", help_heading = "How much to test")]
    shard: Option<Shard>,
    /// End the run after this many failures that are not known
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), help_heading = "How much to test")]
    max_failures: Option<u64>,
    /// Go on with a run that was killed or interrupted: this is its journal, which says what to run
    #[arg(long, value_name = "JOURNAL", conflicts_with_all = GIVEN_BY_JOURNALS, help_heading = "How much to test")]
    resume: Option<PathBuf>,
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
    known: Option<PathBuf>,
    /// Fail if a known failure no longer fails
    #[arg(long, requires = "known", help_heading = "What to test")]
    strict_known: bool,
    /// Namespace for namespaced objects
    #[arg(long, value_name = "NAME", default_value = "default", help_heading = "What to test")]
    namespace: String,
    /// Write the journal to this file: one line for each finished scenario
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    journal: Option<PathBuf>,
    /// Folder for counterexamples, one file for each failure; it is created when needed
    #[arg(long, value_name = "FOLDER", default_value = "crdible-failures", help_heading = "Output")]
    failures: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Human, help_heading = "Output")]
    output: OutputFormat,
    #[command(flatten)]
    files: FileArgs,
}

/// What a journal says of its run.
const GIVEN_BY_JOURNALS: [&str; 8] =
    ["seed", "cases", "shard", "property", "requirement", "profile", "release", "journal"];

/// A property with fewer judged cases than this is inconclusive, however the run ended; a run that requests fewer does
/// not count as a run of its profile.
pub(crate) const MINIMUM: u64 = 50;

/// What a user must know whose server cannot call this machine.
const OUT_OF_REACH: &str = "conversion webhooks were not judged, because the server cannot reach those of this command; --webhook-listen and \
     --webhook-host say how it can";

/// What is done before the first case: a server that lacks much keeps it waiting.
pub(crate) const FINDING_OUT: &str = "finding out what the target can do";

/// What is done after the last case.
pub(crate) const REMOVING: &str = "removing what the run created";

pub(crate) async fn run(arguments: &RunArgs) -> Result<u8, CliError> {
    let known = known::read(arguments.known.as_deref())?;
    let files = arguments.files.open(arguments.resume.as_slice())?;
    let resumed = arguments.resume.as_deref().map(Resumed::read).transpose()?;
    let report = match &resumed {
        Some(resumed) if resumed.is_finished() => {
            output::remark(&format!(
                "{} is the journal of a run that has ended: this is its report",
                resumed.path.display()
            ));
            fold(&resumed.journal, &known, Catalogue::embedded(), jiff::Zoned::now().date())
        }
        _ => on_target(arguments, resumed, &known).await?,
    };
    output::result(&arguments.output.of(&report));
    let code = if arguments.strict_known { report.exit_code_if_strict() } else { report.exit_code() };
    files.write(&[report])?;
    Ok(code)
}

/// What is run, and by what it is judged.
struct Chosen {
    profile: String,
    properties: Vec<&'static Property>,
    release: ReleaseChoice,
    /// Whether nothing is left out.
    selects_all: bool,
    resumed: Option<Resumed>,
}

impl Chosen {
    fn of(arguments: &RunArgs, resumed: Option<Resumed>) -> Result<Self, CliError> {
        if let Some(resumed) = resumed {
            let (properties, release) = (resumed.properties()?, resumed.release()?);
            let profile = resumed.journal.header.profile.clone();
            return Ok(Self { profile, properties, release, selects_all: false, resumed: Some(resumed) });
        }
        let profile = Profile::find(&arguments.profile)?;
        let properties = selection::select(&profile, &arguments.property, &arguments.requirement)?;
        let selects_all = arguments.property.is_empty() && arguments.requirement.is_empty();
        Ok(Self { profile: profile.name, properties, release: arguments.release, selects_all, resumed: None })
    }
}

/// Runs it on the target of the flags.
async fn on_target(arguments: &RunArgs, resumed: Option<Resumed>, known: &KnownFailures) -> Result<Report, CliError> {
    let chosen = Chosen::of(arguments, resumed)?;
    let options = TargetOptions { release: chosen.release.emulated(), ..arguments.target.options() };
    let (target, facts) = ready::connect(&options, arguments.wait).await?;
    let report = judge(arguments, chosen, &target, &facts, known).await;
    target.shutdown().await;
    report
}

async fn judge(
    arguments: &RunArgs,
    chosen: Chosen,
    target: &Target,
    facts: &ServerFacts,
    known: &KnownFailures,
) -> Result<Report, CliError> {
    let begun = Instant::now();
    let Chosen { profile, properties, release, selects_all, resumed } = chosen;
    let Judged { release, remark: other_release } = release.judged_aloud(facts);
    let setup = arguments.amount.setup(Setup { rate: arguments.qps, ..Setup::of(target) }, &arguments.namespace);
    let setup = arguments.webhooks.setup(setup)?;
    let (sources, unpromised) = selection::promised(properties.into_iter().map(Into::into).collect(), release)?;
    let described = journal::target(target.description.kind, target.description.shown(), facts, release);
    if let Some(resumed) = &resumed {
        resumed.check(&described)?;
    }
    let known_here = Known::at(TargetRelease::of(&described), known.clone());
    let (shard, max_failures) = (arguments.shard, arguments.max_failures);
    let options = arguments.amount.options(sources, &setup);
    let mut options = RunOptions { release, known: known_here, shard, max_failures, ..options };
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
            Recorder::open(arguments.journal.as_deref(), vec![secrets.clone()], header)?
        }
    };
    let conclude = |tally: &crdible_reports::Tally| {
        let report = tally.report(known, Catalogue::embedded(), jiff::Zoned::now().date());
        let verdict = report.verdict.as_str();
        (report, verdict)
    };

    let interrupt = interrupt_runs(vec![setup.run.clone()]);
    let selection = if selects_all { Selection::Everything } else { Selection::Only(&options.sources) };
    let session = match telling(FINDING_OUT, setup.open(target, selection, interrupt.clone())).await? {
        Opening::Open(session) => session,
        Opening::Interrupted(left) => {
            output::warn_left_behind(&left, &setup.run);
            return Ok(recorder.close(&Stop::Interrupted, 0, conclude));
        }
    };
    let is_out_of_reach = session.is_out_of_reach();
    if is_out_of_reach {
        // They are as if they had not been selected, and a note says so.
        options.sources.retain(|source| session.missing(*source) != Some(Capability::Webhooks));
    }
    let selects_all = selects_all && !is_out_of_reach;
    // The time that it took to find out what the target lacks counts, too.
    options.time = options.time.map(|time| time.saturating_sub(begun.elapsed()));
    if resumed.is_none() {
        let mut plan = run::plan(&options, MINIMUM, selects_all, |source| session.missing(source));
        plan.unsupported.extend(run::unpromised(&unpromised, release));
        recorder.write(Line::Plan(plan));
    }
    let told: BTreeSet<&Signature> = resumed.iter().flat_map(Resumed::confirmed).collect();
    let (sender, mut events) = mpsc::unbounded_channel();
    // Whoever reads only the journal or the report must know by what the server was judged.
    if let Some(note) = other_release {
        let _ = sender.send(RunEvent::Note(note));
    }
    if is_out_of_reach {
        let _ = sender.send(RunEvent::Note(OUT_OF_REACH.to_owned()));
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
    let (seed, known_at) = (options.seed, options.known.clone());
    let is_known = |finding: &crdible_reports::journal::Finding| {
        known_at.covers(&finding.failure.requirements, &finding.failure.signature)
    };
    let running = session.run(options, sender, interrupt);
    let recording = async {
        let mut lines = JournalLines::after(resumed.as_ref().map_or(0, |resumed| resumed.journal.findings.len()));
        let mut is_first = true;
        while let Some(event) = progress.next(&mut events).await {
            let line = lines.line(&event, |finding, id| replay_hint(arguments, &setup.run, release, finding, id));
            if let (true, Line::Finding(finding)) = (is_first, &line)
                && !is_known(finding)
            {
                is_first = false;
                let shown = recorder.redacted(line.clone());
                if let Line::Finding(finding) = shown {
                    progress.show_in_full(&render::one(&finding, seed, Catalogue::embedded(), output::style()));
                }
            }
            recorder.write(line);
        }
    };
    let (summary, ()) = tokio::join!(running, recording);
    progress.finish();
    let left = telling(REMOVING, session.close()).await;
    for name in &left {
        recorder.write(Line::Event(Event::new("left-behind", name)));
    }
    output::warn_left_behind(&left, &setup.run);
    Ok(recorder.close(&summary.stop, summary.requests, conclude))
}

/// Writes the counterexample of a finding to a file, and returns the command that replays it.
fn replay_hint(arguments: &RunArgs, run: &str, release: Release, finding: &Finding, id: &str) -> ReplayHint {
    let path = counterexamples::write(&arguments.failures, &format!("{run}-{id}.json"), finding, release);
    let target = arguments.target.flags();
    let flags = format!("{target}{}", arguments.release.flag());
    let command = match &path {
        // The file names the release.
        Some(path) => format!("crdible replay {}{target}", quoted(path)),
        // A run begins with all capability tests, and no pattern selects one.
        None if finding.signature().is_of_capability() => format!("crdible run{flags}"),
        None => format!("crdible run --property {}{flags}", finding.signature().property),
    };
    ReplayHint { path, command }
}
