//! STRUCT-033: the rules for lists and maps apply below preserving nodes and inside embedded resources.

use crdible_generators::rule::TOPOLOGY;

use super::shared::{JUDGING, pieces_of};
use crate::prelude::*;
use crate::shared::{PIECES, alone, host, refused};

pub(super) const PROPERTY: Property = Property::new("struct-033-topology-everywhere", plan)
    .title("list and map types are checked at every structural node, even below preserving nodes")
    .asserts(&["STRUCT-033"])
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: |plan| alone(plan, &pieces()) }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let mut pieces = pieces_of(choices.pick::<&str>(TOPOLOGY));
        pieces.retain(Piece::is_refused_node);
        let piece = choices.pick(&pieces);
        // A default in embedded metadata has its own rules (CRDVAL-051).
        let has_default = piece.schema.to_string().contains("\"default\"");
        let around = if has_default { &AROUND[..AROUND.len() - 1] } else { AROUND };
        let around = Place::within(*choices.pick(around));
        let planted = host::plant(choices, &around.schema(piece.schema.clone()));
        let defined = plan.try_define(planted.schema);
        let causes = piece.causes_at(&planted.place.join(around));
        plan.check_causes(piece.name, &["STRUCT-033"], defined, causes);
        plan.count_case();
    });
}

/// Containers in which topology is checked as anywhere else; the metadata of an embedded resource comes last.
const AROUND: &[Container] = &[
    Container::Untyped,
    Container::PreservedList,
    Container::Embedded,
    Container::PreservedEmbedded,
    Container::EmbeddedMetadata,
];

fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-033"];
    let list = || json!({ "type": "array", LIST_TYPE: "list", "items": { "type": "string" } });
    let map = || json!({ "type": "object", MAP_TYPE: "map" });
    vec![
        refused(
            "preserving",
            RULE,
            Place::within(Container::Untyped).schema(list()),
            &[(".properties[a].x-kubernetes-list-type", "NotSupported")],
        ),
        refused(
            "preserving-list",
            RULE,
            Place::within(Container::PreservedList).schema(map()),
            &[(".items.x-kubernetes-map-type", "NotSupported")],
        ),
        refused(
            "embedded",
            RULE,
            Place::within(Container::Embedded).schema(list()),
            &[(".properties[a].x-kubernetes-list-type", "NotSupported")],
        ),
        refused(
            "embedded-metadata",
            RULE,
            Place::within(Container::EmbeddedMetadata).schema(map()),
            &[(".properties[metadata].properties[a].x-kubernetes-map-type", "NotSupported")],
        ),
    ]
}
