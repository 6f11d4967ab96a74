# shellcheck shell=bash
# What the stages and the other scripts of .ci share. It changes to the root of the checkout; `from_caller` finds paths
# that the caller gave.
#
# A stage is a file of .ci/stages: `stage NAME`, then a `step` for each thing that it checks, then `finish`. Results of
# steps are lines of $CRDIBLE_STEPS, which .ci/run shares among its stages; a stage that runs alone has its own, and
# prints the summary itself.
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TERM_COLOR=never
# CI builds each commit once, so what would make the next build faster only fills the disk.
export CARGO_INCREMENTAL=0

# shellcheck disable=SC2034 # for the stages
{
  upstream=${CRDIBLE_UPSTREAM:-$PWD/target/crdible-upstream}
  rules=${CRDIBLE_RULES_ORACLE:-$PWD/target/crdible-rules}
  upstreams=${CRDIBLE_UPSTREAMS:-$PWD/target/upstreams}
  built_clients=${CRDIBLE_CLIENTS:-$PWD/target/clients}
  crdible=${CRDIBLE_BINARY:-target/debug/crdible}
}
logs=$PWD/target/ci/logs
mkdir -p "$logs"

# from_caller PATH: the absolute path of what was named where the script was started.
from_caller() { (cd "$called_from" && realpath --canonicalize-missing "$1"); }

# ---- Ends: whatever ends a script, its servers end, and its folder is removed.

# The processes that were started and are still running; the folder that is removed at the end; where progress is
# written, see `quiet`.
started=() work="" progress="" stage=""
end_servers() {
  local pid
  for pid in "${started[@]}"; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  started=()
}
leave() {
  local code=$?
  [ "$code" = 0 ] || [ -z "$progress" ] || cat "$progress" >&3
  end_servers
  [ -z "$work" ] || rm -rf "$work"
  # Something went wrong between the steps, or the stage was ended by a signal.
  if [ -n "$stage" ] && [ -z "$finished" ]; then
    case $code in
      130 | 143) record "the rest of the stage" skipped 0 0 1 "it was interrupted" ;;
      *) record "the rest of the stage" failed 0 0 1 "it ended early with exit code $code" ;;
    esac
    finish "$code"
  fi
  exit "$code"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# quiet FILE: what commands say of their progress goes to this file, and is shown only if something is wrong.
quiet() {
  progress=$1
  exec 3>&2 2>"$progress"
}
# A folder that is removed at the end: $work.
make_work() { work=$(mktemp -d); }

# ---- Waiting

# wait_for SECONDS WHAT COMMAND…: until the command succeeds. The limit is for what never happens, and so is wide.
wait_for() {
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ "$SECONDS" -lt "$until" ] || { echo "this did not happen in time: $what" >&2; return 1; }
    sleep 0.1
  done
}

# start_server FOLDER COMMAND…: starts a server in the background, which prints its URL or the path of its kubeconfig
# when it is ready.
start_server() {
  local folder=$1
  shift
  mkdir -p "$folder"
  : >"$folder/address"
  "$@" >"$folder/address" 2>"$folder/server.log" </dev/null &
  started+=("$!")
  echo "$!" >"$folder/pid"
}
# await_server FOLDER: waits until it is ready, and writes FOLDER/kubeconfig. `address FOLDER` is what it printed.
await_server() {
  local pid until=$((SECONDS + 300)) printed
  pid=$(cat "$1/pid")
  until read -r printed <"$1/address"; do
    if ! kill -0 "$pid" 2>/dev/null || [ "$SECONDS" -ge "$until" ]; then
      echo "the server did not start:" >&2
      cat "$1/server.log" >&2
      return 1
    fi
    sleep 0.1
  done
  case $printed in
    /*) cp "$printed" "$1/kubeconfig" ;;
    *)
      cat >"$1/kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: embedded, cluster: {server: "$printed"}}]
users: [{name: embedded, user: {}}]
contexts: [{name: embedded, context: {cluster: embedded, user: embedded}}]
current-context: embedded
END
      ;;
  esac
}
address() { head -n 1 "$1/address"; }
# with_server FOLDER COMMAND…: starts a server and waits until it is ready.
with_server() {
  start_server "$@"
  await_server "$1"
}
# ask KUBECONFIG PATH ARGUMENT…: one request to the real kube-apiserver, by curl.
ask() {
  local kubeconfig=$1 path=$2
  shift 2
  curl --silent --show-error --insecure --header "Authorization: Bearer $(sed -n 's/^ *token: *//p' "$kubeconfig")" "$@" \
    "$(sed -n 's/^ *server: *//p' "$kubeconfig")$path"
}

# ---- What a machine with only the toolchains does not have

# need TOOL…: installs what is missing.
need() {
  local tool
  for tool; do
    command -v "$tool" >/dev/null || install_tool "$tool"
  done
}
install_tool() {
  case $1 in
    # They run for seconds, so they are built without optimization.
    cargo-*) CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off cargo install --locked --quiet "$1" ;;
    actionlint) GOBIN=$PWD/target/tools go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7 ;;
    xmllint) debian libxml2-utils ;;
    chromium) debian chromium fonts-dejavu-core ;;
    mvn) debian maven ;;
    musl-gcc) debian musl-tools ;;
    *) debian "$1" ;;
  esac
}
# debian PACKAGE…: the list of packages is fetched if there is none, or an old one. Two installations at a time are not
# possible.
debian() {
  local root=(env DEBIAN_FRONTEND=noninteractive)
  [ "$(id -u)" = 0 ] || root=(sudo "${root[@]}")
  local install=("${root[@]}" apt-get install --yes --quiet --no-install-recommends "$@")
  (
    flock 8
    "${install[@]}" || { "${root[@]}" apt-get update --quiet && "${install[@]}"; }
  ) 8>"$logs/apt-lock" >"$logs/apt" 2>&1 || { cat "$logs/apt" >&2; return 1; }
}
# npm_packages FOLDER MANIFEST: installs what a package.json lists, unless it is there. None brings a browser of its own.
npm_packages() {
  mkdir -p "$1"
  ! cmp --silent "$2" "$1/installed.json" || return 0
  cp "$2" "$1/package.json"
  (
    cd "$1"
    PUPPETEER_SKIP_DOWNLOAD=1 npm install --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel error
  )
  # Only now: an installation may be interrupted.
  cp "$2" "$1/installed.json"
}
PATH=$PATH:$PWD/target/tools
# Of Go, only modules are downloaded.
export GOTOOLCHAIN=local

# ---- The published results

# The folders of submitted results, and the reports in them. Sums of soaks are in a folder of their own.
submissions() { dirname results/*/implementation.toml; }
reports_of_runs() {
  local folder
  for folder in $(submissions); do printf '%s\n' "$folder"/*.json; done
}

# ---- Stages and steps

# stage NAME: begins a stage.
stage() {
  sampled
  stage=$1 finished="" alone=""
  if [ -z "${CRDIBLE_STEPS:-}" ]; then
    alone=$(mktemp)
    export CRDIBLE_STEPS=$alone
    # A night has all, by a seed of its own.
    [ "$stage" = night ] || say_sample
  fi
}
# sampled: sets the variables of .ci/sample. The tests of planted faults read the key.
sampled() {
  local selection
  selection=$(.ci/sample)
  eval "$selection"
  export KEY SEED CRDIBLE_SAMPLE=$KEY
}
say_sample() {
  echo "sample $KEY: seed $SEED, client $CLIENT, converter $CONVERTER, release $OTHER_RELEASE, extra $EXTRA"
  echo "to repeat it: CRDIBLE_SAMPLE=$KEY $0"
}
# record NAME RESULT SECONDS BUDGET TRIES REASON
record() {
  local IFS=$'\t'
  printf '%s\n' "$stage"$'\t'"$*" >>"$CRDIBLE_STEPS"
}
# result_of STEP: passed, flaky, failed, skipped, or nothing if it did not run (yet).
result_of() { awk -F '\t' -v name="$1" '$2 == name { result = $3 } END { print result }' "$CRDIBLE_STEPS"; }
# show FILE: prints in one piece, although other stages print, too.
show() {
  (
    flock 8
    cat "$1"
  ) 8>>"$CRDIBLE_STEPS"
}

# step NAME BUDGET [--after STEP]… [--retry CODE] -- COMMAND…
# Runs a command or a function, and prints how it ended, with its time beside its budget, both in seconds; the output is
# in target/ci/logs. --after: it is skipped if that step failed. --retry: after this exit code it is tried once more,
# and called flaky if it passes then; $TRY is 1 or 2. A command that cannot be run here says `skipped REASON`.
step() {
  local name=$1 budget=$2 retry="" needed=() other result reason="" tries=1 code began seconds log
  shift 2
  while [ "$1" != -- ]; do
    case $1 in
      --after) needed+=("$2") ;;
      --retry) retry=$2 ;;
      *) echo "step $name: $1?" >&2; exit 2 ;;
    esac
    shift 2
  done
  shift
  for other in "${needed[@]}"; do
    case $(result_of "$other") in
      failed | skipped)
        skip "$name" "it needs the step that did not pass: $other"
        return
        ;;
    esac
  done
  log=$logs/$stage.${name//[^A-Za-z0-9.]/-}
  began=$(date +%s)
  attempt "$log" "$@"
  if [ -n "$retry" ] && [ "$code" = "$retry" ]; then
    tries=2
    attempt "$log.again" "$@"
    cat "$log.again" >>"$log"
    rm "$log.again"
  fi
  seconds=$(($(date +%s) - began))
  case $code in
    0) [ "$tries" = 1 ] && result=passed || result=flaky ;;
    77)
      result=skipped
      reason=$(sed -n 's/^skipped: //p' "$log" | tail -n 1 | tr '\t' ' ')
      ;;
    *)
      result=failed
      reason="exit code $code"
      ;;
  esac
  record "$name" "$result" "$seconds" "$budget" "$tries" "$reason"
  {
    printf '\n=== %s: %s: %s%s (%s s; budget %s s)\n' "$stage" "$name" "$result" "${reason:+, $reason}" "$seconds" "$budget"
    case $result in
      skipped) ;;
      failed)
        # The end, and of what is before it the lines that name a failure.
        head -n -300 "$log" | grep -n -E 'panicked|failed|FAILED' || true
        tail -n 300 "$log"
        ;;
      *) grep -E '^test result: ' "$log" || tail -n 5 "$log" ;;
    esac
  } >"$log.shown"
  show "$log.shown"
  rm "$log.shown"
}
# attempt LOG COMMAND…: sets $code.
attempt() {
  local log=$1
  shift
  # `set -e` would not hold in the command if this were a condition.
  set +e
  (
    started=() work="" progress="" stage=""
    trap leave EXIT
    set -e
    export TRY=$tries
    "$@"
  ) >"$log" 2>&1 </dev/null
  code=$?
  set -e
}
# skipped REASON: for a command of a step.
skipped() {
  echo "skipped: $1"
  exit 77
}
# skip NAME REASON: a step that is not begun.
skip() {
  record "$1" skipped 0 0 1 "$2"
  printf '\n=== %s: %s: skipped, %s\n' "$stage" "$1" "$2" >"$logs/$stage.skipped"
  show "$logs/$stage.skipped"
}
# finish [CODE]: ends a stage; the exit code says whether all of its steps passed, if nothing else is stated.
finish() {
  finished=yes
  local code=${1:-0}
  if [ -n "$alone" ]; then
    python3 .ci/summary.py "$alone" || code=$?
    rm -f "$alone"
  else
    ! awk -F '\t' -v stage="$stage" '$1 == stage && $3 == "failed" { found = 1 } END { exit !found }' "$CRDIBLE_STEPS" || code=1
  fi
  exit "$code"
}

# The binaries under test. .ci/run has a stage for each; a stage that runs alone makes what is missing.
with_crdible() {
  if [ -n "$alone" ] && [ -z "${CRDIBLE_BINARY:-}" ]; then step "build of the command" 240 -- cargo build --bin crdible; fi
}
with_upstream() {
  if [ ! -x "$upstream" ] && [ -n "$alone" ]; then step "kube-apiserver: build" 360 -- upstream/build.sh "$upstream"; fi
}
