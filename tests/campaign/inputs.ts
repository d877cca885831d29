/** Links, shared files and models with a few bytes changed: each gives what was meant or a sentence, never an exception, and soon. */
import { importModel } from '../../web/src/import/model'
import { NO_ANSWERS } from '../../web/src/import/imported'
import { fromBytes } from '../../web/src/import/source'
import { decodeFile, decodeLink } from '../../web/src/state/share/codec'
import { Random } from '../import/random'

export interface Original {
  kind: 'link' | 'file' | 'model'
  name: string
  bytes: Uint8Array
}

export interface Tally {
  inputs: number
  accepted: number
  faults: string[]
}

/** The slowest that may be, in milliseconds. */
const SLOW = 5000
const text = new TextDecoder()

function mutate(random: Random, bytes: Uint8Array): Uint8Array {
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

async function isAccepted({ kind, name }: Original, bytes: Uint8Array): Promise<boolean> {
  if (kind === 'link') return (await decodeLink(text.decode(bytes))).ok
  if (kind === 'file') return decodeFile(text.decode(bytes)).ok
  return importModel(fromBytes(bytes), name, NO_ANSWERS).ok
}

export async function tryInputs(originals: readonly Original[], seed: number, milliseconds: number): Promise<Tally> {
  const random = new Random(seed)
  const tally: Tally = { inputs: 0, accepted: 0, faults: [] }
  const end = Date.now() + milliseconds
  while (Date.now() < end && tally.faults.length < 10) {
    const original = random.one(originals)
    const bytes = mutate(random, original.bytes)
    const begin = Date.now()
    let why = ''
    try {
      tally.accepted += Number(await isAccepted(original, bytes))
    } catch (error) {
      why = String(error)
    }
    if (why === '' && Date.now() - begin > SLOW) why = `took ${Date.now() - begin} ms`
    if (why !== '')
      tally.faults.push(`${original.name}: ${why}\n${Buffer.from(bytes).toString('base64').slice(0, 2000)}`)
    tally.inputs++
  }
  return tally
}
