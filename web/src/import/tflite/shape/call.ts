import type { Attribute } from '../../onnx/model'
import { Call, type Known, type Results, type Shape, Unknown } from '../../onnx/shape/rule'
import { ruleOf } from '../../onnx/shape/rules'
import type { Table } from '../../flat'

/** The version of ONNX whose rules stand for operators of TFLite that compute the same. */
const OPSET = 18

/** Attributes of ONNX: a number, or several. */
export type Attributes = Readonly<Record<string, number | readonly number[] | undefined>>

export type TfliteRule = (call: TfliteCall) => Results
export type TfliteRules = Readonly<Record<string, TfliteRule>>

/** An operator of TFLite whose outputs are to be known: its inputs, and its options by their slots in the schema. */
export class TfliteCall {
  readonly #place: string
  readonly #type: string
  readonly #inputs: readonly (Known | undefined)[]
  readonly #options: Table | null
  readonly #plain: Call
  readonly outputs: number

  /** place, type: of the operator, for messages. */
  constructor(
    place: string,
    type: string,
    inputs: readonly (Known | undefined)[],
    outputs: number,
    options: Table | null,
  ) {
    this.#place = place
    this.#type = type
    this.#inputs = inputs
    this.#options = options
    this.outputs = outputs
    this.#plain = this.#call(inputs, {})
  }

  #call(inputs: readonly (Known | undefined)[], attributes: Attributes): Call {
    const node = {
      name: this.#place,
      type: this.#type,
      domain: '',
      overload: '',
      inputs: inputs.map((_, index) => `input ${index}`),
      outputs: Array.from({ length: this.outputs }, (_, index) => `output ${index}`),
      attributes: new Map(),
    }
    const attribute = (name: string): Attribute | undefined => {
      const value = attributes[name]
      if (value === undefined) return undefined
      const several = typeof value !== 'number'
      const none = { name, ref: '', i: 0, f: 0, s: '', floats: [], strings: [], ints: [] }
      return several ? { ...none, ints: [...value] } : { ...none, i: value }
    }
    const ask = (): never => {
      throw new Unknown('it depends on the data')
    }
    return new Call(node, OPSET, inputs, attribute, ask)
  }

  /** What an operator of ONNX makes of these inputs, mostly the call's own. Throws Unknown or Refusal, as all of these do. */
  as(type: string, attributes: Attributes = {}, inputs: readonly (Known | undefined)[] = this.#inputs): Results {
    const rule = ruleOf('', type)
    if (!rule) throw new RangeError(`ONNX has no rule for ${type}`)
    return rule(this.#call(inputs, attributes))
  }

  get inputs(): number {
    return this.#inputs.length
  }
  has(input: number): boolean {
    return this.#inputs[input] !== undefined
  }
  at(input: number): Known {
    return this.#plain.at(input)
  }
  shape(input: number): Shape {
    return this.#plain.shape(input)
  }
  rank(input: number, least: number, most?: number): Shape {
    return this.#plain.rank(input, least, most)
  }
  values(input: number): readonly number[] {
    return this.#plain.values(input)
  }
  value(input: number): number {
    return this.values(input)[0] ?? this.wrong(`input ${input} is empty`)
  }
  axis(value: number, rank: number): number {
    return this.#plain.axis(value, rank)
  }
  wrong(text: string): never {
    this.#plain.wrong(text)
  }

  /** An option of a byte: an enumeration or a truth. */
  byte(slot: number): number {
    return this.#options?.int8(slot) ?? 0
  }
  /** otherwise: where the file leaves it out and the schema's default is not 0. */
  int(slot: number, otherwise = 0): number {
    return this.#options && this.#options.field(slot, 4) > 0 ? this.#options.int32(slot) : otherwise
  }
  ints(slot: number): readonly number[] | null {
    return this.#options?.ints(slot, 64) ?? null
  }

  /** Output 0 with the type of input 0: types are the file's, only what is computed in needs them. */
  of(shape: Shape): Results {
    return [{ dtype: this.#inputs[0]?.dtype ?? 0, shape }]
  }
}
