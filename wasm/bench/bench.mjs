#!/usr/bin/env node
// Native and WASM side by side, one row per case. Both must take the very same search: a difference ends it with exit code 1.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { imported, ROOT } from './bundle.mjs'
import { start, understood } from './command.mjs'
import { geometricMean, group, line } from './table.mjs'

const USAGE = `usage: bench.mjs [FILE.csv | DIR]... [--solver=ID]... [--repeat=N] [--json] [--native=PATH] [--wasm=PATH]

Cases are the files given, named INSTANCE.CAPACITY.csv, or those of folders. Without any: the examples, and the folder "minimalloc"
of the benchmark suites if ARENASCOPE_BENCH names where they are. Solvers: minimalloc, greedy and contention unless some are given.
`
const DEFAULT_SOLVERS = ['minimalloc', 'greedy', 'contention']
const NATIVE_TIMEOUT_MS = 300_000

function options() {
  return understood(
    {
      allowPositionals: true,
      options: {
        solver: { type: 'string', multiple: true },
        repeat: { type: 'string', default: '3' },
        json: { type: 'boolean', default: false },
        native: { type: 'string', default: join(ROOT, 'build/native/arenascope-bench') },
        wasm: { type: 'string', default: join(ROOT, 'build/wasm/core.wasm') },
        help: { type: 'boolean', default: false },
      },
    },
    USAGE,
  )
}

/** INSTANCE.CAPACITY.csv as a case, null for any other name. */
function caseOfFile(path) {
  const [, instance, capacity] = /^(.*)\.(\d+)\.csv$/.exec(basename(path)) ?? []
  return instance === undefined ? null : { instance, capacity: Number(capacity), csv: readFileSync(path, 'utf8') }
}

function casesOf(path) {
  const folder = statSync(path).isDirectory()
  const files = folder
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
    : [path]
  return files.map(caseOfFile).filter((made) => made !== null)
}

function examples() {
  const folder = join(ROOT, 'examples')
  const index = join(folder, 'index.json')
  if (!existsSync(index)) return []
  return JSON.parse(readFileSync(index, 'utf8')).map(({ file, capacity }) => ({
    instance: file.replace(/\.csv$/, ''),
    capacity,
    csv: readFileSync(join(folder, file), 'utf8'),
  }))
}

function suites() {
  const folder = process.env.ARENASCOPE_BENCH && join(process.env.ARENASCOPE_BENCH, 'minimalloc')
  return folder && existsSync(folder) ? casesOf(folder) : []
}

/** The native program's row for a case; null if its solver cannot take it. */
function native(program, folder, made, repeat) {
  const file = join(folder, `${made.instance}.${made.capacity}.csv`)
  writeFileSync(file, made.csv)
  const args = [file, `--solver=${made.solver}`, `--repeat=${repeat}`]
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: NATIVE_TIMEOUT_MS })
  if (error) throw error
  const line = stdout.split('\n').find((text) => text.startsWith('{'))
  if (line !== undefined) return JSON.parse(line)
  if (/does not honour/.test(stderr)) return null
  throw new Error(`${program} ${args.join(' ')}: exit code ${status}\n${stderr}`)
}

/** The WASM row for a case; null if its solver cannot take it. */
async function inWasm(measure, bytes, made, repeat) {
  try {
    return await measure(bytes, made, repeat)
  } catch (error) {
    if (error.reason === 'argument' && /does not honour/.test(error.message)) return null
    throw error
  }
}

/** The native program writes null where there is no plan. */
const NO_HEIGHT = -1

const COLUMNS = [
  ['solver', 16, (row) => row.solver],
  ['instance', 22, (row) => row.instance],
  ['outcome', 13, (row) => row.outcome],
  ['height', -13, (row) => (row.height === NO_HEIGHT ? '-' : group(row.height))],
  ['lower bound', -13, (row) => group(row.lowerBound)],
  ['steps', -12, (row) => group(row.steps)],
  ['backtracks', -10, (row) => group(row.backtracks)],
  ['native ms', -10, (row) => row.nativeMs.toFixed(2)],
  ['WASM ms', -10, (row) => row.ms.toFixed(2)],
  ['ratio', -6, (row) => row.ratio.toFixed(2)],
  ['seek ms', -8, (row) => row.seekMs.toFixed(2)],
]

function differences(a, b) {
  const fields = ['outcome', 'height', 'lowerBound', 'steps', 'backtracks', 'digest']
  return fields
    .filter((field) => (a[field] ?? NO_HEIGHT) !== b[field])
    .map((field) => `${field}: native ${a[field]}, WASM ${b[field]}`)
}

/** Below this a run is all overhead and clock: it is shown, but says nothing of the ratio. */
const MEANINGFUL_MS = 5

function summary(rows) {
  const long = rows.filter((row) => row.nativeMs >= MEANINGFUL_MS)
  const slowest = Math.max(...rows.map((row) => row.seekMs))
  const ratio =
    long.length > 0 ? `WASM/native ${geometricMean(long.map((row) => row.ratio)).toFixed(2)} in the geometric mean` : ''
  const cases = `of the ${long.length} cases of at least ${MEANINGFUL_MS} ms`
  return `${ratio ? `${ratio} ${cases}; ` : ''}slowest seek ${slowest.toFixed(1)} ms; ${rows.length} cases, all searches equal`
}

async function main() {
  const { values, positionals } = options()
  const repeat = Number(values.repeat)
  if (values.help || !Number.isInteger(repeat) || repeat < 1) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const cases = positionals.length > 0 ? positionals.flatMap(casesOf) : [...examples(), ...suites()]
  if (cases.length === 0) throw new Error('no cases: files are named INSTANCE.CAPACITY.csv')
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-bench-'))
  try {
    return await compare(cases, values, repeat, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compare(cases, values, repeat, folder) {
  const { measure } = await imported('measure.ts')
  const bytes = readFileSync(values.wasm)
  const rows = []
  if (!values.json)
    console.log(
      line(
        COLUMNS,
        COLUMNS.map(([title]) => title),
      ),
    )
  for (const solver of values.solver ?? DEFAULT_SOLVERS) {
    for (const made of cases.map((one) => ({ ...one, solver }))) {
      const a = native(values.native, folder, made, repeat)
      const b = await inWasm(measure, bytes, made, repeat)
      if (a === null && b === null) continue
      if (a === null || b === null)
        throw new Error(`${solver} on ${made.instance}: only one of native and WASM takes it`)
      const differ = differences(a, b)
      if (differ.length > 0) throw new Error(`${solver} on ${made.instance}: ${differ.join('; ')}`)
      const row = { ...b, nativeMs: a.ms, ratio: b.ms / a.ms }
      rows.push(row)
      console.log(
        values.json
          ? JSON.stringify(row)
          : line(
              COLUMNS,
              COLUMNS.map(([, , cell]) => cell(row)),
            ),
      )
    }
  }
  if (!values.json) console.log(summary(rows))
  return 0
}

start(main)
