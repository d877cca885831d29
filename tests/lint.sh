#!/usr/bin/env bash
# The linters that read everything each time: tests/lint.sh format | cppcheck [SINCE], of C; ruff, of Python, which says so where it cannot be had.
# SINCE: a commit; of a change that is of no header, only the files that differ from it are read
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case $1 in
  format)
    find core wasm tests examples -name '*.[ch]' -not -path '*/node_modules/*' -print0 | xargs -0 clang-format --dry-run --Werror
    ;;
  cppcheck)
    read=(core/src core/cli core/bench core/learn wasm/glue)
    if [[ -n ${2:-} ]]; then
      mapfile -t changed < <({
        git diff --name-only --diff-filter=d "$2" -- core "${read[@]}"
        git ls-files --others --exclude-standard -- core "${read[@]}"
      } | grep -E '\.(c|h|def)$')
      [[ " ${changed[*]} " =~ \.(h|def)\  ]] || read=("${changed[@]}")
      ((${#read[@]})) || exit 0
    fi
    # the modules by family, and what is untraced, have less of the same code: read as the whole; of GNU the headers ask for the visibility of symbols alone
    cppcheck -U__GNUC__ -UASC_UNTRACED -UASC_ONLY{,_BASELINES,_EXACT,_FEWER,_LARGE,_LEAN,_PLANNERS,_TELAMALLOC} --enable=warning,performance,portability --std=c11 --inline-suppr --error-exitcode=2 --quiet -j "$(nproc)" \
      -Icore/include -Icore/src "${read[@]}"
    ;;
  ruff)
    venv=build/python/lint
    if [[ ! -x $venv/bin/ruff ]]; then
      { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --retries=0 --timeout=15 'ruff==0.17.6'; } 2>/dev/null || {
        printf 'ruff: left out, it is not to be had\n'
        exit 0
      }
    fi
    git ls-files -z '*.py' | xargs -0 "$venv/bin/ruff" check --no-cache
    ;;
esac
