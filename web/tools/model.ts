/** The command arenascope-model, in the npm package arenascope: model files in a terminal, read, planned and written as in the page. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Core } from '../../wasm/client/core'
import { loadExports } from '../../wasm/client/module'
import { ClientError } from '../../wasm/client/types'
import { arenaNote } from '../src/export/tflm_arena'
import { writeGraphCsv } from '../src/import/graph_csv'
import { writeGraphJson } from '../src/import/graph_json'
import type { Imported, ImportedBuffers, ImportedGraph } from '../src/import/imported'
import { importModel } from '../src/import/model'
import { isGzip, MOST_UNPACKED } from '../src/import/gzip'
import { fromBytes, fromFetch, type Source } from '../src/import/source'
import { kindOfText } from '../src/state/share/recognize'
import { plannerAnswers } from '../src/state/model/planner_lowerings'
import { FORMS, type Flags, type Form, parse, profileTable, usage } from './model_flags'
import { planAs } from './model_plan'
import { type Solved, solve, statusOf, summary } from './model_solve'
import { Usage } from './usage'

/** Where the command speaks. */
export interface Streams {
  /** the name under which the command is called */
  program: string
  out: (content: string | Uint8Array) => void
  err: (line: string) => void
}

/** Undecided questions, or a file that cannot be read. */
class Unread extends Error {}

/** Two texts that one tool wrote beside each other, as one. */
function joined(one: Uint8Array, other: Uint8Array): Source {
  return fromBytes(new Uint8Array(Buffer.concat([one, Buffer.from('\n'), other])))
}

/** What is inside, of what gzip has compressed. */
function unpacked(bytes: Uint8Array): Uint8Array {
  if (!isGzip(bytes[0], bytes[1])) return bytes
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED }))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(`it is compressed by gzip and cannot be unpacked: ${message}`), { code })
  }
}

interface Open {
  source: Source
  close: () => void
  whole: () => Uint8Array
}

function openBytes(bytes: Uint8Array): Open {
  return { source: fromBytes(bytes), close: () => undefined, whole: () => bytes }
}

/** The file is read where it is asked for, like a Blob in the page: weights stay on the disk. */
function open(path: string): Open {
  if (path === '-') return openBytes(unpacked(new Uint8Array(readFileSync(0))))
  const file = openSync(path, 'r')
  const source = fromFetch(fstatSync(file).size, (from, length) => {
    const bytes = new Uint8Array(length)
    for (let got = 0; got < length; ) {
      const more = readSync(file, bytes, got, length - got, from + got)
      if (more === 0) throw new Error(`${path} became shorter while it was read`)
      got += more
    }
    return bytes
  })
  const close = () => closeSync(file)
  const whole = () => new Uint8Array(readFileSync(path))
  const [first, second] = source.read(0, Math.min(2, source.size))
  if (!isGzip(first, second)) return { source, close, whole }
  close()
  return openBytes(unpacked(whole()))
}

function read(flags: Flags, source: Source, streams: Streams): ImportedGraph | ImportedBuffers {
  const imported: Imported = importModel(
    source,
    flags.path === '-' ? 'standard input' : basename(flags.path),
    flags.log === undefined ? flags.answers : { ...flags.answers, log: readFileSync(flags.log, 'utf8') },
  )
  const answers = flags.planner === undefined ? null : plannerAnswers(flags.planner, flags.answers)
  // as that planner reads it, but for what was said
  if (imported.ok && 'graph' in imported && imported.tflite && answers !== null && !flags.asPlanner) {
    const runs = flags.answers.runs ?? answers.runs
    return read(
      { ...flags, asPlanner: true, answers: { ...flags.answers, ...answers, ...(runs ? { runs } : {}) } },
      source,
      streams,
    )
  }
  if (imported.ok) {
    for (const note of imported.notes) streams.err(note)
    const { parts = [], part } = 'csv' in imported ? imported : {}
    for (const name of parts) if (name !== part) streams.err(`  --part='${name}'`)
    return imported
  }
  streams.err(imported.message)
  for (const { kind, name, text, suggestion, like } of imported.questions)
    streams.err(`  --${kind}=${name}=${suggestion ?? like ?? 'N'}   ${text}`)
  throw new Unread()
}

function write(file: string, content: string | Uint8Array, { out }: Streams): void {
  if (file === '-') out(content)
  else writeFileSync(file, content)
}

const isPlan = (form: Form): form is Exclude<Form, 'graph' | 'graph-json'> => form !== 'graph' && form !== 'graph-json'

function writeGraph(form: Form, file: string, imported: ImportedGraph | ImportedBuffers, streams: Streams): void {
  const isGraph = 'graph' in imported
  if (form === 'graph') write(file, isGraph ? writeGraphCsv(imported.graph) : imported.csv, streams)
  else if (isGraph) write(file, writeGraphJson(imported.graph), streams)
  else throw new Usage('--graph-json needs a model: this is a CSV')
}

async function run(flags: Flags, wasm: () => Uint8Array<ArrayBuffer>, streams: Streams): Promise<number> {
  const { source, close, whole } = open(flags.path)
  const imported = read(
    flags,
    flags.beside === undefined ? source : joined(whole(), unpacked(readFileSync(flags.beside))),
    streams,
  )
  close()
  for (const [form, file] of flags.files) if (!isPlan(form)) writeGraph(form, file, imported, streams)
  const plans = FORMS.filter(isPlan).filter((form) => flags.files.has(form))
  if (flags.files.size > 0 && plans.length === 0 && flags.capacity === undefined) return 0
  const core = new Core(await loadExports(wasm()))
  const text = 'graph' in imported ? writeGraphCsv(imported.graph) : imported.csv
  const isGraph = kindOfText(text) === 'graph'
  const tflite = 'graph' in imported ? (imported.tflite ?? null) : null
  const name = flags.path === '-' ? 'model' : basename(flags.path).replace(/\.[^.]*$/, '')
  const solved: Solved = solve(core, name, text, isGraph, flags)
  const status = statusOf(solved, flags.capacity)
  if (![...flags.files.values()].includes('-')) streams.out(`${summary(solved, flags.capacity)}\n`)
  if (status !== 0 || solved.best === null) return status
  if (flags.log !== undefined && tflite !== null)
    streams.err(arenaNote(tflite, 16 * Math.ceil(solved.stats.height / 16)))
  const from = { tflite, file: whole }
  for (const form of plans)
    write(flags.files.get(form) ?? '-', planAs(form, solved, solved.best, from, streams.err), streams)
  return status
}

/** wasm: the core. The command's exit status. */
export async function main(
  args: readonly string[],
  wasm: () => Uint8Array<ArrayBuffer>,
  streams: Streams,
): Promise<number> {
  const table = args.includes('--help') ? usage(streams.program) : args.includes('--profiles') ? profileTable() : null
  if (table !== null) {
    streams.out(table)
    return 0
  }
  try {
    return await run(parse(args), wasm, streams)
  } catch (error) {
    if (error instanceof Unread) return 2
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof Usage || error instanceof ClientError || code !== undefined) {
      streams.err(`${streams.program}: ${message}`)
      if (error instanceof Usage) streams.err(`${streams.program} --help says more.`)
      return 2
    }
    throw error
  }
}
