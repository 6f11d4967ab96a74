//! What a converter is for: the definition whose objects it converts.

use std::{fmt, str::FromStr};

use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

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
            return error(format!("it has {} versions, and conversion is between two", versions.len()));
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
        })
    }

    /// The same, with these losses declared.
    ///
    /// # Errors
    /// If one names a version that the definition does not have.
    pub fn losing(self, lossy: Vec<Loss>) -> Result<Self, ContractError> {
        if let Some(unknown) = lossy.iter().find(|loss| self.version(&loss.version).is_none()) {
            let known: Vec<&str> = self.versions.iter().map(|version| version.name.as_str()).collect();
            return error(format!("`{unknown}`: the definition has no such version, but {}", known.join(", ")));
        }
        let is_there =
            |loss: &&Loss| self.version(&loss.version).is_some_and(|version| has_place(&version.schema, &loss.path));
        if let Some(absent) = lossy.iter().find(|loss| !is_there(loss)) {
            return error(format!("`{absent}`: the schema of {} has no such field", absent.version));
        }
        Ok(Self { lossy, ..self })
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
        None if key.is_none() => below(schema).any(|node| has_place(node, rest)),
        None => match &schema.additional_properties {
            Some(AdditionalProperties::Schema(values)) => has_place(values, rest),
            _ => false,
        },
    }
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

/// A field that conversion loses on purpose: what is at and below it at this version need not come back (CONV-035).
///
/// As text: `v1:.spec.hosts[*].weight`; `[*]` is any element, `.*` any key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The name of the version that has the field.
    pub version: String,
    /// The way to it; none for any key or element.
    path: Vec<Option<String>>,
}

impl Loss {
    /// Whether the field is at this way of keys and indices, or above it.
    pub fn covers(&self, way: &[impl AsRef<str>]) -> bool {
        let fits = |(own, actual): (&Option<String>, &str)| own.as_deref().is_none_or(|own| own == actual);
        way.len() >= self.path.len() && self.path.iter().zip(way.iter().map(AsRef::as_ref)).all(fits)
    }
}

impl FromStr for Loss {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "write VERSION:.PATH, such as v1:.spec.hosts[*].weight";
        let (version, path) = text.split_once(':').ok_or(FORM)?;
        let path = path.strip_prefix('.').filter(|path| !path.is_empty()).ok_or(FORM)?;
        let path = path.replace("[*]", ".*");
        let segments: Vec<Option<String>> =
            path.split('.').map(|segment| (segment != "*").then(|| segment.to_owned())).collect();
        if version.is_empty() || segments.iter().flatten().any(String::is_empty) {
            return Err(FORM.to_owned());
        }
        Ok(Self { version: version.to_owned(), path: segments })
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:", self.version)?;
        self.path.iter().try_for_each(|segment| write!(formatter, ".{}", segment.as_deref().unwrap_or("*")))
    }
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Loss {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Contract, Loss};

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
    #[case::one_version(definition(json!([version("v1")])), "it has 1 versions")]
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

    #[rstest]
    #[case("v1:.spec.x", &["spec", "x"], true)]
    #[case("v1:.spec.x", &["spec", "x", "0", "y"], true)]
    #[case("v1:.spec.x", &["spec"], false)]
    #[case("v1:.spec.x", &["spec", "y"], false)]
    #[case("v1:.spec.a[*].b", &["spec", "a", "7", "b"], true)]
    #[case("v1:.spec.m.*", &["spec", "m", "any"], true)]
    fn losses_cover_what_is_below(#[case] loss: &str, #[case] way: &[&str], #[case] expected: bool) {
        let loss: Loss = loss.parse().expect("a loss");
        assert_eq!(loss.covers(way), expected);
        assert_eq!(loss.to_string().parse(), Ok(loss));
    }

    #[rstest]
    #[case(".spec")]
    #[case("v1:spec")]
    #[case("v1:.")]
    #[case("v1:.a..b")]
    #[case(":.spec")]
    fn what_is_no_loss(#[case] text: &str) {
        assert!(text.parse::<Loss>().is_err());
    }
}
