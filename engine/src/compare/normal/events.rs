//! The events of a watch, in a form in which two servers are compared.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::object::identity;

/// The annotation of the bookmark that ends the initial events.
const INITIAL_END: &str = "/metadata/annotations/k8s.io~1initial-events-end";

/// Events by the object that they are about.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The events of each object, in order.
    of_objects: BTreeMap<String, Vec<Value>>,
    /// The bookmark that ends the initial events, and how many events of each object preceded it.
    initial_end: Option<Value>,
    /// What ends the stream.
    errors: Vec<Value>,
    /// The columns of tables: only the first event defines them, whichever object it is about.
    columns: Value,
}

impl Events {
    /// Adds the next event of the stream, whose object is normalised already.
    pub(super) fn add(&mut self, mut event: Value) {
        if self.columns.is_null()
            && let Some(columns) = event.pointer_mut("/object/columnDefinitions")
        {
            self.columns = columns.take();
        }
        let object = &event["object"];
        let table_row = object.pointer("/rows/0/object");
        match event["type"].as_str() {
            Some("BOOKMARK") => {
                if object.pointer(INITIAL_END).or_else(|| table_row?.pointer(INITIAL_END)).is_some() {
                    let before: BTreeMap<&String, usize> =
                        self.of_objects.iter().map(|(about, events)| (about, events.len())).collect();
                    self.initial_end = Some(json!({ "before": before, "bookmark": event }));
                }
            }
            Some("ERROR") => self.errors.push(event),
            _ => {
                let about = identity(table_row.unwrap_or(object));
                self.of_objects.entry(about).or_default().push(event);
            }
        }
    }

    /// All of them.
    pub(super) fn into_value(self) -> Value {
        let Self { of_objects, initial_end, errors, columns } = self;
        let columns = if of_objects.is_empty() && initial_end.is_none() { Value::Null } else { columns };
        json!({ "events": of_objects, "initialEnd": initial_end, "errors": errors, "columns": columns })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Events;

    fn event(kind: &str, name: &str, number: u32) -> Value {
        json!({ "type": kind, "object": { "kind": "Thing", "metadata": { "name": name }, "spec": number } })
    }

    fn bookmark(annotations: &Value) -> Value {
        json!({ "type": "BOOKMARK", "object": { "kind": "Thing", "metadata": { "annotations": annotations } } })
    }

    fn of(events: impl IntoIterator<Item = Value>) -> Value {
        let mut all = Events::default();
        events.into_iter().for_each(|event| all.add(event));
        all.into_value()
    }

    #[test]
    fn only_the_order_of_each_object_counts() {
        let [a1, a2, b1] = [event("ADDED", "a", 1), event("MODIFIED", "a", 2), event("ADDED", "b", 1)];
        let usual = of([a1.clone(), a2.clone(), b1.clone()]);
        assert_eq!(usual, of([b1.clone(), a1.clone(), bookmark(&Value::Null), a2.clone()]));
        assert_ne!(usual, of([a2.clone(), a1.clone(), b1]));
        assert_ne!(usual, of([a1, a2]), "all of them count");
    }

    #[test]
    fn what_came_before_the_end_of_the_initial_events_counts() {
        let end = bookmark(&json!({ "k8s.io/initial-events-end": "true" }));
        let [a, b] = [event("ADDED", "a", 1), event("ADDED", "b", 1)];
        let usual = of([a.clone(), b.clone(), end.clone()]);
        assert_eq!(usual, of([b.clone(), a.clone(), end.clone()]));
        assert_ne!(usual, of([a.clone(), end, b.clone()]));
        assert_ne!(usual, of([a, b]));
    }
}
