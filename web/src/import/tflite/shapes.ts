import { bitsOf, byteSize } from '../dtypes'
import type { ImportAnswers, Question } from '../imported'
import { Refusal } from '../refusal'
import type { FileTensor } from './file'

const NAMED = 3

/** An answer that can be a side or a size. */
function answer(answers: Record<string, number>, name: string, least: number): number | undefined {
  const value = Object.hasOwn(answers, name) ? answers[name] : undefined
  return value !== undefined && Number.isSafeInteger(value) && value >= least ? value : undefined
}

/** A side that several tensors leave open, and which one answer settles for all of them. */
interface Open {
  axis: number
  ids: string[]
  suggestion: number | undefined
}

/**
 * The shapes and sizes of tensors, with the person's answers for what the file leaves open.
 *
 * A model of variable batch leaves the first side of nearly all its tensors open, so the sides are asked for by axis: "batch" for the
 * first, "dim1", "dim2" for the others. "NAME[AXIS]" is one side of one tensor, goes before these, and is how tensors that do not agree
 * are told apart.
 */
export class Shapes {
  readonly #answers: ImportAnswers
  readonly #open = new Map<string, Open>()
  readonly #taken = new Map<string, number>()
  readonly #questions: Question[] = []
  readonly #used = new Set<string>()

  constructor(answers: ImportAnswers) {
    this.#answers = answers
  }

  /** The sides, with 1 for one that is still open. */
  sides(id: string, tensor: FileTensor): number[] {
    return tensor.shape.map((side, axis) =>
      tensor.signature?.[axis] === -1 || side === -1 ? this.#side(id, axis, side) : side,
    )
  }

  #side(id: string, axis: number, inFile: number): number {
    const one = `${id}[${axis}]`
    const all = axis === 0 ? 'batch' : `dim${axis}`
    const own = answer(this.#answers.dims, one, 1)
    if (own !== undefined) {
      this.#used.add(one)
      return own
    }
    const shared = answer(this.#answers.dims, all, 1)
    if (shared !== undefined) {
      this.#taken.set(all, (this.#taken.get(all) ?? 0) + 1)
      return shared
    }
    const open = this.#open.get(all) ?? { axis, ids: [], suggestion: undefined }
    // the shape has what the converter ran with, mostly 1
    if (open.ids.length === 0 && inFile > 0) open.suggestion = inFile
    open.ids.push(id)
    this.#open.set(all, open)
    return 1
  }

  /** Bytes, or null if the type does not say and nobody did. */
  bytes(id: string, dtype: string, sides: readonly number[]): number | null {
    const told = this.told(id)
    if (told !== undefined) return told
    const bits = bitsOf(dtype)
    if (bits === undefined) return null
    const bytes = byteSize(sides, bits)
    if (bytes === null)
      throw new Refusal(`tensor ${id}: ${sides.join('x')} elements of ${dtype} are more than 2^53 bytes.`)
    return bytes
  }

  told(id: string): number | undefined {
    const told = answer(this.#answers.bytes, id, 0)
    if (told !== undefined) this.#used.add(id)
    return told
  }

  /** The tensor's size, for one of unknown rank. */
  ask(id: string): void {
    this.#questions.push({
      kind: 'bytes',
      name: id,
      text: `How many bytes does tensor ${id} take? The file does not know its shape.`,
    })
  }

  questions(): Question[] {
    const dims = [...this.#open].map(([name, { axis, ids, suggestion }]): Question => {
      const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
      const text =
        `Side ${axis} is open in ${ids.slice(0, NAMED).join(', ')}${more}. How long is it? ` +
        `Answer ${ids[0]}[${axis}] and so on where it differs.`
      return { kind: 'dim', name, text, ...(suggestion === undefined ? {} : { suggestion }) }
    })
    return [...dims, ...this.#questions]
  }

  /** What the answers did, and which of them were for nothing. */
  notes(): string[] {
    const taken = [...this.#taken].map(
      ([name, count]) => `${name} = ${this.#answers.dims[name]} in ${count} tensor${count === 1 ? '' : 's'}.`,
    )
    const idle = [...Object.keys(this.#answers.dims), ...Object.keys(this.#answers.bytes)].filter(
      (name) => !this.#taken.has(name) && !this.#used.has(name),
    )
    return [
      ...taken,
      ...idle.map((name) => `Nothing in the model is called ${name} and open: the answer was not used.`),
    ]
  }
}
