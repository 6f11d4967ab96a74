//! Sums of lists.

use std::any::Any;
use std::sync::Arc;

use super::equality::equal_parts;
use super::work::is_exhausted;
use super::{Evaluated, EvaluationError, List, Value};
use crate::stack::deep;

/// Two lists, one behind the other. Nothing is copied, as upstream does: the sum costs the same however long they are,
/// and a list that is added to itself again and again is small in memory.
#[derive(Debug)]
struct Row {
    /// Two of them, until it is dropped.
    lists: Vec<Arc<dyn List>>,
    second_begins: usize,
    size: usize,
}

/// The elements of both lists, in their order. Beside an empty one, a list is what it was: a set stays a set.
///
/// Errors: there are more of them than an integer counts.
pub(super) fn in_a_row(first: &Arc<dyn List>, second: &Arc<dyn List>) -> Evaluated {
    if first.size() == 0 {
        return Ok(Value::List(Arc::clone(second)));
    }
    if second.size() == 0 {
        return Ok(Value::List(Arc::clone(first)));
    }
    let size = first.size().checked_add(second.size()).filter(|size| i64::try_from(*size).is_ok());
    let size = size.ok_or_else(|| EvaluationError::new("integer overflow"))?;
    let lists = vec![Arc::clone(first), Arc::clone(second)];
    Ok(Value::List(Arc::new(Row { lists, second_begins: first.size(), size })))
}

/// Sums may be nested deeply.
impl Drop for Row {
    fn drop(&mut self) {
        let lists = std::mem::take(&mut self.lists);
        deep(|| drop(lists));
    }
}

impl List for Row {
    fn size(&self) -> usize {
        self.size
    }

    /// Here, elements that cannot be compared are an error, unless two others differ.
    fn is_equal(&self, other: &dyn List) -> Result<bool, EvaluationError> {
        if self.size != other.size() {
            return Ok(false);
        }
        let mut error = None;
        for position in 0..self.size {
            match equal_parts(self.get(position), other.get(position)) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(found) if is_exhausted() => return Err(found),
                Err(found) => _ = error.get_or_insert(found),
            }
        }
        error.map_or(Ok(true), Err)
    }

    fn has(&self, wanted: &Value) -> Result<bool, EvaluationError> {
        let mut error = None;
        for list in &self.lists {
            match deep(|| list.has(wanted)) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(found) => _ = error.get_or_insert(found),
            }
        }
        error.map_or(Ok(false), Err)
    }

    fn get(&self, mut position: usize) -> Evaluated {
        let mut row = self;
        loop {
            let list = match position.checked_sub(row.second_begins) {
                None => &*row.lists[0],
                Some(behind) => {
                    position = behind;
                    &*row.lists[1]
                }
            };
            match (list as &dyn Any).downcast_ref() {
                Some(inner) => row = inner,
                None => return list.get(position),
            }
        }
    }
}
