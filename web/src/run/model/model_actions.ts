/** Models: importing, the networks of ours, lowering. */
import { Later } from '../../base/later'
import type { ImportAnswers } from '../../import/imported'
import * as a from '../../state/atoms'
import { workbench } from '../../state/workbench_cells'
import type { ActionContext } from '../action_context'
import type { PageActions } from '../page/page_actions'
import { resetAddress } from '../page/reset_address'
import { dropExampleSettings } from '../problem/example_settings'

const models = new Later(() => import('./models'))

/** problem: what opens a text that is no model, and answers what was opened */
type Around = ActionContext & {
  page: PageActions
  problem: { openTable(text: string, name: string): Promise<boolean>; answer(): void }
}

export class ModelActions {
  constructor(private readonly on: Around) {}

  /** A file of any kind: a model, a plan's table, or a text that only the core can judge. False if nothing was opened. */
  async import(file: File): Promise<boolean> {
    const before = workbench.opened.get()
    // what is still being read is not wanted any more
    this.on.session.leaveOpen()
    const opened = await this.on.attempt(async () => {
      const part = await models.get()
      return part.importInto(this.on.session, file, (text, name) => this.on.problem.openTable(text, name))
    })
    if (opened === true) {
      dropExampleSettings(before)
      this.on.problem.answer()
    } else if (a.importing.get().kind !== 'none') this.on.page.tellInSetup()
    return opened ?? false
  }

  /** The same file again, with what it left open. */
  async answerImport(answers: ImportAnswers): Promise<void> {
    const before = workbench.opened.get()
    const opened = await this.on.attempt(async () => (await models.get()).answerImport(this.on.session, answers))
    if (opened !== true) return
    dropExampleSettings(before)
    this.on.problem.answer()
  }

  /** The questions of the file that is open, to be answered otherwise. */
  async askAgain(): Promise<void> {
    await this.on.attempt(async () => (await models.get()).askAgain())
  }

  async cancelImport(): Promise<void> {
    if (this.on.session.leaveOpen()) return
    await this.on.attempt(async () => (await models.get()).cancelImport())
  }

  /** A network of ours. options: its parameters, changed from their defaults. */
  async openZoo(id: string, options: Record<string, string>): Promise<void> {
    resetAddress()
    dropExampleSettings(workbench.opened.get())
    const opened = await this.on.attempt(async () => (await models.get()).openZoo(this.on.session, id, options))
    if (opened !== true) return
    this.on.page.showTab('model')
    await this.on.session.run()
    // the ways out of a plan that misses stand beside its steps
    const state = workbench.run.get()
    if (state.kind === 'ended' && state.result.stats.outcome === 'over-capacity') this.on.page.showTab('step')
  }

  /** Lowers the open model with these options instead. */
  async lower(lowering: Record<string, string>): Promise<void> {
    await this.on.attempt(async () => (await models.get()).lowerWith(this.on.session, lowering))
  }

  /** An option of the lowering; at its default it is not kept. What was run before is run again if that took no time. */
  async setLowering(name: string, value: string): Promise<void> {
    await this.on.attempt(async () => (await models.get()).setLowering(this.on.session, name, value))
  }
}
