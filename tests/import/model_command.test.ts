/** The command arenascope-model: model files in a terminal. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'
import { KERNEL_NAMES, SWITCHES } from '../../web/src/import/answer_options'
import { main } from '../../web/tools/model'
import { FIVE, moduleBytes } from '../wasm/support'
import { BOOL, FLOAT, type GraphSpec, type ModelSpec, writeModel } from './onnx/writer'
import { type ModelSpec as TfliteSpec, small, two, writeTflite } from './tflite/writer'

const folder = mkdtempSync(join(tmpdir(), 'arenascope-model-'))
const at = (name: string) => join(folder, name)
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(at(name), content)
  return at(name)
}

/** Runs it in this process. */
async function run(...args: string[]) {
  const got = { out: '', err: '' }
  const code = await main(args, () => new Uint8Array(moduleBytes('core')), {
    program: 'arenascope-model',
    out: (content) => {
      got.out += typeof content === 'string' ? content : new TextDecoder().decode(content)
    },
    err: (line) => {
      got.err += `${line}\n`
    },
  })
  return { code, ...got }
}

const open = writeTflite({
  subgraphs: [
    {
      tensors: [
        { name: 'x', shape: [1, 4], signature: [-1, 4] },
        { name: 'y=a,b', shape: [1, 4], signature: [-1, 4] },
        { name: 'z', shape: [1, 4], signature: [-1, 4] },
      ],
      inputs: [0, 1],
      outputs: [2],
      ops: [{ type: 'CONCATENATION', inputs: [0, 1], outputs: [2] }],
    },
  ],
})
const packed: TfliteSpec = {
  buffers: [new Uint8Array(16).fill(1)],
  subgraphs: [
    {
      tensors: [
        { name: 'packed', shape: [8], dtype: 'float16', buffer: 1 },
        { name: 'unpacked', shape: [8], dtype: 'float32' },
        { name: 'x', shape: [8], dtype: 'float32' },
        { name: 'y', shape: [8], dtype: 'float32' },
      ],
      inputs: [2],
      outputs: [3],
      ops: [
        { type: 'DEQUANTIZE', inputs: [0], outputs: [1] },
        { type: 'ADD', inputs: [1, 2], outputs: [3] },
      ],
    },
  ],
}
const whole = file('small.tflite', writeTflite(small))

describe('arenascope-model', () => {
  it('writes the graph as CSV or JSON, and plans nothing for that', async () => {
    const csv = await run('--graph=-', whole)
    expect(csv).toMatchObject({ code: 0, err: '' })
    expect(csv.out.split('\n').slice(0, 3)).toEqual([
      'tensor,image,192,input,,1x8x8x3,int8,NHWC',
      'tensor,weights,108,constant,,4x3x3x3,int8',
      'tensor,"conv;bn",256,,,1x8x8x4,int8,NHWC',
    ])
    const json = await run('--graph-json=-', whole)
    expect(JSON.parse(json.out)).toMatchObject({ name: 'small', ops: [{}, {}, {}] })
    expect((await run('convert', file('again.json', json.out))).out).toBe(csv.out)
    expect((await run('solve', whole)).out).toMatch(/^small: \d+ buffers, /)
  })

  it('says what is open and how to answer, and takes the answers', async () => {
    const path = file('open.tflite', open)
    const asked = await run(path)
    expect(asked).toMatchObject({ code: 2, out: '' })
    expect(asked.err).toContain('open.tflite: ')
    expect(asked.err).toContain('  --dim=batch=1   ')
    const told = await run('--graph=-', '--dim=batch=2,y=a,b[0]=8', path)
    expect(told.code).toBe(0)
    expect(told.out).toContain('tensor,x,8,input,,2x4,int8')
  })

  it('takes values of inputs', async () => {
    const branch = (op: string): GraphSpec => ({ nodes: [{ op, in: ['x'], out: ['t'] }], outputs: ['t'] })
    const attrs = { then_branch: { graph: branch('Relu') }, else_branch: { graph: branch('Neg') } }
    const model: ModelSpec = {
      inputs: [
        { name: 'flag', type: BOOL, dims: [] },
        { name: 'x', dims: [4] },
      ],
      outputs: ['y'],
      nodes: [{ op: 'If', in: ['flag'], out: ['y'], attrs }],
    }
    const path = file('choice.onnx', writeModel(model))
    expect((await run('--graph=-', path)).out).toContain('op,y,If')
    expect((await run('--graph=-', '--value=flag=0', path)).out).toContain(',Neg,')
    expect((await run('--graph=-', '--value=flag=1', path)).out).toContain(',Relu,')
  })

  it('runs another subgraph, by number or signature, or all as TFLite Micro allocates them', async () => {
    const path = file('two.tflite', writeTflite(two))
    const graph = async (...args: string[]) => (await run('--graph=-', ...args, path)).out
    expect(await graph()).toContain('tensor,x,64,input')
    expect(await graph('--subgraph=1')).toBe(await graph('--signature=encode'))
    expect(await graph('--subgraph=1')).toContain('tensor,a,100,input')
    const least = async (...args: string[]) =>
      /buffers, (\d+) bytes/.exec((await run('--planner=tflm', ...args, path)).out)?.[1]
    // 64 + 64 bytes, 112 + 112, and the greater of both
    expect([await least('--subgraph=0'), await least('--subgraph=1'), await least()]).toEqual(['128', '224', '224'])
    expect(await run('--signature=none', path)).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no signature “none”, only serve, encode'),
    })
    expect(await run('--subgraph=2', path)).toMatchObject({ code: 2, err: expect.stringContaining('no subgraph 2') })
  })

  it('takes scratch by name and kind, or from a log of TFLite Micro with its tail', async () => {
    const graph = async (...args: string[]) => await run('--graph=-', ...args, whole)
    const rows = await graph('--scratch=CONV_2D 0:100,RELU:24', '--scratch=RELU:8,NONE:1')
    expect(rows.out.match(/tensor,"?[^\n]*scratch[^\n]*/g)).toEqual([
      'tensor,"CONV_2D 0, scratch",100,workspace',
      'tensor,"RELU 1, scratch 1",24,workspace',
      'tensor,"RELU 1, scratch 2",8,workspace',
    ])
    expect(rows.err).toContain('No operator or kind of operator is called NONE')
    const requests = [192, 256, 256, 256, 112].map((bytes, id) => {
      const [first, last] = id === 4 ? [1, 1] : [id, Math.min(id + 1, 3)]
      return `[I] (id=${id}): size=${bytes}, offset=0, first_used=${first} last_used=${last}\n`
    })
    const tail =
      "Arena allocation tail 1664 bytes\n'TfLiteEvalTensor data' used 60 bytes with alignment overhead (requested 60 bytes for 5 allocations)\n"
    const log = file('device.log', requests.join('') + tail)
    expect((await graph(`--log=${log}`)).out).toContain('tensor,"CONV_2D 0, scratch",112,workspace')
    expect((await run(`--log=${log}`, whole)).err).toContain(
      'With the tail of 1,664 bytes that the log has, the least arena that runs is 2,224 bytes.',
    )
    const other = file('other.log', requests.join('').replace('size=192', 'size=208'))
    expect(await graph(`--log=${other}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('the log is of another model: its request 0 takes 208 bytes, image 192'),
    })
    const late = file('late.log', requests.join('').replaceAll('first_used=1 last_used=1', 'first_used=9 last_used=9'))
    expect((await graph(`--log=${late}`)).err).toContain('its scratch at time 9 is of no operator here')
    const empty = file('empty.log', 'nothing\n')
    expect((await graph(`--log=${empty}`)).err).toContain('the log has no line of TFLite Micro')
    expect(await graph('--scratch=RELU')).toMatchObject({ code: 2, err: expect.stringContaining('OP:BYTES') })
    const json = file('rows.json', (await run('--graph-json=-', whole)).out)
    expect((await run('--graph=-', '--scratch=RELU:24', json)).out).toMatch(/op,RELU 1,RELU,.*,24,1 1 1 1\n/)
  })

  it('ends as it fits: with 0, 1 if it cannot, 3 if that is not known', async () => {
    const least = await run(whole)
    expect(least).toMatchObject({ code: 0, out: expect.stringContaining('(optimal)') })
    const bytes = Number(/buffers, ([\d,]+) bytes/.exec(least.out)?.[1]?.replaceAll(',', ''))
    expect(bytes).toBeGreaterThan(0)
    expect(await run(`--capacity=${bytes}`, whole)).toMatchObject({ code: 0 })
    expect(await run(`--capacity=${bytes - 1}`, whole)).toMatchObject({
      code: 1,
      out: expect.stringContaining('does not fit into'),
    })
    // five buffers that fit into 12, where the search is not let to find it out
    const five = file('five.csv', FIVE)
    expect(await run('--solver=minimalloc', '--steps=1', '--capacity=12', five)).toMatchObject({ code: 3 })
    expect(await run('--solver=minimalloc', '--capacity=12', five)).toMatchObject({ code: 0 })
  })

  it('writes what the page writes', async () => {
    const forms = ['csv', 'json', 'header', 'tflite', 'buffer-plan', 'graph']
    const done = await run('--alignment=16', ...forms.map((form) => `--${form}=${at(form)}`), whole)
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('small: ') })
    const text = (form: string) => readFileSync(at(form), 'utf8')
    expect(text('csv')).toMatch(/^id,lower,upper,size,.*offset\n/)
    expect(JSON.parse(text('json'))).toMatchObject({ format: 'arenascope-plan', run: { solver: 'exact' } })
    expect(text('header')).toContain('#define SMALL_ARENA_BYTES')
    expect(text('buffer-plan')).toContain('kArenascopeBufferPlan')
    expect(text('graph')).toContain('tensor,image,192,input')
    const again = await run('--graph=-', file('planned.tflite', readFileSync(at('tflite'))))
    expect(again.out).toBe(text('graph'))
    expect(await run('--tflite=-', file('plain.json', (await run('--graph-json=-', whole)).out))).toMatchObject({
      code: 2,
      err: expect.stringContaining('--tflite needs a .tflite'),
    })
  })

  it('holds resident weights once, under however many names', async () => {
    const names = ['a', 'b', 'c']
    const shared = file(
      'shared.onnx',
      writeModel({
        inputs: [{ name: 'x0', dims: [2, 64] }],
        outputs: ['y'],
        stored: [{ name: 'w', type: FLOAT, dims: [64, 64] }],
        nodes: [
          ...names.map((name) => ({ op: 'Identity', in: ['w'], out: [name] })),
          ...names.map((name, i) => ({ op: 'MatMul', in: [`x${i}`, name], out: [`x${i + 1}`] })),
          { op: 'MatMul', in: ['x3', 'w'], out: ['y'] },
        ],
      }),
    )
    for (const switches of [[], ['--no-fold'], ['--no-fold', '--no-fuse']]) {
      const { out } = await run('--csv=-', '--constants=resident', ...switches, shared)
      expect(out.match(/^[^,]+,\d+,\d+,16384,/gm)).toHaveLength(1)
    }
  })

  it('takes options of the lowering and of the solver', async () => {
    const of = async (...args: string[]) => (await run('--csv=-', ...args, whole)).out
    expect(await of('--constants=resident')).toContain('weights')
    expect(await of()).not.toContain('weights')
    expect((await run('--solver=tflm', whole)).code).toBe(0)
    expect(await run('--preserve=1', whole)).toMatchObject({ code: 2, err: expect.stringContaining('no option') })
    expect(await run('--alias=maybe', whole)).toMatchObject({ code: 2, err: expect.stringContaining('alias') })
    expect(await run('--solver=none', whole)).toMatchObject({ code: 2, err: expect.stringContaining('no solver') })
  })

  it('takes a profile: its memory, alignment and banks', async () => {
    const plan = async (...args: string[]) => JSON.parse((await run('--json=-', ...args, whole)).out)
    expect(await plan('--profile=maxim-max78000')).toMatchObject({
      problem: { profile: 'MAX78000' },
      run: { capacity: 524288 },
    })
    expect(await plan('--profile=maxim-max78000', '--capacity=1000')).toMatchObject({ run: { capacity: 1000 } })
    expect(await run('--profile=max78', whole)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--profile: there is no “max78”; do you mean maxim-max78000'),
    })
    expect(await run('--profile=none', whole)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--profiles lists'),
    })
    expect((await run('--profiles')).out).toMatch(/^maxim-max78000 +524,288 {2}/m)
  })

  it('plans as a planner of the field does, with its lowering', async () => {
    const plan = async (...args: string[]) => (await run('--csv=-', ...args, whole)).out
    const lowered = await plan('--subgraph=all', '--solver=tflm', '--alias=false', '--alignment=16', '--align_by=size')
    expect(await plan('--planner=tflm')).toBe(lowered)
    expect(await plan('--solver=tflm')).not.toBe(lowered)
    const solverOf = async (...args: string[]) => JSON.parse((await run('--json=-', ...args, whole)).out).run.solver
    expect(await solverOf('--planner=vela')).toBe('vela-hill-climb')
    expect(await solverOf('--planner=litert', '--solver=exact')).toBe('exact')
    // what is said itself goes before
    expect(await plan('--planner=tflm', '--alias=true')).not.toBe(lowered)
    expect(await run('--planner=tvm', whole)).toMatchObject({
      code: 2,
      err: expect.stringContaining('none of tflm, litert, vela'),
    })
  })

  it('plans a list of buffers, which nobody lowers, as a planner’s solver does', async () => {
    const five = file('buffers.csv', FIVE)
    for (const [planner, solver] of [
      ['tflm', 'tflm'],
      ['litert', 'litert'],
      ['vela', 'vela-hill-climb'],
    ])
      expect(await run(`--planner=${planner}`, five)).toEqual(await run(`--solver=${solver}`, five))
    expect((await run('--planner=tflm', five)).out).toMatch(/^buffers: 5 buffers, /)
    expect((await run('--planner=tflm', '--alias=true', five)).err).toContain('--alias: there is no option')
  })

  it('reads a .tflite as TFLite Micro does where it plans as it: weights are unpacked in each run', async () => {
    const half = file('half.tflite', writeTflite(packed))
    const plan = async (...args: string[]) => (await run('--csv=-', ...args, half)).out
    expect(await plan('--planner=tflm')).toMatch(/^unpacked,/m)
    expect(await plan('--planner=litert')).not.toMatch(/^unpacked,/m)
    expect(await plan('--solver=tflm')).not.toMatch(/^unpacked,/m)
  })

  it('has help of every option, and choices in the words of the page', async () => {
    const { out } = await run('--help')
    const flags =
      'dim bytes value signature subgraph scratch log kernels capacity profile planner solver steps seed graph csv json header tflite buffer-plan'
    for (const flag of flags.split(' ')) expect(out).toMatch(new RegExp(`^ {2}--${flag}=`, 'm'))
    for (const choice of Object.keys(KERNEL_NAMES)) expect(out).toContain(choice)
    for (const name of Object.keys(SWITCHES)) expect(out).toContain(`--no-${name}`)
    for (const row of out.split('\n')) expect(row.length).toBeLessThanOrEqual(140)
  })

  it('looks for the least first where no plan can be lower, as Vela does', async () => {
    // what Vela 5.2 made of a DS-CNN, which it places in 22,432 bytes
    const spans = [
      [0, 1, 1136],
      [0, 2, 3376],
      [0, 2, 496],
      [0, 4, 8000],
      [1, 4, 1328],
      [2, 6, 8000],
      [3, 6, 4752],
      [4, 8, 8000],
      [5, 8, 1328],
      [6, 10, 8000],
      [7, 10, 4752],
      [8, 12, 8000],
      [9, 12, 1472],
      [10, 14, 8000],
      [11, 14, 4752],
      [12, 16, 8000],
      [13, 16, 1328],
      [14, 18, 8000],
      [15, 18, 4752],
      [16, 20, 8000],
      [17, 20, 1680],
    ]
    const table = file(
      'vela.csv',
      `id,lower,upper,size\n${spans.map((span, at) => `b${at},${span.join()}\n`).join('')}`,
    )
    for (const solver of ['vela-hill-climb', 'exact'])
      expect((await run(`--solver=${solver}`, table)).out).toMatch(/ 22,432 bytes, lower bound 22,432 \(optimal\)/)
  })

  it('takes alignments whose sum is beyond all memory', async () => {
    const apart = (bytes: number) =>
      file('far.csv', `id,lower,upper,size,alignment\na,0,1,3,${bytes}\nb,0,1,3,${bytes}\n`)
    expect(await run(apart(2 ** 52))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ 4,503,599,627,370,499 bytes, /),
    })
    expect(await run(apart(2 ** 53 - 1))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/does not fit into any memory/),
    })
  })

  it.each([
    ['alignments', 'id,lower,upper,size,alignment\na,0,1,3,16\nb,0,1,3,16\nc,0,1,3,16\n', '35'],
    ['banks', 'id,lower,upper,size,bank\na,0,1,20000,32768\nb,0,1,20000,32768\nc,0,1,20000,32768\n', '85,536'],
    ['both, apart', 'id,lower,upper,size,alignment,bank\na,0,1,60,63,64\nb,0,1,60,63,64\nc,0,1,60,63,64\n', '3,903'],
  ])('lets the least be more than all sizes: %s', async (_, csv, least) => {
    const table = file('apart.csv', csv)
    const line = (outcome: string) => new RegExp(`^apart: 3 buffers, ${least} bytes, .*\\(${outcome}\\)`)
    expect(await run(table)).toMatchObject({ code: 0, out: expect.stringMatching(line('optimal')) })
    for (const solver of ['large', 'minimalloc'])
      expect(await run(`--solver=${solver}`, table)).toMatchObject({
        code: 0,
        out: expect.stringMatching(line('feasible')),
      })
  })

  it('looks for the least height where more than the load is needed', async () => {
    const csv = join(ROOT, 'examples/infeasible-32.csv')
    expect((await run(csv)).out).toMatch(/ 17 bytes, lower bound 17 \(optimal\)/)
    expect((await run('--solver=large', csv)).out).toMatch(/ 17 bytes, lower bound 15 \(feasible\)/)
    const graph = join(ROOT, 'examples/graphs/resnet50_fpn.graph.csv')
    expect((await run('--alignment=4096', graph)).out).toMatch(/ 2,674,944 bytes, .*\(optimal\)/)
  })

  it('holds pools to their own capacities', async () => {
    const pools = join(ROOT, 'examples/pools.csv')
    // the height is that of all pools together, 40 bytes are those of one
    expect(await run('--capacity=40', pools)).toMatchObject({
      code: 0,
      out: expect.stringContaining(' 108 bytes, lower bound 108 (optimal)'),
    })
    const never = file('never.csv', 'pool,x,5\nid,lower,upper,size,pool\na,0,1,3,x\nb,0,1,3,x\n')
    expect(await run(never)).toMatchObject({ code: 1, out: expect.stringContaining('does not fit into any memory') })
    expect(await run('--solver=greedy', never)).toMatchObject({ code: 3, out: expect.stringContaining('undecided') })
  })

  it('passes on what is CSV, and writes tables as buffer CSV', async () => {
    const csv = 'id,lower,upper,size\na,0,1,2\n'
    expect((await run('--graph=-', file('a.csv', csv))).out).toBe(csv)
    const log = file('log.txt', '(id=0): size=5, offset=0, first_used=3 last_used=3\n')
    expect((await run('--graph=-', log)).out).toBe('id,lower,upper,size\nid0,3,4,5\n')
  })

  it('lowers and plans a graph CSV, its own or another', async () => {
    const graph = file('small.graph.csv', (await run('convert', whole)).out)
    const [model, csv] = [await run(whole), await run(graph)]
    expect(csv).toMatchObject({ code: 0, err: '' })
    expect(csv.out).toBe(model.out.replace('small:', 'small.graph:'))
    const other = await run('--planner=tflm', '--capacity=99000000', join(ROOT, 'examples/graphs/blazeface.graph.csv'))
    expect(other).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^blazeface.graph: 78 buffers, 344,064 of 99,000,000 bytes/),
    })
    expect((await run('--graph-json=-', graph)).err).toContain('--graph-json needs a model: this is a CSV')
  })

  it('reads what gzip has compressed', async () => {
    const csv = 'id,lower,upper,size\na,0,1,5\n'
    expect(await run('convert', file('a.csv.gz', gzipSync(csv)))).toMatchObject({ code: 0, out: csv })
    const cut = await run(file('b.csv.gz', gzipSync(csv).subarray(0, 15)))
    expect(cut).toMatchObject({ code: 2, err: expect.stringMatching(/compressed by gzip and cannot be unpacked/) })
  })

  it('tells wrong usage and files that cannot be read', async () => {
    for (const args of [
      [],
      ['a', 'b'],
      ['--dim'],
      ['--dim=x', 'a'],
      ['--capacity=x', 'a'],
      ['--csv=-', '--json=-', 'a'],
    ])
      expect(await run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--help says more') })
    expect((await run('--header', whole)).err).toContain(`no file is named: --header took ${whole} for its value`)
    expect(await run(at('none'))).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') })
    expect(await run(file('bad.tflite', open.subarray(0, 100)))).toMatchObject({
      code: 2,
      err: expect.stringContaining('bad.tflite: '),
    })
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('usage: arenascope-model') })
  })

  it('is one file that runs where nothing is installed', async () => {
    const output = at('arenascope-model.mjs')
    await bundle(join(ROOT, 'web/tools/arenascope_model.ts'), output)
    expect(existsSync(at('node_modules'))).toBe(false)
    const done = spawnSync(process.execPath, [output, 'small.tflite'], { encoding: 'utf8', cwd: folder })
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toMatch(/^small: \d+ buffers, /)
  })
})
