// What all campaigns have counted, a line of JSON for each figure of each part: what, count, faults, the commit and day, the version, and where its random
// numbers began. The file is kept with the sources, so that sittings add up; TESTING.md's table is its sum over the commits of this version.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'

const COUNTS = join(ROOT, 'tests/campaign/counts.jsonl')

function said(command, ...args) {
  return spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim()
}

const version = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

/** Notes the rows of a part that began with the clock at that time. latest: a share or state, of which the last says all. */
export function note(rows) {
  // what a sitting writes is no change
  const changed = said(
    'git',
    'status',
    '--porcelain',
    '--untracked-files=no',
    ':!TESTING.md',
    ':!tests/campaign/counts.jsonl',
  )
  const commit = said('git', 'rev-parse', '--short', 'HEAD') + (changed ? '+' : '')
  const date = new Date().toISOString().slice(0, 10)
  const line = (row) => `${JSON.stringify({ ...row, version: version(), commit, date })}\n`
  appendFileSync(COUNTS, rows.map(line).join(''))
}

const counted = () =>
  existsSync(COUNTS)
    ? readFileSync(COUNTS, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** What was noted of one figure, in any version. */
export const noted = (what) => counted().filter((line) => line.what === what)

/** The sums, in the order in which things were counted first. */
export function summed(lines) {
  const sums = new Map()
  for (const { what, count, faults, latest } of lines) {
    const before = sums.get(what) ?? { what, count: 0, faults: 0, sittings: 0 }
    const own = { what, count: latest ? count : before.count + count, faults: latest ? faults : before.faults + faults }
    sums.set(what, { ...own, sittings: before.sittings + 1 })
  }
  return [...sums.values()]
}

const list = (values) => [...new Set(values)].join(', ')

/** The text between the two marks of TESTING.md. */
export function tableOf(lines) {
  const rows = summed(lines)
    .map(({ what, count, faults }) => `| ${what} | ${count.toLocaleString('en')} | ${faults} |`)
    .join('\n')
  const over = `Version ${lines[0]?.version ?? ''}, counted on ${list(lines.map(({ date }) => date))} over the commits ${list(lines.map(({ commit }) => commit))}\n(+: with changes that were not committed). Each fault that was found is mended and kept as a test.`
  return `\n${over}\n\n| what | number | faults found |\n| --- | ---: | ---: |\n${rows}\n\n`
}

export function writeTable() {
  const file = join(ROOT, 'TESTING.md')
  const own = counted().filter((line) => line.version === version())
  const marks = /(<!-- campaign -->\n)[\s\S]*(<!-- end -->)/
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(marks, (_, begin, end) => `${begin}${tableOf(own)}${end}`),
  )
}
