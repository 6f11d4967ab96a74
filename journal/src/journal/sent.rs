//! What a run has sent, and how long the answers took: for plots and as evidence, never for a verdict.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What a run has sent. A journal may have several such lines, of parts of the run; they add up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// How long the answers took, by kind of request: `dry-run POST of objects`.
    #[serde(default)]
    pub requests: BTreeMap<String, Latency>,
    /// How many different schemas each property has sent; what several shards sent counts several times.
    #[serde(default)]
    pub schemas: BTreeMap<String, u64>,
    /// The classes of values that checks judged, by keyword of the schema and position of the keyword.
    #[serde(default)]
    pub cells: BTreeMap<String, BTreeMap<String, Classes>>,
    /// In how many schemas a keyword was together with another one, or with itself: there it is the number of schemas.
    /// The first keyword is never behind the second in the order of texts.
    #[serde(default)]
    pub together: BTreeMap<String, BTreeMap<String, u64>>,
}

/// Classes of values: `Null`, `OnBound`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classes {
    /// Those of which a value was judged.
    pub hit: BTreeSet<String>,
    /// The others.
    pub missed: BTreeSet<String>,
}

/// A histogram of answer times: the number of answers per upper bound in microseconds. The bounds are at most a quarter
/// apart. In JSON it is a list of pairs of bound and count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct Latency(BTreeMap<u64, u64>);

impl From<Vec<(u64, u64)>> for Latency {
    fn from(pairs: Vec<(u64, u64)>) -> Self {
        let mut latency = Self::default();
        for (bound, count) in pairs {
            *latency.0.entry(bound).or_default() += count;
        }
        latency
    }
}

impl From<Latency> for Vec<(u64, u64)> {
    fn from(latency: Latency) -> Self {
        latency.0.into_iter().collect()
    }
}

impl Sent {
    /// Whether nothing was sent.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what another part of the run has sent.
    pub fn add(&mut self, other: Self) {
        for (kind, latency) in other.requests {
            self.requests.entry(kind).or_default().add(&latency);
        }
        for (property, count) in other.schemas {
            *self.schemas.entry(property).or_default() += count;
        }
        for (keyword, positions) in other.cells {
            for (position, classes) in positions {
                let own = self.cells.entry(keyword.clone()).or_default().entry(position).or_default();
                own.missed.extend(classes.missed);
                own.hit.extend(classes.hit);
                own.missed.retain(|class| !own.hit.contains(class));
            }
        }
        for (one, others) in other.together {
            for (other, count) in others {
                *self.together.entry(one.clone()).or_default().entry(other).or_default() += count;
            }
        }
    }
}

impl Latency {
    /// Counts one answer.
    pub fn note(&mut self, microseconds: u64) {
        let dropped = (u64::BITS - microseconds.leading_zeros()).saturating_sub(3);
        let bound = if dropped == 0 { microseconds } else { microseconds | ((1 << dropped) - 1) };
        *self.0.entry(bound).or_default() += 1;
    }

    /// How many answers there were.
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// The time within which this part of the answers came, in microseconds; 0 if there were none.
    pub fn within(&self, percent: u64) -> u64 {
        let wanted = (self.count() * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let bound = self.0.iter().find(|(_, count)| {
            seen += **count;
            seen >= wanted
        });
        bound.map_or(0, |(bound, _)| *bound)
    }

    fn add(&mut self, other: &Self) {
        for (bound, count) in &other.0 {
            *self.0.entry(*bound).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_a_quarter_apart_and_add_up() {
        let mut latency = Latency::default();
        for microseconds in [0, 1, 7, 8, 9, 1_000, 1_000_000] {
            latency.note(microseconds);
        }
        assert_eq!(latency.0.keys().copied().collect::<Vec<_>>(), [0, 1, 7, 9, 1_023, 1_048_575]);
        assert_eq!((latency.within(50), latency.within(99), latency.within(1)), (9, 1_048_575, 0));
        latency.add(&latency.clone());
        assert_eq!((latency.count(), latency.within(50)), (14, 9));
        assert_eq!(Latency::default().within(50), 0);
        let text = serde_json::to_string(&latency).expect("JSON");
        assert_eq!(serde_json::from_str::<Latency>(&text).expect("its own text"), latency);
        for microseconds in 1..10_000 {
            let mut one = Latency::default();
            one.note(microseconds);
            let bound = one.within(100);
            assert!(bound >= microseconds && bound * 4 <= microseconds * 5 + 4, "{microseconds} is at most {bound}");
        }
        let mut longest = Latency::default();
        longest.note(u64::MAX);
        assert_eq!(longest.within(100), u64::MAX);
    }

    #[test]
    fn what_one_part_hit_the_whole_has_hit() {
        let classes = |hit: &[&str], missed: &[&str]| {
            let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let classes = Classes { hit: set(hit), missed: set(missed) };
            let cells = [("type".to_owned(), [("Top".to_owned(), classes)].into())].into();
            let together = [("a".to_owned(), [("b".to_owned(), 2)].into())].into();
            Sent { cells, together, schemas: [("p".to_owned(), 3)].into(), ..Sent::default() }
        };
        let mut whole = classes(&["Null"], &["Given", "Absent"]);
        whole.add(classes(&["Given"], &["Null", "Absent"]));
        let mut expected = classes(&["Given", "Null"], &["Absent"]);
        expected.schemas.insert("p".to_owned(), 6);
        expected.together = [("a".to_owned(), [("b".to_owned(), 4)].into())].into();
        assert_eq!(whole, expected);
        assert!(!whole.is_empty() && Sent::default().is_empty());
    }
}
