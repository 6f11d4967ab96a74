//! The messages of a definition, with the field names and numbers of upstream's `generated.proto`.

use super::meta::{LIST_META, OBJECT_META};
use super::table::Count::{Many, Map, One, Optional};
use super::table::Kind::{
    Bool, Bytes, Double, Int, Int32, Json, Message, SchemaOrBool, SchemaOrList, SchemaOrNames, Text, Time,
};
use super::table::{Field, field};

pub(super) static DEFINITION_LIST: [Field; 2] =
    [field(1, "metadata", One, Message(&LIST_META)), field(2, "items", Many, Message(&DEFINITION))];

pub(super) static DEFINITION: [Field; 3] = [
    field(1, "metadata", One, Message(&OBJECT_META)),
    field(2, "spec", One, Message(&SPEC)),
    field(3, "status", One, Message(&STATUS)),
];

static SPEC: [Field; 6] = [
    field(1, "group", One, Text),
    field(3, "names", One, Message(&NAMES)),
    field(4, "scope", One, Text),
    field(7, "versions", Many, Message(&VERSION)),
    field(9, "conversion", Optional, Message(&CONVERSION)),
    field(10, "preserveUnknownFields", One, Bool),
];

static NAMES: [Field; 6] = [
    field(1, "plural", One, Text),
    field(2, "singular", One, Text),
    field(3, "shortNames", Many, Text),
    field(4, "kind", One, Text),
    field(5, "listKind", One, Text),
    field(6, "categories", Many, Text),
];

static VERSION: [Field; 9] = [
    field(1, "name", One, Text),
    // Always present in JSON.
    field(2, "served", Optional, Bool),
    field(3, "storage", Optional, Bool),
    field(4, "schema", Optional, Message(&VALIDATION)),
    field(5, "subresources", Optional, Message(&SUBRESOURCES)),
    field(6, "additionalPrinterColumns", Many, Message(&COLUMN)),
    field(7, "deprecated", One, Bool),
    field(8, "deprecationWarning", Optional, Text),
    field(9, "selectableFields", Many, Message(&SELECTABLE)),
];

static VALIDATION: [Field; 1] = [field(1, "openAPIV3Schema", Optional, Message(&SCHEMA))];

static SUBRESOURCES: [Field; 2] =
    [field(1, "status", Optional, Message(&[])), field(2, "scale", Optional, Message(&SCALE))];

static SCALE: [Field; 3] = [
    field(1, "specReplicasPath", One, Text),
    field(2, "statusReplicasPath", One, Text),
    field(3, "labelSelectorPath", Optional, Text),
];

static COLUMN: [Field; 6] = [
    field(1, "name", One, Text),
    field(2, "type", One, Text),
    field(3, "format", One, Text),
    field(4, "description", One, Text),
    field(5, "priority", One, Int32),
    field(6, "jsonPath", One, Text),
];

static SELECTABLE: [Field; 1] = [field(1, "jsonPath", One, Text)];

static CONVERSION: [Field; 2] = [field(1, "strategy", One, Text), field(2, "webhook", Optional, Message(&WEBHOOK))];

static WEBHOOK: [Field; 2] =
    [field(2, "clientConfig", Optional, Message(&CLIENT)), field(3, "conversionReviewVersions", Many, Text)];

static CLIENT: [Field; 3] = [
    field(1, "service", Optional, Message(&SERVICE)),
    field(2, "caBundle", One, Bytes),
    field(3, "url", Optional, Text),
];

static SERVICE: [Field; 4] = [
    field(1, "namespace", One, Text),
    field(2, "name", One, Text),
    field(3, "path", Optional, Text),
    field(4, "port", Optional, Int32),
];

static STATUS: [Field; 4] = [
    field(1, "conditions", Many, Message(&CONDITION)),
    field(2, "acceptedNames", One, Message(&NAMES)),
    field(3, "storedVersions", Many, Text),
    field(4, "observedGeneration", One, Int),
];

static CONDITION: [Field; 6] = [
    field(1, "type", One, Text),
    field(2, "status", One, Text),
    field(3, "lastTransitionTime", One, Time),
    field(4, "reason", One, Text),
    field(5, "message", One, Text),
    field(6, "observedGeneration", One, Int),
];

static SCHEMA: [Field; 44] = [
    field(1, "id", One, Text),
    field(2, "$schema", One, Text),
    field(3, "$ref", Optional, Text),
    field(4, "description", One, Text),
    field(5, "type", One, Text),
    field(6, "format", One, Text),
    field(7, "title", One, Text),
    field(8, "default", Optional, Json),
    field(9, "maximum", Optional, Double),
    field(10, "exclusiveMaximum", One, Bool),
    field(11, "minimum", Optional, Double),
    field(12, "exclusiveMinimum", One, Bool),
    field(13, "maxLength", Optional, Int),
    field(14, "minLength", Optional, Int),
    field(15, "pattern", One, Text),
    field(16, "maxItems", Optional, Int),
    field(17, "minItems", Optional, Int),
    field(18, "uniqueItems", One, Bool),
    field(19, "multipleOf", Optional, Double),
    field(20, "enum", Many, Json),
    field(21, "maxProperties", Optional, Int),
    field(22, "minProperties", Optional, Int),
    field(23, "required", Many, Text),
    field(24, "items", Optional, SchemaOrList(&SCHEMA)),
    field(25, "allOf", Many, Message(&SCHEMA)),
    field(26, "oneOf", Many, Message(&SCHEMA)),
    field(27, "anyOf", Many, Message(&SCHEMA)),
    field(28, "not", Optional, Message(&SCHEMA)),
    field(29, "properties", Map, Message(&SCHEMA)),
    field(30, "additionalProperties", Optional, SchemaOrBool(&SCHEMA)),
    field(31, "patternProperties", Map, Message(&SCHEMA)),
    field(32, "dependencies", Map, SchemaOrNames(&SCHEMA)),
    field(33, "additionalItems", Optional, SchemaOrBool(&SCHEMA)),
    field(34, "definitions", Map, Message(&SCHEMA)),
    field(35, "externalDocs", Optional, Message(&DOCUMENTATION)),
    field(36, "example", Optional, Json),
    field(37, "nullable", One, Bool),
    field(38, "x-kubernetes-preserve-unknown-fields", Optional, Bool),
    field(39, "x-kubernetes-embedded-resource", One, Bool),
    field(40, "x-kubernetes-int-or-string", One, Bool),
    field(41, "x-kubernetes-list-map-keys", Many, Text),
    field(42, "x-kubernetes-list-type", Optional, Text),
    field(43, "x-kubernetes-map-type", Optional, Text),
    field(44, "x-kubernetes-validations", Many, Message(&RULE)),
];

static DOCUMENTATION: [Field; 2] = [field(1, "description", One, Text), field(2, "url", One, Text)];

static RULE: [Field; 6] = [
    field(1, "rule", One, Text),
    field(2, "message", One, Text),
    field(3, "messageExpression", One, Text),
    field(4, "reason", Optional, Text),
    field(5, "fieldPath", One, Text),
    field(6, "optionalOldSelf", Optional, Bool),
];

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::super::{decode, read};
    use super::*;

    fn definition(raw: &[u8]) -> Result<Value, String> {
        read::read(&DEFINITION, raw)
    }

    /// A field with a length.
    fn part(number: u8, content: impl AsRef<[u8]>) -> Vec<u8> {
        let content = content.as_ref();
        let mut bytes = varint(usize::from(number) << 3 | 2);
        bytes.extend(varint(content.len()));
        bytes.extend(content);
        bytes
    }

    fn varint(mut number: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(u8::try_from(number & 0x7f).expect("seven bits") | 0x80);
            number >>= 7;
        }
        bytes.push(u8::try_from(number).expect("seven bits"));
        bytes
    }

    /// A definition with one version, which has this schema.
    fn of_schema(schema: &[u8]) -> Vec<u8> {
        part(2, part(7, part(4, part(1, schema))))
    }

    fn schema(schema: &[u8]) -> Result<Value, String> {
        let definition = definition(&of_schema(schema))?;
        Ok(definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone())
    }

    /// Every field, as upstream encodes it.
    #[test]
    fn rest_080_every_field_is_decoded() {
        let expected: Value = serde_json::from_str(include_str!("examples/definition.json")).expect("JSON");
        let bytes = include_bytes!("examples/definition.pb");
        let read = decode(bytes, "apiextensions.k8s.io/v1", "CustomResourceDefinition").expect("a definition");
        assert_eq!(read, expected);
        let fields = [&SCHEMA[..], &SPEC, &VERSION, &STATUS, &CONDITION, &RULE];
        let version = &expected["spec"]["versions"][0];
        let schema = &version["schema"]["openAPIV3Schema"];
        let status = &expected["status"];
        let rule = &schema["x-kubernetes-validations"][0];
        let examples = [schema, &expected["spec"], version, status, &status["conditions"][0], rule];
        for (fields, example) in fields.into_iter().zip(examples) {
            let missing: Vec<_> =
                fields.iter().map(|field| field.name).filter(|name| example.get(name).is_none()).collect();
            assert!(missing.is_empty(), "not in the example: {missing:?}");
        }
    }

    #[test]
    fn rest_080_zero_values_are_unset_unless_the_field_is_optional() {
        // Description, minLength, uniqueItems, x-kubernetes-preserve-unknown-fields.
        let zeros = [part(4, ""), vec![14 << 3, 0], vec![0x90, 1, 0], vec![0xb0, 2, 0]].concat();
        let expected = json!({"minLength": 0, "x-kubernetes-preserve-unknown-fields": false});
        assert_eq!(schema(&zeros), Ok(expected));
        assert_eq!(definition(&part(2, part(1, ""))), Ok(json!({"spec": {}})));
        assert_eq!(definition(b""), Ok(json!({})));
    }

    #[rstest]
    #[case::unknown_fields(&[&[0xf8, 7, 1], &*part(5, "string")].concat(), json!({"type": "string"}))]
    #[case::last_scalar([part(5, "string"), part(5, "integer")].concat(), json!({"type": "integer"}))]
    #[case::merged_messages([part(28, part(5, "a")), part(28, part(4, "b"))].concat(), json!({"not": {"type": "a", "description": "b"}}))]
    #[case::last_entry([part(29, [part(1, "k"), part(2, part(5, "a"))].concat()), part(29, part(1, "k"))].concat(), json!({"properties": {"k": {}}}))]
    #[case::entry_without_a_key(part(29, part(2, part(5, "a"))), json!({"properties": {"": {"type": "a"}}}))]
    #[case::no_json(part(8, ""), json!({"default": null}))]
    #[case::null(part(8, part(1, "null")), json!({"default": null}))]
    #[case::no_alternative(part(30, ""), json!({"additionalProperties": false}))]
    #[case::both_alternatives(part(30, [vec![8, 1], part(2, part(5, "a"))].concat()), json!({"additionalProperties": {"type": "a"}}))]
    #[case::large_integer(part(28, [&[11 << 3 | 1][..], &1e20_f64.to_le_bytes()].concat()), json!({"not": {"minimum": 1e20}}))]
    #[case::negative([&[13 << 3][..], &[0xff; 9], &[1]].concat(), json!({"maxLength": -1}))]
    fn rest_080_forms_of_the_wire(#[case] bytes: impl AsRef<[u8]>, #[case] expected: Value) {
        assert_eq!(schema(bytes.as_ref()), Ok(expected));
    }

    #[rstest]
    #[case::truncated(vec![0x2a, 5, b'a'], "unexpected EOF")]
    #[case::huge_length([vec![0x2a], vec![0xff; 9], vec![1]].concat(), "unexpected EOF")]
    #[case::huge_length_of_a_message([vec![0xe2, 1], vec![0xff; 4], vec![7]].concat(), "unexpected EOF")]
    #[case::number_as_text(vec![5 << 3, 1], "another type")]
    #[case::number_as_message(vec![0xe0, 1, 1], "another type")]
    #[case::varint_as_double(vec![9 << 3, 1], "another type")]
    #[case::packed_numbers(part(13, [1, 2]), "another type")]
    #[case::group(vec![0xe3, 1, 0xe4, 1], "another type")]
    #[case::open_group(vec![0xe3, 1], "unexpected EOF")]
    #[case::not_utf8(part(5, [0xff]), "UTF-8")]
    #[case::no_json(part(8, part(1, "{")), "json parse error")]
    #[case::no_number([&[9 << 3 | 1][..], &f64::NAN.to_le_bytes()].concat(), "not a number")]
    fn rest_080_invalid_bytes_are_refused(#[case] bytes: Vec<u8>, #[case] expected: &str) {
        let error = schema(&bytes).expect_err("a refusal");
        assert!(error.contains(expected), "{error}");
    }

    fn nested(levels: usize, inner: &[u8]) -> Vec<u8> {
        (0..levels).fold(inner.to_vec(), |inner, _| part(28, inner))
    }

    /// The JSON has six levels around the schema.
    #[test]
    fn rest_080_messages_may_be_nested_only_so_deep() {
        assert!(schema(&nested(93, b"")).is_ok());
        assert!(schema(&nested(95, b"")).is_err_and(|error| error.contains("100 levels")));
        assert!(schema(&nested(100_000, b"")).is_err_and(|error| error.contains("100 levels")));
        let lists = |levels| part(8, part(1, "[".repeat(levels) + &"]".repeat(levels)));
        assert!(schema(&nested(43, &lists(50))).is_ok());
        assert!(schema(&nested(45, &lists(50))).is_err_and(|error| error.contains("100 levels")));
    }

    proptest::proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..64)) {
            let _ = definition(&bytes);
            let _ = schema(&bytes);
        }
    }
}
