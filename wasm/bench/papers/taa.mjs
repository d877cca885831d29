#!/usr/bin/env node
// The tile-aware allocator beside its paper's tables 1 and 2: the zoo's networks cut into tiles by `arenascope tile`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imported, ROOT } from '../bundle.mjs'
import { listOf, NATIVE, partOptions, runParts, start, WASM } from '../command.mjs'
import { nativeRows, run } from '../native.mjs'
import { BOTH_WAYS, group, line, printTable, record, sum } from '../table.mjs'

const COMMAND = { initial: join(ROOT, 'build/native/arenascope') }
const { packInModule } = await imported('papers/taa_measure.ts')

/**
 * The paper's networks, in 8 bits and batches of 1, channels in blocks of 32 as its table 3 has them; what it says of each, in bytes and
 * microseconds. Sizes are those that explain its figures: 75 x 75 pixels of 576 channels in ResNet are of a picture of 300, 16 MiB and 8 MiB in FSRCNN of one
 * of 512. It does not say how much memory is on its chip; of FSRCNN each figure from 256 KiB on is the same.
 */
const NETWORKS = [
  { title: 'Inception v3', id: 'inception_v3', paper: [901600, 901600, 79852] },
  { title: 'Inception v4', id: 'inception_v4', paper: [1894560, 2235616, 632723] },
  { title: 'MobileNet v1', id: 'mobilenet_v1', paper: [278272, 301056, 24974] },
  { title: 'MobileNet v2', id: 'mobilenet_v2', paper: [100352, 100352, 12936] },
  { title: 'ResNetV2 101', id: 'resnetv2_101', size: 300, paper: [2791232, 3240000, 914560] },
  { title: 'SqueezeNet 1.0', id: 'squeezenet1_0', size: 225, paper: [410528, 484182, 32015] },
  { title: 'SqueezeNet 1.1', id: 'squeezenet1_1', size: 221, paper: [410528, 484182, 32015] },
  {
    title: 'fire2, fire3',
    id: 'squeezenet1_1',
    size: 221,
    part: { first: 'fire2.squeeze', last: 'MaxPool_2' },
    chip: '64KiB',
    paper: [410528, 484182, 0],
  },
  { title: 'MNASNet 1.3', id: 'mnasnet1_3', paper: [200704, 200704, 50980] },
  { title: 'FSRCNN', id: 'fsrcnn', size: 512, chip: '256KiB', paper: [16777216, 25165824, 399186] },
]
const CHIP = '128KiB'
const BLOCKS = 'NC32HW32'

/** More than any plan needs. */
const CAPACITY = 2 ** 40
/** The orders that the paper tries, and the three ways to share objects. */
const PRINTED = ['size', 'lifetime', 'peers']
const SHARED = ['by-size', 'by-breadth', 'by-size-improved']

/** A plan as the problem that it is of. */
const withoutOffsets = (csv) => csv.replace(/,[^,\n]*$/gm, '')

function makeRunner({ command, native, wasm, repeat }) {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-taa-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const module = readFileSync(wasm)
  const graphs = new Map()

  /** The network's graph as a file. */
  function graph({ title, id, size, part = {} }) {
    if (!graphs.has(title)) {
      const path = join(folder, `${graphs.size}.graph.csv`)
      const flags = Object.entries({ ...(size ? { size } : {}), ...part }).map(([name, value]) => `--${name}=${value}`)
      writeFileSync(path, run(process.execPath, [join(ROOT, 'web/tools/zoo.mjs'), id, '--no-weights', ...flags]).stdout)
      graphs.set(title, path)
    }
    return graphs.get(title)
  }

  /** Buffers of the tasks in a file: with the lifetimes of tiles, or of whole tensors. */
  function buffers(tasks, name, flags) {
    const path = join(folder, `${name}.csv`)
    const greedy = flags.includes('--whole') ? 'greedy' : 'taa'
    run(command, ['solve', tasks, `--solver=${greedy}`, `--capacity=${CAPACITY}`, `--output=${path}`, ...flags])
    writeFileSync(path, withoutOffsets(readFileSync(path, 'utf8')))
    return path
  }

  return {
    /** The network cut into tiles: tensors and tasks, and its buffers with and without tiles. */
    tiled(network, { layout = BLOCKS, order = 'layer', more = [] } = {}) {
      const tasks = join(folder, 'tasks.csv')
      const flags = [`--capacity=${network.chip ?? CHIP}`, `--layout=${layout}`, `--order=${order}`, ...more]
      const { stderr } = run(command, ['tile', graph(network), ...flags, `--output=${tasks}`])
      const count = Number(/([\d,]+) tasks/.exec(stderr)[1].replaceAll(',', ''))
      const tiles = buffers(tasks, 'tiles', [])
      return { tasks: count, list: tasks, tiles, whole: buffers(tasks, 'whole', ['--whole']) }
    },
    /** A solver's best of some values of an option, and the milliseconds of all together. */
    native(path, solver, { goal = 'fit', option, values = [undefined], flags = [] } = {}) {
      const rows = values.flatMap((value) =>
        nativeRows(native, [
          ...[
            path,
            `--solver=${solver}`,
            `--goal=${goal}`,
            `--capacity=${CAPACITY}`,
            `--repeat=${repeat}`,
            '--processor',
          ],
          ...(value ? [`--option=${option}=${value}`] : []),
          ...flags,
        ]),
      )
      const best = rows.reduce((a, b) => (b.height < a.height ? b : a))
      return { ...best, ms: sum(rows.map((row) => row.msMedian)) }
    },
    inModule: (path, solver, goal) =>
      packInModule(module, { csv: readFileSync(path, 'utf8'), capacity: CAPACITY, solver, goal }, repeat),
    /** Runs all tasks under the proven plan on a memory of tags. */
    replay(tasks) {
      const flags = ['--goal=height', `--capacity=${CAPACITY}`, '--validate', '--json']
      const answer = JSON.parse(run(command, ['solve', tasks, '--solver=taa-exact', ...flags]).stdout)
      if (!answer.valid) throw new Error(`${tasks}: a plan of taa-exact is misread`)
      return answer
    },
  }
}

const percent = (part) => `${part < 0 ? '-' : '+'}${Math.abs(100 * part).toFixed(1)} %`
const proven = ({ outcome, height }) => (outcome === 'optimal' ? group(height) : `<= ${group(height)}`)

const BYTES = [
  ['network', 15],
  ['tasks', -6],
  ['shared', -11],
  ['printed', -11],
  ['corrected', -11],
  ['best order', -11],
  ['optimum', -11],
  ['live', -11],
  ['change', -9],
  ['paper SO', -11],
  ['paper TAA', -11],
  ['change', -9],
]

const KIB = 1024
/** Its graph, and the tiles that the page cuts it into, the bench's own. */
const opens = ({ id, size, part = {}, chip = CHIP }) => ({
  network: id,
  options: { weights: 'false', ...(size ? { size: String(size) } : {}), ...part },
  tiles: { budget: Number.parseInt(chip, 10) * KIB, options: { layout: BLOCKS } },
  solver: 'taa-exact',
  goal: 'height',
})

/** Bytes: the paper's table 1. */
function table1(runner) {
  const [made, drawn] = [[], []]
  console.log(
    line(
      BYTES,
      BYTES.map(([title]) => title),
    ),
  )
  for (const network of NETWORKS) {
    const { tasks, list, tiles, whole } = runner.tiled(network)
    const shared = runner.native(whole, 'shared-objects', { option: 'strategy', values: SHARED }).height
    const orders = { option: 'order', values: PRINTED }
    const printed = runner.native(tiles, 'taa', { ...orders, flags: ['--option=as_printed=true'] }).height
    const corrected = runner.native(tiles, 'taa', orders).height
    const best = runner.native(tiles, 'taa', { goal: 'height' })
    const exact = runner.native(tiles, 'taa-exact', { goal: 'height' })
    if (runner.replay(list).height !== exact.height) throw new Error(`${network.title}: two runs differ`)
    const [taa, objects] = network.paper
    const cells = [shared, printed, corrected, best.height].map(group)
    const ends = [group(objects), group(taa), percent(taa / objects - 1)]
    cells.push(proven(exact), group(best.lowerBound), percent(exact.height / shared - 1), ...ends)
    made.push([network.title, group(tasks), ...cells])
    drawn.push([shared, best.height, exact.height].map((height) => height / best.lowerBound))
    console.log(line(BYTES, made.at(-1)))
  }
  record('taa-table1', BYTES, made, {
    opens: NETWORKS.map(opens),
    chart: {
      kind: 'dots',
      x: { title: 'height over the most that is live at once' },
      rows: NETWORKS.map(({ title }) => title),
      series: ['shared objects', 'TAA, best order', 'proven optimum'].map((name, k) => ({
        name,
        values: drawn.map((row) => row[k]),
      })),
    },
  })
}

/** Until the tables are made and the first tensor is placed: the least budget of steps in which that is so. */
function tablesMs(runner, tiles) {
  const within = (steps, ...more) =>
    runner.native(tiles, 'taa-exact', { goal: 'height', flags: [`--budget=${steps}`, ...more] })
  let [low, high] = [0, 1]
  while (within(high, '--repeat=1').nodes === 0) [low, high] = [high, 2 * high]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (within(middle, '--repeat=1').nodes === 0) low = middle
    else high = middle
  }
  return within(high).ms
}

/** Milliseconds of the processor: the paper's table 2. */
async function table2(runner) {
  const ms = (title, of) => [title, -9, (row) => (of(row) > 0 ? of(row).toFixed(2) : '')]
  const columns = [
    ['network', 15, (row) => row.title],
    ms('tables', (row) => row.tables),
    ms('shared', (row) => row.shared),
    ...['taa', 'taa-exact'].flatMap((solver) => [
      ms(solver, (row) => row[solver].native),
      ms('WASM', (row) => row[solver].warm),
      ms('first', (row) => row[solver].first),
    ]),
    ms('paper', (row) => row.paper),
  ]
  const rows = []
  for (const network of NETWORKS) {
    const { tiles, whole } = runner.tiled(network)
    const row = { title: network.title, paper: network.paper[2] / 1000, open: opens(network) }
    for (const solver of ['taa', 'taa-exact']) {
      const native = runner.native(tiles, solver, { goal: 'height' })
      const web = await runner.inModule(tiles, solver, 'height')
      if (web.height !== native.height || web.outcome !== native.outcome)
        throw new Error(`${network.title}: ${web.height} in the module, ${native.height} natively`)
      row[solver] = { ...web, native: native.ms }
    }
    row.tables = tablesMs(runner, tiles)
    row.shared = runner.native(whole, 'shared-objects', { option: 'strategy', values: SHARED }).ms
    rows.push(row)
  }
  printTable(columns, rows, { id: 'taa-table2', open: (row) => row.open, note: BOTH_WAYS })
}

/** What the order of tiles and the layout make of it. */
function orders(runner) {
  const ways = ['NHWC', BLOCKS].flatMap((layout) =>
    ['layer', 'alternating', 'depth'].map((order) => ({ layout, order })),
  )
  const columns = [['network', 15], ...ways.map(({ layout, order }) => [`${layout} ${order}`, -20])]
  console.log(
    line(
      columns,
      columns.map(([title]) => title),
    ),
  )
  for (const network of NETWORKS) {
    const cells = ways.map((way) =>
      proven(
        runner.native(runner.tiled(network, way).tiles, 'taa-exact', {
          goal: 'height',
          flags: ['--repeat=1', '--ms=10000'],
        }),
      ),
    )
    console.log(line(columns, [network.title, ...cells]))
  }
}

/** Concatenations in place, as compilers have them, and copied by an operator of their own. */
function concatenations(runner) {
  const columns = [
    ['network', 15, (row) => row.title],
    ...['place', 'copy'].flatMap((way) => [
      [`${way}: shared`, -13, (row) => group(row[way].shared)],
      ['optimum', -13, (row) => proven(row[way].exact)],
    ]),
  ]
  const joined = NETWORKS.filter(({ id }) => /^(inception|squeeze)/.test(id))
  const rows = joined.map((network) => {
    const figures = (way) => {
      const { tiles, whole } = runner.tiled(network, { more: [`--concat=${way}`] })
      return {
        shared: runner.native(whole, 'shared-objects', { option: 'strategy', values: SHARED }).height,
        exact: runner.native(tiles, 'taa-exact', { goal: 'height', flags: ['--repeat=1', '--ms=10000'] }),
      }
    }
    return { title: network.title, place: figures('place'), copy: figures('copy') }
  })
  printTable(columns, rows)
}

const parts = {
  table1: {
    text: 'bytes: shared objects, taa as printed, corrected, in its best order, the proven optimum',
    run: table1,
  },
  table2: {
    text: 'milliseconds: the tables of forbidden offsets, shared objects in three ways, taa, taa-exact; WASM once compiled well, and first run',
    run: table2,
  },
  concat: { text: 'concatenations in place and copied: shared objects and the proven optimum', run: concatenations },
  orders: { text: 'the proven optimum by layout and order of tiles', run: orders },
}

const USAGE = `usage: taa.mjs [--part=NAME...] [--repeat=N] [--command=PATH] [--native=PATH] [--wasm=PATH]

  --repeat=N  runs of whose times the median counts (5)

parts:
${listOf(parts)}
`

async function main() {
  const own = { command: COMMAND, native: NATIVE, wasm: WASM, repeat: { initial: 5, least: 1 } }
  const values = partOptions(parts, own, USAGE)
  const runner = makeRunner(values)
  console.log(
    `Tiles that fit into ${CHIP} (FSRCNN: 256 KiB), operator by operator, channels in blocks of 32; intermediate tensors alone. What differs from the paper: wasm/README.md.`,
  )
  return runParts(parts, values.part, (part) => part.run(runner))
}

start(main)
