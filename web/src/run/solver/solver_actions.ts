/** The settings of the next run, the runs, the least height, and why nothing fits. */
import { Later } from '../../base/later'
import type { Goal } from '../../../../wasm/client/types'
import * as a from '../../state/atoms'
import { keepSettings } from '../../state/model/selection'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import * as ui from '../../state/ui'
import { allSolvers, takesBuffers } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import { BUDGET_DEFAULT } from '../../state/workbench_values'
import type { CanvasActions } from '../canvas/canvas_actions'
import type { ActionContext } from '../action_context'
import { resetAddress } from '../page/reset_address'
import { explain } from './explain'

const asides = new Later(() => import('./open_unfit'))

/** answerAgain: the problem has another answer now */
type Around = ActionContext & { canvas: CanvasActions; problem: { answerAgain(): void } }

export class SolverActions {
  constructor(private readonly on: Around) {}

  setCapacity(value: number): void {
    workbench.capacity.set(value)
    this.on.problem.answerAgain()
  }

  chooseSolver(id: string): void {
    keepSettings(id)
    workbench.solver.set(id)
    this.on.session.client.prefetch(id)
  }

  /** An option at its default is not kept. */
  setOption(name: string, value: string): void {
    const id = workbench.solver.get()
    const initial = allSolvers(a.manifest.get())
      .find((s) => s.id === id)
      ?.options.find((o) => o.name === name)?.initial
    workbench.options.update((all) => {
      const { [name]: _, ...others } = all[id] ?? {}
      return { ...all, [id]: value === initial ? others : { ...others, [name]: value } }
    })
  }

  setSeed(value: number): void {
    workbench.seed.set(value)
  }

  setBudget(value: number): void {
    workbench.budget.set(value)
  }

  private forgetOptions(id: string): void {
    workbench.options.update((all) => ({ ...all, [id]: {} }))
  }

  /** The solver's defaults again, and no run. */
  reset(): void {
    this.forgetOptions(workbench.solver.get())
    workbench.budget.set(BUDGET_DEFAULT)
    workbench.seed.set(1)
    if (workbench.run.get().kind !== 'running') this.on.session.discard()
  }

  async run(): Promise<void> {
    // Running with the last good value while another one stands in the field would be a lie.
    const wrong = ui.misfilled.get()[0]
    if (wrong !== undefined) {
      document.getElementById(wrong)?.focus()
      return
    }
    // a lesson's own run can be run again
    if (leaveLesson.get() === null) resetAddress()
    workbench.setupOpen.set(false)
    await this.on.session.run()
  }

  cancel(): void {
    this.on.session.cancel()
  }

  /** Goes on with the same search; a spent budget is doubled. */
  async continueRun(): Promise<void> {
    const state = workbench.run.get()
    if (state.kind !== 'ended' && state.kind !== 'cancelled') return
    const spent = state.result.stats.outcome === 'budget-spent'
    await this.on.session.resume(spent ? state.config.budget * 2 : state.config.budget)
  }

  discard(): void {
    this.on.session.discard()
  }

  async runWithBudget(budget: number): Promise<void> {
    workbench.budget.set(budget)
    await this.on.session.run()
  }

  /** The solver's own rules again; budget and seed stay. */
  async runWithOwnRules(id: string): Promise<void> {
    this.forgetOptions(id)
    await this.runWithSolver(id)
  }

  async runWithCapacity(capacity: number): Promise<void> {
    workbench.capacity.set(capacity)
    this.on.canvas.light([], -1)
    await this.on.session.run()
  }

  async runWithSolver(id: string): Promise<void> {
    keepSettings(id)
    workbench.solver.set(id)
    await this.on.session.run()
  }

  /** What the next run of the chosen solver is after. */
  setGoal(goal: Goal): void {
    workbench.goal.set(goal)
  }

  async runFor(id: string, goal: Goal): Promise<void> {
    workbench.goal.set(goal)
    await this.runWithSolver(id)
  }

  /** Fit or minimise. A solver that cannot minimise gives way to the first that can. */
  setMinimise(on: boolean): void {
    const solvers = a.manifest.get()?.solvers ?? []
    const able = solvers.filter((s) => takesBuffers(s) && s.goals.includes('height'))
    const other = able.find((s) => s.id === workbench.solver.get()) ?? able[0]
    if (on && other !== undefined) workbench.solver.set(other.id)
    workbench.goal.set(on && other !== undefined ? 'height' : 'fit')
  }

  async minimise(): Promise<void> {
    this.setMinimise(true)
    await this.on.session.run()
  }

  /** The height that was found becomes the capacity to fit. */
  async fitTo(height: number): Promise<void> {
    this.setMinimise(false)
    await this.runWithCapacity(height)
  }

  async explain(): Promise<void> {
    await explain(this.on.session)
  }

  /** What is known by then stays known. */
  stopExplaining(): void {
    if (workbench.why.get().kind === 'looking') this.on.session.client.cancel()
  }

  showUnfit(on: boolean): void {
    workbench.whyShown.set(on)
    if (on && workbench.why.get().kind === 'known') this.on.player.toEnd()
  }

  async onlyThese(): Promise<void> {
    resetAddress()
    await this.on.attempt(async () => (await asides.get()).openOnlyThese(this.on.session))
  }

  async backToAll(): Promise<void> {
    resetAddress()
    await this.on.attempt(async () => (await asides.get()).backToAll(this.on.session))
  }
}
