//! What `run` and `fuzz` have in common: a run from the flags and the first request to the report.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use crdible_reports::{
    KnownFailures, Report,
    journal::{Sent, Shard},
};
use futures_util::future::{Either, select};

use crate::{
    error::CliError,
    flags::{AmountArgs, Chosen, TestArgs},
    output::{self, REMOVING, with_notice},
    runs::{
        bench::{Bench, Round, Shown},
        fuzz_run::FuzzRun,
        ready,
        resume::Resumed,
    },
    signals::{Signals, interrupt_runs},
};
use crdible::{
    connection::{Target, TargetOptions},
    doctor::ServerFacts,
    run::{Interrupt, Opening, Stop},
};

/// How much is run, and in which order.
pub(crate) struct Work<'a> {
    /// The command: `run` or `fuzz`.
    pub(crate) command: &'static str,
    pub(crate) amount: &'a AmountArgs,
    pub(crate) shard: Option<Shard>,
    pub(crate) resumed: Option<Resumed>,
    /// The corpus of a fuzz run, whose cases replace those of the seed.
    pub(crate) fuzz_run: Option<FuzzRun>,
}

/// What the journal of a resumed run names.
fn again(resumed: &Resumed) -> Result<Chosen, CliError> {
    let sources = resumed.properties()?.into_iter().map(Into::into).collect();
    let (profile, release) = (resumed.journal.header.profile.clone(), resumed.release()?);
    let unclaimed = resumed.unclaimed().map(|capability| (capability, 0)).collect();
    Ok(Chosen { profile, sources, release, selects_all: false, unclaimed })
}

/// The target of the flags, once it answers; or that a signal came before.
pub(crate) async fn reach(
    arguments: &TestArgs,
    chosen: &Chosen,
    signals: &mut Signals,
) -> Result<(Target, ServerFacts), CliError> {
    let options = TargetOptions { release: chosen.release.emulated(), ..arguments.target.options() };
    match select(pin!(ready::connect(&options, arguments.wait)), pin!(signals.next())).await {
        Either::Left((reached, _)) => Ok(reached?),
        Either::Right(_) => Err(CliError::Interrupted),
    }
}

/// Runs it on the target of the flags.
pub(crate) async fn on_target(arguments: &TestArgs, work: Work<'_>, known: &KnownFailures) -> Result<Report, CliError> {
    let chosen = match &work.resumed {
        Some(resumed) => again(resumed)?,
        None => Chosen::of(arguments, work.fuzz_run.is_some())?,
    };
    let mut signals = Signals::listen();
    let (target, facts) = reach(arguments, &chosen, &mut signals).await?;
    let judged = match Bench::new((arguments, work.command), work.amount, chosen, (&target, &facts), known) {
        Ok(bench) => judge(bench, arguments, work, signals).await,
        Err(error) => Err(error),
    };
    ready::shut_down(target).await;
    judged
}

async fn judge(
    mut bench: Bench<'_>,
    arguments: &TestArgs,
    work: Work<'_>,
    signals: Signals,
) -> Result<Report, CliError> {
    let begun = Instant::now();
    let Work { shard, resumed, mut fuzz_run, .. } = work;
    if let Some(resumed) = &resumed {
        resumed.check(&bench.described)?;
    }
    bench.options.shard = shard;
    // The parts of a run, and what it goes on with, depend on its seed alone.
    if shard.is_none() && resumed.is_none() && fuzz_run.is_none() {
        bench.try_kept_first();
    }
    if let Some(fuzz_run) = &mut fuzz_run {
        fuzz_run.begin(&mut bench.options);
    }
    let mut recorder = match &resumed {
        Some(resumed) => {
            resumed.apply(&mut bench.options);
            bench.recorder_again(resumed)?
        }
        None => bench.recorder(arguments.output.journal.as_deref(), bench.header(&bench.options, None))?,
    };
    let interrupt = interrupt_runs(vec![bench.setup.run.clone()], signals);
    let mut shown = Shown::default();
    // The time for trying the capabilities of the target counts, too.
    let left = |time: Duration| time.saturating_sub(begun.elapsed());
    let (raise, stopped) = Interrupt::new();
    let time = bench.options.time;
    let stop = async {
        let stop = tokio::select! {
            () = interrupt.clone().raised() => Stop::Interrupted,
            () = over(time.map(left)) => {
                output::remark(&format!("the time is over; {REMOVING}"));
                Stop::Time
            }
        };
        let _ = raise.send(true);
        stop
    };
    let (opening, stop) = {
        let (opening, stop) = (pin!(bench.open(stopped, &mut shown)), pin!(stop));
        match select(opening, stop).await {
            Either::Left((opening, _)) => (opening?, Stop::Interrupted),
            Either::Right((stop, opening)) => (opening.await?, stop),
        }
    };
    let session = match opening {
        Opening::Open(session) => session,
        Opening::Interrupted(unopened) => {
            let requests = bench.record_unopened(unopened, &stop, &mut recorder, resumed.as_ref());
            return Ok(bench.conclude(recorder, &stop, requests, Sent::default()));
        }
    };
    bench.options.time = time.map(left);
    let round = Round { resumed: resumed.as_ref(), fuzz_run: fuzz_run.as_mut(), ..Round::default() };
    let options = bench.options.clone();
    let summary = bench.run(&session, options, &mut recorder, interrupt, round, &mut shown).await;
    bench.record_left(&with_notice(REMOVING, session.close()).await, &mut recorder);
    Ok(bench.conclude(recorder, &summary.stop, summary.requests, summary.sent))
}

/// Returns when this time is over; never, without one.
async fn over(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}
