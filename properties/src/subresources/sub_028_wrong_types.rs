//! SUB-028, SUB-022, VALUE-042: what is stored or sent at the paths of a scale and is no number of replicas.

use super::scaled::{Paths, scale_of, set, subresources};
use crate::prelude::*;
use crate::shared::definitions::two_versions;

pub(super) const PROPERTY: Property = Property::new("sub-028-wrong-types", plan)
    .title("/scale can be neither read nor written while a replicas value has the wrong type")
    .asserts(&["SUB-022", "SUB-027", "SUB-028", "VALUE-042", "VALUE-042/e2"])
    .needs(&[Capability::Storing, Capability::Scale, Capability::Versions]);

const WANTED: &str = ".spec.a.n";
const PRESENT: &str = ".status.n";
/// The largest number of replicas.
const LARGEST: i64 = 2_147_483_647;

/// What is the same for all objects.
#[derive(Clone, Copy)]
struct Setting {
    definition: usize,
    selector: &'static str,
    has_status: bool,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let any = || json!({ "type": "object", PRESERVE: true });
    let schema = || object_of(json!({ "spec": any(), "status": any() }));
    let mut versions = two_versions(schema(), schema());
    let selector = *choices.pick(&[".spec.selector", ".status.selector"]);
    let has_status = choices.chance(1, 2);
    let paths = Paths { wanted: WANTED, present: PRESENT, selector: Some(selector) };
    // At v1 anything can be stored, and at v2 it is a scale.
    if let Some(scaled) = versions.last_mut() {
        *scaled = Version { further: subresources(paths, has_status), ..scaled.clone() };
    }
    let definition = plan.define(Definition::with_versions(versions));
    let setting = Setting { definition, selector, has_status };
    plan.cases(choices, "object", |plan, choices| {
        if choices.chance(1, 2) {
            created(choices, plan, setting);
        } else {
            stored(choices, plan, setting);
        }
    });
}

/// A create at the version with the scale: of what is at each path, or of nothing there.
fn created(choices: &mut Choices, plan: &mut Plan, setting: Setting) {
    let numbers = [
        (json!(0), true),
        (json!(5), true),
        (json!(LARGEST), true),
        (json!(LARGEST + 1), false),
        (json!(-1), false),
        (json!(i64::MAX), false),
        (json!(i64::MIN), false),
        (json!("1"), false),
        (json!(true), false),
        (json!([1]), false),
        (json!({ "n": 1 }), false),
    ];
    let selectors = [
        (json!(""), true),
        (json!("x=y"), true),
        (json!("no = selector !"), true),
        (json!(1), false),
        (json!({}), false),
    ];
    let (mut content, mut causes) = (json!({ "spec": {}, "status": {} }), Vec::new());
    // A create drops the status where it is a subresource.
    let is_dropped = |path: &str| setting.has_status && path.starts_with(".status");
    for (path, values) in [(WANTED, &numbers[..]), (PRESENT, &numbers[..]), (setting.selector, &selectors[..])] {
        if choices.chance(1, 4) {
            continue;
        }
        let (value, is_right) = choices.pick(values).clone();
        set(&mut content, path, Some(value));
        if !is_right && !is_dropped(path) {
            causes.push(Cause::new(path, "Invalid"));
        }
    }
    // A parent that is no object fails every path below it.
    for (parent, pointer) in [("spec", "/spec"), ("spec.a", "/spec/a"), ("status", "/status")] {
        let below = format!(".{parent}.");
        if !choices.chance(1, 8) || is_dropped(&below) {
            continue;
        }
        if pointer::set(&mut content, pointer, json!(*choices.pick(&["text", ""]))) {
            let paths = [WANTED, PRESENT, setting.selector].into_iter().filter(|path| path.starts_with(&below));
            causes.retain(|cause| !cause.field.starts_with(&below));
            causes.extend(paths.map(|path| Cause::new(path, "Invalid")));
            causes.extend((!parent.contains('.')).then(|| Cause::new(parent, "TypeInvalid")));
        }
    }
    let tried = plan.try_create_at(setting.definition, "v2", content.clone());
    if causes.is_empty() {
        if let (true, Some(content)) = (setting.has_status, content.as_object_mut()) {
            content.remove("status");
        }
        plan.check("replicas", &["VALUE-042", "VALUE-042/e2"], tried, Expectation::Content(content));
    } else {
        plan.check_causes("no-replicas-of-create", &["VALUE-042", "VALUE-042/e2"], tried, causes);
    }
}

/// A scale whose object was stored at the other version, with something wrong in it.
fn stored(choices: &mut Choices, plan: &mut Plan, setting: Setting) {
    let Setting { definition, selector, has_status } = setting;
    let mut right = json!({ "spec": { "a": { "n": 3 } }, "status": { "n": 2 } });
    set(&mut right, selector, Some(json!("x=y")));
    let mut wrong = right.clone();
    let (path, field, value) = choices
        .pick(&[
            (WANTED, WANTED, json!("1")),
            (WANTED, WANTED, json!(true)),
            (WANTED, WANTED, json!([1])),
            (".spec.a", WANTED, json!("1")),
            (PRESENT, PRESENT, json!("1")),
            (selector, selector, json!(1)),
            // Of the wrong range, but not of a wrong type.
            (WANTED, WANTED, json!(-1)),
            (WANTED, WANTED, json!(LARGEST + 1)),
            (PRESENT, PRESENT, json!(LARGEST + 1)),
        ])
        .clone();
    let has_type = path != selector && value.is_i64();
    set(&mut wrong, path, Some(value));
    let created = plan.create_at(definition, "v1", wrong.clone());
    plan.assume(created, Expectation::Content(wrong));
    let target = scale_of(plan, created, "v2");
    if !has_type {
        scale_fails(plan, definition, created, &target);
    }
    let labels = json!({ "metadata": { "labels": { "l": "x" } } });
    let labelled = plan.merge_at(created, "v2", labels);
    let asserts: &[&str] =
        if has_type { &["VALUE-042", "VALUE-042/e2"] } else { &["SUB-028", "VALUE-042", "VALUE-042/e2"] };
    plan.check_causes("main", asserts, labelled, vec![Cause::new(field, "Invalid")]);
    let status = plan.object_at(created, "v2").subresource("status");
    let patch = |fields: Value| Body::json(json!({ "status": fields }));
    // A write of the status checks what is in the status alone.
    let is_of_status = field.starts_with(".status");
    // And what the selector is, wherever it is, which is a quirk.
    if has_status && (is_of_status || field != selector) {
        let other = Request::merge_patch(status.clone(), patch(json!({ "other": 1 })));
        let tried = plan.send(other.as_dry_run());
        if is_of_status {
            plan.check_causes("status", &["VALUE-042/e2"], tried, vec![Cause::new(field, "Invalid")]);
        } else {
            plan.check("status-alone", &["VALUE-042/e2"], tried, at("/status/other", 1));
        }
    }
    let kept = plan.get(created);
    let asserts: &[&str] = if has_type { &["VALUE-042/e2"] } else { &["SUB-028"] };
    plan.check("kept", asserts, kept, Expectation::same_revision(created));
    if choices.draw(1) == 0 {
        let is_in_status = field.starts_with(".status");
        let corrected = if has_status && is_in_status {
            plan.send(Request::merge_patch(status, patch(right["status"].clone())))
        } else {
            plan.merge_at(created, "v2", right.clone())
        };
        plan.check("corrected", &["SUB-027"], corrected, Expectation::Content(right));
        let read = plan.read(target);
        plan.check("readable", &["SUB-027"], read, at("/spec/replicas", 3));
    } else {
        let emptied = plan.merge_at(created, "v1", json!({ "spec": null, "status": null }));
        plan.check("emptied", &["SUB-027"], emptied, Expectation::Content(json!({})));
        let read = plan.read(target);
        plan.check("no-replicas", &["SUB-022"], read, fails());
    }
}

/// Neither reads nor writes of the scale work.
fn scale_fails(plan: &mut Plan, definition: usize, created: StepId, target: &Resource) {
    let read = plan.read(target.clone());
    plan.check("read", &["SUB-028"], read, fails());
    let patch = Body::json(json!({ "spec": { "replicas": 5 } }));
    let patched = plan.send(Request::merge_patch(target.clone(), patch));
    plan.check("patch", &["SUB-028"], patched, fails());
    let fields = json!({ "apiVersion": "autoscaling/v1", "kind": "Scale", "spec": { "replicas": 5 } });
    let object = match plan.object_of(created) {
        Resource::Object { object, .. } => object,
        _ => 0,
    };
    let body = Body::Object { definition, version: "v2".to_owned(), object, fields: fields.into() };
    let put = plan.send(Request::put(target.clone(), body));
    plan.check("put", &["SUB-028"], put, fails());
}

/// Not accepted: upstream with 500.
fn fails() -> NamedCheck {
    NamedCheck::NotAccepted
}
