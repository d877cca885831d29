/** Everything a person can do, by name: what buttons, keys and drops call. */
import type { FindKind } from '../../../wasm/client/types'
import type { ColourMode, MemoryViewApi, SeismographApi } from '../layout/scene'
import { saveCsv, savePng, saveText } from '../export/files'
import * as a from '../state/atoms'
import { candidate, result, shownSolver, stats, steps } from '../state/derive'
import { type Example, examples, findExample } from '../state/examples'
import { decodeFile, decodeLink, looksLikeFile, looksLikeLink } from '../state/url'
import * as ui from '../state/ui'
import { gather, pack, reopen, type SharedOut } from './link'
import type { Session } from './session'

/** A file larger than this is refused before it is read, in bytes. */
const FILE_LIMIT = 256 * 2 ** 20
/** What a newcomer sees first: a rejection whose arithmetic can be read off the canvas. */
const FIRST = 'rule-section.csv'

/** An example may come with options that make it tell its story; the next problem must not inherit them unseen. */
function giveBack(before: a.Opened | null): void {
  if (before?.source.kind !== 'example') return
  const example = findExample(before.source.file)
  if (example === undefined || !sameOptions(a.options.get()[example.solver] ?? {}, example.options)) return
  a.options.update((all) => ({ ...all, [example.solver]: {} }))
}

function sameOptions(x: Record<string, string>, y: Record<string, string>): boolean {
  const names = Object.keys(x)
  return names.length === Object.keys(y).length && names.every((name) => x[name] === y[name])
}

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
    const source: a.Source = { kind: 'example', file: example.file, title: example.title }
    this.moveOn()
    if (!(await this.session.open(example.csv, source, example.file))) return
    ui.caption.set(example.text)
    this.chooseSolver(example.solver)
    a.options.update((all) => ({ ...all, [example.solver]: example.options }))
    if (example.capacity > 0) a.capacity.set(example.capacity)
    if (!runIt) return
    await this.session.run()
    if (a.run.get().kind !== 'ended') return
    if (example.step !== null) this.player.seek(example.step)
    else await this.attempt(() => this.goToFirstLesson())
  }

  /** Text that was pasted, dropped, typed or picked: a buffer CSV, or a shared file. */
  async openText(text: string, name: string): Promise<boolean> {
    if (looksLikeFile(text)) {
      const file = decodeFile(text)
      if (file.ok) this.moveOn()
      if (file.ok) await this.attempt(() => reopen(this.session, file.shared))
      else a.notice.set({ tone: 'why', title: 'Nothing was loaded.', text: file.message })
      return file.ok
    }
    this.moveOn()
    const before = a.opened.get()
    const opened = await this.session.open(text, { kind: 'text', name }, name)
    if (opened) giveBack(before)
    const inName = /\.(\d{1,16})\.csv$/i.exec(name)
    if (opened && inName !== null && Number(inName[1]) > 0) a.capacity.set(Number(inName[1]))
    return opened
  }

  async openFile(file: File): Promise<void> {
    if (file.size > FILE_LIMIT) {
      a.notice.set({ tone: 'why', title: 'Nothing was loaded.', text: `${file.name} is larger than 256 MiB.` })
      return
    }
    await this.openText(await file.text(), file.name)
  }

  async generate(kind: string, count: number, seed: number): Promise<void> {
    const made = await this.attempt(() => this.session.client.generate(kind, count, seed))
    if (made === null) return
    const { csv, capacity } = made
    const name = `${kind}-${count}-${seed}.csv`
    this.moveOn()
    const before = a.opened.get()
    if (!(await this.session.open(csv, { kind: 'text', name }, name))) return
    giveBack(before)
    if (capacity > 0) a.capacity.set(capacity)
    await this.session.run()
  }

  edit(): void {
    const opened = a.opened.get()
    const name =
      opened?.source.kind === 'example' ? opened.source.file : opened?.source.kind === 'text' ? opened.source.name : ''
    a.draft.update((draft) => draft ?? { text: opened?.text ?? '', name })
  }

  typed(text: string): void {
    a.draft.update((draft) => ({ name: draft?.name ?? '', text }))
  }

  /** Reads the draft; what was typed stays if it is refused. */
  async load(): Promise<boolean> {
    const draft = a.draft.get()
    if (draft === null) return false
    const known = examples.find((example) => example.csv === draft.text)
    if (known !== undefined) {
      await this.openExample(known)
      return true
    }
    return this.openText(draft.text, draft.name || 'pasted.csv')
  }

  /** Leaves the editor; the problem that was there before stays. */
  keepPrevious(): void {
    a.draft.set(null)
    a.mistakes.set(null)
  }

  async clear(): Promise<void> {
    this.moveOn()
    await this.session.clear()
  }

  /** Back from the first page to the text that was being typed, or to an empty editor. */
  pasteNew(): void {
    a.draft.set({ text: '', name: '' })
    ui.setupOpen.set(true)
  }

  // ---- settings

  setCapacity(value: number): void {
    a.capacity.set(value)
  }

  chooseSolver(id: string): void {
    a.solver.set(id)
  }

  /** An option at its default is not kept. */
  setOption(name: string, value: string): void {
    const id = a.solver.get()
    const initial = a.manifest
      .get()
      ?.solvers.find((s) => s.id === id)
      ?.options.find((o) => o.name === name)?.initial
    a.options.update((all) => {
      const { [name]: _, ...others } = all[id] ?? {}
      return { ...all, [id]: value === initial ? others : { ...others, [name]: value } }
    })
  }

  setSeed(value: number): void {
    a.seed.set(value)
  }

  setBudget(value: number): void {
    a.budget.set(value)
  }

  /** The solver's defaults again, and no run. */
  reset(): void {
    a.options.update((all) => ({ ...all, [a.solver.get()]: {} }))
    a.budget.set(a.BUDGET_DEFAULT)
    a.seed.set(1)
    if (a.run.get().kind !== 'running') this.session.discard()
  }

  // ---- runs

  async run(): Promise<void> {
    // Running with the last good value while another one stands in the field would be a lie.
    const wrong = ui.misfilled.get()[0]
    if (wrong !== undefined) {
      document.getElementById(wrong)?.focus()
      return
    }
    this.moveOn()
    ui.setupOpen.set(false)
    await this.session.run()
  }

  cancel(): void {
    this.session.cancel()
  }

  /** Goes on with the same search; a spent budget is doubled. */
  async continueRun(): Promise<void> {
    const state = a.run.get()
    if (state.kind !== 'ended' && state.kind !== 'cancelled') return
    const spent = state.result.stats.outcome === 'budget-spent'
    await this.session.resume(spent ? state.config.budget * 2 : state.config.budget)
  }

  discard(): void {
    this.session.discard()
  }

  async runWithBudget(budget: number): Promise<void> {
    a.budget.set(budget)
    await this.session.run()
  }

  async runWithCapacity(capacity: number): Promise<void> {
    a.capacity.set(capacity)
    this.light([], -1)
    await this.session.run()
  }

  async runWithSolver(id: string): Promise<void> {
    a.solver.set(id)
    await this.session.run()
  }

  goToDeepest(): void {
    const at = stats.get()?.maxDepthStep ?? 0
    this.player.seek(at)
  }

  jump(kind: FindKind, forward: boolean): void {
    void this.attempt(() => this.player.jump(kind, forward))
  }

  // ---- looking

  pin(buffer: number): void {
    ui.pinned.update((now) => (now === buffer ? -1 : buffer))
  }

  /** Pins what the step shown is about, or lets go of what is pinned. */
  pinCurrent(): void {
    const now = candidate.get()?.buffer ?? -1
    ui.pinned.set(ui.pinned.get() >= 0 ? -1 : now)
  }

  /** Pins a buffer and moves the canvas no more than needed to show it. */
  reveal(buffer: number): void {
    ui.pinned.set(buffer)
    this.view?.reveal(buffer)
  }

  light(buffers: number[], section: number): void {
    ui.lit.set(buffers.length === 0 && section < 0 ? ui.NOTHING_LIT : { buffers, section })
  }

  setFilter(text: string): void {
    ui.filter.set(text)
  }

  /** To the filter of the Buffers tab. */
  find(): void {
    this.showTab('buffers')
    ui.finding.update((n) => n + 1)
  }

  setColour(mode: ColourMode): void {
    ui.colourChoice.set(mode)
  }

  toggleTheme(): void {
    ui.themeChoice.set(ui.theme.get() === 'dark' ? 'light' : 'dark')
  }

  showTab(tab: ui.Tab): void {
    ui.tab.set(tab)
    if (ui.width.get() === 'phone') ui.setupOpen.set(false)
    if (ui.sheet.get() === 'peek') ui.sheet.set('half')
  }

  toggleSetup(): void {
    ui.setupOpen.set(!ui.setupOpen.get())
  }

  /** The Setup tab of a phone. */
  showSetup(): void {
    ui.setupOpen.set(true)
    if (ui.sheet.get() === 'peek') ui.sheet.set('half')
  }

  closeSetup(): void {
    ui.setupOpen.set(false)
  }

  setSingleKeys(on: boolean): void {
    ui.singleKeys.set(on)
  }

  setSheet(sheet: 'peek' | 'half' | 'full'): void {
    ui.sheet.set(sheet)
  }

  closeHint(): void {
    ui.hintShown.set(false)
    ui.caption.set('')
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
    const shared = await gather(this.session)
    return shared === null ? null : pack(shared)
  }

  saveShared(out: Extract<SharedOut, { kind: 'file' }>): void {
    saveText(out.text, out.name, 'application/json')
  }

  /** True if the fragment was a link, readable or not. */
  async openFragment(fragment: string): Promise<boolean> {
    if (!looksLikeLink(fragment)) return false
    const decoded = await decodeLink(fragment)
    if (decoded.ok) {
      await this.attempt(() => reopen(this.session, decoded.shared))
      return a.opened.get() !== null
    }
    a.notice.set({ tone: 'why', title: 'Nothing was loaded.', text: decoded.message })
    return false
  }

  async exportCsv(): Promise<void> {
    const best = result.get()?.best ?? null
    const csv = await this.attempt(() => this.session.client.exportCsv(best))
    if (csv !== null) saveCsv(csv, a.opened.get(), best !== null)
  }

  async exportPng(): Promise<void> {
    const { view } = this
    const picture = view === null ? null : await this.attempt(() => view.toPng(2))
    if (picture !== null) savePng(picture, a.opened.get(), shownSolver.get()?.id ?? '', a.cursor.get())
  }

  // ---- beginnings

  /** The first thing a newcomer sees: a small search, stopped where it says something. */
  async firstVisit(): Promise<void> {
    const first = examples.find((example) => example.file === FIRST) ?? examples[0]
    if (first === undefined) return
    await this.openExample(first)
    ui.hintShown.set(true)
  }

  /** Another problem or another run: the hint has done its work, and the address no longer names what is shown. */
  private moveOn(): void {
    ui.hintShown.set(false)
    if (looksLikeLink(location.hash.slice(1))) history.replaceState(null, '', location.pathname + location.search)
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
