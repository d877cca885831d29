/** Networks written between DequantizeLinear and QuantizeLinear. */
import { describe, expect, test } from 'vitest'
import { FLOAT, graphOf, INT8, importBytes, type ModelSpec, type NodeSpec, writeModel } from './writer'

const scale = { name: 's', type: FLOAT, dims: [], data: [0.5] }
const zero = { name: 'z', type: INT8, dims: [], raw: Uint8Array.of(0) }
const quantise = (from: string, to: string): NodeSpec => ({ op: 'QuantizeLinear', in: [from, 's', 'z'], out: [to] })
const floats = (from: string, to: string): NodeSpec => ({ op: 'DequantizeLinear', in: [from, 's', 'z'], out: [to] })

/** A convolution, an activation, a sum: all on integers. */
const network: ModelSpec = {
  inputs: [{ name: 'x', dims: [1, 4, 8, 8] }],
  outputs: ['y'],
  stored: [
    scale,
    zero,
    { name: 'w', type: INT8, dims: [4, 4, 1, 1], raw: new Uint8Array(16) },
    { name: 'scales', type: FLOAT, dims: [4], data: [1, 1, 1, 1] },
  ],
  nodes: [
    quantise('x', 'xq'),
    floats('xq', 'xf'),
    { op: 'DequantizeLinear', in: ['w', 'scales'], out: ['wf'], attrs: { axis: 0 } },
    { op: 'Conv', in: ['xf', 'wf'], out: ['c'] },
    { op: 'Relu', in: ['c'], out: ['r'] },
    quantise('r', 'rq'),
    floats('rq', 'rf'),
    { op: 'Add', in: ['rf', 'xf'], out: ['a'] },
    quantise('a', 'aq'),
    floats('aq', 'y'),
  ],
}

function lines(model: ModelSpec, answers: Parameters<typeof graphOf>[1]): string[] {
  const { graph } = graphOf(model, answers)
  const names = (list: readonly number[]) => list.map((i) => graph.tensors[i]?.id).join(' ')
  return graph.ops.map((op) => `${op.type}: ${names(op.inputs)} -> ${names(op.outputs)}`)
}

describe('a QDQ network', () => {
  test('is planned as its integer kernels run', () => {
    expect(lines(network, { fuse: true })).toEqual([
      'QuantizeLinear: x s z -> xq',
      'Conv: xq s z w scales -> rq',
      'Add: rq s z xq -> aq',
      'DequantizeLinear: aq s z -> y',
    ])
    const { graph, notes } = graphOf(network, { fuse: true })
    const bytes = Object.fromEntries(graph.tensors.map((tensor) => [tensor.id, tensor.bytes]))
    expect(bytes).toMatchObject({ x: 1024, xq: 256, rq: 256, aq: 256, w: 16, y: 1024 })
    expect(graph.ops[2]?.inplace).toHaveLength(2)
    expect(notes.join(' ')).toContain('2 operators between DequantizeLinear and QuantizeLinear were taken as operators')
  })
  test('or as it is written', () => {
    const as = graphOf(network, { fuse: true, qdq: false })
    expect(as.graph.ops.map((op) => op.type)).toEqual([
      'QuantizeLinear',
      'DequantizeLinear',
      'Conv',
      'QuantizeLinear',
      'DequantizeLinear',
      'Add',
      'QuantizeLinear',
      'DequantizeLinear',
    ])
    expect(as.graph.tensors.find((tensor) => tensor.id === 'wf')).toMatchObject({ bytes: 64, kind: { constant: true } })
  })
  test('offers the choice, which others do not', () => {
    const switches = (model: ModelSpec) => {
      const made = importBytes(writeModel(model))
      return made.ok && 'switches' in made ? made.switches : undefined
    }
    expect(switches(network)).toEqual(['fold', 'fuse', 'qdq'])
    const plain = { ...network, nodes: [{ op: 'Relu', in: ['x'], out: ['y'] }] }
    expect(switches(plain)).toEqual(['fold', 'fuse'])
  })
  test('keeps floats where something else reads them, and says so', () => {
    const shared = { ...network, outputs: ['y', 'e'], nodes: [...network.nodes, { op: 'Exp', in: ['rf'], out: ['e'] }] }
    expect(lines(shared, { fuse: true })).toContain('DequantizeLinear: rq s z -> rf')
    expect(lines(shared, { fuse: true })).toContain('Add: rq s z xq -> aq')
    expect(graphOf(shared, { fuse: true }).notes.join(' ')).toContain('2 DequantizeLinear stay')
    const before = { ...network, outputs: ['y', 'a'] }
    expect(lines(before, { fuse: true })).toContain('Add: rf xf -> a')
  })
  test('keeps weights as integers through a transpose, and where no activation is quantised', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: [2, 8] }],
      outputs: ['y'],
      stored: [scale, zero, { name: 'w', type: INT8, dims: [4, 8], raw: new Uint8Array(32) }],
      nodes: [
        floats('w', 'wf'),
        { op: 'Transpose', in: ['wf'], out: ['wt'] },
        { op: 'MatMul', in: ['x', 'wt'], out: ['y'] },
      ],
    }
    const { graph } = graphOf(model, { fuse: true })
    expect(lines(model, { fuse: true })).toEqual(['MatMul: x wt s z -> y'])
    expect(graph.tensors.find((tensor) => tensor.id === 'wt')).toMatchObject({
      bytes: 32,
      dtype: 'int8',
      shape: [8, 4],
    })
  })
  test('a product may take integers and give floats', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', type: INT8, dims: [2, 8] }],
      outputs: ['y'],
      stored: [scale, zero, { name: 'w', type: INT8, dims: [8, 4], raw: new Uint8Array(32) }],
      nodes: [floats('x', 'xf'), floats('w', 'wf'), { op: 'MatMul', in: ['xf', 'wf'], out: ['y'] }],
    }
    expect(lines(model, { fuse: true })).toEqual(['MatMul: x s z w -> y'])
  })
})
