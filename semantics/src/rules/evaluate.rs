//! The rules on an object (CEL-027 to CEL-037, CEL-042 to CEL-044, RATCHET-014 to RATCHET-019).

use std::collections::HashMap;

use crdible_cel::{Evaluated, Program, Value as CelValue};
use serde_json::Value;

use super::compiled::Compiled;
use super::tree::{Node, Rules};
use crate::path::NO_FIELD;
use crate::ratchet::correlate::is_map_list;
use crate::{FieldPath, Reason, Schema, Semantics, Violation, go_text, message, release::Change};

/// What one evaluation may cost.
pub(crate) const PER_EVALUATION: u64 = 1_000_000;
/// What all evaluations for one object may cost, or for all defaults of a schema (CEL-043).
pub(crate) const BUDGET: u64 = 10_000_000;
/// The longest message that an expression makes, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

// Upstream's words, of which several causes consist.
const NO_BUDGET: &str = "failed due to running out of cost budget";
const NO_MORE: &str = "no further validation rules will be run";
const TOO_DEAR: &str = "'operation cancelled: actual cost limit exceeded'";
const NO_SIGNATURE: &str = "call arguments did not match a supported operator, function or macro signature";

/// What the rules say about an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleFindings {
    /// The causes.
    pub violations: Vec<Violation>,
    /// What is forgiven, since the value was there before (RATCHET-014): warnings.
    pub warnings: Vec<String>,
}

/// Evaluates all rules on an object.
pub(crate) fn whole_object(
    semantics: &Semantics,
    rules: &Rules,
    object: &Value,
    schema: &Schema,
    old: Option<&Value>,
) -> RuleFindings {
    value(semantics, rules, (object, old, true), schema, &FieldPath::Root, BUDGET, None).0
}

/// Evaluates all rules on an object, and reports each.
pub(super) fn watched(
    semantics: &Semantics,
    rules: &Rules,
    object: &Value,
    schema: &Schema,
    old: Option<&Value>,
    watch: &mut dyn FnMut(Watched<'_>),
) -> RuleFindings {
    value(semantics, rules, (object, old, true), schema, &FieldPath::Root, BUDGET, Some(watch)).0
}

/// Evaluates all rules on a value at a path, which may have an old one, and may be forgiven what that broke already;
/// `watch` hears of each. Returns what is left of the budget; nothing if it ran out.
pub(crate) fn value<'a>(
    semantics: &'a Semantics,
    rules: &Rules,
    (new, old, forgives): (&'a Value, Option<&'a Value>, bool),
    schema: &'a Schema,
    path: &FieldPath<'_>,
    budget: u64,
    watch: Option<&'a mut dyn FnMut(Watched<'_>)>,
) -> (RuleFindings, Option<u64>) {
    let (unchanged, found) = (HashMap::new(), RuleFindings::default());
    let mut walk = Walk { semantics, left: budget, unchanged, is_over: false, found, watch };
    if let Some(root) = &rules.root {
        let correlation = Correlation { own: old.filter(|_| forgives).map(Pair::new(new, schema)), parent: None };
        walk.node(root, schema, path, new, old, correlation);
    }
    (walk.found, Some(walk.left).filter(|_| !walk.is_over))
}

/// The cause in place of those of the rules, if anything of this kind is wrong already (VALUE-039).
pub(crate) fn skipped(found: &[Violation]) -> Option<Violation> {
    let blocks = |one: &Violation| {
        matches!(
            one.reason,
            Reason::NotSupported | Reason::Required | Reason::TooLong | Reason::TooMany | Reason::TypeInvalid
        )
    };
    let why = "null: some validation rules were not checked because the object was invalid; correct the existing errors \
               to complete validation";
    found.iter().any(blocks).then(|| Violation::new(NO_FIELD, Reason::Invalid, "VALUE-039", why))
}

/// A value, and the old one that stands in the same place.
#[derive(Clone, Copy)]
struct Pair<'a> {
    new: &'a Value,
    old: &'a Value,
    schema: &'a Schema,
}

impl<'a> Pair<'a> {
    fn new(new: &'a Value, schema: &'a Schema) -> impl FnOnce(&'a Value) -> Self {
        move |old| Self { new, old, schema }
    }
}

/// The old value that counts for what is forgiven: that of the node, or of the nearest node above that has one.
#[derive(Clone, Copy)]
struct Correlation<'a> {
    own: Option<Pair<'a>>,
    parent: Option<Pair<'a>>,
}

impl<'a> Correlation<'a> {
    fn below(self, own: Option<Pair<'a>>) -> Self {
        match self.own {
            Some(parent) => Self { own, parent: Some(parent) },
            None => self,
        }
    }
}

/// A value with rules, and where it is.
#[derive(Clone, Copy)]
struct RuledValue<'v> {
    path: &'v FieldPath<'v>,
    schema: &'v Schema,
    value: &'v Value,
}

/// What the rules of a node see.
struct Seen {
    new: Evaluated,
    old: Option<Evaluated>,
    has_old_in_messages: bool,
}

/// A rule that was asked about a value, and what it said.
pub(crate) struct Watched<'v> {
    pub(super) node: &'v Node,
    pub(super) rule: &'v Compiled,
    pub(super) path: &'v FieldPath<'v>,
    pub(super) schema: &'v Schema,
    pub(super) value: &'v Value,
    pub(super) old: Option<&'v Value>,
    /// The result, and what it cost; nothing if the rule does not apply.
    pub(super) ran: Option<&'v (Evaluated, u64)>,
    pub(super) caused: &'v [Violation],
    pub(super) forgiven: &'v [String],
}

struct Walk<'a> {
    semantics: &'a Semantics,
    /// What the rest may cost.
    left: u64,
    /// Whether values are as they were, by where they and the old ones are.
    unchanged: HashMap<[usize; 2], bool>,
    /// Whether nothing more is evaluated.
    is_over: bool,
    found: RuleFindings,
    /// What hears of each rule.
    watch: Option<&'a mut dyn FnMut(Watched<'_>)>,
}

impl<'a> Walk<'a> {
    fn node(
        &mut self,
        node: &Node,
        schema: &'a Schema,
        path: &FieldPath<'_>,
        value: &'a Value,
        old: Option<&'a Value>,
        correlation: Correlation<'a>,
    ) {
        if self.is_over || value.is_null() {
            return;
        }
        self.rules(node, schema, path, value, old, correlation);
        match value {
            Value::Object(entries) => {
                let correlates = matches!(schema.map_type.as_deref(), None | Some("granular" | "atomic"));
                let old = old.and_then(Value::as_object).filter(|_| correlates);
                for (key, value) in entries {
                    let old = old.and_then(|old| old.get(key));
                    let pairs = |child: &'a Schema| {
                        let is_type = correlation.parent.is_none() && matches!(key.as_str(), "apiVersion" | "kind");
                        let before = correlation.own.filter(|_| !is_type);
                        let before = before.and_then(|pair| self.semantics.correlate_key(pair.old, key, pair.schema));
                        let own = before.map(Pair::new(value, child));
                        if is_type { Correlation { own: None, parent: None } } else { correlation.below(own) }
                    };
                    if let (Some(values), Some(child)) = (&node.values, schema.value_schema()) {
                        let below = pairs(child);
                        self.node(values, child, &path.key(key), value, old, below);
                    }
                    if let (Some(property), Some(child)) = (node.properties.get(key), schema.properties.get(key)) {
                        let below = pairs(child);
                        self.node(property, child, &path.child(key), value, old, below);
                    }
                }
            }
            Value::Array(elements) => {
                let (Some(items), Some(child)) = (&node.items, schema.item_schema()) else { return };
                let before = old.and_then(Value::as_array).filter(|_| is_map_list(schema));
                let olds = match before {
                    Some(before) => self.semantics.correlate_map_list(elements, before, &schema.list_map_keys),
                    None => vec![None; elements.len()],
                };
                let correlated = match correlation.own {
                    Some(pair) => self.semantics.correlate_elements(elements, pair.old, pair.schema),
                    None => vec![None; elements.len()],
                };
                for (index, element) in elements.iter().enumerate() {
                    let below = correlation.below(correlated[index].map(Pair::new(element, child)));
                    self.node(items, child, &path.index(index), element, olds[index], below);
                }
            }
            _ => {}
        }
    }

    fn rules(
        &mut self,
        node: &Node,
        schema: &Schema,
        path: &FieldPath<'_>,
        value: &Value,
        old: Option<&Value>,
        correlation: Correlation<'_>,
    ) {
        if node.rules.is_empty() {
            return;
        }
        let place = RuledValue { path, schema, value };
        if self.left == 0 {
            self.end(&place, &format!("validation {NO_BUDGET}, {NO_MORE}"));
            return;
        }
        let old = old.filter(|old| !old.is_null());
        let seen = Seen {
            new: self.semantics.value_for_rules(value, schema, node.is_resource),
            old: old.map(|old| self.semantics.value_for_rules(old, schema, node.is_resource)),
            // A message sees the old value only if a rule of the node does (CEL-035).
            has_old_in_messages: self.semantics.shows_old_value(node.rules.iter().any(|rule| rule.uses_old)),
        };
        for rule in &node.rules {
            let before = (self.found.violations.len(), self.found.warnings.len());
            let ran = self.rule(rule, &place, &seen, correlation);
            if let Some(watch) = &mut self.watch {
                let caused = &self.found.violations[before.0..];
                let forgiven = &self.found.warnings[before.1..];
                watch(Watched { node, rule, path, schema, value, old, ran: ran.as_ref(), caused, forgiven });
            }
            if self.is_over {
                return;
            }
        }
    }

    /// Evaluates one rule. Returns its result and what that cost; nothing if it does not apply.
    fn rule(
        &mut self,
        rule: &Compiled,
        place: &RuledValue<'_>,
        seen: &Seen,
        correlation: Correlation<'_>,
    ) -> Option<(Evaluated, u64)> {
        if let Some(error) = &rule.error {
            self.err(place, &format!("rule compile error: {error}"));
        }
        let program = rule.program.as_ref()?;
        let is_optional = rule.rule.optional_old_self == Some(true);
        if !self.semantics.runs_rule(rule.uses_old, seen.old.is_some(), is_optional) {
            return None;
        }
        let old_self = if is_optional { Some(optional(seen.old.as_ref())) } else { seen.old.clone() };
        let (result, spent) = evaluate(program, &seen.new, old_self.as_ref());
        let Some(left) = self.semantics.left_of_budget(self.left, spent) else {
            self.end(place, &format!("validation {NO_BUDGET}, {NO_MORE}"));
            return Some((result, spent));
        };
        self.left = left;
        if result.is_err() && self.semantics.ends_evaluation(spent) {
            let shown = rule.rule.shown();
            let why = format!("{TOO_DEAR}: {NO_MORE} due to call cost exceeds limit for rule: {shown}");
            self.end(place, &why);
            return Some((result, spent));
        }
        let outcome = result.as_ref().map(|value| matches!(value, CelValue::Bool(true)));
        match self.semantics.outcome_of_rule(outcome.map_err(ToString::to_string)) {
            Ok(true) => {}
            Ok(false) => {
                let is_unchanged = self.is_unchanged(correlation);
                let forgives = self.semantics.forgives_rule(rule.uses_old, is_unchanged);
                let old_self = seen.old.as_ref().filter(|_| seen.has_old_in_messages && rule.message.is_some());
                self.failed(rule, place, (&seen.new, old_self), forgives);
            }
            Err(error) => {
                let shown = rule.rule.shown();
                let why = if error.starts_with("no such overload") {
                    format!("'{error}': {NO_SIGNATURE} for rule: {shown}")
                } else {
                    format!("{error} evaluating rule: {shown}")
                };
                self.err(place, &why);
            }
        }
        Some((result, spent))
    }

    /// Whether a failure is forgiven: the value of the node is unchanged, or that of the nearest node that has an old
    /// one.
    fn is_unchanged(&mut self, correlation: Correlation<'_>) -> bool {
        let Some(pair) = correlation.own.or(correlation.parent) else { return false };
        // All elements of a list may have the same one.
        let compare = || self.semantics.is_unchanged(pair.new, pair.old, pair.schema);
        let places = [pair.new, pair.old].map(|value| std::ptr::from_ref(value).addr());
        *self.unchanged.entry(places).or_insert_with(compare)
    }

    /// The cause of a rule that is false, or its warning.
    fn failed(
        &mut self,
        rule: &Compiled,
        place: &RuledValue<'_>,
        (new_value, old_value): (&Evaluated, Option<&Evaluated>),
        forgives: bool,
    ) {
        let RuledValue { path, schema, value } = *place;
        let field = match self.semantics.path_of_rule(rule.field_path.as_deref()) {
            Some(below) => path.name(below).cause(),
            None => path.cause(),
        };
        let mut made = None;
        if let Some(program) = &rule.message {
            let (result, spent) = evaluate(program, new_value, old_value);
            let left = self.semantics.left_of_budget(self.left, spent);
            let Some(left) = left.filter(|_| !self.semantics.ends_evaluation(spent)) else {
                let text = go_text::quoted(&rule.rule.message_expression);
                let why = if left.is_none() {
                    format!("messageExpression evaluation {NO_BUDGET}, {NO_MORE}")
                } else {
                    format!("{NO_MORE} due to call cost exceeds limit for messageExpression: {text}")
                };
                let detail = format!("{}: {why}", shown_type(schema));
                self.add(Violation::new(field, Reason::Invalid, "CEL-035", detail), forgives);
                self.is_over = true;
                return;
            };
            self.left = left;
            made = usable(result);
        }
        let message = self.semantics.message_of_rule(&rule.rule, made);
        let reason = self.semantics.reason_of_rule(&rule.rule);
        let detail = match (reason, self.shown(schema, value)) {
            (Reason::Forbidden | Reason::Required, _) => message,
            (Reason::Duplicate, shown) => shown.unwrap_or_default(),
            (_, Some(shown)) if message.is_empty() => shown,
            (_, Some(shown)) => message::about(shown, message),
            (_, None) => message,
        };
        self.add(Violation::new(field, reason, "CEL-033", detail), forgives);
    }

    /// What a cause prints of a value: objects and lists are not printed (CEL-037).
    fn shown(&self, schema: &Schema, value: &Value) -> Option<String> {
        if !self.semantics.release.has(Change::PrintedValues) {
            return Some(shown_type(schema));
        }
        (!matches!(schema.type_name.as_str(), "object" | "array")).then(|| message::shown(value))
    }

    fn add(&mut self, violation: Violation, forgives: bool) {
        if forgives {
            self.found.warnings.push(format!("{}: {}", violation.field, violation.message()));
        } else {
            self.found.violations.push(violation);
        }
    }

    fn cause(&mut self, place: &RuledValue<'_>, requirement: &'static str, why: &str) {
        let detail = format!("{}: {why}", shown_type(place.schema));
        self.found.violations.push(Violation::new(place.path.cause(), Reason::Invalid, requirement, detail));
    }

    /// The cause of a rule that has no value.
    fn err(&mut self, place: &RuledValue<'_>, why: &str) {
        self.cause(place, "CEL-034", why);
    }

    fn end(&mut self, place: &RuledValue<'_>, why: &str) {
        self.cause(place, "CEL-043", why);
        self.is_over = true;
    }
}

/// The type of a node in place of its value.
fn shown_type(schema: &Schema) -> String {
    go_text::quoted(&schema.type_name)
}

pub(super) fn optional(old: Option<&Evaluated>) -> Evaluated {
    match old {
        Some(old) => old.clone().map(CelValue::some),
        None => Ok(CelValue::Optional(None)),
    }
}

fn evaluate(program: &Program, new: &Evaluated, old: Option<&Evaluated>) -> (Evaluated, u64) {
    let variables = |name: &str| match name {
        "self" => Some(new.clone()),
        "oldSelf" => old.cloned(),
        _ => None,
    };
    let (result, spent) = program.evaluate(&variables, PER_EVALUATION);
    (result, spent.units)
}

/// The message of an expression, if it can be used (CEL-035).
fn usable(result: Evaluated) -> Option<String> {
    let Ok(CelValue::String(text)) = result else { return None };
    let text = text.trim();
    let is_usable = !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
    is_usable.then(|| text.to_owned())
}
