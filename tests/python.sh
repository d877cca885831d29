#!/usr/bin/env bash
# Builds the Python package against build/native's library and tests it in a virtual environment of its own. Where the packages cannot be had it says so
# and passes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly venv=$PWD/build/python/venv archive=$PWD/build/native/libarenascope.a
readonly packages=('nanobind==3.1.0' 'scikit-build-core==1.1.2' 'numpy' 'pytest==9.2.0' 'hypothesis==6.170.17')
# tests that need them say that they are skipped
readonly more=('pyarrow' 'distributed' 'matplotlib' 'anywidget' 'pandas')

left_out() {
  printf 'python: left out, for %s\n' "$1"
  exit 0
}

pip() { "$venv/bin/python" -m pip --disable-pip-version-check "$@" --quiet; }

[[ -x $venv/bin/python ]] || python3 -m venv "$venv" >/dev/null 2>&1 || left_out 'there is no python3 with venv'
# fetch PACKAGE...: by uv, which takes a third of pip's work, or by pip. What is never imported need not be compiled.
fetch() {
  "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" "$@" 2>/dev/null ||
    pip install --no-compile --retries=0 --timeout=15 "$@" 2>/dev/null
}

pip install --no-compile --retries=0 --timeout=15 uv==0.13.9 2>/dev/null || true
fetch "${packages[@]}" || left_out 'the packages that it is built and tested with are not to be had'
fetch "${more[@]}" || printf 'python: without %s\n' "${more[*]}"
pip install --no-build-isolation --no-deps . -C "cmake.define.ASC_ARCHIVE=$archive"
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/python
