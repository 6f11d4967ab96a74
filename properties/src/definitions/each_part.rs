//! The properties of single parts of a definition, a row each. What a server must answer to a variation of a part is in
//! the tables of `crdible_generators::definition`.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

/// The property of the variations of these requirements, each alone and some in generated definitions.
macro_rules! varied {
    ($id:literal, $($requirement:literal),+) => {
        Property::new($id, |plan, choices| variations_anywhere(plan, choices, &[$($requirement),+]))
            .needs(JUDGING)
            .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, &[$($requirement),+]) }])
    };
}

/// CRDVAL-001: the name of a definition.
pub(super) const OBJECT_NAME: Property = varied!("crdval-001-object-name", "CRDVAL-001")
    .title("the name of a definition must be its plural, a dot and its group")
    .asserts(&["CRDVAL-001", "CRDVAL-001/e1", "CRDVAL-001/e2"]);

/// CRDVAL-002: the group.
pub(super) const GROUP: Property = varied!("crdval-002-group", "CRDVAL-002")
    .title("a group must be a DNS subdomain with at least one dot")
    .asserts(&["CRDVAL-002", "CRDVAL-002/e1", "CRDVAL-001/e2"]);

/// CRDVAL-003: the scope.
pub(super) const SCOPE: Property = varied!("crdval-003-scope", "CRDVAL-003")
    .title("the scope must be Cluster or Namespaced, and has no default")
    .asserts(&["CRDVAL-003", "CRDVAL-003/e1"]);

/// CRDVAL-004: required names.
pub(super) const REQUIRED_NAMES: Property = varied!("crdval-004-required-names", "CRDVAL-004")
    .title("a definition must have a plural and a kind")
    .asserts(&["CRDVAL-004", "CRDVAL-004/e1", "CRDVAL-001/e2"]);

/// CRDVAL-005, CRDVAL-006: the syntax of names.
pub(super) const NAME_SYNTAX: Property = varied!("crdval-005-name-syntax", "CRDVAL-005", "CRDVAL-006")
    .title("every name must be a DNS label, kind and listKind after lower-casing")
    .asserts(&["CRDVAL-005", "CRDVAL-005/e1", "CRDVAL-005/e2", "CRDVAL-001/e2", "CRDVAL-006", "CRDVAL-006/e1"]);

/// CRDVAL-007, CRDVAL-008: the defaults of a definition.
pub(super) const STATED_DEFAULTS: Property = varied!("crdval-007-stated-defaults", "CRDVAL-007", "CRDVAL-008")
    .title("singular, listKind, conversion and the port of a webhook service are filled in if they are omitted")
    .asserts(&["CRDVAL-007", "CRDVAL-008", "CRDVAL-008/e1"]);

/// CRDVAL-012, CRDVAL-013: the names of versions.
pub(super) const VERSION_NAMES: Property = varied!("crdval-012-version-names", "CRDVAL-012", "CRDVAL-013")
    .title("version names must be DNS labels and unique")
    .asserts(&["CRDVAL-012", "CRDVAL-012/e1", "CRDVAL-013", "CRDVAL-013/e1"]);

/// CRDVAL-014, CRDVAL-015: storage and served versions.
pub(super) const ONE_STORAGE_VERSION: Property = varied!("crdval-014-one-storage-version", "CRDVAL-014", "CRDVAL-015")
    .title("exactly one version must be the storage version")
    .asserts(&["CRDVAL-014", "CRDVAL-014/e1", "CRDVAL-015", "CRDVAL-015/e1"]);

/// CRDVAL-016: deprecation warnings.
pub(super) const DEPRECATION: Property = varied!("crdval-016-deprecation", "CRDVAL-016")
    .title("a deprecationWarning needs deprecated: true and a short, printable text")
    .asserts(&["CRDVAL-016", "CRDVAL-016/e1", "CRDVAL-016/e2"]);

/// CRDVAL-026, CRDVAL-028: every version needs a schema; preserveUnknownFields no longer replaces it.
pub(super) const SCHEMA_REQUIRED: Property = varied!("crdval-026-schema-required", "CRDVAL-026", "CRDVAL-028")
    .title("every version must have a schema, even if preserveUnknownFields is set")
    .asserts(&["CRDVAL-026", "CRDVAL-026/e1", "CRDVAL-028", "CRDVAL-028/e1", "CRDVAL-045", "CRDVAL-050"]);

/// CRDVAL-040: keywords at the root with the status subresource.
pub(super) const ROOT_KEYWORDS_UNDER_STATUS: Property = varied!("crdval-040-root-keywords-under-status", "CRDVAL-040")
    .title("the status subresource restricts which keywords the root of the schema may have")
    .asserts(&["CRDVAL-040", "CRDVAL-040/e2", "CRDVAL-040/e3"]);

/// CRDVAL-041: the paths of the scale subresource.
pub(super) const SCALE_PATHS: Property = varied!("crdval-041-scale-paths", "CRDVAL-041")
    .title("scale paths must be below .spec or .status")
    .asserts(&["CRDVAL-041", "CRDVAL-041/e1"]);

/// CRDVAL-042: printer columns.
pub(super) const PRINTER_COLUMNS: Property = varied!("crdval-042-printer-columns", "CRDVAL-042")
    .title("a printer column must have a name, a known type and a jsonPath that starts with a dot")
    .asserts(&["CRDVAL-042", "CRDVAL-042/e1"]);

/// CRDVAL-043: selectable fields.
pub(super) const SELECTABLE_FIELDS: Property = varied!("crdval-043-selectable-fields", "CRDVAL-043")
    .title("a selectable field must be a declared string, boolean or integer outside metadata")
    .asserts(&["CRDVAL-043", "CRDVAL-043/e1"]);

/// CRDVAL-044: the conversion strategy.
pub(super) const STRATEGY: Property = varied!("crdval-044-strategy", "CRDVAL-044")
    .title("the conversion strategy must be None or Webhook")
    .asserts(&["CRDVAL-044", "CRDVAL-044/e1", "CRDVAL-008/e1"]);

/// CRDVAL-045..049: the requirements on a conversion webhook that show when a definition is created.
pub(super) const WEBHOOK_BLOCK: Property =
    varied!("crdval-045-webhook-block", "CRDVAL-045", "CRDVAL-046", "CRDVAL-047", "CRDVAL-048", "CRDVAL-049")
        .title("a conversion webhook must have an https URL or a service, and a known review version")
        .asserts(&[
            "CRDVAL-045",
            "CRDVAL-045/e1",
            "CRDVAL-046",
            "CRDVAL-046/e1",
            "CRDVAL-047",
            "CRDVAL-049",
            "CRDVAL-049/e1",
            "CRDVAL-049/e2",
            "CRDVAL-048",
            "CRDVAL-048/e1",
        ]);

/// CRDVAL-055: protected groups.
pub(super) const PROTECTED_GROUPS: Property = varied!("crdval-055-protected-groups", "CRDVAL-055")
    .title("a definition in a group below k8s.io or kubernetes.io needs an approval annotation")
    .asserts(&["CRDVAL-055", "CRDVAL-055/e1", "CRDVAL-055/e2"]);
