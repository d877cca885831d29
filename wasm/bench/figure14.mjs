#!/usr/bin/env node
// Figure 14 of the TelaMalloc paper: how often the four simple strategies fail, how often TelaMalloc does, and in how many steps they succeed.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './bundle.mjs'
import { start, understood } from './command.mjs'
import { configurations, drawn, examples, inFolder, isSolved, networks } from './instances.mjs'
import { nativeRows } from './native.mjs'
import { geometricMean, group, printTable } from './table.mjs'

const USAGE = `usage: figure14.mjs [--instances=N] [--steps=N] [--models=DIR] [--native=PATH]

N instances from the generators (200) besides the examples and the networks, each at six capacities; a search fails after that many steps
(500,000). --models takes the networks from a folder of buffer CSVs.
`
const PERCENTS = [100, 102.5, 105, 110, 120, 130]
const SIMPLE = ['size', 'area', 'lifetime', 'position']
const SOLVERS = [
  ...SIMPLE.map((name) => ({
    name: `max ${name}`.replace('max position', 'lowest position'),
    args: ['--solver=simple', `--option=strategy=${name}`],
  })),
  { name: 'TelaMalloc', args: ['--solver=telamalloc'] },
  { name: '... with restarts', args: ['--solver=telamalloc', '--option=restarts=1000'] },
]
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

/** What a strategy fails on, by where the instances are from. */
function byKind(sets, results) {
  const kindOf = (row) =>
    /^(network|random|synthetic)-\d+-\d+$/.exec(sets.get(row.instance).instance)?.[1] ?? 'example, zoo'
  const kinds = [...new Set(results[0].rows.map(kindOf))]
  return [
    ['\nfailed, by origin', 19, (row) => row.name],
    ...kinds.map((kind) => [
      `${kind} (${group(results[0].rows.filter((one) => kindOf(one) === kind).length)})`,
      -20,
      (row) => group(row.rows.filter((one) => kindOf(one) === kind && isFailed(one)).length),
    ]),
  ]
}

function report(sets, results) {
  const all = results.find(({ name }) => name === 'TelaMalloc')
  const mean = ({ rows }) => {
    const both = rows.map((row, k) => [row, all.rows[k]]).filter(([a, b]) => isSolved(a) && isSolved(b))
    return both.length > 0 ? geometricMean(both.map(([a, b]) => a.steps / b.steps)) : Number.NaN
  }
  const instances = sets.size / PERCENTS.length
  console.log(
    `${group(instances)} instances at ${PERCENTS.length} capacities: ${group(sets.size)} configurations; solved at each capacity:`,
  )
  printTable(columns(sets, all, mean), results)
  printTable(byKind(sets, results), results)
  const solvedBySome = all.rows.filter((_, k) => results.some(({ rows }) => isSolved(rows[k]))).length
  const refuted = all.rows.filter((row) => row.outcome === 'infeasible').length
  console.log(
    `\n${group(solvedBySome)} solved by some of them; ${group(refuted)} proved infeasible at once (by TelaMalloc, not counted as failed)`,
  )
}

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
    const paths = [...drawn(native, plain, count), ...examples(plain), ...networks(native, plain, models)]
    const sets = configurations(native, paths, PERCENTS, capacities)
    const results = SOLVERS.map(({ name, args }) => {
      const rows = nativeRows(native, [capacities, ...args, `--budget=${budget}`])
      return { name, rows, failed: rows.filter(isFailed).length }
    })
    report(sets, results)
  })
  return 0
}

start(main)
