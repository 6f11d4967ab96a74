//! One target, and what is run on it: one run, or several, one after the other.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Mutex, PoisonError},
};

use crdible_reports::{
    Failure, KnownFailures, Report, Signature, TargetRelease,
    journal::{Event, Line, RecordedFinding, Sent},
    redact::Redactor,
    render,
    shell::quoted,
    text::plural,
};
use crdible_semantics::Release;
use crdible_spec::Catalogue;
use tokio::sync::mpsc;

use crate::{
    error::CliError,
    explanations::{self, Answers},
    files::{Recorder, counterexamples, journal},
    flags::{AmountArgs, Chosen, MINIMUM, TestArgs, selection},
    output::{self, FINDING_OUT, Progress, with_notice},
    runs::{blame, claims, fuzz_run::FuzzRun, resume::Resumed, unjudged},
};
use crdible::{
    connection::Target,
    created::CreatedObject,
    doctor::{Judged, ServerFacts},
    properties::{API_SERVER, Capability, CapabilityTest},
    run::{
        self, CapabilityReport, ConfirmedFinding, Event as RunEvent, FailureLimit, Interrupt, JournalLines, Known,
        Opening, OpeningError, ReplayHint, RunOptions, ScenarioSource, Selection, Session, Setup, Stop, Summary,
        Unopened,
    },
};

/// A target, and what is run on it.
pub(crate) struct Bench<'a> {
    arguments: &'a TestArgs,
    /// The command: `run` or `fuzz`.
    command: &'static str,
    target: &'a Target,
    known: &'a KnownFailures,
    profile: String,
    pub(crate) described: crdible_reports::journal::Target,
    pub(crate) setup: Setup,
    /// What is run; a series of runs changes seed and amount from one to the next.
    pub(crate) options: RunOptions,
    selects_all: bool,
    /// What the target does not claim, and how many properties are left out because of it.
    unclaimed: BTreeMap<Capability, u64>,
    /// The properties of which the release promises nothing.
    unpromised: Vec<ScenarioSource>,
    /// A sentence about the release by which it is judged, if that is not the one that it claims.
    other_release: Option<String>,
    /// That the defects of the target are known, if it is what it says.
    known_defects: Option<String>,
    /// The notes about capabilities that are missing without being a fault.
    excused: Vec<&'static str>,
    /// The missing capabilities that were printed while the others were tried.
    printed: BTreeSet<Capability>,
}

/// One of the runs.
#[derive(Default)]
pub(crate) struct Round<'a> {
    /// The run that is resumed.
    pub(crate) resumed: Option<&'a Resumed>,
    /// The corpus of a fuzz run, whose cases replace those of the seed.
    pub(crate) fuzz_run: Option<&'a mut FuzzRun>,
    /// Its number in a series.
    pub(crate) number: Option<u64>,
    /// Further words with the counts while it runs.
    pub(crate) also: Option<String>,
}

/// What was shown to the user and is not shown again in the next run of a series.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// A failure was shown in full.
    in_full: bool,
    symptoms: BTreeSet<String>,
}

impl<'a> Bench<'a> {
    /// Prepares a target that answers.
    pub(crate) fn new(
        (arguments, command): (&'a TestArgs, &'static str),
        amount: &AmountArgs,
        chosen: Chosen,
        (target, facts): (&'a Target, &ServerFacts),
        known: &'a KnownFailures,
    ) -> Result<Self, CliError> {
        let Chosen { profile, sources, release, selects_all, unclaimed } = chosen;
        let Judged { release, remark: other_release } = release.judged_aloud(facts);
        let setup = amount.setup(Setup { rate: arguments.qps, ..Setup::of(target) }, &arguments.namespace);
        let setup = Setup { unclaimed: unclaimed.keys().copied().collect(), ..arguments.webhooks.setup(setup)? };
        let (sources, unpromised) = selection::promised(sources, release)?;
        let known_defects =
            if arguments.known.is_some() { None } else { blame::known_defects(target.description.kind, facts) };
        let described = journal::target(target.description.kind, target.description.shown(), facts, release);
        let known_here = Known::at(TargetRelease::of(&described), known.clone());
        let max_failures = arguments.max_failures.map(FailureLimit::of);
        let options = amount.options(sources, &setup)?;
        let options = RunOptions { release, known: known_here, max_failures, ..options };
        Ok(Self {
            arguments,
            command,
            target,
            known,
            profile,
            described,
            setup,
            options,
            selects_all,
            unclaimed,
            unpromised,
            other_release,
            known_defects,
            excused: Vec::new(),
            printed: BTreeSet::new(),
        })
    }

    /// Has the failures that earlier runs kept tried before all else, and says so.
    pub(crate) fn try_kept_first(&mut self) {
        let folder = &self.arguments.output.failures;
        let mut kept = counterexamples::all_in(folder);
        let is_selected = |id: &str| self.options.sources.iter().any(|source| source.id() == id);
        kept.retain(|kept| kept.tape.is_some() && is_selected(&kept.failure.signature.property));
        if !kept.is_empty() {
            let failures = plural(kept.len() as u64, "failure");
            output::remark(&format!("first {failures} of earlier runs, kept in {}", folder.display()));
        }
        self.options.kept = kept;
    }

    /// The header of a run. Its command line is that of the process, unless another one repeats the run.
    pub(crate) fn header(
        &self,
        options: &RunOptions,
        command: Option<Vec<String>>,
    ) -> crdible_reports::journal::Header {
        let secrets = [self.target.secrets()];
        let targets = (self.described.clone(), None);
        let mut header =
            journal::header(&self.setup.run, &self.profile, options, self.arguments.qps, &secrets, targets);
        if let Some(words) = command {
            header.run.command = journal::command(words.into_iter(), &secrets);
        }
        header
    }

    /// Begins the journal of a run.
    pub(crate) fn recorder(
        &self,
        path: Option<&Path>,
        header: crdible_reports::journal::Header,
    ) -> Result<Recorder, CliError> {
        Recorder::open(path, vec![self.target.secrets().clone()], header)
    }

    /// Continues the journal of a run.
    pub(crate) fn recorder_again(&self, resumed: &Resumed) -> Result<Recorder, CliError> {
        let mut recorder = Recorder::resume(&resumed.path, vec![self.target.secrets().clone()])?;
        recorder.write(Line::Event(Event::new("resumed", format!("as run {}", self.setup.run))));
        Ok(recorder)
    }

    /// Tries the capabilities of the target, and prints at once what shows that one is missing, the first in full.
    /// Those that may be missing without being a fault are left out from then on.
    pub(crate) async fn open(
        &mut self,
        interrupt: Interrupt,
        shown: &mut Shown,
    ) -> Result<Opening<Session, Unopened>, CliError> {
        let judged = properties_of(&self.options.sources);
        let selection = if self.selects_all { Selection::Everything } else { Selection::Only(&judged) };
        let (known, printed) = (&self.options.known, Mutex::new((BTreeSet::new(), &mut shown.in_full)));
        let tell = |CapabilityReport { capability, finding, .. }: CapabilityReport<'_>| {
            let Some(finding) = finding else { return };
            let failure = finding.failure();
            if known.covers(&failure.requirements, &failure.signature) {
                return;
            }
            output::remark(&output::failure_line(failure));
            let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
            printed.0.insert(capability);
            if !std::mem::replace(&mut *printed.1, true) {
                output::remark(&output::in_full(&self.rendered(finding)));
            }
        };
        let opening =
            with_notice(FINDING_OUT, self.setup.open_reporting(self.target, selection, &tell, interrupt)).await;
        self.printed = printed.into_inner().unwrap_or_else(PoisonError::into_inner).0;
        let opening = opening.map_err(|OpeningError { error, left }| {
            output::warn_left_behind(&left, &self.setup.run);
            error
        })?;
        if let Opening::Open(session) = &opening {
            self.leave_out(session);
        }
        Ok(opening)
    }

    /// A finding in full, before it is recorded.
    fn rendered(&self, finding: &ConfirmedFinding) -> String {
        let command = format!("crdible {}{}", self.command, self.flags());
        let line = JournalLines::shown(finding, ReplayHint { path: None, command });
        match line.redacted(&Redactor::new(self.target.secrets().all())) {
            Line::Finding(finding) => in_full(&finding, self.options.release),
            _ => String::new(),
        }
    }

    /// Records a run that was interrupted, or out of time, while it was found out what the target can do. What was
    /// found by then counts. Returns how many requests were sent.
    pub(crate) fn record_unopened(
        &self,
        unopened: Unopened,
        stop: &Stop,
        recorder: &mut Recorder,
        resumed: Option<&Resumed>,
    ) -> u64 {
        let Unopened { left, missing, requests } = unopened;
        let mut lines = lines_after(resumed);
        let confirmed: BTreeSet<&Signature> = resumed.into_iter().flat_map(Resumed::confirmed).collect();
        let seed = (self.options.release, self.options.seed);
        let is_over = *stop == Stop::Time;
        if is_over && resumed.is_none() {
            recorder.write(self.plan(&self.options, |_| None));
        }
        for (capability, finding) in missing {
            if confirmed.contains(finding.signature()) {
                continue;
            }
            let event = RunEvent::MissingCapability { capability, finding: Box::new(finding) };
            let line = lines.line(&event, |finding, _| self.replay_hint(seed, finding));
            line.into_iter().for_each(|line| recorder.write(line));
        }
        if is_over {
            let note = "the time was over while it was found out what the target can do, so nothing else was judged; \
                        give --time more, or leave it out";
            recorder.write(Line::Event(Event::new(Event::NOTE, note)));
        }
        self.record_left(&left, recorder);
        requests
    }

    /// Records and prints what could not be removed.
    pub(crate) fn record_left(&self, left: &[CreatedObject], recorder: &mut Recorder) {
        for object in left {
            recorder.write(Line::Event(Event::new("left-behind", object.to_string())));
        }
        output::warn_left_behind(left, &self.setup.run);
    }

    fn leave_out(&mut self, session: &Session) {
        let excuse = |row: &CapabilityTest| Some((row.capability, row.excuse?.note));
        let excused: Vec<(Capability, &'static str)> =
            API_SERVER.iter().filter_map(excuse).filter(|(capability, _)| session.is_excused(*capability)).collect();
        // Properties that need them count as not selected, and a note says so.
        let is_excused = |missing: Capability| excused.iter().any(|(capability, _)| *capability == missing);
        self.options.sources.retain(|source| !session.missing(*source).is_some_and(is_excused));
        // Explorations that the target cannot run are dropped: they judge nothing.
        self.options.sources.retain(|source| !source.needs_no_checks() || session.missing(*source).is_none());
        // A server need not have a second namespace, but a run without webhooks is not a run of the whole profile.
        self.selects_all &= !session.is_excused(Capability::Webhooks);
        self.excused = excused.into_iter().map(|(_, note)| note).collect();
    }

    /// The plan of a run on a target that lacks these capabilities.
    fn plan(&self, options: &RunOptions, missing: impl Fn(ScenarioSource) -> Option<Capability>) -> Line {
        let planned = RunOptions { sources: properties_of(&options.sources), ..options.clone() };
        let mut plan = run::plan(&planned, MINIMUM, self.selects_all, missing);
        plan.unsupported.extend(run::unpromised(&self.unpromised, options.release));
        Line::Plan(plan)
    }

    /// The events before the first case.
    fn beginning(&self, session: &Session, resumed: Option<&Resumed>) -> Vec<RunEvent> {
        let confirmed: BTreeSet<&Signature> = resumed.into_iter().flat_map(Resumed::confirmed).collect();
        // A reader of the journal or the report alone must know by which release the server was judged.
        let mut events: Vec<RunEvent> = self.other_release.iter().cloned().map(RunEvent::Note).collect();
        events.extend(self.known_defects.iter().filter(|_| resumed.is_none()).cloned().map(RunEvent::Note));
        if resumed.is_none() && !self.unclaimed.is_empty() {
            events.push(RunEvent::Note(claims::note(&self.unclaimed)));
        }
        events.extend(self.excused.iter().map(|note| RunEvent::Note((*note).to_owned())));
        for (capability, finding) in session.missing_capabilities() {
            if let Some(finding) = finding.filter(|finding| !confirmed.contains(finding.signature())) {
                events.push(RunEvent::MissingCapability { capability, finding: Box::new(finding.clone()) });
            }
        }
        for (capability, finding) in session.other_missing_capabilities() {
            let Failure { requirements, summary, .. } = finding.failure();
            let note = format!(
                "the target does not support {capability} ({}: {summary}); no selected property needs it",
                requirements.join(", ")
            );
            events.push(RunEvent::Note(note));
        }
        events
    }

    /// Runs it, and records what happens.
    pub(crate) async fn run(
        &self,
        session: &Session,
        options: RunOptions,
        recorder: &mut Recorder,
        interrupt: Interrupt,
        round: Round<'_>,
        shown: &mut Shown,
    ) -> Summary {
        let Round { resumed, mut fuzz_run, number, also } = round;
        if resumed.is_none() {
            recorder.write(self.plan(&options, |source| session.missing(source)));
        }
        let (sender, mut events) = mpsc::unbounded_channel();
        for event in self.beginning(session, resumed) {
            let _ = sender.send(event);
        }
        let mut progress = Progress::of(&options);
        let printed = session.missing_capabilities().filter(|(capability, _)| self.printed.contains(capability));
        let printed = printed.filter_map(|(_, finding)| Some(finding?.symptom()));
        progress.mark_reported(std::mem::take(&mut shown.symptoms).into_iter().chain(printed).collect());
        if let Some(fuzz_run) = &fuzz_run {
            progress.say_also(fuzz_run.progress_text());
        }
        if let Some(also) = also {
            progress.say_also(move || also.clone());
        }
        let (known, release, seed) = (options.known.clone(), options.release, options.seed);
        let is_known = |finding: &crdible_reports::journal::RecordedFinding| {
            known.covers(&finding.failure.requirements, &finding.failure.signature)
        };
        let running = session.run(options, sender, interrupt);
        let recording = async {
            let mut lines = lines_after(resumed);
            loop {
                let event = tokio::select! {
                    event = progress.next(&mut events) => event,
                    change = next_change(&mut fuzz_run) => {
                        if let Some(fuzz_run) = &mut fuzz_run {
                            fuzz_run.keep(change);
                        }
                        continue;
                    }
                };
                let Some(event) = event else { break };
                if let Some(fuzz_run) = &mut fuzz_run {
                    fuzz_run.note_progress_if_due(recorder);
                }
                // Cases that no property judges become notes.
                if fuzz_run.as_mut().is_some_and(|fuzz_run| fuzz_run.takes_note(&event)) {
                    continue;
                }
                let line = lines.line(&event, |finding, _| self.replay_hint((release, seed), finding));
                let Some(line) = line else { continue };
                if let (false, Line::Finding(finding)) = (shown.in_full, &line)
                    && !finding.unconfirmed
                    && finding.reproduced.is_certain()
                    && !is_known(finding)
                {
                    shown.in_full = true;
                    let redacted = recorder.redacted(line.clone());
                    if let Line::Finding(finding) = redacted {
                        progress.show_in_full(&in_full(&finding, release));
                    }
                }
                recorder.write(line);
            }
        };
        let (summary, ()) = tokio::join!(running, recording);
        shown.symptoms = progress.finish();
        // What was judged before is known only to the report of a resumed run, and to the sum of a series.
        let is_first = resumed.is_none() && number.is_none_or(|number| number == 1);
        if let (Some(note), true, None) = (unjudged::note(&summary), is_first, &fuzz_run) {
            recorder.write(Line::Event(Event::new(Event::NOTE, note)));
        }
        if let Some(fuzz_run) = fuzz_run {
            fuzz_run.end(recorder);
        }
        summary
    }

    /// Ends the journal of a run.
    pub(crate) fn conclude(&self, recorder: Recorder, stop: &Stop, requests: u64, sent: Sent) -> Report {
        explanations::explained(recorder.report(stop, requests, sent, self.known))
    }

    /// The flags that name the target and the release.
    fn flags(&self) -> String {
        format!("{}{}", self.arguments.target.flags(), self.arguments.release.flag())
    }

    /// Writes the counterexample of a finding to a file, and returns the command that replays it.
    fn replay_hint(&self, (release, seed): (Release, u64), finding: &ConfirmedFinding) -> ReplayHint {
        let Self { arguments, command, .. } = self;
        let path = counterexamples::write(&arguments.output.failures, "", finding, release);
        let (target, flags) = (arguments.target.flags(), self.flags());
        let replayed = match &path {
            // The file names the release.
            Some(path) => format!("crdible replay {}{target}", quoted(path)),
            // A run begins with all capability tests, and no pattern selects one.
            None if finding.signature().is_of_capability() => format!("crdible {command}{flags}"),
            None => format!("crdible {command} --property {}{flags} --seed {seed}", finding.signature().property),
        };
        ReplayHint { path, command: replayed }
    }
}

/// The lines of a run, or those after a run that is resumed.
fn lines_after(resumed: Option<&Resumed>) -> JournalLines {
    JournalLines::after(resumed.map_or(0, |resumed| resumed.journal.findings.len()))
}

/// A finding in full, with what its rules say.
fn in_full(finding: &RecordedFinding, release: Release) -> String {
    let rules = explanations::of_requests(&finding.minimal.requests, release, Answers::OfTheTarget);
    render::one(finding, rules, Catalogue::embedded(), output::style())
}

/// Without explorations, which judge nothing.
fn properties_of(sources: &[ScenarioSource]) -> Vec<ScenarioSource> {
    sources.iter().copied().filter(|source| !source.needs_no_checks()).collect()
}

/// The next change of the corpus; never, if there is none.
async fn next_change(fuzz_run: &mut Option<&mut FuzzRun>) -> crdible::fuzz::CorpusChange {
    match fuzz_run {
        Some(fuzz_run) => fuzz_run.next_change().await,
        None => std::future::pending().await,
    }
}
