//! What is sent.

use serde_json::{Map, Value, json};

use super::{Asked, GROUP, KIND, text};

pub(crate) fn known_version(listed: &[String]) -> Option<&str> {
    listed.iter().map(String::as_str).find(|version| matches!(*version, "v1" | "v1beta1"))
}

pub(crate) fn needs_webhook(object: &Value, desired: &str) -> bool {
    let is_blank = object.as_object().is_some_and(|fields| {
        fields.len() == 2 && ["apiVersion", "kind"].iter().all(|field| fields.contains_key(*field))
    });
    !is_blank && text(object, "apiVersion") != desired
}

pub(crate) fn write(asked: &Asked<'_>) -> Value {
    let mut request = Map::new();
    request.insert("uid".into(), asked.uid.into());
    request.insert("desiredAPIVersion".into(), asked.desired.into());
    request.insert("objects".into(), asked.objects.to_vec().into());
    let mut review = Map::new();
    review.insert("kind".into(), KIND.into());
    review.insert("apiVersion".into(), format!("{GROUP}/{}", asked.review).into());
    review.insert("request".into(), request.into());
    // Upstream has one type for both directions.
    review.insert("response".into(), json!({ "uid": "", "convertedObjects": null, "result": { "metadata": {} } }));
    Value::Object(review)
}
