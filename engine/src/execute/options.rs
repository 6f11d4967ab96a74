//! The options of an executor.

use std::{sync::Arc, time::Duration};

use crate::webhook::Host;

/// The options of an executor.
#[derive(Clone, Debug)]
pub struct ExecutorOptions {
    /// The ID of the run: a DNS label that is part of all names, and the value of the label on all definitions.
    pub run: String,
    /// The namespace of namespaced objects.
    pub namespace: String,
    /// How many definitions may exist at once.
    pub definitions: usize,
    /// How long anything asynchronous may take: a definition until it is established, a schema until it is served.
    pub patience: Duration,
    /// The webhooks of the run, for a target that is not in process.
    pub webhooks: Arc<Host>,
}

impl ExecutorOptions {
    /// The defaults for the run with this ID.
    pub fn of_run(run: impl Into<String>) -> Self {
        Self {
            run: run.into(),
            namespace: "default".to_owned(),
            definitions: 64,
            patience: Duration::from_secs(30),
            webhooks: Arc::default(),
        }
    }
}
