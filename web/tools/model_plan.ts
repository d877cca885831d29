/** A model's plan in the forms in which the page hands it out. */
import { cHeader } from '../src/export/c_header'
import { bufferPlanHeader, modelWithPlan, offlinePlan, tensorOffsets } from '../src/export/offline_plan'
import { planJson } from '../src/export/plan_json'
import { headNotes, headsOf } from '../src/export/tflm_head'
import type { TfliteNumbers } from '../src/import/imported'
import type { Form } from './model_flags'
import type { Solved } from './model_solve'
import { Usage } from './usage'

/** The plan in a form; notes are told. Throws Usage where the form is not to be had. */
export function planAs(
  form: Exclude<Form, 'graph' | 'graph-json'>,
  solved: Solved,
  best: Float64Array<ArrayBuffer>,
  from: { tflite: TfliteNumbers | null; file: () => Uint8Array },
  say: (text: string) => void,
): string | Uint8Array {
  const { problem, model, name, config, stats, profile, core } = solved
  if (form === 'csv') return core.exportCsv(best)
  if (form === 'header') return [...cHeader(problem, best, name)].join('')
  if (form === 'json') {
    const run = { config, stats, outcome: stats.outcome, best }
    const opened = { problem, source: { kind: 'text' as const, name }, text: '' }
    return [
      ...planJson({ name, opened, capacity: config.capacity, profile: profile?.title ?? '', solver: null, run }, best),
    ].join('')
  }
  if (from.tflite === null || model === null)
    throw new Usage(`--${form} needs a .tflite: the plan is written for its tensors`)
  const offsets = tensorOffsets(model.tensors.buffer, best)
  const plan = offlinePlan(from.tflite, offsets)
  if (!plan.ok) throw new Usage(plan.message)
  for (const note of plan.notes) say(note)
  if (form === 'tflite') {
    for (const note of headNotes(from.tflite, headsOf(problem, model, from.tflite, best), stats.height)) say(note)
    const made = modelWithPlan(from.file(), from.tflite, plan)
    if (!made.ok) throw new Usage(made.message)
    return made.model
  }
  const made = bufferPlanHeader(name, from.tflite, plan, offsets, model.tensors.ids)
  if (typeof made !== 'string') throw new Usage(made.message)
  return made
}
