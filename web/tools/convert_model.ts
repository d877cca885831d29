import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { writeGraphCsv } from '../src/import/graph_csv'
import { writeGraphJson } from '../src/import/graph_json'
import type { ImportAnswers, Imported } from '../src/import/imported'
import { importModel } from '../src/import/model'
import { fromBytes, fromFetch, type Source } from '../src/import/source'

const USAGE = `usage: npm run --silent convert -- [OPTION...] MODEL > model.graph.csv

  MODEL               a .tflite, .onnx or JSON graph, a table of Vela or a memory plan of TFLite Micro; - is standard input
  --dims NAME=N,...   what the file leaves open, as batch=1,seq=128
  --bytes ID=N,...    sizes of tensors that the file does not tell
  --no-fuse           keep batch normalisation and activations apart where the format lists them apart
  --json              graph JSON instead of graph CSV

A list of buffers (Vela, TFLite Micro) comes out as buffer CSV. Notes go to standard error. Exit status: 0 written, 1 the file
cannot be read or leaves something open, 2 wrong usage.
`

class Usage extends Error {}

interface Arguments {
  path: string
  answers: ImportAnswers
  json: boolean
}

/** NAME=N,...; a name may itself contain equals signs and commas. */
function numbers(text: string, option: string): Record<string, number> {
  return Object.fromEntries(
    text.split(/(?<==\d+),/).map((item) => {
      const [, name, value] = /^(.+)=(\d+)$/.exec(item) ?? []
      if (name === undefined) throw new Usage(`${option}: “${item}” is not NAME=N`)
      return [name, Number(value)]
    }),
  )
}

function parse(args: readonly string[]): Arguments {
  const parsed: Arguments = { path: '', answers: { dims: {}, bytes: {}, fuse: true }, json: false }
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, option = '', own] = /^(--[^=]*)(?:=(.*))?$/s.exec(arg) ?? []
    const value = () => {
      const given = own ?? rest.shift()
      if (given === undefined) throw new Usage(`${option} needs NAME=N`)
      return given
    }
    if (option === '--dims') Object.assign(parsed.answers.dims, numbers(value(), option))
    else if (option === '--bytes') Object.assign(parsed.answers.bytes, numbers(value(), option))
    else if (arg === '--no-fuse') parsed.answers.fuse = false
    else if (arg === '--json') parsed.json = true
    else if (option !== '') throw new Usage(`there is no option ${arg}`)
    else if (parsed.path !== '') throw new Usage(`one model at a time: ${parsed.path} and ${arg}`)
    else parsed.path = arg
  }
  if (parsed.path === '') throw new Usage('no model is named')
  return parsed
}

/** The file is read where it is asked for, like a Blob in the page: weights stay on the disk. */
function open(path: string): { source: Source; close: () => void } {
  if (path === '-') return { source: fromBytes(readFileSync(0)), close: () => undefined }
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
  return { source, close: () => closeSync(file) }
}

function textOf(imported: Imported & { ok: true }, json: boolean): string {
  if (!('graph' in imported)) return imported.csv
  return json ? writeGraphJson(imported.graph) : writeGraphCsv(imported.graph)
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

/** The command's exit status. */
export async function convert(args: readonly string[]): Promise<number> {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  try {
    const { path, answers, json } = parse(args)
    const { source, close } = open(path)
    const imported = importModel(source, path === '-' ? 'standard input' : basename(path), answers)
    close()
    if (imported.ok) {
      for (const note of imported.notes) say(note)
      await write(textOf(imported, json))
      return 0
    }
    say(imported.message)
    for (const { kind, name, text, suggestion } of imported.questions)
      say(`  --${kind === 'dim' ? 'dims' : 'bytes'} ${name}=${suggestion ?? 'N'}   ${text}`)
    return 1
  } catch (error) {
    if (error instanceof Usage) {
      process.stderr.write(`convert: ${error.message}\n\n${USAGE}`)
      return 2
    }
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    say(`convert: ${message}`)
    return 1
  }
}
