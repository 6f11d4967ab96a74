//! Connections to targets: the embedded server in process, or any server over HTTP.
//!
//! [`connect()`] creates a [`Target`] from the options of the user. Requests are sent through its [`Transport`],
//! usually wrapped in a [`BackoffTransport`], which retries when the server requests it and limits the rate.

mod address;
mod backoff;
mod connect;
mod credentials;
mod error;
mod exec;
mod group;
mod http;
mod in_process;
mod kubeconfig;
mod launch;
mod login;
mod options;
mod pace;
mod rate;
mod relaunch;
mod ring;
mod secret;
mod target;
mod transport;
mod waiting;
mod watch;

pub use address::{Address, redact};
pub use backoff::{BackoffOptions, BackoffTransport};
pub use connect::{connect, connect_in};
pub use error::TargetError;
pub use http::{Http, LONGEST_BODY};
pub use in_process::InProcess;
pub use kubeconfig::{Environment, KubeconfigError};
pub use launch::{Announced, LaunchError, LaunchTimes, Launched};
pub use options::{DEFAULT_REQUEST_TIMEOUT, TargetOptions};
pub use pace::Slowdown;
pub use rate::Rate;
pub use secret::{Secret, Secrets};
pub use target::{Target, TargetDescription, TargetKind};
pub use transport::{Ended, HttpRequest, RequestSummary, ResponseFuture, Transport, TransportError, Unended};
pub(crate) use waiting::{Stopwatch, is_patient, patiently, spawn, standstills, within};
pub(crate) use watch::is_watch;
