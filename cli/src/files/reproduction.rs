//! A counterexample as a shell script or a Rust test, which others can run without crdible's files.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use crdible::{
    execute::Record,
    run::{Counterexample, minimal},
};
use crdible_reports::render;

use crate::{error::CliError, output};

/// What to write beside the result of a replay.
#[derive(Debug, Args)]
pub(crate) struct ReproductionArgs {
    /// Write the requests of this replay as a script, which needs nothing but a shell and curl
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Write a Rust test that runs the counterexample
    #[arg(long, value_name = "FILE")]
    rust_test: Option<PathBuf>,
}

impl ReproductionArgs {
    /// Several counterexamples do not fit into one file.
    pub(crate) fn refuse_several(&self) -> Result<(), CliError> {
        match (&self.script, &self.rust_test) {
            (None, None) => Ok(()),
            (Some(_), _) => Err(CliError::usage("--script needs one counterexample, not several")),
            (_, Some(_)) => Err(CliError::usage("--rust-test needs one counterexample, not several")),
        }
    }

    /// Opens the files, so that one that cannot be written is an error before anything is run.
    pub(crate) fn open<'a>(
        &'a self,
        from: &'a Path,
        counterexample: &'a Counterexample,
    ) -> Result<Reproduction<'a>, CliError> {
        let scenario = counterexample.scenario.server();
        let is_asked = self.script.is_some() || self.rust_test.is_some();
        if is_asked && scenario.is_none() {
            return Err(CliError::usage(
                "--script and --rust-test are for counterexamples of \
                 API servers; this one is about a conversion webhook",
            ));
        }
        let definitions = scenario.map_or(&[][..], |scenario| &scenario.definitions);
        if self.script.is_some() && definitions.iter().any(|definition| definition.webhook.is_some()) {
            return Err(CliError::usage(
                "--script: a script cannot be the conversion webhook of this counterexample; use --rust-test",
            ));
        }
        for path in [&self.script, &self.rust_test].into_iter().flatten() {
            if path.exists() {
                return Err(CliError::cannot("write", path)(io::ErrorKind::AlreadyExists.into()));
            }
        }
        Ok(Reproduction { arguments: self, from, counterexample })
    }
}

/// Files to be written once the counterexample has run.
#[derive(Debug)]
pub(crate) struct Reproduction<'a> {
    arguments: &'a ReproductionArgs,
    from: &'a Path,
    counterexample: &'a Counterexample,
}

impl Reproduction<'_> {
    /// Writes the files that were asked for, the script with the requests of this record.
    pub(crate) fn write(&self, record: &Record) -> Result<(), CliError> {
        if let Some(path) = &self.arguments.script {
            let minimal = minimal(record, &[]);
            if minimal.requests.is_empty() {
                output::warn(&format!("{} is not written, because nothing was sent", path.display()));
            } else {
                write(path, &render::script(&self.counterexample.failure, &minimal))?;
            }
        }
        if let Some(path) = &self.arguments.rust_test {
            write(path, &self.rust_test())?;
        }
        Ok(())
    }

    fn rust_test(&self) -> String {
        let failure = &self.counterexample.failure;
        let text = in_ascii(&output::without_secrets(&self.counterexample.to_text()));
        let stem = self.from.file_stem().unwrap_or_default().to_string_lossy();
        // All of it may come from another person's file.
        let name = identifier(&format!("{}_{stem}", failure.signature.property));
        let about = render::quoted(&format!("{} ({})", failure.summary, failure.requirements.join(", ")));
        // Raw strings end at a quotation mark with as many signs as they began with.
        let signs = "#".repeat(longest_run(&text) + 1);
        format!(
            "//! {about}\n\
             //!\n\
             //! Needs a dev-dependency on `crdible`. `CRDIBLE_SERVER`, `CRDIBLE_KUBECONFIG` or `CRDIBLE_LAUNCH`\n\
             //! names the server; without them it is the embedded one.\n\n\
             #[test]\n\
             fn {name}() {{\n    crdible::harness::replay(COUNTEREXAMPLE);\n}}\n\n\
             const COUNTEREXAMPLE: &str = r{signs}\"{text}\"{signs};\n",
        )
    }
}

/// A text as the name of a function, which does not begin with a digit.
fn identifier(text: &str) -> String {
    let name: String =
        text.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The same JSON in ASCII: a compiler refuses some other characters, such as those that change the direction of text.
fn in_ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            let units = character.encode_utf16(&mut [0; 2]).to_vec();
            units.iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
        }
    }
    text
}

/// The longest run of `#` behind a quotation mark.
fn longest_run(text: &str) -> usize {
    let after_marks = text.split('"').skip(1);
    after_marks.map(|rest| rest.bytes().take_while(|byte| *byte == b'#').count()).max().unwrap_or(0)
}

/// Writes a file. An existing one is never overwritten.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let failed = CliError::cannot("write", path);
    let mut file = File::create_new(path).map_err(&failed)?;
    file.write_all(output::without_secrets(text).as_bytes()).map_err(failed)?;
    output::remark(&format!("wrote {}", path.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{identifier, in_ascii, longest_run};

    #[test]
    fn nothing_of_a_file_becomes_code() {
        assert_eq!(identifier("prune-001_r1-f2"), "prune_001_r1_f2");
        assert_eq!(identifier("1() { evil() }\nfn é"), "_1_____evil_____fn__");
        assert_eq!(longest_run(r###"{"a": "#", "b": "x\"##"}"###), 2);
        let json = serde_json::json!({ "é\u{202e}": "\u{1f600}" });
        let text = in_ascii(&json.to_string());
        assert!(text.is_ascii(), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), json);
    }
}
