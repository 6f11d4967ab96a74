//! `crdible replay --vary`: which parts of a counterexample matter.

use std::sync::Arc;

use crdible::{
    connection::Target,
    converter::{self, Asker, ConverterTransport},
    properties,
    reviews::{self, ReviewProperty},
    run::{Counterexample, NotVaried, Opening, OpeningError, ScenarioSource, Selection, Variations},
};
use crdible_reports::render;

use crate::{
    error::CliError,
    flags::ReplayArgs,
    output,
    signals::{Signals, interrupt_runs, terminated},
};

/// The message if nothing can be varied, before the reason.
const NOT_KNOWN: &str = "what matters is not known";

/// Varies a failing counterexample, and prints what that shows, or why it could
/// not be varied. `false` if it was interrupted.
pub(crate) async fn report(
    arguments: &ReplayArgs,
    target: &Target,
    counterexample: &Counterexample,
) -> Result<bool, CliError> {
    let property = &counterexample.failure.signature.property;
    if let Some(property) = reviews::find(property) {
        return of_converter(target, property, counterexample).await;
    }
    let Some(property) = properties::find(property) else {
        let why = format!("this version of crdible has no property {property} whose cases could be varied");
        output::warn(&format!("{NOT_KNOWN}: {why}"));
        return Ok(true);
    };
    let definitions = counterexample.scenario.server().map_or(0, |scenario| scenario.definitions.len());
    let setup = arguments.setup(target, |usual| usual.max(definitions + 1))?;
    let interrupt = interrupt_runs(vec![setup.run.clone()], Signals::listen());
    let sources = [ScenarioSource::from(property)];
    let session = match setup.open(target, Selection::Only(&sources), interrupt.clone()).await {
        Ok(Opening::Open(session)) => session,
        Ok(Opening::Interrupted(unopened)) => {
            output::warn_left_behind(&unopened.left, &setup.run);
            return Ok(false);
        }
        Err(OpeningError { error, left }) => {
            output::warn_left_behind(&left, &setup.run);
            return Err(error.into());
        }
    };
    let varied = tokio::select! {
        varied = session.vary(property, counterexample) => Some(varied),
        () = interrupt.raised() => None,
    };
    output::warn_left_behind(&session.close().await, &setup.run);
    let Some(varied) = varied else { return Ok(false) };
    print(varied)?;
    Ok(true)
}

/// The same for a conversion webhook.
async fn of_converter(
    target: &Target,
    property: &'static ReviewProperty,
    counterexample: &Counterexample,
) -> Result<bool, CliError> {
    let asker = Asker::new(ConverterTransport::Http(Arc::clone(&target.transport)));
    let varied = tokio::select! {
        biased;
        () = terminated() => return Ok(false),
        varied = converter::vary(&asker, property, counterexample) => varied?,
    };
    match varied {
        Some(varied) => print(Ok(varied))?,
        None => output::warn(&format!("{NOT_KNOWN}: it has no choices that this version could vary")),
    }
    Ok(true)
}

fn print(varied: Result<Variations, NotVaried>) -> Result<(), CliError> {
    match varied {
        Ok(Variations { tried: 0, .. }) => {
            output::warn("nothing is varied: every other choice generates another experiment");
        }
        Ok(Variations { tried, failed, documents, of_another }) => {
            let of = if of_another { "a random case that breaks the same requirement, varied" } else { "varied" };
            let documents = render::varied(&documents, output::style());
            output::result(&format!("\n{of} {tried} times; {failed} of these fail, too\n{documents}"));
        }
        Err(NotVaried::Execution(error)) => return Err(error.into()),
        Err(why) => output::warn(&format!("{NOT_KNOWN}: {why}")),
    }
    Ok(())
}
