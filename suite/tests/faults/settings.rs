//! What the environment says about the trials.

use std::{cell::Cell, env, sync::LazyLock};

use crdible_semantics::{Release, release::Version};

use crate::sample::Sample;

/// What the environment says.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// `CRDIBLE_FAULT_RELEASE`: the release that all servers emulate, and by which they are judged, if it is stated.
    pub(crate) release: Option<Release>,
    /// `CRDIBLE_FAULT_SEEDS`: how many seeds each fault is tried with.
    pub(crate) seeds: u64,
    /// `CRDIBLE_SAMPLE`: which sample of the trials is run, or all, if it is stated.
    pub(crate) sample: Option<Sample>,
    /// `CRDIBLE_FAULT_SHARE`, such as 1/2: which share of the trials is run, and of how many.
    pub(crate) share: Option<Share>,
    /// `CRDIBLE_FAULT_NIGHTS`: with how many faults a run is compared with a corpus that learns, if it is stated.
    pub(crate) nights: Option<usize>,
    /// `CRDIBLE_FAULT_SOON`: with how many faults it is measured how soon a whole run sees them, if it is stated.
    pub(crate) soon: Option<usize>,
    /// `CRDIBLE_FAULT_COMBINATIONS`: how many combinations of faults are drawn, if it is stated.
    pub(crate) combinations: Option<u64>,
}

/// One of several equal shares of the trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// Which one, from 0 on.
    which: usize,
    of: usize,
}

impl Share {
    fn parse(text: &str) -> Option<Self> {
        let (which, of) = text.split_once('/')?;
        let (which, of) = (which.parse::<usize>().ok()?.checked_sub(1)?, of.parse().ok()?);
        (which < of).then_some(Self { which, of })
    }

    /// Its part of these.
    pub(crate) fn part<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter().skip(self.which).step_by(self.of).collect()
    }
}

impl Settings {
    /// Whether anything says which trials are run, or how.
    pub(crate) fn is_stated(&self) -> bool {
        self.release.is_some()
            || self.seeds > 1
            || self.share.is_some()
            || self.nights.is_some()
            || self.soon.is_some()
            || self.combinations.is_some()
    }
}

static SETTINGS: LazyLock<Result<Settings, String>> = LazyLock::new(|| {
    Ok(Settings {
        release: parsed("CRDIBLE_FAULT_RELEASE", "a release that crdible knows, such as 1.36", |text| {
            text.parse::<Version>().ok()?.known()
        })?,
        seeds: parsed("CRDIBLE_FAULT_SEEDS", "a number above 0", |text| text.parse().ok().filter(|seeds| *seeds > 0))?
            .unwrap_or(1),
        sample: parsed("CRDIBLE_SAMPLE", Sample::FORM, Sample::parse)?,
        share: parsed("CRDIBLE_FAULT_SHARE", "a share such as 1/2", Share::parse)?,
        nights: parsed("CRDIBLE_FAULT_NIGHTS", NUMBER, number)?,
        soon: parsed("CRDIBLE_FAULT_SOON", NUMBER, number)?,
        combinations: parsed("CRDIBLE_FAULT_COMBINATIONS", "a whole number", |text| text.parse().ok())?,
    })
});

/// A number of faults.
const NUMBER: &str = "a number above 0";

fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|faults| *faults > 0)
}

/// The settings, or what is wrong with them.
pub(crate) fn settings() -> Result<Settings, String> {
    SETTINGS.clone()
}

thread_local! {
    /// The release of the trial on this thread, if it is not that of the settings. A trial stays on its thread.
    static OTHER: Cell<Option<Release>> = const { Cell::new(None) };
}

/// The release of the trial on this thread: its servers emulate it, and are judged by it. A fault is a constant, so it
/// does not have a release.
pub(crate) fn release() -> Release {
    let stated = SETTINGS.as_ref().ok().and_then(|settings| settings.release);
    OTHER.get().or(stated).unwrap_or_default()
}

/// Does something at another release than that of the settings.
pub(crate) fn at<T>(other: Release, something: impl FnOnce() -> T) -> T {
    OTHER.set(Some(other));
    let done = something();
    OTHER.set(None);
    done
}

/// A variable of the environment; an empty one counts as missing.
fn parsed<T>(name: &str, form: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, String> {
    match env::var(name).ok().filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => match parse(&text) {
            None => Err(format!("{name} is `{text}`, but it must be {form}")),
            parsed => Ok(parsed),
        },
    }
}
