//! Pieces of schema with what a server must say of them, and the ways to try them: dry runs of definitions.
//!
//! [`accepted`] and [`refused`] make a [`Piece`]: a node that belongs at any place below the root, unless it says otherwise. [`alone`] tries
//! pieces in schemas that hold nothing else, [`anywhere`] in generated schemas at drawn places. [`host`] has what is needed for more.

pub(crate) mod host;

use crdible_generators::choice::Choices;
use serde_json::Value;

use super::{expect::accepted_or, place::Place};
use crate::scenario::{Cause, Plan, Scenario};

/// How many pieces one scenario tries at most.
pub(crate) const PIECES: usize = 6;

/// A piece of schema, and the causes that it brings; none if it is accepted.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// What it is about; the name of its check.
    pub(crate) name: &'static str,
    /// The requirements and edges that it shows.
    pub(crate) asserts: &'static [&'static str],
    /// The piece.
    pub(crate) schema: Value,
    /// Paths relative to the piece, and reasons.
    causes: &'static [(&'static str, &'static str)],
    home: Home,
    is_hiding: bool,
}

/// Where a piece belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// At any structural node below the root.
    Node,
    /// At the root, perhaps with other properties.
    Root,
    /// It is the whole schema.
    Whole,
}

/// A node that must be accepted.
pub(crate) fn accepted(name: &'static str, asserts: &'static [&'static str], schema: Value) -> Piece {
    refused(name, asserts, schema, &[])
}

/// A node that must be refused with exactly these causes, with paths relative to the node.
pub(crate) fn refused(
    name: &'static str,
    asserts: &'static [&'static str],
    schema: Value,
    causes: &'static [(&'static str, &'static str)],
) -> Piece {
    Piece { name, asserts, schema, causes, home: Home::Node, is_hiding: false }
}

impl Piece {
    /// The same as keywords of the root, which may have further properties. What the piece leaves undeclared on purpose must not have the
    /// name of a property that a generated root declares.
    #[must_use]
    pub(crate) fn at_root(self) -> Self {
        Self { home: Home::Root, ..self }
    }

    /// The same as the whole schema, where further properties would change the causes.
    #[must_use]
    pub(crate) fn whole(self) -> Self {
        Self { home: Home::Whole, ..self }
    }

    /// The same, for a piece that keeps a server from building a structural schema, so that it reports no other causes.
    #[must_use]
    pub(crate) fn hiding(self) -> Self {
        Self { is_hiding: true, ..self }
    }

    /// Whether it is refused, and can be at any node below the root together with other wrong nodes.
    pub(crate) fn is_refused_node(&self) -> bool {
        self.home == Home::Node && !self.causes.is_empty() && !self.is_hiding
    }

    /// Tries it at a place of a schema that holds nothing else.
    pub(crate) fn try_at(&self, plan: &mut Plan, place: &Place) {
        self.try_in(plan, place.schema(self.schema.clone()), place);
    }

    /// Tries a schema that has the piece at this place, and nothing else that is wrong.
    pub(crate) fn try_in(&self, plan: &mut Plan, schema: Value, place: &Place) {
        let defined = plan.try_define(schema);
        plan.check(self.name, self.asserts, defined, accepted_or(self.causes_at(place)));
        plan.count_case();
    }

    /// Its causes, if it is at this place of a schema.
    pub(crate) fn causes_at(&self, place: &Place) -> Vec<Cause> {
        place.schema_causes(self.causes.iter().copied())
    }

    fn try_alone(&self, plan: &mut Plan) {
        match self.home {
            Home::Node => self.try_at(plan, &Place::spec()),
            Home::Root | Home::Whole => self.try_at(plan, &Place::root()),
        }
    }

    /// Tries it in a generated schema, at a drawn place.
    pub(crate) fn try_anywhere(&self, choices: &mut Choices, plan: &mut Plan) {
        match self.home {
            Home::Node => {
                let planted = host::plant(choices, &self.schema);
                self.try_in(plan, planted.schema, &planted.place);
            }
            Home::Root => {
                let schema = host::root_with(choices, &self.schema);
                self.try_in(plan, schema, &Place::root());
            }
            Home::Whole => self.try_alone(plan),
        }
    }
}

/// Every piece in a schema that holds nothing else.
pub(crate) fn alone(pieces: &[Piece]) -> Scenario {
    let mut plan = Plan::new();
    for piece in pieces {
        piece.try_alone(&mut plan);
    }
    plan.finish()
}

/// Some of the pieces in generated schemas.
pub(crate) fn anywhere(choices: &mut Choices, pieces: &[Piece]) -> Scenario {
    let mut plan = Plan::new();
    choices.many("piece", 1, PIECES, |choices, _| choices.pick(pieces).try_anywhere(choices, &mut plan));
    plan.finish()
}
