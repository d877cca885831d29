/** What can be done about a peak, as it is shown: by whom it was found, and what is left of the network's own story once it is done. */
import { act } from '@testing-library/preact'
import { expect, it } from 'vitest'
import { Levers } from '../../../web/src/panels/model/levers'
import { manifest } from '../../../web/src/state/atoms'
import { setLevers } from '../../../web/src/state/model/levers'
import { workbench } from '../../../web/src/state/workbench_cells'
import { screen, stand, press, until } from '../support/stand'

const on = stand()

async function open(): Promise<void> {
  const source = { kind: 'model' as const, name: 'net', lowering: {}, from: { kind: 'file' as const, format: '' } }
  await on.session.open('tensor,in,4\n', source, 'net')
  const of = workbench.opened.get()
  if (of === null) throw new Error('no model')
  const capacity = of.problem.lowerBound
  workbench.capacity.set(capacity)
  const change = { kind: 'lowering' as const, lowering: { inplace: 'true' } }
  const peak = { bytes: capacity - 100, known: 'proven' as const }
  const base = { bytes: capacity, known: 'proven' as const }
  setLevers({ of, capacity, base, found: [{ id: 'inplace', title: 'In place', note: '', peak, change }], left: '' })
}

it('says that a planner may need more than what was proven to fit', async () => {
  await open()
  workbench.solver.set('exact')
  on.show(<Levers missing />)
  screen.getByText('fits')
  expect(screen.queryByText(/may need more/)).toBeNull()
  const info = (await on.client.manifest()).solvers[1]
  if (info === undefined) throw new Error('no solver')
  const quick = { ...info, id: 'litert', title: 'LiteRT', complete: false, refutes: false }
  // a solver that chooses the order has what the order needs, or less
  for (const [domain, told] of [
    ['graph', 0],
    ['buffers', 1],
  ] as const) {
    act(() => {
      const core = manifest.get()
      if (core !== null) manifest.set({ ...core, solvers: [{ ...quick, domain }] })
      workbench.solver.set('litert')
    })
    expect(screen.queryAllByText(/Found by the exact solver: LiteRT may need more\./)).toHaveLength(told)
  }
})

it('takes the story of the network as it was away with its lowering', async () => {
  await open()
  workbench.caption.set('LiteRT misses the lower bound by 42.9 %.')
  on.show(<Levers missing />)
  press('Apply: In place')
  await until(() => expect(on.client.lowered.at(-1)).toEqual({ inplace: 'true' }))
  await until(() => expect(workbench.caption.get()).toBe(''))
})
