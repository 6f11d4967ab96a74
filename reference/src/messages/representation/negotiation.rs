//! Content negotiation by `Accept`, `User-Agent` and `pretty` (REST-006, REST-069, TABLE-001, DISC-011).

use http::HeaderMap;
use http::header::{ACCEPT, USER_AGENT};

use super::clause::{Clause, MediaType, clauses};
use super::{Form, Format, Representation};
use crate::base::status::Failure;
use crate::messages::request::{Call, Query};

/// The media types that upstream lists in a 406, including protobuf, which it does not offer for whole
/// custom resources.
const OFFERED: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const OFFERED_STREAMS: &str = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

/// `User-Agent` prefixes of interactive clients, which get indented JSON.
const INTERACTIVE_CLIENTS: [&str; 3] = ["curl", "Wget", "Mozilla/5.0"];

/// The forms of discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiscoveryForm {
    /// A document per level, in this format.
    Plain(Format),
    /// Everything in one `APIGroupDiscoveryList` of version v2, in this format.
    Aggregated(Format),
}

impl Representation {
    /// The requested representation of a resource, which is of a built-in type or not and has tables or not; 406 if
    /// none of the alternatives is supported.
    pub(crate) fn negotiate(call: &Call<'_>, is_typed: bool, has_table: bool) -> Result<Self, Failure> {
        let form = |clause: &Clause<'_>, media_type| {
            let form = clause.form().filter(|form| has_table || !matches!(form, Form::Table(_)))?;
            // Custom resources have no messages, and neither have tables.
            let has_message = match form {
                Form::Plain => is_typed,
                Form::PartialMetadata(_) | Form::PartialMetadataList(_) => true,
                Form::Table(_) => false,
            };
            if media_type == MediaType::Protobuf && !has_message {
                return None;
            }
            clause.allows(media_type, Some("v1")).then_some((form, clause.wants_pretty()))
        };
        let chosen = choose(call.headers, &MediaType::ALL, form).map_err(|NoMatch| Failure::not_acceptable(OFFERED))?;
        let (media_type, (form, pretty)) = chosen.unwrap_or((MediaType::Json, (Form::Plain, false)));
        let pretty = pretty || prefers_pretty(call.headers, call.query);
        Ok(Self { form, format: format(media_type, pretty) })
    }

    /// The form of the objects in watch events; 406 if the representation cannot be streamed.
    pub(crate) fn of_events(self) -> Result<Form, Failure> {
        match (self.format, self.form) {
            // For metadata lists upstream opens a stream that never sends anything.
            (Format::Yaml, _) | (_, Form::PartialMetadataList(_)) => Err(Failure::not_acceptable(OFFERED_STREAMS)),
            (Format::Json | Format::PrettyJson | Format::Protobuf, form) => Ok(form),
        }
    }
}

impl Format {
    /// The format of a document without alternative forms (DISC-003, DISC-004).
    pub(crate) fn of_document(headers: &HeaderMap) -> Result<Self, Failure> {
        let plain = |clause: &Clause<'_>, media_type| {
            let is_plain = clause.transform().is_none() && clause.allows(media_type, None);
            is_plain.then(|| format(media_type, clause.wants_pretty()))
        };
        let chosen = choose(headers, &MediaType::ALL, plain).map_err(|NoMatch| Failure::not_acceptable(OFFERED))?;
        Ok(chosen.map_or(Self::Json, |(_, format)| format))
    }

    /// The format of a `Status` that refuses a request: clauses with a form are ignored; indented JSON if no clause
    /// matches.
    pub(crate) fn of_refusal(headers: &HeaderMap, query: &Query) -> Self {
        let plain = |clause: &Clause<'_>, media_type| {
            let is_plain = clause.transform().is_none() && clause.allows(media_type, None);
            is_plain.then(|| clause.wants_pretty())
        };
        match choose(headers, &MediaType::ALL, plain) {
            Ok(chosen) => {
                let (media_type, pretty) = chosen.unwrap_or((MediaType::Json, false));
                format(media_type, pretty || prefers_pretty(headers, query))
            }
            Err(NoMatch) => Self::PrettyJson,
        }
    }
}

fn format(media_type: MediaType, pretty: bool) -> Format {
    match (media_type, pretty) {
        (MediaType::Json, false) => Format::Json,
        (MediaType::Json, true) => Format::PrettyJson,
        (MediaType::Yaml, _) => Format::Yaml,
        (MediaType::Protobuf, _) => Format::Protobuf,
    }
}

/// Chooses the form of `/apis` and `/api`: the first aggregated one that is supported, wherever it is, or else the
/// first plain one.
pub(crate) fn discovery_form(headers: &HeaderMap) -> Result<DiscoveryForm, Failure> {
    let aggregated = |clause: &Clause<'_>, media_type| {
        let is_known = clause.transform() == Some(["APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2"]);
        (is_known && clause.allows(media_type, None)).then(|| format(media_type, clause.wants_pretty()))
    };
    match choose(headers, &MediaType::ALL, aggregated) {
        Ok(Some((_, format))) => Ok(DiscoveryForm::Aggregated(format)),
        Ok(None) | Err(NoMatch) => Format::of_document(headers).map(DiscoveryForm::Plain),
    }
}

/// None of the alternatives is supported.
#[derive(Debug)]
struct NoMatch;

/// The first clause with a media type that `take` accepts; `Ok(None)` if the client has no preference.
fn choose<T>(
    headers: &HeaderMap,
    offered: &[MediaType],
    take: impl Fn(&Clause<'_>, MediaType) -> Option<T>,
) -> Result<Option<(MediaType, T)>, NoMatch> {
    // Only the first `Accept` header counts.
    let header = headers.get(ACCEPT).map(|value| String::from_utf8_lossy(value.as_bytes())).unwrap_or_default();
    if header.is_empty() {
        return Ok(None);
    }
    let taken = clauses(&header).iter().find_map(|clause| {
        let mut matching = offered.iter().filter(|media_type| clause.matches(**media_type));
        matching.find_map(|media_type| Some((*media_type, take(clause, *media_type)?)))
    });
    taken.map(Some).ok_or(NoMatch)
}

/// Whether JSON is indented: if `pretty` requests it, otherwise for interactive clients.
fn prefers_pretty(headers: &HeaderMap, query: &Query) -> bool {
    match query.text("pretty") {
        "" => {
            let agent = headers.get(USER_AGENT).map(http::HeaderValue::as_bytes).unwrap_or_default();
            INTERACTIVE_CLIENTS.iter().any(|client| agent.starts_with(client.as_bytes()))
        }
        value => matches!(value, "1" | "t" | "T" | "true" | "TRUE" | "True"),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderValue, Method};
    use rstest::rstest;

    use super::super::MetaVersion;
    use super::*;

    const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    fn headers(accept: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        headers
    }

    /// The representation of a custom resource.
    fn negotiated(accept: &'static str) -> Option<Representation> {
        negotiated_for(accept, false)
    }

    fn negotiated_for(accept: &'static str, is_typed: bool) -> Option<Representation> {
        let call =
            Call { method: &Method::GET, query: &Query::default(), headers: &headers(accept), body: &Bytes::new() };
        Representation::negotiate(&call, is_typed, true).ok()
    }

    const JSON: Option<Representation> = Some(Representation { form: Form::Plain, format: Format::Json });
    const YAML: Option<Representation> = Some(Representation { form: Form::Plain, format: Format::Yaml });
    const PRETTY: Option<Representation> = Some(Representation { form: Form::Plain, format: Format::PrettyJson });
    const TABLE: Option<Representation> =
        Some(Representation { form: Form::Table(MetaVersion::V1), format: Format::Json });

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case::nothing("", JSON)]
    #[case::json("application/json", JSON)]
    #[case::any("*/*", JSON)]
    #[case::star("*", JSON)]
    #[case::range("application/*;q=0.5", JSON)]
    #[case::charset("application/json; charset=utf-8", JSON)]
    #[case::quality_of_zero("application/json;q=0", JSON)]
    #[case::text("text/plain", None)]
    #[case::not_a_media_type("application", None)]
    #[case::capitals("APPLICATION/JSON", None)]
    #[case::cbor("application/cbor", None)]
    #[case::protobuf("application/vnd.kubernetes.protobuf", None)]
    #[case::protobuf_then_json("application/vnd.kubernetes.protobuf,application/json", JSON)]
    #[case::yaml("application/yaml", YAML)]
    #[case::range_before_yaml_of_lower_quality("application/yaml;q=0.1, */*", JSON)]
    #[case::yaml_of_lower_quality_before_a_range("*/*, application/yaml;q=0.1", YAML)]
    #[case::higher_quality("application/json;q=0.5,application/yaml", YAML)]
    #[case::pretty("application/json;pretty=1", PRETTY)]
    #[case::stream("application/json;stream=watch", JSON)]
    #[case::other_stream("application/json;stream=x", None)]
    #[case::server_version("application/json;sv=v1", JSON)]
    #[case::other_server_version("application/json;sv=v2", None)]
    #[case::empty_transform("application/json;as=", JSON)]
    #[case::table("application/json;as=Table;v=v1;g=meta.k8s.io", TABLE)]
    #[case::table_of_any("*/*;as=Table;v=v1;g=meta.k8s.io", TABLE)]
    #[case::table_with_spaces("application/json; as = Table ; v = v1 ; g = meta.k8s.io", TABLE)]
    #[case::table_in_quotes("application/json;as=\"Table\";v=v1;g=meta.k8s.io", None)]
    #[case::table_before_json("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", TABLE)]
    #[case::table_after_json("application/json,application/json;as=Table;v=v1;g=meta.k8s.io", JSON)]
    #[case::table_without_group("application/json;as=Table", None)]
    #[case::table_of_another_version("application/json;as=Table;v=v2;g=meta.k8s.io", None)]
    #[case::no_kind("application/json;v=v1;g=meta.k8s.io", None)]
    #[case::unknown_then_json("application/json;as=Foo;v=v1;g=meta.k8s.io,application/json", JSON)]
    #[case::table_as_protobuf("application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io", None)]
    fn table_001_rest_006_accept_is_negotiated(#[case] accept: &'static str, #[case] expected: Option<Representation>) {
        assert_eq!(negotiated(accept), expected);
    }

    const PROTOBUF: Option<Representation> = Some(Representation { form: Form::Plain, format: Format::Protobuf });

    #[rstest]
    #[case::alone("application/vnd.kubernetes.protobuf", PROTOBUF)]
    #[case::before_json("application/vnd.kubernetes.protobuf,application/json", PROTOBUF)]
    #[case::after_json("application/json,application/vnd.kubernetes.protobuf", JSON)]
    #[case::any("*/*", JSON)]
    #[case::stream("application/vnd.kubernetes.protobuf;stream=watch", PROTOBUF)]
    #[case::other_stream("application/vnd.kubernetes.protobuf;stream=x", None)]
    #[case::table("application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io", None)]
    fn rest_080_built_in_types_are_offered_in_protobuf(
        #[case] accept: &'static str,
        #[case] expected: Option<Representation>,
    ) {
        assert_eq!(negotiated_for(accept, true), expected);
    }

    #[rstest]
    #[case("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", Form::PartialMetadata(MetaVersion::V1))]
    #[case(
        "application/json;g=meta.k8s.io;v=v1beta1;as=PartialObjectMetadataList",
        Form::PartialMetadataList(MetaVersion::V1Beta1)
    )]
    #[case(
        "application/json;as=Table;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
        Form::PartialMetadata(MetaVersion::V1)
    )]
    #[case(
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
        Form::PartialMetadata(MetaVersion::V1)
    )]
    fn rest_069_metadata_forms_are_negotiated(#[case] accept: &'static str, #[case] expected: Form) {
        assert_eq!(negotiated(accept).map(|wanted| wanted.form), Some(expected));
    }

    #[rstest]
    #[case("pretty=true", "x", Format::PrettyJson)]
    #[case("pretty=yes", "x", Format::Json)]
    #[case("pretty", "x", Format::Json)]
    #[case("", "curl/8", Format::PrettyJson)]
    #[case("pretty=0", "curl/8", Format::Json)]
    #[case("", "kubectl", Format::Json)]
    fn rest_006_pretty(#[case] query: &str, #[case] agent: &'static str, #[case] expected: Format) {
        let mut headers = headers("application/json");
        headers.insert(USER_AGENT, HeaderValue::from_static(agent));
        assert_eq!(Format::of_refusal(&headers, &Query::parse(query)), expected);
    }

    #[rstest]
    #[case::any("*/*", Format::Json)]
    #[case::yaml("application/yaml", Format::Yaml)]
    #[case::unsupported("text/plain", Format::PrettyJson)]
    #[case::form("application/json;as=Table;v=v1;g=meta.k8s.io", Format::PrettyJson)]
    #[case::protobuf("application/vnd.kubernetes.protobuf,application/json", Format::Protobuf)]
    #[case::protobuf_of_metadata("application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io", Format::PrettyJson)]
    #[case::form_or_plain("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", Format::Json)]
    fn rest_006_refusals(#[case] accept: &'static str, #[case] expected: Format) {
        assert_eq!(Format::of_refusal(&headers(accept), &Query::default()), expected);
    }

    #[rstest]
    #[case::disc_011_alone(AGGREGATED, Some(DiscoveryForm::Aggregated(Format::Json)))]
    #[case::disc_011_protobuf(
        "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        Some(DiscoveryForm::Aggregated(Format::Protobuf))
    )]
    #[case::disc_011_any("*/*", Some(DiscoveryForm::Plain(Format::Json)))]
    #[case::disc_011_other_stream("application/json;stream=x", None)]
    #[case::disc_011_server_version("application/json;sv=v1", None)]
    #[case::disc_011_old("application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", None)]
    #[case::disc_011_first_known(
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
        Some(DiscoveryForm::Plain(Format::Json))
    )]
    #[case::disc_011_aggregated_last(
        "application/yaml,*/*,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;q=0.1",
        Some(DiscoveryForm::Aggregated(Format::Json))
    )]
    fn discovery(#[case] accept: &'static str, #[case] form: Option<DiscoveryForm>) {
        assert_eq!(discovery_form(&headers(accept)).ok(), form);
    }

    #[rstest]
    #[case::any("*/*", Some(Format::Json))]
    #[case::none("", Some(Format::Json))]
    #[case::yaml("application/yaml", Some(Format::Yaml))]
    #[case::text("text/html", None)]
    #[case::text_or_json("text/html,application/json", Some(Format::Json))]
    #[case::form("application/json;as=Table;v=v1;g=meta.k8s.io", None)]
    #[case::stream("application/json;stream=watch", Some(Format::Json))]
    #[case::other_stream("application/json;stream=x", None)]
    #[case::stream_of_yaml("application/yaml;stream=watch", None)]
    #[case::protobuf("application/vnd.kubernetes.protobuf,application/json", Some(Format::Protobuf))]
    #[case::server_version("application/json;sv=v1", None)]
    fn documents(#[case] accept: &'static str, #[case] expected: Option<Format>) {
        assert_eq!(Format::of_document(&headers(accept)).ok(), expected);
    }
}
