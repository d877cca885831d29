/**
 * One training step of a network: its operators forwards, their gradients backwards, and the update of each weight as soon as its gradient is whole, as a
 * compiler schedules it that knows the whole step. Reverse accumulation: what reaches a tensor from several readers is added up as it comes, in place.
 */
import type { Graph, Op, Tensor } from '../../web/src/import/graph'

/** What a gradient reads of its operator, so that it has to wait for it; of all others the inputs and weights. */
const READS: Readonly<Record<string, readonly ('inputs' | 'outputs')[]>> = {
  ...Object.fromEntries(
    ['AveragePool', 'GlobalAveragePool', 'Concat', 'DepthToSpace', 'Pad', 'Reshape', 'Resize', 'Transpose'].map(
      (type) => [type, []],
    ),
  ),
  ...Object.fromEntries(['Relu', 'Sigmoid', 'Softmax', 'Tanh'].map((type) => [type, ['outputs']])),
  MaxPool: ['inputs', 'outputs'],
}

/** Statistics of normalisation are measured, not learnt. */
const isLearnt = ({ id, kind }: Tensor) => kind.constant === true && !/\.(mean|variance)$/.test(id)

function free(taken: Set<string>, id: string): string {
  let made = id
  for (let k = 2; taken.has(made); k++) made = `${id}_${k}`
  taken.add(made)
  return made
}

class Step {
  readonly tensors: Tensor[]
  readonly ops: Op[]
  readonly #tensorIds: Set<string>
  readonly #opIds: Set<string>
  readonly #made: Set<number>
  /** by tensor: the sum of what has come so far */
  readonly #gradient = new Map<number, number>()
  /** by weight: readers whose gradients have not come */
  readonly #left = new Map<number, number>()

  constructor(graph: Graph) {
    // what a network hands out is read by the loss alone
    this.tensors = graph.tensors.map((tensor) => ({ ...tensor, kind: { ...tensor.kind, output: false } }))
    this.ops = [...graph.ops]
    this.#tensorIds = new Set(graph.tensors.map(({ id }) => id))
    this.#opIds = new Set(graph.ops.map(({ id }) => id))
    this.#made = new Set(graph.ops.flatMap(({ outputs }) => outputs))
    for (const { inputs } of graph.ops)
      for (const x of new Set(inputs)) if (isLearnt(this.tensor(x))) this.#left.set(x, (this.#left.get(x) ?? 0) + 1)
  }

  tensor(x: number): Tensor {
    return this.tensors[x] as Tensor
  }

  /** Another tensor of the same shape. */
  #like(x: number, id: string): number {
    return this.tensors.push({ ...this.tensor(x), id: free(this.#tensorIds, id), kind: {} }) - 1
  }

  #emit(op: Omit<Op, 'id'>, id: string): void {
    this.ops.push({ ...op, id: free(this.#opIds, id) })
  }

  loss(outputs: readonly number[]): void {
    const made = outputs.map((y) => this.#like(y, `${this.tensor(y).id}.grad`))
    this.#emit({ type: 'Loss', inputs: outputs, outputs: made }, 'loss')
    for (const [k, y] of outputs.entries()) this.#gradient.set(y, made[k] as number)
  }

  /** A part of the gradient of x has come. */
  #add(x: number, part: number): void {
    const before = this.#gradient.get(x)
    let whole = part
    if (before !== undefined) {
      whole = this.#like(x, `${this.tensor(x).id}.grad.sum`)
      const inplace = [[whole, before] as const]
      this.#emit({ type: 'Add', inputs: [before, part], outputs: [whole], inplace }, `${this.tensor(x).id}.grad.add`)
    }
    this.#gradient.set(x, whole)
  }

  /** The gradients of what an operator reads, from those of what it makes. */
  back(op: Op): void {
    const { id, type, inputs, outputs, alias = [] } = op
    const given = outputs.flatMap((y) => this.#gradient.get(y) ?? [])
    if (given.length === 0) return
    const wanted = [...new Set(inputs)].filter((x) => this.#made.has(x) || isLearnt(this.tensor(x)))
    const [first] = given as [number]
    // a sum passes on what comes, to both of its sides
    const passes = type === 'Add' && wanted.every((x) => this.tensor(x).bytes === this.tensor(first).bytes)
    const parts = wanted.map((x) => (passes ? first : this.#like(x, `${this.tensor(x).id}.grad`)))
    if (!passes && wanted.length > 0) {
      const kept = (READS[type] ?? (type === 'Add' ? [] : ['inputs'])).flatMap((what) =>
        what === 'inputs' ? inputs : outputs,
      )
      const views = alias.flatMap(([, x]) =>
        wanted.includes(x) ? [[parts[wanted.indexOf(x)] as number, first] as const] : [],
      )
      const reads = [...new Set([...given, ...kept])]
      this.#emit(
        { type: `${type}Grad`, inputs: reads, outputs: parts, ...(views.length > 0 && { alias: views }) },
        `${id}.grad`,
      )
    }
    for (const [k, x] of wanted.entries()) this.#add(x, parts[k] as number)
    for (const x of wanted) this.#update(x)
  }

  /** A weight stays where it is: nothing is made. */
  #update(x: number): void {
    const left = (this.#left.get(x) ?? 0) - 1
    this.#left.set(x, left)
    const gradient = this.#gradient.get(x)
    if (left !== 0 || gradient === undefined || !isLearnt(this.tensor(x))) return
    this.#emit({ type: 'Update', inputs: [x, gradient], outputs: [] }, `${this.tensor(x).id}.update`)
  }
}

/** O(inputs and outputs). */
export function trained(graph: Graph): Graph {
  const step = new Step(graph)
  const made = new Set(graph.ops.flatMap(({ outputs }) => outputs))
  step.loss([...graph.tensors.keys()].filter((k) => made.has(k) && graph.tensors[k]?.kind.output === true))
  for (const op of graph.ops.toReversed()) step.back(op)
  return { name: graph.name, tensors: step.tensors, ops: step.ops }
}
