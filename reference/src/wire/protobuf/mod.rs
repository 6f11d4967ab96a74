//! Protobuf, which upstream's clients send and accept for built-in types: kubectl's `create namespace`, and the event
//! recorders and typed clients of client-go and of apiextensions (REST-080). Bodies of requests are converted to the
//! JSON that means the same, and JSON to bodies of answers. Both follow from how the types are declared.

mod backwards;
mod envelope;
mod message;
mod read;
mod wire;
mod write;

use serde_json::Value;

pub(crate) use backwards::Backwards;
use envelope::{Envelope, NoEnvelope};
pub(crate) use wire::{Wire, WireError, fields};

use super::summary::summary;
use crate::kinds::{self, Type};

/// The media type of protobuf.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";

/// The kind of the options of a deletion. Upstream says nothing more about them than the error.
pub(crate) const OPTIONS: &str = "DeleteOptions";

/// The body for an object that states its type.
pub(crate) fn write(object: &Value) -> Vec<u8> {
    envelope::body(object)
}

/// The frame for an event of a watch: a length in four bytes, and the event.
pub(crate) fn write_event(event: &str, object: &Value) -> Vec<u8> {
    envelope::frame(event, object)
}

/// The object in a body; `None` if the body is not protobuf, or of a type that has no messages.
pub(crate) fn read(body: &[u8]) -> Option<Value> {
    let Envelope { api_version, kind, raw } = Envelope::open(body).ok()?;
    let mut object = read::read(kinds::type_of(&api_version, &kind)?, &raw).ok()?;
    name_type(&mut object, api_version, kind);
    Some(object)
}

/// Decodes a message of the type of a kind in an envelope, and sets the type that the envelope names. Errors are in
/// upstream's words.
pub(crate) fn decode(body: &[u8], of: &Type, kind: &str) -> Result<Value, String> {
    let unrecognized = |why: &str| {
        if kind == OPTIONS {
            return why.to_owned();
        }
        format!("the object provided is unrecognized (must be of type {kind}): {why} ({})", summary(body))
    };
    let envelope = Envelope::open(body).map_err(|problem| match problem {
        NoEnvelope::Empty => unrecognized("empty data"),
        NoEnvelope::OnlyPrefix => unrecognized("empty body"),
        NoEnvelope::NoPrefix => {
            unrecognized("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")
        }
        NoEnvelope::Broken(error) => unrecognized(&error.to_string()),
    })?;
    let mut value = read::read(of, &envelope.raw).map_err(|error| {
        let named = if envelope.kind.is_empty() { kind } else { &envelope.kind };
        let version = envelope.api_version.rsplit('/').next().filter(|version| !version.is_empty()).unwrap_or("v1");
        format!("{named} in version {version:?} cannot be handled as a {kind}: {error}")
    })?;
    name_type(&mut value, envelope.api_version, envelope.kind);
    Ok(value)
}

/// Sets the type of an object, as far as its envelope names it.
fn name_type(object: &mut Value, api_version: String, kind: String) {
    if let Some(members) = object.as_object_mut() {
        let named = [("apiVersion", api_version), ("kind", kind)].into_iter().filter(|(_, name)| !name.is_empty());
        members.extend(named.map(|(field, name)| (field.to_owned(), name.into())));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{env, fs};

    use rstest::rstest;

    use super::*;
    use crate::wire::json;

    #[rstest]
    #[case::every_field(include_bytes!("examples/definition.pb"))]
    #[case::a_usual_definition(include_bytes!("../../../tests/examples/widgets.pb"))]
    fn rest_080_what_was_written_is_read(#[case] bytes: &[u8]) {
        let object = read(bytes);
        assert!(object.is_some());
        assert_eq!(object.as_ref().and_then(|object| read(&write(object))), object);
    }

    #[test]
    fn rest_080_built_in_types_and_their_lists_have_messages() {
        for resource in kinds::all() {
            let own = resource.names();
            for kind in [&own.kind, &own.list_kind] {
                let of = kinds::type_of(&own.api_version, kind).expect("a type");
                assert!(of.name.ends_with(&format!(".{kind}")), "{own:?}");
            }
        }
    }

    /// Compares with answers of kube-apiserver 1.36.3.
    #[test]
    fn rest_080_documents_are_written_as_upstream_writes_them() {
        compare_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/wire/protobuf/examples/answers"));
    }

    /// Compares with the answers of a kube-apiserver that `.ci/protobuf` has stored.
    #[test]
    #[ignore = "requires a kube-apiserver: .ci/protobuf"]
    fn rest_080_documents_are_written_as_a_server_writes_them() {
        compare_all(Path::new(&env::var_os("CRDIBLE_PAIRS").expect("CRDIBLE_PAIRS is the folder of the documents")));
    }

    /// Compares all documents of a folder, which has each in JSON and in protobuf.
    fn compare_all(folder: &Path) {
        let mut files: Vec<_> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        let wrong: Vec<_> = files.iter().filter(|path| !is_written_in_the_same_way(path)).collect();
        assert!(wrong.is_empty() && !files.is_empty(), "{} of {} differ: {wrong:?}", wrong.len(), files.len());
    }

    fn is_written_in_the_same_way(path: &Path) -> bool {
        let (text, expected) = (fs::read(path).expect("JSON"), fs::read(path.with_extension("pb")).expect("protobuf"));
        let parsed = |text: &[u8]| json::parse(text).expect("JSON").value;
        let written = if text.starts_with(b"{\"type\"") {
            let events = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(parsed);
            events.flat_map(|event| write_event(event["type"].as_str().unwrap_or_default(), &event["object"])).collect()
        } else {
            let object = parsed(&text);
            if read(&expected).map(|read| write(&read)).as_ref() != Some(&expected) {
                return false;
            }
            write(&object)
        };
        written == expected
    }
}
