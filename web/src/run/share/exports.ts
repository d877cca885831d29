/** What is taken home beside the plan's own forms: JSON, the search as a file, the result in words, figures. */
import type { Client } from '../../../../wasm/client/types'
import { type Facts, measure } from '../../export/facts'
import { bytes, thousands } from '../../base/format'
import { ALWAYS, pausesWhile, inSlices } from '../../base/slices'
import {
  drawFigure,
  type FigurePlan,
  type FigureSpec,
  planInSlices,
  type Preset,
  sizeOf,
} from '../../export/figure/figure'
import { figurePng } from '../../export/figure/figure_png'
import { figureSvg } from '../../export/figure/figure_svg'
import { figureTikz } from '../../export/figure/figure_tikz'
import { baseName, pictureName, saveBlob, saveText, saveWritten } from '../../export/files'
import { resultMarkdown } from '../../export/markdown'
import { planJson } from '../../export/plan_json'
import { orderAndMoves, reorderedGraph, type Scheduled, scheduleJson, staysCsv } from '../../export/schedule'
import type { Scene } from '../../layout/scene'
import * as a from '../../state/atoms'
import { result, scene, selects, shownCapacity, shownSolver, steps } from '../../state/workbench'
import * as ui from '../../state/ui'
import { gather, inFile, longText } from './link'
import { planned } from './plans'
import { textOf } from '../problem/given_text'
import type { ActionContext } from '../action_context'
import { workbench } from '../../state/workbench_cells'
import { stringOf } from '../../state/workbench_values'

export { planInSlices, sizeOf }
export type { FigurePlan, FigureSpec, Preset }

/** null while nothing is open. */
export function factsNow(): Facts | null {
  const opened = workbench.opened.get()
  if (opened === null) return null
  const state = workbench.run.get()
  const done = state.kind === 'ended' || state.kind === 'cancelled' ? state : null
  const id = done?.result.stats.outcome
  return {
    name: baseName(opened),
    opened,
    capacity: shownCapacity.get(),
    profile: workbench.profile.get()?.title ?? '',
    solver: shownSolver.get(),
    run: done && {
      config: done.config,
      stats: done.result.stats,
      outcome: a.manifest.get()?.outcomes.find((one) => one.id === id)?.title ?? id ?? '',
      best: done.result.best,
    },
  }
}

export async function savePlanJson(client: Client): Promise<void> {
  const facts = factsNow()
  const best = facts?.run?.best ?? null
  if (facts === null || best === null) throw new Error('There is no plan yet: run a solver first.')
  const lies = await planned(client, facts.opened)
  const [plan, model] = [result.get()?.plan, facts.opened.model]
  const more = plan && model && !selects.get() ? orderAndMoves(plan, model) : {}
  await saveWritten(planJson(facts, best, lies, more), `${facts.name}.plan.json`, 'application/json')
}

/** Of a graph's plan. */
function scheduledNow(): Scheduled {
  const facts = factsNow()
  const state = workbench.run.get()
  const plan = state.kind === 'ended' || state.kind === 'cancelled' ? (state.result.plan ?? null) : null
  const model = facts?.opened.model
  if (facts?.run == null || plan === null || model === undefined)
    throw new Error('There is no order of operators yet: run a solver of graphs first.')
  const { config, stats } = facts.run
  return { name: facts.name, problem: facts.opened.problem, model, plan, config, stats }
}

export function saveSchedule(): void {
  const now = scheduledNow()
  saveText(scheduleJson(now), `${now.name}.schedule.json`, 'application/json')
}

export async function saveReordered(): Promise<void> {
  const now = scheduledNow()
  // a graph's text is a string, however it was given
  const text = stringOf(await textOf(workbench.opened.get()?.text ?? ''))
  saveText(reorderedGraph(text, now.plan), `${now.name}.reordered.graph.csv`, 'text/csv')
}

export async function saveStays(): Promise<void> {
  const now = scheduledNow()
  await saveWritten(staysCsv(now), `${now.name}.stays.csv`, 'text/csv')
}

/** Problem, memory, solver, options, seed, step and look: what a link holds, in a file that opens by dropping it on the page. */
export async function saveSearch(actions: ActionContext): Promise<void> {
  const long = longText()
  const shared = await gather(actions.session)
  if (shared === null) throw new Error('There is nothing to save yet.')
  const { text, name } = await inFile(shared, long)
  saveText(text, name, 'application/json')
}

export function markdownNow(link: string): string {
  const facts = factsNow()
  return facts === null ? '' : resultMarkdown(facts, link)
}

/** What a figure shows, for those who cannot see it. */
export function describe(shown: Scene): string {
  const { problem, frame } = shown
  const parts = [
    `${thousands(problem.count)} buffers over ${thousands(problem.sections.count)} sections of time`,
    `capacity ${bytes(shown.capacity)}, lower bound ${bytes(problem.lowerBound)}`,
  ]
  const solver = shownSolver.get()?.title ?? ''
  if (frame !== null) {
    const { placed, height } = measure(problem, frame.offset)
    parts.push(`${thousands(placed)} placed${height < 0 ? '' : `, the highest ends at ${bytes(height)}`}`)
    if (steps.get() > 0) parts.push(`${solver}, step ${thousands(frame.step)} of ${thousands(steps.get())}`)
  }
  return `${parts.join('; ')}.`
}

export type FigureForm = 'svg' | 'png' | 'tex'

/** scale: pixels of a unit, for what has pixels. */
export async function saveFigure(plan: FigurePlan, form: FigureForm, scale: number): Promise<void> {
  const step = steps.get() > 0 ? `step-${workbench.cursor.get()}` : ''
  const name = pictureName(workbench.opened.get(), steps.get() > 0 ? (shownSolver.get()?.id ?? '') : '', step, form)
  if (form === 'png') {
    saveBlob(await figurePng(plan, scale), name)
    return
  }
  const figure = await inSlices(drawFigure(plan, describe(plan.spec.scene)), pausesWhile(ALWAYS))
  if (figure === null) return
  if (form === 'svg') await saveWritten(figureSvg(figure), name, 'image/svg+xml')
  else await saveWritten(figureTikz(figure), name, 'application/x-tex')
}

/** The canvas as it is shown, at twice its size. */
export async function savePng(actions: ActionContext): Promise<void> {
  const shown = scene.get()
  const { view } = actions
  if (shown === null || view === null) throw new Error('There is nothing to draw yet.')
  const spec: FigureSpec = {
    scene: shown,
    size: sizeOf('screen', view.size),
    view: ui.viewportWhole.get() ? null : ui.viewport.get(),
    title: '',
    step: true,
    legend: true,
  }
  const plan = await planInSlices(spec, pausesWhile(ALWAYS))
  if (plan !== null) await saveFigure(plan, 'png', 2)
}
