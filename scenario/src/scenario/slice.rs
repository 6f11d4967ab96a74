//! The part of a scenario that one check or one step depends on.

use std::collections::{BTreeMap, BTreeSet};

use super::{Action, Body, Check, Expectation, Resource, Scenario, Step, Tenancy, Until};

/// What happens to steps that change nothing on a correct server: reads and dry runs whose answers nothing uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// They are dropped.
    Dropped,
    /// Those about the definitions that the check depends on are kept if they precede the judged step: on an incorrect
    /// server they may change something.
    Kept,
}

impl Scenario {
    /// The part that a check depends on, with this check only: the steps that it uses, the steps that these use, what
    /// wrote the objects and definitions before them, and all assumptions. A correct server passes the check in the
    /// part if it passes it in the whole.
    #[must_use]
    pub fn slice(&self, check: usize, reads: Reads) -> Self {
        if check >= self.checks.len() {
            return self.clone();
        }
        self.slice_of(&[check], reads)
    }

    /// The parts that several checks depend on, together.
    #[must_use]
    pub fn slice_of(&self, checks: &[usize], reads: Reads) -> Self {
        let kept: Vec<Check> = checks.iter().filter_map(|&check| self.checks.get(check).cloned()).collect();
        let mut needs = Needs { scenario: self, steps: BTreeSet::new() };
        for check in &kept {
            needs.step(check.step);
            check.expect.looks_at().into_iter().for_each(|step| needs.step(step));
        }
        for (number, step) in self.steps.iter().enumerate() {
            if !step.assume.is_empty() {
                needs.step(number);
            }
        }
        if reads == Reads::Kept {
            kept.iter().for_each(|check| needs.reads_before(check.step));
        }
        renumbered(self, &needs.steps, kept)
    }

    /// The part that a step's answer depends on, with the checks of that answer that can be judged within it: what
    /// reproduces a difference between two servers at this step.
    #[must_use]
    pub fn slice_for_step(&self, step: usize, reads: Reads) -> Self {
        let mut needs = Needs { scenario: self, steps: BTreeSet::new() };
        needs.step(step);
        for (number, assumed) in self.steps.iter().enumerate().take(step) {
            if !assumed.assume.is_empty() {
                needs.step(number);
            }
        }
        if reads == Reads::Kept {
            needs.reads_before(step);
        }
        let is_within = |check: &&Check| {
            check.step == step && check.expect.looks_at().iter().all(|other| needs.steps.contains(other))
        };
        let checks = self.checks.iter().filter(is_within).cloned().collect();
        renumbered(self, &needs.steps, checks)
    }

    /// The steps that a step's answer depends on, itself included.
    pub fn basis_of(&self, step: usize) -> BTreeSet<usize> {
        let mut needs = Needs { scenario: self, steps: BTreeSet::new() };
        needs.step(step);
        needs.steps
    }

    /// The steps that a check depends on: its own, those that it compares with, and what their answers depend on.
    pub fn basis_of_check(&self, check: &Check) -> BTreeSet<usize> {
        let mut needs = Needs { scenario: self, steps: BTreeSet::new() };
        needs.step(check.step);
        check.expect.looks_at().into_iter().for_each(|other| needs.step(other));
        needs.steps
    }

    /// Whether a step that a check depends on is repeated until something comes: on a busy server it may come late.
    pub fn waits_before(&self, check: usize) -> bool {
        let is_repeated = |step: &usize| matches!(self.steps[*step].until, Some(Until::Holds(_) | Until::Quiet));
        self.checks.get(check).is_some_and(|check| self.basis_of_check(check).iter().any(is_repeated))
    }

    /// Whether a check depends on requests that were sent together, itself or by an earlier answer: which of them takes
    /// effect first may decide whether it fails.
    pub fn is_race(&self, check: usize) -> bool {
        let is_together = |step: &usize| self.group_of(*step).len() > 1;
        self.checks.get(check).is_some_and(|check| self.basis_of_check(check).iter().any(is_together))
    }

    /// Its definitions and installations, without requests and checks: whether a server accepts the definitions.
    #[must_use]
    pub fn definitions_only(&self) -> Self {
        let installs = self.steps.iter().filter(|step| matches!(step.action, Action::Install { .. }));
        Self { definitions: self.definitions.clone(), steps: installs.cloned().collect(), cases: 1, ..Self::default() }
    }
}

/// The steps that are needed so far.
struct Needs<'a> {
    scenario: &'a Scenario,
    steps: BTreeSet<usize>,
}

impl Needs<'_> {
    fn step(&mut self, number: usize) {
        let Some(step) = self.scenario.steps.get(number) else { return };
        if !self.steps.insert(number) {
            return;
        }
        for other in looked_at(step) {
            self.step(other);
        }
        // Steps that are sent together are one experiment.
        for other in self.scenario.group_of(number) {
            self.step(other);
        }
        for earlier in 0..number {
            let before = &self.scenario.steps[earlier];
            if self.affects(&before.action, &step.action) || self.waits_for(before, &step.action) {
                self.step(earlier);
            }
        }
    }

    fn reads_before(&mut self, last: usize) {
        let definitions: BTreeSet<usize> =
            self.steps.iter().flat_map(|&number| definitions(&self.scenario.steps[number])).collect();
        for (number, step) in self.scenario.steps.iter().enumerate().take(last) {
            if self::definitions(step).any(|definition| definitions.contains(&definition)) {
                self.step(number);
            }
        }
    }

    /// Whether an earlier step waits for the effect of writing a definition that a later step is about: without the
    /// wait they would race.
    fn waits_for(&self, earlier: &Step, later: &Action) -> bool {
        let Action::Send(request) = &earlier.action else { return false };
        let is_uninstalled = |definition: &usize| {
            self.scenario.definitions.get(*definition).is_some_and(|found| found.tenancy == Tenancy::Uninstalled)
        };
        earlier.until.is_some()
            && request.definitions().filter(is_uninstalled).any(|definition| self.names(later, definition))
    }

    /// Whether an earlier action may change the answer of a later one on a correct server.
    fn affects(&self, earlier: &Action, later: &Action) -> bool {
        let write = match earlier {
            Action::Install { definition, .. } | Action::Convert { definition, .. } => {
                return self.names(later, *definition);
            }
            Action::Send(request) if !request.writes() => return false,
            Action::Send(request) => request,
        };
        match (write.object(), later) {
            (Some(_), Action::Install { .. } | Action::Convert { .. }) => false,
            (Some(object), Action::Send(request)) => match request.object() {
                Some(other) => other == object,
                // A list is about all objects of its definition.
                None => self.names(later, object.0),
            },
            // Another write: a definition, or something unknown.
            (None, _) => write.definitions().next().is_none_or(|definition| self.names(later, definition)),
        }
    }

    /// Whether an action names a definition, or one in the same group.
    fn names(&self, action: &Action, definition: usize) -> bool {
        let group = self.group(definition);
        match action {
            Action::Install { definition: named, .. } | Action::Convert { definition: named, .. } => {
                self.group(*named) == group
            }
            Action::Send(request) => {
                request.resource == Resource::Definitions
                    || request.definitions().any(|named| self.group(named) == group)
            }
        }
    }

    /// The definition whose group a definition is in.
    fn group(&self, definition: usize) -> usize {
        match self.scenario.definitions.get(definition).and_then(|definition| definition.beside) {
            Some(other) if other < definition => self.group(other),
            _ => definition,
        }
    }
}

/// The steps that a step refers to.
fn looked_at(step: &Step) -> impl Iterator<Item = usize> {
    let sent = match &step.action {
        Action::Send(request) => {
            let body = if let Body::Answer { step, .. } = &request.body { Some(*step) } else { None };
            Some(body.into_iter().chain(request.sources()))
        }
        Action::Install { .. } | Action::Convert { .. } => None,
    };
    let until = match &step.until {
        Some(Until::Holds(expectation)) => expectation.looks_at(),
        Some(Until::Settled | Until::Quiet) | None => Vec::new(),
    };
    sent.into_iter().flatten().chain(until).chain(step.assume.iter().flat_map(Expectation::looks_at))
}

fn definitions(step: &Step) -> impl Iterator<Item = usize> + use<> {
    let (installed, named) = match &step.action {
        Action::Install { definition, .. } | Action::Convert { definition, .. } => (Some(*definition), None),
        Action::Send(request) => (None, Some(request.definitions())),
    };
    installed.into_iter().chain(named.into_iter().flatten())
}

/// Only these steps and checks, with the definitions that they name.
fn renumbered(whole: &Scenario, steps: &BTreeSet<usize>, checks: Vec<Check>) -> Scenario {
    let mut named: BTreeSet<usize> = steps.iter().flat_map(|&number| definitions(&whole.steps[number])).collect();
    while let Some(other) =
        named.iter().filter_map(|&number| whole.definitions.get(number)?.beside).find(|other| !named.contains(other))
    {
        named.insert(other);
    }
    let places = |kept: &BTreeSet<usize>| -> BTreeMap<usize, usize> {
        kept.iter().enumerate().map(|(now, &before)| (before, now)).collect()
    };
    let (definition_now, step_now) = (places(&named), places(steps));
    let mut part = Scenario {
        definitions: named.iter().filter_map(|&number| whole.definitions.get(number).cloned()).collect(),
        steps: steps.iter().map(|&number| whole.steps[number].clone()).collect(),
        checks,
        cases: 1,
    };
    let move_to = |places: &BTreeMap<usize, usize>, number: &mut usize| {
        if let Some(now) = places.get(number) {
            *number = *now;
        }
    };
    for other in part.definitions.iter_mut().filter_map(|definition| definition.beside.as_mut()) {
        move_to(&definition_now, other);
    }
    for step in &mut part.steps {
        match &mut step.action {
            Action::Install { definition, .. } | Action::Convert { definition, .. } => {
                move_to(&definition_now, definition);
            }
            Action::Send(request) => {
                for definition in request.resource.definition_mut().into_iter().chain(request.body.definition_mut()) {
                    move_to(&definition_now, definition);
                }
                if let Body::Answer { step, .. } = &mut request.body {
                    move_to(&step_now, step);
                }
                request.sources_mut().for_each(|step| move_to(&step_now, step));
            }
        }
        if let Some(Until::Holds(expectation)) = &mut step.until {
            expectation.looks_at_mut().into_iter().for_each(|other| move_to(&step_now, other));
        }
        for other in step.assume.iter_mut().flat_map(Expectation::looks_at_mut) {
            move_to(&step_now, other);
        }
    }
    for check in &mut part.checks {
        move_to(&step_now, &mut check.step);
        check.expect.looks_at_mut().into_iter().for_each(|other| move_to(&step_now, other));
        if let Expectation::Named { check, .. } = &mut check.expect
            && let Some(definition) = check.definition_mut()
            && let Some(now) = definition_now.get(definition)
        {
            *definition = *now;
        }
    }
    part
}
