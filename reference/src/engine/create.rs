//! Creating an object (REST-013..018).

use serde_json::Value;

use super::{Exchange, Outcome, report_fields};
use crate::answer::{Refusal, Warnings};
use crate::metadata::{self, fields};
use crate::request::{WriteKind, WriteOptions, body_object};
use crate::status::Failure;
use crate::storage::Stored;

/// How often a generated name is tried (REST-018).
const NAME_ATTEMPTS: usize = 8;

/// What clients cannot set on a create (REST-014, REST-041).
const SYSTEM_FIELDS: [&str; 6] =
    ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields"];

impl Exchange<'_> {
    pub(super) fn create(&self, warnings: &mut Warnings) -> Result<Outcome, Refusal> {
        let parsed = body_object(&self.call)?;
        let options = WriteOptions::parse(self.call.query, WriteKind::Create)?;
        let mut object = parsed.value;
        let wrong_kind = self.check_type(&mut object)?;
        if !wrong_kind {
            let unknown = self.resource.decode(&mut object).map_err(|error| self.undecodable(&error))?;
            let duplicates = self.told_duplicates(parsed.duplicates, &unknown);
            report_fields(&duplicates, &unknown, options.field_validation, warnings)
                .map_err(|error| self.undecodable(&error))?;
        }
        self.settle_namespace(&mut object)?;
        self.resource.admit_create(self.path.namespace.as_deref(), fields::text(&object, "name"))?;
        if wrong_kind {
            return Err(self.wrong_kind(&object).into());
        }
        refuse_version(&object)?;

        for field in SYSTEM_FIELDS {
            fields::remove(&mut object, field);
        }
        fields::remove(&mut object, "resourceVersion");
        fields::set(&mut object, "uid", self.engine.identities.uid());
        fields::set(&mut object, "creationTimestamp", self.engine.now());
        self.resource.prepare_create(&mut object);

        let prefix = fields::text(&object, "generateName").to_owned();
        let generates = fields::text(&object, "name").is_empty() && !prefix.is_empty();
        for _ in 0..NAME_ATTEMPTS {
            if generates {
                fields::set(&mut object, "name", self.engine.identities.name(&prefix));
            }
            let mut violations = metadata::created(&object, self.resource.name_rule());
            violations.extend(self.resource.created_violations(&object));
            self.refuse_if_any(&object, &violations)?;
            let name = fields::text(&object, "name").to_owned();
            let taken = match self.insert(&object, &name, options.dry_run) {
                Ok(answer) => {
                    self.resource.warnings(&object, None).into_iter().for_each(|text| warnings.add(text));
                    return Ok(Outcome::object(201, answer?));
                }
                Err(taken) => taken,
            };
            if !generates {
                let kind = self.resource.kind();
                let being_deleted = fields::is_terminating(&taken.object);
                return Err(Failure::already_exists(&kind.group, &kind.plural, &name, being_deleted).into());
            }
        }
        let kind = self.resource.kind();
        Err(Failure::already_exists(&kind.group, &kind.plural, fields::text(&object, "name"), false).into())
    }

    /// Stores the object; in a dry run only looks whether it could be. The error is what holds its name.
    fn insert(&self, object: &Value, name: &str, dry_run: bool) -> Result<Result<Value, Failure>, Stored> {
        let key = self.key(name);
        let encoded = match self.resource.encode(object.clone()) {
            Ok(encoded) => encoded,
            Err(failure) => return Ok(Err(failure)),
        };
        let collection = self.resource.collection();
        if dry_run {
            return match collection.get(&key) {
                Some(taken) => Err(taken),
                // Encoded and read back, as a real write would be (REST-059).
                None => Ok(self.resource.read(&Stored { revision: 0, object: encoded.into() })),
            };
        }
        let stored = collection.insert(&key, encoded).map_err(|occupied| occupied.by)?;
        self.resource.written(name);
        Ok(self.present(&stored))
    }

    /// Checks `apiVersion` and `kind` of a body (REST-008); tells whether the kind is another one, which is an answer
    /// for later.
    pub(super) fn check_type(&self, object: &mut Value) -> Result<bool, Failure> {
        let kind = self.resource.kind();
        if self.resource.is_typed() && object.is_null() {
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
        if self.resource.is_typed() {
            let (right_version, right_kind) =
                (["", &kind.api_version].contains(&api_version), ["", &kind.kind].contains(&body_kind));
            if !right_version || !right_kind {
                return Err(
                    self.undecodable(&format!("no kind {body_kind:?} is registered for version {api_version:?}"))
                );
            }
            fields.insert("apiVersion".into(), kind.api_version.as_str().into());
            fields.insert("kind".into(), kind.kind.as_str().into());
            return Ok(false);
        }
        if body_kind.is_empty() {
            return Err(Failure::bad_request(format!(
                "the object provided is unrecognized (must be of type {}): Object 'Kind' is missing",
                kind.kind
            )));
        }
        if api_version != kind.api_version {
            return Err(Failure::bad_request(format!(
                "the API version in the data ({api_version}) does not match the expected API version ({})",
                kind.api_version
            )));
        }
        Ok(body_kind != kind.kind)
    }

    /// 400 for a body that cannot be taken.
    pub(super) fn undecodable(&self, error: &str) -> Failure {
        let kind = self.resource.kind();
        let version = kind.api_version.rsplit('/').next().unwrap_or_default();
        Failure::bad_request(format!("{0} in version \"{version}\" cannot be handled as a {0}: {error}", kind.kind))
    }

    /// `422(kind,Invalid)`, with the wrong kind in its details (REST-008).
    pub(super) fn wrong_kind(&self, object: &Value) -> Failure {
        let kind = self.resource.kind();
        let given = object.get("kind").and_then(Value::as_str).unwrap_or_default();
        let violation = crdible_semantics::Violation {
            field: "kind".into(),
            reason: crdible_semantics::Reason::Invalid,
            requirement: "REST-008",
            detail: format!("{given:?}: must be {}", kind.kind),
        };
        Failure::invalid(&kind.group, given, fields::text(object, "name"), &[violation])
    }
}

/// A positive number as `resourceVersion` of a new object is refused, also in a dry run (REST-015).
fn refuse_version(object: &Value) -> Result<(), Failure> {
    match fields::text(object, "resourceVersion").parse::<u64>() {
        Ok(1..) => Err(Failure::bad_request("resourceVersion should not be set on objects to be created")),
        _ => Ok(()),
    }
}
