#!/usr/bin/env bash
# The linters of C that read everything each time: tests/lint.sh format | cppcheck
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case $1 in
  format)
    find core wasm tests examples -name '*.[ch]' -not -path '*/node_modules/*' -print0 | xargs -0 clang-format --dry-run --Werror
    ;;
  cppcheck)
    # the modules by family have fewer solvers and the same code: read as the whole
    cppcheck -UASC_ONLY{,_EXACT,_LEAN,_LARGE,_PLANNERS,_TELAMALLOC} --enable=warning,performance,portability --std=c11 --inline-suppr --error-exitcode=2 --quiet -j "$(nproc)" \
      -Icore/include -Icore/src core/src core/cli core/bench core/learn wasm/glue
    ;;
esac
