#!/usr/bin/env bash
# tests/fuzz/run.sh BUILD TARGET FOLDER FLAG...: runs a target of build/BUILD; what is found new stays in its corpus/FOLDER. With -runs (a test) it begins
# without what was found before, and makes the same inputs each time, but where a hash's random key or a time steps in: what a call compares, addresses among it,
# is not taken into new ones, as it is by default. Every input is then as likely to be changed: to prefer those that reach what few do pays after more runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build/$1 target=$2 seeds=tests/fuzz/corpus/$2 found=build/$1/corpus/$3
shift 3
if [[ $* == *-runs=* ]]; then
  rm -rf "$found"
  set -- -entropic=0 -use_cmp=0 "$@"
fi
mkdir -p "$found" "$build/found"
folders=("$found")
[[ ! -d $seeds ]] || folders+=("$seeds")
exec "$build/targets/$target" "$@" -timeout=30 -rss_limit_mb=4096 -artifact_prefix="$build/found/" "${folders[@]}"
