#!/usr/bin/env node
// The exact solver beside OR-Tools' CP-SAT where next to nothing may stay idle: who decides how much in the same time of one processor.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listOf, NATIVE, partOptions, runParts, start } from './command.mjs'
import { EXACT } from './exact_parts.mjs'
import { inFolder } from './instances.mjs'
import { nativeRows } from './native.mjs'
import { cpSat } from './peers/ortools.mjs'
import { alignedProblem, csvOf, fullProblem, wideProblem } from './proofs_families.mjs'
import { group, median, printTable, sum } from './table.mjs'

const EACH = 25
const SLACKS = [0, 1, 2, 3, 4]
const COUNTS = [16, 20, 24, 30, 40, 60, 80, 120]
const ALIGNMENTS = [
  [1, 2, 4],
  [1, 1, 8],
  [2, 4, 8],
]

const numbered = (make) => Array.from({ length: EACH }, (_, k) => make(k))

/** Those of the suite: plain buffers, the capacity in the file's name. */
function suiteProblems(suites) {
  const folder = join(suites, 'saturated')
  const names = readdirSync(folder).filter((name) => /^n.*\.\d+\.csv$/.test(name))
  return names.sort().map((name) => {
    const [header, ...rows] = readFileSync(join(folder, name), 'utf8').trim().split('\n')
    const at = Object.fromEntries(header.split(',').map((title, k) => [title, k]))
    const buffers = rows.map((row) => {
      const cells = row.split(',')
      const number = (title) => Number(cells[at[title]])
      return { lower: number('lower'), upper: number('upper'), size: number('size'), alignment: 1 }
    })
    return { name: name.replace(/\.\d+\.csv$/, ''), capacity: Number(/\.(\d+)\.csv$/.exec(name)[1]), buffers }
  })
}

const slackProblems = (_, from) =>
  SLACKS.flatMap((idle) =>
    COUNTS.map((count, k) => ({
      name: `${idle} idle, ${count}`,
      ...fullProblem(from + 1000 * idle + 10 * k + 2, count, idle),
    })),
  )

/** Of an explanation. */
const EXPLAIN_STEPS = 200_000

const wideProblems = (_, from) =>
  [0, 1].flatMap((idle) =>
    COUNTS.flatMap((count, at) =>
      [0, 1, 2, 3, 4].map((k) => ({
        name: `${idle} idle, ${count}`,
        ...wideProblem(from + 90000 + 1000 * idle + 10 * at + k, count, idle),
      })),
    ),
  )

const LARGE = [200, 400, 700, 1000]
const largeProblems = (_, from) =>
  LARGE.flatMap((count) =>
    SLACKS.map((idle) => ({
      name: `${idle} idle, ${count}`,
      ...fullProblem(from + 70000 + 10 * count + idle, count, idle),
    })),
  )

const leastProblems = (_, from) =>
  numbered((k) => ({ name: `${k % 5} idle, ${16 + 2 * k}`, ...fullProblem(from + 20000 + k, 16 + 2 * k, k % 5) }))

const mixedProblems = (_, from) =>
  numbered((k) =>
    k % 2 > 0
      ? { name: `full, ${12 + k}`, ...fullProblem(from + 30000 + k, 12 + k, k % 5, ALIGNMENTS[k % 3]) }
      : { name: `32 to 128, ${16 + k}`, ...alignedProblem(from + 30000 + k, 16 + k) },
  )

const VERDICTS = { feasible: 'feasible', optimal: 'feasible', infeasible: 'infeasible' }

function ours({ native, ms, folder }, { capacity, buffers }, least) {
  const path = join(folder, `problem.${capacity}.csv`)
  writeFileSync(path, csvOf({ buffers }))
  const goal = least ? ['--goal=height'] : []
  const [row] = nativeRows(native, [path, EXACT, `--ms=${ms}`, '--processor', ...goal])
  const height = row.height >= 0 ? row.height : null
  const verdict = least && row.outcome !== 'optimal' ? 'open' : (VERDICTS[row.outcome] ?? 'open')
  return { verdict, height, bound: row.lowerBound, ms: row.ms }
}

async function theirs({ ms, judge }, { capacity, buffers }, least) {
  const pieces = ({ lower, upper, size }) => [[lower, upper, 0, size]]
  const all = buffers.map((b) => ({ ...b, bank: 0, offset: -1, pieces: pieces(b) }))
  const { outcome, height, ms: took } = await judge.ask({ capacity, least, buffers: all, processor: ms / 1000 })
  return { verdict: VERDICTS[outcome] ?? 'open', height, ms: took }
}

/** What all buffers take on top of each other: room enough for any least height. */
const enough = (buffers) => sum(buffers.map(({ size, alignment }) => size + alignment))

function summary(name, rows, pick) {
  const times = rows.map((row) => pick(row).ms)
  const decided = rows.filter((row) => pick(row).verdict !== 'open').length
  return { name, decided, of: rows.length, median: median(times), sum: sum(times) }
}

/** Another verdict, or, of two least heights, another one. */
const differ = ({ exact, other }, least) =>
  exact.verdict !== 'open' &&
  other.verdict !== 'open' &&
  (exact.verdict !== other.verdict || (least && exact.height !== other.height))

/** Not decided where CP-SAT did, or a higher plan. */
const isLoss = ({ exact, other }, least) =>
  (exact.verdict === 'open' && other.verdict !== 'open') ||
  (least && other.height !== null && (exact.height === null || exact.height > other.height))

async function compare(setting, problems, least) {
  const rows = []
  for (const problem of problems) {
    const asked = least ? { ...problem, capacity: enough(problem.buffers) } : problem
    const exact = ours(setting, asked, least)
    rows.push({ name: problem.name, exact, other: setting.judge ? await theirs(setting, asked, least) : null })
  }
  const columns = [
    ['', 10, (row) => row.name],
    ['decided', -8, (row) => `${row.decided} of ${row.of}`],
    ['median ms', -9, (row) => row.median.toFixed(2)],
    ['sum ms', -8, (row) => group(Math.round(row.sum))],
  ]
  const sides = [summary('exact', rows, (row) => row.exact)]
  if (setting.judge) sides.push(summary('CP-SAT', rows, (row) => row.other))
  printTable(columns, sides)
  if (!setting.judge) return true
  const text = ({ verdict, height, ms }) => `${verdict}${least ? ` at ${height ?? '-'}` : ''} in ${ms.toFixed(1)} ms`
  for (const row of rows.filter((row) => isLoss(row, least)))
    console.log(`LOSS: ${row.name}: exact ${text(row.exact)}; CP-SAT ${text(row.other)}`)
  const against = rows.filter((row) => differ(row, least))
  for (const row of against) console.log(`DIFFERS: ${row.name}: exact ${text(row.exact)}; CP-SAT ${text(row.other)}`)
  return against.length === 0
}

/** How few buffers are named as the reason: the published forty that have no plan. */
function explain({ native, folder }, problems) {
  const rows = problems.flatMap(({ name, capacity, buffers }) => {
    const path = join(folder, 'explained.csv')
    writeFileSync(path, csvOf({ buffers }))
    const program = join(dirname(native), 'arenascope')
    const args = [
      'explain',
      `--input=${path}`,
      `--capacity=${capacity}`,
      `--output=${join(folder, 'set.csv')}`,
      '--json',
      `--steps=${EXPLAIN_STEPS}`,
    ]
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
    if (status !== 0 && status !== 1) throw new Error(`${name}: exit code ${status}`)
    const said = JSON.parse(stdout)
    return said.outcome === 'infeasible' ? [{ ...said, name, named: said.set.length }] : []
  })
  printTable(
    [
      ['', 8, (row) => row.name],
      ['buffers', -7, (row) => `${row.buffers}`],
      ['named', -5, (row) => `${row.named}`],
      ['needed', -6, (row) => `${row.needed}`],
      ['steps', -10, (row) => group(row.steps)],
      ['ms', -6, (row) => (1000 * row.seconds).toFixed(0)],
    ],
    rows,
  )
  const all = (pick) => group(sum(rows.map(pick)))
  console.log(
    `${all((row) => row.named)} named of ${all((row) => row.buffers)}; each is needed in`,
    `${rows.filter((row) => row.irreducible).length} of ${rows.length}`,
  )
  return true
}

const PARTS = {
  saturated: { text: '* no byte idle: the published forty', suite: 'saturated', problems: suiteProblems },
  slack: { text: 'no unit to 4 units idle in every section, 16 to 120 buffers', problems: slackProblems },
  wide: { text: 'no byte or one idle, all sizes, a dozen alive: 16 to 120 buffers', problems: wideProblems },
  large: { text: 'the same of 200 to 1,000 buffers', problems: largeProblems },
  least: { text: `least heights of ${EACH} of these`, problems: leastProblems, least: true },
  explain: { text: '* how few buffers explain the forty', suite: 'saturated', problems: suiteProblems, explains: true },
  mixed: { text: `least heights of ${EACH} with mixed alignments`, problems: mixedProblems, least: true },
}
const USAGE = `usage: proofs.mjs [--part=NAME]... [--ms=N] [--from=SEED] [--native=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

Those marked * need the benchmark suites: ARENASCOPE_BENCH names their folder. Each problem gets N (2000) milliseconds of one processor from either
side; --from=SEED (0) makes others of the same families, on which nobody has tuned. CP-SAT is fetched from PyPI, once; where it is not to be
had, ours is printed alone. Ends with 1 if two verdicts or least heights differ.
`

async function main() {
  const settings = { ms: { initial: 2000, least: 1 }, from: { initial: 0, least: 0 }, native: NATIVE }
  const { part, ms, from, native } = partOptions(PARTS, settings, USAGE)
  const judge = cpSat()
  if (judge === null) console.log('OR-Tools is not to be had')
  try {
    return await inFolder((folder) =>
      runParts(PARTS, part, ({ problems, least = false, explains = false }, suites) => {
        const setting = { native, ms, judge, folder }
        return explains ? explain(setting, problems(suites, from)) : compare(setting, problems(suites, from), least)
      }),
    )
  } finally {
    judge?.end()
  }
}

start(main)
