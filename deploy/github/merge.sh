#!/usr/bin/env bash
# Puts the parts of a run together: merge.sh FOLDER, which holds a folder for each part, as `actions/download-artifact` makes them. Writes the report
# there, and issue.md if there are failures that are not known. CRDIBLE_KNOWN is the file of known failures.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
folder=$1
code=0
crdible report merge "$folder"/*/run.ndjson ${CRDIBLE_KNOWN:+--known "$CRDIBLE_KNOWN"} --journal "$folder/run.ndjson" \
  --html "$folder/report.html" --junit "$folder/junit.xml" --markdown "$folder/report.md" || code=$?
[ -s "$folder/report.md" ] || exit "$code"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/report.md" >>"$GITHUB_STEP_SUMMARY"
if [ "$code" = 1 ]; then
  {
    echo "crdible found failures that are not in the file of known failures."
    [ -z "${GITHUB_RUN_ID:-}" ] || echo "The reports and the counterexamples are artefacts of [this run]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID)."
    echo
    cat "$folder/report.md"
  } >"$folder/issue.md"
fi
exit "$code"
