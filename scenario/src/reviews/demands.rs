//! What is wrong with an answer.

use crdible_semantics::{
    FieldPath, Reason, Schema, Semantics,
    schema::{AdditionalProperties, Items},
    validate::NameRule,
};
use serde_json::{Map, Value, json};

use super::{
    answers::{content, converted, review, sent},
    changes::{Difference, differences, is_declared},
    protocol,
};
use crate::{
    expect::{Mismatch, equal},
    scenario::{Change, Demand, ReviewScenario},
    transcript::Transcript,
};

/// Something wrong, and the place in the schema that identifies it.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) place: String,
    pub(super) mismatch: Mismatch,
}

impl From<Mismatch> for Wrong {
    fn from(mismatch: Mismatch) -> Self {
        Self { place: String::new(), mismatch }
    }
}

/// What is wrong with the answer of a step; `None` if that cannot be judged, since an answer is missing or
/// no conversion.
pub(super) fn wrongs(
    demand: &Demand,
    step: usize,
    scenario: &ReviewScenario,
    transcript: &Transcript,
) -> Option<Vec<Wrong>> {
    let answer = transcript.answer(step)?;
    let asked = review(scenario, step)?;
    let result = match demand {
        Demand::Converted => protocol::success(answer, sent(scenario, transcript, step)?.len()).map(drop),
        Demand::Protocol => protocol::check(asked, &sent(scenario, transcript, step)?, answer).map(drop),
        Demand::Envelope => {
            converted(scenario, transcript, step)?.ok()?;
            protocol::envelope(asked, answer)
        }
        Demand::Refusal => protocol::refusal(asked, answer),
        Demand::ClientError => protocol::client_error(answer),
        _ => {
            let objects = converted(scenario, transcript, step)?.ok()?;
            let given = Given { scenario, transcript, step, objects: &objects };
            return given.wrongs(demand);
        }
    };
    // An object that breaks a rule in CEL is never stored, and crdible does not evaluate rules: it may be refused.
    let may_be_refused = || {
        scenario.contract.versions.iter().any(|version| has_rules(&version.schema))
            || sent(scenario, transcript, step).is_some_and(|sent| is_refusable(scenario, &sent))
    };
    match result {
        Err(mismatch) if mismatch.reason == "refused" && may_be_refused() => None,
        result => Some(result.err().map(Wrong::from).into_iter().collect()),
    }
}

/// Whether one of these objects may be refused, as the user declares.
fn is_refusable(scenario: &ReviewScenario, objects: &[Value]) -> bool {
    let declared = &scenario.contract.refused;
    objects.iter().any(|object| declared.iter().any(|refusal| refusal.covers(version(object), object)))
}

/// A step with its converted objects.
struct Given<'a> {
    scenario: &'a ReviewScenario,
    transcript: &'a Transcript,
    step: usize,
    objects: &'a [Value],
}

impl Given<'_> {
    fn wrongs(&self, demand: &Demand) -> Option<Vec<Wrong>> {
        match demand {
            Demand::Converted | Demand::Protocol | Demand::Envelope | Demand::Refusal | Demand::ClientError => None,
            Demand::Identity => Some(self.metadata(&self.sent(self.step)?, |field| IDENTITY.contains(&field))),
            Demand::Metadata => {
                let is_meant = |field: &str| !IDENTITY.contains(&field) && !FREE.contains(&field);
                Some(self.metadata(&self.sent(self.step)?, is_meant))
            }
            Demand::Labels { of } => Some(self.labels(&self.sent(*of)?)),
            Demand::Back { of, change } => {
                let is_meant = |found: Change| found == *change;
                Some(self.compared(&self.sent(*of)?, &self.way_back(*of)?, is_meant))
            }
            Demand::Written { of } => {
                let way = format!("what was written at {} is another thing after conversion", self.version_of(*of)?);
                // What is only written in another way was not overridden.
                Some(self.compared(&self.sent(*of)?, &way, |found| !matches!(found, Change::Hollow | Change::Form)))
            }
            Demand::Declared => Some(self.each(declared)),
            Demand::Valid => Some(self.each(valid)),
            Demand::SentValid => {
                let sent = self.sent(self.step)?;
                let of = |object: &Value| {
                    self.scenario
                        .contract
                        .schema_of(object)
                        .map(|schema| [declared(object, schema), valid(object, schema)])
                };
                Some(sent.iter().filter_map(of).flatten().flatten().collect())
            }
            Demand::Same { r#as, reversed, content } => {
                let mut others = converted(self.scenario, self.transcript, *r#as)?.ok()?;
                if *reversed {
                    others.reverse();
                }
                Some(self.same(&others, *content))
            }
            Demand::Agrees { with } => {
                let others = converted(self.scenario, self.transcript, *with)?.ok()?;
                Some(self.disagreements(&others))
            }
            Demand::Unchanged => Some(self.same(&self.sent(self.step)?, false)),
        }
    }

    fn sent(&self, step: usize) -> Option<Vec<Value>> {
        sent(self.scenario, self.transcript, step)
    }

    /// The version that the objects of a step have when they are sent.
    fn version_of(&self, step: usize) -> Option<String> {
        let objects = self.sent(step)?;
        Some(version(objects.first()?).to_owned())
    }

    /// The versions that objects pass on their way from a step to this one.
    fn way_back(&self, from: usize) -> Option<String> {
        let mut way = vec![self.version_of(from)?];
        for step in from..=self.step {
            let desired = review(self.scenario, step)?.desired.as_str();
            way.push(desired.rsplit('/').next().unwrap_or(desired).to_owned());
        }
        Some(format!("on the way {}", way.join(" → ")))
    }

    /// Fields of the metadata that differ from what was sent.
    fn metadata(&self, sent: &[Value], is_meant: impl Fn(&str) -> bool) -> Vec<Wrong> {
        let mut found = Vec::new();
        for (sent, object) in sent.iter().zip(self.objects) {
            let is_meant = |difference: &Difference| difference.way.first().is_some_and(|field| is_meant(field));
            for difference in differences(&sent["metadata"], &object["metadata"]).into_iter().filter(is_meant) {
                let field = difference.way.first().map_or("", String::as_str);
                let summary = format!("metadata.{field} {}", difference.phrase());
                let place = format!("/metadata{}", difference.pointer());
                let mismatch = Mismatch::new(
                    sent["metadata"].clone(),
                    object["metadata"].clone(),
                    &place,
                    difference.word,
                    summary,
                );
                found.push(Wrong { place: format!(".metadata.{field}"), mismatch });
            }
        }
        found
    }

    /// Labels and annotations that are no longer there with their values.
    fn labels(&self, sent: &[Value]) -> Vec<Wrong> {
        let mut found = Vec::new();
        for (sent, object) in sent.iter().zip(self.objects) {
            found.extend(unstorable(&sent["metadata"], &object["metadata"]));
            for map in FREE {
                for (key, value) in sent["metadata"][map].as_object().into_iter().flatten() {
                    let now = object["metadata"][map].get(key);
                    if now == Some(value) {
                        continue;
                    }
                    let (word, what) =
                        if now.is_none() { ("lost", "is lost") } else { ("changed", "has another value") };
                    let kind = map.trim_end_matches('s');
                    let mismatch = Mismatch::new(
                        sent["metadata"][map].clone(),
                        object["metadata"][map].clone(),
                        &format!("/metadata/{map}"),
                        word,
                        format!("the {kind} {key} of a user {what}"),
                    );
                    found.push(Wrong { place: format!(".metadata.{map}"), mismatch });
                }
            }
        }
        found
    }

    /// Differences in content from what was sent, in what its schema keeps.
    fn compared(&self, sent: &[Value], way: &str, is_meant: impl Fn(Change) -> bool) -> Vec<Wrong> {
        let mut found = Vec::new();
        for (sent, object) in sent.iter().zip(self.objects) {
            let Some(schema) = self.scenario.contract.schema_of(sent) else { continue };
            let kept = |object: &Value| {
                let mut kept = object.clone();
                Semantics::UPSTREAM.prune(&mut kept, schema, true);
                Semantics::UPSTREAM.drop_nulls(&mut kept, schema);
                content(&kept)
            };
            let (before, after) = (kept(sent), kept(object));
            let is_lossy =
                |difference: &Difference| is_declared(&self.scenario.contract.lossy, version(sent), difference);
            let of_interest =
                |difference: &Difference| is_meant(difference.change_under(schema)) && !is_lossy(difference);
            for difference in differences(&before, &after).into_iter().filter(of_interest) {
                let place = difference.place(schema);
                let summary = format!("{place} {}: {way}", difference.phrase());
                let mismatch =
                    Mismatch::new(before.clone(), after.clone(), &difference.pointer(), difference.word, summary);
                found.push(Wrong { place, mismatch });
            }
        }
        found
    }

    /// The first difference from other objects.
    fn same(&self, others: &[Value], only_content: bool) -> Vec<Wrong> {
        let pairs = others.iter().zip(self.objects);
        let mut found = Vec::new();
        for (other, object) in pairs {
            let (other, object) = if only_content {
                (content(other), content(object))
            } else {
                (without_empty(other), without_empty(object))
            };
            if other == object || only_content && equal(&other, &object) {
                continue;
            }
            let differences = differences(&other, &object);
            let (place, pointer, what) = match differences.first() {
                Some(first) => {
                    let schema = self.scenario.contract.schema_of(&self.objects[0]);
                    let place = schema.map(|schema| first.place(schema)).unwrap_or_default();
                    (place.clone(), first.pointer(), format!("{place} {}", first.phrase()))
                }
                None => (String::new(), String::new(), "a number is written in another way".to_owned()),
            };
            let mismatch = Mismatch::new(other, object, &pointer, "differs", format!("the objects differ: {what}"));
            found.push(Wrong { place, mismatch });
            break;
        }
        found
    }

    /// Values that are in both, and not the same.
    fn disagreements(&self, others: &[Value]) -> Vec<Wrong> {
        let mut found = Vec::new();
        for (other, object) in others.iter().zip(self.objects) {
            let Some(schema) = self.scenario.contract.schema_of(object) else { continue };
            let (other, object) = (content(other), content(object));
            let is_meant = |difference: &Difference| {
                difference.word == "changed"
                    && matches!(difference.change_under(schema), Change::Fields | Change::Scalars)
            };
            for difference in differences(&other, &object).into_iter().filter(is_meant) {
                let place = difference.place(schema);
                let summary =
                    format!("{place} has another value than by way of a third version: {}", difference.phrase());
                let mismatch =
                    Mismatch::new(other.clone(), object.clone(), &difference.pointer(), "disagrees", summary);
                found.push(Wrong { place, mismatch });
            }
        }
        found
    }

    fn each(&self, wrongs: impl Fn(&Value, &Schema) -> Vec<Wrong>) -> Vec<Wrong> {
        let of = |object: &Value| self.scenario.contract.schema_of(object).map(|schema| wrongs(object, schema));
        self.objects.iter().filter_map(of).flatten().collect()
    }
}

/// Labels and annotations that make the conversion fail (CONV-016), unless they were sent so.
fn unstorable(sent: &Value, metadata: &Value) -> Vec<Wrong> {
    let maps = |metadata: &Value| {
        let of = |map: &str| metadata.get(map).filter(|map| !map.is_null()).cloned();
        let maps: Map<String, Value> = FREE.iter().filter_map(|map| Some(((*map).to_owned(), of(map)?))).collect();
        Value::Object(maps)
    };
    let (before, now) = (maps(sent), maps(metadata));
    if before == now {
        return Vec::new();
    }
    let is_text = |map: &Value| map.as_object().is_some_and(|map| map.values().all(Value::is_string));
    let broken = FREE.iter().find(|map| now.get(**map).is_some_and(|map| !is_text(map)));
    let why = match broken {
        Some(map) => Some((*map, format!("metadata.{map} holds something that is no text"))),
        None => {
            let mut named = now.clone();
            named["name"] = json!("object");
            let mut violations = Vec::new();
            let path = FieldPath::Root;
            Semantics::UPSTREAM.check_object_meta(&named, NameRule::Subdomain, &path, &mut violations);
            violations.into_iter().next().map(|violation| {
                let map = if violation.field.contains("label") { "labels" } else { "annotations" };
                (map, format!("metadata.{} of the answer is invalid: {}", violation.field, violation.message()))
            })
        }
    };
    let wrong = |(map, why): (&str, String)| Wrong {
        place: format!(".metadata.{map}"),
        mismatch: Mismatch::new(before, now, &format!("/metadata/{map}"), "invalid", why),
    };
    why.map(wrong).into_iter().collect()
}

/// The fields of the metadata that say which object it is.
const IDENTITY: [&str; 3] = ["name", "namespace", "uid"];

/// An object without empty labels and annotations, which are as good as none (CONV-016).
fn without_empty(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.retain(|field, value| {
            let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
            !(FREE.contains(&field.as_str()) && is_empty)
        });
    }
    object
}

/// The fields of the metadata that a converter may add to.
const FREE: [&str; 2] = ["labels", "annotations"];

/// The name of an object's version.
fn version(object: &Value) -> &str {
    let api_version = object["apiVersion"].as_str().unwrap_or_default();
    api_version.rsplit('/').next().unwrap_or_default()
}

/// What the target's schema prunes, and what has a type that it does not admit.
fn declared(object: &Value, schema: &Schema) -> Vec<Wrong> {
    let mut kept = object.clone();
    let at = version(object);
    let undeclared = Semantics::UPSTREAM.prune(&mut kept, schema, true).into_iter().map(|path| {
        let summary = format!("{path} is not in the schema of {at}, so the server drops it");
        let mismatch = Mismatch::new(content(&kept), content(object), &path, "undeclared", summary);
        Wrong { place: generalized(&path), mismatch }
    });
    let undeclared: Vec<Wrong> = undeclared.collect();
    let types = Semantics::UPSTREAM.value_violations(&content(&kept), schema).into_iter();
    let types = types.filter(|violation| violation.reason == Reason::TypeInvalid).map(|violation| {
        let summary =
            format!("{} has a type that the schema of {at} does not admit: {}", violation.field, violation.message());
        let mismatch = Mismatch::new(json!(violation.detail), content(object), &violation.field, "wrong-type", summary);
        Wrong { place: generalized(violation.place()), mismatch }
    });
    let types: Vec<Wrong> = types.collect();
    // What is below a value of a wrong type follows from that.
    let is_below = |wrong: &Wrong| {
        types.iter().any(|of_type| wrong.mismatch.place.starts_with(&format!("{}.", of_type.mismatch.place)))
    };
    let undeclared: Vec<Wrong> = undeclared.into_iter().filter(|wrong| !is_below(wrong)).collect();
    undeclared.into_iter().chain(types).collect()
}

/// What is invalid at the target's schema, apart from types.
fn valid(object: &Value, schema: &Schema) -> Vec<Wrong> {
    let mut kept = object.clone();
    Semantics::UPSTREAM.prune(&mut kept, schema, true);
    Semantics::UPSTREAM.drop_nulls(&mut kept, schema);
    let violations = Semantics::UPSTREAM.object_violations(&content(&kept), schema, None);
    let of_values = violations.into_iter().filter(|violation| violation.reason != Reason::TypeInvalid);
    let wrong = |violation: crdible_semantics::Violation| {
        let summary = format!("{} is invalid at {}: {}", violation.place(), version(object), violation.message());
        let reason = violation.reason.to_string().to_lowercase();
        let mismatch = Mismatch::new(json!(violation.detail), content(object), &violation.field, &reason, summary);
        Wrong { place: generalized(violation.place()), mismatch }
    };
    of_values.map(wrong).collect()
}

/// A field path without indices and without quoted keys.
fn generalized(path: &str) -> String {
    let mut place = String::from(".");
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        place.push_str(before);
        place.push_str("[*]");
        rest = after.split_once(']').map_or("", |(_, rest)| rest);
    }
    place.push_str(rest);
    place
}
/// Whether a schema has rules in CEL, which no object is checked by.
pub fn has_rules(schema: &Schema) -> bool {
    let of_values = match &schema.additional_properties {
        Some(AdditionalProperties::Schema(values)) => has_rules(values),
        _ => false,
    };
    let of_items = matches!(&schema.items, Some(Items::Each(items)) if has_rules(items));
    !schema.rules.is_empty() || of_values || of_items || schema.properties.values().any(has_rules)
}
