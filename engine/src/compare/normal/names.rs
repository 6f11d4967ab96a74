//! Removes generated names from an answer.

use serde_json::Value;

/// Removes what the executor generated: groups (`g<number>.<run>.crdible.dev`, reversed in names of models), the run's
/// ID, names of objects. Both sides are treated the same, so a generated string that happens to look like a name hides
/// no difference.
#[derive(Debug, Default)]
pub(super) struct GeneratedNames {
    run: String,
}

impl GeneratedNames {
    /// The names that the run with this ID generates.
    pub(super) fn of(run: &str) -> Self {
        Self { run: run.to_owned() }
    }

    /// The ID of the run.
    pub(super) fn run(&self) -> &str {
        &self.run
    }

    /// Removes the names from all strings and keys.
    pub(super) fn remove(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(normal) = self.renamed(text) {
                    *text = normal;
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.remove(element)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|field| self.remove(field));
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

    /// The text without generated names.
    pub(super) fn without(&self, text: &str) -> String {
        self.renamed(text).unwrap_or_else(|| text.to_owned())
    }

    /// The text without generated names; `None` if it contains none.
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

/// The number in the name that the executor generated for an object (`x<execution>-<number>`).
fn number_of_object(name: &str) -> Option<&str> {
    let (execution, number) = name.strip_prefix('x')?.split_once('-')?;
    let are_numbers =
        [execution, number].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    are_numbers.then_some(number)
}
