//! Opening a session: in which order capabilities are tried, and what is known if it is not opened.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use crdible::{
    connection::Transport,
    execute::{Executor, ExecutorOptions},
    properties::Capability,
    run::{CapabilityReport, Interrupt, Opening, Selection, Session, Unclaimed, new_run_id},
};
use http::Method;
use serde_json::Value;

use super::{DEFINITIONS, behind_rule, embedded, instead, list};

fn executor(server: Arc<dyn Transport>) -> Executor {
    let options =
        ExecutorOptions { patience: std::time::Duration::from_secs(2), ..ExecutorOptions::of_run(new_run_id()) };
    Executor::new(server, options)
}

/// Creates definitions even on a dry run.
fn ignores_dry_runs(server: Arc<dyn Transport>) -> Arc<dyn Transport> {
    behind_rule(server, |_, request| {
        let path = request.uri().path();
        if *request.method() == Method::POST && path == DEFINITIONS {
            *request.uri_mut() = path.parse().expect("a path is a URI");
        }
        None
    })
}

/// Waits in vain for conditions of definitions, and does the rest meanwhile.
#[tokio::test(start_paused = true)]
async fn a_capability_is_tried_as_soon_as_all_on_which_it_depends_are_known() {
    let without_conditions = behind_rule(embedded(), |server, request| {
        let is_read = *request.method() == Method::GET && request.uri().path().starts_with(DEFINITIONS);
        let (server, request) = (Arc::clone(server), request.clone());
        is_read.then(|| {
            instead(async move {
                let answer = server.send(request).await?;
                let mut definition: Value = serde_json::from_slice(answer.body()).expect("JSON");
                if let Some(status) = definition["status"].as_object_mut() {
                    status.remove("conditions");
                }
                Ok(answer.map(|_| Bytes::from(definition.to_string())))
            })
        })
    });
    let reported = Mutex::<Vec<Capability>>::default();
    let report = |seen: CapabilityReport<'_>| reported.lock().expect("no thread panics").push(seen.capability);
    let (executor, unclaimed) = (executor(without_conditions), Unclaimed::default());
    let opening = Session::open_unless(executor, Selection::Everything, &unclaimed, &report, Interrupt::never()).await;
    let Ok(Opening::Open(session)) = opening else { panic!("{opening:?}") };
    let missing: Vec<_> = session.missing_capabilities().map(|(capability, _)| capability).collect();
    assert!(missing.contains(&Capability::Conditions), "{missing:?}");
    let reported = reported.into_inner().expect("no thread panics");
    let place = |capability| reported.iter().position(|one| *one == capability).expect("it was tried");
    // Both depend on others that need no conditions.
    for quick in [Capability::Tables, Capability::UpdateValidation] {
        assert!(place(quick) < place(Capability::Conditions), "{reported:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_found_is_known_although_it_was_interrupted() {
    let server = embedded();
    let (raise, interrupt) = Interrupt::new();
    let report = |seen: CapabilityReport<'_>| {
        if seen.finding.is_some() {
            raise.send_replace(true);
        }
    };
    let (executor, unclaimed) = (executor(ignores_dry_runs(Arc::clone(&server))), Unclaimed::default());
    let opening = Session::open_unless(executor, Selection::Everything, &unclaimed, &report, interrupt).await;
    let Ok(Opening::Interrupted(unopened)) = opening else { panic!("{opening:?}") };
    let missing: Vec<_> = unopened.missing.iter().map(|(capability, _)| *capability).collect();
    assert_eq!(missing, [Capability::DefinitionDryRun]);
    assert_eq!(unopened.left, []);
    assert_eq!(list(&*server, DEFINITIONS).await, Vec::<Value>::new());
}
