//! What holds for definitions.

use serde_json::Value;

use super::AsSemantics;
use crate::{
    Schema, Violation,
    definition::{
        self, Names, Spec, Status, Version,
        model::{Column, Conversion, Scale, SelectableField, Service},
    },
};

/// What is wrong with a CustomResourceDefinition, and what it is warned of: chapter 1, and what chapter 8 says of them.
///
/// A definition is JSON in form: of the right types, unknown fields gone, defaults filled in. Methods named `check_…` each judge
/// one part of it and add what they find to the list that they are given.
pub trait DefinitionRules: AsSemantics {
    /// Everything that is wrong with a new definition, besides its metadata in general.
    fn definition_violations(&self, definition: &Value) -> Vec<Violation> {
        definition::created(self.as_semantics(), definition)
    }

    /// Everything that is wrong with an update of a definition, besides its metadata in general.
    fn definition_update_violations(&self, definition: &Value, old: &Value) -> Vec<Violation> {
        definition::updated(self.as_semantics(), definition, old)
    }

    /// What holds for a definition whether it is new or not.
    fn check_definition(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
        definition::check(self.as_semantics(), spec, status, found);
    }

    /// CRDVAL-001: the name is made of plural and group.
    fn check_definition_name(&self, definition: &Value, spec: &Spec, found: &mut Vec<Violation>) {
        definition::names::own_name(definition, spec, found);
    }

    /// CRDVAL-002: the group.
    fn check_group(&self, group: &str, found: &mut Vec<Violation>) {
        definition::names::group(group, found);
    }

    /// CRDVAL-003: the scope.
    fn check_scope(&self, scope: &str, found: &mut Vec<Violation>) {
        definition::names::scope(scope, found);
    }

    /// CRDVAL-004..006: the names.
    fn check_names(&self, names: &Names, found: &mut Vec<Violation>) {
        definition::names::names(names, found);
    }

    /// Rules of `status.acceptedNames` where a client writes it: those that are there must be well formed (CRDVAL-019).
    fn check_accepted_names(&self, names: &Names, found: &mut Vec<Violation>) {
        definition::names::accepted_names(names, found);
    }

    /// CRDVAL-009..011: what cannot be changed. `established`: so is the stored definition.
    fn check_unchanged(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
        definition::update::check(spec, before, established, found);
    }

    /// CRDVAL-012, CRDVAL-013: the names of versions.
    fn check_version_names(&self, versions: &[Version], found: &mut Vec<Violation>) {
        definition::versions::names(versions, found);
    }

    /// CRDVAL-014: exactly one storage version.
    fn check_one_storage_version(&self, versions: &[Version], found: &mut Vec<Violation>) {
        definition::versions::one_storage_version(versions, found);
    }

    /// CRDVAL-016: the deprecation of a version; `field` is the place of its warning.
    fn check_deprecation(&self, version: &Version, field: &str, found: &mut Vec<Violation>) {
        definition::versions::deprecation(version, field, found);
    }

    /// CRDVAL-017: `status.storedVersions`.
    fn check_stored_versions(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) {
        definition::versions::stored_versions(spec, status, found);
    }

    /// CRDVAL-026: every version has a schema; and all that is wrong with these.
    fn check_schemas(&self, spec: &Spec, found: &mut Vec<Violation>) {
        definition::schemas::check(self.as_semantics(), spec, found);
    }

    /// CRDVAL-041: the paths of `/scale`; `field` is the place of the block.
    fn check_scale(&self, scale: &Scale, field: &str, found: &mut Vec<Violation>) {
        definition::columns::scale(scale, field, found);
    }

    /// CRDVAL-042: one printer column; `field` is its place.
    fn check_column(&self, column: &Column, field: &str, found: &mut Vec<Violation>) {
        definition::columns::column(column, field, found);
    }

    /// CRDVAL-043: the selectable fields of a version; `field` is the place of the list.
    fn check_selectable_fields(
        &self,
        fields: &[SelectableField],
        schema: &Schema,
        field: &str,
        found: &mut Vec<Violation>,
    ) {
        definition::selectable::judge(fields, schema, field, found);
    }

    /// CRDVAL-044: the strategy of conversion.
    fn check_conversion(&self, spec: &Spec, found: &mut Vec<Violation>) {
        definition::conversion::check(self.as_semantics(), spec, found);
    }

    /// CRDVAL-045, CRDVAL-049: what conversion by a webhook needs.
    fn check_webhook(&self, conversion: &Conversion, found: &mut Vec<Violation>) {
        definition::webhook::check(self.as_semantics(), conversion, found);
    }

    /// CRDVAL-046: the URL of a webhook.
    fn check_webhook_url(&self, url: &str, field: &str, found: &mut Vec<Violation>) {
        definition::webhook::url(url, field, found);
    }

    /// CRDVAL-047: the service of a webhook.
    fn check_webhook_service(&self, service: &Service, field: &str, found: &mut Vec<Violation>) {
        definition::webhook::service(service, field, found);
    }

    /// CRDVAL-048: the certificates of a webhook on update. `established`: so is the stored definition.
    fn check_authorities(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
        definition::authorities::check(self.as_semantics(), spec, before, established, found);
    }

    /// CRDVAL-048: whether this base64 text holds a certificate.
    fn is_certificate_bundle(&self, encoded: &str) -> bool {
        definition::authorities::is_bundle(encoded)
    }

    /// CRDVAL-055: the approval of a definition in a protected group.
    fn check_approval(&self, definition: &Value, old: Option<&Value>, found: &mut Vec<Violation>) {
        definition::approval::check(self.as_semantics(), definition, old, found);
    }

    /// CRDVAL-055: whether a group is protected.
    fn is_protected_group(&self, group: &str) -> bool {
        definition::approval::is_protected_group(group)
    }

    /// CRDVAL-036: formats that are not known, sorted; on an update only those that the stored definition did not have.
    fn unknown_formats(&self, definition: &Value, old: Option<&Value>) -> Vec<String> {
        definition::formats::unknown(self.as_semantics(), definition, old)
    }

    /// CRDVAL-036: whether a format is known at a node of this type.
    fn is_known_format(&self, type_name: &str, format: &str) -> bool {
        definition::formats::is_known(type_name, format)
    }

    /// VER-012: the warning that goes with answers at a version, if it is deprecated.
    fn deprecation_warning(&self, spec: &Spec, version: &Version) -> Option<String> {
        definition::versions::deprecation_warning(self.as_semantics(), spec, version)
    }
}
