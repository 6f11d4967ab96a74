//! What the rules say about one object, each with its reason; and single expressions on it.

use std::collections::HashMap;
use std::sync::Arc;

use crdible_cel::{Bounds, Release, Value as CelValue, check, describe, estimate, plan, syntax::parse};
use serde_json::{Map, Value};

use super::bind::bound;
use super::compiled::Scope;
use super::decision::{Decision, MOST_TOGETHER, decision, shortened, shown};
use super::declared::Declared;
use super::evaluate::{PER_EVALUATION, Watched, optional, watched};
use super::locate::{ExpressionError, Located, locate};
use super::tree::Rules;
use crate::validate::NameRule;
use crate::{DecodeError, FieldPath, Schema, Semantics, Violation, message};

/// What a server says about an object: what is wrong with it, and each rule.
#[derive(Clone, Debug, Default)]
pub struct Examination {
    /// Fields that the schema does not declare; a server removes them.
    pub unknown_fields: Vec<String>,
    /// What is wrong apart from rules, and that rules were not asked because of it (VALUE-039).
    pub violations: Vec<Violation>,
    /// Whether the rules were asked.
    pub are_rules_asked: bool,
    /// The rules, in the order in which they are evaluated.
    pub rules: Vec<ExaminedRule>,
}

/// What a rule says about a value.
#[derive(Clone, Debug)]
pub struct ExaminedRule {
    /// Where the value is; empty for the whole object.
    pub place: String,
    /// Where the rule is written, as causes of definitions write it: `openAPIV3Schema.x-kubernetes-validations[0]`.
    pub field: String,
    /// The rule; of a long one, its beginning.
    pub text: String,
    /// What it says.
    pub ending: Ending,
    /// The causes and warnings, as a server writes them, with their fields.
    pub messages: Vec<String>,
    /// The value, as messages write it.
    pub value: String,
    /// The value before, if the rule compares with it and there was one.
    pub old: Option<String>,
    /// What the evaluation cost.
    pub spent: u64,
    /// Which operand decided; nothing if that was not asked.
    pub decision: Option<Decision>,
}

/// How the evaluation of a rule ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is true.
    Holds,
    /// It is false.
    Fails,
    /// It is false, but the value was there before (RATCHET-014): a warning.
    Forgiven,
    /// It has no value.
    Errs,
    /// It compares with an old value, and there is none.
    HasNoOldValue,
}

/// No more of a rule is repeated for each value, in characters.
const LONGEST_RULE: usize = 2_000;
/// At most this many decisions are found for one object.
const MOST_DECISIONS: usize = 200;

/// An object as a request has it, under the schema of its version; `old` is the object that it replaces.
#[derive(Clone, Debug)]
pub struct Subject {
    object: Value,
    old: Option<Value>,
    unknown_fields: Vec<String>,
}

impl Subject {
    /// Reads an object as a server does: without what the schema does not declare, and with defaults.
    ///
    /// # Errors
    /// For metadata of the wrong type: no server decodes the object.
    pub fn new(
        semantics: &Semantics,
        schema: &Schema,
        object: &Value,
        old: Option<&Value>,
    ) -> Result<Self, DecodeError> {
        let mut object = object.clone();
        let unknown_fields = semantics.decode(&mut object, schema)?.unknown_fields;
        let mut old = old.cloned();
        if let Some(old) = &mut old {
            semantics.read_stored(old, schema);
        }
        Ok(Self { object, old, unknown_fields })
    }

    /// Asks all rules about the object, after everything else; and which operand decided, of those that do not hold.
    pub fn examine(&self, semantics: &Semantics, schema: &Schema) -> Examination {
        self.examine_and_decide(semantics, schema, &|rule| rule.ending != Ending::Holds)
    }

    /// Asks all rules about the object, after everything else; and which operand decided, of those that `decides` says.
    pub fn examine_and_decide(
        &self,
        semantics: &Semantics,
        schema: &Schema,
        decides: &dyn Fn(&ExaminedRule) -> bool,
    ) -> Examination {
        let (object, old) = (&self.object, self.old.as_ref());
        let mut violations = self.faults_of_metadata(semantics);
        violations.extend(semantics.object_violations(object, schema, old));
        let unknown_fields = self.unknown_fields.clone();
        let rules = Rules::of(schema, semantics);
        if let Some(skipped) = semantics.skipped_rules(&violations).filter(|_| !rules.is_empty()) {
            violations.push(skipped);
            return Examination { unknown_fields, violations, are_rules_asked: false, rules: Vec::new() };
        }
        let mut examiner = Examiner {
            release: semantics.release,
            root: schema,
            decides,
            scopes: HashMap::new(),
            rules: Vec::new(),
            causes: 0,
            decisions: 0,
            left: MOST_TOGETHER,
        };
        let found = watched(semantics, &rules, object, schema, old, &mut |watched| examiner.hear(&watched));
        // That the budget has ended may be said before a rule is asked.
        violations.extend(found.violations.into_iter().skip(examiner.causes));
        Examination { unknown_fields, violations, are_rules_asked: true, rules: examiner.rules }
    }

    /// What is wrong with the metadata of a new object.
    fn faults_of_metadata(&self, semantics: &Semantics) -> Vec<Violation> {
        let mut found = Vec::new();
        if self.old.is_some() {
            return found;
        }
        let mut metadata = self.object.get("metadata").cloned().unwrap_or_else(|| Value::Object(Map::new()));
        // A server completes the name before it checks it.
        let prefix = metadata["generateName"].as_str().filter(|prefix| !prefix.is_empty());
        if let Some(prefix) = prefix.filter(|_| metadata["name"].as_str().is_none_or(str::is_empty)) {
            metadata["name"] = Value::from(format!("{prefix}xxxxx"));
        }
        semantics.check_object_meta(&metadata, NameRule::Subdomain, &FieldPath::Root.name("metadata"), &mut found);
        found
    }

    /// Evaluates an expression on the value at a path, such as `spec.hosts[0]`; empty for the whole object.
    ///
    /// # Errors
    /// There is nothing at the path, or the expression cannot be compiled.
    pub fn evaluate(
        &self,
        semantics: &Semantics,
        schema: &Schema,
        path: &str,
        text: &str,
    ) -> Result<ExaminedExpression, ExpressionError> {
        let found = locate(semantics, schema, path, Some((&self.object, self.old.as_ref())))?;
        expression(semantics, &found, text)
    }
}

/// The type and the cost of an expression on values at a path of a schema, such as `spec.hosts[*]`.
///
/// # Errors
/// The schema has no such path, or the expression cannot be compiled.
pub fn typed(
    semantics: &Semantics,
    schema: &Schema,
    path: &str,
    text: &str,
) -> Result<ExaminedExpression, ExpressionError> {
    expression(semantics, &locate(semantics, schema, path, None)?, text)
}

/// An expression, its type, and what it gives.
#[derive(Clone, Debug)]
pub struct ExaminedExpression {
    /// The type, as messages write it.
    pub of: String,
    /// The least and the most that one evaluation can cost.
    pub cost: Bounds,
    /// What it gave; nothing if there was no object.
    pub given: Option<Given>,
}

/// What an expression gave.
#[derive(Clone, Debug)]
pub struct Given {
    /// Whether it is a truth value, and which.
    pub truth: Option<bool>,
    /// Whether it has no value.
    pub is_error: bool,
    /// What the evaluation cost.
    pub spent: u64,
    /// The value, and what decided it.
    pub decision: Decision,
}

fn expression(semantics: &Semantics, found: &Located<'_>, text: &str) -> Result<ExaminedExpression, ExpressionError> {
    let declared = Declared::of(found.schema, found.is_resource, semantics.release);
    let declared = declared.map(Arc::new).ok_or_else(|| {
        ExpressionError::Path(
            "rules see nothing of this value: its schema has no type, or items without one".to_owned(),
        )
    })?;
    let scope = Scope::new(Arc::clone(&declared), stored(semantics.release));
    let environment = scope.with_old(false);
    let described = |issues: Vec<_>| ExpressionError::Expression(describe(text, &issues));
    let checked = check(parse(text, &environment.release().syntax()).map_err(described)?, &environment);
    let checked = checked.map_err(described)?;
    let program = plan(&checked, &environment).map_err(|error| ExpressionError::Expression(error.to_string()))?;
    let given = found.value.map(|value| {
        let new = bound(value, found.schema, found.is_resource, semantics.release);
        let old = found.old.map(|old| bound(old, found.schema, found.is_resource, semantics.release));
        let variables = |name: &str| match name {
            "self" => Some(new.clone()),
            "oldSelf" => old.clone(),
            _ => None,
        };
        let (result, spent) = program.evaluate(&variables, PER_EVALUATION);
        let mut left = MOST_TOGETHER;
        let decided = decision(text, &environment, &variables, &mut left);
        let decision = Decision { value: shown(&result), ..decided };
        let truth = if let Ok(CelValue::Bool(value)) = result { Some(value) } else { None };
        Given { truth, is_error: result.is_err(), spent: spent.units, decision }
    });
    Ok(ExaminedExpression { of: checked.result().to_string(), cost: estimate(&checked, &*declared), given })
}

/// What rules see that are stored in a server.
fn stored(release: crate::Release) -> Release {
    Release::stored_rules(u32::from(release.minor()))
}

struct Examiner<'a> {
    release: crate::Release,
    root: &'a Schema,
    /// Of which rules it is asked which operand decided.
    decides: &'a dyn Fn(&ExaminedRule) -> bool,
    /// By the places of their schemas in memory.
    scopes: HashMap<usize, Option<Scope>>,
    rules: Vec<ExaminedRule>,
    /// How many causes they have.
    causes: usize,
    decisions: usize,
    /// What further decisions may cost.
    left: u64,
}

impl Examiner<'_> {
    fn hear(&mut self, watched: &Watched<'_>) {
        let ending = match watched.ran {
            Some((Ok(CelValue::Bool(true)), _)) if watched.caused.is_empty() => Ending::Holds,
            Some((Ok(_), _)) if watched.caused.is_empty() && !watched.forgiven.is_empty() => Ending::Forgiven,
            Some((Ok(CelValue::Bool(false)), _)) => Ending::Fails,
            None if watched.caused.is_empty() => Ending::HasNoOldValue,
            _ => Ending::Errs,
        };
        // That it was too costly is no matter of operands.
        let has_decision = match (ending, watched.ran) {
            (Ending::Holds | Ending::Fails | Ending::Forgiven, _) => true,
            (Ending::Errs, Some((result, spent))) => result.is_err() && *spent <= PER_EVALUATION,
            _ => false,
        };
        let causes = watched.caused.iter().map(|cause| format!("{}: {}", cause.field, cause.message()));
        self.causes += watched.caused.len();
        let own = watched.node.rules.iter().position(|rule| std::ptr::eq(rule, watched.rule));
        let old = watched.old.filter(|_| watched.rule.uses_old);
        let mut rule = ExaminedRule {
            place: watched.path.to_string(),
            field: self.field(watched.path, own.unwrap_or_default()),
            text: watched.rule.rule.expression.chars().take(LONGEST_RULE).collect(),
            ending,
            messages: causes.chain(watched.forgiven.iter().cloned()).collect(),
            value: shortened(&message::shown(watched.value)),
            old: old.map(|old| shortened(&message::shown(old))),
            spent: watched.ran.map_or(0, |(_, spent)| *spent),
            decision: None,
        };
        if has_decision && (self.decides)(&rule) {
            rule.decision = self.decision(watched);
        }
        self.rules.push(rule);
    }

    /// Where a rule of the value at a path is written.
    fn field(&self, path: &FieldPath<'_>, rule: usize) -> String {
        let (mut schema, mut field) = (Some(self.root), "openAPIV3Schema".to_owned());
        for link in path.links() {
            match link {
                FieldPath::Root | FieldPath::Text(_) | FieldPath::Part(_) => {}
                FieldPath::Index(..) => {
                    field.push_str(".items");
                    schema = schema.and_then(Schema::item_schema);
                }
                FieldPath::Name(_, name) | FieldPath::MapValue(_, name) | FieldPath::Key(_, name) => {
                    let property = schema.and_then(|schema| schema.properties.get(name));
                    match property {
                        Some(_) => field.push_str(&format!(".properties[{name}]")),
                        None => field.push_str(".additionalProperties"),
                    }
                    schema = property.or_else(|| schema.and_then(Schema::value_schema));
                }
            }
        }
        format!("{field}.x-kubernetes-validations[{rule}]")
    }

    fn decision(&mut self, watched: &Watched<'_>) -> Option<Decision> {
        self.decisions += 1;
        if self.decisions > MOST_DECISIONS || self.left == 0 {
            return None;
        }
        let Watched { node, schema, .. } = *watched;
        let release = stored(self.release);
        let scope = self.scopes.entry(std::ptr::from_ref(schema).addr()).or_insert_with(|| {
            let declared = Declared::of(schema, node.is_resource, self.release)?;
            Some(Scope::new(Arc::new(declared), release))
        });
        let is_optional = watched.rule.rule.optional_old_self == Some(true);
        let environment = scope.as_ref()?.with_old(is_optional);
        let new = bound(watched.value, schema, node.is_resource, self.release);
        let old = watched.old.map(|old| bound(old, schema, node.is_resource, self.release));
        let old = if is_optional { Some(optional(old.as_ref())) } else { old };
        let variables = |name: &str| match name {
            "self" => Some(new.clone()),
            "oldSelf" => old.clone(),
            _ => None,
        };
        Some(decision(&watched.rule.rule.expression, &environment, &variables, &mut self.left))
    }
}
