//! The functions of a CRD API behind one trait.

use std::{cmp::Ordering, fmt};

use serde_json::{Map, Number, Value};

use crate::{
    FieldPath, Format, Schema, Violation,
    coerce::{self, WrongType},
    default,
    definition::{
        self, Names, Spec, Status, Version,
        model::{Column, Conversion, Scale, SelectableField, Service},
    },
    nulls,
    prune::{self, Child},
    ratchet,
    structural::{self, DefaultNode, Node},
    validate::{self, Findings, NameRule},
    versions::{self, KubeVersion, Stability},
};

/// Why a request body is refused with 400 before anything is validated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The field that cannot be read (`metadata.labels.a`); empty for the body itself.
    pub field: String,
    /// What is wrong with it, for people.
    pub detail: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = if self.field.is_empty() { "the object" } else { &self.field };
        write!(f, "{field}: {}", self.detail)
    }
}

impl std::error::Error for DecodeError {}

/// What decoding a request body found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The unknown fields in three groups: root metadata, pruned fields, metadata of embedded objects; each sorted as text
    /// (PRUNE-028).
    pub unknown_fields: Vec<String>,
}

/// What a schema is judged with besides itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SchemaContext {
    /// Whether the version has the status subresource; where all versions share one schema, whether any version has
    /// (CRDVAL-040).
    pub status_subresource: bool,
}

/// The steps of [`Semantics`] behind a pointer: what the provided methods hand on, so that their work is compiled once and not
/// for each implementation.
pub trait AsSemantics {
    /// The same.
    fn as_semantics(&self) -> &dyn Semantics;
}

impl<T: Semantics> AsSemantics for T {
    fn as_semantics(&self) -> &dyn Semantics {
        self
    }
}

/// What a CRD API promises, as functions on JSON.
///
/// All methods are provided, and they call each other through `self`: [`Upstream`] overrides none and is right; an
/// implementation that overrides one is a server with one fault. Methods named `rule_…` each judge one rule at one node of a
/// schema, methods named `check_…` one keyword at one value; they add what they find to the list that they are given.
///
/// Paths: `openAPIV3Schema.properties[a].type` in schemas (CRDVAL-024), `spec.a[0].b` in objects (chapter 5, head). In what is
/// returned the order carries no meaning unless it is stated.
///
/// Recursion follows schema and value together, so it is bounded by the depth of the schema, which [`Schema::parse`] bounds by
/// [`crate::MAX_DEPTH`]; what no schema describes is walked without recursion.
pub trait Semantics: AsSemantics + Send + Sync {
    // Definitions: chapter 1, and what chapter 8 says of them. A definition is JSON in form: of the right types, unknown
    // fields gone, defaults filled in.

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

    // Schemas: chapter 2, and what it needs of chapter 1.

    /// Everything that is wrong with the schema of one version, sorted. Structural errors hold back the judgement of defaults, and
    /// a schema of which no structural form can be built gets no structural errors (CRDVAL-025).
    fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
        structural::violations(self.as_semantics(), root, context)
    }

    /// Applies the rules of structural schemas to a node and to all below it that is reached through `properties`, `items` and
    /// `additionalProperties`.
    fn structural_node(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::structural_node(self.as_semantics(), node, found);
    }

    /// Applies the rules that hold for every schema, wherever it stands, to a node and to all below it.
    fn definition_node(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::definition_node(self.as_semantics(), node, found);
    }

    /// STRUCT-001: the root is an object.
    fn rule_root_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::root_type(node, found);
    }

    /// STRUCT-002: every other node has a type, or an excuse.
    fn rule_node_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::node_type(node, found);
    }

    /// STRUCT-003: arrays have items.
    fn rule_array_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::array_items(node, found);
    }

    /// STRUCT-004: no `additionalProperties` at the root or at an embedded object.
    fn rule_root_additional_properties(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::types::root_additional_properties(node, found);
    }

    /// STRUCT-005: what the root's quantifiers mention exists. Given the root.
    fn rule_completeness(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::completeness::completeness(node, found);
    }

    /// STRUCT-008, STRUCT-010..012: judges all branches below a structural node.
    fn rule_quantifiers(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::quantifiers::quantifiers(self.as_semantics(), node, found);
    }

    /// STRUCT-008: the forbidden keywords of one branch.
    fn rule_branch_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::quantifiers::branch_keywords(self.as_semantics(), node, found);
    }

    /// STRUCT-010: no branch speaks of `metadata`.
    fn rule_branch_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::quantifiers::branch_metadata(node, found);
    }

    /// STRUCT-013: what cannot stand beside int-or-string.
    fn rule_int_or_string_combinations(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::int_or_string::combinations(node, found);
    }

    /// STRUCT-016: the shape of an embedded object.
    fn rule_embedded_shape(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::embedded_shape(node, found);
    }

    /// STRUCT-017: no embedded object inside metadata.
    fn rule_embedded_inside_meta(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::embedded_inside_meta(node, found);
    }

    /// STRUCT-018: the types of `apiVersion`, `kind` and `metadata`.
    fn rule_meta_property_types(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::meta_property_types(node, found);
    }

    /// STRUCT-019: root `metadata` restricts names only.
    fn rule_root_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::extensions::root_metadata(node, found);
    }

    /// STRUCT-022, CRDVAL-027: the root is not nullable. Given the root.
    fn rule_root_nullable(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::nullable::root_nullable(node, found);
    }

    /// STRUCT-023: the values of list-type, and the type beside it.
    fn rule_list_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::list_type(node, found);
    }

    /// STRUCT-024: the values of map-type, and the type beside it.
    fn rule_map_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::map_type(node, found);
    }

    /// STRUCT-025: keys come with list-type `map`.
    fn rule_keys_imply_map(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::keys_imply_map(node, found);
    }

    /// STRUCT-026: elements of sets are atomic.
    fn rule_set_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::set_items(node, found);
    }

    /// STRUCT-027: the form of map lists.
    fn rule_map_list_form(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::map_list_form(node, found);
    }

    /// STRUCT-028: keys name scalar properties, each once.
    fn rule_map_list_keys(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::map_list_keys(node, found);
    }

    /// STRUCT-029: keys are required or have a default.
    fn rule_keys_always_present(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::topology::keys_always_present(node, found);
    }

    /// STRUCT-031: elements of set and map lists are not nullable.
    fn rule_list_items_not_nullable(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::nullable::list_items(node, found);
    }

    /// STRUCT-032: keys are not nullable.
    fn rule_keys_not_nullable(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::nullable::keys(node, found);
    }

    /// CRDVAL-034: patterns compile. Given structural nodes, and all branches of their quantifiers.
    fn rule_pattern(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::pattern(node, found);
    }

    /// CRDVAL-029: the names of types.
    fn rule_type_names(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::type_names(node, found);
    }

    /// CRDVAL-030: keywords that must not be used.
    fn rule_unsupported_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::unsupported(node, found);
    }

    /// CRDVAL-032: no `uniqueItems`.
    fn rule_unique_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::unique_items(node, found);
    }

    /// CRDVAL-033: `properties` and `additionalProperties` exclude each other.
    fn rule_properties_or_additional(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::properties_or_additional(node, found);
    }

    /// CRDVAL-035: preserve-unknown-fields is never `false`.
    fn rule_preserve_is_true(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::preserve_is_true(node, found);
    }

    /// CRDVAL-040: the keywords of the root under the status subresource. Given the root.
    fn rule_root_keywords_under_status(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::root_under_status(node, found);
    }

    /// CRDVAL-051: no defaults in root metadata, nor in map values of metadata.
    fn rule_default_positions(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
        structural::keywords::default_positions(node, found);
    }

    /// Whether a branch holds a keyword that no branch may hold (STRUCT-008). `keyword` is one of that item's list.
    fn branch_forbids(&self, keyword: &str, branch: &Schema) -> bool {
        structural::quantifiers::forbids(keyword, branch)
    }

    /// Whether branches are exactly an integer and a string, in this order, so that their types are excused (STRUCT-011).
    fn is_int_or_string_pair(&self, branches: &[Schema]) -> bool {
        structural::int_or_string::is_pair(branches)
    }

    /// CRDVAL-052, CRDVAL-053, DEFAULT-018: judges all defaults. Given the root.
    fn default_violations(&self, root: &Node<'_>, found: &mut Vec<Violation>) {
        structural::defaults::violations(self.as_semantics(), root, found);
    }

    /// Judges one default, whose causes start with `path`.
    fn default_value_violations(
        &self,
        at: &DefaultNode<'_>,
        default: &Value,
        path: &FieldPath<'_>,
        found: &mut Vec<Violation>,
    ) {
        structural::defaults::value(self.as_semantics(), at, default, path, found);
    }

    // Pruning: chapter 3.1.

    /// Removes what the schema does not know (PRUNE-001..015). `root`: the value is a whole object, whose `apiVersion`, `kind` and
    /// `metadata` stay whatever the schema says. Returns the removed paths as PRUNE-028 writes them, sorted as text.
    fn prune(&self, value: &mut Value, schema: &Schema, root: bool) -> Vec<String> {
        let mut removed = Vec::new();
        let keeps_meta = self.keeps_meta_fields(schema, root);
        self.prune_node(value, Some(schema), keeps_meta, &FieldPath::Root, &mut removed);
        removed.sort();
        removed
    }

    /// Prunes a value by its schema, if it has one. `keeps_meta`: an object here keeps its three meta fields.
    fn prune_node(
        &self,
        value: &mut Value,
        schema: Option<&Schema>,
        keeps_meta: bool,
        path: &FieldPath<'_>,
        removed: &mut Vec<String>,
    ) {
        prune::node(self.as_semantics(), value, schema, keeps_meta, path, removed);
    }

    /// Removes the unknown keys of an object and prunes the values of the others (PRUNE-001, PRUNE-004).
    fn prune_object(
        &self,
        object: &mut Map<String, Value>,
        schema: &Schema,
        keeps_meta: bool,
        path: &FieldPath<'_>,
        removed: &mut Vec<String>,
    ) {
        prune::object(self.as_semantics(), object, schema, keeps_meta, path, removed);
    }

    /// Prunes each element by `items` (PRUNE-003).
    fn prune_array(&self, elements: &mut [Value], schema: &Schema, path: &FieldPath<'_>, removed: &mut Vec<String>) {
        prune::array(self.as_semantics(), elements, schema, path, removed);
    }

    /// Prunes a value covered by `additionalProperties`, whose schema is `None` for `true` and `false` (PRUNE-004..006).
    fn prune_map_value(
        &self,
        value: &mut Value,
        schema: Option<&Schema>,
        path: &FieldPath<'_>,
        removed: &mut Vec<String>,
    ) {
        let keeps_meta = schema.is_some_and(|schema| self.keeps_meta_fields(schema, false));
        self.prune_node(value, schema, keeps_meta, path, removed);
    }

    /// Prunes a value at a node that preserves unknown fields: only what the schema declares is pruned (PRUNE-008, PRUNE-009).
    fn prune_preserved(
        &self,
        value: &mut Value,
        schema: &Schema,
        keeps_meta: bool,
        path: &FieldPath<'_>,
        removed: &mut Vec<String>,
    ) {
        prune::preserved(self.as_semantics(), value, schema, keeps_meta, path, removed);
    }

    /// Prunes a value without a schema: objects are emptied, arrays descended (PRUNE-005).
    fn prune_unspecified(&self, value: &mut Value, path: &FieldPath<'_>, removed: &mut Vec<String>) {
        prune::unspecified(value, path, removed);
    }

    /// Whether objects here keep `apiVersion`, `kind` and `metadata` (PRUNE-013..015).
    fn keeps_meta_fields(&self, schema: &Schema, root: bool) -> bool {
        root || schema.embedded_resource
    }

    /// Whether unknown keys stay (PRUNE-008).
    fn preserves_unknown_fields(&self, schema: &Schema) -> bool {
        schema.is_preserving()
    }

    /// What the structural part of a schema says about a key (PRUNE-002).
    fn child<'s>(&self, schema: &'s Schema, key: &str) -> Child<'s> {
        prune::child(schema, key)
    }

    // Coercion of metadata: chapter 3.2.

    /// Rewrites `metadata` of a whole object through the type `ObjectMeta` (PRUNE-016). Returns the paths of unknown fields, sorted.
    ///
    /// # Errors
    /// The first field of a wrong type, `apiVersion` and `kind` included; the object may then be half rewritten.
    fn coerce_metadata(&self, object: &mut Value) -> Result<Vec<String>, DecodeError> {
        coerce::refuse(self.as_semantics(), object)
    }

    /// The same for what was stored: fields that are wrong or unknown are dropped, and a missing generation is 1 (PRUNE-019).
    fn repair_metadata(&self, object: &mut Value) {
        coerce::repair(self.as_semantics(), object);
    }

    /// Rewrites the metadata of all embedded objects that the structural part reaches (PRUNE-017). Returns the paths of unknown
    /// fields, sorted.
    ///
    /// # Errors
    /// The first field of a wrong type; the value may then be half rewritten.
    fn coerce_embedded(&self, value: &mut Value, schema: &Schema) -> Result<Vec<String>, DecodeError> {
        let mut unknown = Vec::new();
        self.coerce_node(value, schema, &FieldPath::Root, WrongType::Refused, &mut unknown)?;
        unknown.sort();
        Ok(unknown)
    }

    /// The same for what was stored: fields that are wrong or unknown are dropped (PRUNE-019).
    fn repair_embedded(&self, value: &mut Value, schema: &Schema) {
        // Nothing is refused here, so there is no error.
        let _ = self.coerce_node(value, schema, &FieldPath::Root, WrongType::Dropped, &mut Vec::new());
    }

    /// Rewrites the metadata of a value, if it is an embedded object, and of all below it.
    ///
    /// # Errors
    /// If wrong types are refused, the first of them.
    fn coerce_node(
        &self,
        value: &mut Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        wrong: WrongType,
        unknown: &mut Vec<String>,
    ) -> Result<(), DecodeError> {
        coerce::node(self.as_semantics(), value, schema, path, wrong, unknown)
    }

    /// Whether values here are embedded objects.
    fn coerces_embedded(&self, schema: &Schema) -> bool {
        schema.embedded_resource
    }

    /// Rewrites a value of `metadata` in place: unknown and empty known fields go, times are written in UTC.
    ///
    /// # Errors
    /// A field of a wrong type, if these are refused; in any case a value that is neither object nor null.
    fn coerce_object_meta(
        &self,
        metadata: &mut Value,
        path: &FieldPath<'_>,
        wrong: WrongType,
        unknown: &mut Vec<String>,
    ) -> Result<(), DecodeError> {
        coerce::object_meta(metadata, path, wrong, unknown)
    }

    // Nulls and defaults: chapter 4.

    /// Removes the nulls that are neither allowed nor replaced by a default (DEFAULT-003). Elements of arrays stay.
    fn drop_nulls(&self, value: &mut Value, schema: &Schema) {
        nulls::drop_nulls(self.as_semantics(), value, schema);
    }

    /// Whether a null at a key with this schema goes.
    fn drops_null(&self, schema: &Schema) -> bool {
        !schema.nullable && schema.default.is_none()
    }

    /// Fills in defaults (DEFAULT-001..008).
    fn default(&self, value: &mut Value, schema: &Schema) {
        default::value(self.as_semantics(), value, schema);
    }

    /// Fills in the defaults of an object's properties and of everything below them.
    fn default_object(&self, object: &mut Map<String, Value>, schema: &Schema) {
        default::object(self.as_semantics(), object, schema);
    }

    /// Fills in one declared property, or what is below it (DEFAULT-001, DEFAULT-002, DEFAULT-004).
    fn default_property(&self, object: &mut Map<String, Value>, name: &str, schema: &Schema) {
        default::property(self.as_semantics(), object, name, schema);
    }

    /// Fills in the default of a null under `additionalProperties`, or what is below the value (DEFAULT-006).
    fn default_map_value(&self, value: &mut Value, schema: &Schema) {
        default::entry(self.as_semantics(), value, schema);
    }

    /// Fills in the default of a null in a list, or what is below the element (DEFAULT-005).
    fn default_element(&self, value: &mut Value, schema: &Schema) {
        default::entry(self.as_semantics(), value, schema);
    }

    /// Whether the default stands in for what is present: nothing, or a null that is not allowed.
    fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
        schema.default.is_some() && present.is_none_or(|value| value.is_null() && !schema.nullable)
    }

    /// A copy of the default, completed by the defaults below it (DEFAULT-004, DEFAULT-019); `None` without a default.
    fn inserted_default(&self, schema: &Schema) -> Option<Value> {
        let mut value = schema.default.clone()?;
        self.default(&mut value, schema);
        Some(value)
    }

    // Whole ways of an object.

    /// What happens to a request body, or to the result of a patch, before admission and validation (PRUNE-020, DEFAULT-009): root
    /// metadata, pruning, nulls, embedded metadata, defaults, in this order. The schema is that of the version in the request.
    ///
    /// # Errors
    /// The first metadata field of a wrong type; the object is then half decoded and of no use.
    fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
        let mut unknown_fields = self.coerce_metadata(object)?;
        unknown_fields.extend(self.prune(object, schema, true));
        self.drop_nulls(object, schema);
        unknown_fields.extend(self.coerce_embedded(object, schema)?);
        self.default(object, schema);
        Ok(Decoded { unknown_fields })
    }

    /// What happens to an object when it is converted to another version, by a write or by a read: pruning by the schema of that
    /// version, without defaults (PRUNE-021, DEFAULT-012). Nothing is reported.
    fn convert(&self, object: &mut Value, schema: &Schema) {
        self.prune(object, schema, true);
        self.drop_nulls(object, schema);
        self.repair_embedded(object, schema);
    }

    /// What happens to an object between validation and the store, if the storage version is not that of the request (PRUNE-021).
    /// The schema is that of the storage version.
    fn encode(&self, object: &mut Value, storage_schema: &Schema) {
        self.convert(object, storage_schema);
    }

    /// What happens to an object between the store and an answer (PRUNE-019, PRUNE-022, DEFAULT-011, DEFAULT-012): repaired, pruned
    /// and defaulted by the schema of the version that it was stored in, then, for an answer at another version, converted.
    /// It never fails. `apiVersion` stays as stored.
    fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
        self.repair_metadata(stored);
        self.prune(stored, stored_schema, true);
        self.drop_nulls(stored, stored_schema);
        self.repair_embedded(stored, stored_schema);
        self.default(stored, stored_schema);
        if !same_version {
            self.convert(stored, requested_schema);
        }
    }

    // Values: chapter 5, and PRUNE-018.

    /// Everything that is wrong with a whole object as decoded: its values, its embedded objects, its set and map lists
    /// (VALUE-038, phases 3, 5 and 6). Rules about root metadata, which the schema does not state, are not among them.
    fn object_violations(&self, object: &Value, schema: &Schema) -> Vec<Violation> {
        let mut found = self.value_violations(object, schema);
        self.check_embedded(object, schema, &FieldPath::Root, &mut found);
        self.check_topology(object, schema, &FieldPath::Root, &mut found);
        found
    }

    /// What is wrong with the values alone: types, bounds, counts, required keys, quantifiers.
    fn value_violations(&self, value: &Value, schema: &Schema) -> Vec<Violation> {
        let mut findings = Findings::new();
        self.check_value(value, schema, &FieldPath::Root, &mut findings);
        findings.into_violations()
    }

    /// Checks a value against all keywords of a schema.
    fn check_value(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::value(self.as_semantics(), value, schema, path, findings);
    }

    /// VALUE-001: the type.
    fn check_type(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::types::check(self.as_semantics(), value, schema, path, findings);
    }

    /// Whether a value is of the schema's type (VALUE-001..006, VALUE-019).
    fn accepts_type(&self, value: &Value, schema: &Schema) -> bool {
        validate::types::accepts(value, schema)
    }

    /// VALUE-018: the enumeration.
    fn check_enumeration(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::types::enumeration(value, schema, path, findings);
    }

    /// VALUE-011..013: the length of a string, and its pattern.
    fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::strings::check(self.as_semantics(), text, schema, path, findings);
    }

    /// VALUE-012: whether the schema's pattern matches somewhere in a text. One that does not compile matches nothing.
    fn matches_pattern(&self, text: &str, schema: &Schema) -> bool {
        validate::strings::matches_pattern(text, schema)
    }

    /// VALUE-014, VALUE-016, VALUE-046: the format that strings must have under a schema.
    fn enforced_format(&self, schema: &Schema) -> Option<Format> {
        validate::strings::enforced_format(schema)
    }

    /// VALUE-014: the format of a string, if the schema enforces one.
    fn check_format(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::strings::check_format(self.as_semantics(), text, schema, path, findings);
    }

    /// VALUE-015: whether a text has a format.
    fn accepts_format(&self, format: Format, text: &str) -> bool {
        format.accepts(text)
    }

    /// VALUE-007, VALUE-010: bounds and factor of a number.
    fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::numbers::check(self.as_semantics(), number, schema, path, findings);
    }

    /// VALUE-003, VALUE-008: the range of an integer, and of numeric formats.
    fn check_number_range(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::numbers::range(number, schema, path, findings);
    }

    /// VALUE-024, VALUE-025: elements and their number.
    fn check_array(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::arrays::check(self.as_semantics(), elements, schema, path, findings);
    }

    /// VALUE-024: the number of elements.
    fn check_element_count(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::arrays::count(elements, schema, path, findings);
    }

    /// VALUE-021..023, VALUE-032: the keys of an object and their values.
    fn check_object(
        &self,
        object: &Map<String, Value>,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        validate::objects::check(self.as_semantics(), object, schema, path, findings);
    }

    /// VALUE-022: the number of keys.
    fn check_key_count(
        &self,
        object: &Map<String, Value>,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        validate::objects::key_count(object, schema, path, findings);
    }

    /// VALUE-032: keys that `additionalProperties: false` forbids.
    fn check_closed(
        &self,
        object: &Map<String, Value>,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        validate::objects::closed(self.as_semantics(), object, schema, path, findings);
    }

    /// VALUE-021: the required keys. A null is present (DEFAULT-017).
    fn check_required(
        &self,
        object: &Map<String, Value>,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        validate::objects::required(object, schema, path, findings);
    }

    /// VALUE-023: a value covered by the schema of `additionalProperties`.
    fn check_map_value(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        self.check_value(value, schema, path, findings);
    }

    /// VALUE-027..030: the quantifiers.
    fn check_quantifiers(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::quantifiers::check(self.as_semantics(), value, schema, path, findings);
    }

    /// VALUE-028: at least one branch of `anyOf` holds.
    fn check_any_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::quantifiers::any_of(self.as_semantics(), value, schema, path, findings);
    }

    /// VALUE-029: exactly one branch of `oneOf` holds.
    fn check_one_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::quantifiers::one_of(self.as_semantics(), value, schema, path, findings);
    }

    /// VALUE-027: all branches of `allOf` hold.
    fn check_all_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::quantifiers::all_of(self.as_semantics(), value, schema, path, findings);
    }

    /// VALUE-030: the branch of `not` does not hold.
    fn check_not(&self, value: &Value, branch: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        validate::quantifiers::not(self.as_semantics(), value, branch, path, findings);
    }

    /// PRUNE-018: all embedded objects in a value are whole.
    fn check_embedded(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
        validate::embedded::node(self.as_semantics(), value, schema, path, found);
    }

    /// PRUNE-018: one embedded object is whole.
    fn check_embedded_object(&self, object: &Map<String, Value>, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
        validate::embedded::object(self.as_semantics(), object, path, found);
    }

    /// VALUE-040, VALUE-041: the rules that a value of `metadata` keeps, `path` being its place.
    fn check_object_meta(&self, metadata: &Value, rule: NameRule, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
        validate::metadata::check(self.as_semantics(), metadata, rule, path, found);
    }

    /// VALUE-035: all set and map lists in a value.
    fn check_topology(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
        validate::topology::node(self.as_semantics(), value, schema, path, found);
    }

    /// VALUE-033: no two elements are equal.
    fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
        validate::topology::set(elements, path, found);
    }

    /// VALUE-034: no two elements have the same keys.
    fn check_map_list(&self, elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
        validate::topology::map_list(elements, keys, path, found);
    }

    // Ratcheting: chapter 6.

    /// Everything that is wrong with an update, `old` being the stored object as read in the version of the request (RATCHET-020):
    /// as [`Self::object_violations`], but what is unchanged is forgiven. Embedded objects are never (RATCHET-011).
    fn update_violations(&self, new: &Value, old: &Value, schema: &Schema) -> Vec<Violation> {
        let mut found = self.value_update_violations(new, old, schema);
        self.check_embedded(new, schema, &FieldPath::Root, &mut found);
        if !self.forgives_topology(old, schema) {
            self.check_topology(new, schema, &FieldPath::Root, &mut found);
        }
        found
    }

    /// What is wrong with the values alone of an update, and is not forgiven.
    fn value_update_violations(&self, new: &Value, old: &Value, schema: &Schema) -> Vec<Violation> {
        ratchet::violations(self.as_semantics(), new, old, schema)
    }

    /// Checks a value that has a correlated old value, and forgives what is wrong if it did not change (RATCHET-001..003).
    fn check_value_update(
        &self,
        new: &Value,
        old: &Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        ratchet::value(self.as_semantics(), new, old, schema, path, findings);
    }

    /// As [`Self::check_array`], elements that correlate being checked as updates.
    fn check_array_update(
        &self,
        elements: &[Value],
        old: &Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        ratchet::array(self.as_semantics(), elements, old, schema, path, findings);
    }

    /// As [`Self::check_object`], values that correlate being checked as updates.
    fn check_object_update(
        &self,
        object: &Map<String, Value>,
        old: &Value,
        schema: &Schema,
        path: &FieldPath<'_>,
        findings: &mut Findings,
    ) {
        ratchet::object(self.as_semantics(), object, old, schema, path, findings);
    }

    /// RATCHET-002: whether all that is wrong at a node is forgiven.
    fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _path: &FieldPath<'_>) -> bool {
        self.is_unchanged(new, old, schema)
    }

    /// RATCHET-010: whether the value of a key may be forgiven by itself. `parent` is the place of the object.
    fn ratchets_key(&self, key: &str, parent: &FieldPath<'_>) -> bool {
        ratchet::ratchets_key(key, parent)
    }

    /// RATCHET-004: the old value of a key, if it has one and the schema knows the key.
    fn correlate_key<'o>(&self, old: &'o Value, key: &str, schema: &Schema) -> Option<&'o Value> {
        ratchet::correlate::key(self.as_semantics(), old, key, schema)
    }

    /// RATCHET-005, RATCHET-006: the old element of each element of a list.
    fn correlate_elements<'o>(&self, elements: &[Value], old: &'o Value, schema: &Schema) -> Vec<Option<&'o Value>> {
        ratchet::correlate::elements(self.as_semantics(), elements, old, schema)
    }

    /// RATCHET-005: the old element with the same keys of each element of a map list.
    fn correlate_map_list<'o>(&self, elements: &[Value], old: &'o [Value], keys: &[String]) -> Vec<Option<&'o Value>> {
        ratchet::correlate::map_list(elements, old, keys)
    }

    /// RATCHET-007: whether a value is what it was.
    fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool {
        ratchet::equality::value(self.as_semantics(), new, old, schema)
    }

    /// RATCHET-007, RATCHET-008: the same for an object.
    fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
        ratchet::equality::object(self.as_semantics(), new, old, schema)
    }

    /// RATCHET-006, RATCHET-007: the same for a list.
    fn is_unchanged_list(&self, new: &[Value], old: &Value, schema: &Schema) -> bool {
        ratchet::equality::list(self.as_semantics(), new, old, schema)
    }

    /// RATCHET-012: whether set and map lists go unchecked, since the old object had duplicates already.
    fn forgives_topology(&self, old: &Value, schema: &Schema) -> bool {
        ratchet::forgives_topology(self.as_semantics(), old, schema)
    }

    // Versions: chapter 8.1.

    /// Compares two versions: `Less` means that `a` has the higher priority, so that sorting puts it first (VER-002).
    fn compare_versions(&self, a: &str, b: &str) -> Ordering {
        versions::compare(self.as_semantics(), a, b)
    }

    /// Reads a version of the form that Kubernetes knows (VER-001).
    fn parse_version(&self, text: &str) -> Option<KubeVersion> {
        versions::parse(text)
    }

    /// Compares two versions of that form: `Less` is the higher one (VER-002 b).
    fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering {
        let by_stability = self.compare_stability(a.stability, b.stability);
        by_stability.then(b.major.cmp(&a.major)).then(b.minor.cmp(&a.minor))
    }

    /// Compares two stability classes: `Less` is the more stable one.
    fn compare_stability(&self, a: Stability, b: Stability) -> Ordering {
        a.cmp(&b)
    }

    /// Compares two versions of which neither has that form (VER-002 c).
    fn compare_other_versions(&self, a: &str, b: &str) -> Ordering {
        a.cmp(b)
    }

    /// Sorts versions, the highest priority first (VER-002).
    fn sort_versions(&self, versions: &mut [String]) {
        versions.sort_by(|a, b| self.compare_versions(a, b));
    }
}

/// The functions as they are promised: what kube-apiserver does, except where the specification tells of a defect of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upstream;

impl Semantics for Upstream {}
