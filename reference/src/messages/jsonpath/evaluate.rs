//! Evaluates a path on an object.
//!
//! A value that is found twice is kept once, so no step finds more values than the object has. A budget bounds what
//! filters do with each item of nested lists.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use super::item::Item;
use super::step::{Filter, PathStep, Slice, Test};
use super::{JsonPath, compare};

/// The maximum number of values and steps that an evaluation may visit. An object of 3 MiB has fewer distinct values.
const BUDGET: usize = 4_000_000;

impl JsonPath {
    /// The first result. `None` if nothing is found, or if the path fails.
    pub(crate) fn first<'a>(&'a self, root: &'a Value) -> Option<Item<'a>> {
        let (action, others) = self.actions.split_first()?;
        if others.is_empty() && action.iter().all(|step| matches!(step, PathStep::Field(_))) {
            return plain_fields(action, root).map(Item::Json);
        }
        let mut evaluation = Evaluation { budget: BUDGET };
        let found = evaluation.run(action, vec![Found::once(Item::Json(root))]).ok()?;
        for other in others {
            evaluation.run(other, vec![Found::once(Item::Json(root))]).ok()?;
        }
        found.first().map(|found| found.item)
    }
}

/// A shortcut for paths that consist only of field names, as nearly all do.
fn plain_fields<'a>(steps: &[PathStep], root: &'a Value) -> Option<&'a Value> {
    steps.iter().try_fold(root, |value, step| match step {
        PathStep::Field(name) => value.as_object()?.get(name),
        _ => None,
    })
}

/// A value, and whether it was found more than once.
#[derive(Clone, Copy, Debug)]
struct Found<'a> {
    item: Item<'a>,
    repeated: bool,
}

impl<'a> Found<'a> {
    fn once(item: Item<'a>) -> Self {
        Self { item, repeated: false }
    }

    fn with(self, item: Item<'a>) -> Self {
        Self { item, ..self }
    }
}

/// The path failed.
struct Failed {
    /// Whether the failed step left any values: upstream counts them in a filter that tests for existence.
    leaves_any: bool,
}

type Reached<'a> = Result<Vec<Found<'a>>, Failed>;

struct Evaluation {
    budget: usize,
}

impl Evaluation {
    fn run<'a>(&mut self, steps: &'a [PathStep], from: Vec<Found<'a>>) -> Reached<'a> {
        steps.iter().try_fold(from, |found, step| self.step(step, found))
    }

    fn step<'a>(&mut self, step: &'a PathStep, from: Vec<Found<'a>>) -> Reached<'a> {
        self.spend(1 + from.len())?;
        match step {
            PathStep::Field(name) => Ok(fields(name, from)),
            PathStep::Wildcard => self.wildcard(from),
            PathStep::Descend => self.descend(from),
            PathStep::Slice(slice) => self.slice(*slice, from),
            PathStep::Union(parts) => self.union(parts, &from),
            PathStep::Filter(filter) => self.filter(filter, from),
            PathStep::Text(text) => Ok(vec![Found::once(Item::Text(text))]),
            PathStep::Integer(integer) => Ok(for_each(Item::Integer(integer), &from)),
            PathStep::Float(float) => Ok(for_each(Item::Float(float), &from)),
            PathStep::Bool(flag) => Ok(for_each(Item::Bool(flag), &from)),
            PathStep::Word => Err(Failed { leaves_any: !from.is_empty() }),
        }
    }

    fn spend(&mut self, count: usize) -> Result<(), Failed> {
        self.budget = self.budget.checked_sub(count).ok_or(Failed { leaves_any: false })?;
        Ok(())
    }

    fn wildcard<'a>(&mut self, from: Vec<Found<'a>>) -> Reached<'a> {
        let mut found = Vec::new();
        for one in from {
            self.spend(count(one.item))?;
            found.extend(parts(one.item).map(|item| one.with(item)));
        }
        Ok(found)
    }

    /// Visits values depth first, without recursion. If a value is found again, so is everything below it.
    fn descend<'a>(&mut self, from: Vec<Found<'a>>) -> Reached<'a> {
        let mut seen = (from.len() > 1).then(HashMap::new);
        let mut found: Vec<Found<'a>> = Vec::new();
        let mut waiting = from;
        waiting.retain(|one| has_parts(one.item));
        waiting.reverse();
        while let Some(one) = waiting.pop() {
            match seen.as_mut().map(|seen| seen.entry(address(one.item))) {
                Some(Entry::Occupied(first)) => {
                    let first: &mut Found<'a> = &mut found[*first.get()];
                    if std::mem::replace(&mut first.repeated, true) {
                        continue;
                    }
                }
                Some(Entry::Vacant(place)) => {
                    place.insert(found.len());
                    found.push(one);
                }
                None => found.push(one),
            }
            let before = waiting.len();
            // The bytes of a text have no parts.
            if let Item::Json(Value::Array(_) | Value::Object(_)) = one.item {
                self.spend(1 + count(one.item))?;
                waiting.extend(parts(one.item).filter(|part| has_parts(*part)).map(|part| one.with(part)));
            }
            waiting[before..].reverse();
        }
        Ok(found)
    }

    fn slice<'a>(&mut self, slice: Slice, from: Vec<Found<'a>>) -> Reached<'a> {
        let mut found = Vec::new();
        for one in &from {
            let items = match one.item {
                Item::Json(Value::Null) => continue,
                Item::Json(Value::Array(items)) => items,
                _ => return Err(Failed { leaves_any: true }),
            };
            match range(slice, items.len()) {
                Range::Empty => return Ok(found),
                Range::OutOfBounds => return Err(Failed { leaves_any: true }),
                Range::Of { start, end, step } => {
                    self.spend(1 + (end - start) / step)?;
                    found.extend(items[start..end].iter().step_by(step).map(|item| one.with(Item::Json(item))));
                }
            }
        }
        Ok(found)
    }

    fn union<'a>(&mut self, parts: &'a [Vec<PathStep>], from: &[Found<'a>]) -> Reached<'a> {
        let mut found = Vec::new();
        for part in parts {
            let more = self.run(part, from.to_vec()).map_err(|_| Failed { leaves_any: !from.is_empty() })?;
            found.extend(more);
        }
        Ok(deduplicated(found))
    }

    fn filter<'a>(&mut self, filter: &'a Filter, from: Vec<Found<'a>>) -> Reached<'a> {
        let mut found = Vec::new();
        for one in &from {
            let Item::Json(Value::Array(items)) = one.item else {
                return Err(Failed { leaves_any: true });
            };
            for item in items {
                let item = Item::Json(item);
                if self.passes(filter, item).map_err(|_| Failed { leaves_any: !found.is_empty() })? {
                    found.push(one.with(item));
                }
            }
        }
        Ok(found)
    }

    fn passes(&mut self, filter: &Filter, item: Item<'_>) -> Result<bool, Failed> {
        let left = self.run(&filter.left, vec![Found::once(item)]);
        let Test::Compare(operator, right) = &filter.test else {
            return Ok(left.map_or_else(|failed| failed.leaves_any, |left| !left.is_empty()));
        };
        let Some(left) = single(&left?)? else { return Ok(false) };
        let right = self.run(right, vec![Found::once(item)])?;
        let Some(right) = single(&right)? else { return Ok(false) };
        let holds = operator.and_then(|operator| compare::holds(operator, left, right));
        holds.ok_or(Failed { leaves_any: false })
    }
}

/// The operand of a comparison: a single value, or none. Fails for several values.
fn single<'a>(found: &[Found<'a>]) -> Result<Option<Item<'a>>, Failed> {
    match found {
        [] => Ok(None),
        [one] if !one.repeated => Ok(Some(one.item)),
        _ => Err(Failed { leaves_any: true }),
    }
}

fn fields<'a>(name: &str, mut from: Vec<Found<'a>>) -> Vec<Found<'a>> {
    from.retain_mut(|one| match one.item {
        Item::Json(Value::Object(members)) => match members.get(name) {
            Some(value) => {
                one.item = Item::Json(value);
                true
            }
            None => false,
        },
        _ => false,
    });
    from
}

/// Replaces each value by a literal.
fn for_each<'a>(item: Item<'a>, from: &[Found<'a>]) -> Vec<Found<'a>> {
    let repeated = from.len() > 1 || from.iter().any(|one| one.repeated);
    if from.is_empty() { Vec::new() } else { vec![Found { item, repeated }] }
}

/// The direct parts of a value.
fn parts<'a>(item: Item<'a>) -> Box<dyn Iterator<Item = Item<'a>> + 'a> {
    match item {
        Item::Json(Value::Array(items)) => Box::new(items.iter().map(Item::Json)),
        Item::Json(Value::Object(members)) => Box::new(members.values().map(Item::Json)),
        Item::Json(Value::String(text)) => Box::new(text.as_bytes().iter().map(Item::Byte)),
        Item::Text(text) => Box::new(text.as_bytes().iter().map(Item::Byte)),
        _ => Box::new(std::iter::empty()),
    }
}

/// The number of direct parts of a value.
fn count(item: Item<'_>) -> usize {
    match item {
        Item::Json(Value::Array(items)) => items.len(),
        Item::Json(Value::Object(members)) => members.len(),
        Item::Json(Value::String(text)) => text.len(),
        Item::Text(text) => text.len(),
        _ => 0,
    }
}

fn has_parts(item: Item<'_>) -> bool {
    count(item) > 0
}

/// The items that a slice takes from a list.
enum Range {
    Of {
        start: usize,
        end: usize,
        step: usize,
    },
    /// No items, neither from this list nor from the lists after it.
    Empty,
    OutOfBounds,
}

fn range(slice: Slice, length: usize) -> Range {
    let signed = i64::try_from(length).unwrap_or(i64::MAX);
    let start = if slice.start < 0 { slice.start + signed } else { slice.start };
    let end = match slice.end {
        None => signed,
        Some(end) if end < 0 || (end == 0 && slice.single) => end + signed,
        Some(end) => end,
    };
    if start == end {
        return Range::Empty;
    }
    let within = |index: i64| usize::try_from(index).ok().filter(|index| *index <= length);
    match (within(start), within(end), slice.step.map_or(Some(1), |step| usize::try_from(step).ok())) {
        (Some(start), Some(end), Some(step)) if start < end && step > 0 => Range::Of { start, end, step },
        _ => Range::OutOfBounds,
    }
}

/// Keeps each value once, where it was found first.
fn deduplicated(found: Vec<Found<'_>>) -> Vec<Found<'_>> {
    let mut seen: HashMap<usize, usize> = HashMap::with_capacity(found.len());
    let mut kept: Vec<Found<'_>> = Vec::with_capacity(found.len());
    for one in found {
        match seen.entry(address(one.item)) {
            Entry::Occupied(first) => kept[*first.get()].repeated = true,
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push(one);
            }
        }
    }
    kept
}

/// The address of a value, which identifies it.
fn address(item: Item<'_>) -> usize {
    match item {
        Item::Json(value) => std::ptr::from_ref(value).addr(),
        Item::Text(text) => text.as_ptr().addr(),
        Item::Integer(integer) => std::ptr::from_ref(integer).addr(),
        Item::Float(float) => std::ptr::from_ref(float).addr(),
        Item::Bool(flag) => std::ptr::from_ref(flag).addr(),
        Item::Byte(byte) => std::ptr::from_ref(byte).addr(),
    }
}
