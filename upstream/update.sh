#!/bin/sh
# Writes the module files of a Kubernetes release: upstream/update.sh VERSION, such as v1.34.4.
# The files of 1.36 stand beside this script, those of each other minor in releases/MINOR/.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
baseline=1.36
case ${1-} in
  v1.*.*) version=$1 ;;
  *)
    echo "usage: $0 VERSION, such as v1.34.4" >&2
    exit 2
    ;;
esac
staging=v0.${version#v1.}
minor=1.$(printf '%s' "${version#v1.}" | cut -d. -f1)
if [ "$minor" = "$baseline" ]; then
  folder=$here
else
  folder=$here/releases/$minor
fi

# Use the installed Go: only modules are downloaded.
export GOTOOLCHAIN=local
cd "$here"

# The go.mod of Kubernetes names the versions of everything that is not part of it.
theirs=$(go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
if [ -z "$theirs" ]; then
  echo "$0: the module proxy does not have k8s.io/kubernetes $version" >&2
  exit 1
fi
of() { awk -v name="$1" '$1 == name { print $2; exit }' "$theirs"; }

mkdir -p "$folder"
{
  echo "module crdible/upstream"
  echo
  echo "go $(of go)"
  echo
  echo "require ("
  echo "	github.com/spf13/pflag $(of github.com/spf13/pflag)"
  echo "	go.etcd.io/etcd/server/v3 $(of go.etcd.io/etcd/client/v3)"
  echo "	k8s.io/apimachinery $staging"
  echo "	k8s.io/client-go $staging"
  echo "	k8s.io/component-base $staging"
  echo "	k8s.io/kubernetes $version"
  echo ")"
  echo
  echo "// k8s.io/kubernetes asks for v0.0.0 of each of its staging modules."
  echo "replace ("
  awk -v version="$staging" '$2 == "=>" && $3 ~ /^\.\/staging/ { print "\t" $1 " => " $1 " " version }' "$theirs"
  echo ")"
} > "$folder/go.mod"
: > "$folder/go.sum"
go mod tidy -modfile "$folder/go.mod"
