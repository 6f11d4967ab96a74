//! FSEL-002, FSEL-003, FSEL-007, FSEL-012, FSEL-013: selectable fields of versions, and changed ones.

use super::selectable::{FIELDS, Field, Term, create, lists, schema, selected, selecting, stated};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("fsel-012-versions", plan)
    .title("each version has its own selectable fields, and changes of them apply to existing objects")
    .asserts(&["FSEL-002", "FSEL-003", "FSEL-003/e1", "FSEL-007", "FSEL-008", "FSEL-012", "FSEL-013"])
    .needs(&[Capability::Storing, Capability::FieldSelectors, Capability::Versions, Capability::DefinitionUpdates]);

const VERSIONS: [&str; 2] = ["v1", "v2"];

/// What the definition says now.
struct Setting {
    fields: [Vec<Field>; 2],
    /// The default of `spec.other` in the storage version.
    default: Option<&'static str>,
}

impl Setting {
    fn draw(choices: &mut Choices) -> Self {
        let some =
            |choices: &mut Choices| -> Vec<Field> { FIELDS.into_iter().filter(|_| choices.chance(1, 2)).collect() };
        let first = some(choices);
        // Versions with other schemas and the same fields are refused by a defect (FSEL-012).
        let mut second: Vec<Field> = some(choices);
        if second == first {
            second = FIELDS.into_iter().filter(|field| !first.contains(field)).collect();
        }
        Self { fields: [first, second], default: *choices.pick(&[None, Some("a"), Some("filled")]) }
    }

    fn versions(&self) -> Vec<Version> {
        let version = |at: usize| {
            let mut schema = schema(self.default);
            // The schemas differ, whatever the defaults are.
            schema["properties"][VERSIONS[at]] = json!({ "type": "string" });
            let version = Version::named(VERSIONS[at], schema).stored_if(at == 0);
            Version { further: stated(&self.fields[at]), ..version }
        };
        vec![version(0), version(1)]
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let setting = Setting::draw(choices);
    let definition = plan.define(Definition::with_versions(setting.versions()));
    let (mut objects, _) = create(choices, plan, definition);
    // What is filled in when an object is created stays.
    for (_, object) in &mut objects {
        *object = served(object, &setting);
    }
    check(choices, plan, definition, &setting, &objects, "FSEL-012");
    choices.many_parts("change", 0, 2, |choices, _| {
        let setting = Setting::draw(choices);
        plan.install_versions(definition, setting.versions());
        check(choices, plan, definition, &setting, &objects, "FSEL-013");
    });
}

/// The object as it is served: with the default.
fn served(object: &Value, setting: &Setting) -> Value {
    let mut served = object.clone();
    if let (Some(default), None) = (setting.default, object["spec"].get("other")) {
        served["spec"]["other"] = default.into();
    }
    served
}

/// Lists by each kind of field at each version.
fn check(
    choices: &mut Choices,
    plan: &mut Plan,
    definition: usize,
    setting: &Setting,
    objects: &[(usize, Value)],
    further: &str,
) {
    let objects: Vec<(usize, Value)> =
        objects.iter().map(|(number, object)| (*number, served(object, setting))).collect();
    for (version, fields) in VERSIONS.into_iter().zip(&setting.fields) {
        let list = Resource::objects(definition, version);
        let drawn: Vec<Value> = objects.iter().map(|(_, object)| object.clone()).collect();
        for field in FIELDS {
            if !choices.chance(1, 2) {
                continue;
            }
            let term = Term::draw(choices, &[field], &drawn);
            let text = term.text(choices);
            let listed = plan.send(selecting(Method::Get, list.clone(), &text));
            if fields.contains(&field) {
                let expected = lists(&selected(&objects, |object| term.selects(object)));
                let is_filled = field.label() == "spec.other";
                let mut asserts = vec!["FSEL-002", "FSEL-008", further];
                asserts.extend(is_filled.then_some("FSEL-007"));
                plan.check("listed", &asserts, listed, expected);
            } else {
                let asserts = ["FSEL-003", "FSEL-003/e1", further];
                plan.check("not-selectable", &asserts, listed, refused_as(400, "BadRequest"));
            }
        }
    }
}
