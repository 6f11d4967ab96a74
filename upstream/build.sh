#!/bin/sh
# Builds crdible-upstream: upstream/build.sh OUT
# The first build compiles kube-apiserver and etcd: 4 to 6 minutes on 2 cores.
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 OUT" >&2
  exit 2
fi
case $1 in
  /*) out=$1 ;;
  *) out=$PWD/$1 ;;
esac
cd "$(dirname "$0")"

# Use the installed Go: only modules are downloaded.
export GOTOOLCHAIN=local

# A module build does not know its release; without this, /version would report v0.0.0-master.
version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
minor=${version#v1.}
stamp=k8s.io/component-base/version
exec go build -trimpath -o "$out" -ldflags "-s -w \
  -X $stamp.gitVersion=$version \
  -X $stamp.gitMajor=1 \
  -X $stamp.gitMinor=${minor%%.*}" .
