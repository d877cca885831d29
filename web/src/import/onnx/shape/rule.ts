/** What a shape rule is given and gives back, and what several families of rules share. */
import { elements, FLOAT, INT64, isWhole } from '../dtypes'
import type { Attribute, OnnxNode } from '../model'
import { KEPT } from '../model'
import { CannotRun } from '../../refusal'

export type Shape = readonly number[]

/** What is known of a tensor. */
export interface Known {
  /** 0: unknown */
  dtype: number
  /** absent: unknown */
  shape?: Shape
  /** of a small tensor that does not depend on the model's input data */
  values?: readonly number[]
}

/** One array element per output; undefined where the rule cannot say. */
export type Results = (Known | undefined)[]
export type Rule = (call: Call) => Results
export type Rules = Readonly<Record<string, Rule>>

/** Thrown where a rule needs what is not known: its outputs are then unknown. */
export class Unknown extends Error {}

/** A dimension that depends on data, to be answered by the user; undefined: not answered. */
export type Ask = (output: number, axis: number, text: string) => number

export class Call {
  readonly node: OnnxNode
  readonly opset: number
  readonly #inputs: readonly (Known | undefined)[]
  readonly #attribute: (name: string) => Attribute | undefined
  readonly #ask: Ask

  constructor(
    node: OnnxNode,
    opset: number,
    inputs: readonly (Known | undefined)[],
    attribute: (name: string) => Attribute | undefined,
    ask: Ask,
  ) {
    this.node = node
    this.opset = opset
    this.#inputs = inputs
    this.#attribute = attribute
    this.#ask = ask
  }

  get type(): string {
    return this.node.type
  }

  /** how many inputs and outputs are written, with omitted ones between */
  get inputs(): number {
    return this.#inputs.length
  }
  get outputs(): number {
    return this.node.outputs.length
  }

  has(input: number): boolean {
    return this.#inputs[input] !== undefined
  }

  at(input: number): Known {
    const known = this.#inputs[input]
    if (!known) this.wrong(`input ${input} is missing`)
    return known
  }

  dtype(input: number): number {
    return this.at(input).dtype
  }

  shape(input: number): Shape {
    const { shape } = this.at(input)
    if (!shape) throw new Unknown(`the shape of its input “${this.node.inputs[input]}” is not known`)
    return shape
  }

  /** The values of an input that the shape depends on. */
  values(input: number): readonly number[] {
    const { values } = this.at(input)
    if (!values)
      throw new Unknown(`its shape depends on the values of “${this.node.inputs[input]}”, which are computed from data`)
    return values
  }

  /** The values of an input, if they are known and it is there. */
  known(input: number): readonly number[] | undefined {
    return this.#inputs[input]?.values
  }

  int(name: string, otherwise: number): number {
    return this.#attribute(name)?.i ?? otherwise
  }
  float(name: string, otherwise: number): number {
    return this.#attribute(name)?.f ?? otherwise
  }
  text(name: string, otherwise: string): string {
    return this.#attribute(name)?.s || otherwise
  }
  ints(name: string): readonly number[] | undefined {
    return this.#attribute(name)?.ints
  }
  attribute(name: string): Attribute | undefined {
    return this.#attribute(name)
  }

  ask(axis: number, text: string, output = 0): number {
    return this.#ask(output, axis, text)
  }

  wrong(text: string): never {
    const name = this.node.name || this.node.outputs.find((output) => output) || ''
    throw new CannotRun(`${this.type} “${name}”: ${text}.`)
  }

  /** An axis of a tensor of this rank, from a number that may count from its end. */
  axis(value: number, rank: number): number {
    const axis = value < 0 ? value + rank : value
    if (!(Number.isInteger(axis) && axis >= 0 && axis < rank))
      this.wrong(`axis ${value} is none of a tensor of ${rank} ${rank === 1 ? 'dimension' : 'dimensions'}`)
    return axis
  }

  axes(values: readonly number[], rank: number): number[] {
    const axes = values.map((value) => this.axis(value, rank))
    if (new Set(axes).size !== axes.length) this.wrong(`an axis is named twice in ${list(values)}`)
    return axes
  }

  /** Fails unless the input has this many dimensions, or at least so many. */
  rank(input: number, least: number, most = Number.POSITIVE_INFINITY): Shape {
    const shape = this.shape(input)
    if (shape.length < least || shape.length > most)
      this.wrong(
        `input ${input} has the shape ${list(shape)}, but ${most === least ? least : `at least ${least}`} dimensions are expected`,
      )
    return shape
  }

  /** A list of integers that older versions have as an attribute and newer ones as an input. */
  listed(attribute: string, input: number): readonly number[] | undefined {
    return this.ints(attribute) ?? (this.has(input) ? this.values(input) : undefined)
  }
}

export function list(shape: Shape): string {
  return `[${shape.join(', ')}]`
}

/** A tensor as a rule states it; values are kept only while there are few and all are numbers of its type. */
export function tensor(dtype: number, shape: Shape, values?: readonly number[]): Known {
  if (!values || values.length > KEPT) return { dtype, shape }
  const fine = isWhole(dtype) ? Number.isFinite : (value: number): boolean => !Number.isNaN(value)
  return values.every(fine) ? { dtype, shape, values } : { dtype, shape }
}

/** Output 0 like an input. */
export function like(input: number): Rule {
  return (call) => [{ dtype: call.dtype(input), shape: call.shape(input) }]
}

export function scalar(dtype: number, value?: number): Known {
  return tensor(dtype, [], value === undefined ? undefined : [value])
}

/** The shape of an elementwise operation on several tensors (numpy's rule, which ONNX has since opset 7). */
export function broadcast(call: Call, shapes: readonly Shape[]): number[] {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length))
  const out: number[] = new Array(rank).fill(1)
  for (const shape of shapes)
    shape.forEach((dim, i) => {
      const at = rank - shape.length + i
      if (dim === 1 || dim === out[at]) return
      if (out[at] !== 1) call.wrong(`the shapes ${shapes.map(list).join(' and ')} do not go together`)
      out[at] = dim
    })
  return out
}

/** Row-major distances between neighbours along each axis. */
export function strides(shape: Shape): number[] {
  const out: number[] = new Array(shape.length).fill(1)
  for (let i = shape.length - 2; i >= 0; i--) out[i] = (out[i + 1] as number) * (shape[i + 1] as number)
  return out
}

/**
 * The values of a tensor of this shape, each taken from the index list of its own place; undefined if there are too many to keep.
 * pick gets the coordinates (its argument is reused).
 */
export function gathered(shape: Shape, pick: (at: readonly number[]) => number): number[] | undefined {
  const count = elements(shape)
  if (count > KEPT) return undefined
  const out: number[] = []
  const at: number[] = new Array(shape.length).fill(0)
  for (let k = 0; k < count; k++) {
    out.push(pick(at))
    for (let i = shape.length - 1; i >= 0; i--) {
      at[i] = (at[i] as number) + 1
      if ((at[i] as number) < (shape[i] as number)) break
      at[i] = 0
    }
  }
  return out
}

/** The place in a row-major tensor of given strides; coordinates of broadcast axes have stride 0. */
export function place(at: readonly number[], steps: readonly number[]): number {
  let index = 0
  for (let i = 0; i < steps.length; i++) index += (at[i] as number) * (steps[i] as number)
  return index
}

/** Strides with which a tensor is read as if it had the larger shape. */
export function stretched(shape: Shape, to: Shape): number[] {
  const own = strides(shape)
  const lead = to.length - shape.length
  return to.map((_, i) => (i < lead || shape[i - lead] === 1 ? 0 : (own[i - lead] as number)))
}

export const int64 = (shape: Shape, values?: readonly number[]): Known => tensor(INT64, shape, values)
export const float32 = (shape: Shape): Known => tensor(FLOAT, shape)
