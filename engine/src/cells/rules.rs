//! Which combinations of keyword, position and class are not cells, and why.

use super::{
    cell::{Cell, Position},
    class::{Class, OddKey},
    keywords::{Family, Keyword},
};

/// All cells.
pub fn cells() -> impl Iterator<Item = Cell> {
    Keyword::all().flat_map(|keyword| {
        Position::ALL.into_iter().flat_map(move |position| {
            let cells = keyword.classes().iter().map(move |&class| Cell { keyword, position, class });
            cells.filter(|cell| excluded(*cell).is_none())
        })
    })
}

/// A rule that excludes combinations, and its reason.
type Rule = (fn(Cell) -> bool, &'static str);

/// Why a combination is not a cell.
pub fn excluded(cell: Cell) -> Option<&'static str> {
    RULES.iter().find(|(takes_out, _)| takes_out(cell)).map(|(_, reason)| *reason)
}

/// The rules.
const RULES: &[Rule] = &[
    (
        |cell| cell.position.is_branch() && matches!(cell.keyword.family(), Family::Type | Family::Structure),
        "STRUCT-008 forbids what gives structure within a quantifier",
    ),
    (
        |cell| cell.position.is_branch() && matches!(cell.keyword.name(), "title" | "description"),
        "STRUCT-008 forbids titles and descriptions within a quantifier",
    ),
    (
        |cell| cell.position.is_branch() && cell.keyword.family() == Family::NumberFormat,
        "VALUE-008: a format of numbers is ignored within a quantifier, and so counted there",
    ),
    (
        |cell| {
            let (is_format, is_other) = (cell.keyword.family() == Family::TextFormat, cell.class == Class::OtherKind);
            cell.position.is_branch() && is_format && is_other
        },
        "VALUE-046 [Q]: the effect of a format on values other than strings if there is no type",
    ),
    (
        |cell| {
            let is_property = cell.keyword.name() == "properties";
            let is_unknown = matches!(cell.class, Class::Unknown | Class::UnknownKey(_));
            cell.position.is_branch() && is_property && is_unknown
        },
        "PRUNE-002: a key that only a quantifier does not declare is not unknown",
    ),
    (
        |cell| cell.position.is_branch() && cell.class == Class::Key(OddKey::Metadata),
        "STRUCT-010 forbids a property named metadata within a quantifier",
    ),
    (
        |cell| cell.position == Position::Root && matches!(cell.class, Class::Absent | Class::Null | Class::OtherKind),
        "a body that is not an object is rejected before schema validation (REST-008)",
    ),
    (
        |cell| cell.position == Position::Root && is_of_no_root(cell.keyword),
        "STRUCT-001: the root is always an object, so keywords of other kinds do not apply there",
    ),
    (
        |cell| cell.position == Position::Root && cell.keyword.name().starts_with("additionalProperties"),
        "STRUCT-004 forbids additionalProperties at the root",
    ),
    (
        |cell| cell.position == Position::Root && cell.keyword.name() == "nullable",
        "CRDVAL-027 forbids nullable at the root",
    ),
    (
        |cell| cell.position == Position::Root && cell.keyword.name() == "default",
        "CRDVAL-051: a default at the root has no effect",
    ),
    (
        |cell| cell.position == Position::Root && cell.keyword.name() == "enum",
        "no value that a definition can list is equal to an object, because every object has its own name",
    ),
    (
        |cell| cell.position == Position::Root && cell.keyword.name() == "x-kubernetes-embedded-resource",
        "STRUCT-001 [Q]: has no effect at the root",
    ),
    (
        |cell| cell.position == Position::Root && is_meta_key(cell.class),
        "STRUCT-018, STRUCT-019: the meta fields of the root have their own rules, and are always known",
    ),
    (
        |cell| {
            let is_items = matches!(cell.class, Class::Key(OddKey::Items) | Class::UnknownKey(OddKey::Items));
            cell.position == Position::Root && is_items
        },
        "REST-013 has a defect with a key named items at the root",
    ),
    (
        |cell| {
            let name = cell.keyword.name();
            let is_preserving = name == "x-kubernetes-preserve-unknown-fields";
            let is_other = matches!(cell.class, Class::OneByte | Class::Positive | Class::True | Class::Several);
            cell.position == Position::Root && is_preserving && is_other
        },
        "STRUCT-001: the root is always an object",
    ),
    (
        |cell| {
            let is_counted = matches!(cell.keyword.name(), "minProperties" | "maxProperties");
            cell.position == Position::Root && cell.class == Class::Empty && is_counted
        },
        "VALUE-022: apiVersion, kind and metadata count at the root, so it is never empty",
    ),
    (
        |cell| cell.class == Class::Absent && matches!(cell.position, Position::Items | Position::Values),
        "an element or a map value cannot be absent",
    ),
    (|cell| cell.keyword.name() == "enum" && cell.class == Class::Null, "VALUE-020 [Q]: null under an enumeration"),
    (
        |cell| cell.keyword.name() == "format: password" && cell.class == Class::Violating,
        "VALUE-015: every string is a valid password",
    ),
];

fn is_of_no_root(keyword: Keyword) -> bool {
    match keyword.family() {
        Family::Type => keyword.name() != "type: object",
        Family::Values | Family::TextFormat | Family::NumberFormat => true,
        Family::Structure => {
            keyword.name().starts_with("x-kubernetes-list") || keyword.name().ends_with("int-or-string")
        }
        Family::Objects | Family::Any | Family::Documentation => false,
    }
}

fn is_meta_key(class: Class) -> bool {
    let (Class::Key(key) | Class::UnknownKey(key)) = class else { return false };
    matches!(key, OddKey::Metadata | OddKey::TypeMeta)
}
