//! VALUE-014, VALUE-015: enforced formats, and what each of them takes.

use crdible_generators::{choice::Choices, format};
use crdible_semantics::Format;
use serde_json::{Map, Value, json};

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

/// How many formats one schema has at the most: there are many of them, and one schema costs what another does.
const FORMATS: usize = 24;

/// A node with a format, alone or in a container.
struct Field {
    format: Format,
    name: String,
    /// Where the node stands, and the quantifier that the format is in.
    around: Around,
    quantifier: Option<&'static str>,
}

/// What is around a node.
#[derive(Clone, Copy)]
enum Around {
    Nothing,
    List,
    Map,
}

impl Field {
    fn draw(choices: &mut Choices) -> Self {
        let format = format::any(choices);
        Self {
            format,
            name: format::spelling(choices, format),
            around: *choices.pick(&[Around::Nothing, Around::List, Around::Map]),
            quantifier: *choices.pick(&[None, None, Some("allOf"), Some("anyOf"), Some("oneOf"), Some("not")]),
        }
    }

    fn node(&self) -> Value {
        let branch = json!({ "format": self.name });
        let node = match self.quantifier {
            None => json!({ "type": "string", "format": self.name }),
            Some("not") => json!({ "type": "string", "not": branch }),
            Some(quantifier) => json!({ "type": "string", quantifier: [branch] }),
        };
        match self.around {
            Around::Nothing => node,
            Around::List => json!({ "type": "array", "items": node }),
            Around::Map => json!({ "type": "object", "additionalProperties": node }),
        }
    }

    /// A value, and the causes that it has when it stands at this path.
    fn value(&self, choices: &mut Choices, path: &str) -> (Value, Vec<(String, &'static str)>) {
        let broken = if choices.chance(1, 2) { format::broken(choices, self.format) } else { None };
        let is_broken = broken.is_some();
        let text = broken.unwrap_or_else(|| format::valid(choices, self.format));
        let (value, path) = match self.around {
            Around::Nothing => (json!(text), path.to_owned()),
            Around::List => (json!([text]), format!("{path}[0]")),
            Around::Map => (json!({ "k": text }), format!("{path}.k")),
        };
        let summary = (NIL.0.to_owned(), NIL.1);
        let causes = match (self.quantifier, is_broken) {
            (None, true) => vec![(path, "TypeInvalid")],
            (Some("not"), false) => vec![summary],
            (None | Some(_), false) | (Some("not"), true) => vec![],
            (Some(_), true) => vec![(path, "TypeInvalid"), summary],
        };
        (value, causes)
    }

    fn asserts(&self) -> &'static [&'static str] {
        if self.name.starts_with("k8s") { NEW } else { ENFORCED }
    }
}

fn plan(choices: &mut Choices) -> Scenario {
    if choices.chance(2, 3) {
        return several(choices);
    }
    let field = choices.span("node", Field::draw);
    samples(choices, &field.node(), |choices| {
        let (value, causes) = field.value(choices, "");
        Sample::judged("one", field.asserts(), value, causes)
    })
}

/// An object whose properties have a format each.
fn several(choices: &mut Choices) -> Scenario {
    let fields = choices
        .span("node", |choices| choices.many_average("format", 1, FORMATS, 16, |choices, _| Field::draw(choices)));
    let key = |index: usize| format!("f{index}");
    let properties: Map<String, Value> =
        fields.iter().enumerate().map(|(index, field)| (key(index), field.node())).collect();
    samples(choices, &json!({ "type": "object", "properties": properties }), |choices| {
        let (mut object, mut causes) = (Map::new(), Vec::new());
        for (index, field) in fields.iter().enumerate() {
            let (value, found) =
                choices.keyed(&key(index), |choices| field.value(choices, &format!(".{}", key(index))));
            object.insert(key(index), value);
            causes.extend(found);
        }
        Sample::judged("several", ENFORCED, Value::Object(object), causes)
    })
}

/// The texts that the specification names. They count as one case, so that they leave room for generated ones.
fn table() -> Scenario {
    let of_row = |(name, accepted, rejected): &Row| {
        let name = *name;
        let asserts = if name.starts_with("k8s") { NEW } else { ENFORCED };
        let kept = accepted.iter().map(|text| Sample::kept(name, asserts, json!(text)));
        let refused = rejected.iter().map(|text| Sample::refused(name, asserts, json!(text), [("", "TypeInvalid")]));
        Example(json!({ "type": "string", "format": name }), kept.chain(refused).collect())
    };
    Scenario { cases: 1, ..examples(TABLE.iter().map(of_row).collect()) }
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
