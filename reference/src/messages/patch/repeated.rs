//! Keys that a JSON patch repeats (REST-051, REST-055). Upstream reports those of the patch itself, and those of a
//! value once more where it ends up, since it applies patches to the text of an object.

use json_patch::PatchOperation;
use json_patch::jsonptr::Pointer;
use serde_json::Value;

use crate::wire::json::{self, Repeated, StrictError};

/// The messages about repeated and unknown members of the patch itself, in text order.
pub(super) fn messages(body: &[u8], duplicates: &[Repeated], unknown: Vec<String>) -> Vec<String> {
    let is_unknown = |path: &str| {
        let is_at = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
        unknown.iter().any(|top| path.strip_prefix(top.as_str()).is_some_and(is_at))
    };
    let repeated = duplicates.iter().filter_map(|repeated| match repeated {
        Repeated::Field(path) if !is_unknown(path) => Some(StrictError::Repeated(path.clone())),
        _ => None,
    });
    let mut errors: Vec<StrictError> = repeated.collect();
    errors.extend(unknown.iter().cloned().map(StrictError::Unknown));
    if errors.is_empty() {
        return Vec::new();
    }
    let message = |error| match error {
        StrictError::Repeated(path) => format!("json patch duplicate field \"{path}\""),
        StrictError::Unknown(path) => format!("json patch unknown field \"{path}\""),
    };
    json::in_text_order(body, errors).into_iter().map(message).collect()
}

/// The repeated keys in the result of a patch. Upstream decodes what a later operation passes through, and so loses
/// those of its objects.
pub(super) fn in_result(
    duplicates: &[Repeated],
    operations: &[Option<PatchOperation>],
    result: &Value,
) -> Vec<Repeated> {
    let found = |repeated: &Repeated| {
        let Repeated::Field(path) = repeated else { return None };
        let (index, within) = path.strip_prefix('[')?.split_once("].value").filter(|(_, within)| !within.is_empty())?;
        let index: usize = index.parse().ok()?;
        let (PatchOperation::Add(json_patch::AddOperation { path, .. })
        | PatchOperation::Replace(json_patch::ReplaceOperation { path, .. })) = operations.get(index)?.as_ref()?
        else {
            return None;
        };
        let path = format!("{}{within}", Place::of(path, result).in_result()?);
        let (container, _) = path.rsplit_once('.')?;
        let later = operations.iter().skip(index + 1).flatten();
        let is_lost = later.flat_map(touched).any(|touched| {
            let touched = Place::of(touched, result).path;
            is_within(&touched, container) || is_within(container, &touched)
        });
        (!is_lost).then_some(path)
    };
    let mut paths: Vec<String> = duplicates.iter().filter_map(found).collect();
    paths.sort_unstable();
    paths.into_iter().map(Repeated::Field).collect()
}

/// The places that an operation changes.
fn touched(operation: &PatchOperation) -> impl Iterator<Item = &Pointer> {
    let (path, from): (Option<&Pointer>, Option<&Pointer>) = match operation {
        PatchOperation::Add(add) => (Some(&add.path), None),
        PatchOperation::Remove(remove) => (Some(&remove.path), None),
        PatchOperation::Replace(replace) => (Some(&replace.path), None),
        PatchOperation::Move(change) => (Some(&change.path), Some(&change.from)),
        PatchOperation::Copy(copy) => (Some(&copy.path), None),
        PatchOperation::Test(_) => (None, None),
    };
    path.into_iter().chain(from)
}

fn is_within(path: &str, top: &str) -> bool {
    path.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// A place in the result, as messages write it.
struct Place {
    path: String,
    exists: bool,
}

impl Place {
    fn of(pointer: &Pointer, result: &Value) -> Self {
        let (mut path, mut at) = (String::new(), Some(result));
        for token in pointer.tokens() {
            let key = token.decoded();
            at = match at {
                Some(Value::Array(items)) => {
                    let index =
                        if key == "-" { items.len().saturating_sub(1) } else { key.parse().unwrap_or_default() };
                    path.push_str(&format!("[{index}]"));
                    items.get(index)
                }
                at => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&key);
                    at.and_then(|at| at.get(key.as_ref()))
                }
            };
        }
        Self { path, exists: at.is_some() }
    }

    fn in_result(self) -> Option<String> {
        self.exists.then_some(self.path)
    }
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::super::{Patch, PatchType};
    use crate::messages::request::FieldValidation;

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case::a_value(
        r#"[{"op":"add","path":"/spec/o","value":{"x":1,"x":2}}]"#, &["duplicate [0].value.x"], &["spec.o.x"]
    )]
    #[case::an_operation(r#"[{"op":"add","op":"add","path":"/spec/o","value":1}]"#, &["duplicate [0].op"], &[])]
    #[case::two_values(r#"[{"op":"add","path":"/spec/o","value":1,"value":2}]"#, &["duplicate [0].value"], &[])]
    #[case::removed(
        r#"[{"op":"add","path":"/spec/o","value":{"x":1,"x":2}},{"op":"remove","path":"/spec/o"}]"#,
        &["duplicate [0].value.x"], &[]
    )]
    #[case::passed_through(
        r#"[{"op":"add","path":"/spec/o","value":{"x":1,"x":2}},{"op":"add","path":"/spec/o/y","value":1}]"#,
        &["duplicate [0].value.x"], &[]
    )]
    #[case::beside_the_passage(
        r#"[{"op":"add","path":"/spec/o","value":{"x":{"a":1,"a":2}}},{"op":"add","path":"/spec/o/y","value":1}]"#,
        &["duplicate [0].value.x.a"], &["spec.o.x.a"]
    )]
    #[case::appended(
        r#"[{"op":"add","path":"/spec/l","value":[]},{"op":"add","path":"/spec/l/-","value":{"x":1,"x":2}}]"#,
        &["duplicate [1].value.x"], &["spec.l[0].x"]
    )]
    #[case::tested(r#"[{"op":"test","path":"/spec/o","value":{"x":1,"x":2}}]"#, &["duplicate [0].value.x"], &[])]
    #[case::unknown(
        r#"[{"op":"add","path":"/spec/o","value":{"x":1,"x":2},"foo":1,"foo":2}]"#,
        &["duplicate [0].value.x", "unknown [0].foo"], &["spec.o.x"]
    )]
    #[case::two(
        r#"[{"op":"add","path":"/spec/z","value":{"x":1,"x":2}},{"op":"add","path":"/spec/o","value":[{"b":1,"b":2}]}]"#,
        &["duplicate [0].value.x", "duplicate [1].value[0].b"], &["spec.o[0].b", "spec.z.x"]
    )]
    fn rest_051_keys_are_reported_in_the_patch_and_in_its_result(
        #[case] text: &str,
        #[case] in_patch: &[&str],
        #[case] in_result: &[&str],
    ) {
        let patch = Patch::parse(PatchType::Json, text.as_bytes(), None, FieldValidation::Warn).unwrap();
        let in_patch: Vec<String> = in_patch
            .iter()
            .filter_map(|text| text.split_once(' '))
            .map(|(what, path)| format!("json patch {what} field \"{path}\""))
            .collect();
        assert_eq!(patch.messages(), in_patch);
        let mut result = json!({"spec": {}});
        // A failed test leaves the object as it is.
        let _ = patch.apply(&mut result);
        let in_result: Vec<String> = in_result.iter().map(|path| format!("duplicate field \"{path}\"")).collect();
        let found: Vec<String> = patch.repeated_in(&result).iter().map(ToString::to_string).collect();
        assert_eq!(found, in_result);
    }
}
