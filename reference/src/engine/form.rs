//! The form in which clients see the objects of a resource, and the errors and warnings about bodies that are not in it
//! (REST-008, REST-035, REST-050..055).

use std::sync::Arc;

use crdible_semantics::managed_fields::Writer;
use crdible_semantics::{Reason, Violation, message};
use serde_json::Value;

use crate::base::status::Failure;
use crate::kinds::Kind;
use crate::messages::answer::Warnings;
use crate::messages::patch::Patch;
use crate::messages::representation::Shown;
use crate::messages::request::{Call, FieldValidation, json_text, undecodable, unrecognized, without_type};
use crate::messages::table::Columns;
use crate::wire::json::{self, Parsed, Repeated, StrictError};

/// Why an object is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A client reads it.
    Reading,
    /// A patch is applied to it.
    Patching,
    /// It was written.
    Written,
}

/// The form in which clients see the objects of a resource. By default they see them unchanged.
pub(crate) trait BodyForm: Sync {
    /// The kind of bodies.
    fn kind(&self) -> &Kind;

    /// Whether this is a built-in type: bodies may omit `apiVersion` and `kind`, and a different kind is 400. Neither
    /// holds for instances of definitions (REST-008).
    fn is_typed(&self) -> bool;

    /// Whether a different kind in the body is ignored if the `apiVersion` is right (SUB-005 `[Q]`).
    fn overlooks_kind(&self) -> bool {
        false
    }

    /// Decodes a body with the right `apiVersion` and `kind` in place. Returns the paths of unknown fields.
    fn decode(&self, object: &mut Value) -> Result<Vec<String>, String>;

    /// Decodes a body of another version or kind in place, as far as its fields are known. Returns the paths of
    /// unknown fields.
    fn decode_other(&self, _object: &mut Value) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    /// Whether an unknown or duplicate field at this path is reported.
    fn reports_field(&self, _path: &str) -> bool {
        true
    }

    /// Converts an object to what clients see.
    fn show(&self, object: Shown, _purpose: Purpose) -> Result<Shown, Failure> {
        Ok(object)
    }

    /// Converts a body in this form to the object that it requests in place of `old`.
    fn wanted(&self, body: Value, _old: &Value, _writer: &Writer) -> Result<Value, Failure> {
        Ok(body)
    }

    /// Whether bodies are whole objects. If not, `wanted` has to track who manages their fields.
    fn is_whole(&self) -> bool {
        true
    }

    /// The table columns, if they differ from those of the resource.
    fn own_columns(&self) -> Option<Arc<Columns>> {
        None
    }

    /// Whether a body without `resourceVersion` replaces any revision (SUB-025).
    fn may_be_unconditional(&self) -> bool {
        false
    }
}

/// The type that a body states, compared to the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GivenType {
    /// The expected type.
    Own,
    /// Another version or group.
    OtherVersion,
    /// Another kind of the right version.
    OtherKind,
}

/// A decoded body.
#[derive(Clone, Default)]
pub(crate) struct DecodedBody {
    pub(crate) object: Value,
    /// The type that the body states, if it is not the expected one.
    pub(crate) claim: Option<Claim>,
}

/// A type stated in a body that differs from that of the URL.
#[derive(Clone)]
pub(crate) struct Claim {
    group: String,
    kind: String,
    /// What is wrong with it; empty if it is ignored.
    pub(crate) wrong: Vec<Violation>,
}

impl Claim {
    fn of(object: &Value, wrong: Vec<Violation>) -> Self {
        let group = text(object, "apiVersion").split_once('/').map_or("", |(group, _)| group);
        Self { group: group.to_owned(), kind: text(object, "kind").to_owned(), wrong }
    }

    /// 422 for the object with this name, with the stated type in its details (REST-008).
    pub(crate) fn invalid(&self, name: &str, violations: &[Violation]) -> Failure {
        Failure::invalid(&self.group, &self.kind, name, violations)
    }
}

impl dyn BodyForm + '_ {
    /// Decodes the body of a create or an update, which has been parsed.
    pub(crate) fn decode_body(
        &self,
        call: &Call<'_>,
        parsed: Parsed,
        validation: FieldValidation,
        warnings: &mut Warnings,
    ) -> Result<DecodedBody, Failure> {
        let source = json_text(call, &parsed);
        let mut object = parsed.value;
        let given = self.check_type(&mut object, call.body, &source, validation)?;
        let is_own = given == GivenType::Own;
        // A body of another type is decoded too: it has metadata in any case.
        let decoded = if is_own { self.decode(&mut object) } else { self.decode_other(&mut object) };
        let unknown = decoded.map_err(|error| undecodable(self.kind(), &error))?;
        let messages = self.strict_messages(&source, parsed.duplicates, unknown);
        report_fields(messages, validation, warnings).map_err(|error| undecodable(self.kind(), &error))?;
        if given == GivenType::OtherVersion {
            return Err(self.other_version(&object));
        }
        let claim = (!is_own).then(|| {
            let wrong_kind = || wrong("kind", text(&object, "kind"), &self.kind().kind, "REST-008");
            Claim::of(&object, if self.overlooks_kind() { Vec::new() } else { vec![wrong_kind()] })
        });
        Ok(DecodedBody { object, claim })
    }

    /// Decodes a patched object; `refuse` makes the refusal of one with this fault. Returns the type that it states now,
    /// if that is not the expected one.
    pub(crate) fn decode_patched(
        &self,
        object: &mut Value,
        patch: &Patch,
        validation: FieldValidation,
        warnings: &mut Warnings,
        refuse: &dyn Fn(&str) -> Failure,
    ) -> Result<Option<Claim>, Failure> {
        let invalid = |error: String| refuse(&error);
        let repeated = patch.repeated_in(object);
        let wrong_type = self.check_patched_type(object)?;
        // Upstream serialises the patched object with sorted keys before decoding it.
        let text = if self.is_typed() { json::write(object) } else { Vec::new() };
        let decoded = if wrong_type.is_empty() { self.decode(object) } else { self.decode_other(object) };
        let unknown = decoded.map_err(invalid)?;
        let of_result = self.strict_messages(&text, repeated, unknown);
        let messages = patch.messages().iter().cloned().chain(of_result).collect();
        report_fields(messages, validation, warnings).map_err(invalid)?;
        let is_other = !wrong_type.is_empty();
        let wrong = if self.overlooks_kind() { Vec::new() } else { wrong_type };
        Ok(is_other.then(|| Claim::of(object, wrong)))
    }

    /// Checks `apiVersion` and `kind` of an object, which the body says in its own format and as JSON (REST-008).
    fn check_type(
        &self,
        object: &mut Value,
        body: &[u8],
        json: &[u8],
        validation: FieldValidation,
    ) -> Result<GivenType, Failure> {
        let kind = self.kind();
        let without_kind = || {
            let missing = |text| format!("Object 'Kind' is missing in '{}'", String::from_utf8_lossy(text));
            match validation {
                // Upstream notices it later, when the body is JSON in any case.
                FieldValidation::Ignore => undecodable(kind, &missing(json)),
                _ => unrecognized(kind, &missing(body), body),
            }
        };
        if self.is_typed() && object.is_null() {
            *object = Value::Object(serde_json::Map::new());
        }
        if object.is_null() {
            return Err(without_kind());
        }
        let refused = |error: String| unrecognized(kind, &without_type(&error), body);
        let Value::Object(fields) = object else { return Err(refused(json::no_object(object))) };
        let text = |field: &str| match fields.get(field) {
            None | Some(Value::Null) => Ok(""),
            Some(Value::String(text)) => Ok(text.as_str()),
            Some(other) => Err(refused(json::no_field_of("string", &format!(".{field}"), other))),
        };
        let (api_version, body_kind) = (text("apiVersion")?, text("kind")?);
        if self.is_typed() {
            let (right_version, right_kind) =
                (["", &kind.api_version].contains(&api_version), ["", &kind.kind].contains(&body_kind));
            if !right_version || !right_kind {
                let why = format!("no kind {body_kind:?} is registered for version {api_version:?}");
                return Err(undecodable(kind, &why));
            }
            fields.insert("apiVersion".into(), kind.api_version.as_str().into());
            fields.insert("kind".into(), kind.kind.as_str().into());
            return Ok(GivenType::Own);
        }
        if body_kind.is_empty() {
            return Err(without_kind());
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

    /// Checks that a patch did not remove `apiVersion` or `kind` (REST-035). Returns a violation for each that
    /// it changed.
    fn check_patched_type(&self, object: &mut Value) -> Result<Vec<Violation>, Failure> {
        let kind = self.kind();
        if !object.is_object() {
            return Err(Failure::unprocessable("the result of the patch is not an object"));
        }
        if self.is_typed() {
            return self.check_patched_typed(object).map(|()| Vec::new());
        }
        let (api_version, given) = (text(object, "apiVersion"), text(object, "kind"));
        for (field, text) in [("Kind", given), ("apiVersion", api_version)] {
            if text.is_empty() {
                return Err(Failure::of_patch(object, &format!("Object '{field}' is missing in '{object}'")));
            }
        }
        if api_version.matches('/').count() > 1 {
            return Err(Failure::of_patch(object, &format!("unexpected GroupVersion string: {api_version}")));
        }
        let pairs = [("apiVersion", api_version, &kind.api_version), ("kind", given, &kind.kind)];
        let changed = pairs.into_iter().filter(|(_, given, right)| given != right);
        Ok(changed.map(|(field, given, right)| wrong(field, given, right, "REST-035")).collect())
    }

    /// The same for a built-in type, which can only have one kind: if `kind` was removed, it is filled in.
    fn check_patched_typed(&self, object: &mut Value) -> Result<(), Failure> {
        let kind = self.kind();
        for field in ["apiVersion", "kind"] {
            if object.get(field).is_some_and(|value| !value.is_string() && !value.is_null()) {
                return Err(Failure::of_patch(object, &format!("{field} must be a string")));
            }
        }
        let (api_version, given) = (text(object, "apiVersion").to_owned(), text(object, "kind").to_owned());
        if api_version.is_empty() {
            return Err(Failure::bad_request("Object 'apiVersion' is missing"));
        }
        if api_version != kind.api_version || !["", kind.kind.as_str()].contains(&given.as_str()) {
            return Err(Failure::of_patch(
                object,
                &format!("no kind {given:?} is registered for version {api_version:?}"),
            ));
        }
        if let Some(members) = object.as_object_mut() {
            members.insert("kind".into(), kind.kind.as_str().into());
        }
        Ok(())
    }

    /// The messages about unknown and duplicate fields of a body. For built-in types they are in text order, without
    /// keys repeated at or below an unknown field; for instances, repeated keys come first.
    fn strict_messages(&self, text: &[u8], duplicates: Vec<Repeated>, unknown: Vec<String>) -> Vec<String> {
        if !self.is_typed() {
            let unknown = unknown.iter().map(|path| unknown_field(path));
            return duplicates.iter().map(Repeated::to_string).chain(unknown).collect();
        }
        let is_below = |path: &str| {
            let is_at = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
            unknown.iter().any(|top| path.strip_prefix(top.as_str()).is_some_and(is_at))
        };
        let (mut keys, mut errors) = (Vec::new(), Vec::new());
        for repeated in duplicates {
            match repeated {
                Repeated::Field(path) if is_below(&path) || !self.reports_field(&path) => {}
                Repeated::Field(path) => errors.push(StrictError::Repeated(path)),
                key @ Repeated::Key { .. } => keys.push(key.to_string()),
            }
        }
        errors.extend(unknown.into_iter().filter(|path| self.reports_field(path)).map(StrictError::Unknown));
        let errors = if errors.is_empty() { errors } else { json::in_text_order(text, errors) };
        let messages = errors.into_iter().map(|error| match error {
            StrictError::Unknown(path) => unknown_field(&path),
            StrictError::Repeated(path) => Repeated::Field(path).to_string(),
        });
        keys.into_iter().chain(messages).collect()
    }
}

fn unknown_field(path: &str) -> String {
    format!("unknown field \"{path}\"")
}

fn wrong(field: &str, given: &str, right: &str, requirement: &'static str) -> Violation {
    let detail = message::about_text(given, format_args!("must be {right}"));
    Violation { field: field.into(), reason: Reason::Invalid, requirement, detail }
}

/// A string field of the root; empty if absent.
fn text<'o>(object: &'o Value, field: &str) -> &'o str {
    object.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Messages as one text. What the parser of YAML found comes first, and is one error with a line for each.
fn in_one(messages: &[String]) -> String {
    let keys = messages.iter().take_while(|message| message.starts_with("line ")).count();
    let (keys, others) = messages.split_at(keys);
    let yaml = (!keys.is_empty()).then(|| format!("yaml: unmarshal errors:\n  {}", keys.join("\n  ")));
    yaml.into_iter().chain(others.iter().cloned()).collect::<Vec<_>>().join(", ")
}

/// Reports what strict decoding found as an error or as warnings, or ignores it, as `fieldValidation` demands
/// (REST-050..053).
fn report_fields(messages: Vec<String>, validation: FieldValidation, warnings: &mut Warnings) -> Result<(), String> {
    match validation {
        FieldValidation::Strict if !messages.is_empty() => {
            return Err(format!("strict decoding error: {}", in_one(&messages)));
        }
        FieldValidation::Warn => messages.into_iter().for_each(|text| warnings.add(text)),
        FieldValidation::Strict | FieldValidation::Ignore => {}
    }
    Ok(())
}
