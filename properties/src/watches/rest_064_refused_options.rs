//! REST-060 to REST-062, REST-064: options of watches that are refused, or mean nothing.

use crdible_semantics::release::Change;

use crate::{prelude::*, shared::watch::Events};

pub(super) const PROPERTY: Property = Property::new("rest-064-refused-options", plan)
    .title("a watch with invalid options is rejected before its stream begins")
    .asserts(&["REST-060/e1", "REST-061/e1", "REST-061/e2", "REST-062/e1", "REST-064", "REST-064/e1", "REST-064/e3"])
    .needs(&[Capability::Storing, Capability::Watches]);

/// Parameters besides `watch`, the field that is refused, and the requirement.
type Row = (&'static [(&'static str, &'static str)], &'static str, &'static str);

const FORBIDDEN: [Row; 6] = [
    (&[("sendInitialEvents", "true")], "resourceVersionMatch", "REST-064"),
    (&[("sendInitialEvents", "false")], "resourceVersionMatch", "REST-064"),
    (&[("sendInitialEvents", "true"), ("resourceVersionMatch", "Exact")], "resourceVersionMatch", "REST-064"),
    (&[("resourceVersionMatch", "NotOlderThan")], "resourceVersionMatch", "REST-064/e1"),
    (&[("resourceVersionMatch", "Exact"), ("resourceVersion", "1")], "resourceVersionMatch", "REST-064/e1"),
    (&[("continue", "abc")], "resourceVersionMatch", "REST-061/e2"),
];

/// What no server gives as a resourceVersion: it is no number from 0 on.
const NO_REVISIONS: [&str; 4] = ["-1", "+1", "1.0", "x"];
/// Numbers that no server reaches.
const FUTURE: [&str; 2] = ["999999999999", "9223372036854775807"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(spec_of(json!({ "a": { "type": "integer" } })));
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let knows_initial_events = choices.release().has(Change::InitialEvents);
    plan.cases(choices, "watch", |plan, choices| {
        let mut watch = |target: Resource, further: &[(&str, &str)]| {
            let query = [("watch", "true"), ("timeoutSeconds", "1")].iter().chain(further);
            let query = query.map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            plan.send(Request { query, ..Request::get(target) })
        };
        let all = Resource::objects(definition, "v1");
        match choices.weighted(&[4, 2, 2, 2, 2, 1]) {
            0 => {
                let (query, field, asserts) = *choices.pick(&FORBIDDEN);
                let is_initial = query[0].0 == "sendInitialEvents";
                let seen = watch(all, query);
                if is_initial && !knows_initial_events {
                    // The option itself is refused, perhaps with others.
                    let causes = vec![Cause::new("sendInitialEvents", "Forbidden")];
                    plan.check("no-option", &["REST-064/e3"], seen, Expectation::CausesInclude(causes));
                } else {
                    // A value that no watch knows may have a cause of its own.
                    let causes = vec![Cause::new(field, "Forbidden")];
                    plan.check("forbidden", &[asserts], seen, Expectation::CausesInclude(causes));
                }
            }
            1 => {
                let value = *choices.pick(&["true", "false"]);
                let list = Resource::objects(definition, "v1");
                let query = vec![("sendInitialEvents".to_owned(), value.to_owned())];
                let list = plan.send(Request { query, ..Request::get(list) });
                let causes = vec![Cause::new("sendInitialEvents", "Forbidden")];
                plan.check("forbidden-in-a-list", &["REST-064"], list, Expectation::CausesInclude(causes));
            }
            2 => {
                let selector = *choices.pick(&[
                    ("labelSelector", "l in x"),
                    ("labelSelector", "!"),
                    ("fieldSelector", "spec.unknown=1"),
                    ("fieldSelector", "x"),
                ]);
                let seen = watch(all, &[selector]);
                plan.check("no-selector", &["REST-062/e1"], seen, Expectation::BadRequest);
            }
            4 => {
                let revision = *choices.pick(&NO_REVISIONS);
                let seen = watch(all, &[("resourceVersion", revision)]);
                plan.check("no-revision", &["REST-061/e1"], seen, NamedCheck::NotAccepted);
            }
            5 => {
                // What exists is older.
                let revision = *choices.pick(&FUTURE);
                let seen = watch(all, &[("resourceVersion", revision)]);
                plan.check("future", &["REST-061/e1"], seen, Events::at("v1").expectation());
            }
            _ => {
                let object = plan.object_of(created);
                let query = vec![("watch".to_owned(), (*choices.pick(&["true", "1"])).to_owned())];
                let read = plan.send(Request { query, ..Request::get(object) });
                plan.check("read", &["REST-060/e1"], read, at("/spec/a", 1));
            }
        }
    });
}
