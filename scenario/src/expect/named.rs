//! Checks that plain data cannot express: pure functions of the transcript.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

mod calls;
mod definitions;
mod discovery;
mod endings;
mod events;
mod initial;
mod lifecycle;
mod listings;
mod lists;
mod objects;
mod outcomes;
mod published;
mod tables;
mod warnings;

use super::{Mismatch, holds};
use crate::{
    scenario::NamedCheck,
    transcript::{Answer, Call, Transcript},
};

pub(super) use lists::pages;
pub use warnings::is_of_rule;

/// The answers that a named check judges.
pub(super) struct Given<'a> {
    /// The answer that it judges.
    pub(super) answer: &'a Answer,
    /// The other answer that it uses.
    pub(super) other: Option<&'a Answer>,
    /// What the webhooks of the scenario were sent.
    pub(super) calls: &'a [Call],
}

/// Whether a named check holds.
pub(super) fn evaluate(check: &NamedCheck, given: &Given<'_>) -> Result<(), Mismatch> {
    match check {
        NamedCheck::All { of } => of.iter().try_for_each(|one| holds(one, given.answer, &Transcript::default())),

        NamedCheck::KeptKeysSubset => objects::kept_keys_subset(given),
        NamedCheck::Contains { content } => objects::contains(given, content),
        NamedCheck::OtherRevision => objects::other_revision(given),
        NamedCheck::NextGeneration => objects::next_generation(given),
        NamedCheck::SameIfAccepted { pointer } => objects::same_if_accepted(given, pointer),
        NamedCheck::Has { pointer } => objects::has(given, pointer),
        NamedCheck::Differs { pointer } => objects::differs(given, pointer),
        NamedCheck::OtherThan { pointer, value } => objects::other_than(given, pointer, value),
        NamedCheck::GeneratedName { prefix } => objects::generated_name(given, prefix),
        NamedCheck::OneOf { contents } => objects::one_of(given, contents),
        NamedCheck::ContentIf { content } => objects::content_if(given, content),

        NamedCheck::AcceptedAs { status } => outcomes::accepted_as(given, *status),
        NamedCheck::AcceptedIf => outcomes::accepted_if(given),
        NamedCheck::RefusedAs { status, reason } => outcomes::refused_as(given, *status, reason),
        NamedCheck::AcceptedOrRefusedAs { status, reason } => outcomes::accepted_or_refused_as(given, *status, reason),
        NamedCheck::NotBoth => outcomes::not_both(given),
        NamedCheck::IsStatus => outcomes::is_status(given),
        NamedCheck::ReasonOfCode => outcomes::reason_of_code(given),
        NamedCheck::RejectedWith { pointer, value } => outcomes::rejected_with(given, pointer, value),
        NamedCheck::NeverCame => outcomes::never_came(given),
        NamedCheck::Moved { from, to } => outcomes::moved(given, from, to),
        NamedCheck::Taken => outcomes::accepted_with_any_body(given),
        NamedCheck::NotAccepted => outcomes::not_accepted(given),
        NamedCheck::MediaType { r#type } => outcomes::media_type(given, r#type),
        NamedCheck::ListsCauses => outcomes::lists_causes(given),

        NamedCheck::Warnings { texts } => warnings::exactly(given, texts),
        NamedCheck::RuleWarnings { rules } => warnings::of_rules(given, rules),
        NamedCheck::Deprecation { text, others } => warnings::deprecation(given, text.as_deref(), others),

        NamedCheck::Listed => lists::listed(given),
        NamedCheck::Slice { from, count, expires } => lists::slice(given, *from, *count, *expires == Some(true)),
        NamedCheck::Begins { most } => lists::begins(given, *most),
        NamedCheck::Remaining { count } => lists::remaining(given, *count),
        NamedCheck::States { states, expires } => lists::states(given, states, *expires),
        NamedCheck::Lists { objects } => events::lists(given, objects),

        NamedCheck::SameListing => listings::same(given),
        NamedCheck::ListingWithin => listings::within(given),
        NamedCheck::ListingInClasses { classes } => listings::in_classes(given, classes),
        NamedCheck::AggregatedListing => listings::aggregated(given),
        NamedCheck::NotListed => listings::not_listed(given),

        NamedCheck::DefinitionCauses { causes } => definitions::causes(given, causes),
        NamedCheck::Condition { r#type, status } => definitions::condition(given, r#type, status.as_deref()),
        NamedCheck::ConditionFor { r#type, status, reason } => {
            definitions::condition_for(given, r#type, status, reason)
        }
        NamedCheck::DuplicateFields { paths, refused } => definitions::duplicate_fields(given, paths, *refused),
        NamedCheck::HoldsNothing { pointer } => definitions::holds_nothing(given, pointer),
        NamedCheck::UnrecognizedFormats { formats } => definitions::unrecognized_formats(given, formats),
        NamedCheck::NoUnrecognizedFormat => definitions::no_unrecognized_format(given),

        NamedCheck::Conditions => lifecycle::well_formed(given),
        NamedCheck::CleanupBegun => lifecycle::cleanup_begun(given),
        NamedCheck::CleanupNotDelayed => lifecycle::cleanup_not_delayed(given),
        NamedCheck::CleanupOver => lifecycle::cleanup_over(given),
        NamedCheck::EstablishedAfterNames => lifecycle::established_after_names(given),
        NamedCheck::Transitions => lifecycle::transitions(given),
        NamedCheck::ConditionSays { r#type, text } => lifecycle::mentions(given, r#type, text),
        NamedCheck::AcceptedNames { names } => lifecycle::accepted_names(given, names),
        NamedCheck::NamesConsistent => lifecycle::names_consistent(given),
        NamedCheck::NamesDecided { names, accepted, established } => {
            lifecycle::names_decided(given, names, accepted, established)
        }
        NamedCheck::SameManagers => lifecycle::same_managers(given),
        NamedCheck::Plain404 => lifecycle::no_status(given),

        NamedCheck::Events { version, events, expires, fewer } => {
            events::exactly(given, version, events, *expires, *fewer)
        }
        NamedCheck::EventsComplete { version, events } => events::complete(given, version, events),
        NamedCheck::WatchBegins => initial::begins(given),
        NamedCheck::InitialEvents { version, events, end, any_order } => {
            initial::events(given, version, events, *end, *any_order)
        }
        NamedCheck::EventNamespaces { namespaces } => events::namespaces(given, namespaces),
        NamedCheck::Ended { seconds } => endings::soon(given, *seconds),
        NamedCheck::EndedByDeletion { objects, seconds } => endings::by_deletion(given, objects, *seconds),

        NamedCheck::WebhookReviews { definition, reviews, path, versions } => {
            calls::reviews(given, *definition, reviews, path, versions)
        }
        NamedCheck::WebhookSent { definition, to } => calls::sent(given, *definition, to),
        NamedCheck::WebhookSilent { definition } => calls::none(given, *definition),
        NamedCheck::WebhookFailure { from, words } => calls::failure(given, from, words),

        NamedCheck::Table { version } => tables::is_table(given, version),
        NamedCheck::TableColumns { columns } => tables::columns(given, columns),
        NamedCheck::TableRows => tables::rows(given),
        NamedCheck::TableMetadata => tables::of_list(given),
        NamedCheck::TableEvents { objects, columns, events } => tables::events(given, *objects, columns, events),
        NamedCheck::TableEventsComplete { objects, columns, events } => {
            tables::events_complete(given, *objects, columns, events)
        }
        NamedCheck::TableInitial { rows } => initial::rows(given, rows),
        NamedCheck::TableObjects { objects } => tables::objects(given, *objects),
        NamedCheck::TableCells { column, cells } => tables::cells(given, *column, cells),
        NamedCheck::MetadataOnly { version } => tables::metadata(given, version),

        NamedCheck::Resources { version, resources } => discovery::resources(given, version, resources),
        NamedCheck::ResourceNames { version, names } => discovery::names(given, version, names),
        NamedCheck::Resource { name, entry } => discovery::entry(given, name, entry),
        NamedCheck::ResourceVerbs { name, verbs } => discovery::verbs(given, name, verbs),
        NamedCheck::AggregatedResources { versions } => discovery::aggregated(given, versions),
        NamedCheck::Group { versions } => discovery::group(given, versions),
        NamedCheck::DiscoveryAgrees { version } => discovery::agrees(given, version),
        NamedCheck::ServedIfListed { resource } => discovery::served_if_listed(given, resource),
        NamedCheck::StorageHash { resource, hash } => discovery::hash(given, resource, *hash),
        NamedCheck::Form { r#type, vary } => discovery::form(given, r#type, *vary),

        NamedCheck::PublishedSchema { model, part, schema } => published::schema(given, model, *part, schema),
        NamedCheck::PublishedValue { model, pointer, value } => published::value(given, model, pointer, value),
        NamedCheck::PublishedCurrent { versions, fields } => published::current(given, versions, fields.as_ref()),
        NamedCheck::PublishedNot { model } => published::no_model(given, model),
        NamedCheck::PublishedNothing { version } => published::nothing(given, version.as_deref()),
        NamedCheck::PublishedReferences => published::resolves(given),
        NamedCheck::PublishedRoutes { version, part, routes } => published::routes(given, version, *part, routes),
        NamedCheck::PublishedIndex { listed, unlisted } => published::index(given, listed, unlisted),
        NamedCheck::PublishedHash { version } => published::hash_of(given, version),
        NamedCheck::PublishedImmutable { is } => published::immutable(given, *is),
        NamedCheck::PublishedSame => published::same_etag(given),
        NamedCheck::PublishedOther => published::other_etag(given),
        NamedCheck::PublishedNotModified => published::not_modified(given),
        NamedCheck::PublishedAdmits { model } => published::admits(given, model),
    }
}

impl<'a> Given<'a> {
    /// The other answer, without which the check cannot be made.
    fn looked_at(&self) -> Result<&'a Answer, Mismatch> {
        self.other.ok_or_else(Mismatch::no_answer)
    }
}

#[cfg(test)]
impl<'a> Given<'a> {
    /// One answer alone.
    fn of(answer: &'a Answer) -> Self {
        Self { answer, other: None, calls: &[] }
    }

    /// An answer together with another one.
    fn against(answer: &'a Answer, other: &'a Answer) -> Self {
        Self { answer, other: Some(other), calls: &[] }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::{Given, evaluate};
    use crate::{
        scenario::{Expectation, NamedCheck},
        transcript::Answer,
    };

    fn at(value: i64) -> Expectation {
        Expectation::At { pointer: "/spec/a".to_owned(), value: Some(json!(value)) }
    }

    #[rstest]
    #[case::all(vec![at(1), Expectation::Accepted], None)]
    #[case::one_does_not(vec![Expectation::Status(200), at(2)], Some("changed"))]
    #[case::a_named_one(vec![NamedCheck::Has { pointer: "/kind".to_owned() }.into()], None)]
    fn all_of_several(#[case] of: Vec<Expectation>, #[case] reason: Option<&str>) {
        let answer = Answer { status: 200, body: json!({ "kind": "X", "spec": { "a": 1 } }), ..Answer::default() };
        let found = evaluate(&NamedCheck::All { of }, &Given::of(&answer));
        assert_eq!(found.err().map(|found| found.reason).as_deref(), reason);
    }
}
