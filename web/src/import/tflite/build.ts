import { withAxes } from '../axes'
import type { Graph, Kind, Op, Tensor } from '../graph'
import type { Known } from '../onnx/shape/rule'
import type { ImportAnswers, Scratch } from '../imported'
import { Names } from '../names'
import { Refusal } from '../refusal'
import { sharing } from '../sharing'
import { windowsOfInputs } from '../windows'
import { checkCalls } from './calls'
import type { FileOp, FileSubgraph, FileTensor, TfliteFile } from './file'
import { handlesOf } from './handles'
import { Inference } from './infer'
import { readsOf } from './reads'
import type { Told } from './requests'
import { entryOf } from './runs'
import { type Kernels, type Part, scratchOf } from './scratch'
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
 * A subgraph that is run from two places stands in both, with tensors of its own each time; as TFLite Micro allocates them it has its tensors once,
 * from its first run to its last.
 */
const NAMED = 3

/** Of constants, constants in another form. */
export const UNPACKS: readonly string[] = ['DEQUANTIZE', 'DENSIFY']

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
  scratch: Omit<Scratch, 'kernels'>
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
  handles: ReadonlySet<number>
  /** per result of an operator that runs subgraphs the turn at its end */
  after: Map<number, number>
  /** per tensor of the subgraph what is known of it */
  known: (Known | undefined)[]
  /** tensors whose shape waits for an answer */
  waits: Set<number>
  /** why a tensor cannot be computed */
  why: Map<number, string>
  /** it was run before, and has its tensors still */
  again: boolean
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
  readonly #inference: Inference
  readonly #kernels: Kernels
  readonly #told: Told
  /** allocation_scope_count_ of TFLite Micro's AllocationInfoBuilder */
  #time = 0
  readonly #fold: boolean
  /** as TFLite Micro allocates them: what ran, by the subgraph; null: what runs alone */
  readonly #whole: Map<number, Run> | null
  #unpacked = 0
  #allocated = 0
  /** by the tensor of the graph where the request comes in TFLite Micro's order: subgraph, operator, number */
  readonly #requests = new Map<number, readonly [number, number, number]>()
  /** by subgraph and operator: its requests' bytes, null if they are not known, and tensors */
  readonly #asked = new Map<string, { requests: number[] | null; tensors: number[] }>()
  /** operators of whose kernels nothing is known */
  readonly #quiet: string[] = []
  readonly #tensorNames = new Names()
  readonly #opNames = new Names()
  /** the number in the graph of what a buffer of the file holds: two tensors with the same weights are one */
  readonly #constants = new Map<string, number>()
  readonly #unsized: string[] = []
  readonly #empty: string[] = []
  readonly #unmade: string[] = []

  constructor(
    file: TfliteFile,
    subgraphs: readonly FileSubgraph[],
    shapes: Shapes,
    { kernels = 'reference', fold, runs }: ImportAnswers,
    told: Told,
  ) {
    this.#file = file
    this.#kernels = kernels
    this.#fold = fold
    this.#told = told
    this.#whole = runs === 'all' ? new Map() : null
    this.#subgraphs = subgraphs
    this.#shapes = shapes
    this.#runs = subgraphs.map(() => 0)
    this.#inference = new Inference(file, subgraphs)
  }

  main(entry: number): void {
    const run = this.#begin(entry, '')
    // its inputs are there for one turn before the first operator
    if (this.#whole) this.#op('begin', '', [], [this.#turn('begin', 0)], [])
    for (const input of run.subgraph.inputs) this.#mark(run, input, { input: true })
    this.#operators(run)
    const outputs = this.#read(run, run.subgraph.outputs)
    if (this.#whole) this.#idle(outputs, this.#after(run, run.subgraph.outputs))
    else for (const output of run.subgraph.outputs) this.#mark(run, output, { output: true })
  }

  /**
   * TFLite Micro allocates the tensors of all subgraphs. To those that nothing uses it gives the time before everything (AllocationInfo's
   * kUninitializedLifetime), where they meet each other and nobody else: here they are made by an operator after everything, which begins when the
   * model's outputs are read.
   */
  #idle(outputs: number[], turns: readonly number[]): void {
    const seen = new Set(this.#origins.flatMap((origin) => (origin ? [origin.join()] : [])))
    const idle: number[] = []
    for (const [index, subgraph] of this.#subgraphs.entries()) {
      const handles = handlesOf(subgraph)
      for (const [tensor, { name, dtype, shape, variable, external, buffer }] of subgraph.tensors.entries()) {
        const elsewhere = variable || external || handles.has(tensor) || this.#file.dataBytes(buffer) > 0
        if (elsewhere || seen.has(`${index},${tensor}`)) continue
        const prefix = index === 0 ? '' : `${subgraph.name || `subgraph ${index}`}/`
        const id = this.#tensorNames.take(`${prefix}${name || `tensor ${tensor}`}`, '')
        const sides = shape.map((side) => Math.max(side, 1))
        const bytes = this.#shapes.bytes(id, dtype, shape.includes(0) ? [0] : sides)
        if (bytes === null || bytes === 0) continue
        idle.push(this.tensors.length)
        this.tensors.push({ id, bytes, kind: {}, shape, dtype })
        this.#origins.push([index, tensor])
      }
      this.#runs[index] ||= 1
    }
    const turn = this.#turn('end', 0)
    this.#op('end', '', outputs, [turn], turns)
    if (idle.length > 0) this.#op('allocated, and not run', '', [], idle, [turn])
    this.#allocated = idle.length
  }

  /**
   * The graph with its tensors in the order of TFLite Micro's plan, which decides between tensors of equal size: those of the file by their
   * numbers, then scratch by its requests, then what holds nothing.
   */
  inOrder(): Pick<Built, 'numbers' | 'repeated' | 'scratch'> & { tensors: Tensor[]; ops: Op[] } {
    const { numbers, repeated, places } = this.#numbers()
    const rank = (tensor: number): readonly number[] => {
      const place = places[tensor]
      if (place !== undefined && place !== null) return [0, place]
      const request = this.#requests.get(tensor)
      return request ? [1, ...request] : [2]
    }
    const ranks = this.tensors.map((_, tensor) => rank(tensor))
    const order = ranks.map((_, tensor) => tensor).sort((a, b) => compare(ranks[a] ?? [], ranks[b] ?? []) || a - b)
    const at = new Int32Array(order.length)
    for (const [place, tensor] of order.entries()) at[tensor] = place
    const all = (list: readonly number[]) => list.map((tensor) => at[tensor] as number)
    const pairs = (list: readonly (readonly [number, number])[]) =>
      list.map(([a, b]) => [at[a] as number, at[b] as number] as const)
    return {
      tensors: order.map((tensor) => this.tensors[tensor] as Tensor),
      ops: this.ops.map(({ inputs, outputs, inplace, alias, ...op }) => ({
        ...op,
        inputs: all(inputs),
        outputs: all(outputs),
        ...(inplace ? { inplace: pairs(inplace) } : {}),
        ...(alias ? { alias: pairs(alias) } : {}),
      })),
      numbers: order.map((tensor) => numbers[tensor] ?? null),
      repeated,
      scratch: {
        tensors: order.flatMap((tensor, place) => (this.#requests.has(tensor) ? [place] : [])),
        unknown: this.#quiet,
      },
    }
  }

  #numbers(): Pick<Built, 'numbers' | 'repeated'> & { places: (number | null)[] } {
    const first: number[] = []
    let count = 0
    for (const subgraph of this.#subgraphs) {
      first.push(count)
      count += subgraph.tensors.length
    }
    const repeated = new Set<number>()
    const places = this.#origins.map((origin) => origin && (first[origin[0]] ?? 0) + origin[1])
    const numbers = this.#origins.map((origin, tensor) => {
      const number = places[tensor]
      if (!origin || number === null || number === undefined) return null
      if (this.#whole || this.#runs[origin[0]] === 1) return number
      // one place in the file, and several in the graph
      repeated.add(number)
      return null
    })
    return { numbers, repeated: [...repeated], places }
  }

  notes(): string[] {
    const notes: string[] = []
    const list = (ids: string[], text: (some: string, one: boolean) => string) => {
      if (ids.length === 0) return
      const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
      notes.push(text(`${ids.slice(0, NAMED).join(', ')}${more}`, ids.length === 1))
    }
    list(this.#unsized, (some) => `Left out, because texts and variants have no size in the file: ${some}.`)
    if (this.#unpacked > 0)
      notes.push(
        `Unpacked once and out of the arena, as LiteRT does: ${this.#unpacked} constant${this.#unpacked === 1 ? '' : 's'} behind DEQUANTIZE or DENSIFY.`,
      )
    if (this.#allocated > 0)
      notes.push(`Allocated together, though nothing that runs uses them: ${this.#allocated} tensors.`)
    list(this.#empty, (some) => `Left out, because they have no elements: ${some}.`)
    list(
      this.#unmade,
      (some, one) => `Read, but never written, and so taken as ${one ? 'an input' : 'inputs'}: ${some}.`,
    )
    list(
      this.#names((runs) => runs === 0),
      (some) => `Not run, and so left out: subgraph ${some}. TFLite Micro allocates it all the same.`,
    )
    list(
      this.#names((runs) => runs > 1 && !this.#whole),
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
    const before = this.#whole?.get(index)
    if (before) return { ...before, after: new Map(), again: true }
    const map = new Int32Array(subgraph.tensors.length).fill(UNSEEN)
    const made = new Uint8Array(subgraph.tensors.length)
    const learnt = { known: [], waits: new Set<number>(), why: new Map<number, string>() }
    const handles = handlesOf(subgraph)
    const run = { index, subgraph, prefix, map, made, handles, after: new Map(), again: false, ...learnt }
    this.#whole?.set(index, run)
    return run
  }

  #operators(run: Run): void {
    for (const [index, op] of run.subgraph.ops.entries()) {
      this.#time++
      const id = `${run.prefix}${op.type} ${index}`
      const inputs = this.#read(run, op.inputs)
      if (op.callees.length > 0) {
        this.#call(run, op, id, inputs)
        continue
      }
      this.#infer(run, index, op)
      if (this.#folded(run, op, inputs)) continue
      const outputs = this.#make(run, op.outputs)
      const kept = this.#kept(run, op.outputs)
      this.#op(id, op.type, [...inputs, ...kept], outputs, this.#after(run, op.inputs))
      if (kept.length === 0) this.#windows(run, index, op, outputs)
      this.#scratch(run, index, op, outputs)
    }
  }

  /** What a part of the first output needs, where every shape is known. */
  #windows(run: Run, index: number, op: FileOp, outputs: readonly number[]): void {
    const places = op.inputs.map((input) => (input < 0 ? NONE : (run.map[input] ?? NONE)))
    const shapes = places.map((tensor) => this.tensors[tensor]?.shape)
    const output = this.tensors[outputs[0] ?? NONE]?.shape
    const reads = output && readsOf(op.type, this.#file.options(run.index, index), shapes, output)
    if (!reads) return
    const inputs = places.flatMap((tensor, k) => {
      const { kind, shape } = this.tensors[tensor] ?? {}
      return kind ? [{ constant: kind.constant ?? false, rank: shape?.length, reads: reads[k] }] : []
    })
    const windows = windowsOfInputs(inputs)
    if (windows) (this.ops.at(-1) as Op).windows = windows
  }

  /**
   * Weights in a shorter form, which LiteRT unpacks once and keeps (dequantize.cc, densify.cc: kTfLiteArenaRwPersistent, beside its arena): what is made of
   * them is a constant, and the operator none that runs.
   */
  #folded(run: Run, op: FileOp, inputs: readonly number[]): boolean {
    if (!this.#fold || !UNPACKS.includes(op.type) || inputs.length === 0) return false
    if (!inputs.every((input) => this.tensors[input]?.kind.constant)) return false
    if (op.outputs.some((output) => run.subgraph.outputs.includes(output))) return false
    for (const output of op.outputs) this.#mark(run, output, { constant: true }, MADE)
    if (!run.again) this.#unpacked += op.outputs.length
    return true
  }

  /** What the operator's kernel requests is named by it like an output. */
  #scratch(run: Run, index: number, op: FileOp, outputs: number[]): void {
    const { id } = this.ops.at(-1) as Op
    const part = (tensor: number): Part | undefined => {
      const inFile = run.subgraph.tensors[tensor]
      if (!inFile) return undefined
      const { shape = inFile.shape } = this.tensors[run.map[tensor] ?? NONE] ?? {}
      return { shape, dtype: inFile.dtype, scales: inFile.scales }
    }
    const place = `${run.index} ${index}`
    const before = this.#asked.get(place)
    if (run.again) {
      outputs.push(...(before?.tensors ?? []))
      return
    }
    const options = this.#file.options(run.index, index)
    const ask = { inputs: op.inputs.map(part), outputs: op.outputs.map(part), options }
    const requests =
      before?.requests ?? this.#told.of(id, op.type, this.#time) ?? scratchOf(this.#kernels, op.type, ask)
    if (requests === null) this.#quiet.push(id)
    const tensors: number[] = []
    this.#asked.set(place, { requests, tensors })
    for (const [nth, bytes] of requests?.entries() ?? []) {
      const name = this.#tensorNames.take(`${id}, scratch${(requests?.length ?? 0) > 1 ? ` ${nth + 1}` : ''}`, '')
      tensors.push(this.tensors.length)
      outputs.push(this.tensors.length)
      this.#requests.set(this.tensors.length, [run.index, index, nth])
      this.tensors.push({ id: name, bytes, kind: { workspace: true } })
      this.#origins.push(null)
    }
  }

  /** Learns the shapes of what an operator makes. */
  #infer(run: Run, index: number, op: FileOp): void {
    if (!this.#inference.needed) return
    if (op.inputs.some((input) => run.waits.has(input))) {
      for (const output of op.outputs) run.waits.add(output)
      return
    }
    const inputs = op.inputs.map((input) => (input < 0 ? undefined : (run.known[input] ?? { dtype: 0 })))
    const { results, why } = this.#inference.outputs(run.index, index, op, inputs)
    for (const [nth, output] of op.outputs.entries()) {
      if (output < 0) continue
      run.known[output] = results[nth]
      run.why.set(output, why)
    }
  }

  /** What is known of some tensors of one run is known of as many of another. */
  #pass(from: Run, given: readonly number[], to: Run, taken: readonly number[]): void {
    if (!this.#inference.needed) return
    for (const [nth, index] of taken.entries()) {
      const source = given[nth] ?? -1
      if (source < 0) continue
      const known = from.known[source]
      const other = to.known[index]
      // the branches of an IF may differ
      const differs = other?.shape && known?.shape && other.shape.join() !== known.shape.join()
      if (from.waits.has(source)) to.waits.add(index)
      if (differs) to.why.set(index, 'the branches do not agree')
      to.known[index] = known?.shape && !differs ? { dtype: known.dtype, shape: known.shape } : undefined
    }
  }

  #call(run: Run, op: FileOp, id: string, inputs: number[]): void {
    let turn = this.#turn(id, 0)
    // its results are known once its callees are
    const outputs = [turn]
    this.#op(id, op.type, inputs, outputs, this.#after(run, op.inputs))
    const given = op.type === 'IF' ? op.inputs.slice(1) : op.inputs
    for (const [nth, callee] of op.callees.entries()) {
      const name = this.#subgraphs[callee]?.name || `subgraph ${callee}`
      const inner = this.#begin(callee, `${name}/`)
      this.#time++
      if (op.type !== 'CALL_ONCE') this.#pass(run, given, inner, inner.subgraph.inputs)
      const started = this.#turn(id, 2 * nth + 1)
      const [first, again] = [this.#make(inner, inner.subgraph.inputs), this.#kept(inner, inner.subgraph.inputs)]
      this.#op(`${id}, into ${name}`, op.type, again, [...first, started], [turn])
      this.#operators(inner)
      const last = nth === op.callees.length - 1
      if (last || op.type === 'IF') this.#pass(inner, inner.subgraph.outputs, run, op.outputs)
      if (last) outputs.unshift(...this.#make(run, op.outputs))
      const held = last ? [...inputs, ...this.#held(run, op.outputs)] : []
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

  /** Results that nothing reads: the others are held by who reads them. */
  #held(run: Run, indices: readonly number[]): number[] {
    if (run.again) return this.#kept(run, indices)
    run.reads ??= new Set([...run.subgraph.outputs, ...run.subgraph.ops.flatMap(({ inputs }) => inputs)])
    return this.#read(
      run,
      indices.filter((index) => !run.reads?.has(index)),
    )
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

  /** What was made in an earlier run is used again. */
  #kept(run: Run, indices: readonly number[]): number[] {
    const tensors = run.again ? indices.map((index) => this.#tensor(run, index)) : []
    return tensors.filter((tensor) => tensor !== NONE && !this.tensors[tensor]?.kind.constant)
  }

  /** What is there for the first time. */
  #make(run: Run, indices: readonly number[]): number[] {
    if (run.again) return []
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
    const tensor = run.subgraph.tensors[index] as FileTensor
    const stored = tensor.variable || tensor.external ? 0 : this.#file.dataBytes(tensor.buffer)
    const constant = !tensor.variable && (tensor.external || stored > 0)
    const fixed = constant ? tensor.shape.map((side) => Math.max(side, 0)) : null
    if (fixed && this.#inference.needed) run.known[index] = this.#inference.of(tensor, fixed, stored > 0)
    const shared = stored > 0 ? `${tensor.buffer} ${tensor.dtype} ${tensor.shape.join('x')}` : ''
    const known = this.#constants.get(shared)
    if (known !== undefined) return known

    const id = this.#tensorNames.take(`${run.prefix}${tensor.name || `tensor ${index}`}`, '')
    const unranked = !constant && this.#isUnranked(run, index)
    if (unranked && this.#shapes.told(id) === undefined) this.#shapes.ask(id)
    const sides = fixed ?? this.#sides(run, index, id)
    if (this.#inference.needed && sides && !unranked) run.known[index] ??= this.#inference.of(tensor, sides, false)
    const handle = run.handles.has(index)
    const bytes = this.#bytes(id, tensor.dtype, sides, stored, handle)
    // a handle without bytes still says who comes after whom
    if (bytes === null || (bytes === 0 && !handle)) {
      const list = bytes === null ? this.#unsized : this.#empty
      list.push(id)
      return NONE
    }
    const kind: Kind = { ...(constant ? { constant } : {}), ...(tensor.variable ? { variable: true } : {}) }
    this.tensors.push({ id, bytes, kind, ...(unranked || !sides ? {} : { shape: sides }), dtype: tensor.dtype })
    this.#origins.push([run.index, index])
    if (shared !== '') this.#constants.set(shared, this.tensors.length - 1)
    return this.tensors.length - 1
  }

  #isUnranked(run: Run, index: number): boolean {
    const { shape, hasRank, dtype } = run.subgraph.tensors[index] as FileTensor
    if (shape.length > 0 || hasRank || !this.#ranksAreTold()) return false
    const scalar = dtype === 'resource' || run.handles.has(index)
    return !scalar && !run.known[index]?.shape && !run.waits.has(index)
  }

  /** null while an answer is missing: nobody is asked about what follows from it. */
  #sides(run: Run, index: number, id: string): readonly number[] | null {
    const tensor = run.subgraph.tensors[index] as FileTensor
    if (!this.#inference.needed) return tensor.shape
    if (run.waits.has(index)) return null
    const known = run.known[index]?.shape
    if (known) return known
    const why = run.why.get(index)
    const sides = why === undefined ? this.#shapes.input(id, tensor) : this.#shapes.made(id, tensor, why)
    if (!sides) run.waits.add(index)
    return sides
  }

  #bytes(id: string, dtype: string, sides: readonly number[] | null, stored: number, handle: boolean): number | null {
    // sparse weights take less than their shape says
    if (stored > 0) return stored
    if (handle) return 0
    // of something, until it is known
    return sides ? this.#shapes.bytes(id, dtype, sides) : 1
  }

  #ranked: boolean | null = null

  /** Whether the file says of any tensor that its rank is known; if of none, its writer did not know of the field. */
  #ranksAreTold(): boolean {
    this.#ranked ??= this.#subgraphs.some((subgraph) => subgraph.tensors.some((tensor) => tensor.hasRank))
    return this.#ranked
  }
}

/** Lists of numbers, the first difference decides. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** Throws Refusal. What the shapes could not answer is in their questions afterwards. */
export function build(
  file: TfliteFile,
  subgraphs: readonly FileSubgraph[],
  shapes: Shapes,
  answers: ImportAnswers,
  told: Told,
): Built {
  const entry = entryOf(file, subgraphs, answers.runs)
  checkCalls(subgraphs, entry)
  const builder = new Builder(file, subgraphs, shapes, answers, told)
  builder.main(entry)
  const { tensors, ops, ...rest } = builder.inOrder()
  return { graph: { name: file.name, tensors: withAxes(tensors, ops, 'NHWC'), ops }, notes: builder.notes(), ...rest }
}
