/** Marks, ranges and stops: what is kept, what playing does with them, and what is said of a step that meets a stop. */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  jumpToStop,
  moreToSearch,
  rangeFrom,
  rangeTo,
  stopLooking,
  watch,
} from '../../../web/src/run/marks/play_to_stop'
import { gather, pack, reopen } from '../../../web/src/run/share/link'
import * as marking from '../../../web/src/run/marks/marking'
import { Session } from '../../../web/src/run/session'
import * as a from '../../../web/src/state/atoms'
import * as m from '../../../web/src/state/marks/marks'
import { conditionOf, stopText } from '../../../web/src/state/marks/stop_words'
import { decodeLink } from '../../../web/src/state/share/codec'
import { CSV, FakeClient, fiveBuffers, manifest } from '../support/fake'
import { workbench } from '../../../web/src/state/workbench_cells'

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

let client: FakeClient
let session: Session
let frames: ((now: number) => void)[]
let now = 0

/** Lets so many steps' time pass, and the worker answer. */
async function pass(count: number): Promise<number> {
  now += (count * 1000) / a.speed.get()
  const due = frames
  frames = []
  for (const callback of due) callback(now)
  await settle()
  return workbench.cursor.get()
}

async function ran(seed = 1): Promise<void> {
  workbench.seed.set(seed)
  const done = session.run()
  client.finish()
  await done
  await settle()
}

beforeEach(async () => {
  m.marks.set([])
  workbench.stops.set([])
  m.range.set(null)
  m.looping.set(true)
  m.stopped.set('')
  client = new FakeClient()
  frames = []
  now = 0
  session = new Session(client, {
    request: (callback) => frames.push(callback),
    cancel: (callback) => {
      frames = frames.filter((f) => f !== callback)
    },
  })
  await session.start()
  await session.clear()
  a.speed.set(100)
  workbench.options.set({})
  await session.open(CSV, { kind: 'text', name: 'x.csv' }, 'x.csv')
  await ran()
  a.speed.set(100)
  watch(session)
})

describe('marks', () => {
  it('stand in order, one on a step, and belong to the search they were made in', async () => {
    for (const step of [40, 7, 40]) {
      session.player.seek(step)
      expect(marking.markHere()).toBe(true)
    }
    const first = m.shownMarks.get()
    expect(first.map(({ step }) => step)).toEqual([7, 40])
    await ran(2)
    expect(m.shownMarks.get()).toEqual([])
    session.player.seek(3)
    marking.markHere()
    expect(m.shownMarks.get().map(({ step }) => step)).toEqual([3])
    await ran(1)
    expect(m.shownMarks.get()).toEqual(first)
    expect(m.marks.get()).toHaveLength(3)
  })

  it('keep a note as one line of plain text of limited length', () => {
    session.player.seek(5)
    marking.markHere()
    const [mark] = m.shownMarks.get()
    if (mark === undefined) throw new Error('there is no mark')
    marking.noteMark(mark, `  <img src=x>\n${'y'.repeat(1000)}`)
    const note = m.shownMarks.get()[0]?.note ?? ''
    expect(note).toHaveLength(m.NOTE_LIMIT)
    expect(note).toMatch(/^<img src=x> y+$/)
    // a note is not thrown away by a key
    marking.toggleMark()
    expect(m.shownMarks.get()).toHaveLength(1)
    expect(workbench.watchOpen.get()).toBe(true)
    marking.removeMark(m.shownMarks.get()[0] as m.Mark)
    marking.toggleMark()
    marking.toggleMark()
    expect(m.shownMarks.get()).toEqual([])
  })

  it('are so many and no more', () => {
    const of = m.searchKey.get()
    m.marks.set(Array.from({ length: m.MARK_LIMIT }, (_, step) => ({ step: step + 1000, note: '', of })))
    expect(marking.markHere()).toBe(false)
    expect(a.notice.get()?.text).toMatch(/Delete one/)
    a.notice.set(null)
  })

  it('travel in the link with the range and the stops, and join what is there', async () => {
    session.player.seek(20)
    marking.markHere()
    marking.noteMark(m.shownMarks.get()[0] as m.Mark, 'theirs')
    marking.setRange(30, 10)
    marking.addStop({ what: 'placed', buffer: 'b3' })
    marking.addStop({ what: 'placed', buffer: 'b3' })
    const shared = await gather(session)
    if (shared === null) throw new Error('nothing to share')
    const out = await pack(shared)
    if (out.kind !== 'link') throw new Error('too long')
    expect(out.fragment).toMatch(/^s1\./)
    const decoded = await decodeLink(out.fragment)
    if (!decoded.ok) throw new Error(decoded.message)
    expect(decoded.shared.stops).toEqual([{ what: 'placed', buffer: 'b3', on: true }])

    m.range.set(null)
    workbench.stops.set([{ what: 'deeper', than: 3, on: true }])
    m.marks.update((marks) => marks.map((mark) => ({ ...mark, note: 'mine' })))
    const opened = reopen(session, decoded.shared)
    await settle()
    client.finish()
    await opened
    expect(m.shownMarks.get().map(({ step, note }) => [step, note])).toEqual([[20, 'mine / theirs']])
    expect(m.shownRange.get()).toMatchObject({ from: 10, to: 30 })
    expect(workbench.stops.get()).toHaveLength(2)
  })
})

describe('playing', () => {
  it('stops at the first step that meets a stop, however fast, and says which it was', async () => {
    marking.addStop({ what: 'placed', buffer: 'b3' })
    session.player.seek(0)
    session.player.play()
    await pass(0)
    expect(await pass(4)).toBe(4)
    expect(await pass(2)).toBe(6)
    expect(await pass(2)).toBe(8)
    expect(await pass(2)).toBe(10)
    expect(a.playing.get()).toBe(false)
    await settle()
    expect(m.stopped.get()).toBe('Stopped: b3 is placed.')
    expect(client.scans[0]).toMatchObject({ from: 0, conditions: [{ role: 'puts', buffer: 2 }] })
    a.speed.set(1e6)
    session.player.play()
    await pass(0)
    expect(await pass(50)).toBe(20)
    session.player.stepBy(1)
    expect(m.stopped.get()).toBe('')
  })

  it('waits where the worker has not looked yet', async () => {
    marking.addStop({ what: 'deeper', than: 2 })
    session.player.seek(0)
    await settle()
    client.hold = true
    session.player.play()
    await pass(0)
    expect(await pass(2)).toBe(0)
    expect(await pass(2)).toBe(0)
    expect(a.playing.get()).toBe(true)
    client.release()
    await settle()
    client.hold = false
    expect(await pass(2)).toBe(2)
  })

  it('goes past a stop that is off, or that means nothing in this problem, to the end', async () => {
    marking.addStop({ what: 'placed', buffer: 'b3' })
    marking.switchStop(workbench.stops.get()[0] as m.Stop, false)
    marking.addStop({ what: 'placed', buffer: 'nobody' })
    session.player.seek(0)
    a.speed.set(1000)
    session.player.play()
    await pass(0)
    for (let k = 0; k < 10 && a.playing.get(); k++) await pass(40)
    expect(workbench.cursor.get()).toBe(100)
    expect(client.scans).toEqual([])
  })

  it('keeps within the range, round and round or once', async () => {
    marking.setRange(15, 12)
    session.player.seek(90)
    session.player.play()
    expect(workbench.cursor.get()).toBe(12)
    await pass(0)
    const seen = []
    for (let k = 0; k < 6; k++) seen.push(await pass(1))
    expect(seen).toEqual([13, 14, 15, 12, 13, 14])
    m.looping.set(false)
    expect([await pass(1), a.playing.get()]).toEqual([15, false])
    session.player.play()
    expect(workbench.cursor.get()).toBe(12)
    // the whole search as a range goes round as well
    session.player.pause()
    m.looping.set(true)
    marking.setRange(0, 100)
    a.speed.set(1000)
    session.player.seek(60)
    session.player.play()
    await pass(0)
    expect(await pass(100)).toBe(100)
    expect(a.playing.get()).toBe(true)
    expect(await pass(1)).toBe(0)
    session.player.pause()
  })

  it('takes a range from the ends of marks, and none of a single step', () => {
    rangeFrom(20)
    expect(m.shownRange.get()).toMatchObject({ from: 20, to: 100 })
    rangeTo(50)
    expect(m.shownRange.get()).toMatchObject({ from: 20, to: 50 })
    rangeTo(10)
    expect(m.shownRange.get()).toMatchObject({ from: 0, to: 10 })
    marking.setRange(4, 4.2)
    expect(m.shownRange.get()).toBeNull()
    marking.setRange(-5, 1e9)
    expect(m.shownRange.get()).toMatchObject({ from: 0, to: 100 })
  })
})

describe('finding', () => {
  it('goes to the next and the last step that meets a stop, and says so if there is none', async () => {
    await jumpToStop(session, true)
    expect(m.stopped.get()).toMatch(/no stop to go to/)
    marking.addStop({ what: 'placed', buffer: 'b1' })
    session.player.seek(15)
    await jumpToStop(session, true)
    expect(workbench.cursor.get()).toBe(20)
    expect(m.stopped.get()).toBe('Stopped: b1 is placed.')
    await jumpToStop(session, false)
    expect(workbench.cursor.get()).toBe(10)
    await jumpToStop(session, false)
    expect(workbench.cursor.get()).toBe(10)
    expect(m.stopped.get()).toBe('No step before this one meets a stop.')
  })

  it('says what went wrong, but not of a search that is gone by then', async () => {
    marking.addStop({ what: 'placed', buffer: 'b1' })
    client.scan = () => Promise.reject(new Error('There is no run yet.'))
    a.notice.set(null)
    await jumpToStop(session, true)
    expect(a.notice.get()?.text).toBe('There is no run yet.')
    a.notice.set(null)
    const jump = jumpToStop(session, true)
    session.player.seek(workbench.cursor.get() === 3 ? 4 : 3)
    await jump
    expect([a.notice.get(), a.looking.get()]).toEqual([null, false])
  })

  it('ends with its budget, says how far it came, and goes on from there when it is told to', async () => {
    client.steps = 50_000_000
    client.stops = [45_000_000]
    await ran(5)
    marking.addStop({ what: 'placed', buffer: 'b1' })
    session.player.seek(0)
    await jumpToStop(session, true)
    expect([workbench.cursor.get(), m.stopped.get()]).toEqual([0, 'No stop up to step 20,000,000.'])
    await jumpToStop(session, true, moreToSearch.get()?.step)
    expect(moreToSearch.get()).toEqual({ step: 40_000_000, forward: true })
    await jumpToStop(session, true, moreToSearch.get()?.step)
    expect([workbench.cursor.get(), moreToSearch.get()]).toEqual([45_000_000, null])
  })

  it('can be given up', async () => {
    marking.addStop({ what: 'placed', buffer: 'b1' })
    session.player.seek(15)
    await settle()
    client.hold = true
    const jump = jumpToStop(session, true)
    expect(a.looking.get()).toBe(true)
    stopLooking(session)
    expect(a.looking.get()).toBe(false)
    client.hold = false
    client.release()
    await jump
    expect(workbench.cursor.get()).toBe(15)
  })
})

describe('a stop', () => {
  const problem = fiveBuffers()
  const asked = (what: m.StopWhat) => conditionOf(what, problem, manifest)

  it('is looked for by index and told by name', () => {
    expect(asked({ what: 'undone', buffer: 'b2' })).toEqual({ role: 'takes', buffer: 1 })
    expect(asked({ what: 'placed', buffer: 'b2' })).toEqual({ role: 'puts', buffer: 1 })
    expect(asked({ what: 'tried', buffer: 'b2' })).toEqual({ role: 'tries', buffer: 1 })
    expect(asked({ what: 'deeper', than: 4 })).toEqual({ above: 4 })
    expect(asked({ what: 'section', section: 2 })).toEqual({ section: 2 })
    expect(asked({ what: 'step', event: 'major' })).toEqual({ kinds: ['backtrack'], major: true })
    const rule = manifest.rules.findIndex(({ id }) => id === 'dominance')
    expect(asked({ what: 'rule', rule: 'dominance' })).toEqual({ rule })
    expect(stopText({ what: 'rule', rule: 'dominance' }, manifest)).toBe('the rule dominance discards')
    expect(stopText({ what: 'deeper', than: 1200 }, null)).toBe('depth exceeds 1,200')
  })

  it.each([
    [{ what: 'placed', buffer: 'b9' }, /no buffer “b9”/],
    [{ what: 'deeper', than: 5 }, /There are 5 buffers/],
    [{ what: 'section', section: 3 }, /from 0 to 2/],
    [{ what: 'rule', rule: 'moon' }, /no rule “moon”/],
    [{ what: 'rule', rule: 'none' }, /no rule “none”/],
  ] as [m.StopWhat, RegExp][])('that cannot be met says why: %o', (what, why) => {
    const found = asked(what)
    expect('why' in found ? found.why : '').toMatch(why)
  })
})
