#!/usr/bin/env node
// What the papers compare themselves with: networks a tenth above their least height (TelaMalloc's figures 12 and 13, MiniMalloc's figure 8), and the
// synthetic suite of MiniMalloc's figure 10.
import { spawnSync } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, ROOT } from '../bundle.mjs'
import { challenging } from '../exact_parts.mjs'
import { listOf, NATIVE, partOptions, runParts, start, WASM } from '../command.mjs'
import { generated, inFolder, isSolved, least, networks, opening } from '../instances.mjs'
import { nativeRows, run } from '../native.mjs'
import { group, kept, median, printTable, record } from '../table.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
/** Seconds of the clock that a process of another solver may take beyond a hundred times its limit, which is of the processor, before it is ended. */
const PATIENCE = 120
const SEARCHES = [
  ['cp', 'cp', []],
  ['csp', 'csp', []],
  ['meta-csp', 'meta-csp', []],
  ['TelaMalloc', 'telamalloc', []],
  ['... by lot', 'telamalloc', ['--option=jump=random']],
  ['MiniMalloc', 'minimalloc', []],
  ['exact', 'exact', []],
]

/** What a search says of a problem within so many milliseconds of its processor. */
const searched = (native, path, capacity, solver, more, ms) =>
  nativeRows(native, [path, `--solver=${solver}`, `--capacity=${capacity}`, `--ms=${ms}`, '--processor', ...more])[0]

/** The same of several runs, of which the least time counts; what does not come to its end is not asked again. */
function searchedOften(native, path, capacity, solver, more, ms) {
  const first = searched(native, path, capacity, solver, more, ms)
  return isSolved(first) ? searched(native, path, capacity, solver, [...more, `--repeat=${REPEAT}`], ms) : first
}
const REPEAT = 5
const TIMES = `Milliseconds of the processor; of searches the least of ${REPEAT} runs, of HiGHS and CP-SAT one run.`

/** What a solver of others says in a process of its own, which is ended where it goes on for long after its limit. */
function byOthers(script, args, ms) {
  const { stdout } = spawnSync(process.execPath, [join(HERE, script), ...args], {
    encoding: 'utf8',
    timeout: 100 * ms + 1000 * PATIENCE,
    maxBuffer: 1 << 26,
  })
  const said = /^\{.*\}$/m.exec(stdout ?? '')
  return said ? JSON.parse(said[0]) : { outcome: 'running', ms }
}

/** HiGHS on figure 5's program, CP-SAT on section 5.1's encoding. */
async function othersIn(folder, { native, wasm, ms }) {
  const script = join(ROOT, 'build/papers/cpsat_measure.mjs')
  await bundle(join(HERE, 'cpsat_measure.ts'), script, ['or-tools-wasm'])
  return [
    [
      'ilp',
      (path, capacity) => {
        const program = join(folder, 'program.lp')
        run(join(dirname(native), 'arenascope'), ['program', path, `--capacity=${capacity}`, `--output=${program}`])
        return byOthers('program.mjs', [program, String(ms / 1000)], ms)
      },
    ],
    [
      'cp-sat',
      (path, capacity) => byOthers('cpsat.mjs', [script, wasm, String(ms / 1000), path, String(capacity)], ms),
    ],
  ]
}

const short = (ms) => ms.toFixed(ms < 10 ? 2 : 0)
const cell = (row) =>
  isSolved(row) ? short(row.ms) : row.outcome === 'running' ? `> ${group(Math.round(row.ms))}` : row.outcome

/** How many of the rows are solved within each power of ten of milliseconds: MiniMalloc's figure 9 on these. */
function curves(titles, rows) {
  const most = Math.max(...rows.flatMap(({ runs }) => runs.filter(isSolved).map((run) => run.ms)))
  const within = [0.01, 0.0316, 0.1, 0.316, 1, 3.16, 10, 31.6, 100, 316, 1000, 3160, 10000].filter(
    (_, k, all) => k === 0 || all[k - 1] < most,
  )
  const share = (k, limit) =>
    (100 * rows.filter(({ runs }) => isSolved(runs[k]) && runs[k].ms <= limit).length) / rows.length
  const columns = [['solver', 14], ...within.map((limit) => [`${limit} ms`, -9])]
  const cells = titles.map((title, k) => [title, ...within.map((limit) => `${share(k, limit).toFixed(0)} %`)])
  record('baselines-curve', columns, cells, {
    note: `${TIMES} A row is of all ${rows.length} networks.`,
    chart: {
      kind: 'lines',
      x: { title: 'milliseconds of the processor', log: true },
      y: { title: 'solved, %', from: 0, to: 100 },
      series: titles.map((name, k) => ({ name, points: within.map((limit) => [limit, share(k, limit)]) })),
    },
  })
}

async function onNetworks({ native, wasm, folder, models, ms, percent }) {
  const others = await othersIn(folder, { native, wasm, ms })
  const rows = networks(native, folder, models).map((path) => {
    const name = basename(path, '.csv')
    return kept(name, () => {
      const capacity = Math.floor((least(native, path).height * percent) / 100)
      const runs = SEARCHES.map(([, solver, more]) => searchedOften(native, path, capacity, solver, more, ms))
      const all = [...others.map(([, solve]) => solve(path, capacity)), ...runs]
      return { name, open: opening(path, capacity, { solver: 'telamalloc' }), buffers: runs[0].buffers, runs: all }
    })
  })
  const titles = [...others.map(([title]) => title), ...SEARCHES.map(([title]) => title)]
  console.log(`at ${percent} % of the least height; milliseconds of one processor, at most ${group(ms)}:\n`)
  const solved = titles.map((title, k) => `${title} ${rows.filter((row) => isSolved(row.runs[k])).length}`)
  const tela = titles.indexOf('TelaMalloc')
  const faster = rows.map((row) => row.runs[0].ms / Math.max(row.runs[tela].ms, 1e-3))
  const walked = SEARCHES.map(([title], k) => {
    const done = rows.map(({ runs }) => runs[k + others.length]).filter(isSolved)
    return `${title} ${done.filter(({ backtracks }) => backtracks === 0).length}`
  })
  const note =
    `${TIMES} Solved of ${rows.length}: ${solved.join(', ')}. ` +
    `Without a backtrack: ${walked.join(', ')}. TelaMalloc before the ILP, median: ${group(Math.round(median(faster)))} times, an ILP that was ended counted as done.`
  printTable(
    [
      ['network', 26, (row) => row.name],
      ['buffers', -7, (row) => group(row.buffers)],
      ...titles.map((title, k) => [title, -11, (row) => cell(row.runs[k])]),
    ],
    rows,
    {
      id: 'baselines-networks',
      open: (row) => row.open,
      note,
      chart: {
        kind: 'dots',
        x: { title: 'milliseconds of the processor', log: true },
        rows: rows.map(({ name }) => name),
        series: titles.map((name, k) => ({
          name,
          values: rows.map(({ runs }) => (isSolved(runs[k]) ? Math.max(runs[k].ms, 1e-3) : null)),
        })),
      },
    },
  )
  console.log(`\n${note} (The paper: 4.7 on its eleven.)`)
  curves(titles, rows)
}

/** MiniMalloc's eleven, at the capacity of its table 2; what its own program takes is measured by bench exact. */
async function onChallenging({ native, wasm, folder, ms, suites }) {
  const others = await othersIn(folder, { native, wasm, ms })
  const searches = SEARCHES.filter(([title]) => title !== 'MiniMalloc')
  const titles = [...others, ...searches].map(([title]) => title)
  const rows = challenging(suites).map((path) =>
    kept(basename(path), () => ({
      instance: basename(path),
      runs: [
        ...others.map(([, solve]) => solve(path, CHALLENGING)),
        ...searches.map(([, solver, more]) => searched(native, path, CHALLENGING, solver, more, ms)),
      ],
    })),
  )
  console.log(`${group(CHALLENGING)} bytes; milliseconds of one processor, at most ${group(ms)}:\n`)
  printTable(
    [['instance', 9, (row) => row.instance[0]], ...titles.map((title, k) => [title, -11, (row) => cell(row.runs[k])])],
    rows,
    {
      id: 'baselines-challenging',
      open: (row) => ({ published: row.instance, suite: 'minimalloc' }),
      note: `Milliseconds of the processor, at most ${group(ms)} each.`,
    },
  )
}

const CHALLENGING = 1_048_576
/** They use up their time on nearly each: they are given as few as HiGHS and CP-SAT. */
const FEW = ['cp', 'csp', 'meta-csp']
const SIZES = Array.from({ length: 21 }, (_, k) => 20 + 2 * k)

async function onSynthetic({ native, wasm, folder, ms, seeds, others: few }) {
  const others = few > 0 ? await othersIn(folder, { native, wasm, ms }) : []
  const solvers = [
    ...others.map(([title, solve]) => [title, few, solve]),
    ...SEARCHES.map(([title, solver, more]) => [
      title,
      FEW.includes(title) ? Math.max(1, Math.min(few, seeds)) : seeds,
      (path, capacity) => searched(native, path, capacity, solver, more, ms),
    ]),
  ]
  const rows = SIZES.map((n) => {
    const numbers = Array.from({ length: seeds }, (_, seed) => seed)
    const capacities = kept(`${n} capacities`, () => numbers.map((seed) => capacityOf(native, n, seed)))
    const made = new Map()
    const path = (seed) => {
      if (!made.has(seed)) made.set(seed, generated(native, folder, 'synthetic', n, seed))
      return made.get(seed)
    }
    const runs = solvers.map(([title, count, solve]) =>
      kept(`${n} ${title}`, () => numbers.slice(0, count).map((seed) => solve(path(seed), capacities[seed]))).slice(
        0,
        count,
      ),
    )
    return { n, runs, open: opening(path(0), capacities[0], { solver: 'minimalloc' }) }
  })
  const titles = solvers.map(([title, count]) => (count < seeds ? `${title} (first ${count})` : title))
  const middle = (runs) => median(runs.map((one) => (isSolved(one) ? one.ms : Number.POSITIVE_INFINITY)))
  const totals = titles.map((title, k) => {
    const all = rows.flatMap(({ runs }) => runs[k])
    return `${title} ${all.filter(isSolved).length} of ${all.length}`
  })
  console.log(
    `${seeds} problems of each size at the capacity that they were cut from, at most ${group(ms)} ms each: solved, median ms\n`,
  )
  const columns = [
    ['buffers', -7, (row) => String(row.n)],
    ...titles.map((title, k) => [
      title,
      -16,
      ({ runs }) => {
        const ms = middle(runs[k])
        return `${runs[k].filter(isSolved).length}, ${Number.isFinite(ms) ? short(ms) : 'not half'}`
      },
    ]),
  ]
  const lines = (title, y, value) => ({
    kind: 'lines',
    title,
    x: { title: 'buffers' },
    y,
    series: titles.map((name, k) => ({
      name,
      points: rows.flatMap(({ n, runs }) => (value(runs[k]) === null ? [] : [[n, value(runs[k])]])),
    })),
  })
  const time = lines('(a) Median of all', { title: 'milliseconds', log: true }, (runs) =>
    Number.isFinite(middle(runs)) ? middle(runs) : null,
  )
  const rate = lines(
    '(b) Solved',
    { title: '%', from: 0, to: 100 },
    (runs) => (100 * runs.filter(isSolved).length) / runs.length,
  )
  const note = `Solved within ${ms} ms of the processor: ${totals.join(', ')}.`
  printTable(columns, rows, { id: 'baselines-synthetic', open: (row) => row.open, chart: [time, rate], note })
  console.log(`\n${note}`)
}

/** The capacity that the generator returns: not the load, at which no plan is known. */
function capacityOf(native, n, seed) {
  const { stderr } = run(join(dirname(native), 'arenascope'), ['generate', 'synthetic', `--n=${n}`, `--seed=${seed}`])
  return Number(/capacity (\d+)/.exec(stderr)[1])
}

const PARTS = {
  networks: {
    text: "networks above their least height: TelaMalloc's figures 12 and 13, MiniMalloc's figure 8",
    ms: 1_000,
    run: onNetworks,
  },
  challenging: { text: "* MiniMalloc's table 2 by the others", suite: 'minimalloc', ms: 1_000, run: onChallenging },
  synthetic: { text: "the synthetic suite of MiniMalloc's figure 10", ms: 100, run: onSynthetic },
}

const USAGE = `usage: baselines.mjs [--part=NAME]... [--ms=N] [--percent=N] [--seeds=N] [--others=N] [--models=DIR] [--native=PATH] [--wasm=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

--ms: limit of a run (1,000 on networks, 100 on the suite; the papers: 60,000); --percent: of the least height (110); --seeds: problems of each size (25); --others: of those
the ones that HiGHS, CP-SAT, cp, csp and meta-csp are given (2). --models takes the networks from a folder of buffer CSVs.
`

async function main() {
  const own = {
    ms: { initial: 0, least: 0 },
    percent: { initial: 110, least: 100 },
    seeds: { initial: 25, least: 1 },
    others: { initial: 2, least: 0 },
    models: {},
    native: NATIVE,
    wasm: WASM,
  }
  const { part, ...values } = partOptions(PARTS, own, USAGE)
  return runParts(PARTS, part, ({ run: measure, ms }, suites) =>
    inFolder((folder) => measure({ ...values, ms: values.ms || ms, folder, suites })),
  )
}

start(main)
