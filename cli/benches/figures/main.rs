//! Prints measured figures next to the promised ones. It asserts nothing: machines differ.
//!
//! ```sh
//! cargo bench -p crdible-cli --bench figures
//! CRDIBLE_UPSTREAM=/tmp/crdible-upstream cargo bench -p crdible-cli --bench figures     # with the real kube-apiserver
//! ```

#![expect(clippy::print_stdout, reason = "its purpose is to print figures")]

mod changes;
mod echo;
mod validation;

use std::{
    env,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use crdible::{
    connection::{self, Target, TargetOptions, Transport},
    execute::{Executor, ExecutorOptions},
    properties::{self, Capability, Property},
    run::{Event, Interrupt, RunOptions, Session, ShrinkOptions, new_run_id},
};
use crdible_semantics::Semantics;
use tokio::{net::TcpListener, runtime::Runtime, sync::mpsc};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // `cargo test --benches` and `cargo bench -- --list` run this program, too, but expect nothing of it.
    if env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let runtime = Runtime::new().expect("a runtime");
    println!("figure {:43} {:>14}   promised", "", "here");

    let embedded = Target::embedded(Semantics::UPSTREAM).transport;
    let measured = runtime.block_on(measure(embedded, |_| true, 400, cores(), 1, || ()));
    show("embedded in process, cases/s", measured.cases_per_second(), "at least 5,000");

    let validation::Validation { sizes, milliseconds } = validation::measure();
    show(&format!("validation, {sizes}, ms"), milliseconds, "under 1");

    let over_http = runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(crdible_reference::serve(
            listener,
            crdible_reference::Server::new(Semantics::UPSTREAM),
            std::future::pending(),
        ));
        let target = connection::connect(&TargetOptions { server: Some(url), ..TargetOptions::default() })
            .await
            .expect("a target");
        measure(target.transport, |_| true, 200, 16, 8, || ()).await
    });
    show("embedded over loopback HTTP, requests/s", over_http.requests_per_second(), "at least 7,300");

    show("`crdible serve` ready, ms", ready().as_secs_f64() * 1000.0, "under 50");
    let started = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_crdible"))
        .args(["run", "--seed", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the default run passes");
    show("default `crdible run`, s", started.elapsed().as_secs_f64(), "under 10");
    show("peak memory of this process, MB", highest_memory(), "under 200");

    if let Ok(command) = env::var("CRDIBLE_UPSTREAM") {
        runtime.block_on(schema_changes(&command));
        runtime.block_on(real_server(&command));
    }
}

/// The suite against the real server, and the same requests again without generating or judging. Properties that read
/// discovery are left out: they wait for seconds until the server has updated it, which a list of requests does not.
async fn real_server(command: &str) {
    let target = connection::connect(&launch(command)).await.expect("the real server starts");
    let recorder = Arc::new(echo::Recorder::new(Arc::clone(&target.transport)));
    let prompt = |property: &&Property| !property.needs.contains(&Capability::Discovery);
    let mut parts = Vec::new();
    let transport = Arc::clone(&recorder) as Arc<dyn Transport>;
    let measured = measure(transport, prompt, cases(), IN_FLIGHT, 8, || parts.push(recorder.take())).await;
    target.shutdown().await;
    let [opening, run] = parts.try_into().expect("two parts: opening the session, and the run");
    let requests = run.len() as u64;

    let target = connection::connect(&launch(command)).await.expect("the real server starts");
    echo::replay(opening, Arc::clone(&target.transport)).await;
    let echo::Replayed { elapsed, otherwise } = echo::replay(run, Arc::clone(&target.transport)).await;
    target.shutdown().await;
    let (here, alone) = (per_second(requests, measured.elapsed), per_second(requests, elapsed));
    show("real server, requests/s (repeated ones count once)", here, "");
    show("  the same requests alone, requests/s", alone, "");
    show("  of them never answered as before, %", 100.0 * per_second(otherwise, elapsed) / alone, "few");
    show("  ratio", here / alone, "at least 0.8");
}

/// All properties on the real server, and loops that only change schemas.
async fn schema_changes(command: &str) {
    let target = connection::connect(&launch(command)).await.expect("the real server starts");
    // The server's known defects would be shrunk.
    let no_defect = |property: &&Property| !property.id.contains("-defect-");
    let selected: Vec<_> = properties::all().filter(no_defect).collect();
    let alone = changes::measure(Arc::clone(&target.transport), changes::of_run(&selected, cases()), IN_FLIGHT).await;
    let small = changes::measure(Arc::clone(&target.transport), changes::small(), IN_FLIGHT).await;
    let measured = measure(Arc::clone(&target.transport), no_defect, cases(), IN_FLIGHT, 8, || ()).await;
    target.shutdown().await;
    let scenarios = per_second(measured.scenarios, measured.elapsed);
    show("real server, scenarios/s", scenarios, "");
    show("  their definitions alone, served, per second", alone, "");
    show("  ratio", scenarios / alone, "at least 0.7");
    show("  changes of one small schema alone, per second", small, "");
    show("  ratio", scenarios / small, "");
}

fn launch(command: &str) -> TargetOptions {
    TargetOptions { launch: Some(command.to_owned()), ..TargetOptions::default() }
}

/// How many cases of each property run on the real server.
fn cases() -> u64 {
    env::var("CRDIBLE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40)
}

/// Scenarios, and requests, in flight at the real server.
const IN_FLIGHT: usize = 24;

struct Measured {
    cases: u64,
    scenarios: u64,
    requests: u64,
    elapsed: Duration,
}

impl Measured {
    fn cases_per_second(&self) -> f64 {
        per_second(self.cases, self.elapsed)
    }

    fn requests_per_second(&self) -> f64 {
        per_second(self.requests, self.elapsed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure to read")]
fn per_second(count: u64, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64()
}

/// Runs properties. Opening the session and cleaning up are not counted; `between` is called after opening.
async fn measure(
    transport: Arc<dyn Transport>,
    which: impl FnMut(&&'static Property) -> bool,
    cases: u64,
    workers: usize,
    batch: usize,
    mut between: impl FnMut(),
) -> Measured {
    let options = ExecutorOptions {
        definitions: workers * 2,
        patience: Duration::from_secs(60),
        ..ExecutorOptions::of_run(new_run_id())
    };
    let session = Session::open(Executor::new(transport, options)).await.expect("a session");
    let selected: Vec<&'static Property> = properties::all().filter(which).collect();
    let run = RunOptions {
        seed: 1,
        workers,
        shrink: ShrinkOptions { batch, ..ShrinkOptions::default() },
        ..RunOptions::new(selected, cases)
    };
    between();
    let before = session.executor().requests();
    let (sender, mut events) = mpsc::unbounded_channel();
    let started = Instant::now();
    let listen = async {
        let mut scenarios = 0;
        while let Some(event) = events.recv().await {
            scenarios += u64::from(matches!(event, Event::Case(_)));
        }
        scenarios
    };
    let (summary, scenarios) = tokio::join!(session.run(run, sender, Interrupt::never()), listen);
    let elapsed = started.elapsed();
    between();
    session.close().await;
    Measured { cases: summary.cases.values().sum(), scenarios, requests: summary.requests - before, elapsed }
}

fn ready() -> Duration {
    let started = Instant::now();
    let mut server = Command::new(env!("CARGO_BIN_EXE_crdible"))
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("`crdible serve` starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("its stdout")).read_line(&mut line).expect("its first line");
    let ready = started.elapsed();
    server.kill().expect("it can be ended");
    server.wait().expect("it ends");
    ready
}

fn highest_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    let kilobytes: f64 = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(f64::NAN);
    kilobytes / 1024.0
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn show(figure: &str, here: f64, promised: &str) {
    println!("{figure:50} {here:>14.1}   {promised}");
}
