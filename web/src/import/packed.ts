/** A graph as three arrays: what crosses to the core in place of a text. core/src/io/README.md says what stands where. */
import type { Graph, Kind, Op } from './graph'
import { kindBits, kindOfBits } from './kinds'

export interface PackedGraph {
  numbers: Float64Array<ArrayBuffer>
  words: Uint32Array<ArrayBuffer>
  /** UTF-8, a NUL behind each */
  text: Uint8Array<ArrayBuffer>
}

/** A tensor as it is shown. */
export interface PlainTensor {
  id: string
  bytes: number
  kind: Kind
  alignment: number
  /** '' if unknown */
  shape: string
  dtype: string
  axes: string
}

const HEAD_WORDS = 3
const TENSOR_WORDS = 5
const OP_WORDS = 7

/** What the core takes for a text to be shown. */
const MOST_SHAPE = 255

export function shapeName(shape: readonly number[] | undefined): string {
  if (!shape) return ''
  const text = shape.length === 0 ? 'scalar' : shape.join('x')
  return text.length > MOST_SHAPE ? `${shape.length} sides` : text
}

/** Texts by index, each once. */
class Texts {
  readonly #index = new Map<string, number>()

  of(text: string): number {
    const known = this.#index.get(text)
    if (known !== undefined) return known
    if (text.includes('\0')) throw new RangeError('the graph has a text with a NUL')
    this.#index.set(text, this.#index.size)
    return this.#index.size - 1
  }

  get count(): number {
    return this.#index.size
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode([...this.#index.keys()].map((text) => `${text}\0`).join(''))
  }
}

function usesOf({ inputs, outputs, inplace = [], alias = [] }: Op): number {
  return inputs.length + outputs.length + 2 * (inplace.length + alias.length)
}

export function packGraph({ tensors, ops }: Graph): PackedGraph {
  const texts = new Texts()
  const uses = ops.reduce((sum, op) => sum + usesOf(op), 0)
  const words = new Uint32Array(HEAD_WORDS + TENSOR_WORDS * tensors.length + OP_WORDS * ops.length + uses)
  const numbers = new Float64Array(2 * tensors.length + ops.length)
  let word = HEAD_WORDS
  let number = 0
  const put = (values: readonly number[]) => {
    for (const value of values) words[word++] = value
  }
  for (const { id, bytes, kind, alignment = 1, shape, dtype = '', axes = '' } of tensors) {
    put([texts.of(id), kindBits(kind), texts.of(shapeName(shape)), texts.of(dtype), texts.of(axes)])
    numbers[number++] = bytes
    numbers[number++] = alignment
  }
  for (const { id, type, inputs, outputs, inplace = [], alias = [], workspace = 0, windows = '' } of ops) {
    put([texts.of(id), texts.of(type), inputs.length, outputs.length, inplace.length, alias.length, texts.of(windows)])
    numbers[number++] = workspace
  }
  for (const { inputs, outputs, inplace = [], alias = [] } of ops) {
    put(inputs)
    put(outputs)
    for (const pair of [...inplace, ...alias]) put(pair)
  }
  words.set([tensors.length, ops.length, texts.count])
  return { numbers, words, text: texts.bytes() }
}

/** The graph in arrays that packGraph made. */
export function unpackGraph({ numbers, words, text }: PackedGraph): { tensors: PlainTensor[]; ops: Op[] } {
  const texts = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text).split('\0')
  const [tensorCount = 0, opCount = 0] = words
  let word = HEAD_WORDS
  const next = () => words[word++] as number
  const nextText = () => texts[next()] as string
  const tensors = Array.from({ length: tensorCount }, (_, k): PlainTensor => {
    const [bytes, alignment] = [numbers[2 * k] as number, numbers[2 * k + 1] as number]
    const [id, kind] = [nextText(), kindOfBits(next())]
    return { id, bytes, kind, alignment, shape: nextText(), dtype: nextText(), axes: nextText() }
  })
  let list = HEAD_WORDS + TENSOR_WORDS * tensorCount + OP_WORDS * opCount
  const take = (count: number) => {
    list += count
    return [...words.subarray(list - count, list)]
  }
  const takePairs = (count: number) =>
    Array.from({ length: count }, () => take(2) as unknown as readonly [number, number])
  const ops = Array.from({ length: opCount }, (_, k): Op => {
    const [id, type] = [nextText(), nextText()]
    const counts = [next(), next(), next(), next()] as const
    const windows = nextText()
    return {
      id,
      type,
      inputs: take(counts[0]),
      outputs: take(counts[1]),
      inplace: takePairs(counts[2]),
      alias: takePairs(counts[3]),
      workspace: numbers[2 * tensorCount + k] as number,
      windows,
    }
  })
  return { tensors, ops }
}
