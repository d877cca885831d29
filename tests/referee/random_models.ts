/** Small TFLite models that only look random, with many tensors of equal size: what a planner does where its order leaves a choice shows on them. */
import { Random } from '../import/random'
import {
  type ModelSpec,
  type OpSpec,
  type SubgraphSpec,
  type TensorSpec,
  words,
  writeTflite,
} from '../import/tflite/writer'

const SIZES = [4, 4, 8, 8, 16, 20, 24, 64]
const UNARY = ['TANH', 'LOGISTIC', 'NEG', 'ABS', 'EXP']
const AXIS_0 = { 0: 0 }

class Writer {
  readonly tensors: TensorSpec[] = []
  readonly ops: OpSpec[] = []
  readonly #random: Random
  /** TFLite Micro falls over scratch in a subgraph that does not run: its sizes are never set */
  readonly #scratch: boolean
  #axis: number | undefined

  constructor(random: Random, scratch: boolean) {
    this.#random = random
    this.#scratch = scratch
  }

  tensor(size: number, dtype = 'float32'): number {
    this.tensors.push({ shape: [size], dtype })
    return this.tensors.length - 1
  }

  size(tensor: number): number {
    return this.tensors[tensor]?.shape[0] ?? 0
  }

  /** Of those made so far, mostly a late one. */
  some(made: readonly number[]): number {
    const late = this.#random.below(3) > 0 ? made.slice(-4) : made
    return this.#random.one(late)
  }

  step(made: number[], callees: readonly number[]): void {
    const random = this.#random
    const a = this.some(made)
    const same = made.filter((tensor) => this.size(tensor) === this.size(a))
    const draw = random.below(callees.length > 0 ? 5 : 4)
    if (draw === 0) {
      const b = random.one(same)
      made.push(this.#make(this.size(a), { type: 'ADD', inputs: [a, b], options: { 0: { byte: 0 } } }))
    } else if (draw === 1) {
      const b = this.some(made)
      made.push(
        this.#make(this.size(a) + this.size(b), { type: 'CONCATENATION', inputs: [a, b], options: { ...AXIS_0 } }),
      )
    } else if (draw === 4) this.#branch(made, callees)
    else if (draw === 2 && this.#scratch && random.below(3) === 0) made.push(this.#mean(a))
    else made.push(this.#make(this.size(a), { type: random.one(UNARY), inputs: [a] }))
  }

  /** It requests scratch. Its axis is a constant. */
  #mean(input: number): number {
    this.#axis ??= this.tensors.push({ shape: [1], dtype: 'int32', buffer: 1 }) - 1
    return this.#make(1, { type: 'MEAN', inputs: [input, this.#axis], options: { 0: { byte: 1 } } })
  }

  #make(size: number, op: Omit<OpSpec, 'outputs'>): number {
    const output = this.tensor(size)
    this.ops.push({ ...op, outputs: [output] })
    return output
  }

  /** An IF of the two subgraphs, which take 8 numbers. */
  #branch(made: number[], callees: readonly number[]): void {
    const eights = made.filter((tensor) => this.size(tensor) === 8)
    if (eights.length === 0) return
    made.push(this.#make(8, { type: 'IF', inputs: [0, this.#random.one(eights)], callees: [...callees] }))
  }
}

function subgraph(
  random: Random,
  ops: number,
  first: readonly number[],
  callees: readonly number[],
  scratch = false,
): SubgraphSpec {
  const writer = new Writer(random, scratch)
  const inputs = callees.length > 0 ? [writer.tensor(1, 'bool')] : []
  const made = first.map((size) => writer.tensor(size))
  inputs.push(...made)
  for (let op = 0; op < ops; op++) writer.step(made, callees)
  const outputs = [made.at(-1) ?? 0, ...made.filter(() => random.below(12) === 0)]
  return { tensors: writer.tensors, inputs, outputs: [...new Set(outputs)], ops: writer.ops }
}

/** Of 8 numbers 8 numbers. */
function branch(random: Random): SubgraphSpec {
  const { tensors, ops, inputs } = subgraph(random, random.from(1, 5), [8], [])
  const output = tensors.push({ shape: [8], dtype: 'float32' }) - 1
  return { tensors, inputs, outputs: [output], ops: [...ops, { type: 'TANH', inputs: [0], outputs: [output] }] }
}

/** Every third runs subgraphs, every fifth has one that nobody runs. */
export function randomModel(seed: number): Uint8Array {
  const random = new Random(seed)
  const first = random.list(random.from(1, 3), 0, SIZES.length - 1).map((at) => SIZES[at] ?? 4)
  const branches = seed % 3 === 0 ? [branch(random), branch(random)] : []
  const main = subgraph(random, random.from(6, 40), first, branches.length > 0 ? [1, 2] : [], true)
  const rest = seed % 5 === 0 ? [subgraph(random, random.from(1, 6), [16], [])] : []
  const spec: ModelSpec = { subgraphs: [main, ...branches, ...rest], buffers: [words(0)] }
  return writeTflite(spec)
}
