#!/usr/bin/env bash
# Installs build/native into a folder and uses it from there as a stranger would: tests/install.sh CASE, each a test; `install` comes first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly prefix=$PWD/build/install/prefix made=build/install/$1 example=examples/consumer

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# loads PROGRAM: the shared objects it asks for by name
loads() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

# works PROGRAM STATIC|SHARED: three offsets that do not collide, by the library of that kind
works() {
  local kind=static
  if loads "$1" | grep -q '^libarenascope\.so\.0$'; then kind=shared; fi
  [[ $kind == "$2" ]] || fail "$1 is linked to the $kind library"
  "$1" | tee "$made/output"
  [[ $(grep -cE '^(input|output|scratch) at [0-9]+$' "$made/output") == 3 ]] || fail "that is no plan"
}

by_cmake() {
  cmake -S $example -B "$made" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS="$1"
  cmake --build "$made"
}

# by_pkg_config PROGRAM FLAG...: compiles the example against what pkg-config says, with more flags for both
by_pkg_config() {
  local program=$1 flags
  shift
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name arenascope.pc)") pkg-config --cflags --libs "${@/#-static/--static}" arenascope)
  # shellcheck disable=SC2086 # flags are words
  gcc -std=c17 -Wall -Wextra -Wpedantic -Werror $example/main.c $flags "$@" -o "$program"
}

rm -rf "$made"
mkdir -p "$made"
case $1 in
  install)
    rm -rf "$prefix"
    cmake --install build/native --prefix "$prefix"
    ;;
  exports)
    # all that the headers declare is there, and nothing else
    nm -D --defined-only "$prefix"/lib*/libarenascope.so | awk '{ print $3 }' | LC_ALL=C sort >"$made/found"
    [[ -s $made/found ]] || fail "it exports nothing"
    if grep -v '^asc_' "$made/found"; then fail "these are not for others"; fi
    node -e '
      import("./tests/check_exports.mjs").then(({ declared }) =>
        console.log([...declared(require("node:fs").readFileSync(0, "utf8")).keys()].sort().join("\n")))' \
      < <(cat "$prefix"/include/asc/*.h) >"$made/declared"
    diff "$made/declared" "$made/found"
    ;;
  config-static) by_cmake OFF && works "$made/consumer" static ;;
  config-shared) by_cmake ON && works "$made/consumer" shared ;;
  pkg-config-static) by_pkg_config "$made/consumer" -static && works "$made/consumer" static ;;
  pkg-config-shared)
    by_pkg_config "$made/consumer"
    LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libarenascope.so)") works "$made/consumer" shared
    ;;
  *) fail "no case $1" ;;
esac
