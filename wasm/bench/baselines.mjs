#!/usr/bin/env node
// What the papers compare themselves with: networks a tenth above their least height (TelaMalloc's figures 12 and 13, MiniMalloc's figure 8), and the
// synthetic suite of MiniMalloc's figure 10.
import { spawnSync } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listOf, NATIVE, partOptions, runParts, start } from './command.mjs'
import { generated, inFolder, isSolved, least, networks } from './instances.mjs'
import { nativeRows, run } from './native.mjs'
import { group, median, printTable } from './table.mjs'

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'program.mjs')
const SEARCHES = [
  ['cp', 'cp', []],
  ['csp', 'csp', []],
  ['meta-csp', 'meta-csp', []],
  ['TelaMalloc', 'telamalloc', []],
  ['... by lot', 'telamalloc', ['--option=jump=random']],
  ['MiniMalloc', 'minimalloc', []],
  ['exact', 'exact', []],
]

/** What a search says of a problem within so many seconds of its processor. */
const searched = (native, path, capacity, solver, more, seconds) =>
  nativeRows(native, [
    path,
    `--solver=${solver}`,
    `--capacity=${capacity}`,
    `--ms=${1000 * seconds}`,
    '--processor',
    ...more,
  ])[0]

/** The same of HiGHS on figure 5's program. It may go on for long after its limit: then it is ended. */
function programmed(native, path, capacity, seconds) {
  const program = `${path}.lp`
  run(join(dirname(native), 'arenascope'), ['program', path, `--capacity=${capacity}`, `--output=${program}`])
  const { stdout } = spawnSync(process.execPath, [PROGRAM, program, String(seconds)], {
    encoding: 'utf8',
    timeout: 1000 * (seconds + 30),
    maxBuffer: 1 << 26,
  })
  const said = /^\{.*\}$/m.exec(stdout ?? '')
  return said ? JSON.parse(said[0]) : { outcome: 'running', ms: 1000 * seconds }
}

const cell = (row, seconds) =>
  isSolved(row)
    ? row.ms.toFixed(row.ms < 10 ? 2 : 0)
    : row.outcome === 'running'
      ? `> ${group(1000 * seconds)}`
      : row.outcome

function onNetworks({ native, folder, models, seconds, percent }) {
  const rows = networks(native, folder, models).map((path) => {
    const capacity = Math.floor((least(native, path).height * percent) / 100)
    const runs = SEARCHES.map(([, solver, more]) => searched(native, path, capacity, solver, more, seconds))
    return {
      name: basename(path, '.csv'),
      buffers: runs[0].buffers,
      runs: [programmed(native, path, capacity, seconds), ...runs],
    }
  })
  const titles = ['ilp', ...SEARCHES.map(([title]) => title)]
  console.log(`at ${percent} % of the least height; milliseconds of one processor, at most ${seconds} s:\n`)
  printTable(
    [
      ['network', 26, (row) => row.name],
      ['buffers', -7, (row) => group(row.buffers)],
      ...titles.map((title, k) => [title, -11, (row) => cell(row.runs[k], seconds)]),
    ],
    rows,
  )
  const solved = titles.map((title, k) => `${title} ${rows.filter((row) => isSolved(row.runs[k])).length}`)
  console.log(`\nsolved of ${rows.length}: ${solved.join(', ')}`)
  const faster = rows.map((row) => row.runs[0].ms / Math.max(row.runs[4].ms, 1e-3))
  console.log(`TelaMalloc before the ILP, median: ${median(faster).toFixed(1)} times (the paper: 4.7 on its eleven)`)
}

const SIZES = Array.from({ length: 21 }, (_, k) => 20 + 2 * k)

function onSynthetic({ native, folder, seconds, seeds }) {
  const rows = SIZES.map((n) => {
    const paths = Array.from({ length: seeds }, (_, seed) => generated(native, folder, 'synthetic', n, seed))
    const capacities = paths.map((_, seed) => capacityOf(native, n, seed))
    const runs = SEARCHES.map(([, solver, more]) =>
      paths.map((path, k) => searched(native, path, capacities[k], solver, more, seconds)),
    )
    return { n, runs }
  })
  console.log(
    `${seeds} problems of each size at the capacity that they were cut from, at most ${seconds} s each: solved, median ms\n`,
  )
  printTable(
    [
      ['buffers', -7, (row) => String(row.n)],
      ...SEARCHES.map(([title], k) => [
        title,
        -16,
        ({ runs }) =>
          `${runs[k].filter(isSolved).length}, ${median(runs[k].map((one) => one.ms)).toFixed(runs[k][0].ms < 10 ? 2 : 0)}`,
      ]),
    ],
    rows,
  )
  for (const [k, [title]] of SEARCHES.entries()) {
    const all = rows.flatMap(({ runs }) => runs[k])
    console.log(`${title.padEnd(12)} ${all.filter(isSolved).length} of ${all.length}`)
  }
}

/** The capacity that the generator returns: not the load, at which no plan is known. */
function capacityOf(native, n, seed) {
  const { stderr } = run(join(dirname(native), 'arenascope'), ['generate', 'synthetic', `--n=${n}`, `--seed=${seed}`])
  return Number(/capacity (\d+)/.exec(stderr)[1])
}

const PARTS = {
  networks: {
    text: "networks above their least height: TelaMalloc's figures 12 and 13, MiniMalloc's figure 8",
    run: onNetworks,
  },
  synthetic: { text: "the synthetic suite of MiniMalloc's figure 10", run: onSynthetic },
}

const USAGE = `usage: baselines.mjs [--part=NAME]... [--seconds=N] [--percent=N] [--seeds=N] [--models=DIR] [--native=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

--seconds: limit of a run (10; the papers: 60); --percent: of the least height (110); --seeds: problems of each size (25). --models takes the networks
from a folder of buffer CSVs.
`

async function main() {
  const own = {
    seconds: { initial: 10, least: 1 },
    percent: { initial: 110, least: 100 },
    seeds: { initial: 25, least: 1 },
    models: {},
    native: NATIVE,
  }
  const { part, ...values } = partOptions(PARTS, own, USAGE)
  return runParts(PARTS, part, ({ run: measure }) => inFolder((folder) => measure({ ...values, folder })))
}

start(main)
