/** What menus and the palette offer: problems to open, and forms in which what is shown can be taken along. */
import type { Actions } from '../../run/actions'
import type { PlanForm } from '../../run/share/plans'
import { fileOpen, result, selects, steps, opened, run } from '../../state/workbench'
import { examples } from '../../state/problem/examples'
import type { MenuItem } from '../controls/menu'
import { commandNamed } from './commands'
import type { Opened } from '../../state/workbench_values'

/** A command of the table. */
export function commandItem(actions: Actions, name: string, more: Partial<MenuItem> = {}): MenuItem {
  const { label, on, when, do: act } = commandNamed(name)
  return {
    key: name,
    title: label,
    ...(on === undefined ? {} : { on: on.get() }),
    ...(when === undefined ? {} : { disabled: !when.get() }),
    act: () => act(actions),
    ...more,
  }
}

/** What can be opened without bringing anything: whole networks first, then the examples. */
export function beginnings(actions: Actions): MenuItem[] {
  return [
    commandItem(actions, 'zoo', { note: 'public networks' }),
    commandItem(actions, 'random', { note: 'made from a seed' }),
    ...examples.map((example) => ({
      key: example.file,
      title: example.title,
      note: example.subtitle,
      act: () => void actions.problem.openExample(example),
    })),
  ]
}

/** Plans in the forms that compilers and runtimes take. tflite: the model's own file is at hand. */
function planItems(actions: Actions, problem: Opened | null, planned: boolean, tflite: boolean): MenuItem[] {
  const item = (form: PlanForm, title: string, note: string, disabled = !planned): MenuItem => ({
    key: form,
    title,
    note: disabled ? 'no plan yet' : note,
    disabled,
    act: () => void actions.share.exportPlan(form),
  })
  const items = [item('header', 'C header', 'an offset for each buffer')]
  const from = problem?.source.kind === 'model' ? problem.source.from : null
  if (from?.kind === 'file' && from.format === 'tflite') {
    const two = selects.get()
    const off = !planned || !tflite || two
    const model = item('tflite', 'TFLite model', 'a copy with the plan for TFLite Micro', off)
    const struct = item('buffer-plan', 'TFLite Micro BufferPlan', 'the plan as a C struct', off)
    // the browser keeps graphs between visits, not the files that they came from
    const why = two ? { note: 'for one memory, not two' } : tflite ? {} : { note: 'needs the file: open it again' }
    items.push(...[model, struct].map((one) => ({ ...one, ...why })))
  }
  if (problem?.model !== undefined) items.push(item('graph', 'Graph CSV', 'tensors and operators', false))
  return items
}

/** What a plan of a graph has beside addresses. */
function scheduleItems(actions: Actions): MenuItem[] {
  const save = (
    key: string,
    title: string,
    note: string,
    write: Parameters<typeof actions.share.export>[0],
  ): MenuItem => ({
    key,
    title,
    note,
    act: () => void actions.share.export(write),
  })
  return [
    save('schedule', 'Schedule', 'operators in order, JSON', (part) => part.saveSchedule()),
    save('reordered', 'Reordered graph CSV', 'operators in the order found', (part) => part.saveReordered()),
    save('stays', 'Spill plan CSV', 'where each tensor is, and when', (part) => part.saveStays()),
  ]
}

/** All forms in which what is shown can be taken along. */
export function exportItems(actions: Actions): MenuItem[] {
  const best = result.get()?.best ?? null
  const problem = opened.get()
  const file = fileOpen.get()
  const tflite = file !== null && file.tflite !== null
  const none = problem === null
  const running = run.get().kind === 'running'
  return [
    {
      key: 'csv',
      title: best === null ? 'Buffer CSV' : 'CSV with offsets',
      note: best === null ? 'no plan yet' : 'the plan',
      disabled: none,
      act: () => void actions.share.exportCsv(),
    },
    ...planItems(actions, problem, best !== null, tflite),
    ...(result.get()?.plan ? scheduleItems(actions) : []),
    {
      key: 'json',
      title: 'JSON',
      note: best === null ? 'no plan yet' : 'offsets, run and digest',
      disabled: best === null,
      act: () => void actions.share.export((part) => part.savePlanJson(actions.session.client)),
    },
    {
      key: 'search',
      title: 'Search file',
      note: 'opens at this step',
      disabled: none || running,
      act: () => void actions.share.export((part) => part.saveSearch(actions)),
    },
    commandItem(actions, 'figure', { note: 'SVG, PNG, TikZ' }),
    commandItem(actions, 'film', { note: steps.get() === 0 ? 'nothing has run yet' : 'WebM of a range of steps' }),
    {
      key: 'png',
      title: 'PNG',
      note: 'the canvas as shown',
      disabled: none,
      act: () => void actions.share.export((part) => part.savePng(actions)),
    },
  ]
}
