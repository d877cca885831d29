/** What lives in scratchpad: chosen by one repacker after the other, shown as a table, each choice played as a run of the model. */
import { act } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { type SelectConfig, type Selection, VERDICTS } from '../../../wasm/client/types'
import { ModelTab } from '../../../web/src/panels/model/model'
import { commandNamed } from '../../../web/src/panels/page/commands'
import { exportItems } from '../../../web/src/panels/page/menu_items'
import {
  backToModel,
  forgetChoosing,
  playChoice,
  startChoosing,
  stopChoosing,
} from '../../../web/src/run/model/selection'
import { planned, savePlan } from '../../../web/src/run/share/plans'
import * as a from '../../../web/src/state/atoms'
import { toCsv } from '../../../web/src/state/compare/table'
import { typing } from '../../../web/src/state/edit/editing'
import { leaveLesson } from '../../../web/src/state/lesson/lesson_workbench'
import { REPACKERS, repackerColumns, repackerOf, runOf } from '../../../web/src/state/model/repackers'
import { choosing, choosingSought, keepSettings, settingsBefore } from '../../../web/src/state/model/selection'
import { accessedOf } from '../../../web/src/state/model/operators'
import { usable } from '../../../web/src/state/profile/profile'
import { known } from '../../../web/src/state/profile/profile_texts'
import { progressWords } from '../../../web/src/state/workbench'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { ModelOrigin } from '../../../web/src/state/workbench_values'
import { FakeClient, frameOf, inPools, manifest as solversKnown, overview, statsOf } from '../support/fake'
import { openSmall } from '../support/model_fixture'
import { fireEvent, press, screen, stand, type, until } from '../support/stand'

const on = stand()

/** The more can be repacked, the more is in. */
function chosenBy({ repacker }: SelectConfig): Selection {
  const fast = repacker === '' ? 1 : repacker === 'exact' ? 3 : 2
  const rows = [0, 1, 2, 3].map((buffer) => ({
    buffer,
    accesses: 2,
    bytes: 2000,
    verdict: VERDICTS[buffer < fast ? 1 : 3],
  }))
  const counts = { count: 4, fast, repacks: repacker === '' ? 0 : 2, repacked: fast - 1, steps: 40 }
  return { bytes: 8000, fastBytes: 2000 * fast, ...counts, rows }
}

class Background extends FakeClient {
  override selected = chosenBy
}

const ORDER = Uint32Array.from([0, 1, 2, 3, 4])

const FILE: ModelOrigin = { kind: 'file', format: '' }

/** Two buffers are in fast memory. */
function twoPools(step: number) {
  const small = openSmall()
  if (!small.ok) throw new Error('no model')
  const both = inPools(small.problem, [0, 1, 1, 0, 1, 1])
  const offset = new Float64Array(6)
  return frameOf(step, [], { depth: 2, offset, situation: { problem: both, revision: 2, frontier: 5, order: ORDER } })
}

function open(text = 'graph', from = FILE): void {
  act(() => {
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const source = { kind: 'model' as const, name: 'm.csv', lowering: {}, from }
    workbench.opened.set({ problem: small.problem, model: small.model, source, text })
  })
}

/** The solver of selections is among those that take a model. */
function solvers(): void {
  const base = solversKnown.solvers[1]
  if (base === undefined) throw new Error('nobody solves')
  a.manifest.set({
    ...solversKnown,
    schedulers: [{ ...base, id: 'select', title: 'Select', domain: 'selection', goals: ['traffic'], options: [] }],
  })
}

const chosenAll = () => act(() => startChoosing(700, 'all', () => new Background()))
const byName = (wanted: string) => REPACKERS.findIndex(({ name }) => name === wanted)

const askedBy = (client: FakeClient) => client.selections.map(({ repacker }) => repacker)

describe('choosing', () => {
  it('asks one repacker after the other, or the wanted one alone, in a worker that has the model', async () => {
    open()
    const one = new Background()
    await startChoosing(700, byName('Exact'), () => one)
    expect([askedBy(one), choosing.get()?.asked]).toEqual([['exact'], 1])
    const client = new Background()
    await startChoosing(700, 'all', () => client)
    expect(askedBy(client)).toEqual(['', 'greedy', 'contention', 'telamalloc', 'exact'])
    expect(client.selections.every(({ capacity, most, budget }) => capacity === 700 && most === 50 && budget > 0)).toBe(
      true,
    )
    expect(client.selections.map(({ together }) => together)).toEqual([true, false, true, true, true])
    expect(client.graphs).toEqual(['graph'])
    const now = choosing.get()
    expect(now?.running).toBe(false)
    const rows = REPACKERS.map((repacker, k) => ({ repacker, capacity: 700, chosen: now?.rows[k] as Selection }))
    expect(rows.map(({ chosen }) => chosen.fast)).toEqual([1, 2, 2, 2, 3])
    expect(toCsv(repackerColumns, rows).split('\n').slice(0, 2)).toEqual([
      'repacker,capacity,fastBytes,bytes,fast,count,repacked,repacks,steps',
      'Nobody,700,2000,8000,1,4,0,0,40',
    ])
  })

  it('is given up with another problem, keeps what it has when stopped, and says what went wrong', async () => {
    open()
    const held = new Background()
    let free = () => {}
    held.selected = ((config: SelectConfig) =>
      new Promise<Selection>((resolve) => {
        free = () => resolve(chosenBy(config))
      })) as never
    const all = startChoosing(700, 'all', () => held)
    await until(() => expect(held.selections).toHaveLength(1))
    free()
    await until(() => expect(choosing.get()?.rows[0]).not.toBeNull())
    stopChoosing()
    await all
    expect(choosing.get()?.running).toBe(false)
    expect(choosing.get()?.rows.filter(Boolean)).toHaveLength(1)
    open()
    expect(choosing.get()).toBeNull()
    const refusing = new FakeClient()
    await startChoosing(700, 'all', () => refusing)
    expect(choosing.get()?.failed).toBe('nothing is chosen here')
    act(forgetChoosing)
  })

  it('is brought into sight by its command, with the room of the chip or half of the peak', async () => {
    open()
    const seen = vi.fn()
    Element.prototype.scrollIntoView = seen
    on.show(<ModelTab />)
    const room = () => (screen.getByLabelText('Fast memory') as HTMLInputElement).value
    const peak = workbench.opened.get()?.problem.lowerBound ?? 0
    expect(room()).toContain(String(Math.floor(peak / 2)))
    expect(seen).not.toHaveBeenCalled()
    await act(async () => commandNamed('scratchpad').do(on.actions))
    await until(() => expect(seen).toHaveBeenCalledTimes(1))
    expect(choosingSought.get()).toBe(false)
    const chip = known.find((profile) => usable(profile) > 0)
    if (chip === undefined) throw new Error('no chip has a size')
    await act(async () => workbench.profile.set({ ...chip, capacity: peak - 1, reserved: 0 }))
    expect(room()).toContain(String(peak - 1))
  })

  it('shows who moves the most; a choice is played as a run of the model, and goes back', async () => {
    open('graph', { kind: 'file', format: 'tflite' })
    solvers()
    workbench.capacity.set(777)
    workbench.goal.set('height')
    workbench.seed.set(7)
    workbench.solver.set('exact')
    location.hash = '#s1.link'
    on.show(<ModelTab />)
    await chosenAll()
    const table = screen.getByRole('table', { name: /^What lives in fast memory/ })
    expect(table.textContent).toMatch(/Exactmoves the most/)
    expect(table.textContent?.match(/moves the most/g)).toHaveLength(1)
    expect(table.textContent).toContain('75.00 %')
    on.client.seek = async (step) => twoPools(step)
    await press('Exact')
    await until(() => screen.getByText('By priority'))
    await on.settle()
    expect(on.client.config).toMatchObject({
      solver: 'select',
      goal: 'traffic',
      capacity: 700,
      options: { repacker: 'exact', repack: 'with' },
    })
    // the address names another run, the goal is for the solver after this one
    expect([location.hash, workbench.goal.get()]).toEqual(['', 'height'])
    // the model is open still
    expect(workbench.opened.get()?.source.kind).toBe('model')
    screen.getByText('5 of 6 buffers')
    screen.getByText('3.08 at 10 : 1')
    expect(progressWords.get()).toEqual({ done: 2, of: 6, what: 'in fast memory' })
    expect(document.querySelector('[aria-current]')?.textContent).toContain('Exact')
    // its plan is of both memories, whichever step is shown, and none of an arena
    const whole = workbench.opened.get()
    if (whole === null) throw new Error('no model')
    on.client.seek = async (step) => twoPools(step)
    workbench.frame.set({ ...twoPools(1), situation: undefined } as never)
    const { pools, pool } = await planned(on.client, whole)
    expect([pools?.length, [...(pool ?? [])]]).toEqual([2, [0, 1, 1, 0, 1, 1]])
    await expect(savePlan('tflite', on.client)).rejects.toThrow('one arena')
    await expect(savePlan('buffer-plan', on.client)).rejects.toThrow('one arena')
    const notes = exportItems(on.actions).filter(({ key }) => key === 'tflite' || key === 'buffer-plan')
    expect(notes.map(({ disabled, note }) => [disabled, note])).toEqual([
      [true, 'for one memory, not two'],
      [true, 'for one memory, not two'],
    ])
    // another choice takes its place
    await press('Nobody')
    await until(() => expect(on.client.config?.options).toEqual({ repacker: 'none', repack: 'with' }))
    await on.settle()
    location.hash = '#s1.link'
    await press(/^Back to m/)
    await until(() => expect(on.client.config?.solver).toBe('exact'))
    await on.settle()
    expect([workbench.capacity.get(), workbench.goal.get(), location.hash]).toEqual([777, 'height', ''])
    expect(on.client.config?.seed).toBe(7)
    expect(choosing.get()?.rows.filter(Boolean)).toHaveLength(REPACKERS.length)
    act(forgetChoosing)
  })

  it('says which fast memory was chosen for, whatever the field has by then; another model begins anew', async () => {
    open()
    on.show(<ModelTab />)
    const room = () => screen.getByLabelText('Fast memory') as HTMLInputElement
    await chosenAll()
    type(room(), '900')
    fireEvent.blur(room())
    await on.settle()
    expect(room().value).toContain('900')
    expect(document.querySelector('caption')?.textContent).toBe('Chosen for 700')
    open('another graph')
    await on.settle()
    const peak = workbench.opened.get()?.problem.lowerBound ?? 0
    expect(room().value).toContain(String(Math.floor(peak / 2)))
  })

  it('says of a long list how many have less priority', async () => {
    open()
    on.show(<ModelTab />)
    const long = new Background()
    long.selected = (config) => {
      const made = chosenBy(config)
      const rows = Array.from({ length: 103 }, (_, buffer) => ({ ...made.rows[0], buffer }))
      return { ...made, rows: rows as Selection['rows'] }
    }
    solvers()
    on.client.seek = async (step) => twoPools(step)
    await act(() => startChoosing(700, 'all', () => long))
    await press('Exact')
    await until(() => screen.getByText('and 3 more, of less priority'))
    await on.settle()
  })
})

describe('a choice that is played', () => {
  it('is known by its run: after a reload its repacker chooses anew, and the way back leads to the model', async () => {
    open()
    solvers()
    const by = REPACKERS[byName('Heuristic')]
    if (by === undefined) throw new Error('nobody repacks')
    const config = runOf(by, 700)
    expect(repackerOf(config)).toBe(byName('Heuristic'))
    expect(repackerOf({ ...config, options: {} })).toBe(byName('TelaMalloc'))
    expect(repackerOf({ ...config, options: { repacker: 'exact', repack: 'placed' } })).toBe(-1)
    expect(repackerOf({ ...config, solver: 'exact' })).toBe(-1)
    // a pool of workers that the page makes is not to be had here: what it says of that stands in the table's place
    on.client.seek = async (step) => twoPools(step)
    await act(async () => {
      const result = { stats: statsOf(9, { outcome: 'feasible', cost: 1234 }), overview, best: null, conflict: [] }
      workbench.solver.set('select')
      workbench.run.set({ kind: 'ended', config, result })
    })
    on.show(<ModelTab />)
    screen.getByText('Moved by slow memory')
    await until(() => expect([choosing.get()?.capacity, choosing.get()?.asked]).toEqual([700, 1]))
    await act(async () => stopChoosing())
    await until(() => screen.getByText('Compare repackers'))
    await act(async () => void (await backToModel(on.actions)))
    expect(on.client.config?.solver).toBe('minimalloc')
    expect(workbench.capacity.get()).toBe(workbench.opened.get()?.problem.lowerBound)
    // the chip's room comes first, as where a model is opened
    const chip = known.find((profile) => usable(profile) > 0)
    if (chip === undefined) throw new Error('no chip has a size')
    await act(async () => {
      workbench.profile.set(chip)
      workbench.solver.set('select')
    })
    await act(async () => void (await backToModel(on.actions)))
    expect(workbench.capacity.get()).toBe(usable(chip))
    act(forgetChoosing)
  })

  it('goes back to what stood there as the solver was picked, of this model alone', async () => {
    open()
    solvers()
    workbench.capacity.set(555)
    workbench.solver.set('exact')
    on.actions.solver.chooseSolver('select')
    workbench.capacity.set(40)
    keepSettings('select')
    expect(settingsBefore()).toMatchObject({ capacity: 555, solver: 'exact' })
    open('another graph')
    expect(settingsBefore()).toBeNull()
  })

  it('says of a run that was cut short no more than it knows', async () => {
    open()
    solvers()
    await chosenAll()
    const by = REPACKERS[byName('Exact')]
    if (by === undefined) throw new Error('nobody repacks')
    on.client.seek = async (step) => twoPools(step)
    await act(async () => {
      const result = { stats: statsOf(9, { outcome: 'budget-spent', cost: 1234 }), overview, best: null, conflict: [] }
      workbench.solver.set('select')
      workbench.run.set({ kind: 'ended', config: runOf(by, 700), result })
    })
    on.show(<ModelTab />)
    screen.getByText('Moved by slow memory')
    expect(screen.queryByText('By priority')).toBeNull()
    act(forgetChoosing)
  })

  it('is kept while a lesson is shown, and of a model that an open cell makes nothing is played', async () => {
    open()
    solvers()
    await chosenAll()
    const { opened } = workbench
    const whole = opened.get()
    leaveLesson.set(() => {})
    opened.set(null)
    expect(choosing.get()).not.toBeNull()
    opened.set(whole)
    leaveLesson.set(null)
    expect(choosing.get()?.rows.filter(Boolean)).toHaveLength(REPACKERS.length)
    typing.set(() => {
      typing.set(null)
      open('edited graph')
    })
    await act(async () => void (await playChoice(on.actions, byName('Exact'))))
    expect(workbench.opened.get()?.text).toBe('edited graph')
    expect(on.client.config?.solver).not.toBe('select')
    expect(choosing.get()).toBeNull()
  })

  it('greys of each operator what slow memory moves for it', () => {
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const moved = (pool: number[]) => accessedOf(small.model, inPools(small.problem, pool))
    const { all, fast } = moved([0, 0, 0, 0, 0, 0])
    expect([...fast]).toEqual([...all])
    expect([...moved([1, 1, 1, 1, 1, 1]).fast]).toEqual([0, 0, 0, 0, 0])
    // in 100 and a 400 of Conv_0
    const first = moved([1, 0, 1, 1, 1, 1])
    expect([first.all[0], first.fast[0]]).toEqual([500, 400])
  })
})
