//! Sets of fields: trees of steps. Whether a field is in a set does not depend on the fields above or below it.

use std::cmp::Ordering;

use super::element::Element;

/// A set of paths. Both lists are sorted and contain no step twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    /// The last steps of paths.
    members: Vec<Element>,
    /// Steps with the paths below them; they are not members unless listed above.
    children: Vec<(Element, Self)>,
}

/// The entries at a step of one or both of two lists.
pub(super) enum Pair<A, B> {
    Left(A),
    Right(B),
    Both(A, B),
}

/// An entry of a list that is sorted by steps.
pub(super) trait AtElement {
    fn element(&self) -> &Element;
}

impl AtElement for Element {
    fn element(&self) -> &Element {
        self
    }
}

impl AtElement for (Element, FieldSet) {
    fn element(&self) -> &Element {
        &self.0
    }
}

/// Merges two sorted lists, step by step.
fn paired<'a, A: AtElement, B: AtElement>(left: &'a [A], right: &'a [B]) -> impl Iterator<Item = Pair<&'a A, &'a B>> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    std::iter::from_fn(move || {
        let order = match (left.peek(), right.peek()) {
            (Some(left), Some(right)) => left.element().cmp(right.element()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        match order {
            Ordering::Less => left.next().map(Pair::Left),
            Ordering::Greater => right.next().map(Pair::Right),
            Ordering::Equal => left.next().zip(right.next()).map(|(left, right)| Pair::Both(left, right)),
        }
    })
}

impl FieldSet {
    /// The set of these fields of the root.
    pub fn of_fields(names: &[&str]) -> Self {
        names.iter().fold(Self::default(), |mut set, name| {
            set.insert(&[name]);
            set
        })
    }

    /// Adds the field at a path of names.
    pub fn insert(&mut self, path: &[&str]) {
        match path {
            [] => {}
            [name] => self.add_member(Element::Field((*name).to_owned())),
            [name, below @ ..] => self.child_mut(Element::Field((*name).to_owned())).insert(below),
        }
    }

    /// Whether the field at a path of names is in the set.
    pub fn has(&self, path: &[&str]) -> bool {
        let at = |name: &str| Element::Field(name.to_owned());
        match path {
            [] => false,
            [name] => self.members.binary_search(&at(name)).is_ok(),
            [name, below @ ..] => self.child(&at(name)).is_some_and(|child| child.has(below)),
        }
    }

    /// Whether no field is in the set.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.children.iter().all(|(_, child)| child.is_empty())
    }

    /// All fields of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let members = paired(&self.members, &other.members).map(|pair| match pair {
            Pair::Left(member) | Pair::Right(member) | Pair::Both(_, member) => member.clone(),
        });
        let children = paired(&self.children, &other.children).map(|pair| match pair {
            Pair::Left(child) | Pair::Right(child) => child.clone(),
            Pair::Both((step, child), (_, other)) => (step.clone(), child.union(other)),
        });
        Self { members: members.collect(), children: children.collect() }
    }

    /// The fields that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let members = paired(&self.members, &other.members).filter_map(|pair| match pair {
            Pair::Both(member, _) => Some(member.clone()),
            _ => None,
        });
        let children = paired(&self.children, &other.children).filter_map(|pair| match pair {
            Pair::Both((step, child), (_, other)) => some_child(step, child.intersection(other)),
            _ => None,
        });
        Self { members: members.collect(), children: children.collect() }
    }

    /// The fields of this set that are not in the other one. Fields below a field of the other one stay.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let children = paired(&self.children, &other.children).filter_map(|pair| match pair {
            Pair::Left(child) => Some(child.clone()),
            Pair::Both((step, child), (_, other)) => some_child(step, child.difference(other)),
            Pair::Right(_) => None,
        });
        Self { members: self.members_without(other), children: children.collect() }
    }

    /// [`Self::difference`] for a set that is no longer needed: it is not copied if `other` is empty, as it mostly is.
    pub(crate) fn without(self, other: &Self) -> Self {
        if other.is_empty() { self } else { self.difference(other) }
    }

    /// The difference, also without what is below fields of the other set.
    #[must_use]
    pub fn recursive_difference(&self, other: &Self) -> Self {
        let children = paired(&self.children, &other.children).filter_map(|pair| match pair {
            Pair::Left(child) => Some(child.clone()),
            Pair::Both((step, child), (_, other)) => some_child(step, child.recursive_difference(other)),
            Pair::Right(_) => None,
        });
        let children = children.filter(|(step, _)| !other.has_member(step));
        Self { members: self.members_without(other), children: children.collect() }
    }

    fn members_without(&self, other: &Self) -> Vec<Element> {
        let kept = paired(&self.members, &other.members).filter_map(|pair| match pair {
            Pair::Left(member) => Some(member.clone()),
            _ => None,
        });
        kept.collect()
    }

    /// The steps that are members or have children, with these children, in order.
    pub(super) fn steps(&self) -> impl Iterator<Item = Pair<&Element, &(Element, Self)>> {
        paired(&self.members, &self.children)
    }

    pub(super) fn has_member(&self, step: &Element) -> bool {
        self.members.binary_search(step).is_ok()
    }

    pub(super) fn child(&self, step: &Element) -> Option<&Self> {
        let at = self.children.binary_search_by(|(known, _)| known.cmp(step)).ok()?;
        self.children.get(at).map(|(_, child)| child)
    }

    /// Adds a member.
    pub(super) fn add_member(&mut self, step: Element) {
        // Steps are mostly added in order.
        if self.members.last().is_none_or(|last| *last < step) {
            self.members.push(step);
        } else if let Err(at) = self.members.binary_search(&step) {
            self.members.insert(at, step);
        }
    }

    /// Puts a set below a step, unless it is empty.
    pub(super) fn set_child(&mut self, step: Element, below: Self) {
        if !below.is_empty() {
            *self.child_mut(step) = below;
        }
    }

    fn child_mut(&mut self, step: Element) -> &mut Self {
        let at = match self.children.binary_search_by(|(known, _)| known.cmp(&step)) {
            Ok(at) => at,
            Err(at) => {
                self.children.insert(at, (step, Self::default()));
                at
            }
        };
        &mut self.children[at].1
    }
}

/// A child of a set, unless it is empty.
fn some_child(step: &Element, below: FieldSet) -> Option<(Element, FieldSet)> {
    (!below.is_empty()).then(|| (step.clone(), below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(paths: &[&str]) -> FieldSet {
        paths.iter().fold(FieldSet::default(), |mut set, path| {
            set.insert(&path.split('.').collect::<Vec<_>>());
            set
        })
    }

    #[test]
    fn union_intersection_and_differences() {
        let (a, b) = (set(&["a", "a.b", "a.c", "d.e"]), set(&["a.c", "a.d", "d", "f"]));
        assert_eq!(a.union(&b), set(&["a", "a.b", "a.c", "a.d", "d", "d.e", "f"]));
        assert_eq!(a.intersection(&b), set(&["a.c"]));
        assert_eq!(a.difference(&b), set(&["a", "a.b", "d.e"]));
        assert_eq!(a.recursive_difference(&b), set(&["a", "a.b"]));
        assert_eq!(b.recursive_difference(&a), set(&["d", "f"]));
        assert!(a.difference(&a).is_empty());
        assert_eq!(a.union(&a), a);
    }

    #[test]
    fn parents_and_children_of_a_field_are_not_in_the_set() {
        let set = set(&["a.b"]);
        assert!(set.has(&["a", "b"]));
        assert!(!set.has(&["a"]) && !set.has(&["a", "b", "c"]) && !set.has(&[]));
    }
}
