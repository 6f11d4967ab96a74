//! Rules whose estimated cost is far from the limits (CEL-038, CEL-039, CEL-040).
//!
//! What a rule costs is computed here from the bounds of its schema, roughly: a least and a most, which lie around what
//! a server computes. Bounds are drawn, and then lowered or raised until all of that range is below a tenth of what one
//! rule may cost, or above ten times what all rules of a version may cost.

use serde_json::{Value, json};

use crate::choice::Choices;

/// At most this is a tenth of what one rule may cost (CEL-038).
const CHEAP: u64 = 1_000_000;
/// At least this is ten times what all rules of a version may cost together (CEL-039).
const DEAR: u64 = 1_000_000_000;

/// How many containers there are at most around a text or a number.
const DEEPEST: usize = 3;

/// What something costs, or how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    least: u64,
    most: u64,
}

impl Range {
    const ONE: Self = Self { least: 1, most: 1 };

    fn times(self, other: Self) -> Self {
        Self { least: self.least.saturating_mul(other.least), most: self.most.saturating_mul(other.most) }
    }

    /// What costs such a share of a size, and a little more.
    fn share(self, least: u64, most: u64) -> Self {
        Self { least: self.least / least, most: (self.most / most).saturating_add(20) }
    }

    /// With what a step of a macro may cost beside its body.
    fn and_little(self) -> Self {
        Self { most: self.most.saturating_add(30), ..self }
    }
}

/// A schema of containers with bounds, or without.
#[derive(Clone, Debug)]
enum Node {
    Number,
    Text(Option<u64>),
    List(Option<u64>, Box<Self>),
    Map(Option<u64>, Box<Self>),
}

/// What may be drawn as a bound.
const BOUNDS: [u64; 9] = [1, 2, 3, 5, 10, 40, 150, 600, 3_000];
/// Above this a bound is dropped: then there may be as many as a request has room for.
const LARGEST: u64 = 100_000;
/// How many elements, or bytes, a request of 3 MiB has room for, whatever they are.
const UNBOUNDED: Range = Range { least: 500_000, most: 3_200_000 };

fn bound(choices: &mut Choices) -> Option<u64> {
    (!choices.chance(1, 5)).then(|| *choices.pick(&BOUNDS))
}

impl Node {
    fn draw(choices: &mut Choices, depth: usize) -> Self {
        if depth == 0 {
            return if choices.chance(2, 3) { Self::Text(bound(choices)) } else { Self::Number };
        }
        let bound = bound(choices);
        let make = if choices.chance(1, 3) { Self::Map } else { Self::List };
        make(bound, Box::new(Self::draw(choices, depth - 1)))
    }

    fn child(&self) -> Option<&Self> {
        match self {
            Self::List(_, child) | Self::Map(_, child) => Some(child),
            Self::Number | Self::Text(_) => None,
        }
    }

    /// How many elements or bytes it has at most. A character has up to four bytes.
    fn size(&self) -> Range {
        match self {
            Self::Number => Range::ONE,
            Self::List(bound, _) | Self::Map(bound, _) => bound.map_or(UNBOUNDED, |most| Range { least: most, most }),
            Self::Text(bound) => bound.map_or(UNBOUNDED, |most| Range { least: most, most: 4 * most }),
        }
    }

    /// The same with other bounds.
    fn map_bounds(&mut self, change: fn(Option<u64>) -> Option<u64>) {
        match self {
            Self::Number => {}
            Self::Text(bound) => *bound = change(*bound),
            Self::List(bound, child) | Self::Map(bound, child) => {
                *bound = change(*bound);
                child.map_bounds(change);
            }
        }
    }

    /// The schema, with these rules at the node this number of levels below.
    fn schema(&self, level: Option<usize>, rules: &Value) -> Value {
        let child = |child: &Self| child.schema(level.and_then(|level| level.checked_sub(1)), rules);
        let (mut schema, keyword, bound) = match self {
            Self::Number => (json!({ "type": "integer" }), "maximum", None),
            Self::Text(bound) => (json!({ "type": "string" }), "maxLength", *bound),
            Self::List(bound, items) => (json!({ "type": "array", "items": child(items) }), "maxItems", *bound),
            Self::Map(bound, values) => {
                (json!({ "type": "object", "additionalProperties": child(values) }), "maxProperties", *bound)
            }
        };
        if let Some(bound) = bound {
            schema[keyword] = json!(bound);
        }
        if level == Some(0) {
            schema["x-kubernetes-validations"] = rules.clone();
        }
        schema
    }
}

/// A question about a value, or about two.
type Question = (&'static str, fn(Range) -> Range);

const LITTLE: fn(Range) -> Range = |_| Range { least: 0, most: 20 };
/// Questions about a text of a size in bytes.
const OF_TEXT: [Question; 8] = [
    ("{0} == 'a'", LITTLE),
    ("{0}.startsWith('a')", LITTLE),
    ("{0}.contains('a')", |size| size.share(10, 5)),
    ("{0}.matches('^a*$')", |size| size.share(20, 2)),
    ("{0} + {0} == {0}", |size| size.share(10, 1)),
    ("{0}.lowerAscii() == 'a'", |size| size.share(20, 2)),
    ("{0}.split('a').size() >= 0", |size| size.share(20, 2)),
    ("{0}.contains({0})", |size| size.times(size).share(1_000, 20)),
];
const OF_NUMBER: [Question; 2] = [("{0} >= 0", LITTLE), ("{0} + {0} == {0}", LITTLE)];
const OF_TEXTS: [Question; 3] = [
    ("{0} == {1}", |size| size.share(20, 2)),
    ("{0} + {1} != ''", |size| size.share(10, 1)),
    ("{0}.contains({1})", |size| size.times(size).share(1_000, 20)),
];
const OF_NUMBERS: [Question; 2] = [("{0} + {1} >= 0", LITTLE), ("{0} == {1}", LITTLE)];

/// What is asked of each element of a list, or of each value of a map.
const MACROS: [&str; 5] = [
    "{0}.all({v}, {b})",
    "{0}.exists({v}, {b})",
    "{0}.exists_one({v}, {b})",
    "{0}.filter({v}, {b}).size() >= 0",
    "{0}.map({v}, {b}).size() >= 0",
];

/// An expression of type bool about a node.
#[derive(Clone, Debug)]
enum Expression {
    Asked(Question),
    Each(&'static str, Box<Self>),
    /// Each element with each other.
    EachTwo(&'static str, Question),
}

impl Expression {
    fn draw(choices: &mut Choices, node: &Node) -> Self {
        match node {
            Node::Number => Self::Asked(*choices.pick(&OF_NUMBER)),
            Node::Text(_) => Self::Asked(*choices.pick(&OF_TEXT)),
            Node::List(_, child) | Node::Map(_, child) => {
                let kind = *choices.pick(&MACROS);
                match **child {
                    Node::Number if choices.chance(1, 2) => Self::EachTwo(kind, *choices.pick(&OF_NUMBERS)),
                    Node::Text(_) if choices.chance(1, 2) => Self::EachTwo(kind, *choices.pick(&OF_TEXTS)),
                    _ => Self::Each(kind, Box::new(Self::draw(choices, child))),
                }
            }
        }
    }

    fn cost(&self, node: &Node) -> Range {
        let child = node.child().unwrap_or(node);
        match self {
            Self::Asked((_, cost)) => cost(node.size()),
            Self::Each(_, body) => node.size().times(body.cost(child).and_little()).and_little(),
            Self::EachTwo(_, (_, cost)) => {
                let inner = node.size().times(cost(child.size()).and_little()).and_little();
                node.size().times(inner.and_little()).and_little()
            }
        }
    }

    /// The text about a value of a node, with this number of variables around it.
    fn print(&self, node: &Node, of: &str, variables: usize) -> String {
        let name = |number: usize| ["x", "y", "z", "v"][number.min(3)];
        let element = |number: usize| match node {
            Node::Map(..) => format!("{of}[{}]", name(number)),
            _ => name(number).to_owned(),
        };
        let filled = |form: &str, number: usize, body: &str| {
            form.replace("{0}", of).replace("{v}", name(number)).replace("{b}", body)
        };
        match self {
            Self::Asked((form, _)) => form.replace("{0}", of),
            Self::Each(kind, body) => {
                let body = body.print(node.child().unwrap_or(node), &element(variables), variables + 1);
                filled(kind, variables, &body)
            }
            Self::EachTwo(kind, (form, _)) => {
                let [first, second] = [variables, variables + 1].map(element);
                let inner = form.replace("{0}", &first).replace("{1}", &second);
                filled(kind, variables, &filled(kind, variables + 1, &inner))
            }
        }
    }
}

/// A node with a rule of a known cost, and what is around it.
#[derive(Clone, Debug)]
pub struct Costly {
    node: Node,
    expression: Expression,
    /// The node with the rule is this number of levels below.
    level: usize,
    /// Whether the expression is that of a message: it counts once, wherever it is (CEL-038).
    is_message: bool,
}

impl Costly {
    /// Draws one that is cheap, or one that is dear.
    pub fn draw(choices: &mut Choices) -> Self {
        let depth = choices.up_to(DEEPEST);
        let node = Node::draw(choices, depth);
        let level = choices.up_to(depth);
        let expression = Expression::draw(choices, at(&node, level));
        let is_message = choices.chance(1, 6);
        let mut drawn = Self { node, expression, level, is_message };
        if choices.chance(1, 2) {
            drawn.raise();
        }
        if !drawn.is_dear() {
            drawn.lower();
        }
        drawn
    }

    /// Whether it costs more than all rules of a version may: else it costs less than a tenth of what one may.
    pub fn is_dear(&self) -> bool {
        self.cost().least >= DEAR
    }

    /// The member that has the expression.
    pub fn member(&self) -> &'static str {
        if self.is_message { "messageExpression" } else { "rule" }
    }

    /// The path to the node with the rule, as causes write it.
    pub fn path(&self) -> String {
        let step = |level| match at(&self.node, level) {
            Node::Map(..) => ".additionalProperties",
            _ => ".items",
        };
        (0..self.level).map(step).collect()
    }

    /// The schema of all, with the rule.
    pub fn schema(&self) -> Value {
        let text = self.text();
        let rule = if self.is_message {
            json!({ "rule": "true", "messageExpression": format!("{text} ? 'a' : 'b'") })
        } else {
            json!({ "rule": text })
        };
        self.node.schema(Some(self.level), &json!([rule]))
    }

    /// The expression.
    pub fn text(&self) -> String {
        self.expression.print(at(&self.node, self.level), "self", 0)
    }

    /// What the expression costs, times the number of its nodes (CEL-038/e1).
    fn cost(&self) -> Range {
        let once = self.expression.cost(at(&self.node, self.level));
        if self.is_message {
            return once;
        }
        // If one of them has no bound, there are as many in all as a request has room for.
        let around = (0..self.level).map(|level| at(&self.node, level).size());
        let nodes =
            around.reduce(|all, one| if all == UNBOUNDED || one == UNBOUNDED { UNBOUNDED } else { all.times(one) });
        nodes.map_or(once, |nodes| nodes.times(once))
    }

    /// Raises all bounds until it is dear, if that is possible.
    fn raise(&mut self) {
        for _ in 0..12 {
            if self.is_dear() {
                return;
            }
            self.node.map_bounds(|bound| bound.map(|most| most * 4).filter(|most| *most < LARGEST));
        }
    }

    /// Lowers all bounds until it is cheap.
    fn lower(&mut self) {
        while self.cost().most > CHEAP {
            self.node.map_bounds(|bound| Some(bound.map_or(BOUNDS[7], |most| most.div_ceil(2))));
        }
    }
}

/// The node this number of levels below.
fn at(node: &Node, level: usize) -> &Node {
    (0..level).fold(node, |node, _| node.child().unwrap_or(node))
}
