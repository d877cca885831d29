/** A small model as the core would lower it: a branch, an addition, a reshape that shares its input's bytes, and a workspace. */
import type { GraphModel, OpenGraphResult, Problem } from '../../../wasm/client/types'

const TENSORS = [
  // id, bytes, kind, shape, buffer, producer
  ['in', 100, 'input', '1x10x10x1', 0, -1],
  ['w', 36, 'constant', '4x3x3x1', -1, -1],
  ['a', 400, 'activation', '1x10x10x4', 1, 0],
  ['b', 200, 'activation', '1x10x10x2', 2, 1],
  ['c', 400, 'activation', '1x10x10x4', 3, 2],
  ['flat', 400, 'activation', '1x400', 3, 3],
  ['out', 10, 'output', '1x10', 4, 4],
] as const

/** type, inputs, outputs */
const OPS: [string, string, number[], number[]][] = [
  ['Conv_0', 'Conv', [0, 1], [2]],
  ['Conv_1', 'Conv', [2], [3]],
  ['add', 'Add', [2, 3], [4]],
  ['Reshape', 'Reshape', [4], [5]],
  ['fc', 'FullyConnected', [5], [6]],
]

function ranges(lists: number[][]): [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>] {
  const start = new Uint32Array(lists.length + 1)
  lists.forEach((list, k) => {
    start[k + 1] = (start[k] as number) + list.length
  })
  return [Uint32Array.from(lists.flat()), start]
}

export function smallModel(): GraphModel {
  const [inputs, inputStart] = ranges(OPS.map(([, , reads]) => reads))
  const [outputs, outputStart] = ranges(OPS.map(([, , , writes]) => writes))
  return {
    tensors: {
      count: TENSORS.length,
      ids: TENSORS.map(([id]) => id),
      bytes: Float64Array.from(TENSORS, ([, bytes]) => bytes),
      kind: TENSORS.map(([, , kind]) => kind),
      shape: TENSORS.map(([, , , shape]) => shape),
      dtype: TENSORS.map(() => 'int8'),
      buffer: Int32Array.from(TENSORS, (tensor) => tensor[4]),
      producer: Int32Array.from(TENSORS, (tensor) => tensor[5]),
    },
    ops: {
      count: OPS.length,
      ids: OPS.map(([id]) => id),
      types: OPS.map(([, type]) => type),
      row: Uint32Array.from(OPS.keys()),
      inputs,
      inputStart,
      outputs,
      outputStart,
      workspace: Int32Array.from([-1, -1, -1, -1, 5]),
    },
    budgets: { required: 1000, half: 1000, peak: 1000 },
    notes: ['1 constant stays out of the plan.'],
    tileOptions: [],
    csv: 'id,lower,upper,size\n',
  }
}

/** in [0,1) 100, a [0,3) 400, b [1,3) 200, c [2,5) 400, out [4,5) 10, fc:workspace [4,5) 64; the peak is at the addition. */
export function smallProblem(): Problem {
  const lower = [0, 0, 1, 2, 4, 4]
  const upper = [1, 3, 3, 5, 5, 5]
  const size = [100, 400, 200, 400, 10, 64]
  const flat = (value: number) => new Float64Array(6).fill(value)
  return {
    count: 6,
    ids: ['in', 'a', 'b', 'c', 'out', 'fc:workspace'],
    lower: Float64Array.from(lower),
    upper: Float64Array.from(upper),
    size: Float64Array.from(size),
    alignment: flat(1),
    fixed: flat(-1),
    hint: flat(-1),
    bank: flat(0),
    gaps: [],
    sections: {
      count: 5,
      lower: Float64Array.from([0, 1, 2, 3, 4]),
      upper: Float64Array.from([1, 2, 3, 4, 5]),
      load: Float64Array.from([500, 600, 1000, 400, 474]),
      live: Uint32Array.from([2, 2, 3, 1, 3]),
    },
    peak: 2,
    lowerBound: 1000,
    partitions: 1,
    convention: '',
    digest: '1'.repeat(16),
  }
}

export function openSmall(): OpenGraphResult {
  return { ok: true, model: smallModel(), problem: smallProblem() }
}
