#!/usr/bin/env node
// Weighs the first load of the page: all JavaScript, CSS and WASM of the folder together under gzip -9, and the fonts apart
// (they are compressed already; a .woff is only for browsers too old for WASM with SIMD). The service worker is left out: it is
// fetched after the page works.
//   node tests/check_size.mjs DIST        node tests/check_size.mjs --self-test
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'

const limits = { code: 150_000, fonts: 200_000 }

/** 'code', 'fonts' or '' (pictures, the page's text, source maps, the service worker). */
function kind(path) {
  if (/^sw\.js$/.test(path)) return ''
  if (/\.(js|mjs|css|wasm|html)$/.test(path)) return 'code'
  return /\.(woff2|ttf|otf)$/.test(path) ? 'fonts' : ''
}

/** Weighs [{path, bytes}]: {rows, code, fonts, problems}. */
export function weigh(files) {
  const rows = []
  const total = { code: 0, fonts: 0 }
  for (const file of files) {
    const what = kind(file.path)
    if (!what) continue
    const size = what === 'code' ? gzipSync(file.bytes, { level: 9 }).length : file.bytes.length
    total[what] += size
    rows.push({ path: file.path, what, size, raw: file.bytes.length })
  }
  const problems = []
  for (const what of ['code', 'fonts'])
    if (total[what] > limits[what]) problems.push(`${what}: ${total[what]} bytes, at most ${limits[what]} allowed`)
  // an empty or half-built folder would weigh nothing and pass
  for (const end of ['.js', '.css', '.wasm', '.html'])
    if (!files.some((f) => f.path.endsWith(end))) problems.push(`no ${end} file: is the page built?`)
  return { rows: rows.sort((a, b) => b.size - a.size), ...total, problems }
}

function read(folder) {
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
  const noise = (n) => createHash('shake256', { outputLength: n }).update('noise').digest()
  const whole = ['index.html', 'a/x.js', 'a/x.css', 'a/x.wasm'].map((path) => ({ path, bytes: noise(100) }))
  const cases = [
    ['small page', whole, 0],
    ['large code', [...whole, { path: 'a/y.js', bytes: noise(limits.code) }], 1],
    ['large fonts', [...whole, { path: 'a/y.woff2', bytes: noise(limits.fonts + 1) }], 1],
    ['large pictures', [...whole, { path: 'a/y.png', bytes: noise(500_000) }], 0],
    ['nothing built', [], 4],
  ]
  let wrong = 0
  for (const [name, files, problems] of cases) {
    const got = weigh(files).problems
    if (got.length === problems) continue
    wrong++
    console.error(`self-test ${name}: expected ${problems} problems, got ${JSON.stringify(got)}`)
  }
  console.log(`check_size self-test: ${cases.length - wrong} passed, ${wrong} failed`)
  return wrong ? 1 : 0
}

function main(arguments_) {
  if (arguments_[0] === '--self-test') return selfTest()
  const { rows, code, fonts, problems } = weigh(read(arguments_[0] ?? 'dist'))
  for (const row of rows)
    console.log(`${String(row.size).padStart(8)}  ${row.path}${row.what === 'code' ? ` (${row.raw} raw)` : ''}`)
  for (const problem of problems) console.error(problem)
  console.log(`first load: code ${code} of ${limits.code} bytes compressed, fonts ${fonts} of ${limits.fonts}`)
  return problems.length ? 1 : 0
}

process.exit(main(process.argv.slice(2)))
