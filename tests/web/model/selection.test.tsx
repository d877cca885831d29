/** What lives in scratchpad: chosen by one repacker after the other, shown as a table, each choice opened as two pools in the model's place. */
import { act } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { type SelectConfig, type Selection, VERDICTS } from '../../../wasm/client/types'
import { ModelTab } from '../../../web/src/panels/model/model'
import { commandNamed } from '../../../web/src/panels/page/commands'
import { moreTab } from '../../../web/src/panels/page/tabs'
import { forgetChoosing, hasChosen, startChoosing, stopChoosing } from '../../../web/src/run/model/selection'
import { toCsv } from '../../../web/src/state/compare/table'
import { REPACKERS, repackerColumns } from '../../../web/src/state/model/repackers'
import { choosing, choosingSought } from '../../../web/src/state/model/selection'
import { usable } from '../../../web/src/state/profile/profile'
import { known } from '../../../web/src/state/profile/profile_texts'
import { workbench } from '../../../web/src/state/workbench_cells'
import { FakeClient } from '../support/fake'
import { openSmall } from '../support/model_fixture'
import { press, screen, stand, until } from '../support/stand'

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

function open(): void {
  act(() => {
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const source = { kind: 'model' as const, name: 'm.csv', lowering: {}, from: { kind: 'file' as const, format: '' } }
    workbench.opened.set({ problem: small.problem, model: small.model, source, text: 'graph' })
  })
}

const nameOfFirst = (client: FakeClient) => client.selections.map(({ repacker }) => repacker)

describe('choosing', () => {
  it('asks one repacker after the other, the wanted one first, in a worker that has the model', async () => {
    open()
    const client = new Background()
    const exact = REPACKERS.findIndex(({ name }) => name === 'Exact')
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
    const rows = REPACKERS.map((repacker, k) => ({ repacker, chosen: now?.rows[k] as Selection }))
    expect(rows.map(({ chosen }) => chosen.fast)).toEqual([1, 2, 2, 2, 3])
    expect(toCsv(repackerColumns, rows).split('\n').slice(0, 2)).toEqual([
      'repacker,fastBytes,bytes,fast,count,repacked,repacks,steps',
      'Nobody,2000,8000,1,4,0,0,40',
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
    act(open)
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
    await act(() => startChoosing(700, 0, () => new Background()))
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
})
