#!/usr/bin/env bash
# The one door of the project: builds, serves, tests, measures and cleans. `./build.sh help` lists the verbs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
readonly root=$PWD self=$PWD/build.sh bin=$PWD/node_modules/.bin
# The headless shell is Chromium without the browser's own windows and profiles, which make a third of the work of a visit.
find_chromium() { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome || true; }
export CHROMIUM=${CHROMIUM:-$(find_chromium)}
jobs=$(nproc 2>/dev/null || echo 2)

usage() {
  cat <<'TEXT'
usage: ./build.sh [VERB] [OPTION...]

  all       build the native programs, the WASM module and the page (the default)
  run       build all and serve the page; --port=N (4173), --host=ADDRESS (127.0.0.1)
  test      run every check and test; --bench-dir=DIR adds the published benchmark suites
  bench     print one row per benchmark case, native beside WASM; further arguments go to the bench
            bench exact | telamalloc | scale: figures in tables of that solver, and of large problems; --part=NAME for some of them,
            --help for their names
            bench figure14: TelaMalloc beside the four simple strategies of its paper's figure 14
            bench graph: reading and lowering a large model's graph in the module
            bench page: the built page in Chromium: frames, seeks, weight, the first drawing; --part=NAME for some of them
  fuzz      fuzz every target for --seconds=N each (60), or only the one named
  soak      use the page without rest for --seconds=N (300) and see that nothing fails and no memory grows
  clean     remove build/, dist/ and node_modules/

  native    build/native/arenascope, arenascope-bench and arenascope-tests
  wasm      build/wasm: the whole module, the lean one and the manifest
  web       dist/
  lint      formatters, linters, types, the dependency law, the export list
  ctest     the C tests; further arguments are their name filter
  unit      the TypeScript tests that need no browser; further arguments go to Vitest
  e2e       the tests that drive the page in Chromium; further arguments go to Vitest
  install   install what is missing, build nothing

Missing Debian packages are installed with apt-get (through sudo if need be), npm packages with npm.
TEXT
}

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 2
}

# ---- what the machine must have ------------------------------------------------------------------------------------------

missing=()

# want PROOF PACKAGE: PROOF is a command or, with a slash, a pattern of files; without it PACKAGE is missing
want() {
  case $1 in
    */*) compgen -G "$1" >/dev/null && return ;;
    *) command -v "$1" >/dev/null && return ;;
  esac
  missing+=("$2")
}

want_native() {
  want gcc gcc
  want '/usr/include/stdio.h' libc6-dev
  want cmake cmake
  want ninja ninja-build
}

want_c_tests() {
  want_native
  want '/usr/include/cmocka.h' libcmocka-dev
}

want_clang() {
  want clang clang
  # libFuzzer and the sanitizers of clang are a package apart
  want '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a' libclang-rt-dev
}

want_lint() {
  want clang-format clang-format
  want clang-tidy clang-tidy
  want cppcheck cppcheck
}

want_wasm() { want emcc emscripten; }

# npm is only wanted for fetching packages or a Node, so not where both are there already
want_node() {
  if node_serves node && command -v npm >/dev/null; then return; fi
  if node_serves build/node/node_modules/.bin/node; then return; fi
  want npm npm
  want '/etc/ssl/certs/ca-certificates.crt' ca-certificates
}

want_chromium() { [[ -n $CHROMIUM ]] || want chromium-headless-shell chromium-headless-shell; }

# Installs the packages found missing so far. A list fetched long ago may name files that are gone, hence the update.
apt_install() {
  ((${#missing[@]})) || return 0
  local become=()
  command -v apt-get >/dev/null || die "please install: ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "not root and no sudo; as root: apt-get install --no-install-recommends ${missing[*]}"
    become=(sudo)
  fi
  say "installing Debian packages: ${missing[*]}"
  mkdir -p build/logs
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  if ! "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >build/logs/apt.log; then
    tail -n 30 build/logs/apt.log >&2
    die "apt-get could not install them"
  fi
  missing=()
  hash -r
  export CHROMIUM=${CHROMIUM:-$(find_chromium)}
}

# Vite needs Node ^20.19 or >=22.12
node_serves() {
  "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number)
    process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)' 2>/dev/null
}

# Debian 12 has Node 18. The npm registry carries newer ones, so its npm fetches one for this folder alone.
ensure_node() {
  local private=$root/build/node/node_modules/.bin arch
  if command -v npm >/dev/null && node_serves node; then return; fi
  if ! node_serves "$private/node"; then
    want_node
    apt_install
    if node_serves node; then return; fi
    case $(uname -m) in
      x86_64) arch=x64 ;;
      aarch64) arch=arm64 ;;
      *) die "Node $(node -v) is too old and there is none to fetch for $(uname -m): please install Node 20.19 or newer" ;;
    esac
    say "Node $(node -v 2>/dev/null) is too old for Vite: fetching a private one into build/node"
    mkdir -p build/node
    npm install --prefix build/node --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
      "node-linux-$arch@^22.12.0" npm@^10 >&2
    node_serves "$private/node" || die "the private Node in build/node does not run"
  fi
  export PATH=$private:$PATH
  hash -r
}

ensure_npm_packages() {
  ensure_node
  [[ ! node_modules/.package-lock.json -ot package-lock.json && -d node_modules ]] && return
  say "installing npm packages"
  npm ci --no-audit --no-fund --loglevel=error >&2
  touch node_modules/.package-lock.json
}

# ---- building ------------------------------------------------------------------------------------------------------------

# cmake_build FOLDER OPTION...
cmake_build() {
  local folder=build/$1
  shift
  [[ -f $folder/build.ninja ]] || cmake -S core -B "$folder" -G Ninja "$@" >&2
  ninja -C "$folder" --quiet >&2
}

# The C tests are part of the native build where cmocka is there: a folder made before it was is told of it.
configure_native() {
  local tests=OFF
  if [[ -e /usr/include/cmocka.h ]]; then tests=ON; fi
  grep -qs "^ASC_TESTS:BOOL=$tests" build/native/CMakeCache.txt && return
  cmake -S core -B build/native -G Ninja -DCMAKE_C_COMPILER=gcc -DASC_TESTS=$tests >&2
}

build_native() {
  want_native
  apt_install
  configure_native
  ninja -C build/native --quiet >&2
}

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
  [[ -f build/emscripten/build.ninja ]] || emcmake cmake -S core -B build/emscripten -G Ninja >&2
  ninja -C build/emscripten --quiet >&2
  mkdir -p build/wasm
  for module in core lean; do
    put_in_place build/emscripten/$module.wasm build/wasm/$module.wasm || continue
    say "build/wasm/$module.wasm: $(stat -c %s build/wasm/$module.wasm) bytes, $(gzip -9c build/wasm/$module.wasm | wc -c) under gzip"
  done
  # emcc brings a Node
  node wasm/manifest.mjs build/wasm/core.wasm >build/emscripten/manifest.json
  put_in_place build/emscripten/manifest.json build/wasm/manifest.json || true
}

build_web() {
  ensure_npm_packages
  build_wasm
  "$bin/vite" build --config web/vite.config.ts --logLevel warn
}

build_all() {
  want_native
  want_wasm
  want_node
  apt_install
  build_native
  build_web
  say "built: build/native/arenascope, build/wasm/, dist/"
}

# ---- counting ------------------------------------------------------------------------------------------------------------

passed=0 failed=0
suite_name='' suite_passed=0 suite_failed=0 suite_start=0

suite() {
  suite_name=$1 suite_passed=0 suite_failed=0 suite_start=$SECONDS
  say "== $1"
}

suite_end() {
  printf '%s: %d passed, %d failed (%d s)\n\n' "$suite_name" $suite_passed $suite_failed $((SECONDS - suite_start))
  passed=$((passed + suite_passed)) failed=$((failed + suite_failed))
}

# log_of NAME [ENDING]: where what is printed under that name goes
log_of() { printf 'build/logs/%s.%s' "${1//[^A-Za-z0-9]/-}" "${2:-log}"; }

# check NAME COMMAND...: one test, which passes if the command does; its output is shown only if it fails
check() {
  local name=$1
  shift
  logged "$name" "$@"
  checked "$name"
}

# logged NAME COMMAND...: runs the command for checked NAME
logged() {
  local log status=0 begin=$SECONDS
  log=$(log_of "$1")
  shift
  mkdir -p build/logs
  "$@" >"$log" 2>&1 || status=$?
  printf '%d %d\n' $status $((SECONDS - begin)) >"$log.end"
}

# checked NAME: counts what was logged
checked() {
  local log status seconds
  log=$(log_of "$1")
  read -r status seconds <"$log.end"
  if ((status == 0)); then
    suite_passed=$((suite_passed + 1))
    printf '  ok    %s (%d s)\n' "$1" "$seconds"
  else
    suite_failed=$((suite_failed + 1))
    printf '  FAIL  %s (%d s)\n' "$1" "$seconds"
    tail -n 80 "$log" | sed 's/^/        /'
  fi
}

# side_by_side PREFIX COMMAND... -- NAME...: logs `COMMAND NAME` as "PREFIX NAME" for every name, as many at once as there are cores
side_by_side() {
  local prefix=$1 name words=()
  shift
  while [[ $1 != -- ]]; do words+=("$1") && shift; done
  shift
  for name in "$@"; do
    rm -f "$(log_of "$prefix $name").end"
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
    logged "$prefix $name" "${words[@]}" "$name" &
  done
  wait
}

# counted NAME GOOD BAD STATUS: takes over another runner's counts. A runner that died without a count is one failure.
counted() {
  local good=${2:-0} bad=${3:-0}
  if (($4 != 0 && bad == 0)); then
    bad=1
    printf '  FAIL  %s ended with status %d\n' "$1" "$4"
  elif ((good + bad == 0)); then
    bad=1
    printf '  FAIL  %s ran no test at all\n' "$1"
  fi
  suite_passed=$((suite_passed + good)) suite_failed=$((suite_failed + bad))
}

finish() {
  printf '%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}

# ---- suites --------------------------------------------------------------------------------------------------------------

c_files() { find core wasm tests -name '*.[ch]' -not -path '*/node_modules/*' | LC_ALL=C sort; }

lint_format() { c_files | xargs clang-format --dry-run --Werror; }

lint_cppcheck() {
  cppcheck --enable=warning,performance,portability --std=c11 --inline-suppr --error-exitcode=2 --quiet -j "$jobs" \
    -Icore/include -Icore/src core/src core/cli core/bench wasm/glue.c
}

# The slowest of the linters, so a file that passed is only read again when it, a header or the rules have changed.
lint_tidy() {
  local shared file stamp todo=()
  shared=$(find core .clang-tidy -name '*.h' -o -name '*.def' -o -name .clang-tidy | LC_ALL=C sort | xargs cat | sha256sum)
  mkdir -p build/tidy
  while read -r file; do
    stamp=build/tidy/$({ printf '%s %s' "$shared" "$file" && cat "$file"; } | sha256sum | cut -c 1-32)
    [[ -f $stamp ]] || todo+=("$file" "$stamp")
  done < <(find core/src core/cli core/bench -name '*.c' | LC_ALL=C sort)
  ((${#todo[@]})) || return 0
  # clang-tidy reads the commands of the native build, which need not have been run, and the table of profiles, which CMake makes
  configure_native
  ninja -C build/native --quiet build.ninja
  printf '%s\n' "${todo[@]}" | xargs -P "$jobs" -n 2 sh -c 'clang-tidy --quiet -p build/native "$0" && touch "$1"'
}

suite_lint() {
  suite lint
  check "clang-format" lint_format
  check "cppcheck" lint_cppcheck
  check "biome" "$bin/biome" ci --colors=off --error-on-warnings .
  check "tsc" "$bin/tsc" --noEmit -p web/tsconfig.json
  check "dependency law: the check itself" node tests/check_deps.mjs --self-test
  check "dependency law" node tests/check_deps.mjs
  check "export list: the check itself" node tests/check_exports.mjs --self-test
  check "export list" node tests/check_exports.mjs
  check "profiles: the check itself" node tests/check_profiles.mjs --self-test
  check "profiles" node tests/check_profiles.mjs
  check "clang-tidy" lint_tidy
  suite_end
}

sum() { awk '{ n += $1 } END { print n + 0 }'; }

# run_cmocka NAME BINARY FILTER...: every suite in a process of its own; cmocka closes each with its counts
run_cmocka() {
  local name=$1 binary=$2 suites part log status ended=0 good=0 bad=0
  shift 2
  # the last ones are of whole searches and take longest: they begin
  mapfile -t suites < <("$binary" --list "$@" | tac)
  side_by_side "$name" timeout 900 "$binary" -- "${suites[@]}"
  for part in "${suites[@]}"; do
    log=$(log_of "$name $part")
    read -r status _ <"$log.end"
    good=$((good + $(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p' "$log" | sum)))
    bad=$((bad + $(sed -n 's/^\[  FAILED  \] \(.*: \)\{0,1\}\([0-9]*\) test(s), listed below.*/\2/p' "$log" | sum)))
    grep -E '^\[  SKIPPED \] .*[0-9]+ test' "$log" | sed "s/^/  $part: /" || true
    ((status)) || continue
    ended=$status
    grep -vE '^\[( RUN      |       OK )\]' "$log" | tail -n 120
  done
  counted "$name" $good $bad $ended
}

suite_c() {
  suite "C tests"
  check "native build, gcc without warnings" bash "$self" native
  run_cmocka "C tests" build/native/arenascope-tests "$@"
  suite_end
}

suite_sanitized() {
  suite "C tests under sanitizers"
  check "gcc build with sanitizers" cmake_build sanitize -DCMAKE_C_COMPILER=gcc -DASC_SANITIZE=ON
  run_cmocka "C tests under sanitizers" build/sanitize/arenascope-tests "$@"
  suite_end
}

fuzz_targets() { find tests/fuzz -maxdepth 1 -name '*.c' -printf '%f\n' | sed 's/\.c$//' | LC_ALL=C sort; }

# fuzz_target NAME CORPUS FLAG...: seeds come from tests/fuzz/corpus/NAME; what is found new stays in build/fuzz/corpus/CORPUS
fuzz_target() {
  local name=$1 seeds=tests/fuzz/corpus/$1 found=build/fuzz/corpus/$2
  shift 2
  mkdir -p "$found" build/fuzz/found
  local folders=("$found")
  [[ ! -d $seeds ]] || folders+=("$seeds")
  "build/fuzz/targets/$name" "$@" -timeout=30 -rss_limit_mb=4096 -artifact_prefix=build/fuzz/found/ "${folders[@]}"
}

build_fuzz() {
  want_native
  want_clang
  apt_install
  cmake_build fuzz -DCMAKE_C_COMPILER=clang -DASC_SANITIZE=ON -DASC_FUZZ=ON
}

# fuzz_briefly "NAME SEED": the same seed and the same starting point give the same inputs each time
fuzz_briefly() { fuzz_target "${1% *}" "$1" -runs=10000 -seed="${1#* }"; }

suite_fuzz() {
  local name targets=()
  suite "fuzz targets"
  # builds the library, the programs and the tests as well: it is the build without warnings under clang
  check "clang build without warnings, with libFuzzer" bash "$self" build-fuzz
  rm -rf build/fuzz/corpus
  # the last one is of whole searches and takes longest: it begins
  for name in $(fuzz_targets | tac); do targets+=("$name 1" "$name 2"); done
  side_by_side fuzz fuzz_briefly -- "${targets[@]}"
  for name in "${targets[@]}"; do checked "fuzz $name"; done
  suite_end
}

# run_vitest NAME ARGUMENT...
run_vitest() {
  local status=0
  vitest_json "$@" || status=$?
  counted_json "$1" $status
}

# vitest_json NAME ARGUMENT...: runs the tests, whose counts stay in a file for counted_json NAME STATUS
vitest_json() {
  local json
  json=$(log_of "$1" json)
  shift
  mkdir -p build/logs
  rm -f "$json"
  "$bin/vitest" run --config web/vite.config.ts --reporter=default --reporter=json --outputFile.json="$root/$json" "$@"
}

counted_json() {
  local name=$1 json counts
  json=$(log_of "$1" json)
  counts=$(node -e '
    const fs = require("node:fs")
    const r = fs.existsSync(process.argv[1]) ? JSON.parse(fs.readFileSync(process.argv[1], "utf8")) : {}
    // a file that cannot even be loaded has no tests to fail
    const empty = (r.testResults ?? []).filter((f) => f.status === "failed" && f.assertionResults.length === 0).length
    console.log(r.numPassedTests ?? 0, (r.numFailedTests ?? 0) + empty)' "$json")
  counted "$name" "${counts% *}" "${counts#* }" "$2"
}

suite_unit() {
  suite "unit tests"
  check "WASM build" bash "$self" wasm
  run_vitest "unit tests" --project unit --project 'dom*' "$@"
  suite_end
}

suite_page() {
  suite "page"
  check "page build" bash "$self" web
  check "size of the first load: the check itself" node tests/check_size.mjs --self-test
  check "size of the first load" node tests/check_size.mjs dist
  if [[ -f build/logs/size-of-the-first-load.log ]]; then sed 's/^/        /' build/logs/size-of-the-first-load.log; fi
  suite_end
}

suite_e2e() {
  suite "end-to-end tests"
  if [[ -z $CHROMIUM ]]; then die "no Chromium found: set CHROMIUM to its path"; fi
  run_vitest "end-to-end tests" --project 'e2e*' "$@"
  suite_end
}

# The soak takes minutes in which it mostly waits for its page, so it runs beside the suite that is given, and gives way to it.
suite_beside_soak() {
  local soak status=0
  mkdir -p build/logs
  vitest_json soak --project soak >build/logs/soak.log 2>&1 &
  soak=$!
  renice -n 10 -p $soak >/dev/null
  "$@"
  suite "soak"
  wait $soak || status=$?
  cat build/logs/soak.log
  counted_json soak $status
  suite_end
}

suite_soak() {
  suite "soak"
  run_vitest soak --project soak
  suite_end
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
  want_clang
  want_lint
  want_wasm
  want_node
  want_chromium
  apt_install
  ensure_npm_packages
}

test_all() {
  install_all
  find_bench
  suite_lint
  suite_c
  suite_sanitized
  suite_fuzz
  suite_unit
  suite_page
  suite_beside_soak suite_e2e
  say "everything took $((SECONDS / 60)) min $((SECONDS % 60)) s"
  finish
}

one_suite() {
  install_all
  find_bench
  "$@"
  finish
}

run_page() {
  local arguments=() argument
  for argument in "$@"; do
    case $argument in
      --port=* | --host=*) arguments+=("${argument%%=*}" "${argument#*=}") ;;
      *) die "run: unknown option $argument" ;;
    esac
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
    exact | telamalloc | figure14 | graph | scale) script=wasm/bench/$1.mjs && shift ;;
    page)
      want_chromium
      apt_install
      build_web
      script=tests/bench/page.mjs && shift
      ;;
  esac
  node $script "$@"
}

# build/untraced/objects: the native programs in which no solver can be traced, for the bench of what tracing costs. In a copy of the core
# every solver's `run->log` is a constant NULL, so that the compiler drops the tests of it and all behind them.
build_untraced() {
  want_native
  apt_install
  rm -rf build/untraced
  mkdir -p build/untraced/tests/core
  cp -r core build/untraced/core
  cp tests/core/saturated.[ch] build/untraced/tests/core/
  find build/untraced/core/src/solve -mindepth 2 -name '*.[ch]' -print0 |
    xargs -0 sed -i -E 's/\<[A-Za-z_]+((->|\.)[A-Za-z_]+)*->log\>/((asc_log *)0)/g'
  cmake -S build/untraced/core -B build/untraced/objects -G Ninja -DCMAKE_C_COMPILER=gcc -DASC_TESTS=OFF \
    -DCMAKE_C_FLAGS=-Wno-unused-variable >&2
  ninja -C build/untraced/objects --quiet arenascope-bench >&2
}

run_soak() {
  local argument
  for argument in "$@"; do
    case $argument in
      --seconds=*) export ARENASCOPE_SOAK=${argument#*=} ;;
      *) die "soak: unknown option $argument" ;;
    esac
  done
  build_web
  one_suite suite_soak
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
  build_fuzz
  ((${#names[@]})) || mapfile -t names < <(fuzz_targets)
  for name in "${names[@]}"; do
    say "fuzzing $name for $seconds s"
    fuzz_target "$name" "$name" -max_total_time="$seconds"
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
    build-fuzz) build_fuzz ;;
    untraced) build_untraced ;;
    install) install_all ;;
    run) run_page "$@" ;;
    test) test_all ;;
    lint) one_suite suite_lint ;;
    ctest) one_suite suite_c "$@" ;;
    unit)
      build_native
      one_suite suite_unit "$@"
      ;;
    e2e)
      build_web
      one_suite suite_e2e "$@"
      ;;
    bench) run_bench "$@" ;;
    fuzz) run_fuzz "$@" ;;
    soak) run_soak "$@" ;;
    clean) rm -rf build dist node_modules ;;
    help | --help | -h) usage ;;
    *)
      usage >&2
      die "unknown verb $verb"
      ;;
  esac
}

main "$@"
