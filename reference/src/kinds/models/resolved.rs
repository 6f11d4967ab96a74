//! Models with their references resolved.

use std::sync::LazyLock;

use crdible_semantics::Release;
use serde_json::{Map, Value, json};

use super::Models;
use crate::kinds::{BuiltIn, Dialect, Type};

/// Of any release: what differs between them is nothing that a type needs.
static MODELS: LazyLock<Models> = LazyLock::new(|| Models::of(Release::BASELINE));

impl BuiltIn {
    /// The model of its objects, with all references resolved.
    pub(crate) fn model(&self) -> &Value {
        self.derived.model.get_or_init(|| resolved(self.object))
    }
}

/// The model of a type with all references replaced by the models that they refer to. Items of atomic lists are left
/// open, because some models contain themselves through them.
pub(super) fn resolved(of: &Type) -> Value {
    resolve(&json!({"$ref": Dialect::V3.address(of.name)}))
}

/// The model that a reference refers to.
fn model_at(address: &str) -> Option<&'static Value> {
    let name = address.strip_prefix(&Dialect::V3.address(""))?;
    MODELS.written.get(name).map(|written| &written.v3)
}

fn resolve(model: &Value) -> Value {
    let in_all_of = model.get("allOf").and_then(|all| all.get(0));
    let address = [Some(model), in_all_of].into_iter().flatten().find_map(|candidate| candidate.get("$ref")?.as_str());
    if let Some(address) = address {
        let mut target = model_at(address).map(resolve).unwrap_or_default();
        if let (Some(target), Some(default)) = (target.as_object_mut(), model.get("default")) {
            target.insert("default".into(), default.clone());
        }
        return target;
    }
    let Some(keywords) = model.as_object() else { return model.clone() };
    let is_atomic = keywords.get("x-kubernetes-list-type").is_some_and(|kind| kind == "atomic");
    let keywords = keywords.iter().filter(|(key, _)| key.as_str() != "x-kubernetes-group-version-kind");
    let keywords: Map<String, Value> = keywords
        .map(|(key, value)| {
            let value = match (key.as_str(), value) {
                ("items", _) if is_atomic => json!({"x-kubernetes-preserve-unknown-fields": true}),
                ("items" | "additionalProperties", schema) => resolve(schema),
                ("properties", Value::Object(fields)) => {
                    fields.iter().map(|(name, field)| (name.clone(), resolve(field))).collect::<Map<_, _>>().into()
                }
                (_, value) => value.clone(),
            };
            (key.clone(), value)
        })
        .collect();
    keywords.into()
}

#[cfg(test)]
mod tests {
    use crdible_semantics::Schema;
    use rstest::rstest;

    use super::*;
    use crate::kinds::{DEFINITION, NAMESPACE, OBJECT_META, SCALE};

    #[rstest]
    #[case(&OBJECT_META, "/properties/ownerReferences/x-kubernetes-list-map-keys/0", json!("uid"))]
    #[case(&OBJECT_META, "/properties/ownerReferences/items/x-kubernetes-map-type", json!("atomic"))]
    #[case(NAMESPACE.object, "/properties/status/properties/conditions/x-kubernetes-list-type", json!("map"))]
    #[case(NAMESPACE.object, "/properties/metadata/properties/labels/additionalProperties/type", json!("string"))]
    #[case(DEFINITION.object, "/properties/spec/properties/versions/x-kubernetes-list-type", json!("atomic"))]
    #[case(&SCALE, "/properties/spec/properties/replicas/type", json!("integer"))]
    fn models_are_resolved(#[case] of: &Type, #[case] pointer: &str, #[case] expected: Value) {
        let resolved = resolved(of);
        assert_eq!(resolved.pointer(pointer), Some(&expected), "{resolved}");
        assert!(!resolved.to_string().contains("$ref"));
        assert!(Schema::parse(&resolved).is_ok());
    }
}
