# What the machine must have: build.sh reads this. The want_* functions note what is missing of Debian's packages, apt_install installs it; Node and the
# packages of npm are looked after by ensure_*. `say`, `die`, `find_chromium` and `root` are build.sh's.
# shellcheck shell=bash

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

# those who use the library: pkg-config asks for it, and the Python package's module is C++
want_install() {
  want pkg-config pkgconf
  want g++ g++
  want python3 python3-venv
  want '/usr/include/python3*/Python.h' python3-dev
  want '/usr/lib/python3*/ensurepip/__init__.py' python3-venv
}

# the campaign compiles for 32 bits as well
want_campaign() { want '/usr/lib/gcc/*/*/32/libgcc.a' gcc-multilib; }

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

want_firefox() { want firefox-esr firefox-esr; }

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

# Debian 12 has Node 18. The npm registry carries newer ones, so its npm fetches one for this folder alone: that of web/node, by its digest.
ensure_node() {
  local private=$root/build/node/node_modules/.bin
  if command -v npm >/dev/null && node_serves node; then return; fi
  if ! node_serves "$private/node"; then
    want_node
    apt_install
    if node_serves node; then return; fi
    case $(uname -m) in
      x86_64 | aarch64) ;;
      *) die "Node $(node -v) is too old and there is none to fetch for $(uname -m): please install Node 20.19 or newer" ;;
    esac
    say "Node $(node -v 2>/dev/null) is too old for Vite: fetching a private one into build/node"
    mkdir -p build/node
    cp web/node/package.json web/node/package-lock.json build/node/
    npm ci --prefix build/node --no-audit --no-fund --loglevel=error >&2
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
