//! Flags that several commands share.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use crdible_reports::{Report, render, shell::quoted};
use crdible_semantics::Format;
use crdible_spec::Catalogue;

use crate::{error::CliError, output};
use crdible::{
    connection::{Secret, TargetOptions, redact},
    run::random_seed,
};

/// The format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Human-readable text
    Human,
    /// One JSON document
    Json,
}

/// What a command that sends scenarios writes, beside renderings of its report.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write the journal to this file: one line for each finished scenario
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) journal: Option<PathBuf>,
    /// Folder for counterexamples, one file for each failure or difference; it is created when needed. `crdible run`
    /// tries first the random cases in it
    #[arg(long, value_name = "FOLDER", default_value = "crdible-failures", help_heading = "Output")]
    pub(crate) failures: PathBuf,
    /// Output format
    #[arg(
        long = "output", value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Human,
        help_heading = "Output"
    )]
    pub(crate) format: OutputFormat,
}

impl OutputArgs {
    /// Refuses what would be noticed only at the first failure.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        let failures = &self.failures;
        if failures.exists() && !failures.is_dir() {
            return Err(CliError::usage(format!(
                "--failures {}: it is a file; name a folder, or one that does not exist yet",
                failures.display()
            )));
        }
        Ok(())
    }
}

impl OutputFormat {
    /// The report of a run in this format.
    pub(crate) fn of(self, report: &Report) -> String {
        match self {
            Self::Human => render::human(report, Catalogue::embedded(), output::style()),
            Self::Json => render::json(report),
        }
    }
}

/// The heading of the flags that name the target.
pub(crate) const TARGET_HEADING: &str = "Target (default: the embedded server)";

/// The server to use. Without these flags it is the embedded server; the user's default kubeconfig is never used.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = TARGET_HEADING)]
pub(crate) struct TargetArgs {
    /// URL of an API server
    #[arg(long, value_name = "URL", env = "CRDIBLE_SERVER")]
    server: Option<String>,
    /// Bearer token for --server
    #[arg(long, value_name = "TOKEN", env = "CRDIBLE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// File with the CA certificates to verify the server's certificate
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// File with the client certificate
    #[arg(long, value_name = "FILE", requires = "client_key")]
    client_certificate: Option<PathBuf>,
    /// File with the private key of the client certificate
    #[arg(long, value_name = "FILE", requires = "client_certificate")]
    client_key: Option<PathBuf>,
    /// Skip TLS certificate verification
    #[arg(long)]
    insecure_skip_tls_verify: bool,
    /// Kubeconfig with the address and credentials of a server
    #[arg(long, value_name = "FILE", env = "CRDIBLE_KUBECONFIG")]
    kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// Command that starts a server for this run, and prints its URL or the path of a kubeconfig as its first line
    #[arg(long, value_name = "COMMAND")]
    launch: Option<String>,
    /// File to which the standard error of the launched server is appended
    #[arg(long, value_name = "FILE", requires = "launch")]
    launch_log: Option<PathBuf>,
    /// Timeout for one request, in seconds or with a unit [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    request_timeout: Option<Duration>,
}

impl TargetArgs {
    /// Whether they name a server; without one, the embedded server is the target.
    pub(crate) fn is_given(&self) -> bool {
        self.server.is_some() || self.kubeconfig.is_some() || self.launch.is_some()
    }

    /// These flags as options of the library.
    pub(crate) fn options(&self) -> TargetOptions {
        TargetOptions {
            server: self.server.clone(),
            token: self.token.clone().map(Secret::from),
            ca: self.ca.clone(),
            client_certificate: self.client_certificate.clone(),
            client_key: self.client_key.clone(),
            insecure: self.insecure_skip_tls_verify,
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
            launch: self.launch.clone(),
            launch_log: self.launch_log.clone(),
            request_timeout: self.request_timeout,
            ..TargetOptions::default()
        }
    }

    /// The flags that name this target, each with a space before it, quoted for a shell, without secrets.
    pub(crate) fn flags(&self) -> String {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let valued = [
            ("--server", self.server.as_deref().map(redact)),
            ("--ca", path(&self.ca)),
            ("--client-certificate", path(&self.client_certificate)),
            ("--client-key", path(&self.client_key)),
            ("--kubeconfig", path(&self.kubeconfig)),
            ("--context", self.context.clone()),
            ("--launch", self.launch.clone()),
        ];
        let mut flags = String::new();
        for (flag, value) in valued {
            if let Some(value) = value {
                flags.push_str(&format!(" {flag} {}", quoted(&value)));
            }
        }
        if self.insecure_skip_tls_verify {
            flags.push_str(" --insecure-skip-tls-verify");
        }
        flags
    }
}

/// A positive number of seconds, `90`, `1.5`, or with a unit: `90s`, `5m`, `2h`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let (number, factor) = match text.as_bytes().last() {
        Some(b's') => (&text[..text.len() - 1], 1.0),
        Some(b'm') => (&text[..text.len() - 1], 60.0),
        Some(b'h') => (&text[..text.len() - 1], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|number| number * factor).filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "it must be a positive number of seconds, or have a unit: 90, 1.5, 90s, 5m, 2h".to_owned())
}

/// A seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!("it must be a whole number from 0 to {}, such as a report prints; without one, it is drawn", u64::MAX)
    })
}

/// The seed that a flag states, or else the variable `CRDIBLE_SEED` unless it is empty, or else a random one.
///
/// # Errors
/// The variable is used, but is not a seed.
pub(crate) fn seed_or_drawn(stated: Option<u64>) -> Result<u64, CliError> {
    let variable = || std::env::var_os("CRDIBLE_SEED").filter(|text| !text.is_empty());
    match (stated, variable()) {
        (Some(seed), _) => Ok(seed),
        (None, None) => Ok(random_seed()),
        (None, Some(text)) => {
            let text = text.to_string_lossy();
            seed(&text).map_err(|problem| CliError::usage(format!("CRDIBLE_SEED is `{text}`, but {problem}")))
        }
    }
}

/// A name that a namespace can have.
pub(crate) fn namespace(text: &str) -> Result<String, String> {
    if Format::ShortName.accepts(text) {
        return Ok(text.to_owned());
    }
    Err("no namespace can have this name: it has at most 63 of a-z, 0-9 and `-`, and no `-` at its ends".to_owned())
}

/// A positive number.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "it must be a positive number".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::{TargetArgs, namespace, seconds, seed};

    #[test]
    fn a_replay_names_the_target_without_its_secrets() {
        let target = TargetArgs {
            server: Some("https://me:s3cr3t@localhost:6443".to_owned()),
            token: Some("s3cr3t".to_owned()),
            ca: Some("my certificates.pem".into()),
            insecure_skip_tls_verify: true,
            ..TargetArgs::default()
        };
        let flags = target.flags();
        assert!(flags.contains(" --ca 'my certificates.pem'"), "{flags}");
        assert!(flags.ends_with(" --insecure-skip-tls-verify"), "{flags}");
        assert!(flags.contains("localhost:6443") && !flags.contains("s3cr3t"), "{flags}");
    }

    #[rstest]
    #[case("0", Some(0))]
    #[case("18446744073709551615", Some(u64::MAX))]
    #[case("18446744073709551616", None)]
    #[case("-1", None)]
    #[case("1.5", None)]
    #[case("0x10", None)]
    #[case("x", None)]
    #[case("", None)]
    fn seeds(#[case] text: &str, #[case] expected: Option<u64>) {
        let read = seed(text);
        assert_eq!(read.clone().ok(), expected);
        assert!(read.err().is_none_or(|error| error.contains("a whole number from 0 to 18446744073709551615")));
    }

    #[rstest]
    #[case("default", true)]
    #[case("9-a", true)]
    #[case("Bad", false)]
    #[case("a_b", false)]
    #[case("-a", false)]
    #[case("a-", false)]
    #[case("", false)]
    #[case(&"a".repeat(64), false)]
    fn namespaces(#[case] text: &str, #[case] is_name: bool) {
        assert_eq!(namespace(text).is_ok(), is_name);
    }

    #[rstest]
    #[case("90", Some(90.0))]
    #[case("1.5", Some(1.5))]
    #[case("5m", Some(300.0))]
    #[case("2h", Some(7200.0))]
    #[case("0", None)]
    #[case("-1", None)]
    #[case("", None)]
    #[case("s", None)]
    #[case("1d", None)]
    #[case("inf", None)]
    #[case("1e300", None)]
    fn durations(#[case] text: &str, #[case] expected: Option<f64>) {
        assert_eq!(seconds(text).ok(), expected.map(Duration::from_secs_f64));
    }
}
