//! All documents of discovery about a group: what they say of the definitions in it.

use super::served::{PARTS, Served};
use crate::prelude::*;
use crate::shared::texts;

/// The `Accept` header of aggregated discovery.
pub(super) const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// A group with the definitions that discovery shows.
pub(super) struct Group<'a> {
    /// A definition of the group, for its name.
    pub(super) of: usize,
    /// All versions that any definition may have, in their order.
    pub(super) universe: &'a [&'static str],
    /// The definitions that are established.
    pub(super) shown: Vec<&'a Served>,
}

/// What has happened since the documents were read last.
#[derive(Clone, Debug, Default)]
pub(super) struct Since {
    /// Names were changed.
    pub(super) renamed: bool,
    /// A definition of the group waits for its names.
    pub(super) waits: bool,
    /// The versions that the group served before.
    pub(super) before: Vec<&'static str>,
}

impl Group<'_> {
    /// The versions that a definition serves, in their order.
    pub(super) fn versions(&self) -> Vec<&'static str> {
        let is_served = |version: &&&str| self.shown.iter().any(|served| served.at(version).is_some());
        self.universe.iter().filter(is_served).copied().collect()
    }

    /// The document of the group lists them.
    pub(super) fn listed(&self) -> NamedCheck {
        NamedCheck::Group { versions: texts(&self.versions()) }
    }

    /// Reads all documents until they show the group as it is, and checks each thing that they say. The answers are
    /// only read when they are right: what a server shows at first may be what was.
    pub(super) fn check(&self, plan: &mut Plan, since: &Since) {
        let lists: Vec<(&str, StepId)> =
            self.universe.iter().map(|version| (*version, self.check_version(plan, version, since))).collect();
        let groups = self.check_groups(plan, since);
        let aggregated = self.check_aggregated(plan, since);
        for (version, list) in lists {
            let agrees = NamedCheck::DiscoveryAgrees { version: version.to_owned() };
            plan.check("agree", &["DISC-012", "INV-050"], aggregated, agrees.against(list));
        }
        if let Some(groups) = groups {
            plan.check("same-versions", &["DISC-012", "INV-050"], aggregated, NamedCheck::SameListing.against(groups));
        }
    }

    /// The list of resources of a version. Returns its step.
    pub(super) fn check_version(&self, plan: &mut Plan, version: &'static str, since: &Since) -> StepId {
        let list = self.read_version(plan, version);
        let serving: Vec<&&Served> = self.shown.iter().filter(|served| served.at(version).is_some()).collect();
        if serving.is_empty() {
            let mut asserts = vec!["DISC-001", "DISC-001/e1", "DISC-003", "VER-007"];
            asserts.extend(since.before.contains(&version).then_some("DISC-014"));
            plan.check("not-served", &asserts, list, Expectation::Status(404));
            plan.check("plain-text", &["DISC-003/e1"], list, NamedCheck::Plain404);
            return list;
        }
        let names = serving.iter().map(|served| served.names.plural.clone()).collect();
        let mut asserts = vec!["DISC-001", "VER-007"];
        asserts.extend(serving.iter().any(|served| served.is_terminating).then_some("DISC-001/e1"));
        asserts.extend(since.waits.then_some("VER-006/e1"));
        plan.check("resources", &asserts, list, NamedCheck::ResourceNames { version: version.to_owned(), names });
        for served in serving {
            check_resource(plan, list, served, version, since);
        }
        list
    }

    /// Reads the list of resources of a version until it is right.
    pub(super) fn read_version(&self, plan: &mut Plan, version: &str) -> StepId {
        let list = plan.read(Resource::GroupVersion { definition: self.of, version: version.to_owned() });
        let entries: Vec<Value> = self.shown.iter().flat_map(|served| served.entries(version)).collect();
        let expected = if entries.is_empty() {
            Expectation::Status(404)
        } else {
            NamedCheck::Resources { version: version.to_owned(), resources: entries }.into()
        };
        plan.repeat_until(list, expected);
        list
    }

    /// Waits until the list of resources of a version is right, and judges nothing otherwise.
    pub(super) fn await_version(&self, plan: &mut Plan, version: &str) {
        let list = self.read_version(plan, version);
        plan.assume(list, Expectation::Accepted);
    }

    /// The document of the group, and its entry among all groups. Returns the step of the first, unless there is none.
    fn check_groups(&self, plan: &mut Plan, since: &Since) -> Option<StepId> {
        let versions = self.versions();
        let mut gone = vec!["DISC-003", "VER-006"];
        gone.extend((!since.before.is_empty()).then_some("DISC-014"));
        let of = self.of;
        if versions.is_empty() {
            let group = until(plan, Request::get(Resource::Group { definition: of }), Expectation::Status(404));
            plan.check("no-group", &gone, group, Expectation::Status(404));
            plan.check("no-group-as-text", &["DISC-003/e1"], group, NamedCheck::Plain404);
            gone[0] = "DISC-002";
            let groups = until(plan, Request::get(Resource::Groups { definition: of }), NamedCheck::NotListed);
            plan.check("not-listed", &gone, groups, NamedCheck::NotListed);
            return None;
        }
        let listed = self.listed();
        let names: Vec<String> = versions.iter().map(|version| (*version).to_owned()).collect();
        let read = |plan: &mut Plan, resource: Resource, requirement: &str| {
            let step = until(plan, Request::get(resource), listed.clone());
            plan.check("versions", &["VER-006"], step, Expectation::GroupVersions(names.clone()));
            plan.check("group", &[requirement], step, listed.clone());
            step
        };
        read(plan, Resource::Groups { definition: of }, "DISC-002");
        Some(read(plan, Resource::Group { definition: of }, "DISC-003"))
    }

    /// Aggregated discovery. Returns its step.
    fn check_aggregated(&self, plan: &mut Plan, since: &Since) -> StepId {
        let versions = self.aggregated();
        let request = in_form(AGGREGATED, Resource::Groups { definition: self.of });
        if versions.is_empty() {
            let mut asserts = vec!["DISC-001"];
            asserts.extend((!since.before.is_empty()).then_some("DISC-014"));
            let aggregated = until(plan, request, NamedCheck::NotListed);
            plan.check("not-aggregated", &asserts, aggregated, NamedCheck::NotListed);
            return aggregated;
        }
        let expected = NamedCheck::AggregatedResources { versions };
        let aggregated = until(plan, request, expected.clone());
        let names = self.versions().into_iter().map(str::to_owned).collect();
        plan.check("aggregated-versions", &["DISC-001"], aggregated, Expectation::GroupVersions(names));
        let mut asserts = vec!["DISC-011"];
        asserts.extend(since.renamed.then_some("DISC-010"));
        plan.check("aggregated", &asserts, aggregated, expected);
        aggregated
    }

    /// The versions as aggregated discovery shows them.
    pub(super) fn aggregated(&self) -> Vec<Value> {
        let mut sorted = self.shown.clone();
        sorted.sort_by_key(|served| &served.names.plural);
        let of = |version: &str| {
            let resources: Vec<Value> = sorted.iter().filter_map(|served| served.aggregated(version)).collect();
            json!({ "version": version, "freshness": "Current", "resources": resources })
        };
        self.versions().into_iter().map(of).collect()
    }
}

/// The entries of a definition in the list of resources of a version that it serves.
fn check_resource(plan: &mut Plan, list: StepId, served: &Served, version: &str, since: &Since) {
    let name = &served.names.plural;
    let entry = |name: &str, entry: Value| NamedCheck::Resource { name: name.to_owned(), entry };
    let mut asserts = vec!["DISC-004", "DISC-004/e2"];
    asserts.extend(since.renamed.then_some("DISC-010"));
    plan.check("entry", &asserts, list, entry(name, served.entry(false)));
    let verbs = NamedCheck::ResourceVerbs { name: name.clone(), verbs: texts(served.verbs()) };
    plan.check("verbs", &["DISC-005"], list, verbs);
    for (part, requirement) in PARTS.into_iter().zip(["DISC-006", "DISC-007"]) {
        let is_on = served.at(version).is_some_and(|setting| setting.has(part));
        let expected = if is_on { served.part(part) } else { Value::Null };
        let mut asserts = vec![requirement];
        asserts.extend((is_on && served.is_terminating).then_some("DISC-005/e1"));
        plan.check(part, &asserts, list, entry(&served.name_of(part), expected));
    }
}

/// GET of a resource with this `Accept` header.
pub(super) fn in_form(accept: &str, resource: Resource) -> Request {
    Request { accept: Some(accept.to_owned()), ..Request::get(resource) }
}

/// A request that is repeated until this holds of its answer.
pub(super) fn until(plan: &mut Plan, request: Request, holds: impl Into<Expectation>) -> StepId {
    let step = plan.send(request);
    plan.repeat_until(step, holds);
    step
}
