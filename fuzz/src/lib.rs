//! The fuzz targets, which use the same generators as the properties.
//!
//! ```sh
//! fuzz/run.sh all 60                                    # each target for a minute, with its seeds and its dictionary
//! cargo run -p crdible-fuzz --bin properties FILE…      # replays findings without cargo-fuzz
//! ```
//!
//! | target | what its bytes are, and what must not happen |
//! |---|---|
//! | `semantics` | choices of schemas and values: a law does not hold |
//! | `properties` | a property and its choices: the right server fails |
//! | `judging` | a wrong server, a property and its choices: the right server fails, or the wrong one for something else than its fault |
//! | `parsers` | a text: a parser or the server panics |
//! | `expressions` | the release and the text of a rule: the language panics, or does not end |
//! | `requests` | choices of requests: the server panics, or its answer is no answer |

mod bench;
pub mod expressions;
pub mod judging;
pub mod parsers;
pub mod properties;
pub mod requests;
pub mod semantics;
pub mod wrong;

/// Runs a target on each file of the command line.
///
/// # Errors
/// A file cannot be read.
pub fn run_files(target: fn(&[u8])) -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        target(&std::fs::read(&path)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crdible_generators::choice::Choices;
    use crdible_generators::json::Json;

    use super::{expressions, judging, parsers, properties, requests, semantics, wrong};

    /// Runs a target on random inputs of up to 512 bytes; the inputs are the same every time.
    fn on_random_bytes(times: u64, target: impl FnMut(&[u8])) {
        on_bytes(times, 512, 200, target);
    }

    fn on_bytes(times: u64, most: usize, average: u64, mut target: impl FnMut(&[u8])) {
        for seed in 0..times {
            let mut choices = Choices::random(seed);
            let data = choices
                .many_average("byte", 0, most, average, |choices, _| u8::try_from(choices.draw(255)).unwrap_or(0));
            target(&data);
        }
    }

    /// Runs a target on its committed seeds, in the order of their names.
    fn on_seeds(name: &str, mut target: impl FnMut(&[u8])) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
        let entries = std::fs::read_dir(folder).expect("a folder of seeds");
        let paths: BTreeSet<_> = entries.map(|entry| entry.expect("a file").path()).collect();
        assert!(paths.len() >= 10, "{name} has only {} seeds", paths.len());
        for path in paths {
            target(&std::fs::read(path).expect("a seed"));
        }
    }

    #[test]
    fn laws_of_the_semantics_hold() {
        on_seeds("semantics", semantics::run);
        on_random_bytes(400, semantics::run);
    }

    #[test]
    fn properties_pass_against_a_correct_server() {
        on_seeds("properties", properties::run);
        on_random_bytes(300, properties::run);
    }

    #[test]
    fn expressions_do_not_panic() {
        on_seeds("expressions", expressions::run);
        on_random_bytes(2_000, expressions::run);
    }

    #[test]
    fn any_sequence_of_requests_is_answered() {
        on_seeds("requests", requests::run);
        on_random_bytes(400, requests::run);
    }

    /// The names of all wrong servers.
    fn wrong_servers() -> BTreeSet<&'static str> {
        wrong::ALL.iter().map(|wrong| wrong.name).collect()
    }

    /// The committed seeds find each wrong server. What else a verdict may say is in the target.
    #[test]
    fn the_seeds_find_each_wrong_server_guilty() {
        let mut missed = wrong_servers();
        on_seeds("judging", |data| {
            judging::guilty(data).map(|name| missed.remove(name));
        });
        assert_eq!(missed, BTreeSet::new(), "missed by the seeds: choose new ones with fuzz/seeds.sh");
    }

    /// Random bytes find them, too.
    #[test]
    fn random_bytes_find_each_wrong_server_guilty() {
        let mut missed = wrong_servers();
        on_bytes(3_000, 4_000, 1_200, |data| {
            // One verdict on each is enough.
            if judging::accused(data).is_some_and(|name| missed.contains(name)) {
                judging::guilty(data).map(|name| missed.remove(name));
            }
        });
        assert_eq!(missed, BTreeSet::new(), "missed by random bytes");
    }

    #[test]
    fn parsers_do_not_panic() {
        on_seeds("parsers", parsers::run);
        on_random_bytes(400, parsers::run);
        // Almost valid JSON gets further into a parser than random bytes.
        for seed in 0..400 {
            let mut choices = Choices::random(seed);
            let mut text = Json::from(crdible_generators::value::json(&mut choices, 4)).to_text().into_bytes();
            let cut = choices.up_to(text.len());
            if choices.chance(1, 2) {
                text.truncate(cut);
            }
            parsers::run(&text);
        }
    }
}
