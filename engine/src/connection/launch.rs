//! `--launch CMD`: a server that is started for the run and stopped with it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::group;
use super::ring::Ring;

/// The limit of the standard error that messages quote, in bytes.
const KEPT_COMPLAINT: usize = 8 << 10;

/// The limit of the first line, in bytes.
const LONGEST_LINE: u64 = 64 << 10;

/// Stops the process group of the server if crdible itself is killed: its standard input is a pipe that only crdible
/// holds open. It ignores TERM, so that it can send KILL after it.
const WATCHDOG: &str = "trap '' TERM INT HUP; read -r _; kill -TERM 0; sleep 5; kill -KILL 0";

/// The time limits for starting and stopping a launched server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchTimes {
    /// From the start to the first line. A kube-apiserver takes 3 s on an idle machine.
    pub start: Duration,
    /// From TERM to KILL.
    pub grace: Duration,
}

impl Default for LaunchTimes {
    fn default() -> Self {
        Self { start: Duration::from_secs(120), grace: Duration::from_secs(10) }
    }
}

/// The first line that a launched command printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Announced {
    /// The URL of the server.
    Url(String),
    /// The path of a kubeconfig.
    Kubeconfig(PathBuf),
}

/// Why a launched command started no server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The shell cannot be started.
    #[error("cannot start `{command}`: {detail}; check that `sh` is in PATH")]
    NotStarted {
        /// The command.
        command: String,
        /// The message of the system.
        detail: String,
    },
    /// The log of its standard error cannot be written.
    #[error("cannot write {path}, to which --launch-log sends the server's standard error: {detail}")]
    Log {
        /// The path of the log.
        path: String,
        /// The message of the system.
        detail: String,
    },
    /// It exited before it printed where the server is.
    #[error(
        "`{command}` exited ({status}) before it printed a URL or the \
         path of a kubeconfig{complaint}; run it manually to see why"
    )]
    Ended {
        /// The command.
        command: String,
        /// Its exit status.
        status: String,
        /// The end of its standard error, with an introduction; or empty.
        complaint: String,
    },
    /// It printed nothing in time.
    #[error(
        "`{command}` printed nothing on its standard output within {after:?} and was \
         stopped{complaint}; its first line must be a URL or the path of a kubeconfig"
    )]
    Silent {
        /// The command.
        command: String,
        /// The time limit.
        after: Duration,
        /// The end of its standard error, with an introduction; or empty.
        complaint: String,
    },
    /// Its first line is neither a URL nor the path of a file.
    #[error(
        "the first line of `{command}` is {line:?}, which is neither a URL nor an existing file{complaint}; it must \
         print one of these first, and write other output to its standard error"
    )]
    Nonsense {
        /// The command.
        command: String,
        /// The line, truncated.
        line: String,
        /// The end of its standard error, with an introduction; or empty.
        complaint: String,
    },
}

/// Opens a log. A server that is started again goes on in the same one.
fn opened(path: &Path) -> Result<File, LaunchError> {
    let file = File::options().create(true).append(true).open(path);
    file.map_err(|error| LaunchError::Log { path: path.display().to_string(), detail: error.to_string() })
}

/// How long the last output of a command is waited for after it has exited.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A running command and all processes that it started. [`Launched::end`] and dropping stop them; if crdible is
/// killed, a watchdog in the same process group does.
#[derive(Debug)]
pub struct Launched {
    command: String,
    server: Child,
    watchdog: Option<(Child, ChildStdin)>,
    complaint: Ring,
    /// The thread that reads it.
    listener: Option<JoinHandle<()>>,
    grace: Duration,
    over: bool,
}

impl Launched {
    /// Starts `command` with `sh -c` in a process group of its own, and waits for its first line.
    ///
    /// # Errors
    /// [`LaunchError`]; no process of the command is left running.
    pub async fn start(command: &str, times: LaunchTimes) -> Result<(Self, Announced), LaunchError> {
        Self::start_logged(command, times, None).await
    }

    /// The same, with its standard error also appended to a file.
    ///
    /// # Errors
    /// As [`Launched::start`], or the file cannot be written.
    pub async fn start_logged(
        command: &str,
        times: LaunchTimes,
        log: Option<&Path>,
    ) -> Result<(Self, Announced), LaunchError> {
        let (mut launched, lines) = Self::spawn(command, times.grace, log.map(opened).transpose()?)?;
        match launched.announced(lines, times.start).await {
            Ok(announced) => Ok((launched, announced)),
            Err(error) => {
                launched.end().await;
                Err(error)
            }
        }
    }

    /// The ID of the process group.
    pub fn group(&self) -> u32 {
        self.server.id()
    }

    /// The end of its standard error so far.
    pub fn complaint(&self) -> String {
        self.complaint.text()
    }

    /// The exit status of the command, once it has exited.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.server.try_wait().ok().flatten()
    }

    /// If the command failed by itself: a sentence with its exit status, and the end of its standard error. One that
    /// exited with 0 may have left its server in the background.
    pub async fn failed(&mut self) -> Option<String> {
        let status = self.ended().filter(|status| !status.success())?;
        self.read_to_the_end().await;
        Some(format!("`{}` exited by itself ({status}){}", self.command, self.introduced_complaint()))
    }

    /// Stops the process group: TERM, then KILL after the grace period. No process is left running.
    pub async fn end(mut self) {
        // Stopping blocks, which the threads of the runtime must not.
        let ended = tokio::task::spawn_blocking(move || self.end_now()).await;
        // It fails only if it panics, and then dropping has stopped the group.
        drop(ended);
    }

    fn spawn(command: &str, grace: Duration, mut log: Option<File>) -> Result<(Self, Receiver<String>), LaunchError> {
        let not_started =
            |error: std::io::Error| LaunchError::NotStarted { command: command.to_owned(), detail: error.to_string() };
        let mut server = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(not_started)?;
        let complaint = Ring::new(KEPT_COMPLAINT);
        let (sender, lines) = mpsc::channel();
        let output = server.stdout.take();
        let errors = server.stderr.take();
        let watchdog = spawn_watchdog(server.id());
        // Both streams are read to their end, because a server with much output would block on a full pipe.
        if let Some(output) = output {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                if read.is_ok() && !line.is_empty() {
                    // The receiver may have stopped waiting.
                    let _ = sender.send(String::from_utf8_lossy(&line).trim().to_owned());
                }
                drop(sender);
                let _ = std::io::copy(&mut output, &mut std::io::sink());
            });
        }
        let kept = complaint.clone();
        let listener = errors.map(|mut errors| {
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = errors.read(&mut buffer) {
                    kept.push(&buffer[..length]);
                    // A full disk is no reason to stop a server.
                    log = log.filter(|mut log| log.write_all(&buffer[..length]).is_ok());
                }
            })
        });
        let command = command.to_owned();
        Ok((Self { command, server, watchdog, complaint, listener, grace, over: false }, lines))
    }

    async fn announced(&mut self, lines: Receiver<String>, limit: Duration) -> Result<Announced, LaunchError> {
        match self.first_line(lines, Instant::now() + limit).await {
            Some(line) => self.parse_line(&line),
            None => Err(self.no_line(limit).await),
        }
    }

    async fn first_line(&mut self, lines: Receiver<String>, deadline: Instant) -> Option<String> {
        loop {
            match lines.try_recv() {
                Ok(line) => return Some(line),
                Err(TryRecvError::Disconnected) => {
                    // It closed its output, and usually exits a moment later.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    if self.ended().is_some() || Instant::now() >= deadline {
                        return None;
                    }
                }
                // The thread may not have sent the line yet.
                Err(TryRecvError::Empty) if self.ended().is_some() => return lines.recv_timeout(LAST_WORDS).ok(),
                Err(TryRecvError::Empty) if Instant::now() >= deadline => return None,
                Err(TryRecvError::Empty) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    }

    fn parse_line(&self, line: &str) -> Result<Announced, LaunchError> {
        if line.starts_with("http://") || line.starts_with("https://") {
            return Ok(Announced::Url(line.to_owned()));
        }
        let path = Path::new(line);
        if !line.is_empty() && path.is_file() {
            return Ok(Announced::Kubeconfig(path.to_path_buf()));
        }
        Err(LaunchError::Nonsense {
            command: self.command.clone(),
            line: line.chars().take(200).collect(),
            complaint: self.introduced_complaint(),
        })
    }

    async fn no_line(&mut self, after: Duration) -> LaunchError {
        let command = self.command.clone();
        match self.ended() {
            Some(status) => {
                self.read_to_the_end().await;
                LaunchError::Ended { command, status: status.to_string(), complaint: self.introduced_complaint() }
            }
            None => LaunchError::Silent { command, after, complaint: self.introduced_complaint() },
        }
    }

    /// Waits for the last output of a command that has exited. It may still be in the pipe, which other processes may
    /// keep open.
    async fn read_to_the_end(&self) {
        let deadline = Instant::now() + LAST_WORDS;
        while self.listener.as_ref().is_some_and(|listener| !listener.is_finished()) && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn introduced_complaint(&self) -> String {
        let complaint = self.complaint.text();
        if complaint.is_empty() { String::new() } else { format!(". The end of its standard error:\n{complaint}\n") }
    }

    fn end_now(&mut self) {
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        // First, because it ignores TERM and would keep the group alive.
        if let Some((mut watchdog, input)) = self.watchdog.take() {
            let _ = watchdog.kill();
            let _ = watchdog.wait();
            drop(input);
        }
        let leader = self.server.id();
        group::terminate(leader);
        let deadline = Instant::now() + self.grace;
        let mut reaped = false;
        while Instant::now() < deadline {
            // Until the leader is waited for, its ID belongs to no other process.
            reaped = matches!(self.server.try_wait(), Ok(Some(_)));
            if reaped {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        if reaped && group::wait_until_gone(leader, deadline) {
            return;
        }
        group::kill(leader);
        let _ = self.server.wait();
        // A killed process takes a moment to exit, longer if it hangs in the kernel.
        group::wait_until_gone(leader, Instant::now() + Duration::from_secs(1));
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        self.end_now();
    }
}

fn spawn_watchdog(leader: u32) -> Option<(Child, ChildStdin)> {
    // It cannot join the group of a command that has exited already; then there is nothing to stop.
    let mut watchdog = Command::new("sh")
        .args(["-c", WATCHDOG])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(i32::try_from(leader).ok()?)
        .spawn()
        .ok()?;
    let input = watchdog.stdin.take()?;
    Some((watchdog, input))
}
