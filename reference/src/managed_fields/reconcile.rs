//! What a changed schema makes of the sets that were written under the old one: what has become one value is owned as one
//! (structured-merge-diff knows no way back).

use super::element::Element;
use super::set::{FieldSet, Pair};
use super::types::{Form, List, Map, Place, Topology, Type};

/// A set as it would have been written today.
pub(super) fn reconciled(set: FieldSet, known: &Type) -> FieldSet {
    let coarser = coarser(known, Some(&set), false).below;
    if coarser.is_empty() { set } else { set.recursive_difference(&coarser).union(&coarser) }
}

/// What has become one value.
#[derive(Default)]
struct Coarser {
    is_itself: bool,
    below: FieldSet,
}

/// `is_leaf`: it is owned, and nothing below it.
fn coarser(known: &Type, owned: Option<&FieldSet>, is_leaf: bool) -> Coarser {
    match known.form(known.kinds(None)) {
        Some(Form::Map(map)) => in_map(map, owned, is_leaf),
        Some(Form::List(list)) => in_list(list, owned, is_leaf),
        Some(Form::Scalar(_)) | None => Coarser::default(),
    }
}

fn in_list(list: &List, owned: Option<&FieldSet>, is_leaf: bool) -> Coarser {
    if matches!(list.topology, Topology::Atomic) {
        return Coarser { is_itself: !is_leaf, below: FieldSet::default() };
    }
    below(owned, |_| Some(list.items.get()))
}

fn in_map(map: &Map, owned: Option<&FieldSet>, is_leaf: bool) -> Coarser {
    if map.is_unknown() {
        return Coarser::default();
    }
    if map.is_atomic && !is_leaf {
        let is_itself = owned.is_some_and(|owned| !owned.is_empty());
        return Coarser { is_itself, below: FieldSet::default() };
    }
    below(owned, |step| match step {
        Element::Field(name) => map.at(name).map(Place::get),
        _ => map.others.as_ref().map(Place::get),
    })
}

fn below<'t>(owned: Option<&FieldSet>, type_at: impl Fn(&Element) -> Option<&'t Type>) -> Coarser {
    let mut found = FieldSet::default();
    for pair in owned.into_iter().flat_map(FieldSet::steps) {
        let (step, child, is_leaf) = match pair {
            Pair::Left(step) => (step, None, true),
            Pair::Right((step, child)) | Pair::Both(_, (step, child)) => (step, Some(child), false),
        };
        let Some(known) = type_at(step) else { continue };
        let Coarser { is_itself, below } = coarser(known, child, is_leaf);
        if is_itself {
            found.add_member(step.clone());
        }
        found.set_child(step.clone(), below);
    }
    Coarser { is_itself: false, below: found }
}
