//! Examples: a piece of schema, and what a server must say of it wherever it stands.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::{PIECES, ROOT, broken, host};
use crate::scenario::{Cause, Expectation, Plan, Scenario};

/// A piece of schema, and the causes that it brings; none if it is accepted.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// What it is about; the name of the check.
    pub(crate) name: &'static str,
    /// The requirements and edges that it shows.
    pub(crate) asserts: &'static [&'static str],
    /// The piece.
    pub(crate) schema: Value,
    /// Path from the piece on, and reason.
    pub(crate) causes: &'static [(&'static str, &'static str)],
    home: Home,
    is_hiding: bool,
}

/// Where an example belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// At any structural node below the root.
    Node,
    /// At the root, perhaps beside other properties.
    Root,
    /// It is the whole schema.
    Whole,
}

/// A node that must be accepted.
pub(crate) fn accepted(name: &'static str, asserts: &'static [&'static str], schema: Value) -> Example {
    Example { name, asserts, schema, causes: &[], home: Home::Node, is_hiding: false }
}

/// A node that must be refused with exactly these causes; paths count from the node on.
pub(crate) fn refused(
    name: &'static str,
    asserts: &'static [&'static str],
    schema: Value,
    causes: &'static [(&'static str, &'static str)],
) -> Example {
    Example { name, asserts, schema, causes, home: Home::Node, is_hiding: false }
}

impl Example {
    /// The same, as keywords of the root; properties of other names may stand beside its own. What it does not declare on
    /// purpose must not be the name of a property that a generated root declares.
    pub(crate) fn at_root(self) -> Self {
        Self { home: Home::Root, ..self }
    }

    /// The same, as the whole schema: further properties would change the causes.
    pub(crate) fn whole(self) -> Self {
        Self { home: Home::Whole, ..self }
    }

    /// The same, known to keep a server from building a structural schema, so that it tells none of the other causes.
    pub(crate) fn hiding(self) -> Self {
        Self { is_hiding: true, ..self }
    }

    /// Whether it is refused, and can stand at any node below the root beside other wrong nodes.
    pub(crate) fn is_refused_node(&self) -> bool {
        self.home == Home::Node && !self.causes.is_empty() && !self.is_hiding
    }

    /// Tries it in a schema that holds nothing else.
    fn try_alone(&self, plan: &mut Plan) {
        match self.home {
            Home::Node => self.demand(
                plan,
                json!({ "type": "object", "properties": { "spec": self.schema } }),
                "openAPIV3Schema.properties[spec]",
            ),
            Home::Root | Home::Whole => self.demand(plan, self.schema.clone(), ROOT),
        }
    }

    /// Tries it in a generated schema at a drawn place.
    fn try_anywhere(&self, choices: &mut Choices, plan: &mut Plan) {
        match self.home {
            Home::Node => {
                let place = host::place(choices, &self.schema);
                self.demand(plan, place.schema, &place.path);
            }
            Home::Root => {
                let schema = host::root_with(choices, &self.schema);
                self.demand(plan, schema, ROOT);
            }
            Home::Whole => self.try_alone(plan),
        }
    }

    /// Demands of a schema that has the example at this path, and nothing else that is wrong, what the example says.
    pub(crate) fn demand(&self, plan: &mut Plan, schema: Value, path: &str) {
        let defined = plan.try_define(schema);
        plan.count_case();
        if self.causes.is_empty() {
            plan.check(self.name, self.asserts, defined, Expectation::Accepted);
        } else {
            plan.check_causes(self.name, self.asserts, defined, self.causes_below(path));
        }
    }

    /// The causes of the example when it stands at this path.
    pub(crate) fn causes_below(&self, path: &str) -> Vec<Cause> {
        self.causes.iter().map(|(field, reason)| Cause::new(format!("{path}{field}"), *reason)).collect()
    }
}

/// Every example in a schema that holds nothing else.
pub(crate) fn alone(examples: &[Example]) -> Scenario {
    let mut plan = Plan::new();
    for example in examples {
        example.try_alone(&mut plan);
    }
    plan.finish()
}

/// Some of the examples in generated schemas, and generated schemas that break just this rule.
pub(crate) fn anywhere(choices: &mut Choices, requirement: &'static str, examples: &[Example]) -> Scenario {
    let mut plan = Plan::new();
    choices.many("example", 1, PIECES, |choices, _| {
        if !choices.chance(1, 3) || !broken(choices, &mut plan, requirement) {
            let example = choices.pick(examples);
            example.try_anywhere(choices, &mut plan);
        }
    });
    plan.finish()
}

/// Some of the examples in generated schemas: for what is no rule of [`crdible_generators::breakage`].
pub(crate) fn examples_anywhere(choices: &mut Choices, examples: &[Example]) -> Scenario {
    let mut plan = Plan::new();
    choices.many("example", 1, PIECES, |choices, _| {
        let example = choices.pick(examples);
        example.try_anywhere(choices, &mut plan);
    });
    plan.finish()
}
