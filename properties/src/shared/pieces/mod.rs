//! Pieces of schema with the causes that a server must report for them, and the ways to try them: dry runs of
//! definitions.
//!
//! [`accepted`] and [`refused`] make a [`Piece`]: a node that belongs at any place below the root, unless changed.
//! [`alone`] tries pieces in otherwise empty schemas, [`anywhere`] in generated schemas at drawn places. [`host`] has
//! the building blocks for anything else.

pub(crate) mod host;

use super::{expect::accepted_or, place::Place};
use crate::shared::prelude::*;

/// At most this many pieces per scenario.
pub(crate) const PIECES: usize = 6;

/// A piece of schema, and its causes; none if it is accepted.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The name of its check.
    pub(crate) name: &'static str,
    /// The requirements and edges that it covers.
    pub(crate) asserts: &'static [&'static str],
    /// The piece.
    pub(crate) schema: Value,
    /// Their paths are relative to the piece.
    causes: Vec<Cause>,
    position: Position,
    is_hiding: bool,
}

/// Where a piece belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// At any structural node below the root.
    Node,
    /// At the root, in some cases with other properties.
    Root,
    /// The piece is the whole schema.
    Whole,
}

/// A node that must be accepted.
pub(crate) fn accepted(name: &'static str, asserts: &'static [&'static str], schema: Value) -> Piece {
    Piece::new(name, asserts, schema, Vec::<Cause>::new())
}

/// A node that must be rejected with exactly these causes, with paths relative to the node.
pub(crate) fn refused(
    name: &'static str,
    asserts: &'static [&'static str],
    schema: Value,
    causes: &[impl Into<Cause> + Clone],
) -> Piece {
    Piece::new(name, asserts, schema, causes.iter().cloned())
}

impl Piece {
    /// A node, and its causes; none if it is accepted.
    pub(crate) fn new(
        name: &'static str,
        asserts: &'static [&'static str],
        schema: Value,
        causes: impl IntoIterator<Item = impl Into<Cause>>,
    ) -> Self {
        let causes = causes.into_iter().map(Into::into).collect();
        Self { name, asserts, schema, causes, position: Position::Node, is_hiding: false }
    }

    /// The same piece as keywords of the root, which may have further properties. A name that the piece leaves
    /// undeclared on purpose must not be the name of a property that a generated root declares.
    #[must_use]
    pub(crate) fn at_root(self) -> Self {
        Self { position: Position::Root, ..self }
    }

    /// The same piece as the whole schema, because further properties would change the causes.
    #[must_use]
    pub(crate) fn whole(self) -> Self {
        Self { position: Position::Whole, ..self }
    }

    /// The same piece, if it prevents a server from building a structural schema, so that the server reports no other
    /// causes.
    #[must_use]
    pub(crate) fn hiding(self) -> Self {
        Self { is_hiding: true, ..self }
    }

    /// Whether it is rejected, and can be at any node below the root together with other invalid nodes.
    pub(crate) fn is_refused_node(&self) -> bool {
        self.position == Position::Node && !self.causes.is_empty() && !self.is_hiding
    }

    /// Tries it at a place of an otherwise empty schema.
    pub(crate) fn try_at(&self, plan: &mut Plan, place: &Place) {
        self.try_in(plan, place.schema(self.schema.clone()), place);
    }

    /// Tries a schema that has the piece at this place, and is otherwise valid.
    pub(crate) fn try_in(&self, plan: &mut Plan, schema: Value, place: &Place) {
        let defined = plan.try_define(schema);
        plan.check(self.name, self.asserts, defined, accepted_or(self.causes_at(place)));
        plan.count_case();
    }

    /// Its causes, if it is at this place of a schema.
    pub(crate) fn causes_at(&self, place: &Place) -> Vec<Cause> {
        place.schema_causes(self.causes.iter().cloned())
    }

    fn try_alone(&self, plan: &mut Plan) {
        match self.position {
            Position::Node => self.try_at(plan, &Place::spec()),
            Position::Root | Position::Whole => self.try_at(plan, &Place::root()),
        }
    }

    /// Tries it in a generated schema, at a drawn place.
    pub(crate) fn try_anywhere(&self, choices: &mut Choices, plan: &mut Plan) {
        match self.position {
            Position::Node => {
                let planted = host::plant(choices, &self.schema);
                self.try_in(plan, planted.schema, &planted.place);
            }
            Position::Root => {
                let schema = host::root_with(choices, &self.schema);
                self.try_in(plan, schema, &Place::root());
            }
            Position::Whole => self.try_alone(plan),
        }
    }
}

/// Tries every piece in an otherwise empty schema.
pub(crate) fn alone(plan: &mut Plan, pieces: &[Piece]) {
    for piece in pieces {
        piece.try_alone(plan);
    }
}

/// Tries some of the pieces in generated schemas.
pub(crate) fn anywhere(plan: &mut Plan, choices: &mut Choices, pieces: &[Piece]) {
    choices.many("piece", 1, PIECES, |choices, _| choices.pick(pieces).try_anywhere(choices, plan));
}
