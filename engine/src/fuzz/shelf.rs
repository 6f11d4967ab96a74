//! The corpus of one property: what it has reached, what it keeps, and which case comes next.

use std::collections::{HashMap, VecDeque};

use crdible_generators::choice::{Choices, Mutation, Tape};
use crdible_scenario::{Case, ScenarioSource};
use crdible_semantics::Release;

use super::{
    dice::Dice,
    features::{Feature, generated},
    minimise::Minimising,
};

/// The most entries of a property that are drawn from; above, the one that was drawn
/// from most often without a result is left out.
const MOST_ENTRIES: usize = 200;
/// The most features of a property that are remembered. Cells and pairs are far fewer; the limit protects the
/// memory from a server that answers with anything.
const MOST_FEATURES: usize = 30_000;
/// Candidates of which the best is sent. Planning one costs a tenth of sending one in process, and less over HTTP.
const CANDIDATES: usize = 2;
/// The share of random cases, those that a run has at the same index: one in this many.
const RANDOM_ONE_IN: usize = 4;
/// The share of smaller variants of entries: one in this many.
const SMALLER_ONE_IN: usize = 10;
/// Scenarios without anything new after which a property gets half, and a quarter, of the cases.
const QUIET: [u64; 2] = [40, 200];

/// An entry that is drawn from.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) tape: Tape,
    /// The features that it was the first to reach.
    pub(super) owned: Vec<Feature>,
    /// The name of its file.
    pub(super) name: String,
    /// Cases that were derived from it.
    tries: u32,
    /// Those of them that reached something new.
    finds: u32,
    pub(super) is_minimal: bool,
}

/// A case and what it shows, or why there is none.
type Planned = Result<Box<(Case, Vec<Feature>)>, &'static str>;

/// An entry of an earlier fuzz run that has not been run yet.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) tape: Tape,
    pub(super) name: String,
    /// Whether its file holds the case that is run: other generators make another case of the same choices.
    pub(super) is_same: bool,
    /// The case that it generates; planned when it is first needed.
    case: Option<Planned>,
}

impl Waiting {
    pub(super) fn new(tape: Tape, name: String, is_same: bool) -> Self {
        Self { tape, name, is_same, case: None }
    }
}

/// Where a case in flight comes from.
#[derive(Debug)]
enum Origin {
    /// The seed alone.
    Random,
    /// This entry of an earlier fuzz run.
    Loaded { name: String, is_same: bool },
    /// A change of the entry with this name.
    Changed(String),
    /// A smaller variant of the entry with this name.
    Smaller(String),
}

#[derive(Debug)]
struct InFlight {
    features: Vec<Feature>,
    origin: Origin,
}

/// What became of a case.
#[derive(Debug, Default)]
pub(super) struct Learned {
    /// The features that no case of the property had reached.
    pub(super) new: Vec<Feature>,
    /// All features that it reached.
    pub(super) all: Vec<Feature>,
    /// The tape to keep in a file.
    pub(super) keep: Option<Tape>,
    /// It comes from an earlier fuzz run.
    pub(super) is_loaded: bool,
    /// It is drawn from, from now on.
    pub(super) is_entry: bool,
}

/// The corpus of one property.
#[derive(Debug)]
pub(super) struct Shelf {
    source: ScenarioSource,
    release: Release,
    seed: u64,
    dice: Dice,
    entries: Vec<Kept>,
    waiting: Vec<Waiting>,
    /// How often each feature was reached.
    seen: HashMap<Feature, u32>,
    in_flight: HashMap<u64, InFlight>,
    minimising: Option<Minimising>,
    /// Names of entries that are not minimal yet.
    not_minimal: VecDeque<String>,
    since_new_feature: u64,
}

impl Shelf {
    pub(super) fn new(source: ScenarioSource, release: Release, seed: u64) -> Self {
        Self {
            source,
            release,
            seed,
            dice: Dice::new(seed, source.id()),
            entries: Vec::new(),
            waiting: Vec::new(),
            seen: HashMap::new(),
            in_flight: HashMap::new(),
            minimising: None,
            not_minimal: VecDeque::new(),
            since_new_feature: 0,
        }
    }

    /// Adds entries of earlier fuzz runs. If there are too many, the largest are left out; returns how many.
    pub(super) fn load(&mut self, mut loaded: Vec<Waiting>) -> usize {
        loaded.sort_by_cached_key(|waiting| (waiting.tape.size(), waiting.name.clone()));
        let too_many = loaded.len().saturating_sub(MOST_ENTRIES);
        loaded.truncate(MOST_ENTRIES);
        self.waiting = loaded;
        too_many
    }

    /// How many entries of earlier fuzz runs have not been run yet.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn price(&self) -> u64 {
        match self.since_new_feature {
            quiet if !self.waiting.is_empty() || quiet < QUIET[0] => 1,
            quiet if quiet < QUIET[1] => 2,
            _ => 4,
        }
    }

    /// The case at an index.
    pub(super) fn plan(&mut self, index: u64) -> Result<Case, &'static str> {
        if index < self.source.edge_count() as u64 {
            return Case::plan_at(self.release, self.source, self.seed, index);
        }
        if self.dice.once_in(RANDOM_ONE_IN) {
            let case = Case::plan_at(self.release, self.source, self.seed, index)?;
            let features = generated(&case.scenario, case.recording.as_ref());
            self.in_flight.insert(index, InFlight { features, origin: Origin::Random });
            return Ok(case);
        }
        if self.dice.once_in(SMALLER_ONE_IN)
            && let Some(case) = self.smaller(index)
        {
            return Ok(case);
        }
        let chosen = if self.waiting.is_empty() { self.best(index) } else { self.loaded(index) };
        let (case, in_flight) = chosen?;
        self.in_flight.insert(index, in_flight);
        Ok(case)
    }

    /// How promising features are: more those that were seldom reached, most those that never were.
    fn score(&self, features: &[Feature]) -> f64 {
        let of = |feature: &Feature| {
            let times = f64::from(self.seen.get(feature).copied().unwrap_or(0));
            feature.kind().weight() / ((1.0 + times) * (1.0 + times))
        };
        features.iter().map(of).sum()
    }

    /// The entry of an earlier fuzz run that adds most.
    fn loaded(&mut self, index: u64) -> Result<(Case, InFlight), &'static str> {
        let (release, source) = (self.release, self.source);
        for waiting in &mut self.waiting {
            if waiting.case.is_none() {
                let case = Case::from_choices(source, index, Choices::replay(&waiting.tape).at(release));
                waiting.case = Some(case.map(|case| {
                    let features = generated(&case.scenario, case.recording.as_ref());
                    Box::new((case, features))
                }));
            }
        }
        let score = |waiting: &Waiting| match &waiting.case {
            Some(Ok(case)) => self.score(&case.1),
            // Trying it first costs nothing: it cannot be planned.
            Some(Err(_)) | None => f64::INFINITY,
        };
        let scores = self.waiting.iter().map(score).enumerate();
        let best = scores.max_by(|one, other| one.1.total_cmp(&other.1)).map_or(0, |(at, _)| at);
        let Waiting { name, is_same, case, .. } = self.waiting.swap_remove(best);
        let (case, features) = *case.unwrap_or(Err("nothing was planned"))?;
        Ok((Case { index, ..case }, InFlight { features, origin: Origin::Loaded { name, is_same } }))
    }

    /// The best of some candidates.
    fn best(&mut self, index: u64) -> Result<(Case, InFlight), &'static str> {
        let mut best: Option<(f64, Case, InFlight)> = None;
        let mut reason = "nothing was planned";
        for number in 0..CANDIDATES {
            // At least one is random, and all are while nothing is kept.
            let is_random = number == 0 || self.entries.is_empty();
            let (choices, origin) =
                if is_random { (Choices::random(self.dice.seed()), Origin::Random) } else { self.changed() };
            let case = match Case::from_choices(self.source, index, choices.at(self.release)) {
                Ok(case) => case,
                Err(discarded) => {
                    reason = discarded;
                    continue;
                }
            };
            let features = generated(&case.scenario, case.recording.as_ref());
            let score = self.score(&features);
            if best.as_ref().is_none_or(|(highest, ..)| score > *highest) {
                best = Some((score, case, InFlight { features, origin }));
            }
        }
        best.map(|(_, case, in_flight)| (case, in_flight)).ok_or(reason)
    }

    /// Choices like those of an entry.
    fn changed(&mut self) -> (Choices, Origin) {
        let parent = self.parent();
        let other = self.dice.below(self.entries.len());
        let other = (other != parent).then(|| &self.entries[other].tape);
        let tape = Mutation::new(self.dice.seed()).apply(&self.entries[parent].tape, other);
        let name = self.entries[parent].name.clone();
        (Choices::varied(&tape, self.dice.seed()), Origin::Changed(name))
    }

    /// An entry to draw from: the most promising of three. It was drawn from less often, or reached something new.
    fn parent(&mut self) -> usize {
        let worn = |kept: &Kept| {
            let rare = u32::try_from(kept.owned.len()).unwrap_or(u32::MAX).min(4);
            f64::from(kept.tries) / f64::from(1 + 4 * kept.finds + rare)
        };
        let lots: Vec<usize> = (0..3).map(|_| self.dice.below(self.entries.len())).collect();
        let least = |one: &usize, other: &usize| worn(&self.entries[*one]).total_cmp(&worn(&self.entries[*other]));
        lots.into_iter().min_by(least).unwrap_or(0)
    }

    /// A smaller variant of an entry, if one must be sent to learn whether it reaches the same.
    fn smaller(&mut self, index: u64) -> Option<Case> {
        if self.minimising.is_none() {
            let name = self.not_minimal.pop_front()?;
            let entry = self.entries.iter().find(|entry| entry.name == name)?;
            self.minimising = Minimising::start(self.source, self.release, &entry.name, &entry.tape, &entry.owned);
        }
        let minimising = self.minimising.as_mut()?;
        let (case, features) = minimising.next(self.source, index)?;
        let origin = Origin::Smaller(minimising.name().to_owned());
        self.in_flight.insert(index, InFlight { features, origin });
        Some(case)
    }

    /// Ends the minimisation of an entry that has no smaller variants left, and returns its tape, with the name of
    /// the file to replace, if that has become smaller.
    pub(super) fn minimised(&mut self) -> Option<(Tape, String)> {
        let done = self.minimising.take_if(|minimising| minimising.is_done())?;
        let entry = self.entries.iter_mut().find(|entry| entry.name == done.name())?;
        entry.is_minimal = true;
        let tape = done.smallest()?;
        entry.tape = tape.clone();
        Some((tape, entry.name.clone()))
    }

    /// Records the new file name of an entry.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.name == old) {
            new.clone_into(&mut entry.name);
        }
    }

    /// Learns what a case reached. `answers` are the features of its answers; none if there were no answers.
    pub(super) fn learn(&mut self, case: &Case, answers: Option<Vec<Feature>>) -> Learned {
        let InFlight { mut features, origin } = self.in_flight.remove(&case.index).unwrap_or_else(|| InFlight {
            features: generated(&case.scenario, case.recording.as_ref()),
            origin: Origin::Random,
        });
        if let Origin::Changed(name) = &origin
            && let Some(parent) = self.entries.iter_mut().find(|entry| entry.name == *name)
        {
            parent.tries = parent.tries.saturating_add(1);
        }
        let is_loaded = matches!(origin, Origin::Loaded { .. });
        let Some(answers) = answers else {
            self.judged_smaller(&origin, &[]);
            return Learned { is_loaded, ..Learned::default() };
        };
        features.extend(answers);
        let mut new = Vec::new();
        for feature in &features {
            if let Some(times) = self.seen.get_mut(feature) {
                *times = times.saturating_add(1);
            } else if self.seen.len() < MOST_FEATURES {
                self.seen.insert(*feature, 1);
                new.push(*feature);
            }
        }
        self.judged_smaller(&origin, &features);
        self.since_new_feature = if new.is_empty() { self.since_new_feature.saturating_add(1) } else { 0 };
        let is_entry = !new.is_empty() && case.recording.is_some();
        let keep = self.keep(case, &new, origin);
        Learned { new, all: features, keep, is_loaded, is_entry }
    }

    fn judged_smaller(&mut self, origin: &Origin, reached: &[Feature]) {
        if let (Origin::Smaller(name), Some(minimising)) = (origin, &mut self.minimising)
            && minimising.name() == name
        {
            minimising.judged(reached);
        }
    }

    /// Keeps a case that reached something new; returns what to write if its file does not exist.
    fn keep(&mut self, case: &Case, new: &[Feature], origin: Origin) -> Option<Tape> {
        let tape = case.recording.as_ref().filter(|_| !new.is_empty())?.tape.clone();
        let (name, is_written) = match origin {
            Origin::Loaded { name, is_same } => (name, is_same),
            Origin::Changed(name) => {
                if let Some(parent) = self.entries.iter_mut().find(|entry| entry.name == name) {
                    parent.finds = parent.finds.saturating_add(1);
                }
                (String::new(), false)
            }
            Origin::Random | Origin::Smaller(_) => (String::new(), false),
        };
        if self.entries.len() >= MOST_ENTRIES {
            let in_vain = |entry: &Kept| (entry.finds == 0, entry.tries);
            let most = self.entries.iter().enumerate().max_by_key(|(_, entry)| in_vain(entry)).map(|(at, _)| at);
            if let Some(at) = most {
                self.entries.swap_remove(at);
            }
        }
        let (owned, tries, finds) = (new.to_vec(), 0, 0);
        // An entry of an earlier fuzz run was shrunk then.
        let is_minimal = is_written;
        self.entries.push(Kept { tape: tape.clone(), owned, name, tries, finds, is_minimal });
        (!is_written).then_some(tape)
    }

    /// Names the entry that was kept last.
    pub(super) fn name_last(&mut self, name: String) {
        if let Some(last) = self.entries.last_mut() {
            last.name.clone_from(&name);
            if !last.is_minimal {
                self.not_minimal.push_back(name);
            }
        }
    }
}
