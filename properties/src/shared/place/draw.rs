//! Drawing places.

use crdible_generators::choice::Choices;

use super::{Container, Place, Step};

/// The places that may be drawn. Use the widest set that the property allows, and explain any set other than
/// [`Places::ANY`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// What may surround the node, the simplest first.
    pub(crate) containers: &'static [Container],
    /// At most this many containers between `spec` and the node; with none, the node is `spec`.
    pub(crate) most: usize,
    /// The average number of containers, if `most` allows it.
    pub(crate) average: u64,
    /// At most this many copies of its value per object: the product of the lengths of all lists on the path.
    pub(crate) copies: usize,
    /// Whether one place in six may have names that break unescaped paths and pointers.
    pub(crate) odd_names: bool,
    /// Whether one place in three is the root. Its node must be an object that declares no meta fields.
    pub(crate) root: bool,
}

/// Names of properties, the simplest first. Some of them mean something elsewhere (PRUNE-015).
const NAMES: &[&str] = &["a", "b", "metadata", "kind", "items", "x-y"];
/// Names that are not meta fields of an embedded resource.
const ORDINARY: &[&str] = &["a", "b", "items", "x-y"];
/// Names that break paths and pointers.
const ODD_NAMES: &[&str] = &["x.y", "x/y", "x~y", "", "é", "$ref", "__proto__"];
/// Keys of maps, without odd ones: some causes write keys in brackets, where an odd key would be ambiguous (VALUE-043).
const KEYS: &[&str] = &["k", "l", "metadata", "apiVersion", "spec", "x-y"];

impl Places {
    /// Every place in `spec` where a value is treated in the same way, with one copy, so that a pointer or a cause
    /// names all of it.
    pub(crate) const ANY: Self = Self {
        containers: &[
            Container::Object,
            Container::List,
            Container::Map,
            Container::Preserved,
            Container::Embedded,
            Container::Untyped,
            Container::PreservedEmbedded,
        ],
        most: 3,
        average: 2,
        copies: 1,
        odd_names: true,
        root: false,
    };

    /// The same, or the root: for objects that declare no meta fields.
    pub(crate) const OF_OBJECTS: Self = Self { root: true, ..Self::ANY };

    /// The same in up to six copies: for properties that only compare whole objects and causes. No more, because a
    /// server truncates the warnings of one answer at 4096 characters (VER-013).
    pub(crate) const COPIED: Self = Self { copies: 6, ..Self::ANY };

    /// In objects only, where a merge patch reaches it.
    pub(crate) const PATCHED: Self = Self { containers: &[Container::Object], most: 2, average: 1, ..Self::ANY };

    fn steps(&self, choices: &mut Choices) -> Vec<Step> {
        let has_odd_names = self.odd_names && choices.chance(1, 6);
        let mut copies = 1;
        let mut is_in_metadata = false;
        choices.many_average("container", 0, self.most, self.average, |choices, _| {
            // The metadata of an embedded resource must not contain another one (STRUCT-017).
            let allowed: Vec<Container> = self
                .containers
                .iter()
                .copied()
                .filter(|container| !(is_in_metadata && container.is_embedded()))
                .collect();
            let container = *choices.pick(&allowed);
            is_in_metadata |= container == Container::EmbeddedMetadata;
            let names = match container {
                Container::Map => KEYS,
                _ if has_odd_names => ODD_NAMES,
                container if container.is_embedded() => ORDINARY,
                _ => NAMES,
            };
            let name = *choices.pick(names);
            let elements =
                if container == Container::List { 1 + choices.index((self.copies / copies).min(3)) } else { 1 };
            copies *= elements;
            Step { elements, ..Step::named(container, name) }
        })
    }
}

impl Place {
    /// One of these places, relative to the root.
    pub(crate) fn draw(choices: &mut Choices, places: &Places) -> Self {
        if places.root && choices.chance(1, 3) {
            return Self::root();
        }
        Self::spec().join(Self::draw_relative(choices, places))
    }

    /// One of these places, relative to another node instead of `spec`.
    pub(crate) fn draw_relative(choices: &mut Choices, places: &Places) -> Self {
        Self { steps: places.steps(choices) }
    }
}
