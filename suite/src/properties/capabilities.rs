//! What a target can do at all: one tiny scenario per capability, run before everything else.

use serde_json::{Value, json};

use super::shared::{definitions, root_of, spec_of};
use crate::scenario::{
    Body, Capability, Definition, Edit, Expectation, Method, Plan, Request, Resource, Scenario, StepId, Version,
};

/// A test for one capability of a target.
#[derive(Debug)]
pub struct CapabilityTest {
    /// The capability that it tests.
    pub capability: Capability,
    /// Its ID in reports, next to the IDs of properties.
    pub id: &'static str,
    /// The test is skipped if one of these is missing, because its failure would add nothing new.
    pub depends_on: &'static [Capability],
    /// What is wrong if the test fails, in a few words.
    pub lack: &'static str,
    /// How many of its checks must fail.
    pub missing_if: MissingIf,
    /// The scenario.
    pub plan: fn() -> Scenario,
}

/// When a capability is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingIf {
    /// One of the checks fails.
    AnyFails,
    /// All of them fail. If some hold, the properties find out what is wrong.
    AllFail,
}

/// The capabilities of an API server, in the order in which they are tested; each after those that it depends on.
pub const API_SERVER: &[CapabilityTest] = &[
    CapabilityTest {
        capability: Capability::Definitions,
        id: "capability-definitions",
        depends_on: &[],
        lack: "a definition cannot be created and read back",
        missing_if: MissingIf::AnyFails,
        plan: definitions_are_kept,
    },
    CapabilityTest {
        capability: Capability::Serving,
        id: "capability-serving",
        depends_on: &[Capability::Definitions],
        lack: "objects of a definition cannot be created",
        missing_if: MissingIf::AnyFails,
        plan: serving,
    },
    CapabilityTest {
        capability: Capability::DefinitionDryRun,
        id: "capability-definition-dry-run",
        depends_on: &[Capability::Definitions],
        lack: "a dry run of a definition is not accepted, or creates it",
        missing_if: MissingIf::AnyFails,
        plan: definition_dry_run,
    },
    CapabilityTest {
        capability: Capability::ObjectDryRun,
        id: "capability-object-dry-run",
        depends_on: &[Capability::Serving],
        lack: "a dry run of an object is not accepted, or stores it",
        missing_if: MissingIf::AnyFails,
        plan: object_dry_run,
    },
    CapabilityTest {
        capability: Capability::Storing,
        id: "capability-storing",
        depends_on: &[Capability::Serving],
        lack: "an object that was created cannot be read back",
        missing_if: MissingIf::AnyFails,
        plan: storing,
    },
    CapabilityTest {
        capability: Capability::DefinitionValidation,
        id: "capability-definition-validation",
        depends_on: &[Capability::Definitions],
        lack: "definitions are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: definition_validation,
    },
    CapabilityTest {
        capability: Capability::DefinitionUpdates,
        id: "capability-definition-updates",
        depends_on: &[Capability::Definitions],
        lack: "a definition cannot be replaced",
        missing_if: MissingIf::AnyFails,
        plan: definition_updates,
    },
    CapabilityTest {
        capability: Capability::DefinitionUpdateValidation,
        id: "capability-definition-update-validation",
        depends_on: &[Capability::DefinitionUpdates, Capability::DefinitionValidation],
        lack: "updates of definitions are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: definition_update_validation,
    },
    CapabilityTest {
        capability: Capability::StructuralSchemas,
        id: "capability-structural-schemas",
        depends_on: &[Capability::DefinitionValidation],
        lack: "a schema node without a type is accepted",
        missing_if: MissingIf::AnyFails,
        plan: structural_schemas,
    },
    CapabilityTest {
        capability: Capability::Validation,
        id: "capability-validation",
        depends_on: &[Capability::Serving],
        lack: "objects are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: validation,
    },
    CapabilityTest {
        capability: Capability::UpdateValidation,
        id: "capability-update-validation",
        depends_on: &[Capability::Storing, Capability::Validation],
        lack: "updates are not validated: every invalid one is accepted",
        missing_if: MissingIf::AllFail,
        plan: update_validation,
    },
    CapabilityTest {
        capability: Capability::Causes,
        id: "capability-causes",
        depends_on: &[Capability::Validation],
        lack: "a rejected object gets an answer without causes",
        missing_if: MissingIf::AnyFails,
        plan: causes,
    },
    CapabilityTest {
        capability: Capability::Pruning,
        id: "capability-pruning",
        depends_on: &[Capability::Serving],
        lack: "an undeclared field is not pruned",
        missing_if: MissingIf::AnyFails,
        plan: pruning,
    },
    CapabilityTest {
        capability: Capability::Defaulting,
        id: "capability-defaulting",
        depends_on: &[Capability::Serving],
        lack: "a default is not filled in",
        missing_if: MissingIf::AnyFails,
        plan: defaulting,
    },
    CapabilityTest {
        capability: Capability::FieldValidation,
        id: "capability-field-validation",
        depends_on: &[Capability::Serving],
        lack: "unknown fields are not reported, neither by a warning nor by a rejection",
        missing_if: MissingIf::AllFail,
        plan: field_validation,
    },
    CapabilityTest {
        capability: Capability::Versions,
        id: "capability-versions",
        depends_on: &[Capability::Storing],
        lack: "an object that was written at one version is not the same object at another",
        missing_if: MissingIf::AnyFails,
        plan: versions,
    },
    CapabilityTest {
        capability: Capability::Conditions,
        id: "capability-conditions",
        depends_on: &[Capability::Serving],
        lack: "a definition whose objects are served has no condition Established",
        missing_if: MissingIf::AnyFails,
        plan: conditions,
    },
    CapabilityTest {
        capability: Capability::Discovery,
        id: "capability-discovery",
        depends_on: &[Capability::Serving],
        lack: "the group of a definition is not in discovery",
        missing_if: MissingIf::AnyFails,
        plan: discovery,
    },
];

/// The capabilities that are tested before any other: the executor needs them.
pub const BASIC: &[Capability] =
    &[Capability::Definitions, Capability::Serving, Capability::DefinitionDryRun, Capability::ObjectDryRun];

fn definitions_are_kept() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.uninstalled();
    let made = plan.make(definition, vec![]);
    plan.check("capability", &["REST-013"], made, Expectation::Accepted);
    let read = definitions::read(&mut plan, definition);
    let value = Some(json!("Thing"));
    plan.check("read", &["REST-019"], read, Expectation::At { pointer: "/spec/names/kind".into(), value });
    plan.finish()
}

fn definition_dry_run() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.uninstalled();
    let defined = plan.try_define_versions(definition, vec![Version::only(json!({ "type": "object" }))]);
    plan.check("capability", &["REST-058"], defined, Expectation::Accepted);
    let read = plan.read(Resource::Definition { definition });
    plan.check("nothing-created", &["REST-058"], read, Expectation::Status(404));
    plan.finish()
}

/// Not accepted, with whatever code and body.
fn rejected() -> Expectation {
    Expectation::named_with("not-accepted@1", Value::Null)
}

fn definition_validation() -> Scenario {
    let mut plan = Plan::new();
    let object = || json!({ "type": "object" });
    let mut try_edited = |versions: Vec<Version>, edits: Vec<Edit>, asserts: &str| {
        let definition = plan.uninstalled();
        let body = Body::Definition { definition, versions, edits };
        let tried = plan.send(Request::new(Method::Post, Resource::Definitions, body).as_dry_run());
        plan.check("capability", &[asserts], tried, rejected());
    };
    let set = |pointer: &str, value: Value| vec![Edit::Set(pointer.to_owned(), value)];
    try_edited(vec![Version::only(object())], vec![Edit::Remove("/spec/scope".into())], "CRDVAL-003");
    try_edited(vec![Version::only(object())], set("/spec/scope", json!("Nowhere")), "CRDVAL-003");
    try_edited(vec![Version::named("v1", object())], vec![], "CRDVAL-014");
    try_edited(vec![Version::only(json!({ "type": "object", "properties": { "spec": {} } }))], vec![], "STRUCT-002");
    try_edited(vec![Version::named("No_Name", object()).stored()], vec![], "CRDVAL-012");
    try_edited(vec![Version::only(object()), Version::named("v1", object())], vec![], "CRDVAL-013");
    plan.finish()
}

fn definition_updates() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(json!({ "type": "object" })).owned());
    let read = definitions::read(&mut plan, definition);
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/description";
    let put = definitions::put(&mut plan, definition, read, false, vec![Edit::Set(pointer.into(), json!("changed"))]);
    let value = Some(json!("changed"));
    plan.check("capability", &["REST-028"], put, Expectation::At { pointer: pointer.into(), value });
    plan.finish()
}

fn definition_update_validation() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(json!({ "type": "object" })).owned());
    let mut try_patched = |patch: Value, asserts: &str| {
        let patched = definitions::merge(&mut plan, definition, patch);
        plan.check("capability", &[asserts], patched, rejected());
    };
    try_patched(json!({ "spec": { "scope": "Nowhere" } }), "CRDVAL-003");
    let version = |schema: Value| json!({ "spec": { "versions": [Version::only(schema).document()] } });
    try_patched(version(json!({ "type": "object", "properties": { "spec": {} } })), "STRUCT-002");
    try_patched(
        json!({ "spec": { "versions": [Version::named("v1", json!({ "type": "object" })).document()] } }),
        "CRDVAL-014",
    );
    plan.finish()
}

fn structural_schemas() -> Scenario {
    let mut plan = Plan::new();
    let defined = plan.try_define(json!({ "type": "object", "properties": { "spec": {} } }));
    plan.check("capability", &["STRUCT-002"], defined, rejected());
    plan.finish()
}

/// A definition with one node of each kind.
fn small(plan: &mut Plan) -> usize {
    plan.define_schema(spec_of(json!({
        "a": { "type": "integer", "maximum": 9 },
        "b": { "type": "string", "default": "filled" },
        "c": { "type": "string", "enum": ["red", "green"] },
        "d": { "type": "string", "pattern": "^[a-z]+$", "maxLength": 3 },
        "e": { "type": "object", "required": ["f"], "properties": { "f": { "type": "string" } } },
    })))
}

fn on_small_schema(fields: Value, check: impl FnOnce(&mut Plan, StepId)) -> Scenario {
    let mut plan = Plan::new();
    let definition = small(&mut plan);
    let created = plan.try_create(definition, fields);
    check(&mut plan, created);
    plan.finish()
}

/// Invalid values of `spec`, each with the requirement by which it is rejected.
fn invalid() -> Vec<(Value, &'static str)> {
    vec![
        (json!({ "a": "text" }), "VALUE-001"),
        (json!({ "c": "blue" }), "VALUE-018"),
        (json!({ "e": {} }), "VALUE-021"),
        (json!({ "a": 10 }), "VALUE-007"),
        (json!({ "d": "A" }), "VALUE-012"),
        (json!({ "d": "long" }), "VALUE-011"),
    ]
}

fn serving() -> Scenario {
    let mut plan = Plan::new();
    let definition = small(&mut plan);
    let created = plan.create(definition, json!({ "spec": { "a": 1, "b": "given" } }));
    plan.check("capability", &["VER-008"], created, Expectation::Accepted);
    plan.finish()
}

fn object_dry_run() -> Scenario {
    on_small_schema(json!({ "spec": { "a": 1, "b": "given" } }), |plan, created| {
        plan.check("capability", &["REST-058"], created, Expectation::Accepted);
        let read = plan.get(created);
        plan.check("nothing-stored", &["REST-058"], read, Expectation::Status(404));
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
    let mut plan = Plan::new();
    let definition = small(&mut plan);
    for (spec, asserts) in invalid() {
        let created = plan.try_create(definition, json!({ "spec": spec }));
        plan.check("capability", &[asserts], created, rejected());
    }
    plan.finish()
}

fn update_validation() -> Scenario {
    let mut plan = Plan::new();
    let definition = small(&mut plan);
    let mut update = |edit: fn(&mut Plan, StepId) -> StepId, asserts: &str| {
        let created = plan.create(definition, json!({ "spec": { "a": 1, "b": "given" } }));
        let updated = edit(&mut plan, created);
        plan.check("capability", &[asserts], updated, rejected());
    };
    // A changed value, an added one, one that is required below an added one, and everything at once.
    update(|plan, created| plan.patch(created, Method::MergePatch, json!({ "spec": { "a": "text" } })), "VALUE-001");
    update(|plan, created| plan.patch(created, Method::MergePatch, json!({ "spec": { "c": "blue" } })), "VALUE-018");
    update(|plan, created| plan.put_back(created, vec![Edit::Set("/spec/e".into(), json!({}))]), "VALUE-021");
    update(
        |plan, created| plan.put_back(created, vec![Edit::Set("/spec".into(), json!({ "a": "text", "b": "other" }))]),
        "VALUE-001",
    );
    plan.finish()
}

fn causes() -> Scenario {
    let mut plan = Plan::new();
    let definition = small(&mut plan);
    for (spec, _) in invalid() {
        let created = plan.try_create(definition, json!({ "spec": spec }));
        plan.check("capability", &["REST-005"], created, Expectation::named_with("lists-causes@1", Value::Null));
    }
    plan.finish()
}

fn field_validation() -> Scenario {
    let mut plan = Plan::new();
    let definition = small(&mut plan);
    let fields = json!({ "spec": { "a": 1, "unknown": 2 } });
    let strict = plan.try_create_validating(definition, "Strict", fields.clone());
    plan.check("capability", &["REST-052"], strict, rejected());
    let warned = plan.try_create_validating(definition, "Warn", fields);
    plan.check("capability", &["REST-051"], warned, Expectation::UnknownFieldWarnings(vec!["spec.unknown".into()]));
    plan.finish()
}

fn storing() -> Scenario {
    let mut plan = Plan::new();
    let definition = small(&mut plan);
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let read = plan.get(created);
    let value = Some(json!(1));
    plan.check("capability", &["REST-019"], read, Expectation::At { pointer: "/spec/a".into(), value });
    plan.finish()
}

fn versions() -> Scenario {
    let mut plan = Plan::new();
    let schema = || spec_of(json!({ "a": { "type": "integer" } }));
    let definition = plan.define_versions(definitions::two_versions(schema(), schema()));
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let read = plan.get_at(created, "v2");
    let value = Some(json!(1));
    plan.check("capability", &["VER-008", "VER-019"], read, Expectation::At { pointer: "/spec/a".into(), value });
    plan.finish()
}

fn conditions() -> Scenario {
    let mut plan = Plan::new();
    let (_, read) = definitions::established(&mut plan, &[]);
    plan.check("capability", &["LIFE-002"], read, definitions::condition("Established", Some("True")));
    plan.finish()
}

fn discovery() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define_schema(root_of(json!({ "type": "object" })));
    let read = plan.read(Resource::Group { definition });
    plan.repeat_until(read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.check("capability", &["DISC-003"], read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.finish()
}
