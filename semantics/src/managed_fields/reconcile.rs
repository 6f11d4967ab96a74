//! Adapts sets of fields that were written under an older schema: what has become atomic since is owned as a whole
//! (structured-merge-diff does not handle the reverse).

use super::element::Element;
use super::set::{FieldSet, Pair};
use super::types::{FieldType, Form, List, Map, Topology, TypeRef};

/// The set as it would be written under the present schema.
pub(crate) fn reconciled(set: FieldSet, known: &FieldType) -> FieldSet {
    let atomic = became_atomic(known, Some(&set), false).below;
    if atomic.is_empty() { set } else { set.recursive_difference(&atomic).union(&atomic) }
}

/// What has become atomic: a value itself, or fields below it.
#[derive(Default)]
struct BecameAtomic {
    is_itself: bool,
    below: FieldSet,
}

/// Finds what has become atomic. `is_leaf`: the value itself is owned, and nothing below it.
fn became_atomic(known: &FieldType, owned: Option<&FieldSet>, is_leaf: bool) -> BecameAtomic {
    match known.form(known.kinds(None)) {
        Some(Form::Map(map)) => in_map(map, owned, is_leaf),
        Some(Form::List(list)) => in_list(list, owned, is_leaf),
        Some(Form::Scalar(_)) | None => BecameAtomic::default(),
    }
}

fn in_list(list: &List, owned: Option<&FieldSet>, is_leaf: bool) -> BecameAtomic {
    if matches!(list.topology, Topology::Atomic) {
        return BecameAtomic { is_itself: !is_leaf, below: FieldSet::default() };
    }
    below(owned, |_| Some(list.items.get()))
}

fn in_map(map: &Map, owned: Option<&FieldSet>, is_leaf: bool) -> BecameAtomic {
    if map.is_unknown() {
        return BecameAtomic::default();
    }
    if map.is_atomic && !is_leaf {
        let is_itself = owned.is_some_and(|owned| !owned.is_empty());
        return BecameAtomic { is_itself, below: FieldSet::default() };
    }
    below(owned, |step| match step {
        Element::Field(name) => map.at(name).map(TypeRef::get),
        _ => map.others.as_ref().map(TypeRef::get),
    })
}

fn below<'t>(owned: Option<&FieldSet>, type_at: impl Fn(&Element) -> Option<&'t FieldType>) -> BecameAtomic {
    let mut found = FieldSet::default();
    for pair in owned.into_iter().flat_map(FieldSet::steps) {
        let (step, child, is_leaf) = match pair {
            Pair::Left(step) => (step, None, true),
            Pair::Right((step, child)) | Pair::Both(_, (step, child)) => (step, Some(child), false),
        };
        let Some(known) = type_at(step) else { continue };
        let BecameAtomic { is_itself, below } = became_atomic(known, child, is_leaf);
        if is_itself {
            found.add_member(step.clone());
        }
        found.set_child(step.clone(), below);
    }
    BecameAtomic { is_itself: false, below: found }
}
