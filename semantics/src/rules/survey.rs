//! What the rules of a definition can cost, each at its place (CEL-038, CEL-039).

use std::sync::Arc;

use crdible_cel::Release;

use super::bounds::{Around, Estimated, EstimatedCost};
use super::compiled::{Compiled, Scope};
use super::declared::Declared;
use super::definition::PER_VERSION;
use super::rule::Rule;
use crate::definition::{Spec, schemas::judged};
use crate::{FieldPath, Schema, Semantics};

/// The rules of one version, or of all of them if they share their schema.
#[derive(Clone, Debug)]
pub struct SurveyedVersion {
    /// The names of the versions.
    pub versions: Vec<String>,
    /// Where the schema is, as causes write it.
    pub field: String,
    /// The rules, in the order of their places.
    pub rules: Vec<SurveyedRule>,
}

impl SurveyedVersion {
    /// What all rules of a version may cost.
    pub const LIMIT: u64 = PER_VERSION;

    /// What all rules together can cost.
    pub fn cost(&self) -> u64 {
        let costs = self.rules.iter().flat_map(|rule| [&rule.cost, &rule.message_cost]).flatten();
        costs.fold(0, |sum, cost| sum.saturating_add(cost.total))
    }
}

/// One rule, and what it can cost.
#[derive(Clone, Debug)]
pub struct SurveyedRule {
    /// Where it applies in objects: `spec.hosts[*]`; empty for the whole object.
    pub place: String,
    /// Where it is written, as causes write it.
    pub field: String,
    /// The rule.
    pub text: String,
    /// Whether it compares with the old value.
    pub uses_old_self: bool,
    /// What the rule can cost; nothing if it has an error.
    pub cost: Option<EstimatedCost>,
    /// What its `messageExpression` can cost; nothing if it has none, or has an error.
    pub message_cost: Option<EstimatedCost>,
}

/// Surveys the rules of a new definition.
pub fn survey(semantics: &Semantics, spec: &Spec) -> Vec<SurveyedVersion> {
    let mut surveyed = Vec::new();
    for (prefix, version) in judged(spec) {
        let Some(Ok((schema, _))) = version.schema_json().map(Schema::parse) else { continue };
        let names = if spec.shares_schema() {
            spec.versions.iter().map(|version| version.name.clone()).collect()
        } else {
            vec![version.name.clone()]
        };
        let field = format!("{prefix}openAPIV3Schema");
        let release = Release::new_rules(u32::from(semantics.release.minor()));
        let mut walk = Walk { semantics, release, rules: Vec::new() };
        walk.node(&schema, &FieldPath::Text(&field), "", true, &Around::default());
        surveyed.push(SurveyedVersion { versions: names, field, rules: walk.rules });
    }
    surveyed
}

struct Walk<'a> {
    semantics: &'a Semantics,
    release: Release,
    rules: Vec<SurveyedRule>,
}

impl Walk<'_> {
    fn node(&mut self, schema: &Schema, field: &FieldPath<'_>, place: &str, is_resource: bool, around: &Around) {
        if !schema.rules.is_empty()
            && let Some(declared) = Declared::of(schema, is_resource, self.semantics.release)
        {
            self.rules(schema, field, place, is_resource, declared, around);
        }
        let within = around.and(place, schema, self.semantics.values_of_node(schema));
        let properties = field.name("properties");
        for (name, child) in &schema.properties {
            let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            self.node(child, &properties.key(name), &place, child.embedded_resource, &within);
        }
        if let Some(child) = schema.item_schema() {
            self.node(child, &field.name("items"), &format!("{place}[*]"), child.embedded_resource, &within);
        }
        if let Some(child) = schema.value_schema() {
            let field = field.name("additionalProperties");
            self.node(child, &field, &format!("{place}.*"), child.embedded_resource, &within);
        }
    }

    fn rules(
        &mut self,
        schema: &Schema,
        field: &FieldPath<'_>,
        place: &str,
        is_resource: bool,
        declared: Declared,
        around: &Around,
    ) {
        let declared = Arc::new(declared);
        let scope = Scope::new(Arc::clone(&declared), self.release);
        let rules = field.name("x-kubernetes-validations");
        for (index, json) in schema.rules.iter().enumerate() {
            let compiled = Compiled::new(self.semantics, Rule::read(json), schema, &scope, &scope);
            let node = Estimated { schema, is_resource, place, declared: &declared, scope: &scope };
            let is_optional = compiled.rule.optional_old_self == Some(true);
            let cost = compiled.program.as_ref().map(|_| {
                let values = around.values(&declared);
                let total = compiled.cost.saturating_mul(values);
                let advice = || node.advice(&compiled.rule.expression, is_optional, Some(around));
                let advice = if total >= EstimatedCost::MUCH { advice() } else { Vec::new() };
                EstimatedCost { once: compiled.cost, values, total, advice }
            });
            // Upstream does not multiply what a message costs.
            let message_cost = compiled.message.as_ref().map(|_| {
                let total = compiled.message_cost;
                let advice = || node.advice(&compiled.rule.message_expression, is_optional, None);
                let advice = if total >= EstimatedCost::MUCH { advice() } else { Vec::new() };
                EstimatedCost { once: total, values: 1, total, advice }
            });
            self.rules.push(SurveyedRule {
                place: place.to_owned(),
                field: rules.index(index).to_string(),
                uses_old_self: compiled.uses_old,
                text: compiled.rule.expression,
                cost,
                message_cost,
            });
        }
    }
}
