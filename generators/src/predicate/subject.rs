//! The object that predicates are about.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::moments::{self, Moment, Written};
use crate::{choice::Choices, number};

/// The longest list, map or text: rules over them must not cost too much (CEL-038).
const MOST: usize = 5;
/// The longest text.
const LONGEST: usize = 8;
/// The longest text of a format.
const LONGEST_FORMATTED: usize = 40;

/// An object with a field of each kind, each of which may be absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    pub(super) flag: Option<bool>,
    /// Two integers: `i` and `j`.
    pub(super) integers: [Option<i64>; 2],
    /// A number, in halves.
    pub(super) halves: Option<i64>,
    /// Two texts: `s` and `t`.
    pub(super) texts: [Option<String>; 2],
    pub(super) list: Option<Vec<i64>>,
    pub(super) names: Option<Vec<String>>,
    /// A set, without repetitions.
    pub(super) set: Option<Vec<String>>,
    pub(super) map: Option<BTreeMap<String, i64>>,
    pub(super) inner: Option<Inner>,
    pub(super) port: Option<Port>,
    pub(super) time: Option<Written<Moment>>,
    /// In nanoseconds.
    pub(super) span: Option<Written<i64>>,
    /// The number of a row of [`OCTETS`].
    pub(super) octets: Option<usize>,
}

/// The object `o`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Inner {
    pub(super) x: Option<i64>,
    pub(super) y: Option<String>,
}

/// The value of `p`, an integer or a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Port {
    Number(i64),
    Name(String),
}

/// The ends of what integers can be, beside ordinary ones.
const CORNERS: [i64; 6] = [i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 53, (1 << 53) + 1];
/// Texts of which some begin, end or contain others. Some are of several bytes for each character.
pub(super) const TEXTS: [&str; 10] = ["", "a", "b", "ab", "ba", "aba", "é", "aé", "😀", "'\"\\"];

/// Bytes, and their base64 without digits that kube-apiserver cannot read, which is a defect (CEL-021). The last ones
/// are no text.
pub(super) const OCTETS: [(&[u8], &str); 6] =
    [(b"a", "YQ=="), (b"ab", "YWI="), (b"aba", "YWJh"), ("é".as_bytes(), "w6k="), (b"\0", "AA=="), (b"\x80", "gA==")];

/// An integer: mostly small, sometimes at an end.
pub(super) fn integer(choices: &mut Choices) -> i64 {
    if choices.chance(1, 8) { *choices.pick(&CORNERS) } else { number::integer(choices, -4, 6) }
}

pub(super) fn text(choices: &mut Choices) -> String {
    (*choices.pick(&TEXTS)).to_owned()
}

impl Subject {
    /// The node that has such values, with these fields.
    pub fn schema(fields: &BTreeSet<&'static str>) -> Value {
        let (integer, text) = (json!({ "type": "integer" }), json!({ "type": "string", "maxLength": LONGEST }));
        let format = |format: &str| json!({ "type": "string", "format": format, "maxLength": LONGEST_FORMATTED });
        let list = |items: &Value| json!({ "type": "array", "maxItems": MOST, "items": items });
        let mut set = list(&text);
        set["x-kubernetes-list-type"] = json!("set");
        let node = |name: &str| match name {
            "b" => json!({ "type": "boolean" }),
            "i" | "j" => integer.clone(),
            "n" => json!({ "type": "number" }),
            "s" | "t" => text.clone(),
            "l" => list(&integer),
            "k" => list(&text),
            "q" => set.clone(),
            "m" => json!({ "type": "object", "maxProperties": MOST, "additionalProperties": integer }),
            "o" => json!({ "type": "object", "properties": { "x": integer, "y": text } }),
            "a" => format("date-time"),
            "d" => format("duration"),
            "y" => format("byte"),
            _ => json!({ "x-kubernetes-int-or-string": true, "maxLength": LONGEST }),
        };
        let properties: Map<String, Value> = fields.iter().map(|name| ((*name).to_owned(), node(name))).collect();
        json!({ "type": "object", "properties": properties })
    }

    /// Draws one. The simplest has nothing.
    pub fn draw(choices: &mut Choices) -> Self {
        fn field<T>(choices: &mut Choices, name: &str, draw: impl FnOnce(&mut Choices) -> T) -> Option<T> {
            choices.keyed(name, |choices| choices.chance(4, 5).then(|| draw(choices)))
        }
        Self {
            flag: field(choices, "b", |choices| choices.chance(1, 2)),
            integers: ["i", "j"].map(|name| field(choices, name, integer)),
            halves: field(choices, "n", |choices| number::integer(choices, -9, 9)),
            texts: ["s", "t"].map(|name| field(choices, name, text)),
            list: field(choices, "l", |choices| choices.many("element", 0, 4, |choices, _| integer(choices))),
            names: field(choices, "k", |choices| choices.many("element", 0, 4, |choices, _| text(choices))),
            set: field(choices, "q", |choices| {
                let mut set = choices.many("element", 0, 4, |choices, _| text(choices));
                let mut seen = BTreeSet::new();
                set.retain(|text| seen.insert(text.clone()));
                set
            }),
            map: field(choices, "m", |choices| {
                choices.many("entry", 0, 3, |choices, _| (text(choices), integer(choices))).into_iter().collect()
            }),
            inner: field(choices, "o", |choices| Inner {
                x: choices.chance(2, 3).then(|| integer(choices)),
                y: choices.chance(2, 3).then(|| text(choices)),
            }),
            port: field(choices, "p", |choices| {
                if choices.chance(1, 2) { Port::Name(text(choices)) } else { Port::Number(integer(choices)) }
            }),
            time: field(choices, "a", |choices| Moment::draw(choices).write(choices)),
            span: field(choices, "d", |choices| {
                let nanoseconds = moments::span(choices);
                moments::write_span(nanoseconds, choices)
            }),
            octets: field(choices, "y", |choices| choices.index(OCTETS.len())),
        }
    }

    /// Whether it has a field.
    pub(super) fn has(&self, name: &'static str) -> bool {
        self.value(&BTreeSet::from([name])).get(name).is_some()
    }

    /// The value of the node with these fields.
    pub fn value(&self, fields: &BTreeSet<&'static str>) -> Value {
        let mut value = Map::new();
        let mut set = |name: &str, field: Option<Value>| {
            if let Some(field) = field.filter(|_| fields.contains(name)) {
                value.insert(name.to_owned(), field);
            }
        };
        set("b", self.flag.map(Value::from));
        set("i", self.integers[0].map(Value::from));
        set("j", self.integers[1].map(Value::from));
        set("n", self.halves.map(number_of_halves));
        set("s", self.texts[0].clone().map(Value::from));
        set("t", self.texts[1].clone().map(Value::from));
        set("l", self.list.clone().map(Value::from));
        set("k", self.names.clone().map(Value::from));
        set("q", self.set.clone().map(Value::from));
        set("m", self.map.clone().map(|map| json!(map)));
        set(
            "o",
            self.inner.as_ref().map(|inner| {
                let mut object = Map::new();
                object.extend(inner.x.map(|x| ("x".to_owned(), json!(x))));
                object.extend(inner.y.clone().map(|y| ("y".to_owned(), json!(y))));
                Value::Object(object)
            }),
        );
        set(
            "p",
            self.port.as_ref().map(|port| match port {
                Port::Number(number) => json!(number),
                Port::Name(name) => json!(name),
            }),
        );
        set("a", self.time.as_ref().map(|time| json!(time.text)));
        set("d", self.span.as_ref().map(|span| json!(span.text)));
        set("y", self.octets.map(|number| json!(OCTETS[number].1)));
        Value::Object(value)
    }
}

/// A whole number is stored without a fraction (VALUE-005).
fn number_of_halves(halves: i64) -> Value {
    match i32::try_from(halves) {
        Ok(odd) if odd % 2 != 0 => json!(f64::from(odd) / 2.0),
        _ => json!(halves / 2),
    }
}
