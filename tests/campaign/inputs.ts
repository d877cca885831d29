/**
 * Links, shared files and models with something changed: each gives what was meant or a sentence, never an exception, and soon. A link's letters, and what is
 * packed in it; of what is JSON also single values, so that what is read last is reached as well as the first bracket.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { deflateSync, inflateSync } from 'node:zlib'
import { importModel } from '../../web/src/import/model'
import { NO_ANSWERS } from '../../web/src/import/imported'
import { fromBytes } from '../../web/src/import/source'
import { decodeFile, decodeLink, encodeFile } from '../../web/src/state/share/codec'
import { randomModel } from '../import/onnx/random'
import { writeModel } from '../import/onnx/writer'
import { writePte } from '../import/pte_writer'
import { Random } from '../import/random'
import { assignment, ir, method, ranges, snapshot, tflm, trace, vela } from '../import/samples'
import { looping, small, two, writeTflite } from '../import/tflite/writer'

type Kind = 'links' | 'files' | 'models'

interface Original {
  name: string
  bytes: Uint8Array
  read: (bytes: Uint8Array) => Promise<boolean> | boolean
}

export interface Tally {
  inputs: number
  /** that were read in spite of the change */
  accepted: number
  faults: string[]
}

/** The slowest that may be, in milliseconds. */
const SLOW = 5000
const text = new TextDecoder()
const bytesOf = (text: string) => new TextEncoder().encode(text)

// ---- what is changed ---------------------------------------------------------------------------------------------------------

const PREFIX = 's1.'
const unpacked = (fragment: string) => inflateSync(Buffer.from(fragment.slice(PREFIX.length), 'base64url'))
const packed = (json: Uint8Array) => PREFIX + deflateSync(json, { level: 1 }).toString('base64url')

async function linksOf(root: string): Promise<{ links: Original[]; files: Original[] }> {
  const document = readFileSync(`${root}/web/docs/link-format.json`, 'utf8')
  const fragments = [...new Set(document.match(/s1\.[\w-]{20,}/g))]
  const links: Original[] = []
  const files: Original[] = []
  for (const [k, fragment] of fragments.entries()) {
    const shared = await decodeLink(fragment)
    if (!shared.ok) continue
    const read = async (bytes: Uint8Array) => (await decodeLink(text.decode(bytes))).ok
    links.push({ name: `link ${k}`, bytes: bytesOf(fragment), read })
    links.push({
      name: `what link ${k} holds`,
      bytes: unpacked(fragment),
      read: async (bytes) => (await decodeLink(packed(bytes))).ok,
    })
    files.push({
      name: `file ${k}`,
      bytes: bytesOf(encodeFile(shared.shared)),
      read: (bytes) => decodeFile(text.decode(bytes)).ok,
    })
  }
  return { links, files }
}

function modelsOf(root: string): Original[] {
  const contents: Record<string, Uint8Array> = {
    'small.tflite': writeTflite(small),
    'two.tflite': writeTflite(two),
    'looping.tflite': writeTflite(looping),
    'method.pte': writePte([method]),
    'snapshot.pickle': snapshot(),
    'tflm.log': bytesOf(tflm),
    'vela.txt': bytesOf(vela),
    'xla.txt': bytesOf(`${assignment}\n${ranges}`),
    'iree.mlir': bytesOf(ir),
    'trace.json': bytesOf(JSON.stringify({ traceEvents: trace })),
  }
  for (let seed = 0; seed < 12; seed++) contents[`${seed}.onnx`] = writeModel(randomModel(seed, 3 + seed))
  for (const folder of ['examples/graphs', 'tests/fuzz/corpus/fuzz_graph'])
    for (const name of readdirSync(`${root}/${folder}`)) {
      const content = readFileSync(`${root}/${folder}/${name}`)
      if (content.length < 20_000) contents[name] = new Uint8Array(content)
    }
  const read = (name: string) => (bytes: Uint8Array) => importModel(fromBytes(bytes), name, NO_ANSWERS).ok
  return Object.entries(contents).map(([name, bytes]) => ({ name, bytes, read: read(name) }))
}

export async function originals(root: string): Promise<Record<Kind, Original[]>> {
  return { ...(await linksOf(root)), models: modelsOf(root) }
}

// ---- how it is changed -------------------------------------------------------------------------------------------------------

function mutateBytes(random: Random, bytes: Uint8Array): Uint8Array {
  let out = Uint8Array.from(bytes)
  for (let times = 1 + random.below(4); times > 0 && out.length > 0; times--) {
    const at = random.below(out.length)
    const length = random.below(Math.min(64, out.length - at) + 1)
    switch (random.below(6)) {
      case 0:
        out[at] = (out[at] ?? 0) ^ (1 << random.below(8))
        break
      case 1:
        out[at] = random.below(256)
        break
      case 2:
        out = out.slice(0, at)
        break
      case 3:
        out.copyWithin(random.below(out.length), at, at + length)
        break
      case 4:
        out = Uint8Array.from([...out.subarray(0, at), ...out.subarray(at + length)])
        break
      default:
        out = Uint8Array.from([...out.subarray(0, at + length), ...out.subarray(at)])
    }
  }
  return out
}

const VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  '',
  'x',
  '\u202e',
  '9'.repeat(40),
  [],
  [[]],
  {},
  JSON.parse('{"__proto__":1}'),
]

/** JSON with some values and keys replaced. */
function mutateJson(random: Random, value: unknown): unknown {
  const odds = 1 + random.below(30)
  const changed = (value: unknown): unknown => {
    if (random.below(odds + 20) === 0) return random.one(VALUES)
    if (typeof value === 'number' && random.below(10) === 0)
      return random.one([value + 1, -value, value * 1e9, value / 3])
    if (Array.isArray(value)) {
      const list = value.map(changed)
      if (random.below(20) === 0) list.push(random.one(VALUES), ...list.slice(0, 3))
      return list
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(() => random.below(40) > 0)
        .map(([key, own]) => [random.below(60) === 0 ? `${key}x` : key, changed(own)]),
    )
  }
  return changed(value)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(text.decode(bytes))
  } catch {
    return undefined
  }
}

// ---- the trial ---------------------------------------------------------------------------------------------------------------

export async function tryInputs(originals: readonly Original[], seed: number, milliseconds: number): Promise<Tally> {
  const random = new Random(seed)
  const tally: Tally = { inputs: 0, accepted: 0, faults: [] }
  const values = new Map(originals.map((one) => [one, parsed(one.bytes)]))
  const end = Date.now() + milliseconds
  while (Date.now() < end && tally.faults.length < 10) {
    const original = random.one(originals)
    const value = values.get(original)
    const bytes =
      value !== undefined && random.below(2)
        ? bytesOf(JSON.stringify(mutateJson(random, value)))
        : mutateBytes(random, original.bytes)
    const begin = Date.now()
    let why = ''
    try {
      tally.accepted += Number(await original.read(bytes))
    } catch (error) {
      why = error instanceof Error ? (error.stack ?? String(error)) : String(error)
    }
    if (why === '' && Date.now() - begin > SLOW) why = `took ${Date.now() - begin} ms`
    if (why !== '')
      tally.faults.push(`${original.name}: ${why}\n${Buffer.from(bytes).toString('base64').slice(0, 2000)}`)
    tally.inputs++
  }
  // what refuses everything has not been tried
  if (tally.inputs > 1000 && tally.accepted * 100 < tally.inputs)
    tally.faults.push(`only ${tally.accepted} of ${tally.inputs} were read`)
  return tally
}
