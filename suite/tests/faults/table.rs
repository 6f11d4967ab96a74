//! What a planted fault is, and all of them.

use crdible::{
    connection::{HttpRequest, Target},
    properties::{self, Property},
    run::{ScenarioSource, is_promised},
};
use crdible_semantics::{Semantics, release::Change};
use serde_json::Value;

use crate::{
    across_versions, answers, capabilities, conversion, defaulting, definitions, deprecation, equality, extensions,
    lacks,
    layer::{About, Act, Layer, Meant},
    lifecycle, metadata, names, nulls, objects, openapi, pruning, races, ratcheting, releases, requests, rules,
    server::{Answer, Asked, correct, embedded},
    settings::release,
    storage, stored_versions, structural, subresources, topology,
    trials::is_capability,
    unknown_fields, values, version_order, views, watches, webhook_requests, webhook_results, webhooks,
};

/// A server with one wrong function, and what the suite must find.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Its name.
    pub(crate) name: &'static str,
    /// Finishes the sentence "this server is wrong because …".
    pub(crate) wrong: &'static str,
    /// What it breaks: the first finding names nothing else. An item includes its edges. An edge stands for its item,
    /// and says at which releases this is a fault: those that promise the edge.
    pub(crate) requirements: &'static [&'static str],
    /// What the first finding must blame: fewer than it breaks, which a maintainer has to read first. Empty if that is
    /// all that it breaks.
    pub(crate) narrowed: &'static [&'static str],
    /// Each of these finds it.
    pub(crate) properties: &'static [&'static str],
    /// How many lines the shrunk counterexample has at most, if not as many as the others of its area.
    lines: Option<usize>,
    /// Whether it is hard to see: only nested, empty, null or boundary values show it, or only a later write.
    pub(crate) subtle: bool,
    /// From this change on it is right.
    before: Option<Change>,
    /// Who finds it.
    pub(crate) finder: Finder,
    /// What else a run tells of this server, and why: properties or capabilities, or `*` for any.
    pub(crate) implied: &'static [(&'static str, &'static str)],
    /// The wrong server.
    server: Server,
}

/// Who finds a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finder {
    /// Random cases alone; hand-made ones may find it earlier.
    Choices,
    /// Only hand-made cases: random ones take too long to reach the corner.
    Examples,
}

/// How a wrong server is started.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each fault, in a constant")]
enum Server {
    /// With these functions.
    With(Semantics),
    /// As a whole.
    Start(fn() -> Target),
    /// By a layer over the correct one.
    Over(Layer),
}

/// A fault without its server.
#[derive(Debug)]
pub(crate) struct Description {
    name: &'static str,
    wrong: &'static str,
    requirements: &'static [&'static str],
    narrowed: &'static [&'static str],
    properties: &'static [&'static str],
    lines: Option<usize>,
    subtle: bool,
    before: Option<Change>,
    finder: Finder,
    implied: &'static [(&'static str, &'static str)],
}

/// Describes a fault: its name, and why the server is wrong. What follows are the requirements, the properties and the
/// server; a fault is subtle and found by random cases unless stated.
pub(crate) const fn fault(name: &'static str, wrong: &'static str) -> Description {
    Description {
        name,
        wrong,
        requirements: &[],
        narrowed: &[],
        properties: &[],
        lines: None,
        subtle: true,
        before: None,
        finder: Finder::Choices,
        implied: &[],
    }
}

/// Describes a fault that ordinary values show.
pub(crate) const fn obvious_fault(name: &'static str, wrong: &'static str) -> Description {
    Description { subtle: false, ..fault(name, wrong) }
}

impl Description {
    /// The requirements that a finding may name, and the properties of which each finds it.
    pub(crate) const fn breaks(
        self,
        requirements: &'static [&'static str],
        properties: &'static [&'static str],
    ) -> Self {
        Self { requirements, properties, ..self }
    }

    /// The requirements that the first finding of each property must blame, if they are fewer than those it breaks.
    pub(crate) const fn blamed(self, narrowed: &'static [&'static str]) -> Self {
        Self { narrowed, ..self }
    }

    /// How many lines the shrunk counterexample has at most, if not as many as the others of its area.
    pub(crate) const fn within_lines(self, lines: usize) -> Self {
        Self { lines: Some(lines), ..self }
    }

    /// It is a fault only before this change.
    pub(crate) const fn before(self, change: Change) -> Self {
        Self { before: Some(change), ..self }
    }

    /// Only hand-made cases find it, or find it in good time.
    pub(crate) const fn by_example_only(self) -> Self {
        Self { finder: Finder::Examples, ..self }
    }

    /// A run tells this of the server, too, for this reason: properties or capabilities, or `*` for any.
    pub(crate) const fn implies(self, implied: &'static [(&'static str, &'static str)]) -> Self {
        Self { implied, ..self }
    }

    /// A server with these functions, of which some are wrong: `with::prune_array(…)`. Its release is that of all
    /// servers.
    pub(crate) const fn semantics(self, semantics: Semantics) -> Fault {
        self.with(Server::With(semantics))
    }

    /// A server that is started like this.
    pub(crate) const fn server(self, start: fn() -> Target) -> Fault {
        self.with(Server::Start(start))
    }

    /// A correct server that gets changed requests.
    pub(crate) const fn requests(self, change: fn(&mut HttpRequest)) -> Fault {
        self.with(Server::Over(Layer::Requests(change)))
    }

    /// A correct server whose answers are changed, except those about definitions.
    pub(crate) const fn answers(self, change: fn(&Asked, &mut Answer)) -> Fault {
        self.with(Server::Over(Layer::Answers(About::Others, change)))
    }

    /// A correct server whose answers about definitions are changed.
    pub(crate) const fn definition_answers(self, change: fn(&Asked, &mut Answer)) -> Fault {
        self.with(Server::Over(Layer::Answers(About::Definitions, change)))
    }

    /// A correct server whose answers are changed, whatever they are about.
    pub(crate) const fn all_answers(self, change: fn(&Asked, &mut Answer)) -> Fault {
        self.with(Server::Over(Layer::Answers(About::Everything, change)))
    }

    /// A correct server with other events in its watches, all of one watch at once.
    pub(crate) const fn events(self, change: fn(&HttpRequest, &mut Vec<Value>)) -> Fault {
        self.with(Server::Over(Layer::Events(change)))
    }

    /// A correct server that gets such requests with changed bodies, except those for definitions. The change sees the
    /// object that a request is about: null if there is none.
    pub(crate) const fn bodies(self, of: Meant, change: fn(&mut Value, &Value)) -> Fault {
        self.with(Server::Over(Layer::Bodies(of, change)))
    }

    /// A correct server that changes what accepted requests of this kind show, except those for definitions. The change
    /// sees the object before.
    pub(crate) const fn results(self, of: Meant, change: fn(&Value, &mut Value)) -> Fault {
        self.with(Server::Over(Layer::Results(of, change)))
    }

    /// A correct server behind something that does this with requests, except those for definitions: `act!(…)`.
    pub(crate) const fn around(self, act: Act) -> Fault {
        self.with(Server::Over(Layer::Acts(About::Others, act)))
    }

    /// The same with all requests.
    pub(crate) const fn around_everything(self, act: Act) -> Fault {
        self.with(Server::Over(Layer::Acts(About::Everything, act)))
    }

    const fn with(self, server: Server) -> Fault {
        let Self { name, wrong, requirements, narrowed, properties, lines, subtle, before, finder, implied } = self;
        Fault { name, wrong, requirements, narrowed, properties, lines, subtle, before, finder, implied, server }
    }
}

impl Fault {
    /// Starts the server, with no history.
    pub(crate) fn start(&self) -> Target {
        match &self.server {
            Server::With(semantics) => embedded(semantics.clone()),
            Server::Start(start) => start(),
            Server::Over(layer) => layer.over(&Target::embedded(correct())),
        }
    }

    /// Its properties that check something at the release of all servers.
    pub(crate) fn checked_by(&self) -> impl Iterator<Item = &'static str> {
        let checks = |id: &&str| is_capability(id) || properties::find(id).is_none_or(applies);
        self.properties.iter().copied().filter(checks)
    }

    /// Whether it is a fault at the release of all servers: the release promises something that it breaks, and all
    /// edges that it names, and a property checks that.
    pub(crate) fn applies(&self) -> bool {
        let is_promised = |reference: &&str| is_promised(reference, release());
        self.before.is_none_or(|change| !release().has(change))
            && self.requirements.iter().any(is_promised)
            && self.requirements.iter().filter(|reference| reference.contains('/')).all(is_promised)
            && self.checked_by().next().is_some()
    }

    /// What the first finding must blame: one or a few of those that it breaks.
    pub(crate) fn blamed(&self) -> &'static [&'static str] {
        if self.narrowed.is_empty() { self.requirements } else { self.narrowed }
    }

    /// How many lines the shrunk counterexample has at most; see [`crate::measure::lines`].
    pub(crate) fn largest(&self) -> usize {
        let area = || AREAS.iter().find(|area| area.faults.iter().any(|other| other.name == self.name));
        self.lines.unwrap_or_else(|| area().map_or(LINES, |area| area.lines))
    }

    /// Whether it breaks this item of the specification.
    pub(crate) fn breaks(&self, item: &str) -> bool {
        self.requirements.iter().any(|reference| item_of(reference) == item)
    }

    /// What can be laid over a server that has other faults; none if it is a server of its own.
    pub(crate) fn layer(&self) -> Option<Layer> {
        match &self.server {
            Server::With(_) | Server::Start(_) => None,
            Server::Over(layer) => Some(*layer),
        }
    }

    /// Whether nothing can be asked of the server: all else depends on what it lacks.
    pub(crate) fn hides_all(&self) -> bool {
        self.properties.iter().any(|property| ["capability-definitions", "capability-serving"].contains(property))
    }

    /// Whether only tests of capabilities find it: the server lacks a whole area.
    pub(crate) fn is_lack(&self) -> bool {
        self.properties.iter().all(|property| is_capability(property))
    }
}

/// The item of a reference to it or to one of its edges.
pub(crate) fn item_of(reference: &str) -> &str {
    reference.split('/').next().unwrap_or_default()
}

/// Whether a property checks something at the release of all servers.
pub(crate) fn applies(property: &'static Property) -> bool {
    ScenarioSource::from(property).applies_to(release())
}

/// All faults that apply to the release of all servers.
pub(crate) fn applying() -> impl Iterator<Item = &'static Fault> {
    all().filter(|fault| fault.applies())
}

/// The areas with these modules: each is named like its file. A number is that of lines, if not the usual one.
macro_rules! areas {
    ($($first:ident $(:: $rest:ident)* $(within $lines:literal)?,)*) => {
        &[$(Area {
            name: concat!(stringify!($first) $(, "/", stringify!($rest))*),
            lines: areas!(@lines $($lines)?),
            faults: $first $(:: $rest)* ::FAULTS,
        }),*]
    };
    (@lines) => {
        LINES
    };
    (@lines $lines:literal) => {
        $lines
    };
}

/// The faults of one file.
#[derive(Debug)]
pub(crate) struct Area {
    /// The file below `suite/tests/faults`, without its ending.
    pub(crate) name: &'static str,
    /// How many lines the shrunk counterexample of a fault has at most, unless the fault says otherwise.
    lines: usize,
    pub(crate) faults: &'static [Fault],
}

/// How many lines the counterexample of a fault usually has at most.
const LINES: usize = 40;

/// All faults, in the order of the chapters.
pub(crate) const AREAS: &[Area] = areas![
    capabilities,
    lacks,
    definitions::names_and_scope,
    definitions::versions,
    definitions::updates,
    definitions::schemas,
    definitions::columns_and_conversion,
    definitions::answers,
    definitions::known_defects,
    structural within 25,
    extensions within 25,
    topology within 25,
    pruning,
    metadata within 60,
    unknown_fields,
    names,
    storage within 60,
    nulls within 30,
    defaulting,
    ratcheting,
    rules::definitions,
    rules::typing,
    rules::operands,
    rules::language within 40,
    rules::values within 90,
    rules::objects within 60,
    rules::transitions within 80,
    equality within 60,
    across_versions within 60,
    requests within 60,
    answers,
    values::numbers within 15,
    values::strings within 14,
    values::objects,
    values::quantifiers within 25,
    values::lists within 30,
    values::metadata within 25,
    values::known_defects within 14,
    version_order within 20,
    webhook_requests within 140,
    races within 200,
    webhook_results within 150,
    webhooks within 110,
    deprecation,
    stored_versions,
    conversion within 60,
    subresources::statuses within 60,
    subresources::scales within 60,
    objects::creates within 60,
    objects::updates within 80,
    objects::patches within 80,
    objects::deletions within 80,
    objects::lists within 100,
    objects::managers within 80,
    objects::contended within 120,
    objects::histories within 60,
    objects::dry_runs within 80,
    objects::modes within 80,
    objects::owners within 80,
    objects::namespaces within 60,
    objects::revisions within 60,
    objects::routes within 60,
    objects::texts within 60,
    watches::replayed within 60,
    watches::selected within 60,
    watches::initial within 60,
    watches::endings within 60,
    lifecycle::states within 60,
    lifecycle::names within 60,
    lifecycle::deletion within 80,
    views::tables within 130,
    views::cells within 130,
    views::metadata within 60,
    views::documents within 60,
    views::routes within 60,
    views::selectors within 90,
    openapi::models within 60,
    openapi::version2 within 60,
    openapi::routes within 60,
    openapi::documents within 80,
    releases,
];

/// All faults, in the order of the chapters.
pub(crate) fn all() -> impl Iterator<Item = &'static Fault> {
    AREAS.iter().flat_map(|area| area.faults)
}
