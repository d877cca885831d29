/** Edits of a problem's text: what they change, what they leave alone, and that the core reads them as they were meant. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client, Problem } from '../../../wasm/client/types'
import type { Core } from '../../../wasm/client/core'
import { change, editAsBuffers, travel } from '../../../web/src/run/edit/edit'
import { fitTiles } from '../../../web/src/run/problem/tile_settings'
import { Follower } from '../../../web/src/run/edit/follow'
import { history, watch } from '../../../web/src/run/edit/undo_history'
import { Session } from '../../../web/src/run/session'
import * as a from '../../../web/src/state/atoms'
import { type Beside, readCell } from '../../../web/src/state/edit/edit_cell'
import { cellOf, type Change, edit, idFor } from '../../../web/src/state/edit/edit_csv'
import { moved, MOST_STATES, record } from '../../../web/src/state/edit/history'
import { makeCore, nodeClient } from '../../wasm/support'
import { workbench } from '../../../web/src/state/workbench_cells'
import { nameOf, type Source } from '../../../web/src/state/workbench_values'

const NOTED = `# capacity: 64
id;start;end;note;size
# the first two
 a ; 0 ; 3 ;"x;y"; 16

b;2;5;;8
"c ""d""";4;9;last;4
# the end`

describe('an edit of the text', () => {
  it('changes its cells and nothing else', () => {
    const text = edit(NOTED, { kind: 'set', buffer: 0, values: { upper: 3, size: 32 } })
    expect(text).toBe(NOTED.replace(' a ; 0 ; 3 ;"x;y"; 16', ' a ; 0 ; 2 ;"x;y"; 32'))
  })

  it('brings a column that the file does not have, and takes a cell back to empty', () => {
    const text = edit(NOTED, { kind: 'set', buffer: 1, values: { offset: 16, alignment: null } })
    expect(text).toContain('id;start;end;note;size;offset\n')
    expect(text).toContain('b;2;5;;8;16\n')
    expect(text).toContain('"c ""d""";4;9;last;4;\n# the end')
    expect(text).not.toContain('alignment')
    const back = edit(text, { kind: 'set', buffer: 1, values: { offset: null } })
    expect(back).toContain('b;2;5;;8;\n')
  })

  it('adds at the end, with quotes where they are needed', () => {
    const text = edit(NOTED, { kind: 'add', values: { id: 'n;1', lower: 0, upper: 4, size: 2 } })
    expect(text.endsWith('"c ""d""";4;9;last;4\n"n;1";0;3;;2\n# the end')).toBe(true)
    const bare = 'id,lower,upper,size\r\na,0,1,2'
    expect(edit(bare, { kind: 'add', values: { id: 'b', lower: 0, upper: 1, size: 3 } })).toBe(`${bare}\r\nb,0,1,3\r\n`)
  })

  it('duplicates under a new id, not fixed', () => {
    const text = 'id,lower,upper,size,offset\na,0,1,2,8\na_copy,0,1,2,\n'
    expect(edit(text, { kind: 'duplicate', buffers: [0] })).toBe(
      'id,lower,upper,size,offset\na,0,1,2,8\na_copy2,0,1,2,\na_copy,0,1,2,\n',
    )
    const long = 'é'.repeat(127)
    const copies = edit(`id,lower,upper,size\n${long},0,1,2\n`, { kind: 'duplicate', buffers: [0, 0] })
    for (const id of copies.split('\n').slice(1, -1))
      expect(new TextEncoder().encode(id.split(',')[0]).length).toBeLessThan(256)
  })

  it('deletes lines and leaves comments', () => {
    expect(edit(NOTED, { kind: 'delete', buffers: [2, 0, 0] })).toBe(
      '# capacity: 64\nid;start;end;note;size\n# the first two\n\nb;2;5;;8\n# the end',
    )
  })

  it('refuses a buffer that is not there', () => {
    expect(() => edit(NOTED, { kind: 'set', buffer: 3, values: { size: 1 } })).toThrow('no buffer 3')
    expect(() => edit(NOTED, { kind: 'delete', buffers: [9] })).toThrow('no buffer 9')
  })

  it('is told what the file says', () => {
    expect([cellOf(NOTED, 2, 'id'), cellOf(NOTED, 2, 'upper'), cellOf(NOTED, 2, 'alignment')]).toEqual([
      'c "d"',
      '10',
      '',
    ])
    expect(cellOf('id,lower,upper,size,offset\na,0,1,2,-1\n', 0, 'offset')).toBe('')
    expect(idFor(NOTED, 'b')).toBe('b2')
  })
})

/** A plain congruential sequence. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Buffer = { id: string; lower: number; upper: number; size: number; alignment: number; offset: number }

function buffersOf(problem: Problem): Buffer[] {
  return problem.ids.map((id, k) => ({
    id,
    lower: problem.lower[k] ?? 0,
    upper: problem.upper[k] ?? 0,
    size: problem.size[k] ?? 0,
    alignment: problem.alignment[k] ?? 0,
    offset: problem.fixed[k] ?? 0,
  }))
}

/** A small problem, written in one of the many ways that the core reads. */
function written(next: (below: number) => number): string {
  const separator = [',', ';', '\t'][next(3)] as string
  const end = ['\n', '\r\n', '\r'][next(3)] as string
  const inclusive = next(2)
  const names = [
    ['id', 'buffer', 'Buffer_ID'][next(3)],
    ['lower', 'START', 'begin'][next(3)],
    inclusive ? 'end' : 'upper',
    'size',
  ]
  const more = ['alignment', 'offset', 'what', '"odd, one"'].filter(() => next(2) === 0)
  const columns = [...names, ...more].sort(() => next(3) - 1) as string[]
  const blank = separator === '\t' ? ' ' : [' ', '\t', ''][next(3)]
  const pad = () => (next(4) === 0 ? blank : '')
  const odd = ['x', 'a,b', 'c;d', '#e', 'f""g', '-1', ' h ', `i${end}j`, 'k\tl']
  const cell = (name: string, k: number): string => {
    const lower = k * 2
    const quoted = (text: string) => `"${text}"`
    if (/^(id|buffer|buffer_id)$/i.test(name)) return k % 2 === 0 ? `b${k}` : quoted(`${odd[next(6)]}${k}`)
    if (/^(lower|start|begin)$/i.test(name)) return String(lower)
    if (name === 'upper' || name === 'end') return String(lower + 3 - inclusive)
    if (name === 'size') return next(3) === 0 ? quoted('8') : '12'
    if (name === 'alignment') return next(2) === 0 ? '4' : ''
    if (name === 'offset') return ['', '-1', '16'][next(3)] as string
    return next(2) === 0 ? '' : quoted(odd[next(odd.length)] as string)
  }
  const lines = [columns.join(separator)]
  for (let k = 0; k < 1 + next(6); k++) {
    if (next(4) === 0) lines.push(['# a comment, "with" a quote', '', '  ', separator.repeat(2)][next(4)] as string)
    lines.push(columns.map((name) => pad() + cell(name, k) + pad()).join(separator))
  }
  return (next(5) === 0 ? `\ufeff# first${end}` : '') + lines.join(end) + (next(2) === 0 ? end : '')
}

function randomChange(next: (below: number) => number, count: number): Change {
  const some = Array.from({ length: count }, (_, k) => k).filter(() => next(3) === 0)
  switch (next(4)) {
    case 0:
      return {
        kind: 'add',
        values: { id: `new"${next(1e9)}`, lower: 1 - next(9), upper: 5, size: 4, offset: next(2) ? 8 : null },
      }
    case 1:
      return { kind: 'duplicate', buffers: some }
    case 2:
      return { kind: 'delete', buffers: some.slice(0, count - 1) }
    default: {
      const all = {
        id: ` odd "${next(1e9)} `,
        lower: -3,
        upper: 40 + next(9),
        size: next(99),
        alignment: 8,
        offset: 24,
      }
      const wanted = Object.entries(all).filter(() => next(2) === 0)
      return { kind: 'set', buffer: next(count), values: Object.fromEntries(wanted) }
    }
  }
}

/** The same on the buffers as the core read them. */
function expected(before: Buffer[], wanted: Change, after: Buffer[]): Buffer[] {
  if (wanted.kind === 'delete') return before.filter((_, k) => !wanted.buffers.includes(k))
  if (wanted.kind === 'add') {
    const { id = '', lower = 0, upper = 0, size = 0, offset = null } = wanted.values
    const made = {
      id: String(id),
      lower: Number(lower),
      upper: Number(upper),
      size: Number(size),
      alignment: 1,
      offset: -1,
    }
    return [...before, { ...made, offset: offset === null ? -1 : Number(offset) }]
  }
  if (wanted.kind === 'set')
    return before.map((b, k) => (k === wanted.buffer ? ({ ...b, ...wanted.values } as Buffer) : b))
  const list: Buffer[] = []
  for (const [k, b] of before.entries()) {
    list.push(b)
    if (wanted.buffers.includes(k)) list.push({ ...b, offset: -1, id: after[list.length]?.id ?? '' })
  }
  return list
}

describe('any text that the core reads', () => {
  let core: Core
  beforeAll(async () => {
    core = await makeCore()
  })
  afterAll(() => core.free())

  const read = (text: string): Buffer[] => {
    const answer = core.open(text)
    if (!answer.ok) throw new Error(`${JSON.stringify(text)}: ${answer.errors[0]?.field} ${answer.errors[0]?.message}`)
    return buffersOf(answer.problem)
  }

  it('is read after an edit as the buffers with that edit, 1,500 times', () => {
    const next = sequence(11)
    for (let k = 0; k < 300; k++) {
      let text = written(next)
      for (let round = 0; round < 5; round++) {
        const before = read(text)
        for (const [b, buffer] of before.entries())
          expect([cellOf(text, b, 'id'), cellOf(text, b, 'upper')], JSON.stringify(text)).toEqual([
            buffer.id,
            String(buffer.upper),
          ])
        const wanted = randomChange(next, before.length)
        const edited = edit(text, wanted)
        const after = read(edited)
        expect(after, `${JSON.stringify(text)} ${JSON.stringify(wanted)}`).toEqual(expected(before, wanted, after))
        expect(new Set(after.map(({ id }) => id)).size).toBe(after.length)
        text = edited
      }
    }
  })
})

describe('a typed cell', () => {
  const beside: Beside = { lower: 4, upper: 9, alignment: 8, pools: ['', 'dram'], taken: (id) => id === 'b' }
  it.each([
    ['id', ' conv 1 ', 'conv 1'],
    ['lower', '-3', -3],
    ['upper', '1,000', 1000],
    ['size', '64 KiB', 65536],
    ['size', '0', 0],
    ['alignment', '', null],
    ['alignment', '64', 64],
    ['offset', '', null],
    ['offset', '0', 0],
    ['offset', '16', 16],
    ['pool', '', null],
    ['pool', ' dram', 'dram'],
    ['shape', '', null],
    ['shape', '0-2@0:8 ', '0-2@0:8'],
  ] as const)('%s “%s” is %j', (column, text, value) => {
    expect(readCell(column, text, beside)).toEqual({ ok: true, value })
  })

  it.each([
    ['id', '', 'id has 0 bytes'],
    ['id', 'b', 'id “b” is already used'],
    ['pool', 'flash', 'pool is “flash”, expected “dram” or nothing for the main one'],
    ['id', 'a\u0001b', 'id has a control character'],
    ['id', 'é'.repeat(128), 'id has 256 bytes'],
    ['lower', '9', 'lower is 9, expected less than upper, 9'],
    ['lower', 'x', 'lower is “x”, expected a whole number'],
    ['lower', 'x\u202e', 'lower is “x\\u202e”, expected a whole number'],
    ['upper', '4', 'upper is 4, expected more than lower, 4'],
    ['size', '-1', 'size is “-1”'],
    ['size', '', 'size is “”'],
    ['alignment', '0', 'alignment is “0”'],
    ['offset', '12', 'offset is 12, expected a multiple of alignment, 8'],
  ] as const)('%s “%s” is refused', (column, text, why) => {
    const read = readCell(column, text, beside)
    expect(read.ok ? '' : read.message).toContain(why)
  })
})

describe('a history', () => {
  const size = (text: string) => text.length
  it('goes back and on, and forgets what was taken back at the next change', () => {
    let line = record({ past: [], now: 'a', future: [] }, 'a', 'b', size)
    line = record(line, 'b', 'c', size)
    const back = moved(line, -1, 'c')
    expect(back).toEqual({ past: ['a'], now: 'b', future: ['c'] })
    expect(back && moved(back, 1, 'b')).toEqual(line)
    expect(back && record(back, 'b', 'd', size)).toEqual({ past: ['a', 'b'], now: 'd', future: [] })
    expect(moved(line, 1, 'c')).toBe(null)
  })

  it('keeps the newest within its limits', () => {
    let line = { past: [] as readonly string[], now: '0', future: [] as readonly string[] }
    for (let k = 1; k <= MOST_STATES + 50; k++) line = record(line, line.now, String(k), size)
    expect(line.past.length).toBe(MOST_STATES)
    expect(line.past.at(-1)).toBe(String(MOST_STATES + 49))
    expect(record(line, 'z', 'big', () => 40_000_000).past).toEqual(['z'])
  })
})

const SMALL = '# mine\nid,lower,upper,size,kind\na,0,4,3,x\nb,2,6,5,y\nc,4,8,4,z\n'

describe('edits in the session', () => {
  let client: Client
  let session: Session
  beforeAll(async () => {
    vi.stubGlobal('location', { hash: '', pathname: '/', search: '' })
    client = (await nodeClient()).client
    session = new Session(client, { request: () => {}, cancel: () => {} })
    await session.start()
    return watch()
  })
  afterAll(() => {
    client.dispose()
    vi.unstubAllGlobals()
  })
  beforeEach(async () => {
    workbench.draft.set(null)
    await session.open(SMALL, { kind: 'text', name: 'mine.csv' }, 'mine.csv')
  })
  const text = () => workbench.opened.get()?.text ?? ''

  it('open the changed text, keep what is looked at, and run again what took no time', async () => {
    await session.run()
    workbench.pinned.set(1)
    workbench.filter.set('b')
    workbench.capacity.set(40)
    expect(await change(session, { kind: 'delete', buffers: [0] })).toBe('')
    expect(text()).toBe(SMALL.replace('a,0,4,3,x\n', ''))
    expect([
      workbench.pinned.get(),
      workbench.filter.get(),
      workbench.capacity.get(),
      workbench.run.get().kind,
    ]).toEqual([0, 'b', 40, 'ended'])
  })

  it('that the core refuses change nothing and say what is wrong', async () => {
    const values = { size: 2 ** 53 - 1 }
    expect(await change(session, { kind: 'set', buffer: 0, values })).toMatch(/^size /)
    expect(text()).toBe(SMALL)
    expect(workbench.draft.get()).toBe(null)
    expect(await change(session, { kind: 'delete', buffers: [0, 1, 2] })).toBe('A problem has at least one buffer.')
  })

  it('that a trap of the worker comes between change nothing and say so; another problem waits for them', async () => {
    const wanted: Change = { kind: 'set', buffer: 0, values: { size: 9 } }
    const trap = vi.spyOn(client, 'open').mockRejectedValueOnce(new Error('trapped'))
    expect(await change(session, wanted)).toBe('This was not read to the end. Nothing was changed.')
    expect([text(), a.notice.get()?.text]).toEqual([SMALL, 'trapped'])
    trap.mockRestore()
    a.notice.set(null)
    const edited = change(session, wanted)
    const other = 'id,lower,upper,size\nz,0,1,1\n'
    await session.open(other, { kind: 'text', name: 'other.csv' }, 'other.csv')
    expect([await edited, text()]).toEqual(['', other])
    expect(history.get().past.at(-1)?.text).toBe(edit(SMALL, wanted))
  })

  it('of a buffer that is not there are not made, and say so', async () => {
    const why = await change(session, { kind: 'set', buffer: 15, values: { size: 1 } })
    expect([why, text()]).toEqual(['The buffer is no longer there.', SMALL])
    expect(await change(session, { kind: 'delete', buffers: [0, 15] })).toBe('')
    expect(text()).toBe(SMALL.replace('a,0,4,3,x\n', ''))
  })

  it('by a drag are of the problem that was dragged in, though another was opened meanwhile', async () => {
    const told: string[] = []
    const follower = new Follower(session, (why) => told.push(why))
    const mine = workbench.opened.get()
    const other = 'id,lower,upper,size\nx,0,1,1\ny,0,1,1\nz,0,1,1\n'
    await session.open(other, { kind: 'text', name: 'other.csv' }, 'other.csv')
    const now = workbench.opened.get()
    workbench.opened.set(mine)
    const dragged = follower.end({ kind: 'set', buffer: 2, values: { size: 9 } })
    workbench.opened.set(now)
    await dragged
    expect([text(), told]).toEqual([other, ['Something else was opened meanwhile.']])
  })

  it('by a drag are taken back as one, with the capacity before the first of them', async () => {
    const pinned = 'id,lower,upper,size,offset\na,0,9,4,9\nb,0,21,4,\n'
    await session.open(pinned, { kind: 'text', name: 'pinned.csv' }, 'pinned.csv')
    await session.run()
    expect(workbench.capacity.get()).toBe(13)
    const follower = new Follower(session, () => {})
    for (const offset of [10, 11]) {
      follower.during({ kind: 'set', buffer: 1, values: { offset } })
      await vi.waitFor(() => expect(text()).toContain(`b,0,21,4,${offset}`))
      await vi.waitFor(() => expect(workbench.run.get().kind).toBe('ended'))
    }
    await follower.end({ kind: 'set', buffer: 1, values: { offset: 11 } })
    expect(workbench.capacity.get()).toBe(15)
    expect(await travel(session, -1)).toBe(true)
    expect([text(), workbench.capacity.get()]).toEqual([pinned, 13])
    expect(await travel(session, 1)).toBe(true)
    expect(workbench.capacity.get()).toBe(15)
  })

  it('of tiles back to what they were made of give back its solver and goal, and on take theirs', async () => {
    const settings = () => [workbench.solver.get(), workbench.goal.get()]
    const tasks = 'tiled,in,1,4x1\ntiled,out,1,4x1\ntask,s0,in@0:4x0:1,out@0:4x0:1\n'
    const opens = async () => {
      await session.open(tasks, { kind: 'text', name: 'net.tasks.csv' }, 'net.tasks.csv')
      fitTiles(session)
      expect(settings()).toEqual(['taa', 'height'])
    }
    workbench.solver.set('exact')
    workbench.goal.set('fit')
    await opens()
    expect(await travel(session, -1)).toBe(true)
    expect([text(), ...settings()]).toEqual([SMALL, 'exact', 'fit'])
    expect(await travel(session, 1)).toBe(true)
    expect(settings()).toEqual(['taa', 'height'])
    // what was chosen meanwhile is the reader's
    workbench.solver.set('taa-exact')
    await travel(session, -1)
    expect(settings()).toEqual(['taa-exact', 'height'])
    workbench.solver.set('exact')
    workbench.goal.set('fit')
  })

  it('are made one after the other, however fast they come', async () => {
    await Promise.all([7, 8, 9].map((size, buffer) => change(session, { kind: 'set', buffer, values: { size } })))
    expect(text()).toBe('# mine\nid,lower,upper,size,kind\na,0,4,7,x\nb,2,6,8,y\nc,4,8,9,z\n')
  })

  it('are taken back and made again, with their capacity, through what was pasted too', async () => {
    const depth = history.get().past.length
    await change(session, { kind: 'set', buffer: 0, values: { size: 9 } })
    const edited = text()
    workbench.capacity.set(33)
    await session.open('id,lower,upper,size\nz,0,1,1\n', { kind: 'text', name: 'other.csv' }, 'other.csv')
    expect(await travel(session, -1)).toBe(true)
    expect([text(), workbench.capacity.get(), nameOf(workbench.opened.get()?.source)]).toEqual([edited, 33, 'mine.csv'])
    expect(await travel(session, -1)).toBe(true)
    expect(text()).toBe(SMALL)
    expect(history.get().past.length).toBe(depth)
    expect([await travel(session, 1), await travel(session, 1), await travel(session, 1)]).toEqual([true, true, false])
    expect(nameOf(workbench.opened.get()?.source)).toBe('other.csv')
  })

  it('bring back a problem that was cleared', async () => {
    await session.clear()
    expect(await travel(session, -1)).toBe(true)
    expect(text()).toBe(SMALL)
    expect(await travel(session, 1)).toBe(true)
    expect(workbench.opened.get()).toBe(null)
  })

  it('are not made to a model, whose buffers can be taken instead', async () => {
    const graph = 'tensor,a,64,input\ntensor,b,32,output\nop,x,Relu,a,b\n'
    const source: Source = { kind: 'model', name: 'net.onnx', lowering: {}, from: { kind: 'file', format: '' } }
    await session.open(graph, source, 'net.onnx')
    expect(await change(session, { kind: 'delete', buffers: [0] })).toBe('There are no buffers to edit.')
    expect(await editAsBuffers(session)).toBe('')
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'net-buffers.csv' })
    expect(workbench.opened.get()?.problem.ids).toContain('a')
    expect(await change(session, { kind: 'set', buffer: 0, values: { size: 128 } })).toBe('')
    await travel(session, -1)
    await travel(session, -1)
    expect(workbench.opened.get()?.source).toBe(source)
  })
})
