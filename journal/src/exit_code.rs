//! The exit codes of every command.

/// Exit codes of every command. They are an interface: they never change.
#[derive(Debug)]
pub enum ExitCode {}

impl ExitCode {
    /// Success: conformant, reproduced, no differences, or nothing to report.
    pub const SUCCESS: u8 = 0;
    /// A promise is broken: nonconformant, not reproduced, or different.
    pub const FAILURE: u8 = 1;
    /// The command line, or a file that it names, is invalid.
    pub const USAGE: u8 = 2;
    /// The target cannot be used.
    pub const UNUSABLE: u8 = 3;
    /// Too few cases were run for a verdict.
    pub const INCOMPLETE: u8 = 4;
    /// Interrupted by Ctrl-C or SIGTERM.
    pub const INTERRUPTED: u8 = 130;
}
