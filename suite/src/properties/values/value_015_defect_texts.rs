//! VALUE-015, where kube-apiserver 1.36 breaks it: texts of `date-time` and `hostname`.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{JUDGING, Sample, samples};
use crate::{properties::Property, scenario::Scenario};

const ASSERTS: &[&str] = &["VALUE-015"];

pub(super) const PROPERTY: Property = Property {
    id: "value-015-defect-texts",
    title: "date-times with impossible offsets or text behind them, and hostnames of symbols, are refused; plain labels are taken",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let is_host = choices.chance(1, 2);
    let node = json!({ "type": "string", "format": if is_host { "hostname" } else { "date-time" } });
    samples(choices, &node, |choices| {
        let (text, is_right) = if is_host {
            *choices.pick(&[("a-", false), ("+", false), ("$", false), ("☃", false), ("ab-c", true), ("a-b-c", true)])
        } else {
            *choices.pick(&[
                ("2020-01-01T00:00:00+99:99", false),
                ("2020-01-01T00:00:00-24:00", false),
                ("2020-01-01T00:00:00ZTxyz", false),
            ])
        };
        if is_right {
            return Sample::kept("taken", ASSERTS, json!(text));
        }
        Sample::refused("refused", ASSERTS, json!(text), [("", "TypeInvalid")])
    })
}
