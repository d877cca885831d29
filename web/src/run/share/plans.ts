/** Plans to take home: a C header, TFLite Micro's offline plan in its two forms, and the graph itself. */
import type { Client, Plan, Problem } from '../../../../wasm/client/types'
import { ALWAYS, pausesWhile, copyInSlices } from '../../base/slices'
import { cHeader } from '../../export/c_header'
import { measure } from '../../export/facts'
import { baseName, saveBytes, saveCsv, saveHeader, saveText, saveWritten } from '../../export/files'
import {
  bufferPlanHeader,
  modelWithPlan,
  type OfflinePlan,
  offlinePlan,
  stayOffsets,
  tensorOffsets,
} from '../../export/offline_plan'
import { forSheets, mayComputeIn } from '../../export/for_sheets'
import { headNotes, headsOf } from '../../export/tflm_head'
import * as a from '../../state/atoms'
import { fileOpen, result, selects, steps } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import { textOf } from '../problem/given_text'
import { type Opened, nameOf } from '../../state/workbench_values'

export type PlanForm = 'header' | 'tflite' | 'buffer-plan' | 'graph'

function say(title: string, notes: string[]): void {
  a.notice.set({ tone: 'ok', title, text: notes.join(' ') })
}

interface Placed {
  offsets: (number | null)[]
  /** of the operators, if it is not the file's own */
  order?: Uint32Array
}

/** Where the tensors are: of a plan of buffers, or of one of the graph, which has an order too. */
function placed(opened: Opened, best: Float64Array): Placed {
  const buffers = opened.model?.tensors.buffer ?? new Int32Array()
  const plan = result.get()?.plan
  if (!plan) return { offsets: tensorOffsets(buffers, best) }
  const offsets = stayOffsets(plan.stays, buffers)
  if (offsets === null)
    throw new Error('The plan moves tensors, which TFLite Micro cannot: give it more memory, or minimise the peak.')
  return plan.order.every((row, place) => row === place) ? { offsets } : { offsets, order: plan.order }
}

async function saveOffline(form: 'tflite' | 'buffer-plan', opened: Opened, best: Float64Array): Promise<void> {
  const file = fileOpen.get()
  if (file === null || file.tflite === null)
    throw new Error('Drop the .tflite again: a plan is written into a copy of it.')
  const { offsets, order } = placed(opened, best)
  if (form === 'buffer-plan' && order !== undefined)
    throw new Error('The struct is for a model as it is, and the plan for another order: take the TFLite model.')
  const plan = offlinePlan(file.tflite, offsets)
  if (!plan.ok) throw new Error(plan.message)
  if (form === 'tflite') await saveModel(file.file, file.tflite, plan, opened, order)
  else saveStruct(file.tflite, plan, offsets, opened)
  const head = form === 'tflite' && order === undefined ? ofHead(opened, file.tflite, best) : []
  say(order === undefined ? 'The plan was written.' : 'Order and plan were written.', [...plan.notes, ...head])
}

type Numbers = NonNullable<a.Imported['tflite']>

async function saveModel(
  file: File,
  tflite: Numbers,
  plan: OfflinePlan,
  opened: Opened,
  order?: Uint32Array,
): Promise<void> {
  const made = modelWithPlan(new Uint8Array(await file.arrayBuffer()), tflite, plan, order)
  if (!made.ok) throw new Error(made.message)
  saveBytes(made.model, opened, '.planned.tflite')
}

/** The planner is quadratic, and meant for models that fit a microcontroller. */
const MOST = 4096

function ofHead(opened: Opened, tflite: Numbers, best: Float64Array): string[] {
  const { problem, model } = opened
  if (model === undefined || problem.count > MOST) return []
  return headNotes(tflite, headsOf(problem, model, tflite, best), measure(problem, best).height)
}

function saveStruct(tflite: Numbers, plan: OfflinePlan, offsets: readonly (number | null)[], opened: Opened): void {
  const made = bufferPlanHeader(nameOf(opened.source), tflite, plan, offsets, opened.model?.tensors.ids ?? [])
  if (typeof made !== 'string') throw new Error(made.message)
  saveHeader(made, opened, '.buffer_plan.h')
}

function complete(problem: Problem, best: Float64Array): boolean {
  return best.length === problem.count && measure(problem, best).placed === problem.count
}

/** The problem as it was read, with the plan's offsets if there is one. */
export async function saveProblem(client: Client): Promise<void> {
  const best = result.get()?.best ?? null
  const plan = best && (await copyInSlices(best, pausesWhile(ALWAYS)))
  const [csv, opened] = [await client.exportCsv(plan), workbench.opened.get()]
  saveCsv(csv, opened, best !== null)
  if (!(await mayComputeIn(csv, pausesWhile(ALWAYS)))) return
  const act = async () => {
    a.notice.set(null)
    await saveWritten(
      forSheets(typeof csv === 'string' ? csv : await csv.text()),
      `${baseName(opened)}.sheets.csv`,
      'text/csv',
    )
  }
  a.notice.set({
    tone: 'plain',
    title: 'The CSV was saved as it is.',
    text: 'Some names in it begin with = + - or @: a spreadsheet would compute them.',
    action: { title: 'Save one for spreadsheets', act: () => void act() },
  })
}

/** Whether a problem's buffers are a plan's stays in the arena, one after the other. */
function isOf({ count, lower, upper }: Problem, { stays }: Plan): boolean {
  let k = 0
  for (let stay = 0; stay < stays.count; stay++) {
    if (stays.outside[stay] === 1) continue
    const from = stays.lower[stay] as number
    // what is there for no time has a buffer of no bytes, which takes some
    if (lower[k] !== from || upper[k] !== Math.max(stays.upper[stay] as number, from + 1)) return false
    k++
  }
  return k === count
}

/**
 * The problem that a plan's addresses are of: the one that was opened, or, where the run has chosen the order or what lives in fast memory, what
 * its decisions came to.
 */
export async function planned(client: Client, { problem }: Opened): Promise<Problem> {
  const plan = result.get()?.plan
  if (!plan && !selects.get()) return problem
  const shown = workbench.frame.get()
  const last = shown?.step === steps.get() && shown.situation ? shown : await client.seek(steps.get(), 0, 0)
  const lies = last?.situation?.problem
  if (lies === undefined) throw new Error('The page was at another step meanwhile: try again.')
  if (plan && !selects.get() && !isOf(lies, plan))
    throw new Error('The search went on from this plan to another order: take the CSV, which has the plan.')
  return lies
}

/** Throws a sentence for what cannot be written. */
export async function savePlan(form: PlanForm, client: Client): Promise<void> {
  const opened = workbench.opened.get()
  if (opened === null) return
  if (form === 'graph') {
    saveText(await textOf(opened.text), `${baseName(opened)}.graph.csv`, 'text/csv')
    return
  }
  const best = result.get()?.best ?? null
  const tflite = form === 'tflite' || form === 'buffer-plan'
  if (tflite && selects.get()) throw new Error('TFLite Micro plans one arena, and this plan is of two memories.')
  if (tflite && best !== null && result.get()?.plan) return saveOffline(form, opened, best)
  if (best === null) throw new Error('There is no plan yet: run a solver first.')
  const lies = await planned(client, opened)
  if (!complete(lies, best)) throw new Error('The file needs a place for each buffer, and the plan leaves some out.')
  if (form !== 'header') return saveOffline(form, opened, best)
  const stays = result.get()?.plan?.stays
  if (stays && !selects.get() && stayOffsets(stays, opened.model?.tensors.buffer ?? new Int32Array()) === null)
    throw new Error(
      'The plan copies tensors out and back, and a header has one place for each: take the spill plan CSV.',
    )
  const name = baseName(opened)
  await saveWritten(cHeader(lies, best, name), `${name}.arena.h`, 'text/x-c')
}
