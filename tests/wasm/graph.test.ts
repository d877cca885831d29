/** Graphs through the core and the client: what the page sees of them, and that the importers' CSV arrives as it was meant. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Core } from '../../wasm/client/core'
import { type Client, ClientError, type GraphModel, type PackedGraph, type ProfileSpec } from '../../wasm/client/types'
import type { Graph } from '../../web/src/import/graph'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import { packGraph } from '../../web/src/import/packed'
import { type Entry, generate, zoo } from '../../examples/zoo'
import { TWO_BRANCHES } from '../two_branches'
import { config, FIVE, makeCore, nodeClient, random } from './support'

/** A convolution with weights and scratch, an activation, a reshape and a dense layer on the same weights. */
const SMALL = `# rows in any order
op,conv,Conv,x;w,a,,,64
tensor,x,100,input,,1x10x10,int8
tensor,w,50,constant
tensor,a,80
tensor,b,80
tensor,c,80
tensor,y,30,output
op,relu,Relu,a,b,b=a
op,reshape,Reshape,b,c,,c=b
op,fc,Gemm,c;w,y
`

const NO_BANK: ProfileSpec = { capacity: 0, reserved: 0, alignment: 1, alignBy: 'offset', bank: 0, mayCross: true }

function opened(core: Core, text: string, options: Record<string, string> = {}): GraphModel {
  const result = core.openGraph(text, options)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.model
}

describe('a graph in the core', () => {
  test('is lowered, and every tensor knows its buffer', async () => {
    const core = await makeCore()
    const result = core.openGraph(SMALL, {})
    if (!result.ok) throw new Error('not read')
    const { model, problem } = result
    expect([...problem.ids]).toEqual(['x', 'a', 'b', 'y', 'conv:workspace'])
    expect([...problem.lower]).toEqual([0, 0, 1, 3, 0])
    expect([...problem.upper]).toEqual([1, 2, 4, 4, 1])
    expect(model.tensors.kind).toEqual(['input', 'constant', 'activation', 'activation', 'activation', 'output'])
    expect([...model.tensors.buffer]).toEqual([0, -1, 1, 2, 2, 3])
    expect([...model.tensors.producer]).toEqual([-1, -1, 0, 1, 2, 3])
    expect([...model.tensors.bytes]).toEqual([100, 50, 80, 80, 80, 30])
    expect([model.tensors.shape[0], model.tensors.dtype[0], model.tensors.shape[1]]).toEqual(['1x10x10', 'int8', ''])
    expect(model.ops.ids).toEqual(['conv', 'relu', 'reshape', 'fc'])
    expect(model.ops.types).toEqual(['Conv', 'Relu', 'Reshape', 'Gemm'])
    expect([...model.ops.workspace]).toEqual([4, -1, -1, -1])
    expect([...model.ops.inputs]).toEqual([0, 1, 2, 3, 4, 1])
    expect([...model.ops.inputStart]).toEqual([0, 2, 3, 4, 6])
    expect([...model.ops.outputs]).toEqual([2, 3, 4, 5])
    expect([...model.ops.outputStart]).toEqual([0, 1, 2, 3, 4])
    expect(model.budgets).toEqual({ required: 244, half: 244, peak: 244 })
    expect(model.notes).toEqual(['1 constant out of the arena: 50 bytes.'])
    expect(model.csv).toBe('id,lower,upper,size\nx,0,1,100\na,0,2,80\nb,1,4,80\ny,3,4,30\nconv:workspace,0,1,64\n')
  })

  test('operators come as they run, with the row they have in the file', async () => {
    const two =
      'tensor,x,9,input\ntensor,a,8\ntensor,b,1\ntensor,c,1,output\nop,big,,x,a\nop,small,,x,b\nop,end,,a;b,c\n'
    const core = await makeCore()
    const { ops, tensors } = opened(core, two, { order: 'greedy' })
    expect(ops.ids).toEqual(['small', 'big', 'end'])
    expect([...ops.row]).toEqual([1, 0, 2])
    expect([...tensors.producer]).toEqual([-1, 1, 0, 2])
    expect([...ops.outputs]).toEqual([2, 1, 3])
  })

  test('a plan comes back whole: the order, and what is where from when to when', async () => {
    const core = await makeCore()
    const { tensors, ops } = opened(core, TWO_BRANCHES)
    core.start({ ...config('cosma', 15), goal: 'traffic' })
    while (core.step(1000) === 'running');
    const { stats, plan } = core.result()
    expect([stats.outcome, stats.cost, stats.lowerBound]).toEqual(['optimal', 14, 14])
    if (!plan) throw new Error('no plan')
    const { count, item, outside, lower, upper } = plan.stays
    const rows = Array.from({ length: count }, (_, k) => {
      const name = tensors.ids[item[k]!] ?? `${ops.ids[[...ops.row].indexOf(item[k]! - tensors.count)]}:workspace`
      return `${name} ${outside[k] ? 'outside' : 'arena'} ${lower[k]}-${upper[k]}`
    })
    expect([...plan.order]).toEqual([0, 2, 1, 3, 4])
    expect(rows.filter((row) => /^[xb] /.test(row)).sort()).toEqual([
      'b arena 1-2',
      'b arena 4-5',
      'b outside 2-4',
      'x arena 0-1',
      'x arena 2-3',
      'x outside 0-2',
    ])
  })

  test('a search in layers says what each layer keeps', async () => {
    const core = await makeCore()
    opened(core, TWO_BRANCHES)
    core.start({ ...config('cosma', 15), goal: 'traffic' })
    while (core.step(1000) === 'running');
    const { steps } = core.stats()
    const layers = core.seek(steps, steps, 0).events.flatMap((event) => (event.kind === 'expand' ? [event] : []))
    const first = layers.filter(({ stage }) => stage === 0)
    expect(first.slice(0, 5).map(({ layer, states }) => [layer, states])).toEqual([0, 1, 2, 3, 4].map((k) => [k, 1]))
    expect(Math.max(...layers.map(({ states }) => states))).toBeGreaterThan(1)
  })

  test('the options come from the table', async () => {
    const core = await makeCore()
    const { graphOptions } = core.manifest
    expect(graphOptions.map(({ name, initial }) => [name, initial])).toEqual([
      ['constants', 'out'],
      ['prefetch', '3'],
      ['preserve_inputs', 'false'],
      ['inplace', 'false'],
      ['alias', 'true'],
      ['workspace', 'true'],
      ['alignment', '1'],
      ['align_by', 'offset'],
      ['order', 'file'],
      ['share_io', 'true'],
      ['inplace_ops', 'any'],
    ])
    for (const { name, initial } of graphOptions)
      expect(opened(core, SMALL, { [name]: initial }).csv).toBe(opened(core, SMALL).csv)
    expect(opened(core, SMALL, { constants: 'streamed', prefetch: '1' }).csv).toMatch(
      /\nw,0,1,50\n[\s\S]*\nw:2,2,4,50\n$/,
    )
    expect(() => core.openGraph(SMALL, { order: 'random' })).toThrow(
      new ClientError('order is “random”, expected one of file|depth-first|breadth-first|greedy', 'argument'),
    )
    expect(() => core.openGraph(SMALL, { none: '1' })).toThrow('none is no option of lowering')
  })

  test('errors are named, and change nothing', async () => {
    const core = await makeCore()
    core.open(FIVE)
    const bad = core.openGraph('tensor,a,x\nop,o,t,b,c\n', {})
    expect(bad).toMatchObject({ ok: false, total: 3 })
    expect(!bad.ok && bad.errors[1]).toEqual({
      line: 2,
      column: 8,
      length: 1,
      field: 'inputs',
      message: 'has “b”, expected the id of a tensor',
    })
    expect(core.bufferCount).toBe(5)
    expect(core.exportCsv(null)).toContain('b5,')
  })

  test('nothing stays behind', async () => {
    const core = await makeCore()
    opened(core, SMALL)
    const { used } = core.memory()
    for (let k = 0; k < 20; k++) opened(core, SMALL, { constants: 'streamed' })
    core.openGraph('op,x\n', {})
    opened(core, SMALL)
    expect(core.memory().used).toBe(used)
  })
})

describe('what an importer writes', () => {
  test('arrives whole', async () => {
    const core = await makeCore()
    const graph: Graph = {
      name: 'odd names',
      tensors: [
        { id: 'in;put=1', bytes: 64, kind: { input: true, output: true }, shape: [1, 8, 8], dtype: 'int8' },
        { id: 'weights, "a\\b"', bytes: 7, kind: { constant: true }, alignment: 16 },
        { id: '#layer 1/Relu:0', bytes: 64, kind: {}, shape: [], dtype: 'odd,type' },
        { id: 'größe', bytes: 64, kind: {} },
        { id: ' state ', bytes: 8, kind: { variable: true } },
        { id: 'scratch', bytes: 5, kind: { workspace: true } },
        { id: 'out', bytes: 64, kind: { output: true } },
        { id: 'passed', bytes: 64, kind: {} },
      ],
      ops: [
        { id: 'a,b', type: 'Conv;2', inputs: [0, 1, 5], outputs: [2], workspace: 12 },
        { id: 'c', type: '', inputs: [2, 4], outputs: [3], inplace: [[3, 2]] },
        { id: 'd', type: 'Reshape', inputs: [3], outputs: [7], alias: [[7, 3]] },
        { id: 'e', type: 'Add', inputs: [7], outputs: [6] },
      ],
    }
    const result = core.openGraph(writeGraphCsv(graph), { constants: 'resident', inplace: 'true' })
    if (!result.ok) throw new Error(JSON.stringify(result.errors))
    const { tensors, ops } = result.model
    expect(tensors.ids).toEqual(graph.tensors.map((tensor) => tensor.id))
    expect([...tensors.bytes]).toEqual(graph.tensors.map((tensor) => tensor.bytes))
    expect(tensors.kind.slice(0, 6)).toEqual([
      'input+output',
      'constant',
      'activation',
      'activation',
      'variable',
      'workspace',
    ])
    expect(tensors.shape.slice(0, 3)).toEqual(['1x8x8', '', 'scalar'])
    expect(tensors.dtype.slice(0, 3)).toEqual(['int8', '', 'odd,type'])
    expect(ops.ids).toEqual(graph.ops.map((op) => op.id))
    expect(ops.types).toEqual(graph.ops.map((op) => op.type))
    expect([...ops.inputs]).toEqual(graph.ops.flatMap((op) => [...op.inputs]))
    expect([...ops.outputs]).toEqual(graph.ops.flatMap((op) => [...op.outputs]))
    const buffer = [...tensors.buffer]
    expect([buffer[3], buffer[7]]).toEqual([buffer[2], buffer[2]])
    expect(result.problem.alignment[buffer[1]!]).toBe(16)
    expect(result.problem.size[ops.workspace[0]!]).toBe(12)
  })

  test('arrives whole, whatever the graph', async () => {
    const core = await makeCore()
    for (let seed = 0; seed < 30; seed++) {
      const pick = random(seed)
      const id = (k: number) => `${'\\;=,"# é\t'.slice(0, 8)[pick(8)]}${k}${'\\;=,"#é.'[pick(8)]}`.replace('\t', ' ')
      const tensors = Array.from({ length: 12 }, (_, k) => ({
        id: `t${id(k)}`,
        bytes: 1 + pick(99),
        kind: k < 3 ? { input: true } : k > 10 ? { output: true } : {},
        alignment: 2 ** pick(3),
      }))
      const ops = Array.from({ length: 9 }, (_, k) => ({
        id: id(k),
        type: id(0),
        inputs: [pick(3 + k), pick(3 + k)],
        outputs: [3 + k],
        workspace: pick(2),
      }))
      const graph: Graph = { name: '', tensors, ops }
      const model = opened(core, writeGraphCsv(graph))
      expect(model.tensors.ids).toEqual(tensors.map((tensor) => tensor.id))
      expect(model.ops.ids).toEqual(ops.map((op) => op.id))
      expect([...model.ops.inputs]).toEqual(ops.flatMap((op) => op.inputs))
    }
  })
})

describe('a packed graph', () => {
  const graph: Graph = {
    name: '',
    tensors: [
      { id: 'x', bytes: 8, kind: { input: true } },
      { id: 'a', bytes: 8, kind: {} },
      { id: 'y', bytes: 8, kind: { output: true } },
    ],
    ops: [
      { id: 'first', type: '', inputs: [0], outputs: [1], inplace: [[1, 0]] },
      { id: 'second', type: '', inputs: [1], outputs: [2], alias: [[2, 1]] },
    ],
  }
  /** After 3 words come 4 a tensor, from 15 on 6 an operator, from 27 on the lists: 0 1, 1-0, 1 2, 2-1. */
  const bad: [string, (packed: PackedGraph) => void, string][] = [
    [
      'an input beyond the tensors',
      ({ words }) => words.set([3], 32),
      'inputs of operator “first” names a tensor that there is not',
    ],
    [
      'the largest index',
      ({ words }) => words.set([2 ** 32 - 1], 37),
      'outputs of operator “second” names a tensor that there is not',
    ],
    [
      'a pair beyond the tensors',
      ({ words }) => words.set([9], 39),
      'alias of operator “second” names a tensor that there is not',
    ],
    ['a text beyond the table', ({ words }) => words.set([77], 3), 'id of tensor 1 is text 77, expected less than 6'],
    ['an id twice', ({ words }) => words.set([0], 8), 'id of tensor 2 “x” is already used'],
    [
      'a round',
      ({ words }) => words.fill(2, 32, 33).fill(2, 35, 36),
      'op waits for itself: “first” comes after “second”, in a round of 2 operators',
    ],
    [
      'two that make one',
      ({ words }) => words.set([1], 37),
      'outputs of “second” have “a”, which “first” makes already',
    ],
    [
      'more tensors than there are',
      ({ words }) => words.set([2 ** 32 - 1], 0),
      'words are 40, too few for 4294967295 tensors and 2 operators',
    ],
    [
      'a longer list than there is',
      ({ words }) => words.set([2 ** 31], 20),
      'inputs of operator “first” are 2147483648, expected at most the 8 that follow',
    ],
    ['no list', ({ words }) => words.set([0], 30), 'words are 40, expected 38'],
    [
      'half a byte',
      ({ numbers }) => numbers.set([0.5], 0),
      'bytes of tensor “x” is no whole number that a double holds exactly',
    ],
    [
      'a size below 0',
      ({ numbers }) => numbers.set([-4], 2),
      'bytes of tensor “a” is -4, expected 0 to 9,007,199,254,740,991',
    ],
    [
      'a kind that contradicts itself',
      ({ words }) => words.set([5], 4),
      'kind of tensor “x” is contradictory, expected one of input, constant and variable, perhaps with output, or workspace',
    ],
    ['a text without an end', ({ text }) => text.set([65], text.length - 1), 'texts are 5, expected 6'],
    [
      'too short arrays',
      (packed) => Object.assign(packed, { numbers: packed.numbers.slice(1) }),
      'numbers are 7, expected 8',
    ],
    ['nothing', (packed) => Object.assign(packed, { words: new Uint32Array() }), 'words are 0, expected 3'],
  ]

  test.each(bad)('with %s is refused by name, and changes nothing', async (_, spoil, message) => {
    const core = await makeCore()
    core.open(FIVE)
    const { used } = core.memory()
    const packed = packGraph(graph)
    spoil(packed)
    const result = core.openGraph(packed, {})
    if (result.ok) throw new Error('it was taken')
    expect(result.total).toBe(1)
    expect(result.errors.map(({ line, field, message }) => [line, `${field} ${message}`])).toEqual([[0, message]])
    expect(core.memory().used).toBe(used)
    expect(core.exportCsv(null)).toContain('b5,')
    expect(core.openGraph(packGraph(graph), {})).toMatchObject({ ok: true, problem: { count: 2 } })
  })

  test('leaves nothing behind when it is lowered again', async () => {
    const core = await makeCore()
    core.openGraph(packGraph(graph), {})
    const { used } = core.memory()
    for (let k = 0; k < 20; k++) core.reopenWith({ inplace: 'true' }, { ...NO_BANK, alignment: 64 })
    expect(() => core.reopenWith({ order: 'random' }, null)).toThrow('order is “random”')
    core.reopenWith({}, null)
    expect(core.memory().used).toBe(used)
  })

  test('is lowered again as if it were opened again; a profile that does not take it changes nothing', async () => {
    const core = await makeCore()
    const fresh = core.openGraph(packGraph(graph), { alias: 'false' }, { ...NO_BANK, alignment: 16 })
    core.openGraph(packGraph(graph), {})
    expect(core.reopenWith({}, { ...NO_BANK, bank: 4, mayCross: false })).toMatchObject({ ok: false, total: 1 })
    expect(core.bufferCount).toBe(2)
    expect(core.reopenWith({ alias: 'false' }, { ...NO_BANK, alignment: 16 })).toEqual(fresh)
  })

  test('buffers are placed again without being read', async () => {
    const core = await makeCore()
    const fresh = core.open(FIVE, { ...NO_BANK, alignment: 16 })
    if (!fresh.ok) throw new Error('not read')
    core.open(FIVE)
    expect(core.reopenWith({}, { ...NO_BANK, alignment: 16 })).toEqual({
      ok: true,
      problem: fresh.problem,
      model: null,
    })
    const plain = core.reopenWith({}, null)
    expect(plain.ok && plain.problem.alignment[0]).toBe(1)
  })

  test('nothing that is open cannot be taken again', async () => {
    const core = await makeCore()
    expect(() => core.reopenWith({}, null)).toThrow(new ClientError('There is no problem yet.', 'argument'))
  })
})

describe('a graph through the worker', () => {
  const clients: Client[] = []
  afterEach(() => {
    for (const client of clients.splice(0)) client.dispose()
  })

  test('becomes the problem that is run', async () => {
    const { client } = await nodeClient()
    clients.push(client)
    const result = await client.openGraph(SMALL, { constants: 'resident' })
    expect(result).toMatchObject({ ok: true, problem: { count: 6, lowerBound: 294 } })
    const { stats } = await client.run(config('minimalloc', 294), () => undefined)
    expect(stats).toMatchObject({ outcome: 'optimal', height: 294 })
    expect(await client.exportCsv(null)).toBe(result.ok && result.model.csv)
    await expect(client.openGraph(SMALL, { alignment: '0' })).rejects.toThrow('alignment is “0”')
    expect(await client.openGraph('op\n', {})).toMatchObject({ ok: false, total: 1 })
    expect((await client.seek(1, 0, 0))?.step).toBe(1)
  })

  test('crosses packed, stays the page’s, and is lowered again in whichever module the run is', async () => {
    const { client } = await nodeClient()
    clients.push(client)
    const graph = packGraph(await generate(zoo[0] as Entry, {}))
    const first = await client.openGraph(graph, {})
    expect(graph.words.length).toBeGreaterThan(3)
    const capacity = first.ok ? first.problem.lowerBound * 2 : 0
    await client.run(config('greedy', capacity), () => undefined)
    const again = await client.openGraph(graph, { constants: 'resident' })
    const fresh = (await makeCore()).openGraph(graph, { constants: 'resident' })
    expect(again.ok && again.problem.digest).toBe(fresh.ok && fresh.problem.digest)
    expect(again.ok && again.problem.count).toBeGreaterThan(first.ok ? first.problem.count : 0)
    // another module opens what was lowered last
    const { best } = await client.run(config('telamalloc', 2 ** 40), () => undefined)
    expect(best).toHaveLength(again.ok ? again.problem.count : -1)
  })

  test('is still the problem when the worker had to be replaced', async () => {
    const { client, workers } = await nodeClient({ trap: 'glue_run', trapAfter: 0 }, { trap: '', trapAfter: 0 })
    clients.push(client)
    const result = await client.openGraph(SMALL, {})
    await expect(client.run(config('minimalloc', 300), () => undefined)).rejects.toThrow()
    expect(await client.exportCsv(null)).toBe(result.ok && result.model.csv)
    expect(workers()).toBe(2)
  })
})
