"""Compares the transcripts of a client with two servers: compare.py UPSTREAM EMBEDDED DIFFERENCES

UPSTREAM and EMBEDDED are transcripts: steps, each a line `== TITLE` followed by what the client saw. Values that differ
between any two servers (UIDs, times, resource versions, ports, hashes) are first replaced by placeholders. DIFFERENCES lists
the known differences, each with a reason. A difference that is not listed fails, and so does an entry that no longer occurs.
The README.md beside this file explains the output.
"""

import difflib
import fnmatch
import itertools
import json
import re
import sys
import tomllib


class Numbered:
    """Placeholders that are numbered in order of appearance: equal values stay equal, different values stay different."""

    def __init__(self, word):
        self.word = word
        self.seen = {}

    def __call__(self, match):
        number = self.seen.setdefault(match["value"], len(self.seen) + 1)
        return f"{match['before']}<{self.word} {number}>{match['after']}"


NOTHING = "(?P<before>)(?P<after>)"
FIXED = [
    # The version of a list changes with other writes of the server; the versions of objects do not.
    (r'("metadata": ?\{)("continue":"[^"]*",)?("remainingItemCount":\d+,)?"resourceVersion":"\d+"', r'\1\2\3"resourceVersion":"<list version>"'),
    (r'"continue" ?: ?"[A-Za-z0-9_-]{20,}"', '"continue":"<token>"'),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "<time>"),
    # The temporary files of `kubectl diff`.
    (r"/tmp/(LIVE|MERGED)-\d+/", r"/tmp/\1/"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}", "<time>"),
    (r"https?://(127\.0\.0\.1|\[::1\]|localhost):\d+", "<server>"),
    (r"(too old resource version: \d+) \(\d+\)", r"\1 (<current>)"),
    (r"\b(127\.0\.0\.1|\[::1\]):\d+", "<server>"),
    (r"\bhash=[0-9A-F]+", "hash=<hash>"),
    (r"\bmade-[a-z0-9]{5}\b", "made-<suffix>"),
    # An age has a variable width, and so has its column.
    (r"\bAGE\s+(?=\S)", "AGE "),
    (r"(?<=\s)(\d+m)?\d+[sm](\s+|$)", "<age> "),
]


def normalise(text):
    """Replaces variable values by placeholders."""
    uid = Numbered("uid")
    version = Numbered("version")
    lines = []
    for line in text.splitlines():
        for pattern, replacement in FIXED:
            line = re.sub(pattern, replacement, line)
        line = re.sub(NOTHING + r"(?P<value>\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b)", uid, line)
        line = re.sub(r'(?P<before>[rR]esource ?Version\\*"? ?: *\\*"?|ResourceVersion in record \()(?P<value>[1-9]\d*)(?P<after>\b)', version, line)
        lines.append(line.rstrip())
    return in_order(lines)


def in_order(lines):
    """Sorts causes, which have no order (REST); kubectl prints one per line."""
    ordered = []
    for is_cause, run in itertools.groupby(lines, lambda line: line.startswith("! * ")):
        ordered += sorted(run) if is_cause else run
    return ordered


def steps(lines):
    """The lines of each step, by title. A repeated title gets a number. JSON is written with one member per line."""
    found = {}
    title = "before the first step"
    for line in lines:
        if line.startswith("== "):
            title = line[3:]
            again = 2
            while title in found:
                title = f"{line[3:]} ({again})"
                again += 1
            found[title] = []
        else:
            found.setdefault(title, []).append(line)
    return {title: members(lines) if "managed" in title else unmanaged(members(lines)) for title, lines in found.items()}


def unmanaged(lines):
    """Removes managed fields from YAML or JSON: they are in every object, and have their own steps."""
    kept = []
    inside = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if inside is not None and (indent > inside or line[indent:].startswith(("- ", "]"))):
            continue
        inside = None
        if re.fullmatch(r' *"?managedFields"?:( \[)?', line):
            inside = indent
            continue
        kept.append(line)
    return kept


def members(lines):
    """Writes JSON, complete or line by line, with one member per line, sorted by key, because members have no order."""
    try:
        return json.dumps(json.loads("\n".join(lines)), indent=2, sort_keys=True).splitlines()
    except json.JSONDecodeError:
        pass
    if len(lines) > 1:
        return [member for line in lines for member in (members([line]) if line.startswith("{") else [line])]
    return lines


class Known:
    """An entry of the list: the lines of certain steps that may be on one side only, or count as equal although they differ."""

    def __init__(self, entry):
        keys = {"upstream", "embedded", "equal"}
        if set(entry) - keys - {"step", "reason"} or not entry.get("reason") or not any(entry.get(key) for key in keys):
            sys.exit(f"an entry needs `step`, `reason`, and lists of patterns: `upstream`, `embedded`, `equal`: {entry}")
        self.step = entry["step"]
        self.patterns = {key: {p: False for p in entry.get(key, [])} for key in sorted(keys)}

    def applies_to(self, title):
        """Whether the entry applies to a step."""
        return fnmatch.fnmatchcase(title, self.step)

    def explains(self, side, line):
        """Whether the line may be on this side only; records that the pattern was used."""
        for pattern in self.patterns[side]:
            if re.fullmatch(pattern, line):
                self.patterns[side][pattern] = True
                return True
        return False

    def reduce(self, upstream, embedded):
        """Reduces equal lines of both sides to the groups of the pattern; records whether the pattern was needed."""
        for pattern in self.patterns["equal"]:
            sides = [[(reduced(pattern, line), line) for line in lines] for lines in (upstream, embedded)]
            lines = [{short: line for short, line in side if short != line} for side in sides]
            if any(short in lines[1] and lines[1][short] != line for short, line in lines[0].items()):
                self.patterns["equal"][pattern] = True
            upstream, embedded = (in_order([short for short, _ in side]) for side in sides)
        return upstream, embedded

    def unused(self):
        """The patterns that explained nothing."""
        return [(key, p) for key, tried in self.patterns.items() for p, hit in tried.items() if not hit]


def reduced(pattern, line):
    """The significant part of a line: all of it, or the groups of a pattern that it matches."""
    match = re.fullmatch(pattern, line)
    return "".join([*match.groups(), " ≈"]) if match else line


def differences(upstream, embedded, known):
    """The diff with context, if some of its lines are not explained; otherwise empty."""
    for entry in known:
        upstream, embedded = entry.reduce(upstream, embedded)
    sides = {"-": "upstream", "+": "embedded"}
    explained = True
    shown = []
    for line in difflib.unified_diff(upstream, embedded, lineterm="", n=2):
        if line.startswith(("---", "+++", "@@")):
            continue
        side = sides.get(line[0])
        if side and any([entry.explains(side, line[1:]) for entry in known]):
            line = "≈" + line[1:]
        elif side:
            explained = False
        shown.append(line)
    return [] if explained else shown


def main():
    """Prints the differences; the exit code is 1 if some are not explained."""
    upstream_file, embedded_file, differences_file = sys.argv[1:]
    with open(differences_file, "rb") as file:
        known = [Known(entry) for entry in tomllib.load(file).get("difference", [])]
    with open(upstream_file, encoding="utf-8") as file:
        upstream = steps(normalise(file.read()))
    with open(embedded_file, encoding="utf-8") as file:
        embedded = steps(normalise(file.read()))

    wrong = 0
    for title, lines in upstream.items():
        for line in lines:
            if re.fullmatch(r"exit code \d+, not \d+", line):
                wrong += 1
                print(f"\n{title}\n  the story is wrong: with kube-apiserver, {line}")
    for title in [*upstream, *(title for title in embedded if title not in upstream)]:
        sides = (lines.get(title, ["(no such step)"]) for lines in (upstream, embedded))
        shown = differences(*sides, [entry for entry in known if entry.applies_to(title)])
        if shown:
            wrong += 1
            print(f"\n{title}\n  - kube-apiserver, + embedded server", *(f"  {line}" for line in shown), sep="\n")
    for entry in known:
        for side, pattern in entry.unused():
            wrong += 1
            print(f"\n{differences_file}: no longer occurs, remove it: step {entry.step!r}, {side} {pattern!r}")
    print(f"{len(upstream)} steps, {wrong} unexplained, {len(known)} explained differences")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
