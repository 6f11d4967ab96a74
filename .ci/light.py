"""Says how light crdible is to build: light.py BUILD CRATES SECONDS

BUILD.json has cargo's messages about the build of the command, BUILD.seconds and BUILD.verdict how long that and the
first verdict took. More than CRATES crates of others are an error: packages from elsewhere of which something is
compiled for the binary. The time depends on the machine, so it is only printed beside the goal, SECONDS.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

build, most, goal = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def seconds(name):
    path = pathlib.Path(f"{build}.{name}")
    return int(path.read_text()) if path.exists() else None


artifacts = [json.loads(line) for line in open(f"{build}.json", encoding="utf-8") if line.startswith("{")]
artifacts = [message for message in artifacts if message["reason"] == "compiler-artifact"]
crates = {message["package_id"] for message in artifacts}
compiled = {message["package_id"] for message in artifacts if not message["fresh"]}

began = time.monotonic()
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["git", "clone", "--quiet", "--local", ".", folder], check=True)
clone = time.monotonic() - began

if compiled == crates and seconds("verdict") is not None:
    total = clone + seconds("seconds") + seconds("verdict")
    parts = f"clone {clone:.1f} s, build {seconds('seconds')} s, verdict {seconds('verdict')} s"
    print(f"from a fresh clone to the verdict, with other work beside it: {total:.0f} s (goal: {goal} s): {parts}")
else:
    warm = f"the build was warm, only {len(compiled)} crates were compiled"
    print(f"{warm}; .ci/nightly clone measures the time from a fresh clone (goal: {goal} s)")
ours = {crate for crate in crates if crate.startswith("path+")}
others = len(crates) - len(ours)
print(f"{others} crates of others (at most {most}) and {len(ours)} of ours are compiled for the binary")
sys.exit(others > most)
