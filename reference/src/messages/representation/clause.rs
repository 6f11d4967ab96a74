//! The alternatives of an `Accept` header, in the order in which upstream tries them.

use super::{Form, MetaVersion};

/// Up to this many clauses, the sort order is that of upstream.
const FEW_CLAUSES: usize = 12;

/// The supported formats, the default first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MediaType {
    Json,
    Yaml,
    Protobuf,
}

impl MediaType {
    pub(super) const ALL: [Self; 3] = [Self::Json, Self::Yaml, Self::Protobuf];

    fn subtype(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Protobuf => "vnd.kubernetes.protobuf",
        }
    }
}

/// An alternative of an `Accept` header.
#[derive(Debug)]
pub(super) struct Clause<'a> {
    main: &'a str,
    subtype: &'a str,
    quality: f64,
    parameters: Vec<(&'a str, &'a str)>,
}

impl<'a> Clause<'a> {
    /// Parses a clause; `None` if it is not a media type.
    fn read(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';');
        let media_type = parts.next().unwrap_or_default();
        let (main, subtype) = match media_type.split_once('/') {
            Some((main, subtype)) if !subtype.is_empty() && !subtype.contains('/') => (trim(main), trim(subtype)),
            _ if trim(media_type.trim_end_matches('/')) == "*" => ("*", "*"),
            _ => return None,
        };
        let mut clause = Self { main, subtype, quality: 1.0, parameters: Vec::new() };
        for (name, value) in parts.filter_map(|part| part.split_once('=')) {
            match trim(name) {
                _ if value.is_empty() || value.contains('=') => {}
                "q" => clause.quality = value.parse().unwrap_or(0.0),
                name => clause.parameters.push((name, trim(value))),
            }
        }
        Some(clause)
    }

    /// The value of a parameter; the last one if it is repeated.
    fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters.iter().rev().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    pub(super) fn matches(&self, media_type: MediaType) -> bool {
        match (self.main, self.subtype) {
            ("*" | "application", "*") => true,
            ("application", subtype) => subtype == media_type.subtype(),
            _ => false,
        }
    }

    /// `as`, `g` and `v`, if at least one of them is present.
    pub(super) fn transform(&self) -> Option<[&'a str; 3]> {
        let parts = ["as", "g", "v"].map(|name| self.parameter(name));
        parts.iter().any(Option::is_some).then(|| parts.map(Option::unwrap_or_default))
    }

    /// The requested form; `None` if it is unknown.
    pub(super) fn form(&self) -> Option<Form> {
        let Some([kind, group, version]) = self.transform() else {
            return Some(Form::Plain);
        };
        let version = match (group, version) {
            ("meta.k8s.io", "v1") => MetaVersion::V1,
            ("meta.k8s.io", "v1beta1") => MetaVersion::V1Beta1,
            _ => return None,
        };
        match kind {
            "Table" => Some(Form::Table(version)),
            "PartialObjectMetadata" => Some(Form::PartialMetadata(version)),
            "PartialObjectMetadataList" => Some(Form::PartialMetadataList(version)),
            _ => None,
        }
    }

    /// Whether the other parameters request only what is supported.
    pub(super) fn allows(&self, media_type: MediaType, server_version: Option<&str>) -> bool {
        let streams = self.parameter("stream").is_none_or(|stream| stream == "watch" && media_type != MediaType::Yaml);
        let version = self.parameter("sv");
        streams && (version.is_none() || version == server_version)
    }

    pub(super) fn wants_pretty(&self) -> bool {
        self.parameter("pretty") == Some("1")
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(' ')
}

/// The clauses of a header, in order of preference.
pub(super) fn clauses(header: &str) -> Vec<Clause<'_>> {
    let mut clauses: Vec<Clause<'_>> =
        header.split(',').filter_map(|part| Clause::read(part.trim_matches(' '))).collect();
    if clauses.len() > FEW_CLAUSES {
        // Above that, upstream's order depends on how its sort handles contradicting comparisons.
        clauses.sort_by(|a, b| b.quality.total_cmp(&a.quality));
        return clauses;
    }
    for end in 1..clauses.len() {
        for at in (1..=end).rev() {
            if !precedes(&clauses[at], &clauses[at - 1]) {
                break;
            }
            clauses.swap(at, at - 1);
        }
    }
    clauses
}

/// Upstream's comparison, which is not a consistent order: depending on its position, a more specific clause precedes
/// or follows one of higher quality.
fn precedes(one: &Clause<'_>, other: &Clause<'_>) -> bool {
    one.quality > other.quality
        || (one.main != "*" && other.main == "*")
        || (one.subtype != "*" && other.subtype == "*")
}
