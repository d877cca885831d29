/** Quantities, storage, atoms: what the page keeps and how it reads what people type. */
import { describe, expect, it } from 'vitest'
import { batch, Cell, derived, following } from '../../../web/src/base/cell'
import { csvOf, exampleOf, examples, FIRST, readExamples } from '../../../web/src/state/problem/examples'
import { draggedTo, limits, readPanel } from '../../../web/src/state/page/panel_widths'
import { capacityText, MAX_BYTES, parseBytes, parseCount } from '../../../web/src/state/page/quantity'
import type { Stop } from '../../../web/src/state/marks/marks'
import { type Box, hasKept, KEYS } from '../../../web/src/state/share/box'
import { Ledger } from '../../../web/src/state/share/ledger'
import { entriesOf, type Kept, restore } from '../../../web/src/state/share/storage'
import { FakeStorage, profileOf } from '../support/fake'

describe('bytes as people type them', () => {
  it.each([
    ['1048576', 1048576],
    ['1,048,576', 1048576],
    ['1,024 KiB', 1048576],
    ['1024kib', 1048576],
    ['1 MiB', 1048576],
    ['1.5 MiB', 1572864],
    ['2 GiB', 2147483648],
    ['64k', 65536],
    ['64 KB', 64000],
    ['12 B', 12],
    ['12,345,678', 12345678],
    ['1 234 567', 1234567],
    ['0x400', 1024],
    [' 12 ', 12],
    ['9007199254740991', MAX_BYTES],
  ])('%s', (text, value) => {
    expect(parseBytes(text)).toEqual({ ok: true, value })
  })

  it.each(['', 'abc', '-1', '0', '1.5', '0.3 KiB', '1 XiB', '9007199254740992', '1e6', '8 PiB', '1 MiB extra'])(
    'refuses “%s”',
    (text) => {
      expect(parseBytes(text).ok).toBe(false)
    },
  )

  it.each(['1,5 MiB', '12,5', '2,25 KiB', '0,500 MiB', '1,2345', '1,500_000', '1,,500', '1,'])(
    'takes no decimal comma for a sign between thousands: “%s”',
    (text) => {
      const message = 'expected a number of bytes, like 1,500,000 or 1.5 MiB'
      expect(parseBytes(text)).toEqual({ ok: false, message })
      expect(parseCount(text, 0, 1e9).ok).toBe(false)
    },
  )

  it('reads back what it writes', () => {
    for (const value of [1, 12, 1023, 1024, 1025, 65536, 1048576, 10 * 2 ** 20, 10 * 2 ** 20 + 1, 2 ** 40, MAX_BYTES]) {
      expect(parseBytes(capacityText(value))).toEqual({ ok: true, value })
    }
  })

  it('keeps counts within their range', () => {
    expect(parseCount('10,000', 0, 10000)).toEqual({ ok: true, value: 10000 })
    for (const text of ['', '10001', '-1', '1.5', '0x10', '1e3']) expect(parseCount(text, 0, 10000).ok).toBe(false)
  })
})

const kept: Kept = {
  source: { kind: 'text', name: 'a.csv', text: 'id,lower,upper,size\n' },
  aside: { source: { kind: 'example', file: 'ten.csv' }, capacity: 10, count: 10 },
  profile: {
    id: 'npu',
    title: 'An NPU',
    vendor: 'Someone',
    capacity: 4096,
    reserved: 1024,
    alignment: 16,
    alignBy: 'offset',
    bank: 1024,
    mayCross: false,
  },
  ownProfiles: [],
  solver: 'greedy',
  goal: 'height',
  options: { greedy: { fit: 'best' } },
  capacity: 12,
  seed: 3,
  budget: 0,
  theme: 'light',
  speed: 100,
  recent: ['command undo'],
  panels: { left: { width: 300, shut: false }, side: { width: null, shut: true } },
  hintSeen: true,
  singleKeys: false,
  marks: [{ step: 3, note: 'here <b>it</b> turns', of: 'a search' }],
  stops: [
    { what: 'placed', buffer: 'b1', on: true },
    { what: 'deeper', than: 40, on: false },
  ],
  range: { from: 2, to: 9, of: 'a search' },
  viewport: { t0: 2, t1: 4.5, b0: 0, b1: 16 },
  at: 7,
}

/** One that the browser's pages share. */
const storage = () => new FakeStorage()
const ledgerOf = (box: Box) => new Ledger(box, KEYS.page)
const restored = (box: Box) => restore(ledgerOf(box))
/** What a page has kept is found by the next. */
function visited(now: Kept): Kept | null {
  const box = storage()
  expect(ledgerOf(box).write(entriesOf(now))).toEqual([])
  return restored(box)
}

describe('storage', () => {
  it('drops marks, stops, ranges and views that are none, and keeps the rest', () => {
    const range = { from: 9, to: 2, of: 'a search' }
    const viewport = { t0: 2, t1: 2, b0: 0, b1: 16 }
    const marks = [{ step: -1, note: '', of: '' }, ...kept.marks]
    const stops = [{ what: 'moon' } as unknown as Stop, ...kept.stops]
    expect(visited({ ...kept, marks, stops, range, viewport })).toEqual({ ...kept, range: null, viewport: null })
  })

  it('gives back what was kept', () => {
    expect(visited(kept)).toEqual(kept)
    expect(restored(storage())).toBeNull()
  })

  it('leaves alone what it does not know', () => {
    const box = new FakeStorage()
    for (const key of ['arenascope.v1', 'arenascope.v3 desk', 'other']) box.setItem(key, JSON.stringify(kept))
    expect(hasKept(box)).toBe(false)
    expect(restored(box)).toBeNull()
    ledgerOf(box).write(entriesOf(kept))
    expect(hasKept(box)).toBe(true)
    expect(restored(box)).toEqual(kept)
    expect(box.getItem('arenascope.v1')).toBe(JSON.stringify(kept))
  })

  it.each([
    '',
    'null',
    '7',
    '[]',
    '{"theme":"pink","speed":-1,"source":{"kind":"text"},"options":{"a":7}}',
    '{"source":',
  ])('lives with %s in its place', (entry) => {
    const box = storage()
    for (const name of entriesOf({ ...kept, ownProfiles: [profileOf()] }).keys()) box.setItem(KEYS.page + name, entry)
    expect(restored(box)).toMatchObject({ theme: 'system', source: null })
  })

  it('lives with a storage that refuses', () => {
    const refuse = (): never => {
      throw new Error('forbidden')
    }
    const refusing: Box = { length: 1, key: refuse, getItem: refuse, setItem: refuse, removeItem: refuse }
    expect(restored(refusing)).toBeNull()
    expect(ledgerOf(refusing).write(entriesOf(kept)).length).toBe(entriesOf(kept).size)
  })

  it('drops a whole that is none, and keeps the rest', () => {
    for (const aside of [7, {}, { source: { kind: 'text' } }])
      expect(visited({ ...kept, aside } as unknown as Kept)).toEqual({ ...kept, aside: null })
  })

  it('finds the desk of its own tab, and the last of any in a new one', () => {
    const [box, mine] = [storage(), storage()]
    const desk = (capacity: number) => entriesOf({ ...kept, capacity }).get('desk') ?? ''
    mine.setItem(`${KEYS.page}desk`, desk(7))
    box.setItem(`${KEYS.page}desk`, desk(9))
    expect(restore(ledgerOf(box), mine)?.capacity).toBe(7)
    expect(restore(ledgerOf(box), storage())?.capacity).toBe(9)
  })
})

describe('two tabs', () => {
  const all = () => true
  /** A tab that has read what is kept. */
  const tab = (box: Box) => {
    const ledger = ledgerOf(box)
    return { ledger, kept: restore(ledger) as Kept }
  }
  const start = () => {
    const box = storage()
    ledgerOf(box).write(entriesOf(kept))
    return { box, old: tab(box), young: tab(box) }
  }

  it('write what they changed, and only that', () => {
    const { box, old, young } = start()
    const mark = { step: 5, note: 'new', of: 'a search' }
    const made = { ...young.kept, ownProfiles: [profileOf()], marks: [...kept.marks, mark], capacity: 99 }
    young.ledger.write(entriesOf(made))
    old.ledger.write(entriesOf({ ...old.kept, theme: 'dark' }))
    expect(restored(box)).toEqual({ ...made, theme: 'dark' })
  })

  it('take out what they deleted, and nothing that they never had', () => {
    const { box, old, young } = start()
    young.ledger.write(entriesOf({ ...young.kept, ownProfiles: [profileOf()] }))
    old.ledger.write(entriesOf({ ...old.kept, marks: [], stops: kept.stops.slice(1) }))
    expect(restored(box)).toEqual({ ...kept, ownProfiles: [profileOf()], marks: [], stops: kept.stops.slice(1) })
  })

  it('leave alone what they could not read', () => {
    const { box, old } = start()
    box.setItem(`${KEYS.page}mark 9 a search of a later version`, '{"rich":"text"}')
    box.setItem(`${KEYS.page}later`, '1')
    const read = old.ledger.read()
    old.ledger.learn(read, entriesOf(kept), all)
    old.ledger.write(entriesOf({ ...kept, marks: [] }))
    expect(box.getItem(`${KEYS.page}mark 9 a search of a later version`)).toBe('{"rich":"text"}')
    expect(box.getItem(`${KEYS.page}later`)).toBe('1')
    expect(restored(box)?.marks).toEqual([])
  })

  it('keep what they can where there is no room for all, and try the rest again', () => {
    const { box, old } = start()
    box.room = 1000
    const made = {
      ...kept,
      source: { kind: 'text', name: 'long', text: 'x'.repeat(2000) } as const,
      theme: 'dark' as const,
    }
    expect(old.ledger.write(entriesOf(made)).map(({ entry }) => entry)).toEqual(['desk'])
    expect(restored(box)).toEqual({ ...kept, theme: 'dark' })
    box.room = Number.POSITIVE_INFINITY
    expect(old.ledger.write(entriesOf(made))).toEqual([])
    expect(restored(box)).toEqual(made)
  })
})

describe('cells', () => {
  it('have values derived from them once per change, and only when asked', () => {
    const [x, y] = [new Cell(1), new Cell(2)]
    let count = 0
    const sum = derived(() => {
      count += 1
      return x.get() + y.get()
    })
    expect(count).toBe(0)
    expect([sum.get(), sum.get()]).toEqual([3, 3])
    expect(count).toBe(1)
    x.set(1)
    sum.get()
    expect(count).toBe(1)
    y.update((now) => now + 3)
    expect(sum.get()).toBe(6)
  })

  it('tell their listeners of changes, until these leave', () => {
    const cell = new Cell('x')
    const heard: string[] = []
    const leave = cell.subscribe(() => heard.push(cell.get()))
    cell.set('y')
    cell.set('y')
    leave()
    cell.set('z')
    expect(heard).toEqual(['y'])
  })

  it('tell of a batch at its end, and of a derived value only if it is another one', () => {
    const [x, y, other] = [new Cell(1), new Cell(2), new Cell(0)]
    const sum = derived(() => x.get() + y.get())
    const heard: number[] = []
    const leave = sum.subscribe(() => heard.push(sum.get() + other.get()))
    batch(() => {
      x.set(2)
      y.set(1)
    })
    expect(heard).toEqual([])
    batch(() => {
      x.set(3)
      y.set(3)
    })
    // what a listener reads is not what it listens to
    other.set(100)
    expect(heard).toEqual([6])
    leave()
  })

  it('are followed from one to another', () => {
    const [x, y] = [new Cell('x'), new Cell('y')]
    const shown = new Cell(x)
    const now = following(() => shown.get())
    const heard: string[] = []
    const leave = now.subscribe(() => heard.push(now.get()))
    shown.set(y)
    now.set('z')
    x.set('unseen')
    expect([heard, y.get()]).toEqual([['y', 'z'], 'z'])
    leave()
  })
})

describe('examples', () => {
  it('are read from their index; entries without a file are left out', () => {
    const index = [
      { file: 'a.csv', title: 'A', capacity: 12, step: 3, options: { x: true } },
      { title: 'no file' },
      null,
      7,
    ]
    const list = readExamples(index)
    expect(list).toHaveLength(1)
    expect(list[0]).toMatchObject({
      file: 'a.csv',
      title: 'A',
      capacity: 12,
      step: 3,
      solver: 'minimalloc',
      options: { x: 'true' },
    })
    expect(readExamples({})).toEqual([])
  })

  it('have buffers, each its own; those of the first are there at once', async () => {
    expect(typeof csvOf(FIRST)).toBe('string')
    expect(examples.map((example) => example.file)).toContain(FIRST)
    const seen = new Set<string>()
    for (const { file } of examples) {
      const csv = await csvOf(file)
      expect(csv, file).toMatch(/^(id,lower,upper,size|tiled,)/m)
      expect((await exampleOf(csv))?.file).toBe(file)
      seen.add(csv)
    }
    expect(seen.size).toBe(examples.length)
    expect(await exampleOf('id,lower,upper,size\na,0,1,7\n')).toBeUndefined()
    await expect(csvOf('none.csv')).rejects.toThrow('none.csv')
  })
})

describe('the widths of the panels', () => {
  it('leave room for the canvas, and shut below half of their least', () => {
    expect(limits('left', 1440, 344)).toEqual([200, 480])
    expect(limits('side', 1440, 480)).toEqual([300, 540])
    expect(limits('side', 800, 200)).toEqual([300, 300])
    expect(draggedTo(350.4, [300, 540])).toEqual({ width: 350, shut: false })
    expect(draggedTo(900, [300, 540])).toEqual({ width: 540, shut: false })
    expect(draggedTo(149, [300, 540])).toEqual({ width: 300, shut: true })
  })

  it('are read as they were kept, if they are any', () => {
    expect(readPanel({ width: 300, shut: true }, 'left')).toEqual({ width: 300, shut: true })
    for (const bad of [null, 7, { width: 3 }, { width: 9999, shut: 'yes' }, { width: '300' }])
      expect(readPanel(bad, 'left')).toEqual({ width: null, shut: false })
  })
})
