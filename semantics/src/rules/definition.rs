//! The rules of a definition, when it is written (CEL-001 to CEL-010, CEL-038, CEL-039).

use std::collections::BTreeSet;
use std::sync::Arc;

use crdible_cel::Release;
use serde_json::Value;

use super::compiled::{Compiled, Scope};
use super::declared::Declared;
use super::rule::{REASONS, Rule, field_path};
use crate::definition::{Spec, schemas::judged};
use crate::go_text::quoted;
use crate::schema::shown;
use crate::{FieldPath, Reason, Schema, Semantics, Violation, message};

/// What one rule may cost, for all values that it can meet in a request.
pub(crate) const PER_RULE: u64 = 10_000_000;
/// What all rules of a version may cost.
pub(crate) const PER_VERSION: u64 = 100_000_000;

/// Checks the rules of all versions, and adds what is wrong to what was found already.
pub(crate) fn check(semantics: &Semantics, spec: &Spec, before: Option<&Spec>, found: &mut Vec<Violation>) {
    let known = before.map(Known::of).unwrap_or_default();
    for (prefix, version) in judged(spec) {
        let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) else { continue };
        if !schema.has_rules() {
            continue;
        }
        let root = format!("{prefix}openAPIV3Schema");
        let own: Vec<Violation> = found.iter().filter(|one| one.field.starts_with(&root)).cloned().collect();
        let is_unchanged = before.is_some_and(|before| {
            let stored = before.versions.iter().find(|stored| stored.name == version.name);
            stored.is_some_and(|stored| stored.schema_json() == version.schema_json())
        });
        let mut walk = Walk {
            semantics,
            minor: u32::from(semantics.release.minor()),
            known: &known,
            is_unchanged,
            found: own,
            added: Vec::new(),
            total: 0,
            expensive: Vec::new(),
        };
        let path = FieldPath::Text(&root);
        walk.forms(&schema, &path);
        if !walk.found.iter().any(is_structural) {
            let position = Position {
                is_resource: true,
                occurrences: Some(1),
                uncorrelated: None,
                declared: None,
                is_below_a_rule: false,
            };
            walk.node(&schema, &path, &position);
            walk.totals(&root);
        }
        found.append(&mut walk.added);
    }
}

/// Whether a violation keeps the rules of the whole version from being compiled (CEL-009): upstream finds it before it
/// walks to the rules.
fn is_structural(violation: &Violation) -> bool {
    let id = violation.requirement;
    match id.strip_prefix("STRUCT-") {
        Some(number) => number < "022",
        // That a default must not be here is found later, and that it is no part of a resource's metadata is found first.
        None if id == "CRDVAL-051" => violation.reason == Reason::Invalid,
        None => matches!(id, "CRDVAL-030" | "CRDVAL-034" | "CRDVAL-035" | "CRDVAL-052" | "CRDVAL-053" | "DEFAULT-018"),
    }
}

/// The path of the node at which upstream finds a violation, which keeps the rules there and above from being compiled
/// (CEL-009); nothing if it is found beside the schema.
fn found_at(violation: &Violation) -> Option<&str> {
    let field = violation.field.as_str();
    let list = match violation.requirement {
        "STRUCT-022" | "CRDVAL-040" => return None,
        // What a list asks of its elements.
        "STRUCT-026" | "STRUCT-031" => field.rsplit_once(".items."),
        "STRUCT-027" if field.ends_with(".items.type") => field.rsplit_once(".items."),
        // What it asks of their keys.
        "STRUCT-028" if !field.ends_with(".x-kubernetes-list-map-keys") => field.rsplit_once(".items.properties["),
        "STRUCT-029" | "STRUCT-032" => field.rsplit_once(".items.properties["),
        _ => None,
    };
    Some(list.map_or(field, |(list, _)| list))
}

/// The texts of a stored definition, which may use newer functions (CEL-010).
#[derive(Default)]
struct Known {
    rules: BTreeSet<String>,
    messages: BTreeSet<String>,
}

impl Known {
    fn of(spec: &Spec) -> Self {
        let mut known = Self::default();
        for version in &spec.versions {
            let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) else { continue };
            for rule in schema.nodes().flat_map(|node| &node.rules).map(Rule::read) {
                known.rules.insert(rule.expression);
                known.messages.insert(rule.message_expression);
            }
        }
        known
    }
}

/// Where a node is.
#[derive(Clone)]
struct Position {
    is_resource: bool,
    /// How many values there can be, if the lists and maps around it have bounds.
    occurrences: Option<u64>,
    /// The list around it whose elements have no old values.
    uncorrelated: Option<String>,
    /// What rules see of it, if a rule is at a node above it.
    declared: Option<Arc<Declared>>,
    /// Whether a rule is at a node above it.
    is_below_a_rule: bool,
}

struct Walk<'a> {
    semantics: &'a Semantics,
    minor: u32,
    known: &'a Known,
    /// Whether the schema is stored already: then single rules may cost more (CEL-041).
    is_unchanged: bool,
    /// All violations of the version so far.
    found: Vec<Violation>,
    added: Vec<Violation>,
    total: u64,
    /// The fields of the most expensive expressions, with their costs.
    expensive: Vec<(u64, String)>,
}

impl Walk<'_> {
    fn add(&mut self, violation: Violation) {
        self.found.push(violation.clone());
        self.added.push(violation);
    }

    /// What can be said about rules without compiling them (CEL-001 to CEL-005).
    fn forms(&mut self, schema: &Schema, path: &FieldPath<'_>) {
        for (index, json) in schema.rules.iter().enumerate() {
            let rules = path.name("x-kubernetes-validations");
            let rule_path = rules.index(index);
            for FormFault { member, reason, requirement, detail } in
                self.semantics.form_of_rule(&Rule::read(json), schema)
            {
                self.add(Violation::new(rule_path.name(member), reason, requirement, detail));
            }
        }
        self.each_child(schema, path, Self::forms);
    }

    fn each_child(
        &mut self,
        schema: &Schema,
        path: &FieldPath<'_>,
        mut visit: impl FnMut(&mut Self, &Schema, &FieldPath<'_>),
    ) {
        let properties = path.name("properties");
        for (name, child) in &schema.properties {
            visit(self, child, &properties.key(name));
        }
        if let Some(child) = schema.item_schema() {
            visit(self, child, &path.name("items"));
        }
        if let Some(child) = schema.value_schema() {
            visit(self, child, &path.name("additionalProperties"));
        }
    }

    fn node(&mut self, schema: &Schema, path: &FieldPath<'_>, position: &Position) {
        let has_rules = !schema.rules.is_empty();
        let is_in_scope = has_rules || position.is_below_a_rule;
        let declared = match &position.declared {
            _ if !is_in_scope => None,
            Some(declared) => Some(Arc::clone(declared)),
            None => Declared::of(schema, position.is_resource, self.semantics.release).map(Arc::new),
        };
        let occurrences = position
            .occurrences
            .and_then(|occurrences| Some(occurrences.saturating_mul(self.semantics.values_of_node(schema)?)));
        let below = |child: &Schema, declared: Option<Arc<Declared>>, uncorrelated: Option<String>| Position {
            is_resource: child.embedded_resource,
            occurrences,
            uncorrelated,
            declared,
            is_below_a_rule: is_in_scope,
        };
        let properties = path.name("properties");
        for (name, child) in &schema.properties {
            let own = declared.as_ref().and_then(|declared| declared.property(name)).cloned();
            self.node(child, &properties.key(name), &below(child, own, position.uncorrelated.clone()));
        }
        let element = || declared.as_ref().and_then(|declared| declared.element()).cloned();
        if let Some(child) = schema.item_schema() {
            let own = (!self.semantics.has_old_elements(schema)).then(|| path.to_string());
            let uncorrelated = position.uncorrelated.clone().or(own);
            self.node(child, &path.name("items"), &below(child, element(), uncorrelated));
        }
        if let Some(child) = schema.value_schema() {
            let below = below(child, element(), position.uncorrelated.clone());
            self.node(child, &path.name("additionalProperties"), &below);
        }
        if has_rules && !self.has_fault_within(&path.to_string()) {
            // Types have their names from the node of the rules.
            let declared = declared.and_then(|_| Declared::of(schema, position.is_resource, self.semantics.release));
            let declared = declared.map(Arc::new);
            self.rules(schema, path, position, declared);
        }
    }

    /// Whether something else is wrong at a node or below it (CEL-009). What rules are compiled to does not count.
    fn has_fault_within(&self, path: &str) -> bool {
        self.found.iter().any(|one| {
            let is_compiled =
                matches!(one.requirement, "CEL-001" | "CEL-003" | "CEL-006" | "CEL-007" | "CEL-008" | "CEL-038");
            let below = found_at(one).and_then(|field| field.strip_prefix(path));
            let is_compiled = is_compiled && one.detail != RULE_IS_MISSING && one.detail != EXPRESSION_IS_BLANK;
            !is_compiled && below.is_some_and(|below| below.is_empty() || below.starts_with(['.', '[']))
        })
    }

    fn rules(&mut self, schema: &Schema, path: &FieldPath<'_>, position: &Position, declared: Option<Arc<Declared>>) {
        let rules = path.name("x-kubernetes-validations");
        let Some(declared) = declared else {
            let why = "internal error: failed to construct type information for x-kubernetes-validations rules: \
                       unable to convert structural schema to CEL declarations";
            self.add(Violation::new(rules, Reason::InternalError, "CEL-008", why));
            return;
        };
        // New rules must be understood by the release before, too.
        let newer = Scope::new(Arc::clone(&declared), Release::new_rules(self.minor));
        let stored = Scope::new(Arc::clone(&declared), Release::stored_rules(self.minor));
        for (index, json) in schema.rules.iter().enumerate() {
            let rule = Rule::read(json);
            let scope = if self.known.rules.contains(&rule.expression) { &stored } else { &newer };
            let is_known = self.known.messages.contains(&rule.message_expression);
            let message_scope = if is_known { &stored } else { &newer };
            let compiled = Compiled::new(self.semantics, rule, schema, scope, message_scope);
            let rule_path = rules.index(index);
            self.compiled(&compiled, json, &rule_path, position, &declared);
        }
    }

    fn compiled(
        &mut self,
        compiled: &Compiled,
        json: &Value,
        path: &FieldPath<'_>,
        position: &Position,
        declared: &Declared,
    ) {
        let occurrences = position.occurrences.unwrap_or_else(|| declared.most_in_a_request());
        let cost = compiled.cost.saturating_mul(occurrences);
        self.cost(&path.name("rule"), "estimated rule cost", cost);
        if let Some(error) = compiled.error.as_ref().filter(|error| !self.semantics.accepts_rule(error)) {
            self.add(Violation::new(
                path.name("rule"),
                Reason::Invalid,
                "CEL-001",
                message::about(shown::rule(json), error),
            ));
        }
        if let Some(error) = &compiled.message_error {
            self.add(Violation::new(
                path.name("messageExpression"),
                Reason::Invalid,
                "CEL-003",
                message::about(shown::rule(json), error),
            ));
        } else if compiled.message.is_some() {
            self.cost(&path.name("messageExpression"), "estimated messageExpression cost", compiled.message_cost);
        }
        if compiled.uses_old {
            if let Some(list) = &position.uncorrelated {
                let why = format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {list}");
                let detail = message::about_text(&compiled.rule.expression, why);
                self.add(Violation::new(path.name("rule"), Reason::Invalid, "CEL-006", detail));
            }
        } else if let Some(set) = compiled.rule.optional_old_self {
            let detail = message::about(set, "may not be set if oldSelf is not used in rule");
            self.add(Violation::new(path.name("optionalOldSelf"), Reason::Invalid, "CEL-007", detail));
        }
    }

    fn cost(&mut self, path: &FieldPath<'_>, what: &str, cost: u64) {
        if !self.is_unchanged && self.semantics.costs_too_much(cost) {
            self.add(Violation::new(path, Reason::Forbidden, "CEL-038", over_budget(what, cost, PER_RULE)));
        }
        self.total = self.total.saturating_add(cost);
        if cost >= PER_VERSION / 100 {
            self.expensive.push((cost, path.to_string()));
            self.expensive.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
            self.expensive.truncate(4);
        }
    }

    /// CEL-039: what all rules of the version cost.
    fn totals(&mut self, root: &str) {
        if !self.semantics.cost_too_much_together(self.total) {
            return;
        }
        for (_, field) in std::mem::take(&mut self.expensive) {
            let why = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            self.add(Violation::new(field, Reason::Forbidden, "CEL-039", why));
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        self.add(Violation::new(root, Reason::Forbidden, "CEL-039", over_budget(what, self.total, PER_VERSION)));
    }
}

const RULE_IS_MISSING: &str = "rule is not specified";
const EXPRESSION_IS_BLANK: &str = "messageExpression must be non-empty if specified";

/// What is wrong with a member of a rule before it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormFault {
    /// The member.
    pub member: &'static str,
    /// The reason of the cause.
    pub reason: Reason,
    /// The requirement that it breaks.
    pub requirement: &'static str,
    /// What the message says after the reason.
    pub detail: String,
}

/// CEL-001 to CEL-005.
pub(crate) fn form_of_rule(rule: &Rule, schema: &Schema) -> Vec<FormFault> {
    let mut faults = Vec::new();
    let mut fault = |member, reason, requirement, detail| {
        faults.push(FormFault { member, reason, requirement, detail });
    };
    let breaks = |text: &str| text.contains(['\n', '\r']);
    let (trimmed, message) = (rule.expression.trim(), rule.message.trim());
    let about_message = |why: &str| message::about_text(&rule.message, why);
    if trimmed.is_empty() {
        fault("rule", Reason::Required, "CEL-001", RULE_IS_MISSING.to_owned());
    } else if !rule.message.is_empty() && message.is_empty() {
        fault("message", Reason::Invalid, "CEL-002", about_message("must be non-empty if specified"));
    } else if breaks(message) {
        fault("message", Reason::Invalid, "CEL-002", about_message("must not contain line breaks"));
    } else if breaks(trimmed) && message.is_empty() {
        let why = "message must be specified if rule contains line breaks";
        fault("message", Reason::Required, "CEL-002", why.to_owned());
    }
    if !rule.message_expression.is_empty() && rule.message_expression.trim().is_empty() {
        fault("messageExpression", Reason::Required, "CEL-003", EXPRESSION_IS_BLANK.to_owned());
    }
    if let Some(reason) = rule.reason.as_deref().filter(|reason| !REASONS.contains(reason)) {
        fault("reason", Reason::NotSupported, "CEL-004", message::unsupported(quoted(reason), REASONS));
    }
    let path = rule.field_path.as_str();
    if !path.is_empty() {
        let mut about_path = |why: &str| fault("fieldPath", Reason::Invalid, "CEL-005", message::about_text(path, why));
        if path.trim().is_empty() {
            about_path("must be non-empty if specified");
        }
        if breaks(path) {
            about_path("must not contain line breaks");
        }
        if field_path(path, schema).is_none() {
            about_path("must be a valid path");
        }
    }
    faults
}

/// How many values are below each value of a node; nothing if that has no bound.
pub(crate) fn values_of_node(schema: &Schema) -> Option<u64> {
    let bound = |most: Option<i64>| most.map(|most| u64::try_from(most).unwrap_or(0));
    match schema.type_name.as_str() {
        "object" if schema.additional_properties.is_some() => bound(schema.values.max_properties),
        "array" => bound(schema.values.max_items),
        _ => Some(1),
    }
}

fn over_budget(what: &str, cost: u64, limit: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a factor in a message")]
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and \
         maxLength where arrays, maps, and strings are declared)"
    )
}
