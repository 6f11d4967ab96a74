//! LIFE-004, LIFE-006 to LIFE-008, LIFE-010, LIFE-011, LIFE-023, LIFE-026, INV-101, INV-102: definitions of one group
//! that claim each other's names.

use super::shared::{CLEANUP, HOLD, cleaned_up, condition_for, create, delete, gone, make, release, schema};
use crate::prelude::*;
use crate::shared::{
    all,
    definitions::{merge, read},
    names::{Decision, Names, TakenBy, decide},
    names_decided,
};

pub(super) const PROPERTY: Property = Property::new("life-006-name-conflicts", plan)
    .title("of two definitions that request the same name, the second waits until the name is free")
    .asserts(&[
        "INV-101",
        "INV-102",
        "LIFE-004",
        "LIFE-006",
        "LIFE-006/e1",
        "LIFE-007",
        "LIFE-007/e1",
        "LIFE-008",
        "LIFE-010",
        "LIFE-011",
        "LIFE-015",
        "LIFE-023",
        "LIFE-026",
        "VER-006/e1",
    ])
    .needs(&[Capability::Serving, Capability::Conditions, Capability::DefinitionUpdates, Capability::NameConflicts])
    .edges(&[
        Edge { name: "deleted-beside-an-object", plan: deleted_beside_an_object },
        Edge { name: "released-in-turn", plan: released_in_turn },
    ]);

/// A definition as the model knows it.
struct Known {
    number: usize,
    exists: bool,
    requested: Names,
    accepted: Names,
    conflict: Option<(&'static str, String)>,
    is_established: bool,
    is_held: bool,
    /// An object of it.
    object: Option<StepId>,
}

impl Known {
    fn new(number: usize) -> Self {
        let none = Names::default;
        let (requested, accepted) = (none(), none());
        Self {
            number,
            exists: false,
            requested,
            accepted,
            conflict: None,
            is_established: false,
            is_held: false,
            object: None,
        }
    }

    /// What it will say when its names are decided on.
    fn decided(&self) -> NamedCheck {
        names_decided(self.accepted.document(), self.conflict.is_none(), self.is_established)
    }
}

/// Two definitions of one group.
struct Group<'a> {
    plan: &'a mut Plan,
    known: [Known; 2],
    changes: usize,
}

/// What a definition is created with.
struct Claim {
    names: Names,
    /// The edits that request them.
    edits: Vec<Edit>,
    is_derived: bool,
    is_held: bool,
    /// Whether an object is created, if the definition is established.
    has_object: bool,
}

impl Claim {
    /// These names, written out.
    fn of(names: Names, has_object: bool) -> Self {
        let requested =
            [("kind", json!(names.kind)), ("shortNames", json!(names.short)), ("categories", json!(names.categories))];
        let edits = requested.map(|(name, value)| Edit::Set(format!("/spec/names/{name}"), value)).to_vec();
        Self { names, edits, is_derived: false, is_held: false, has_object }
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut group = Group::new(plan);
    let begin = choices.up_to(1);
    group.create(choices, begin, true);
    group.create(choices, 1 - begin, false);
    choices.many_average("act", 0, 5, 2, |choices, _| {
        let at = choices.up_to(1);
        match choices.weighted(&[3, 1]) {
            _ if !group.known[at].exists => group.create(choices, at, false),
            0 => group.rename(choices, at),
            _ => group.delete(at),
        }
    });
}

/// A definition that waits for a name is deleted while the one that has it has an object.
fn deleted_beside_an_object(plan: &mut Plan) {
    let mut group = Group::new(plan);
    for at in 0..2 {
        let names = Names { kind: "Thing".into(), categories: group.next_categories(), ..Names::given(at) };
        group.install(at, Claim::of(names, at == 0));
    }
    group.delete(1);
}

/// A definition releases a name for which the other waits, which so releases the name for which the first waits.
fn released_in_turn(plan: &mut Plan) {
    let mut group = Group::new(plan);
    for (at, short) in [vec!["thing1s".to_owned()], Vec::new()].into_iter().enumerate() {
        let names = Names { short, categories: group.next_categories(), ..Names::given(at) };
        group.install(at, Claim::of(names, false));
    }
    // The singular of the second.
    let categories = group.next_categories();
    group.known[0].requested.short = vec!["thing1".to_owned()];
    group.known[0].requested.categories.clone_from(&categories);
    group.request(0, json!({ "shortNames": ["thing1"], "categories": categories }));
    let categories = group.next_categories();
    "both".clone_into(&mut group.known[1].requested.singular);
    group.known[1].requested.categories.clone_from(&categories);
    group.request(1, json!({ "singular": "both", "categories": categories }));
}

impl<'a> Group<'a> {
    fn new(plan: &'a mut Plan) -> Self {
        let first = plan.uninstalled();
        let second = plan.uninstalled_beside(first);
        Self { plan, known: [first, second].map(Known::new), changes: 0 }
    }

    fn create(&mut self, choices: &mut Choices, at: usize, may_have_object: bool) {
        self.plan.count_case();
        let (names, edits, is_derived) = Names::draw(choices, at, self.next_categories());
        let is_held = choices.chance(1, 6);
        // The first create under a new definition may take seconds.
        let has_object = may_have_object && choices.chance(1, 6);
        self.install(at, Claim { names, edits, is_derived, is_held, has_object });
    }

    fn install(&mut self, at: usize, claim: Claim) {
        let Claim { names, mut edits, is_derived, is_held, has_object } = claim;
        if is_held {
            edits.push(Edit::Set("/metadata/finalizers".into(), json!([HOLD])));
        }
        let number = self.known[at].number;
        make(self.plan, number, vec![Version::only(schema(&[]))], edits);
        self.known[at] = Known { exists: true, requested: names, is_held, ..Known::new(number) };
        let mut asserts = vec!["LIFE-006", "INV-101"];
        asserts.extend(is_derived.then_some("LIFE-006/e1"));
        self.decide(at, &asserts);
        let known = &mut self.known[at];
        if has_object && known.is_established {
            known.object =
                Some(create(self.plan, number, "v1", json!({ "kind": known.accepted.kind, "spec": { "a": 1 } })));
        }
    }

    fn rename(&mut self, choices: &mut Choices, at: usize) {
        self.plan.count_case();
        let categories = self.next_categories();
        let changed = self.known[at].requested.rename(choices, at, categories);
        self.request(at, changed);
    }

    /// Requests other names.
    fn request(&mut self, at: usize, changed: Value) {
        let patched = merge(self.plan, self.known[at].number, json!({ "spec": { "names": changed } }));
        self.plan.check("patched", &["LIFE-010"], patched, Expectation::Accepted);
        self.decide(at, &["LIFE-010"]);
    }

    /// Another category each time: kube-apiserver does not look at a definition again whose names are as
    /// requested (LIFE-010).
    fn next_categories(&mut self) -> Vec<String> {
        self.changes += 1;
        vec![format!("c{}", self.changes)]
    }

    fn delete(&mut self, at: usize) {
        self.plan.count_case();
        let Known { number, is_held, is_established, .. } = self.known[at];
        let asserts: &[&str] = if is_established { &[] } else { &["LIFE-023"] };
        let deleted = delete(self.plan, number, None);
        if !is_established {
            let last = if is_held { "/metadata/finalizers/1" } else { "/metadata/finalizers/0" };
            self.plan.check("cleanup", asserts, deleted, at_text(last, CLEANUP));
        }
        if is_held {
            // A holder that is only terminating still holds its names.
            let reason = if is_established { "InstanceDeletionCompleted" } else { "NeverEstablished" };
            let read = cleaned_up(self.plan, number, reason);
            self.plan.check("completed", &["LIFE-026"], read, condition_for("Terminating", "False", reason));
            self.check_state(1 - at, &["LIFE-011"]);
            let released = release(self.plan, number);
            self.plan.check("released", &["LIFE-026"], released, Expectation::Accepted);
        }
        gone(self.plan, number, if is_established { &["LIFE-015"] } else { &["LIFE-023"] });
        self.known[at] = Known::new(number);
        self.decide(1 - at, &["LIFE-011", "INV-101"]);
        if let (false, Some(object)) = (is_established, self.known[1 - at].object) {
            let read = self.plan.get(object);
            self.plan.check("others", &["LIFE-023"], read, Expectation::same_revision(object));
        }
    }

    /// Decides on the names of a definition, and then of those that wait for what it releases, until nothing changes.
    /// Only what becomes of both in the end is checked: a server may go on to it at once.
    fn decide(&mut self, at: usize, asserts: &[&'static str]) {
        let mut decided: [Option<Vec<&str>>; 2] = [None, None];
        let mut next = Some((at, asserts.to_vec()));
        while let Some((at, asserts)) = next.take() {
            if !self.known[at].exists {
                break;
            }
            let other = &self.known[1 - at];
            let taken = TakenBy { names: &other.accepted, exists: other.exists };
            let known = &self.known[at];
            let Decision { accepted, conflict } = decide(&known.requested, &known.accepted, &taken);
            let is_of_waiting = conflict.is_some() && !other.is_established;
            let known = &mut self.known[at];
            let changes = known.accepted != accepted;
            known.is_established |= conflict.is_none();
            (known.accepted, known.conflict) = (accepted, conflict);
            let all = decided[at].get_or_insert_default();
            let further = asserts.into_iter().chain(is_of_waiting.then_some("LIFE-007/e1"));
            further.for_each(|item| {
                if !all.contains(&item) {
                    all.push(item)
                }
            });
            // The other may have been waiting for what this one had.
            next = changes.then(|| (1 - at, vec!["LIFE-011"]));
        }
        for at in [at, 1 - at] {
            if let Some(asserts) = &decided[at] {
                self.check_state(at, asserts);
            }
        }
        self.check_resources();
    }

    /// Waits until the names of a definition are decided on, and checks everything that follows.
    fn check_state(&mut self, at: usize, asserts: &[&str]) {
        let known = &self.known[at];
        if !known.exists {
            return;
        }
        let plan = &mut *self.plan;
        let settled = read(plan, known.number);
        // That a name is in use is said anew when the other definition takes it, in a later write.
        let said = known.conflict.as_ref().map(|(reason, taken)| [conflict(reason), quotes(taken)]);
        plan.repeat_until(settled, all([known.decided().into()].into_iter().chain(said.into_iter().flatten())));
        let of_names = [&["LIFE-007"], asserts].concat();
        let names = known.accepted.document();
        plan.check("accepted-names", &of_names, settled, NamedCheck::AcceptedNames { names });
        let of_conflicts = [&["LIFE-006"], asserts].concat();
        match &known.conflict {
            None => plan.check("accepted", asserts, settled, condition_for("NamesAccepted", "True", "NoConflicts")),
            Some((reason, taken)) => {
                plan.check("conflict", &of_conflicts, settled, conflict(reason));
                plan.check("quoted", &of_conflicts, settled, quotes(taken));
            }
        }
        plan.check("consistent", &["INV-102"], settled, NamedCheck::NamesConsistent);
        plan.check("form", &["INV-102"], settled, NamedCheck::Conditions);
        let list = plan.list(known.number, "v1");
        if known.is_established {
            let established = condition_for("Established", "True", "InitialNamesAccepted");
            plan.check("established", &[&["LIFE-004"], asserts].concat(), settled, established);
            plan.repeat_until(list, Expectation::Accepted);
            plan.check("served", &[&["LIFE-004"], asserts].concat(), list, Expectation::Accepted);
        } else {
            let waiting = condition_for("Established", "False", "NotAccepted");
            plan.check("waiting", &[&["LIFE-008"], asserts].concat(), settled, waiting);
            plan.repeat_until(list, Expectation::Status(404));
            plan.check("not-served", &["LIFE-008"], list, NamedCheck::Plain404);
        }
    }

    /// If one definition is established and the other waits, discovery shows only the one.
    fn check_resources(&mut self) {
        let [first, second] = &self.known;
        let (one, other) = if first.is_established { (first, second) } else { (second, first) };
        if !one.is_established || !other.exists || other.is_established {
            return;
        }
        let resources = self.plan.read(Resource::GroupVersion { definition: one.number, version: "v1".into() });
        let first = at_text("/resources/0/name", &one.accepted.plural);
        // What was served under the same name before may still be shown.
        self.plan.repeat_until(resources, all([first.clone(), absent("/resources/1")]));
        self.plan.check("resource", &["VER-006/e1"], resources, first);
        self.plan.check("no-other", &["VER-006/e1"], resources, absent("/resources/1"));
    }
}

/// Names of the definition are in use.
fn conflict(reason: &str) -> Expectation {
    condition_for("NamesAccepted", "False", reason)
}

/// The condition names this name.
fn quotes(taken: &str) -> Expectation {
    NamedCheck::ConditionSays { r#type: "NamesAccepted".to_owned(), text: format!("\"{taken}\"") }.into()
}

fn at_text(pointer: &str, text: &str) -> Expectation {
    at(pointer, Value::from(text))
}
