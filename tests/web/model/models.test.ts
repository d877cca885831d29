/** Models in the session: lowered again, imported with questions, made by the zoo, kept between visits. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Handed, type ImportAnswers, NO_ANSWERS } from '../../../web/src/import/imported'
import {
  answerImport,
  cancelImport,
  importInto,
  lowerWith,
  openZoo,
  setLowering,
} from '../../../web/src/run/model/models'
import { Actions } from '../../../web/src/run/actions'
import { backToAll, openOnlyThese } from '../../../web/src/run/solver/open_unfit'
import { gather, reopen } from '../../../web/src/run/share/link'
import { Session } from '../../../web/src/run/session'
import { usable } from '../../../web/src/state/profile/profile'
import { known } from '../../../web/src/state/profile/profile_texts'
import * as a from '../../../web/src/state/atoms'
import { colour, fileOpen, filePlan, ofModels, opMarks, scene } from '../../../web/src/state/workbench'
import { kindOfText } from '../../../web/src/state/share/recognize'
import type { Shared } from '../../../web/src/state/share/schema'
import { Ledger } from '../../../web/src/state/share/ledger'
import { KEYS } from '../../../web/src/state/share/box'
import { DESK, type Kept, restore } from '../../../web/src/state/share/storage'
import { decodeFile, decodeLink, encodeFile, encodeLink } from '../../../web/src/state/share/codec'
import { networks, optionsOf } from '../../../web/src/state/model/zoo_networks'
import { FakeClient, FakeStorage, fiveBuffers } from '../support/fake'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { Source } from '../../../web/src/state/workbench_values'
import { importModel } from '../../../web/src/import/model'
import { packGraph } from '../../../web/src/import/packed'
import { fromBytes } from '../../../web/src/import/source'
import { textOf } from '../../../web/src/run/problem/given_text'

const GRAPH = 'tensor,a,1\nop,x,Relu,a,b\n'
const MODEL: Source = { kind: 'model', name: 'net', lowering: {}, from: { kind: 'file', format: '' } }

const imports = vi.hoisted(() => ({
  answers: [] as unknown[],
  reply: (_: File): Promise<unknown> => Promise.reject(new Error('no reply')),
  told: (_: number) => {},
}))
vi.mock('../../../web/src/import/import_client', () => ({
  importFile: (file: File, answers: ImportAnswers, progress: (done: number) => void, signal: AbortSignal) => {
    imports.answers.push(answers)
    imports.told = progress
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      imports.reply(file).then(resolve, reject)
    })
  },
}))

let client: FakeClient
let session: Session

beforeEach(async () => {
  client = new FakeClient()
  session = new Session(client, { request: () => {}, cancel: () => {} })
  await session.start()
  await session.clear()
  cancelImport()
  imports.answers = []
})

const reply = (imported: Handed) => {
  imports.reply = async () => imported
}
const graph = packGraph({ name: 'net', tensors: [{ id: 'x', bytes: 4, kind: { input: true } }], ops: [] })
const imported: Handed = { ok: true, graph, notes: ['One thing was assumed.'], format: 'tflite' }
const file = new File(['TFL3'], 'net.tflite')
const openCsv = async () => false
const textOpen = () => textOf(workbench.opened.get()?.text ?? '')

describe('a model that is open', () => {
  beforeEach(() => session.open(GRAPH, MODEL, 'net'))

  it('has its operators, and colours by their type unless another colour was chosen', () => {
    expect(workbench.opened.get()?.model?.ops.count).toBe(5)
    expect(colour.get()).toBe('type')
    expect(scene.get()?.operators?.maker.length).toBe(6)
    workbench.colourChoice.set('size')
    expect(colour.get()).toBe('size')
    workbench.colourChoice.set(null)
  })

  it('lights what the operator that is looked at reads and writes', () => {
    workbench.pickedOp.set(2)
    expect(scene.get()?.lit).toEqual({ buffers: [3], inputs: [1, 2], section: -1 })
    workbench.hoveredOp.set({ op: 4, x: 0, y: 0 })
    expect(scene.get()?.lit).toEqual({ buffers: [4, 5], inputs: [3], section: -1 })
    workbench.hoveredOp.set(null)
  })

  it('marks who makes and who reads the buffer that is looked at', () => {
    workbench.hovered.set({ buffer: 1, x: 0, y: 0 })
    expect(opMarks.get()).toEqual({ current: -1, makes: [0], reads: [1, 2] })
    workbench.hovered.set({ buffer: 0, x: 0, y: 0 })
    expect(opMarks.get()).toEqual({ current: -1, makes: [], reads: [0] })
    workbench.hovered.set(null)
    workbench.pickedOp.set(-1)
    expect(opMarks.get()).toEqual({ current: -1, makes: [], reads: [] })
  })

  it('is lowered again with an option, which is forgotten at its default', async () => {
    await setLowering(session, 'order', 'greedy')
    await setLowering(session, 'inplace', 'true')
    await setLowering(session, 'order', 'file')
    await setLowering(session, 'no-such', '1')
    expect(client.lowered).toEqual([{}, { order: 'greedy' }, { order: 'greedy', inplace: 'true' }, { inplace: 'true' }])
    expect(workbench.opened.get()?.source).toMatchObject({ lowering: { inplace: 'true' } })
    expect(workbench.opened.get()?.text).toBe(GRAPH)
  })

  it('keeps a capacity that was chosen, and follows the lower bound where it was that', async () => {
    await lowerWith(session, { order: 'greedy' })
    expect(workbench.capacity.get()).toBe(1000)
    workbench.capacity.set(4096)
    await lowerWith(session, {})
    expect(workbench.capacity.get()).toBe(4096)
  })

  it('runs again at once what took no time, and nothing that did', async () => {
    await session.run()
    client.config = null
    await lowerWith(session, { order: 'greedy' })
    expect(client.config).not.toBeNull()
    const ended = workbench.run.get()
    if (ended.kind !== 'ended') throw new Error('the run has not ended')
    const { result } = ended
    workbench.run.set({ ...ended, result: { ...result, stats: { ...result.stats, seconds: 3 } } })
    client.config = null
    await lowerWith(session, {})
    expect(client.config).toBeNull()
    expect(workbench.run.get().kind).toBe('idle')
  })

  it('is not lowered any more when something else was opened while its part came', async () => {
    let come = () => {}
    const part = new Promise<never>((resolve) => (come = () => resolve(undefined as never)))
    const coming = vi.spyOn(ofModels, 'get').mockReturnValueOnce(part)
    const before = client.lowered.length
    const late = session.open(GRAPH, MODEL, 'net')
    await vi.waitFor(() => expect(coming).toHaveBeenCalled())
    const text = { kind: 'text' as const, name: 'x' }
    expect(await session.open('id,lower,upper,size\n', text, 'x')).toBe(true)
    come()
    expect(await late).toBe(false)
    expect(client.lowered).toHaveLength(before)
    expect(workbench.opened.get()?.source).toEqual(text)
    coming.mockRestore()
  })

  it('stays when a worse text comes, which waits in the editor with its mistakes', async () => {
    const before = workbench.opened.get()
    expect(await session.open('bad graph', MODEL, 'worse')).toBe(false)
    expect(workbench.opened.get()).toBe(before)
    expect(workbench.draft.get()).toEqual({ text: 'bad graph', name: 'worse' })
    expect(workbench.mistakes.get()?.errors[0]).toMatchObject({ line: 2, field: 'inputs' })
  })
})

describe('imports', () => {
  it('open the graph and remember what came with the file', async () => {
    reply({ ...imported, plan: { name: 'OfflineMemoryAllocation', offsets: [16] } })
    expect(await importInto(session, file, openCsv)).toBe(true)
    expect(workbench.opened.get()?.source).toEqual({
      kind: 'model',
      name: 'net.tflite',
      lowering: {},
      from: { kind: 'file', format: 'tflite' },
    })
    expect(fileOpen.get()).toMatchObject({ format: 'tflite', notes: ['One thing was assumed.'] })
    expect(filePlan.get()?.offset[0]).toBe(16)
    await session.open('id,lower,upper,size\n', { kind: 'text', name: 'x' }, 'x')
    expect(fileOpen.get()).toBeNull()
  })

  it('place buffers in the memory that their plan was made for', async () => {
    const csv = 'id,lower,upper,size\n'
    reply({ ok: true, csv, notes: [], format: 'plan-json', plan: { name: 'exact', offsets: [0] }, capacity: 4321 })
    expect(await importInto(session, file, openCsv)).toBe(true)
    expect([workbench.opened.get()?.text, workbench.capacity.get()]).toEqual([csv, 4321])
    expect(filePlan.get()?.offset[0]).toBe(0)
  })

  it('say how columns were read of a CSV alone: other files have none, whatever was made of them', async () => {
    const convention = '1 unknown column kept (“frame”)'
    const open = vi.spyOn(client, 'open')
    const said = async (format: 'torch-snapshot' | 'iree' | 'csv') => {
      const problem = { ...fiveBuffers(), convention }
      open.mockResolvedValueOnce({ ok: true, problem, suggestedCapacity: null })
      reply({ ok: true, csv: `id,lower,upper,size,frame\n${format},0,1,2,f\n`, notes: [], format })
      const asText = (text: string, name: string) => session.open(text, { kind: 'text', name }, name)
      expect(await importInto(session, file, asText)).toBe(true)
      return workbench.opened.get()?.problem.convention
    }
    expect([await said('torch-snapshot'), await said('iree'), await said('csv')]).toEqual(['', '', convention])
  })

  it('ask for what the file leaves open, and read it again with the answers', async () => {
    const question = { kind: 'dim' as const, name: 'batch', text: 'How many at once?', suggestion: 1 }
    reply({ ok: false, message: 'net.tflite: a side is open.', questions: [question] })
    expect(await importInto(session, file, openCsv)).toBe(false)
    const asking = a.importing.get()
    expect(asking).toMatchObject({ kind: 'asking', questions: [question] })
    expect(workbench.opened.get()).toBeNull()
    reply(imported)
    const answers = { ...NO_ANSWERS, dims: { batch: 2 } }
    expect(await answerImport(session, answers)).toBe(true)
    expect(imports.answers.at(-1)).toEqual(answers)
    expect(a.importing.get().kind).toBe('none')
    expect(fileOpen.get()?.answers).toEqual(answers)
  })

  it('keep questions and answers where the file cannot be read with them', async () => {
    const question = { kind: 'dim' as const, name: 'dim1', text: 'How long?' }
    reply({ ok: false, message: 'net.tflite: a side is open.', questions: [question] })
    await importInto(session, file, openCsv)
    reply({ ok: false, message: 'net.tflite: a window spans 512, its input 7.', questions: [] })
    const answers = { ...NO_ANSWERS, dims: { dim1: 7 } }
    expect(await answerImport(session, answers)).toBe(false)
    const message = 'net.tflite: a window spans 512, its input 7.'
    expect(a.importing.get()).toEqual({ kind: 'asking', file, message, questions: [question], answers })
  })

  it('leave the lowering as it was where the file is read again', async () => {
    reply(imported)
    await importInto(session, file, openCsv)
    await setLowering(session, 'inplace', 'true')
    expect(await answerImport(session, { ...NO_ANSWERS, kernels: 'cmsis-nn-dsp' })).toBe(true)
    expect(workbench.opened.get()?.source).toMatchObject({ lowering: { inplace: 'true' } })
  })

  it('say why a file cannot be read; what was open stays', async () => {
    await session.open(GRAPH, MODEL, 'net')
    const before = workbench.opened.get()
    reply({ ok: false, message: 'net.tflite: cut short at byte 4.', questions: [] })
    expect(await importInto(session, file, openCsv)).toBe(false)
    expect(a.importing.get()).toEqual({
      kind: 'failed',
      name: 'net.tflite',
      message: 'net.tflite: cut short at byte 4.',
    })
    expect(workbench.opened.get()).toBe(before)
  })

  it('tell how far they are, can be given up, and give way to a newer one', async () => {
    imports.reply = () => new Promise(() => {})
    const first = importInto(session, file, openCsv)
    const late = imports.told
    imports.told(0.5)
    expect(a.importing.get()).toEqual({ kind: 'reading', name: 'net.tflite', done: 0.5 })
    const second = importInto(session, new File([''], 'other.onnx'), openCsv)
    expect(await first).toBe(false)
    late(0.9)
    expect(a.importing.get()).toEqual({ kind: 'reading', name: 'other.onnx', done: 0 })
    cancelImport()
    expect(await second).toBe(false)
    expect(a.importing.get()).toEqual({ kind: 'none' })
  })

  it('leave a text that only the core can judge to the core', async () => {
    reply({ ok: true, csv: 'a,b\n', notes: [], format: 'csv' })
    const judged: string[] = []
    await importInto(session, file, async (text) => judged.push(text) > 0)
    expect(judged).toEqual(['a,b\n'])
  })

  it('hand a text on to the core once, however little it looks like one', async () => {
    vi.stubGlobal('location', { hash: '', pathname: '/', search: '' })
    const csv = 'id,lower,upper,size\ncaf\ufffd,0,1,4\n'
    expect(kindOfText(csv)).toBe('foreign')
    imports.reply = async () => {
      if (imports.answers.length > 1) throw new Error('asked again')
      return { ok: true, csv, notes: [], format: 'csv' }
    }
    expect(await new Actions(session).problem.openText(csv, 'latin.csv')).toBe(true)
    expect(workbench.opened.get()).toMatchObject({ text: csv, source: { kind: 'text', name: 'latin.csv' } })
  })

  it('are not asked about a list of tasks, which the core reads', async () => {
    vi.stubGlobal('location', { hash: '', pathname: '/', search: '' })
    const csv = 'tiled,a,1,4x4\ntask,t,,a\n'
    expect(await new Actions(session).problem.openText(csv, 'tasks.csv')).toBe(true)
    expect(workbench.opened.get()).toMatchObject({ text: csv, source: { kind: 'text', name: 'tasks.csv' } })
  })
})

describe('an imported graph', () => {
  const TEXT = 'tensor,x,4,input\n'
  const MADE = { kind: 'model', name: 'net.tflite', lowering: {}, from: { kind: 'file', format: 'tflite' } } as const

  beforeEach(async () => {
    vi.stubGlobal('location', { hash: '', pathname: '/', search: '' })
    reply(imported)
    await importInto(session, file, openCsv)
    a.notice.set(null)
  })

  it('is open as arrays, which every lowering and profile gets as they are', async () => {
    expect(workbench.opened.get()?.text).toBe(graph)
    await setLowering(session, 'order', 'greedy')
    await session.setProfile(known[0] ?? null)
    expect(client.graphs).toEqual([graph, graph, graph])
    expect(workbench.opened.get()?.text).toBe(graph)
  })

  it('is a text in links', async () => {
    const shared = await gather(session)
    expect(shared?.source).toEqual({ kind: 'graph', name: 'net.tflite', text: TEXT, format: 'tflite', lowering: {} })
  })

  it('is a text in the editor, and the same graph where nothing was changed in it', async () => {
    const actions = new Actions(session)
    actions.draft.edit()
    await vi.waitFor(() => expect(workbench.draft.get()).toEqual({ text: TEXT, name: 'net.tflite' }))
    expect(await actions.draft.load()).toBe(true)
    expect(workbench.opened.get()).toMatchObject({ text: graph, source: MADE })
    expect(fileOpen.get()).not.toBeNull()
    expect(a.notice.get()).toBeNull()
    await actions.problem.openText(`${TEXT}op,o,Relu,x,\n`, 'net.tflite')
    expect(workbench.opened.get()?.text).toBe(`${TEXT}op,o,Relu,x,\n`)
  })

  it('of whose text nothing was changed is not put aside', async () => {
    const actions = new Actions(session)
    actions.draft.edit()
    await vi.waitFor(() => expect(workbench.draft.get()).not.toBeNull())
    await session.open(GRAPH, MODEL, 'net')
    expect(a.notice.get()).toBeNull()
  })

  it('that is refused is told by its text, where its mistakes have places', async () => {
    const before = workbench.opened.get()
    client.refusesGraphs = true
    expect(await session.open(packGraph({ name: '', tensors: [], ops: [] }), MODEL, 'worse')).toBe(false)
    expect(workbench.opened.get()).toBe(before)
    expect(client.graphs.at(-1)).toBe('')
    expect(workbench.mistakes.get()?.errors[0]).toMatchObject({ line: 2, field: 'inputs' })
  })
})

describe('the zoo', () => {
  it('opens a network with its parameters, lowered as what is said of it', async () => {
    expect(await openZoo(session, 'resnet50', { size: '64' })).toBe(true)
    expect(workbench.opened.get()?.source).toMatchObject({
      name: 'ResNet-50',
      from: { kind: 'zoo', id: 'resnet50', options: { size: '64' } },
    })
    expect(client.lowered.at(-1)).toMatchObject({ constants: 'streamed', prefetch: '3', alignment: '16' })
    expect(await textOpen()).toContain('1x3x64x64')
    await expect(openZoo(session, 'no-such', {})).rejects.toThrow('no network “no-such”')
    await expect(openZoo(session, 'resnet50', { last: 'nowhere' })).rejects.toThrow('nowhere')
  })

  it('refuses parameters that are no numbers', () => {
    const [first] = networks
    if (first === undefined) throw new Error('the zoo is empty')
    expect(() => optionsOf(first, { batch: 'many' })).toThrow('batch: expected a whole number')
    expect(optionsOf(first, { bytes: '4', first: ' 3 ', last: '' })).toMatchObject({ bytes: 4, first: '3' })
    // shown from a later operator on, it is to be had whole
    const cut = networks.find(({ show }) => show?.options?.first !== undefined) as (typeof networks)[number]
    expect(optionsOf(cut, {}).first).toBeDefined()
    expect(optionsOf(cut, { first: '' }).first).toBeUndefined()
  })
})

describe('a file of two', () => {
  const half = (name: string) => new File([`${name} lines`], name)

  it('waits for its other half, and is read with it', async () => {
    const asked: string[] = []
    imports.reply = async (given) => {
      const text = await given.text()
      asked.push(text)
      return text.includes('\n')
        ? { ok: true, csv: 'id\n', notes: [], format: 'xla', parts: ['one', 'two'], part: 'one' }
        : { ok: false, message: 'half of it', questions: [], half: 'xla' }
    }
    expect(await importInto(session, half('allocations'), openCsv)).toBe(false)
    expect(a.importing.get()).toMatchObject({ kind: 'failed', message: 'half of it' })
    expect(await importInto(session, half('ranges'), openCsv)).toBe(true)
    expect(asked).toEqual(['allocations lines', 'ranges lines', 'allocations lines\nranges lines\n'])
    expect(a.imported.get()?.parts).toEqual({ names: ['one', 'two'], read: 'one' })
  })
})

describe('opening a file', () => {
  const table = [
    'Tensor Allocation for mem_area Sram, of mem_type_set (Scratch), using allocator HillClimb, in Cpu and Npu subgraph:',
    'Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name',
    '         0 -          2:        0x0 -     0x1000:        4096:         4096: FeatureMap  : in',
    'Allocation Peak Tensor Size:       4096 (    0x1000) Bytes     4.00 KiB',
  ]
  const assignment =
    'BufferAssignment:\nallocation 0: size 64, page 0, preallocated-temp:\n value: <1 x @0> (size=64,offset=0): f32[16]'
  const ranges = 'HloLiveRange (max 9):\n  BufferLiveRange:\n    x{}:0-9'
  const pass = 'Pass 1: conv2d, block = [8, 8, 16], start, ifm = 1x8x8x16\n'
  it.each([
    ['vela', 'of a container', table.map((line) => `vela-1  | ${line}`).join('\n')],
    ['vela', 'with times', table.map((line) => `2026-11-26T08:00:00 INFO vela: ${line}`).join('\n')],
    ['vela', 'in colours', table.map((line) => `\u001b[32m${line}\u001b[0m`).join('\n')],
    ['vela', 'far below', `${pass.repeat(2000)}${table.join('\n')}`],
    ['xla', "in XLA's own log", `${assignment}\n${ranges}`.replaceAll(/^/gm, 'I0000 00:00:01.5 77 a.cc:12] ')],
    ['xla', 'in colours', `\u001b[1m${assignment}\u001b[0m\n${ranges}`],
  ])('has an importer look at a log for %s, %s', async (format, _, text) => {
    expect(importModel(fromBytes(new TextEncoder().encode(text)), 'log', NO_ANSWERS)).toMatchObject({
      ok: true,
      format,
    })
    imports.reply = () => Promise.reject(new Error('no reply'))
    const { problem } = new Actions(session)
    await problem.openText(text, 'a.log')
    await problem.openFile(new File([text], 'a.log'))
    expect(imports.answers).toHaveLength(2)
  })

  it.each([
    ['the dump among others', ['readme.md', 'm-buffer-assignment.txt', 'm-live-range.txt'], 1, 2],
    ['what there is of it', ['readme.md', 'm-live-range.txt'], 1, 1],
    ['the dump alone', ['m-buffer-assignment.txt', 'm-live-range.txt'], 0, 2],
    ['the first where there is none', ['b.tflite', 'readme.md'], 0, 1],
  ])('opens %s of several files, and says so where some are left out', async (_, names, first, count) => {
    const texts: Record<string, string> = { 'm-buffer-assignment.txt': assignment, 'm-live-range.txt': ranges }
    a.notice.set(null)
    const taken: File[] = []
    imports.reply = async (file) => {
      taken.push(file)
      return imported
    }
    await new Actions(session).problem.openFiles(names.map((name) => new File([texts[name] ?? '# A\n'], name)))
    const own = names.slice(first, first + count)
    expect(taken.map(({ name }) => name)).toEqual([own[0]])
    for (const name of own) expect(await taken[0]?.text()).toContain(texts[name] ?? '# A\n')
    const said = { tone: 'plain', title: `${own[0]} was opened.`, text: 'One file, or one dump, is opened at a time.' }
    expect(a.notice.get()).toEqual(count < names.length ? said : null)
  })
})

describe('between visits', () => {
  const visit = (source: Kept['source']): Kept['source'] | undefined => {
    const box = new FakeStorage()
    box.setItem(KEYS.page + DESK, JSON.stringify({ source }))
    return restore(new Ledger(box, KEYS.page))?.source
  }

  it('keeps a model with its lowering and where it came from', () => {
    const zoo = { kind: 'zoo' as const, id: 'unet', options: { size: '64' } }
    const source = { kind: 'model' as const, name: 'net', text: GRAPH, lowering: { order: 'greedy' }, from: zoo }
    expect(visit(source)).toEqual(source)
    const other = { ...source, from: { kind: 'file' as const, format: 'onnx' } }
    expect(visit(other)).toEqual(other)
  })

  it('drops one that is damaged', () => {
    const source = { kind: 'model' as const, name: 'net', text: GRAPH, lowering: {}, from: { kind: 'moon' } }
    expect(visit(source as unknown as Kept['source'])).toBeNull()
  })
})

describe('links', () => {
  const run = {
    profile: null,
    solver: 'exact',
    goal: 'fit' as const,
    options: {},
    capacity: 1000,
    seed: 1,
    budget: 100,
    step: 0,
    digest: '0'.repeat(16),
    steps: 0,
    ended: false,
    finalDigest: '0'.repeat(16),
    checkpoints: [],
    view: null,
    marks: [],
    stops: [],
    range: null,
    message: '',
    compare: null,
  }
  const graphShared: Shared = {
    ...run,
    source: { kind: 'graph', name: 'net', text: GRAPH, format: 'onnx', lowering: { order: 'greedy' } },
  }
  const zooShared: Shared = {
    ...run,
    source: { kind: 'zoo', id: 'unet', options: { size: '64' }, lowering: { inplace: 'true' } },
  }

  it.each([
    ['a graph', graphShared],
    ['a network of ours', zooShared],
  ])('hold %s, as links and as files', async (_, shared) => {
    expect(await decodeLink(await encodeLink(shared))).toEqual({ ok: true, shared })
    expect(decodeFile(encodeFile(shared))).toEqual({ ok: true, shared })
  })

  it('are made of what is open', async () => {
    await session.open(GRAPH, { ...MODEL, lowering: { order: 'greedy' } }, 'net')
    expect((await gather(session))?.source).toEqual({
      kind: 'graph',
      name: 'net',
      text: GRAPH,
      format: '',
      lowering: { order: 'greedy' },
    })
    await openZoo(session, 'unet', { size: '64' })
    expect((await gather(session))?.source).toMatchObject({ kind: 'zoo', id: 'unet', options: { size: '64' } })
  })

  it('lower the same graph in the same way again', async () => {
    await reopen(session, graphShared)
    expect(client.lowered.at(-1)).toEqual({ order: 'greedy' })
    expect(workbench.opened.get()).toMatchObject({ text: GRAPH, source: { kind: 'model', name: 'net' } })
    await reopen(session, zooShared)
    expect(client.lowered.at(-1)).toEqual({ inplace: 'true' })
    expect(await textOpen()).toContain('1x3x64x64')
    expect(workbench.opened.get()?.source).toMatchObject({ name: 'U-Net', from: { kind: 'zoo', id: 'unet' } })
  })

  it('say so when this version has no such network; what is open stays', async () => {
    await session.open(GRAPH, MODEL, 'net')
    const before = workbench.opened.get()
    await reopen(session, { ...zooShared, source: { ...zooShared.source, id: 'gone' } as Shared['source'] })
    expect(workbench.opened.get()).toBe(before)
    expect(a.notice.get()?.text).toContain('network “gone”')
    a.notice.set(null)
  })
})

describe('a profile', () => {
  it('takes the buffers that a model was lowered to, and keeps the model', async () => {
    const profile = known[0]
    if (profile === undefined) throw new Error('there are no profiles')
    await session.open(GRAPH, MODEL, 'net', profile)
    expect(client.profiles.at(-1)).toEqual(profile)
    expect(client.opened).toEqual([])
    expect(workbench.opened.get()?.model?.ops.count).toBe(5)
    expect(workbench.capacity.get()).toBe(usable(profile))
    await session.setProfile(null)
    expect(workbench.opened.get()?.model?.ops.count).toBe(5)
  })
})

describe('a part of a model', () => {
  it('is opened as buffers, and the way back leads to the model with its lowering', async () => {
    await session.open(GRAPH, { ...MODEL, lowering: { order: 'greedy' } }, 'net')
    client.csv = 'id,lower,upper,size\na,0,3,400\nb,1,3,200\n'
    const explanation = {
      outcome: 'infeasible' as const,
      buffers: [1],
      tried: 1,
      irreducible: true,
      section: -1,
      steps: 1,
    }
    workbench.why.set({ kind: 'known', capacity: 100, explanation })
    await openOnlyThese(session)
    expect(client.opened.at(-1)).toBe('id,lower,upper,size\nb,1,3,200\n')
    expect(workbench.opened.get()?.model).toBeUndefined()
    await backToAll(session)
    expect(workbench.opened.get()).toMatchObject({
      text: GRAPH,
      source: { kind: 'model', lowering: { order: 'greedy' } },
    })
    expect(client.lowered.at(-1)).toEqual({ order: 'greedy' })
  })
})

describe('an edited graph', () => {
  it('is lowered as before; one that was not edited is still what it was', async () => {
    vi.stubGlobal('location', { hash: '', pathname: '/', search: '' })
    const actions = new Actions(session)
    const from = { kind: 'zoo' as const, id: 'unet', options: {} }
    const source = { ...MODEL, lowering: { order: 'greedy' }, from } as Source
    await session.open(GRAPH, source, 'net')
    actions.draft.edit()
    await actions.draft.load()
    expect(workbench.opened.get()?.source).toEqual(source)
    actions.draft.edit()
    actions.draft.typed(`${GRAPH}op,y,Relu,b,c\n`)
    await actions.draft.load()
    expect(workbench.opened.get()?.source).toEqual({ ...source, from: { kind: 'file', format: '' } })
    expect(client.lowered.at(-1)).toEqual({ order: 'greedy' })
    expect(workbench.draft.get()).toBeNull()
  })
})
