import type { Graph, Kind, Op, Tensor } from '../graph'
import { Names } from '../names'
import { Refusal } from '../refusal'
import { sharing } from '../sharing'
import { checkCalls } from './calls'
import type { FileOp, FileSubgraph, TfliteFile } from './file'
import type { Shapes } from './shapes'

/**
 * The graph of a model: the main subgraph, and at each operator that runs others (IF, WHILE, CALL_ONCE) those in its place.
 *
 * TFLite Micro plans them so too (micro_allocation_info.cc): the tensors of all subgraphs are in one plan, and those of a callee get times of
 * their own between the beginning and the end of the operator that runs it, whose inputs and outputs are held meanwhile. Here
 * WHILE becomes: an operator WHILE, which makes its outputs; for each callee a pair of operators around the callee's own, the first of
 * which makes the callee's inputs and the second of which reads its outputs; the last of these also reads the WHILE's inputs, and its
 * outputs that nobody reads later, so that all are held until then. The step that this adds holds nothing that the step before it
 * does not. Tensors without bytes keep these operators in their order.
 *
 * A subgraph that is run from two places stands in both, with tensors of its own each time.
 */
const NAMED = 3

const NONE = -1
const UNSEEN = -2

const GIVEN = 1
const MADE = 2
/** for an input, because it was read before anything made it */
const TAKEN = 3

export interface Built {
  graph: Graph
  notes: string[]
  /** as TfliteNumbers has them */
  numbers: (number | null)[]
  repeated: number[]
}

/** One time that a subgraph is run. */
interface Run {
  index: number
  subgraph: FileSubgraph
  /** before the names of its tensors and operators */
  prefix: string
  /** per tensor of the subgraph its number in the graph, NONE if it takes no part */
  map: Int32Array
  /** per tensor of the subgraph GIVEN, MADE or TAKEN once it is */
  made: Uint8Array
  /** per result of an operator that runs subgraphs the turn at its end */
  after: Map<number, number>
  /** tensors that an operator reads or that the subgraph hands out, once somebody asked */
  reads?: Set<number>
}

class Builder {
  readonly tensors: Tensor[] = []
  readonly ops: Op[] = []
  readonly #file: TfliteFile
  readonly #subgraphs: readonly FileSubgraph[]
  readonly #shapes: Shapes
  /** per tensor of the graph the subgraph and the tensor in it, if it is from the file */
  readonly #origins: ([number, number] | null)[] = []
  readonly #runs: number[]
  readonly #tensorNames = new Names()
  readonly #opNames = new Names()
  /** the number in the graph of what a buffer of the file holds: two tensors with the same weights are one */
  readonly #constants = new Map<string, number>()
  readonly #unsized: string[] = []
  readonly #empty: string[] = []
  readonly #unmade: string[] = []

  constructor(file: TfliteFile, subgraphs: readonly FileSubgraph[], shapes: Shapes) {
    this.#file = file
    this.#subgraphs = subgraphs
    this.#shapes = shapes
    this.#runs = subgraphs.map(() => 0)
  }

  main(): void {
    const run = this.#begin(0, '')
    for (const input of run.subgraph.inputs) this.#mark(run, input, { input: true })
    this.#operators(run)
    this.#read(run, run.subgraph.outputs)
    for (const output of run.subgraph.outputs) this.#mark(run, output, { output: true })
  }

  numbers(): Pick<Built, 'numbers' | 'repeated'> {
    const first: number[] = []
    let count = 0
    for (const subgraph of this.#subgraphs) {
      first.push(count)
      count += subgraph.tensors.length
    }
    const repeated = new Set<number>()
    const numbers = this.#origins.map((origin) => {
      if (!origin) return null
      const [subgraph, tensor] = origin
      const number = (first[subgraph] ?? 0) + tensor
      if (this.#runs[subgraph] === 1) return number
      // one place in the file, and several in the graph
      repeated.add(number)
      return null
    })
    return { numbers, repeated: [...repeated] }
  }

  notes(): string[] {
    const notes: string[] = []
    const list = (ids: string[], text: (some: string, one: boolean) => string) => {
      if (ids.length === 0) return
      const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
      notes.push(text(`${ids.slice(0, NAMED).join(', ')}${more}`, ids.length === 1))
    }
    list(this.#unsized, (some) => `Left out, because texts, resources and variants have no size in the file: ${some}.`)
    list(this.#empty, (some) => `Left out, because they have no elements: ${some}.`)
    list(
      this.#unmade,
      (some, one) => `Read, but never written, and so taken as ${one ? 'an input' : 'inputs'}: ${some}.`,
    )
    list(
      this.#names((runs) => runs === 0),
      (some) => `Not run from the main subgraph, and so left out: subgraph ${some}.`,
    )
    list(
      this.#names((runs) => runs > 1),
      (some) => `Run from several places, with memory of its own in each: subgraph ${some}.`,
    )
    return notes
  }

  #names(which: (runs: number) => boolean): string[] {
    return this.#subgraphs.flatMap((subgraph, index) =>
      which(this.#runs[index] ?? 0) ? [subgraph.name === '' ? String(index) : `${index} (${subgraph.name})`] : [],
    )
  }

  #begin(index: number, prefix: string): Run {
    const subgraph = this.#subgraphs[index] as FileSubgraph
    this.#runs[index] = (this.#runs[index] ?? 0) + 1
    const map = new Int32Array(subgraph.tensors.length).fill(UNSEEN)
    return { index, subgraph, prefix, map, made: new Uint8Array(subgraph.tensors.length), after: new Map() }
  }

  #operators(run: Run): void {
    for (const [index, op] of run.subgraph.ops.entries()) {
      const id = `${run.prefix}${op.type} ${index}`
      const inputs = this.#read(run, op.inputs)
      const outputs = this.#make(run, op.outputs)
      if (op.callees.length > 0) this.#call(run, op, id, inputs, outputs)
      else this.#op(id, op.type, inputs, outputs, this.#after(run, op.inputs))
    }
  }

  #call(run: Run, op: FileOp, id: string, inputs: number[], outputs: number[]): void {
    let turn = this.#turn(id, 0)
    this.#op(id, op.type, inputs, [...outputs, turn], this.#after(run, op.inputs))
    for (const [nth, callee] of op.callees.entries()) {
      const name = this.#subgraphs[callee]?.name || `subgraph ${callee}`
      const inner = this.#begin(callee, `${name}/`)
      const started = this.#turn(id, 2 * nth + 1)
      this.#op(`${id}, into ${name}`, op.type, [], [...this.#make(inner, inner.subgraph.inputs), started], [turn])
      this.#operators(inner)
      const last = nth === op.callees.length - 1
      const held = last ? [...inputs, ...this.#read(run, this.#unread(run, op.outputs))] : []
      const results = [...this.#read(inner, inner.subgraph.outputs), ...held]
      turn = this.#turn(id, 2 * nth + 2)
      this.#op(
        `${id}, out of ${name}`,
        op.type,
        results,
        [turn],
        [...this.#after(inner, inner.subgraph.outputs), started],
      )
    }
    for (const output of op.outputs) run.after.set(output, turn)
  }

  /** The turns that must be over before somebody reads these: those of the WHILEs that they are the results of. */
  #after(run: Run, indices: readonly number[]): number[] {
    return run.after.size === 0 ? [] : [...new Set(indices.flatMap((index) => run.after.get(index) ?? []))]
  }

  /** A tensor without bytes: nothing but who comes after whom, for schedules other than the file's. */
  #turn(id: string, number: number): number {
    this.tensors.push({ id: this.#tensorNames.take(`${id}, turn ${number}`, ''), bytes: 0, kind: {} })
    this.#origins.push(null)
    return this.tensors.length - 1
  }

  /** Those that nothing reads: the others are held by who reads them. */
  #unread(run: Run, indices: readonly number[]): number[] {
    run.reads ??= new Set([...run.subgraph.outputs, ...run.subgraph.ops.flatMap(({ inputs }) => inputs)])
    return indices.filter((index) => !run.reads?.has(index))
  }

  #op(id: string, type: string, inputs: number[], outputs: number[], turns: readonly number[]): void {
    this.ops.push({
      id: this.#opNames.take(id, type),
      type,
      inputs: [...inputs, ...turns],
      outputs,
      ...sharing(type, inputs, outputs, this.tensors),
    })
  }

  #read(run: Run, indices: readonly number[]): number[] {
    return indices.flatMap((index) => {
      const tensor = this.#tensor(run, index)
      if (tensor === NONE) return []
      const { id, kind } = this.tensors[tensor] as Tensor
      if (!run.made[index] && !kind.constant && !kind.variable && !kind.input) {
        this.#unmade.push(id)
        this.#mark(run, index, { input: true }, TAKEN)
      }
      return [tensor]
    })
  }

  #make(run: Run, indices: readonly number[]): number[] {
    return indices.flatMap((index) => {
      const tensor = this.#tensor(run, index)
      if (tensor === NONE) return []
      const { id, kind } = this.tensors[tensor] as Tensor
      // weights handed to a subgraph are not made by anyone
      if (kind.constant) return []
      if (!kind.variable) {
        if (run.made[index] === TAKEN) throw new Refusal(`tensor ${id} is written after it was read.`)
        if (run.made[index]) throw new Refusal(`tensor ${id} is written a second time.`)
      }
      run.made[index] = MADE
      return [tensor]
    })
  }

  #mark(run: Run, index: number, kind: Kind, made = GIVEN): void {
    const tensor = this.tensors[this.#tensor(run, index)]
    if (!tensor) return
    tensor.kind = { ...tensor.kind, ...kind }
    run.made[index] ||= made
  }

  #tensor(run: Run, index: number): number {
    if (index < 0) return NONE
    const seen = run.map[index] as number
    if (seen !== UNSEEN) return seen
    const made = this.#add(run, index)
    run.map[index] = made
    return made
  }

  #add(run: Run, index: number): number {
    const tensor = run.subgraph.tensors[index] as FileSubgraph['tensors'][number]
    const stored = tensor.variable || tensor.external ? 0 : this.#file.dataBytes(tensor.buffer)
    const constant = !tensor.variable && (tensor.external || stored > 0)
    const shared = stored > 0 ? `${tensor.buffer} ${tensor.dtype} ${tensor.shape.join('x')}` : ''
    const known = this.#constants.get(shared)
    if (known !== undefined) return known

    const id = this.#tensorNames.take(`${run.prefix}${tensor.name || `tensor ${index}`}`, '')
    const unranked = !constant && tensor.shape.length === 0 && !tensor.hasRank && this.#ranksAreTold()
    if (unranked && this.#shapes.told(id) === undefined) this.#shapes.ask(id)
    const sides = constant ? tensor.shape.map((side) => Math.max(side, 0)) : this.#shapes.sides(id, tensor)
    // sparse weights take less than their shape says
    const bytes = stored > 0 ? stored : this.#shapes.bytes(id, tensor.dtype, sides)
    if (bytes === null || bytes === 0) {
      const list = bytes === null ? this.#unsized : this.#empty
      list.push(id)
      return NONE
    }
    const kind: Kind = { ...(constant ? { constant } : {}), ...(tensor.variable ? { variable: true } : {}) }
    this.tensors.push({ id, bytes, kind, ...(unranked ? {} : { shape: sides }), dtype: tensor.dtype })
    this.#origins.push([run.index, index])
    if (shared !== '') this.#constants.set(shared, this.tensors.length - 1)
    return this.tensors.length - 1
  }

  #told: boolean | null = null

  /** Whether the file says of any tensor that its rank is known; if of none, its writer did not know of the field. */
  #ranksAreTold(): boolean {
    this.#told ??= this.#subgraphs.some((subgraph) => subgraph.tensors.some((tensor) => tensor.hasRank))
    return this.#told
  }
}

/** Throws Refusal. What the shapes could not answer is in their questions afterwards. */
export function build(file: TfliteFile, subgraphs: readonly FileSubgraph[], shapes: Shapes): Built {
  checkCalls(subgraphs)
  const builder = new Builder(file, subgraphs, shapes)
  builder.main()
  const { tensors, ops } = builder
  return { graph: { name: file.name, tensors, ops }, notes: builder.notes(), ...builder.numbers() }
}
