//! Tests of what is derived.

use serde_json::{Map, json};

use crate::{
    capabilities::Capability,
    scenario::{Body, Cause, Definition, Expectation, Method, Plan, Request, Resource, Version},
};

fn needs(plan: Plan) -> Vec<Capability> {
    let scenario = plan.finish();
    let needs = scenario.needs_of(&scenario.checks[0]).into_iter();
    needs.filter(|need| *need != Capability::Definitions).collect()
}

#[test]
fn a_dry_run_that_nothing_depends_on_can_be_stored() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let created = plan.try_create(definition, json!({}));
    plan.try_create(definition, json!({}));
    plan.check("accepted", &["X-001"], created, Expectation::Accepted);
    assert_eq!(needs(plan), []);
}

#[test]
fn a_dry_run_that_is_read_back_needs_dry_runs() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let created = plan.try_create(definition, json!({}));
    let read = plan.get(created);
    plan.check("nothing-stored", &["X-001"], created, Expectation::Accepted);
    plan.check("nothing-stored", &["X-001"], read, Expectation::Status(404));
    assert_eq!(needs(plan), [Capability::ObjectDryRun]);
}

#[test]
fn a_refused_value_of_the_parameter_needs_dry_runs() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let (object, version) = (plan.next_object(), "v1".to_owned());
    let body = Body::Object { definition, version: version.clone(), object, fields: json!({}).into() };
    let query = vec![("dryRun".to_owned(), "some".to_owned())];
    let collection = Resource::Objects { definition, version };
    let created = plan.send(Request { query, ..Request::post(collection, body) });
    let read = plan.get(created);
    plan.check("not-stored", &["X-001"], read, Expectation::Status(404));
    assert!(needs(plan).contains(&Capability::ObjectDryRun));
}

#[test]
fn a_list_sees_what_a_dry_run_would_store() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let created = plan.try_create(definition, json!({}));
    plan.list(definition, "v1");
    plan.check("accepted", &["X-001"], created, Expectation::Accepted);
    assert_eq!(needs(plan), [Capability::ObjectDryRun]);
}

#[test]
fn a_dry_run_of_an_update_can_be_stored_if_it_is_the_last() {
    for later in [false, true] {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({}));
        let patched = plan.try_patch(created, Method::MergePatch, json!({}));
        plan.check("accepted", &["X-001"], patched, Expectation::Accepted);
        if later {
            plan.get(created);
        }
        assert_eq!(needs(plan).contains(&Capability::ObjectDryRun), later);
    }
}

#[test]
fn expected_causes_need_validation_of_that_kind() {
    let causes = || vec![Cause::new("spec", "Required")];
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let created = plan.create(definition, json!({}));
    let put = plan.put_back(created, vec![]);
    plan.check_causes("refused", &["X-001"], put, causes());
    assert_eq!(needs(plan), [Capability::Storing, Capability::UpdateValidation]);

    let mut plan = Plan::new();
    let tried = plan.try_define(json!({}));
    plan.check_causes("refused", &["X-001"], tried, causes());
    assert_eq!(needs(plan), [Capability::DefinitionValidation]);
}

#[test]
fn an_object_at_another_version_needs_versions() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let created = plan.create_at(definition, "v1", json!({}));
    let read = plan.get_at(created, "v2");
    plan.check("same", &["X-001"], read, Expectation::SameContent { r#as: created });
    assert_eq!(needs(plan), [Capability::Storing, Capability::Versions]);
}

#[test]
fn a_subresource_is_needed_by_its_name() {
    for (name, expected) in [("status", Some(Capability::Status)), ("scale", Some(Capability::Scale)), ("other", None)]
    {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let object = plan.next_object();
        let (version, subresource) = ("v1".to_owned(), name.to_owned());
        // An ignored watch is no watch.
        let query = vec![("watch".to_owned(), "1".to_owned())];
        let target = Resource::Subresource { definition, version, object, subresource };
        let read = plan.send(Request { query, ..Request::get(target) });
        plan.check("accepted", &["X-001"], read, Expectation::Accepted);
        assert_eq!(needs(plan), expected.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn a_list_at_another_version_needs_versions() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    plan.create_at(definition, "v1", json!({}));
    let listed = plan.list(definition, "v2");
    plan.check("listed", &["X-001"], listed, Expectation::Accepted);
    assert_eq!(needs(plan), [Capability::Storing, Capability::Versions]);
}

#[test]
fn more_in_a_definition_than_was_sent_needs_its_defaults() {
    for (sent, lacks) in [(json!({ "a": 1, "b": 2 }), false), (json!({ "a": 1 }), true)] {
        let mut plan = Plan::new();
        let body = Body::Json(json!({ "spec": sent }).into());
        let tried = plan.send(Request::post(Resource::Definitions, body));
        let value = Some(json!({ "a": 1, "b": 2 }));
        plan.check("kept", &["X-001"], tried, Expectation::At { pointer: "/spec".into(), value });
        assert_eq!(needs(plan).contains(&Capability::DefinitionDefaults), lacks);
    }
}

#[test]
fn a_conversion_that_was_never_sent_is_a_default() {
    for (field, lacks) in [("versions", true), ("conversion", false)] {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let patch = json!([{ "op": "replace", "path": format!("/spec/{field}"), "value": { "strategy": "None" } }]);
        let resource = Resource::Definition { definition };
        let patched = plan.send(Request::json_patch(resource, patch));
        let value = Some(json!({ "strategy": "None" }));
        plan.check("legal", &["X-001"], patched, Expectation::At { pointer: "/spec/conversion".into(), value });
        assert_eq!(needs(plan).contains(&Capability::DefinitionDefaults), lacks);
    }
}

#[test]
fn what_is_removed_or_filled_in_is_needed() {
    let schema = || {
        json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": {
            "a": { "type": "integer" }, "b": { "type": "integer", "default": 1 },
        } } } })
    };
    for (spec, need) in [
        (json!({ "a": 1, "b": 2 }), None),
        (json!({ "a": 1, "b": 2, "c": 3 }), Some(Capability::Pruning)),
        (json!({ "a": 1 }), Some(Capability::Defaulting)),
        (json!({ "a": null, "b": 2 }), Some(Capability::Defaulting)),
    ] {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::of_schema(schema()));
        let created = plan.try_create(definition, json!({ "spec": spec }));
        plan.check("accepted", &["X-001"], created, Expectation::Accepted);
        assert_eq!(needs(plan), need.into_iter().collect::<Vec<_>>());
    }
}

/// A create ignores the status of its body, so that the default of the status fills it in.
#[test]
fn an_ignored_status_is_filled_in() {
    let status = json!({ "type": "object", "default": {}, "properties": { "a": { "type": "integer" } } });
    let schema = json!({ "type": "object", "properties": { "status": status } });
    for (subresources, need) in [(json!({}), None), (json!({ "status": {} }), Some(Capability::Defaulting))] {
        let further = Map::from_iter([("subresources".to_owned(), subresources)]);
        let mut plan = Plan::new();
        let version = Version { further, ..Version::only(schema.clone()) };
        let definition = plan.define(Definition::with_versions(vec![version]));
        let created = plan.try_create(definition, json!({ "status": { "a": 1 } }));
        plan.check("accepted", &["X-001"], created, Expectation::Accepted);
        assert_eq!(needs(plan), need.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn what_a_patch_adds_is_removed_too() {
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object" } } });
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(schema));
    let created = plan.create(definition, json!({ "spec": {} }));
    let operations = json!([{ "op": "add", "path": "/spec/a", "value": 1 }]);
    let patched = plan.patch(created, Method::JsonPatch, operations);
    plan.check("accepted", &["X-001"], patched, Expectation::Accepted);
    assert_eq!(needs(plan), [Capability::Storing, Capability::Pruning]);
}

/// If the first update is accepted, the second one has an old revision.
#[test]
fn a_rejection_before_a_step_is_needed() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let created = plan.create(definition, json!({}));
    let rejected = plan.put_back(created, vec![]);
    plan.check_causes("rejected", &["X-001"], rejected, vec![Cause::new("spec", "Required")]);
    let repaired = plan.put_back(created, vec![]);
    plan.check("repaired", &["X-001"], repaired, Expectation::Accepted);
    let scenario = plan.finish();
    assert!(scenario.needs_of(&scenario.checks[1]).contains(&Capability::UpdateValidation));
}

#[test]
fn a_changed_definition_needs_updates() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let patched = plan.send(Request::merge_patch(Resource::Definition { definition }, json!({})));
    plan.check("accepted", &["X-001"], patched, Expectation::Accepted);
    assert_eq!(needs(plan), [Capability::DefinitionUpdates]);
}

#[test]
fn a_group_needs_discovery() {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::default());
    let read = plan.read(Resource::Group { definition });
    plan.check("listed", &["X-001"], read, Expectation::GroupVersions(vec!["v1".into()]));
    assert_eq!(needs(plan), [Capability::Discovery]);
}
