/** What an import gathers on its way: questions, assumptions, and the limits that keep a hostile file from running for ever. */
import { CannotRun, Refusal } from '../refusal'
import type { ImportAnswers, Question } from '../imported'
import { bytesOf, nameOf } from './dtypes'
import { type Attribute, type Declared, type Dim, KEPT, type OnnxFunction, type OnnxModel } from './model'
import type { Value } from './program'
import type { Shape } from './shape/rule'
import { shortened } from '../../base/format'

/** Functions may call functions: a few can stand for any number of operators, and each of these for many tensors and a long name. */
const MOST_STEPS = 1 << 18
const MOST_READ = 1 << 22
const DEEPEST = 64
const LONGEST_PREFIX = 1 << 10
const BATCH = /^(n|b|bs|.*batch.*)$/i
/** names that tf2onnx and Paddle's converters count through */
const NUMBERED = /^(unk__|(p2o\.)?DynamicDimension\.)\d+$/

export class State {
  readonly answers: ImportAnswers
  readonly functions: ReadonlyMap<string, OnnxFunction>
  readonly questions = new Map<string, Question>()
  /** those, and those that are answered */
  readonly asked = new Map<string, Question>()
  /** sentences of their own */
  readonly remarks: string[] = []
  /** sentences with a count of how often */
  readonly counts = new Map<string, number>()
  readonly #used = new Set<string>()
  #steps = 0
  #read = 0
  #depth = 0

  constructor(answers: ImportAnswers, model: OnnxModel) {
    this.answers = answers
    this.functions = new Map(model.functions.map((f) => [keyOf(f.domain, f.name, f.overload), f]))
  }

  /** One more operator, with so many inputs and outputs. */
  step(tensors: number): void {
    this.#read += tensors
    if (++this.#steps > MOST_STEPS) throw new Refusal(`The model has more than ${MOST_STEPS} operators.`)
    if (this.#read > MOST_READ) throw new Refusal(`The model's operators name more than ${MOST_READ} tensors.`)
  }

  /** Runs what is one function or subgraph deeper. */
  deeper<T>(title: string, run: () => T): T {
    if (this.#depth === DEEPEST)
      throw new Refusal(`${title}: functions and subgraphs are nested more than ${DEEPEST} deep.`)
    this.#depth++
    try {
      return run()
    } finally {
      this.#depth--
    }
  }

  /** What was made, or why an operator in it cannot run; then as if nothing had been asked or noted. */
  attempt<T>(run: () => T): T | CannotRun {
    const { questions, asked, counts, remarks } = this
    const kept = [[...questions], [...asked], [...counts], remarks.length] as const
    try {
      return run()
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      refill(questions, kept[0])
      refill(asked, kept[1])
      refill(counts, kept[2])
      remarks.length = kept[3]
      return error
    }
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  /** The answer to a question, or undefined after having asked it. */
  #answer(question: Question): number | undefined {
    const answers = question.kind === 'dim' ? this.answers.dims : this.answers.bytes
    const given = Object.hasOwn(answers, question.name) ? answers[question.name] : undefined
    const key = `${question.kind} ${question.name}`
    this.#used.add(key)
    this.asked.set(key, question)
    if (given !== undefined && Number.isSafeInteger(given) && given >= 0) return given
    this.questions.set(key, question)
    return undefined
  }

  /** What was told of the values of an input with so many elements. text: of the question, if it would be worth asking. */
  valuesOf(name: string, count: number, text: string | undefined): readonly number[] | undefined {
    const key = `value ${name}`
    const { values } = this.answers
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    const question: Question = { kind: 'value', name, text: text ?? '', optional: true }
    if (text !== undefined) this.asked.set(key, question)
    if (given !== undefined && given.length === 1 && count <= KEPT) {
      this.#used.add(key)
      return new Array<number>(count).fill(given[0] as number)
    }
    if (given?.length === count) {
      this.#used.add(key)
      return given
    }
    if (text !== undefined) this.questions.set(key, question)
    return undefined
  }

  /** Answers to what was not asked. */
  idle(): string[] {
    const { dims, bytes, values } = this.answers
    return [
      ...Object.keys(dims).filter((name) => !this.#used.has(`dim ${name}`)),
      ...Object.keys(bytes).filter((name) => !this.#used.has(`bytes ${name}`)),
      ...Object.keys(values).filter((name) => !this.#used.has(`value ${name}`)),
    ]
  }

  /** A dimension that the values of the model's input decide. */
  dimOf(name: string, text: string): number | undefined {
    return this.#answer({ kind: 'dim', name, text })
  }

  bytesOf(name: string, text: string): number | undefined {
    return this.#answer({ kind: 'bytes', name, text })
  }

  /** The shape that a file declares, with its names bound; undefined: one has to be answered first. */
  bind(dims: readonly Dim[], name: string, input = false): Shape | undefined {
    const written = dims.map((dim) => dim ?? '?').join(', ')
    const sides = dims.map((dim, axis) => {
      if (typeof dim === 'number') return dim
      const asked = dim ?? `${name}[${axis}]`
      const what = dim === undefined ? `its dimension ${axis}` : `“${dim}”`
      const question: Question = {
        kind: 'dim',
        name: asked,
        text: `“${name}” has the shape [${written}]: how large is ${what}?`,
      }
      // the first dimension without a name of an input is the batch nearly always
      if (dim === undefined || NUMBERED.test(dim) ? axis === 0 && input : BATCH.test(dim)) question.suggestion = 1
      return this.#answer(question)
    })
    return sides.every((side) => side !== undefined) ? sides : undefined
  }
}

function refill<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}

export function keyOf(domain: string, name: string, overload: string): string {
  return `${domain}:${name}:${overload}`
}

/** Names that can be seen from a node, those of the graphs around it included. */
export class Scope {
  readonly prefix: string
  readonly opsets: ReadonlyMap<string, number>
  /** of the call, for a function's body */
  readonly attributes: ReadonlyMap<string, Attribute> | undefined
  readonly infos = new Map<string, Declared>()
  /** values of the graphs around that this one or one inside reads */
  readonly captured = new Set<Value>()
  readonly #outer: Scope | undefined
  readonly #names = new Map<string, Value>()

  constructor(
    prefix: string,
    opsets: ReadonlyMap<string, number>,
    attributes?: ReadonlyMap<string, Attribute>,
    outer?: Scope,
  ) {
    if (prefix.length > LONGEST_PREFIX)
      throw new Refusal(`The names around “${shortened(prefix, 41)}” come to more than ${LONGEST_PREFIX} characters.`)
    this.prefix = prefix
    this.opsets = opsets
    this.attributes = attributes
    this.#outer = outer
  }

  set(name: string, value: Value): void {
    this.#names.set(name, value)
  }

  owns(name: string): boolean {
    return this.#names.has(name)
  }

  find(name: string): Value | undefined {
    const own = this.#names.get(name)
    if (own) return own
    const outer = this.#outer?.find(name)
    if (outer) this.captured.add(outer)
    return outer
  }

  /** An attribute of a node, which in a function may stand for one of the call. */
  attribute(attribute: Attribute | undefined): Attribute | undefined {
    return attribute?.ref ? this.attributes?.get(attribute.ref) : attribute
  }
}

/** What is told of a value that has a type and a shape. */
export function sizeOf(value: Value): number | undefined {
  if (!value.shape) return undefined
  const bytes = bytesOf(value.dtype, value.shape)
  if (bytes === null)
    throw new Refusal(`“${value.name}” of shape [${value.shape.join(', ')}] is larger than 2^53 bytes.`)
  return bytes
}

export function typeName(dtype: number): string {
  return nameOf(dtype) ?? `data type ${dtype}`
}
