#!/bin/sh
# Builds crdible-upstream: upstream/build.sh [--release MINOR] [--rules] OUT
# The first build compiles kube-apiserver and etcd: 4 to 6 minutes on 2 cores. With --rules it builds crdible-rules
# instead, which has only the code of rules: a minute and a half, seconds if the server was built before.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
baseline=1.36 # go.mod beside this script; every other release has a folder of its own
available=$(printf '%s\n' "$baseline" $(ls "$here/releases") | sort -V | paste -sd' ')
usage() {
  echo "usage: $0 [--release MINOR] [--rules] OUT, where MINOR is one of: $available" >&2
  exit 2
}

release=$baseline
if [ "${1-}" = --release ]; then
  [ $# -ge 2 ] || usage
  release=$2
  shift 2
fi
program=.
if [ "${1-}" = --rules ]; then
  program=./rules
  shift
fi
[ $# -eq 1 ] || usage
case $1 in
  -*) usage ;;
  /*) out=$1 ;;
  *) out=$PWD/$1 ;;
esac
if [ "$release" = "$baseline" ]; then
  modules=$here/go.mod
elif [ -f "$here/releases/$release/go.mod" ]; then
  modules=$here/releases/$release/go.mod
else
  usage
fi
cd "$here"

# Use the installed Go: only modules are downloaded.
export GOTOOLCHAIN=local

# A module build does not know its release; without this, /version would report v0.0.0-master.
version=$(go list -modfile "$modules" -m -f '{{.Version}}' k8s.io/kubernetes)
minor=${version#v1.}
stamp=k8s.io/component-base/version
# With the commit of this checkout inside, each commit would link it anew.
exec go build -modfile "$modules" -trimpath -buildvcs=false -o "$out" -ldflags "-s -w \
  -X $stamp.gitVersion=$version \
  -X $stamp.gitMajor=1 \
  -X $stamp.gitMinor=${minor%%.*}" "$program"
