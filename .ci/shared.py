"""Says whether `cargo run` uses the libraries that `cargo test` builds: shared.py

With other features, most of them would be compiled twice; see suite/tests/Cargo.toml. Each library has a file whose name
follows from its features and its profile: those that the command is linked from must be among those of the tests,
whatever was built before.
"""

import json
import pathlib
import subprocess
import sys


def libraries(*arguments):
    command = ["cargo", *arguments, "--locked", "--message-format", "json-render-diagnostics"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"this failed with exit code {ended.returncode}: {' '.join(command)}")
    messages = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    artifacts = [message for message in messages if message["reason"] == "compiler-artifact"]
    files = {pathlib.Path(file).name for message in artifacts for file in message["filenames"]}
    return {file for file in files if file.endswith(".rlib")}


linked, tested = libraries("build", "--bin", "crdible"), libraries("test", "--no-run")
others = sorted(linked - tested)
if not linked or others:
    sys.exit(f"of {len(linked)} libraries the tests use others, so that both are compiled: {' '.join(others)}")
print(f"cargo run and cargo test use the same {len(linked)} libraries")
