import { Later } from '../base/later'
import { useValue } from '../base/use_value'
import type { Actions } from '../run/actions'
import type { PlanForm } from '../run/plans'
import { nameOf, type Opened, opened, run, type Source } from '../state/atoms'
import { fileOpen, result, steps } from '../state/derive'
import { examples } from '../state/examples'
import { lesson, mode, setupOpen, width } from '../state/ui'
import { toggleCompare } from './commands'
import { useActions } from './context'
import { I, Mark } from './icons'
import { Menu, type MenuItem } from './menu'

const undo = new Later(() => import('./undo'))

function isZoo(source: Source | undefined): source is Extract<Source, { kind: 'model' }> {
  return source?.kind === 'model' && source.from.kind === 'zoo'
}

/** What can be opened without bringing anything: whole networks first, then the examples. */
export function beginnings(actions: Actions): MenuItem[] {
  return [
    { key: 'zoo', title: 'Models…', note: 'public networks', act: () => actions.openDialog('zoo') },
    { key: 'random', title: 'Random…', note: 'made from a seed', act: () => actions.openDialog('random') },
    ...examples.map((example) => ({
      key: example.file,
      title: example.title,
      note: example.subtitle,
      act: () => void actions.openExample(example),
    })),
  ]
}

function ExamplePicker() {
  const actions = useActions()
  const source = useValue(opened)?.source
  const title = source?.kind === 'example' ? source.title : isZoo(source) ? source.name : 'Examples'
  const label = (
    <>
      <span class="clip">{title}</span>
      <I name="down" />
    </>
  )
  return <Menu name={`Example: ${title}`} class="select-button" label={label} items={beginnings(actions)} />
}

/** Plans in the forms that compilers and runtimes take. tflite: the model's own file is at hand. */
function planItems(actions: Actions, problem: Opened | null, planned: boolean, tflite: boolean): MenuItem[] {
  const item = (form: PlanForm, title: string, note: string, disabled = !planned): MenuItem => ({
    key: form,
    title,
    note: disabled ? 'no plan yet' : note,
    disabled,
    act: () => void actions.exportPlan(form),
  })
  const items = [item('header', 'C header', 'an offset for each buffer')]
  const from = problem?.source.kind === 'model' ? problem.source.from : null
  if (from?.kind === 'file' && from.format === 'tflite') {
    const model = item('tflite', 'TFLite model', 'a copy with the plan for TFLite Micro', !planned || !tflite)
    const struct = item('buffer-plan', 'TFLite Micro BufferPlan', 'the plan as a C struct', !planned || !tflite)
    // the browser keeps graphs between visits, not the files that they came from
    items.push(...[model, struct].map((one) => (tflite ? one : { ...one, note: 'needs the file: open it again' })))
  }
  if (problem?.model !== undefined) items.push(item('graph', 'Graph CSV', 'tensors and operators', false))
  return items
}

/** All forms in which what is shown can be taken along. */
export function exportItems(actions: Actions): MenuItem[] {
  const best = result.get()?.best ?? null
  const problem = opened.get()
  const file = fileOpen.get()
  const tflite = file !== null && file.tflite !== null
  const none = problem === null
  const running = run.get().kind === 'running'
  const taken = steps.get()
  return [
    {
      key: 'csv',
      title: best === null ? 'Buffer CSV' : 'CSV with offsets',
      note: best === null ? 'no plan yet' : 'the plan',
      disabled: none,
      act: () => void actions.exportCsv(),
    },
    ...planItems(actions, problem, best !== null, tflite),
    {
      key: 'json',
      title: 'JSON',
      note: best === null ? 'no plan yet' : 'offsets, run and digest',
      disabled: best === null,
      act: () => void actions.export((part) => part.savePlanJson()),
    },
    {
      key: 'search',
      title: 'Search file',
      note: 'opens at this step',
      disabled: none || running,
      act: () => void actions.export((part) => part.saveSearch(actions)),
    },
    {
      key: 'figure',
      title: 'Figure…',
      note: 'SVG, PNG, TikZ',
      disabled: none,
      act: () => actions.openDialog('figure'),
    },
    {
      key: 'film',
      title: 'Film…',
      note: taken === 0 ? 'nothing has run yet' : 'WebM of a range of steps',
      disabled: taken === 0 || running,
      act: () => actions.openDialog('film'),
    },
    {
      key: 'png',
      title: 'PNG',
      note: 'the canvas as shown',
      disabled: none,
      act: () => void actions.export((part) => part.savePng(actions)),
    },
  ]
}

function ExportMenu() {
  const actions = useActions()
  useValue(result)
  useValue(opened)
  useValue(fileOpen)
  useValue(run)
  useValue(steps)
  const label = (
    <>
      <I name="save" />
      <span class="wide-only">Export</span>
    </>
  )
  return <Menu name="Export" class="quiet-button" align="right" label={label} items={exportItems(actions)} />
}

function PhoneMenu() {
  const actions = useActions()
  const comparing = useValue(mode) === 'compare'
  const items: MenuItem[] = [
    { key: 'lessons', title: 'Lessons…', note: 'from the beginning', act: () => actions.openDialog('lessons') },
    ...beginnings(actions),
    { key: 'compare', title: comparing ? 'Back to the search' : 'Compare runs', act: toggleCompare },
    { key: 'csv', title: 'Export CSV', act: () => void actions.exportCsv() },
    { key: 'header', title: 'Export C header', act: () => void actions.exportPlan('header') },
    { key: 'search', title: 'Export search file', act: () => void actions.export((part) => part.saveSearch(actions)) },
    { key: 'film', title: 'Export film…', act: () => actions.openDialog('film') },
    { key: 'figure', title: 'Export figure…', act: () => actions.openDialog('figure') },
    { key: 'theme', title: 'Change theme', act: () => actions.toggleTheme() },
    { key: 'palette', title: 'Commands…', act: () => actions.openDialog('palette') },
    { key: 'help', title: 'Help', act: () => actions.openDialog('help') },
  ]
  return <Menu name="Menu" class="icon-button" align="right" label={<I name="menu" />} items={items} />
}

export function Header() {
  const actions = useActions()
  const size = useValue(width)
  const problem = useValue(opened)
  const state = useValue(run)
  const drawer = useValue(setupOpen)
  const back = useValue(undo.arrival)
  const comparing = useValue(mode) === 'compare'
  const taught = useValue(lesson) !== null
  const cannotShare = problem === null || state.kind === 'running'
  const source = problem?.source
  const name = source?.kind === 'example' ? source.title : nameOf(source)
  return (
    <header class="header">
      <span class="brand">
        <Mark />
        <h1>Arenascope</h1>
      </span>
      {size !== 'phone' && !taught && <ExamplePicker />}
      {size !== 'phone' && (
        <button
          type="button"
          class="quiet-button"
          aria-label="Lessons"
          aria-pressed={taught}
          onClick={() => actions.openDialog('lessons')}
        >
          <I name="book" />
          <span class="wide-only">Lessons</span>
        </button>
      )}
      {(size === 'medium' || size === 'narrow') && !taught && !comparing && (
        <button type="button" class="quiet-button" aria-expanded={drawer} onClick={() => actions.toggleSetup()}>
          Setup
        </button>
      )}
      {size !== 'phone' && !taught && back.kind === 'there' && <back.part.UndoButtons />}
      <span class="spring" />
      {size === 'phone' && <span class="mono dim clip">{taught ? 'Lessons' : name}</span>}
      {size !== 'phone' && !taught && (
        <button
          type="button"
          class="quiet-button"
          aria-label="Compare"
          aria-pressed={comparing}
          title="Compare runs (C)"
          onClick={toggleCompare}
        >
          <I name="columns" />
          <span class="wide-only">Compare</span>
        </button>
      )}
      {!taught && (
        <button
          type="button"
          class="quiet-button"
          aria-label="Share"
          disabled={cannotShare}
          onClick={() => actions.openDialog('share')}
        >
          <I name="link" />
          <span class="wide-only">Share</span>
        </button>
      )}
      {size === 'phone' ? (
        <PhoneMenu />
      ) : (
        <>
          {!taught && <ExportMenu />}
          {!taught && <span class="rule" />}
          <button
            type="button"
            class="icon-button"
            aria-label="Change theme"
            title="Change theme (T)"
            onClick={() => actions.toggleTheme()}
          >
            <I name="theme" />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label="Help"
            title="Help (?)"
            onClick={() => actions.openDialog('help')}
          >
            <I name="help" />
          </button>
        </>
      )}
    </header>
  )
}
