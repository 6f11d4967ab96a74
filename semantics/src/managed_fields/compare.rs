//! What changed between two values of a type.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map as Members, Value};

use super::check::{self, Untyped};
use super::element::{Element, same};
use super::set::FieldSet;
use super::types::{FieldType, Form, Kinds, List, Map, Topology, TypeRef};

/// The changed fields. No field is in two of the sets.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Fields that only the new value has.
    pub added: FieldSet,
    /// Fields of both, with different values.
    pub modified: FieldSet,
    /// Fields that only the old value has.
    pub removed: FieldSet,
}

impl Comparison {
    /// The same without these fields and what is below them.
    #[must_use]
    pub fn without(self, fields: &[&str]) -> Self {
        if fields.is_empty() {
            return self;
        }
        let fields = FieldSet::of_fields(fields);
        Self {
            added: self.added.recursive_difference(&fields),
            modified: self.modified.recursive_difference(&fields),
            removed: self.removed.recursive_difference(&fields),
        }
    }

    /// Adds another comparison, which is about other fields or agrees with this one.
    fn absorb(&mut self, other: &Self) {
        self.added = self.added.union(&other.added);
        self.modified = self.modified.union(&other.modified);
        self.removed = self.removed.union(&other.removed);
    }
}

/// Compares two values that match their type.
pub(crate) fn compare(known: &FieldType, before: &Value, after: &Value) -> Result<Comparison, Untyped> {
    node(known, Some(before), Some(after)).map(|node| node.below)
}

/// How a value changed.
#[derive(Clone, Copy, Default)]
struct Marks {
    is_added: bool,
    is_modified: bool,
    is_removed: bool,
}

impl Marks {
    fn or(self, other: Self) -> Self {
        Self {
            is_added: self.is_added || other.is_added,
            is_modified: self.is_modified || other.is_modified,
            is_removed: self.is_removed || other.is_removed,
        }
    }
}

/// How a value changed, and what is below it.
#[derive(Default)]
struct Node {
    marks: Marks,
    /// Whether it was compared as one value.
    is_leaf: bool,
    below: Comparison,
}

impl Node {
    fn leaf(before: Option<&Value>, after: Option<&Value>) -> Self {
        let is_modified = matches!((before, after), (Some(before), Some(after)) if !same(before, after));
        Self { marks: Marks { is_modified, ..presence(before, after) }, is_leaf: true, ..Self::default() }
    }

    /// Adds the changes at a step. Steps must be added in order.
    fn add_step(&mut self, step: Element, Self { marks, below, .. }: Self) {
        let sets = [
            (&mut self.below.added, marks.is_added, below.added),
            (&mut self.below.modified, marks.is_modified, below.modified),
            (&mut self.below.removed, marks.is_removed, below.removed),
        ];
        for (set, is_member, below) in sets {
            if is_member {
                set.add_member(step.clone());
            }
            if !below.is_empty() {
                set.set_child(step.clone(), below);
            }
        }
    }

    fn is_unchanged(&self) -> bool {
        let Marks { is_added, is_modified, is_removed } = self.marks;
        let Comparison { added, modified, removed } = &self.below;
        !(is_added || is_modified || is_removed) && [added, modified, removed].into_iter().all(FieldSet::is_empty)
    }
}

/// Whether a value was added or removed.
fn presence(before: Option<&Value>, after: Option<&Value>) -> Marks {
    Marks { is_added: before.is_none(), is_modified: false, is_removed: before.is_some() && after.is_none() }
}

fn node(known: &FieldType, before: Option<&Value>, after: Option<&Value>) -> Result<Node, Untyped> {
    let (kinds_before, kinds_after) = (known.kinds(before), known.kinds(after));
    let mut node = if after.is_none() {
        node_of_kinds(known, kinds_before, before, after)?
    } else if before.is_none() || kinds_before == kinds_after {
        node_of_kinds(known, kinds_after, before, after)?
    } else {
        // The kind of the value changed: compared as both.
        let old = node_of_kinds(known, kinds_before, before, after)?;
        let mut new = node_of_kinds(known, kinds_after, before, after)?;
        new.marks = new.marks.or(old.marks);
        new.below.absorb(&old.below);
        new
    };
    if !node.is_leaf {
        node.marks = node.marks.or(presence(before, after));
    }
    Ok(node)
}

fn node_of_kinds(
    known: &FieldType,
    kinds: Kinds,
    before: Option<&Value>,
    after: Option<&Value>,
) -> Result<Node, Untyped> {
    match known.form(kinds).ok_or(Untyped)? {
        Form::Scalar(scalar) => {
            let matches = |value: Option<&Value>| value.is_none_or(|value| check::is_scalar(scalar, value));
            if matches(before) || matches(after) { Ok(Node::leaf(before, after)) } else { Err(Untyped) }
        }
        Form::List(list) => list_node(list, before, after),
        Form::Map(map) => map_node(map, before, after),
    }
}

fn map_node(map: &Map, before: Option<&Value>, after: Option<&Value>) -> Result<Node, Untyped> {
    let (old, new) = (before.and_then(Value::as_object), after.and_then(Value::as_object));
    let is_empty = |members: Option<&Members<String, Value>>| members.is_none_or(Members::is_empty);
    // If both sides are empty, they are compared as values: null differs from an empty map.
    if map.is_atomic || (is_empty(old) && is_empty(new)) {
        return Ok(Node::leaf(before, after));
    }
    let mut node = Node::default();
    for name in old.into_iter().chain(new).flat_map(Members::keys).collect::<BTreeSet<_>>() {
        let (old, new) = (old.and_then(|old| old.get(name)), new.and_then(|new| new.get(name)));
        // A shortcut, since most of an object is unchanged.
        if old == new {
            continue;
        }
        let member_type = map.at(name).ok_or(Untyped)?;
        let member = self::node(member_type.get(), old, new)?;
        if !member.is_unchanged() {
            node.add_step(Element::Field(name.clone()), member);
        }
    }
    Ok(node)
}

fn list_node(list: &List, before: Option<&Value>, after: Option<&Value>) -> Result<Node, Untyped> {
    let items = |value: Option<&'_ Value>| value.and_then(Value::as_array).map_or(0, Vec::len);
    if matches!(list.topology, Topology::Atomic) || (items(before) == 0 && items(after) == 0) {
        return Ok(Node::leaf(before, after));
    }
    let mut named: BTreeMap<Element, [Vec<&Value>; 2]> = BTreeMap::new();
    for (side, value) in [before, after].into_iter().enumerate() {
        for item in value.and_then(Value::as_array).into_iter().flatten() {
            named.entry(check::element(list, item)?).or_default()[side].push(item);
        }
    }
    let mut node = Node::default();
    for (step, [old, new]) in named {
        let element = element_node(&list.items, &old, &new)?;
        if !element.is_unchanged() {
            node.add_step(step, element);
        }
    }
    Ok(node)
}

/// Compares the occurrences of an element of a list. If it occurs more than once, they are compared as one value.
fn element_node(items: &TypeRef, old: &[&Value], new: &[&Value]) -> Result<Node, Untyped> {
    match (old, new) {
        ([] | [_], [] | [_]) => self::node(items.get(), old.first().copied(), new.first().copied()),
        ([_, _, ..], [_, _, ..]) => {
            let is_same = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new));
            Ok(Node { marks: Marks { is_modified: !is_same, ..Marks::default() }, ..Node::default() })
        }
        ([_, _, ..], _) => {
            let left = new.first().map(|new| self::node(items.get(), None, Some(new))).transpose()?;
            let left = left.unwrap_or_default();
            Ok(Node { marks: Marks { is_removed: true, ..left.marks }, ..left })
        }
        (_, _) => {
            let left = old.first().map(|old| self::node(items.get(), Some(old), None)).transpose()?;
            let left = left.unwrap_or_default();
            Ok(Node { marks: Marks { is_added: true, ..left.marks }, ..left })
        }
    }
}
