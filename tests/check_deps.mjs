#!/usr/bin/env node
// The dependency law, checked over every #include, import and call: what may know of what, that no way leads back, and who writes the page's cells. Prints one line per violation
// (file:line: who may not know whom, and what it may know; or the circle) and exits 1; 2 if it could not look at all.
//   node tests/check_deps.mjs [ROOT]        node tests/check_deps.mjs --self-test
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// the shape of what the instruments draw: state makes it, so it may name its types, but call nothing of the layout
const scene = ['web/src/layout/scene.ts']
// what the client hands out: plain data, and what events say and do
const plain = ['wasm/client/types.ts', 'wasm/client/events.ts']
/** How a page hears that a worker is no more. */
const alive = 'wasm/client/alive.ts'
// and what an importer asks and finds, which state keeps
const imports = ['web/src/import/imported.ts']

/**
 * One room of the house: the files it holds (the first room that matches a path is its room), what its files may take in
 * as paths in the repository (a folder ends with /), as types alone, and, where it is limited, from outside.
 */
const rooms = [
  // C. asc/*.h is the public header: everything in C may include it.
  room('core/base', /^core\/src\/base\//, ['core/src/base/']),
  room('core/model/validate', /^core\/src\/model\/validate\.c$/, ['core/src/base/', 'core/src/model/problem.h']),
  room('core/model', /^core\/src\/model\//, ['core/src/base/', 'core/src/model/']),
  room('core/generate', /^core\/src\/generate\//, ['core/src/base/', 'core/src/model/', 'core/src/generate/']),
  room('core/profile', /^core\/src\/profile\//, ['core/src/base/', 'core/src/model/', 'core/src/profile/']),
  room('core/graph', /^core\/src\/graph\//, ['core/src/base/', 'core/src/model/', 'core/src/graph/']),
  room('core/tile', /^core\/src\/tile\//, ['core/src/base/', 'core/src/model/', 'core/src/tile/']),
  room('core/tiler', /^core\/src\/tiler\//, [
    'core/src/base/',
    'core/src/model/',
    'core/src/graph/',
    'core/src/tile/',
    'core/src/tiler/',
  ]),
  room('core/io', /^core\/src\/io\//, [
    'core/src/base/',
    'core/src/model/',
    'core/src/graph/',
    'core/src/tile/',
    'core/src/io/',
  ]),
  // checks what solvers say, and knows none of them, nor how a problem looks inside
  room('core/proof', /^core\/src\/proof\//, ['core/src/base/', 'core/src/proof/']),
  room('core/trace', /^core\/src\/trace\//, ['core/src/base/', 'core/src/model/', 'core/src/trace/']),
  // what runs the solvers knows the table of them, not their insides
  room('core/solve', /^core\/src\/solve\/([^/]+|timeline\/.*)$/, [
    'core/src/base/',
    'core/src/model/',
    'core/src/graph/',
    'core/src/trace/',
    'core/src/solve/timeline/',
    /^core\/src\/solve\/[^/]+$/,
  ]),
  room(
    'core/solve family',
    /^core\/src\/solve\/[^/]+\//,
    [
      'core/src/base/',
      'core/src/model/',
      'core/src/graph/',
      'core/src/trace/',
      // steps that two families share
      'core/src/solve/ladder/',
      /^core\/src\/solve\/[^/]+\.(h|def)$/,
    ],
    { own: true },
  ),
  room('core/cli', /^core\/cli\//, ['core/cli/']),
  // the one exception: proofs are measured on the generated instances of the tests
  room('core/bench', /^core\/bench\//, ['core/bench/', 'tests/core/saturated.h']),
  // asks the solver from within, while it searches
  room('core/learn', /^core\/learn\//, [
    'core/learn/',
    'core/bench/file.h',
    'core/src/base/',
    'core/src/model/',
    'core/src/trace/',
    /^core\/src\/solve\/[^/]+\.h$/,
    'core/src/solve/telamalloc/learned.h',
  ]),
  room('public header', /^core\/include\//, ['core/include/']),
  room('wasm/glue', /^wasm\/glue\//, ['wasm/glue/']),
  room('tests in C', /^tests\/.*\.[ch]$/, ['core/src/', 'tests/']),

  // TypeScript
  room('wasm/client', /^wasm\/client\//, ['wasm/client/', 'build/wasm/'], { packages: nodeOnlyInTests }),
  // run before there is anything else
  room('wasm scripts', /^wasm\/(manifest|events)\.mjs$/, ['core/include/']),
  // large graphs are measured from what an importer makes on; what others' solvers are given and how charts are drawn is as in the page
  room('wasm/bench', /^wasm\/bench\//, [
    'wasm/client/',
    'wasm/bench/',
    'build/',
    /^web\/src\/import\/(graph|graph_csv|packed)\.ts$/,
    /^web\/src\/(base\/plot|draw\/papers\/chart|export\/figure\/figure_svg|run\/compare\/packing(_cp)?)\.ts$/,
  ]),
  room('tests', /^tests\//, ['tests/', 'web/', 'wasm/', 'examples/', 'build/', /^dist\b/]),
  // makes the one client and hands it to the session
  room('web wiring', /^web\/src\/main\.tsx?$/, ['web/src/', 'wasm/client/client.ts', ...plain]),
  room('web wiring', /^web\/src\/app\.tsx?$/, ['web/src/', ...plain, 'examples/']),
  room('web/base', /^web\/src\/base\//, ['web/src/base/']),
  room('web/import', /^web\/src\/import\//, ['web/src/import/', 'web/src/base/format.ts', alive]),
  // commands that bundle what the page has, its tables too, and run it
  room('web/tools', /^web\/tools\//, [
    'web/tools/',
    /^web\/src\/state\/(profile\/profile(_texts)?|model\/planner_lowerings|share\/recognize)\.ts$/,
    'web/src/import/',
    'web/src/export/',
    'examples/',
    'wasm/bench/bundle.mjs',
    'wasm/client/',
    'build/wasm/',
    // the words of the embedded page's protocol
    'web/src/state/share/messages.ts',
    // of the documentation
    'web/src/panels/problem/format_list.ts',
    // solvers of others, as the page asks them
    /^web\/src\/run\/compare\/(other_solve|packing)\.ts$/,
  ]),
  // generators of graphs, which speak the importers' words
  room('examples', /^examples\//, ['examples/', /^web\/src\/import\/(graph|windows)\.ts$/]),
  // plain data and the arithmetic of its answers
  room('web/lessons', /^web\/src\/lessons\//, ['web/src/base/', 'web/src/lessons/', ...plain], {
    types: scene,
  }),
  room('web/layout', /^web\/src\/layout\//, ['web/src/base/', 'web/src/layout/', alive, ...plain]),
  room('web/draw', /^web\/src\/draw\//, [
    'web/src/base/',
    'web/src/layout/',
    'web/src/draw/',
    'web/src/input/',
    ...plain,
  ]),
  room('web/input', /^web\/src\/input\//, ['web/src/base/', 'web/src/layout/', 'web/src/input/', ...plain]),
  room(
    'web/state',
    /^web\/src\/state\//,
    ['web/src/base/', 'web/src/state/', ...plain, 'examples/', 'core/src/profile/data/'],
    { types: [...scene, ...imports] },
  ),
  room('web/export', /^web\/src\/export\//, [
    'web/src/base/',
    'web/src/layout/',
    'web/src/draw/',
    'web/src/state/',
    'web/src/export/',
    'web/src/import/',
    alive,
    ...plain,
  ]),
  room(
    'web/run',
    /^web\/src\/run\//,
    [
      'web/src/base/',
      'web/src/state/',
      'web/src/import/',
      'web/src/export/',
      'web/src/lessons/',
      'web/src/run/',
      'wasm/client/client.ts',
      'wasm/client/certificate/certificate.ts',
      'wasm/client/words.ts',
      alive,
      ...plain,
    ],
    { types: scene },
  ),
  // panels read a workbench and call actions: the cells that can be written are not theirs
  room('web/panels', /^web\/src\/panels\//, [/^web\/src\/(?!state\/workbench_cells(\.ts)?$)/, ...plain]),
  room('web/styles', /^web\/src\/styles\//, ['web/src/styles/']),
  room('web build', /^web\/[^/]+\.[cm]?[jt]s$/, [/^web\/[^/]+$/]),
]

function room(name, holds, may, rest = {}) {
  return { name, holds, may, own: false, types: [], packages: () => true, ...rest }
}

/** The client runs in the page: a Node module would only fail there. Its tests and its Node worker may use them. */
function nodeOnlyInTests(file, name) {
  return /\.test\.ts$|\/(node[^/]*|testing[^/]*)\.ts$/.test(file) || !name.startsWith('node:')
}

const libc =
  /^(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|time|wchar|wctype)\.h$/
// the library itself: no clock, no signals, no environment; stdio and stdlib only for what the list below leaves of them
const libcOfTheCore =
  /^(assert|inttypes|limits|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string)\.h$/
const calls =
  /(?<![\w.>])(v?f?printf|puts|fputs|putchar|fputc|perror|scanf|fopen|freopen|tmpfile|remove|getenv|rand|srand|exit|_Exit|quick_exit|abort|atexit|system|malloc|calloc|realloc|free)\s*\(/g
const posix = /^(sys\/\w+|unistd|dlfcn|fcntl|poll|time|dirent|pthread|termios|strings)\.h$/

const isC = (path) => /\.(c|h|def|inl)$/.test(path)

/** What a file takes in: [{line, name, quoted}] of C, [{line, name}] of TypeScript, of which a type-only import is also one. */
export function takes(path, text) {
  const found = []
  const lineOf = (index) => text.slice(0, index).split('\n').length
  if (isC(path)) {
    for (const m of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]/gm))
      found.push({ line: lineOf(m.index), name: m[2], quoted: m[1] === '"', type: false })
    return found
  }
  const bare = withoutLineComments(text)
  const forms = [
    /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*(['"])([^'"\n]+)\1/g,
    /\bimport\s*(['"])([^'"\n]+)\1/g,
    /\bimport\s*\(\s*(['"`])([^'"`\n]+)\1/g,
    /\bnew\s+URL\s*\(\s*(['"`])(\.{1,2}\/[^'"`\n]+)\1\s*,\s*import\.meta\.url/g,
    /\bimport\.meta\.glob(?:<[^>]*>)?\s*\(\s*\[?\s*(['"`])([^'"`\n]+)\1/g,
    /\bvi\.mock\s*\(\s*(['"`])([^'"`\n]+)\1/g,
  ]
  for (const form of forms)
    for (const m of bare.matchAll(form)) found.push({ line: lineOf(m.index), name: m[2], type: onlyTypes(m[0]) })
  return found.sort((a, b) => a.line - b.line)
}

function onlyTypes(statement) {
  const list = /\{([^}]*)\}/.exec(statement)
  if (/^(import|export)\s+type\b/.test(statement)) return true
  return (
    !!list &&
    /^(import|export)\s*\{/.test(statement) &&
    list[1].split(',').every((s) => !s.trim() || /^type\s/.test(s.trim()))
  )
}

/** The path in the repository of an include or import, or null if it comes from outside. */
function target(path, take, exists) {
  if (isC(path)) {
    if (!take.quoted && !take.name.startsWith('asc/')) return null
    const places = [
      join(dirname(path), take.name),
      join('core/src', take.name),
      join('core/include', take.name),
      join('tests/core', take.name),
    ]
    return places.map(normalize).find(exists) ?? normalize(join('core/src', take.name))
  }
  if (!take.name.startsWith('.')) return null
  const plain = normalize(join(dirname(path), take.name.replace(/\?.*$/, '')))
  const tries = [
    plain,
    `${plain}.ts`,
    `${plain}.tsx`,
    `${plain}/index.ts`,
    `${plain}/index.tsx`,
    plain.replace(/\.js$/, '.ts'),
  ]
  return tries.find(exists) ?? plain
}

function allowedInside(where, path, to, type) {
  if (type && where.types.includes(to)) return true
  if (isC(path) && to.startsWith('core/include/')) return true
  if (where.own && to.startsWith(`${dirname(path).split('/').slice(0, 4).join('/')}/`)) return true
  return where.may.some((m) => (m instanceof RegExp ? m.test(to) : m.endsWith('/') ? to.startsWith(m) : to === m))
}

function allowedOutside(where, path, name) {
  if (!isC(path)) return where.packages(path, name)
  if (/^core\/src\/|^core\/include\//.test(path)) return libcOfTheCore.test(name)
  if (path.startsWith('wasm/')) return libcOfTheCore.test(name) || /^emscripten/.test(name)
  return libc.test(name) || posix.test(name) || (path.startsWith('tests/') && /^(cmocka|execinfo)\.h$/.test(name))
}

/** Of TypeScript: the text with comments blanked, lines kept. */
function withoutLineComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/[^\n]*/g, (s) => s.replace(/[^\n]/g, ' '))
}

/** Of C: the text with comments and strings blanked, lines kept. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, (s) => s.replace(/[^\n]/g, ' '))
}

/** Calls that the library must not make: it prints, reads and ends nothing, and all its memory goes through base/memory.c. */
function forbiddenCalls(path, text) {
  if (!path.startsWith('core/src/') || path === 'core/src/base/memory.c') return []
  const bare = withoutComments(text)
  return [...bare.matchAll(calls)].map((m) => ({
    path,
    line: bare.slice(0, m.index).split('\n').length,
    text: `the library may not call ${m[1]}()`,
  }))
}

/** Who leads to whom, by path: a Map of Maps to the line. Of TypeScript whoever takes in (types, too), of C whoever calls what the other alone defines. */
function leads(files) {
  const known = new Set(files.map((f) => f.path))
  const edges = new Map(files.map((f) => [f.path, new Map()]))
  const library = files
    .filter((f) => /^(core|wasm)\/.*\.c$/.test(f.path))
    .map((f) => ({ ...f, text: withoutComments(f.text) }))
  const definers = new Map()
  for (const { path, text } of library)
    for (const [, name] of text.matchAll(/^(?!static\b|return\b|else\b)[A-Za-z][\w *]*?[ *](\w+)\s*\([^;{}]*\)\s*\{/gm))
      definers.set(name, definers.has(name) ? null : path)
  for (const { path, text } of library)
    for (const m of text.matchAll(/\b([A-Za-z]\w+)\s*\(/g)) {
      const to = definers.get(m[1])
      if (to && to !== path && !edges.get(path).has(to))
        edges.get(path).set(to, text.slice(0, m.index).split('\n').length)
    }
  for (const { path, text } of files.filter((f) => !isC(f.path)))
    for (const take of takes(path, text)) {
      const to = target(path, take, (p) => known.has(p))
      if (to !== null && to !== path && known.has(to) && !edges.get(path).has(to)) edges.get(path).set(to, take.line)
    }
  return edges
}

/** The shortest way from a file back to itself, [] if there is none. O(files + edges). */
function circleThrough(edges, from) {
  const before = new Map()
  for (let row = [from]; row.length > 0 && !before.has(from); ) {
    const next = []
    for (const at of row)
      for (const to of edges.get(at).keys())
        if (!before.has(to)) {
          before.set(to, at)
          next.push(to)
        }
    row = next
  }
  const way = []
  for (let at = before.get(from); at !== undefined && (way.length === 0 || way[0] !== from); at = before.get(at))
    way.unshift(at)
  return way
}

/** Files that lead back to themselves, a circle told once. What nobody leads to, or what leads to nobody, is put away first. */
function circles(files) {
  const edges = leads(files)
  for (let before = -1; before !== edges.size; ) {
    before = edges.size
    const entered = new Set([...edges.values()].flatMap((to) => [...to.keys()]))
    for (const [path, to] of edges) {
      for (const other of to.keys()) if (!edges.has(other)) to.delete(other)
      if (to.size === 0 || !entered.has(path)) edges.delete(path)
    }
  }
  for (const to of edges.values()) for (const other of to.keys()) if (!edges.has(other)) to.delete(other)
  const told = new Set()
  return [...edges.keys()].sort().flatMap((path) => {
    const way = told.has(path) ? [] : circleThrough(edges, path)
    if (way.length === 0) return []
    for (const at of way) told.add(at)
    const line = edges.get(path).get(way[1] ?? path)
    return [
      { path, line, text: `a circle: ${[...way, path].join(' -> ')}; move what both need into a file of its own` },
    ]
  })
}

/** Cells that a panel writes although `state/` or `run/` has them: it calls an action or a setter instead. What a panel keeps for itself is its own. */
function writes(path, text) {
  if (!path.startsWith('web/src/panels/')) return []
  const names = []
  for (const [, list] of text.matchAll(/\bimport\b([^'"`;()]*?)\bfrom\s*['"](?:\.\.\/)+(?:state|run)\//g)) {
    const all = /\*\s*as\s+(\w+)/.exec(list)
    if (all !== null) names.push(`${all[1]}\\s*\\.\\s*\\w+`)
    for (const [, name] of (/\{([^}]*)\}/.exec(list)?.[1] ?? '').matchAll(/(\w+)\s*(?:,|$)/g)) names.push(name)
  }
  if (names.length === 0) return []
  const write = new RegExp(`(?<![\\w.])(${names.join('|')})\\s*\\.\\s*(?:set|update)\\s*\\(`, 'g')
  return [...withoutLineComments(text).matchAll(write)].map((m) => ({
    path,
    line: text.slice(0, m.index).split('\n').length,
    text: `a panel may not write ${m[1]}: only state/ and run/ do`,
  }))
}

/** All violations of the files given ([{path, text}]), as {path, line, text}. */
export function violations(files) {
  const known = new Set(files.map((f) => f.path))
  const bad = circles(files)
  for (const { path, text } of files) {
    const where = rooms.find((r) => r.holds.test(path))
    if (!where) {
      bad.push({ path, line: 1, text: 'belongs to no room of the house: say in check_deps.mjs what it may know' })
      continue
    }
    bad.push(...forbiddenCalls(path, text), ...writes(path, text))
    for (const take of takes(path, text)) {
      const to = target(path, take, (p) => known.has(p))
      if (to === null ? allowedOutside(where, path, take.name) : allowedInside(where, path, to, take.type)) continue
      const may = where.may.map((m) => (m instanceof RegExp ? m.source : m)).join(' ') || 'the public header only'
      bad.push({ path, line: take.line, text: `${where.name} may not take in ${to ?? take.name} (it may: ${may})` })
    }
  }
  return bad
}

// its cases below would be taken for imports of its own
const self = fileURLToPath(import.meta.url)

function read(root) {
  const files = []
  const skip = /^(node_modules|build|dist|\.git|corpus)$/
  const visit = (folder) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) {
        if (!skip.test(name)) visit(path)
      } else if (/\.(c|h|def|inl|ts|tsx|mjs|js)$/.test(name) && path !== self) {
        files.push({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') })
      }
    }
  }
  for (const top of ['core', 'wasm', 'web', 'tests', 'examples'])
    if (existsSync(join(root, top))) visit(join(root, top))
  return files
}

/** Each case is one file of a house that otherwise obeys; bad ones must be found, on their line, good ones must not. */
const cases = [
  ['core/src/base/diag.c', '#include <stdint.h>\n#include "base/diag.h"', 0],
  ['core/src/base/diag.c', '#include <stdint.h>\n#include "model/problem.h"', 2],
  ['core/src/base/diag.c', '#include <time.h>', 1],
  ['core/src/model/validate.c', '#include "asc/asc.h"\n#include "model/problem.h"\n#include "base/memory.h"', 0],
  ['core/src/model/validate.c', '#include "asc/asc.h"\n#include "model/lifespan/sweep.h"', 2],
  ['core/src/model/lifespan/sweep.c', '#include "trace/log.h"', 1],
  ['core/src/trace/log.c', '#include "model/problem.h"', 0],
  ['core/src/trace/log.c', '#include "solve/solver.h"', 1],
  ['core/src/io/csv.c', '#include "trace/log.h"', 1],
  ['core/src/solve/greedy/order.c', '#include "solve/solver.h"\n#include "trace/log.h"\n#include "order.h"', 0],
  ['core/src/solve/greedy/order.c', '\n\n  #  include "solve/minimalloc/search.h"', 3],
  ['core/src/solve/greedy/order.c', '#include "../minimalloc/search.h"', 1],
  ['core/src/solve/run.c', '#include "solve/minimalloc/search.h"', 1],
  ['core/src/solve/run.c', '#include "solve/solvers.def"', 0],
  ['core/cli/main.c', '#include "asc/asc.h"\n#include <signal.h>\n#include "flags.h"', 0],
  ['core/cli/main.c', '#include "base/memory.h"', 1],
  ['core/bench/main.c', '#include "model/problem.h"', 1],
  ['core/bench/main.c', '#include "saturated.h"\n#include "support.h"', 2],
  ['core/src/base/diag.c', '/* exit() */ int a; char *s = "free(x)"; x->free(p); snprintf(b, 1, "a");', 0],
  ['core/src/base/diag.c', 'int f(void) {\n  printf("x");\n}', 2],
  ['core/src/base/diag.c', 'void *f(void) { return malloc (1); }', 1],
  ['core/src/base/memory.c', 'void *f(void) { return malloc(1); }', 0],
  ['wasm/glue/problem.c', '#include "asc/asc.h"', 0],
  ['wasm/glue/problem.c', '#include "model/problem.h"', 1],
  ['wasm/client/core.ts', "import { a } from './module'\nimport url from '../../build/wasm/core.wasm?url'", 0],
  [
    'wasm/client/core.ts',
    "// import { a } from '../../web/src/x'\nimport {\n  a,\n} from '../../web/src/base/cell'",
    2,
  ],
  ['wasm/client/core.ts', "import { readFile } from 'node:fs/promises'", 1],
  ['web/src/base/cell.ts', "import { b } from '../state/atoms'", 1],
  ['web/src/layout/scene.ts', "import type { Frame } from '../../../wasm/client/types'", 0],
  ['web/src/layout/hit.ts', "import { c } from '../../../wasm/client/client'", 1],
  ['web/src/draw/memory_view.ts', "import type { S } from '../state/atoms'", 1],
  ['web/src/draw/memory_view.ts', "const x = await import('../panels/solver')", 1],
  ['web/src/state/url.ts', "import { p } from '../run/player'", 1],
  [
    'web/src/state/url.ts',
    "import type { Scene } from '../layout/scene'\nimport { type A, type B } from '../layout/scene'",
    0,
  ],
  ['web/src/state/url.ts', "import { type Scene, ticks } from '../layout/scene'", 1],
  ['web/src/export/files.ts', "import { p } from '../run/player'", 1],
  ['web/src/run/runs.ts', "import { createClient } from '../../../wasm/client/client'", 0],
  ['web/src/run/runs.ts', "import { core } from '../../../wasm/client/core'", 1],
  ['web/src/panels/step.tsx', "import { p } from '../run/player'\nimport { h } from 'preact'", 0],
  ['web/src/panels/step.tsx', "import { run } from '../state/workbench'", 0],
  ['web/src/panels/step.tsx', "import { workbench } from '../state/workbench_cells'", 1],
  ['web/src/run/runs.ts', "import { workbench } from '../state/workbench_cells'", 0],
  ['web/src/panels/step.tsx', "import { tab, type Tab } from '../state/atoms'\n\ntab.set('step')", 3],
  [
    'web/src/panels/step.tsx',
    "import { speed, tab as shown } from '../state/atoms'\nshown\n  .update((now) => now)",
    2,
  ],
  ['web/src/panels/step.tsx', "import * as a from '../state/atoms'\na.tab.set('step')", 2],
  [
    'web/src/panels/step.tsx',
    "import { tab } from '../state/atoms'\nimport { own } from './solver'\n// tab.set(1)\nown.set(tab.get())\nx.tab.set(1)",
    0,
  ],
  ['web/src/run/runs.ts', "import { tab } from '../state/atoms'\ntab.set('step')", 0],
  ['web/src/main.tsx', "import { createClient } from '../../wasm/client/client'", 0],
  ['web/src/app.tsx', "import { createClient } from '../../wasm/client/client'", 1],
  ['web/src/panels/step.tsx', "import { c } from '../../../wasm/client/client'", 1],
  ['web/src/nowhere/x.ts', '', 1],
]

/** Files of a house, and where its circle is told, '' if it has none. */
const rounds = [
  [
    {
      'core/src/base/a.c': 'int asci_a(int x) {\n  return asci_b(x);\n}',
      'core/src/base/b.c': 'int asci_b(int x) {\n  return x;\n}',
    },
    '',
  ],
  [
    {
      'core/src/base/a.c': 'int asci_a(int x) {\n  return asci_b(x);\n}',
      'core/src/base/b.c': '/* asci_c(x) */\nint asci_b(\n    int x) {\n  return asci_c(x);\n}',
      'core/src/base/c.c': 'static int one(int x) { return asci_a(x); }\nint asci_c(int x) { return one(x); }',
    },
    'core/src/base/a.c:2',
  ],
  [
    {
      'core/src/base/a.c': 'static int same(int x) { return x; }\nint asci_a(int x) { return asci_b(same(x)); }',
      'core/src/base/b.c': 'int asci_b(int x) { return same(x); }\nstatic int same(int x) { return x; }',
    },
    '',
  ],
  [
    {
      'web/src/base/cell.ts': "import type { B } from './b'",
      'web/src/base/b.ts': "import { c } from './c'",
      'web/src/base/c.ts': "\nconst c = () => import('./cell')",
    },
    'web/src/base/b.ts:1',
  ],
  [
    {
      'web/src/base/cell.ts': "import { b } from './b'\nimport { c } from './c'",
      'web/src/base/b.ts': "import { c } from './c'",
      'web/src/base/c.ts': '',
    },
    '',
  ],
]

function selfTest() {
  const house = [
    ...new Set(cases.map((c) => c[0])),
    'core/include/asc/asc.h',
    'core/src/base/diag.h',
    'core/src/base/memory.h',
    'core/src/model/problem.h',
    'core/src/model/lifespan/sweep.h',
    'core/src/trace/log.h',
    'core/src/solve/solver.h',
    'core/src/solve/solvers.def',
    'core/src/solve/greedy/order.h',
    'core/src/solve/minimalloc/search.h',
    'core/cli/flags.h',
    'tests/core/saturated.h',
    'tests/core/support.h',
    ...plain,
    'wasm/client/module.ts',
    'wasm/client/client.ts',
    'web/src/state/atoms.ts',
    'web/src/layout/scene.ts',
    'web/src/run/player.ts',
    'web/src/panels/solver.tsx',
  ].map((path) => ({ path, text: '' }))
  let wrong = 0
  for (const [path, text, line] of cases) {
    const files = house.filter((f) => f.path !== path && f.path !== 'web/src/nowhere/x.ts')
    const got = violations([...files, { path, text }])
    const right = line === 0 ? got.length === 0 : got.length === 1 && got[0].path === path && got[0].line === line
    if (right) continue
    wrong++
    console.error(
      `self-test: ${path} with ${JSON.stringify(text)}: expected ${line ? `a violation on line ${line}` : 'none'}, got ${JSON.stringify(got)}`,
    )
  }
  for (const [round, told] of rounds) {
    const got = violations(Object.entries(round).map(([path, text]) => ({ path, text }))).map(
      (v) => `${v.path}:${v.line}`,
    )
    if (got.join() === told) continue
    wrong++
    console.error(`self-test: ${JSON.stringify(round)}: expected ${told || 'no circle'}, got ${got}`)
  }
  console.log(`check_deps self-test: ${cases.length + rounds.length - wrong} passed, ${wrong} failed`)
  return wrong ? 1 : 0
}

function main(arguments_) {
  if (arguments_[0] === '--self-test') return selfTest()
  const files = read(arguments_[0] ?? join(dirname(self), '..'))
  if (files.length === 0) {
    console.error('check_deps: no source file found')
    return 2
  }
  const bad = violations(files)
  for (const v of bad) console.error(`${v.path}:${v.line}: ${v.text}`)
  console.log(`dependency law: ${files.length} files, ${bad.length} violations`)
  return bad.length ? 1 : 0
}

process.exit(main(process.argv.slice(2)))
