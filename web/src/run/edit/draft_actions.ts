/** The text of the editor, until it is loaded. */
import type { Text } from '../../../../wasm/client/types'
import { exampleOf } from '../../state/problem/examples'
import { workbench } from '../../state/workbench_cells'
import { type Draft, isPacked, nameOf } from '../../state/workbench_values'
import { setEditing } from '../../state/edit/editing'
import type { ActionContext } from '../action_context'
import type { PageActions } from '../page/page_actions'
import type { ProblemActions } from '../problem/problem_actions'
import type { SolverActions } from '../solver/solver_actions'
import { textOf } from '../problem/given_text'

/** Two ends of a network; what lies between them is drawn. */
const ENDS = 'id,lower,upper,size\ninput,0,3,4\noutput,9,12,4\n'
const ENDS_CAPACITY = 16

type Around = ActionContext & { page: PageActions; problem: ProblemActions; solver: SolverActions }

export class DraftActions {
  constructor(private readonly on: Around) {}

  edit(): void {
    const opened = workbench.opened.get()
    const given = opened?.text ?? ''
    const begin = (text: Text) => workbench.draft.update((draft) => draft ?? { text, name: nameOf(opened?.source) })
    if (!isPacked(given)) begin(given)
    else
      void this.on.attempt(async () => {
        const text = await textOf(given)
        if (workbench.opened.get() === opened) begin(text)
      })
  }

  typed(text: string): void {
    workbench.draft.update((draft) => ({ name: draft?.name ?? '', text }))
  }

  /** Reads the draft; what was typed stays if it is refused. */
  async load(): Promise<boolean> {
    const draft = workbench.draft.get()
    if (draft === null) return false
    this.on.session.loading = draft.text
    return this.loadDraft(draft).finally(() => {
      this.on.session.loading = ''
    })
  }

  private async loadDraft({ text, name }: Draft): Promise<boolean> {
    if (typeof text !== 'string') return this.on.problem.openBuffers(text, name)
    const known = await exampleOf(text)
    if (known !== undefined) {
      await this.on.problem.openExample(known)
      return true
    }
    return this.on.problem.openText(text, name || 'pasted.csv')
  }

  /** Leaves the editor; the problem that was there before stays. */
  keepPrevious(): void {
    workbench.draft.set(null)
    workbench.mistakes.set(null)
  }

  /** From nothing: on the canvas. */
  async draw(): Promise<void> {
    if (!(await this.on.problem.openBuffers(ENDS, 'drawn.csv'))) return
    this.on.solver.chooseSolver('exact')
    workbench.capacity.set(ENDS_CAPACITY)
    setEditing(true)
    await this.on.session.run()
  }

  /** Back from the first page to the text that was being typed, or to an empty editor. */
  pasteNew(): void {
    workbench.draft.set({ text: '', name: '' })
    this.on.page.tellInSetup()
  }
}
