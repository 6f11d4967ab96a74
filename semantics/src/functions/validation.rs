//! Validation of values.

use serde_json::{Map, Number, Value};

use crate::{
    FieldPath, Format, RuleFindings, Rules, Schema, Semantics, Violation,
    validate::{self, Findings, NameRule},
};

area! {
    /// The violations of an object under a schema (chapter 5, PRUNE-018).
    ///
    /// Methods named `check_…` each check one keyword at one value and add the violations to the given list. Paths have
    /// the form `spec.a[0].b` (chapter 5, head).
    pub struct Validation as validation;

    /// All violations of a whole decoded object: its values, its embedded objects, its set and map lists (VALUE-038,
    /// phases 3, 5 and 6). The rules of root metadata, which are not part of the schema, are not included.
    ///
    /// `old` is the stored object, as read in the version of the request (RATCHET-020), and `None` for a create. On an
    /// update, [`Ratcheting`](crate::Ratcheting) decides what is forgiven in values and lists. Embedded objects are
    /// never forgiven (RATCHET-011).
    fn object_violations(&self, object: &Value, schema: &Schema, old: Option<&Value>) -> Vec<Violation> =
        validate::whole_object;
    /// What the rules of a schema say about a whole object (chapter 7, RATCHET-014 to RATCHET-019).
    fn rule_findings(&self, rules: &Rules, object: &Value, schema: &Schema, old: Option<&Value>) -> RuleFindings =
        crate::rules::evaluate::whole_object;
    /// VALUE-039: the cause in place of those of the rules, which are not evaluated if this was found already.
    fn skipped_rules(found: &[Violation]) -> Option<Violation> = crate::rules::evaluate::skipped;
    /// The violations in the values only: types, bounds, counts, required keys, quantifiers.
    fn value_violations(&self, value: &Value, schema: &Schema) -> Vec<Violation> = value_violations;
    /// Checks a value against all keywords of a schema.
    fn check_value(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::value;
    /// VALUE-001: the type.
    fn check_type(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::types::check;
    /// Whether a value is of the schema's type (VALUE-001..006, VALUE-019).
    fn accepts_type(&self, value: &Value, schema: &Schema) -> bool =
        |semantics, value, schema| validate::types::accepts(semantics.release, value, schema);
    /// VALUE-018: the enumeration.
    fn check_enumeration(value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::types::enumeration;
    /// VALUE-011..013: the length of a string, and its pattern.
    fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::strings::check;
    /// VALUE-012: whether the schema's pattern matches anywhere in a string. A pattern that does not compile matches
    /// nothing.
    fn matches_pattern(text: &str, schema: &Schema) -> bool = validate::strings::matches_pattern;
    /// VALUE-014, VALUE-016, VALUE-046: the format that a schema enforces for strings.
    fn enforced_format(&self, schema: &Schema) -> Option<Format> =
        |semantics, schema| validate::strings::enforced_format(semantics.release, schema);
    /// VALUE-014: the format of a string, if the schema enforces one.
    fn check_format(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::strings::check_format;
    /// VALUE-015: whether a string matches a format.
    fn accepts_format(&self, format: Format, text: &str) -> bool = |_, format, text| format.accepts(text);
    /// VALUE-007, VALUE-010: the bounds of a number, and `multipleOf`.
    fn check_number(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::numbers::check;
    /// VALUE-003, VALUE-008: the range of an integer, and of numeric formats.
    fn check_number_range(&self, number: &Number, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::numbers::range;
    /// VALUE-024, VALUE-025: the elements of an array and their number.
    fn check_array(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::arrays::check;
    /// VALUE-024: the number of elements.
    fn check_element_count(elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::arrays::count;
    /// VALUE-021..023, VALUE-032: the keys of an object and their values.
    fn check_object(
        &self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings,
    ) = validate::objects::check;
    /// VALUE-022: the number of keys.
    fn check_key_count(object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::objects::key_count;
    /// VALUE-032: keys that `additionalProperties: false` forbids.
    fn check_closed(
        &self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings,
    ) = validate::objects::closed;
    /// VALUE-021: the required keys. A null counts as present (DEFAULT-017).
    fn check_required(object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::objects::required;
    /// VALUE-023: a map value, by the schema of `additionalProperties`.
    fn check_map_value(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        |semantics, value, schema, path, findings| semantics.check_value(value, schema, path, findings);
    /// VALUE-027..030: the quantifiers.
    fn check_quantifiers(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::quantifiers::check;
    /// VALUE-028: at least one branch of `anyOf` is valid.
    fn check_any_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::quantifiers::any_of;
    /// VALUE-029: exactly one branch of `oneOf` is valid.
    fn check_one_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::quantifiers::one_of;
    /// VALUE-027: all branches of `allOf` are valid.
    fn check_all_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::quantifiers::all_of;
    /// VALUE-030: the branch of `not` is not valid.
    fn check_not(&self, value: &Value, branch: &Schema, path: &FieldPath<'_>, findings: &mut Findings) =
        validate::quantifiers::not;
    /// PRUNE-018: all embedded objects in a value are complete.
    fn check_embedded(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) =
        validate::embedded::node;
    /// PRUNE-018: one embedded object is complete.
    fn check_embedded_object(&self, object: &Map<String, Value>, path: &FieldPath<'_>, found: &mut Vec<Violation>) =
        validate::embedded::object;
    /// VALUE-040, VALUE-041: the rules of a value of `metadata` at `path`.
    fn check_object_meta(&self, metadata: &Value, rule: NameRule, path: &FieldPath<'_>, found: &mut Vec<Violation>) =
        validate::metadata::check;
    /// VALUE-035: all set and map lists in a value.
    fn check_topology(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) =
        validate::topology::node;
    /// VALUE-033: no two elements are equal.
    fn check_set(elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) = validate::topology::set;
    /// VALUE-034: no two elements have the same keys.
    fn check_map_list(elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) =
        validate::topology::map_list;
}

fn value_violations(semantics: &Semantics, value: &Value, schema: &Schema) -> Vec<Violation> {
    let mut findings = Findings::new();
    semantics.check_value(value, schema, &FieldPath::Root, &mut findings);
    findings.into_violations()
}
