#!/usr/bin/env bash
# One step of a job: runs crdible, and leaves journal, reports and counterexamples in a folder. action.yml says what the variables mean.
set -euo pipefail

folder=${CRDIBLE_FOLDER:-crdible-report}
mkdir -p "$folder"
[ ! -e "$folder/run.ndjson" ] || { echo "$folder/run.ndjson is there already: give each use of crdible in a job a folder of its own" >&2; exit 2; }

flags=()
# flag NAME VALUE: the flag, if there is a value.
flag() { [ -z "$2" ] || flags+=("--$1" "$2"); }
flag server "${CRDIBLE_SERVER:-}"
flag kubeconfig "${CRDIBLE_KUBECONFIG:-}"
flag launch "${CRDIBLE_LAUNCH:-}"
flag profile "${CRDIBLE_PROFILE:-}"
flag property "${CRDIBLE_PROPERTY:-}"
flag known "${CRDIBLE_KNOWN:-}"
flag time "${CRDIBLE_TIME:-}"
# Another seed each day, and the same for all parts of a run.
flag seed "${CRDIBLE_SEED:-$(date -u +%Y%m%d)}"
case ${CRDIBLE_COMMAND:-run} in
  run)
    flag cases "${CRDIBLE_CASES:-}"
    flag shard "${CRDIBLE_SHARD:-}"
    ;;
  fuzz)
    flag corpus "${CRDIBLE_FUZZ_CORPUS:-crdible-corpus}"
    flag until-quiet "${CRDIBLE_UNTIL_QUIET:-}"
    ;;
  *)
    echo "the command is run or fuzz, not ${CRDIBLE_COMMAND}" >&2
    exit 2
    ;;
esac

# An input that was not given is empty, which crdible would take for a URL and a file.
unset CRDIBLE_SERVER CRDIBLE_KUBECONFIG

code=0
crdible "${CRDIBLE_COMMAND:-run}" "${flags[@]}" --journal "$folder/run.ndjson" --failures "$folder/failures" \
  --html "$folder/report.html" --junit "$folder/junit.xml" --markdown "$folder/report.md" || code=$?
# Annotations, and the summary of the job. A part of a run is no report by itself.
if [ -s "$folder/report.md" ] && [ -z "${CRDIBLE_SHARD:-}" ]; then
  crdible report render "$folder/run.ndjson" ${CRDIBLE_KNOWN:+--known "$CRDIBLE_KNOWN"} --output github || true
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/report.md" >>"$GITHUB_STEP_SUMMARY"
fi
[ -z "${GITHUB_OUTPUT:-}" ] || echo "code=$code" >>"$GITHUB_OUTPUT"
# What a part of a run has judged says little about the whole.
if [ -n "${CRDIBLE_SHARD:-}" ]; then
  case $code in 1 | 4) code=0 ;; esac
fi
exit "$code"
