//! A target that is not ready yet (`--wait`), and its end.

use std::time::{Duration, Instant};

use crdible::{
    connection::{self, Target, TargetError, TargetOptions},
    doctor::{ServerFacts, preflight},
};

use crate::output::{self, with_notice};

/// How long to wait before the target is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// The target and what it is, as soon as it answers and serves definitions. Within `patience`, failures that may pass
/// are retried: the server or its proxy may still be starting.
pub(crate) async fn connect(
    options: &TargetOptions,
    patience: Option<Duration>,
) -> Result<(Target, ServerFacts), TargetError> {
    const WAITING: &str = "waiting for the target";
    let Some(patience) = patience else { return with_notice(WAITING, once(options)).await };
    let options = &TargetOptions { launch_patience: Some(patience), ..options.clone() };
    let begun = Instant::now();
    let waiting = async {
        loop {
            match once(options).await {
                Err(error) if error.may_pass() && begun.elapsed() + PAUSE < patience => tokio::time::sleep(PAUSE).await,
                ended => return ended,
            }
        }
    };
    with_notice(WAITING, waiting).await
}

async fn once(options: &TargetOptions) -> Result<(Target, ServerFacts), TargetError> {
    let target = connection::connect(options).await?;
    // The server may echo them in its first answer.
    output::keep_secret(target.secrets());
    match preflight(&target).await {
        Ok(facts) => Ok((target, facts)),
        Err(error) => {
            shut_down(target).await;
            Err(error)
        }
    }
}

/// Stops the target if it was launched. If it has failed before, its last lines are printed.
pub(crate) async fn shut_down(mut target: Target) {
    if let Some(launched) = target.launched()
        && let Some(failed) = launched.failed().await
    {
        output::warn(failed.trim_end());
    }
    target.shutdown().await;
}
