/** Everything a person can do, by name: what buttons, keys and drops call. */
import { type FindKind, LONG_TEXT, type Text } from '../../../wasm/client/types'
import type { ImportAnswers } from '../import/imported'
import type { ColourMode, MemoryViewApi, SeismographApi } from '../layout/scene'
import { Later, PartError } from '../base/later'
import * as a from '../state/atoms'
import { candidate, stats, steps, takesBuffers } from '../state/workbench'
import { HEAD, kindOfText, looksLikeLink } from '../state/share/validation'
import { csvOf, type Example, exampleOf, examples, FIRST, findExample } from '../state/problem/examples'
import { leaveLesson } from '../state/lesson/lesson_workbench'
import type { Profile } from '../state/profile/profile'
import * as ui from '../state/ui'
import type { DecodeResult } from '../state/share/url'
import { zoo } from '../state/model/zoo'
import { explain } from './solver/explain'
import type { SharedOut } from './share/link'
import { moveOn } from './page/reset_address'
import type { PlanForm } from './share/plans'
import type { Session } from './session'
import { workbench } from '../state/workbench_cells'
import { type Opened, type Source, nameOf, type Draft, BUDGET_DEFAULT, NOTHING_LIT } from '../state/workbench_values'

/** A text larger than this is refused before it is read, in bytes. Models have no limit: their weights are never read. */
const FILE_LIMIT = 256 * 2 ** 20

const asides = new Later(() => import('./solver/open_unfit'))
const plans = new Later(() => import('./share/plans'))
const models = new Later(() => import('./model/models'))
const links = new Later(() => import('./share/link'))
type Links = typeof import('./share/link')
const exports = new Later(() => import('./share/exports'))
type Exports = typeof import('./share/exports')

/**
 * An example may come with a solver and options that make it tell its story; the next problem must not inherit them unseen. Options that
 * were changed by hand stay, and the solver with them.
 */
function giveBack(before: Opened | null): void {
  giveBackZoo(before?.source)
  if (before?.source.kind !== 'example') return
  const example = findExample(before.source.file)
  if (example === undefined || !sameOptions(workbench.options.get()[example.solver] ?? {}, example.options)) return
  workbench.options.update((all) => ({ ...all, [example.solver]: {} }))
  const first = a.manifest.get()?.solvers[0]?.id
  if (first !== undefined && workbench.solver.get() === example.solver) workbench.solver.set(first)
}

/** Of a graph that was typed or picked; one that was edited is lowered as before, and one that was not is still what it was. */
function graphSource(text: string, name: string, before: Opened | null): Source {
  const now = before?.source
  const same = now?.kind === 'model' && now.name === name
  if (same && before?.text === text) return now
  return { kind: 'model', name, lowering: same ? now.lowering : {}, from: { kind: 'file', format: '' } }
}

/** The solver with which a network of ours tells its story. */
function giveBackZoo(source: Source | undefined): void {
  if (source?.kind !== 'model' || source.from.kind !== 'zoo') return
  const part = zoo.arrival.get()
  const shown = part.kind === 'there' ? part.part.find(source.from.id)?.show : undefined
  const first = a.manifest.get()?.solvers[0]?.id
  if (shown !== undefined && first !== undefined && workbench.solver.get() === shown.solver) workbench.solver.set(first)
}

function sameOptions(x: Record<string, string>, y: Record<string, string>): boolean {
  const names = Object.keys(x)
  return names.length === Object.keys(y).length && names.every((name) => x[name] === y[name])
}

/** What takes longer says so; a notice moves all that lies under it, which would be worse than a short wait. */
const SLOW_MS = 500

export class Actions {
  /** the canvas, once it is mounted */
  view: MemoryViewApi | null = null
  graph: SeismographApi | null = null

  constructor(readonly session: Session) {}

  get player() {
    return this.session.player
  }

  // ---- problems

  async openExample(example: Example, runIt = true): Promise<void> {
    const source: Source = { kind: 'example', file: example.file, title: example.title }
    moveOn()
    // its story is told in the memory that it was made for
    if (!(await this.session.open(csvOf(example.file), source, example.file, null))) return
    workbench.caption.set(example.text)
    this.chooseSolver(example.solver)
    workbench.goal.set('fit')
    workbench.options.update((all) => ({ ...all, [example.solver]: example.options }))
    if (example.capacity > 0) workbench.capacity.set(example.capacity)
    if (!runIt) return
    await this.session.run()
    if (workbench.run.get().kind !== 'ended') return
    if (example.step !== null) this.player.seek(example.step)
    else await this.attempt(() => this.goToFirstLesson())
  }

  /** Text that was pasted, dropped, typed or picked: buffers, a graph, a shared file, or something that an importer knows. */
  async openText(text: string, name: string): Promise<boolean> {
    const kind = kindOfText(text)
    if (kind === 'shared') {
      const opened = await this.openShared(
        (part) => part.decodeFile(text),
        () => moveOn(),
      )
      return opened ?? false
    }
    return kind === 'foreign' ? this.import(new File([text], name)) : this.openTable(text, name)
  }

  /** A graph, or what is taken for buffers: an importer that hands a text on has none that it could be but these. */
  private openTable(text: string, name: string): Promise<boolean> {
    if (kindOfText(text) === 'graph') return this.openCsv(text, name, graphSource(text, name, workbench.opened.get()))
    return this.openBuffers(text.length > LONG_TEXT ? new Blob([text]) : text, name)
  }

  private openBuffers(text: Text | Promise<Text>, name: string): Promise<boolean> {
    return this.openCsv(text, name, { kind: 'text', name })
  }

  /** Buffer CSV or graph CSV, or what is taken for one to see what is wrong with it. */
  private async openCsv(text: Text | Promise<Text>, name: string, source: Source): Promise<boolean> {
    moveOn()
    const before = workbench.opened.get()
    const opened = await this.session.open(text, source, name)
    if (opened) giveBack(before)
    else if (workbench.mistakes.get() !== null) this.tellInSetup()
    const inName = /\.(\d{1,16})\.csv$/i.exec(name)
    const own = workbench.profile.get()?.capacity ?? 0
    if (opened && own === 0 && inName !== null && Number(inName[1]) > 0) workbench.capacity.set(Number(inName[1]))
    return opened
  }

  async openFile(file: File): Promise<void> {
    const kind = kindOfText(await file.slice(0, HEAD).text())
    // a pointer or a web page under a model's name is no table
    if (kind === 'foreign' || /\.(tflite|onnx|task|zip)$/i.test(file.name)) {
      await this.import(file)
      return
    }
    if (file.size > FILE_LIMIT) {
      a.notice.set({ tone: 'why', title: 'Nothing was loaded.', text: `${file.name} is larger than 256 MiB.` })
      return
    }
    const long = file.size > LONG_TEXT
    if (long && kind === 'shared') await this.openShared((part) => part.decodeLongFile(file), moveOn)
    // a copy: the file may change on its disk while it is looked at here
    else if (long && kind === 'buffers')
      await this.openBuffers(
        file.arrayBuffer().then(
          (bytes) => new Blob([bytes]),
          (error: Error) => Promise.reject(new PartError(`${file.name} could not be read. ${error.message}`)),
        ),
        file.name,
      )
    else await this.openText(await file.text(), file.name)
  }

  // ---- models

  /** A file of any kind: a model, a plan's table, or a text that only the core can judge. False if nothing was opened. */
  private async import(file: File): Promise<boolean> {
    const before = workbench.opened.get()
    // what is still being read is not wanted any more
    this.session.leaveOpen()
    const opened = await this.attempt(async () => {
      const part = await models.get()
      return part.importInto(this.session, file, (text, name) => this.openTable(text, name))
    })
    if (opened === true) giveBack(before)
    else if (a.importing.get().kind !== 'none') this.tellInSetup()
    return opened ?? false
  }

  /** The same file again, with what it left open. */
  async answerImport(answers: ImportAnswers): Promise<void> {
    const before = workbench.opened.get()
    const opened = await this.attempt(async () => (await models.get()).answerImport(this.session, answers))
    if (opened === true) giveBack(before)
  }

  /** The questions of the file that is open, to be answered otherwise. */
  async askAgain(): Promise<void> {
    await this.attempt(async () => (await models.get()).askAgain())
  }

  async cancelImport(): Promise<void> {
    if (this.session.leaveOpen()) return
    await this.attempt(async () => (await models.get()).cancelImport())
  }

  /** A network of ours. options: its parameters, changed from their defaults. */
  async openZoo(id: string, options: Record<string, string>): Promise<void> {
    moveOn()
    giveBack(workbench.opened.get())
    const opened = await this.attempt(async () => (await models.get()).openZoo(this.session, id, options))
    if (opened !== true) return
    await this.session.run()
  }

  /** Lowers the open model with these options instead. */
  async lower(lowering: Record<string, string>): Promise<void> {
    await this.attempt(async () => (await models.get()).lowerWith(this.session, lowering))
  }

  /** An option of the lowering; at its default it is not kept. What was run before is run again if that took no time. */
  async setLowering(name: string, value: string): Promise<void> {
    await this.attempt(async () => (await models.get()).setLowering(this.session, name, value))
  }

  async generate(kind: string, count: number, seed: number): Promise<void> {
    const made = await this.attempt(() => this.session.client.generate(kind, count, seed))
    if (made === null) return
    const { csv, capacity } = made
    const name = `${kind}-${count}-${seed}.csv`
    moveOn()
    const before = workbench.opened.get()
    if (!(await this.session.open(csv, { kind: 'text', name }, name, null))) return
    giveBack(before)
    if (capacity > 0) workbench.capacity.set(capacity)
    await this.session.run()
  }

  edit(): void {
    const opened = workbench.opened.get()
    workbench.draft.update((draft) => draft ?? { text: opened?.text ?? '', name: nameOf(opened?.source) })
  }

  typed(text: string): void {
    workbench.draft.update((draft) => ({ name: draft?.name ?? '', text }))
  }

  /** Reads the draft; what was typed stays if it is refused. */
  async load(): Promise<boolean> {
    const draft = workbench.draft.get()
    if (draft === null) return false
    this.session.loading = draft.text
    return this.loadDraft(draft).finally(() => {
      this.session.loading = ''
    })
  }

  private async loadDraft({ text, name }: Draft): Promise<boolean> {
    if (typeof text !== 'string') return this.openBuffers(text, name)
    const known = await exampleOf(text)
    if (known !== undefined) {
      await this.openExample(known)
      return true
    }
    return this.openText(text, name || 'pasted.csv')
  }

  /** Leaves the editor; the problem that was there before stays. */
  keepPrevious(): void {
    workbench.draft.set(null)
    workbench.mistakes.set(null)
  }

  async clear(): Promise<void> {
    await this.session.edited()
    moveOn()
    await this.session.clear()
  }

  /** Back from the first page to the text that was being typed, or to an empty editor. */
  pasteNew(): void {
    workbench.draft.set({ text: '', name: '' })
    this.showSetup()
  }

  // ---- profiles

  /** null: none. False if it does not take the problem; a notice then says why. */
  async chooseProfile(profile: Profile | null): Promise<boolean> {
    if (!(await this.session.setProfile(profile))) return false
    moveOn()
    return true
  }

  /** A profile of the reader's own, new or changed. False if it is the chosen one and the problem does not go with the change. */
  async saveProfile(profile: Profile): Promise<boolean> {
    if (workbench.profile.get()?.id === profile.id && !(await this.chooseProfile(profile))) return false
    const others = a.ownProfiles.get().filter(({ id }) => id !== profile.id)
    a.ownProfiles.set([...others, profile])
    return true
  }

  async deleteProfile(profile: Profile): Promise<void> {
    if (workbench.profile.get()?.id === profile.id) await this.chooseProfile(null)
    a.ownProfiles.update((own) => own.filter(({ id }) => id !== profile.id))
  }

  // ---- settings

  setCapacity(value: number): void {
    workbench.capacity.set(value)
  }

  chooseSolver(id: string): void {
    workbench.solver.set(id)
  }

  /** An option at its default is not kept. */
  setOption(name: string, value: string): void {
    const id = workbench.solver.get()
    const initial = a.manifest
      .get()
      ?.solvers.find((s) => s.id === id)
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

  /** The solver's defaults again, and no run. */
  reset(): void {
    workbench.options.update((all) => ({ ...all, [workbench.solver.get()]: {} }))
    workbench.budget.set(BUDGET_DEFAULT)
    workbench.seed.set(1)
    if (workbench.run.get().kind !== 'running') this.session.discard()
  }

  // ---- runs

  async run(): Promise<void> {
    // Running with the last good value while another one stands in the field would be a lie.
    const wrong = ui.misfilled.get()[0]
    if (wrong !== undefined) {
      document.getElementById(wrong)?.focus()
      return
    }
    // a lesson's own run can be run again
    if (leaveLesson.get() === null) moveOn()
    workbench.setupOpen.set(false)
    await this.session.run()
  }

  cancel(): void {
    this.session.cancel()
  }

  /** Goes on with the same search; a spent budget is doubled. */
  async continueRun(): Promise<void> {
    const state = workbench.run.get()
    if (state.kind !== 'ended' && state.kind !== 'cancelled') return
    const spent = state.result.stats.outcome === 'budget-spent'
    await this.session.resume(spent ? state.config.budget * 2 : state.config.budget)
  }

  discard(): void {
    this.session.discard()
  }

  async runWithBudget(budget: number): Promise<void> {
    workbench.budget.set(budget)
    await this.session.run()
  }

  async runWithCapacity(capacity: number): Promise<void> {
    workbench.capacity.set(capacity)
    this.light([], -1)
    await this.session.run()
  }

  async runWithSolver(id: string): Promise<void> {
    workbench.solver.set(id)
    await this.session.run()
  }

  // ---- the least height

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
    await this.session.run()
  }

  /** The height that was found becomes the capacity to fit. */
  async fitTo(height: number): Promise<void> {
    this.setMinimise(false)
    await this.runWithCapacity(height)
  }

  // ---- why not

  async explain(): Promise<void> {
    await explain(this.session)
  }

  /** What is known by then stays known. */
  stopExplaining(): void {
    if (workbench.why.get().kind === 'looking') this.session.client.cancel()
  }

  showUnfit(on: boolean): void {
    workbench.whyShown.set(on)
    if (on && workbench.why.get().kind === 'known') this.player.toEnd()
  }

  async onlyThese(): Promise<void> {
    moveOn()
    await this.attempt(async () => (await asides.get()).openOnlyThese(this.session))
  }

  async backToAll(): Promise<void> {
    moveOn()
    await this.attempt(async () => (await asides.get()).backToAll(this.session))
  }

  goToDeepest(): void {
    const at = stats.get()?.maxDepthStep ?? 0
    this.player.seek(at)
  }

  jump(kind: FindKind, forward: boolean): void {
    void this.attempt(() => this.player.jump(kind, forward))
  }

  // ---- looking

  /** Pins what the step shown is about, or lets go of what is pinned. */
  pinCurrent(): void {
    const now = candidate.get()?.buffer ?? -1
    workbench.pinned.set(workbench.pinned.get() >= 0 ? -1 : now)
  }

  /** Pins a buffer and moves the canvas no more than needed to show it. */
  reveal(buffer: number): void {
    workbench.pinned.set(buffer)
    this.view?.reveal(buffer)
  }

  light(buffers: number[], section: number): void {
    workbench.lit.set(buffers.length === 0 && section < 0 ? NOTHING_LIT : { buffers, section, inputs: [] })
  }

  /** Chooses an operator to be looked at, or lets go of it. */
  pickOp(op: number): void {
    workbench.pickedOp.update((now) => (now === op ? -1 : op))
  }

  pointAtOp(op: number, x: number, y: number): void {
    const now = workbench.hoveredOp.get()
    if (op < 0) workbench.hoveredOp.set(null)
    else if (now?.op !== op || now.x !== x || now.y !== y) workbench.hoveredOp.set({ op, x, y })
  }

  /** Chooses an operator and brings it into sight on the canvas. */
  lookAtOp(op: number): void {
    workbench.pickedOp.set(op)
    this.view?.revealTime(op, op + 1)
  }

  showFilePlan(on: boolean): void {
    workbench.planShownFrom.set(on ? 'file' : 'search')
  }

  /** To the filter of the Buffers tab. */
  find(): void {
    this.showTab('buffers')
    ui.finding.update((n) => n + 1)
  }

  setColour(mode: ColourMode): void {
    workbench.colourChoice.set(mode)
  }

  toggleTheme(): void {
    ui.themeChoice.set(ui.theme.get() === 'dark' ? 'light' : 'dark')
  }

  showTab(tab: ui.Tab): void {
    ui.tab.set(tab)
    ui.setPanel('side', { shut: false })
    if (ui.width.get() === 'phone') workbench.setupOpen.set(false)
    if (ui.sheet.get() === 'peek') ui.sheet.set('half')
  }

  toggleSetup(): void {
    workbench.setupOpen.set(!workbench.setupOpen.get())
  }

  /** The drawer, or the Setup tab of a phone. */
  showSetup(): void {
    workbench.setupOpen.set(true)
    if (ui.sheet.get() === 'peek') ui.sheet.set('half')
  }

  /** What is asked or wrong stands in the setup, wherever the file came in. */
  private tellInSetup(): void {
    if (ui.width.get() === 'wide') ui.setPanel('left', { shut: false })
    else this.showSetup()
  }

  closeSetup(): void {
    workbench.setupOpen.set(false)
  }

  setSingleKeys(on: boolean): void {
    ui.singleKeys.set(on)
  }

  setSheet(sheet: 'peek' | 'half' | 'full'): void {
    ui.sheet.set(sheet)
  }

  /** The hint first; what the example is there to show stands below it. */
  closeHint(): void {
    if (!workbench.hintShown.get()) workbench.caption.set('')
    workbench.hintShown.set(false)
  }

  closeNotice(): void {
    a.notice.set(null)
  }

  openDialog(dialog: ui.Dialog): void {
    ui.dialog.set(dialog)
  }

  // ---- out and in

  /** What Share hands out: a link, or a file where the link would be too long. */
  async share(): Promise<SharedOut | null> {
    const part = await links.get()
    const long = part.longText()
    const shared = await part.gather(this.session)
    return shared === null ? null : part.pack(shared, long)
  }

  /** False if it is no link or one that does not open. One whose reader could not be fetched stays in the address, for another try. */
  async openFragment(fragment: string): Promise<boolean> {
    if (!looksLikeLink(fragment)) return false
    const opened = await this.openShared((part) => part.decodeLink(fragment))
    return opened === null || (opened && workbench.opened.get() !== null)
  }

  async exportCsv(): Promise<void> {
    await this.making(async () => (await plans.get()).saveProblem(this.session.client))
  }

  /** The plan in one of the forms that compilers and runtimes take; a notice says what was written, or why not. */
  async exportPlan(form: PlanForm): Promise<void> {
    await this.making(async () => (await plans.get()).savePlan(form))
  }

  /** One of the exports of a part that comes later; a notice says why it did not work. */
  async export(what: (part: Exports) => void | Promise<void>): Promise<void> {
    await this.making(async () => what(await exports.get()))
  }

  // ---- beginnings

  /** The first thing a newcomer sees: a small search, stopped where it says something. */
  async firstVisit(): Promise<void> {
    const first = examples.find((example) => example.file === FIRST) ?? examples[0]
    if (first === undefined) return
    const opening = this.openExample(first)
    // before there is anything that it would move
    workbench.hintShown.set(true)
    await opening
  }

  /** False if what was read is no search, null if the part of the page that reads it is not to be had; the page then says so. */
  private async openShared(
    read: (part: Links) => DecodeResult | Promise<DecodeResult>,
    before: () => void = () => {},
  ): Promise<boolean | null> {
    const part = await this.attempt(() => links.get())
    if (part === null) return null
    const decoded = await read(part)
    if (decoded.ok) {
      before()
      await this.attempt(() => part.reopen(this.session, decoded.shared, decoded.long))
    } else {
      a.notice.set({ tone: 'why', title: 'Nothing was loaded.', text: decoded.message })
    }
    return decoded.ok
  }

  /** null if the worker gave up; the page then says so. */
  private async attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      a.notice.set({ tone: 'why', title: 'That did not work.', text })
      return null
    }
  }

  /** An attempt at a file: whoever has to wait for it is told so. */
  private async making(work: () => Promise<void>): Promise<void> {
    const said: a.Notice = { tone: 'plain', title: 'The file is being made…', text: '' }
    const slow = setTimeout(() => a.notice.get() === null && a.notice.set(said), SLOW_MS)
    await this.attempt(work)
    clearTimeout(slow)
    if (a.notice.get() === said) a.notice.set(null)
  }

  private async goToFirstLesson(): Promise<void> {
    for (const kind of ['reject', 'backtrack'] as const) {
      const step = await this.session.client.find(0, true, kind)
      if (step > 0) {
        this.player.seek(step)
        return
      }
    }
    this.player.seek(Math.ceil(steps.get() / 2))
  }
}
