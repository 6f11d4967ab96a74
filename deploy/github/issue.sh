#!/usr/bin/env bash
# Tells what a night has found: issue.sh FILE. Opens an issue with the text of the file, or adds it as a comment to the one that is open. Needs gh and
# GH_TOKEN. Without a file, nothing was found, and nothing is done.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FILE" >&2; exit 2; }
[ -s "$1" ] || exit 0
label=crdible-nightly
# An issue holds 65,536 characters.
text=$(mktemp)
head -c 60000 "$1" >"$text"
open=$(gh issue list --label "$label" --state open --limit 1 --json number --jq '.[].number')
if [ -n "$open" ]; then
  gh issue comment "$open" --body-file "$text"
else
  gh label create "$label" --description 'found by the nightly run of crdible' 2>/dev/null || true
  gh issue create --title 'crdible found new failures' --label "$label" --body-file "$text"
fi
