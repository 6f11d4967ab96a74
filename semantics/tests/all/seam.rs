//! The functions can be replaced one by one: an implementation that overrides one method has one fault, also through `dyn`, since
//! the methods call each other through `self`.

use std::cmp::Ordering;

use crdible_semantics::{
    Child, FieldPath, Format, Pattern, Schema, SchemaContext, Semantics, Upstream, Validation, ValidationContext,
    Violation, WrongType, implement_semantics,
    structural::Node,
    validate::Findings,
    versions::{KubeVersion, Stability},
};
use serde_json::{Map, Value, json};

use crate::common::{causes, root, schema};

macro_rules! fault {
    ($name:ident; $($areas:tt)*) => {
        struct $name;
        implement_semantics!($name; $($areas)*);
    };
}

/// Asserts that a faulty implementation decodes an object differently.
fn assert_decodes_differently(faulty: &dyn Semantics, node: &Value, value: &Value) {
    let schema = schema(&root(&json!({ "spec": node })));
    let run = |semantics: &dyn Semantics| {
        let mut object = json!({"apiVersion": "g/v1", "kind": "K", "metadata": {}, "spec": value.clone()});
        let decoded = semantics.decode(&mut object, &schema);
        (object, decoded)
    };
    assert_ne!(run(faulty), run(&Upstream));
}

fault!(PrunesTheFirstLevelOnly; Pruning {
    fn prune_node(&self, value: &mut Value, schema: Option<&Schema>, keeps_meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
        if matches!(path, FieldPath::Root) {
            // The provided step, with this implementation as `self`.
            crdible_semantics::prune::node(self, value, schema, keeps_meta, path, removed);
        }
    }
});
fault!(ForgetsArrays; Pruning {
    fn prune_array(&self, _: &mut [Value], _: &Schema, _: &FieldPath<'_>, _: &mut Vec<String>) {}
});
fault!(ForgetsMapValues; Pruning {
    fn prune_map_value(&self, _: &mut Value, _: Option<&Schema>, _: &FieldPath<'_>, _: &mut Vec<String>) {}
});
fault!(IgnoresRestart; Pruning {
    fn prune_preserved(&self, _: &mut Value, _: &Schema, _: bool, _: &FieldPath<'_>, _: &mut Vec<String>) {}
});
fault!(PrunesEmbeddedMetadata; Pruning {
    fn keeps_meta_fields(&self, _: &Schema, root: bool) -> bool {
        root
    }
});
fault!(CountsQuantifiers; Pruning {
    fn child<'s>(&self, schema: &'s Schema, key: &str) -> Child<'s> {
        let mentioned = schema.any_of.iter().find_map(|branch| branch.properties.get(key));
        mentioned.map_or_else(|| Upstream.child(schema, key), Child::Declared)
    }
});
fault!(ReplacesNullableNulls; Defaulting {
    fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
        schema.default.is_some() && present.is_none_or(Value::is_null)
    }
});
fault!(ReplacesEmptyValues; Defaulting {
    fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
        Upstream.takes_default(present, schema) || schema.default.is_some() && present == Some(&json!(""))
    }
});
fault!(ForgetsInsertedDefaults; Defaulting {
    fn inserted_default(&self, schema: &Schema) -> Option<Value> {
        schema.default.clone()
    }
});
fault!(KeepsNulls; Defaulting {
    fn drops_null(&self, _: &Schema) -> bool {
        false
    }
});
fault!(KeepsUnknownMetadata; Coercion {
    fn coerce_object_meta(&self, _: &mut Value, _: &FieldPath<'_>, _: WrongType, _: &mut Vec<String>) -> Result<(), crdible_semantics::DecodeError> {
        Ok(())
    }
});

#[test]
fn one_wrong_step_changes_decoding() {
    let object = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    assert_decodes_differently(&PrunesTheFirstLevelOnly, &object, &json!({"x": 1}));
    assert_decodes_differently(&ForgetsArrays, &json!({"type": "array", "items": object}), &json!([{"x": 1}]));
    assert_decodes_differently(
        &ForgetsMapValues,
        &json!({"type": "object", "additionalProperties": object}),
        &json!({"k": {"x": 1}}),
    );
    assert_decodes_differently(
        &IgnoresRestart,
        &json!({"x-kubernetes-preserve-unknown-fields": true, "properties": {"o": object}}),
        &json!({"o": {"x": 1}}),
    );
    let embedded =
        json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"a": {"type": "string"}}});
    assert_decodes_differently(&PrunesEmbeddedMetadata, &embedded, &json!({"kind": "K"}));
    assert_decodes_differently(&KeepsUnknownMetadata, &embedded, &json!({"metadata": {"zz": 1}}));
    assert_decodes_differently(
        &CountsQuantifiers,
        &json!({"type": "object", "anyOf": [{"properties": {"b": {}}}]}),
        &json!({"b": 1}),
    );
    let nullable = json!({"type": "object", "properties": {"a": {"type": "string", "nullable": true, "default": "d"}}});
    assert_decodes_differently(&ReplacesNullableNulls, &nullable, &json!({"a": null}));
    assert_decodes_differently(&ReplacesEmptyValues, &nullable, &json!({"a": ""}));
    let nested = json!({"type": "object", "properties": {"o": {"type": "object", "default": {}, "properties": {"a": {"type": "string", "default": "d"}}}}});
    assert_decodes_differently(&ForgetsInsertedDefaults, &nested, &json!({}));
    assert_decodes_differently(
        &KeepsNulls,
        &json!({"type": "object", "additionalProperties": {"type": "string"}}),
        &json!({"k": null}),
    );
}

fault!(AllowsNullableInQuantifiers; SchemaRules {
    fn branch_forbids(&self, keyword: &str, branch: &Schema) -> bool {
        keyword != "nullable" && Upstream.branch_forbids(keyword, branch)
    }
});
fault!(IgnoresTheOrderOfThePair; SchemaRules {
    fn is_int_or_string_pair(&self, branches: &[Schema]) -> bool {
        Upstream.is_int_or_string_pair(branches) || matches!(branches, [a, b] if Upstream.is_int_or_string_pair(&[b.clone(), a.clone()]))
    }
});
fault!(ForgetsItems; SchemaRules {
    fn rule_array_items(&self, _: &Node<'_>, _: &mut Vec<crdible_semantics::Violation>) {}
});

#[test]
fn one_missing_rule_changes_the_causes() {
    let cases: [(&dyn Semantics, Value); 3] = [
        (&AllowsNullableInQuantifiers, json!({"type": "object", "not": {"nullable": true}})),
        (
            &IgnoresTheOrderOfThePair,
            root(
                &json!({"a": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "string"}, {"type": "integer"}]}}),
            ),
        ),
        (&ForgetsItems, root(&json!({"a": {"type": "array"}}))),
    ];
    for (faulty, json) in cases {
        let run =
            |semantics: &dyn Semantics| causes(&semantics.schema_violations(&schema(&json), &SchemaContext::default()));
        assert_eq!(run(faulty), Vec::<String>::new());
        assert_ne!(run(&Upstream), Vec::<String>::new());
    }
}

fault!(RequiredNeedsMore; Validation {
    fn check_required(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
        let without_nulls = object.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())).collect();
        Upstream.check_required(&without_nulls, schema, path, findings);
    }
});

#[test]
fn one_wrong_check_changes_the_causes() {
    let json = root(
        &json!({"spec": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "nullable": true}}}}),
    );
    let object = json!({"spec": {"a": null}});
    assert_eq!(
        causes(&Upstream.object_violations(&object, &schema(&json), &mut ValidationContext::for_create())),
        Vec::<String>::new()
    );
    assert_eq!(
        causes(&RequiredNeedsMore.object_violations(&object, &schema(&json), &mut ValidationContext::for_create())),
        ["spec.a Required"]
    );
}

fault!(AnchorsPatterns; Validation {
    fn matches_pattern(&self, text: &str, schema: &Schema) -> bool {
        let pattern = Pattern::parse(&format!("^(?:{})$", schema.values.pattern.as_str()));
        pattern.is_ok_and(|pattern| pattern.is_match(text))
    }
});
fault!(TakesAnyDate; Validation {
    fn accepts_format(&self, format: Format, text: &str) -> bool {
        format == Format::Date || Upstream.accepts_format(format, text)
    }
});
fault!(ForgetsDashesInNames; Validation {
    fn enforced_format(&self, schema: &Schema) -> Option<Format> {
        Upstream.enforced_format(schema).filter(|_| !schema.values.format.contains('-'))
    }
});
fault!(TakesAnyPattern; SchemaRules {
    fn rule_pattern(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
});

#[test]
fn one_wrong_check_of_strings_changes_the_causes() {
    let json = root(&json!({"spec": {"type": "object", "properties": {
        "a": {"type": "string", "pattern": "b"}, "b": {"type": "string", "format": "d-ate"}}}}));
    let object = json!({"spec": {"a": "abc", "b": "2020-02-30"}});
    let right = causes(&Upstream.object_violations(&object, &schema(&json), &mut ValidationContext::for_create()));
    assert_eq!(right, ["spec.b TypeInvalid"]);
    let faults: [&dyn Semantics; 3] = [&AnchorsPatterns, &TakesAnyDate, &ForgetsDashesInNames];
    for faulty in faults {
        assert_ne!(
            causes(&faulty.object_violations(&object, &schema(&json), &mut ValidationContext::for_create())),
            right
        );
    }
    let json = schema(&root(&json!({"spec": {"type": "string", "pattern": "("}})));
    let violations = |semantics: &dyn Semantics| causes(&semantics.schema_violations(&json, &SchemaContext::default()));
    assert_ne!(violations(&TakesAnyPattern), violations(&Upstream));
}

fault!(SortsAsText; VersionOrder {
    fn compare_versions(&self, a: &str, b: &str) -> Ordering {
        a.cmp(b)
    }
});
fault!(AlphaBeforeBeta; VersionOrder {
    fn compare_stability(&self, a: Stability, b: Stability) -> Ordering {
        Upstream.compare_stability(b, a)
    }
});
fault!(IgnoresTheMinor; VersionOrder {
    fn compare_kube_versions(&self, a: KubeVersion, b: KubeVersion) -> Ordering {
        Upstream.compare_kube_versions(KubeVersion { minor: 0, ..a }, KubeVersion { minor: 0, ..b })
    }
});
fault!(OverflowCounts; VersionOrder {
    fn parse_version(&self, text: &str) -> Option<KubeVersion> {
        let digits = text.strip_prefix('v').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
        let overflown = KubeVersion { stability: Stability::GenerallyAvailable, major: i64::MAX, minor: 0 };
        Upstream.parse_version(text).or(digits.then_some(overflown))
    }
});

#[test]
fn one_wrong_comparison_changes_the_order() {
    let faults: [&dyn Semantics; 4] = [&SortsAsText, &AlphaBeforeBeta, &IgnoresTheMinor, &OverflowCounts];
    let versions = ["v2", "v10", "v1beta1", "v1beta2", "v1alpha1", "v99999999999999999999"];
    let sorted = |semantics: &dyn Semantics| {
        let mut versions = versions.map(str::to_owned);
        semantics.sort_versions(&mut versions);
        versions
    };
    let right = sorted(&Upstream);
    assert_eq!(right, ["v10", "v2", "v1beta2", "v1beta1", "v1alpha1", "v99999999999999999999"]);
    for faulty in faults {
        assert_ne!(sorted(faulty), right);
    }
}
