//! CRDVAL-056: an update is judged as a new definition is, whatever was there before.

use crdible_generators::{
    choice::Choices,
    definition::{Part, Variation, variations, varied},
};
use serde_json::{Value, json};

use super::shared::{UPDATING, check_causes, own, try_patch};
use crate::{
    properties::Property,
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-056-updates-in-full",
    title: "a rule that is broken by an update is told as for a new definition",
    asserts: &["CRDVAL-056"],
    needs: UPDATING,
    edges: &[],
    plan,
};

/// How many updates are tried.
const UPDATES: usize = 6;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let among: Vec<&'static Variation> = variations().filter(|variation| is_free(variation)).collect();
    let (definition, _) = own(&mut plan, &[]);
    choices.many("update", 1, UPDATES, |choices, _| {
        let varied = varied(choices, &among);
        let updated = try_patch(&mut plan, definition, with_v1_stored(&varied.document));
        if varied.causes.is_empty() {
            plan.check("legal", &["CRDVAL-056"], updated, Expectation::Accepted);
        } else {
            check_causes(&mut plan, varied.variation.name, &["CRDVAL-056"], updated, &varied.causes);
        }
        plan.count_case();
    });
    plan.finish()
}

/// Whether a variation says nothing of what an update may not change, and is none of what established definitions treat otherwise.
fn is_free(variation: &Variation) -> bool {
    let is_of_versions_or_conversion =
        [Part::Deprecation, Part::Schema, Part::Scale, Part::Columns, Part::Conversion].contains(&variation.part);
    is_of_versions_or_conversion && variation.requirement() != "CRDVAL-048"
}

/// A JSON patch to the versions and the conversion of a document; the first version is the stored one, by the name that is in
/// `storedVersions`.
fn with_v1_stored(document: &Value) -> Value {
    let mut versions = document["spec"]["versions"].clone();
    for (index, version) in versions.as_array_mut().into_iter().flatten().enumerate() {
        version["name"] = json!(format!("v{}", index + 1));
        version["storage"] = json!(index == 0);
    }
    let mut operations = vec![json!({ "op": "replace", "path": "/spec/versions", "value": versions })];
    if let Some(conversion) = document["spec"].get("conversion") {
        operations.push(json!({ "op": "replace", "path": "/spec/conversion", "value": conversion }));
    }
    Value::Array(operations)
}
