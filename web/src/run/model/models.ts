/** From files and from our own networks to a graph that is open: imports with their questions, parameters, options of the lowering. */
import { importFile } from '../../import/import_client'
import { type Handed, type ImportAnswers, NO_ANSWERS, type Question } from '../../import/imported'
import * as a from '../../state/atoms'
import { fileOpen, ofGivenPlans } from '../../state/workbench'
import type { Change } from '../../state/model/levers'
import { joined } from '../problem/joined'
import { changeAndRunAgain } from '../problem/rerun_if_quick'
import type { ActionContext } from '../action_context'
import { resetAddress } from '../page/reset_address'
import type { Session } from '../session'
import { zooGraph } from './zoo_graph'
import { workbench } from '../../state/workbench_cells'
import type { Source, Opened } from '../../state/workbench_values'

let under: AbortController | null = null

/** Opens a text that only the core can judge. */
type OpenCsv = (text: string, name: string) => Promise<boolean>

/** The one that was under way is given up. */
export function cancelImport(): void {
  under?.abort()
  under = null
  a.importing.set({ kind: 'none' })
}

async function read(file: File, answers: ImportAnswers): Promise<Handed | null> {
  cancelImport()
  const mine = new AbortController()
  under = mine
  a.importing.set({ kind: 'reading', name: file.name, done: 0 })
  const progress = (done: number) => {
    if (under === mine) a.importing.set({ kind: 'reading', name: file.name, done })
  }
  try {
    const found = await importFile(file, answers, progress, mine.signal)
    if (found.ok && found.plan) await ofGivenPlans.get()
    if (under !== mine) return null
    a.importing.set({ kind: 'none' })
    return found
  } catch (error) {
    if (under !== mine || mine.signal.aborted) return null
    a.importing.set({ kind: 'none' })
    throw error
  }
}

/** before: what was asked when these answers were given. They stay where the file cannot be read with them. */
function refused(
  file: File,
  answers: ImportAnswers,
  found: Extract<Handed, { ok: false }>,
  before: readonly Question[],
): void {
  const { message } = found
  const questions = found.questions.length > 0 ? found.questions : [...before]
  if (questions.length > 0) a.importing.set({ kind: 'asking', file, message, questions, answers })
  else
    a.importing.set({ kind: 'failed', name: file.name, message, ...(found.half === undefined ? {} : { half: file }) })
}

/** A file that is read again with other answers is lowered as it was. */
function loweringOf(file: File): Record<string, string> {
  const source = workbench.opened.get()?.source
  return source?.kind === 'model' && fileOpen.get()?.file === file ? source.lowering : {}
}

/** False if nothing was opened: the file is refused, asks, was given up, or a newer one came. */
async function open(session: Session, file: File, answers: ImportAnswers, openCsv: OpenCsv | null): Promise<boolean> {
  const before = a.importing.get()
  const found = await read(file, answers)
  if (found === null) return false
  if (!found.ok && found.half !== undefined && before.kind === 'failed' && before.half !== undefined)
    return open(session, joined([before.half, file]), answers, openCsv)
  if (!found.ok) {
    refused(file, answers, found, before.kind === 'asking' && before.file === file ? before.questions : [])
    return false
  }
  const { format, notes, plan = null } = found
  const text = 'graph' in found ? found.graph : found.csv
  const tflite = ('tflite' in found ? found.tflite : undefined) ?? null
  const { switches = [], asked = [], choices = [] } = 'graph' in found ? found : {}
  const { parts = [], part = '', capacity = 0 } = 'csv' in found ? found : {}
  const source: Source =
    'graph' in found
      ? { kind: 'model', name: file.name, lowering: loweringOf(file), from: { kind: 'file', format } }
      : { kind: 'text', name: file.name }
  const opened =
    typeof text === 'string' && format === 'csv' && openCsv !== null
      ? await openCsv(text, file.name)
      : await session.open(text, source, file.name)
  // the columns are those of the CSV that was made of it: the file has none
  if (opened && format !== 'csv' && workbench.opened.get()?.problem.convention !== '')
    workbench.opened.update((now) => now && { ...now, problem: { ...now.problem, convention: '' } })
  if (opened && capacity > 0 && workbench.profile.get() === null) workbench.capacity.set(capacity)
  if (opened)
    a.imported.set({
      text,
      file,
      answers,
      format,
      notes,
      plan,
      switches,
      asked,
      choices,
      parts: { names: parts, read: part },
      tflite,
    })
  return opened
}

export async function importInto(session: Session, file: File, openCsv: OpenCsv): Promise<boolean> {
  return open(session, file, NO_ANSWERS, openCsv)
}

/** The file that asks, or the one that is open, read again. */
export async function answerImport(session: Session, answers: ImportAnswers): Promise<boolean> {
  const now = a.importing.get()
  const file = now.kind === 'asking' ? now.file : fileOpen.get()?.file
  return file === undefined ? false : open(session, file, answers, null)
}

/** The questions about the file that is open, once more, with what was answered. */
export function askAgain(): void {
  const open = fileOpen.get()
  if (open === null) return
  const { file, asked, answers } = open
  a.importing.set({ kind: 'asking', file, message: 'Read again with other answers:', questions: [...asked], answers })
}

/** The lowering under which what the zoo says of a network holds. prefetch: operators that weights are loaded ahead. */
export function loweringFor(prefetch: number | undefined): Record<string, string> {
  const rounded = { alignment: '16', align_by: 'size', alias: 'false' }
  return prefetch === undefined ? rounded : { ...rounded, constants: 'streamed', prefetch: String(prefetch) }
}

/** False if it could not be opened. Rejects with a sentence for parameters that the network cannot have. */
export async function openZoo(session: Session, id: string, options: Record<string, string>): Promise<boolean> {
  const made = await zooGraph(id, options)
  if (made === null) throw new Error(`There is no network “${id}” in this version.`)
  const { network, graph } = made
  const source: Source = {
    kind: 'model',
    name: network.title,
    lowering: loweringFor(network.show?.prefetch),
    from: { kind: 'zoo', id, options },
  }
  if (!(await session.open(graph, source, network.title))) return false
  workbench.caption.set(network.text)
  if (network.show !== undefined) workbench.solver.set(network.show.solver)
  return true
}

/** Lowers the open model with these options. What was run before is run again if that took no time. */
export async function lowerWith(session: Session, lowering: Record<string, string>): Promise<void> {
  await changeAndRunAgain(session, () => session.lower(lowering))
}

/** What was found to lower the peak is done, and what comes of it is solved. Undo brings back what was there. */
export async function pull(actions: ActionContext, change: Change): Promise<void> {
  if ((await actions.attempt(() => changeModel(actions.session, change))) !== true) return
  resetAddress()
  await actions.session.run()
}

async function changeModel(session: Session, change: Change): Promise<boolean> {
  const source = workbench.opened.get()?.source
  if (source?.kind !== 'model') return false
  if (change.kind === 'lowering') return session.lower(change.lowering)
  if (change.kind === 'graph') return session.lower(change.lowering, change.graph, { kind: 'file', format: '' })
  if (source.from.kind !== 'zoo') return false
  const from = { ...source.from, options: change.options }
  const made = await zooGraph(from.id, from.options)
  return made !== null && session.lower(source.lowering, made.graph, from)
}

/** The options that a model is being lowered with: a change that comes before it is done is a change of these. */
let heading: { of: Opened; lowering: Record<string, string> } | null = null

/** One option changed; at its default it is not kept. */
export async function setLowering(session: Session, name: string, value: string): Promise<void> {
  const opened = workbench.opened.get()
  const source = opened?.source
  const option = a.manifest.get()?.graphOptions.find((one) => one.name === name)
  if (opened === null || source?.kind !== 'model' || option === undefined) return
  const now = heading?.of === opened ? heading.lowering : source.lowering
  // a field that is left tells its value, changed or not
  if (value === (now[name] ?? option.initial)) return
  const { [name]: _, ...others } = now
  const mine = { of: opened, lowering: value === option.initial ? others : { ...others, [name]: value } }
  heading = mine
  try {
    await lowerWith(session, mine.lowering)
  } finally {
    if (heading === mine) heading = null
  }
}
