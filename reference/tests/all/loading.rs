//! Loading manifests into a server.

use std::fs;

use crdible_reference::{Manifests, Problems};
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{THINGS, Target, With, definition_of, schema, thing, things};

/// A temporary folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// The problems, without the path of the folder.
fn listed_problems(problems: &Problems, folder: &TempDir) -> Vec<String> {
    let path = format!("{}/", folder.path().display());
    problems.0.iter().map(|problem| problem.to_string().replace(&path, "")).collect()
}

#[test]
fn definitions_are_loaded_first_and_namespaces_created() {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [thing("c", &json!({"n": 3}))]});
    let elsewhere = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: elsewhere}\nspec: {a: x}\n\
        ---\napiVersion: v1\nkind: Namespace\nmetadata: {name: declared, labels: {a: b}}\n";
    let folder = folder(&[
        ("a/objects.yaml", elsewhere),
        ("a/list.json", &list.to_string()),
        ("b.yml", "# nothing\n---\n"),
        ("z/definition.json", &things().to_string()),
        ("README.md", "Not a manifest, and ignored."),
        (".hidden.yaml", "- not a manifest\n"),
        // kubebuilder writes it.
        ("z/kustomization.yaml", "resources: [definition.json]\n"),
    ]);
    let target = Target::new();
    let manifests = Manifests::read([folder.path()]).expect("manifests");
    assert_eq!(manifests.len(), 4);
    let loaded = target.0.load(&manifests).expect("all is created");
    assert_eq!((loaded.definitions, loaded.objects, loaded.namespaces), (1, 3, 1));
    assert_eq!(target.get("/apis/example.com/v1/namespaces/elsewhere/things/a").body["spec"]["d"], "dd", "DEFAULT-001");
    assert_eq!(target.get(THINGS).names(), ["c"]);
    assert_eq!(target.get("/api/v1/namespaces/declared").body["metadata"]["labels"]["a"], "b");
}

#[test]
fn cluster_scoped_objects_have_no_namespace() {
    let definition = things().with("/spec/scope", "Cluster");
    let target = Target::new();
    let manifests = Manifests::parse("both", &format!("{definition}\n{}", thing("a", &json!({})))).expect("manifests");
    target.0.load(&manifests).expect("all is created");
    assert_eq!(target.get("/apis/example.com/v1/things").names(), ["a"]);
}

#[test]
fn invalid_manifests_are_reported_with_file_and_reason() {
    let folder = folder(&[
        ("a.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: fine}\n---\n- 1\n"),
        ("b.json", "{"),
        ("c.yaml", "kind: Thing\n"),
    ]);
    let problems = Manifests::read([folder.path()]).expect_err("no manifests");
    let listed = listed_problems(&problems, &folder);
    assert_eq!(listed.len(), 3, "{listed:#?}");
    assert_eq!(listed[0], "a.yaml, document 2: not a manifest: expected an object with `apiVersion` and `kind`");
    assert!(listed[1].starts_with("b.json, document 1: EOF while parsing"), "{listed:#?}");
    assert_eq!(listed[2], "c.yaml, document 1: not a manifest: `apiVersion` must be a non-empty string");
}

#[rstest]
#[case::absent("absent.yaml", "absent.yaml: cannot be read: No such file")]
#[case::folder_without_any("empty", "empty: the folder contains no *.yaml")]
fn paths_without_manifests(#[case] path: &str, #[case] expected: &str) {
    let folder = folder(&[("empty/text.txt", "")]);
    let problems = Manifests::read([folder.path().join(path)]).expect_err("nothing to read");
    let listed = listed_problems(&problems, &folder);
    assert!(listed.len() == 1 && listed[0].starts_with(expected), "{listed:?}");
}

/// An object is refused with the message of the `Status` that a client would get.
#[rstest]
#[case::invalid(thing("a", &json!({"n": "x"})), "Thing.example.com \"a\" is invalid: spec.n: Invalid value: ")]
#[case::unknown_field(thing("a", &json!({"zzz": 1})), "strict decoding error: unknown field \"spec.zzz\"")]
#[case::unknown_kind(
    json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}),
    "no matches for kind \"Deployment\" in version \"apps/v1\"",
)]
#[case::bad_namespace(
    thing("a", &json!({})).with("/metadata/namespace", "a/b"),
    "cannot create namespace \"a/b\": Namespace \"a/b\" is invalid",
)]
fn refused_objects_are_reported(#[case] object: Value, #[case] expected: &str) {
    let target = Target::with(&things());
    let problems =
        target.0.load(&Manifests::parse("f", &object.to_string()).expect("a manifest")).expect_err("a refusal");
    let listed: Vec<String> = problems.0.iter().map(ToString::to_string).collect();
    let [problem] = &*listed else { panic!("{listed:#?}") };
    assert!(problem.starts_with("f, document 1: ") && problem.contains(expected), "{problem}");
    assert_eq!(target.get(THINGS).names(), Vec::<&str>::new());
}

#[test]
fn warnings_are_reported_with_their_position() {
    let definition = definition_of(&schema(&json!({"a": {"type": "string", "format": "nonsense"}})));
    let manifests = Manifests::parse("f", &definition.to_string()).expect("a manifest");
    let loaded = Target::new().0.load(&manifests).expect("a definition");
    assert_eq!(loaded.warnings, ["f, document 1: unrecognized format \"nonsense\""]);
}
