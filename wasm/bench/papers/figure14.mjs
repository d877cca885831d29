#!/usr/bin/env node
// Figure 14 of the TelaMalloc paper: how often the four simple strategies fail, how often TelaMalloc does, and in how many steps they succeed. The paper's
// inputs are networks: those without any slack at their load are a table of their own. Capacities are in percent of the least height.
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '../bundle.mjs'
import { start, understood } from '../command.mjs'
import {
  configurations,
  drawn,
  examples,
  examplesOf,
  families,
  inFolder,
  isSolved,
  networks,
  opening,
} from '../instances.mjs'
import { nativeRows } from '../native.mjs'
import { geometricMean, group, kept, printTable } from '../table.mjs'

const USAGE = `usage: figure14.mjs [--instances=N] [--steps=N] [--models=DIR] [--native=PATH]

N instances from the generators (200) besides the examples, the networks of the zoo and, where the folder of suites has them, those of six families, each at
six capacities; a search fails after that many steps (500,000). --models takes the networks from a folder of buffer CSVs.
`
const PERCENTS = [100, 102.5, 105, 110, 120, 130]
const SIMPLE = ['size', 'area', 'lifetime', 'position']
const SOLVERS = [
  ...SIMPLE.map((strategy) => ({
    name: `max ${strategy}`.replace('max position', 'lowest position'),
    solver: 'simple',
    settings: { strategy },
  })),
  { name: 'TelaMalloc', solver: 'telamalloc', settings: {} },
  { name: '... no restarts', solver: 'telamalloc', settings: { restarts: '0' } },
  { name: '... random jumps', solver: 'telamalloc', settings: { jump: 'random' } },
  { name: '... heuristic first', solver: 'telamalloc', settings: { heuristic_first: 'true' } },
]
const argsOf = ({ solver, settings }) => [
  `--solver=${solver}`,
  ...Object.entries(settings).map(([name, value]) => `--option=${name}=${value}`),
]
/** More steps a buffer than this are a search. */
const WALK = 1.1
const isFailed = (row) => !isSolved(row) && row.outcome !== 'infeasible'

function options() {
  return understood(
    {
      options: {
        instances: { type: 'string', default: '200' },
        steps: { type: 'string', default: '500000' },
        models: { type: 'string' },
        native: { type: 'string', default: join(ROOT, 'build/native/arenascope-bench') },
        help: { type: 'boolean', default: false },
      },
    },
    USAGE,
  ).values
}

function columns(sets, all, mean) {
  const at = (row, percent) =>
    row.rows.filter((one) => sets.get(one.instance).percent === percent && isSolved(one)).length
  return [
    ['strategy', 18, (row) => row.name],
    ['failed', -7, (row) => group(row.failed)],
    ['x TelaMalloc', -12, (row) => (all.failed > 0 ? (row.failed / all.failed).toFixed(1) : '-')],
    ['exhausted', -9, (row) => group(row.rows.filter((one) => one.outcome === 'exhausted').length)],
    ...PERCENTS.map((percent) => [`${percent} %`, -7, (row) => group(at(row, percent))]),
    ['steps / TelaMalloc', -18, (row) => mean(row).toFixed(2)],
    ['s', -7, (row) => (row.rows.reduce((sum, one) => sum + one.ms, 0) / 1000).toFixed(1)],
  ]
}

const EXAMPLES = new Set(examplesOf().map((name) => basename(name, '.csv')))
const originOf = (instance) =>
  /^(network|random|synthetic)-\d+-\d+$/.exec(instance)?.[1] ??
  /^(cell|res|unet|dense|pose|dag)\d+$/.exec(instance)?.[1] ??
  (EXAMPLES.has(instance) ? 'example' : 'zoo')
const kindOf = ({ instance }) => originOf(instance)
/** Rectangles cut into pieces: every time is full (MiniMalloc 8.3, on which its figure 10 says that TelaMalloc fails). */
const isWithoutSlack = (instance) => /^synthetic-/.test(instance)

/** What a strategy fails on, by where the instances are from. */
function byKind(sets, results) {
  const kindOfRow = (row) => kindOf(sets.get(row.instance))
  const kinds = [...new Set(results[0].rows.map(kindOfRow))]
  return [
    ['\nfailed, by origin', 19, (row) => row.name],
    ...kinds.map((kind) => [
      `${kind} (${group(results[0].rows.filter((one) => kindOfRow(one) === kind).length)})`,
      -16,
      (row) => group(row.rows.filter((one) => kindOfRow(one) === kind && isFailed(one)).length),
    ]),
  ]
}

/** A configuration that a strategy fails on, as the page can make it: one that TelaMalloc solves if there is such. */
function failure({ rows, solver, settings }, all, sets, budget) {
  const failed = rows
    .map((row, k) => ({ ...row, easy: isSolved(all.rows[k]) }))
    .filter(
      (row) => isFailed(row) && ['network', 'random', 'synthetic', 'zoo'].includes(kindOf(sets.get(row.instance))),
    )
  const one = failed.find(({ easy }) => easy) ?? failed[0]
  if (!one) return null
  const { instance, capacity } = sets.get(one.instance)
  return opening(instance, capacity, { solver, settings, budget })
}

function report(id, title, sets, results, budget) {
  const all = results.find(({ name }) => name === 'TelaMalloc')
  const mean = ({ rows }) => {
    const both = rows.map((row, k) => [row, all.rows[k]]).filter(([a, b]) => isSolved(a) && isSolved(b))
    return both.length > 0 ? geometricMean(both.map(([a, b]) => a.steps / b.steps)) : Number.NaN
  }
  const count = all.rows.length
  const simple = results.filter(({ solver }) => solver === 'simple').flatMap(({ rows }) => rows.filter(isSolved))
  const searching = simple.filter(({ steps, buffers }) => steps > WALK * buffers).length
  console.log(
    `\n${title}: ${group(count / PERCENTS.length)} instances at ${PERCENTS.length} capacities: ${group(count)} configurations; solved at each capacity:`,
  )
  printTable(columns(sets, all, mean), results, {
    id,
    open: (row) => failure(row, all, sets, budget),
    note:
      `${title}: ${group(count / PERCENTS.length)} instances at ${PERCENTS.length} capacities. A search that is not done after ${group(budget)} steps fails; a row opens a configuration ` +
      `that it fails on. Of ${group(simple.length)} runs of simple strategies that solve, ${group(searching)} take more than ${WALK} steps a buffer.`,
    chart: {
      kind: 'dots',
      x: { title: 'configurations that fail', from: 0 },
      rows: results.map(({ name }) => name),
      series: [{ name: 'failed', values: results.map(({ failed }) => failed) }],
    },
  })
  printTable(byKind(sets, results), results)
  const solvedBySome = all.rows.filter((_, k) => results.some(({ rows }) => isSolved(rows[k]))).length
  const known = new Set(all.rows.map((row) => sets.get(row.instance)).filter((set) => !set.proved))
  console.log(`\n${group(solvedBySome)} solved by some of them; of ${known.size} the least height is known, not proved`)
}

/** The same of some of the rows. */
const only = (sets, results, takes) =>
  results.map((result) => {
    const rows = result.rows.filter((row) => takes(sets.get(row.instance).instance))
    return { ...result, rows, failed: rows.filter(isFailed).length }
  })

async function main() {
  const { help, instances, steps, models, native } = options()
  const [count, budget] = [Number(instances), Number(steps)]
  if (help || !Number.isInteger(count) || count < 0 || !Number.isInteger(budget) || budget < 1) {
    process.stderr.write(USAGE)
    return help ? 0 : 2
  }
  await inFolder((folder) => {
    const [plain, capacities] = [join(folder, 'plain'), join(folder, 'capacities')]
    mkdirSync(plain)
    mkdirSync(capacities)
    const paths = [
      ...drawn(native, plain, count),
      ...examples(plain),
      ...networks(native, plain, models),
      ...families(folder, process.env.ARENASCOPE_BENCH),
    ]
    const sets = configurations(native, paths, PERCENTS, capacities)
    const files = [...sets.keys()].sort()
    const instances = [...new Set([...sets.values()].map(({ instance }) => instance))]
    const results = SOLVERS.map((solver) => ({
      ...solver,
      rows: instances.flatMap((instance) => {
        const own = files.filter((file) => sets.get(file).instance === instance)
        const args = [...own.map((file) => join(capacities, file)), ...argsOf(solver), `--budget=${budget}`]
        return kept(`${solver.name} ${instance}`, () =>
          nativeRows(native, [...args, '--processor']).map(({ instance, outcome, steps, buffers, ms }) => ({
            ...{ instance, outcome, steps, buffers, ms },
          })),
        )
      }),
    }))
    report(
      'figure14',
      'Networks and others with slack',
      sets,
      only(sets, results, (instance) => !isWithoutSlack(instance)),
      budget,
    )
    report('figure14-full', 'Without slack', sets, only(sets, results, isWithoutSlack), budget)
  })
  return 0
}

start(main)
