/**
 * One worker, one problem, one run: the only place that starts, stops and replaces searches. Writes the workbench; panels call it through
 * run/actions.ts.
 */
import {
  type Client,
  ClientError,
  type GraphModel,
  type OpenProgress,
  type OpenResult,
  type RunConfig,
  type RunResult,
  type Text,
} from '../../../wasm/client/types'
import { Later, PartError } from '../base/later'
import * as a from '../state/atoms'
import { allSolvers, goalChosen, ofModels, solverInfo } from '../state/workbench'
import { leastCapacity } from '../state/problem/pools'
import { typing, underWay } from '../state/edit/editing'
import { type Profile, usable } from '../state/profile/profile'
import { leaveLesson } from '../state/lesson/lesson_workbench'
import { textOf } from './problem/given_text'
import { failedRun, foundBefore, followRun } from './solver/follow_run'
import { Player } from './search/player'
import type { Clock } from './search/ticker'
import { workbench } from '../state/workbench_cells'
import {
  type Given,
  isPacked,
  type ModelOrigin,
  type Opened,
  type Source,
  type Mistakes,
  nameOf,
  NOTHING_LIT,
} from '../state/workbench_values'

/** What solvers say of themselves beyond what a first view shows. */
const words = new Later(() => import('../../../wasm/client/words'), 'unasked')

export class Session {
  readonly player: Player
  /** the text of the editor that is being opened, whatever becomes of it on the way */
  loading: Text = ''
  private opening = 0
  private running = 0
  /** the rows of what is being read are counted on the page */
  private counting = false
  /** whose worker has a problem that is not shown: the page went on to another one, which may be refused */
  private astray: Client | null = null

  constructor(
    /** changes hands while a lesson has the page */
    public client: Client,
    clock: Clock,
  ) {
    this.player = new Player(
      () => this.client,
      clock,
      (error) => this.lost(error),
    )
  }

  /** Counts the problems that were asked for: another one came in between if it has gone on. */
  get asked(): number {
    return this.opening
  }

  /** lean: no more than the first example is to be shown at first (Client.beginLean). */
  async start(lean = false): Promise<void> {
    if (lean) this.client.beginLean()
    const manifest = await this.client.manifest()
    const first = manifest.solvers[0]?.id
    if (first !== undefined && !allSolvers(manifest).some((info) => info.id === workbench.solver.get()))
      workbench.solver.set(first)
    a.manifest.set(manifest)
    const told = words.arrival.get()
    if (told.kind === 'there') a.manifest.set(told.part.withWords(manifest))
    else {
      const leave = words.arrival.subscribe(() => {
        const now = words.arrival.get()
        if (now.kind !== 'there') return
        leave()
        a.manifest.set(now.part.withWords(manifest))
      })
    }
  }

  /**
   * What is being typed and edited goes into its own problem before another takes its place. Nobody waits for a run meanwhile: it would give
   * way at once.
   */
  async edited(): Promise<void> {
    typing.get()?.()
    for (let edits = underWay.get(); edits !== null; edits = underWay.get()) {
      const leave = workbench.run.subscribe(() => this.cancel())
      this.cancel()
      await edits
      leave()
    }
  }

  /** Reads a problem once what is being typed into the one before is in it: read() has the rest. */
  async open(...asked: Parameters<Session['read']>): Promise<boolean> {
    if (typing.get() !== null || underWay.get() !== null) await this.edited()
    const before = workbench.opened.get()
    const opened = await this.read(...asked)
    if (opened) await this.putDraftAside(before)
    return opened
  }

  /** What was being typed in the editor gives way to what was opened; what no problem has is one click away. */
  private async putDraftAside(before: Opened | null): Promise<void> {
    const draft = workbench.draft.get()
    workbench.draft.set(null)
    if (draft === null || draft.text === '' || draft.text === this.loading) return
    for (const opened of [before, workbench.opened.get()])
      if (opened !== null && (await textOf(opened.text)) === draft.text) return
    const act = () => {
      a.notice.set(null)
      workbench.draft.set(draft)
    }
    a.notice.set({
      tone: 'plain',
      title: 'What you were typing was put aside.',
      text: draft.name,
      action: { title: 'Back to it', act },
    })
  }

  /**
   * Reads a problem, whose text may still have to be fetched; false if it was refused (the mistakes then stand beside the text, and the
   * problem before stays) or if another one was asked for meanwhile. It is placed in the profile's memory if that takes it, and else in none.
   * refused: who is told of mistakes, if not the editor.
   */
  async read(
    from: Given | Promise<Given>,
    source: Source,
    name: string,
    profile: Profile | null = workbench.profile.get(),
    refused: (mistakes: Mistakes) => void = (mistakes) => {
      workbench.draft.set({ text: mistakes.text, name })
      workbench.mistakes.set(mistakes)
    },
  ): Promise<boolean> {
    // what is opened is the reader's: a lesson gives way
    leaveLesson.get()?.()
    const mine = this.begin()
    const progress = this.counter(mine, name)
    try {
      let text = await from
      if (mine !== this.opening) return false
      if (workbench.run.get().kind === 'running') await this.stop()
      let answer = await this.parse(text, source, profile, mine, progress)
      let taken = profile
      const why = refusal(answer, profile)
      if (why !== '' && mine === this.opening) {
        answer = await this.parse(text, source, null, mine, progress)
        taken = null
      }
      if (isPacked(text) && !answer.ok && answer.total > 0 && mine === this.opening) {
        // told again of its text, where each mistake has a place
        text = await textOf(text)
        answer = await this.parse(text, source, taken, mine, progress)
      }
      if (!this.isFor(mine, answer)) return false
      if (!answer.ok) {
        if (answer.total > 0 && !isPacked(text)) refused({ text, errors: answer.errors, total: answer.total })
        await this.comeBack(mine)
        return false
      }
      // editor, links and files take it as the page writes it
      const { read = 0 } = answer.problem
      const original = read > 0 && !isPacked(text) ? { original: text } : {}
      if (read > 3) text = await this.client.exportCsv(null)
      if (mine !== this.opening) return false
      this.discard()
      // what was said of a text before it; of a link that could not be opened the page still has to say so when its first problem is there
      if (workbench.opened.get() !== null && a.notice.get()?.tone === 'why') a.notice.set(null)
      workbench.mistakes.set(null)
      workbench.pinned.set(-1)
      workbench.caption.set('')
      workbench.filter.set('')
      workbench.aside.set(null)
      workbench.pickedOp.set(-1)
      workbench.planShownFrom.set('search')
      workbench.hoveredOp.set(null)
      const { problem, model } = answer
      workbench.profile.set(taken)
      workbench.opened.set({ problem, source, text, model, ...original })
      const own = answer.suggestedCapacity ?? leastCapacity(problem)
      workbench.capacity.set((taken && usable(taken)) || own)
      if (why !== '') a.notice.set({ tone: 'why', title: 'The profile was put aside.', text: why })
      return true
    } catch (error) {
      // the worker is another one by now, and the text is still here
      const act = () => {
        a.notice.set(null)
        void this.open(from, source, name, profile, refused)
      }
      // who gives no name has more to do with what is opened
      const again = name && error instanceof ClientError ? { title: `Open ${name} again`, act } : undefined
      if (mine === this.opening) this.say(error, again)
      return false
    } finally {
      if (mine === this.opening) this.settled()
    }
  }

  /** Whether the page still waits for the answer, which tells what the worker has from now on. */
  private isFor(mine: number, answer: OpenResult): boolean {
    const shown = mine === this.opening
    if (answer.ok) this.astray = shown ? null : this.client
    return shown
  }

  /** Gives the worker the problem that is shown, if it has another one. The run went with it. */
  private async comeBack(mine: number): Promise<void> {
    const now = workbench.opened.get()
    if (now === null || this.astray !== this.client) return
    const answer = await this.parse(now.text, now.source, workbench.profile.get(), this.opening, () => undefined)
    if (this.isFor(mine, answer)) this.discard()
  }

  /** Another problem is asked for: the one before, if it is still being read, is not wanted any more. */
  private begin(): number {
    if (a.reading.get()) this.client.leaveOpen()
    this.settled()
    this.opening += 1
    a.reading.set(true)
    return this.opening
  }

  private settled(): void {
    a.reading.set(false)
    const now = a.importing.get()
    // a file that an importer reads meanwhile tells of itself
    if (this.counting && now.kind === 'reading' && now.rows !== undefined) a.importing.set({ kind: 'none' })
    this.counting = false
  }

  /**
   * Gives up the long file whose rows are being counted; the problem before stays. If that comes too late, it is opened nonetheless: the
   * worker has it. False if there is none.
   */
  leaveOpen(): boolean {
    if (this.counting) this.client.leaveOpen()
    return this.counting
  }

  private counter(mine: number, name: string): (progress: OpenProgress) => void {
    return (rows) => {
      if (mine !== this.opening) return
      this.counting = true
      a.importing.set({ kind: 'reading', name, done: rows.of > 0 ? rows.rows / rows.of : 0, rows })
    }
  }

  /** The problem of a text in a memory; of a model also the graph. A model is lowered first, and its buffers are placed like any others. */
  private async parse(
    text: Given,
    source: Source,
    profile: Profile | null,
    mine: number,
    progress: (p: OpenProgress) => void,
  ): Promise<Parsed> {
    if (!isPacked(text) && (source.kind !== 'model' || typeof text !== 'string'))
      return this.client.open(text, profile, progress)
    await ofModels.get()
    // asked for now it would take the place of what was opened since
    if (mine !== this.opening) return { ok: false, errors: [], total: 0 }
    const lowered = await this.client.openGraph(text, source.kind === 'model' ? source.lowering : {}, profile)
    return lowered.ok ? { ...lowered, suggestedCapacity: null } : lowered
  }

  /**
   * Places the open problem in another memory, null: in that of its file alone. The run is gone then. False if the profile does not take the
   * problem; all stays as it is then, and a notice says why.
   */
  async setProfile(profile: Profile | null): Promise<boolean> {
    await this.edited()
    const now = workbench.opened.get()
    if (now === null) {
      workbench.profile.set(profile)
      return true
    }
    const mine = this.begin()
    try {
      if (workbench.run.get().kind === 'running') await this.stop()
      const progress = this.counter(mine, nameOf(now.source))
      const answer = await this.parse(now.text, now.source, profile, mine, progress)
      if (!this.isFor(mine, answer)) return false
      if (!answer.ok) {
        if (answer.total > 0)
          a.notice.set({ tone: 'why', title: 'The profile was not taken.', text: refusal(answer, profile) })
        await this.comeBack(mine)
        return false
      }
      this.discard()
      workbench.profile.set(profile)
      // the text has been read before, as it was given then
      const { convention, read = 0 } = now.problem
      workbench.opened.set({ ...now, problem: { ...answer.problem, convention, read } })
      if (profile !== null && usable(profile) > 0) workbench.capacity.set(usable(profile))
      return true
    } catch (error) {
      if (mine === this.opening) this.say(error)
      return false
    } finally {
      if (mine === this.opening) this.settled()
    }
  }

  /**
   * Lowers the model that is open with other options, or what its graph has become. The capacity stays, unless it was the lower bound: then it
   * is the new one. What was being typed stays too; what was said of the network does not, for it was of the other lowering. False if nothing
   * changed.
   */
  async lower(lowering: Record<string, string>, graph?: Given, from?: ModelOrigin): Promise<boolean> {
    const before = workbench.opened.get()
    if (before?.source.kind !== 'model') return false
    const source = { ...before.source, lowering, ...(from && { from }) }
    const capacity = workbench.capacity.get()
    const tight = capacity === leastCapacity(before.problem)
    const filter = workbench.filter.get()
    if (!(await this.read(graph ?? before.text, source, source.name))) return false
    workbench.filter.set(filter)
    if (!tight) workbench.capacity.set(capacity)
    return true
  }

  /** The settings of the form. */
  config(): RunConfig {
    const solver = solverInfo.get()?.id ?? workbench.solver.get()
    return {
      solver,
      capacity: workbench.capacity.get(),
      seed: workbench.seed.get(),
      budget: workbench.budget.get(),
      ...(goalChosen.get() === 'fit' ? {} : { goal: goalChosen.get() }),
      options: { ...(workbench.options.get()[solver] ?? {}) },
    }
  }

  /** Runs to the end, to the budget, or until cancelled. Resolves when the run has ended and its last step is being shown. */
  async run(config: RunConfig = this.config()): Promise<void> {
    if (workbench.opened.get() === null) return
    if (workbench.run.get().kind === 'running') await this.stop()
    this.forget()
    await this.follow(config, (progress) => this.client.run(config, progress))
  }

  /** Goes on where a cancelled run, or one whose budget is spent, has stopped. budget: the new total in steps, 0: none. */
  async resume(budget: number): Promise<void> {
    const state = workbench.run.get()
    if (state.kind !== 'ended' && state.kind !== 'cancelled') return
    this.player.pause()
    this.player.seeker.forget()
    await this.follow({ ...state.config, budget }, (progress) => this.client.resume(budget, progress))
  }

  cancel(): void {
    if (workbench.run.get().kind === 'running') this.client.cancel()
  }

  /** Back to the problem as it was opened. */
  discard(): void {
    this.running += 1
    this.forget()
    workbench.run.set({ kind: 'idle' })
  }

  /** No problem at all: the first page. */
  async clear(): Promise<void> {
    if (workbench.run.get().kind === 'running') await this.stop()
    this.leaveOpen()
    this.opening += 1
    this.settled()
    this.discard()
    workbench.mistakes.set(null)
    workbench.aside.set(null)
    const before = workbench.opened.get()
    workbench.opened.set(null)
    void this.putDraftAside(before)
  }

  private async follow(
    config: RunConfig,
    go: (progress: (p: RunProgress) => void) => Promise<RunResult>,
  ): Promise<void> {
    this.running += 1
    const mine = this.running
    try {
      if (await followRun(workbench, config, go, () => mine === this.running)) this.player.settle()
    } catch (error) {
      if (mine === this.running) this.lost(error)
    }
  }

  /** Cancels and waits until the worker has let go. */
  async stop(): Promise<void> {
    const done = new Promise<void>((resolve) => {
      const leave = workbench.run.subscribe(() => {
        if (workbench.run.get().kind === 'running') return
        leave()
        resolve()
      })
    })
    this.client.cancel()
    await done
  }

  private forget(): void {
    this.player.pause()
    this.player.seeker.forget()
    if (workbench.why.get().kind === 'looking') this.client.cancel()
    workbench.why.set({ kind: 'none' })
    workbench.frame.set(null)
    workbench.cursor.set(0)
    workbench.verdict.set(null)
    workbench.lit.set(NOTHING_LIT)
  }

  /** The worker is gone (the client makes a new one): say so, keep all that was typed. */
  private lost(error: unknown): void {
    const state = workbench.run.get()
    if (state.kind === 'idle') {
      this.say(error)
      return
    }
    // the worker is well and has another run, or none
    const other = error instanceof ClientError && error.reason === 'argument'
    const ended = !other && (state.kind === 'ended' || state.kind === 'cancelled') ? state : null
    const found = ended ?? foundBefore(state, error)
    const left = found ?? failedRun(workbench, state.config, error)
    this.running += 1
    this.player.pause()
    workbench.run.set(left)
    if (found !== null) this.sayReplaced(error)
  }

  /** What was found is still shown; the worker that could go through the search is gone. */
  private sayReplaced(error: unknown): void {
    const again = () => {
      a.notice.set(null)
      void this.run()
    }
    const why = error instanceof Error ? error.message : String(error)
    a.notice.set({
      tone: 'why',
      title: 'The solver was lost, and replaced.',
      text: `${why} What it found is still here. To step through the search, run it again.`,
      action: { title: 'Run again', act: again },
    })
  }

  private say(error: unknown, action?: a.Notice['action']): void {
    const text = error instanceof Error ? error.message : String(error)
    const short = error instanceof ClientError && error.reason === 'memory'
    const title = short
      ? 'There was not enough memory.'
      : error instanceof PartError
        ? 'That did not work.'
        : 'The worker gave no answer.'
    a.notice.set({ tone: 'why', title, text, ...(action && { action }) })
  }
}

type Parsed = Extract<OpenResult, { ok: false }> | (Extract<OpenResult, { ok: true }> & { model?: GraphModel })

/** Why a profile does not take a text that is well; '' if it does, or if the text itself is at fault. */
function refusal(answer: Parsed, profile: Profile | null): string {
  const first = answer.ok || profile === null ? undefined : answer.errors[0]
  if (profile === null || first === undefined || first.line > 0) return ''
  return `${profile.title} does not take this problem: ${first.field} ${first.message}.`
}

type RunProgress = Parameters<Parameters<Client['run']>[1]>[0]
