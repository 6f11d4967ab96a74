//! What random expressions are made of: the functions that upstream declares, and variables.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::texts::Draws;
use crate::{pools, random};

/// A type as upstream writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kind {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Self>,
}

impl Kind {
    pub(crate) fn read(text: &str) -> Self {
        let text = text.trim();
        let Some((name, rest)) = text.split_once('(') else {
            return Self { name: text.to_owned(), parameters: Vec::new() };
        };
        let rest = rest.strip_suffix(')').expect("a parenthesis");
        let (mut depth, mut begin, mut parameters) = (0, 0, Vec::new());
        for (position, letter) in rest.char_indices() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => {
                    parameters.push(Self::read(&rest[begin..position]));
                    begin = position + 1;
                }
                _ => {}
            }
        }
        parameters.push(Self::read(&rest[begin..]));
        Self { name: name.to_owned(), parameters }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn parameter(&self, position: usize) -> &Self {
        &self.parameters[position]
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    pub(crate) fn of(name: &str, parameters: Vec<Self>) -> Self {
        Self { name: name.to_owned(), parameters }
    }

    /// With types in place of parameters, if it can be the wanted type.
    pub(crate) fn unified(&self, wanted: &Self, bound: &mut BTreeMap<String, Self>) -> bool {
        if self.is_parameter() {
            return bound.entry(self.name.clone()).or_insert_with(|| wanted.clone()) == wanted;
        }
        self.name == wanted.name
            && self.parameters.len() == wanted.parameters.len()
            && self.parameters.iter().zip(&wanted.parameters).all(|(own, other)| own.unified(other, bound))
    }

    /// Upstream names them by one capital letter.
    pub(crate) fn is_parameter(&self) -> bool {
        self.parameters.is_empty() && self.name.len() == 1 && self.name.bytes().all(|byte| byte.is_ascii_uppercase())
    }
}

/// One way to call a function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) is_method: bool,
    pub(crate) arguments: Vec<Kind>,
    pub(crate) result: Kind,
}

/// What expressions are made of.
pub(crate) struct Grammar {
    pub(crate) functions: Vec<Function>,
}

/// The kinds of variables that a request gives.
pub(crate) const VARIABLES: [(&str, &str); 24] = [
    ("i", "int"),
    ("j", "int"),
    ("u", "uint"),
    ("d", "double"),
    ("f", "double"),
    ("s", "string"),
    ("r", "string"),
    ("b", "bytes"),
    ("t", "bool"),
    ("n", "null"),
    ("x", "dyn"),
    ("y", "dyn"),
    ("at", "timestamp"),
    ("span", "duration"),
    ("li", "list(int)"),
    ("ls", "list(string)"),
    ("ld", "list(double)"),
    ("lx", "list(dyn)"),
    ("ll", "list(list(int))"),
    ("ms", "map(string, int)"),
    ("mi", "map(int, string)"),
    ("mx", "map(string, dyn)"),
    ("oi", "optional_type(int)"),
    ("wi", "wrapper(int)"),
];

/// Types that a request for anything gets.
pub(crate) const ANY: [&str; 24] = [
    "int",
    "int",
    "uint",
    "double",
    "string",
    "string",
    "bytes",
    "bool",
    "timestamp",
    "duration",
    "list(int)",
    "list(string)",
    "list(double)",
    "list(dyn)",
    "list(bool)",
    "map(string, int)",
    "map(int, string)",
    "map(string, dyn)",
    "optional_type(int)",
    "optional_type(string)",
    "net.IP",
    "net.CIDR",
    "kubernetes.Quantity",
    "kubernetes.Semver",
];

impl Grammar {
    /// Of the answer to the operation `functions`.
    pub(crate) fn of(answer: &Json) -> Self {
        let mut functions = Vec::new();
        for (name, overloads) in answer["functions"].as_object().expect("functions") {
            for overload in overloads.as_array().expect("overloads") {
                let kind = |text: &Json| Kind::read(text.as_str().expect("a type"));
                functions.push(Function {
                    name: name.clone(),
                    is_method: overload["member"] == true,
                    arguments: overload["arguments"].as_array().into_iter().flatten().map(kind).collect(),
                    result: kind(&overload["result"]),
                });
            }
        }
        assert!(functions.len() > 200, "only {} functions", functions.len());
        Self { functions }
    }

    /// A request about a random expression.
    pub(crate) fn request(&self, draws: &mut Draws) -> Json {
        let declared: serde_json::Map<_, _> =
            VARIABLES.map(|(name, of)| (name.to_owned(), json!(of))).into_iter().collect();
        let values: serde_json::Map<_, _> =
            VARIABLES.map(|(name, of)| (name.to_owned(), pools::value(draws, &Kind::read(of)))).into_iter().collect();
        let mut request = json!({"op": "expression", "declared": declared, "values": values});
        request["text"] = random::text(self, draws).into();
        if draws.below(3) == 0 {
            request["sizes"] =
                json!({"s": [0, 20], "ls": [0, 5], "ls.@items": [0, 9], "li": [1, 7], "ms": [0, 4], "x": [2, 3]});
        }
        match draws.below(8) {
            0 | 1 => request["stored"] = true.into(),
            2 => request["compat"] = "1.33".into(),
            _ => {}
        }
        request
    }
}
