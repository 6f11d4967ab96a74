//! A request as a maintainer would write it down, without generated names.

use super::{Document, Request, Resource};

impl Request {
    /// Method, path and query: `GET …/v1/things/NAME?watch=true`. Not whether it is a dry run: the executor decides that
    /// for a target that has none.
    pub fn line(&self) -> String {
        let query = self.query.iter().map(|(name, value)| format!("{name}={value}"));
        let from_answers = self.query_from_answers.iter().map(|parameter| {
            let (name, beginning) = parameter.name.split_once('=').unwrap_or((&parameter.name, ""));
            format!("{name}={beginning}…")
        });
        let query: Vec<String> = query.chain(from_answers).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{} {}{mark}{}", self.method.words(), path(&self.resource), query.join("&"))
    }
}

/// The path to a resource, with words in place of names: `…/v1/things/NAME/status`.
fn path(resource: &Resource) -> String {
    match resource {
        Resource::Objects { version, .. } => format!("…/{version}/things"),
        Resource::Object { version, .. } => format!("…/{version}/things/NAME"),
        Resource::Subresource { version, subresource, .. } => format!("…/{version}/things/NAME/{subresource}"),
        Resource::Path { path, .. } => with_words(path),
        Resource::Definitions => "…/customresourcedefinitions".to_owned(),
        Resource::Definition { .. } => "…/customresourcedefinitions/NAME".to_owned(),
        Resource::Groups { .. } => "/apis".to_owned(),
        Resource::Group { .. } => "/apis/GROUP".to_owned(),
        Resource::GroupVersion { version, .. } => format!("/apis/GROUP/{version}"),
        Resource::Published { document: Document::Index, .. } => "/openapi/v3".to_owned(),
        Resource::Published { document: Document::V3(version), .. } => format!("/openapi/v3/apis/GROUP/{version}"),
        Resource::Published { document: Document::V2, .. } => "/openapi/v2".to_owned(),
    }
}

/// A path with words in place of its variables.
fn with_words(path: &str) -> String {
    let rest = path.strip_prefix("/apis/$group/").map_or_else(|| path.to_owned(), |rest| format!("…/{rest}"));
    let segments = rest.split('/').map(|segment| match segment {
        "$group" => "GROUP",
        "$plural" => "things",
        "$namespace" => "NAMESPACE",
        "$elsewhere" => "ELSEWHERE",
        object if object.starts_with("$object-") => "NAME",
        other => other,
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::{Body, Method, QueryFromAnswer, Request, Resource};

    fn object() -> Resource {
        Resource::Object { definition: 0, version: "v1".to_owned(), object: 0 }
    }

    fn any(path: &str) -> Request {
        Request::get(Resource::Path { definition: 0, path: path.to_owned() })
    }

    #[rstest]
    #[case::list(Request::get(Resource::objects(0, "v2")), "GET …/v2/things")]
    #[case::dry_run(Request::put(object(), Body::None).as_dry_run(), "PUT …/v1/things/NAME")]
    #[case::patch(Request::new(Method::JsonPatch, object().subresource("status"), Body::None),
        "JSON PATCH …/v1/things/NAME/status")]
    #[case::wrong_scope(any("/apis/$group/v1/namespaces/$namespace/$plural"), "GET …/v1/namespaces/NAMESPACE/things")]
    #[case::one_object(any("/apis/$group/v1/$plural/$object-3"), "GET …/v1/things/NAME")]
    #[case::query(
        Request {
            query: vec![("watch".to_owned(), "true".to_owned())],
            query_from_answers: vec![QueryFromAnswer {
                name: "fieldSelector=metadata.name=".to_owned(), step: 0, pointer: "/metadata/name".to_owned(),
            }],
            ..Request::get(Resource::objects(0, "v1"))
        },
        "GET …/v1/things?watch=true&fieldSelector=metadata.name=…"
    )]
    fn requests_in_a_line(#[case] request: Request, #[case] expected: &str) {
        assert_eq!(request.line(), expected);
    }
}
