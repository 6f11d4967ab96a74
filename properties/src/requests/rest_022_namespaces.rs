//! REST-022: lists of one namespace and of all.

use super::namespaces::{NAMESPACES, Namespaces};
use crate::prelude::*;
use crate::shared::accepted_or_refused_as;

pub(super) const PROPERTY: Property = Property::new("rest-022-namespaces", plan)
    .title("requests in one namespace neither show nor change objects of another")
    .asserts(&["REST-001", "REST-022", "REST-022/e1", "INV-054", "REST-074"])
    .needs(&[Capability::Storing, Capability::Namespaces]);

/// What the name of `kube-public` begins with, which is the second namespace of a run. No namespace has this name.
const BEGINNING: &str = "kube-publi";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut namespaces = Namespaces::new(plan);
    choices.many_parts("write", 1, 8, |choices, _| namespaces.write(choices));
    choices.case_parts("reading", |choices, _| {
        let namespace = *choices.pick(&[Some(NAMESPACES[0]), Some(NAMESPACES[1]), None]);
        match choices.draw(2) {
            0 => {
                let list = namespaces.list(namespace);
                let asserts: &[&str] =
                    if namespace.is_some() { &["REST-022", "INV-054"] } else { &["REST-001", "REST-022", "INV-054"] };
                let name = if namespace.is_some() { "own-list" } else { "whole-list" };
                let shown = namespaces.shown(namespace);
                namespaces.plan.check(name, asserts, list, shown);
            }
            1 => {
                let (read, shown) = namespaces.get(namespace.unwrap_or(NAMESPACES[1]), 0);
                namespaces.plan.check("object", &["INV-054"], read, shown);
            }
            _ => {
                // No step creates it. The second is what a name of others begins with.
                let missing = *choices.pick(&["crdible-missing", BEGINNING]);
                let asserts: &[&str] = if missing == BEGINNING { &["REST-022", "REST-022/e1"] } else { &["REST-022"] };
                if choices.chance(1, 4) {
                    let deleted = namespaces.delete_all(missing);
                    namespaces.plan.assume(deleted, Expectation::Accepted);
                    let (list, shown) = (namespaces.list(None), namespaces.shown(None));
                    namespaces.plan.check("deleted-elsewhere", asserts, list, shown);
                }
                let list = namespaces.list(Some(missing));
                let nothing = NamedCheck::States { states: vec![vec![]], expires: false };
                namespaces.plan.check("missing-namespace", asserts, list, nothing);
                let created = namespaces.create_in_missing(missing);
                let allowed = accepted_or_refused_as(404, "NotFound");
                namespaces.plan.check("create-in-missing-namespace", &["REST-074"], created, allowed);
            }
        }
        namespaces.plan.count_case();
    });
}
