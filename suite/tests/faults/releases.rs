//! Faults in what differs between releases: a server that lacks a change, or has it too early. That each exists at some
//! releases only follows from the edges and the changes that it names.

use crdible_semantics::{Format, Release, Semantics, release::Change, structural::Node, with};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    server::{Answer, correct},
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("conflicts-if-an-absent-definition-has-a-uid", "a PUT of an unknown definition is 409 if it has a uid")
        .breaks(&["CRDVAL-022/e2"], &["crdval-022-resource-version"])
        .definition_answers(|asked, answer| {
            let has_uid = asked.body.pointer("/metadata/uid").is_some_and(|uid| *uid != "");
            if asked.method == Method::PUT && answer.head.status == StatusCode::NOT_FOUND && has_uid {
                answer.head.status = StatusCode::CONFLICT;
                answer.body["code"] = json!(409);
                answer.body["reason"] = json!("Conflict");
            }
        }),
    fault("looks-formats-up-among-those-of-strings", "a format is known if strings have it, whatever the type")
        .breaks(&["CRDVAL-057"], &["crdval-057-unrecognized-formats"])
        .semantics(with::is_known_format(|_, _, format| correct().is_known_format("string", format))),
    fault("warns-of-formats-of-strings-only", "formats of other types than string give no warning")
        .breaks(&["CRDVAL-057/e2"], &["crdval-057-unrecognized-formats"])
        .semantics(with::is_known_format(|_, type_name, format| {
            type_name != "string" || correct().is_known_format(type_name, format)
        })),
    fault("accepts-examples-in-root-metadata", "root metadata may have an example")
        .breaks(&["STRUCT-019/e3"], &["struct-019-root-metadata"])
        .within_lines(25)
        .semantics(with::rule_root_metadata(|_, node, found| {
            let mut schema = node.schema.clone();
            if let Some(metadata) = schema.properties.get_mut("metadata") {
                metadata.documentation.example = None;
            }
            correct().rule_root_metadata(&Node { schema: &schema, ..*node }, found);
        })),
    fault("enforces-no-long-names", "k8s-long-name is an unknown format")
        .breaks(&["VALUE-014/e1", "VALUE-015"], &["value-014-formats"])
        .semantics(with::enforced_format(|_, schema| {
            correct().enforced_format(schema).filter(|format| *format != Format::LongName)
        })),
    fault("has-ranges-of-numbers-early", "a number outside of the range of its type has a cause of its own")
        .before(Change::NumberRanges)
        .breaks(&["VALUE-001", "VALUE-003", "VALUE-005"], &["value-003-integral-floats"])
        .semantics(with::check_number_range(|_, number, schema, path, findings| {
            Semantics::at(Release::NEWEST).check_number_range(number, schema, path, findings)
        })),
    fault("prints-values-early", "causes of rules print values, not types")
        .before(Change::PrintedValues)
        .breaks(&["CEL-037/e2", "CEL-036"], &["cel-037-values", "cel-036-reasons"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            Semantics::at(Release::NEWEST).rule_findings(rules, object, schema, old)
        })),
    fault("names-no-owner", "causes about an owner reference have no index")
        .breaks(&["VALUE-041/e2"], &["value-041-metadata-limits"])
        .within_lines(25)
        .answers(|_, answer| rename_owners(answer, "[0].", ".")),
    fault("names-the-owner", "causes about an owner reference have an index")
        .breaks(&["VALUE-041/e3"], &["value-041-metadata-limits"])
        .within_lines(25)
        .answers(|_, answer| rename_owners(answer, ".", "[0].")),
];

/// Replaces what stands between the list of owner references and one of their parts.
fn rename_owners(answer: &mut Answer, from: &str, to: &str) {
    const OWNERS: &str = "metadata.ownerReferences";
    for cause in answer.causes().into_iter().flatten() {
        if let Some(Value::String(field)) = cause.get_mut("field")
            && let Some(part) = field.strip_prefix(OWNERS).and_then(|rest| rest.strip_prefix(from))
        {
            *field = format!("{OWNERS}{to}{part}");
        }
    }
}
