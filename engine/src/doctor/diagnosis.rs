//! `doctor`: describes a target without writing to it.

use std::fmt::Write;
use std::time::Duration;

use futures_util::future::{join, join_all};
use jiff::Timestamp;
use tokio::time::Instant;

use crdible_journal::ExitCode;

use super::client::Client;
use super::leftovers::{Leftovers, by_run, labelled};
use super::preflight::{ServerFacts, preflight};
use crate::connection::{Target, TargetError, TargetKind};
use crate::created::counts;
use crate::marks::DEFINITIONS;

/// How long to honour a server's `Retry-After`, per request.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time limit of a request, a little longer than [`PATIENCE`]. It bounds the wait for a server that hangs.
const REQUEST_LIMIT: Duration = Duration::from_secs(6);

/// How many round trips are timed; the median is reported.
const ROUND_TRIPS: usize = 5;

/// What [`diagnose`] found, by reads only.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The kind of target.
    pub kind: TargetKind,
    /// Its address, or a name for the embedded server.
    pub address: String,
    /// Its version and platform, or why it cannot be used; then everything below is empty.
    pub facts: Result<ServerFacts, TargetError>,
    /// The median time of one small GET.
    pub round_trip: Option<Duration>,
    /// What it serves beyond the minimum.
    pub claims: Vec<Claim>,
    /// What runs have left on it, including live runs.
    pub leftovers: Result<Vec<Leftovers>, TargetError>,
    /// When it was examined.
    pub at: Timestamp,
}

/// Something that a server may or may not serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its name.
    pub what: &'static str,
    /// Whether the server has it.
    pub is_there: bool,
    /// The request, or the answer if it is missing.
    pub detail: String,
}

/// Reads what `target` is. Errors are part of the result.
pub async fn diagnose(target: &Target) -> Diagnosis {
    let api = Client::new(target, PATIENCE).within(REQUEST_LIMIT);
    let at = Timestamp::now();
    let mut diagnosis = Diagnosis {
        kind: target.description.kind,
        address: target.description.shown().to_owned(),
        facts: preflight(target).await,
        round_trip: None,
        claims: Vec::new(),
        leftovers: Ok(Vec::new()),
        at,
    };
    if diagnosis.facts.is_err() {
        return diagnosis;
    }
    diagnosis.round_trip = round_trip(&api).await;
    // Concurrently, so that a server that does not answer costs one timeout.
    let claims = join_all(CLAIMS.iter().map(|wanted| wanted.check(&api)));
    let (claims, leftovers) = join(claims, labelled(&api, None, at)).await;
    diagnosis.claims = claims;
    diagnosis.leftovers = leftovers.map(|labelled| by_run(&labelled));
    diagnosis
}

impl Diagnosis {
    /// 0, or the code of the first thing that makes the target unusable.
    pub fn exit_code(&self) -> u8 {
        match (&self.facts, &self.leftovers) {
            (Err(error), _) | (_, Err(error)) => error.exit_code().max(ExitCode::UNUSABLE),
            _ => 0,
        }
    }

    /// The diagnosis as text for the user.
    pub fn render(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "target      {} ({})", self.address, self.kind.as_str())?;
        let facts = match &self.facts {
            Ok(facts) => facts,
            Err(error) => return writeln!(text, "unusable    {error}"),
        };
        writeln!(text, "version     {}", facts.version.as_deref().unwrap_or("not reported"))?;
        if let Some(platform) = &facts.platform {
            writeln!(text, "platform    {platform}")?;
        }
        if let Some(time) = self.round_trip {
            writeln!(text, "round trip  {time:.1?} (median of {ROUND_TRIPS})")?;
        }
        writeln!(text, "serves")?;
        match &facts.unlisted {
            None => writeln!(text, "  yes  CustomResourceDefinitions: {}", facts.definition_verbs.join(" "))?,
            Some(seen) => {
                writeln!(text, "  yes  CustomResourceDefinitions: GET {DEFINITIONS}")?;
                writeln!(
                    text,
                    "  no   CustomResourceDefinitions in discovery, where clients look (compare DISC-004): {seen}"
                )?;
            }
        }
        for claim in &self.claims {
            let answer = if claim.is_there { "yes" } else { "no " };
            writeln!(text, "  {answer}  {}: {}", claim.what, claim.detail)?;
        }
        match &self.leftovers {
            Err(error) => writeln!(text, "leftovers   cannot be listed: {error}"),
            Ok(leftovers) if leftovers.is_empty() => {
                writeln!(text, "leftovers   none")
            }
            Ok(leftovers) => {
                writeln!(text, "leftovers")?;
                for left in leftovers {
                    let counts: Vec<String> =
                        counts(&left.objects).map(|(count, noun)| format!("{count} {noun}(s)")).collect();
                    let state = if left.is_alive(self.at) {
                        format!("alive until at least {:.0}", left.alive_until)
                    } else {
                        format!(
                            "not alive since {:.0}: remove with `crdible doctor --clean {}`",
                            left.alive_until, left.run
                        )
                    };
                    writeln!(text, "  run {}: {}, {state}", left.run, counts.join(", "))?;
                }
                Ok(())
            }
        }
    }
}

async fn round_trip(api: &Client) -> Option<Duration> {
    let mut times = Vec::new();
    for _ in 0..ROUND_TRIPS {
        let begun = Instant::now();
        api.get("/apis/apiextensions.k8s.io/v1").await.ok()?;
        times.push(begun.elapsed());
    }
    times.sort();
    times.get(times.len() / 2).copied()
}

/// A path, how to request it, and how to recognise the answer instead of a fallback.
struct Wanted {
    what: &'static str,
    path: &'static str,
    accept: &'static str,
    /// `kind` of the wanted document; empty if it has none.
    kind: &'static str,
    /// How the content type begins; empty if any document with `paths` is fine.
    content_type: &'static str,
}

const CLAIMS: [Wanted; 5] = [
    Wanted {
        what: "aggregated discovery",
        path: "/apis",
        accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
        kind: "APIGroupDiscoveryList",
        content_type: "application/json",
    },
    Wanted {
        what: "plain discovery",
        path: "/apis",
        accept: "application/json",
        kind: "APIGroupList",
        content_type: "application/json",
    },
    Wanted {
        what: "OpenAPI v3",
        path: "/openapi/v3",
        accept: "application/json",
        kind: "",
        // kube-apiserver 1.36 sends the document as text/plain.
        content_type: "",
    },
    Wanted {
        what: "tables (printer columns)",
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1",
        accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
        kind: "Table",
        content_type: "application/json",
    },
    Wanted {
        what: "answers in YAML",
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1",
        accept: "application/yaml",
        kind: "",
        content_type: "application/yaml",
    },
];

impl Wanted {
    async fn check(&self, api: &Client) -> Claim {
        let answer = match api.get_as(self.path, self.accept).await {
            Ok(answer) => answer,
            Err(error) => return Claim { what: self.what, is_there: false, detail: error.to_string() },
        };
        let content_type = answer.headers.get(http::header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let right_kind = self.kind.is_empty() || answer.json().is_some_and(|body| body["kind"] == self.kind);
        let right_form = if self.content_type.is_empty() {
            answer.json().is_some_and(|body| body["paths"].is_object())
        } else {
            content_type.starts_with(self.content_type)
        };
        let is_there = answer.status.is_success() && right_form && right_kind;
        let detail = if is_there { format!("GET {}", self.path) } else { answer.seen() };
        Claim { what: self.what, is_there, detail }
    }
}
