//! Legal definitions.

use serde_json::{Value, json};

use crate::{
    choice::Choices,
    schema::{SchemaShape, schema},
};

/// Groups, simple first (CRDVAL-002).
const GROUPS: &[&str] = &[
    "group.crdible.dev",
    "a.b",
    "1.2",
    "x-y.crdible.dev",
    "deeply.nested.group.of.crdible.dev",
    "example-k8s.io",
    "k8s.io.crdible.dev",
];

/// Plurals (CRDVAL-005); the last has the maximum length.
const PLURALS: &[&str] =
    &["things", "a", "x-1", "widgets9", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"];

/// Kinds; the last has the maximum length that leaves room for the suffix `List`.
const KINDS: &[&str] =
    &["Thing", "thing", "Kind-A", "T", "X9", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"];

const SINGULARS: &[&str] = &["thing", "one", "a-b", "x9"];
const LIST_KINDS: &[&str] = &["ThingList", "Things", "thinglist", "L"];
const SHORT_NAMES: &[&str] = &["th", "t", "x-y", "a9"];
const CATEGORIES: &[&str] = &["all", "apps", "c"];
const VERSIONS: &[&str] = &["v1", "v2", "v1beta1", "v1alpha1", "foo10", "v1-rc", "v10"];

/// Returns the simplest definition: one version with a minimal schema.
pub fn plain() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.group.crdible.dev" },
        "spec": {
            "group": "group.crdible.dev",
            "scope": "Cluster",
            "names": { "plural": "things", "kind": "Thing" },
            "versions": [
                { "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": { "type": "object" } } },
            ],
        },
    })
}

/// Draws a legal definition: optional names present and absent, one to four versions, subresources, columns, selectable
/// fields, and conversion. It has no empty fields, so a server returns it as sent plus [`super::with_defaults`].
pub fn definition(c: &mut Choices) -> Value {
    c.span("definition", |c| {
        let mut document = plain();
        let (group, plural) = (*c.pick(GROUPS), *c.pick(PLURALS));
        document["metadata"]["name"] = json!(format!("{plural}.{group}"));
        let spec = &mut document["spec"];
        spec["group"] = json!(group);
        spec["names"] = names(c, plural);
        if c.chance(1, 2) {
            spec["scope"] = json!("Namespaced");
        }
        spec["versions"] = json!(versions(c));
        match c.weighted(&[6, 1, 1]) {
            0 => {}
            1 => spec["conversion"] = json!({ "strategy": "None" }),
            _ => {
                c.reached("conversion by webhook");
                spec["conversion"] = webhook(c);
            }
        }
        document
    })
}

fn names(c: &mut Choices, plural: &str) -> Value {
    let mut names = json!({ "plural": plural, "kind": *c.pick(KINDS) });
    if c.chance(1, 3) {
        c.reached("singular");
        names["singular"] = json!(*c.pick(SINGULARS));
    }
    if c.chance(1, 3) {
        c.reached("listKind");
        names["listKind"] = json!(*c.pick(LIST_KINDS));
    }
    for (field, words) in [("shortNames", SHORT_NAMES), ("categories", CATEGORIES)] {
        if c.chance(1, 4) {
            c.reached(field);
            names[field] = json!(c.many_average("word", 1, 3, 1, |c, _| *c.pick(words)));
        }
    }
    names
}

fn versions(c: &mut Choices) -> Vec<Value> {
    let mut used_names: Vec<&str> = Vec::new();
    let mut versions = c.many_average("version", 1, 4, 1, |c, _| {
        let name = c.free_name(VERSIONS, |name| used_names.contains(&name)).unwrap_or("v11");
        used_names.push(name);
        version(c, name)
    });
    let stored = c.index(versions.len());
    for (index, version) in versions.iter_mut().enumerate() {
        version["storage"] = json!(index == stored);
    }
    // Selectable fields of several versions are omitted (the defect of CRDVAL-043).
    if versions.len() == 1 && c.chance(1, 5) {
        c.reached("selectableFields");
        select(c, &mut versions[0]);
    }
    versions
}

fn version(c: &mut Choices, name: &str) -> Value {
    let json = if c.chance(1, 3) {
        c.reached("schema");
        let shape = SchemaShape { max_depth: 2, max_properties: 3, any_root_keyword: false, ..SchemaShape::swarm(c) };
        schema(c, &shape).to_json()
    } else {
        json!({ "type": "object" })
    };
    let mut version = json!({ "name": name, "served": !c.chance(1, 4), "storage": false });
    version["schema"] = json!({ "openAPIV3Schema": json });
    if c.chance(1, 6) {
        c.reached("nulls in a schema");
        let schema = &mut version["schema"]["openAPIV3Schema"];
        // They are values there, and not left out.
        schema["properties"]["nulls"] = match c.draw(2) {
            0 => json!({ "type": "string", "nullable": true, "enum": ["a", null] }),
            1 => json!({ "type": "string", "nullable": true, "enum": [null] }),
            _ => json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true, "example": { "a": null } }),
        };
    }
    if c.chance(1, 6) {
        c.reached("deprecated");
        version["deprecated"] = json!(true);
        if c.chance(1, 2) {
            version["deprecationWarning"] = json!(*c.pick(&["old", "a text with blanks", "ü", "!"]));
        }
    }
    match c.weighted(&[4, 1, 1, 1]) {
        0 => {}
        1 => version["subresources"] = json!({ "status": {} }),
        2 => version["subresources"] = json!({ "scale": scale(c) }),
        _ => version["subresources"] = json!({ "scale": scale(c), "status": {} }),
    }
    if c.chance(1, 5) {
        c.reached("additionalPrinterColumns");
        version["additionalPrinterColumns"] = json!(c.many_average("column", 1, 3, 1, |c, _| column(c)));
    }
    version
}

fn scale(c: &mut Choices) -> Value {
    c.reached("scale");
    let mut scale = json!({
        "specReplicasPath": *c.pick(&[".spec.replicas", ".spec.a", ".spec."]),
        "statusReplicasPath": *c.pick(&[".status.replicas", ".status.a.b"]),
    });
    if c.chance(1, 3) {
        scale["labelSelectorPath"] = json!(*c.pick(&[".status.selector", ".spec.selector"]));
    }
    scale
}

fn column(c: &mut Choices) -> Value {
    let mut column = json!({
        "name": *c.pick(&["A", "Age", "Name", "two words"]),
        "type": *c.pick(&["string", "boolean", "date", "integer", "number"]),
        "jsonPath": *c.pick(&[".spec.a", ".metadata.creationTimestamp", "."]),
    });
    if c.chance(1, 4) {
        column["format"] = json!(*c.pick(&["int32", "date-time", "password", "byte"]));
    }
    if c.chance(1, 4) {
        column["priority"] = json!(c.between(1, 3));
    }
    if c.chance(1, 4) {
        column["description"] = json!("what it is");
    }
    column
}

fn select(c: &mut Choices, version: &mut Value) {
    let kind = *c.pick(&["string", "boolean", "integer"]);
    version["schema"]["openAPIV3Schema"]["properties"]["chosen"] = json!({ "type": kind });
    version["selectableFields"] = json!([{ "jsonPath": ".chosen" }]);
}

fn webhook(c: &mut Choices) -> Value {
    let client = if c.chance(1, 2) {
        let mut service = json!({ "name": "converter", "namespace": "default" });
        if c.chance(1, 2) {
            service["path"] = json!(*c.pick(&["/", "/convert", "/a/b.c/"]));
        }
        if c.chance(1, 2) {
            service["port"] = json!(*c.pick(&[443, 1, 8443, 65_535]));
        }
        json!({ "service": service })
    } else {
        json!({ "url": *c.pick(&["https://converter.example.com/", "https://127.0.0.1:8443/convert"]) })
    };
    let reviews = c.pick(&[&["v1"] as &[&str], &["v1beta1"], &["v2", "v1"]]).to_vec();
    json!({ "strategy": "Webhook", "webhook": { "clientConfig": client, "conversionReviewVersions": reviews } })
}
