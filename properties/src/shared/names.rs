//! A model of the names of definitions in one group: which are accepted (LIFE-006, LIFE-007).

use crate::shared::prelude::*;

/// The names of a definition: requested, or accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Names {
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) short: Vec<String>,
    pub(crate) kind: String,
    pub(crate) list_kind: String,
    pub(crate) categories: Vec<String>,
}

/// The accepted names of the other definition.
pub(crate) struct TakenBy<'a> {
    pub(crate) names: &'a Names,
    pub(crate) exists: bool,
}

/// What becomes of requested names.
pub(crate) struct Decision {
    pub(crate) accepted: Names,
    /// The reason of the last conflict, and the name that is taken.
    pub(crate) conflict: Option<(&'static str, String)>,
}

/// Names that definitions may request, some of which the other has or may request, too. No definition requests a name
/// twice, except its plural as singular at first: later kube-apiserver takes its own names for those of others (defect
/// of LIFE-006).
const SINGULARS: [&[&str]; 2] = [&["thing", "lone", "both"], &["thing1", "alone", "both", "a1"]];
const SHORT_NAMES: [&[&str]; 2] = [&["a1", "a2", "thing1", "thing1s"], &["b1", "a2", "things", "lone"]];
const KINDS: [&[&str]; 2] = [&["Thing", "Shared"], &["Thing1", "Shared", "ThingList"]];
const LIST_KINDS: [&[&str]; 2] = [&["ThingList", "SharedList"], &["Thing1List", "SharedList", "sharedList", "Thing"]];
/// What the executor gives them.
const PLURALS: [&str; 2] = ["things", "thing1s"];
const USUAL_KINDS: [&str; 2] = ["Thing", "Thing1"];

impl Names {
    /// What the executor gives to a definition: the first of a scenario, or the second in the group of the first.
    pub(crate) fn given(at: usize) -> Self {
        let kind = USUAL_KINDS[at];
        Self {
            plural: PLURALS[at].to_owned(),
            singular: kind.to_lowercase(),
            short: Vec::new(),
            kind: kind.to_owned(),
            list_kind: format!("{kind}List"),
            categories: Vec::new(),
        }
    }

    /// Names for a new definition, and the edits that request them; and whether some of them are derived or repeated.
    pub(crate) fn draw(choices: &mut Choices, at: usize, categories: Vec<String>) -> (Self, Vec<Edit>, bool) {
        let mut changed = Map::from_iter([("categories".to_owned(), json!(categories))]);
        let mut names = Self { categories, ..Self::given(at) };
        if choices.chance(1, 3) {
            names.kind = (*choices.pick(KINDS[at])).to_owned();
            changed.insert("kind".into(), json!(names.kind));
        }
        let mut edits = Vec::new();
        let mut is_special = false;
        if choices.chance(1, 4) {
            edits.push(Edit::Remove("/spec/names/singular".into()));
            edits.push(Edit::Remove("/spec/names/listKind".into()));
            names.singular = names.kind.to_lowercase();
            names.list_kind = format!("{}List", names.kind);
            is_special = true;
        } else {
            for (field, value) in names.rename_singly(choices, at) {
                changed.insert(field, value);
            }
            if choices.chance(1, 8) {
                names.singular.clone_from(&names.plural);
                changed.insert("singular".into(), json!(names.singular));
                is_special = true;
            }
        }
        edits.extend(changed.into_iter().map(|(field, value)| Edit::Set(format!("/spec/names/{field}"), value)));
        (names, edits, is_special)
    }

    /// Other names, as a merge patch of `spec.names`.
    pub(crate) fn rename(&mut self, choices: &mut Choices, at: usize, categories: Vec<String>) -> Value {
        let mut changed: Map<String, Value> = self.rename_singly(choices, at).into_iter().collect();
        changed.insert("categories".into(), json!(categories));
        self.categories = categories;
        Value::Object(changed)
    }

    /// Changes some names that may be changed at any time.
    fn rename_singly(&mut self, choices: &mut Choices, at: usize) -> Vec<(String, Value)> {
        let mut changed = Vec::new();
        if choices.chance(1, 2) {
            self.singular = (*choices.pick(SINGULARS[at])).to_owned();
            changed.push(("singular".to_owned(), json!(self.singular)));
        }
        if choices.chance(1, 2) {
            let names = SHORT_NAMES[at].iter().filter(|_| choices.chance(1, 3));
            self.short = names.map(|name| (*name).to_owned()).collect();
            changed.push(("shortNames".to_owned(), json!(self.short)));
        }
        if choices.chance(1, 3) {
            // Not the kind itself.
            let list_kinds: Vec<&str> = LIST_KINDS[at].iter().copied().filter(|name| *name != self.kind).collect();
            self.list_kind = (*choices.pick(&list_kinds)).to_owned();
            changed.push(("listKind".to_owned(), json!(self.list_kind)));
        }
        changed
    }

    /// As the definition shows them.
    pub(crate) fn document(&self) -> Value {
        json!({
            "plural": self.plural, "singular": self.singular, "shortNames": self.short,
            "kind": self.kind, "listKind": self.list_kind, "categories": self.categories,
        })
    }
}

impl TakenBy<'_> {
    /// Whether it has this name of a resource.
    fn has_word(&self, word: &str) -> bool {
        let Names { plural, singular, short, .. } = self.names;
        self.exists && (plural == word || singular == word || short.iter().any(|name| name == word))
    }

    /// Whether it has this name of a kind.
    fn has_kind(&self, kind: &str) -> bool {
        self.exists && (self.names.kind == kind || self.names.list_kind == kind)
    }
}

/// Each name that the other definition does not have is accepted; in place of one that it has stays what was accepted
/// before. Of several conflicts the last is reported.
pub(crate) fn decide(requested: &Names, before: &Names, taken: &TakenBy<'_>) -> Decision {
    let mut accepted = Names { categories: requested.categories.clone(), ..requested.clone() };
    let mut conflict = None;
    let is_taken = |wanted: &str, own: &str, has: bool| wanted != own && has;
    if is_taken(&requested.plural, &before.plural, taken.has_word(&requested.plural)) {
        accepted.plural.clone_from(&before.plural);
        conflict = Some(("PluralConflict", requested.plural.clone()));
    }
    if is_taken(&requested.singular, &before.singular, taken.has_word(&requested.singular)) {
        accepted.singular.clone_from(&before.singular);
        conflict = Some(("SingularConflict", requested.singular.clone()));
    }
    let mut new = requested.short.iter().filter(|name| !before.short.contains(name));
    if let Some(name) = new.rfind(|name| taken.has_word(name)) {
        accepted.short.clone_from(&before.short);
        conflict = Some(("ShortNamesConflict", name.clone()));
    }
    if is_taken(&requested.kind, &before.kind, taken.has_kind(&requested.kind)) {
        accepted.kind.clone_from(&before.kind);
        conflict = Some(("KindConflict", requested.kind.clone()));
    }
    if is_taken(&requested.list_kind, &before.list_kind, taken.has_kind(&requested.list_kind)) {
        accepted.list_kind.clone_from(&before.list_kind);
        conflict = Some(("ListKindConflict", requested.list_kind.clone()));
    }
    Decision { accepted, conflict }
}
