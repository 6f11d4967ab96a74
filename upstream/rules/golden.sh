#!/bin/sh
# Writes the answers that tests of cel and semantics expect: upstream/rules/golden.sh ORACLE, which is crdible-rules
# of release 1.36.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 ORACLE" >&2; exit 2; }
oracle=$1
data=$(cd "$(dirname "$0")/../../cel/tests/data" && pwd)
"$oracle" -golden -texts parse <"$data/syntax.txt" >"$data/syntax.jsonl"
for name in values operators; do
  "$oracle" -golden -texts expression <"$data/$name.txt" >"$data/$name.jsonl"
done
"$oracle" -golden -texts eval <"$data/schemas.txt" >"$data/schemas.jsonl"
rules=$(cd "$(dirname "$0")/../../semantics/tests/data" && pwd)/rules.jsonl
python3 -c 'import json, sys
for line in sys.stdin: print(json.dumps(json.loads(line)["request"], ensure_ascii=False, separators=(",", ":")))' \
  <"$rules" | "$oracle" -golden >"$rules.new"
mv "$rules.new" "$rules"
