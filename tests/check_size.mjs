#!/usr/bin/env node
// Weighs the page. First load: all that is fetched before the page can be used (the HTML and every script, style sheet and WASM module
// that it leads to without import()), together under Brotli as static hosts send it, and the fonts apart (they are compressed already; a
// .woff is only for browsers too old for WASM with SIMD). Of the WASM modules the lean one is fetched first; the others come after the first
// drawing or when a run asks for them (tests/e2e/page/lean.e2e.ts sees to that). What only an import() leads to comes later too. What comes later is
// weighed, but has no limit: how long people wait for it has (tests/e2e/timing/feel.e2e.ts). The service worker is left out: it is fetched after
// the page works.
//   node tests/check_size.mjs DIST        node tests/check_size.mjs --self-test
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

export const limits = { code: 150_000, fonts: 200_000 }
const entry = 'index.html'

const isModule = (path) => path.endsWith('.wasm')
const isLean = (path) => /(?:^|\/)lean\b[^/]*\.wasm$/.test(path)

/** 'code', 'fonts' or '' (pictures, source maps, the service worker). */
function kind(path) {
  if (/^sw\.js$/.test(path)) return ''
  if (/\.(js|mjs|css|wasm|html)$/.test(path)) return 'code'
  return /\.(woff2|ttf|otf)$/.test(path) ? 'fonts' : ''
}

/** The names of files that a text leads to: 'later' where every mention of the name is the whole text of an import(), else 'first'. */
function leads(text, names) {
  const quoted = /\bimport\(\s*(["'`])([^"'`]*)\1\s*\)/g
  const without = text.replace(quoted, '')
  const dynamic = [...text.matchAll(quoted)].map((m) => basename(m[2]))
  const found = new Map()
  for (const name of names) {
    if (without.includes(name)) found.set(name, 'first')
    else if (dynamic.includes(name)) found.set(name, 'later')
  }
  return found
}

/**
 * The paths of what comes later: reached through an import() and in no other way. Any other mention of a file in what is fetched first
 * counts as fetching it (an import, a worker, a URL, a list of things to preload), and so does being mentioned nowhere.
 */
function laterOf(files) {
  const code = files.filter((file) => kind(file.path) === 'code')
  const names = code.map((file) => basename(file.path))
  const ways = new Map(
    code.map((file) => [file, leads(/\.(js|mjs|html|css)$/.test(file.path) ? file.bytes.toString('utf8') : '', names)]),
  )
  const follow = (from, through) => {
    const seen = new Set(from)
    for (const file of seen)
      for (const [name, when] of ways.get(file))
        if (through.includes(when)) seen.add(code.find((other) => basename(other.path) === name))
    return seen
  }
  const start = code.filter((file) => file.path === entry)
  const first = follow(start, ['first'])
  // only instead of the lean one, or after it
  if ([...first].some((file) => isLean(file.path)))
    for (const file of first) if (isModule(file.path) && !isLean(file.path)) first.delete(file)
  const all = follow(start, ['first', 'later'])
  return new Set([...all].filter((file) => !first.has(file)).map((file) => file.path))
}

/** What comes later has no limit, and of its largest files the best quality would take half a minute: they are a sixth lighter than told. */
function packed(bytes, what) {
  const quick = what === 'later' && bytes.length > 100_000
  return brotliCompressSync(bytes, quick ? { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } : {}).length
}

/** Weighs [{path, bytes}]: {rows, code, later, fonts, problems}; the lean module is part of the code, the others come later. */
export function weigh(files) {
  const rows = []
  const total = { code: 0, later: 0, fonts: 0 }
  const later = laterOf(files)
  for (const file of files) {
    const what = later.has(file.path) ? 'later' : kind(file.path)
    if (!what) continue
    const size = what === 'fonts' ? file.bytes.length : packed(file.bytes, what)
    total[what] += size
    rows.push({ path: file.path, what, size, raw: file.bytes.length })
  }
  const problems = []
  for (const what of Object.keys(limits))
    if (total[what] > limits[what]) problems.push(`${what}: ${total[what]} bytes, at most ${limits[what]} allowed`)
  // an empty or half-built folder would weigh nothing and pass, and so would a page whose scripts all came later
  for (const end of ['.js', '.css', '.wasm', '.html'])
    if (!files.some((f) => f.path.endsWith(end) && !later.has(f.path)))
      problems.push(`no ${end} file in the first load: is the page built?`)
  return { rows: rows.sort((a, b) => b.size - a.size), ...total, problems }
}

/** All files of a folder, as weigh takes them. */
export function read(folder) {
  const files = []
  const visit = (at) => {
    for (const name of readdirSync(at)) {
      const path = join(at, name)
      if (statSync(path).isDirectory()) visit(path)
      else files.push({ path: relative(folder, path).replaceAll('\\', '/'), bytes: readFileSync(path) })
    }
  }
  visit(folder)
  return files
}

function selfTest() {
  // bytes that do not compress, the same each time
  const noise = (n, text = '') =>
    Buffer.concat([Buffer.from(text), createHash('shake256', { outputLength: n }).update('noise').digest()])
  const file = (path, bytes) => ({ path, bytes })
  const page = (script, more = []) => [
    file('index.html', Buffer.from('<script type="module" src="./a/x.js"></script><link href="./a/x.css">')),
    file('a/x.js', noise(100, `new Worker(new URL("worker.js",import.meta.url));${script}`)),
    file(
      'a/worker.js',
      noise(100, 'fetch(new URL("lean-x.wasm",import.meta.url));fetch("core-x.wasm");fetch("y.wasm")'),
    ),
    file('a/x.css', noise(100)),
    file('a/lean-x.wasm', noise(100)),
    file('a/core-x.wasm', noise(100)),
    ...more,
  ]
  const large = (path, text) => file(path, noise(limits.code, text))
  const kilo = (bytes) => Math.round(bytes / 1000)
  const small = (path, text) => file(path, noise(1000, text))
  // what each weighs beyond the plain page, in kilobytes: first and later
  const cases = [
    ['small page', page(''), 0, [0, 0]],
    ['large code', page('import"./y.js"', [large('a/y.js')]), 1, [kilo(limits.code), 0]],
    ['large worker', page('', [large('a/worker2.js')]), 1, [kilo(limits.code), 0]],
    ['large lean module', page('', [file('a/lean-y.wasm', noise(limits.code))]), 1, [kilo(limits.code), 0]],
    ['a large module', page('"core-y.wasm"', [file('a/core-y.wasm', noise(limits.code))]), 0, [0, kilo(limits.code)]],
    ['a module of a family', page('', [small('a/y.wasm')]), 0, [0, 1]],
    ['large fonts', page('', [file('a/y.woff2', noise(limits.fonts + 1))]), 1, [0, 0]],
    ['large pictures', page('', [file('a/y.png', noise(500_000))]), 0, [0, 0]],
    ['a static chunk', page('import{a}from"./y.js"', [small('a/y.js')]), 0, [1, 0]],
    ['a dynamic chunk', page('()=>import("./y.js")', [small('a/y.js')]), 0, [0, 1]],
    ['a dynamic chunk in backticks', page('()=>import(`./y.js`)', [small('a/y.js')]), 0, [0, 1]],
    ['both', page('import"./y.js";()=>import("./y.js")', [small('a/y.js')]), 0, [1, 0]],
    ['a dynamic chunk that is preloaded', page('()=>import("./y.js");m=["a/y.js"]', [small('a/y.js')]), 0, [1, 0]],
    [
      'what a dynamic chunk imports',
      page('()=>import("./y.js")', [small('a/y.js', 'import"./z.js";'), small('a/z.js')]),
      0,
      [0, 2],
    ],
    [
      'what both import',
      page('import"./z.js";()=>import("./y.js")', [small('a/y.js', 'import"./z.js";'), small('a/z.js')]),
      0,
      [1, 1],
    ],
    [
      'what a static chunk imports dynamically',
      page('import"./y.js"', [small('a/y.js', 'import("./z.js");'), small('a/z.js')]),
      0,
      [1, 1],
    ],
    ['a file that nothing mentions', page('', [small('a/y.js')]), 0, [1, 0]],
    [
      'a file that is only mentioned by such',
      page('', [small('a/y.js', 'import("./z.js");'), small('a/z.js')]),
      0,
      [2, 0],
    ],
    ['large later', page('()=>import("./y.js")', [file('a/y.js', noise(1_000_000))]), 0, [0, 1000]],
    [
      'a lean module that comes later',
      page('()=>import("./y.js")', [small('a/y.js', 'fetch("lean-y.wasm");'), small('a/lean-y.wasm')]),
      0,
      [0, 2],
    ],
    ['the whole module alone', page('').filter(({ path }) => path !== 'a/lean-x.wasm'), 0, [0, 0]],
    ['nothing built', [], 4, null],
    [
      'all scripts later',
      page('').map((f) => (f.path === entry ? file(entry, Buffer.from('import("./x.js")"x.css"')) : f)),
      2,
      null,
    ],
  ]
  const plain = weigh(page(''))
  let wrong = 0
  for (const [name, files, problems, more] of cases) {
    const got = weigh(files)
    const beyond = [got.code - plain.code, got.later].map(kilo)
    if (got.problems.length === problems && (more === null || beyond.join() === more.join())) continue
    wrong++
    console.error(
      `self-test ${name}: expected ${problems} problems and ${more} kB, got ${JSON.stringify(got.problems)} and ${beyond} kB`,
    )
  }
  console.log(`check_size self-test: ${cases.length - wrong} passed, ${wrong} failed`)
  return wrong ? 1 : 0
}

function print(title, rows) {
  console.log(title)
  for (const row of rows)
    console.log(`${String(row.size).padStart(8)}  ${row.path}${row.what === 'fonts' ? '' : ` (${row.raw} raw)`}`)
}

function main(arguments_) {
  if (arguments_[0] === '--self-test') return selfTest()
  const { rows, code, later, fonts, problems } = weigh(read(arguments_[0] ?? 'dist'))
  print(
    'first load',
    rows.filter((row) => row.what !== 'later'),
  )
  print(
    'later',
    rows.filter((row) => row.what === 'later'),
  )
  for (const problem of problems) console.error(problem)
  console.log(
    `first load: code ${code} of ${limits.code} bytes under Brotli, fonts ${fonts} of ${limits.fonts}; later ${later}`,
  )
  return problems.length ? 1 : 0
}

// the bench weighs as well
if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(main(process.argv.slice(2)))
