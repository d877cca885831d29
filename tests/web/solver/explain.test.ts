/** Why not, only these, and the least height: the page's side of them against a client whose answers the test times. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ClientError } from '../../../wasm/client/types'
import { Actions } from '../../../web/src/run/actions'
import { records } from '../../../web/src/base/records'
import { atOnce } from '../../../web/src/base/slices'
import { pickRows } from '../../../web/src/run/solver/open_unfit'
import { Session } from '../../../web/src/run/session'
import { inWords } from '../../../web/src/state/solver/arm_words'
import { armHint, armOf, isCode } from '../../../web/src/state/solver/arms'
import * as derive from '../../../web/src/state/workbench'
import { planFrame } from '../../../web/src/state/solver/plan_frame'
import { stackUnfit } from '../../../web/src/state/solver/unfit'
import { CSV, explanationOf, FakeClient, fiveBuffers, statsOf } from '../support/fake'
import { workbench } from '../../../web/src/state/workbench_cells'

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

let client: FakeClient
let session: Session
let actions: Actions

beforeEach(async () => {
  Object.assign(globalThis, { location: { hash: '', pathname: '/', search: '' }, history: { replaceState: () => {} } })
  client = new FakeClient()
  session = new Session(client, { request: () => {}, cancel: () => {} })
  actions = new Actions(session)
  await session.start()
  await session.clear()
  workbench.options.set({})
  workbench.solver.set('exact')
  workbench.whyShown.set(true)
  await session.open(CSV, { kind: 'text', name: 'x.csv' }, 'x.csv')
})

async function infeasible(): Promise<void> {
  const going = session.run()
  await settle()
  await going
  await settle()
}

describe('why not', () => {
  it('is looked for with progress, then known, and its set is outlined', async () => {
    await infeasible()
    const asking = actions.solver.explain()
    expect(workbench.why.get()).toMatchObject({ kind: 'looking', capacity: 12, progress: null })
    client.explaining({ steps: 9, count: 4, tried: 1 })
    expect(workbench.why.get()).toMatchObject({ kind: 'looking', progress: { count: 4 } })
    client.finishExplaining(explanationOf())
    await asking
    expect(workbench.why.get()).toMatchObject({ kind: 'known', capacity: 12 })
    expect(derive.unfit.get()).toEqual([0, 2])
    actions.solver.showUnfit(false)
    expect(derive.unfit.get()).toEqual([])
    expect(client.explained).toEqual([{ capacity: 12, seed: workbench.seed.get(), budget: workbench.budget.get() }])
  })

  it('shows the set on top of each other where nothing is placed', async () => {
    await infeasible()
    workbench.frame.set({ ...planFrame(new Float64Array(5).fill(-1), 100, null) })
    const asking = actions.solver.explain()
    client.finishExplaining(explanationOf({ buffers: [0, 2, 4] }))
    await asking
    const shown = derive.shownFrame.get()
    expect(shown?.depth).toBe(3)
    expect([...(shown?.offset ?? [])].map((at) => at >= 0)).toEqual([true, false, true, false, true])
  })

  it('keeps the set that is known when it is cancelled', async () => {
    await infeasible()
    const asking = actions.solver.explain()
    actions.solver.stopExplaining()
    await asking
    expect(workbench.why.get()).toMatchObject({ kind: 'known', explanation: { outcome: 'cancelled', buffers: [] } })
    expect(workbench.run.get().kind).toBe('ended')
  })

  it('belongs to a capacity: another one does not show it', async () => {
    const asking = actions.solver.explain()
    client.finishExplaining(explanationOf())
    await asking
    expect(derive.unfit.get()).toEqual([0, 2])
    workbench.capacity.set(13)
    expect(derive.unfit.get()).toEqual([])
  })

  it('goes when another run begins or another problem is opened', async () => {
    const asking = actions.solver.explain()
    client.finishExplaining(explanationOf())
    await asking
    await session.run()
    expect(workbench.why.get()).toEqual({ kind: 'none' })
    const late = actions.solver.explain()
    await session.open(`${CSV}b,0,1,1\n`, { kind: 'text', name: 'y' }, 'y')
    client.finishExplaining(explanationOf())
    await late
    expect(workbench.why.get()).toEqual({ kind: 'none' })
  })

  it('says when the worker cannot', async () => {
    const asking = actions.solver.explain()
    client.breakExplaining(new ClientError('out of memory', 'memory'))
    await asking
    expect(workbench.why.get()).toEqual({ kind: 'failed', message: 'out of memory' })
  })
})

describe('only these', () => {
  const ALL = 'id,lower,upper,size\n"a,1",0,4,3\n"b\n2",0,4,3\nc,0,4,3\n'

  it('takes the rows of a CSV apart, quotes and line ends included', () => {
    expect([...records(ALL)]).toEqual(['id,lower,upper,size', '"a,1",0,4,3', '"b\n2",0,4,3', 'c,0,4,3'])
    expect(atOnce(pickRows(ALL, [1]))).toBe('id,lower,upper,size\n"b\n2",0,4,3\n')
    expect([...records('id')]).toEqual(['id'])
    const rows = Array.from({ length: 10_000 }, (_, k) => `b${k},0,4,3`)
    const many = ['id,lower,upper,size', ...rows, ''].join('\n')
    expect(atOnce(pickRows(many, [9999, 4096, 0]))).toBe('id,lower,upper,size\nb9999,0,4,3\nb4096,0,4,3\nb0,0,4,3\n')
  })

  it('opens the set as the problem, at its capacity, and goes back to the whole', async () => {
    await session.open('whole', { kind: 'text', name: 'mine.csv' }, 'mine.csv')
    workbench.capacity.set(11)
    client.csv = ALL
    const asking = actions.solver.explain()
    client.finishExplaining(explanationOf())
    await asking
    workbench.draft.set({ text: 'half typed', name: 'other' })
    await actions.solver.onlyThese()
    expect(client.opened.at(-1)).toBe('id,lower,upper,size\n"a,1",0,4,3\nc,0,4,3\n')
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'mine-only-2.csv' })
    expect([workbench.capacity.get(), client.config?.capacity]).toEqual([11, 11])
    expect(workbench.draft.get()).toEqual({ text: 'half typed', name: 'other' })
    expect(workbench.aside.get()).toMatchObject({ text: 'whole', count: 5 })
    await actions.solver.backToAll()
    expect(client.opened.at(-1)).toBe('whole')
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'mine.csv' })
    expect([workbench.capacity.get(), workbench.aside.get()]).toEqual([11, null])
    expect(workbench.draft.get()?.text).toBe('half typed')
  })
})

describe('the least height', () => {
  it('is the goal of the run, and part of what is shared', async () => {
    actions.solver.setMinimise(true)
    expect([derive.goalChosen.get() === 'height', derive.minimising.get()]).toEqual([true, true])
    await session.run()
    expect(client.config?.goal).toBe('height')
    actions.solver.setMinimise(false)
    expect(workbench.goal.get()).toBe('fit')
    expect([derive.goalChosen.get() === 'height', derive.minimising.get()]).toEqual([false, true])
  })

  it('asks a solver that can', () => {
    workbench.solver.set('minimalloc')
    actions.solver.setMinimise(true)
    expect(workbench.solver.get()).toBe('exact')
  })

  it('shows the best plan so far and the two bounds while it runs, and the best at the end', async () => {
    actions.solver.setMinimise(true)
    client.hold = true
    const going = session.run()
    const plan = Float64Array.from([0, 0, 4, 0, 8])
    const stats = statsOf(9, { outcome: 'running', height: 14, lowerBound: 12 })
    client.progress(stats, plan)
    client.progress({ ...stats, lowerBound: 13 }, null)
    expect(derive.shownFrame.get()?.offset).toBe(plan)
    expect(derive.scene.get()).toMatchObject({ bounds: { lowerBound: 13, height: 14 }, limit: null })
    client.finish(statsOf(100, { height: 13, lowerBound: 13 }), Float64Array.from([0, 0, 4, 0, 9]))
    await going
    expect([...(derive.shownFrame.get()?.offset ?? [])]).toEqual([0, 0, 4, 0, 9])
    workbench.cursor.set(50)
    expect(derive.shownFrame.get()).not.toMatchObject({ depth: 5 })
  })

  it('makes the height that was found the capacity to fit', async () => {
    actions.solver.setMinimise(true)
    await session.run()
    await actions.solver.fitTo(13)
    expect(client.config).toMatchObject({ capacity: 13, options: {} })
  })

  it('is not ruled out by the load', async () => {
    workbench.capacity.set(10)
    expect(derive.tooMuch.get()).not.toBeNull()
    actions.solver.setMinimise(true)
    expect(derive.tooMuch.get()).toBeNull()
  })
})

describe('buffers that do not fit', () => {
  it('lie on top of each other without sharing a byte, above any capacity they do not fit', () => {
    const problem = fiveBuffers()
    const at = stackUnfit(problem, [0, 2, 4])
    expect([...(at ?? [])].filter((offset) => offset >= 0).sort((x, y) => x - y)).toEqual([0, 4, 8])
    expect(at?.[1]).toBe(-1)
  })

  it('keep alignments, banks and pins', () => {
    const problem = {
      ...fiveBuffers(),
      alignment: Float64Array.from([1, 1, 8, 1, 1]),
      fixed: Float64Array.from([-1, -1, -1, -1, 2]),
      bank: Float64Array.from([6, 0, 0, 0, 0]),
    }
    const at = stackUnfit(problem, [0, 2, 4])
    expect(at?.[4]).toBe(2)
    expect((at?.[2] ?? 1) % 8).toBe(0)
    const low = at?.[0] ?? -1
    expect(Math.floor(low / 6)).toBe(Math.floor((low + 3) / 6))
  })

  it('are not drawn where there are too many of them', () => {
    expect(stackUnfit(fiveBuffers(), [])).toBeNull()
    expect(stackUnfit(fiveBuffers(), new Array(601).fill(0))).toBeNull()
  })
})

describe('arms', () => {
  it('are read from their names', () => {
    expect(armOf('10WATKR')).toEqual({
      score: 'the most left to place',
      order: ['longest life', 'largest area', 'greatest load met'],
      look: 'K',
      mirrored: true,
      glued: false,
      boxed: false,
    })
    expect(armOf('2WAT')).toMatchObject({ look: '', mirrored: false })
    expect(armOf('10WATKG')).toMatchObject({ look: 'K', mirrored: false, glued: true })
    const glued = armOf('10WATKG')
    expect(glued && inWords(glued)).toContain('never proves')
    const boxed = armOf('12WATRB')
    expect(boxed).toMatchObject({ look: '', mirrored: true, glued: false, boxed: true })
    expect(boxed && inWords(boxed)).toContain('one rectangle')
    for (const name of ['WAT', '10', '3WAT', '10WATKK', '10WATRX', '10WATGB', '']) expect(armOf(name)).toBeNull()
  })

  it('are no names on the strip, where only who knows the letters could read them; a pointer has them told', () => {
    expect(['WAT', '10WATKR', 'by lifetime', ''].map((name) => isCode(name))).toEqual([true, true, false, false])
    expect(armHint('TWA', 1)).toBe('order 2: greatest load met first')
    expect(armHint('by lifetime', 0)).toBe('')
  })

  it('are told in two sentences', () => {
    const arm = armOf('0ZATHR')
    expect(arm === null ? '' : inWords(arm)).toBe(
      'It asks the section with the lowest floor, ties to the right. There it tries the candidate that wastes the least scarce slack in its lifespan first.',
    )
  })
})
