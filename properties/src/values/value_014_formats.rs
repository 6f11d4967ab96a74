//! VALUE-014, VALUE-015: enforced formats, and the strings that each of them accepts.

use crdible_generators::format;
use crdible_semantics::Format;

use super::{
    format_table::{TABLE, Texts},
    shared::{JUDGING, Refused, Verdict, Within, fields},
};
use crate::prelude::*;

const ENFORCED: &[&str] = &["VALUE-014", "VALUE-015"];
const NEW: &[&str] = &["VALUE-014", "VALUE-014/e1", "VALUE-015"];

pub(super) const PROPERTY: Property = Property::new("value-014-formats", plan)
    .title("an enforced format rejects any string that does not match it, with one cause")
    .asserts(NEW)
    .needs(JUDGING)
    .edges(&[Edge { name: "table", plan: table }, Edge { name: "spellings", plan: spellings }]);

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
        let causes = if broken.is_some() { vec![Cause::new("", Reason::TypeInvalid)] } else { vec![] };
        let text = broken.unwrap_or_else(|| format::valid(choices, self.format));
        Verdict::judged(json!(text), self.within.causes(causes))
    }

    /// Usually a string; for other values, only the type matters.
    fn anything(&self, choices: &mut Choices, around: &Place) -> Verdict {
        match choices.weighted(&[5, 2, 2, 2]) {
            0 => self.text(choices),
            1 => Verdict::absent(),
            2 => Verdict::null(around, false),
            // In a branch the format would apply to it by accident (VALUE-046); a list is a defect (VALUE-017).
            _ if self.within != Within::Node => self.text(choices),
            _ => Verdict::other_kind(choices.pick(&[json!(1), json!(true), json!({})]).clone()),
        }
    }

    fn asserts(&self) -> &'static [&'static str] {
        if self.name.starts_with("k8s") { NEW } else { ENFORCED }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(5, 6) {
        return fields(
            plan,
            choices,
            Refused::Any,
            ENFORCED,
            Formatted::draw,
            Formatted::node,
            |choices, formatted, around| formatted.anything(choices, around),
        );
    }
    let formatted = choices.span("node", Formatted::draw);
    plan.at_any_place(choices, &formatted.node(), |choices| formatted.text(choices).example("one", formatted.asserts()))
}

/// The strings that the specification lists.
fn table(plan: &mut Plan) {
    let of_row = |(name, accepted, rejected): &Texts| {
        let name = *name;
        let asserts = if name.starts_with("k8s") { NEW } else { ENFORCED };
        let kept = accepted.iter().map(|text| Example::kept(name, asserts, json!(text)));
        let refused = rejected.iter().map(|text| Example::refused(name, asserts, json!(text), [("", "TypeInvalid")]));
        Row::new(json!({ "type": "string", "format": name })).with(kept.chain(refused))
    };
    plan.in_one_schema(TABLE.iter().map(of_row))
}

/// Dashes in the name are ignored, case is not.
fn spellings(plan: &mut Plan) {
    let refused = || Example::refused("spelling", &["VALUE-014"], json!("x"), [("", "TypeInvalid")]);
    let taken = || Example::kept("spelling", &["VALUE-014"], json!("x"));
    let example =
        |name: &str, sample: Example| Row::new(json!({ "type": "string", "format": name })).with(vec![sample]);
    plan.in_one_schema(vec![
        example("date", refused()),
        example("d-a-t-e", refused()),
        example("datetime", refused()),
        example("date-time", refused()),
        example("-uuid-", refused()),
        example("k8sshortname", Example::refused("spelling", NEW, json!("X"), [("", "TypeInvalid")])),
        example("Date", taken()),
        example("DATE-TIME", taken()),
        example("date_time", taken()),
    ])
}
