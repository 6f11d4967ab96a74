//! SUB-030: a scale as a table.

use super::scaled::{Paths, scale_of, set, version};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("sub-030-table", plan)
    .title("a table of /scale shows the desired and the available replicas")
    .asserts(&["SUB-030"])
    .needs(&[Capability::Storing, Capability::Scale]);

/// The columns of a table.
const COLUMNS: [&str; 4] = ["Name", "Desired", "Available", "Age"];

const PATHS: Paths = Paths { wanted: ".spec.a.n", present: ".status.n", selector: None };

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define(Definition::with_versions(vec![version(PATHS, false)]));
    plan.cases(choices, "object", |plan, choices| {
        // A wanted 0 is shown as null (SUB-030, a quirk).
        let (wanted, present) = (choices.between(1, 9), choices.between(0, 9));
        let mut content = json!({ "spec": {} });
        set(&mut content, PATHS.wanted, Some(json!(wanted)));
        let has_present = choices.draw(2) > 0;
        set(&mut content, PATHS.present, has_present.then(|| json!(present)));
        let created = plan.create(definition, content);
        let accept = Some("application/json;as=Table;v=v1;g=meta.k8s.io".to_owned());
        let target = scale_of(plan, created, "v1");
        let table = plan.send(Request { accept, ..Request::get(target) });
        for (number, name) in COLUMNS.into_iter().enumerate() {
            let column = |field: &str| format!("/columnDefinitions/{number}/{field}");
            plan.check("column", &["SUB-030"], table, at(column("name"), name));
            if ["Desired", "Available"].contains(&name) {
                plan.check("type", &["SUB-030"], table, at(column("type"), "integer"));
            }
        }
        plan.check("desired", &["SUB-030"], table, at("/rows/0/cells/1", wanted));
        plan.check("available", &["SUB-030"], table, at("/rows/0/cells/2", if has_present { present } else { 0 }));
    });
}
