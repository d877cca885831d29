#!/usr/bin/env bash
# tests/fuzz/run.sh BUILD TARGET FOLDER FLAG...: runs a target of build/BUILD; what is found new stays in its corpus/FOLDER. With -runs (a test) it begins
# without what was found before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build/$1 target=$2 seeds=tests/fuzz/corpus/$2 found=build/$1/corpus/$3
shift 3
[[ $* != *-runs=* ]] || rm -rf "$found"
mkdir -p "$found" "$build/found"
folders=("$found")
[[ ! -d $seeds ]] || folders+=("$seeds")
exec "$build/targets/$target" "$@" -timeout=30 -rss_limit_mb=4096 -artifact_prefix="$build/found/" "${folders[@]}"
