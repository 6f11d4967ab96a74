//! Checks an expression without variables as a release of Kubernetes does, and evaluates it.
//!
//! ```sh
//! cargo run -p crdible-cel --example evaluate -- "quantity('1Gi').isGreaterThan(quantity('1G'))"
//! cargo run -p crdible-cel --example evaluate -- "[3, 1].sort() == [1, 3]" 34
//! ```

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use crdible_cel::{Bounds, Environment, Release, Sizes, check, describe, estimate, plan, syntax};

/// What one evaluation may spend in kube-apiserver.
const LIMIT: u64 = 1_000_000;

/// There are no variables whose sizes matter.
struct NoVariables;

impl Sizes for NoVariables {
    fn size(&self, _: &[Arc<str>]) -> Option<Bounds> {
        None
    }
}

fn main() -> io::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let (text, minor) = (arguments.next().unwrap_or_default(), arguments.next());
    let mut output = io::stdout();
    let release = Release::new_rules(minor.and_then(|minor| minor.parse().ok()).unwrap_or(36));
    let environment = Environment::new(release);
    let checked = match syntax::parse(&text, &release.syntax()).and_then(|ast| check(ast, &environment)) {
        Ok(checked) => checked,
        Err(issues) => {
            writeln!(output, "{}", describe(&text, &issues))?;
            return Ok(ExitCode::FAILURE);
        }
    };
    let bounds = estimate(&checked, &NoVariables);
    writeln!(output, "type: {}\nestimated cost: {} to {}", checked.result(), bounds.least, bounds.most)?;
    let value = plan(&checked, &environment).and_then(|program| {
        let (value, spent) = program.evaluate(&|_| None, LIMIT);
        value.map(|value| (value, spent.units))
    });
    match value {
        Ok((value, units)) => writeln!(output, "value: {value:?}\ncost: {units}")?,
        Err(error) => {
            writeln!(output, "error: {error}")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
