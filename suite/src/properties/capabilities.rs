//! What a target can do at all: one tiny scenario per capability, run before everything else.

use std::fmt;

use serde_json::json;

use crate::scenario::{Cause, Definition, Expectation, Plan, Resource, Scenario, Tenancy, Version};

/// A capability that a whole group of properties depends on. A target that lacks it gets one finding, and the
/// properties that need it are skipped. Capabilities belong to a kind of target; those of an API server are tested by
/// [`API_SERVER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// A definition can be created as a dry run.
    DefinitionDryRun,
    /// A definition becomes served, and objects of it can be created as a dry run.
    Serving,
    /// Objects can be created, read, replaced and deleted.
    Storing,
    /// An undeclared field is pruned.
    Pruning,
    /// A default is filled in.
    Defaulting,
    /// A value of the wrong type is rejected with a cause.
    Validation,
    /// A schema without a type is rejected.
    StructuralSchemas,
    /// The group of a definition is listed in discovery.
    Discovery,
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::DefinitionDryRun => "dry runs of definitions",
            Self::Serving => "serving of definitions",
            Self::Storing => "storage of objects",
            Self::Pruning => "pruning",
            Self::Defaulting => "defaulting",
            Self::Validation => "validation of values",
            Self::StructuralSchemas => "structural schema checks",
            Self::Discovery => "discovery",
        })
    }
}

/// A test for one capability of a target.
#[derive(Debug)]
pub struct CapabilityTest {
    /// The capability that it tests.
    pub capability: Capability,
    /// Its ID in reports, next to the IDs of properties.
    pub id: &'static str,
    /// The test is skipped if one of these is missing, because its failure would add nothing new.
    pub depends_on: &'static [Capability],
    /// Whether the executor must be prepared first, because this test installs a definition.
    pub needs_preparation: bool,
    /// What is wrong if the test fails, in a few words.
    pub lack: &'static str,
    /// The requirement that a target without the capability violates.
    pub requirement: &'static str,
    /// A scenario that passes if and only if the target has the capability.
    pub plan: fn() -> Scenario,
}

/// The capabilities of an API server, in the order in which they are tested.
pub const API_SERVER: &[CapabilityTest] = &[
    CapabilityTest {
        capability: Capability::DefinitionDryRun,
        id: "capability-definition-dry-run",
        depends_on: &[],
        needs_preparation: false,
        lack: "a dry run of a definition is not accepted, or creates it",
        requirement: "REST-058",
        plan: definition_dry_run,
    },
    CapabilityTest {
        capability: Capability::StructuralSchemas,
        id: "capability-structural-schemas",
        depends_on: &[Capability::DefinitionDryRun],
        needs_preparation: false,
        lack: "a schema node without a type is accepted",
        requirement: "STRUCT-002",
        plan: structural_schemas,
    },
    CapabilityTest {
        capability: Capability::Serving,
        id: "capability-serving",
        depends_on: &[],
        needs_preparation: true,
        lack: "a dry run of an object of an installed definition is not accepted",
        requirement: "VER-008",
        plan: serving,
    },
    CapabilityTest {
        capability: Capability::Storing,
        id: "capability-storing",
        depends_on: &[Capability::Serving],
        needs_preparation: false,
        lack: "an object that was created cannot be read back",
        requirement: "REST-019",
        plan: storing,
    },
    CapabilityTest {
        capability: Capability::Pruning,
        id: "capability-pruning",
        depends_on: &[Capability::Serving],
        needs_preparation: false,
        lack: "an undeclared field is not pruned",
        requirement: "PRUNE-001",
        plan: pruning,
    },
    CapabilityTest {
        capability: Capability::Defaulting,
        id: "capability-defaulting",
        depends_on: &[Capability::Serving],
        needs_preparation: false,
        lack: "a default is not filled in",
        requirement: "DEFAULT-001",
        plan: defaulting,
    },
    CapabilityTest {
        capability: Capability::Validation,
        id: "capability-validation",
        depends_on: &[Capability::Serving],
        needs_preparation: false,
        lack: "a value of the wrong type is accepted, or rejected without its cause",
        requirement: "VALUE-001",
        plan: validation,
    },
    CapabilityTest {
        capability: Capability::Discovery,
        id: "capability-discovery",
        depends_on: &[Capability::Serving],
        needs_preparation: false,
        lack: "the group of a definition is not listed in discovery",
        requirement: "DISC-003",
        plan: discovery,
    },
];

fn definition_dry_run() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.uninstalled();
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

/// Creates an object under a schema with one integer and one default.
fn on_small_schema(fields: serde_json::Value, check: impl FnOnce(&mut Plan, usize)) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(json!({
        "type": "object",
        "properties": { "spec": { "type": "object", "properties": {
            "a": { "type": "integer" },
            "b": { "type": "string", "default": "filled" },
        } } },
    })));
    let created = plan.try_create(definition, fields);
    check(&mut plan, created);
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
