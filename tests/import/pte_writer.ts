/** Programs of ExecuTorch for tests, with the Builder of the package flatbuffers, after its schema. */
import { Builder } from 'flatbuffers'
import {
  Allocation,
  Call,
  Called,
  CHAIN_INSTRUCTIONS,
  DELEGATE_ID,
  EXTRA_NAME,
  IDENTIFIER,
  Kind,
  LIST_ITEMS,
  OPERATOR_NAME,
  OPERATOR_OVERLOAD,
  Plan,
  Program,
  TensorField,
  Union,
} from '../../web/src/import/executorch/schema'

export interface ValueSpec {
  sizes?: number[]
  /** of scalar_type.fbs, 6 is float */
  type?: number
  at?: { memory: number; offset: number }
  name?: string
  /** instead of a tensor: a list of values */
  list?: number[]
}
export interface MethodSpec {
  name: string
  values: ValueSpec[]
  inputs: number[]
  outputs: number[]
  /** operator name and arguments; delegate: its name */
  calls: { op?: string; delegate?: string; args: number[] }[]
  sizes: number[]
}

export function writePte(methods: readonly MethodSpec[]): Uint8Array {
  const b = new Builder(1024)
  const table = (fields: number, fill: () => void) => {
    b.startObject(fields)
    fill()
    return b.endObject()
  }
  const ints = (items: readonly number[]) => {
    b.startVector(4, items.length, 4)
    for (const item of items.toReversed()) b.addInt32(item)
    return b.endVector()
  }
  const longs = (items: readonly number[]) => {
    b.startVector(8, items.length, 8)
    for (const item of items.toReversed()) b.addInt64(BigInt(item))
    return b.endVector()
  }
  const offsets = (items: readonly number[]) => {
    b.startVector(4, items.length, 4)
    for (const item of items.toReversed()) b.addOffset(item)
    return b.endVector()
  }
  const value = ({ sizes = [], type = 6, at, name, list }: ValueSpec) => {
    if (list !== undefined) {
      const items = ints(list)
      const made = table(1, () => b.addFieldOffset(LIST_ITEMS, items, 0))
      return table(2, () => {
        b.addFieldInt8(Union.type, Kind.tensorList, 0)
        b.addFieldOffset(Union.value, made, 0)
      })
    }
    const sides = ints(sizes)
    const text = name === undefined ? 0 : b.createString(name)
    const extra = name === undefined ? 0 : table(3, () => b.addFieldOffset(EXTRA_NAME, text, 0))
    const where =
      at === undefined
        ? 0
        : table(3, () => {
            b.addFieldInt32(Allocation.memory, at.memory, 0)
            b.addFieldInt32(Allocation.low, (at.offset % 2 ** 32) | 0, 0)
            b.addFieldInt32(Allocation.high, Math.floor(at.offset / 2 ** 32), 0)
          })
    const tensor = table(10, () => {
      b.addFieldInt8(TensorField.type, type, 0)
      b.addFieldOffset(TensorField.sizes, sides, 0)
      if (where !== 0) b.addFieldOffset(TensorField.allocation, where, 0)
      if (extra !== 0) b.addFieldOffset(TensorField.extra, extra, 0)
    })
    return table(2, () => {
      b.addFieldInt8(Union.type, Kind.tensor, 0)
      b.addFieldOffset(Union.value, tensor, 0)
    })
  }
  const plan = (method: MethodSpec) => {
    const operators = [...new Set(method.calls.flatMap(({ op }) => op ?? []))]
    const delegates = [...new Set(method.calls.flatMap(({ delegate }) => delegate ?? []))]
    const calls = method.calls.map(({ op, delegate, args }) => {
      const list = ints(args)
      const index = op === undefined ? delegates.indexOf(delegate ?? '') : operators.indexOf(op)
      const call = table(2, () => {
        b.addFieldInt32(Called.index, index, 0)
        b.addFieldOffset(Called.args, list, 0)
      })
      return table(2, () => {
        b.addFieldInt8(Union.type, op === undefined ? Call.delegate : Call.kernel, 0)
        b.addFieldOffset(Union.value, call, 0)
      })
    })
    const instructions = offsets(calls)
    const chain = table(4, () => b.addFieldOffset(CHAIN_INSTRUCTIONS, instructions, 0))
    const chains = offsets([chain])
    const named = (text: string) => {
      const [name = '', overload = ''] = text.split('.')
      const [one, two] = [b.createString(name), b.createString(overload)]
      return table(2, () => {
        b.addFieldOffset(OPERATOR_NAME, one, 0)
        b.addFieldOffset(OPERATOR_OVERLOAD, two, 0)
      })
    }
    const ops = offsets(operators.map(named))
    const outside = offsets(
      delegates.map((id) => {
        const text = b.createString(id)
        return table(3, () => b.addFieldOffset(DELEGATE_ID, text, 0))
      }),
    )
    const fields: [number, number][] = [
      [Plan.name, b.createString(method.name)],
      [Plan.values, offsets(method.values.map(value))],
      [Plan.inputs, ints(method.inputs)],
      [Plan.outputs, ints(method.outputs)],
      [Plan.chains, chains],
      [Plan.operators, ops],
      [Plan.delegates, outside],
      [Plan.sizes, longs(method.sizes)],
    ]
    return table(10, () => {
      for (const [slot, offset] of fields) b.addFieldOffset(slot, offset, 0)
    })
  }
  const plans = offsets(methods.map(plan))
  b.finish(
    table(8, () => b.addFieldOffset(Program.plans, plans, 0)),
    IDENTIFIER,
  )
  return b.asUint8Array()
}
