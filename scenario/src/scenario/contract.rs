//! What a converter is for: the definition whose objects it converts.

use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

use super::declarations::{Loss, Refusal};

/// The `ConversionReview` versions that exist.
const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

/// What a definition says of its converter: names, versions with their schemas, and what may be lost on purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// `spec.group`.
    pub group: String,
    /// `spec.names.kind`.
    pub kind: String,
    /// Whether objects have a namespace.
    pub namespaced: bool,
    /// The versions, served or not: all of them are converted (CONV-007). At least two.
    pub versions: Vec<ContractVersion>,
    /// The review versions that are asked: those of `conversionReviewVersions` that exist, `v1` if it lists none.
    pub reviews: Vec<String>,
    /// What conversion loses on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lossy: Vec<Loss>,
    /// What the converter refuses on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
}

/// One version of a definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractVersion {
    /// Its name.
    pub name: String,
    /// Its schema.
    #[serde(serialize_with = "schema_as_json", deserialize_with = "schema_from_json")]
    pub schema: Schema,
}

/// Why a definition says nothing of a converter, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ContractError(String);

impl Contract {
    /// What a definition (`apiextensions.k8s.io/v1`, as JSON) says. Only what conversion needs is read; whether the
    /// definition is legal otherwise is not checked.
    ///
    /// # Errors
    /// What is missing or wrong, and where.
    pub fn of_definition(document: &Value) -> Result<Self, ContractError> {
        let kind = document["kind"].as_str().unwrap_or_default();
        let api_version = document["apiVersion"].as_str().unwrap_or_default();
        if kind != "CustomResourceDefinition" {
            return error(format!("it is no CustomResourceDefinition: its kind is `{kind}`"));
        }
        if api_version != "apiextensions.k8s.io/v1" {
            return error(format!(
                "its apiVersion is `{api_version}`, and only apiextensions.k8s.io/v1 is read; `kubectl get crd NAME -o yaml` gives that version"
            ));
        }
        let text = |pointer: &str| match document.pointer(pointer).and_then(Value::as_str) {
            Some(text) if !text.is_empty() => Ok(text.to_owned()),
            _ => error(format!("{} is missing", pointer.trim_start_matches('/').replace('/', "."))),
        };
        let versions = document.pointer("/spec/versions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let versions: Vec<ContractVersion> =
            versions.iter().enumerate().map(|(at, version)| one_version(at, version)).collect::<Result<_, _>>()?;
        if versions.len() < 2 {
            return error(format!(
                "it has {}, and a conversion is between two",
                if versions.is_empty() { "no version" } else { "only one version" }
            ));
        }
        for (at, version) in versions.iter().enumerate() {
            if versions[..at].iter().any(|other| other.name == version.name) {
                return error(format!("spec.versions[{at}].name is `{}`, as that of another version", version.name));
            }
        }
        let listed = document.pointer("/spec/conversion/webhook/conversionReviewVersions").and_then(Value::as_array);
        let is_listed = |review: &&str| listed.is_some_and(|listed| listed.iter().any(|one| one == review));
        let reviews: Vec<String> = REVIEWS.into_iter().filter(is_listed).map(str::to_owned).collect();
        Ok(Self {
            group: text("/spec/group")?,
            kind: text("/spec/names/kind")?,
            namespaced: text("/spec/scope")? == "Namespaced",
            versions,
            reviews: if reviews.is_empty() { vec![REVIEWS[0].to_owned()] } else { reviews },
            lossy: Vec::new(),
            refused: Vec::new(),
        })
    }

    /// The same, with these losses declared.
    ///
    /// # Errors
    /// If one names a version or a field that the definition does not have.
    pub fn losing(self, lossy: Vec<Loss>) -> Result<Self, ContractError> {
        lossy.iter().try_for_each(|loss| self.check_field(loss))?;
        Ok(Self { lossy, ..self })
    }

    /// The same, with these refusals declared.
    ///
    /// # Errors
    /// If one names a version or a field that the definition does not have.
    pub fn refusing(self, refused: Vec<Refusal>) -> Result<Self, ContractError> {
        refused.iter().try_for_each(|refusal| self.check_field(&refusal.field))?;
        Ok(Self { refused, ..self })
    }

    /// Checks that the definition has the version and the field of a declaration.
    fn check_field(&self, field: &Loss) -> Result<(), ContractError> {
        let Some(version) = self.version(&field.version) else {
            let known: Vec<&str> = self.versions.iter().map(|version| version.name.as_str()).collect();
            return error(format!("`{field}`: the definition has no such version, but {}", known.join(", ")));
        };
        if has_place(&version.schema, &field.path) {
            Ok(())
        } else {
            error(format!("`{field}`: the schema of {} has no such field", field.version))
        }
    }

    /// The version with this name.
    pub fn version(&self, name: &str) -> Option<&ContractVersion> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// The `apiVersion` of a version's objects.
    pub fn api_version(&self, version: &str) -> String {
        format!("{}/{version}", self.group)
    }

    /// The schema of the version that an object has, if it is one of them.
    pub fn schema_of(&self, object: &Value) -> Option<&Schema> {
        let (group, version) = object["apiVersion"].as_str()?.rsplit_once('/')?;
        if group == self.group { self.version(version).map(|version| &version.schema) } else { None }
    }
}

fn error<T>(text: String) -> Result<T, ContractError> {
    Err(ContractError(text))
}

fn one_version(at: usize, version: &Value) -> Result<ContractVersion, ContractError> {
    let Some(name) = version["name"].as_str().filter(|name| !name.is_empty()) else {
        return error(format!("spec.versions[{at}].name is missing"));
    };
    let Some(schema) = version.pointer("/schema/openAPIV3Schema") else {
        return error(format!("spec.versions[{at}] ({name}) has no schema.openAPIV3Schema"));
    };
    match Schema::parse(schema) {
        Ok((mut schema, _)) => {
            if let Some(unknown) = unknown_type(&schema) {
                return error(format!(
                    "the schema of spec.versions[{at}] ({name}) has the type `{unknown}`, which does not exist"
                ));
            }
            // Every object has these, whatever its schema says of them.
            schema.values.required.retain(|field| !matches!(field.as_str(), "apiVersion" | "kind" | "metadata"));
            Ok(ContractVersion { name: name.to_owned(), schema })
        }
        Err(errors) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            error(format!("the schema of spec.versions[{at}] ({name}) is invalid: {first}"))
        }
    }
}

/// A type in a schema that is none of JSON's.
fn unknown_type(schema: &Schema) -> Option<&str> {
    const TYPES: [&str; 7] = ["", "array", "boolean", "integer", "number", "object", "string"];
    if !TYPES.contains(&schema.type_name.as_str()) {
        return Some(&schema.type_name);
    }
    below(schema).find_map(unknown_type)
}

/// The nodes below a node of a schema.
fn below(schema: &Schema) -> impl Iterator<Item = &Schema> {
    let items = if let Some(Items::Each(items)) = &schema.items { Some(&**items) } else { None };
    let values = if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties {
        Some(&**values)
    } else {
        None
    };
    schema.properties.values().chain(items).chain(values)
}

/// Whether a schema has a field at this way.
fn has_place(schema: &Schema, path: &[Option<String>]) -> bool {
    let Some((key, rest)) = path.split_first() else { return true };
    let preserves = schema.preserve_unknown_fields == Some(true) || schema.type_name.is_empty();
    match key.as_deref().and_then(|key| schema.properties.get(key)) {
        Some(property) => has_place(property, rest),
        None if preserves => true,
        None if key.as_deref().is_none_or(|key| is_index(schema, key)) => {
            below(schema).any(|node| has_place(node, rest))
        }
        None => match &schema.additional_properties {
            Some(AdditionalProperties::Schema(values)) => has_place(values, rest),
            _ => false,
        },
    }
}

/// Whether a key is an index of a list that a node describes.
fn is_index(schema: &Schema, key: &str) -> bool {
    schema.items.is_some() && key.parse::<usize>().is_ok()
}

fn schema_as_json<S: Serializer>(schema: &Schema, serializer: S) -> Result<S::Ok, S::Error> {
    schema.to_json().serialize(serializer)
}

fn schema_from_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Schema, D::Error> {
    let json = Value::Object(Map::deserialize(deserializer)?);
    let first = |errors: Vec<crdible_semantics::schema::SchemaError>| {
        D::Error::custom(errors.first().map(ToString::to_string).unwrap_or_default())
    };
    Schema::parse(&json).map(|(schema, _)| schema).map_err(first)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::Contract;

    fn definition(versions: Value) -> Value {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "spec": { "group": "g.dev", "scope": "Namespaced", "names": { "kind": "Thing" }, "versions": versions },
        })
    }

    fn version(name: &str) -> Value {
        json!({ "name": name, "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } } })
    }

    #[test]
    fn a_contract_is_read_from_a_definition_and_kept_in_files() {
        let contract = Contract::of_definition(&definition(json!([version("v1"), version("v2")])));
        let contract = contract.expect("it is complete").losing(vec!["v1:.spec.x".parse().expect("a loss")]);
        let contract = contract.expect("the version exists");
        assert_eq!((contract.reviews.as_slice(), contract.namespaced), (&["v1".to_owned()][..], true));
        let text = serde_json::to_string(&contract).expect("it is data");
        assert_eq!(serde_json::from_str::<Contract>(&text).expect("its own text"), contract);
    }

    #[rstest]
    #[case::one_version(definition(json!([version("v1")])), "it has only one version")]
    #[case::no_schema(definition(json!([version("v1"), { "name": "v2" }])), "spec.versions[1] (v2) has no schema")]
    #[case::wrong_schema(
        definition(json!([version("v1"), { "name": "v2", "schema": { "openAPIV3Schema": { "type": 1 } } }])),
        "spec.versions[1] (v2) is invalid"
    )]
    #[case::other_kind(json!({ "kind": "Pod" }), "its kind is `Pod`")]
    #[case::old(json!({ "kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1beta1" }), "only apiextensions.k8s.io/v1")]
    #[case::no_group(
        json!({ "kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1", "spec": { "versions": [version("a"), version("b")] } }),
        "spec.group is missing"
    )]
    fn what_is_no_contract(#[case] document: Value, #[case] words: &str) {
        let error = Contract::of_definition(&document).expect_err("something is missing").to_string();
        assert!(error.contains(words), "{error}");
    }
}
