//! How many schema changes per second a server manages, with the schemas of a run: the definitions of each scenario are
//! installed and served, and nothing else is sent. Scenarios need them first, so this bounds how many a run can have
//! per second. A loop over one small schema is measured, too.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use crdible::{
    connection::Transport,
    execute::{Executor, ExecutorOptions, Freshness},
    properties::Property,
    run::{Case, new_run_id},
    scenario::{Action, Definition, Plan, Resource, Scenario},
};
use serde_json::json;

/// How many changes of the small schema are counted.
const SMALL_CHANGES: u64 = 2000;

/// The scenarios of a run with this many cases of each property, in turn, reduced to their definitions.
pub(crate) fn of_run(properties: &[&'static Property], cases: u64) -> Vec<Scenario> {
    let mut planned: Vec<(u64, Scenario)> = Vec::new();
    for &property in properties {
        let mut counted = 0;
        for index in 0.. {
            if counted >= cases {
                break;
            }
            if let Ok(case) = Case::plan(property, 1, index) {
                counted += u64::from(case.scenario.cases()).max(1);
                planned.extend(case.scenario.server().map(|scenario| (index, definitions_of(scenario))));
            }
        }
    }
    planned.sort_by_key(|(index, _)| *index);
    planned.into_iter().map(|(_, scenario)| scenario).collect()
}

/// Definitions that differ from one scenario to the next by one value, as small as they can be.
pub(crate) fn small() -> Vec<Scenario> {
    let of_number = |number| {
        let mut plan = Plan::new();
        let listed = json!({ "type": "integer", "enum": [number] });
        let schema = json!({ "type": "object", "properties": { "revision": listed } });
        let definition = plan.define(Definition::of_schema(schema));
        plan.list(definition, "v1");
        plan.finish()
    };
    (0..SMALL_CHANGES).map(of_number).collect()
}

/// The definitions of a scenario, with one request for each whose objects it
/// needs: the executor waits until it is served.
fn definitions_of(scenario: &Scenario) -> Scenario {
    let mut reduced = scenario.definitions_only();
    let needed: Vec<usize> =
        (0..scenario.definitions.len()).filter(|&number| scenario.touches_objects_of(number)).collect();
    for number in needed {
        let first = scenario.steps.iter().find(|step| {
            matches!(&step.action, Action::Send(request)
                if matches!(request.resource, Resource::Objects { definition, .. } if definition == number))
        });
        if let Some(Action::Send(request)) = first.map(|step| &step.action) {
            let Resource::Objects { version, .. } = &request.resource else { continue };
            let mut plan = Plan::new();
            plan.list(number, version);
            reduced.steps.extend(plan.finish().steps);
        }
    }
    reduced
}

/// Runs the scenarios, `workers` at once; returns how many per second.
pub(crate) async fn measure(transport: Arc<dyn Transport>, scenarios: Vec<Scenario>, workers: usize) -> f64 {
    let options = ExecutorOptions {
        definitions: workers * 2,
        patience: Duration::from_secs(60),
        ..ExecutorOptions::of_run(new_run_id())
    };
    let mut executor = Executor::new(transport, options);
    executor.prepare().await.expect("definitions can be created");
    let executor = Arc::new(executor);
    let count = scenarios.len() as u64;
    let waiting = Arc::new(Mutex::new(VecDeque::from(scenarios)));
    let started = Instant::now();
    let tasks: Vec<_> = (0..workers)
        .map(|_| {
            let (executor, waiting) = (Arc::clone(&executor), Arc::clone(&waiting));
            tokio::spawn(async move {
                loop {
                    let next = waiting.lock().expect("no task panics").pop_front();
                    let Some(scenario) = next else { break };
                    executor.execute(&scenario, Freshness::Pooled, false).await.expect("the server answers");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
    let elapsed = started.elapsed();
    executor.clean_up().await;
    super::per_second(count, elapsed)
}
