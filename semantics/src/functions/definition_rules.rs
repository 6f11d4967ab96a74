//! The rules of definitions.

use serde_json::Value;

use crate::{
    Schema, Violation,
    definition::{
        self, Names, Spec, Status, Version,
        model::{Column, Conversion, Scale, SelectableField, Service},
    },
};

area! {
    /// The violations of a CustomResourceDefinition, and its warnings (chapter 1, and chapter 8 where it concerns
    /// definitions).
    ///
    /// Definitions are decoded JSON: the types are correct, unknown fields are removed, and defaults are set. Methods
    /// named `check_…` each check one part and add the violations to the given list.
    pub struct DefinitionRules as definition_rules;

    /// All violations of a new definition, except those of the general rules of metadata.
    fn definition_violations(&self, definition: &Value) -> Vec<Violation> = definition::created;
    /// All violations of an update of a definition, except those of the general rules of metadata.
    fn definition_update_violations(&self, definition: &Value, old: &Value) -> Vec<Violation> = definition::updated;
    /// The rules that apply to creates and updates.
    fn check_definition(&self, spec: &Spec, status: &Status, found: &mut Vec<Violation>) = definition::check;
    /// CRDVAL-001: the name consists of plural and group.
    fn check_definition_name(definition: &Value, spec: &Spec, found: &mut Vec<Violation>) = definition::names::own_name;
    /// CRDVAL-002: the group.
    fn check_group(group: &str, found: &mut Vec<Violation>) = definition::names::group;
    /// CRDVAL-003: the scope.
    fn check_scope(scope: &str, found: &mut Vec<Violation>) = definition::names::scope;
    /// CRDVAL-004..006: the names.
    fn check_names(names: &Names, found: &mut Vec<Violation>) = definition::names::names;
    /// CRDVAL-019: `status.acceptedNames`, written by a client. The names that are set must be well formed.
    fn check_accepted_names(names: &Names, found: &mut Vec<Violation>) = definition::names::accepted_names;
    /// CRDVAL-009..011: the immutable fields. `established`: whether the stored definition is established.
    fn check_unchanged(spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) =
        definition::update::check;
    /// CRDVAL-012, CRDVAL-013: the names of versions.
    fn check_version_names(versions: &[Version], found: &mut Vec<Violation>) = definition::versions::names;
    /// CRDVAL-014: exactly one storage version.
    fn check_one_storage_version(spec: &Spec, found: &mut Vec<Violation>) =
        definition::versions::one_storage_version;
    /// CRDVAL-016: the deprecation of a version. `field` is the path of its warning.
    fn check_deprecation(version: &Version, field: &str, found: &mut Vec<Violation>) =
        definition::versions::deprecation;
    /// CRDVAL-017: `status.storedVersions`.
    fn check_stored_versions(spec: &Spec, status: &Status, found: &mut Vec<Violation>) =
        definition::versions::stored_versions;
    /// CRDVAL-026: every version has a schema. Also checks these schemas.
    fn check_schemas(&self, spec: &Spec, found: &mut Vec<Violation>) = definition::schemas::check;
    /// CRDVAL-059: the rules of all versions. `before` is the stored definition of an update.
    fn check_rules(&self, spec: &Spec, before: Option<&Spec>, found: &mut Vec<Violation>) = crate::rules::definition::check;
    /// CRDVAL-041: the paths of `/scale`. `field` is the path of the block.
    fn check_scale(scale: &Scale, field: &str, found: &mut Vec<Violation>) = definition::columns::scale;
    /// CRDVAL-042: one printer column. `field` is its path.
    fn check_column(column: &Column, field: &str, found: &mut Vec<Violation>) = definition::columns::column;
    /// CRDVAL-043: the selectable fields of a version. `field` is the path of the list.
    fn check_selectable_fields(fields: &[SelectableField], schema: &Schema, field: &str, found: &mut Vec<Violation>) =
        definition::selectable::fields;
    /// CRDVAL-044: the conversion strategy.
    fn check_conversion(&self, spec: &Spec, found: &mut Vec<Violation>) = definition::conversion::check;
    /// CRDVAL-045, CRDVAL-049: the fields that conversion by a webhook requires.
    fn check_webhook(&self, conversion: &Conversion, found: &mut Vec<Violation>) = definition::webhook::check;
    /// CRDVAL-046: the URL of a webhook.
    fn check_webhook_url(url: &str, field: &str, found: &mut Vec<Violation>) = definition::webhook::url;
    /// CRDVAL-047: the service of a webhook.
    fn check_webhook_service(service: &Service, field: &str, found: &mut Vec<Violation>) = definition::webhook::service;
    /// CRDVAL-048: the `caBundle` of a webhook on an update. `established`: whether the stored definition is
    /// established.
    fn check_authorities(&self, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) =
        definition::authorities::check;
    /// CRDVAL-048: whether this base64 string contains a certificate.
    fn is_certificate_bundle(encoded: &str) -> bool = definition::authorities::is_bundle;
    /// CRDVAL-055: the approval annotation of a definition in a protected group.
    fn check_approval(&self, definition: &Value, old: Option<&Value>, found: &mut Vec<Violation>) =
        definition::approval::check;
    /// CRDVAL-055: whether a group is protected.
    fn is_protected_group(group: &str) -> bool = definition::approval::is_protected_group;
    /// CRDVAL-036: the unknown formats, sorted. On an update, only those that the stored definition does not have.
    fn unknown_formats(&self, definition: &Value, old: Option<&Value>) -> Vec<String> = definition::formats::unknown;
    /// CRDVAL-036: whether a format is known for a node of this type.
    fn is_known_format(&self, type_name: &str, format: &str) -> bool =
        |semantics, type_name, format| definition::formats::is_known(semantics.release, type_name, format);
    /// CRDVAL-057: the types of items for which set lists give a warning, sorted. On an update, only those that the
    /// stored definition does not have.
    fn sets_of_containers(&self, definition: &Value, old: Option<&Value>) -> Vec<String> =
        definition::formats::sets_of_containers;
    /// VER-012: the warning of responses at a version, if the version is deprecated.
    fn deprecation_warning(&self, spec: &Spec, version: &Version) -> Option<String> =
        definition::versions::deprecation_warning;
}
