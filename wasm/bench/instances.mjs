/** Instances to measure on, as files in a folder that is removed afterwards: generated ones, the examples, networks of the zoo. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ROOT } from './bundle.mjs'
import { nativeRows, run } from './native.mjs'
import { kept } from './table.mjs'

/** Calls body with a fresh folder. */
export async function inFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-bench-'))
  try {
    return await body(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const command = (bench) => join(dirname(bench), 'arenascope')

/** Writes a generated problem; returns its path. */
export function generated(bench, folder, kind, n, seed) {
  const path = join(folder, `${kind}-${n}-${seed}.csv`)
  run(command(bench), ['generate', kind, `--n=${n}`, `--seed=${seed}`, `--output=${path}`])
  return path
}

/** Three of five are networks: what the paper is about. */
const KINDS = ['network', 'network', 'random', 'network', 'synthetic']

/** 40 to 239 buffers, the size and the seed given by the instance's number. */
export const drawn = (native, folder, count) =>
  Array.from({ length: count }, (_, k) => generated(native, folder, KINDS[k % KINDS.length], 40 + ((k * 67) % 200), k))

/** Examples that are more than a lesson on one rule, and of one memory. */
export const examplesOf = () =>
  readdirSync(join(ROOT, 'examples')).filter(
    (name) => /^[^.]+\.csv$/.test(name) && !/rule-|infeasible|tiles|pools/.test(name),
  )

/** Copies of them. */
export function examples(folder) {
  const names = examplesOf()
  for (const name of names) copyFileSync(join(ROOT, 'examples', name), join(folder, name))
  return names.map((name) => join(folder, name))
}

/** Networks whose weights are of a size with their activations: those with prefetched weights are instances of their own. */
const WITH_WEIGHTS = /^(resnet50|resnet152|densenet121|mobilenet_v2|squeezenet1_1)$/
const ZOO = join(ROOT, 'web', 'tools', 'zoo.mjs')

function lowered(bench, graph, path, more) {
  const { status } = spawnSync(command(bench), ['lower', graph, `--output=${path}`, ...more], { stdio: 'ignore' })
  return status === 0 ? [path] : []
}

/** Activations of each network of the zoo, and of some with the weights that are loaded ahead; none where there is no zoo yet. */
export function networks(bench, folder, models) {
  if (models)
    return readdirSync(models)
      .filter((name) => name.endsWith('.csv'))
      .sort()
      .map((name) => join(models, name))
  if (!existsSync(ZOO)) return []
  const list = run(process.execPath, [ZOO]).stdout.matchAll(/^ {2}([a-z]\w*) {2,}\S/gm)
  return [...list].flatMap(([, name]) => {
    const made = kept(`network ${name}`, () => lowerings(bench, folder, name))
    for (const [file, csv] of made) writeFileSync(join(folder, file), csv)
    return made.map(([file]) => join(folder, file))
  })
}

/** [name of the file, buffer CSV] of a network, and of the same with weights if those are instances of their own. */
function lowerings(bench, folder, name) {
  const graph = join(folder, `${name}.graph`)
  writeFileSync(graph, run(process.execPath, [ZOO, name]).stdout)
  const plain = lowered(bench, graph, join(folder, `${name}.csv`), [])
  const weights = WITH_WEIGHTS.test(name)
    ? lowered(bench, graph, join(folder, `${name}+weights.csv`), ['--constants=streamed'])
    : []
  return [...plain, ...weights].map((path) => [basename(path), readFileSync(path, 'utf8')])
}

/** How the page comes by an instance of ours, {generate} or {network}. run: with which {solver, settings, budget, goal} it runs there, if not its own. */
export function opening(path, capacity, run = {}) {
  const name = basename(path, '.csv')
  const made = /^(.+)-(\d+)-(\d+)$/.exec(name)
  if (made) return { generate: made[1], n: Number(made[2]), seed: Number(made[3]), capacity, ...run }
  const [network, weights] = name.split('+')
  return { network, options: {}, lowering: weights ? { constants: 'streamed' } : {}, capacity, ...run }
}

/** The least height known of a problem, and whether it is proved. */
export function least(native, path) {
  const [row] = nativeRows(native, [path, '--solver=exact', '--goal=height', '--budget=300000'])
  return { height: row.height, proved: row.height === row.lowerBound }
}

/** The 68 networks of six families (cells, residual, U-Net, dense, pose, random) that a script beside the suites writes; none where it is not. */
export function families(folder, suites) {
  const script = suites && join(suites, 'families', 'gen.py')
  if (!script || !existsSync(script)) return []
  mkdirSync(join(folder, 'nets'))
  const { status } = spawnSync('python3', [script], { cwd: folder, stdio: 'ignore' })
  if (status !== 0) return []
  return readdirSync(join(folder, 'nets'))
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .map((name) => join(folder, 'nets', name))
}

/** Each problem at each capacity, in percent of its least height, as a file whose name ends in the capacity. Returns {instance, percent, capacity, proved} by name. */
export function configurations(bench, paths, percents, folder) {
  const made = new Map()
  for (const path of paths) {
    const instance = basename(path, '.csv')
    const { height, proved } = kept(`least ${instance}`, () => least(bench, path))
    for (const percent of percents) {
      const name = `${instance}_${String(percent).replace('.', '-')}.${Math.floor((height * percent) / 100)}.csv`
      copyFileSync(path, join(folder, name))
      made.set(name, { instance, percent, proved, capacity: Math.floor((height * percent) / 100) })
    }
  }
  return made
}

export const isSolved = (row) => row.outcome === 'feasible' || row.outcome === 'optimal'
