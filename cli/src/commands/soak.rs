//! `run --soak`: runs with new seeds, one after the other, until enough is judged or the time is over.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crdible_reports::{
    ExitCode as Code, KnownFailures, Report, Soak, SoakTally,
    journal::StopReason,
    render,
    soak::Asked,
    text::{grouped, plural},
};
use crdible_spec::Catalogue;

use crate::{
    error::CliError,
    files::corpus,
    flags::{AmountArgs, Chosen, OutputFormat, TestArgs, seconds},
    output::{self, REMOVING, with_notice},
    runs::{Bench, Round, Shown, reach, shut_down},
    signals::{Signals, interrupt_runs},
};
use crdible::run::{Interrupt, Opening, RunOptions, Session, Stop, next_seed, stop_reason};

/// How much a soak judges: `1000000` or `2h`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Amount {
    /// Judged cases.
    Cases(u64),
    /// A time.
    Time(Duration),
}

/// A positive number of cases, or a time with a unit.
pub(crate) fn amount(text: &str) -> Result<Amount, String> {
    let amount = if text.ends_with(['s', 'm', 'h']) {
        seconds(text).ok().map(Amount::Time)
    } else {
        text.parse().ok().filter(|cases| *cases > 0).map(Amount::Cases)
    };
    amount.ok_or_else(|| {
        "it must be a number of cases, such as 1000000, or a time with a unit, such as 90s, 5m or 2h; neither may be 0"
            .to_owned()
    })
}

impl Amount {
    fn asked(self) -> Asked {
        match self {
            Self::Cases(cases) => Asked { cases: Some(cases), seconds: None },
            Self::Time(time) => Asked { cases: None, seconds: Some(time.as_secs_f64()) },
        }
    }
}

/// Judges until the amount is reached, and prints the sum. Returns the exit code.
pub(crate) async fn soak(
    test: &TestArgs,
    amount: &AmountArgs,
    asked: Amount,
    known: &KnownFailures,
) -> Result<u8, CliError> {
    let begun = Instant::now();
    let chosen = Chosen::of(test, false)?;
    let folder = test.output.journal.as_deref().map(Folder::create).transpose()?;
    let mut signals = Signals::listen();
    let (target, facts) = reach(test, &chosen, &mut signals).await?;
    let judged = match Bench::new((test, "run"), amount, chosen, (&target, &facts), known) {
        Ok(bench) => rounds(bench, asked, begun, folder.as_ref(), signals).await,
        Err(error) => Err(error),
    };
    shut_down(target).await;
    let (sum, has_outdated_entries) = judged?;
    output::result(&match test.output.format {
        OutputFormat::Human => render::soak(&sum, output::style()),
        OutputFormat::Json => render::soak_json(&sum),
    });
    if let (OutputFormat::Json, Some(line)) = (test.output.format, render::soak_blame(&sum)) {
        output::remark(&line);
    }
    let code = sum.exit_code();
    Ok(if code == Code::SUCCESS && test.strict_known && has_outdated_entries { Code::FAILURE } else { code })
}

/// The state of a running soak.
struct Soaking<'a> {
    bench: Bench<'a>,
    asked: Amount,
    begun: Instant,
    folder: Option<&'a Folder>,
    tally: SoakTally,
    shown: Shown,
    /// Requests that were sent before the round.
    requests: u64,
    /// The seed of the next round.
    seed: u64,
}

/// Runs the rounds. Returns the sum, and whether the file of known failures has outdated entries.
async fn rounds(
    mut bench: Bench<'_>,
    asked: Amount,
    begun: Instant,
    folder: Option<&Folder>,
    signals: Signals,
) -> Result<(Soak, bool), CliError> {
    let seed = bench.options.seed;
    let much = match asked {
        Amount::Cases(cases) => format!("{} are judged", plural(cases, "case")),
        Amount::Time(time) => format!("{} s are over", time.as_secs_f64()),
    };
    output::remark(&format!("a soak until {much}, first with seed {seed}"));
    let interrupt = interrupt_runs(vec![bench.setup.run.clone()], signals);
    let mut shown = Shown::default();
    let opening = bench.open(interrupt.clone(), &mut shown).await?;
    let tally = SoakTally::new(bench.header(&bench.options, None), asked.asked());
    let mut soaking = Soaking { bench, asked, begun, folder, tally, shown, requests: 0, seed };
    let (left, ended) = match opening {
        Opening::Open(session) => {
            let ended = loop {
                match soaking.round(&session, interrupt.clone()).await {
                    Ok(None) => {}
                    Ok(Some(ending)) => break Ok(ending),
                    Err(error) => break Err(error),
                }
            };
            (with_notice(REMOVING, session.close()).await, ended)
        }
        Opening::Interrupted(unopened) => (unopened.left, Ok((StopReason::Interrupted, None))),
    };
    output::warn_left_behind(&left, &soaking.bench.setup.run);
    let (stop, shortfall) = ended?;
    let sum = soaking.sum(Some(stop), shortfall);
    soaking.keep(&sum);
    Ok((sum, soaking.tally.has_outdated_entries()))
}

impl Soaking<'_> {
    /// Runs a round. If it was the last one, returns why, with a sentence if less was judged than requested.
    async fn round(
        &mut self,
        session: &Session,
        interrupt: Interrupt,
    ) -> Result<Option<(StopReason, Option<String>)>, CliError> {
        let number = self.tally.rounds() + 1;
        let options = self.options();
        let seed = options.seed;
        let path = self.folder.map(|folder| folder.journal(number, seed));
        let header = self.bench.header(&options, Some(command(std::env::args(), seed, options.cases)));
        let mut recorder = self.bench.recorder(path.as_deref(), header)?;
        let also = format!("round {number}, {} before it", plural(self.tally.cases(), "case"));
        let round = Round { number: Some(number), also: Some(also), ..Round::default() };
        let summary = self.bench.run(session, options, &mut recorder, interrupt, round, &mut self.shown).await;
        // The session counts those of all rounds.
        let requests = summary.requests - std::mem::replace(&mut self.requests, summary.requests);
        let report = self.bench.conclude(recorder, &summary.stop, requests, summary.sent);
        output::remark(&line(number, &report));
        self.tally.add(&report, Catalogue::embedded());
        self.seed = next_seed(seed);
        let sum = self.sum(None, None);
        self.keep(&sum);
        Ok(self.ending(&summary.stop, &report))
    }

    /// What the next round runs. The last one has fewer cases for each property if less is left.
    fn options(&self) -> RunOptions {
        let mut options = RunOptions { seed: self.seed, ..self.bench.options.clone() };
        match self.asked {
            Amount::Cases(cases) => {
                let left = cases.saturating_sub(self.tally.cases());
                options.cases = options.cases.min(left.div_ceil(options.sources.len().max(1) as u64)).max(1);
            }
            Amount::Time(time) => options.time = Some(time.saturating_sub(self.begun.elapsed())),
        }
        options
    }

    fn ending(&self, stop: &Stop, report: &Report) -> Option<(StopReason, Option<String>)> {
        let is_enough = match self.asked {
            Amount::Cases(cases) => self.tally.cases() >= cases,
            Amount::Time(time) => *stop == Stop::Time || self.begun.elapsed() >= time,
        };
        match stop {
            Stop::Interrupted | Stop::Failures | Stop::TargetLost(_) | Stop::Broken(_) => {
                Some((stop_reason(stop), detail(stop)))
            }
            _ if is_enough => Some((StopReason::Finished, None)),
            Stop::Slow(slowdown) => Some((
                StopReason::TimeBudget,
                Some(format!("{slowdown}, so the soak ended early; with a time instead of a number it goes on")),
            )),
            // Every further round would judge nothing, too.
            _ if report.counts.cases == 0 => {
                Some((StopReason::Finished, Some(format!("the round with seed {} judged nothing", report.seed))))
            }
            Stop::Finished | Stop::Time | Stop::Quiet => None,
        }
    }

    fn sum(&self, stop: Option<StopReason>, shortfall: Option<String>) -> Soak {
        let ended = jiff::Timestamp::now().to_string();
        self.tally.conclude(stop, shortfall, ended, self.begun.elapsed().as_secs_f64())
    }

    /// Writes the sum beside the journals, so that a killed soak has it, too.
    fn keep(&self, sum: &Soak) {
        if let Some(folder) = self.folder
            && let Err(error) = folder.keep(sum)
        {
            output::warn(&error.to_string());
            output::keep_unwritten(error);
        }
    }
}

/// The last error of a lost target, or the message of a panic, as a sentence.
fn detail(stop: &Stop) -> Option<String> {
    match stop {
        Stop::TargetLost(error) => Some(format!("its last error: {error}")),
        Stop::Broken(panic) => Some(format!("it panicked: {panic}")),
        _ => None,
    }
}

/// The line about a round that has ended.
fn line(number: u64, report: &Report) -> String {
    let mut text = format!(
        "round {number}: seed {}, {}, {}",
        report.seed,
        plural(report.counts.cases, "case"),
        report.verdict.as_str()
    );
    for (count, what) in [(report.counts.failures, "failure"), (report.counts.errors, "error")] {
        if count > 0 {
            text.push_str(&format!(", {}", plural(count, what)));
        }
    }
    if report.stop_reason == Some(StopReason::TimeBudget) {
        text.push_str(" (it ended before all its cases were run)");
    } else if let Some(reason) = report.reasons.first() {
        text.push_str(&format!(" ({reason}"));
        if let more @ 1.. = report.reasons.len() - 1 {
            text.push_str(&format!("; and {} more", grouped(more as u64)));
        }
        text.push(')');
    }
    text
}

/// The command line that runs a round alone: that of the soak, with a seed and a number of cases instead.
fn command(words: impl Iterator<Item = String>, seed: u64, cases: u64) -> Vec<String> {
    const REPLACED: [&str; 4] = ["--soak", "--seed", "--cases", "--journal"];
    let mut kept = Vec::new();
    let mut is_value = false;
    for word in words {
        let flag = word.split('=').next().unwrap_or_default();
        if std::mem::take(&mut is_value) {
            continue;
        }
        if REPLACED.contains(&flag) {
            is_value = flag == word;
            continue;
        }
        kept.push(word);
    }
    kept.extend(["--seed".to_owned(), seed.to_string(), "--cases".to_owned(), cases.to_string()]);
    kept
}

/// The folder of `--journal`: a journal for each round, and the sum so far.
struct Folder(PathBuf);

impl Folder {
    /// A new or empty folder: nothing is overwritten.
    fn create(path: &Path) -> Result<Self, CliError> {
        let failed = CliError::cannot("create the folder of the journals", path);
        fs::create_dir_all(path).map_err(&failed)?;
        if fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(CliError::usage(format!(
                "{} is not empty: a soak writes the journal of each round there; \
                 name an empty folder, or one that does not exist",
                path.display()
            )));
        }
        Ok(Self(path.to_owned()))
    }

    /// The journals of the rounds are in their order by name.
    fn journal(&self, number: u64, seed: u64) -> PathBuf {
        self.0.join(format!("{number:06}-{seed}.ndjson"))
    }

    fn keep(&self, sum: &Soak) -> Result<(), CliError> {
        let path = self.0.join("sum.json");
        let text = render::soak_json(sum);
        corpus::write(&path, &output::without_secrets(&text)).map_err(CliError::cannot("write the sum", &path))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::{Amount, amount, command};

    #[rstest]
    #[case("1000000", Some(Amount::Cases(1_000_000)))]
    #[case("1", Some(Amount::Cases(1)))]
    #[case("90s", Some(Amount::Time(Duration::from_secs(90))))]
    #[case("1.5h", Some(Amount::Time(Duration::from_secs(5400))))]
    #[case("2m", Some(Amount::Time(Duration::from_secs(120))))]
    #[case("0", None)]
    #[case("0s", None)]
    #[case("x", None)]
    #[case("", None)]
    #[case("s", None)]
    #[case("-5", None)]
    #[case("1.5", None)]
    #[case("2d", None)]
    #[case("99999999999999999999999", None)]
    fn amounts(#[case] text: &str, #[case] expected: Option<Amount>) {
        assert_eq!(amount(text).ok(), expected);
    }

    #[test]
    fn a_round_is_repeated_by_a_run() {
        let words = "crdible run --soak 1000 --seed=3 --journal folder --property a* b --cases 5 --qps 3 --soak=2";
        let run = command(words.split(' ').map(str::to_owned), 7, 9).join(" ");
        assert_eq!(run, "crdible run --property a* b --qps 3 --seed 7 --cases 9");
    }
}
