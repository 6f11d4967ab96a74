//! Options of writes, deletions and lists, from the query or the body, and their validation (REST-012, REST-047..049).

use std::num::{IntErrorKind, ParseIntError};

use crdible_semantics::release::Change;
use crdible_semantics::{Reason, Release, Violation, go_text, message};
use serde_json::{Map, Value};

use super::body;
use super::{Call, Query};
use crate::base::status::Failure;
use crate::messages::selectors::Selectors;
use crate::store;
use crate::wire::json;

/// The group of the option kinds.
const META_GROUP: &str = "meta.k8s.io";
/// The option of a deletion that ignores why an object cannot be read.
const ONLY_UNREADABLE: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

/// How unknown and duplicate fields are handled (REST-050).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FieldValidation {
    /// They are ignored.
    Ignore,
    /// Each is reported in a warning.
    #[default]
    Warn,
    /// The request is refused.
    Strict,
}

/// The kind of write that options belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Create,
    Update,
    Patch,
}

/// Options of a create, an update or a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteOptions {
    pub(crate) dry_run: bool,
    pub(crate) field_validation: FieldValidation,
}

impl WriteOptions {
    pub(crate) fn parse(query: &Query, kind: WriteKind) -> Result<Self, Failure> {
        let mut violations = Vec::new();
        if kind == WriteKind::Patch && query.first("force").is_some() {
            violations.push(violation(
                "force",
                Reason::Forbidden,
                "REST-037",
                "may not be specified for non-apply patch",
            ));
        }
        check_manager(query.text("fieldManager"), &mut violations);
        let dry_run: Vec<&str> = query.all("dryRun").collect();
        check_dry_run(&dry_run, &mut violations);
        let field_validation = match query.text("fieldValidation") {
            "" | "Warn" => FieldValidation::Warn,
            "Ignore" => FieldValidation::Ignore,
            "Strict" => FieldValidation::Strict,
            other => {
                let detail = message::unsupported(go_text::quoted(other), ["", "Ignore", "Strict", "Warn"]);
                violations.push(violation("fieldValidation", Reason::NotSupported, "REST-012", &detail));
                FieldValidation::Warn
            }
        };
        let options_kind = match kind {
            WriteKind::Create => "CreateOptions",
            WriteKind::Update => "UpdateOptions",
            WriteKind::Patch => "PatchOptions",
        };
        refuse(options_kind, &violations)?;
        Ok(Self { dry_run: !dry_run.is_empty(), field_validation })
    }
}

/// The preconditions of a deletion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preconditions {
    pub(crate) uid: Option<String>,
    pub(crate) resource_version: Option<String>,
}

/// Options of a deletion.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeleteOptions {
    pub(crate) dry_run: bool,
    pub(crate) preconditions: Option<Preconditions>,
    /// `Orphan`, `Background` or `Foreground`.
    pub(crate) propagation: Option<String>,
    pub(crate) orphan_dependents: Option<bool>,
    /// Whether only an object that cannot be read is deleted ([`Change::UnsafeDeletes`]).
    pub(crate) only_unreadable: bool,
    grace_period: Option<i64>,
}

/// Upstream lists `nil`, though it is no policy.
const POLICIES: [&str; 4] = ["Foreground", "Background", "Orphan", "nil"];

impl DeleteOptions {
    /// Parses the options from the body, or from the query if there is no body (REST-049). In the query the
    /// preconditions are parameters of their own.
    pub(crate) fn parse(call: &Call<'_>, release: Release) -> Result<Self, Failure> {
        let mut options = Self::default();
        let dry_run;
        if call.body.is_empty() {
            options.grace_period = call.query.first("gracePeriodSeconds").map(integer).transpose()?;
            options.only_unreadable = call.query.flag(ONLY_UNREADABLE);
            dry_run = call.query.all("dryRun").map(str::to_owned).collect();
            options.propagation = call.query.first("propagationPolicy").map(str::to_owned);
            options.orphan_dependents =
                call.query.first("orphanDependents").map(|_| call.query.flag("orphanDependents"));
            let wanted = |name| Some(call.query.text(name).to_owned()).filter(|text| !text.is_empty());
            let (uid, resource_version) = (wanted("uid"), wanted("resourceVersion"));
            let is_conditional = uid.is_some() || resource_version.is_some();
            options.preconditions = is_conditional.then_some(Preconditions { uid, resource_version });
        } else {
            let read = body::read(call.headers, call.body)?;
            let refuse =
                if release.has(Change::BadDeleteOptions) { Failure::bad_request } else { Failure::without_reason };
            let taken = read.map_err(|unread| unread.to_string()).and_then(|parsed| options.take(&parsed.value));
            dry_run = taken.map_err(refuse)?;
        }
        options.dry_run = !dry_run.is_empty();
        options.only_unreadable &= release.has(Change::UnsafeDeletes);
        let mut violations = Vec::new();
        let propagation = options.propagation.as_deref();
        if options.orphan_dependents.is_some() && propagation.is_some() {
            let policy = propagation.unwrap_or_default();
            let detail = message::about_text(policy, "orphanDependents and deletionPropagation cannot be both set");
            violations.push(violation("propagationPolicy", Reason::Invalid, "REST-048", &detail));
        }
        if let Some(policy) = propagation.filter(|policy| !POLICIES[..3].contains(policy)) {
            let detail = message::unsupported(go_text::quoted(policy), POLICIES);
            violations.push(violation("propagationPolicy", Reason::NotSupported, "REST-048", &detail));
        }
        check_dry_run(&dry_run.iter().map(String::as_str).collect::<Vec<_>>(), &mut violations);
        options.check_only_unreadable(&mut violations);
        refuse("DeleteOptions", &violations)?;
        // `orphanDependents` is the deprecated form of `propagationPolicy`.
        if let Some(orphans) = options.orphan_dependents {
            options.propagation = Some(if orphans { "Orphan" } else { "Background" }.to_owned());
        }
        Ok(options)
    }

    /// Options that cannot be used together with [`ONLY_UNREADABLE`].
    fn check_only_unreadable(&self, violations: &mut Vec<Violation>) {
        if !self.only_unreadable {
            return;
        }
        let others = [
            ("propagationPolicy", self.propagation.is_some()),
            ("orphanDependents", self.orphan_dependents.is_some()),
            ("gracePeriodSeconds", self.grace_period.is_some()),
            ("preconditions", self.preconditions.is_some()),
        ];
        for (other, _) in others.into_iter().filter(|(_, is_set)| *is_set) {
            let detail = message::about(true, format_args!("cannot be set together with .{other}"));
            violations.push(violation(ONLY_UNREADABLE, Reason::Invalid, "REST-049", &detail));
        }
    }

    /// Refuses options that a deletion of a collection does not have.
    pub(crate) fn refuse_for_collection(&self) -> Result<(), Failure> {
        if !self.only_unreadable {
            return Ok(());
        }
        let detail = message::about(true, "is not allowed with DELETECOLLECTION");
        refuse("DeleteOptions", &[violation(ONLY_UNREADABLE, Reason::Invalid, "REST-049", &detail)])
    }

    /// Sets the options that a body contains, and returns `dryRun`.
    fn take(&mut self, value: &Value) -> Result<Vec<String>, String> {
        const OWN: &str = "DeleteOptions";
        let fields = match value {
            Value::Null => return Ok(Vec::new()),
            Value::Object(fields) => fields,
            other => return Err(body::without_type(&json::no_object(other))),
        };
        let of_type = |field| {
            let text = text(fields, field, "", "string").map_err(|error| body::without_type(&error))?;
            Ok::<_, String>(text.unwrap_or_default())
        };
        let (kind, api_version) = (of_type("kind")?, of_type("apiVersion")?);
        if !matches!(kind.as_str(), "" | "DeleteOptions") {
            let version = if api_version.is_empty() { "meta.k8s.io/v1" } else { &api_version };
            return Err(format!("no kind {kind:?} is registered for version {version:?}"));
        }
        self.grace_period = read(fields, "gracePeriodSeconds", OWN, "int64", Value::as_i64)?;
        self.orphan_dependents = read(fields, "orphanDependents", OWN, "bool", Value::as_bool)?;
        self.only_unreadable = read(fields, ONLY_UNREADABLE, OWN, "bool", Value::as_bool)?.unwrap_or_default();
        self.propagation = text(fields, "propagationPolicy", OWN, "v1.DeletionPropagation")?;
        match fields.get("preconditions") {
            None | Some(Value::Null) => {}
            Some(Value::Object(preconditions)) => {
                let of = "Preconditions.preconditions";
                self.preconditions = Some(Preconditions {
                    uid: text(preconditions, "uid", of, "types.UID")?,
                    resource_version: text(preconditions, "resourceVersion", of, "string")?,
                });
            }
            Some(other) => {
                return Err(json::no_field_of("v1.Preconditions", "DeleteOptions.preconditions", other));
            }
        }
        match fields.get("dryRun") {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(values)) => {
                let texts = values.iter().map(|value| match value {
                    Value::Null => Ok(String::new()),
                    Value::String(text) => Ok(text.clone()),
                    other => Err(json::no_field_of("string", "DeleteOptions.dryRun", other)),
                });
                texts.collect()
            }
            Some(other) => Err(json::no_field_of("[]string", "DeleteOptions.dryRun", other)),
        }
    }
}

/// Options of a list.
#[derive(Debug)]
pub(crate) struct ListOptions {
    pub(crate) selectors: Selectors,
    /// The page size; 0 is unlimited.
    pub(crate) limit: usize,
    pub(crate) continue_token: String,
    /// `None` if missing, empty or `0`: any revision is acceptable. An error that counts only if nothing else is wrong.
    pub(crate) resource_version: Result<Option<u64>, Failure>,
    /// Whether any revision is acceptable, even an old one: it is given as `0`.
    pub(crate) takes_any_revision: bool,
    /// Whether exactly this revision is required.
    pub(crate) exact: bool,
    /// The same for a list without pages.
    exact_without_pages: bool,
}

impl ListOptions {
    /// Checks the options, except for what only the list shows. Returns the selectors and the limit.
    pub(crate) fn check(query: &Query) -> Result<(Selectors, i64), Failure> {
        // Upstream reads all parameters before it parses selectors.
        query.first("timeoutSeconds").map_or(Ok(0), integer)?;
        let limit = query.first("limit").map_or(Ok(0), integer)?;
        let selectors = Selectors::parse(query)?;
        refuse("ListOptions", &list_violations(query))?;
        Ok((selectors, limit))
    }

    /// `is_paged`: whether the list is read in pages although no limit is given.
    pub(crate) fn parse(query: &Query, is_paged: bool) -> Result<Self, Failure> {
        let (selectors, limit) = Self::check(query)?;
        let continue_token = query.text("continue").to_owned();
        let version_text = query.text("resourceVersion");
        let matching = query.text("resourceVersionMatch");
        let version = revision(version_text);
        let limit = usize::try_from(limit).unwrap_or_default();
        Ok(Self {
            selectors,
            limit,
            continue_token,
            takes_any_revision: matches!(version, Ok(0)) && !version_text.is_empty(),
            resource_version: version.map(|version| (version > 0).then_some(version)),
            exact: matching == "Exact" || (matching.is_empty() && (limit > 0 || is_paged)),
            exact_without_pages: matching == "Exact",
        })
    }

    /// Ignores the limit, and with it what it says about the revision.
    pub(crate) fn without_pages(self) -> Self {
        Self { limit: 0, exact: self.exact_without_pages, ..self }
    }
}

fn list_violations(query: &Query) -> Vec<Violation> {
    let [version, matching, continue_token] =
        ["resourceVersion", "resourceVersionMatch", "continue"].map(|name| query.text(name));
    let mut violations = Vec::new();
    if query.first("sendInitialEvents").is_some() {
        violations.push(violation(
            "sendInitialEvents",
            Reason::Forbidden,
            "REST-064",
            "sendInitialEvents is forbidden for list",
        ));
    }
    if matching.is_empty() {
        return violations;
    }
    let mut forbid = |detail| {
        violations.push(violation("resourceVersionMatch", Reason::Forbidden, "REST-026", detail));
    };
    if version.is_empty() {
        forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if !continue_token.is_empty() {
        forbid("resourceVersionMatch is forbidden when continue is provided");
    }
    if matching == "Exact" && version == "0" {
        forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
    if !matches!(matching, "Exact" | "NotOlderThan") {
        let detail = message::unsupported(go_text::quoted(matching), ["Exact", "NotOlderThan", ""]);
        violations.push(violation("resourceVersionMatch", Reason::NotSupported, "REST-026", &detail));
    }
    violations
}

fn check_manager(manager: &str, violations: &mut Vec<Violation>) {
    let faults = message::faults_of_manager(manager).into_iter();
    violations.extend(faults.map(|(reason, detail)| violation("fieldManager", reason, "REST-012", &detail)));
}

fn check_dry_run(values: &[&str], violations: &mut Vec<Violation>) {
    if values.iter().any(|value| *value != "All") {
        let given = message::shown(&values.iter().copied().collect());
        let detail = message::unsupported(given, ["All"]);
        violations.push(violation("dryRun", Reason::NotSupported, "REST-012", &detail));
    }
}

/// Parses a `resourceVersion`; 0 if it is empty.
pub(crate) fn revision(text: &str) -> Result<u64, Failure> {
    if text.is_empty() {
        return Ok(0);
    }
    store::revision(text).ok_or_else(|| {
        Failure::bad_request(format!("invalid resource version: resourceVersion: Invalid value: {0}: strconv.ParseUint: parsing {0}: invalid syntax", go_text::quoted(text)))
    })
}

/// Refuses options with 422 if there are violations.
pub(crate) fn refuse(kind: &str, violations: &[Violation]) -> Result<(), Failure> {
    if violations.is_empty() { Ok(()) } else { Err(Failure::invalid(META_GROUP, kind, "", violations)) }
}

pub(crate) fn violation(field: &str, reason: Reason, requirement: &'static str, detail: &str) -> Violation {
    Violation { field: field.into(), reason, requirement, detail: detail.into() }
}

pub(crate) fn integer(text: &str) -> Result<i64, Failure> {
    text.parse().map_err(|error: ParseIntError| {
        let fault = match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "value out of range",
            _ => "invalid syntax",
        };
        Failure::bad_request(format!("strconv.ParseInt: parsing {}: {fault}", go_text::quoted(text)))
    })
}

/// A field of options, whose own type has this name, if it is not null.
fn read<T>(
    fields: &Map<String, Value>,
    field: &str,
    of: &str,
    expected: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, String> {
    let given = fields.get(field).filter(|value| !value.is_null());
    let read = |value| read(value).ok_or_else(|| json::no_field_of(expected, &format!("{of}.{field}"), value));
    given.map(read).transpose()
}

fn text(fields: &Map<String, Value>, field: &str, of: &str, expected: &str) -> Result<Option<String>, String> {
    read(fields, field, of, expected, |value| value.as_str().map(str::to_owned))
}
