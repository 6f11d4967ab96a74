//! Asks a release about a definition, its objects, and expressions.

use bytes::Bytes;
use crdible_reference::{Options, Server};
use crdible_semantics::{
    Release, Schema, Semantics, Violation,
    rules::{self, Ending, ExaminedExpression, ExpressionError, SurveyedRule},
};
use http::{Request, header::CONTENT_TYPE};
use serde_json::Value;

use super::findings::{
    Cause, Cost, Decided, OfDefinition, OfExpression, OfObject, OfRelease, OfRule, OfValue, OfVersion,
};
use super::inputs::{Document, Inputs};
use crate::error::CliError;

/// What is asked.
pub(super) enum Asked<'a> {
    Rules,
    Expression { text: &'a str, at: &'a str },
}

/// Asks one release.
pub(super) fn of_release(semantics: &Semantics, inputs: &Inputs, asked: &Asked<'_>) -> Result<OfRelease, CliError> {
    let release = semantics.release.to_string();
    match asked {
        Asked::Rules => Ok(OfRelease {
            release,
            definition: Some(of_definition(semantics, inputs)),
            objects: inputs
                .objects
                .iter()
                .map(|object| of_object(semantics, inputs, object))
                .collect::<Result<_, _>>()?,
            expressions: Vec::new(),
        }),
        Asked::Expression { text, at } => {
            let expressions = if inputs.objects.is_empty() {
                vec![of_expression(semantics, inputs, None, text, at)?]
            } else {
                let each = inputs.objects.iter().map(|object| of_expression(semantics, inputs, Some(object), text, at));
                each.collect::<Result<_, _>>()?
            };
            Ok(OfRelease { release, definition: None, objects: Vec::new(), expressions })
        }
    }
}

fn of_definition(semantics: &Semantics, inputs: &Inputs) -> OfDefinition {
    let mut answer = created(semantics.release, &inputs.definition.json);
    let versions = rules::survey(semantics, &inputs.spec).into_iter().map(|version| OfVersion {
        cost: version.cost(),
        limit: rules::SurveyedVersion::LIMIT,
        versions: version.versions,
        rules: version.rules.into_iter().map(|rule| of_rule(rule, &mut answer.causes)).collect(),
    });
    OfDefinition { versions: versions.collect(), ..answer }
}

/// What the API server answers to a request that creates the definition.
fn created(release: Release, definition: &Value) -> OfDefinition {
    const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Warn";
    let server = Server::with_options(Semantics::at(release), Options::default());
    let body = Bytes::from(definition.to_string());
    let request = Request::post(PATH).header(CONTENT_TYPE, "application/json").body(body);
    let response = server.handle(request.unwrap_or_default());
    let warnings = response.headers().get_all("warning").iter();
    let warnings = warnings.map(|header| text_of_warning(&String::from_utf8_lossy(header.as_bytes()))).collect();
    let is_accepted = response.status().is_success();
    let status: Value = serde_json::from_slice(response.body()).unwrap_or_default();
    let causes: Vec<Cause> =
        status["details"]["causes"].as_array().into_iter().flatten().map(cause_of_status).collect();
    let message = status["message"].as_str().filter(|_| !is_accepted && causes.is_empty()).map(str::to_owned);
    OfDefinition { is_accepted, message, causes, warnings, versions: Vec::new() }
}

/// The text of a header such as `299 - "text"`.
fn text_of_warning(header: &str) -> String {
    let quoted = header.split_once('"').map_or(header, |(_, text)| text);
    let quoted = quoted.strip_suffix('"').unwrap_or(quoted);
    quoted.replace("\\\"", "\"").replace("\\\\", "\\")
}

fn cause_of_status(cause: &Value) -> Cause {
    let text = |name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    Cause { field: text("field"), reason: text("reason"), message: text("message") }
}

fn of_rule(rule: SurveyedRule, causes: &mut Vec<Cause>) -> OfRule {
    let is_own = |cause: &Cause| {
        let below = cause.field.strip_prefix(&rule.field);
        below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
    };
    let (own, rest) = std::mem::take(causes).into_iter().partition(is_own);
    *causes = rest;
    OfRule {
        place: rule.place,
        field: rule.field,
        rule: rule.text,
        uses_old_self: rule.uses_old_self,
        causes: own,
        cost: rule.cost.map(Cost::from),
        message_cost: rule.message_cost.map(Cost::from),
    }
}

/// An object as the server reads it.
fn subject(semantics: &Semantics, inputs: &Inputs, object: &Document) -> Result<(rules::Subject, Schema), CliError> {
    let schema = inputs.schema(object.version())?;
    let old = inputs.old.as_ref().map(|old| &old.json);
    let subject = rules::Subject::new(semantics, &schema, &object.json, old);
    let subject = subject.map_err(|error| CliError::usage(format!("{}: no server reads it: {error}", object.place)))?;
    Ok((subject, schema))
}

fn of_object(semantics: &Semantics, inputs: &Inputs, object: &Document) -> Result<OfObject, CliError> {
    let (subject, schema) = subject(semantics, inputs, object)?;
    let found = subject.examine(semantics, &schema);
    let is_refused = |rule: &rules::ExaminedRule| matches!(rule.ending, Ending::Fails | Ending::Errs);
    Ok(OfObject {
        place: object.place.clone(),
        name: object.name().to_owned(),
        version: object.version().to_owned(),
        is_accepted: found.violations.is_empty() && !found.rules.iter().any(is_refused),
        unknown_fields: found.unknown_fields,
        causes: found.violations.iter().map(cause).collect(),
        are_rules_asked: found.are_rules_asked,
        rules: found.rules.into_iter().map(of_value).collect(),
    })
}

fn cause(violation: &Violation) -> Cause {
    Cause {
        field: violation.field.clone(),
        reason: violation.reason.on_the_wire().to_owned(),
        message: violation.message(),
    }
}

fn of_value(rule: rules::ExaminedRule) -> OfValue {
    OfValue {
        place: rule.place,
        rule: rule.text,
        outcome: match rule.ending {
            Ending::Holds => "holds",
            Ending::Fails => "fails",
            Ending::Forgiven => "forgiven",
            Ending::Errs => "error",
            Ending::HasNoOldValue => "has no old value",
        },
        messages: rule.messages,
        value: rule.value,
        spent: rule.spent,
        decision: rule.decision.map(Decided::from),
    }
}

fn of_expression(
    semantics: &Semantics,
    inputs: &Inputs,
    object: Option<&Document>,
    text: &str,
    at: &str,
) -> Result<OfExpression, CliError> {
    let version = object.map_or_else(|| inputs.storage_version(), Document::version);
    let mut found = OfExpression {
        version: version.to_owned(),
        object: object.map(|object| object.place.clone()),
        at: at.to_owned(),
        expression: text.to_owned(),
        error: None,
        of: None,
        least_cost: None,
        most_cost: None,
        spent: None,
        decision: None,
        is_fine: false,
    };
    let examined = match object {
        Some(object) => {
            let (subject, schema) = subject(semantics, inputs, object)?;
            subject.evaluate(semantics, &schema, at, text)
        }
        None => rules::typed(semantics, &inputs.schema(version)?, at, text),
    };
    match examined {
        Err(ExpressionError::Path(why)) => {
            let place = object.map_or(&inputs.definition.place, |object| &object.place);
            return Err(CliError::usage(format!("--at {at}: {place}: {why}")));
        }
        Err(ExpressionError::Expression(why)) => found.error = Some(why),
        Ok(ExaminedExpression { of, cost, given }) => {
            found.of = Some(of);
            (found.least_cost, found.most_cost) = (Some(cost.least), Some(cost.most));
            found.is_fine = given.as_ref().is_none_or(|given| !given.is_error && given.truth != Some(false));
            found.spent = given.as_ref().map(|given| given.spent);
            found.decision = given.map(|given| Decided::from(given.decision));
        }
    }
    Ok(found)
}
