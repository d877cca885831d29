#!/usr/bin/env node
// Learned backtracking: TelaMalloc's figures 15 (backtracks with and without the model), 16 (how long it takes) and 17 (what its features are worth).
import { spawnSync } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { ROOT } from '../bundle.mjs'
import { listOf, NATIVE, partOptions, runParts, start } from '../command.mjs'
import { generated, inFolder, isSolved, least, networks, opening } from '../instances.mjs'
import { nativeRows, run } from '../native.mjs'
import { geometricMean, group, kept, printTable } from '../table.mjs'

const SEEDS = 5
const JUMPS = [
  ['rules', 'conflict', 1],
  ['by lot', 'random', SEEDS],
  ['learned', 'learned', SEEDS],
]
/** Backtracks of the rules below which there is nothing to choose. */
const NO_WORK = 15
const PERCENTS = [100, 102]

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length

/** One for each kind of jump: how many of its seeds solve it, and their mean of backtracks; those of a run that fails are all it had. */
function jumped(native, path, capacity, steps) {
  return JUMPS.map(([, jump, seeds]) => {
    const rows = nativeRows(native, [
      ...[path, '--solver=telamalloc', `--option=jump=${jump}`],
      ...[`--seeds=${seeds}`, `--capacity=${capacity}`, `--budget=${steps}`],
    ])
    return {
      solved: rows.filter(isSolved).length,
      of: rows.length,
      backtracks: mean(rows.map((row) => row.backtracks)),
    }
  })
}

function measured({ native, folder, count, steps, models }) {
  const paths = [
    ...networks(native, folder, models),
    ...Array.from({ length: count }, (_, seed) => generated(native, folder, 'network', 120, seed)),
  ]
  return paths.flatMap((path) =>
    kept(basename(path), () => {
      const { height } = least(native, path)
      return PERCENTS.flatMap((percent) => {
        const capacity = Math.floor((height * percent) / 100)
        const [rules] = nativeRows(native, [path, '--solver=telamalloc', `--capacity=${capacity}`, `--budget=${steps}`])
        const name = `${basename(path, '.csv')}, ${percent} %`
        if (rules.backtracks <= NO_WORK) return [{ name, runs: null }]
        const open = opening(path, capacity, { solver: 'telamalloc', budget: steps })
        return [{ name, open, runs: jumped(native, path, capacity, steps) }]
      })
    }),
  )
}

function backtracks(values) {
  const all = measured(values)
  const rows = all.filter(({ runs }) => runs !== null)
  const shown = ({ solved, of, backtracks }) =>
    `${group(Math.round(backtracks))}${solved === of ? '' : ` (${of - solved} of ${of} fail)`}`
  const both = rows.filter(({ runs }) => runs.every(({ solved, of }) => solved === of))
  const ratio = (k) => geometricMean(both.map(({ runs }) => (runs[0].backtracks + 1) / (runs[k].backtracks + 1)))
  const fails = JUMPS.map(([name], k) => {
    const runs = rows.map(({ runs }) => runs[k])
    return `${name} ${runs.reduce((sum, run) => sum + run.of - run.solved, 0)} of ${runs.reduce((sum, run) => sum + run.of, 0)}`
  })
  const note =
    `${rows.length} of ${all.length} configurations are work: more than ${NO_WORK} backtracks by the rules. Fewer backtracks than by the rules where all solve it (${both.length}), ` +
    `in the geometric mean: by lot ${ratio(1).toFixed(1)} times, learned ${ratio(2).toFixed(1)} times. Runs that fail: ${fails.join(', ')}.`
  printTable(
    [['configuration', 32, (row) => row.name], ...JUMPS.map(([name], k) => [name, -24, (row) => shown(row.runs[k])])],
    rows,
    {
      id: 'learned-backtracks',
      open: (row) => row.open,
      note,
      chart: {
        kind: 'dots',
        x: { title: 'backtracks, mean of the seeds', log: true },
        rows: rows.map(({ name }) => name),
        series: JUMPS.map(([name], k) => ({ name, values: rows.map(({ runs }) => Math.max(1, runs[k].backtracks)) })),
      },
    },
  )
  console.log(`\n${note}`)
}

function time({ native }) {
  const { stdout } = run(join(dirname(native), 'arenascope-learn'), ['time'])
  const rows = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number))
  printTable(
    [
      ['candidates', -10, ([candidates]) => String(candidates)],
      ['microseconds', -12, ([, ns]) => (ns / 1000).toFixed(2)],
      ['a candidate', -11, ([candidates, ns]) => (ns / 1000 / candidates).toFixed(3)],
    ],
    rows,
    {
      id: 'learned-time',
      chart: {
        kind: 'lines',
        x: { title: 'candidates' },
        y: { title: 'microseconds of the processor', from: 0 },
        series: [{ name: 'model', points: rows.map(([candidates, ns]) => [candidates, ns / 1000]) }],
      },
    },
  )
}

/** What the trainer says of its features: it makes the rows anew, from a seed, and trains five times by instance. */
function importance({ training }) {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    [join(ROOT, 'core/learn/learn.sh'), '--study', `--count=${training}`, '--out=build/learn/study'],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  if (status !== 0) throw new Error(`the trainer failed: ${stderr}`)
  const rows = [...stdout.matchAll(/RMSE grows by +(-?[\d.]+) without (.+)/g)].map(([, grows, name]) => ({
    name,
    grows: Number(grows),
  }))
  const head = stdout.slice(0, stdout.indexOf('  RMSE grows')).trim().replaceAll(':\n', ': ').replaceAll('\n', '; ')
  console.log(`${head}\n`)
  printTable(
    [
      ['feature', 20, (row) => row.name],
      ['error grows by', -14, (row) => row.grows.toFixed(3)],
    ],
    rows,
    {
      id: 'learned-importance',
      note: `${head}. By how much the error grows when one feature is shuffled.`,
      chart: {
        kind: 'dots',
        x: { title: 'growth of the root mean square error, of 10', from: 0 },
        rows: rows.map(({ name }) => name),
        series: [{ name: 'growth', values: rows.map(({ grows }) => Math.max(0, grows)) }],
      },
    },
  )
}

const PARTS = {
  backtracks: {
    text: 'backtracks by the rules, by lot and by the model (figure 15)',
    run: (values) => inFolder((folder) => backtracks({ ...values, folder })),
  },
  time: { text: 'microseconds of the model by the number of candidates (figure 16)', run: time },
  importance: { text: 'what each feature is worth (figure 17); fetches the trainer', run: importance },
}

const USAGE = `usage: learned.mjs [--part=NAME]... [--count=N] [--steps=N] [--training=N] [--models=DIR] [--native=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

--count: generated networks besides the zoo's (40); --steps: of a run (30,000); --training: networks that the trainer is given (300; the model: 1,200). --models takes
the networks from a folder of buffer CSVs.
`

async function main() {
  const own = {
    count: { initial: 40, least: 0 },
    steps: { initial: 30_000, least: 1 },
    training: { initial: 300, least: 10 },
    models: {},
    native: NATIVE,
  }
  const { part, ...values } = partOptions(PARTS, own, USAGE)
  return runParts(PARTS, part, ({ run: measure }) => measure(values))
}

start(main)
