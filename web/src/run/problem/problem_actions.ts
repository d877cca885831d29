/** Opens problems: examples, texts, files, random ones. */
import { LONG_TEXT, type Text } from '../../../../wasm/client/types'
import { visible } from '../../base/format'
import { PartError } from '../../base/later'
import * as a from '../../state/atoms'
import { csvOf, type Example, examples, FIRST } from '../../state/problem/examples'
import { joined } from './joined'
import { HEAD, kindOfText } from '../../state/share/recognize'
import { filePlan, obstacles, stale, steps } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import type { Given, Opened, RunState, Source } from '../../state/workbench_values'
import type { ActionContext } from '../action_context'
import type { ModelActions } from '../model/model_actions'
import type { PageActions } from '../page/page_actions'
import type { ShareActions } from '../share/share_actions'
import type { SolverActions } from '../solver/solver_actions'
import { resetAddress } from '../page/reset_address'
import { dropExampleSettings } from './example_settings'
import { textOf } from './given_text'
import { wasQuick } from './rerun_if_quick'

/** A text larger than this is refused before it is read, in bytes. Models have no limit: their weights are never read. */
const FILE_LIMIT = 256 * 2 ** 20

/** A graph that was typed or picked; one that was edited is lowered as before, and one that was not is still what it was. */
async function graphOf(text: string, name: string, before: Opened | null): Promise<{ given: Given; source: Source }> {
  const now = before?.source
  const same = now?.kind === 'model' && now.name === name
  if (same && before !== null && (await textOf(before.text)) === text) return { given: before.text, source: now }
  const lowering = same ? now.lowering : {}
  return { given: text, source: { kind: 'model', name, lowering, from: { kind: 'file', format: '' } } }
}

const tiles = () => import('./tile_settings')
const EXACT = 'exact'
/** In milliseconds: not each value that a slider passes is one that is meant. */
const MOMENT = 150
/** Buffers that the exact solver places in a few tens of milliseconds, unless they are of the hard ones. */
const AT_ONCE = 2_000

type Around = ActionContext & { page: PageActions; model: ModelActions; share: ShareActions; solver: SolverActions }

export class ProblemActions {
  constructor(private readonly on: Around) {}

  async openExample(example: Example, runIt = true): Promise<void> {
    const source: Source = { kind: 'example', file: example.file, title: example.title }
    resetAddress()
    // its story is told in the memory that it was made for
    if (!(await this.on.session.open(csvOf(example.file), source, example.file, null))) return
    workbench.caption.set(example.text)
    this.on.solver.chooseSolver(example.solver)
    workbench.goal.set('fit')
    workbench.options.update((all) => ({ ...all, [example.solver]: example.options }))
    if (example.capacity > 0) workbench.capacity.set(example.capacity)
    if (!runIt) return
    await this.on.session.run()
    if (workbench.run.get().kind !== 'ended') return
    if (example.step !== null) this.on.player.rest(example.step)
    else await this.on.attempt(() => this.goToFirstLesson())
  }

  /** Text that was pasted, dropped, typed or picked: buffers, a graph, tasks on tiles, a shared file, or something that an importer knows. */
  async openText(text: string, name: string): Promise<boolean> {
    this.brought = true
    const kind = kindOfText(text)
    if (kind === 'shared') {
      const opened = await this.on.share.openShared(
        (part) => part.decodeFile(text),
        () => resetAddress(),
      )
      return opened ?? false
    }
    return kind === 'foreign' ? this.on.model.import(new File([text], name)) : this.openTable(text, name)
  }

  /** A graph, or what is taken for buffers: an importer that hands a text on has none that it could be but these. */
  async openTable(text: string, name: string): Promise<boolean> {
    if (kindOfText(text) === 'graph') {
      const { given, source } = await graphOf(text, name, workbench.opened.get())
      const opened = await this.openCsv(given, name, source)
      if (opened) this.answer()
      return opened
    }
    return this.openTasks(text.length > LONG_TEXT ? new Blob([text]) : text, name)
  }

  openBuffers(text: Text | Promise<Text>, name: string): Promise<boolean> {
    return this.openCsv(text, name, { kind: 'text', name })
  }

  /** Buffers, or tasks on tiles, which get a solver that takes them. */
  async openTasks(text: Text, name: string): Promise<boolean> {
    const opened = await this.openBuffers(text, name)
    if (!opened) return false
    await this.on.attempt(async () => (await tiles()).fitTiles(this.on.session))
    this.answer()
    return true
  }

  /**
   * What came in is asked about at once where the answer takes less than a blink, on the tab that has it. Whoever has chosen another solver than
   * the exact one wants to see that one at work, and says when.
   */
  answer(): void {
    const now = workbench.opened.get()
    if (now === null) return
    // what a tool's own plan comes to stands beside ours
    const tab = now.model !== undefined ? 'model' : filePlan.get() !== null ? 'stats' : 'step'
    // who is at the table stays there; tiles have no tab that says it
    if (now.problem.tasks === undefined && !workbench.editingAsked.get()) this.on.page.showTab(tab)
    const idle = workbench.run.get().kind === 'idle'
    if (!idle || now.problem.count > AT_ONCE || workbench.solver.get() !== EXACT || obstacles.get().length > 0) return
    workbench.setupOpen.set(false)
    void this.runByItself()
  }

  /** The run that nobody but the page asked for; null: there was none */
  private own: RunState | null = null
  private waiting = 0

  private async runByItself(): Promise<void> {
    await this.on.session.run()
    this.own = workbench.run.get()
  }

  /** Another capacity is answered like the first, a moment after the last change; once somebody has pressed Run, Run is theirs. */
  answerAgain(): void {
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => {
      const now = workbench.run.get()
      if (now !== this.own || !wasQuick(now) || workbench.solver.get() !== EXACT || !stale.get()) return
      void this.runByItself()
    }, MOMENT) as unknown as number
  }

  /** Buffer CSV or graph CSV, or what is taken for one to see what is wrong with it. */
  private async openCsv(text: Given | Promise<Given>, name: string, source: Source): Promise<boolean> {
    resetAddress()
    const before = workbench.opened.get()
    const opened = await this.on.session.open(text, source, name)
    if (opened) dropExampleSettings(before)
    else if (workbench.mistakes.get() !== null) this.on.page.tellInSetup()
    const inName = /\.(\d{1,16})\.csv$/i.exec(name)
    const own = workbench.profile.get()?.capacity ?? 0
    if (opened && own === 0 && inName !== null && Number(inName[1]) > 0) workbench.capacity.set(Number(inName[1]))
    return opened
  }

  /** somebody has brought a file or a text, whatever became of it: nothing opens by itself over it any more */
  brought = false

  /** Those of a dump of XLA that can be read are, as one; of others the first. It is said where some are left out. */
  async openFiles(files: readonly File[]): Promise<void> {
    const [first] = files
    if (first === undefined) return
    this.brought = true
    // a dialog in which it was chosen, or over which it was dropped, would hide it
    this.on.page.openDialog('none')
    // a dump is a folder of files, of which these two of each module are read
    const dump = files.filter(({ name }) => /(buffer-assignment|live-range)\.txt$/.test(name))
    const read = dump[0] ?? first
    const opened = await (dump.length > 1 ? this.on.model.import(joined(dump)) : this.openFile(read))
    if (opened && files.length > Math.max(1, dump.length))
      a.notice.set({
        tone: 'plain',
        title: `${visible(read.name)} was opened.`,
        text: 'One file, or one dump, is opened at a time.',
      })
  }

  /** Whether it was opened; if not, the page says why. */
  async openFile(given: File): Promise<boolean> {
    const name = visible(given.name)
    // whatever is said of it says the name
    const file = name === given.name ? given : new File([given], name)
    const kind = kindOfText(await file.slice(0, HEAD).text())
    // a pointer or a web page under a model's name is no table
    if (kind === 'foreign' || /\.(tflite|onnx|task|zip)$/i.test(name)) return this.on.model.import(file)
    if (file.size > FILE_LIMIT) {
      a.notice.set({ tone: 'why', title: 'Nothing was loaded.', text: `${name} is larger than 256 MiB.` })
      return false
    }
    const long = file.size > LONG_TEXT
    if (long && kind === 'shared')
      return (await this.on.share.openShared((part) => part.decodeLongFile(file), resetAddress)) ?? false
    // a copy: the file may change on its disk while it is looked at here
    if (long && (kind === 'buffers' || kind === 'tasks'))
      return this.openBuffers(
        file.arrayBuffer().then(
          (bytes) => new Blob([bytes]),
          (error: Error) => Promise.reject(new PartError(`${name} could not be read. ${error.message}`)),
        ),
        name,
      )
    return this.openText(await file.text(), name)
  }

  /** Whether it was opened, and nothing else asked for by the time it has been run. */
  async generate(kind: string, count: number, seed: number): Promise<boolean> {
    const made = await this.on.attempt(() => this.on.session.client.generate(kind, count, seed))
    if (made === null) return false
    const { csv, capacity } = made
    const name = `${kind}-${count}-${seed}.csv`
    resetAddress()
    const before = workbench.opened.get()
    if (!(await this.on.session.open(csv, { kind: 'text', name }, name, null))) return false
    const mine = this.on.session.asked
    dropExampleSettings(before)
    if (capacity > 0) workbench.capacity.set(capacity)
    await this.on.session.run()
    return this.on.session.asked === mine
  }

  async clear(): Promise<void> {
    await this.on.session.edited()
    resetAddress()
    await this.on.session.clear()
  }

  /** What a newcomer can follow: a small search, stopped where it says something. */
  async firstExample(): Promise<void> {
    const first = examples.find((example) => example.file === FIRST) ?? examples[0]
    if (first === undefined) return
    const opening = this.openExample(first)
    // before there is anything that it would move
    workbench.hintShown.set(true)
    await opening
  }

  /** A reader who has moved meanwhile stays there; to play is to begin at the start. */
  private async goToFirstLesson(): Promise<void> {
    const from = workbench.cursor.get()
    let step = 0
    for (const kind of ['reject', 'backtrack'] as const)
      if (step === 0) step = await this.on.session.client.find(0, true, kind)
    if (workbench.cursor.get() !== from) return
    this.on.player.rest(step > 0 ? step : Math.ceil(steps.get() / 2))
  }
}
