#!/usr/bin/env node
// COSMA beside the schemes that its paper compares with: figure 3, figure 4 and table II on the zoo's networks.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imported, ROOT } from '../bundle.mjs'
import { listOf, NATIVE, partOptions, runParts, start, WASM } from '../command.mjs'
import { nativeRows, run } from '../native.mjs'
import { BOTH_WAYS, group, line, record, sum } from '../table.mjs'

const COMMAND = { initial: join(ROOT, 'build/native/arenascope') }
const { solveInModule } = await imported('papers/cosma_measure.ts')

/** The text of a network's graph with its weights, as `npm run zoo` writes it. */
function graphText(id, { fuse = true, ...options }) {
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  return run(process.execPath, [join(ROOT, 'web/tools/zoo.mjs'), id, ...flags, ...(fuse ? [] : ['--no-fuse'])]).stdout
}

/** As in the paper: 224 pixels, 8 bits, and for the Transformer tokens of 10 and 20 in batches of 32. */
const human = [
  ['ResNet-50', 'resnet50', {}],
  ['DenseNet-121', 'densenet121', {}],
  ['ResNeXt-50', 'resnext50', {}],
  ['R(2+1)D-18', 'r2plus1d_18', { size: 224 }],
  ['S3D', 's3d', {}],
  ['FCN', 'fcn_resnet50', { size: 224 }],
  ['L-RASPP', 'lraspp_mobilenetv3', { size: 224 }],
  ['DeepLabV3', 'deeplabv3_resnet50', { size: 224 }],
  ['Transformer', 'transformer', { size: 10, batch: 32, fuse: false }],
  ['ViT-B/16', 'vit_b_16', {}],
]
const searched = [
  ['PNASNet-5', 'pnasnet5_large', { size: 224 }],
  ['AmoebaNet-D', 'amoebanet_d', {}],
  ['NASNet-A', 'nasnet_a_mobile', {}],
  ['NASNet-A Large', 'nasnet_a_large', { size: 224 }],
  ['DARTS', 'darts_v2', {}],
  ['DARTS, CIFAR', 'darts_cifar', {}],
]
const BUDGETS = [
  ['M_R', 'required'],
  ['M_H', 'half'],
  ['M_P', 'peak'],
]
const ACTIVATIONS = { constants: 'out' }
/** A weight is in the arena while its operator runs. */
const PARAMETERS = { constants: 'streamed', prefetch: '0' }

const fixed = (schedule) => ['cosma', { schedule }]
const online = (schedule, replacement) => ['replacement', { schedule, replacement }]
const baselines = ['file', 'least-peak'].flatMap((schedule) =>
  ['belady', 'greedy'].map((rule) => online(schedule, rule)),
)
const fixedOrders = [fixed('file'), fixed('least-peak')]
const joint = fixed('joint')

function makeRunner({ command, native, wasm, seconds, repeat }) {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-cosma-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const module = readFileSync(wasm)
  return {
    network(id, options) {
      const text = graphText(id, options)
      const path = join(folder, `${id}.graph.csv`)
      writeFileSync(path, text)
      return { path, text }
    },
    /** What the command says of a network under a scheme. */
    solve({ path }, lowering, [solver, options], capacity) {
      const flags = Object.entries({ ...lowering, ...options }).map(([name, value]) => `--${name}=${value}`)
      const budget = ['--goal=traffic', `--capacity=${capacity}`, `--timeout=${seconds}s`, '--validate', '--json']
      const answer = JSON.parse(run(command, ['solve', path, `--solver=${solver}`, ...budget, ...flags]).stdout)
      if (answer.valid === false) throw new Error(`${path}: a plan of ${solver} is not valid`)
      return answer
    },
    /** Milliseconds of the processor, natively and in the module, which must find the same. */
    async times({ path, text }, lowering, [solver, options], { capacity, outcome, traffic }) {
      const flags = Object.entries({ ...lowering, ...options }).map(([name, value]) => `--option=${name}=${value}`)
      const limits = [`--capacity=${capacity}`, `--ms=${1000 * seconds}`, `--repeat=${repeat}`]
      const [row] = nativeRows(native, [
        path,
        `--solver=${solver}`,
        '--goal=traffic',
        '--processor',
        ...limits,
        ...flags,
      ])
      const web = await solveInModule(module, text, lowering, capacity, options, seconds, repeat)
      if (web.outcome === 'optimal' && outcome === 'optimal' && web.bound !== traffic)
        throw new Error(`${path}: ${web.bound} in the module, ${traffic} natively`)
      return [row.msMedian, web.warm, web.first]
    },
  }
}

const bytes = (answer) => (answer.traffic === undefined ? '-' : group(answer.traffic))
const proof = ({ outcome, lowerBound }) => (outcome === 'optimal' ? 'proven' : `>= ${group(lowerBound)}`)
const ms = (number) => number.toFixed(1)
const percent = (part) => (Number.isFinite(part) ? `${(100 * part).toFixed(1)} %` : '-')

const COLUMNS = [
  ['network', 15],
  ['budget', 6],
  ['bytes', -12],
  ['def+Belady', -12],
  ['def+greedy', -12],
  ['MPMF+Bel', -12],
  ['MPMF+gre', -12],
  ['FS default', -12],
  ['FS MPMF', -12],
  ['joint', -12],
  ['reduced', -8],
  ['ms', -7],
  ['WASM', -7],
  ['first', -7],
  ['', 20],
]

/** A network of the zoo in the memory of a run. */
const opens = (id, { fuse = true, ...options }, lowering, capacity) => ({
  network: id,
  options: {
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)])),
    ...(fuse ? {} : { fuse: 'false' }),
  },
  lowering,
  capacity,
  solver: 'cosma',
  goal: 'traffic',
})

/** Bytes per scheme: the paper's figures 3 and 4. */
async function figure(name, runner, networks, lowering) {
  // of the optimum under each order, the joint one last
  const reductions = BUDGETS.map(() => [...fixedOrders, joint].map(() => []))
  const [made, opened, shares] = [[], [], []]
  console.log(
    line(
      COLUMNS,
      COLUMNS.map(([title]) => title),
    ),
  )
  for (const [title, id, options] of networks) {
    const network = runner.network(id, options)
    for (const [k, [name, budget]] of BUDGETS.entries()) {
      const best = runner.solve(network, lowering, joint, budget)
      const others = [...baselines, ...fixedOrders].map((scheme) =>
        runner.solve(network, lowering, scheme, best.capacity),
      )
      const times = await runner.times(network, lowering, joint, best)
      const mean = sum(others.slice(0, 4).map(({ traffic }) => traffic)) / 4
      const reduced = 1 - best.traffic / mean
      for (const [way, { traffic }] of [...others.slice(4), best].entries())
        if (mean > 0) reductions[k][way].push(1 - traffic / mean)
      const cells = [title, name, group(best.capacity), ...[...others, best].map(bytes), percent(reduced)]
      cells.push(...times.map(ms), proof(best))
      console.log(line(COLUMNS, cells))
      made.push(cells)
      opened.push(opens(id, options, lowering, best.capacity))
      shares.push([...others.slice(0, 4), best].map(({ traffic }) => traffic / 2 ** 20))
    }
  }
  const means = ['in the default order', 'in the MPMF order', 'over all orders'].map((way, k) => {
    const each = reductions.map((all, budget) => `${percent(sum(all[k]) / all[k].length)} at ${BUDGETS[budget][0]}`)
    return `${way} ${each.join(', ')}`
  })
  const note = `Average reduction against the mean of the four schemes by the optimum: ${means.join('; ')}. ${BOTH_WAYS}`
  console.log(note)
  record(`cosma-${name}`, COLUMNS, made, {
    opens: opened,
    note,
    chart: {
      kind: 'dots',
      x: { title: 'MiB moved', from: 0 },
      rows: made.map(([title, budget]) => `${title}, ${budget}`),
      series: ['default, Belady', 'default, greedy', 'MPMF, Belady', 'MPMF, greedy', 'joint optimum'].map(
        (title, k) => ({
          name: title,
          values: shares.map((row) => row[k]),
        }),
      ),
    },
  })
}

/** Milliseconds of the processor of fixed orders and of all: the paper's table II, whose own column is that of break nodes by hand. */
async function table2(runner) {
  const columns = [
    ['network', 15],
    ['budget', 6],
    ...['FS default', 'FS MPMF', 'joint'].flatMap((title) => [
      [title, -10],
      ['WASM', -7],
      ['first', -7],
      ['', 22],
    ]),
  ]
  console.log(
    line(
      columns,
      columns.map(([title]) => title),
    ),
  )
  const [made, opened] = [[], []]
  for (const [title, id, options] of searched) {
    const network = runner.network(id, options)
    for (const [name, budget] of BUDGETS) {
      const cells = [title, name]
      let capacity = 0
      for (const scheme of [...fixedOrders, joint]) {
        const answer = runner.solve(network, ACTIVATIONS, scheme, budget)
        const times = await runner.times(network, ACTIVATIONS, scheme, answer)
        cells.push(...times.map(ms), scheme === joint ? proof(answer) : bytes(answer))
        capacity = answer.capacity
      }
      console.log(line(columns, cells))
      made.push(cells)
      opened.push(opens(id, options, ACTIVATIONS, capacity))
    }
  }
  record('cosma-table2', columns, made, {
    opens: opened,
    note: BOTH_WAYS,
  })
}

const parts = {
  figure3: {
    text: 'bytes of each scheme on networks by people, activations alone',
    run: (runner) => figure('figure3', runner, human, ACTIVATIONS),
  },
  figure3p: {
    text: 'the same with parameters',
    run: (runner) => figure('figure3p', runner, human, PARAMETERS),
  },
  figure4: {
    text: 'bytes of each scheme on searched networks',
    run: (runner) => figure('figure4', runner, searched, ACTIVATIONS),
  },
  table2: { text: 'milliseconds on searched networks', run: table2 },
}

const USAGE = `usage: cosma.mjs [--part=NAME...] [--seconds=N] [--repeat=N] [--command=PATH] [--native=PATH] [--wasm=PATH]

  --seconds=N  after which a search is given up (60)
  --repeat=N   runs of whose times the median counts (5): milliseconds of the processor, natively, in the module once the engine has
               compiled it well, and of the first run in it, in which it has not

parts:
${listOf(parts)}
`

async function main() {
  const own = {
    command: COMMAND,
    wasm: WASM,
    native: NATIVE,
    seconds: { initial: 60, least: 1 },
    repeat: { initial: 5, least: 1 },
  }
  const values = partOptions(parts, own, USAGE)
  const runner = makeRunner(values)
  console.log(
    'The graphs are the zoo’s, rebuilt from public definitions; all fourteen of the paper are there, DARTS and NASNet-A twice.',
  )
  return runParts(parts, values.part, (part) => part.run(runner))
}

start(main)
