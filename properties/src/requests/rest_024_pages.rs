//! REST-024..027: pages of a list, and which state a list shows.

use crdible_scenario::QueryFromAnswer;

use super::thing::{create_of, schema};
use crate::prelude::*;
use crate::shared::{definitions::refused_as, has, holds_nothing};

pub(super) const PROPERTY: Property = Property::new("rest-024-pages", plan)
    .title("the pages of a list add up to one snapshot, whatever is written meanwhile")
    .asserts(&[
        "REST-012",
        "REST-024",
        "REST-024/e1",
        "REST-025",
        "REST-025/e1",
        "REST-026",
        "REST-027",
        "INV-051",
        "INV-052",
    ])
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    let created: Vec<StepId> = choices.many_average("object", 1, 9, 5, |choices, at| {
        let labels = json!({ "parity": if at % 2 == 0 { "even" } else { "odd" } });
        let fields = json!({ "metadata": { "labels": labels }, "spec": { "a": choices.draw(3), "o": {} } });
        let object = plan.next_object();
        let created = plan.send(create_of(definition, object, fields));
        plan.assume(created, Expectation::Accepted);
        created
    });
    let mut listed = Listed { plan, definition, left: created };
    choices.case_parts("reading", |choices, _| {
        match choices.weighted(&[4, 2, 1]) {
            0 => listed.read_in_pages(choices),
            1 => listed.read_selected(choices),
            _ => listed.refused(choices),
        }
        listed.plan.count_case();
    });
}

/// A collection that is read in pages.
struct Listed<'a> {
    plan: &'a mut Plan,
    definition: usize,
    /// The creates of the objects that are there.
    left: Vec<StepId>,
}

impl Listed<'_> {
    fn list(&self) -> Request {
        Request::get(Resource::objects(self.definition, "v1"))
    }

    /// The page behind another one; its limit may differ.
    fn page(&mut self, limit: usize, selector: Option<&str>, before: Option<StepId>) -> StepId {
        let mut query = vec![("limit".to_owned(), limit.to_string())];
        query.extend(selector.map(|selector| ("labelSelector".to_owned(), selector.to_owned())));
        let pointer = "/metadata/continue".to_owned();
        let token = before.map(|step| QueryFromAnswer { name: "continue".to_owned(), step, pointer });
        let query_from_answers = token.into_iter().collect();
        self.plan.send(Request { query, query_from_answers, ..self.list() })
    }

    /// All pages; perhaps objects come, change and go between two of them.
    fn read_in_pages(&mut self, choices: &mut Choices) {
        let whole = self.plan.send(self.list());
        self.plan.assume(whole, Expectation::Accepted);
        let (total, writes) = (self.left.len(), choices.draw(1) == 0);
        let mut limit = usize::try_from(choices.between(1, 4)).unwrap_or(1);
        let (mut from, mut before) = (0, None);
        let mut has_written = false;
        loop {
            let changes_limit = before.is_some() && choices.chance(1, 4);
            if changes_limit {
                limit = usize::try_from(choices.between(1, 4)).unwrap_or(1);
            }
            let page = self.page(limit, None, before);
            let part = NamedCheck::Slice { from, count: limit, expires: Some(has_written && before.is_some()) };
            let mut asserts = vec!["REST-024", "INV-051"];
            asserts.extend(changes_limit.then_some("REST-025/e1"));
            if has_written && before.is_some() {
                asserts = vec!["REST-027", "INV-052"];
            }
            self.plan.check("page", &asserts, page, part.against(whole));
            from += limit;
            if from >= total {
                if !has_written {
                    self.plan.check("last-page", &["REST-024"], page, holds_nothing("/metadata/continue"));
                }
                return;
            }
            if !has_written {
                self.plan.check("more", &["REST-024"], page, has("/metadata/continue"));
                let rest = NamedCheck::Remaining { count: total - from };
                self.plan.check("remaining", &["REST-024", "INV-051"], page, rest);
            }
            before = Some(page);
            if writes {
                self.write(choices);
                has_written = true;
            }
        }
    }

    /// A write between two pages.
    fn write(&mut self, choices: &mut Choices) {
        match choices.draw(2) {
            0 => {
                let object = self.plan.next_object();
                let create = create_of(self.definition, object, json!({ "spec": { "a": 9, "o": {} } }));
                self.left.push(self.plan.send(create));
            }
            1 if self.left.len() > 1 => {
                let gone = self.left.remove(choices.index(self.left.len()));
                let target = self.plan.object_of(gone);
                self.plan.send(Request::delete(target));
            }
            _ => {
                let changed = *choices.pick(&self.left);
                self.plan.patch(changed, Method::MergePatch, json!({ "spec": { "a": choices.between(10, 99) } }));
            }
        }
    }

    /// All pages of what a selector chooses. A page may hold fewer than its limit.
    fn read_selected(&mut self, choices: &mut Choices) {
        let selector = *choices.pick(&["parity=even", "parity!=even", "parity"]);
        let query = vec![("labelSelector".to_owned(), selector.to_owned())];
        let whole = self.plan.send(Request { query, ..self.list() });
        self.plan.assume(whole, Expectation::Accepted);
        let limit = usize::try_from(choices.between(1, 4)).unwrap_or(1);
        let first = self.page(limit, Some(selector), None);
        let part = NamedCheck::Begins { most: limit }.against(whole);
        self.plan.check("selected-page", &["REST-024", "REST-024/e1"], first, part);
        // A limit of 0 is none.
        let all = self.page(0, Some(selector), None);
        let slice = NamedCheck::Slice { from: 0, count: self.left.len() + 100, expires: None };
        self.plan.check("no-limit", &["REST-024/e1"], all, slice.against(whole));
    }

    /// Options that are invalid or do not belong together.
    fn refused(&mut self, choices: &mut Choices) {
        let forbidden = |reason: &str| Expectation::CausesInclude(vec![Cause::new("resourceVersionMatch", reason)]);
        let bad = || refused_as(400, "BadRequest");
        let (name, asserts, query, expected): (_, &[&str], &[(&str, &str)], _) = match choices.draw(7) {
            0 => ("bad-token", &["REST-025"], &[("continue", "abc")], bad()),
            1 => ("no-token", &["REST-025"], &[("continue", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ"), ("limit", "1")], bad()),
            2 => ("match-alone", &["REST-026"], &[("resourceVersionMatch", "Exact")], forbidden("Forbidden")),
            3 => ("match-alone", &["REST-026"], &[("resourceVersionMatch", "NotOlderThan")], forbidden("Forbidden")),
            4 => {
                let query = &[("resourceVersionMatch", "Exact"), ("resourceVersion", "0")];
                ("exactly-any", &["REST-026"], query, forbidden("Forbidden"))
            }
            5 => {
                let query = &[("resourceVersionMatch", "Bogus"), ("resourceVersion", "1")];
                ("unknown-match", &["REST-026"], query, forbidden("NotSupported"))
            }
            6 => ("no-number", &["REST-012"], &[("limit", "x")], bad()),
            _ => ("no-number", &["REST-012"], &[("timeoutSeconds", "1s")], bad()),
        };
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let sent = self.plan.send(Request { query, ..self.list() });
        self.plan.check(name, asserts, sent, expected);
    }
}
