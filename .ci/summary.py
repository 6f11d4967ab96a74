"""Prints how the steps of CI ended, and writes target/ci.json: summary.py STEPS [SECONDS]

STEPS has a line for each step: stage, name, result, seconds, budget, tries and reason. SECONDS is what all of them took.
The exit code is 1 if one failed.
"""

import json
import os
import sys

RESULTS = ["passed", "flaky", "failed", "skipped"]
COLUMNS = ["stage", "name", "result", "seconds", "budget", "tries", "reason"]


def read(path):
    with open(path, encoding="utf-8") as lines:
        steps = [dict(zip(COLUMNS, line.rstrip("\n").split("\t"), strict=True)) for line in lines]
    for step in steps:
        for column in ["seconds", "budget", "tries"]:
            step[column] = int(step[column])
    return steps


def remark(step):
    """What is to be said of a step beside its time."""
    if step["result"] == "flaky":
        return "it passed only when it was repeated"
    late = step["budget"] and step["seconds"] > step["budget"] and step["result"] != "skipped"
    return "; ".join(filter(None, [step["reason"], "over its budget" if late else ""]))


def main():
    steps = read(sys.argv[1])
    width = max([len(step["name"]) for step in steps], default=0)
    area = max([len(step["stage"]) for step in steps], default=0)
    print(f"\n{'stage':{area}}  {'step':{width}}  result   seconds  budget")
    for step in steps:
        row = f"{step['stage']:{area}}  {step['name']:{width}}  {step['result']:7}"
        print(f"{row}  {step['seconds']:7}  {step['budget']:6}  {remark(step)}".rstrip())
    ended = {result: [step for step in steps if step["result"] == result] for result in RESULTS}
    counts = {result: len(found) for result, found in ended.items()}
    summary = {"key": os.environ.get("KEY"), "seed": os.environ.get("SEED"), **counts, "steps": steps}
    if len(sys.argv) > 2:
        summary["seconds"] = int(sys.argv[2])
        print(f"\nall of it: {sys.argv[2]} s (to reach: 1500 s cold, 720 s warm, on 2 cores)")
    with open(os.environ.get("CRDIBLE_STEPS_JSON", "target/ci.json"), "w", encoding="utf-8") as file:
        json.dump(summary, file, indent=1)
        file.write("\n")
    if ended["flaky"]:
        print(f"\nflaky, and counted as passed: {', '.join(step['name'] for step in ended['flaky'])}")
    # In this form, which other tools read.
    print(f"\n{counts['passed'] + counts['flaky']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    sys.exit(1 if counts["failed"] else 0)


main()
