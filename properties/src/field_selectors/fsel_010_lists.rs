//! FSEL-001..006, FSEL-008, FSEL-010, FSEL-011, INV-045: lists and deletions by fields.

use crdible_scenario::QueryFromAnswer;

use super::selectable::{
    FIELDS, Field, Term, create, definition, lists, query, selected, selecting, selecting_as, some,
};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("fsel-010-lists", plan)
    .title("a field selector selects exactly the objects whose fields have the given text")
    .asserts(&[
        "FSEL-001",
        "FSEL-002",
        "FSEL-003",
        "FSEL-003/e1",
        "FSEL-004",
        "FSEL-004/e1",
        "FSEL-005",
        "FSEL-005/e1",
        "FSEL-006",
        "FSEL-008",
        "FSEL-010",
        "FSEL-011",
        "INV-045",
    ])
    .needs(&[Capability::Storing, Capability::FieldSelectors]);

/// A definition with objects.
struct Known {
    fields: Vec<Field>,
    list: Resource,
    is_namespaced: bool,
    /// The numbers of the objects, and what they are.
    objects: Vec<(usize, Value)>,
    created: Vec<StepId>,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let fields = some(choices);
    let is_namespaced = choices.chance(1, 3);
    let of_fields = definition(&fields);
    let definition = plan.define(if is_namespaced { of_fields.namespaced() } else { of_fields });
    let (objects, created) = create(choices, plan, definition);
    let list = Resource::objects(definition, "v1");
    let known = Known { fields, list, is_namespaced, objects, created };
    choices.many("request", 1, 6, |choices, _| match choices.weighted(&[6, 4, 2, 2, 3, 2, 1]) {
        0 => known.partition(choices, plan),
        1 => known.terms(choices, plan),
        2 => known.by_name(choices, plan),
        3 => known.pages(choices, plan),
        4 => known.refused(choices, plan),
        5 => known.one(choices, plan),
        _ => known.empty(choices, plan),
    });
    if choices.chance(1, 3) {
        known.delete(choices, plan);
    }
}

impl Known {
    fn selects(&self, terms: &[Term]) -> Vec<usize> {
        selected(&self.objects, |object| terms.iter().all(|term| term.selects(object)))
    }

    fn term(&self, choices: &mut Choices) -> Term {
        let objects: Vec<Value> = self.objects.iter().map(|(_, object)| object.clone()).collect();
        Term::draw(choices, &self.fields, &objects)
    }

    /// What a list by terms asserts.
    fn asserts(&self, terms: &[Term]) -> Vec<&'static str> {
        let mut asserts = vec!["FSEL-002", "FSEL-004", "FSEL-005", "FSEL-008"];
        let has_absent = |term: &Term| self.objects.iter().any(|(_, object)| term.field.is_absent(object));
        asserts.extend(terms.iter().any(has_absent).then_some("FSEL-006"));
        let is_float = |term: &Term| self.objects.iter().any(|(_, object)| term.field.is_float(object));
        asserts.extend(terms.iter().any(is_float).then_some("FSEL-005/e1"));
        asserts
    }

    /// A list by a value, and by all others.
    fn partition(&self, choices: &mut Choices, plan: &mut Plan) {
        let term = self.term(choices);
        for is in [true, false] {
            let term = Term { is, ..term.clone() };
            let text = term.text(choices);
            let listed = plan.send(selecting(Method::Get, self.list.clone(), &text));
            let terms = [term];
            let mut asserts = self.asserts(&terms);
            asserts.extend(["FSEL-010", "INV-045"]);
            plan.check("part", &asserts, listed, lists(&self.selects(&terms)));
        }
        let all = plan.read(self.list.clone());
        plan.check("all", &["FSEL-010", "INV-045"], all, lists(&self.selects(&[])));
    }

    /// A list by several terms, and perhaps labels.
    fn terms(&self, choices: &mut Choices, plan: &mut Plan) {
        let terms = choices.many("term", 1, 3, |choices, _| self.term(choices));
        let texts: Vec<String> = terms.iter().map(|term| term.text(choices)).collect();
        // Empty terms are ignored.
        let between = *choices.pick(&[",", ",,"]);
        let mut request = selecting(Method::Get, self.list.clone(), &texts.join(between));
        let mut asserts = self.asserts(&terms);
        let label = choices.chance(1, 3).then(|| *choices.pick(&["x", "y"]));
        if let Some(label) = label {
            request.query.push(("labelSelector".to_owned(), format!("l={label}")));
            asserts.push("FSEL-011");
        }
        let has_label = |object: &Value| label.is_none_or(|label| object["metadata"]["labels"]["l"] == label);
        let expected =
            selected(&self.objects, |object| has_label(object) && terms.iter().all(|term| term.selects(object)));
        let listed = plan.send(request);
        plan.check("listed", &asserts, listed, lists(&expected));
    }

    /// A list by the name of an object, or by its namespace, and perhaps by a field.
    fn by_name(&self, choices: &mut Choices, plan: &mut Plan) {
        let at = choices.index(self.created.len());
        let number = self.objects[at].0;
        let term = choices.chance(1, 3).then(|| self.term(choices));
        let before = term.as_ref().map(|term| format!("{},", term.text(choices))).unwrap_or_default();
        let operator = *choices.pick(&["=", "==", "!="]);
        let by_namespace = self.is_namespaced && choices.chance(1, 3);
        let label = format!("metadata.{}{operator}", if by_namespace { "namespace" } else { "name" });
        let listed = plan.send(selecting_as(self.list.clone(), &before, &label, self.created[at]));
        let is_named = |other: usize| (by_namespace || other == number) == (operator != "!=");
        let expected: Vec<usize> = self
            .objects
            .iter()
            .filter(|(other, object)| is_named(*other) && term.as_ref().is_none_or(|term| term.selects(object)))
            .map(|(number, _)| *number)
            .collect();
        plan.check("named", &["FSEL-001", "FSEL-004", "FSEL-008"], listed, lists(&expected));
    }

    /// A list in pages: each but the last has as many selected objects as it may.
    fn pages(&self, choices: &mut Choices, plan: &mut Plan) {
        let term = self.term(choices);
        let text = term.text(choices);
        let mut left = self.selects(&[term]);
        // Lists are in the order of names.
        left.sort_by_key(ToString::to_string);
        let limit = if choices.draw(1) == 0 { 1 } else { 2 };
        let mut before: Option<StepId> = None;
        // Without an object more than one page there is no other.
        for _ in 0..3 {
            let page: Vec<usize> = left.drain(..limit.min(left.len())).collect();
            let mut request = selecting(Method::Get, self.list.clone(), &text);
            request.query.push(("limit".to_owned(), limit.to_string()));
            request.query_from_answers.extend(before.map(|step| QueryFromAnswer {
                name: "continue".to_owned(),
                step,
                pointer: "/metadata/continue".to_owned(),
            }));
            let listed = plan.send(request);
            plan.check("page", &["FSEL-008", "FSEL-011"], listed, lists(&page));
            plan.check("remaining", &["FSEL-011"], listed, absent("/metadata/remainingItemCount"));
            if left.is_empty() {
                break;
            }
            before = Some(listed);
        }
    }

    /// An invalid selector, or one that names a field that is not selectable: nothing is selected, deleted or watched.
    fn refused(&self, choices: &mut Choices, plan: &mut Plan) {
        let term = self.term(choices);
        let valid = term.text(choices);
        let label = term.field.label();
        let parent = label.rsplit_once('.').map_or("spec", |(parent, _)| parent);
        let unknown = FIELDS
            .iter()
            .find(|field| !self.fields.contains(field))
            .map_or("spec.none".to_owned(), |field| field.label());
        let (selector, asserts) = match choices.draw(9) {
            0 => (format!("{unknown}=a"), "FSEL-003"),
            1 => (format!("{unknown}!=a"), "FSEL-003/e1"),
            2 => (format!("{unknown}="), "FSEL-003/e1"),
            3 => (format!("{valid},{unknown}=a"), "FSEL-003/e1"),
            4 => (format!("{parent}=a"), "FSEL-003/e1"),
            5 if !self.is_namespaced => ("metadata.namespace=a".to_owned(), "FSEL-003/e1"),
            5 | 6 => {
                (format!("{}=a", choices.pick::<&str>(&["metadata.labels", "metadata.uid", "kind"])), "FSEL-003/e1")
            }
            7 => (format!(".{label}=a"), "FSEL-002"),
            8 => (format!("{label} =a"), "FSEL-004/e1"),
            _ => {
                let wrong = ["{} in (a)", "{}>1", "{}", "{}=a=b", "{}=\\a", "{}=a\\"];
                (choices.pick::<&str>(&wrong).replace("{}", &label), "FSEL-004")
            }
        };
        let list = self.list.clone();
        let sent = match choices.draw(3) {
            0 => {
                let deleted = plan.send(selecting(Method::Delete, list.clone(), &selector));
                let left = plan.read(list);
                plan.check("not-deleted", &[asserts], left, lists(&self.selects(&[])));
                deleted
            }
            1 => {
                let mut watch = selecting(Method::Get, list, &selector);
                watch.query.extend(
                    [("watch", "true"), ("timeoutSeconds", "1")]
                        .map(|(name, value)| (name.to_owned(), value.to_owned())),
                );
                plan.send(watch)
            }
            _ => plan.send(selecting(Method::Get, list, &selector)),
        };
        plan.check("refused", &[asserts], sent, refused_as(400, "BadRequest"));
    }

    /// Requests for one object ignore selectors.
    fn one(&self, choices: &mut Choices, plan: &mut Plan) {
        let at_object = choices.index(self.created.len());
        let resource = plan.object_of(self.created[at_object]);
        let selector = *choices.pick(&["metadata.name=none", "spec.none=a"]);
        let request =
            if choices.chance(1, 2) { Request::get(resource) } else { Request::merge_patch(resource, json!({})) };
        let answered = plan.send(Request { query: query(selector), ..request });
        plan.check("one", &["FSEL-008"], answered, at("/kind", "$kind"));
    }

    /// Empty selectors select everything.
    fn empty(&self, choices: &mut Choices, plan: &mut Plan) {
        let listed = plan.send(selecting(Method::Get, self.list.clone(), choices.pick::<&str>(&["", ","])));
        plan.check("empty", &["FSEL-004"], listed, lists(&self.selects(&[])));
    }

    /// Deletes what is selected: the answer lists it, and the rest stays.
    fn delete(&self, choices: &mut Choices, plan: &mut Plan) {
        let term = self.term(choices);
        let text = term.text(choices);
        let deleted = plan.send(selecting(Method::Delete, self.list.clone(), &text));
        let selects = self.selects(std::slice::from_ref(&term));
        plan.check("deleted", &["FSEL-008"], deleted, lists(&selects));
        plan.check("code", &["FSEL-008"], deleted, Expectation::Status(200));
        let rest = plan.read(self.list.clone());
        plan.check("left", &["FSEL-008"], rest, lists(&selected(&self.objects, |object| !term.selects(object))));
    }
}
