"""Tests of what the checks rest on, .ci/lib.sh, summary.py, shared.py, sample, run and nightly: selftest.py"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
HASH = "0123456789abcdef0123456789abcdef01234567"

# Where a shell starts this in the background, interrupts are ignored, and would be by the stages, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def run(command, **variables):
    """What a command prints in an environment without variables of CI but these, and its exit code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CRDIBLE_")}
    environment.update(variables)
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return ended.stdout, ended.returncode


def ends(pid):
    """Waits until a process has ended; one that its parent does not collect has ended, too."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if pathlib.Path("/proc", pid, "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


class Steps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.steps = pathlib.Path(self.folder.name, "steps")

    def stage(self, script):
        """Runs a stage with these steps alone, and gives what it prints and its exit code."""
        file = pathlib.Path(self.folder.name, "stage")
        file.write_text(f"source '{ROOT}/.ci/lib.sh'\nstage selftest\n{script}\nfinish\n", encoding="utf-8")
        variables = {"CRDIBLE_SAMPLE": HASH, "CRDIBLE_STEPS_JSON": f"{self.folder.name}/ci.json"}
        return run(["bash", str(file)], **variables)

    def assert_closes(self, printed, line):
        self.assertEqual(printed.rstrip("\n").splitlines()[-1], line, printed)

    def test_passed(self):
        printed, code = self.stage("step 'a b' 7 -- echo 'test result: ok. 3 passed'")
        self.assertEqual(code, 0, printed)
        self.assertRegex(printed, r"=== selftest: a b: passed \(\d+ s; budget 7 s\)\ntest result: ok. 3 passed\n")
        self.assert_closes(printed, "1 passed, 0 failed, 0 skipped")

    def test_a_failure_shows_why_and_does_not_stop_others(self):
        printed, code = self.stage("step one 1 -- sh -c 'echo the reason; exit 3'\nstep two 1 -- true")
        self.assertEqual(code, 1)
        self.assertIn("one: failed, exit code 3", printed)
        self.assertIn("the reason", printed)
        self.assert_closes(printed, "1 passed, 1 failed, 0 skipped")

    def test_a_function_ends_at_its_first_failure(self):
        printed, code = self.stage("f() { false; echo after; }\nstep one 1 -- f")
        self.assertEqual(code, 1)
        self.assertNotIn("after", printed)

    def test_a_long_log_is_cut_but_keeps_failures(self):
        script = "f() { echo thread panicked early; seq 1000; exit 1; }\nstep one 1 -- f"
        lines = self.stage(script)[0].splitlines()
        self.assertIn("1:thread panicked early", lines)
        self.assertNotIn("700", lines)
        self.assertIn("701", lines)

    def test_skipped(self):
        printed, code = self.stage("f() { skipped 'no network here'; }\nstep one 1 -- f\nskip two 'not in this sample'")
        self.assertEqual(code, 0)
        self.assertIn("one: skipped, no network here", printed)
        self.assertIn("two: skipped, not in this sample", printed)
        self.assert_closes(printed, "0 passed, 0 failed, 2 skipped")

    def test_what_needs_a_failed_step_is_skipped(self):
        steps = ["step build 1 -- false", "step use 1 --after build -- true", "step other 1 --after no -- true"]
        printed, _ = self.stage("\n".join(steps))
        self.assertIn("use: skipped, it needs the step that did not pass: build", printed)
        self.assert_closes(printed, "1 passed, 1 failed, 1 skipped")

    def test_flaky(self):
        printed, code = self.stage("f() { [ \"$TRY\" = 2 ] || exit 4; }\nstep one 1 --retry 4 -- f")
        self.assertEqual(code, 0, printed)
        self.assertIn("flaky, and counted as passed: one", printed)
        self.assert_closes(printed, "1 passed, 0 failed, 0 skipped")

    def test_only_the_declared_exit_code_is_tried_again(self):
        printed, code = self.stage("f() { [ \"$TRY\" = 2 ] || exit 5; }\nstep one 1 --retry 4 -- f\nstep two 1 -- f")
        self.assertEqual(code, 1)
        self.assert_closes(printed, "0 passed, 2 failed, 0 skipped")

    def test_an_error_between_the_steps_is_a_failure(self):
        printed, code = self.stage("step one 1 -- true\ncat /does/not/exist")
        self.assertEqual(code, 1)
        self.assert_closes(printed, "1 passed, 1 failed, 0 skipped")

    def test_an_interrupted_stage_did_not_pass(self):
        printed, code = self.stage("step one 1 -- true\nkill -INT $$\nstep two 1 -- true")
        self.assertEqual(code, 130)
        self.assert_closes(printed, "1 passed, 0 failed, 1 skipped")

    def test_servers_end_with_their_step(self):
        pid = pathlib.Path(self.folder.name, "server/pid")
        server = f"with_server '{pid.parent}' sh -c 'echo http://here; exec sleep 600'"
        printed, _ = self.stage(f"f() {{ {server}; address '{pid.parent}'; false; }}\nstep one 9 -- f")
        self.assertIn("http://here", printed)
        self.assertIn("http://here", pathlib.Path(pid.parent, "kubeconfig").read_text(encoding="utf-8"))
        self.assertTrue(ends(pid.read_text().strip()))

    def test_a_server_that_ends_is_not_waited_for(self):
        script = f"f() {{ with_server '{self.folder.name}/server' sh -c 'echo no port >&2; exit 1'; }}\nstep one 9 -- f"
        printed, code = self.stage(script)
        self.assertEqual(code, 1)
        self.assertIn("the server did not start:\nno port", printed)

    def test_the_summary_as_json(self):
        self.stage("step one 5 -- true\nstep two 6 -- false")
        summary = json.loads(pathlib.Path(self.folder.name, "ci.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["key"], HASH)
        self.assertEqual((summary["passed"], summary["failed"]), (1, 1))
        steps = [(step["name"], step["result"], step["budget"]) for step in summary["steps"]]
        self.assertEqual(steps, [("one", "passed", 5), ("two", "failed", 6)])


def sample(key, **variables):
    printed, code = run([".ci/sample"], CRDIBLE_SAMPLE=key, **variables)
    if code:
        raise ValueError(printed)
    return dict(line.replace("\\", "").split("=", 1) for line in printed.splitlines())


class Sample(unittest.TestCase):
    def test_the_same_key_is_the_same_sample(self):
        self.assertEqual(sample(HASH), sample(HASH.upper()))
        self.assertEqual(list(sample(HASH)), ["KEY", "SEED", "CLIENT", "CONVERTER", "OTHER_RELEASE", "EXTRA"])

    def test_by_default_the_key_is_the_tree_of_the_commit(self):
        tree = run(["git", "rev-parse", "HEAD^{tree}"])[0].strip()
        self.assertIn(f"KEY={tree}\n", run([".ci/sample"])[0])

    def test_keys_reach_everything_and_dimensions_are_independent(self):
        drawn = [sample(f"{number:08x}") for number in range(80)]
        self.assertEqual(len({row["SEED"] for row in drawn}), 80)
        self.assertEqual({row["CLIENT"] for row in drawn}, {"go", "python", "java", "rust"})
        self.assertEqual({row["EXTRA"] for row in drawn}, {"page", "install", "fuzz", "dependencies", "oldest"})
        self.assertEqual(len({(row["CLIENT"], row["CONVERTER"]) for row in drawn}), 16)

    def test_all(self):
        everything = sample("all")
        self.assertEqual(everything["CLIENT"], "go python java rust")
        self.assertEqual(everything["OTHER_RELEASE"].split(), sorted(os.listdir(ROOT / "upstream/releases")))

    def test_one_dimension_is_set_by_its_variable(self):
        self.assertEqual(sample(HASH, CRDIBLE_SEED="7", CRDIBLE_CLIENT="rust java")["CLIENT"], "rust java")
        self.assertEqual(sample(HASH, CRDIBLE_SEED="7"), {**sample(HASH), "SEED": "7"})

    def test_what_names_nothing_is_refused(self):
        for stated in ["SAMPLE=yesterday", "SAMPLE=abc", "SEED=x", "CLIENT=cobol", "EXTRA=page cobol"]:
            name, value = stated.split("=")
            printed, code = run([".ci/sample"], **{f"CRDIBLE_{name}": value})
            self.assertEqual(code, 2, stated)
            self.assertIn(f"CRDIBLE_{name} is {value}", printed)


class Run(unittest.TestCase):
    """.ci/run with stages of our own, in a repository of our own."""

    STAGES = ["build", "check", "test", "server", "reports", "upstream", "around", "ignored", "extra"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / ".ci/stages").mkdir(parents=True)
        (self.root / "upstream/releases/1.1").mkdir(parents=True)
        for name in ["run", "lib.sh", "summary.py", "sample"]:
            shutil.copy(ROOT / ".ci" / name, self.root / ".ci" / name)
        for name in self.STAGES:
            self.stage(name, f"step 'of {name}' 9 -- true")
        self.stage("build", "step 'build of the command' 9 -- true")

    def stage(self, name, script):
        path = self.root / ".ci/stages" / name
        path.write_text(f'#!/usr/bin/env bash\nsource "$(dirname "$0")/../lib.sh"\nstage {name}\n{script}\nfinish\n')
        path.chmod(0o755)

    def test_all_stages_run(self):
        printed, code = run([self.root / ".ci/run"], CRDIBLE_SAMPLE=HASH)
        self.assertEqual(code, 0, printed)
        self.assertTrue(printed.startswith(f"sample {HASH}: seed "), printed)
        self.assertIn(f"CRDIBLE_SAMPLE={HASH} {self.root}/.ci/run", printed)
        for name in self.STAGES[1:]:
            self.assertIn(f"=== {name}: of {name}: passed", printed)
        self.assertEqual(printed.splitlines()[-1], "9 passed, 0 failed, 0 skipped")

    def test_a_failure_does_not_stop_other_stages(self):
        self.stage("check", "step lints 9 -- false")
        self.stage("upstream", "exit 3")
        printed, code = run([self.root / ".ci/run"], CRDIBLE_SAMPLE=HASH)
        self.assertEqual(code, 1)
        self.assertEqual(printed.splitlines()[-1], "7 passed, 2 failed, 0 skipped", printed)

    def test_without_the_command_it_ends(self):
        begun = self.root / "begun"
        self.stage("server", f"step 'kube-apiserver: build' 9 -- sh -c 'touch {begun}; exec sleep 600'")
        fails = f"sh -c 'until [ -e {begun} ]; do sleep 0.05; done; exit 1'"
        self.stage("build", f"step 'build of the command' 9 -- {fails}\nstep use 9 --after 'build of the command' -- true")
        printed, code = run([self.root / ".ci/run"], CRDIBLE_SAMPLE=HASH)
        self.assertEqual(code, 1)
        self.assertEqual(printed.splitlines()[-1], "0 passed, 1 failed, 2 skipped", printed)

    def test_whatever_ends_it_ends_its_stages(self):
        self.stage("server", f"step long 9 -- sh -c 'echo $$ >{self.root}/pid; exec sleep 600'")
        environment = {**os.environ, "CRDIBLE_SAMPLE": HASH}
        process = subprocess.Popen([self.root / ".ci/run"], env=environment, stdout=subprocess.DEVNULL)
        pid = self.root / "pid"
        while not (pid.exists() and pid.read_text().strip()):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 143)
        self.assertTrue(ends(pid.read_text().strip()))


class Shared(unittest.TestCase):
    def said(self, of_run, of_test, code=0):
        """What is said if cargo, which is not asked here, built these files."""
        with tempfile.TemporaryDirectory() as folder:
            lines = {
                kind: json.dumps({"reason": "compiler-artifact", "filenames": [f"/built/{file}" for file in files]})
                for kind, files in [("build", of_run), ("test", of_test)]
            }
            cargo = pathlib.Path(folder, "cargo")
            cases = "".join(f"{kind}) echo '{line}' ;; " for kind, line in lines.items())
            cargo.write_text(f"#!/bin/sh\ncase $1 in {cases}esac\nexit {code}\n", encoding="utf-8")
            cargo.chmod(0o755)
            return run(["python3", ROOT / ".ci/shared.py"], PATH=f"{folder}:{os.environ['PATH']}")

    def test_the_same_libraries(self):
        printed, code = self.said(["liba-1.rlib", "crdible"], ["liba-1.rlib", "libb-1.rlib", "all-2"])
        self.assertEqual((printed, code), ("cargo run and cargo test use the same 1 libraries\n", 0))

    def test_other_features(self):
        printed, code = self.said(["liba-1.rlib", "libb-1.rlib"], ["liba-2.rlib", "libb-1.rlib"])
        self.assertEqual(code, 1)
        self.assertIn("liba-1.rlib", printed)
        self.assertNotIn("libb", printed)

    def test_nothing_or_a_failure_is_no_success(self):
        self.assertEqual(self.said([], ["liba-1.rlib"])[1], 1)
        printed, code = self.said(["liba-1.rlib"], ["liba-1.rlib"], code=101)
        self.assertEqual(code, 1)
        self.assertIn("exit code 101: cargo build --bin crdible", printed)


class Busy(unittest.TestCase):
    def test_it_says_which_run_failed_and_where(self):
        with tempfile.TemporaryDirectory() as folder:
            script = f"echo >>{folder}/runs; [ $(wc -l <{folder}/runs) != 2 ] || {{ echo thread x panicked; exit 7; }}"
            printed, code = run([".ci/busy", "--times", "3", "--seed", "1", "sh", "-c", script])
        self.assertEqual(code, 1, printed)
        self.assertIn("run 2: FAILED with exit code 7", printed)
        self.assertIn("    thread x panicked\n", printed)
        self.assertIn("2 of 3 runs passed; failed: 2", printed)

    def test_no_run_is_refused(self):
        self.assertEqual(run([".ci/busy", "--times", "0"])[1], 2)


class Nightly(unittest.TestCase):
    def test_parts_are_listed_and_others_refused(self):
        listed, code = run([".ci/nightly", "--list"])
        self.assertEqual(code, 0)
        self.assertIn("\nfaults-20-seeds ", listed)
        for arguments in [["no-such-part"], ["--seed", "x"], ["--seed"], ["--what"]]:
            self.assertEqual(run([".ci/nightly", *arguments])[1], 2, arguments)


if __name__ == "__main__":
    unittest.main()
