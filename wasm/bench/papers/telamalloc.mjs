#!/usr/bin/env node
// TelaMalloc's figures, part by part: the paper's microbenchmarks, networks, the challenging instances, the heuristic alone, ablations.
import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '../bundle.mjs'
import { listOf, NATIVE, partOptions, runParts, start } from '../command.mjs'
import { challenging } from '../exact_parts.mjs'
import { configurations, drawn, generated, inFolder, isSolved, least, networks, opening } from '../instances.mjs'
import { inTurns, nativeRows, steadiness } from '../native.mjs'
import { geometricMean, group, kept, printTable } from '../table.mjs'

const TELA = '--solver=telamalloc'
const ms = (number) => number.toFixed(number < 10 ? 2 : 0)

/** Runs of a process, of which the least counts: the first find its memory cold. */
const ONCE_WARM = 5

// ---- table 1 ---------------------------------------------------------------------------------------------------------

/** kind, buffers, the paper's milliseconds */
const MICRO = [
  ['non-overlapping', 1000, 12],
  ['non-overlapping', 10000, 1260],
  ['full-overlap', 100, 142],
  ['full-overlap', 1000, 100758],
]

function microbenchmarks({ native, repeat, folder }) {
  const paths = MICRO.map(([kind, n]) => generated(native, folder, kind, n, 0))
  const asked = inTurns(
    native,
    paths.map((path) => [path, TELA, `--repeat=${ONCE_WARM}`]),
    repeat,
  )
  const rows = MICRO.map(([kind, n, paper], k) => ({
    ...asked[k][0],
    name: `${kind}-${n}`,
    paper,
    open: { generate: kind, n, seed: 0, solver: 'telamalloc' },
  }))
  const note = `Each in one step a buffer, without a backtrack. ${steadiness(rows, repeat)}`
  printTable(
    [
      ['benchmark', 22, (row) => row.name],
      ['outcome', 9, (row) => row.outcome],
      ['steps', -7, (row) => group(row.steps)],
      ['ms: best', -9, (row) => ms(row.ms)],
      ['median', -7, (row) => ms(row.msMedian)],
      ['us/step', -8, (row) => ((1000 * row.ms) / row.steps).toFixed(2)],
      ['paper ms', -9, (row) => group(row.paper)],
    ],
    rows,
    { id: 'telamalloc-table1', open: (row) => row.open, note },
  )
  console.log(`\n${note}`)
  return rows.every((row) => isSolved(row) && row.backtracks === 0)
}

// ---- networks --------------------------------------------------------------------------------------------------------

function at(native, path, capacity, more) {
  return nativeRows(native, [path, TELA, '--processor', `--capacity=${capacity}`, ...more])[0]
}

const cell = (row) => (isSolved(row) ? `${group(row.steps)} / ${group(row.backtracks)} / ${ms(row.ms)}` : row.outcome)

function onNetworks({ native, repeat, folder, models, steps }) {
  const paths = networks(native, folder, models)
  if (paths.length === 0) paths.push(join(ROOT, 'examples/network-400.csv'))
  const rows = paths.map((path) => {
    const { height, proved } = least(native, path)
    const runs = [100, 105, 110].map((percent) =>
      at(native, path, Math.floor((height * percent) / 100), [`--repeat=${repeat}`, `--budget=${steps}`]),
    )
    return { name: basename(path, '.csv'), buffers: runs[0].buffers, proved, runs }
  })
  const perStep = (row) => Math.max(...row.runs.map((run) => (1000 * run.ms) / run.steps))
  printTable(
    [
      ['network', 24, (row) => row.name],
      ['buffers', -7, (row) => group(row.buffers)],
      ['minimum', 8, (row) => (row.proved ? 'proved' : 'known')],
      ...['100 %: steps / backtracks / ms', '105 %', '110 %'].map((title, k) => [
        title,
        -30,
        (row) => cell(row.runs[k]),
      ]),
      ['us/step', -8, (row) => perStep(row).toFixed(2)],
    ],
    rows,
  )
  const solved = [100, 105, 110].map(
    (percent, k) => `${rows.filter((row) => isSolved(row.runs[k])).length} at ${percent} %`,
  )
  console.log(
    `\nof ${rows.length}: ${solved.join(', ')}; at most ${Math.max(...rows.map(perStep)).toFixed(2)} us a step (2 wanted)`,
  )
}

// ---- the challenging ones --------------------------------------------------------------------------------------------

const FIRST_STEPS = 20_000
const HIGHEST_PERCENT = 135

/** The least capacity, in halves of a percent of the load bound, at which it is solved within a few steps. */
function firstSolved(native, path, bound) {
  for (let half = 200; half <= 2 * HIGHEST_PERCENT; half++) {
    const row = at(native, path, Math.floor((bound * half) / 200), [`--budget=${FIRST_STEPS}`])
    if (isSolved(row)) return { percent: half / 2, row }
  }
  return null
}

function onChallenging({ native, folder, suites, steps }) {
  const rows = challenging(suites).map((given) => {
    const path = join(folder, `${basename(given)[0]}.csv`)
    copyFileSync(given, path)
    const [paper] = nativeRows(native, [given, TELA, '--option=restarts=0', `--budget=${steps}`])
    const [again] = nativeRows(native, [given, TELA, `--budget=${steps}`])
    const [heuristic] = nativeRows(native, [path, '--solver=contention'])
    return { name: basename(path, '.csv'), paper, again, heuristic, first: firstSolved(native, path, paper.lowerBound) }
  })
  printTable(
    [
      ['instance', 8, (row) => row.name],
      ['1,048,576 bytes: outcome', 24, (row) => row.paper.outcome],
      ['steps', -10, (row) => group(row.paper.steps)],
      ['us/step', -8, (row) => ((1000 * row.paper.ms) / row.paper.steps).toFixed(1)],
      ['restarts: outcome', 17, (row) => row.again.outcome],
      ['steps', -10, (row) => group(row.again.steps)],
      ['solved from', -11, (row) => (row.first ? `${row.first.percent.toFixed(1)} %` : `> ${HIGHEST_PERCENT} %`)],
      ['steps', -8, (row) => (row.first ? group(row.first.row.steps) : '')],
      ['ms', -7, (row) => (row.first ? ms(row.first.row.ms) : '')],
      ['heuristic', -9, (row) => `${((100 * row.heuristic.height) / row.heuristic.lowerBound).toFixed(1)} %`],
    ],
    rows,
  )
  console.log(
    `\n"solved from" within ${group(FIRST_STEPS)} steps, in steps of 0.5 % of the load bound; the heuristic's height likewise`,
  )
}

// ---- table 2 ---------------------------------------------------------------------------------------------------------

function heuristic({ native, repeat, folder, models }) {
  const paths = networks(native, folder, models)
  if (paths.length === 0) paths.push(join(ROOT, 'examples/network-400.csv'))
  const asked = inTurns(
    native,
    paths.map((path) => [path, '--solver=contention', `--repeat=${ONCE_WARM}`]),
    repeat,
  )
  const rows = paths.map((path, k) => {
    const name = basename(path, '.csv')
    const { height } = kept(`least ${name}`, () => least(native, path))
    return { ...asked[k][0], name, least: height, open: opening(path, height, { solver: 'contention' }) }
  })
  const mean = geometricMean(rows.map((row) => row.height / row.least)).toFixed(3)
  const exactly = rows.filter((row) => row.height === row.least).length
  const most = Math.max(...rows.map((row) => row.height / row.least))
  const note = `The least itself on ${exactly} of ${rows.length}, at most ${most.toFixed(2)}x, ${mean}x in the geometric mean. ${steadiness(rows, repeat)}`
  printTable(
    [
      ['network', 24, (row) => row.name],
      ['buffers', -7, (row) => group(row.buffers)],
      ['minimum required memory', -23, (row) => `${(row.height / row.least).toFixed(2)}x`],
      ['ms', -7, (row) => ms(row.ms)],
    ],
    rows,
    {
      id: 'telamalloc-table2',
      open: (row) => row.open,
      note,
      chart: {
        kind: 'dots',
        x: { title: 'height of the heuristic over the least' },
        rows: rows.map(({ name }) => name),
        series: [{ name: 'contention heuristic', values: rows.map((row) => row.height / row.least) }],
      },
    },
  )
  console.log(`\n${note}`)
}

// ---- ablation --------------------------------------------------------------------------------------------------------

const VARIANTS = [
  ['as it is', []],
  ['skyline placement', ['placement=skyline']],
  ['no phases', ['phases=false']],
  ['phases in steps of 5 %', ['phase_step=5']],
  ['no split', ['split=false']],
  ['back 1 level', ['backtrack=fixed']],
  ['back 2 levels', ['backtrack=fixed', 'back_steps=2']],
  ['no promotion', ['promotion=false']],
  ['not stuck', ['stuck_limit=0']],
  ['stuck by majors alone', ['stuck_counts=major']],
  ['3 candidates', ['candidates=3']],
  ['longest lifetime only', ['heuristics=L']],
  ['none of 5.2 to 5.4', ['placement=skyline', 'phases=false', 'backtrack=fixed', 'promotion=false', 'stuck_limit=0']],
  ['without restarts', ['restarts=0']],
  ['random jumps', ['jump=random']],
]
const ABLATION_STEPS = 100_000

function ablation({ native, folder, models, instances }) {
  const [plain, capacities] = [join(folder, 'plain'), join(folder, 'capacities')]
  mkdirSync(plain)
  mkdirSync(capacities)
  const paths = [...drawn(native, plain, instances), ...networks(native, plain, models)]
  const sets = configurations(native, paths, [100, 102.5, 105, 110], capacities)
  const rows = VARIANTS.map(([name, options]) => {
    const args = options.map((option) => `--option=${option}`)
    return { name, rows: nativeRows(native, [capacities, TELA, `--budget=${ABLATION_STEPS}`, ...args]) }
  })
  const count = (row, of) => group(row.rows.filter(of).length)
  const effort = (one) => (isSolved(one) ? one.steps : ABLATION_STEPS) / one.buffers
  console.log(`${group(sets.size)} configurations, ${group(ABLATION_STEPS)} steps\n`)
  printTable(
    [
      ['', 24, (row) => row.name],
      ['solved', -7, (row) => count(row, isSolved)],
      ['exhausted', -9, (row) => count(row, (one) => one.outcome === 'exhausted')],
      ['out of steps', -12, (row) => count(row, (one) => one.outcome === 'budget-spent')],
      ['steps / buffers', -15, (row) => geometricMean(row.rows.map(effort)).toFixed(2)],
    ],
    rows,
  )
}

// ---- the command line ------------------------------------------------------------------------------------------------

const PARTS = {
  table1: { text: 'the microbenchmarks of table 1', run: microbenchmarks },
  networks: { text: 'networks at 100, 105 and 110 % of their minimum', run: onNetworks },
  challenging: {
    text: '* the eleven of the MiniMalloc paper, and the capacity from which each is solved',
    suite: 'minimalloc',
    run: onChallenging,
  },
  table2: { text: 'the contention heuristic alone, as in table 2', run: heuristic },
  ablation: { text: 'each part of the search off', run: ablation },
}

const USAGE = `usage: telamalloc.mjs [--part=NAME]... [--repeat=N] [--steps=N] [--instances=N] [--models=DIR] [--native=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

That marked * needs the benchmark suites: ARENASCOPE_BENCH names the folder that holds "minimalloc". --models takes the networks from a folder
of buffer CSVs; without it they come from the zoo, if there is one. --steps: budget of a run (1,000,000); --instances: generated ones (60).
`

async function main() {
  const own = {
    repeat: { initial: 9, least: 1 },
    steps: { initial: 1_000_000, least: 1 },
    instances: { initial: 60, least: 1 },
    models: {},
    native: NATIVE,
  }
  const { part, ...values } = partOptions(PARTS, own, USAGE)
  return runParts(PARTS, part, ({ run }, suites) => inFolder((folder) => run({ ...values, suites, folder })))
}

start(main)
