//! Which bounds of a schema make an expression cheaper (CEL-040).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crdible_cel::ast::Name;
use crdible_cel::{Bounds, Checked, Sizes, check, estimate, syntax::parse};

use super::compiled::Scope;
use super::declared::{Declared, is_as_declared};
use super::definition::{PER_RULE, PER_VERSION};
use super::names::escaped;
use crate::Schema;

/// What an expression can cost.
#[derive(Clone, Debug)]
pub struct EstimatedCost {
    /// What one evaluation can cost.
    pub once: u64,
    /// How many values it can meet in one request.
    pub values: u64,
    /// What it costs for all of them, by which it is judged.
    pub total: u64,
    /// Which bounds make it cheaper, the best first; each counts together with those before it. Only for what costs
    /// much: [`Self::MUCH`].
    pub advice: Vec<AdvisedBound>,
}

impl EstimatedCost {
    /// What one rule may cost.
    pub const LIMIT: u64 = PER_RULE;
    /// What is much: a tenth of the limit, from where on an expression is named as one that contributed to a total that
    /// is too high.
    pub const MUCH: u64 = PER_VERSION / 100;
}

/// A bound that makes an expression cheaper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvisedBound {
    /// The keywords and the fields that need them, all together: `maxItems` of `spec.hosts`.
    pub bounds: Vec<(&'static str, String)>,
    /// The value for which the cost was computed.
    pub value: u64,
    /// What the expression costs with it, and with those before it.
    pub total: u64,
    /// The highest value with which the expression is within the limit; nothing if there is none.
    pub highest: Option<u64>,
}

/// At most this many bounds are named for one expression.
const MOST_ADVICE: usize = 4;

/// The bounds that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyword {
    Items,
    Properties,
    Length,
    /// Of bytes, whose length is not multiplied by that of a character.
    LengthOfBytes,
}

impl Keyword {
    const fn name(self) -> &'static str {
        match self {
            Self::Items => "maxItems",
            Self::Properties => "maxProperties",
            Self::Length | Self::LengthOfBytes => "maxLength",
        }
    }

    /// A bound with which most definitions can live.
    const fn usual(self) -> u64 {
        match self {
            Self::Items | Self::Properties => 100,
            Self::Length | Self::LengthOfBytes => 256,
        }
    }

    /// The size that a value with this bound can have, as estimates count it.
    fn size(self, bound: u64) -> u64 {
        if self == Self::Length { bound.saturating_mul(4) } else { bound }
    }

    /// That of a node, if it can be set there.
    fn of(schema: &Schema) -> Option<Self> {
        if schema.int_or_string {
            return Some(Self::Length);
        }
        match (schema.type_name.as_str(), schema.values.format.as_str()) {
            ("array", _) => Some(Self::Items),
            ("object", _) if schema.value_schema().is_some() => Some(Self::Properties),
            ("string", "byte") => Some(Self::LengthOfBytes),
            ("string", "duration" | "date" | "date-time") => None,
            ("string", _) => Some(Self::Length),
            _ => None,
        }
    }
}

/// The lists and maps around a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Around(Vec<Container>);

#[derive(Clone, Debug)]
struct Container {
    place: String,
    keyword: Keyword,
    most: Option<u64>,
}

impl Around {
    /// With one more node, of which there can be this number of values in each.
    pub(super) fn and(&self, place: &str, schema: &Schema, most: Option<u64>) -> Self {
        let mut around = self.0.clone();
        if let Some(keyword @ (Keyword::Items | Keyword::Properties)) = Keyword::of(schema) {
            around.push(Container { place: place.to_owned(), keyword, most });
        }
        Self(around)
    }

    /// How many values there can be in one request.
    pub(super) fn values(&self, declared: &Declared) -> u64 {
        let mut product = 1_u64;
        for container in &self.0 {
            match container.most {
                Some(most) => product = product.saturating_mul(most),
                None => return declared.most_in_a_request(),
            }
        }
        product
    }
}

/// A node whose expressions are estimated.
pub(super) struct Estimated<'a> {
    pub(super) schema: &'a Schema,
    pub(super) is_resource: bool,
    pub(super) place: &'a str,
    pub(super) declared: &'a Declared,
    pub(super) scope: &'a Scope,
}

/// Something that can be bounded: a value that an expression looks at, or lists and maps around its node.
#[derive(Clone, Debug)]
enum Candidate {
    Below {
        path: Vec<Name>,
        place: String,
        keyword: Keyword,
    },
    /// By their places in the list of those around. Those without a bound count only together.
    Around(Vec<usize>),
}

/// The bounds that are tried.
#[derive(Clone, Debug, Default)]
struct Tried {
    below: BTreeMap<Vec<Name>, u64>,
    around: BTreeMap<usize, u64>,
}

impl Tried {
    fn and(&self, candidate: &Candidate, bound: u64) -> Self {
        let mut tried = self.clone();
        match candidate {
            Candidate::Below { path, keyword, .. } => {
                tried.below.insert(path.clone(), keyword.size(bound));
            }
            Candidate::Around(containers) => {
                tried.around.extend(containers.iter().map(|container| (*container, bound)));
            }
        }
        tried
    }
}

/// The sizes of a node with other bounds. It remembers of which an estimate asked.
struct TriedSizes<'a> {
    declared: &'a Declared,
    tried: &'a Tried,
    asked: RefCell<BTreeSet<Vec<Name>>>,
}

impl Sizes for TriedSizes<'_> {
    fn size(&self, path: &[Name]) -> Option<Bounds> {
        let size = self.declared.size(path)?;
        // `self` and `oldSelf` have the same bounds.
        let path = path[1..].to_vec();
        let bound = self.tried.below.get(&path).copied().unwrap_or(u64::MAX);
        self.asked.borrow_mut().insert(path);
        Some(Bounds::new(size.least, size.most.min(bound)))
    }
}

impl Estimated<'_> {
    /// Which bounds make an expression cheaper. `around`: what is around its node, if that counts.
    pub(super) fn advice(&self, text: &str, is_optional: bool, around: Option<&Around>) -> Vec<AdvisedBound> {
        let Some(checked) = self.checked(text, is_optional) else { return Vec::new() };
        let mut advice = Vec::new();
        let mut tried = Tried::default();
        let (mut cost, asked) = self.cost(&checked, around, &tried);
        let mut candidates = self.candidates(&asked, around);
        while cost >= EstimatedCost::MUCH && advice.len() < MOST_ADVICE {
            let with = |candidate: &Candidate| {
                let tried = tried.and(candidate, keyword_of(candidate, around).usual());
                self.cost(&checked, around, &tried).0
            };
            let best = candidates.iter().enumerate().map(|(index, candidate)| (with(candidate), index)).min();
            // Of costs beyond what can be counted, any bound may be the first that helps.
            let helps = |total: u64| total < cost || cost == u64::MAX;
            let Some((total, index)) = best.filter(|(total, _)| helps(*total)) else { break };
            let candidate = candidates.remove(index);
            let keyword = keyword_of(&candidate, around);
            let fits =
                |bound: u64| self.cost(&checked, around, &tried.and(&candidate, bound)).0 <= EstimatedCost::LIMIT;
            advice.push(AdvisedBound {
                bounds: bounds(&candidate, around),
                value: keyword.usual(),
                total,
                highest: highest(fits),
            });
            tried = tried.and(&candidate, keyword.usual());
            cost = total;
        }
        advice
    }

    fn checked(&self, text: &str, is_optional: bool) -> Option<Checked> {
        let environment = self.scope.with_old(is_optional);
        let ast = parse(text, &environment.release().syntax()).ok()?;
        check(ast, &environment).ok()
    }

    /// What an expression costs with these bounds, and the sizes that count.
    fn cost(&self, checked: &Checked, around: Option<&Around>, tried: &Tried) -> (u64, BTreeSet<Vec<Name>>) {
        let sizes = TriedSizes { declared: self.declared, tried, asked: RefCell::default() };
        let once = estimate(checked, &sizes).most;
        let values = around.map_or(1, |around| {
            let mut around = around.clone();
            for (index, bound) in &tried.around {
                around.0[*index].most = Some(*bound);
            }
            around.values(self.declared)
        });
        (once.saturating_mul(values), sizes.asked.into_inner())
    }

    fn candidates(&self, asked: &BTreeSet<Vec<Name>>, around: Option<&Around>) -> Vec<Candidate> {
        let below = asked.iter().filter_map(|path| self.below(path));
        let around = around.map_or(&[][..], |around| &around.0);
        let bounded =
            around.iter().enumerate().filter(|(_, one)| one.most.is_some_and(|most| most > one.keyword.usual()));
        let unbounded: Vec<usize> =
            around.iter().enumerate().filter(|(_, one)| one.most.is_none()).map(|(index, _)| index).collect();
        let bounded = bounded.map(|(index, _)| Candidate::Around(vec![index]));
        let unbounded = (!unbounded.is_empty()).then_some(Candidate::Around(unbounded));
        below.chain(bounded).chain(unbounded).collect()
    }

    /// What a path leads to, if a bound makes it smaller.
    fn below(&self, path: &[Name]) -> Option<Candidate> {
        let (mut schema, mut place, mut is_resource) = (self.schema, self.place.to_owned(), self.is_resource);
        let mut full: Vec<Name> = vec![Name::from("self")];
        full.extend(path.iter().cloned());
        for part in path {
            match &**part {
                "@items" => {
                    schema = schema.item_schema()?;
                    place.push_str("[*]");
                }
                "@values" => {
                    schema = schema.value_schema()?;
                    place.push_str(".*");
                }
                part => {
                    let named = schema.properties.keys().find(|name| escaped(name).as_deref() == Some(part))?;
                    // A bound of what rules do not see makes nothing cheaper.
                    schema = schema.properties.get(named).filter(|_| is_as_declared(schema, named, is_resource))?;
                    place = if place.is_empty() { named.clone() } else { format!("{place}.{named}") };
                }
            }
            is_resource = schema.embedded_resource;
        }
        let keyword = Keyword::of(schema)?;
        let is_large = self.declared.size(&full)?.most > keyword.size(keyword.usual());
        is_large.then(|| Candidate::Below { path: path.to_vec(), place, keyword })
    }
}

/// The keyword that bounds a candidate.
fn keyword_of(candidate: &Candidate, around: Option<&Around>) -> Keyword {
    match candidate {
        Candidate::Below { keyword, .. } => *keyword,
        Candidate::Around(containers) => {
            let first = containers.first().and_then(|first| around?.0.get(*first));
            first.map_or(Keyword::Items, |container| container.keyword)
        }
    }
}

fn bounds(candidate: &Candidate, around: Option<&Around>) -> Vec<(&'static str, String)> {
    match candidate {
        Candidate::Below { place, keyword, .. } => vec![(keyword.name(), place.clone())],
        Candidate::Around(containers) => {
            let around = around.map_or(&[][..], |around| &around.0);
            let named = containers.iter().filter_map(|container| around.get(*container));
            named.map(|container| (container.keyword.name(), container.place.clone())).collect()
        }
    }
}

/// The highest bound that fits; a higher one never fits if a lower one does not.
fn highest(fits: impl Fn(u64) -> bool) -> Option<u64> {
    /// No value of a request is larger.
    const LARGEST: u64 = 3 * 1024 * 1024;
    if !fits(1) {
        return None;
    }
    let (mut low, mut high) = (1, LARGEST);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some(low)
}
