//! A counterexample as something that others can run without crdible's files: a shell script, or a Rust test.

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
            (Some(_), _) => Err(CliError::Usage("--script needs one counterexample, not several".to_owned())),
            (_, Some(_)) => Err(CliError::Usage("--rust-test needs one counterexample, not several".to_owned())),
        }
    }

    /// Refuses what cannot be written, before anything is run.
    pub(crate) fn open<'a>(
        &'a self,
        from: &'a Path,
        counterexample: &'a Counterexample,
    ) -> Result<Reproduction<'a>, CliError> {
        let scenario = &counterexample.scenario;
        if self.script.is_some() {
            let uses_webhooks = scenario.definitions.iter().any(|definition| definition.webhook.is_some());
            if uses_webhooks || scenario.contract.is_some() {
                return Err(CliError::Usage(
                    "--script: a script cannot be the conversion webhook of this counterexample; use --rust-test"
                        .to_owned(),
                ));
            }
        }
        for path in [&self.script, &self.rust_test].into_iter().flatten() {
            if path.exists() {
                let source = io::Error::from(io::ErrorKind::AlreadyExists);
                return Err(CliError::File { what: "write", path: path.clone(), source });
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
            write(path, &render::script(&self.counterexample.failure, &minimal(record)))?;
        }
        if let Some(path) = &self.arguments.rust_test {
            write(path, &self.rust_test())?;
        }
        Ok(())
    }

    fn rust_test(&self) -> String {
        let failure = &self.counterexample.failure;
        let text = output::without_secrets(&self.counterexample.to_text()).into_owned();
        let property = failure.signature.property.replace('-', "_");
        let stem = self.from.file_stem().unwrap_or_default().to_string_lossy();
        let stem: String =
            stem.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect();
        let summary = render::comment(&failure.summary);
        let requirements = failure.requirements.join(", ");
        // Raw strings end at a quotation mark with as many signs as they began with.
        let signs = "#".repeat(longest_run(&text) + 1);
        format!(
            "//! {summary} ({requirements})\n\
             //!\n\
             //! Needs a dev-dependency on `crdible`. `CRDIBLE_SERVER`, `CRDIBLE_KUBECONFIG` or `CRDIBLE_LAUNCH` names the server; without them it is the\n\
             //! embedded one.\n\n\
             #[test]\n\
             fn {property}_{stem}() {{\n    crdible::harness::replay(COUNTEREXAMPLE);\n}}\n\n\
             const COUNTEREXAMPLE: &str = r{signs}\"{text}\"{signs};\n",
        )
    }
}

/// The longest run of `#` behind a quotation mark.
fn longest_run(text: &str) -> usize {
    let after_marks = text.split('"').skip(1);
    after_marks.map(|rest| rest.bytes().take_while(|byte| *byte == b'#').count()).max().unwrap_or(0)
}

/// Writes a file. An existing one is never overwritten.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let failed = |source| CliError::File { what: "write", path: path.to_owned(), source };
    let mut file = File::create_new(path).map_err(failed)?;
    file.write_all(output::without_secrets(text).as_bytes()).map_err(failed)?;
    output::remark(&format!("wrote {}", path.display()));
    Ok(())
}
