//! Faults in conversion by strategy None.

use crdible_semantics::with;
use http::Method;
use serde_json::Value;

use crate::{
    across_versions::show_v1,
    server::correct,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault(
        "converts-without-pruning",
        "an object at another version has fields that its schema does not declare",
    )
    .breaks(&["CONV-001", "CONV-003", "CONV-019"], &["conv-001-strategy-none", "conv-019-no-defaulting-after"])
    .semantics(with::convert(|_, _, _| {})),
    fault("defaults-after-conversion", "a converted object gets the defaults of its new version")
        .breaks(&["CONV-019"], &["conv-019-no-defaulting-after"])
        .semantics(with::convert(|semantics, object, schema| {
            correct().convert(object, schema);
            semantics.apply_defaults(object, schema);
        })),
    fault("keeps-nulls-after-conversion", "a null is kept at a version where it is not allowed")
        .breaks(&["CONV-019"], &["conv-019-no-defaulting-after"])
        .semantics(with::convert(|semantics, object, schema| {
            semantics.prune(object, schema, true);
            semantics.repair_embedded(object, schema);
        })),
    fault("drops-zeros-on-conversion", "a 0 in spec is lost by conversion")
        .breaks(&["CONV-001", "CONV-003"], &["conv-001-strategy-none"])
        .semantics(with::convert(|_, object, schema| {
            correct().convert(object, schema);
            if let Some(Value::Object(spec)) = object.get_mut("spec") {
                spec.retain(|_, value| value != 0);
            }
        })),
    obvious_fault("shows-v1-always", "every object is shown with version v1")
        // A status that is read and sent back is refused, since it says another version.
        .breaks(&["CONV-001", "VER-019", "SUB-004", "SUB-018"], &["conv-001-strategy-none", "ver-008-served"])
        .answers(|asked, answer| {
            if asked.method == Method::GET && answer.is_success() && answer.body.get("metadata").is_some() {
                show_v1(&mut answer.body);
            }
        }),
    obvious_fault("accepts-webhooks-without-a-webhook-strategy", "a webhook block is accepted with strategy None")
        .breaks(&["CONV-028"], &["conv-028-block-of-a-webhook"])
        .within_lines(30)
        .semantics(with::check_conversion(|_, _, _| {})),
    fault("reports-one-part-of-the-webhook-block", "only the first part of a forbidden webhook block is reported")
        .breaks(&["CONV-028"], &["conv-028-block-of-a-webhook"])
        .within_lines(30)
        .semantics(with::check_conversion(|_, spec, found| {
            let before = found.len();
            correct().check_conversion(spec, found);
            found.truncate(before + 1);
        })),
];
