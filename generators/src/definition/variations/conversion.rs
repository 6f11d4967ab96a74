//! Conversion: CRDVAL-044..049 as far as they apply to new definitions, and the defaults of CRDVAL-008.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, NotSupported, Required},
    RowCause,
};
use serde_json::{Value, json};

use super::{Causes, Part::Conversion, Variation, edits::remove};

const STRATEGY: &str = "spec.conversion.strategy";
const CLIENT: &str = "spec.conversion.webhookClientConfig";
const REVIEWS: &str = "spec.conversion.conversionReviewVersions";
const NO_STRATEGY: Causes = &[Cause::of(STRATEGY, Required)];
const NO_CLIENT: Causes = &[Cause::of(CLIENT, Required)];
const NO_REVIEWS: Causes = &[Cause::of(REVIEWS, Required)];
const URL: RowCause = Cause::of("spec.conversion.webhookClientConfig.url", Invalid);
const BAD_URL: Causes = &[URL];
const UNPARSED: Causes = &[Cause::of("spec.conversion.webhookClientConfig.url", Required)];
const PORT: Causes = &[Cause::of("spec.conversion.webhookClientConfig.service.port", Invalid)];
const PATH: RowCause = Cause::of("spec.conversion.webhookClientConfig.service.path", Invalid);
const BAD_PATH: Causes = &[PATH];
const BAD_PATHS: Causes = &[PATH, PATH];

/// Conversion by a webhook.
pub(super) fn webhook(client: Value, reviews: &[&str]) -> Value {
    json!({ "strategy": "Webhook", "webhook": { "clientConfig": client, "conversionReviewVersions": reviews } })
}

fn conversion(document: &mut Value, conversion: Value) {
    document["spec"]["conversion"] = conversion;
}

/// Conversion by a webhook with this client.
fn client(document: &mut Value, client: Value) {
    conversion(document, webhook(client, &["v1"]));
}

fn url(document: &mut Value, url: &str) {
    client(document, json!({ "url": url }));
}

/// A service with one field replaced.
fn service(document: &mut Value, field: &str, value: impl Into<Value>) {
    let mut service = json!({ "name": "converter", "namespace": "default" });
    service[field] = value.into();
    client(document, json!({ "service": service }));
}

fn reviews(document: &mut Value, versions: &[&str]) {
    conversion(document, webhook(json!({ "url": "https://a.example.com" }), versions));
}

/// A complete webhook block together with another strategy.
fn with_other_strategy(document: &mut Value, strategy: &str) {
    reviews(document, &["v1"]);
    document["spec"]["conversion"]["strategy"] = json!(strategy);
}

pub(super) static VARIATIONS: &[Variation] = &[
    Conversion.legal("no-conversion", &["CRDVAL-008"], |d, _| remove(&mut d["spec"], "conversion")),
    Conversion.legal("null-conversion", &["CRDVAL-008/e1"], |d, _| conversion(d, Value::Null)),
    Conversion.legal("service-without-port", &["CRDVAL-008"], |d, _| service(d, "path", "/")),
    Conversion.refused(
        "empty-conversion",
        &["CRDVAL-044", "CRDVAL-008/e1"],
        |d, _| conversion(d, json!({})),
        NO_STRATEGY,
    ),
    Conversion.refused("empty-strategy", &["CRDVAL-044"], |d, _| conversion(d, json!({ "strategy": "" })), NO_STRATEGY),
    Conversion.refused(
        "lower-case-strategy",
        &["CRDVAL-044"],
        |d, _| conversion(d, json!({ "strategy": "none" })),
        &[Cause::of(STRATEGY, NotSupported)],
    ),
    Conversion.refused(
        "none-beside-a-webhook",
        &["CRDVAL-044"],
        |d, _| with_other_strategy(d, "None"),
        &[Cause::of(CLIENT, Forbidden), Cause::of(REVIEWS, Forbidden)],
    ),
    Conversion.refused(
        "none-beside-review-versions",
        &["CRDVAL-044"],
        |d, _| conversion(d, json!({ "strategy": "None", "webhook": { "conversionReviewVersions": ["v1"] } })),
        &[Cause::of(REVIEWS, Forbidden)],
    ),
    Conversion.refused(
        "none-beside-a-client",
        &["CRDVAL-044"],
        |d, _| conversion(d, json!({ "strategy": "None", "webhook": { "clientConfig": {} } })),
        &[Cause::of(CLIENT, Forbidden)],
    ),
    Conversion.refused(
        "unknown-strategy-beside-a-webhook",
        &["CRDVAL-044/e1"],
        |d, _| with_other_strategy(d, "Hook"),
        &[Cause::of(STRATEGY, NotSupported), Cause::of(CLIENT, Forbidden), Cause::of(REVIEWS, Forbidden)],
    ),
    Conversion.refused(
        "no-strategy-beside-a-bad-webhook",
        &["CRDVAL-044/e1"],
        |d, _| {
            reviews(d, &["V1", "V1"]);
            remove(&mut d["spec"]["conversion"], "strategy");
        },
        &[Cause::of(STRATEGY, Required), Cause::of(CLIENT, Forbidden), Cause::of(REVIEWS, Forbidden)],
    ),
    Conversion.legal_as(
        "none-beside-an-empty-webhook",
        &["CRDVAL-044/e1"],
        |d, _| conversion(d, json!({ "strategy": "None", "webhook": {} })),
        |d, _| conversion(d, json!({ "strategy": "None" })),
    ),
    Conversion.refused(
        "webhook-without-a-block",
        &["CRDVAL-045", "CRDVAL-045/e1"],
        |d, _| conversion(d, json!({ "strategy": "Webhook" })),
        &[Cause::of(CLIENT, Required), Cause::of(REVIEWS, Required)],
    ),
    Conversion.refused(
        "webhook-without-a-client",
        &["CRDVAL-045"],
        |d, _| {
            reviews(d, &["v1"]);
            remove(&mut d["spec"]["conversion"]["webhook"], "clientConfig");
        },
        NO_CLIENT,
    ),
    Conversion.refused("webhook-with-null-client", &["CRDVAL-045/e1"], |d, _| client(d, Value::Null), NO_CLIENT),
    Conversion.refused("webhook-with-empty-client", &["CRDVAL-045"], |d, _| client(d, json!({})), NO_CLIENT),
    Conversion.refused(
        "webhook-with-url-and-service",
        &["CRDVAL-045"],
        |d, _| {
            let service = json!({ "name": "", "namespace": "" });
            client(d, json!({ "url": "http://a", "service": service }));
        },
        NO_CLIENT,
    ),
    Conversion.refused("url-with-another-scheme", &["CRDVAL-046"], |d, _| url(d, "http://a.example.com/"), BAD_URL),
    Conversion.refused("url-with-user", &["CRDVAL-046"], |d, _| url(d, "https://u:p@a.example.com/"), BAD_URL),
    Conversion.refused("url-with-empty-user", &["CRDVAL-046/e1"], |d, _| url(d, "https://@a"), BAD_URL),
    Conversion.refused("url-with-fragment", &["CRDVAL-046"], |d, _| url(d, "https://a.example.com/#f"), BAD_URL),
    Conversion.refused("url-with-query", &["CRDVAL-046"], |d, _| url(d, "https://a.example.com/?q=1"), BAD_URL),
    Conversion.refused("url-without-host", &["CRDVAL-046"], |d, _| url(d, "https:///path"), BAD_URL),
    Conversion.refused(
        "url-wrong-throughout",
        &["CRDVAL-046"],
        |d, _| url(d, "http://u@a/x?y#z"),
        &[URL, URL, URL, URL],
    ),
    Conversion.refused("empty-url", &["CRDVAL-046/e1"], |d, _| url(d, ""), &[URL, URL]),
    Conversion.refused("relative-url", &["CRDVAL-046/e1"], |d, _| url(d, "a/b"), &[URL, URL]),
    Conversion.refused(
        "url-with-a-blank-in-the-host",
        &["CRDVAL-046/e1", "CRDVAL-046"],
        |d, _| url(d, "https://a b/"),
        UNPARSED,
    ),
    Conversion.refused(
        "url-with-a-port-that-is-no-number",
        &["CRDVAL-046/e1"],
        |d, _| url(d, "https://a:port/"),
        UNPARSED,
    ),
    Conversion.refused("url-with-an-open-bracket", &["CRDVAL-046/e1"], |d, _| url(d, "https://[::1/"), UNPARSED),
    Conversion.refused("url-with-a-bad-escape", &["CRDVAL-046/e1"], |d, _| url(d, "https://a/%zz"), UNPARSED),
    Conversion.legal("url-with-upper-case-scheme", &["CRDVAL-046/e1"], |d, _| url(d, "HTTPS://a.example.com/x")),
    Conversion.legal("url-with-a-port-alone", &["CRDVAL-046/e1"], |d, _| url(d, "https://:443/")),
    Conversion.legal("url-with-a-large-port", &["CRDVAL-046/e1"], |d, _| url(d, "https://a:99999")),
    Conversion.legal("url-with-a-bare-question-mark", &["CRDVAL-046/e1"], |d, _| url(d, "https://a/?")),
    Conversion.legal("url-with-a-bare-fragment", &["CRDVAL-046/e1"], |d, _| url(d, "https://a/#")),
    Conversion.legal("url-of-an-address", &["CRDVAL-046"], |d, _| url(d, "https://[::1]:8443/a//b/../c")),
    Conversion.refused("port-zero", &["CRDVAL-047"], |d, _| service(d, "port", 0), PORT),
    Conversion.refused("port-too-large", &["CRDVAL-047"], |d, _| service(d, "port", 65_536), PORT),
    Conversion.refused("negative-port", &["CRDVAL-047"], |d, _| service(d, "port", -1), PORT),
    Conversion.legal("largest-port", &["CRDVAL-047"], |d, _| service(d, "port", 65_535)),
    Conversion.refused(
        "no-name-and-no-namespace",
        &["CRDVAL-047"],
        |d, _| client(d, json!({ "service": {} })),
        &[
            Cause::of("spec.conversion.webhookClientConfig.service.name", Required),
            Cause::of("spec.conversion.webhookClientConfig.service.namespace", Required),
        ],
    ),
    Conversion.legal("any-service-name", &["CRDVAL-047"], |d, _| service(d, "name", "Not A Name")),
    Conversion.refused("path-without-slash", &["CRDVAL-047"], |d, _| service(d, "path", "convert"), BAD_PATH),
    Conversion.refused("path-of-two-slashes", &["CRDVAL-047"], |d, _| service(d, "path", "//"), BAD_PATH),
    Conversion.refused("path-with-an-empty-segment", &["CRDVAL-047"], |d, _| service(d, "path", "/a//b"), BAD_PATH),
    Conversion.refused("path-with-two-bad-segments", &["CRDVAL-047"], |d, _| service(d, "path", "/A/b_c/d"), BAD_PATHS),
    Conversion.refused(
        "path-without-slash-and-with-a-bad-segment",
        &["CRDVAL-047"],
        |d, _| service(d, "path", "aB/c"),
        BAD_PATHS,
    ),
    Conversion.legal("empty-path", &["CRDVAL-047"], |d, _| service(d, "path", "")),
    Conversion.legal("path-with-trailing-slash", &["CRDVAL-047"], |d, _| service(d, "path", "/a/b.c/")),
    Conversion.refused(
        "no-review-versions",
        &["CRDVAL-049", "CRDVAL-049/e2"],
        |d, _| {
            reviews(d, &[]);
            remove(&mut d["spec"]["conversion"]["webhook"], "conversionReviewVersions");
        },
        NO_REVIEWS,
    ),
    Conversion.refused("empty-review-versions", &["CRDVAL-049"], |d, _| reviews(d, &[]), NO_REVIEWS),
    Conversion.refused(
        "review-version-twice",
        &["CRDVAL-049"],
        |d, _| reviews(d, &["v1", "v1beta1", "v1", "v1"]),
        &[
            Cause::of("spec.conversion.conversionReviewVersions[2]", Invalid),
            Cause::of("spec.conversion.conversionReviewVersions[3]", Invalid),
        ],
    ),
    Conversion.refused(
        "review-version-that-is-no-label",
        &["CRDVAL-049"],
        |d, _| reviews(d, &["v1", "V2"]),
        &[Cause::of("spec.conversion.conversionReviewVersions[1]", Invalid)],
    ),
    Conversion.refused(
        "unknown-review-versions",
        &["CRDVAL-049"],
        |d, _| reviews(d, &["v2", "v3"]),
        &[Cause::of(REVIEWS, Invalid)],
    ),
    Conversion.legal("unknown-review-versions-beside-a-known", &["CRDVAL-049/e1"], |d, _| {
        reviews(d, &["v9", "v1beta1", "foo"])
    }),
    Conversion.undecodable("authorities-that-are-no-base64", &["CRDVAL-048/e1"], |d, _| {
        client(d, json!({ "url": "https://a.example.com", "caBundle": "***" }))
    }),
    Conversion.legal("authorities-that-are-none", &["CRDVAL-048"], |d, _| {
        client(d, json!({ "url": "https://a.example.com", "caBundle": "bm8=" }))
    }),
];
