"""Checks that workflows use actions of others by a full commit hash, with the version as a comment: pinned.py FILE…"""

import re
import sys

USE = re.compile(r"^\s*(?:- )?uses:\s*(.*)$")
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

wrong, count, known = [], 0, {}
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            used = USE.match(line)
            # Ours is used as it stands: beside the file, or at the head of its branch.
            if not used or used[1].startswith(("./", "crdible/crdible@")):
                continue
            count += 1
            where = f"{path}:{number}: {used[1]}"
            if not PINNED.fullmatch(used[1]):
                wrong.append(f"{where}: no full commit hash with the version as a comment")
                continue
            action, pin = used[1].split("@", 1)
            # actions/cache/save is of the repository actions/cache.
            repository = "/".join(action.split("/")[:2])
            if known.setdefault(repository, pin) != pin:
                wrong.append(f"{where}: elsewhere {repository} is used at {known[repository]}")
print("\n".join(wrong) if wrong else f"{count} uses of actions are pinned")
sys.exit(1 if wrong else 0)
