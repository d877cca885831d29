import { bitsOf, byteSize } from '../dtypes'
import type { ImportAnswers, Question } from '../imported'
import { Refusal } from '../refusal'
import type { FileTensor } from './file'
import { HANDLE_BITS } from './handles'

const NAMED = 3
/** Fields for single inputs; of more, answers are still taken. */
const OWN = 16

/** An answer that can be a side or a size. */
function answer(answers: Record<string, number>, name: string, least: number): number | undefined {
  const value = Object.hasOwn(answers, name) ? answers[name] : undefined
  return value !== undefined && Number.isSafeInteger(value) && value >= least ? value : undefined
}

/** A side that several inputs leave open, and which one answer settles for all of them. */
interface Open {
  axis: number
  ids: string[]
  suggestion: number | undefined
}

/**
 * The shapes and sizes of tensors, with the person's answers for what the file leaves open.
 *
 * The sides of the model's inputs are asked for by axis: "batch" for the first, "dim1", "dim2" for the others. "NAME[AXIS]" is one side of one
 * tensor, goes before these, and is how inputs that do not agree are told apart, and tensors that nothing can be computed of.
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

  /** Of an input of the model, or of a variable; null while an answer is missing. */
  input(id: string, tensor: FileTensor): number[] | null {
    return this.#sides(tensor, (axis, inFile) => this.#shared(id, axis, inFile))
  }

  /** Of a tensor that cannot be computed, and why; null while an answer is missing. */
  made(id: string, tensor: FileTensor, why: string): number[] | null {
    return this.#sides(tensor, (axis) => {
      const name = `${id}[${axis}]`
      const own = this.#own(name)
      if (own === undefined)
        this.#questions.push({
          kind: 'dim',
          name,
          text: `Side ${axis} of ${id} is open, because ${why}. How long is it?`,
        })
      return own
    })
  }

  #sides({ shape, signature }: FileTensor, ask: (axis: number, inFile: number) => number | undefined): number[] | null {
    const sides = shape.map((side, axis) => (signature?.[axis] === -1 || side === -1 ? ask(axis, side) : side))
    return sides.every((side) => side !== undefined) ? sides : null
  }

  #own(name: string): number | undefined {
    const own = answer(this.#answers.dims, name, 1)
    if (own !== undefined) this.#used.add(name)
    return own
  }

  #shared(id: string, axis: number, inFile: number): number | undefined {
    const own = this.#own(`${id}[${axis}]`)
    if (own !== undefined) return own
    const all = axis === 0 ? 'batch' : `dim${axis}`
    const shared = answer(this.#answers.dims, all, 1)
    if (shared !== undefined) {
      this.#taken.set(all, (this.#taken.get(all) ?? 0) + 1)
      return shared
    }
    const open = this.#open.get(all) ?? { axis, ids: [], suggestion: undefined }
    // the shape has what the converter ran with: 1 is as good as any batch, but of another side says nothing
    if (open.ids.length === 0 && inFile > (axis === 0 ? 0 : 1)) open.suggestion = inFile
    open.ids.push(id)
    this.#open.set(all, open)
    return undefined
  }

  /** Bytes, or null if the type does not say and nobody did. */
  bytes(id: string, dtype: string, sides: readonly number[]): number | null {
    const told = this.told(id)
    if (told !== undefined) return told
    const bits = dtype === 'resource' ? HANDLE_BITS : bitsOf(dtype)
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
    const dims = [...this.#open].flatMap(([name, { axis, ids, suggestion }]): Question[] => {
      const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
      const text = `Side ${axis} of ${ids.slice(0, NAMED).join(', ')}${more} is open. How long is it?`
      const each = ids.slice(0, OWN).map((id): Question => {
        const own = `${id}[${axis}]`
        return { kind: 'dim', name: own, like: name, text: `Side ${axis} of ${id}, where it differs.` }
      })
      const all: Question = { kind: 'dim', name, text, ...(suggestion === undefined ? {} : { suggestion }) }
      return [all, ...(each.length > 1 ? each : [])]
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
