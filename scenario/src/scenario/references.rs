//! Whether a scenario refers only to its own definitions and steps.

use super::{Action, Body, Conversion, Edit, Expectation, Method, Scenario, Step, Tenancy, Until};

impl Scenario {
    /// Checks all references to definitions and to earlier steps. The error names the part and what it refers to.
    pub fn check_references(&self) -> Result<(), String> {
        for (number, definition) in self.definitions.iter().enumerate() {
            match definition.beside {
                Some(other) if other >= number || definition.tenancy != Tenancy::Uninstalled => {
                    return Err(format!("definition {number} cannot share the group of definition {other}"));
                }
                _ => {}
            }
            if definition.webhook.is_some() && definition.conversion.is_some() {
                return Err(format!("definition {number} has both a webhook and another conversion"));
            }
        }
        for (number, step) in self.steps.iter().enumerate() {
            let group = self.group_of(number);
            let is_request = matches!(step.action, Action::Send(_));
            if group.len() > 1 && (step.until.is_some() || !is_request) {
                return Err(format!(
                    "step {number} is sent together with others, so it must be a request that is not repeated"
                ));
            }
            if number == 0 && step.concurrent {
                return Err("step 0 is sent together with the step before it, but there is none".to_owned());
            }
            match &step.action {
                Action::Install { definition, conversion, .. } => {
                    self.has_definition(number, *definition)?;
                    if conversion.is_some() && self.definitions[*definition].tenancy != Tenancy::Own {
                        return Err(format!(
                            "step {number} changes the conversion of a definition that it does not own"
                        ));
                    }
                }
                Action::Convert { definition, .. } => {
                    self.has_definition(number, *definition)?;
                    if !self.has_webhook(*definition) {
                        return Err(format!("step {number} is about a webhook that definition {definition} never has"));
                    }
                }
                Action::Send(request) => {
                    for definition in request.definitions() {
                        self.has_definition(number, definition)?;
                    }
                    for source in request.sources() {
                        looks_back(&format!("step {number}"), group.start, source)?;
                    }
                    match &request.body {
                        Body::Answer { step, edits } => {
                            looks_back(&format!("step {number}"), group.start, *step)?;
                            edits_at_pointers(number, edits)?;
                        }
                        Body::Definition { edits, .. } => edits_at_pointers(number, edits)?,
                        Body::None | Body::Object { .. } | Body::Json(_) | Body::Text { .. } => {}
                    }
                }
            }
            if step.until == Some(Until::Quiet)
                && !matches!(&step.action, Action::Send(request) if request.method == Method::Get)
            {
                return Err(format!("step {number} waits for quiet, but is not a GET"));
            }
            for assumption in &step.assume {
                expectation_looks_back(&format!("an assumption of step {number}"), group.end, assumption)?;
            }
        }
        for check in &self.checks {
            let place = format!("check `{}`", check.name);
            looks_back(&place, self.steps.len(), check.step)?;
            expectation_looks_back(&place, self.steps.len(), &check.expect)?;
        }
        Ok(())
    }

    /// Whether a definition has a webhook at some time.
    pub fn has_webhook(&self, definition: usize) -> bool {
        let installs = |step: &Step| matches!(&step.action, Action::Install { definition: of, conversion: Some(Conversion::Webhook(_)), .. } if *of == definition);
        self.definitions.get(definition).is_some_and(|definition| definition.webhook.is_some())
            || self.steps.iter().any(installs)
    }

    fn has_definition(&self, step: usize, definition: usize) -> Result<(), String> {
        if definition < self.definitions.len() {
            return Ok(());
        }
        Err(format!("step {step} refers to definition {definition} of {}", self.definitions.len()))
    }
}

fn edits_at_pointers(step: usize, edits: &[Edit]) -> Result<(), String> {
    for edit in edits {
        if let Edit::Set(pointer, _) | Edit::Remove(pointer) = edit
            && !pointer.is_empty()
            && !pointer.starts_with('/')
        {
            return Err(format!("step {step} edits at `{pointer}`, which is not a JSON pointer"));
        }
    }
    Ok(())
}

pub(super) fn looks_back(place: &str, limit: usize, step: usize) -> Result<(), String> {
    if step < limit { Ok(()) } else { Err(format!("{place} refers to step {step}, which is not an earlier one")) }
}

fn expectation_looks_back(place: &str, limit: usize, expectation: &Expectation) -> Result<(), String> {
    if let Expectation::Named { check, .. } = expectation {
        check.checks_something().map_err(|why| format!("{place}: {why}"))?;
    }
    expectation.looks_at().into_iter().try_for_each(|step| looks_back(place, limit, step))
}
