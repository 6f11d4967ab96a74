//! The functions can be replaced one by one: semantics with one wrong function have one fault, which shows in the
//! functions that call it.

use crdible_semantics::{
    Child, FieldPath, Format, Pattern, Pruning, SchemaContext, Semantics,
    versions::{KubeVersion, Stability},
    with,
};
use serde_json::{Value, json};

use crate::common::{causes, object_causes, root, schema, schema_causes};

const PRUNES_THE_FIRST_LEVEL_ONLY: Semantics =
    with::prune_node(|semantics, value, schema, keeps_meta, path, removed| {
        if matches!(path, FieldPath::Root) {
            // The correct step, with these functions below it.
            (Pruning::CORRECT.prune_node)(semantics, value, schema, keeps_meta, path, removed);
        }
    });
const FORGETS_ARRAYS: Semantics = with::prune_array(|_, _, _, _, _| {});
const FORGETS_MAP_VALUES: Semantics = with::prune_map_value(|_, _, _, _, _| {});
const IGNORES_RESTART: Semantics = with::prune_preserved(|_, _, _, _, _, _| {});
const PRUNES_EMBEDDED_METADATA: Semantics = with::keeps_meta_fields(|_, _, root| root);
const COUNTS_QUANTIFIERS: Semantics = with::child(|_, schema, key| {
    let mentioned = schema.any_of.iter().find_map(|branch| branch.properties.get(key));
    mentioned.map_or_else(|| Semantics::UPSTREAM.child(schema, key), Child::Declared)
});
const REPLACES_NULLABLE_NULLS: Semantics =
    with::takes_default(|_, present, schema| schema.default.is_some() && present.is_none_or(Value::is_null));
const REPLACES_EMPTY_VALUES: Semantics = with::takes_default(|_, present, schema| {
    Semantics::UPSTREAM.takes_default(present, schema) || schema.default.is_some() && present == Some(&json!(""))
});
const FORGETS_INSERTED_DEFAULTS: Semantics = with::inserted_default(|_, schema| schema.default.clone());
const KEEPS_NULLS: Semantics = with::drops_null(|_, _| false);
const KEEPS_UNKNOWN_METADATA: Semantics = with::coerce_object_meta(|_, _, _, _, _| Ok(()));

#[test]
fn one_wrong_step_changes_decoding() {
    let with = |name: &str, node: Value| json!({"type": "object", "properties": {name: node}});
    let map_of = |values: Value| json!({"type": "object", "additionalProperties": values});
    let text = json!({"type": "string"});
    let object = with("a", text.clone());
    let preserved = json!({"x-kubernetes-preserve-unknown-fields": true, "properties": {"o": object}});
    let embedded = json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"a": text}});
    let quantified = json!({"type": "object", "anyOf": [{"properties": {"b": {}}}]});
    let nullable = with("a", json!({"type": "string", "nullable": true, "default": "d"}));
    let inner = json!({"a": {"type": "string", "default": "d"}});
    let nested = with("o", json!({"type": "object", "default": {}, "properties": inner}));
    let rows: [(&Semantics, &Value, Value); 11] = [
        (&PRUNES_THE_FIRST_LEVEL_ONLY, &object, json!({"x": 1})),
        (&FORGETS_ARRAYS, &json!({"type": "array", "items": object}), json!([{"x": 1}])),
        (&FORGETS_MAP_VALUES, &map_of(object.clone()), json!({"k": {"x": 1}})),
        (&IGNORES_RESTART, &preserved, json!({"o": {"x": 1}})),
        (&PRUNES_EMBEDDED_METADATA, &embedded, json!({"kind": "K"})),
        (&KEEPS_UNKNOWN_METADATA, &embedded, json!({"metadata": {"zz": 1}})),
        (&COUNTS_QUANTIFIERS, &quantified, json!({"b": 1})),
        (&REPLACES_NULLABLE_NULLS, &nullable, json!({"a": null})),
        (&REPLACES_EMPTY_VALUES, &nullable, json!({"a": ""})),
        (&FORGETS_INSERTED_DEFAULTS, &nested, json!({})),
        (&KEEPS_NULLS, &map_of(text), json!({"k": null})),
    ];
    for (faulty, node, value) in rows {
        let schema = schema(&root(&json!({ "spec": node })));
        let run = |semantics: &Semantics| {
            let mut object = json!({"apiVersion": "g/v1", "kind": "K", "metadata": {}, "spec": value});
            let decoded = semantics.decode(&mut object, &schema);
            (object, decoded)
        };
        assert_ne!(run(faulty), run(&Semantics::UPSTREAM));
    }
}

const ALLOWS_NULLABLE_IN_QUANTIFIERS: Semantics = with::branch_forbids(|_, keyword, branch| {
    keyword != "nullable" && Semantics::UPSTREAM.branch_forbids(keyword, branch)
});
const IGNORES_THE_ORDER_OF_THE_PAIR: Semantics = with::is_int_or_string_pair(|_, branches| {
    Semantics::UPSTREAM.is_int_or_string_pair(branches)
        || matches!(branches, [a, b] if Semantics::UPSTREAM.is_int_or_string_pair(&[b.clone(), a.clone()]))
});
const FORGETS_ITEMS: Semantics = with::rule_array_items(|_, _, _| {});

#[test]
fn one_missing_rule_changes_the_causes() {
    let reversed = json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "string"}, {"type": "integer"}]});
    let cases: [(&Semantics, Value); 3] = [
        (&ALLOWS_NULLABLE_IN_QUANTIFIERS, json!({"type": "object", "not": {"nullable": true}})),
        (&IGNORES_THE_ORDER_OF_THE_PAIR, root(&json!({ "a": reversed }))),
        (&FORGETS_ITEMS, root(&json!({"a": {"type": "array"}}))),
    ];
    for (faulty, json) in cases {
        let found = faulty.schema_violations(&schema(&json), &SchemaContext::default());
        assert_eq!(causes(&found), [""; 0]);
        assert_ne!(schema_causes(&json), [""; 0]);
    }
}

const REQUIRED_NEEDS_MORE: Semantics = with::check_required(|_, object, schema, path, findings| {
    let without_nulls =
        object.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())).collect();
    Semantics::UPSTREAM.check_required(&without_nulls, schema, path, findings);
});

#[test]
fn one_wrong_check_changes_the_causes() {
    let spec = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "nullable": true}}});
    let (json, object) = (root(&json!({ "spec": spec })), json!({"spec": {"a": null}}));
    assert_eq!(object_causes(&json, &object), [""; 0]);
    assert_eq!(causes(&REQUIRED_NEEDS_MORE.object_violations(&object, &schema(&json), None)), ["spec.a Required"]);
}

const ANCHORS_PATTERNS: Semantics = with::matches_pattern(|_, text, schema| {
    let pattern = Pattern::parse(&format!("^(?:{})$", schema.values.pattern.as_str()));
    pattern.is_ok_and(|pattern| pattern.is_match(text))
});
const TAKES_ANY_DATE: Semantics =
    with::accepts_format(|_, format, text| format == Format::Date || Semantics::UPSTREAM.accepts_format(format, text));
const FORGETS_DASHES_IN_NAMES: Semantics = with::enforced_format(|_, schema| {
    Semantics::UPSTREAM.enforced_format(schema).filter(|_| !schema.values.format.contains('-'))
});
const TAKES_ANY_PATTERN: Semantics = with::rule_pattern(|_, _, _| {});

#[test]
fn one_wrong_check_of_strings_changes_the_causes() {
    let json = root(&json!({"spec": {"type": "object", "properties": {
        "a": {"type": "string", "pattern": "b"}, "b": {"type": "string", "format": "d-ate"}}}}));
    let object = json!({"spec": {"a": "abc", "b": "2020-02-30"}});
    let right = object_causes(&json, &object);
    assert_eq!(right, ["spec.b TypeInvalid"]);
    let faults: [&Semantics; 3] = [&ANCHORS_PATTERNS, &TAKES_ANY_DATE, &FORGETS_DASHES_IN_NAMES];
    for faulty in faults {
        assert_ne!(causes(&faulty.object_violations(&object, &schema(&json), None)), right);
    }
    let json = root(&json!({"spec": {"type": "string", "pattern": "("}}));
    let found = TAKES_ANY_PATTERN.schema_violations(&schema(&json), &SchemaContext::default());
    assert_ne!(causes(&found), schema_causes(&json));
}

const SORTS_AS_TEXT: Semantics = with::compare_versions(|_, a, b| a.cmp(b));
const ALPHA_BEFORE_BETA: Semantics = with::compare_stability(|_, a, b| Semantics::UPSTREAM.compare_stability(b, a));
const IGNORES_THE_MINOR: Semantics = with::compare_kube_versions(|_, a, b| {
    Semantics::UPSTREAM.compare_kube_versions(KubeVersion { minor: 0, ..a }, KubeVersion { minor: 0, ..b })
});
const OVERFLOW_COUNTS: Semantics = with::parse_version(|_, text| {
    let digits = text
        .strip_prefix('v')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    let overflown = KubeVersion { stability: Stability::GenerallyAvailable, major: i64::MAX, minor: 0 };
    Semantics::UPSTREAM.parse_version(text).or(digits.then_some(overflown))
});

#[test]
fn one_wrong_comparison_changes_the_order() {
    let faults: [&Semantics; 4] = [&SORTS_AS_TEXT, &ALPHA_BEFORE_BETA, &IGNORES_THE_MINOR, &OVERFLOW_COUNTS];
    let versions = ["v2", "v10", "v1beta1", "v1beta2", "v1alpha1", "v99999999999999999999"];
    let sorted = |semantics: &Semantics| {
        let mut versions = versions.map(str::to_owned);
        semantics.sort_versions(&mut versions);
        versions
    };
    let right = sorted(&Semantics::UPSTREAM);
    assert_eq!(right, ["v10", "v2", "v1beta2", "v1beta1", "v1alpha1", "v99999999999999999999"]);
    for faulty in faults {
        assert_ne!(sorted(faulty), right);
    }
}
