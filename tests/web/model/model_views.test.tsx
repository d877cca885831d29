/** What a model asks of the memory: its peak, whether that fits, its operators, and the plan that its file brought along. */
import { beforeEach, describe, expect, it } from 'vitest'
import { NO_ANSWERS } from '../../../web/src/import/imported'
import { GivenPlan } from '../../../web/src/panels/model/given_plan'
import { ModelTab } from '../../../web/src/panels/model/model'
import { OperatorStrip } from '../../../web/src/panels/model/operators'
import * as a from '../../../web/src/state/atoms'
import * as ui from '../../../web/src/state/ui'
import { deafCanvas } from '../support/deaf_canvas'
import { frameOf, statsOf } from '../support/fake'
import { control, fireEvent, press, screen, stand } from '../support/stand'
import { ofGivenPlans } from '../../../web/src/state/workbench'
import { workbench } from '../../../web/src/state/workbench_cells'

deafCanvas()
const on = stand()

/** in [0,1) 100, a [0,3) 400, b [1,3) 200, c [2,5) 400, out [4,5) 10, fc:workspace [4,5) 64; the peak, 1000, is at the addition. */
beforeEach(async () => {
  await on.session.open('op', { kind: 'model', name: 'm', lowering: {}, from: { kind: 'file', format: '' } }, 'm')
})

const words = () => document.body.textContent?.replace(/\s+/g, ' ') ?? ''
const fact = (name: string) => screen.getByText(name).parentElement?.querySelector('dd')?.textContent
/** The last run has ended with this height. */
async function ended(height: number): Promise<void> {
  on.client.hold = true
  void on.session.run()
  await on.settle()
  on.client.finish(statsOf(9, { height, lowerBound: 1000 }))
  on.client.hold = false
  await on.settle()
}

describe('the peak of a model', () => {
  const rows = () => [...document.querySelectorAll('.peak-row')].map((row) => row.textContent)

  it('is made of the buffers that are alive at it, largest first, each with its share', () => {
    on.show(<ModelTab />)
    expect(words()).toContain('At operator 2, Add')
    expect(words()).toContain('3 buffers are alive.')
    expect(rows()).toHaveLength(3)
    expect(rows().map((row) => row?.slice(0, 1))).toEqual(['a', 'c', 'b'])
    expect(rows()[0]).toContain('400')
    expect(rows()[0]).toMatch(/40(\.00)? %$/)
  })

  it('lights its buffers, and leads to its operator', () => {
    on.show(<ModelTab />)
    const there = control('button', 'Go there')
    fireEvent.pointerEnter(there)
    expect([...workbench.lit.get().buffers].sort()).toEqual([1, 2, 3])
    fireEvent.pointerLeave(there)
    fireEvent.click(there)
    expect(workbench.pickedOp.get()).toBe(2)
    const row = document.querySelector('.peak-row') as Element
    fireEvent.focus(row)
    expect(workbench.lit.get().buffers).toEqual([1])
    fireEvent.click(row)
    expect(workbench.pinned.get()).toBe(1)
  })

  it('is not there for a problem without operators', async () => {
    await on.session.open('id\n', { kind: 'text', name: 'y.csv' }, 'y.csv')
    on.show(<ModelTab />)
    screen.getByText('This problem has no operators. Open a model to see what its peak is made of.')
  })
})

describe('whether the load fits', () => {
  it('is said with what is to spare', async () => {
    workbench.capacity.set(1016)
    on.show(<ModelTab />)
    screen.getByText('Does the load fit?')
    expect(['Required', 'Available', 'To spare'].map(fact)).toEqual(
      ['1,000', '1,016', '16'].map((n) => expect.stringContaining(n)),
    )
    expect(screen.queryByText('Missing')).toBeNull()
    press('What would lower the peak?')
    expect(words()).toContain('each is being solved')
  })

  it('is said where it just does', () => {
    workbench.capacity.set(1000)
    on.show(<ModelTab />)
    screen.getByText('Does the load fit?')
    expect(fact('To spare')).toBe('0')
  })

  it('is said with what is missing, and on which chips it would', () => {
    workbench.capacity.set(900)
    on.show(<ModelTab />)
    screen.getByText('Why it does not fit')
    expect(fact('Missing')).toContain('100')
    expect(words()).toContain('each is being solved')
    press('Which chips does it fit?')
    expect(ui.dialog.get()).toBe('chips')
  })
})

describe('what a plan leaves unused', () => {
  it('is told once every buffer has its place', async () => {
    on.show(<ModelTab />)
    expect(words()).toContain('Once every buffer has its place')
    workbench.capacity.set(1020)
    workbench.frame.set(frameOf(6, [], { offset: Float64Array.from([600, 0, 400, 600, 0, 10]), depth: 6 }))
    await on.settle()
    expect(words()).not.toContain('Once every buffer has its place')
    expect(fact('Unused under the top, at most')).toBe('600')
    expect(fact('Largest free block at the peak')).toBe('20')
  })

  it('is compared with another lowering', () => {
    on.show(<ModelTab />)
    press('Compare…')
    expect(ui.dialog.get()).toBe('lowerings')
  })
})

describe('the operators', () => {
  it('are told by type, with how many there are, beside what has no operator', () => {
    on.show(<OperatorStrip />)
    const types = [...control('list', 'Operator types').children].map((one) => one.getAttribute('title'))
    expect([...types].sort()).toEqual([
      '1 of Add',
      '1 of FullyConnected',
      '1 of Input',
      '1 of Reshape',
      '1 of Workspace',
      '2 of Conv',
    ])
  })

  it('say where the peak is, and lead to what it is made of', () => {
    on.show(<OperatorStrip />)
    const peak = control('button', /^peak at operator 2: /)
    fireEvent.pointerEnter(peak)
    expect(workbench.lit.get().section).toBe(2)
    fireEvent.pointerLeave(peak)
    expect(workbench.lit.get().section).toBe(-1)
    fireEvent.click(peak)
    expect(ui.tab.get()).toBe('model')
  })
})

describe('the plan that came with the file', () => {
  beforeEach(async () => {
    await ofGivenPlans.get()
    await on.session.open('id\n', { kind: 'text', name: 'plan.csv' }, 'plan.csv')
  })

  /** Offsets of b1 to b5; null: left to the runtime. */
  function bring(offsets: (number | null)[], reserved?: number): void {
    const plan = { name: 'OfflineMemoryAllocation', offsets, ...(reserved === undefined ? {} : { reserved }) }
    const text = workbench.opened.get()?.text as string
    a.imported.set({
      text,
      file: new File([], 'x'),
      answers: NO_ANSWERS,
      format: 'x',
      notes: [],
      plan,
      switches: [],
      asked: [],
      choices: [],
      tflite: null,
    })
  }
  /** 16 high, where 12 would do. */
  const WHOLE = [0, 0, 4, 0, 12]

  it('is nothing where none came along, or with another file', async () => {
    expect(on.show(<GivenPlan />).textContent).toBe('')
    bring(WHOLE)
    a.imported.update((now) => now && { ...now, text: 'another' })
    expect(on.show(<GivenPlan />).textContent).toBe('')
  })

  it('stands beside ours, and says which is lower', async () => {
    bring(WHOLE)
    on.show(<GivenPlan />)
    screen.getByText('OfflineMemoryAllocation')
    expect(['Its height', 'Our height', 'Lower bound', 'Placed'].map(fact)).toEqual(['16', '–', '12', '5 of 5'])
    expect(words()).not.toContain('Ours is')
    // b3 begins where b1 ends
    expect(words()).not.toContain('share addresses')
    await ended(20)
    expect(words()).toContain('Ours is 25.00 % higher.')
    await ended(16)
    expect(words()).toContain('Both are equally high.')
    await ended(12)
    expect(words()).toContain('Ours is 25.00 % lower.')
  })

  it('does not compare with one that leaves some to the runtime', async () => {
    bring([0, null, 4, null, null])
    await ended(16)
    on.show(<GivenPlan />)
    expect(['Its height', 'Placed'].map(fact)).toEqual(['8', '2 of 5'])
    screen.getByText('It leaves the others to the runtime, so the heights do not compare.')
    expect(words()).not.toContain('Ours is')
  })

  it('says how much of what the tool took is fragmentation', async () => {
    bring(WHOLE, 24)
    on.show(<GivenPlan />)
    expect(words()).toContain('OfflineMemoryAllocation took 24; the same lifetimes need at least 12.')
    await ended(12)
    expect(words()).toContain(
      'OfflineMemoryAllocation took 24; the same lifetimes fit in 12, proven: 50.00 % of it is fragmentation.',
    )
    await ended(16)
    expect(words()).toContain('fit in 16: 33.33 % of it is fragmentation.')
  })

  it('says which of its buffers share addresses', () => {
    bring([0, 0, 2, 0, 12])
    on.show(<GivenPlan />)
    expect(words()).toContain('b1 and b3 share addresses while both are alive')
  })

  it('is shown on the canvas while that is wished', () => {
    bring(WHOLE)
    on.show(<GivenPlan />)
    fireEvent.click(control('checkbox', 'Show it on the canvas'))
    expect(workbench.planShownFrom.get()).toBe('file')
    fireEvent.click(control('checkbox', 'Show it on the canvas'))
    expect(workbench.planShownFrom.get()).toBe('search')
  })
})
