//! Conversion webhooks of a scenario's definitions.

use crdible_webhooks::Converter;
use serde::{Deserialize, Serialize};

/// A conversion webhook that crdible serves for one definition. The executor fills in its URL and certificates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Webhook {
    /// How it converts, from the first request on. Until the definition is served it converts rightly, so that it can
    /// be served at all.
    pub converter: Converter,
    /// `conversionReviewVersions`.
    #[serde(default = "Webhook::usual_reviews", skip_serializing_if = "Webhook::has_usual_reviews")]
    pub review_versions: Vec<String>,
    /// How the definition says where the webhook is.
    #[serde(default, skip_serializing_if = "Endpoint::is_right")]
    pub endpoint: Endpoint,
}

impl Webhook {
    /// A webhook that can be reached and takes reviews of `v1`.
    pub fn of(converter: Converter) -> Self {
        Self { converter, review_versions: Self::usual_reviews(), endpoint: Endpoint::Right }
    }

    fn usual_reviews() -> Vec<String> {
        vec!["v1".to_owned()]
    }

    fn has_usual_reviews(reviews: &[String]) -> bool {
        reviews == Self::usual_reviews()
    }
}

/// How a definition says where its webhook is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Endpoint {
    /// As it is.
    #[default]
    Right,
    /// As it is, with this text at the end of the path.
    Path(String),
    /// `caBundle` holds another authority than that of its certificate.
    OtherAuthority,
    /// There is no `caBundle`, so only the authorities of the system count.
    NoAuthority,
    /// The URL names a host for which its certificate is not valid.
    OtherHost,
    /// Nothing listens at the port of the URL.
    NobodyListens,
    /// The listener does not speak TLS.
    NoTls,
}

impl Endpoint {
    /// Whether the webhook can be reached.
    pub fn is_reachable(&self) -> bool {
        matches!(self, Self::Right | Self::Path(_))
    }

    fn is_right(&self) -> bool {
        *self == Self::Right
    }
}

/// A change of `spec.conversion` together with the versions of a definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conversion {
    /// Strategy `None`.
    None,
    /// Strategy `Webhook`.
    Webhook(Box<Webhook>),
}
