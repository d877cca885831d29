// @vitest-environment happy-dom
/** What a tab keeps by itself: for its next visit, for other tabs, and where there is little room. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Later } from '../../../web/src/base/later'
import { packGraph } from '../../../web/src/import/packed'
import { Keeper } from '../../../web/src/run/share/keep'
import * as a from '../../../web/src/state/atoms'
import * as m from '../../../web/src/state/marks/marks'
import { KEYS } from '../../../web/src/state/share/box'
import { TEXT_LIMIT } from '../../../web/src/state/share/storage'
import { typed } from '../../../web/src/state/edit/editing'
import * as ui from '../../../web/src/state/ui'
import { FakeStorage, fiveBuffers, profileOf } from '../support/fake'
import { own, shownWorkbench, workbench, workbenchCells } from '../../../web/src/state/workbench_cells'

const KEPT = 500
let box: FakeStorage
let tab: FakeStorage
let texts: Map<string, unknown>
let roomApart: boolean
let leave: () => void

const apart = new Later(async () => ({
  keepLong: async (text: unknown) => {
    if (!roomApart) throw new DOMException('It is full.', 'QuotaExceededError')
    texts.set('a key', text)
    return 'a key'
  },
  readLong: async () => '',
}))
const entry = (name: string) => JSON.parse(box.getItem(KEYS.page + name) ?? 'null')
const told = (key: string | null) => new StorageEvent('storage', { key, storageArea: box as unknown as Storage })
/** Another tab has changed this. */
const changed = (name: string, value: unknown) => {
  const key = KEYS.page + name
  if (value === undefined) box.removeItem(key)
  else box.setItem(key, JSON.stringify(value))
  window.dispatchEvent(told(key))
}
const openText = (text: string | Blob, name = 'a.csv') =>
  workbench.opened.set({ problem: fiveBuffers(), source: { kind: 'text', name }, text })
const wait = () => vi.advanceTimersByTimeAsync(KEPT)

beforeEach(() => {
  vi.useFakeTimers()
  box = new FakeStorage()
  tab = new FakeStorage()
  texts = new Map()
  roomApart = true
  const keeper = new Keeper(box, tab, apart)
  keeper.restore()
  leave = keeper.begin()
})

afterEach(() => {
  leave()
  shownWorkbench.set(own)
  workbench.opened.set(null)
  a.ownProfiles.set([])
  a.notice.set(null)
  m.marks.set([])
  workbench.stops.set([])
  ui.themeChoice.set('system')
  vi.useRealTimers()
})

describe('what is kept', () => {
  it('is there a moment after each change, for the next visit and for a reload of this tab', async () => {
    openText('a text')
    await wait()
    expect(entry('desk').source).toEqual({ kind: 'text', name: 'a.csv', text: 'a text' })
    expect(tab.getItem(`${KEYS.page}desk`)).toBe(box.getItem(`${KEYS.page}desk`))
    workbench.capacity.set(77)
    window.dispatchEvent(new Event('pagehide'))
    expect(entry('desk').capacity).toBe(77)
  })

  it('has what is typed into an open cell, once the page is left or hidden', async () => {
    openText('a text')
    typed.set(() => ({ source: { kind: 'text', name: 'a.csv' }, text: 'typed' }))
    await wait()
    expect(entry('desk').source.text).toBe('a text')
    window.dispatchEvent(new Event('pagehide'))
    expect(entry('desk').source.text).toBe('typed')
    typed.set(() => null)
    window.dispatchEvent(new Event('pagehide'))
    expect(entry('desk').source.text).toBe('a text')
    typed.set(() => ({ source: { kind: 'text', name: 'a.csv' }, text: 'typed' }))
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    hidden.mockRestore()
    typed.set(null)
    expect(entry('desk').source.text).toBe('typed')
  })

  it('of a long text lies apart, and its desk is written once it is there', async () => {
    openText('short')
    await wait()
    for (const text of [new Blob(['x'.repeat(9)]), 'x'.repeat(TEXT_LIMIT + 1)]) {
      openText(text, 'long.csv')
      await wait()
      await wait()
      expect(texts.get('a key')).toBe(text)
      expect(entry('desk').source).toEqual({ kind: 'text', name: 'long.csv', text: '', long: 'a key' })
    }
    expect(a.notice.get()).toBeNull()
  })

  it('of a graph is its text, which is written once', async () => {
    const graph = packGraph({ name: '', tensors: [{ id: 'x', bytes: 4, kind: { input: true } }], ops: [] })
    const from = { kind: 'file', format: 'onnx' } as const
    workbench.opened.set({
      problem: fiveBuffers(),
      source: { kind: 'model', name: 'net', lowering: {}, from },
      text: graph,
    })
    await vi.waitFor(async () => {
      await wait()
      expect(entry('desk').source).toEqual({
        kind: 'model',
        name: 'net',
        lowering: {},
        from,
        text: 'tensor,x,4,input\n',
      })
    })
    workbench.capacity.set(79)
    window.dispatchEvent(new Event('pagehide'))
    expect(entry('desk')).toMatchObject({ capacity: 79, source: { name: 'net' } })
  })

  it('finds room apart when the storage is full', async () => {
    box.room = 1000
    openText('x'.repeat(2000))
    for (let k = 0; k < 3; k++) await wait()
    expect(texts.get('a key')).toBe('x'.repeat(2000))
    expect(entry('desk').source).toMatchObject({ text: '', long: 'a key' })
    expect(a.notice.get()).toBeNull()
  })

  it('stays what it was where there is no room at all, which is said once', async () => {
    openText('short')
    await wait()
    box.room = 1000
    roomApart = false
    openText('x'.repeat(2000))
    for (let k = 0; k < 3; k++) await wait()
    expect(a.notice.get()?.title).toBe('The browser keeps no more of this.')
    expect(entry('desk').source.text).toBe('short')
    expect(workbench.opened.get()?.text).toBe('x'.repeat(2000))
    a.notice.set(null)
    workbench.capacity.set(78)
    await wait()
    expect(a.notice.get()).toBeNull()
  })
})

describe('what another tab keeps', () => {
  const mark = { step: 3, note: 'here', of: 'a search' }

  it('is here at once: profiles, marks, notes, stops, the theme', () => {
    changed('profile own-1', profileOf())
    changed('mark 3 a search', 'here')
    changed('stop {"than":4,"what":"deeper"}', true)
    changed('theme', 'dark')
    expect(a.ownProfiles.get()).toEqual([profileOf()])
    expect(m.marks.get()).toEqual([mark])
    expect(workbench.stops.get()).toEqual([{ what: 'deeper', than: 4, on: true }])
    expect(ui.themeChoice.get()).toBe('dark')
    changed('mark 3 a search', undefined)
    expect(m.marks.get()).toEqual([])
  })

  it('is beside what was made here and is not kept yet', async () => {
    m.marks.set([mark])
    const [held] = m.marks.get()
    changed('profile own-1', profileOf())
    changed('mark 9 a search', '')
    expect(m.marks.get()).toEqual([mark, { ...mark, step: 9, note: '' }])
    expect(m.marks.get()[0]).toBe(held)
    await wait()
    expect([entry('mark 3 a search'), entry('profile own-1')]).toEqual(['here', profileOf()])
  })

  it('does not change what is open here, nor is it lost when this tab is closed', () => {
    openText('mine')
    changed('desk', { source: { kind: 'text', name: 'theirs', text: 'theirs' }, capacity: 5 })
    changed('profile own-7', profileOf({ id: 'own-7' }))
    expect(workbench.opened.get()?.text).toBe('mine')
    window.dispatchEvent(new Event('pagehide'))
    expect(entry('profile own-7').id).toBe('own-7')
  })

  it('waits for the reader behind a lesson', async () => {
    workbench.stops.set([])
    shownWorkbench.set(workbenchCells('lesson'))
    changed('stop {"than":4,"what":"deeper"}', true)
    expect(workbench.stops.get()).toEqual([])
    expect(own.stops.get()).toEqual([{ what: 'deeper', than: 4, on: true }])
    workbench.seed.set(7)
    await wait()
    expect(entry('stop {"than":4,"what":"deeper"}')).toBe(true)
  })

  it('is written again where somebody empties the storage', async () => {
    m.marks.set([mark])
    await wait()
    box.clear()
    window.dispatchEvent(told(null))
    await wait()
    expect(m.marks.get()).toEqual([mark])
    expect(entry('mark 3 a search')).toBe('here')
  })
})
