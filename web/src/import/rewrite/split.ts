/**
 * A run of operators taken through in parts, so that what lies between them is never whole: the first part of the output is made from the
 * first operator to the last, then the next. Where windows overlap, the operators make the overlap (the halo) once for each part that needs it.
 * It is what TVM calls loop fusion by tiles and MCUNetV2 patch-based inference (Lin et al., NeurIPS 2021, section 3.1), for any run.
 */
import type { Graph, Op, Tensor } from '../graph'
import { windowsText } from '../windows'
import { FreshIds, usesOf } from './graph'
import { axisOf, entriesOf, needed, type Range, shifted } from './window_ranges'

export interface Split {
  /** rows of the operators, each but the last with one reader: the next */
  run: readonly number[]
  /** of the last operator's output: along which it is cut */
  dimension: number
  parts: number
}

export interface SplitResult {
  graph: Graph
  /** elements along the cut that are made more than once, of all that the operators make there: 0 to parts - 1 */
  again: number
}

/** By operator of the run: the dimension of its output along which it is cut; null if the windows do not lead from one to the next. */
function dimensionsOf(graph: Graph, { run, dimension }: Split): number[] | null {
  const cut = run.map(() => dimension)
  for (let k = run.length - 1; k > 0; k--) {
    const op = graph.ops[run[k] as number] as Op
    const between = (graph.ops[run[k - 1] as number] as Op).outputs[0] as number
    const entries = entriesOf(op.windows ?? '', op.inputs.length)[op.inputs.indexOf(between)] ?? []
    const along = entries.flatMap((entry, d) => (axisOf(entry, d)?.dimension === cut[k] ? [d] : []))
    if (along.length !== 1) return null
    cut[k - 1] = along[0] as number
  }
  return cut
}

const sizeOf = (tensor: Tensor | undefined, dimension: number) => tensor?.shape?.[dimension] ?? 0

/** By operator of the run, what it makes for the part of the last output. */
function rangesOf(graph: Graph, { run }: Split, cut: readonly number[], part: Range): Range[] | null {
  const ranges = run.map(() => part)
  for (let k = run.length - 1; k > 0; k--) {
    const op = graph.ops[run[k] as number] as Op
    const between = (graph.ops[run[k - 1] as number] as Op).outputs[0] as number
    const entries = entriesOf(op.windows ?? '', op.inputs.length)[op.inputs.indexOf(between)] ?? []
    const d = cut[k - 1] as number
    const axis = axisOf(entries[d] ?? '', d)
    if (axis === null) return null
    const range = needed(axis, ranges[k] as Range, sizeOf(graph.tensors[between], d))
    // made of padding alone: such a part has nothing to be made of
    if (range.high <= range.low) return null
    ranges[k - 1] = range
  }
  return ranges
}

/** The windows of a part of an operator: its output begins at `output` along `cut`, its input `between` at `input` along `d`. */
function windowsOfPart(op: Op, cut: number, output: number, between: number, input: number): string {
  if ((op.windows ?? '') === '') return ''
  const lists = entriesOf(op.windows ?? '', op.inputs.length).map((entries, k) =>
    entries.map((entry, d) => {
      const axis = axisOf(entry, d)
      if (axis === null || axis.dimension !== cut) return entry
      return shifted(axis, d, output, op.inputs[k] === between ? input : 0)
    }),
  )
  return windowsText(lists)
}

class Writer {
  readonly tensors: Tensor[]
  readonly ops: Op[] = []
  readonly #tensorIds: FreshIds
  readonly #opIds: FreshIds

  constructor(private readonly graph: Graph) {
    this.tensors = [...graph.tensors]
    this.#tensorIds = new FreshIds(graph.tensors)
    this.#opIds = new FreshIds(graph.ops)
  }

  /** A part of a tensor along a dimension; its bytes are in proportion. */
  piece(tensor: number, dimension: number, { low, high }: Range, part: number): number {
    const whole = this.graph.tensors[tensor] as Tensor
    const size = sizeOf(whole, dimension)
    const shape = whole.shape?.map((side, d) => (d === dimension ? high - low : side)) ?? []
    const bytes = Math.ceil((whole.bytes * (high - low)) / size)
    this.tensors.push({ ...whole, id: this.#tensorIds.of(whole.id, part), bytes, shape })
    return this.tensors.length - 1
  }

  /** The whole output of which only the first parts are there yet. */
  begun(tensor: number, part: number): number {
    const whole = this.graph.tensors[tensor] as Tensor
    this.tensors.push({ ...whole, id: this.#tensorIds.of(whole.id, part) })
    return this.tensors.length - 1
  }

  op(of: Op, part: number, change: Partial<Op>): void {
    this.ops.push({ ...of, id: this.#opIds.of(of.id, part), inplace: [], alias: [], ...change })
  }
}

/** One part, from the first operator of the run to the last. last: what holds the output's earlier parts, -1: this is the first. */
function writePart(
  w: Writer,
  graph: Graph,
  split: Split,
  cut: readonly number[],
  ranges: Range[],
  at: number,
  last: number,
) {
  let [before, piece] = [-1, -1]
  split.run.forEach((row, k) => {
    const op = graph.ops[row] as Op
    const out = op.outputs[0] as number
    const [range, input] = [ranges[k] as Range, k === 0 ? 0 : (ranges[k - 1] as Range).low]
    const end = k === split.run.length - 1
    const inputs = op.inputs.map((tensor) => (tensor === before ? piece : tensor))
    const made = !end ? w.piece(out, cut[k] as number, range, at) : at === split.parts ? out : w.begun(out, at)
    w.op(op, at, {
      inputs: end && last >= 0 ? [...inputs, last] : inputs,
      outputs: [made],
      // what is there of the output already stays where it is: the same bytes
      alias: end && last >= 0 ? [[made, last]] : [],
      windows: end ? '' : windowsOfPart(op, cut[k] as number, range.low, before, input),
    })
    before = out
    piece = made
  })
  return piece
}

/** null: it cannot be split in this way. O(graph + parts × run). */
export function splitGraph(graph: Graph, split: Split): SplitResult | null {
  const { run, parts, dimension } = split
  const cut = dimensionsOf(graph, split)
  const final = graph.ops[run.at(-1) ?? -1]
  const size = sizeOf(graph.tensors[final?.outputs[0] ?? -1], dimension)
  if (cut === null || final === undefined || size < parts) return null
  const sizes = run.map((row, k) =>
    sizeOf(graph.tensors[(graph.ops[row] as Op).outputs[0] as number], cut[k] as number),
  )
  if (sizes.some((n) => n < parts)) return null
  const bounds = Array.from({ length: parts + 1 }, (_, k) => Math.floor((k * size) / parts))
  const all = bounds.slice(1).map((high, k) => rangesOf(graph, split, cut, { low: bounds[k] as number, high }))
  const ranges = all.filter((part) => part !== null)
  if (ranges.length < parts) return null
  const w = new Writer(graph)
  const inRun = new Set(run)
  graph.ops.forEach((op, row) => {
    if (!inRun.has(row)) w.ops.push(op)
    if (row !== run.at(-1)) return
    let last = -1
    ranges.forEach((part, k) => {
      last = writePart(w, graph, split, cut, part, k + 1, last)
    })
  })
  const rows = ranges.flat().reduce((sum, { low, high }) => sum + high - low, 0)
  const once = sizes.reduce((sum, n) => sum + n, 0)
  return { graph: withoutUnused({ ...graph, tensors: w.tensors, ops: w.ops }), again: rows / once - 1 }
}

/** What lay between the operators is whole no more. */
function withoutUnused(graph: Graph): Graph {
  const { producer, readers } = usesOf(graph)
  const keeps = (tensor: Tensor, k: number) => {
    const { input, output, variable } = tensor.kind
    return producer[k] !== -1 || (readers[k]?.length ?? 0) > 0 || input || output || variable
  }
  const at = new Map<number, number>()
  const tensors = graph.tensors.filter((tensor, k) => {
    const kept = keeps(tensor, k)
    if (kept) at.set(k, at.size)
    return kept
  })
  const to = (tensor: number) => at.get(tensor) as number
  const pairs = (list: Op['alias'] = []) => list.map(([a, b]) => [to(a), to(b)] as const)
  const ops = graph.ops.map((op) => ({
    ...op,
    inputs: op.inputs.map(to),
    outputs: op.outputs.map(to),
    inplace: pairs(op.inplace),
    alias: pairs(op.alias),
  }))
  return { ...graph, tensors, ops }
}

// ---- which runs there are

/** Operators before and behind a tensor that may be taken into its run. */
const REACH = 2

const isPlain = ({ kind }: Tensor) => !(kind.constant || kind.input || kind.output || kind.variable || kind.workspace)

/** Operators that can be done in parts: one output, windows known, and nothing that is the same bytes in another shape. */
const divisible = (op: Op | undefined) =>
  op !== undefined && op.outputs.length === 1 && (op.windows ?? '') !== '' && (op.alias ?? []).length === 0

/** Runs in whose midst the tensor lies, from the shortest up, with the dimensions along which they can be cut. O(run). */
export function runsAround(graph: Graph, tensor: number): { run: number[]; dimensions: number[] }[] {
  const { producer, readers } = usesOf(graph)
  const inner = (k: number | undefined) => {
    const [made, by] = [producer[k ?? -1] ?? -1, readers[k ?? -1] ?? []]
    const whole = graph.tensors[k ?? -1]
    return whole !== undefined && isPlain(whole) && made >= 0 && by.length === 1 ? by[0] : undefined
  }
  const reader = inner(tensor)
  if (reader === undefined) return []
  const line = [producer[tensor] as number, reader]
  if (!line.every((row) => divisible(graph.ops[row]))) return []
  let first = 0
  for (let k = 0; k < REACH; k++) {
    // the largest of what is read only here
    const own = (graph.ops[line[0] as number] as Op).inputs.filter((input) => inner(input) !== undefined)
    own.sort((x, y) => (graph.tensors[y]?.bytes ?? 0) - (graph.tensors[x]?.bytes ?? 0))
    const row = producer[own[0] ?? -1] ?? -1
    if (!divisible(graph.ops[row])) break
    line.unshift(row)
    first += 1
  }
  for (let k = 0; k < REACH; k++) {
    const next = inner((graph.ops[line.at(-1) as number] as Op).outputs[0])
    if (next === undefined || !divisible(graph.ops[next])) break
    line.push(next)
  }
  const runs: number[][] = []
  for (let from = first; from >= 0; from--)
    for (let to = first + 2; to <= line.length; to++) runs.push(line.slice(from, to))
  runs.sort((x, y) => x.length - y.length)
  return runs.flatMap((run) => {
    const out = graph.tensors[(graph.ops[run.at(-1) as number] as Op).outputs[0] as number]
    const sides = out?.shape ?? []
    const dimensions = sides.flatMap((side, d) =>
      side > 1 && dimensionsOf(graph, { run, dimension: d, parts: 2 }) !== null ? [d] : [],
    )
    return dimensions.length === 0 ? [] : [{ run, dimensions }]
  })
}
