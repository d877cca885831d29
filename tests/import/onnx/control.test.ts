import { describe, expect, test } from 'vitest'
import {
  BOOL,
  FLOAT,
  type FunctionSpec,
  type GraphSpec,
  graphOf,
  INT64,
  type ModelSpec,
  type NodeSpec,
  questionsOf,
  refusedOf,
} from './writer'

const x = { name: 'x', dims: [4, 8] }
const flag = { name: 'flag', type: BOOL, dims: [] }

/** 128 bytes a tensor; the longer branch holds three of its own besides its output. */
const shorter: GraphSpec = { nodes: [{ op: 'Relu', in: ['x'], out: ['t'] }], outputs: ['t'] }
const longer: GraphSpec = {
  nodes: [
    { op: 'Abs', in: ['x'], out: ['p'] },
    { op: 'Neg', in: ['x'], out: ['q'] },
    { op: 'Add', in: ['p', 'q'], out: ['r'] },
    { op: 'MatMul', in: ['r', 'w'], out: ['e'] },
  ],
  stored: [{ name: 'w', type: FLOAT, dims: [8, 8] }],
  outputs: ['e'],
}

function choice(then: GraphSpec, otherwise: GraphSpec): ModelSpec {
  const attrs = { then_branch: { graph: then }, else_branch: { graph: otherwise } }
  return { inputs: [flag, x], outputs: ['y'], nodes: [{ op: 'If', name: 'if', in: ['flag'], out: ['y'], attrs }] }
}

describe('If', () => {
  test('is one step that reads what its branches read, with room for the fuller one', () => {
    const { graph, shapes } = graphOf(choice(shorter, longer))
    expect(graph.ops).toHaveLength(1)
    const [op] = graph.ops
    expect(op?.workspace).toBe(3 * 128)
    expect(op?.inputs.map((i) => graph.tensors[i]?.id)).toEqual(['flag', 'x', 'if/else_branch/w'])
    expect(shapes.y).toBe('float32[4, 8]')
  })
  test('takes the branch that its condition names', () => {
    const model = choice(shorter, longer)
    const known = { ...model, inputs: [x], stored: [{ name: 'flag', type: BOOL, dims: [], raw: Uint8Array.of(1) }] }
    const { graph } = graphOf(known)
    expect(graph.ops.map((op) => [op.type, op.workspace])).toEqual([['Relu', undefined]])
    expect(graph.tensors.map((tensor) => tensor.id)).toEqual(['x', 'y'])
  })
  test('offers the question which branch runs, where a small input decides alone', () => {
    const attrs = { then_branch: { graph: shorter }, else_branch: { graph: longer } }
    const model: ModelSpec = {
      inputs: [
        { name: 'rate', type: INT64, dims: [] },
        { ...x, dims: ['N', 8] },
      ],
      outputs: ['y'],
      stored: [{ name: 'high', dims: [], data: [16000] }],
      nodes: [
        { op: 'Equal', in: ['rate', 'high'], out: ['is'] },
        { op: 'If', name: 'if', in: ['is'], out: ['y'], attrs },
      ],
    }
    expect(questionsOf(model).map(({ kind, name, optional }) => [kind, name, optional])).toEqual([
      ['value', 'rate', true],
      ['dim', 'N', undefined],
    ])
    const types = (rate?: number) =>
      graphOf(model, { dims: { N: 4 }, fold: true, ...(rate ? { values: { rate: [rate] } } : {}) }).graph.ops.map(
        (op) => op.type,
      )
    expect(types()).toEqual(['Equal', 'If'])
    expect(types(16000)).toEqual(['Relu'])
    expect(types(8000)).toEqual(['Abs', 'Neg', 'Add', 'MatMul'])
    const data = { ...model, inputs: [{ name: 'rate', type: INT64, dims: [17] }, x] }
    expect(graphOf(data, { values: { rate: [1, 2] } }).notes.join()).toContain('called rate')
  })
  test('leaves out the branch that cannot run with these sizes, and says why', () => {
    const wrong = { nodes: [{ op: 'MatMul', in: ['x', 'x'], out: ['t'] }], outputs: ['t'] }
    const { graph, notes } = graphOf(choice(wrong, shorter))
    expect(graph.ops.map((op) => op.type)).toEqual(['Relu'])
    expect(notes.join()).toContain('If “if”: its then_branch cannot run at these sizes, and was left out. MatMul')
    expect(refusedOf(choice(wrong, wrong)).message).toContain('MatMul “t”')
  })
  test('asks nothing of a branch that is left out', () => {
    const strange: GraphSpec = {
      nodes: [
        { op: 'Strange', domain: 'd', in: ['x'], out: ['s'] },
        { op: 'MatMul', in: ['x', 'x'], out: ['t'] },
      ],
      outputs: ['t'],
    }
    expect(graphOf(choice(strange, shorter)).graph.ops.map((op) => op.type)).toEqual(['Relu'])
  })
  test('plans its branches with reshapes that take no memory', () => {
    const flat: GraphSpec = {
      nodes: [
        { op: 'Abs', in: ['x'], out: ['a'] },
        { op: 'Flatten', in: ['a'], out: ['b'] },
        { op: 'Neg', in: ['b'], out: ['c'] },
        { op: 'Exp', in: ['c'], out: ['t'] },
      ],
      outputs: ['t'],
    }
    // a and b are one, then c beside it; the output is the step's own
    expect(graphOf(choice(flat, shorter)).graph.ops[0]?.workspace).toBe(2 * 128)
  })
  test('counts the larger of two shapes, and says so', () => {
    const wide = { nodes: [{ op: 'Concat', in: ['x', 'x'], out: ['t'], attrs: { axis: 0 } }], outputs: ['t'] }
    const { shapes, notes } = graphOf(choice(shorter, wide))
    expect(shapes.y).toBe('float32[8, 8]')
    expect(notes.join()).toContain('branches of an If')
  })
  test('may have a branch whose output has the name of its own', () => {
    const same = { nodes: [{ op: 'Relu', in: ['x'], out: ['y'] }], outputs: ['y'] }
    expect(graphOf(choice(same, same)).shapes.y).toBe('float32[4, 8]')
  })
  test('needs its branches to make what it makes', () => {
    expect(refusedOf(choice(shorter, { ...longer, outputs: [] })).message).toContain(
      'else_branch has 0 outputs, the operator 1',
    )
  })
})

const turn: GraphSpec = {
  inputs: [{ name: 'i', type: INT64, dims: [] }, { name: 'go', type: BOOL, dims: [] }, { name: 'state' }],
  nodes: [
    { op: 'Add', in: ['state', 'x'], out: ['next'] },
    { op: 'Identity', in: ['go'], out: ['goes'] },
    { op: 'ReduceSum', in: ['next'], out: ['seen'], attrs: { keepdims: 0 } },
  ],
  outputs: ['goes', 'next', 'seen'],
}
const loop: NodeSpec = {
  op: 'Loop',
  name: 'loop',
  in: ['turns', '', 'x'],
  out: ['last', 'all'],
  attrs: { body: { graph: turn } },
}

describe('Loop', () => {
  test('keeps its states and stacks what it collects', () => {
    const { graph, shapes } = graphOf({
      inputs: [x],
      outputs: ['last', 'all'],
      stored: [{ name: 'turns', dims: [], data: [7] }],
      nodes: [loop],
    })
    expect(shapes).toMatchObject({ last: 'float32[4, 8]', all: 'float32[7]' })
    // i 8, go 1, state 128, next 128, goes 1, seen 4: at the last of the three steps state and go have gone
    expect(graph.ops[0]?.workspace).toBe(8 + 1 + 128 + 128)
  })
  test('asks how often it turns', () => {
    const model = { inputs: [x, { name: 'turns', type: INT64, dims: [] }], outputs: ['last', 'all'], nodes: [loop] }
    expect(questionsOf(model).map(({ kind, name }) => [kind, name])).toEqual([['dim', 'all[0]']])
    expect(graphOf(model, { dims: { 'all[0]': 3 } }).shapes.all).toBe('float32[3]')
  })
  test('with a state that grows asks for its size', () => {
    const grows: GraphSpec = {
      ...turn,
      nodes: [
        { op: 'Concat', in: ['state', 'x'], out: ['next'], attrs: { axis: 0 } },
        { op: 'Identity', in: ['go'], out: ['goes'] },
      ],
      outputs: ['goes', 'next'],
    }
    const model: ModelSpec = {
      inputs: [x],
      outputs: ['last'],
      stored: [{ name: 'turns', dims: [], data: [7] }],
      nodes: [{ ...loop, out: ['last'], attrs: { body: { graph: grows } } }],
    }
    expect(questionsOf(model).map(({ kind, name }) => [kind, name])).toEqual([['bytes', 'last']])
  })
})

test('Scan goes along an axis and stacks along another', () => {
  const each: GraphSpec = {
    inputs: [{ name: 'sum' }, { name: 'row' }],
    nodes: [
      { op: 'Add', in: ['sum', 'row'], out: ['more'] },
      { op: 'Neg', in: ['row'], out: ['turned'] },
    ],
    outputs: ['more', 'turned'],
  }
  const { graph, shapes } = graphOf({
    inputs: [{ name: 'start', dims: [8] }, x],
    outputs: ['total', 'rows'],
    nodes: [
      {
        op: 'Scan',
        in: ['start', 'x'],
        out: ['total', 'rows'],
        attrs: { body: { graph: each }, num_scan_inputs: 1, scan_output_axes: [1] },
      },
    ],
  })
  expect(shapes).toMatchObject({ total: 'float32[8]', rows: 'float32[8, 4]' })
  // sum, row and more; then row, more and turned
  expect(graph.ops[0]?.workspace).toBe(3 * 32)
})

const twice = {
  name: 'Twice',
  domain: 'my.own',
  in: ['a', 'b'],
  out: ['r'],
  attrs: ['axis'],
  nodes: [
    { op: 'Concat', in: ['a', 'a'], out: ['t'], attrs: { axis: { ref: 'axis' } } },
    { op: 'Clip', in: ['t', 'b'], out: ['r'] },
  ],
}

describe('functions of the model', () => {
  test('are replaced by their bodies, with their attributes', () => {
    const { graph, shapes, notes } = graphOf({
      inputs: [x],
      outputs: ['y', 'z'],
      functions: [twice],
      opsets: { 'my.own': 1 },
      nodes: [
        { op: 'Twice', domain: 'my.own', name: 'first', in: ['x'], out: ['y'], attrs: { axis: 1 } },
        { op: 'Twice', domain: 'my.own', name: 'second', in: ['y'], out: ['z'], attrs: { axis: 0 } },
      ],
    })
    expect(graph.ops.map((op) => op.id)).toEqual(['first/t', 'first/r', 'second/t', 'second/r'])
    expect(shapes['first/r']).toBe('float32[4, 16]')
    expect(shapes['second/r']).toBe('float32[8, 16]')
    expect(notes.join()).toContain('2 calls of functions')
  })
  test('that call themselves are refused', () => {
    const own = { ...twice, nodes: [{ op: 'Twice', domain: 'my.own', in: ['a', 'b'], out: ['r'] }] }
    const nodes = [{ op: 'Twice', domain: 'my.own', name: 'n', in: ['x', 'x'], out: ['y'] }]
    expect(refusedOf({ inputs: [x], outputs: ['y'], functions: [own], nodes }).message).toContain('nested more than')
  })
  test('that multiply are refused before they fill the memory', () => {
    const doubled = (inner: NodeSpec): string => {
      const functions: FunctionSpec[] = Array.from({ length: 40 }, (_, i) => ({
        name: `F${i}`,
        domain: 'd',
        in: ['a'],
        out: ['r'],
        nodes: [
          { op: `F${i + 1}`, domain: 'd', in: ['a'], out: ['t'] },
          { op: `F${i + 1}`, domain: 'd', in: ['t'], out: ['r'] },
        ],
      }))
      functions.push({ name: 'F40', domain: 'd', in: ['a'], out: ['r'], nodes: [inner] })
      const nodes = [{ op: 'F0', domain: 'd', in: ['x'], out: ['y'] }]
      return refusedOf({ inputs: [x], outputs: ['y'], functions, nodes }).message
    }
    expect(doubled({ op: 'Relu', in: ['a'], out: ['r'] })).toMatch(/more than \d+ operators/)
    expect(doubled({ op: 'Max', in: new Array(1000).fill('a'), out: ['r'] })).toMatch(/name more than \d+ tensors/)
  })
  test('whose names grow are refused', () => {
    const own = {
      ...twice,
      nodes: [{ op: 'Twice', domain: 'my.own', name: 'n'.repeat(500), in: ['a', 'b'], out: ['r'] }],
    }
    const nodes = [{ op: 'Twice', domain: 'my.own', name: 'n', in: ['x', 'x'], out: ['y'] }]
    expect(refusedOf({ inputs: [x], outputs: ['y'], functions: [own], nodes }).message).toMatch(/characters\.$/)
  })
})
