//! What properties name: what [`shared`](crate::shared) names, too, and its own vocabulary for places, examples, pieces
//! of schema and expectations. A name is here if about ten files or more use it, of several chapters.

pub(crate) use crate::shared::prelude::*;
pub(crate) use crate::shared::{
    Container, EMBEDDED, Example, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, NIL, PRESERVE, Piece, Place,
    Places, RULES, Row, TryExamples, absent, accepted_as, at, content_or, exact, extended, object_of, root_of, same_at,
    spec_of, with_default,
};
