//! How a named check is written: `{"check": name, "of": step, "arguments": {…}}`, without what it does not have.
//!
//! With invalid arguments, a scenario from a file could pass without checking anything.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{
        self, DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, MapAccess, VariantAccess, Visitor,
        value::EnumAccessDeserializer,
    },
    ser,
};
use serde_json::{Map, Value};

use super::NamedCheck;

#[derive(Serialize, Deserialize)]
struct Written {
    check: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arguments: Option<Map<String, Value>>,
}

#[expect(clippy::ref_option, reason = "serde passes references")]
pub(in crate::scenario) fn serialize<S: Serializer>(
    check: &NamedCheck,
    of: &Option<usize>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (check, arguments) = parts(check).map_err(ser::Error::custom)?;
    Written { check, of: *of, arguments: Some(arguments).filter(|arguments| !arguments.is_empty()) }
        .serialize(serializer)
}

pub(in crate::scenario) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<(NamedCheck, Option<usize>), D::Error> {
    let Written { check: name, of, arguments } = Written::deserialize(deserializer)?;
    let arguments = arguments.unwrap_or_default().into_iter();
    let named = Named { name: &name, arguments, next: None };
    let check = NamedCheck::deserialize(EnumAccessDeserializer::new(named));
    Ok((check.map_err(|why| D::Error::custom(format!("check `{name}`: {why}")))?, of))
}

/// The name of a check and its arguments.
fn parts(check: &NamedCheck) -> serde_json::Result<(String, Map<String, Value>)> {
    Ok(match serde_json::to_value(check)? {
        Value::Object(named) => match named.into_iter().next() {
            Some((name, Value::Object(arguments))) => (name, arguments),
            _ => (String::new(), Map::new()),
        },
        name => (name.as_str().unwrap_or_default().to_owned(), Map::new()),
    })
}

impl NamedCheck {
    /// Its name and version.
    pub(super) fn name(&self) -> String {
        parts(self).map(|(name, _)| name).unwrap_or_default()
    }
}

/// A check that is read: a variant of [`NamedCheck`] by its name, whose fields are the arguments.
struct Named<'a> {
    name: &'a str,
    /// Those that are not read yet.
    arguments: serde_json::map::IntoIter,
    /// The one whose name is read.
    next: Option<(String, Value)>,
}

/// Why a check cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Wrong(String);

impl de::Error for Wrong {
    fn custom<T: std::fmt::Display>(why: T) -> Self {
        Self(why.to_string())
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self("this version of crdible does not have it".to_owned())
    }

    fn unknown_field(name: &str, _: &'static [&'static str]) -> Self {
        Self(format!("it has no argument `{name}`"))
    }

    fn missing_field(name: &'static str) -> Self {
        Self(format!("its argument `{name}` is missing"))
    }
}

impl<'de> EnumAccess<'de> for Named<'_> {
    type Error = Wrong;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Wrong> {
        Ok((seed.deserialize(self.name.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Named<'_> {
    type Error = Wrong;

    fn unit_variant(mut self) -> Result<(), Wrong> {
        self.arguments.next().map_or(Ok(()), |(name, _)| Err(Wrong::unknown_field(&name, &[])))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_map(self)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Wrong> {
        Err(Wrong::custom("its arguments have no names"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Wrong> {
        Err(Wrong::custom("its arguments have no names"))
    }
}

impl<'de> MapAccess<'de> for Named<'_> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        self.next = self.arguments.next();
        self.next.as_ref().map(|(name, _)| seed.deserialize(name.as_str().into_deserializer())).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        let (name, value) = self.next.take().unwrap_or_default();
        seed.deserialize(value).map_err(|why| Wrong(format!("its argument `{name}`: {why}")))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use crate::scenario::{Expectation, NamedCheck, StorageHash};

    fn read(check: &str, arguments: &Value) -> Result<Expectation, String> {
        let written = json!({ "named": { "check": check, "arguments": arguments } });
        serde_json::from_value(written).map_err(|error| error.to_string())
    }

    #[rstest]
    #[case::nothing(NamedCheck::Plain404.into(), r#"{"named":{"check":"plain-404@1"}}"#)]
    #[case::another_step(NamedCheck::Listed.against(3), r#"{"named":{"check":"listed@1","of":3}}"#)]
    #[case::arguments(
        NamedCheck::StorageHash { resource: "things".to_owned(), hash: StorageHash::Same }.against(2),
        r#"{"named":{"check":"storage-hash@1","of":2,"arguments":{"hash":"same","resource":"things"}}}"#
    )]
    #[case::null(
        NamedCheck::Condition { r#type: "Established".to_owned(), status: None }.into(),
        r#"{"named":{"check":"condition@2","arguments":{"status":null,"type":"Established"}}}"#
    )]
    #[case::left_out(
        NamedCheck::States { states: vec![vec![]], expires: false }.into(),
        r#"{"named":{"check":"states@1","arguments":{"states":[[]]}}}"#
    )]
    #[case::nothing_left(
        NamedCheck::PublishedNothing { version: None }.into(),
        r#"{"named":{"check":"published-nothing@1"}}"#
    )]
    fn checks_are_written_and_read(#[case] expectation: Expectation, #[case] text: &str) {
        assert_eq!(serde_json::to_string(&expectation).expect("expectations are data"), text);
        assert_eq!(serde_json::from_str::<Expectation>(text).expect("its own text"), expectation);
    }

    #[rstest]
    #[case::as_it_should_be("refused-as@1", json!({ "status": 404, "reason": "a" }), None)]
    #[case::null_for_nothing("deprecation@1", json!({ "others": ["a"] }), None)]
    #[case::no_arguments("plain-404@1", json!({}), None)]
    #[case::unknown_check("unheard-of@1", json!({}), Some("check `unheard-of@1`: this version of crdible does not have it"))]
    #[case::another_version("condition@1", json!({}), Some("check `condition@1`: this version of crdible does not have it"))]
    #[case::another_name("has@1", json!({ "pointer": "/a", "text": "b" }), Some("check `has@1`: it has no argument `text`"))]
    #[case::not_needed("taken@1", json!({ "pointer": "/a" }), Some("check `taken@1`: it has no argument `pointer`"))]
    #[case::missing("has@1", json!({}), Some("check `has@1`: its argument `pointer` is missing"))]
    #[case::nothing("has@1", Value::Null, Some("check `has@1`: its argument `pointer` is missing"))]
    #[case::no_object("has@1", json!([]), Some("invalid type"))]
    #[case::null("has@1", json!({ "pointer": null }), Some("check `has@1`: its argument `pointer`: invalid type"))]
    #[case::text_for_texts("group@1", json!({ "versions": "a" }), Some("its argument `versions`: invalid type"))]
    #[case::number_among_texts("group@1", json!({ "versions": ["a", 1] }), Some("its argument `versions`: invalid type"))]
    #[case::code_as_text("refused-as@1", json!({ "status": "404", "reason": "a" }), Some("its argument `status`: invalid type"))]
    #[case::flat_classes("listing-in-classes@1", json!({ "classes": ["a"] }), Some("its argument `classes`"))]
    #[case::text_among_numbers("lists@1", json!({ "objects": [0, "1"] }), Some("its argument `objects`"))]
    #[case::cause_without_field("definition-causes@2", json!({ "causes": [{ "reason": "Invalid" }] }), Some("missing field `field`"))]
    #[case::event_without_content(
        "events@1",
        json!({ "version": "v1", "events": [{ "type": "ADDED", "object": 0, "labels": {} }] }),
        Some("its argument `events`: missing field `content`")
    )]
    #[case::event_with_another_field(
        "events@1",
        json!({
            "version": "v1",
            "events": [{ "type": "ADDED", "object": 0, "labels": {}, "content": {}, "perhap": true }]
        }),
        Some("its argument `events`: unknown field `perhap`")
    )]
    #[case::state_without_numbers(
        "states@1",
        json!({ "states": [[{ "object": "0", "content": {} }]] }),
        Some("its argument `states`: invalid type")
    )]
    #[case::another_word("storage-hash@1", json!({ "resource": "a", "hash": "b" }), Some("its argument `hash`: unknown variant `b`"))]
    #[case::unknown_expectation("all@1", json!({ "of": ["unheard-of"] }), Some("its argument `of`: unknown variant"))]
    #[case::check_in_a_check(
        "all@1",
        json!({ "of": [{ "named": { "check": "unheard-of@1" } }] }),
        Some("its argument `of`: check `unheard-of@1`: this version of crdible does not have it")
    )]
    fn what_is_wrong_with_a_check_is_said(#[case] check: &str, #[case] arguments: Value, #[case] words: Option<&str>) {
        match (read(check, &arguments), words) {
            (Ok(_), None) => {}
            (Err(error), Some(words)) => assert!(error.contains(words), "{error}"),
            (read, _) => panic!("{read:?}"),
        }
    }

    #[rstest]
    #[case::no_state("states@1", json!({ "states": [] }))]
    #[case::no_expectation("all@1", json!({ "of": [] }))]
    #[case::expectation_of_two_answers("all@1", json!({ "of": [{ "same-content": { "as": 0 } }] }))]
    #[case::in_another("all@1", json!({ "of": [{ "named": { "check": "states@1", "arguments": { "states": [] } } }] }))]
    fn a_check_must_check_something(#[case] check: &str, #[case] arguments: Value) {
        let Ok(Expectation::Named { check, .. }) = read(check, &arguments) else { panic!("it is not read") };
        assert!(check.checks_something().is_err());
    }
}
