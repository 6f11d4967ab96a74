//! The commands of a document as one script of bash.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use super::document::Block;

/// Runs `crdible` with fewer cases and properties, and fuzz runs that end with the first new entries, so that a test
/// takes seconds: it checks only that the commands work.
const CRDIBLE: &str = r#"#!/usr/bin/env bash
set -eu
if [ "$1" = fuzz ]; then
  kept() { find crdible-corpus -name '[!.]*.json' 2>/dev/null | wc -l; }
  before=$(kept)
  real-crdible "$@" &
  until [ "$(kept)" -gt $((before + 10)) ]; do kill -0 "$!"; sleep 0.05; done
  kill -TERM "$!"
  wait "$!" || [ "$?" = 130 ]
  exit 0
fi
for ((at = 2; at < $#; at++)); do
  if [ "${!at}" = --cases ]; then set -- "${@:1:at}" 1 "${@:at+2}"; fi
done
few=(--property 'prune-001*' 'ver-001*' 'default-001*')
case $1 in
run) if [[ " $* " != *" --cases "* && " $* " != *" --time "* ]]; then set -- "$@" --cases 1 "${few[@]}"; fi ;;
compare) set -- "$@" "${few[@]}" ;;
esac
exec real-crdible "$@"
"#;

/// A third-party server, which is another embedded server.
const MY_SERVER: &str = "#!/usr/bin/env bash\nexec real-crdible serve --listen 127.0.0.1:0\n";

/// Starts what the documents presuppose, and ends all servers with the script.
const BEGINNING: &str = r#"
set -eu -o pipefail
servers=()
end() { for server in "${servers[@]}"; do kill "$server"; wait "$server" || true; done; }
trap end EXIT
background() {
  rm -f url
  "$@" >url </dev/null &
  servers+=("$!")
  until [ -s url ]; do sleep 0.02; done
}
background real-crdible serve --kubeconfig my.kubeconfig
url=$(head -n 1 url)
"#;

/// The placeholders of documents for a running server, and arguments that take too long for a test.
const REPLACED: &[(&str, &str)] = &[
    ("http://127.0.0.1:8080", "\"$url\""),
    ("--time 10s", "--time 1m --cases 1"),
    ("--time 5s", "--time 5m"),
    ("--qps 200", "--qps 2000"),
];

/// A script in a folder of its own.
pub(crate) struct Script {
    folder: TempDir,
    commands: String,
}

impl Script {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let script = Self { folder, commands: String::new() };
        fs::create_dir(script.folder.path().join("bin")).expect("a folder for tools");
        script.tool("real-crdible", env!("CARGO_BIN_EXE_crdible").as_ref());
        for (name, text) in [("crdible", CRDIBLE), ("my-server", MY_SERVER)] {
            let path = script.folder.path().join("bin").join(name);
            fs::write(&path, text).expect("a writable folder");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable file");
        }
        script
    }

    /// Makes a program available under this name.
    pub(crate) fn tool(&self, name: &str, program: &Path) {
        symlink(program, self.folder.path().join("bin").join(name)).expect("a link");
    }

    /// Writes a file before anything is run.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        fs::write(path, text).expect("a writable folder");
    }

    /// Adds the commands of a block.
    pub(crate) fn run(&mut self, block: &Block) {
        for command in block.commands() {
            let mut command = command.to_owned();
            for (text, by) in REPLACED {
                command = command.replace(text, by);
            }
            let is_server = command.starts_with("crdible serve");
            self.commands += &format!("{}{command}\n", if is_server { "background " } else { "" });
        }
    }

    /// Adds a command.
    pub(crate) fn command(&mut self, command: &str) {
        self.commands += command;
        self.commands.push('\n');
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Runs all commands; each must succeed.
    pub(crate) fn execute(self, name: &str) {
        let tools = self.folder.path().join("bin").display().to_string();
        let path = format!("{tools}:{}", std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("bash");
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("CRDIBLE_") || variable == "KUBECONFIG" {
                command.env_remove(variable);
            }
        }
        let output = command
            .args(["-x", "-c", &format!("{BEGINNING}{}", self.commands)])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("HOME", self.folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("bash");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{name}:\n{}\n{}", text(&output.stdout), text(&output.stderr));
    }
}
