/** What lives in scratchpad: chosen by one repacker after the other, shown as a table, each choice opened as two pools in the model's place. */
import { act } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { type SelectConfig, type Selection, VERDICTS } from '../../../wasm/client/types'
import { ModelTab } from '../../../web/src/panels/model/model'
import { commandNamed } from '../../../web/src/panels/page/commands'
import { moreTab } from '../../../web/src/panels/page/tabs'
import { forgetChoosing, hasChosen, openPools, startChoosing, stopChoosing } from '../../../web/src/run/model/selection'
import { notice } from '../../../web/src/state/atoms'
import { toCsv } from '../../../web/src/state/compare/table'
import { typing } from '../../../web/src/state/edit/editing'
import { REPACKERS, repackerColumns } from '../../../web/src/state/model/repackers'
import { choosing, choosingSought } from '../../../web/src/state/model/selection'
import { zoo } from '../../../web/src/state/model/zoo'
import { usable } from '../../../web/src/state/profile/profile'
import { known } from '../../../web/src/state/profile/profile_texts'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { ModelOrigin } from '../../../web/src/state/workbench_values'
import { FakeClient, profileOf } from '../support/fake'
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
  return { bytes: 8000, fastBytes: 2000 * fast, ...counts, rows, csv: `pools of ${repacker}` }
}

class Background extends FakeClient {
  override selected = chosenBy
}

const FILE: ModelOrigin = { kind: 'file', format: '' }

function open(text = 'graph', from = FILE): void {
  act(() => {
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const source = { kind: 'model' as const, name: 'm.csv', lowering: {}, from }
    workbench.opened.set({ problem: small.problem, model: small.model, source, text })
  })
}

const chosenAll = () => act(() => startChoosing(700, 0, () => new Background()))
const byName = (wanted: string) => REPACKERS.findIndex(({ name }) => name === wanted)

const nameOfFirst = (client: FakeClient) => client.selections.map(({ repacker }) => repacker)

describe('choosing', () => {
  it('asks one repacker after the other, the wanted one first, in a worker that has the model', async () => {
    open()
    const client = new Background()
    const exact = byName('Exact')
    const all = startChoosing(700, exact, () => client)
    expect(await hasChosen(exact)).toBe(true)
    await all
    expect(nameOfFirst(client)).toEqual(['exact', '', 'greedy', 'contention', 'telamalloc'])
    expect(client.selections.every(({ capacity, most, budget }) => capacity === 700 && most === 50 && budget > 0)).toBe(
      true,
    )
    expect(client.selections.map(({ together }) => together)).toEqual([true, true, false, true, true])
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
    const all = startChoosing(700, 0, () => held)
    await until(() => expect(held.selections).toHaveLength(1))
    free()
    expect(await hasChosen(0)).toBe(true)
    stopChoosing()
    await all
    expect(choosing.get()?.running).toBe(false)
    expect(choosing.get()?.rows.filter(Boolean)).toHaveLength(1)
    expect(await hasChosen(1)).toBe(false)
    open()
    expect(choosing.get()).toBeNull()
    const refusing = new FakeClient()
    await startChoosing(700, 0, () => refusing)
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

  it('shows who moves the most; a choice opens as pools with a tab of their own, and goes back', async () => {
    open()
    on.show(<ModelTab />)
    await chosenAll()
    const table = screen.getByRole('table', { name: /^What lives in fast memory/ })
    expect(table.textContent).toMatch(/Exactmoves the most/)
    expect(table.textContent?.match(/moves the most/g)).toHaveLength(1)
    expect(table.textContent).toContain('75.00 %')
    await press('Exact')
    await until(() => expect(choosing.get()?.shown).not.toBeNull())
    await on.settle()
    const pools = workbench.opened.get()
    expect(on.client.opened).toContain('pools of exact')
    expect(choosing.get()?.shown?.pools).toBe(pools)
    expect(moreTab(pools, choosing.get())).toEqual(['model', 'Pools'])
    screen.getByText('3 of 4 buffers')
    screen.getByText('3.08 at 10 : 1')
    screen.getByText('no room')
    // another choice takes its place
    await press('Nobody')
    await until(() => screen.getByText('1 of 4 buffers'))
    await on.settle()
    await press(/^Back to m/)
    await until(() => expect(choosing.get()?.shown).toBeNull())
    expect(workbench.opened.get()?.source.kind).toBe('model')
    expect(choosing.get()?.rows.filter(Boolean)).toHaveLength(REPACKERS.length)
    expect(moreTab(workbench.opened.get(), choosing.get())).toBeNull()
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
    await act(() => startChoosing(700, 0, () => long))
    await press('Exact')
    await until(() => screen.getByText('and 3 more, of less priority'))
    await on.settle()
  })
})

describe('pools in the model’s place', () => {
  it('are those of the last choice that was pressed', async () => {
    open()
    on.show(<ModelTab />)
    await chosenAll()
    await act(async () => {
      press('Exact')
      press('TelaMalloc')
    })
    await on.settle()
    const pools = workbench.opened.get()
    expect(pools?.source).toMatchObject({ kind: 'text', name: 'm.fast.csv' })
    expect(choosing.get()?.shown).toMatchObject({ repacker: byName('TelaMalloc'), pools })
    expect(moreTab(pools, choosing.get())).toEqual(['model', 'Pools'])
    // twice the same
    await act(async () => {
      press('Nobody')
      press('Nobody')
    })
    await on.settle()
    expect(choosing.get()?.shown).toMatchObject({ repacker: byName('Nobody'), pools: workbench.opened.get() })
    await press(/^Back to m/)
    await until(() => expect(workbench.opened.get()?.source.kind).toBe('model'))
    await on.settle()
    expect(choosing.get()?.rows.filter(Boolean)).toHaveLength(REPACKERS.length)
  })

  it('give the model back in its memory, with its capacity, goal and solver', async () => {
    const network = (await zoo.get()).networks.find(({ show }) => show !== undefined)
    const solver = network?.show?.solver ?? ''
    expect(solver).not.toBe('')
    open('graph', { kind: 'zoo', id: network?.id ?? '', options: {} })
    const chip = profileOf({ capacity: 2048, reserved: 48 })
    workbench.profile.set(chip)
    workbench.capacity.set(777)
    workbench.goal.set('height')
    workbench.solver.set(solver)
    on.show(<ModelTab />)
    await chosenAll()
    for (const name of ['Exact', 'Nobody']) {
      await press(name)
      await until(() => expect(choosing.get()?.shown?.repacker).toBe(byName(name)))
      await on.settle()
    }
    expect(workbench.profile.get()).toBeNull()
    expect(workbench.capacity.get()).not.toBe(777)
    expect(workbench.goal.get()).toBe('fit')
    // what a network of ours was shown with goes with it
    expect(workbench.solver.get()).toBe('minimalloc')
    await press(/^Back to m/)
    await until(() => expect(workbench.opened.get()?.source.kind).toBe('model'))
    await on.settle()
    expect(on.client.profiles.at(-1)).toEqual(chip)
    expect(workbench.profile.get()).toEqual(chip)
    expect([workbench.capacity.get(), workbench.goal.get(), workbench.solver.get()]).toEqual([777, 'height', solver])
    expect(on.client.config?.capacity).toBe(777)
    // left once more, it is once more as it stands
    workbench.capacity.set(778)
    await press('Exact')
    await until(() => expect(choosing.get()?.shown).not.toBeNull())
    await on.settle()
    await press(/^Back to m/)
    await until(() => expect(workbench.capacity.get()).toBe(778))
    await on.settle()
  })

  it('do not open over what an open cell makes of the model', async () => {
    open()
    await chosenAll()
    typing.set(() => {
      typing.set(null)
      open('edited graph')
    })
    let opened = true
    await act(async () => {
      opened = await openPools(on.actions, byName('Exact'))
    })
    expect(opened).toBe(false)
    expect(workbench.opened.get()?.text).toBe('edited graph')
    expect(on.client.opened).not.toContain('pools of exact')
    expect(choosing.get()).toBeNull()
  })

  it('open as any problem does: the address names it no more, and what was being typed is put aside', async () => {
    open()
    await chosenAll()
    location.hash = '#s1.link'
    workbench.draft.set({ text: 'typed', name: 'typed.csv' })
    await act(async () => void (await openPools(on.actions, byName('Exact'))))
    expect(location.hash).toBe('')
    expect(workbench.draft.get()).toBeNull()
    expect(notice.get()?.title).toBe('What you were typing was put aside.')
    expect(choosing.get()?.shown?.pools).toBe(workbench.opened.get())
    act(forgetChoosing)
  })
})
