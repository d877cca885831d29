/** What the Step tab says where there is no step to tell of, or the search has ended without a plan; and the ways on. */
import { describe, expect, it } from 'vitest'
import { ClientError, type OutcomeId, type SolverInfo } from '../../../wasm/client/types'
import { Sentence, StepTab } from '../../../web/src/panels/step/step'
import * as a from '../../../web/src/state/atoms'
import { event, frameOf, manifest, statsOf } from '../support/fake'
import { control, press, screen, stand, until } from '../support/stand'
import { askedViewport } from '../../../web/src/state/ui'
import { unfit } from '../../../web/src/state/workbench'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { Opened } from '../../../web/src/state/workbench_values'

const on = stand()

/** Remembers little, proves nothing. */
const greedy: SolverInfo = {
  ...(manifest.solvers[0] as SolverInfo),
  id: 'greedy',
  title: 'Greedy by size',
  summary: 'Places the largest first.',
  complete: false,
  incompleteWith: [],
}

const knows = (solvers: SolverInfo[]) => a.manifest.set({ ...manifest, solvers })

/** Runs and ends so, at its last step. */
async function endAs(outcome: OutcomeId, more = {}): Promise<void> {
  on.client.hold = true
  void on.actions.solver.run()
  await on.settle()
  on.client.finish(statsOf(100, { outcome, height: -1, ...more }))
  on.client.hold = false
  await on.settle()
}

const buttons = () => screen.queryAllByRole('button').map((button) => button.textContent)

async function showTab(): Promise<void> {
  on.show(<StepTab />)
  await on.part()
}

describe('the sentence of a step', () => {
  it('says what to do before there is a search, and that one is under way', async () => {
    on.show(<Sentence />)
    screen.getByText('Run the solver: each of its steps is told here.')
    on.client.hold = true
    void on.actions.solver.run()
    await on.settle()
    screen.getByText('The search is under way.')
  })

  it('says that a step is on its way until it is there', async () => {
    on.client.seek = () => new Promise(() => undefined)
    await on.actions.solver.run()
    on.show(<Sentence />)
    screen.getByText('The step is on its way.')
  })

  it('tells the step that is shown, not the one that is asked for', async () => {
    await on.actions.solver.run()
    await on.settle()
    workbench.frame.set(frameOf(40, [event(40, 'place', { buffer: 1, offset: 4, support: 0 })], { depth: 1 }))
    workbench.cursor.set(90)
    on.show(<Sentence />)
    screen.getByText('step 40')
    screen.getByText('Placed')
    screen.getByText(/b2/)
  })
})

describe('a search that stopped', () => {
  it('goes on from where it was cancelled', async () => {
    on.client.hold = true
    void on.actions.solver.run()
    await on.settle()
    on.actions.solver.cancel()
    await on.settle()
    await showTab()
    screen.getByText('at step 7. Feasible or not is still open.')
    screen.getByText(/Continue picks up at the same step/)
    press('Continue')
    await on.settle()
    expect(workbench.run.get().kind).toBe('running')
  })

  it('goes on with twice the budget that was spent', async () => {
    workbench.budget.set(1000)
    await endAs('budget-spent')
    await showTab()
    const asked: number[] = []
    on.client.resume = (...wish: unknown[]) => {
      asked.push(wish[0] as number)
      return on.client.run()
    }
    press('Continue')
    await on.settle()
    expect(asked).toEqual([2000])
  })

  it('goes to its deepest step', async () => {
    await endAs('cancelled', { maxDepthStep: 55 })
    await showTab()
    press('Go to the deepest step')
    expect(workbench.cursor.get()).toBe(55)
  })

  it('is forgotten when it is discarded, and the problem is not', async () => {
    await endAs('cancelled')
    await showTab()
    press('Discard')
    await on.settle()
    expect(workbench.run.get().kind).toBe('idle')
    expect(workbench.opened.get()?.problem.count).toBe(5)
  })

  it('offers one that remembers less where memory ran out', async () => {
    knows([...manifest.solvers, greedy])
    await endAs('out-of-memory')
    await showTab()
    expect(buttons()).not.toContain('Continue')
    press('Use Greedy by size')
    await on.settle()
    expect(on.client.config?.solver).toBe('greedy')
  })

  it('offers no other where there is none that remembers less', async () => {
    await endAs('out-of-memory')
    await showTab()
    expect(buttons().filter((text) => text?.startsWith('Use'))).toEqual([])
    expect(buttons()).toContain('Discard')
  })

  it('of a heuristic that missed offers to ask one that proves, and the height of its plan', async () => {
    knows([greedy, ...manifest.solvers])
    workbench.solver.set('greedy')
    await endAs('over-capacity', { height: 16 })
    await showTab()
    press('Ask Arenascope exact')
    await on.settle()
    expect(on.client.config).toMatchObject({ solver: 'exact', capacity: 12 })
    workbench.solver.set('greedy')
    await endAs('over-capacity', { height: 16 })
    press("Set capacity to the plan's height")
    await on.settle()
    expect(on.client.config).toMatchObject({ solver: 'greedy', capacity: 16 })
  })

  it('says nothing of ways on where there is a plan', async () => {
    await endAs('feasible', { height: 12 })
    await showTab()
    expect(buttons()).not.toContain('Discard')
  })
})

const prose = () => document.querySelector('.tab-part .prose')?.textContent

describe('a finished proof', () => {
  it('says what was tried, and that the load would fit', async () => {
    await endAs('infeasible')
    await showTab()
    screen.getByText('the proof is finished')
    expect(prose()).toBe(
      'The load fits: at most 12 are alive at once, and the capacity is 12. But every order of placement that could matter was tried in 100 steps, and each ends above the capacity.',
    )
  })

  it('says to the byte what it is held against', async () => {
    on.actions.solver.setCapacity(2000)
    await endAs('infeasible', { lowerBound: 1900 })
    await showTab()
    expect(prose()).toMatch(/^The load fits: at most 1,900 B are alive at once, and the capacity is 2,000 B\./)
  })

  it.each([
    // b1 and b3 are alive together, b1 and b2 are not
    [[0, 0, -1, -1, -1], /tried in 100 steps, and none is a plan with the offsets that are fixed\.$/],
    [[0, -1, 3, -1, -1], /^b1 at 0 and b3 at 3 are fixed and overlap: no plan can have both\.$/],
  ])('of buffers fixed at %j blames the capacity for nothing that is not known', async (fixed, text) => {
    await endAs('infeasible')
    const now = workbench.opened.get() as Opened
    workbench.opened.set({ ...now, problem: { ...now.problem, fixed: Float64Array.from(fixed) } })
    await showTab()
    expect(prose()).toMatch(text)
  })

  it('says how many of the buffers it needs', async () => {
    on.client.hold = true
    void on.actions.solver.run()
    await on.settle()
    const stats = statsOf(100, { outcome: 'infeasible', height: -1 })
    const state = workbench.run.get()
    if (state.kind !== 'running') throw new Error('it does not run')
    on.client.finish(stats)
    await on.settle()
    const ended = workbench.run.get()
    if (ended.kind !== 'ended') throw new Error('it has not ended')
    workbench.run.set({ ...ended, result: { ...ended.result, conflict: [0, 2, 4] } })
    await showTab()
    expect(prose()).toMatch(/The proof needs only 3 of the 5 buffers\.$/)
  })
})

describe('a load above the capacity', () => {
  it('is said before anything runs, with the ways on', async () => {
    on.actions.solver.setCapacity(10)
    await showTab()
    screen.getByText('Does not fit')
    screen.getByText('whatever the solver')
    expect(screen.queryByText(/^Run the solver/)).toBeNull()
    press('Set capacity to 12')
    await on.settle()
    expect(on.client.config?.capacity).toBe(12)
  })

  it('is a proof once a search was asked', async () => {
    on.actions.solver.setCapacity(10)
    await endAs('infeasible', { steps: 0, maxDepthStep: 0, maxDepth: 0 })
    await showTab()
    screen.getByText('the load alone proves it')
  })

  it('lists, stacks and brings into sight the buffers that are alive there, the largest first', async () => {
    on.actions.solver.setCapacity(10)
    await showTab()
    press('Show the 3 buffers')
    await until(() => expect(unfit.get()).toEqual([0, 2, 4]))
    await on.settle()
    const rows = [...control('list', 'Buffers that alone do not fit').children].map((row) => row.textContent)
    expect(rows).toEqual(['b10–34', 'b30–94', 'b50–214'])
    expect(askedViewport.get()).toMatchObject({ t0: -9, t1: 12, b0: 0 })
  })

  it('offers the least capacity only where a solver can look for it', async () => {
    on.actions.solver.setCapacity(10)
    knows([greedy])
    await showTab()
    expect(buttons()).not.toContain('Find the least capacity')
    knows(manifest.solvers)
    await showTab()
    press('Find the least capacity')
    await on.settle()
    expect(on.client.config).toMatchObject({ solver: 'exact', goal: 'height' })
  })
})

describe('a worker that was lost', () => {
  const fail = async (error: Error, steps = 0) => {
    on.client.hold = true
    void on.actions.solver.run()
    await on.settle()
    if (steps > 0) on.client.progress(statsOf(steps), null)
    on.client.fail(error)
    on.client.hold = false
    await on.settle()
    await showTab()
  }

  it('is said with the step, and can be run up to just before it', async () => {
    await fail(new ClientError('unreachable', 'trap'), 50_000)
    screen.getByText('The solver stopped working at step 50,000.')
    screen.getByText('It was replaced. Your problem and options are still here.')
    screen.getByText('unreachable')
    press('Run')
    await on.settle()
    expect(on.client.config?.budget).toBe(48_000)
  })

  it('is said where it did not answer, and the same run can be started again', async () => {
    await fail(new ClientError('The solver did not answer for 2 seconds and was replaced.', 'silent'))
    screen.getByText('The solver did not answer.')
    screen.getByText('It was replaced. Your problem and options are still here.')
    const before = on.client.config
    on.client.config = null
    press('Run again')
    await on.settle()
    expect(on.client.config).toEqual(before)
  })

  it('names memory where memory was short, and one that needs less', async () => {
    knows([...manifest.solvers, greedy])
    await fail(new ClientError('Out of memory', 'memory'))
    screen.getByText('The solver ran out of memory.')
    expect(buttons()).toEqual(['Switch'])
    press('Switch')
    await on.settle()
    expect(on.client.config?.solver).toBe('greedy')
  })

  it('says what a solver that refused does not honour', async () => {
    const plain = { ...greedy, supports: { ...greedy.supports, alignment: false } }
    knows([plain, ...manifest.solvers])
    workbench.solver.set('greedy')
    const open = workbench.opened.get()
    open?.problem.alignment.fill(64)
    await fail(new ClientError('unsupported', 'argument'))
    screen.getByText('The solver refused this problem.')
    screen.getByText('It does not honour alignment, which this problem has.')
    expect(screen.queryByText('What the worker said')).toBeNull()
    press('Switch')
    await on.settle()
    expect(on.client.config?.solver).toBe('minimalloc')
  })

  it('runs with its own rules where it refused those that were changed', async () => {
    knows(manifest.solvers)
    workbench.solver.set('minimalloc')
    const option = manifest.solvers.find(({ id }) => id === 'minimalloc')?.options.at(-1)
    on.actions.solver.setOption(option?.name ?? '', 'Z')
    on.actions.solver.setSeed(7)
    await fail(new ClientError(`${option?.name} is “Z”, expected none`, 'argument'))
    screen.getByText('The solver refused its settings.')
    screen.getByText(`${option?.title} is “Z”, expected none`)
    expect(buttons()[0]).toBe('Run')
    // what is chosen meanwhile is not what was refused
    workbench.solver.set('exact')
    on.actions.solver.setOption('restarts', 'false')
    press('Run')
    await on.settle()
    expect(on.client.config).toMatchObject({ solver: 'minimalloc', options: {}, seed: 7 })
    expect(workbench.options.get().exact).toEqual({ restarts: 'false' })
  })
})
