#!/usr/bin/env node
// What lives in fast memory, by repacker: TelaMalloc's figure 18 on the zoo's networks, with memory as all that takes time.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../bundle.mjs'
import { listOf, partOptions, runParts, start } from '../command.mjs'
import { inFolder } from '../instances.mjs'
import { run } from '../native.mjs'
import { geometricMean, group, kept, printTable } from '../table.mjs'

const COMMAND = { initial: join(ROOT, 'build/native/arenascope') }
const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'program.mjs')

/** XLA's own repacker is the first: the long-lived first, best fit, of those that are in. */
const REPACKERS = [
  ['none', ['--repacker=none']],
  ['best fit', ['--repacker=greedy', '--solver.order=lifetime', '--fit=best', '--repack=placed']],
  ['contention', ['--repacker=contention']],
  ['TelaMalloc', ['--repacker=telamalloc']],
  ['... placed', ['--repacker=telamalloc', '--repack=placed']],
  ['exact', ['--repacker=exact']],
  ['... placed', ['--repacker=exact', '--repack=placed']],
]
const [NONE, BEST_FIT, , TELAMALLOC, , EXACT] = REPACKERS.keys()
const SHARES = [25, 50, 75]

/** The most bytes that fractions of the buffers can take off slow memory if at no time more than the capacity of them is in: HiGHS on a linear program. */
function atMost(folder, rows, chosen, capacity) {
  const name = new Map(chosen.buffers.map(({ id }, k) => [id, `x${k}`]))
  const used = rows.filter(({ size, id }) => size <= capacity && name.has(id))
  if (used.length === 0) return 0
  const begins = [...new Set(used.map(({ lower }) => lower))]
  const terms = (list) => list.map(([factor, id]) => ` + ${factor} ${name.get(id)}`).join('\n')
  const bytes = new Map(chosen.buffers.map((buffer) => [buffer.id, buffer.bytes]))
  const text = [
    'maximize',
    `all:${terms(used.map(({ id }) => [bytes.get(id), id]))}`,
    'subject to',
    ...begins.map((time, k) => {
      const alive = used.filter(({ lower, upper }) => lower <= time && time < upper)
      return `t${k}:${terms(alive.map(({ size, id }) => [size, id]))} <= ${capacity}`
    }),
    'bounds',
    ...used.map(({ id }) => `0 <= ${name.get(id)} <= 1`),
    'end',
  ]
  const path = join(folder, 'fractions.lp')
  writeFileSync(path, `${text.join('\n')}\n`)
  const { stdout } = spawnSync(process.execPath, [PROGRAM, path, '60'], { encoding: 'utf8' })
  return JSON.parse(/^\{.*\}$/m.exec(stdout)[0]).objective
}

/** The buffers of a graph. No id of the zoo's has a comma. */
function buffersOf(command, graph, lowering) {
  const [, ...lines] = run(command, ['lower', graph, ...lowering])
    .stdout.trim()
    .split('\n')
  return lines.map((line) => {
    const [id, lower, upper, size] = line.split(',')
    return { id, lower: Number(lower), upper: Number(upper), size: Number(size) }
  })
}

function loadOf(rows) {
  const loads = rows.map(({ lower: time }) =>
    rows.reduce((sum, { lower, upper, size }) => sum + (lower <= time && time < upper ? size : 0), 0),
  )
  return Math.max(...loads)
}

/** Seconds of slow memory, in its bytes, that a choice leaves, if fast memory is `ratio` times as fast. */
const time = ({ bytes, fastBytes }, ratio) => bytes - fastBytes + fastBytes / ratio

function measured(command, folder, id, { batch, ratio, lowering, training }) {
  const graph = join(folder, `${id}.graph.csv`)
  const flags = [`--batch=${batch}`, '--bytes=2', ...(training ? ['--training'] : [])]
  writeFileSync(graph, run(process.execPath, [join(ROOT, 'web/tools/zoo.mjs'), id, ...flags]).stdout)
  const rows = buffersOf(command, graph, lowering)
  const load = loadOf(rows)
  return SHARES.map((share) => {
    const capacity = Math.floor((load * share) / 100)
    const choices = REPACKERS.map(([, more]) =>
      JSON.parse(run(command, ['select', graph, `--capacity=${capacity}`, '--json', ...lowering, ...more]).stdout),
    )
    const bound = atMost(folder, rows, choices[NONE], capacity)
    return {
      id,
      share,
      capacity,
      lowering,
      batch,
      training,
      choices: choices.map(({ count, bytes, fastBytes, repacks, repacked }) => ({
        ...{ count, bytes, fastBytes, repacks, repacked },
      })),
      least: time({ bytes: choices[NONE].bytes, fastBytes: bound }, ratio),
    }
  })
}

const speedUp = (row, k, ratio) => time(row.choices[BEST_FIT], ratio) / time(row.choices[k], ratio)

const DRAWN = [
  ['TelaMalloc', TELAMALLOC],
  ['exact', EXACT],
]

/** Of the ends of a row's bar: the network with its fast memory, and how much faster than with best fit. */
function figureOf(part, rows, ratio) {
  return {
    id: `repack-${part}`,
    open: ({ id, batch, training, lowering, capacity }) => ({
      network: id,
      options: {
        bytes: '2',
        ...(batch > 1 ? { batch: String(batch) } : {}),
        ...(training ? { training: 'true' } : {}),
      },
      lowering: lowering.length > 0 ? { constants: 'streamed' } : {},
      // the network is chosen from anew, by TelaMalloc
      fast: { repacker: 'TelaMalloc', capacity },
    }),
    chart: {
      kind: 'dots',
      x: { title: 'speed-up over best fit' },
      rows: rows.map(({ id, share }) => `${id} ${share} %`),
      series: DRAWN.map(([name, k]) => ({ name, values: rows.map((row) => speedUp(row, k, ratio)) })),
    },
  }
}

/** How a repacker fares against best fit. */
function summary(rows, k, ratio) {
  const all = rows.map((row) => speedUp(row, k, ratio))
  const better = all.filter((x) => x > 1.00001).length
  const worse = all.filter((x) => x < 0.99999).length
  return `${geometricMean(all).toFixed(4)} in the mean, ${Math.min(...all).toFixed(4)} to ${Math.max(...all).toFixed(4)}, ahead on ${better}, behind on ${worse} of ${all.length}`
}

function report(part, rows, ratio) {
  const [none, telamalloc, exact] = [NONE, TELAMALLOC, EXACT].map((k) => summary(rows, k, ratio))
  const roomless = rows.filter(({ choices }) => choices[EXACT].repacked === 0).length
  const note = `Speed-up over best fit, and repacks that made room of those tried. TelaMalloc: ${telamalloc}. Exact: ${exact}. Without a repacker: ${none}. On ${roomless} of ${rows.length} not one repack by the exact solver made room. A row opens the network, chooses by TelaMalloc and draws the two pools that come of it.`
  printTable(
    [
      ['network', 20, ({ id }) => id],
      ['%', -3, ({ share }) => String(share)],
      ['fast bytes', -13, ({ capacity }) => group(capacity)],
      ['buffers', -8, ({ choices }) => group(choices[NONE].count)],
      ...REPACKERS.map(([title], k) => [
        title,
        -18,
        (row) => `${speedUp(row, k, ratio).toFixed(4)} ${row.choices[k].repacked}/${row.choices[k].repacks}`,
      ]),
      ['at most', -8, (row) => (time(row.choices[BEST_FIT], ratio) / row.least).toFixed(4)],
    ],
    rows,
    { ...figureOf(part, rows, ratio), note },
  )
  console.log(`\n${note}`)
}

function compare(part, lowering, { training = false, batch: own } = {}) {
  return ({ command, batch: asked, ratio, networks }) =>
    inFolder((folder) => {
      const batch = asked || own || 1
      const list = run(process.execPath, [join(ROOT, 'web/tools/zoo.mjs')]).stdout
      const names = networks ? networks.split(',') : [...list.matchAll(/^ {2}([a-z]\w*) {2,}\S/gm)].map(([, id]) => id)
      console.log(
        `speed-up over XLA's best fit with ${ratio} : 1 bytes a second, repacks that made room / tried; batch ${batch}, 16 bits${training ? ', a training step' : ''}\n`,
      )
      report(
        part,
        names.flatMap((id) => kept(id, () => measured(command, folder, id, { batch, ratio, lowering, training }))),
        ratio,
      )
    })
}

const PARTS = {
  activations: { text: 'activations alone', run: compare('activations', []) },
  weights: { text: 'with weights, loaded 3 operators ahead', run: compare('weights', ['--constants=streamed']) },
  batch: {
    text: 'with weights, batch 8 unless said; without weights it is that of batch 1, eight times as large',
    run: compare('batch', ['--constants=streamed'], { batch: 8 }),
  },
  training: { text: 'a training step: activations and gradients', run: compare('training', [], { training: true }) },
}

const USAGE = `usage: repack.mjs [--part=NAME]... [--networks=ID,...] [--batch=N] [--ratio=N] [--command=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

--batch: of the networks (the part's own, or 1); --ratio: bytes a second of fast memory for each of slow memory (10); --command: the program arenascope.
`

async function main() {
  const own = {
    batch: { initial: 0, least: 0 },
    ratio: { initial: 10, least: 2 },
    networks: {},
    command: COMMAND,
  }
  const { part, ...values } = partOptions(PARTS, own, USAGE)
  return runParts(PARTS, part, ({ run: measure }) => measure(values))
}

start(main)
