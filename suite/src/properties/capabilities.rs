//! What a target can do at all: one tiny scenario per capability, run before everything else.

use serde_json::json;

use super::Capability;
use crate::scenario::{Cause, Definition, Expectation, Plan, Resource, Scenario, Tenancy, Version};

/// How a capability is found out.
#[derive(Debug)]
pub struct CapabilityTest {
    /// Which one.
    pub capability: Capability,
    /// Its name in reports, where it stands beside the IDs of properties.
    pub id: &'static str,
    /// Without these it is not tried: its failure would say nothing new.
    pub stands_on: &'static [Capability],
    /// What the target cannot do if it fails, in a few words.
    pub lack: &'static str,
    /// The requirement that a target without it breaks.
    pub requirement: &'static str,
    /// A scenario that passes exactly if the target has it.
    pub plan: fn() -> Scenario,
}

/// All of them; a later one is only tried if those it stands on are there.
pub const CAPABILITIES: &[CapabilityTest] = &[
    CapabilityTest {
        capability: Capability::DefinitionDryRun,
        id: "capability-definition-dry-run",
        stands_on: &[],
        lack: "a definition cannot be created as a dry run, or the dry run creates it",
        requirement: "REST-058",
        plan: definition_dry_run,
    },
    CapabilityTest {
        capability: Capability::StructuralSchemas,
        id: "capability-structural-schemas",
        stands_on: &[Capability::DefinitionDryRun],
        lack: "a schema node without a type is not refused",
        requirement: "STRUCT-002",
        plan: structural_schemas,
    },
    CapabilityTest {
        capability: Capability::Serving,
        id: "capability-serving",
        stands_on: &[],
        lack: "objects of an installed definition cannot be created as a dry run",
        requirement: "VER-008",
        plan: serving,
    },
    CapabilityTest {
        capability: Capability::Storing,
        id: "capability-storing",
        stands_on: &[Capability::Serving],
        lack: "an object that was created cannot be read back",
        requirement: "REST-019",
        plan: storing,
    },
    CapabilityTest {
        capability: Capability::Pruning,
        id: "capability-pruning",
        stands_on: &[Capability::Serving],
        lack: "an undeclared field is not pruned",
        requirement: "PRUNE-001",
        plan: pruning,
    },
    CapabilityTest {
        capability: Capability::Defaulting,
        id: "capability-defaulting",
        stands_on: &[Capability::Serving],
        lack: "a default is not filled in",
        requirement: "DEFAULT-001",
        plan: defaulting,
    },
    CapabilityTest {
        capability: Capability::Validation,
        id: "capability-validation",
        stands_on: &[Capability::Serving],
        lack: "a value of the wrong type is not refused with its cause",
        requirement: "VALUE-001",
        plan: validation,
    },
    CapabilityTest {
        capability: Capability::Discovery,
        id: "capability-discovery",
        stands_on: &[Capability::Serving],
        lack: "the group of a definition is not listed in discovery",
        requirement: "DISC-003",
        plan: discovery,
    },
];

fn definition_dry_run() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.unborn();
    let defined = plan.try_define_versions(definition, vec![Version::only(json!({ "type": "object" }))]);
    plan.check("capability", &["REST-058"], defined, Expectation::Accepted);
    let read = plan.read(Resource::Definition { definition });
    plan.check("nothing-created", &["REST-058"], read, Expectation::Status(404));
    plan.finish()
}

fn structural_schemas() -> Scenario {
    let mut plan = Plan::new();
    let defined = plan.try_define(json!({ "type": "object", "properties": { "spec": {} } }));
    let cause = Cause::new("openAPIV3Schema.properties[spec].type", "Required");
    plan.check_causes("capability", &["STRUCT-002"], defined, vec![cause]);
    plan.finish()
}

/// A schema with one integer, one default, and nothing else.
fn on_small_schema(fields: serde_json::Value, judge: impl FnOnce(&mut Plan, usize)) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(json!({
        "type": "object",
        "properties": { "spec": { "type": "object", "properties": {
            "a": { "type": "integer" },
            "b": { "type": "string", "default": "filled" },
        } } },
    })));
    let created = plan.try_create(definition, fields);
    judge(&mut plan, created);
    plan.finish()
}

fn serving() -> Scenario {
    on_small_schema(json!({ "spec": { "a": 1, "b": "given" } }), |plan, created| {
        plan.check("capability", &["VER-008"], created, Expectation::Accepted);
    })
}

fn pruning() -> Scenario {
    on_small_schema(json!({ "spec": { "a": 1, "unknown": 2 } }), |plan, created| {
        let value = None;
        plan.check("capability", &["PRUNE-001"], created, Expectation::At { pointer: "/spec/unknown".into(), value });
    })
}

fn defaulting() -> Scenario {
    on_small_schema(json!({ "spec": { "a": 1 } }), |plan, created| {
        let value = Some(json!("filled"));
        plan.check("capability", &["DEFAULT-001"], created, Expectation::At { pointer: "/spec/b".into(), value });
    })
}

fn validation() -> Scenario {
    on_small_schema(json!({ "spec": { "a": "text" } }), |plan, created| {
        plan.check_causes("capability", &["VALUE-001"], created, vec![Cause::new("spec.a", "TypeInvalid")]);
    })
}

fn storing() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(json!({
        "type": "object",
        "properties": { "spec": { "type": "object", "properties": { "a": { "type": "integer" } } } },
    })));
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let read = plan.get(created);
    let value = Some(json!(1));
    plan.check("capability", &["REST-019"], read, Expectation::At { pointer: "/spec/a".into(), value });
    plan.finish()
}

fn discovery() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition {
        tenancy: Tenancy::Pooled,
        ..Definition::of_schema(Version::only(json!({ "type": "object" })).schema)
    });
    let read = plan.read(Resource::Group { definition });
    plan.repeat_until(read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.check("capability", &["DISC-003"], read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.finish()
}
