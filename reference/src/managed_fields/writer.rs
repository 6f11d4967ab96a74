//! Who writes an object.

use http::header::USER_AGENT;

use crate::messages::request::Call;

/// The maximum length of a manager's name, in bytes.
const MAX_MANAGER: usize = 128;

/// Who writes, and when.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub(super) manager: String,
    /// The time of the write.
    pub(crate) time: String,
}

impl Writer {
    /// The `fieldManager` that a request names, or else the program that sent it.
    pub(crate) fn of(call: &Call<'_>, time: String) -> Self {
        let manager = match call.query.text("fieldManager") {
            "" => program(&String::from_utf8_lossy(call.headers.get(USER_AGENT).map_or(&[], |value| value.as_bytes()))),
            named => named.to_owned(),
        };
        Self { manager: if manager.is_empty() { "unknown".into() } else { manager }, time }
    }

    /// A component of the control plane.
    pub(crate) fn program(name: &str, time: String) -> Self {
        Self { manager: name.to_owned(), time }
    }
}

/// The program name in a `User-Agent`: the text before the first slash, without unprintable characters.
fn program(agent: &str) -> String {
    let name = agent.split('/').next().unwrap_or_default();
    let printable = name.chars().filter(|letter| *letter == ' ' || !(letter.is_whitespace() || letter.is_control()));
    let mut program = String::new();
    for letter in printable {
        if program.len() + letter.len_utf8() > MAX_MANAGER {
            break;
        }
        program.push(letter);
    }
    program
}
