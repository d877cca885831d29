/** The parts that measure searches. A part prints its tables and returns false if an answer contradicts another. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imported } from './bundle.mjs'
import { inTurns, nativeRows, steadiness } from './native.mjs'
import { geometricMean, group, median, printTable, quantile, sum } from './table.mjs'

export const EXACT = '--solver=exact'
export const SEEDS = 20
const CHALLENGING = /^[A-K]\.\d+\.csv$/

/** Paths of the eleven instances of the MiniMalloc paper, or of those named. */
export function challenging(suites, letters = 'ABCDEFGHIJK') {
  const folder = join(suites, 'minimalloc')
  const names = readdirSync(folder).filter((name) => CHALLENGING.test(name) && letters.includes(name[0]))
  return names.sort().map((name) => join(folder, name))
}

const shortName = (row) => row.instance.replace(/\.\d+\.csv$/, '')
const solved = (row) => row.outcome === 'feasible' || row.outcome === 'optimal'
const ms = (number) => number.toFixed(number < 100 ? 2 : 0)

function byInstance(rows) {
  const found = new Map()
  for (const row of rows) found.set(row.instance, [...(found.get(row.instance) ?? []), row])
  return [...found.values()]
}

// ---- satisfy ---------------------------------------------------------------------------------------------------------

async function wasmRows({ wasm, repeat }, paths) {
  const { measure } = await imported('measure.ts')
  const bytes = readFileSync(wasm)
  const rows = []
  for (const path of paths) {
    const [, instance, capacity] = /([^/]+\.(\d+)\.csv)$/.exec(path)
    const made = { instance, csv: readFileSync(path, 'utf8'), capacity: Number(capacity), solver: 'exact' }
    rows.push(await measure(bytes, made, repeat, false))
  }
  return rows
}

/** What MiniMalloc's table 2 says of itself; of TelaMalloc and the ILP it says that an hour is too short, of all. */
const PAPER_MS = {
  ...{ A: 4910, B: 3661, C: 637, D: 2674, E: 3717, F: 5358 },
  ...{ G: 1181, H: 1808, I: 3908, J: 883, K: 628 },
}

/** Of MiniMalloc, which takes seconds. */
const OTHER_ROUNDS = 2

async function satisfy(setting) {
  const paths = challenging(setting.suites)
  const [exact] = inTurns(setting.native, [[...paths, EXACT]], setting.repeat)
  const wasm = await wasmRows(setting, paths)
  const [other] = inTurns(setting.native, [[...paths, '--solver=minimalloc']], OTHER_ROUNDS)
  const rows = exact.map((row, k) => ({
    ...row,
    wasm: wasm[k],
    other: other[k],
    ratio: other[k].ms / row.msMedian,
    same: wasm[k].digest === row.digest && wasm[k].nodes === row.nodes,
  }))
  printTable(
    [
      ['instance', 8, shortName],
      ['outcome', 10, (row) => row.outcome],
      ['nodes', -8, (row) => group(row.nodes)],
      ['native ms: median', -17, (row) => ms(row.msMedian)],
      ['best', -6, (row) => ms(row.ms)],
      ['WASM ms: median', -15, (row) => ms(row.wasm.msMedian)],
      ['best', -6, (row) => ms(row.wasm.ms)],
      ['MiniMalloc ms', -13, (row) => ms(row.other.ms)],
      ['paper ms', -8, (row) => group(PAPER_MS[row.instance[0]])],
      ['ratio', -8, (row) => group(Math.round(row.ratio))],
      ['', 0, (row) => (row.same ? '' : 'WASM SEARCHES OTHERWISE')],
    ],
    rows,
    {
      id: 'exact-satisfy',
      open: (row) => ({ published: row.instance, suite: 'minimalloc' }),
      note: `${steadiness(rows, setting.repeat)} WASM: of as many runs in one instance of the module; MiniMalloc: the least of ${OTHER_ROUNDS}.`,
    },
  )
  const total = (pick) => ms(sum(rows.map(pick)))
  const worst = (pick) => ms(Math.max(...rows.map(pick)))
  console.log(
    `\nsum of medians: native ${total((r) => r.msMedian)} ms (at most 40 wanted), WASM ${total((r) => r.wasm.msMedian)} ms (60);`,
    `worst: native ${worst((r) => r.msMedian)} ms (15), WASM ${worst((r) => r.wasm.msMedian)} ms`,
  )
  console.log(
    `MiniMalloc (best of 2) / exact (median): geometric mean ${group(Math.round(geometricMean(rows.map((r) => r.ratio))))} (300),`,
    `least ${Math.min(...rows.map((r) => r.ratio)).toFixed(1)} (1); ${group(sum(rows.map((r) => r.nodes)))} nodes`,
  )
  return rows.every((row) => solved(row) && solved(row.other) && row.same)
}

// ---- over seeds ------------------------------------------------------------------------------------------------------

/** Rows under a limit of nodes, which a search that was given up counts as having spent. */
export function limitedRows(setting, paths, limit) {
  const asked = [EXACT, `--seeds=${SEEDS}`, `--nodes=${limit}`, '--processor']
  const rows = nativeRows(setting.native, [...paths, ...asked])
  return rows.map((row) => {
    const done = solved(row) && row.nodes <= limit
    return { ...row, done, nodes: done ? row.nodes : limit }
  })
}

const OVER_SEEDS = [
  ['instance', 8, ([row]) => shortName(row)],
  ['buffers', -7, ([row]) => group(row.buffers)],
  ['median nodes', -12, (rows) => group(median(rows.map((row) => row.nodes)))],
  ['worst', -9, (rows) => group(Math.max(...rows.map((row) => row.nodes)))],
  ['unsolved', -8, (rows) => `${rows.filter((row) => !row.done).length}`],
  ['median ms', -9, (rows) => ms(median(rows.map((row) => row.ms)))],
  ['worst', -8, (rows) => ms(Math.max(...rows.map((row) => row.ms)))],
]

function distribution(rows, limit) {
  const nodes = rows.map((row) => row.nodes)
  const at = (part) => group(quantile(nodes, part))
  const open = rows.filter((row) => !row.done).length
  return (
    `${open} of ${rows.length} runs unsolved at ${group(limit)} nodes; nodes p50 ${at(0.5)}, p90 ${at(0.9)}, p95 ${at(0.95)},` +
    ` mean ${group(Math.round(sum(nodes) / nodes.length))}, geometric mean ${group(Math.round(geometricMean(nodes)))}`
  )
}

/** A line for each instance, and one for all. */
export function printSeeds(rows, limit) {
  printTable(OVER_SEEDS, byInstance(rows))
  console.log(`\n${distribution(rows, limit)}`)
}

function seeds(setting) {
  const limit = 100_000
  const rows = limitedRows(setting, challenging(setting.suites), limit)
  printSeeds(rows, limit)
  console.log(`worst ${group(Math.max(...rows.map((row) => row.nodes)))} (at most 20,000 wanted)`)
}

function perturbed(setting) {
  const limit = 50_000
  printSeeds(limitedRows(setting, [join(setting.suites, 'perturbed')], limit), limit)
  console.log('none unsolved wanted, and p95 at most 8,000')
}

// ---- minimise --------------------------------------------------------------------------------------------------------

const MINIMISE = [EXACT, '--goal=height', '--ms=1000']

function minimise(setting) {
  const each = nativeRows(setting.native, [...challenging(setting.suites), ...MINIMISE, '--repeat=5'])
  printTable(
    [
      ['instance', 8, shortName],
      ['outcome', 10, (row) => row.outcome],
      ['height', -11, (row) => group(row.height)],
      ['lower bound', -11, (row) => group(row.lowerBound)],
      ['gap %', -7, (row) => ((row.height / row.lowerBound - 1) * 100).toFixed(3)],
      ['nodes', -8, (row) => group(row.nodes)],
      ['median ms', -9, (row) => ms(row.msMedian)],
    ],
    each,
  )
  const easy = each.filter((row) => !'DJ'.includes(row.instance[0]))
  const slowest = ms(Math.max(...easy.map((row) => row.msMedian)))
  const proved = easy.filter((row) => row.outcome === 'optimal').length
  console.log(
    `\nall but D and J: ${proved} of ${easy.length} proved optimal, slowest ${slowest} ms (at most 50 wanted)`,
  )
  const d = nativeRows(setting.native, [...challenging(setting.suites, 'D'), ...MINIMISE, `--seeds=${SEEDS}`])
  const optimal = d.filter((row) => row.outcome === 'optimal')
  console.log(
    `D: ${optimal.length} of ${d.length} seeds proved optimal; worst ${ms(Math.max(...d.map((row) => row.ms)))} ms (100),`,
    `median ${ms(median(d.map((row) => row.ms)))}; heights ${group(Math.min(...d.map((r) => r.height)))} to ${group(Math.max(...d.map((r) => r.height)))}`,
  )
  const j = nativeRows(setting.native, [...challenging(setting.suites, 'J'), ...MINIMISE, `--seeds=${SEEDS}`])
  const heights = j.map((row) => row.height).sort((a, b) => a - b)
  console.log(`J after 1 s, by seed: ${j.map((row) => group(row.height)).join(' ')}`)
  console.log(
    `J: median ${group(median(heights))}, worst ${group(heights.at(-1))} (1,004,544);`,
    `the load bound, ${group(j[0].lowerBound)}, met by ${heights.filter((h) => h === j[0].lowerBound).length} of ${j.length} seeds`,
  )
}

// ---- proofs ----------------------------------------------------------------------------------------------------------

/** Steps after which MiniMalloc, and nodes after which the exact solver, is taken not to finish. */
const CHECK_STEPS = 1_000_000
const PROOF_NODES = 10_000_000

const verdict = (row) => (solved(row) ? 'feasible' : row.outcome === 'infeasible' ? 'infeasible' : 'unknown')

function proofs(setting) {
  const rows = nativeRows(setting.native, [
    `--saturated=${setting.saturated}`,
    EXACT,
    '--repeat=3',
    `--nodes=${PROOF_NODES}`,
    `--check=${CHECK_STEPS}`,
  ]).map((row) => ({ ...row, verdict: verdict(row) }))
  const against = rows.filter(
    (row) => row.check !== 'unknown' && row.verdict !== 'unknown' && row.check !== row.verdict,
  )
  const groups = [
    ['12-28 sections', rows.filter((row) => row.sections <= 28)],
    ['29-90 sections', rows.filter((row) => row.sections > 28)],
    ['all', rows],
  ].flatMap(([name, some]) =>
    ['feasible', 'infeasible', 'unknown'].map((word) => ({ name, word, rows: some.filter((r) => r.verdict === word) })),
  )
  const figure = (pick, some) => (some.length > 0 ? pick(some) : '-')
  printTable(
    [
      ['instances', 15, (g) => g.name],
      ['verdict', 11, (g) => g.word],
      ['checks', -6, (g) => `${g.rows.length}`],
      ['by MiniMalloc', -13, (g) => `${g.rows.filter((row) => row.check === g.word).length}`],
      ['median ms', -9, (g) => figure((some) => median(some.map((r) => r.msMedian)).toFixed(3), g.rows)],
      [
        'p95',
        -8,
        (g) =>
          figure(
            (some) =>
              quantile(
                some.map((r) => r.msMedian),
                0.95,
              ).toFixed(3),
            g.rows,
          ),
      ],
      ['worst', -9, (g) => figure((some) => Math.max(...some.map((r) => r.msMedian)).toFixed(3), g.rows)],
      ['median nodes', -12, (g) => figure((some) => group(median(some.map((r) => r.nodes))), g.rows)],
      ['worst', -9, (g) => figure((some) => group(Math.max(...some.map((r) => r.nodes))), g.rows)],
    ],
    groups,
  )
  const open = new Set(rows.filter((row) => row.verdict === 'unknown').map((row) => row.instance))
  const all = rows.map((row) => row.msMedian)
  console.log(
    `\n${setting.saturated - open.size} of ${setting.saturated} instances decided, ${rows.length} verdicts in all;`,
    `median ${median(all).toFixed(3)} ms (under 1 wanted); ${against.length} against MiniMalloc (within ${group(CHECK_STEPS)} steps)`,
  )
  for (const row of against)
    console.log(`AGAINST: ${row.instance} at load + ${row.excess}: ${row.verdict}, MiniMalloc ${row.check}`)
  return against.length === 0
}

export const parts = {
  satisfy: { text: '* A-K satisfied, native and WASM, beside MiniMalloc', suite: 'minimalloc', run: satisfy },
  seeds: { text: `* A-K over ${SEEDS} seeds`, suite: 'minimalloc', run: seeds },
  perturbed: { text: `* the perturbed suite over ${SEEDS} seeds`, suite: 'perturbed', run: perturbed },
  minimise: { text: '* least heights of A-K', suite: 'minimalloc', run: minimise },
  proofs: { text: 'verdicts on generated saturated instances, beside MiniMalloc', run: proofs },
}
