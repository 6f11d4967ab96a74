//! REST-008..018, REST-070: creates that are accepted, and creates that are refused.

use super::{
    owners,
    thing::{check_rejection, create_of, fields, mistake, object, schema},
};
use crate::prelude::*;
use crate::shared::{definitions::refused_as, differs_at, has};

pub(super) const PROPERTY: Property = Property::new("rest-013-creates", plan)
    .title("a create stores the content as sent, with system metadata that the server sets")
    .asserts(&[
        "REST-005",
        "REST-005/e3",
        "REST-006",
        "REST-008",
        "REST-010",
        "REST-012",
        "REST-012/e1",
        "REST-013",
        "REST-013/e3",
        "REST-014",
        "REST-015",
        "REST-015/e2",
        "REST-016",
        "REST-016/e1",
        "REST-017",
        "REST-018",
        "REST-018/e1",
        "REST-070",
        "REST-070/e1",
        "REST-073",
        "INV-073",
        "INV-079",
    ])
    .needs(&[Capability::Storing]);

/// A uid that no server gives.
const UID: &str = "00000000-0000-0000-0000-000000000001";
/// A time long ago.
const TIME: &str = "2001-02-03T04:05:06Z";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    plan.case_parts(choices, "create", |plan, choices| match choices.weighted(&[3, 2, 4, 2]) {
        0 => created(choices, plan, definition),
        1 => generated(choices, plan, definition),
        3 => owners::try_create(choices, plan, definition),
        _ => refused(choices, plan, definition),
    });
}

/// A create that is accepted, in which the client says of its metadata what only the server may say.
fn created(choices: &mut Choices, plan: &mut Plan, definition: usize) {
    let content = fields(choices);
    let number = plan.next_object();
    let mut sent = content.clone();
    let claims = [
        ("uid", json!(UID)),
        ("creationTimestamp", json!(TIME)),
        ("deletionTimestamp", json!(TIME)),
        ("deletionGracePeriodSeconds", json!(5)),
        ("generation", json!(7)),
        ("selfLink", json!("/x")),
        // These count as none.
        ("resourceVersion", choices.pick(&[json!(""), json!("0")]).clone()),
    ];
    let mut claimed = Vec::new();
    for (name, value) in claims {
        if choices.chance(1, 4) {
            sent["metadata"][name] = value;
            claimed.push(name);
        }
    }
    let by_server: &[&str] = if claimed.is_empty() { &["REST-013"] } else { &["REST-014", "INV-079"] };
    let created = plan.send(create_of(definition, number, sent));
    plan.check("created", &["REST-013"], created, accepted_as(201));
    plan.check("content", &["REST-013"], created, Expectation::Content(json!({ "spec": content["spec"] })));
    for part in ["labels", "annotations"] {
        let expected = at(format!("/metadata/{part}"), content["metadata"][part].clone());
        plan.check(part, &["REST-013"], created, expected);
    }
    plan.check("generation", by_server, created, at("/metadata/generation", 1));
    for part in ["uid", "creationTimestamp", "resourceVersion"] {
        plan.check(part, &["REST-013"], created, has(format!("/metadata/{part}")));
    }
    for (name, value) in [("uid", UID), ("creationTimestamp", TIME)] {
        if claimed.contains(&name) {
            let other = NamedCheck::OtherThan { pointer: format!("/metadata/{name}"), value: json!(value) };
            plan.check("not-as-claimed", &["REST-014", "INV-079"], created, other);
        }
    }
    for part in ["deletionTimestamp", "deletionGracePeriodSeconds"] {
        plan.check(part, by_server, created, absent(format!("/metadata/{part}")));
    }
    // Not even a null.
    plan.check("no-namespace", &["REST-013/e3"], created, absent("/metadata/namespace"));
    let read = plan.read(object(definition, number));
    plan.check("as-answered", &["REST-013"], read, same_at("/metadata", created));
    taken(choices, plan, definition, number);
    let read = plan.read(object(definition, number));
    plan.check("kept", &["REST-016"], read, Expectation::same_revision(created));
}

/// A create of a name that is taken. What is wrong with its content is found first.
fn taken(choices: &mut Choices, plan: &mut Plan, definition: usize, number: usize) {
    if choices.chance(1, 4) {
        let invalid = plan.send(create_of(definition, number, json!({ "spec": { "t": "too long", "o": {} } })));
        let causes = vec![Cause::new("spec.t", "TooLong")];
        plan.check("schema-first", &["REST-016/e1"], invalid, Expectation::CausesInclude(causes));
    } else {
        let again = plan.send(create_of(definition, number, json!({ "spec": { "o": {} } })));
        plan.check("taken", &["REST-016"], again, refused_as(409, "AlreadyExists"));
        plan.clause("of a name that is taken");
    }
}

/// Creates with a `generateName`.
fn generated(choices: &mut Choices, plan: &mut Plan, definition: usize) {
    // A server may cut a prefix so that the name is one label, of 63 characters.
    let long = "p".repeat(80);
    let prefix = *choices.pick(&["a", "some-", "x1.y", &long[..58], &long[..59], &long]);
    let fields = json!({ "metadata": { "name": "", "generateName": prefix }, "spec": { "o": {} } });
    let mut before = None;
    for _ in 0..choices.between(1, 3) {
        let number = plan.next_object();
        let created = plan.send(create_of(definition, number, fields.clone()));
        // Another server chooses another suffix.
        plan.varies(created);
        let name = NamedCheck::GeneratedName { prefix: prefix.to_owned() };
        plan.check("generated-name", &["REST-018", "INV-073"], created, name);
        plan.check("prefix-stays", &["REST-018", "REST-018/e1"], created, at("/metadata/generateName", prefix));
        if let Some(before) = before {
            let differs = differs_at("/metadata/name", before);
            plan.check("distinct", &["INV-073"], created, differs);
        }
        before = Some(created);
    }
}

/// A create that is refused, after which there is no object.
fn refused(choices: &mut Choices, plan: &mut Plan, definition: usize) {
    let number = plan.next_object();
    let valid = json!({ "spec": { "o": {} } });
    let with = |name: &str, value: Value| {
        let mut fields = valid.clone();
        fields[name] = value;
        create_of(definition, number, fields)
    };
    let asked = |name: &str, value: &str| {
        let query = vec![(name.to_owned(), value.to_owned())];
        Request { query, ..create_of(definition, number, valid.clone()) }
    };
    let refusal = |code: u16| match code {
        400 => refused_as(400, "BadRequest"),
        406 => refused_as(406, "NotAcceptable"),
        415 => refused_as(415, "UnsupportedMediaType"),
        _ => refused_as(422, "Invalid"),
    };
    let causes = |field: &str, reason: &str| Expectation::CausesInclude(vec![Cause::new(field, reason)]);
    let prefix = |text: &str| with("metadata", json!({ "name": "", "generateName": text }));
    let (name, asserts, request, expected): (_, &[&str], _, _) = match choices.draw(16) {
        0 => ("no-name", &["REST-017"], with("metadata", json!({ "name": "" })), causes("metadata.name", "Required")),
        1 => {
            let prefix = prefix(choices.pick::<&str>(&["Upper-", "a_b", "a.", "-a"]));
            ("invalid-prefix", &["REST-018"], prefix, causes("metadata.generateName", "Invalid"))
        }
        2 => ("other-version", &["REST-008"], with("apiVersion", json!("other.crdible.dev/v1")), refusal(400)),
        3 => ("empty-version", &["REST-008"], with("apiVersion", json!("")), refusal(400)),
        4 => ("empty-kind", &["REST-008"], with("kind", json!("")), refusal(400)),
        5 => ("other-kind", &["REST-008"], with("kind", json!("Other")), causes("kind", "Invalid")),
        6 => {
            let body = choices.pick(&[json!([]), json!("text"), json!(3), Value::Null, json!({})]).clone();
            let collection = Resource::objects(definition, "v1");
            ("no-object", &["REST-010"], Request::post(collection, body), refusal(400))
        }
        7 => (
            "dry-run",
            &["REST-012"],
            asked("dryRun", choices.pick::<&str>(&["all", "None", ""])),
            causes("dryRun", "NotSupported"),
        ),
        8 => {
            let long = "m".repeat(129);
            ("long-manager", &["REST-012"], asked("fieldManager", &long), causes("fieldManager", "TooLong"))
        }
        9 => ("manager", &["REST-012"], asked("fieldManager", "a\nb"), causes("fieldManager", "Invalid")),
        10 => {
            let mode = asked("fieldValidation", choices.pick::<&str>(&["strict", "Bogus"]));
            ("validation", &["REST-012"], mode, causes("fieldValidation", "NotSupported"))
        }
        11 => {
            let kind = *choices.pick(&["text/plain", "application/x-crdible", "application/merge-patch+json"]);
            let request = create_of(definition, number, valid);
            ("type", &["REST-006"], Request { content_type: Some(kind.to_owned()), ..request }, refusal(415))
        }
        12 => {
            let kind = *choices.pick(&["text/plain", "image/png"]);
            let request = create_of(definition, number, valid);
            ("accept", &["REST-006"], Request { accept: Some(kind.to_owned()), ..request }, refusal(406))
        }
        // The code should be 422, and is 500 in some servers.
        13 => {
            let request = with("metadata", json!({ "resourceVersion": "12" }));
            ("revision", &["REST-015", "REST-015/e2"], request, NamedCheck::NotAccepted.into())
        }
        14 => {
            let finalizers = with("metadata", json!({ "finalizers": owners::unqualified(choices) }));
            ("finalizer", &["REST-070"], finalizers, causes("metadata.finalizers", "Invalid"))
        }
        _ => {
            let request = asked("dryRun", "some");
            let value = json!("CreateOptions");
            let kind = NamedCheck::RejectedWith { pointer: "/details/kind".to_owned(), value };
            ("kind-of-options", &["REST-005/e3", "REST-012/e1"], request, kind.into())
        }
    };
    let sent = plan.send(request);
    if name == "invalid-prefix" {
        // The refusal shows the suffix that the server chose.
        plan.varies(sent);
    }
    plan.check(name, asserts, sent, expected);
    plan.clause(&mistake(name));
    // Where the code should be another one, a reason may be missing (REST-015).
    if name != "revision" {
        check_rejection(plan, sent);
    }
    let read = plan.read(object(definition, number));
    plan.check("not-stored", asserts, read, refused_as(404, "NotFound"));
}
