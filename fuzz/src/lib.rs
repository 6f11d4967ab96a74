//! The fuzz targets, which use the same generators as the properties.
//!
//! ```sh
//! cargo fuzz run --sanitizer none properties -- -max_total_time=60
//! cargo run -p crdible-fuzz --bin properties FILE…      # replays findings without cargo-fuzz
//! ```

pub mod parsers;
pub mod properties;
pub mod requests;
pub mod semantics;

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
    use crdible_generators::choice::Choices;
    use crdible_generators::json::Json;

    /// Runs a target on random inputs of up to 512 bytes; the inputs are the same every time.
    fn on_random_bytes(times: u64, target: fn(&[u8])) {
        for seed in 0..times {
            let mut choices = Choices::random(seed);
            let data =
                choices.many_average("byte", 0, 512, 200, |choices, _| u8::try_from(choices.draw(255)).unwrap_or(0));
            target(&data);
        }
    }

    #[test]
    fn laws_of_the_semantics_hold() {
        on_random_bytes(400, super::semantics::run);
    }

    #[test]
    fn properties_pass_against_a_correct_server() {
        on_random_bytes(300, super::properties::run);
    }

    #[test]
    fn any_sequence_of_requests_is_answered() {
        on_random_bytes(400, super::requests::run);
    }

    #[test]
    fn parsers_do_not_panic() {
        on_random_bytes(400, super::parsers::run);
        // Almost valid JSON gets further into a parser than random bytes.
        for seed in 0..400 {
            let mut choices = Choices::random(seed);
            let mut text = Json::from(crdible_generators::value::json(&mut choices, 4)).to_text().into_bytes();
            let cut = usize::try_from(choices.draw(text.len() as u64)).unwrap_or(0);
            if choices.chance(1, 2) {
                text.truncate(cut);
            }
            super::parsers::run(&text);
        }
    }
}
