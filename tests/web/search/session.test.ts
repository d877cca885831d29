/** The run's states, the player's clock, and links against a client whose answers the test times. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ClientError } from '../../../wasm/client/types'
import { PartError } from '../../../web/src/base/later'
import { gather, pack, reopen } from '../../../web/src/run/share/link'
import { playOnly } from '../../../web/src/run/search/jumps'
import { Session } from '../../../web/src/run/session'
import * as a from '../../../web/src/state/atoms'
import { decides, lacking, stale, worth } from '../../../web/src/state/workbench'
import type { Shared } from '../../../web/src/state/share/schema'
import { CSV, digestOf, FakeClient, fiveBuffers, inPools, manifest, statsOf } from '../support/fake'
import { workbench } from '../../../web/src/state/workbench_cells'
import { BUDGET_DEFAULT } from '../../../web/src/state/workbench_values'

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

let client: FakeClient
let session: Session
let frames: ((now: number) => void)[]

function tick(now: number): void {
  const due = frames
  frames = []
  for (const callback of due) callback(now)
}

beforeEach(async () => {
  client = new FakeClient()
  frames = []
  session = new Session(client, {
    request: (callback) => frames.push(callback),
    cancel: (callback) => {
      frames = frames.filter((f) => f !== callback)
    },
  })
  await session.start()
  await session.clear()
  workbench.options.set({})
  workbench.budget.set(BUDGET_DEFAULT)
  workbench.seed.set(1)
  a.speed.set(10)
  await session.open(CSV, { kind: 'text', name: 'x.csv' }, 'x.csv')
})

describe('opening', () => {
  it('takes the lower bound as capacity where the file names none', () => {
    expect(workbench.capacity.get()).toBe(12)
    expect(workbench.run.get().kind).toBe('idle')
  })

  it('with pools, takes the bound of those without a capacity', async () => {
    const both = inPools(fiveBuffers(), [0, 1, 0, 0, 1])
    vi.spyOn(client, 'open').mockResolvedValueOnce({
      ok: true,
      problem: { ...both, lowerBound: 24 },
      suggestedCapacity: null,
    })
    await session.open(CSV, { kind: 'text', name: 'p.csv' }, 'p.csv')
    expect(workbench.capacity.get()).toBe(12)
  })

  it('is offered again where the worker was lost over it; the problem before stays', async () => {
    const before = workbench.opened.get()
    vi.spyOn(client, 'open').mockRejectedValueOnce(new ClientError('It ended.', 'silent'))
    expect(await session.open(CSV, { kind: 'text', name: 'y.csv' }, 'y.csv')).toBe(false)
    expect(workbench.opened.get()).toBe(before)
    expect(a.notice.get()).toMatchObject({ text: 'It ended.', action: { title: 'Open y.csv again' } })
    a.notice.get()?.action?.act()
    await vi.waitFor(() => expect(workbench.opened.get()?.source).toMatchObject({ name: 'y.csv' }))
    expect(a.notice.get()).toBeNull()
  })

  it('is not offered again to one who names nothing, and does more with what is opened', async () => {
    vi.spyOn(client, 'open').mockRejectedValueOnce(new ClientError('It ended.', 'silent'))
    expect(await session.open(CSV, { kind: 'text', name: 'y.csv' }, '')).toBe(false)
    expect(a.notice.get()).toEqual({ tone: 'why', title: 'The worker gave no answer.', text: 'It ended.' })
  })

  it('counts the rows of a long text and keeps the problem before when it is given up', async () => {
    const before = workbench.opened.get()
    let answer: (left: { ok: false; errors: []; total: 0 }) => void = () => undefined
    let tell: (rows: number) => void = () => undefined
    client.open = (_csv, _profile, progress?: (p: { rows: number; of: number }) => void) => {
      tell = (rows) => progress?.({ rows, of: 400 })
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    const opening = session.open(new Blob(['long']), { kind: 'text', name: 'y' }, 'y.csv')
    await settle()
    expect(session.leaveOpen()).toBe(false)
    tell(100)
    expect(a.importing.get()).toEqual({ kind: 'reading', name: 'y.csv', done: 0.25, rows: { rows: 100, of: 400 } })
    expect(session.leaveOpen()).toBe(true)
    expect(client.left).toBe(1)
    answer({ ok: false, errors: [], total: 0 })
    expect(await opening).toBe(false)
    expect(a.importing.get()).toEqual({ kind: 'none' })
    expect([workbench.opened.get(), workbench.draft.get(), workbench.mistakes.get(), a.reading.get()]).toEqual([
      before,
      null,
      null,
      false,
    ])
  })

  it('says so when there is no memory for a problem', async () => {
    const before = workbench.opened.get()
    client.open = () => Promise.reject(new ClientError('Out of memory: more.', 'memory'))
    expect(await session.open(CSV, { kind: 'text', name: 'y' }, 'y')).toBe(false)
    expect(a.notice.get()).toMatchObject({ title: 'There was not enough memory.', text: 'Out of memory: more.' })
    expect(workbench.opened.get()).toBe(before)
  })

  it('keeps what was typed and the problem before when a text is refused', async () => {
    const before = workbench.opened.get()
    expect(await session.open('bad text', { kind: 'text', name: 'y' }, 'y')).toBe(false)
    expect(workbench.opened.get()).toBe(before)
    expect(workbench.draft.get()).toEqual({ text: 'bad text', name: 'y' })
    expect(workbench.mistakes.get()).toMatchObject({ text: 'bad text', total: 1 })
  })

  it('gives the worker back the problem that is shown when it took another one and the next is refused', async () => {
    const shown = workbench.opened.get()
    const ask = client.open.bind(client)
    const asked: (() => Promise<void>)[] = []
    client.open = (csv, profile) => new Promise((resolve) => asked.push(async () => resolve(await ask(csv, profile))))
    const answer = async () => {
      await asked.shift()?.()
      await settle()
    }
    const passed = session.open('other text', { kind: 'text', name: 'y' }, 'y')
    await settle()
    const bad = session.open('bad text', { kind: 'text', name: 'z' }, 'z')
    await settle()
    await answer()
    expect(await passed).toBe(false)
    await answer()
    expect(workbench.mistakes.get()).toMatchObject({ text: 'bad text' })
    await answer()
    expect(await bad).toBe(false)
    expect(client.opened.at(-1)).toBe(shown?.text)
    expect([workbench.opened.get(), workbench.run.get(), a.reading.get()]).toEqual([shown, { kind: 'idle' }, false])
  })

  it('waits for a text that is still to be fetched, unless another one is opened meanwhile', async () => {
    let give = (_: string) => {}
    const coming = () => new Promise<string>((resolve) => (give = resolve))
    const late = session.open(coming(), { kind: 'text', name: 'late' }, 'late')
    expect(a.reading.get()).toBe(true)
    expect(await session.open(CSV, { kind: 'text', name: 'other' }, 'other')).toBe(true)
    give(CSV)
    expect(await late).toBe(false)
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'other' })
    const next = session.open(coming(), { kind: 'text', name: 'next' }, 'next')
    give(CSV)
    expect(await next).toBe(true)
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'next' })
    expect(a.reading.get()).toBe(false)
  })

  it('keeps the problem before when a text cannot be fetched', async () => {
    const before = workbench.opened.get()
    const lost = Promise.reject(new PartError('It could not be fetched.'))
    expect(await session.open(lost, { kind: 'example', file: 'x', title: 'X' }, 'x')).toBe(false)
    expect(workbench.opened.get()).toBe(before)
    expect(a.notice.get()).toMatchObject({ title: 'That did not work.', text: 'It could not be fetched.' })
    expect(a.reading.get()).toBe(false)
    a.notice.set(null)
  })

  it('lets the newest text win', async () => {
    const first = session.open(`${CSV}b,0,1,1\n`, { kind: 'text', name: 'first' }, 'first')
    const second = session.open(`${CSV}c,0,1,1\n`, { kind: 'text', name: 'second' }, 'second')
    expect(await first).toBe(false)
    expect(await second).toBe(true)
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'second' })
  })
})

describe('running', () => {
  it('ends at the last step', async () => {
    await session.run()
    await settle()
    expect(workbench.run.get()).toMatchObject({ kind: 'ended', result: { stats: { outcome: 'optimal', steps: 100 } } })
    expect(workbench.cursor.get()).toBe(100)
    expect(workbench.frame.get()?.step).toBe(100)
  })

  it('can be cancelled and goes on', async () => {
    client.hold = true
    const going = session.run()
    expect(workbench.run.get().kind).toBe('running')
    session.cancel()
    await going
    expect(workbench.run.get()).toMatchObject({ kind: 'cancelled', result: { stats: { steps: 7 } } })
    client.hold = false
    await session.resume(0)
    expect(workbench.run.get()).toMatchObject({ kind: 'ended', config: { budget: 0 } })
  })

  it('stops the run under way before another begins', async () => {
    client.hold = true
    const first = session.run()
    client.hold = false
    await session.run()
    await first
    expect(workbench.run.get()).toMatchObject({ kind: 'ended', result: { stats: { steps: 100 } } })
  })

  it('says that the worker was lost, and keeps problem and settings', async () => {
    client.hold = true
    workbench.options.set({ minimalloc: { dominance: 'false' } })
    const going = session.run()
    client.fail(new ClientError('memory access out of bounds', 'trap'))
    await going
    expect(workbench.run.get()).toMatchObject({
      kind: 'failed',
      reason: 'trap',
      message: 'memory access out of bounds',
    })
    expect(workbench.opened.get()?.text).toBe(CSV)
    expect(workbench.options.get()).toEqual({ minimalloc: { dominance: 'false' } })
    client.hold = false
    await session.run()
    expect(workbench.run.get().kind).toBe('ended')
  })

  it('keeps what was found by a run whose worker was lost, and says so', async () => {
    const plan = Float64Array.of(0, 4, 0, 4, 8)
    const lose = async (error: Error) => {
      client.hold = true
      const going = session.run()
      client.progress(statsOf(40, { outcome: 'running', height: 12 }), plan)
      client.fail(error)
      await going
    }
    await lose(new ClientError('It did not answer.', 'silent'))
    const result = { stats: { outcome: 'cancelled', steps: 40 }, best: plan }
    expect(workbench.run.get()).toMatchObject({ kind: 'cancelled', result })
    expect(a.notice.get()).toMatchObject({ title: 'The solver was lost, and replaced.' })
    expect(a.notice.get()?.text).toContain('It did not answer.')
    a.notice.set(null)
    await lose(new ClientError('Out of memory', 'memory'))
    expect(workbench.run.get()).toMatchObject({ kind: 'cancelled', result })
    client.hold = false
    a.notice.get()?.action?.act()
    await vi.waitFor(() => expect(workbench.run.get().kind).toBe('ended'))
    expect(a.notice.get()).toBeNull()
  })

  it('keeps a result whose worker is lost when it is looked at', async () => {
    await session.run()
    const before = workbench.run.get()
    vi.spyOn(client, 'seek').mockRejectedValueOnce(new ClientError('It ended.', 'silent'))
    session.player.seek(3)
    await vi.waitFor(() => expect(a.notice.get()).not.toBeNull())
    expect(workbench.run.get()).toBe(before)
    expect(a.notice.get()?.text).toContain('It ended.')
    a.notice.set(null)
  })

  it('puts aside what was being typed when another problem is opened, and gives it back', async () => {
    const open = () => session.open(CSV, { kind: 'text', name: 'y.csv' }, 'y.csv')
    for (const text of ['', CSV]) {
      workbench.draft.set({ text, name: 'x.csv' })
      await open()
      expect([workbench.draft.get(), a.notice.get()]).toEqual([null, null])
    }
    const draft = { text: 'id,lower,upper,size\nhalf a ro', name: 'x.csv' }
    for (const leave of [open, () => session.clear()]) {
      workbench.draft.set(draft)
      await leave()
      expect(workbench.draft.get()).toBeNull()
      expect(a.notice.get()).toMatchObject({ title: 'What you were typing was put aside.', text: 'x.csv' })
      a.notice.get()?.action?.act()
      expect([workbench.draft.get(), a.notice.get()]).toEqual([draft, null])
    }
    workbench.draft.set(null)
  })

  it('knows when the form was changed since', async () => {
    await session.run()
    expect(stale.get()).toBe(false)
    workbench.options.set({ minimalloc: { dominance: 'false' } })
    expect(stale.get()).toBe(true)
    workbench.options.set({ minimalloc: {} })
    expect(stale.get()).toBe(false)
    workbench.capacity.set(13)
    expect(stale.get()).toBe(true)
  })
})

describe('player', () => {
  beforeEach(async () => {
    await session.run()
    await settle()
    session.player.seek(0)
    await settle()
    client.asked = []
  })

  it('moves by elapsed time × speed', () => {
    session.player.setSpeed(10)
    session.player.play()
    tick(1000)
    expect(workbench.cursor.get()).toBe(0)
    tick(1100)
    expect(workbench.cursor.get()).toBe(1)
    tick(1150)
    expect(workbench.cursor.get()).toBe(1)
    tick(1200)
    expect(workbench.cursor.get()).toBe(2)
  })

  it('passes over steps at high speed and stops at the end', () => {
    session.player.setSpeed(1e6)
    session.player.play()
    tick(0)
    tick(16)
    expect(workbench.cursor.get()).toBe(100)
    expect(a.playing.get()).toBe(false)
  })

  it('does not jump after a sleep', () => {
    session.player.setSpeed(10)
    session.player.play()
    tick(0)
    tick(3_600_000)
    expect(workbench.cursor.get()).toBe(2)
  })

  it('knows how long a search is, and begins where nobody has looked yet', async () => {
    expect(a.speed.get()).toBe(5)
    await session.run()
    await settle()
    session.player.rest(40)
    session.player.play()
    expect(workbench.cursor.get()).toBe(0)
    session.player.seek(40)
    session.player.play()
    expect(workbench.cursor.get()).toBe(40)
  })

  it('goes from backtrack to backtrack, and from the last to the end', async () => {
    playOnly(session, 'backtracks')
    session.player.setSpeed(10)
    session.player.play()
    const seen: number[] = []
    for (let now = 0; a.playing.get() && now < 2000; now += 100) {
      tick(now)
      await settle()
      if (seen.at(-1) !== workbench.cursor.get()) seen.push(workbench.cursor.get())
    }
    playOnly(session, 'steps')
    expect(seen).toEqual([0, 10, 20, 30, 100])
    expect(a.playing.get()).toBe(false)
  })

  it('begins again at the end', () => {
    session.player.toEnd()
    session.player.play()
    expect(workbench.cursor.get()).toBe(0)
    expect(a.playing.get()).toBe(true)
  })

  it('asks only for the newest of many steps', async () => {
    client.hold = true
    for (const step of [10, 20, 30, 40]) session.player.seek(step)
    expect(client.asked).toEqual([10])
    client.release()
    await settle()
    expect(client.asked).toEqual([10, 40])
    client.release()
    await settle()
    expect(workbench.frame.get()?.step).toBe(40)
  })

  it('clamps and stops when a step is asked for', () => {
    session.player.play()
    session.player.seek(1e9)
    expect([workbench.cursor.get(), a.playing.get()]).toEqual([100, false])
    session.player.stepBy(-1e9)
    expect(workbench.cursor.get()).toBe(0)
  })

  it('jumps from backtrack to backtrack, and stays past the last', async () => {
    expect(await session.player.jump('backtrack', true)).toBe(10)
    expect(await session.player.jump('backtrack', true)).toBe(20)
    expect(await session.player.jump('backtrack', false)).toBe(10)
    expect(await session.player.jump('backtrack', false)).toBe(0)
    expect(workbench.cursor.get()).toBe(10)
    session.player.seek(30)
    expect(await session.player.jump('backtrack', true)).toBe(0)
    expect(workbench.cursor.get()).toBe(30)
  })

  it('says that it is looking until the jump is done, or given up', async () => {
    const jump = session.player.jump('backtrack', true)
    expect(a.looking.get()).toBe(true)
    await jump
    expect(a.looking.get()).toBe(false)
    const other = session.player.jump('backtrack', true)
    session.player.seek(3)
    expect(a.looking.get()).toBe(false)
    await other
    expect(a.looking.get()).toBe(false)
  })

  it('drops a jump that was overtaken', async () => {
    const jump = session.player.jump('backtrack', true)
    session.player.seek(77)
    await jump
    expect(workbench.cursor.get()).toBe(77)
  })
})

async function sharedAt(step: number): Promise<Shared> {
  await session.run()
  session.player.seek(step)
  const shared = await gather(session)
  if (shared === null) throw new Error('nothing to share')
  return shared
}

describe('links', () => {
  it('are made of what is shown and open to the same step', async () => {
    const shared = await sharedAt(64)
    expect(shared).toMatchObject({
      step: 64,
      steps: 100,
      ended: true,
      digest: digestOf(64),
      finalDigest: digestOf(100),
    })
    expect(shared.checkpoints.map((c) => c.step)).toEqual([8, 16, 24, 32, 40, 48, 56])
    await session.clear()
    await reopen(session, shared)
    expect(workbench.cursor.get()).toBe(64)
    expect(workbench.verdict.get()).toEqual({ kind: 'same' })
  })

  it('say from where a search differs', async () => {
    const shared = await sharedAt(64)
    client.digest = (step) => (step >= 30 ? 'ffffffffffffffff' : digestOf(step))
    await reopen(session, shared)
    expect(workbench.verdict.get()).toEqual({ kind: 'differs', after: 24, by: 32 })
  })

  it('notice a search of another length', async () => {
    const shared = await sharedAt(64)
    client.steps = 50
    await reopen(session, shared)
    expect(workbench.verdict.get()).toEqual({ kind: 'differs', after: 48, by: 56 })
    expect(workbench.cursor.get()).toBe(50)
  })

  it('that are overtaken by another say nothing of their own', async () => {
    await session.run()
    session.player.seek(42)
    const shared = (await gather(session)) as Shared
    vi.spyOn(client, 'digestAt').mockImplementationOnce(async () => {
      void session.open(CSV, { kind: 'text', name: 'z.csv' }, 'z.csv')
      throw new ClientError('There is no run yet.', 'argument')
    })
    await reopen(session, shared)
    await vi.waitFor(() => expect(workbench.opened.get()?.source).toMatchObject({ name: 'z.csv' }))
    expect(a.notice.get()).toBeNull()
  })

  it('name a solver or an example that is not there', async () => {
    const shared = await sharedAt(1)
    for (const change of [{ solver: 'oracle' }, { source: { kind: 'example' as const, file: 'no-such.csv' } }]) {
      a.notice.set(null)
      await reopen(session, { ...shared, ...change })
      expect(a.notice.get()?.text).toMatch(/which this version does not have/)
    }
  })

  it('become a file when they are too long', async () => {
    const shared = await sharedAt(1)
    let noise = 1
    const rows = Array.from({ length: 9000 }, (_, k) => {
      noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0
      return `${k},${noise % 9973},${10000 + (noise >>> 9)},${noise}`
    })
    const big: Shared = { ...shared, source: { kind: 'text', name: 'big.csv', text: rows.join('\n') } }
    expect(await pack(big)).toEqual({ kind: 'file' })
    expect(await pack(shared)).toMatchObject({ kind: 'link' })
  })
})

describe('what a solver lacks', () => {
  it('is named only where the problem asks for it', () => {
    const problem = fiveBuffers()
    const solver = manifest.solvers[0]
    if (solver === undefined) throw new Error('no solver')
    const none = {
      ...solver,
      supports: {
        alignment: false,
        fixed: false,
        gaps: false,
        windows: false,
        hints: false,
        banks: false,
        shapes: false,
      },
    }
    expect(lacking(none, problem)).toEqual([])
    const asking = {
      ...problem,
      alignment: new Float64Array(5).fill(4),
      fixed: new Float64Array(5),
      gaps: [{ buffer: 0, lower: 1, upper: 2, windowLower: 0, windowUpper: 2 }],
      bank: Float64Array.of(0, 0, 0, 8, 0),
    }
    expect(lacking(none, asking)).toEqual(['alignment', 'bank boundaries', 'fixed offsets', 'gaps'])
    expect(lacking({ ...none, supports: { ...none.supports, gaps: true } }, asking)).toContain('gaps with windows')
    expect(lacking(solver, asking)).toEqual([])
    expect([worth(solver, null), worth(solver, problem), worth(solver, asking)]).toEqual([
      'complete',
      'complete',
      'incomplete',
    ])
    expect([decides(solver, problem), decides(solver, asking)]).toEqual([true, false])
    const plain = { ...asking, gaps: [{ buffer: 0, lower: 1, upper: 2, windowLower: 0, windowUpper: 0 }] }
    expect(worth(solver, plain)).toBe('complete')
    expect(worth({ ...solver, complete: false }, plain)).toBe('heuristic')
  })
})
