//! Who writes an object.

/// The maximum length of a manager's name, in bytes.
const MAX_MANAGER: usize = 128;

/// Who writes, and when.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The name of the manager.
    pub manager: String,
    /// The time of the write.
    pub time: String,
}

impl Writer {
    /// A component of the control plane.
    pub fn program(name: &str, time: String) -> Self {
        Self { manager: name.to_owned(), time }
    }
}

pub(crate) fn manager_name(field_manager: &str, user_agent: &str) -> String {
    let name = if field_manager.is_empty() { program(user_agent) } else { field_manager.to_owned() };
    if name.is_empty() { "unknown".into() } else { name }
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
