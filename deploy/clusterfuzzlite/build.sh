#!/bin/bash -eu
# Builds the fuzz targets into the folder OUT, each with its seeds and its dictionary, under the names that ClusterFuzzLite knows.
# ClusterFuzzLite calls it at the root of the project and sets OUT and SANITIZER. Elsewhere, without nightly Rust:
#   OUT=/tmp/fuzzers deploy/clusterfuzzlite/build.sh
sanitizer=${SANITIZER:-none}
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)

# Built like the tests: with debug assertions and line numbers. Without a sanitizer any Rust can build them.
cargo fuzz build --dev --sanitizer "$sanitizer"
built=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/x86_64-unknown-linux-gnu/debug
for target in $(cargo fuzz list); do
  cp "$built/$target" "$OUT/"
  cp "fuzz/dictionaries/$target.dict" "$OUT/"
  rm -f "$OUT/${target}_seed_corpus.zip"
  zip --quiet --junk-paths --recurse-paths "$OUT/${target}_seed_corpus.zip" "fuzz/seeds/$target"
done
