//! What the server sets in a written object itself, and whether the result is valid (REST-014, REST-028, REST-029).

use crdible_semantics::{Reason, RuleFindings, Violation, message};
use serde_json::Value;

use super::update::MODIFIED;
use super::{Base, Unstored, Write};
use crate::base::status::Failure;
use crate::engine::form::Claim;
use crate::engine::{Exchange, MetadataCheck};
use crate::messages::answer::Warnings;
use crate::metadata::{self, fields};
use crate::store::{self, Stored};

impl Write<'_> {
    /// A new object with the fields that the server sets (REST-014).
    pub(super) fn prepared(&self, mut object: Value) -> Value {
        fields::remove(&mut object, "resourceVersion");
        fields::set(&mut object, "uid", self.exchange.engine.identities.uid());
        // The same second as in its `managedFields`.
        fields::set(&mut object, "creationTimestamp", self.writer.time.as_str());
        self.exchange.resource.prepare_create(&mut object);
        object
    }

    /// Validates a new object under its name.
    pub(super) fn validate_new(&self, object: &mut Value, warnings: &mut Warnings) -> Result<(), Failure> {
        let exchange = self.exchange;
        exchange.resource.canonicalize(object);
        let mut violations = exchange.created_violations(object);
        exchange.ask_rules(object, None, &mut violations, warnings);
        exchange.refuse_if_any(object, &violations)?;
        // Sent even if the name is in use.
        exchange.resource.warnings(object, None).into_iter().for_each(|text| warnings.add(text));
        Ok(())
    }

    /// A changed object as it is to be stored, if it is valid.
    pub(super) fn validate_changed(
        &self,
        name: &str,
        mut object: Value,
        claim: Option<&Claim>,
        base: &Base,
        warnings: &mut Warnings,
    ) -> Result<Value, Unstored> {
        let exchange = self.exchange;
        let old = &base.old;
        exchange.check_version(name, &object, &base.stored)?;
        exchange.prepare_update(&mut object, old);
        let mut violations = metadata::updated(exchange.engine.semantics.release, &object, old);
        if let Some(claim) = claim.filter(|claim| !claim.wrong.is_empty()) {
            // Nothing else is checked.
            violations.extend(claim.wrong.iter().cloned());
            return Err(claim.invalid(name, &violations).into());
        }
        if exchange.resource.metadata_check() == MetadataCheck::ByType {
            violations.extend(metadata::updated_by_type(exchange.engine.semantics.release, &object, old));
        }
        violations.extend(exchange.update.updated_violations(&object, old));
        exchange.ask_rules(&object, Some(old), &mut violations, warnings);
        match claim {
            // A body that is not a whole object does not determine the type of the object.
            Some(claim) if exchange.form.is_whole() && !violations.is_empty() => {
                return Err(claim.invalid(name, &violations).into());
            }
            _ => exchange.refuse_if_any(&object, &violations)?,
        }
        exchange.update.warnings(&object, Some(old)).into_iter().for_each(|text| warnings.add(text));
        Ok(object)
    }
}

impl Exchange<'_> {
    /// Restores in a changed object what clients cannot change, and sets its generation.
    fn prepare_update(&self, object: &mut Value, old: &Value) {
        for field in ["creationTimestamp", "generation", "selfLink"] {
            fields::take_over(object, field, old);
        }
        if fields::text(object, "uid").is_empty() {
            fields::take_over(object, "uid", old);
        }
        if fields::is_terminating(old) {
            fields::take_over(object, "deletionTimestamp", old);
            let given =
                fields::metadata(object).is_some_and(|metadata| metadata.contains_key("deletionGracePeriodSeconds"));
            if !given {
                fields::take_over(object, "deletionGracePeriodSeconds", old);
            }
        }
        // A subresource may restore all metadata, but must not restore `managedFields`.
        let managers = fields::take(object, "managedFields");
        self.update.prepare_update(object, old);
        fields::put(object, "managedFields", managers);
        self.resource.canonicalize(object);
        if let Some(generation) = self.update.next_generation(object, old) {
            fields::set(object, "generation", generation);
        }
    }

    /// Checks that the `resourceVersion` of a body is that of the stored object (REST-029, CRDVAL-022).
    fn check_version(&self, name: &str, object: &Value, stored: &Stored) -> Result<(), Failure> {
        let version = fields::text(object, "resourceVersion");
        if matches!(version, "" | "0") {
            if self.resource.takes_any_revision() {
                return Ok(());
            }
            let kind = self.resource.kind();
            let violation = Violation {
                field: "metadata.resourceVersion".into(),
                reason: Reason::Invalid,
                requirement: "REST-029",
                detail: message::about("0", "must be specified for an update"),
            };
            return Err(Failure::invalid(&kind.group, &kind.plural, name, &[violation]));
        }
        let version = store::revision(version).ok_or_else(|| {
            Failure::bad_request(format!("metadata.resourceVersion {version:?} is not a resource version"))
        })?;
        if version != stored.revision {
            return Err(self.conflict(name, MODIFIED));
        }
        Ok(())
    }

    fn created_violations(&self, object: &Value) -> Vec<Violation> {
        let own = self.resource.created_violations(object);
        match self.resource.metadata_check() {
            MetadataCheck::ByServer if !own.is_empty() => own,
            _ => metadata::created(self.engine.semantics.release, object, self.resource.name_rule())
                .into_iter()
                .chain(own)
                .collect(),
        }
    }

    /// Adds what the rules of the definition say. What they forgive is a warning, whatever else is wrong (RATCHET-014).
    fn ask_rules(&self, object: &Value, old: Option<&Value>, found: &mut Vec<Violation>, warnings: &mut Warnings) {
        let RuleFindings { violations, warnings: forgiven } = self.update.rule_findings(object, old, found);
        found.extend(violations);
        forgiven.into_iter().for_each(|text| warnings.add(text));
    }

    fn refuse_if_any(&self, object: &Value, violations: &[Violation]) -> Result<(), Failure> {
        if violations.is_empty() {
            return Ok(());
        }
        let (group, kind) = self.resource.kind_in_errors();
        let name = fields::text(object, "name");
        if self.resource.is_declarative() {
            let causes = metadata::once(self.engine.semantics.release, violations.to_vec());
            return Err(Failure::invalid(group, kind, name, &causes));
        }
        Err(Failure::invalid(group, kind, name, violations))
    }
}
