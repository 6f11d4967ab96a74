//! Progress on stderr: a bar with an estimate on a terminal, otherwise a plain line now and then.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use crdible_reports::{journal::Failure, text::plural};
use indicatif::{ProgressBar, ProgressStyle};
use owo_colors::OwoColorize as _;
use tokio::{sync::mpsc::UnboundedReceiver, time::timeout};

use crate::output;
use crdible::run::{CaseOutcome, ConfirmedFinding, Event, Known, RunOptions, ScenarioSource};

/// The time between two lines if stderr is not a terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// How often to check whether a line is due.
const TICK: Duration = Duration::from_secs(1);

/// The work before the first case. It takes long on a server with many missing capabilities.
pub(crate) const FINDING_OUT: &str = "finding out what the target can do";

/// The work after the last case.
pub(crate) const REMOVING: &str = "removing what the run created";

/// Does work before or after the run, and prints what it is if it takes long.
pub(crate) fn with_notice<T>(what: &str, work: impl Future<Output = T>) -> impl Future<Output = T> {
    // In a box, since it is large and would be here twice.
    with_notice_every(TICK, INTERVAL, what, Box::pin(work), output::remark)
}

async fn with_notice_every<T>(
    first: Duration,
    then: Duration,
    what: &str,
    mut work: impl Future<Output = T> + Unpin,
    say: impl Fn(&str),
) -> T {
    let begun = Instant::now();
    if let Ok(done) = timeout(first, &mut work).await {
        return done;
    }
    say(what);
    loop {
        match timeout(then, &mut work).await {
            Ok(done) => return done,
            Err(_) => say(&format!("still {what} after {} s", begun.elapsed().as_secs())),
        }
    }
}

/// A failure in one line.
pub(crate) fn failure_line(failure: &Failure) -> String {
    format!("{} {} ({})", "failure:".red().bold(), failure.summary, failure.signature.property)
}

/// The first failure in full, while the run goes on.
pub(crate) fn in_full(text: &str) -> String {
    format!("── the first failure ──\n\n{text}\n── the run goes on ──")
}

/// A failure that is being confirmed is printed if that takes longer than this.
const SOON: Duration = Duration::from_secs(1);

/// At most this many failures are printed before they are confirmed.
const SUSPECTED: usize = 3;

/// Failures that were seen and are being confirmed.
#[derive(Default)]
struct Suspected {
    /// Those that are not printed yet: since when, and their symptoms and lines.
    waiting: Vec<(Instant, String, String)>,
    printed: usize,
}

impl Suspected {
    /// One was seen.
    fn push(&mut self, since: Instant, symptom: String, line: String) {
        let is_new = !self.waiting.iter().any(|(_, other, _)| *other == symptom);
        if is_new && self.printed + self.waiting.len() < SUSPECTED {
            self.waiting.push((since, symptom, line));
        }
    }

    /// It is confirmed, or not.
    fn remove(&mut self, symptom: &str) {
        self.waiting.retain(|(_, other, _)| other != symptom);
    }

    /// The lines that are due.
    fn due(&mut self, now: Instant) -> Vec<String> {
        let is_due = |since: &Instant| now.saturating_duration_since(*since) >= SOON;
        let due: Vec<String> =
            self.waiting.extract_if(.., |(since, ..)| is_due(since)).map(|(.., line)| line).collect();
        self.printed += due.len();
        due
    }
}

/// Prints the progress of a run.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    last_line: Instant,
    /// The estimate in the last line.
    last_estimate: Option<Duration>,
    time: Option<Duration>,
    /// Cases that each property has left; `None` if only time ends the run.
    left: Option<BTreeMap<&'static str, u64>>,
    total: u64,
    judged: u64,
    /// Scenarios that failed, and those of them with known failures alone.
    failing: u64,
    failing_as_known: u64,
    errors: u64,
    known: Known,
    /// The symptoms that were reported.
    reported: BTreeSet<String>,
    /// What is reported if it is not confirmed soon.
    suspected: Suspected,
    /// Further words about the progress.
    also: Option<Box<dyn Fn() -> String + Send>>,
}

impl Progress {
    /// The progress of a run that has not begun.
    pub(crate) fn of(options: &RunOptions) -> Self {
        let RunOptions { sources, cases, time, known, .. } = options;
        Self { known: known.clone(), ..Self::new(sources, *cases, *time) }
    }

    fn new(sources: &[ScenarioSource], cases: u64, time: Option<Duration>) -> Self {
        let cases_of = |source: &ScenarioSource| cases.saturating_mul(source.times());
        let total = sources.iter().map(cases_of).fold(0, u64::saturating_add);
        // An unlimited number is not shown as a total.
        let left = (total < 1 << 40).then(|| sources.iter().map(|source| (source.id(), cases_of(source))).collect());
        let bar = output::is_terminal().then(|| bar(left.is_some(), total));
        let now = Instant::now();
        Self {
            bar,
            started: now,
            last_line: now,
            last_estimate: None,
            time,
            left,
            total,
            judged: 0,
            failing: 0,
            failing_as_known: 0,
            errors: 0,
            known: Known::default(),
            reported: BTreeSet::new(),
            suspected: Suspected::default(),
            also: None,
        }
    }

    /// These symptoms were reported in an earlier run.
    pub(crate) fn mark_reported(&mut self, reported: BTreeSet<String>) {
        self.reported = reported;
    }

    /// Adds these words to the counts from now on.
    pub(crate) fn say_also(&mut self, also: impl Fn() -> String + Send + 'static) {
        self.also = Some(Box::new(also));
    }

    /// Returns the next event after showing it. While none comes, the progress is shown from time to time.
    pub(crate) async fn next(&mut self, events: &mut UnboundedReceiver<Event>) -> Option<Event> {
        loop {
            match timeout(TICK, events.recv()).await {
                Ok(event) => {
                    if let Some(event) = &event {
                        self.show(event);
                    }
                    return event;
                }
                Err(_) => self.refresh(),
            }
        }
    }

    fn show(&mut self, event: &Event) {
        match event {
            Event::Case(report) => {
                self.judged += u64::from(report.cases);
                self.count_down(report.property, u64::from(report.cases));
                match &report.outcome {
                    CaseOutcome::Fail(signatures) => {
                        self.failing += 1;
                        let are_known = signatures.iter().all(|signature| self.known.covers(&[], signature));
                        self.failing_as_known += u64::from(are_known && !signatures.is_empty());
                    }
                    CaseOutcome::Error(_) => self.errors += 1,
                    CaseOutcome::Pass | CaseOutcome::Discard(_) => {}
                }
            }
            Event::Found(finding) | Event::MissingCapability { finding, .. } => self.show_finding(finding),
            Event::Suspected(finding) => {
                let (failure, symptom) = (finding.failure(), finding.symptom());
                if !self.known.covers(&failure.requirements, &failure.signature) && !self.reported.contains(&symptom) {
                    let line = format!("{}, seen once; being confirmed", failure_line(failure));
                    self.suspected.push(Instant::now(), symptom, line);
                }
            }
            Event::Note(_) => {}
            Event::Skipped { property, .. } => self.leave_out(property),
            Event::Stopped { property, reason } => {
                self.leave_out(property);
                self.print(&format!("stopped {property}: {reason}"));
            }
        }
        self.refresh();
    }

    /// Shows the progress: without a bar only if nothing was printed for a while.
    fn refresh(&mut self) {
        for line in self.suspected.due(Instant::now()) {
            self.print(&line);
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done());
                bar.set_message(format!("{}{}", self.counts(), self.rest(self.started.elapsed())));
            }
            None if self.last_line.elapsed() >= INTERVAL => self.say(),
            None => {}
        }
    }

    /// Shows a failure in full.
    pub(crate) fn show_in_full(&self, text: &str) {
        self.print(&in_full(text));
    }

    fn say(&mut self) {
        self.last_line = Instant::now();
        let elapsed = self.started.elapsed();
        let rest = self.rest(elapsed);
        let estimate = self.estimate(elapsed);
        let has_grown = estimate.zip(self.last_estimate).is_some_and(|(now, before)| now > before);
        let why = if has_grown { ": the last cases took longer" } else { "" };
        self.last_estimate = estimate;
        output::remark(&format!("{} after {} s{rest}{why}", self.counts(), elapsed.as_secs()));
    }

    /// One line per symptom; known failures are not printed.
    fn show_finding(&mut self, finding: &ConfirmedFinding) {
        let failure = finding.failure();
        let symptom = finding.symptom();
        self.suspected.remove(&symptom);
        if self.known.covers(&failure.requirements, &failure.signature)
            || !symptom.is_empty() && !self.reported.insert(symptom)
        {
            return;
        }
        if finding.is_unconfirmed() {
            self.print(&format!("not confirmed: {} ({})", failure.summary, failure.signature.property));
        } else {
            self.print(&failure_line(failure));
        }
    }

    /// Removes the bar, and returns the symptoms that were reported.
    pub(crate) fn finish(&mut self) -> BTreeSet<String> {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        std::mem::take(&mut self.reported)
    }

    fn print(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| output::remark(text)),
            None => output::remark(text),
        }
    }

    fn count_down(&mut self, property: &str, cases: u64) {
        if let Some(left) = self.left.as_mut().and_then(|left| left.get_mut(property)) {
            *left = left.saturating_sub(cases);
        }
    }

    /// Removes the remaining cases of a property from the total: they must not count as done.
    fn leave_out(&mut self, property: &str) {
        if let Some(left) = self.left.as_mut().and_then(|left| left.get_mut(property)) {
            self.total -= std::mem::take(left);
        }
        if let Some(bar) = self.bar.as_ref().filter(|_| self.left.is_some()) {
            bar.set_length(self.total);
        }
    }

    fn done(&self) -> u64 {
        match &self.left {
            Some(left) => self.total - left.values().sum::<u64>(),
            None => self.judged,
        }
    }

    fn counts(&self) -> String {
        let mut text = format!("{} judged", plural(self.judged, "case"));
        let failing = self.failing - self.failing_as_known;
        for (count, what) in
            [(failing, "failing scenario"), (self.failing_as_known, "known failure"), (self.errors, "error")]
        {
            if count > 0 {
                text.push_str(&format!(", {}", plural(count, what)));
            }
        }
        if let Some(also) = &self.also {
            text.push_str(", ");
            text.push_str(&also());
        }
        text
    }

    /// The words about the remaining time.
    fn rest(&self, elapsed: Duration) -> String {
        match self.estimate(elapsed) {
            Some(left) => format!(", about {} s left", left.as_secs()),
            None if self.has_ended(elapsed) && self.failing > 0 => ", confirming failures".to_owned(),
            None => String::new(),
        }
    }

    /// Whether no more cases begin.
    fn has_ended(&self, elapsed: Duration) -> bool {
        let has_all = self.left.is_some() && self.done() == self.total;
        has_all || self.time.is_some_and(|time| elapsed >= time)
    }

    /// How long the remaining cases take, without the confirming and shrinking of failures, which cannot be estimated.
    fn estimate(&self, elapsed: Duration) -> Option<Duration> {
        if self.has_ended(elapsed) {
            return None;
        }
        let by_count = self.left.as_ref().filter(|_| self.done() > 0).map(|_| {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let ratio = (self.total - self.done()) as f64 / self.done() as f64;
            elapsed.mul_f64(ratio)
        });
        let by_time = self.time.map(|time| time.saturating_sub(elapsed));
        by_count.into_iter().chain(by_time).min()
    }
}

fn bar(has_total: bool, total: u64) -> ProgressBar {
    let (bar, template) = if has_total {
        (ProgressBar::new(total), "{bar:30} {percent:>3} %  {msg}")
    } else {
        (ProgressBar::no_length(), "{spinner} {elapsed}  {msg}")
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use std::{
        sync::Mutex,
        time::{Duration, Instant},
    };

    use crdible::{properties, run::CaseReport};
    use crdible_reports::{KnownFailures, Signature, TargetRelease};
    use crdible_spec::Catalogue;

    use super::{CaseOutcome, Event, Known, Progress, SOON, ScenarioSource, Suspected, with_notice_every};

    fn case(property: &'static str, outcome: CaseOutcome) -> Event {
        Event::Case(CaseReport {
            property,
            index: 0,
            outcome,
            cases: 10,
            asserted: vec![],
            requests: 1,
            microseconds: 1,
        })
    }

    #[test]
    fn an_estimate_ends_with_the_last_case() {
        let source = properties::all().next().map(ScenarioSource::Property).expect("there is one");
        let mut progress = Progress::new(&[source], 20, None);
        let seconds = Duration::from_secs;
        progress.show(&case(source.id(), CaseOutcome::Fail(Vec::new())));
        assert_eq!(progress.rest(seconds(7)), ", about 7 s left");
        progress.show(&case(source.id(), CaseOutcome::Pass));
        assert_eq!(progress.rest(seconds(14)), ", confirming failures");

        let other = properties::all().nth(1).map(ScenarioSource::Property).expect("there is another");
        let mut progress = Progress::new(&[source, other], 20, None);
        progress.show(&Event::Stopped { property: other.id(), reason: "it failed often enough" });
        assert_eq!(progress.rest(seconds(7)), "", "nothing was done");
        progress.show(&case(source.id(), CaseOutcome::Pass));
        assert_eq!(progress.rest(seconds(7)), ", about 7 s left", "what was left out took no time");

        let mut progress = Progress::new(&[source], u64::MAX, Some(seconds(10)));
        assert_eq!(progress.rest(seconds(4)), ", about 6 s left");
        assert_eq!(progress.rest(seconds(11)), "", "no failure needs to be confirmed");
        progress.show(&case(source.id(), CaseOutcome::Fail(Vec::new())));
        assert_eq!(progress.rest(seconds(11)), ", confirming failures");
    }

    #[test]
    fn known_failures_are_counted_apart() {
        let known = "[[known]]\nsignature = \"ver-002-comparison:*\"\nreason = \"It sorts them as texts.\"\n";
        let known = KnownFailures::parse(known, "known.toml", Catalogue::embedded()).expect("it is valid");
        let source = properties::all().next().map(ScenarioSource::Property).expect("there is one");
        let mut progress = Progress::new(&[source], 90, None);
        progress.known = Known::at(TargetRelease::new("1.36", None), known);
        let new = Signature::new("ver-008-served", "get", "", "status-200");
        let old = Signature::new("ver-002-comparison", "order", "", "versions");
        for signatures in [vec![old.clone()], vec![old.clone(), old.clone()], vec![old, new]] {
            progress.show(&case(source.id(), CaseOutcome::Fail(signatures)));
        }
        assert_eq!(progress.counts(), "30 cases judged, 1 failing scenario, 2 known failures");
    }

    #[test]
    fn only_the_first_failures_are_printed_before_they_are_confirmed() {
        let (begun, mut suspected) = (Instant::now(), Suspected::default());
        for symptom in ["a", "a", "b", "c", "d"] {
            suspected.push(begun, symptom.to_owned(), format!("failure: {symptom}"));
        }
        assert_eq!(suspected.due(begun), Vec::<String>::new(), "it may be confirmed soon");
        suspected.remove("b");
        assert_eq!(suspected.due(begun + SOON), ["failure: a", "failure: c"]);
        assert_eq!(suspected.due(begun + 2 * SOON), Vec::<String>::new(), "each is printed once");
        for symptom in ["e", "f"] {
            suspected.push(begun, symptom.to_owned(), format!("failure: {symptom}"));
        }
        assert_eq!(suspected.due(begun + SOON), ["failure: e"]);
    }

    #[tokio::test]
    async fn what_takes_long_is_announced() {
        let said = Mutex::new(Vec::new());
        let say = |text: &str| said.lock().expect("no thread panics").push(text.to_owned());
        let [short, pause] = [20, 200].map(Duration::from_millis);
        assert_eq!(with_notice_every(pause, pause, "waiting", Box::pin(async { 1 }), say).await, 1);
        assert_eq!(said.lock().expect("no thread panics").len(), 0);
        with_notice_every(short, pause / 2, "waiting", Box::pin(tokio::time::sleep(10 * pause)), say).await;
        let said = said.lock().expect("no thread panics");
        assert!(said[0] == "waiting" && said[1].starts_with("still waiting after "), "{said:?}");
    }
}
