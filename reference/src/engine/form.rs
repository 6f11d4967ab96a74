//! The form in which clients see the objects of a resource, and what is said about bodies that are not in it (REST-008,
//! REST-035, REST-050..055).

use std::sync::Arc;

use crdible_semantics::{Reason, Violation};
use serde_json::Value;

use super::Kind;
use crate::answer::Warnings;
use crate::json::{self, Met, Parsed, Repeated};
use crate::managed_fields::Writer;
use crate::patch::Patch;
use crate::representation::Shown;
use crate::request::FieldValidation;
use crate::status::Failure;
use crate::table::Columns;

/// What an object is shown for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Somebody reads it.
    Reading,
    /// A patch is applied to it.
    Patching,
    /// It was written.
    Written,
}

/// The form in which clients see the objects of a resource: as they are, unless stated otherwise.
pub(crate) trait BodyForm: Sync {
    /// The kind of bodies.
    fn kind(&self) -> &Kind;

    /// Whether a body may leave out `apiVersion` and `kind`, and another kind is 400: so for types that the server was
    /// compiled with, not for instances of definitions (REST-008).
    fn is_typed(&self) -> bool;

    /// Whether another kind than this one is overlooked, as long as the `apiVersion` is right (SUB-005 [Q]).
    fn overlooks_kind(&self) -> bool {
        false
    }

    /// Brings a body with the right `apiVersion` and `kind` into form; the result is what it did not know.
    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String>;

    /// The same for a body of another version or kind, as far as it is known what belongs into it.
    fn decode_other(&self, _object: &mut Value) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    /// Whether it is told that the field at a path is unknown, or there twice.
    fn is_told(&self, _path: &str) -> bool {
        true
    }

    /// What a client sees of an object.
    fn show(&self, object: Shown, _purpose: Purpose) -> Result<Shown, Failure> {
        Ok(object)
    }

    /// The object that a body in this form asks for, in place of `old`.
    fn wanted(&self, body: Value, _old: &Value, _writer: &Writer) -> Result<Value, Failure> {
        Ok(body)
    }

    /// Whether bodies are whole objects. If not, it is for `wanted` to tell who manages their fields.
    fn is_whole(&self) -> bool {
        true
    }

    /// The columns of tables, where they are not those of the resource.
    fn own_columns(&self) -> Option<Arc<Columns>> {
        None
    }

    /// Whether a body that names no `resourceVersion` is meant for whatever there is (SUB-025).
    fn may_be_unconditional(&self) -> bool {
        false
    }
}

/// What a body says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GivenType {
    /// What is expected.
    Own,
    /// Of another version or group.
    OtherVersion,
    /// Of the right version.
    OtherKind,
}

/// A body that was read.
pub(crate) struct Taken {
    /// In form, unless it is of another type.
    pub(crate) object: Value,
    /// The other type that it claims to be of.
    pub(crate) claim: Option<Claim>,
}

/// Another type than that of the URL.
pub(crate) struct Claim {
    group: String,
    kind: String,
    /// What is wrong with it; nothing where it is overlooked.
    pub(crate) wrong: Vec<Violation>,
}

impl Claim {
    fn of(object: &Value, wrong: Vec<Violation>) -> Self {
        let group = text(object, "apiVersion").split_once('/').map_or("", |(group, _)| group);
        Self { group: group.to_owned(), kind: text(object, "kind").to_owned(), wrong }
    }

    /// 422 for an object of this name, with the claimed type in its details (REST-008).
    pub(crate) fn invalid(&self, name: &str, violations: &[Violation]) -> Failure {
        Failure::invalid(&self.group, &self.kind, name, violations)
    }
}

impl dyn BodyForm + '_ {
    /// Takes the body of a create or an update.
    pub(crate) fn take(
        &self,
        parsed: Parsed,
        source: &[u8],
        validation: FieldValidation,
        warnings: &mut Warnings,
    ) -> Result<Taken, Failure> {
        let mut object = parsed.value;
        let given = self.check_type(&mut object)?;
        let is_own = given == GivenType::Own;
        // Whatever it is, its metadata are metadata.
        let decoded = if is_own { self.decode(&mut object) } else { self.decode_other(&mut object) };
        let unknown = decoded.map_err(|error| self.undecodable(&error))?;
        let told = self.told_fields(source, parsed.duplicates, unknown);
        report_fields(told, validation, warnings).map_err(|error| self.undecodable(&error))?;
        if given == GivenType::OtherVersion {
            return Err(self.other_version(&object));
        }
        let claim = (!is_own).then(|| {
            let wrong_kind = || wrong("kind", text(&object, "kind"), &self.kind().kind, "REST-008");
            Claim::of(&object, if self.overlooks_kind() { Vec::new() } else { vec![wrong_kind()] })
        });
        Ok(Taken { object, claim })
    }

    /// Takes what a patch made of an object. The result is the other type that it claims to be of now.
    pub(crate) fn take_patched(
        &self,
        object: &mut Value,
        patch: &Patch,
        validation: FieldValidation,
        warnings: &mut Warnings,
    ) -> Result<Option<Claim>, Failure> {
        let invalid = |error: String| Failure::of_patch(&error);
        let wrong_type = self.check_patched_type(object)?;
        // Upstream writes the patched object with sorted keys before it decodes it.
        let text = if self.is_typed() { json::write(object) } else { Vec::new() };
        let decoded = if wrong_type.is_empty() { self.decode(object) } else { self.decode_other(object) };
        let unknown = decoded.map_err(invalid)?;
        let members = patch.unknown_members().iter().map(|path| format!("json patch unknown field \"{path}\""));
        let repeated = patch.duplicates().iter().map(Repeated::to_string);
        let told = members.chain(repeated).chain(self.told_fields(&text, Vec::new(), unknown)).collect();
        report_fields(told, validation, warnings).map_err(invalid)?;
        let is_other = !wrong_type.is_empty();
        let wrong = if self.overlooks_kind() { Vec::new() } else { wrong_type };
        Ok(is_other.then(|| Claim::of(object, wrong)))
    }

    /// Checks `apiVersion` and `kind` of a body (REST-008).
    fn check_type(&self, object: &mut Value) -> Result<GivenType, Failure> {
        let kind = self.kind();
        if self.is_typed() && object.is_null() {
            *object = Value::Object(serde_json::Map::new());
        }
        let Some(fields) = object.as_object_mut() else {
            return Err(Failure::bad_request(format!(
                "the object provided is unrecognized (must be of type {}): not a JSON object",
                kind.kind
            )));
        };
        let text = |field: &str| match fields.get(field) {
            None | Some(Value::Null) => Ok(""),
            Some(Value::String(text)) => Ok(text.as_str()),
            Some(_) => {
                Err(Failure::bad_request(format!("the object provided is unrecognized: {field} must be a string")))
            }
        };
        let (api_version, body_kind) = (text("apiVersion")?, text("kind")?);
        if self.is_typed() {
            let (right_version, right_kind) =
                (["", &kind.api_version].contains(&api_version), ["", &kind.kind].contains(&body_kind));
            if !right_version || !right_kind {
                return Err(
                    self.undecodable(&format!("no kind {body_kind:?} is registered for version {api_version:?}"))
                );
            }
            fields.insert("apiVersion".into(), kind.api_version.as_str().into());
            fields.insert("kind".into(), kind.kind.as_str().into());
            return Ok(GivenType::Own);
        }
        if body_kind.is_empty() {
            return Err(Failure::bad_request(format!(
                "the object provided is unrecognized (must be of type {}): Object 'Kind' is missing",
                kind.kind
            )));
        }
        Ok(if api_version != kind.api_version {
            GivenType::OtherVersion
        } else if body_kind != kind.kind {
            GivenType::OtherKind
        } else {
            GivenType::Own
        })
    }

    /// 400 for a body of another version.
    fn other_version(&self, object: &Value) -> Failure {
        let (given, expected) = (text(object, "apiVersion"), &self.kind().api_version);
        Failure::bad_request(format!(
            "the API version in the data ({given}) does not match the expected API version ({expected})"
        ))
    }

    /// 400 for a body that cannot be taken.
    fn undecodable(&self, error: &str) -> Failure {
        let kind = self.kind();
        let version = kind.api_version.rsplit('/').next().unwrap_or_default();
        Failure::bad_request(format!("{0} in version \"{version}\" cannot be handled as a {0}: {error}", kind.kind))
    }

    /// `apiVersion` and `kind` cannot be patched away (REST-035). The result is how they were changed.
    fn check_patched_type(&self, object: &mut Value) -> Result<Vec<Violation>, Failure> {
        let kind = self.kind();
        if !object.is_object() {
            return Err(Failure::unprocessable("the patch makes something that is no object"));
        }
        if self.is_typed() {
            return self.check_patched_typed(object).map(|()| Vec::new());
        }
        let (api_version, given) = (text(object, "apiVersion"), text(object, "kind"));
        if given.is_empty() {
            return Err(Failure::of_patch("Object 'Kind' is missing"));
        }
        if api_version.is_empty() {
            return Err(Failure::of_patch("Object 'apiVersion' is missing"));
        }
        if api_version.matches('/').count() > 1 {
            return Err(Failure::of_patch(&format!("unexpected GroupVersion string: {api_version}")));
        }
        let pairs = [("apiVersion", api_version, &kind.api_version), ("kind", given, &kind.kind)];
        let changed = pairs.into_iter().filter(|(_, given, right)| given != right);
        Ok(changed.map(|(field, given, right)| wrong(field, given, right, "REST-035")).collect())
    }

    /// The same of a type that the server was compiled with: a kind that is gone is the only one that there is.
    fn check_patched_typed(&self, object: &mut Value) -> Result<(), Failure> {
        let kind = self.kind();
        for field in ["apiVersion", "kind"] {
            if object.get(field).is_some_and(|value| !value.is_string() && !value.is_null()) {
                return Err(Failure::of_patch(&format!("{field} must be a string")));
            }
        }
        let (api_version, given) = (text(object, "apiVersion").to_owned(), text(object, "kind").to_owned());
        if api_version.is_empty() {
            return Err(Failure::bad_request("Object 'apiVersion' is missing"));
        }
        if api_version != kind.api_version || !["", kind.kind.as_str()].contains(&given.as_str()) {
            return Err(Failure::of_patch(&format!("no kind {given:?} is registered for version {api_version:?}")));
        }
        if let Some(members) = object.as_object_mut() {
            members.insert("kind".into(), kind.kind.as_str().into());
        }
        Ok(())
    }

    /// What is told of the fields of a body: of a typed resource in the order of its text, and without keys that are repeated at or
    /// below an unknown field.
    fn told_fields(&self, text: &[u8], duplicates: Vec<Repeated>, unknown: Vec<String>) -> Vec<String> {
        if !self.is_typed() {
            return told_apart(&duplicates, &unknown);
        }
        let is_below = |path: &str| {
            let is_at = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
            unknown.iter().any(|top| path.strip_prefix(top.as_str()).is_some_and(is_at))
        };
        let (mut keys, mut met) = (Vec::new(), Vec::new());
        for repeated in duplicates {
            match repeated {
                Repeated::Field(path) if is_below(&path) || !self.is_told(&path) => {}
                Repeated::Field(path) => met.push(Met::Repeated(path)),
                key @ Repeated::Key { .. } => keys.push(key.to_string()),
            }
        }
        met.extend(unknown.into_iter().filter(|path| self.is_told(path)).map(Met::Unknown));
        let met = if met.is_empty() { met } else { json::in_order_of(text, met) };
        let told = met.into_iter().map(|met| match met {
            Met::Unknown(path) => unknown_field(&path),
            Met::Repeated(path) => Repeated::Field(path).to_string(),
        });
        keys.into_iter().chain(told).collect()
    }
}

/// What is told of fields: repeated keys first.
fn told_apart(duplicates: &[Repeated], unknown: &[String]) -> Vec<String> {
    let unknown = unknown.iter().map(|path| unknown_field(path));
    duplicates.iter().map(Repeated::to_string).chain(unknown).collect()
}

fn unknown_field(path: &str) -> String {
    format!("unknown field \"{path}\"")
}

fn wrong(field: &str, given: &str, right: &str, requirement: &'static str) -> Violation {
    let detail = format!("{given:?}: must be {right}");
    Violation { field: field.into(), reason: Reason::Invalid, requirement, detail }
}

/// A text at the root; absent is empty.
fn text<'o>(object: &'o Value, field: &str) -> &'o str {
    object.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// What a strict decoding found: warns or refuses as wanted (REST-050..053).
fn report_fields(told: Vec<String>, validation: FieldValidation, warnings: &mut Warnings) -> Result<(), String> {
    match validation {
        FieldValidation::Strict if !told.is_empty() => {
            return Err(format!("strict decoding error: {}", told.join(", ")));
        }
        FieldValidation::Warn => told.into_iter().for_each(|text| warnings.add(text)),
        FieldValidation::Strict | FieldValidation::Ignore => {}
    }
    Ok(())
}
