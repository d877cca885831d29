#!/usr/bin/env bash
# Makes the model of learned backtracking from nothing: instances, rows, trees, tables; --judge measures what is built instead.
#   ./build.sh learn [--count=N] [--events=N] [--seed=N] [--out=DIR] [FILE.csv...]     a minute of one core at the defaults
#   ./build.sh learn --study [...]       the same, without writing the model
#   ./build.sh learn --judge [--steps=N] [--seeds=N] [--percents=P,P] FILE.csv...
# FILEs of the first are more instances to train on, those of the second what is judged. Python packages go into build/learn/python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export LC_ALL=C # the order of files is that of their bytes
judge='' study='' count=1200 seed=1 events=10 out=build/learn flags=() files=()
for argument in "$@"; do
  case $argument in
    --judge) judge=yes ;;
    --study) study=yes ;;
    --count=*) count=${argument#*=} ;;
    --seed=*) seed=${argument#*=} ;;
    --out=*) out=${argument#*=} ;;
    --events=*) events=${argument#*=} ;;
    --steps=* | --seeds=* | --percents=*) flags+=("$argument") ;;
    -*) echo "learn: unknown option $argument" >&2 && exit 2 ;;
    *) files+=("$argument") ;;
  esac
done
readonly program=build/native/arenascope-learn python=build/learn/python/bin/python
mkdir -p "$out"
if [[ $judge ]]; then
  "$program" judge "${files[@]}" "${flags[@]}" >"$out/judged.csv"
  exec python3 core/learn/table.py "$out/judged.csv"
fi
if [[ ! -x $python ]]; then
  python3 -m venv build/learn/python
  "$python" -m pip install --quiet --requirement core/learn/requirements.txt
fi
rm -rf "$out/networks"
python3 examples/learned/networks.py "$out/networks" --count="$count" --seed="$seed"
"$program" collect "$out"/networks/*.csv "${files[@]}" --events="$events" --percents=100,101,102,104,106,110 "${flags[@]}" >"$out/rows.csv"
if [[ $study ]]; then exec "$python" core/learn/train.py "$out/rows.csv"; fi
"$python" core/learn/train.py "$out/rows.csv" --model=core/src/solve/telamalloc/learned_model.c --pairs=tests/core/solvers/telamalloc/learned_pairs.inc \
  --origin="examples/learned/networks.py, $count networks of seed $seed${files[*]:+, and ${#files[@]} files given}; at most $events backtracks of each configuration"
