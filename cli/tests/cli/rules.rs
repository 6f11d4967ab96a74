//! `crdible rules`: the rules of a definition, on objects, and between releases.

use rstest::rstest;
use serde_json::Value;

use crate::{manifests, process::Folder};

/// A definition with these properties of `spec`, and these rules of it.
fn definition(name: &str, rules: &[&str], properties: &str) -> String {
    let rules: Vec<String> = rules.iter().map(|rule| format!("{{rule: '{}'}}", rule.replace('\'', "''"))).collect();
    let rules = rules.join(", ");
    let spec = format!("{{type: object, x-kubernetes-validations: [{rules}], properties: {properties}}}");
    manifests::definition(name, "Gate", &spec)
}

const BOUNDED: &str = "{min: {type: integer}, max: {type: integer}, mode: {type: string, maxLength: 10, default: a}, \
     hosts: {type: array, maxItems: 5, items: {type: string, maxLength: 20}}}";

/// A definition that every release accepts.
fn gates(rules: &[&str]) -> String {
    definition("gates.example.com", rules, BOUNDED)
}

fn gate(spec: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Gate\nmetadata: {{name: a}}\nspec: {spec}\n")
}

/// A folder with a definition of these rules, and with this object.
fn folder(rules: &[&str], spec: &str) -> Folder {
    let folder = Folder::new();
    folder.write("crd.yaml", &gates(rules));
    folder.write("o.yaml", &gate(spec));
    folder
}

/// Runs it; its output must have these lines, in this order.
fn prints(folder: &Folder, arguments: &str, code: i32, lines: &[&str]) {
    let ended = folder.crdible(arguments).ends(code);
    let mut rest = ended.stdout.lines().map(str::trim);
    for line in lines {
        assert!(rest.any(|printed| printed == *line), "no line {line:?} (in this order) in:\n{}", ended.stdout);
    }
}

#[test]
fn each_rule_is_listed_with_what_it_costs() {
    let folder = folder(&["self.min <= self.max", "self.hosts.all(h, h.size() > 0)"], "{}");
    let lines = [
        "gates.example.com at Kubernetes 1.36: accepted",
        "v1: 2 rules, together 38: below 0.1 % of the limit of a version",
        "spec: self.min <= self.max",
        "costs 5: below 0.1 % of the limit",
        "spec: self.hosts.all(h, h.size() > 0)",
        "costs 33: below 0.1 % of the limit",
    ];
    prints(&folder, "rules crd.yaml", 0, &lines);
}

/// What upstream says of a definition, as the embedded server does.
#[rstest]
#[case::undeclared("self.no > 1", "| self.no > 1")]
#[case::not_a_bool("self.min", "cel expression must evaluate to a bool")]
#[case::syntax("self.min >", "Syntax error")]
fn wrong_rules_are_refused_in_upstreams_words(#[case] rule: &str, #[case] words: &str) {
    let folder = folder(&["true", rule], "{}");
    let ended = folder.crdible("rules crd.yaml").ends(1);
    assert!(ended.stdout.starts_with("gates.example.com at Kubernetes 1.36: refused\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains(&format!("\n  refused: spec: {rule}\n")), "{}", ended.stdout);
    assert!(ended.stdout.contains("compilation failed") || ended.stdout.contains(words), "{}", ended.stdout);
    assert!(ended.stdout.contains(words), "{}", ended.stdout);
    let json = folder.crdible("rules crd.yaml --output json").json(1);
    let rules = &json["releases"][0]["definition"]["versions"][0]["rules"];
    assert_eq!((rules[0]["causes"].as_array().unwrap().len(), rules[1]["cost"].is_null()), (0, true));
    let field = rules[1]["causes"][0]["field"].as_str().unwrap();
    assert!(field.ends_with("properties[spec].x-kubernetes-validations[1].rule"), "{field}");
    assert_eq!(rules[1]["causes"][0]["reason"], "FieldValueInvalid");
}

/// A rule of the unbounded elements of an unbounded list: only both bounds help.
const COSTLY: &str =
    "{type: array, items: {type: string, x-kubernetes-validations: [{rule: 'self.matches(\"^a+$\")'}]}}";

fn costly(list: &str) -> Folder {
    let folder = Folder::new();
    folder.write("crd.yaml", &definition("gates.example.com", &["true"], &format!("{{hosts: {list}}}")));
    folder
}

#[test]
fn bounds_are_named_that_make_a_rule_cheaper() {
    let folder = costly(COSTLY);
    let lines = [
        "refused: spec.hosts[*]: self.matches(\"^a+$\")",
        "Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding \
         maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)",
        "costs 329,854,746,624: 32,985 times the limit (314,574 × 1,048,576 values)",
        "maxItems: 100 at spec.hosts makes it 31,457,400: 315 % of the limit; up to 31 is within the limit",
        "and then maxLength: 256 (or an enum) at spec.hosts[*] makes it 10,400: 0.1 % of the limit; up to 249,997 is \
         within the limit",
    ];
    prints(&folder, "rules crd.yaml", 1, &lines);

    // What is promised of the bounds is what the server says of them.
    let with = |items: u64, length: &str| {
        let list = COSTLY.replace("array,", &format!("array, maxItems: {items},"));
        costly(&list.replace("type: string,", &format!("type: string,{length}"))).crdible("rules crd.yaml").code
    };
    assert_eq!([with(31, ""), with(32, "")], [Some(0), Some(1)]);
    assert_eq!([with(100, " maxLength: 249997,"), with(100, " maxLength: 249998,")], [Some(0), Some(1)]);
}

/// Of a list that has a bound already, the bound of the texts helps most.
#[test]
fn the_bound_that_helps_most_is_first() {
    let list = COSTLY.replace("array,", "array, maxItems: 50,");
    let json = costly(&list).crdible("rules crd.yaml --output json").json(1);
    let rules = json["releases"][0]["definition"]["versions"][0]["rules"].as_array().unwrap();
    let advice = rules.iter().find(|rule| rule["place"] == "spec.hosts[*]").unwrap()["cost"]["advice"].clone();
    assert_eq!(advice.as_array().unwrap().len(), 1, "{advice}");
    assert_eq!(advice[0]["bounds"][0], serde_json::json!({"keyword": "maxLength", "place": "spec.hosts[*]"}));
}

/// Each kind of decision: the rule, the object, and the lines about it.
#[rstest]
#[case::comparison("self.min <= self.max", "{min: 5, max: 3}", &["because self.min is 5", "because self.max is 3"])]
#[case::the_false_operand(
    "self.min > 0 && self.max > 9", "{min: 5, max: 3}", &["because self.max > 9 is false", "self.max is 3"]
)]
#[case::all_operands_of_or(
    "self.min > 7 || self.max > 9", "{min: 5, max: 3}",
    &["because self.min > 7 is false", "self.min is 5", "because self.max > 9 is false", "self.max is 3"]
)]
#[case::choice(
    "has(self.min) ? self.min > 7 : true", "{min: 5}",
    &["because has(self.min) is true", "because self.min > 7 is false", "self.min is 5"]
)]
#[case::negation("!(self.min in [5, 6])", "{min: 5}", &["because self.min in [5, 6] is true", "self.min is 5"])]
#[case::elements(
    "self.hosts.all(h, h.startsWith('a'))", "{hosts: [a, b, c]}",
    &["because for h = \"b\": h.startsWith('a') is false", "h is \"b\"", "because for h = \"c\": h.startsWith('a') is false"]
)]
#[case::no_element("self.hosts.exists(h, h == 'x')", "{hosts: [a]}", &["because for h = \"a\": h == 'x' is false"])]
#[case::nothing_to_look_at("self.hosts.exists(h, h == 'x')", "{hosts: []}", &["because self.hosts is []"])]
#[case::two_of_one(
    "self.hosts.exists_one(h, h == 'a')", "{hosts: [a, b, a]}",
    &["because for h = \"a\": h == 'a' is true", "because for h = \"a\": h == 'a' is true"]
)]
#[case::an_error("self.min > 0 && self.max > 0", "{min: 5}", &[
    "because self.max > 0 is error: no such key: max", "self.max is error: no such key: max"
])]
#[case::call("self.mode.matches('^b')", "{}", &["because self.mode is \"a\""])]
fn the_operand_that_decided_is_named(#[case] rule: &str, #[case] spec: &str, #[case] lines: &[&str]) {
    let folder = folder(&[rule], spec);
    prints(&folder, "rules crd.yaml o.yaml", 1, &[&[&format!("rule: {rule}")[..]], lines].concat());
}

#[test]
fn causes_are_those_of_the_server() {
    let rules = ["self.min <= self.max", "self.min > 0", "self.max > oldSelf.max"];
    let folder = folder(&rules, "{min: 5, max: 3, z: 1}");
    let lines = [
        "o.yaml, document 1 (a) at v1: refused",
        "warning: unknown field \"spec.z\", which a server removes",
        "spec: Invalid value: failed rule: self.min <= self.max",
        "self: {\"max\":3,\"min\":5,\"mode\":\"a\"}",
        "1 of 2 evaluations held",
    ];
    prints(&folder, "rules crd.yaml o.yaml", 1, &lines);
    let all = ["holds: spec: self.min > 0", "has no old value: spec: self.max > oldSelf.max"];
    prints(&folder, "rules crd.yaml o.yaml --all", 1, &all);
    assert!(!folder.crdible("rules crd.yaml o.yaml").stdout.contains("holds"), "only with --all");
}

#[test]
fn an_update_is_judged_as_one() {
    let folder = folder(&["self.max >= oldSelf.max", "self.min > 5"], "{min: 5, max: 3}");
    folder.write("lower.yaml", &gate("{min: 5, max: 2}"));
    folder.write("higher.yaml", &gate("{min: 5, max: 4}"));
    let refused = [
        "spec: Invalid value: failed rule: self.max >= oldSelf.max",
        "because self.max is 3",
        "because oldSelf.max is 4",
    ];
    prints(&folder, "rules crd.yaml o.yaml --old higher.yaml", 1, &refused);
    // The value of the second rule has changed; if nothing has, it is forgiven.
    prints(&folder, "rules crd.yaml o.yaml --old lower.yaml", 1, &["spec: Invalid value: failed rule: self.min > 5"]);
    let forgiven = ["warning (unchanged): spec: Invalid value: failed rule: self.min > 5"];
    prints(&folder, "rules crd.yaml o.yaml --old o.yaml", 0, &forgiven);
}

#[test]
fn other_errors_are_reported_and_may_keep_rules_from_being_asked() {
    let folder = folder(&["self.min > 9"], "{min: x}");
    let lines = [
        "o.yaml, document 1 (a) at v1: refused",
        "spec.min: Invalid value: \"string\": spec.min in body must be of type integer: \"string\"",
        "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the \
         existing errors to complete validation",
    ];
    prints(&folder, "rules crd.yaml o.yaml", 1, &lines);
    assert_eq!(
        folder.crdible("rules crd.yaml o.yaml --output json").json(1)["releases"][0]["objects"][0]["areRulesAsked"],
        false
    );
}

#[test]
fn a_valid_object_is_accepted() {
    let folder = folder(&["self.min > 0"], "{min: 1}");
    prints(&folder, "rules crd.yaml o.yaml", 0, &["o.yaml, document 1 (a) at v1: accepted", "1 of 1 evaluation held"]);
    folder.write("several.yaml", &format!("{}---\n{}", gate("{min: 1}"), gate("{min: 0}")));
    let lines = ["several.yaml, document 1 (a) at v1: accepted", "several.yaml, document 2 (a) at v1: refused"];
    prints(&folder, "rules crd.yaml several.yaml", 1, &lines);
}

/// In 1.37 the cost of the global function depends on the text. 1.33 lacks a function.
#[test]
fn releases_are_compared() {
    let list =
        COSTLY.replace("self.matches(\"^a+$\")", "matches(self, \"^a+$\")").replace("array,", "array, maxItems: 100,");
    let folder = costly(&list);
    let lines = [
        "what differs from 1.33 to 1.37",
        "the definition",
        "1.33 to 1.36: accepted",
        "v1 spec.hosts[*]: matches(self, \"^a+$\")",
        "1.33 to 1.36: costs 200: below 0.1 % of the limit",
    ];
    prints(&folder, "rules crd.yaml --release all", 1, &lines);
    prints(&folder, "rules crd.yaml --release 1.36", 0, &["gates.example.com at Kubernetes 1.36: accepted"]);
    prints(&folder, "rules crd.yaml --release 1.37", 1, &["gates.example.com at Kubernetes 1.37: refused"]);

    folder.write("crd.yaml", &gates(&["self.hosts.sortBy(h, h.size())[0].size() > 0"]));
    let json = folder.crdible("rules crd.yaml --release all --output json").json(1);
    let accepted: Vec<_> =
        json["releases"].as_array().unwrap().iter().map(|one| &one["definition"]["isAccepted"]).collect();
    assert_eq!(accepted, [false, false, true, true, true]);
    assert!(json["differences"][0]["releases"]["1.33"].as_str().unwrap().starts_with("refused"), "{json}");

    folder.write("crd.yaml", &gates(&["self.min > 0"]));
    prints(&folder, "rules crd.yaml --release all", 0, &["the same from 1.33 to 1.37"]);
}

#[rstest]
#[case::a_value("self.hosts", "", "list(string)", "[\"a\", \"b\"]", 0)]
#[case::true_at_an_element("self=='b'", ".hosts[1]", "bool", "true", 0)]
#[case::a_default("self", ".mode", "string", "\"a\"", 0)]
#[case::false_is_a_failure("self.min>9", "", "bool", "false", 1)]
#[case::an_error("self.max>9", "", "bool", "error: no such key: max", 1)]
fn expressions_are_evaluated(
    #[case] expression: &str,
    #[case] at: &str,
    #[case] of: &str,
    #[case] value: &str,
    #[case] code: i32,
) {
    let folder = folder(&["true"], "{min: 1, hosts: [a, b]}");
    let ended = folder.crdible(&format!("rules crd.yaml o.yaml --at spec{at} --expression {expression} --output json"));
    let json: Value = ended.json(code);
    let found = &json["releases"][0]["expressions"][0];
    assert_eq!((&found["type"], &found["decision"]["value"]), (&of.into(), &value.into()), "{json}");
    assert!(found["spent"].as_u64().unwrap() <= found["mostCost"].as_u64().unwrap(), "{json}");
}

#[test]
fn without_an_object_an_expression_has_a_type_and_a_cost() {
    let folder = folder(&["true"], "{}");
    let lines = ["gates.example.com v1 at Kubernetes 1.36: self is spec.hosts[*]", "type: int"];
    prints(&folder, "rules crd.yaml --at spec.hosts[*] --expression self.size()", 0, &lines);
    let lines = ["refused: ERROR: <input>:1:1: undeclared reference to 'other' (in container '')", "| other", "| ^"];
    prints(&folder, "rules crd.yaml --expression other", 1, &lines);
}

#[test]
fn one_of_several_definitions_is_chosen() {
    let folder = Folder::new();
    let second = definition("doors.other.org", &["self.min > 0"], "{min: {type: integer}}");
    folder.write("crds.yaml", &format!("{}---\n{second}", gates(&["true"])));
    folder.write("o.yaml", &gate("{min: 0}").replace("example.com", "other.org"));
    let first = folder.crdible("rules crds.yaml").ends(0);
    assert!(first.stdout.starts_with("gates.example.com at"), "{}", first.stdout);
    first.remarks(&["crds.yaml: this is gates.example.com; --name chooses another one"]);
    prints(&folder, "rules crds.yaml --name doors.other.org", 0, &["doors.other.org at Kubernetes 1.36: accepted"]);
    // Without a name, the object decides.
    prints(&folder, "rules crds.yaml o.yaml", 1, &["spec: Invalid value: failed rule: self.min > 0"]);
}

#[rstest]
#[case::absent("absent.yaml", &["absent.yaml", "No such file"])]
#[case::no_yaml("broken.yaml", &["broken.yaml, document 1", "yaml"])]
#[case::empty("empty.yaml", &["empty.yaml: it is empty"])]
#[case::no_definition("o.yaml", &["o.yaml: no CustomResourceDefinition is there", "kubectl get crd"])]
#[case::v1beta1("beta.yaml", &["beta.yaml, document 1", "apiextensions.k8s.io/v1beta1", "1.22"])]
#[case::without_versions("none.yaml", &["none.yaml, document 1", "spec.versions is missing or empty"])]
#[case::no_such_name("crd.yaml --name doors.example.com", &["--name doors.example.com", "gates.example.com"])]
#[case::no_release("crd.yaml --release latest", &["latest", "1.36"])]
#[case::other_kind("crd.yaml other.yaml", &["other.yaml, document 1: it is a Door of example.com/v1", "Gate of example.com"])]
#[case::other_version("crd.yaml later.yaml", &["later.yaml, document 1: its apiVersion is example.com/v9", "gates.example.com are v1"])]
#[case::without_a_version("crd.yaml bare.yaml", &["bare.yaml, document 1", "`apiVersion`"])]
#[case::empty_object("crd.yaml empty.yaml", &["empty.yaml: it is empty"])]
#[case::several_of_an_update("crd.yaml two.yaml --old o.yaml", &["two.yaml: with --old there must be one object, and here are 2"])]
#[case::several_old("crd.yaml o.yaml --old two.yaml", &["--old two.yaml: it must have one object, and has 2"])]
#[case::wrong_type("typed.yaml o.yaml", &["typed.yaml, document 1: a value in it has a wrong type"])]
#[case::old_without_a_new("crd.yaml --old o.yaml", &["OBJECT"])]
#[case::wrong_metadata("crd.yaml meta.yaml", &["meta.yaml, document 1: no server reads it", "name"])]
#[case::no_field("crd.yaml --at spec.no --expression self", &["--at spec.no", "spec has in the schema: hosts, max, min, mode"])]
#[case::no_value("crd.yaml o.yaml --at spec.max --expression self", &["--at spec.max", "o.yaml, document 1", "spec has: min, mode"])]
#[case::no_element("crd.yaml o.yaml --at spec.min[0] --expression self", &["--at spec.min[0]", "spec.min"])]
#[case::no_path("crd.yaml o.yaml --at spec..x --expression self", &["`spec..x` is not a path"])]
#[case::at_without_an_expression("crd.yaml o.yaml --at spec", &["--expression"])]
fn bad_input_gets_a_reason(#[case] arguments: &str, #[case] words: &[&str]) {
    let folder = folder(&["true"], "{min: 1}");
    folder.write("broken.yaml", "a: [\n");
    folder.write("empty.yaml", "");
    folder.write("beta.yaml", &gates(&["true"]).replace("k8s.io/v1", "k8s.io/v1beta1"));
    folder.write("none.yaml", gates(&["true"]).split_once("  versions:").unwrap().0);
    folder.write("typed.yaml", &gates(&["true"]).replace("served: true", "served: 'yes'"));
    folder.write("other.yaml", &gate("{}").replace("Gate", "Door"));
    folder.write("later.yaml", &gate("{}").replace("/v1", "/v9"));
    folder.write("bare.yaml", &gate("{}").replace("apiVersion: example.com/v1\n", ""));
    folder.write("two.yaml", &format!("{}---\n{}", gate("{}"), gate("{}")));
    folder.write("meta.yaml", &gate("{}").replace("name: a", "name: [a]"));
    folder.crdible(&format!("rules {arguments}")).complains(2, words);
}

/// What no server reads has no rules, and a reason.
#[test]
fn a_definition_that_cannot_be_read_is_refused() {
    let folder = Folder::new();
    folder.write("crd.yaml", &gates(&["true"]).replace("  scope:", "  scpoe: x\n  scope:"));
    prints(&folder, "rules crd.yaml", 0, &["warning: unknown field \"spec.scpoe\""]);
    folder.write("crd.yaml", &gates(&["true"]).replace("served: true", "served: 'yes'"));
    let ended = folder.crdible("rules crd.yaml").ends(1);
    assert!(
        ended.stdout.contains("refused\n  CustomResourceDefinition in version \"v1\" cannot be handled"),
        "{ended:?}"
    );
    folder.write("crd.yaml", &gates(&["true"]).replace("maxItems: 5", "maxItems: x"));
    folder.crdible("rules crd.yaml").ends(1).prints(&["cannot be handled"]);
    folder.write("o.yaml", &gate("{}"));
    folder.crdible("rules crd.yaml o.yaml").complains(2, &["the schema of v1 cannot be read", "maxItems"]);
}

/// Bounds of maps, of what is around them, and of what has a bound that is too high.
#[test]
fn bounds_of_maps_and_high_bounds_are_named() {
    let map = "{type: object, additionalProperties: {type: array, maxItems: 5000, items: {type: string, maxLength: 99, \
        x-kubernetes-validations: [{rule: 'self.matches(\"^a+$\")'}]}}}";
    let json = costly(map).crdible("rules crd.yaml --output json").json(1);
    let rules = json["releases"][0]["definition"]["versions"][0]["rules"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["place"] == "spec.hosts.*[*]").unwrap();
    assert_eq!(rule["cost"]["advice"][0]["bounds"][0]["keyword"], "maxProperties", "{rule}");
    assert_eq!(rule["cost"]["advice"][0]["bounds"][0]["place"], "spec.hosts", "{rule}");
    assert_eq!(rule["cost"]["advice"][1]["bounds"][0]["keyword"], "maxItems", "{rule}");
}

#[test]
fn a_repeated_key_is_named_with_its_line() {
    let folder = folder(&["self.hosts.all(h, h != '')"], "{}");
    folder.write("twice.yaml", "apiVersion: example.com/v1\nkind: Gate\nmetadata: {name: a}\nspec:\n  a: 1\n  a: 2\n");
    folder.crdible("rules crd.yaml twice.yaml").complains(2, &["twice.yaml", "line 6: a key is repeated"]);
}

/// Hostile files end with an answer, not with a crash.
#[test]
fn deep_and_large_files_are_survived() {
    let folder = folder(&["self.hosts.all(h, h != '')"], "{}");
    let deep = format!("{}{}", "[".repeat(9_000), "]".repeat(9_000));
    folder.write("deep.json", &format!("{{\"apiVersion\": \"example.com/v1\", \"kind\": \"Gate\", \"metadata\": {{\"name\": \"a\"}}, \"spec\": {{\"x\": {deep}}}}}"));
    folder.crdible("rules crd.yaml deep.json").complains(2, &["deep.json", "nested deeper than 128 levels"]);
    let hosts: Vec<&str> = vec!["''"; 100_000];
    folder.write("large.yaml", &gate(&format!("{{hosts: [{}]}}", hosts.join(","))));
    prints(&folder, "rules crd.yaml large.yaml", 1, &["spec.hosts: Too many: 100000: must have at most 5 items"]);
    folder.write("crd.yaml", &gates(&[&"(".repeat(5_000)]));
    folder.crdible("rules crd.yaml").ends(1);
}
