//! REST-022 to REST-027: lists with several options at once.

use crdible_scenario::{QueryFromAnswer, Scope, Seen};

use super::namespaces::{NAMESPACES, within};
use crate::prelude::*;
use crate::shared::holds_nothing;

pub(super) const PROPERTY: Property = Property::new("rest-024-combinations", plan)
    .title("a list shows what its namespace, selector, revision and pages choose together, in each form")
    .asserts(&[
        "INV-051",
        "INV-054",
        "INV-060",
        "REST-022",
        "REST-023",
        "REST-024",
        "REST-026",
        "REST-026/e1",
        "REST-027",
        "REST-069",
        "TABLE-005",
        "TABLE-007",
    ])
    .needs(&[Capability::Storing, Capability::Namespaces]);

/// The most objects.
const MOST: usize = 7;
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";
const METADATA: &str = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

/// An object, as it is or was.
#[derive(Clone)]
struct Thing {
    namespace: &'static str,
    object: usize,
    label: &'static str,
    number: i64,
}

impl Thing {
    fn content(&self) -> Value {
        json!({ "spec": { "a": self.number } })
    }
}

/// What a list chooses.
#[derive(Clone, Copy)]
struct Options {
    /// None means all.
    namespace: Option<&'static str>,
    selector: Option<&'static str>,
    /// How the revision of the earlier list is meant; none means the present state.
    earlier: Option<&'static str>,
}

impl Options {
    fn draw(choices: &mut Choices) -> Self {
        Self {
            namespace: *choices.pick(&[None, Some(NAMESPACES[0]), Some(NAMESPACES[1])]),
            selector: *choices.pick(&[None, Some("l=x"), Some("l!=x"), Some("l in (x,y)")]),
            earlier: *choices.pick(&[None, Some("Exact"), Some("NotOlderThan")]),
        }
    }

    fn chooses(&self, thing: &Thing) -> bool {
        let is_selected = match self.selector {
            None => true,
            Some("l=x") => thing.label == "x",
            Some("l!=x") => thing.label != "x",
            Some(_) => ["x", "y"].contains(&thing.label),
        };
        is_selected && self.namespace.is_none_or(|namespace| namespace == thing.namespace)
    }
}

/// A definition, and its objects at an earlier moment and now.
struct Lists<'a> {
    plan: &'a mut Plan,
    definition: usize,
    /// The list of all at the earlier moment, and what it shows.
    before: StepId,
    earlier: Vec<Thing>,
    /// What it showed after each write since.
    since: Vec<Vec<Thing>>,
    present: Vec<Thing>,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let schema = spec_of(json!({ "a": { "type": "integer" } }));
    let definition = plan.define(Definition { scope: Scope::Namespaced, ..Definition::of_schema(schema) });
    let mut lists = Lists { plan, definition, before: 0, earlier: vec![], since: vec![], present: vec![] };
    choices.many_average("object", 1, MOST, 5, |choices, _| lists.create(choices));
    let all = Options { namespace: None, selector: None, earlier: None };
    lists.before = lists.list(&all, None, None);
    lists.earlier.clone_from(&lists.present);
    choices.many("write", 0, 3, |choices, _| lists.write(choices));
    choices.case_parts("reading", |choices, _| {
        let options = Options::draw(choices);
        let (whole, count) = lists.whole(&options);
        // Two lists that are not older than an earlier one may show two states.
        if options.earlier != Some("NotOlderThan") && choices.draw(1) == 0 {
            lists.pages(choices, &options, whole, count);
        } else {
            lists.other_form(choices, &options, None, whole);
        }
        lists.plan.count_case();
    });
}

impl Lists<'_> {
    fn request(&self, method: Method, namespace: Option<&str>, rest: &str, body: Body) -> Request {
        within(self.definition, method, namespace, rest, body)
    }

    fn create(&mut self, choices: &mut Choices) {
        let (namespace, label) = (*choices.pick::<&str>(&NAMESPACES), *choices.pick::<&str>(&["x", "y", "z"]));
        let thing = Thing { namespace, object: self.plan.next_object(), label, number: choices.between(1, 9) };
        let fields = extended(thing.content(), &json!({ "metadata": { "labels": { "l": label } } }));
        let (version, definition) = ("v1".to_owned(), self.definition);
        let body = Body::Object { definition, version, object: thing.object, fields: fields.into() };
        let created = self.plan.send(self.request(Method::Post, Some(namespace), "", body));
        self.plan.assume(created, Expectation::Accepted);
        self.present.push(thing);
    }

    /// A write, after which all that was shown before is the past.
    fn write(&mut self, choices: &mut Choices) {
        self.change(choices);
        self.since.push(self.present.clone());
    }

    /// A create, a change or a deletion.
    fn change(&mut self, choices: &mut Choices) {
        let kind = choices.draw(2);
        if kind == 0 || self.present.is_empty() {
            return self.create(choices);
        }
        let at = choices.index(self.present.len());
        let thing = self.present[at].clone();
        let rest = format!("/$object-{}", thing.object);
        let (method, body) = if kind == 1 {
            self.present[at].number = thing.number + 10;
            (Method::MergePatch, Body::json(self.present[at].content()))
        } else {
            self.present.remove(at);
            (Method::Delete, Body::None)
        };
        let sent = self.plan.send(self.request(method, Some(thing.namespace), &rest, body));
        self.plan.assume(sent, Expectation::Accepted);
    }

    /// A list with these options, or its page behind another one, which keeps the revision of the first.
    fn list(&mut self, options: &Options, limit: Option<usize>, page_before: Option<StepId>) -> StepId {
        let request = self.request(Method::Get, options.namespace, "", Body::None);
        let mut query = Vec::new();
        query.extend(options.selector.map(|selector| ("labelSelector".to_owned(), selector.to_owned())));
        query.extend(limit.map(|limit| ("limit".to_owned(), limit.to_string())));
        let mut query_from_answers = Vec::new();
        if let Some(step) = page_before {
            let (name, pointer) = ("continue".to_owned(), "/metadata/continue".to_owned());
            query_from_answers.push(QueryFromAnswer { name, step, pointer });
        } else if let Some(means) = options.earlier {
            query.push(("resourceVersionMatch".to_owned(), means.to_owned()));
            query_from_answers.push(QueryFromAnswer::revision_of(self.before));
        }
        self.plan.send(Request { query, query_from_answers, ..request })
    }

    /// A list in one piece, which must show what is chosen, and how many objects these are.
    fn whole(&mut self, options: &Options) -> (StepId, usize) {
        let whole = self.list(options, None, None);
        if options.earlier == Some("NotOlderThan") {
            self.plan.varies(whole);
            // A replica may ask for patience.
            self.plan.repeat_until(whole, Expectation::Accepted);
        }
        let is_exact = options.earlier == Some("Exact");
        // What is not older than the earlier list may be as old as that.
        let shown: Vec<&Vec<Thing>> = match options.earlier {
            None => vec![&self.present],
            Some("Exact") => vec![&self.earlier],
            Some(_) => [&self.earlier].into_iter().chain(&self.since).collect(),
        };
        let seen = |thing: &Thing| {
            let namespace = Some(thing.namespace.to_owned());
            Seen { namespace, object: thing.object, content: thing.content() }
        };
        let chosen = |all: &Vec<Thing>| all.iter().filter(|thing| options.chooses(thing)).map(seen).collect();
        let states: Vec<Vec<Seen>> = shown.into_iter().map(chosen).collect();
        let count = states[0].len();
        let mut asserts = match (options.namespace, options.selector) {
            (None, Some(_)) => vec!["REST-023"],
            (Some(_), Some(_)) => vec!["REST-022", "REST-023"],
            (_, None) => vec!["REST-022", "INV-054"],
        };
        asserts.extend(is_exact.then_some("REST-026/e1"));
        asserts.extend((options.earlier == Some("NotOlderThan")).then_some("REST-026"));
        self.plan.check("whole", &asserts, whole, NamedCheck::States { states, expires: is_exact });
        if is_exact {
            self.plan.assume(whole, Expectation::Accepted);
        }
        (whole, count)
    }

    /// The same list in pages; perhaps something is written after the first.
    fn pages(&mut self, choices: &mut Choices, options: &Options, whole: StepId, count: usize) {
        let limit = usize::try_from(choices.between(1, 3)).unwrap_or(1);
        let writes = choices.chance(1, 3);
        // A page of selected objects may hold fewer, so there may be more pages; those behind the last count nothing.
        let most = count.div_ceil(limit).max(1) + usize::from(options.selector.is_some());
        let mut pages: Vec<StepId> = Vec::new();
        while pages.len() < most {
            let page = self.list(options, Some(limit), pages.last().copied());
            if pages.is_empty() {
                let begins = NamedCheck::Begins { most: limit };
                self.plan.check("first-page", &["REST-024", "INV-051"], page, begins.against(whole));
                if choices.chance(1, 2) {
                    self.other_form(choices, options, Some(limit), page);
                }
                if writes {
                    self.write(choices);
                }
            }
            pages.push(page);
        }
        let asserts: &[&str] = if writes { &["REST-024", "REST-027", "INV-051"] } else { &["REST-024", "INV-051"] };
        let last = pages[pages.len() - 1];
        self.plan.check("pages", asserts, last, Expectation::Pages { whole, pages });
    }

    /// The same list, whole or its first page, in another form: at the revision of the plain one.
    fn other_form(&mut self, choices: &mut Choices, options: &Options, limit: Option<usize>, plain: StepId) {
        let is_table = choices.draw(1) == 0;
        let accept = Some(if is_table { TABLE } else { METADATA }.to_owned());
        let mut query = vec![("resourceVersionMatch".to_owned(), "Exact".to_owned())];
        query.extend(options.selector.map(|selector| ("labelSelector".to_owned(), selector.to_owned())));
        query.extend(limit.map(|limit| ("limit".to_owned(), limit.to_string())));
        let query_from_answers = vec![QueryFromAnswer::revision_of(plain)];
        let request = self.request(Method::Get, options.namespace, "", Body::None);
        let shown = self.plan.send(Request { accept, query, query_from_answers, ..request });
        if is_table {
            self.plan.check("rows", &["TABLE-005"], shown, NamedCheck::TableRows.against(plain));
            self.plan.check("metadata", &["TABLE-007"], shown, NamedCheck::TableMetadata.against(plain));
        } else {
            let only = NamedCheck::MetadataOnly { version: "v1".to_owned() };
            self.plan.check("partial", &["REST-069", "INV-060"], shown, only.against(plain));
            self.plan.check("metadata", &["REST-069"], shown, NamedCheck::TableMetadata.against(plain));
        }
        if limit.is_none() {
            self.plan.check("no-token", &["REST-024"], shown, holds_nothing("/metadata/continue"));
        }
    }
}
