#!/usr/bin/env bash
# The one entry point of the project: builds, serves, tests, measures and cleans. `./build.sh help` lists the verbs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
readonly root=$PWD bin=$PWD/node_modules/.bin
# What Python has compiled it keeps, whatever the machine's image says: to compile numpy at each start is more work than most that is started.
unset PYTHONDONTWRITEBYTECODE
# The headless shell is Chromium without the browser's own windows and profiles, which make a third of the work of a visit.
find_chromium() { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome || true; }
export CHROMIUM=${CHROMIUM:-$(find_chromium)}

usage() {
  cat <<'TEXT'
usage: ./build.sh [VERB] [OPTION...]

  all       build the native programs, the WASM module and the page (the default)
  run       build all and serve the page; --port=N (4173), --host=ADDRESS (127.0.0.1)
  test      run every check and test; --bench-dir=DIR adds the published benchmark suites
  quick     run those that a change touches: of the files that differ from the last commit, or else from --since=REF
  bench     print one row per benchmark case, native beside WASM; further arguments go to the bench
            bench exact | telamalloc | scale: figures in tables of that solver, and of large problems; --part=NAME for some of them,
            --help for their names
            bench figure14 | learned | baselines | repack: TelaMalloc beside simple strategies; figures 15 to 17; ILP, CP, CSP, meta-CSP beside ours;
              figure 18
            bench cosma: its paper's figures 3 and 4 and table II: bytes of each scheme, seconds; --part=NAME for some of them
            bench taa: its paper's tables 1 and 2 and the proven optima: bytes, milliseconds; --part=NAME for some of them
            bench papers: all tables and figures of the four papers beside ours, as Markdown and SVG; --commit: for the page
            bench proofs: exact beside OR-Tools' CP-SAT where next to nothing may stay idle: verdicts, least heights, losses; --ms=N for each
            bench graph: reading and lowering a large model's graph in the module
            bench engines: exact and MiniMalloc in Chromium, Firefox and any Node beside native, warm; --engine=NAME for some of them
            bench page: the built page in Chromium: frames, seeks, weight, the first drawing; --part=NAME for some of them
  fuzz      fuzz every target for --seconds=N each (60), or only the one named
  campaign  test for --hours=N (1) and write TESTING.md's table: fuzz targets, oracles, builds, mutated inputs, faults; --part=NAME for one
  soak      use the page without rest for --seconds=N (300) and see that nothing fails and no memory grows
  learn     train the model of learned backtracking anew, or --judge it on buffer CSVs: core/learn/learn.sh says how
  sbom      build/sbom.cdx.json: what the page ships that others wrote, as CycloneDX
  clean     remove build/, dist/ and node_modules/

  native    build/native/arenascope, arenascope-bench and arenascope-tests
  wasm      build/wasm: the whole module, those by family, the manifest and which module has which solver
  web       dist/
  asan      build/asan: the C tests and the fuzz targets under sanitizers, by clang
  lint      formatters, linters, types, the dependency law, the export list
  ctest     the C tests; further arguments are their name filter
  unit      the TypeScript tests that need no browser; further arguments go to Vitest
  e2e       the tests that drive the page in Chromium and Firefox; further arguments go to Vitest
  install   install what is missing, build nothing

Missing Debian packages are installed with apt-get (through sudo if need be), npm packages with npm.
TEXT
}

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 2
}

# shellcheck source=tests/machine.sh
source tests/machine.sh

# ---- building ------------------------------------------------------------------------------------------------------------

# cmake_build PRESET: configured each time, which takes half a second, so that it sees what has been installed since
cmake_build() {
  cmake -S core --preset "$1" >&2
  ninja -C "build/$1" --quiet >&2
}

build_native() { want_native; apt_install; cmake_build native; }
build_asan() { want_native; want_clang; apt_install; cmake_build asan; }

# put_in_place MADE OUT: whoever reads OUT meanwhile sees the old one, never half of the new. False if they are the same.
put_in_place() {
  if cmp -s "$1" "$2"; then return 1; fi
  cp "$1" "$2.next"
  mv "$2.next" "$2"
}

build_wasm() {
  want_native
  want_wasm
  apt_install
  local module
  [[ -f build/emscripten/build.ninja ]] || emcmake cmake -S core --preset wasm >&2
  ninja -C build/emscripten --quiet >&2
  mkdir -p build/wasm
  for module in core buffers lean exact telamalloc large planners baselines; do
    put_in_place build/emscripten/$module.wasm build/wasm/$module.wasm || continue
    say "build/wasm/$module.wasm: $(stat -c %s build/wasm/$module.wasm) bytes, $(gzip -9c build/wasm/$module.wasm | wc -c) under gzip"
  done
  # emcc brings a Node
  node wasm/manifest.mjs build/wasm build/emscripten
  for module in manifest first words families; do put_in_place build/emscripten/$module.json build/wasm/$module.json || true; done
}

build_web() {
  ensure_npm_packages
  build_wasm
  "$bin/vite" build --config web/vite.config.ts --logLevel warn
  node web/tools/build_package.mjs
}

build_all() {
  want_native; want_wasm; want_node; apt_install
  build_native
  build_web
  say "built: build/native/arenascope, build/arenascope-model.mjs, build/wasm/, dist/"
}

# ---- verbs ---------------------------------------------------------------------------------------------------------------

# The published benchmark suites are not part of the project. Without a folder given, one beside the checkout is tried.
find_bench() {
  if [[ -z ${ARENASCOPE_BENCH:-} && -d ../shared/bench ]]; then ARENASCOPE_BENCH=../shared/bench; fi
  if [[ -n ${ARENASCOPE_BENCH:-} ]]; then
    [[ -d $ARENASCOPE_BENCH ]] || die "no folder $ARENASCOPE_BENCH"
    ARENASCOPE_BENCH=$(cd "$ARENASCOPE_BENCH" && pwd)
    export ARENASCOPE_BENCH
    say "benchmark suites: $ARENASCOPE_BENCH"
  else
    say "no benchmark suites (--bench-dir=DIR): the tests that compare with them are skipped; the README says where they are published"
  fi
}

install_all() {
  want_c_tests
  want_install
  want_clang
  want_lint
  want_wasm
  want_node
  want_chromium
  want_firefox
  apt_install
  ensure_npm_packages
}

# Checks and tests: tests/run.mjs runs and counts them.
run_tests() {
  install_all
  find_bench
  exec node tests/run.mjs "$@"
}

run_page() {
  local arguments=() argument
  for argument in "$@"; do
    [[ $argument == --port=* || $argument == --host=* ]] || die "run: unknown option $argument"
    arguments+=("${argument%%=*}" "${argument#*=}")
  done
  build_all
  say "serving dist/ (Ctrl-C ends it)"
  exec "$bin/vite" preview --config web/vite.config.ts "${arguments[@]}"
}

run_bench() {
  local script=wasm/bench/bench.mjs
  build_native
  ensure_npm_packages
  build_wasm
  find_bench
  case ${1:-} in
    exact | telamalloc | figure14 | learned | baselines | repack | graph | scale | cosma | taa | papers | proofs)
      script=$(find wasm/bench -name "$1.mjs") && shift
      ;;
    engines | page)
      want_chromium
      apt_install
      [[ $1 == engines ]] || build_web
      script=tests/bench/$1.mjs && shift
      ;;
  esac
  node $script "$@"
}

run_soak() {
  local argument
  export ARENASCOPE_SOAK=300
  for argument in "$@"; do
    [[ $argument == --seconds=* ]] || die "soak: unknown option $argument"
    ARENASCOPE_SOAK=${argument#*=}
  done
  run_tests soak
}

run_sbom() {
  ensure_npm_packages
  mkdir -p build
  npm sbom --sbom-format=cyclonedx --package-lock-only --loglevel=error | node tests/check_notices.mjs --sbom >build/sbom.cdx.json
  say "build/sbom.cdx.json"
}

run_fuzz() {
  local seconds=60 names=() argument name
  for argument in "$@"; do
    case $argument in
      --seconds=*) seconds=${argument#*=} ;;
      -*) die "fuzz: unknown option $argument" ;;
      *) names+=("$argument") ;;
    esac
  done
  want_native
  want_clang
  apt_install
  cmake_build fuzz
  ((${#names[@]})) || mapfile -t names < <(basename -s .c tests/fuzz/*.c)
  for name in "${names[@]}"; do
    say "fuzzing $name for $seconds s"
    tests/fuzz/run.sh fuzz "$name" "$name" -max_total_time="$seconds"
  done
}

main() {
  local verb=all rest=() argument
  for argument in "$@"; do
    case $argument in
      --bench-dir=*) ARENASCOPE_BENCH=${argument#*=} ;;
      *) rest+=("$argument") ;;
    esac
  done
  set -- "${rest[@]}"
  if (($#)); then verb=$1 && shift; fi
  case $verb in
    all) build_all ;;
    native) build_native ;;
    wasm) build_wasm ;;
    web) build_web ;;
    asan) build_asan ;;
    untraced) want_native; apt_install; cmake_build untraced ;;
    install) install_all ;;
    run) run_page "$@" ;;
    test | quick | lint | ctest | unit | e2e) run_tests "$verb" "$@" ;;
    bench) run_bench "$@" ;;
    fuzz) run_fuzz "$@" ;;
    learn) build_native; exec core/learn/learn.sh "$@" ;;
    sbom) run_sbom ;;
    soak) run_soak "$@" ;;
    campaign) install_all; want_campaign; apt_install; build_native; build_web; exec node tests/campaign/campaign.mjs "$@" ;;
    clean) rm -rf build dist node_modules ;;
    help | --help | -h) usage ;;
    *)
      usage >&2
      die "unknown verb $verb"
      ;;
  esac
}

main "$@"
