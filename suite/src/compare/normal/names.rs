//! The names that an execution makes up, taken out of an answer.

use serde_json::Value;

/// Takes out what the executor made up: groups (`g<number>.<run>.crdible.dev`, in names of models from behind), the run's ID, names of
/// objects. Both sides lose the same, so a generated text that happens to look so hides nothing.
#[derive(Debug, Default)]
pub(super) struct GeneratedNames {
    run: String,
}

impl GeneratedNames {
    /// What the run with this ID makes up.
    pub(super) fn of(run: &str) -> Self {
        Self { run: run.to_owned() }
    }

    /// The ID of the run.
    pub(super) fn run(&self) -> &str {
        &self.run
    }

    /// Takes it out of all texts and keys.
    pub(super) fn take_out(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(normal) = self.renamed(text) {
                    *text = normal;
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.take_out(element)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|field| self.take_out(field));
                // Documents of OpenAPI have names in keys.
                let named: Vec<String> = fields.keys().filter(|key| self.renamed(key).is_some()).cloned().collect();
                for key in named {
                    if let (Some(renamed), Some(field)) = (self.renamed(&key), fields.remove(&key)) {
                        fields.insert(renamed, field);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The text without it.
    pub(super) fn without(&self, text: &str) -> String {
        self.renamed(text).unwrap_or_else(|| text.to_owned())
    }

    /// The text without it; `None` if it holds nothing of it.
    fn renamed(&self, text: &str) -> Option<String> {
        if let Some(number) = number_of_object(text) {
            return Some(format!("$object-{number}"));
        }
        if self.run.is_empty() || !text.contains(&self.run) {
            return None;
        }
        let mut pieces = text.split(&self.run);
        let mut renamed = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let is_digit = |letter: char| letter.is_ascii_digit();
            let before = renamed.strip_suffix('.').map(|rest| rest.trim_end_matches(is_digit));
            let model = renamed.strip_suffix("dev.crdible.").zip(piece.strip_prefix(".g"));
            renamed = match (before.and_then(|rest| rest.strip_suffix('g')), piece.strip_prefix(".crdible.dev"), model)
            {
                (Some(start), Some(rest), _) => format!("{start}$group{rest}"),
                (_, _, Some((start, rest))) => {
                    format!("{start}$group{}", rest.trim_start_matches(is_digit))
                }
                _ => format!("{renamed}$run{piece}"),
            };
        }
        Some(renamed)
    }
}

/// The number in the name that the executor made up for an object (`x<execution>-<number>`).
fn number_of_object(name: &str) -> Option<&str> {
    let (execution, number) = name.strip_prefix('x')?.split_once('-')?;
    let are_numbers =
        [execution, number].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    are_numbers.then_some(number)
}
