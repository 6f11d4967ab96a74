//! The bodies of the fuzz targets, over the same generators as everything else.
//!
//! ```sh
//! cargo fuzz run --sanitizer none innocent -- -max_total_time=60
//! cargo run -p crdible-fuzz --bin innocent FILE…      # replays findings without cargo-fuzz
//! ```

pub mod innocent;
pub mod parsers;
pub mod requests;
pub mod semantics;

/// Runs a target on each file that the command line names.
///
/// # Errors
/// A file that cannot be read.
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

    /// Random inputs of up to 512 bytes, the same ones every time.
    fn on_random_bytes(times: u64, target: fn(&[u8])) {
        for seed in 0..times {
            let mut choices = Choices::random(seed);
            let data =
                choices.many_average("byte", 0, 512, 200, |choices, _| u8::try_from(choices.draw(255)).unwrap_or(0));
            target(&data);
        }
    }

    #[test]
    fn semantics_keep_their_algebra() {
        on_random_bytes(400, super::semantics::run);
    }

    #[test]
    fn the_right_server_is_innocent() {
        on_random_bytes(300, super::innocent::run);
    }

    #[test]
    fn any_requests_are_answered() {
        on_random_bytes(400, super::requests::run);
    }

    #[test]
    fn parsers_do_not_panic() {
        on_random_bytes(400, super::parsers::run);
        // Bytes that are nearly JSON get further in than random ones.
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
