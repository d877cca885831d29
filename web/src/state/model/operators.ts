/** A model's operators beside the buffers they make and read: which colour, which maker, which readers. */
import type { GraphModel, Plan, Problem } from '../../../../wasm/client/types'
import type { Operators, TypeShade } from '../../layout/scene'

export { changesOf } from './moves'

/** Categories of colours; the last but one, stone, is what is left for the rest. */
const CATEGORIES = 12
const REST = 10

/**
 * Types that every network has keep their colour from one to the next. The first that matches wins; of two types that want the same
 * colour the more frequent has it.
 */
const WANTED: [RegExp, number][] = [
  [/^input$/, 3],
  [/^constant$/, 6],
  [/depthwise|^dwconv/, 2],
  [/transposeconv|convtranspose|deconv/, 9],
  [/conv/, 0],
  [/^add/, 1],
  [/pool/, 5],
  [/concat/, 4],
  [/fullyconnected|gemm|matmul|dense|linear|^fc$/, 8],
  [/softmax/, 7],
]

const plain = (type: string) => type.toLowerCase().replace(/[^a-z0-9]/g, '')

/** A category for each type, most used first; past twelve types the rarest share stone. */
export function shadeTypes(counts: ReadonlyMap<string, number>): TypeShade[] {
  const legend = [...counts].map(([type, count]) => ({ type, count, shade: -1 }))
  legend.sort((x, y) => y.count - x.count || (x.type < y.type ? -1 : 1))
  const room = legend.length > CATEGORIES ? CATEGORIES - 1 : CATEGORIES
  const free = new Set(Array.from({ length: CATEGORIES }, (_, k) => k))
  if (legend.length > CATEGORIES) free.delete(REST)
  const own = legend.slice(0, room)
  for (const entry of own) {
    const wanted = WANTED.find(([pattern]) => pattern.test(plain(entry.type)))?.[1]
    if (wanted !== undefined && free.delete(wanted)) entry.shade = wanted
  }
  for (const entry of own) {
    if (entry.shade >= 0) continue
    const next = [...free][0] ?? REST
    free.delete(next)
    entry.shade = next
  }
  for (const entry of legend.slice(room)) entry.shade = REST
  return legend
}

/** What a buffer that no operator makes is called, by the kind of its first tensor. */
function madeBy(kind: string): string {
  if (kind.startsWith('input')) return 'Input'
  if (kind === 'constant') return 'Constant'
  if (kind === 'variable') return 'State'
  return kind === 'workspace' ? 'Workspace' : 'Buffer'
}

interface Ranges {
  start: Uint32Array
  members: Uint32Array
}

/** Members of each of `count` groups, in the order in which they are told, each once in a row. O(told + count). */
function group(count: number, tell: (add: (group: number, member: number) => void) => void): Ranges {
  const start = new Uint32Array(count + 1)
  const last = new Int32Array(count).fill(-1)
  tell((into, member) => {
    if (last[into] === member) return
    last[into] = member
    start[into + 1] = (start[into + 1] ?? 0) + 1
  })
  for (let k = 0; k < count; k++) start[k + 1] = (start[k + 1] ?? 0) + (start[k] ?? 0)
  const at = start.slice(0, count)
  const members = new Uint32Array(start[count] ?? 0)
  last.fill(-1)
  tell((into, member) => {
    if (last[into] === member) return
    last[into] = member
    members[at[into] ?? 0] = member
    at[into] = (at[into] ?? 0) + 1
  })
  return { start, members }
}

/** The model with its operators in another order, told by their rows. O(operators + their inputs and outputs + tensors). */
export function inOrder(model: GraphModel, rows: Uint32Array): GraphModel {
  const { ops, tensors } = model
  const atRow = new Uint32Array(ops.count)
  for (let k = 0; k < ops.count; k++) atRow[ops.row[k] ?? 0] = k
  const from = Array.from(rows, (row) => atRow[row] ?? 0)
  const to = new Int32Array(ops.count)
  from.forEach((old, k) => {
    to[old] = k
  })
  const lists = (start: Uint32Array, items: Uint32Array) => {
    const all = from.map((old) => items.subarray(start[old], start[old + 1]))
    const begins = new Uint32Array(ops.count + 1)
    all.forEach((list, k) => {
      begins[k + 1] = (begins[k] ?? 0) + list.length
    })
    return { start: begins, items: Uint32Array.from(all.flatMap((list) => [...list])) }
  }
  const inputs = lists(ops.inputStart, ops.inputs)
  const outputs = lists(ops.outputStart, ops.outputs)
  return {
    ...model,
    tensors: { ...tensors, producer: tensors.producer.map((op) => (op < 0 ? -1 : (to[op] ?? -1))) },
    ops: {
      count: ops.count,
      ids: from.map((old) => ops.ids[old] ?? ''),
      types: from.map((old) => ops.types[old] ?? ''),
      row: Uint32Array.from(rows),
      inputs: inputs.items,
      inputStart: inputs.start,
      outputs: outputs.items,
      outputStart: outputs.start,
      workspace: Int32Array.from(from, (old) => ops.workspace[old] ?? -1),
    },
  }
}

/** Buffers of a plan: those of its stays that are in the arena, in order; -1: of one outside. */
export function buffersOfStays({ stays }: Plan): Int32Array {
  const buffer = new Int32Array(stays.count).fill(-1)
  let next = 0
  for (let k = 0; k < stays.count; k++) if (stays.outside[k] === 0) buffer[k] = next++
  return buffer
}

/**
 * The model, in the order of a plan, as that plan has it: a tensor that is in the arena more than once is as many tensors here, each in a buffer of its
 * own, and an operator reads the one that is there when it runs. O(stays + tensors + inputs and outputs, times a tensor's stays).
 */
export function asPlaced(model: GraphModel, plan: Plan): GraphModel {
  const { tensors, ops } = model
  const { stays } = plan
  const buffer = buffersOfStays(plan)
  const sharing = new Map<number, number[]>()
  for (let t = 0; t < tensors.count; t++) {
    const own = tensors.buffer[t] ?? -1
    if (own >= 0) sharing.set(own, [...(sharing.get(own) ?? []), t])
  }
  const original: number[] = []
  const into: number[] = []
  const turns = new Map<number, number[]>()
  const add = (tensor: number, at: number, stay: number) => {
    turns.set(tensor, [...(turns.get(tensor) ?? []), original.length])
    original.push(tensor)
    into.push(at)
    when.push(stay)
  }
  const when: number[] = []
  const workspace = new Int32Array(ops.count).fill(-1)
  for (let k = 0; k < stays.count; k++) {
    const item = stays.item[k] as number
    if (stays.outside[k] === 1) continue
    if (item >= tensors.count) workspace[stays.lower[k] as number] = buffer[k] as number
    else for (const t of sharing.get(tensors.buffer[item] ?? -1) ?? [item]) add(t, buffer[k] as number, k)
  }
  for (let t = 0; t < tensors.count; t++) if (!turns.has(t)) add(t, -1, -1)
  const there = (tensor: number, time: number): number => {
    const all = turns.get(tensor) ?? []
    const now = all.find((one) => {
      const stay = when[one] as number
      return stay >= 0 && (stays.lower[stay] as number) <= time && time < (stays.upper[stay] as number)
    })
    return now ?? all[0] ?? 0
  }
  const moved = (list: Uint32Array, start: Uint32Array) => {
    const to = new Uint32Array(list.length)
    for (let op = 0; op < ops.count; op++)
      for (let k = start[op] as number; k < (start[op + 1] as number); k++) to[k] = there(list[k] as number, op)
    return to
  }
  const pick = <T>(of: ArrayLike<T>): T[] => original.map((tensor) => of[tensor] as T)
  return {
    ...model,
    tensors: {
      count: original.length,
      ids: pick(tensors.ids),
      bytes: Float64Array.from(pick(tensors.bytes)),
      kind: pick(tensors.kind),
      shape: pick(tensors.shape),
      dtype: pick(tensors.dtype),
      buffer: Int32Array.from(into),
      producer: Int32Array.from(pick(tensors.producer)),
    },
    ops: { ...ops, inputs: moved(ops.inputs, ops.inputStart), outputs: moved(ops.outputs, ops.outputStart), workspace },
  }
}

/** Operators that read a buffer, in the order of the schedule. */
function readersOf(model: GraphModel, buffers: number): Ranges {
  const { ops, tensors } = model
  return group(buffers, (add) => {
    for (let op = 0; op < ops.count; op++) {
      for (let k = ops.inputStart[op] ?? 0; k < (ops.inputStart[op + 1] ?? 0); k++) {
        const buffer = tensors.buffer[ops.inputs[k] ?? 0] ?? -1
        if (buffer >= 0) add(buffer, op)
      }
    }
  })
}

/** Tensors in a buffer, by the time at which they are made: what nobody makes comes first. */
function heldBy(model: GraphModel, buffers: number): Ranges {
  const { tensors } = model
  const order = Array.from({ length: tensors.count }, (_, k) => k)
  order.sort((x, y) => (tensors.producer[x] ?? -1) - (tensors.producer[y] ?? -1) || x - y)
  return group(buffers, (add) => {
    for (const tensor of order) {
      const buffer = tensors.buffer[tensor] ?? -1
      if (buffer >= 0) add(buffer, tensor)
    }
  })
}

/** O(tensors log tensors + operators + their inputs and outputs). */
export function operatorsOf(model: GraphModel, problem: Problem): Operators {
  const { ops, tensors } = model
  const reads = readersOf(model, problem.count)
  const held = heldBy(model, problem.count)
  const maker = new Int32Array(problem.count).fill(-1)
  // what holds no tensor and is no workspace is a constant that is loaded again
  const label: string[] = Array.from({ length: problem.count }, () => 'Constant')
  for (let buffer = 0; buffer < problem.count; buffer++) {
    const first = held.members[held.start[buffer] ?? 0]
    if (first === undefined || held.start[buffer] === held.start[buffer + 1]) continue
    maker[buffer] = tensors.producer[first] ?? -1
    label[buffer] = madeBy(tensors.kind[first] ?? '')
  }
  ops.workspace.forEach((buffer, op) => {
    if (buffer < 0) return
    maker[buffer] = op
    label[buffer] = 'Workspace'
  })
  const counts = new Map<string, number>()
  const count = (type: string) => counts.set(type, (counts.get(type) ?? 0) + 1)
  for (const type of ops.types) count(type)
  maker.forEach((op, buffer) => {
    if (op >= 0 && label[buffer] !== 'Workspace') label[buffer] = ops.types[op] ?? ''
    else count(label[buffer] ?? '')
  })
  const legend = shadeTypes(counts)
  const shadeOf = new Map(legend.map(({ type, shade }) => [type, shade]))
  return {
    model,
    legend,
    shade: Uint8Array.from(ops.types, (type) => shadeOf.get(type) ?? REST),
    bufferShade: Uint8Array.from(label, (type) => shadeOf.get(type) ?? REST),
    maker,
    readStart: reads.start,
    reads: reads.members,
    heldStart: held.start,
    held: held.members,
  }
}

/** Operators that read a buffer. */
export function readersAt(operators: Operators, buffer: number): number[] {
  return [...operators.reads.subarray(operators.readStart[buffer], operators.readStart[buffer + 1])]
}

/** Tensors that a buffer holds. */
export function heldAt(operators: Operators, buffer: number): number[] {
  return [...operators.held.subarray(operators.heldStart[buffer], operators.heldStart[buffer + 1])]
}

export interface OpBuffers {
  inputs: number[]
  /** and its workspace */
  outputs: number[]
}

/** The buffers that an operator reads and those that it writes; one that it does both to is among the outputs. */
export function buffersOf(model: GraphModel, op: number): OpBuffers {
  const { ops, tensors } = model
  const pick = (list: Uint32Array, start: Uint32Array) =>
    [...list.subarray(start[op], start[op + 1])].map((tensor) => tensors.buffer[tensor] ?? -1)
  const written = pick(ops.outputs, ops.outputStart)
  const outputs = new Set([...written, ops.workspace[op] ?? -1].filter((buffer) => buffer >= 0))
  const read = pick(ops.inputs, ops.inputStart).filter((buffer) => buffer >= 0 && !outputs.has(buffer))
  return { inputs: [...new Set(read)], outputs: [...outputs] }
}

/** By operator: the bytes that it reads and writes, and those of them in the main pool, the fast memory of a selection. O(inputs and outputs). */
export function accessedOf(model: GraphModel, { size, pool }: Problem): NonNullable<Operators['accessed']> {
  const accessed = { all: new Float64Array(model.ops.count), fast: new Float64Array(model.ops.count) }
  for (let op = 0; op < model.ops.count; op++) {
    const { inputs, outputs } = buffersOf(model, op)
    for (const buffer of [...inputs, ...outputs]) {
      const bytes = size[buffer] ?? 0
      accessed.all[op] = (accessed.all[op] ?? 0) + bytes
      if (pool?.[buffer] === 0) accessed.fast[op] = (accessed.fast[op] ?? 0) + bytes
    }
  }
  return accessed
}

/** What to call an operator: its id, after its type where the id does not begin with it. */
export function opName(model: GraphModel, op: number): string {
  const id = model.ops.ids[op] ?? ''
  const type = model.ops.types[op] ?? ''
  if (id === '' || plain(id) === plain(type)) return type
  return plain(id).startsWith(plain(type)) ? id : `${type} ${id}`
}

/** What makes a buffer, in words; '' if that is not known. */
export function makerName(operators: Operators, buffer: number): string {
  const op = operators.maker[buffer] ?? -1
  const first = heldAt(operators, buffer)[0]
  const { ops, tensors } = operators.model
  // a tensor is often called after its operator: once is enough
  if (op >= 0 && first !== undefined && ops.ids[op] === tensors.ids[first]) return ops.types[op] ?? ''
  if (op >= 0) return opName(operators.model, op)
  return first === undefined ? '' : madeBy(operators.model.tensors.kind[first] ?? '')
}

/** Shape and data type of what a buffer holds, '' if the file does not tell: "1×112×112×32 int8". */
export function shapeText(operators: Operators, buffer: number): string {
  const { tensors } = operators.model
  const first = heldAt(operators, buffer)[0] ?? -1
  const shape = (tensors.shape[first] ?? '').replaceAll('x', '×')
  return [shape, tensors.dtype[first] ?? ''].filter((text) => text !== '').join(' ')
}
