//! Version 2 of `OpenAPI` as protobuf (OAPI-009): the messages of `openapi.v2`.
//!
//! Values of any type, such as defaults and extensions, are texts in YAML.

mod messages;
mod read;
mod write;

pub use read::decode;
pub(super) use write::encode;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// As kube-apiserver 1.36.3 encodes such a model.
    #[test]
    fn oapi_009_e1_a_model_in_protobuf() {
        let model = json!({
            "type": "object", "required": ["a"], "properties": {
                "a": {"type": "string", "maxLength": 3, "enum": ["x", "1"]},
                "m": {"type": "object", "additionalProperties": {"type": "string"}},
                "n": {"type": "number", "multipleOf": 0.5},
            },
            "x-kubernetes-group-version-kind": [{"group": "g", "kind": "K", "version": "v1"}],
        });
        let document = json!({"swagger": "2.0", "info": {"title": "t", "version": "1"}, "definitions": {"g.K": model}});
        let decoded = json!({"swagger": "2.0", "definitions": document["definitions"]});
        assert_eq!(decode(&encode(&document)), Some(decoded));
        let mut expected = b"\x9a\x01\x01a\xb2\x01\x08\x0a\x06object".to_vec();
        let properties: &[&[u8]] = &[
            b"\x0a\x22\x0a\x01a\x12\x1d\x58\x03\xa2\x01\x04\x12\x02x\n\xa2\x01\x06\x12\x04\"1\"\n\xb2\x01\x08\x0a\x06string",
            b"\x0a\x20\x0a\x01m\x12\x1b\xaa\x01\x0d\x0a\x0b\xb2\x01\x08\x0a\x06string\xb2\x01\x08\x0a\x06object",
            b"\x0a\x19\x0a\x01n\x12\x14\x31\0\0\0\0\0\0\xe0\x3f\xb2\x01\x08\x0a\x06number",
        ];
        let properties = properties.concat();
        expected.extend(b"\xca\x01");
        expected.push(u8::try_from(properties.len()).expect("a short text"));
        expected.extend(properties);
        let kind = b"- group: g\n  kind: K\n  version: v1\n";
        expected.extend(b"\xfa\x01\x48\x0a\x1fx-kubernetes-group-version-kind\x12\x25\x12\x23");
        expected.extend(kind);
        let encoded = encode(&document);
        assert!(encoded.windows(expected.len()).any(|bytes| bytes == expected), "{encoded:?}");
    }
}
