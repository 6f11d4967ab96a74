//! CONV-005 to CONV-010: what a webhook is sent.

use crdible_generators::conversion::ConversionShape;
use crdible_scenario::{Endpoint, Webhook};
use crdible_webhooks::Converter;

use super::shared::Converted;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-010-what-is-sent", plan)
    .title("conversion reviews have the first listed version that the server knows, and hold whole objects")
    .asserts(&[
        "CONV-005",
        "CONV-006",
        "CONV-007",
        "CONV-008",
        "CONV-008/e2",
        "CONV-009",
        "CONV-009/e1",
        "CONV-010",
        "CONV-010/e1",
    ])
    .needs(&[Capability::Storing, Capability::Webhooks]);

/// Lists of review versions, and the one that is used.
const REVIEWS: [(&[&str], &str); 5] = [
    (&["v1"], "v1"),
    (&["v1", "v1beta1"], "v1"),
    (&["v1beta1", "v1"], "v1beta1"),
    (&["v9", "v1"], "v1"),
    (&["v9", "v1beta1"], "v1beta1"),
];

/// What a wrong review blames.
const BLAMES: &[(&str, &[&str])] = &[
    ("objects", &["CONV-005"]),
    ("object-of-the-desired-version", &["CONV-006"]),
    ("desired-version", &["CONV-007"]),
    ("version-of-an-object", &["CONV-007"]),
    ("kind-of-an-object", &["CONV-007"]),
    ("method", &["CONV-008"]),
    ("path", &["CONV-008", "CONV-008/e2"]),
    ("content-type", &["CONV-008"]),
    ("body", &["CONV-008"]),
    ("kind", &["CONV-009"]),
    ("review-version", &["CONV-009", "CONV-009/e1"]),
    ("response", &["CONV-010"]),
    ("uid", &["CONV-010"]),
    ("same-uid", &["CONV-010"]),
    ("metadata-of-an-object", &["CONV-010"]),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (listed, used) = *choices.pick(&REVIEWS);
    let path = *choices.pick(&["", "/convert", "/a/b"]);
    let converted = Converted::draw_as(plan, choices, &ConversionShape::default(), |definition| {
        let chain = definition.webhook.map(|webhook| webhook.converter.chain).unwrap_or_default();
        let endpoint = if path.is_empty() { Endpoint::Right } else { Endpoint::Path(path.to_owned()) };
        let review_versions = listed.iter().map(ToString::to_string).collect();
        let webhook = Webhook { review_versions, endpoint, ..Webhook::of(Converter::right(chain)) };
        Definition { webhook: Some(webhook), ..definition }
    });
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let writer = converted.pick(choices);
        let created = converted.create(plan, &object, writer);
        let stored = plan.get_at(created, converted.name(converted.storage));
        let other = converted.pick_other(choices);
        let read = plan.get_at(created, converted.name(other));
        let review = NamedCheck::WebhookReviews {
            definition: converted.definition,
            reviews: format!("apiextensions.k8s.io/{used}"),
            path: path.to_owned(),
            versions: converted.conversion.versions().to_vec(),
        };
        let asserts =
            &["CONV-005", "CONV-006", "CONV-007", "CONV-008", "CONV-008/e2", "CONV-009", "CONV-009/e1", "CONV-010"];
        plan.check_blaming("review", asserts, read, review, BLAMES);
        let sent = NamedCheck::WebhookSent { definition: converted.definition, to: converted.name(other).to_owned() };
        plan.check("object", &["CONV-010", "CONV-010/e1"], read, sent.against(stored));
    });
}
