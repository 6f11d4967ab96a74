//! What quantifiers must not have: STRUCT-008, STRUCT-010.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, NotSupported, Required},
};
use serde_json::{Map, Value, json};

use super::nodes::{
    EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PRESERVE, embedded, list, object, with,
};
use crate::rule::row::{Asserts, Row, Site};

pub(super) fn rows() -> Vec<Row> {
    [keywords(), topology(), metadata()].into_iter().flatten().collect()
}

fn keywords() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-008"]);
    const ZERO: Asserts = Asserts(&["STRUCT-008/e2"]);
    let of_one_keyword = |(path, value): (&'static str, Value)| {
        RULE.refuses(path.trim_start_matches('.'), json!({ &path[1..]: value }), &[Cause::of(path, Forbidden)])
    };
    let mut rows: Vec<Row> = [
        (".default", json!("x")),
        (".default", json!(0)),
        (".default", json!(false)),
        (".default", json!({})),
        (".description", json!("text")),
        (".title", json!("text")),
        (".type", json!("string")),
        (".type", json!("object")),
        (".type", json!("array")),
        (".additionalProperties", json!(true)),
        (".additionalProperties", json!({})),
        (".additionalProperties", json!({ "type": "string" })),
        (".x-kubernetes-preserve-unknown-fields", json!(true)),
        (".x-kubernetes-embedded-resource", json!(true)),
        (".x-kubernetes-int-or-string", json!(true)),
        (".x-kubernetes-validations", json!([{ "rule": "true" }])),
    ]
    .into_iter()
    .map(of_one_keyword)
    .collect();
    let all =
        json!({ "default": "x", "title": "x", "description": "x", "nullable": true, "type": "string", PRESERVE: true });
    rows.extend([
        of_one_keyword((".nullable", json!(true))).also(&["STRUCT-022"]),
        RULE.refuses(
            "default-beside-others",
            json!({ "default": "x", "minLength": 1 }),
            &[Cause::of(".default", Forbidden)],
        ),
        RULE.refuses(
            "type-beside-others",
            json!({ "type": "object", "required": ["q"] }),
            &[Cause::of(".type", Forbidden)],
        ),
        RULE.refuses(
            "two-keywords",
            json!({ "nullable": true, "description": "d" }),
            &[Cause::of(".nullable", Forbidden), Cause::of(".description", Forbidden)],
        ),
        RULE.refuses(
            "all-at-once",
            all,
            &[
                Cause::of(".default", Forbidden),
                Cause::of(".title", Forbidden),
                Cause::of(".description", Forbidden),
                Cause::of(".nullable", Forbidden),
                Cause::of(".type", Forbidden),
                Cause::of(".x-kubernetes-preserve-unknown-fields", Forbidden),
            ],
        ),
        // Of a rule about types, too (CRDVAL-029).
        RULE.refuses(
            "unknown-type",
            json!({ "type": "text" }),
            &[Cause::of(".type", Forbidden), Cause::of(".type", NotSupported)],
        )
        .apart(),
        RULE.refuses(
            "below-a-property",
            json!({ "properties": { "q": { "nullable": true } } }),
            &[Cause::of(".properties[q].nullable", Forbidden)],
        ),
        ZERO.refuses(
            "false-beside-properties",
            json!({ "properties": { "q": {} }, "additionalProperties": false }),
            &[Cause::of(".additionalProperties", Forbidden)],
        ),
        ZERO.refuses(
            "preserving-false",
            json!({ PRESERVE: false }),
            &[Cause::of(".x-kubernetes-preserve-unknown-fields", Invalid)],
        )
        .hiding(),
        ZERO.accepts("zeros", zeros()),
    ]);
    let rows = rows.into_iter().map(|row| row.at(Site::Branch));
    let at_root = |name, keywords: Value, path| {
        let root = with(json!({ "type": "object" }), &keywords);
        RULE.refuses(name, root, &[Cause::of(path, Forbidden)]).at(Site::Root)
    };
    rows.chain([
        at_root("root-not", json!({ "not": { "nullable": true } }), ".not.nullable"),
        at_root("root-one-of", json!({ "oneOf": [{ "default": 1 }] }), ".oneOf[0].default"),
    ])
    .collect()
}

/// All keywords with values that count as absent.
fn zeros() -> Value {
    let flags = [EMBEDDED, INT_OR_STRING, "nullable"].map(|keyword| (keyword, json!(false)));
    let texts = ["type", "description", "title"].map(|keyword| (keyword, json!("")));
    let lists = [LIST_MAP_KEYS, "x-kubernetes-validations"].map(|keyword| (keyword, json!([])));
    let nulls = ["default", "additionalProperties", PRESERVE, LIST_TYPE, "items"].map(|keyword| (keyword, Value::Null));
    let all = [flags.as_slice(), &texts, &lists, &nulls].concat();
    Value::Object(all.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)).collect::<Map<_, _>>())
}

/// Keywords of lists and maps; each has a second cause, because a branch has no type.
fn topology() -> Vec<Row> {
    const EDGE: Asserts = Asserts(&["STRUCT-008/e3"]);
    let list_type = Cause::of(".x-kubernetes-list-type", Forbidden);
    let map_type = Cause::of(".x-kubernetes-map-type", Forbidden);
    let (untyped, typed) = (Cause::of(".type", Required), Cause::of(".type", Forbidden));
    let keys = &[Cause::of(".x-kubernetes-list-map-keys", Forbidden), Cause::of(".x-kubernetes-list-type", Required)];
    let mut rows = vec![EDGE.refuses("list-map-keys", json!({ LIST_MAP_KEYS: ["k"] }), keys)];
    for value in ["atomic", "set"] {
        let of_array = json!({ "type": "array", LIST_TYPE: value });
        rows.push(EDGE.refuses("list-type", json!({ LIST_TYPE: value }), &[list_type, untyped]));
        rows.push(EDGE.refuses("list-type-with-its-type", of_array, &[list_type, typed]));
    }
    for value in ["atomic", "granular"] {
        let of_object = json!({ "type": "object", MAP_TYPE: value });
        rows.push(EDGE.refuses("map-type", json!({ MAP_TYPE: value }), &[map_type, untyped]));
        rows.push(EDGE.refuses("map-type-with-its-type", of_object, &[map_type, typed]));
    }
    rows.into_iter().map(|row| row.at(Site::Branch)).collect()
}

fn metadata() -> Vec<Row> {
    const BOTH: Asserts = Asserts(&["STRUCT-010", "STRUCT-010/e1"]);
    const EDGE: Asserts = Asserts(&["STRUCT-010/e1"]);
    let of_metadata = |inner: Value| json!({ "properties": { "metadata": inner } });
    let mention = || of_metadata(json!({}));
    let declared = || object(json!({ "metadata": { "type": "object" } }));
    let first = Cause::of(".allOf[0].properties[metadata]", Forbidden);
    let branch = &[Cause::of(".properties[metadata]", Forbidden)];
    vec![
        BOTH.refuses("any", mention(), branch).at(Site::Branch),
        BOTH.refuses("bounded", of_metadata(json!({ "minProperties": 1 })), branch).at(Site::Branch),
        BOTH.refuses("required-name", of_metadata(json!({ "required": ["name"] })), branch).at(Site::Branch),
        BOTH.refuses("name", of_metadata(json!({ "properties": { "name": { "maxLength": 3 } } })), branch)
            .at(Site::Branch),
        BOTH.refuses(
            "below-a-property",
            json!({ "properties": { "q": mention() } }),
            &[Cause::of(".properties[q].properties[metadata]", Forbidden)],
        )
        .at(Site::Branch),
        BOTH.refuses("root", with(declared(), &json!({ "allOf": [mention()] })), &[first]).at(Site::Root),
        BOTH.refuses(
            "root-any-of",
            with(declared(), &json!({ "anyOf": [{}, mention()] })),
            &[Cause::of(".anyOf[1].properties[metadata]", Forbidden)],
        )
        .at(Site::Root),
        EDGE.refuses(
            "root-undeclared",
            json!({ "type": "object", "allOf": [mention()] }),
            &[first, Cause::of(".properties[metadata]", Required)],
        )
        .at(Site::BareRoot),
        EDGE.refuses(
            "user-field",
            with(object(json!({ "a": declared() })), &json!({ "allOf": [{ "properties": { "a": mention() } }] })),
            &[Cause::of(".allOf[0].properties[a].properties[metadata]", Forbidden)],
        ),
        EDGE.refuses(
            "embedded",
            with(embedded(json!({ "metadata": { "type": "object" } })), &json!({ "allOf": [mention()] })),
            &[first],
        ),
        BOTH.refuses(
            "metadata-in-metadata",
            with(object(json!({ "metadata": declared() })), &json!({ "not": of_metadata(mention()) })),
            &[
                Cause::of(".not.properties[metadata]", Forbidden),
                Cause::of(".not.properties[metadata].properties[metadata]", Forbidden),
            ],
        ),
        BOTH.refuses(
            "of-elements",
            with(list(declared()), &json!({ "anyOf": [{}, { "items": mention() }] })),
            &[Cause::of(".anyOf[1].items.properties[metadata]", Forbidden)],
        ),
    ]
}
