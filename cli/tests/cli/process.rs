//! Runs the binary in its own folder, with a time limit.

use std::{
    cell::RefCell,
    fs,
    io::{BufRead, BufReader, ErrorKind, Read},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        LazyLock, OnceLock,
        mpsc::{self, Receiver},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crdible_reports::journal::Journal;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::{published, sample::Sample, target_support::Fake};

/// A command that has not ended by then is killed, and its test fails. Far longer than any of them takes.
const GUARD: Duration = Duration::from_secs(600);

/// The seed of commands that state none.
static SEED: LazyLock<u64> = LazyLock::new(|| Sample::stated().number("seed of commands"));

/// The polling interval.
const PAUSE: Duration = Duration::from_millis(5);

/// A run of the whole profile on the embedded server.
pub(crate) struct WholeRun {
    /// Its report as JSON.
    pub(crate) report: String,
    pub(crate) journal: String,
}

/// It takes long, so tests share one.
pub(crate) fn whole_run() -> &'static WholeRun {
    static RUN: OnceLock<WholeRun> = OnceLock::new();
    RUN.get_or_init(|| {
        let folder = Folder::new();
        let ended = folder.crdible("run --cases 50 --output json --journal run.ndjson").ends(0);
        WholeRun { report: ended.stdout, journal: folder.read("run.ndjson") }
    })
}

/// The journal of a run of five cases, which tests share.
pub(crate) fn short_run() -> &'static str {
    static JOURNAL: LazyLock<String> = LazyLock::new(|| {
        let folder = Folder::new();
        folder.crdible("run --property ver-004-spec-order --cases 5 --seed 5 --journal run.ndjson");
        folder.read("run.ndjson")
    });
    &JOURNAL
}

/// Files that tests share: names and texts.
pub(crate) type Files = Vec<(String, String)>;

/// A folder in which commands run, isolated from the user's configuration.
pub(crate) struct Folder {
    folder: TempDir,
    /// A variable of the environment of its commands.
    variable: RefCell<Option<(&'static str, &'static str)>>,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), variable: RefCell::default() }
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(String, String)]) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    /// All files in it, for other folders.
    pub(crate) fn contents(&self) -> Files {
        let name = |path: &Path| path.strip_prefix(self.folder.path()).unwrap().to_str().unwrap().to_owned();
        self.everything().into_iter().map(|(path, text)| (name(&path), text)).collect()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and creates the folder in which it is.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a file that can be executed.
    pub(crate) fn write_program(&self, name: &str, text: &str) {
        self.write(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The JSON document in a file.
    pub(crate) fn read_json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The journal in a file.
    pub(crate) fn journal(&self, name: &str) -> Journal {
        Journal::read(self.read(name).as_bytes()).unwrap()
    }

    /// Waits until a journal has more than this number of lines.
    pub(crate) fn wait_for_lines(&self, name: &str, count: usize) {
        wait_until("lines are in the journal", || {
            fs::read_to_string(self.path(name)).is_ok_and(|text| text.lines().count() > count)
        });
    }

    /// Sets a variable in the environment of commands from now on.
    pub(crate) fn with_variable(&self, name: &'static str, value: &'static str) -> &Self {
        *self.variable.borrow_mut() = Some((name, value));
        self
    }

    /// The text of all files in it, including subfolders. A command may be writing there: a file that has got another
    /// name before it is read is none.
    pub(crate) fn everything(&self) -> Vec<(PathBuf, String)> {
        let read = |path: PathBuf| match fs::read(&path) {
            Ok(text) => Some((path, String::from_utf8_lossy(&text).into_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        self.files().into_iter().filter_map(read).collect()
    }

    /// All files in it, including subfolders.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { found.push(path) }
            }
        }
        found
    }

    /// Runs `crdible` with these arguments, separated by spaces, and waits until it has ended.
    pub(crate) fn crdible(&self, arguments: &str) -> Ended {
        self.start(arguments).wait()
    }

    /// Runs `crdible` with these arguments on a server, and waits until it has ended.
    pub(crate) fn on(&self, server: &Fake, arguments: &str) -> Ended {
        self.start_on(server, arguments).wait()
    }

    /// Starts `crdible` with these arguments on a server.
    pub(crate) fn start_on(&self, server: &Fake, arguments: &str) -> Running {
        self.start(&format!("{arguments} --server {}", server.url()))
    }

    /// Runs `crdible` with these arguments while the disk is full to which its standard output is redirected. Returns
    /// its exit code and its standard error.
    pub(crate) fn crdible_on_a_full_disk(&self, arguments: &str) -> (Option<i32>, String) {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = self.command(arguments).stdout(full).output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    }

    /// Runs `crdible` with these arguments while no file can have more than 1 KiB. Returns its exit code and its
    /// standard error.
    pub(crate) fn crdible_with_small_files(&self, arguments: &str) -> (Option<i32>, String) {
        const LIMITED: &str = "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"";
        let crdible = self.command(arguments);
        let mut limited = Command::new("sh");
        limited.args(["-c", LIMITED]).arg(crdible.get_program()).args(crdible.get_args());
        let ended = limited.current_dir(self.folder.path()).stdin(Stdio::null()).output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    }

    /// Starts `crdible` with these arguments, separated by spaces.
    pub(crate) fn start(&self, arguments: &str) -> Running {
        self.start_reading(Stdio::null(), arguments)
    }

    /// The same with this standard input.
    pub(crate) fn start_reading(&self, input: impl Into<Stdio>, arguments: &str) -> Running {
        let mut command = self.command(arguments);
        let mut child = command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = Stream::read(child.stdout.take().unwrap());
        let stderr = Stream::read(child.stderr.take().unwrap());
        Running { child, stdout, stderr, arguments: arguments.to_owned() }
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crdible"));
        for (name, _) in std::env::vars_os() {
            let is_own = name.to_string_lossy().starts_with("CRDIBLE_");
            let others = ["GITHUB_STEP_SUMMARY", "KUBECONFIG", "NO_COLOR", "CLICOLOR_FORCE"];
            if is_own || others.iter().any(|other| name == *other) {
                command.env_remove(name);
            }
        }
        // What it draws depends on the commit alone.
        command.env("CRDIBLE_SEED", SEED.to_string());
        command.envs(*self.variable.borrow());
        command
            .args(arguments.split_whitespace())
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .stdin(Stdio::null());
        command
    }
}

/// What is left in it is valid under the published schemas.
impl Drop for Folder {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.everything().iter().for_each(|(path, text)| published::file(path, text));
        }
    }
}

/// What a command writes to one of its outputs, read continuously so that the command never blocks.
struct Stream {
    lines: Receiver<String>,
    all: Option<JoinHandle<String>>,
}

impl Stream {
    fn read(output: impl Read + Send + 'static) -> Self {
        let (sender, lines) = mpsc::channel();
        let reader = thread::spawn(move || {
            let mut all = String::new();
            for line in BufReader::new(output).lines() {
                let line = line.expect("output is UTF-8");
                all.push_str(&line);
                all.push('\n');
                // Few tests read line by line.
                let _ = sender.send(line);
            }
            all
        });
        Self { lines, all: Some(reader) }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(GUARD).expect("there is another line")
    }

    fn all(&mut self) -> String {
        self.all.take().map(|reader| reader.join().unwrap()).unwrap_or_default()
    }
}

/// A running command; it is killed when dropped.
pub(crate) struct Running {
    child: Child,
    stdout: Stream,
    stderr: Stream,
    arguments: String,
}

impl Running {
    /// The next line on stdout.
    pub(crate) fn line(&self) -> String {
        self.stdout.line()
    }

    /// Reads stderr up to a line that holds these words.
    pub(crate) fn wait_for_remark(&self, words: &str) {
        while !self.stderr.line().contains(words) {}
    }

    /// Sends a signal to this process.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Ends it by a signal.
    pub(crate) fn end(self, signal: Signal) -> Ended {
        self.signal(signal);
        self.wait()
    }

    /// Waits until it has ended.
    pub(crate) fn wait(mut self) -> Ended {
        let deadline = Instant::now() + GUARD;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break Some(status);
            }
            if Instant::now() > deadline {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                break None;
            }
            thread::sleep(PAUSE);
        };
        let (stdout, stderr) = (self.stdout.all(), self.stderr.all());
        let Some(status) = status else {
            panic!("crdible {} does not end\n{stdout}\n{stderr}", self.arguments);
        };
        Ended { code: status.code(), stdout, stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // After `wait` both fail, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Asserts this exit code.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts that nothing is on stdout.
    #[track_caller]
    pub(crate) fn without_result(self) -> Self {
        assert_eq!(self.stdout, "", "{self:#?}");
        self
    }

    /// Asserts that nothing is on stderr.
    #[track_caller]
    pub(crate) fn without_remarks(self) -> Self {
        assert_eq!(self.stderr, "", "{self:#?}");
        self
    }

    /// Asserts that stdout contains all of these words.
    #[track_caller]
    pub(crate) fn prints(&self, words: &[&str]) {
        contains(&self.stdout, words);
    }

    /// Asserts that stdout begins with these words.
    #[track_caller]
    pub(crate) fn begins(&self, words: &str) {
        assert!(self.stdout.starts_with(words), "no {words:?} at the start of {}", self.stdout);
    }

    /// Asserts that stdout contains none of these words.
    #[track_caller]
    pub(crate) fn omits(&self, words: &[&str]) {
        for word in words {
            assert!(!self.stdout.contains(word), "{word:?} is in {}", self.stdout);
        }
    }

    /// Asserts that stderr contains all of these words.
    #[track_caller]
    pub(crate) fn remarks(&self, words: &[&str]) {
        contains(&self.stderr, words);
    }

    /// The one JSON document on stdout; the exit code must be this.
    #[track_caller]
    pub(crate) fn json(&self, code: i32) -> Value {
        assert_eq!(self.code, Some(code), "{self:#?}");
        let document = serde_json::from_str(&self.stdout);
        let document = document.unwrap_or_else(|error| panic!("stdout is not JSON: {error}: {self:#?}"));
        published::document(&document, "stdout");
        document
    }

    /// Asserts this exit code, an empty stdout, and that stderr contains all of these words.
    #[track_caller]
    pub(crate) fn complains(&self, code: i32, words: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{self:#?}");
        self.remarks(words);
    }
}

/// Asserts that a text contains all of these words.
#[track_caller]
pub(crate) fn contains(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word:?} in {text}");
    }
}

/// Waits until something is so.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + GUARD;
    while !is_so() {
        assert!(Instant::now() < deadline, "timed out waiting until {what}");
        thread::sleep(PAUSE);
    }
}
