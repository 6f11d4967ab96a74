//! VALUE-014, VALUE-015: enforced formats, and what each of them takes.

use crdible_generators::{choice::Choices, format};
use crdible_semantics::Format;
use serde_json::json;

use super::{
    format_table::{Row, TABLE},
    shared::{Example, JUDGING, NIL, Sample, examples, samples},
};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const ENFORCED: &[&str] = &["VALUE-014", "VALUE-015"];
const NEW: &[&str] = &["VALUE-014", "VALUE-014/e1", "VALUE-015"];

pub(super) const PROPERTY: Property = Property {
    id: "value-014-formats",
    title: "a text of an enforced format is accepted, another refused with one cause, in the node or in a branch",
    asserts: NEW,
    needs: JUDGING,
    edges: &[Edge { name: "table", plan: table }, Edge { name: "spellings", plan: spellings }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let (name, is_in_branch) = choices.span("node", |choices| (format::name(choices), choices.chance(1, 4)));
    let node = if is_in_branch {
        json!({ "type": "string", "allOf": [{ "format": name }] })
    } else {
        json!({ "type": "string", "format": name })
    };
    let known = Format::named(&name).unwrap_or(Format::Password);
    let asserts = if name.starts_with("k8s") { NEW } else { ENFORCED };
    samples(choices, &node, |choices| {
        let broken = if choices.chance(1, 2) { format::broken(choices, known) } else { None };
        let Some(text) = broken else {
            let text = format::valid(choices, known);
            return Sample::kept("of-the-format", asserts, json!(text));
        };
        let mut causes = vec![("", "TypeInvalid")];
        causes.extend(is_in_branch.then_some(NIL));
        Sample::refused("of-no-format", asserts, json!(text), causes)
    })
}

/// The texts that the specification names.
fn table() -> Scenario {
    let of_row = |(name, accepted, rejected): &Row| {
        let name = *name;
        let asserts = if name.starts_with("k8s") { NEW } else { ENFORCED };
        let kept = accepted.iter().map(|text| Sample::kept(name, asserts, json!(text)));
        let refused = rejected.iter().map(|text| Sample::refused(name, asserts, json!(text), [("", "TypeInvalid")]));
        Example(json!({ "type": "string", "format": name }), kept.chain(refused).collect())
    };
    examples(TABLE.iter().map(of_row).collect())
}

/// Dashes do not count in the name, and case does.
fn spellings() -> Scenario {
    let refused = || Sample::refused("spelling", &["VALUE-014"], json!("x"), [("", "TypeInvalid")]);
    let taken = || Sample::kept("spelling", &["VALUE-014"], json!("x"));
    let example = |name: &str, sample: Sample| Example(json!({ "type": "string", "format": name }), vec![sample]);
    examples(vec![
        example("date", refused()),
        example("d-a-t-e", refused()),
        example("datetime", refused()),
        example("date-time", refused()),
        example("-uuid-", refused()),
        example("k8sshortname", Sample::refused("spelling", NEW, json!("X"), [("", "TypeInvalid")])),
        example("Date", taken()),
        example("DATE-TIME", taken()),
        example("date_time", taken()),
    ])
}
