//! VALUE-014, VALUE-015: enforced formats, and what each of them takes.

use crdible_generators::{choice::Choices, format};
use crdible_semantics::Format;
use serde_json::{Value, json};

use super::{
    format_table::{Row, TABLE},
    shared::{Around, Example, JUDGING, Refused, Sample, Verdict, Within, examples, fields, samples},
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

/// A node with a format.
struct Formatted {
    format: Format,
    name: String,
    within: Within,
}

impl Formatted {
    fn draw(choices: &mut Choices) -> Self {
        let format = format::any(choices);
        Self { format, name: format::spelling(choices, format), within: Within::draw(choices) }
    }

    fn node(&self) -> Value {
        let mut node = json!({ "type": "string" });
        self.within.put(&mut node, json!({ "format": self.name }));
        node
    }

    fn text(&self, choices: &mut Choices) -> Verdict {
        let broken = if choices.chance(1, 2) { format::broken(choices, self.format) } else { None };
        let causes = if broken.is_some() { vec![(String::new(), "TypeInvalid")] } else { vec![] };
        let text = broken.unwrap_or_else(|| format::valid(choices, self.format));
        Verdict::judged(json!(text), self.within.causes(causes))
    }

    /// A text mostly; what is no text is judged by the type alone.
    fn anything(&self, choices: &mut Choices, around: Around) -> Verdict {
        match choices.weighted(&[5, 2, 2, 2]) {
            0 => self.text(choices),
            1 => Verdict::absent(),
            2 => Verdict::null(around, false),
            // In a branch the format would judge it, too, by accident (VALUE-046); a list is a defect (VALUE-017).
            _ if self.within != Within::Node => self.text(choices),
            _ => Verdict::other_kind(choices.pick(&[json!(1), json!(true), json!({})]).clone()),
        }
    }

    fn asserts(&self) -> &'static [&'static str] {
        if self.name.starts_with("k8s") { NEW } else { ENFORCED }
    }
}

fn plan(choices: &mut Choices) -> Scenario {
    if choices.chance(5, 6) {
        return fields(
            choices,
            Refused::Any,
            ENFORCED,
            Formatted::draw,
            Formatted::node,
            |choices, formatted, around| formatted.anything(choices, around),
        );
    }
    let formatted = choices.span("node", Formatted::draw);
    samples(choices, &formatted.node(), |choices| formatted.text(choices).sample("one", formatted.asserts()))
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
