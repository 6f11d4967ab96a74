//! CONV-001 and CONV-003: strategy None rewrites `apiVersion`, and the other version's schema prunes; nothing else
//! changes.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-001-strategy-none", plan)
    .title("with strategy None, an object at another version has exactly the fields that both schemas declare")
    .asserts(&["CONV-001", "CONV-003"])
    .needs(&[Capability::Storing, Capability::Pruning]);

const FIELDS: [&str; 4] = ["a", "b", "c", "d"];

/// A version, and which of the fields it declares.
struct View {
    name: &'static str,
    knows: [bool; 4],
}

impl View {
    fn version(&self, storage: bool) -> Version {
        let known = FIELDS.iter().zip(self.knows).filter(|(_, knows)| *knows);
        let properties: Map<String, Value> =
            known.map(|(field, _)| ((*field).to_owned(), json!({ "type": "integer" }))).collect();
        Version::named(self.name, spec_of(Value::Object(properties))).stored_if(storage)
    }

    fn of(&self, values: &[Option<i64>; 4]) -> [Option<i64>; 4] {
        let mut seen = *values;
        seen.iter_mut().zip(self.knows).for_each(|(value, knows)| *value = value.filter(|_| knows));
        seen
    }
}

fn content(values: &[Option<i64>; 4]) -> Value {
    let given = FIELDS.iter().zip(values).filter_map(|(field, value)| Some(((*field).to_owned(), json!((*value)?))));
    json!({ "spec": given.collect::<Map<String, Value>>() })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let views = ["v1", "v2", "v3"].map(|name| {
        let knows = choices.keyed(name, |choices| FIELDS.map(|_| !choices.chance(1, 3)));
        View { name, knows }
    });
    let versions = views.iter().enumerate().map(|(at, view)| view.version(at == 0)).collect();
    let definition = plan.define_versions(versions);
    let stored_by = &views[0];
    plan.case_parts(choices, "object", |plan, choices| {
        let writer = choices.pick(&views);
        let sent = FIELDS.map(|_| (!choices.chance(1, 4)).then(|| choices.between(0, 9)));
        let mut stored = stored_by.of(&writer.of(&sent));
        let created = plan.create_at(definition, writer.name, content(&sent));
        plan.check("create", &["CONV-001", "CONV-003"], created, Expectation::Content(content(&writer.of(&stored))));
        let mut reads = read(plan, definition, created, &views, &stored);
        choices.many_parts("write", 0, 3, |choices, _| {
            let at = choices.up_to(2);
            let writer = &views[at];
            let sent = FIELDS.map(|_| (!choices.chance(1, 4)).then(|| choices.between(0, 9)));
            let written = match choices.draw(1) {
                0 => {
                    // Fields that the version does not declare are not sent, so they are removed.
                    stored = stored_by.of(&writer.of(&sent));
                    plan.put_back(reads[at], vec![Edit::Set("/spec".into(), content(&sent)["spec"].clone())])
                }
                _ => {
                    // A patch applies to the object as the version shows it; the write removes the other fields as
                    // well.
                    let mut merged = writer.of(&stored);
                    merged.iter_mut().zip(sent).for_each(|(value, sent)| *value = sent.or(*value));
                    stored = stored_by.of(&writer.of(&merged));
                    plan.patch(reads[at], Method::MergePatch, content(&sent))
                }
            };
            let expected = Expectation::Content(content(&writer.of(&stored)));
            plan.check("write", &["CONV-001", "CONV-003"], written, expected);
            reads = read(plan, definition, created, &views, &stored);
        });
    });
}

fn read(
    plan: &mut Plan,
    definition: usize,
    created: StepId,
    views: &[View; 3],
    stored: &[Option<i64>; 4],
) -> [StepId; 3] {
    views.each_ref().map(|view| {
        let read = plan.get_at(created, view.name);
        plan.check("read", &["CONV-001", "CONV-003"], read, Expectation::Content(content(&view.of(stored))));
        plan.check("api-version", &["CONV-001"], read, at("/apiVersion", format!("$group/{}", view.name)));
        let list = plan.list(definition, view.name);
        plan.check("listed", &["CONV-001", "CONV-003"], list, NamedCheck::Listed.against(read));
        read
    })
}
