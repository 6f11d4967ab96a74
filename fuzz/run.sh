#!/usr/bin/env bash
# Runs fuzz targets for some seconds each, with their seeds and dictionaries: fuzz/run.sh TARGET|all SECONDS
# What they keep goes to fuzz/corpus, and what makes them crash to fuzz/artifacts, for `cargo run -p crdible-fuzz --bin TARGET FILE`. Needs
# cargo-fuzz, and no nightly Rust; with it, CRDIBLE_SANITIZER=address checks memory as well. CRDIBLE_FUZZ_SEED repeats what is drawn.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 TARGET|all SECONDS" >&2; exit 2; }
cd "$(dirname "$0")/.."
sanitizer=${CRDIBLE_SANITIZER:-none}
toolchain=()
[ "$sanitizer" = none ] || toolchain=(+nightly)
targets=("$1")
[ "$1" != all ] || mapfile -t targets < <(cargo fuzz list)
for target in "${targets[@]}"; do
  corpus=fuzz/corpus/$target
  mkdir -p "$corpus"
  # Built like the tests: full optimization takes minutes to build, and finds little more.
  cargo "${toolchain[@]}" fuzz run --dev --sanitizer "$sanitizer" "$target" "$corpus" "fuzz/seeds/$target" -- \
    -dict="fuzz/dictionaries/$target.dict" -seed="${CRDIBLE_FUZZ_SEED:-0}" -max_total_time="$2" -max_len=4096 -verbosity=0 -print_final_stats=1
done
