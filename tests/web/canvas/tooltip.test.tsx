/** What lies under the pointer, in words. */
import { act } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { Tooltip } from '../../../web/src/panels/canvas/tooltip'
import { operators } from '../../../web/src/state/workbench'
import { fiveBuffers, frameOf } from '../support/fake'
import { screen, stand, until } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

// the part that tells of models, and what it is worked out of, are there
await import('../../../web/src/panels/canvas/tooltip_model')
await import('../../../web/src/state/model/operators')

const facts = () => {
  const tip = screen.queryByRole('tooltip')
  if (tip === null) return null
  const rows = [...tip.querySelectorAll('.fact')].map((row) => [...row.children].map((one) => one.textContent))
  return { title: tip.firstElementChild?.textContent, ...Object.fromEntries(rows) }
}
const point = (buffer: number, x = 10, y = 10) => act(() => workbench.hovered.set({ buffer, x, y }))

describe('of a buffer', () => {
  it('nothing is said while the pointer is elsewhere, or on one that is gone', () => {
    on.show(<Tooltip />)
    expect(facts()).toBeNull()
    point(5)
    expect(facts()).toBeNull()
  })

  it('it is said how long it lives and how large it is', () => {
    on.show(<Tooltip />)
    point(1)
    expect(facts()).toEqual({ title: 'b2', alive: '[3, 9)', size: '4' })
  })

  it('it is said where it lies, else where it could begin', () => {
    on.show(<Tooltip />)
    const shown = frameOf(1, [], { minOffset: Float64Array.of(4, 0, 0, 0, 0) })
    shown.offset[1] = 8
    shown.level[1] = 2
    act(() => workbench.frame.set(shown))
    point(1)
    expect(facts()).toMatchObject({ offset: '8', level: '2' })
    expect(facts()).not.toHaveProperty('least offset')
    point(0)
    expect(facts()).toMatchObject({ 'least offset': '4' })
    expect(facts()).not.toHaveProperty('offset')
  })

  it('it is said what it asks for, if it asks for anything', () => {
    on.show(<Tooltip />)
    const problem = fiveBuffers()
    problem.alignment[2] = 8
    problem.bank[2] = 64
    problem.fixed[2] = 0
    act(() => {
      const now = workbench.opened.get()
      if (now !== null) workbench.opened.set({ ...now, problem })
    })
    point(2)
    expect(facts()).toMatchObject({ alignment: '8', bank: '64', 'fixed at': '0' })
  })

  it('it keeps within the window', () => {
    on.show(<Tooltip />)
    const { innerWidth, innerHeight } = window
    const place = () => screen.getByRole('tooltip').style
    point(1, 10, 10)
    expect([place().left, place().top, place().bottom]).toEqual(['24px', '24px', 'auto'])
    point(1, innerWidth - 5, innerHeight - 5)
    expect([place().left, place().top, place().bottom]).toEqual([`${innerWidth - 235}px`, 'auto', '19px'])
  })
})

describe('of a model', () => {
  const open = async () => {
    on.show(<Tooltip />)
    const from = { kind: 'file', format: '' } as const
    await on.session.open('tensor,id,bytes\n', { kind: 'model', name: 'net.csv', lowering: {}, from }, 'net.csv')
    await until(() => expect(operators.get()).not.toBeNull())
    await on.settle()
  }

  it('it is also said who makes a buffer, what it holds and who reads it', async () => {
    await open()
    point(3)
    await on.settle()
    expect(facts()).toMatchObject({ title: 'c', 'made by': 'Add', holds: '2 tensors', 'read by': '2 operators' })
    point(2)
    expect(facts()).toMatchObject({ title: 'b', 'made by': 'Conv_1', shape: '1×10×10×2 int8', 'read by': 'Add' })
  })

  it('an operator is told by what it reads and writes', async () => {
    await open()
    act(() => workbench.hoveredOp.set({ op: 2, x: 10, y: 10 }))
    await until(() => expect(facts()).not.toBeNull())
    expect(facts()).toEqual({ title: 'Add', type: 'Add', 'runs at': '2', reads: '600 in 2', writes: '400' })
    act(() => workbench.hoveredOp.set({ op: 9, x: 10, y: 10 }))
    expect(facts()).toBeNull()
  })
})
