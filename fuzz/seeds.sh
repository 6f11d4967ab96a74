#!/usr/bin/env bash
# Chooses the seeds of a fuzz target from what it kept in fuzz/corpus: fuzz/seeds.sh TARGET COUNT
# Of all inputs it takes the one that reaches most, then the one that reaches most of the rest, and so on, except for the smallest, which a fuzzer makes
# in its first second. Seeds whose names are no hash were
# written by hand and stay. Do this after a change of the generators, for which the same bytes mean something else: fuzz/run.sh TARGET 300 first.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 TARGET COUNT" >&2; exit 2; }
cd "$(dirname "$0")/.."
target=$1 count=$2
seeds=fuzz/seeds/$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$seeds" "$work/merged"
cargo fuzz run --dev --sanitizer none "$target" "$work/merged" "fuzz/corpus/$target" "$seeds" -- \
  -merge=1 -merge_control_file="$work/control" -max_len=1024 -verbosity=0
python3 - "$work/control" "$seeds" "$count" <<'EOF'
import hashlib, os, re, sys

control, seeds, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
lines = open(control).read().split("\n")
# How many files, how many of them are in the first folder, and then all names.
names = lines[2:2 + int(lines[0])]
reached = {}
for line in lines[2 + len(names):]:
    kind, *numbers = line.split() or [None]
    if kind in ("FT", "COV") and len(numbers) > 1:
        reached.setdefault(names[int(numbers[0])], set()).update((kind, number) for number in numbers[1:])
reached = {name: marks for name, marks in reached.items() if 32 <= os.path.getsize(name) <= 1024}
is_hash = re.compile("[0-9a-f]{40}").fullmatch
old = [name for name in os.listdir(seeds) if is_hash(name)]
done = set().union(*(marks for name, marks in reached.items() if name.startswith(seeds) and os.path.basename(name) not in old))
chosen = []
while len(chosen) < count and reached:
    name = max(reached, key=lambda name: (len(reached[name] - done), -os.path.getsize(name), name))
    if not reached[name] - done:
        break
    done |= reached.pop(name)
    data = open(name, "rb").read()
    chosen.append((hashlib.sha1(data).hexdigest(), data))
for name in old:
    os.remove(os.path.join(seeds, name))
for name, data in chosen:
    open(os.path.join(seeds, name), "wb").write(data)
print(f"{len(chosen)} seeds, {sum(len(data) for _, data in chosen)} bytes")
EOF
