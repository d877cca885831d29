/** "Why not?": what is said while the reason is looked for, once it is known, and where there is none to be had. */
import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../../wasm/client/types'
import { Reason } from '../../../web/src/panels/solver/reason'
import { explanationOf, FIVE } from '../support/fake'
import { control, fireEvent, press, screen, stand, until } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const found = (more: Partial<Explanation> = {}) => explanationOf({ steps: 4000, ...more })
const text = (part: HTMLElement) => part.textContent ?? ''

/** Asks, and lets the client answer. */
async function answered(explanation: Explanation): Promise<HTMLElement> {
  const part = on.show(<Reason />)
  press('Why not?')
  on.client.finishExplaining(explanation)
  await on.settle()
  return part
}

describe('the reason', () => {
  it('is looked for on demand, with how far the search is', async () => {
    const part = on.show(<Reason />)
    screen.getByText('finds the buffers that alone do not fit')
    press('Why not?')
    await on.settle()
    expect(text(part)).toContain('Looking for buffers that alone do not fit.')
    on.client.explaining({ steps: 9000, count: 1200, tried: 3 })
    await on.settle()
    expect(text(part)).toContain('1,200 buffers alone do not fit. 3 of them shown needed so far.')
    expect(text(part)).toContain('9,000 steps')
    const bar = control('progressbar', 'Buffers shown needed') as HTMLProgressElement
    expect([bar.value, bar.max]).toEqual([3, 1200])
  })

  it('can be given up', async () => {
    const part = on.show(<Reason />)
    press('Why not?')
    await on.settle()
    press(/^Cancel/)
    await on.settle()
    expect(text(part)).toContain('Cancelled before a reason was known.')
    control('button', 'Why not?')
  })

  it('names the buffers that alone do not fit, and says when the set is as small as can be', async () => {
    const part = await answered(found())
    expect(text(part)).toContain('These 2 buffers alone do not fit.')
    expect(text(part)).toContain('Irreducible')
    expect(text(part)).toContain('without any one of these the rest fits')
    const rows = [...control('list', 'Buffers that alone do not fit').children].map((row) => row.textContent)
    expect(rows).toEqual(['b10–34', 'b30–94'])
    expect(screen.queryByRole('button', { name: 'Look again' })).toBeNull()
  })

  it('does not call a set irreducible that was not shown to be, and looks again', async () => {
    const part = await answered(found({ irreducible: false, tried: 1 }))
    expect(text(part)).not.toContain('Irreducible')
    expect(text(part)).toContain('1 of 2 shown needed, the others not tried')
    press('Look again')
    await on.settle()
    expect(on.client.explained).toHaveLength(2)
    expect(workbench.why.get().kind).toBe('looking')
    // that none was shown to be needed is not to say that none is
    on.client.finishExplaining(found({ irreducible: false, tried: 0 }))
    await on.settle()
    expect(text(part)).toContain('which of them are needed was not tried')
  })

  it('says where they are alive at once', async () => {
    expect(text(await answered(found({ section: 1 })))).toContain('They are alive at once in section 1.')
  })

  it('has no part to go to where it takes all buffers', async () => {
    const part = await answered(found({ buffers: [0, 1, 2, 3, 4] }))
    expect(text(part)).toContain('It takes all 5 buffers: no part of them is known that does not fit.')
    expect(screen.queryByRole('button', { name: 'Only these' })).toBeNull()
  })

  it('makes them the problem, with the way back', async () => {
    await on.session.open(FIVE, { kind: 'text', name: 'five.csv' }, 'five.csv')
    on.client.csv = FIVE
    await answered(found())
    press('Only these')
    await until(() => expect(workbench.aside.get()).not.toBeNull())
    expect(on.client.opened.at(-1)).toBe('id,lower,upper,size\nb1,0,3,4\nb3,0,9,4\n')
    expect(workbench.aside.get()).toMatchObject({ source: { name: 'five.csv' }, text: FIVE, count: 5 })
  })

  it('lights each on the canvas, and shows it', async () => {
    await answered(found())
    const row = control('button', /^b3/)
    fireEvent.focus(row)
    expect(workbench.lit.get().buffers).toEqual([2])
    fireEvent.blur(row)
    expect(workbench.lit.get().buffers).toEqual([])
    fireEvent.click(row)
    expect(workbench.pinned.get()).toBe(2)
  })

  it('is outlined on the canvas as long as that is wished', async () => {
    await answered(found())
    const tick = control('checkbox', 'Outline them on the canvas') as HTMLInputElement
    expect(tick.checked).toBe(true)
    fireEvent.click(tick)
    expect(workbench.whyShown.get()).toBe(false)
  })

  it('is cut where it is long: the canvas has the rest', async () => {
    workbench.opened.update((now) => now && { ...now, problem: { ...now.problem, count: 999 } })
    await answered(found({ buffers: Array.from({ length: 205 }, (_, k) => k % 5) }))
    expect(document.querySelectorAll('li')).toHaveLength(201)
    screen.getByText('and 5 more')
  })

  it('is that of one capacity: another one is asked about anew', async () => {
    await answered(found())
    on.actions.solver.setCapacity(20)
    await on.settle()
    expect(screen.queryByRole('list')).toBeNull()
    press('Why not?')
    expect(on.client.explained.at(-1)?.capacity).toBe(20)
    await on.settle()
    on.actions.solver.setCapacity(30)
    await on.settle()
    expect(screen.queryByRole('progressbar')).toBeNull()
    control('button', 'Why not?')
  })
})

describe('without a reason', () => {
  it.each([
    ['feasible', 'There is nothing to explain: the exact solver finds a plan.'],
    ['out-of-memory', 'There was not enough memory to find a reason.'],
    ['budget-spent', 'No reason was known after 4,000 steps. A larger budget may find one.'],
  ] as const)('after %s it says so, and can be asked for again', async (outcome, words) => {
    expect(text(await answered(found({ outcome, buffers: [] })))).toContain(words)
    control('button', 'Why not?')
  })

  it('says why it could not be looked for', async () => {
    const part = on.show(<Reason />)
    press('Why not?')
    on.client.breakExplaining(new Error('the worker stopped.'))
    await on.settle()
    expect(text(part)).toContain('The reason could not be looked for: the worker stopped.')
    press('Why not?')
    await on.settle()
    expect(on.client.explained).toHaveLength(2)
  })
})
