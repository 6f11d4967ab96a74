//! `--launch CMD`: a server that is started for the run and ended with it.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use super::group;
use super::ring::Ring;

/// How much of the standard error is kept for messages, in bytes.
const KEPT_COMPLAINT: usize = 8 << 10;

/// How much of the first line is read, in bytes.
const LONGEST_LINE: u64 = 64 << 10;

/// Ends the server's group if crdible itself dies: its standard input is a pipe that only crdible
/// holds. It ignores TERM so that it outlives the polite attempt.
const WATCHDOG: &str = "trap '' TERM INT HUP; read -r _; kill -TERM 0; sleep 5; kill -KILL 0";

/// Times for starting and ending a launched server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchTimes {
    /// From the start to the first line. A real kube-apiserver takes 3 s on an idle machine.
    pub start: Duration,
    /// From TERM to KILL.
    pub grace: Duration,
}

impl Default for LaunchTimes {
    fn default() -> Self {
        Self { start: Duration::from_secs(120), grace: Duration::from_secs(10) }
    }
}

/// What a launched command printed on its first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Announced {
    /// The URL of the server.
    Url(String),
    /// The path of a kubeconfig.
    Kubeconfig(PathBuf),
}

/// Why a launched command gave no server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The shell could not be started.
    #[error("cannot start `{command}`: {detail}; is there a shell `sh` in PATH?")]
    NotStarted {
        /// The command.
        command: String,
        /// What the system said.
        detail: String,
    },
    /// It ended before it said where the server is.
    #[error(
        "`{command}` ended ({status}) before it printed a URL or a kubeconfig's path{complaint}; run it by hand to see why"
    )]
    Ended {
        /// The command.
        command: String,
        /// How it ended.
        status: String,
        /// The end of its standard error, with an introduction (or nothing).
        complaint: String,
    },
    /// It said nothing in time.
    #[error(
        "`{command}` printed nothing on its standard output within {after:?} and was stopped{complaint}; its first line must be a URL or a kubeconfig's path"
    )]
    Silent {
        /// The command.
        command: String,
        /// How long was waited.
        after: Duration,
        /// The end of its standard error, with an introduction (or nothing).
        complaint: String,
    },
    /// Its first line is neither a URL nor a path to a file.
    #[error(
        "the first line of `{command}` is {line:?}, which is neither a URL nor an existing file{complaint}; it must print one of these first, and other output to its standard error"
    )]
    Nonsense {
        /// The command.
        command: String,
        /// The line, shortened.
        line: String,
        /// The end of its standard error, with an introduction (or nothing).
        complaint: String,
    },
}

/// A running command with everything that it started. It ends on [`Launched::end`] and when
/// dropped; if crdible is killed, a watchdog in the same group ends it.
#[derive(Debug)]
pub struct Launched {
    command: String,
    server: Child,
    watchdog: Option<(Child, ChildStdin)>,
    complaint: Ring,
    grace: Duration,
    over: bool,
}

impl Launched {
    /// Starts `command` with `sh -c` in a process group of its own and waits for its first line.
    ///
    /// # Errors
    /// [`LaunchError`]; then nothing of the command is left.
    pub async fn start(command: &str, times: LaunchTimes) -> Result<(Self, Announced), LaunchError> {
        let (mut launched, lines) = Self::spawn(command, times.grace)?;
        let announced = launched.first_line(&lines, times.start).await;
        match announced {
            Ok(announced) => Ok((launched, announced)),
            Err(error) => {
                launched.end().await;
                Err(error)
            }
        }
    }

    /// The number of the process group.
    pub fn group(&self) -> u32 {
        self.server.id()
    }

    /// The end of what it wrote to its standard error so far.
    pub fn complaint(&self) -> String {
        self.complaint.text()
    }

    /// How the command itself ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.server.try_wait().ok().flatten()
    }

    /// Ends the whole group: TERM, then KILL after the grace period. Nothing is left afterwards.
    pub async fn end(mut self) {
        // Ending waits; the runtime's threads must not.
        let ended = tokio::task::spawn_blocking(move || self.end_now()).await;
        // Only a panic inside can fail it, and then dropping has ended the group.
        drop(ended);
    }

    fn spawn(command: &str, grace: Duration) -> Result<(Self, Receiver<String>), LaunchError> {
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
        let launched =
            Self { command: command.to_owned(), server, watchdog, complaint: complaint.clone(), grace, over: false };
        // Both streams are read to their end, or a talkative server would block on a full pipe.
        if let Some(output) = output {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                if read.is_ok() && !line.is_empty() {
                    // Nobody may be waiting any more.
                    let _ = sender.send(String::from_utf8_lossy(&line).trim().to_owned());
                }
                drop(sender);
                let _ = std::io::copy(&mut output, &mut std::io::sink());
            });
        }
        if let Some(mut errors) = errors {
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = errors.read(&mut buffer) {
                    complaint.push(&buffer[..length]);
                }
            });
        }
        Ok((launched, lines))
    }

    async fn first_line(&mut self, lines: &Receiver<String>, limit: Duration) -> Result<Announced, LaunchError> {
        let deadline = Instant::now() + limit;
        let line = loop {
            match lines.try_recv() {
                Ok(line) => break line,
                Err(TryRecvError::Disconnected) if self.ended().is_none() => {
                    // It closed its output; a moment later it has ended, or never will.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    if self.ended().is_none() && Instant::now() < deadline {
                        continue;
                    }
                    return Err(self.no_line(limit).await);
                }
                Err(TryRecvError::Disconnected) => return Err(self.no_line(limit).await),
                Err(TryRecvError::Empty) => {}
            }
            if self.ended().is_some() {
                // The line may still be on its way through the thread.
                match lines.recv_timeout(Duration::from_millis(200)) {
                    Ok(line) => break line,
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                        return Err(self.no_line(limit).await);
                    }
                }
            }
            if Instant::now() >= deadline {
                return Err(self.no_line(limit).await);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        self.understand(&line)
    }

    fn understand(&self, line: &str) -> Result<Announced, LaunchError> {
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
                // What it wrote last is still in the pipe.
                tokio::time::sleep(Duration::from_millis(50)).await;
                LaunchError::Ended { command, status: status.to_string(), complaint: self.introduced_complaint() }
            }
            None => LaunchError::Silent { command, after, complaint: self.introduced_complaint() },
        }
    }

    fn introduced_complaint(&self) -> String {
        let complaint = self.complaint.text();
        if complaint.is_empty() { String::new() } else { format!(". Its standard error ends:\n{complaint}\n") }
    }

    fn end_now(&mut self) {
        if std::mem::replace(&mut self.over, true) {
            return;
        }
        // First, since it ignores TERM and would keep the group alive.
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
            // As long as the leader is not waited for, its number belongs to nobody else.
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
        // A killed process needs a moment, longer if it hangs in the kernel.
        group::wait_until_gone(leader, Instant::now() + Duration::from_secs(1));
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        self.end_now();
    }
}

fn spawn_watchdog(leader: u32) -> Option<(Child, ChildStdin)> {
    // It cannot join the group of a command that has ended already; then it has nothing to guard.
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
