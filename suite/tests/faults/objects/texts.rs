//! Faults in how texts are read and written: forms, YAML, and what is neither.

use bytes::Bytes;
use crdible::connection::HttpRequest;
use http::{Method, header};

use crate::{
    sent::{change_header, header_of, is_patch, query_contains, read, set_type},
    server::{error, late, success},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("plain-words-are-texts", "`on`, `yes` and `no` in YAML are texts, as in YAML 1.2")
        .breaks(&["REST-011", "INV-022"], &["rest-011-words"])
        .blamed(&["REST-011"])
        .requests(|request| {
            in_yaml(request, |text| {
                let words = ["on", "yes", "y", "no", "off", "n"];
                words.iter().fold(text.to_owned(), |text, word| {
                    text.replace(&format!(": {word}\n"), &format!(": '{word}'\n"))
                        .replace(&format!(": [{word},"), &format!(": ['{word}',"))
                })
            });
        }),
    fault("octals-are-decimals", "`010` in YAML is ten").breaks(&["REST-011"], &["rest-011-words"]).requests(
        |request| {
            in_yaml(request, |text| text.replace(": 010\n", ": 10\n").replace("[010,", "[10,"));
        },
    ),
    fault("dates-are-times", "a plain date in YAML is read as a time of that day")
        .breaks(&["REST-011"], &["rest-011-words"])
        .requests(|request| {
            in_yaml(request, |text| text.replace(": 2020-01-01\n", ": '2020-01-01T00:00:00Z'\n"));
        }),
    fault("knows-no-anchors", "YAML with an alias is refused")
        .breaks(&["REST-011", "INV-022"], &["inv-022-yaml"])
        .within_lines(120)
        .around(act!(|server, request| {
            if is_yaml(&request) && text_of(&request).contains(" *a") {
                return Ok(error(400, "BadRequest"));
            }
            server.pass(request).await
        })),
    fault("literal-blocks-are-folded", "the line breaks in a literal block of YAML become spaces")
        .breaks(&["REST-011", "INV-022"], &["inv-022-yaml"])
        .within_lines(120)
        .requests(|request| in_yaml(request, |text| text.replace(" |-\n", " >-\n").replace(" |\n", " >\n"))),
    fault("reads-escapes-without-accents", "an escape in YAML loses its accent")
        .breaks(&["REST-011", "INV-022"], &["inv-022-yaml"])
        .within_lines(120)
        .requests(|request| in_yaml(request, |text| text.replace("\\u00e9", "e"))),
    fault("reads-long-escapes-wrongly", "an escape of eight digits in YAML becomes another character")
        .breaks(&["REST-011", "INV-022"], &["inv-022-yaml"])
        .within_lines(120)
        .requests(|request| in_yaml(request, |text| text.replace("\\U0001F600", "\\U0001F601"))),
    obvious_fault("writes-no-yaml", "an answer is in JSON although YAML was asked for")
        .breaks(&["REST-006"], &["rest-006-forms", "inv-022-yaml"])
        .requests(|request| change_header(request, header::ACCEPT, |accept| accept.replace("yaml", "json"))),
    fault("ignores-quality", "the first form in Accept wins, whatever its quality is")
        .breaks(&["REST-006"], &["rest-006-forms"])
        .requests(|request| {
            change_header(request, header::ACCEPT, |accept| {
                let forms = accept.split(',').map(|form| form.split(";q=").next().unwrap_or_default());
                forms.collect::<Vec<_>>().join(",")
            });
        }),
    fault("errors-are-always-json", "an error is in JSON although YAML was asked for")
        .breaks(&["REST-006"], &["rest-006-forms"])
        .around(act!(|server, request| {
            let answered = server.pass(request.clone()).await?;
            let form = answered.headers().get(header::CONTENT_TYPE);
            if answered.status() != 404 || form.is_none_or(|form| form != "application/yaml") {
                return Ok(answered);
            }
            server.pass(read(request.uri().path())).await
        })),
    fault("watches-in-json-instead", "a watch in YAML is a watch in JSON")
        .breaks(&["REST-006"], &["rest-006-forms"])
        .requests(|request| {
            if query_contains(request, "watch") {
                change_header(request, header::ACCEPT, |accept| accept.replace("yaml", "json"));
            }
        }),
    obvious_fault("any-type-is-json", "a body of an unknown type is read as JSON")
        .breaks(&["REST-006"], &["rest-006-forms"])
        .requests(|request| {
            change_header(request, header::CONTENT_TYPE, |kind| {
                let is_known = ["application/", "multipart/"].iter().any(|known| kind.starts_with(known));
                if is_known { kind.to_owned() } else { "application/json".to_owned() }
            });
        }),
    fault("types-have-no-parameters", "a Content-Type with a parameter is refused")
        .breaks(&["REST-006"], &["rest-006-forms"])
        .requests(|request| change_header(request, header::CONTENT_TYPE, |kind| kind.replace(';', "+"))),
    fault("demands-a-type", "a body without Content-Type is refused")
        .breaks(&["REST-006"], &["rest-006-forms"])
        .requests(|request| {
            let has_body = [Method::POST, Method::PUT].contains(request.method());
            if has_body && !request.headers().contains_key(header::CONTENT_TYPE) {
                set_type(request, "text/plain");
            }
        }),
    fault("json-is-read-as-yaml", "a body in JSON is read by a parser of YAML")
        .breaks(&["REST-006", "REST-010"], &["rest-006-forms", "rest-010-malformed-bodies"])
        .requests(|request| {
            if [Method::POST, Method::PUT].contains(request.method()) {
                change_header(request, header::CONTENT_TYPE, |kind| kind.replace("json", "yaml"));
            }
        }),
    fault("ignores-what-follows-json", "what follows the end of a JSON body is ignored")
        .breaks(&["REST-010"], &["rest-010-malformed-bodies"])
        .requests(|request| {
            let text = text_of(request);
            let mut values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
            if let Some(Ok(value)) = values.next()
                && value.is_object()
                && is_create_or_put(request)
            {
                let end = values.byte_offset();
                *request.body_mut() = Bytes::from(text[..end].to_owned());
            }
        }),
    fault("allows-last-commas", "JSON may have a comma after the last member")
        .breaks(&["REST-010"], &["rest-010-malformed-bodies"])
        .around(act!(|server, request| {
            let is_put = *request.method() == Method::PUT;
            if is_put && text_of(&request).contains(",}") {
                return Ok(success(&server.object(&request).await?));
            }
            server.pass(request).await
        })),
    fault("closes-what-is-open", "braces that are missing at the end of a body are added")
        .breaks(&["REST-010"], &["rest-010-malformed-bodies"])
        .requests(|request| {
            let mut text = text_of(request);
            if text.starts_with("{\"apiVersion") && !is_yaml(request) && is_create_or_put(request) {
                while text.matches('{').count() > text.matches('}').count() {
                    text.push('}');
                }
                *request.body_mut() = Bytes::from(text);
            }
        }),
    fault("hangs-on-malformed-bodies", "a create or PUT of a body that is no JSON is never answered")
        .breaks(&["REST-010"], &["rest-010-malformed-bodies"])
        .around(act!(|server, request| {
            let is_json = serde_json::from_slice::<serde_json::Value>(request.body()).is_ok();
            if is_create_or_put(&request) && !is_yaml(&request) && !is_json {
                return late(&request);
            }
            server.pass(request).await
        })),
    obvious_fault("bodies-have-no-limit", "a body of any size is read")
        .breaks(&["REST-007"], &["rest-010-malformed-bodies"])
        .by_example_only()
        .requests(|request| {
            if request.body().len() > 3 << 20 {
                *request.body_mut() = Bytes::from(text_of(request).replace("  ", ""));
            }
        }),
    fault("patches-have-no-limit", "a patch of any size is read")
        .breaks(&["REST-007"], &["rest-010-malformed-bodies"])
        .by_example_only()
        .requests(|request| {
            if request.body().len() > 3 << 20 && *request.method() == Method::PATCH {
                *request.body_mut() = Bytes::from(text_of(request).replace("  ", ""));
            }
        }),
    fault("reads-json-of-any-depth", "JSON may be deeper than 10,000 levels")
        .breaks(&["REST-007"], &["rest-010-malformed-bodies"])
        .requests(|request| {
            let deep = "[".repeat(10_000);
            let text = text_of(request);
            if text.contains(&deep) {
                *request.body_mut() = Bytes::from(text.replace(&deep, "").replace(&"]".repeat(10_000), ""));
            }
        }),
    fault("broken-merge-patches-change-nothing", "a merge patch that is no JSON is taken for an empty one")
        .breaks(&["REST-034"], &["rest-010-malformed-bodies"])
        .requests(|request| replace_broken(request, "merge-patch", "{}")),
    fault("broken-json-patches-change-nothing", "a JSON patch that is no JSON is taken for an empty one")
        .breaks(&["REST-033"], &["rest-010-malformed-bodies"])
        .requests(|request| replace_broken(request, "json-patch", "[]")),
    fault("repeated-keys-in-yaml-are-silent", "a key that is set again in YAML is not reported")
        .breaks(&["REST-051"], &["rest-011-words"])
        .answers(|_, answer| answer.remove_warnings("already set in map")),
    fault("counts-lines-from-zero", "the line of a key that is set again in YAML is one too small")
        .breaks(&["REST-051"], &["rest-011-words"])
        .answers(|_, answer| answer.change_warnings(|text| Some(with_earlier_line(text)))),
];

fn text_of(request: &HttpRequest) -> String {
    String::from_utf8_lossy(request.body()).into_owned()
}

fn is_yaml(request: &HttpRequest) -> bool {
    header_of(request, &header::CONTENT_TYPE).starts_with("application/yaml")
}

fn is_create_or_put(request: &HttpRequest) -> bool {
    [Method::POST, Method::PUT].contains(request.method())
}

/// Changes a body in YAML, which ends with a line break for that.
fn in_yaml(request: &mut HttpRequest, change: impl FnOnce(&str) -> String) {
    if is_yaml(request) {
        let text = change(&format!("{}\n", text_of(request)));
        *request.body_mut() = Bytes::from(text);
    }
}

/// Replaces a patch of this type that cannot be read.
fn replace_broken(request: &mut HttpRequest, kind: &str, whole: &'static str) {
    let is_broken = serde_json::from_slice::<serde_json::Value>(request.body()).is_err();
    if is_patch(request, kind) && is_broken {
        *request.body_mut() = Bytes::from_static(whole.as_bytes());
    }
}

/// A warning with a smaller number of a line, if it has one.
fn with_earlier_line(text: &str) -> String {
    let changed = text.split_once("line ").and_then(|(before, rest)| {
        let (number, after) = rest.split_once(':')?;
        Some(format!("{before}line {}:{after}", number.parse::<usize>().ok()? - 1))
    });
    changed.unwrap_or_else(|| text.to_owned())
}
