//! Every change of shape works both ways.

use crdible_webhooks::{Chain, Place, Reshape, Step};
use rstest::rstest;
use serde_json::{Value, json};

fn place(text: &str) -> Place {
    text.parse().unwrap()
}

fn chain(steps: Vec<Step>) -> Chain {
    Chain { versions: vec!["v1".into(), "v2".into()], steps: vec![steps] }
}

fn name() -> String {
    "a".to_owned()
}

#[rstest]
#[case::rename(Reshape::Rename { at: place("spec"), from: name(), to: "b".into() },
    json!({"spec": {"a": null, "x": 1}}), json!({"spec": {"b": null, "x": 1}}))]
#[case::in_every_element(Reshape::Rename { at: place("spec/l/*"), from: name(), to: "b".into() },
    json!({"spec": {"l": [{"a": 1}, 2, {"a": 3}]}}), json!({"spec": {"l": [{"b": 1}, 2, {"b": 3}]}}))]
#[case::in_every_value(Reshape::Rename { at: place("spec/m/*"), from: name(), to: "b".into() },
    json!({"spec": {"m": {"a": {"a": 1}}}}), json!({"spec": {"m": {"a": {"b": 1}}}}))]
#[case::at_the_root(
    Reshape::Rename { at: Place::root(), from: name(), to: "b".into() }, json!({"a": 1}), json!({"b": 1})
)]
#[case::gather(Reshape::Gather { at: place("spec"), properties: vec![name(), "b".into()], into: "c".into() },
    json!({"spec": {"a": 1, "d": 2}}), json!({"spec": {"c": {"a": 1}, "d": 2}}))]
#[case::gather_nothing(Reshape::Gather { at: place("spec"), properties: vec![name()], into: "c".into() },
    json!({"spec": {"d": 2}}), json!({"spec": {"d": 2}}))]
#[case::split(
    Reshape::Split { at: place("spec"), property: name(), separator: ":".into(), into: ["h".into(), "p".into()] },
    json!({"spec": {"a": "x:"}}),
    json!({"spec": {"a": {"h": "x", "p": ""}}})
)]
#[case::split_of_three(
    Reshape::Split { at: place("spec"), property: name(), separator: ":".into(), into: ["h".into(), "p".into()] },
    json!({"spec": {"a": "x:y:z"}}),
    json!({"spec": {"a": "x:y:z"}})
)]
#[case::wrap(Reshape::Wrap { at: place("spec"), property: name() },
    json!({"spec": {"a": [1]}}), json!({"spec": {"a": [[1]]}}))]
#[case::wrap_null(
    Reshape::Wrap { at: place("spec"), property: name() }, json!({"spec": {"a": null}}), json!({"spec": {"a": null}})
)]
#[case::key(Reshape::Key { at: place("spec"), property: name(), key: "k".into() },
    json!({"spec": {"a": [{"k": "x"}, {"k": "y", "v": 1}]}}), json!({"spec": {"a": {"x": {}, "y": {"v": 1}}}}))]
#[case::key_twice(Reshape::Key { at: place("spec"), property: name(), key: "k".into() },
    json!({"spec": {"a": [{"k": "x"}, {"k": "x"}]}}), json!({"spec": {"a": [{"k": "x"}, {"k": "x"}]}}))]
#[case::key_of_none(Reshape::Key { at: place("spec"), property: name(), key: "k".into() },
    json!({"spec": {"a": []}}), json!({"spec": {"a": {}}}))]
#[case::scale(Reshape::Scale { at: place("spec"), property: name(), factor: 1000 },
    json!({"spec": {"a": -2}}), json!({"spec": {"a": -2000}}))]
#[case::print(Reshape::Print { at: place("spec"), property: name() },
    json!({"spec": {"a": i64::MIN}}), json!({"spec": {"a": "-9223372036854775808"}}))]
#[case::recode(
    Reshape::Recode {
        at: place("spec"),
        property: name(),
        values: vec![(json!(true), json!("On")), (json!(false), json!("Off"))],
    },
    json!({"spec": {"a": false}}),
    json!({"spec": {"a": "Off"}})
)]
#[case::stash(Reshape::Stash { at: place("spec"), property: name(), annotation: "x/a".into() },
    json!({"metadata": {"name": "n"}, "spec": {"a": {"b": [1]}}}),
    json!({"metadata": {"name": "n", "annotations": {"x/a": "{\"b\":[1]}"}}, "spec": {}}))]
fn both_ways(#[case] reshape: Reshape, #[case] earlier: Value, #[case] later: Value) {
    for (step, from, to, before, after) in [
        (Step::of(reshape.clone()), "v1", "v2", &earlier, &later),
        (Step::of(reshape.clone()), "v2", "v1", &later, &earlier),
        (Step::reversed(reshape.clone()), "v1", "v2", &later, &earlier),
        (Step::reversed(reshape), "v2", "v1", &earlier, &later),
    ] {
        let mut object = before.clone();
        chain(vec![step.clone()]).reshape(&mut object, from, to).unwrap();
        assert_eq!(object, *after, "{step:?} from {from}");
    }
}

#[test]
fn what_is_dropped_stays_lost() {
    let lossy = chain(vec![Step::of(Reshape::Drop { at: place("spec"), property: name() })]);
    let mut object = json!({"spec": {"a": 1, "b": 2}});
    lossy.reshape(&mut object, "v1", "v2").unwrap();
    lossy.reshape(&mut object, "v2", "v1").unwrap();
    assert_eq!(object, json!({"spec": {"b": 2}}));
}

#[test]
fn steps_of_a_long_way_apply_in_order_and_back() {
    let rename =
        |from: &str, to: &str| vec![Step::of(Reshape::Rename { at: place("spec"), from: from.into(), to: to.into() })];
    let versions = ["v1", "v2", "v3"].map(str::to_owned).to_vec();
    let long = Chain { versions, steps: vec![rename("a", "b"), rename("b", "c")] };
    let mut object = json!({"apiVersion": "g/v1", "spec": {"a": 1}});
    long.convert(&mut object, "g/v3").unwrap();
    assert_eq!(object, json!({"apiVersion": "g/v3", "spec": {"c": 1}}));
    long.convert(&mut object, "g/v1").unwrap();
    assert_eq!(object, json!({"apiVersion": "g/v1", "spec": {"a": 1}}));
}

#[rstest]
#[case::unknown(json!({"apiVersion": "g/v9"}), "g/v1", "unknown version `v9`")]
#[case::unknown_desired(json!({"apiVersion": "g/v1"}), "g/v9", "unknown version `v9`")]
#[case::other_group(json!({"apiVersion": "h/v1"}), "g/v2", "group `h`")]
#[case::no_version(json!({}), "g/v2", "cannot convert ``")]
#[case::no_object(json!([1]), "g/v2", "cannot convert ``")]
fn what_cannot_be_converted(#[case] mut object: Value, #[case] desired: &str, #[case] words: &str) {
    let before = object.clone();
    let error = chain(Vec::new()).convert(&mut object, desired).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    assert_eq!(object, before);
}

#[test]
fn steps_are_plain_in_files() {
    let steps = chain(vec![Step::reversed(Reshape::Wrap { at: place("spec/l/*"), property: name() })]);
    let file = json!({
        "versions": ["v1", "v2"],
        "steps": [[{ "wrap": { "at": "spec/l/*", "property": "a" }, "reversed": true }]],
    });
    assert_eq!(serde_json::to_value(&steps).unwrap(), file);
    assert_eq!(serde_json::from_value::<Chain>(file).unwrap(), steps);
    serde_json::from_value::<Place>(json!("spec//a")).unwrap_err();
}
