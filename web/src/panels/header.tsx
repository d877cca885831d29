import { useValue } from '../base/use_value'
import { opened, run } from '../state/atoms'
import { result } from '../state/derive'
import { examples } from '../state/examples'
import { setupOpen, width } from '../state/ui'
import { useActions } from './context'
import { I, Mark } from './icons'
import { Menu, type MenuItem } from './menu'

function ExamplePicker() {
  const actions = useActions()
  const source = useValue(opened)?.source
  const title = source?.kind === 'example' ? source.title : 'Examples'
  const items: MenuItem[] = examples.map((example) => ({
    key: example.file,
    title: example.title,
    note: example.subtitle,
    act: () => void actions.openExample(example),
  }))
  items.push({ key: '', title: 'Random…', note: 'made from a seed', act: () => actions.openDialog('random') })
  const label = (
    <>
      <span class="clip">{title}</span>
      <I name="down" />
    </>
  )
  return <Menu name={`Example: ${title}`} class="select-button" label={label} items={items} />
}

function ExportMenu() {
  const actions = useActions()
  const best = useValue(result)?.best ?? null
  const problem = useValue(opened)
  const none = problem === null
  const items: MenuItem[] = [
    {
      key: 'csv',
      title: best === null ? 'Buffer CSV' : 'CSV with offsets',
      note: best === null ? 'no plan yet' : 'the plan',
      disabled: none,
      act: () => void actions.exportCsv(),
    },
    { key: 'png', title: 'PNG', note: 'the canvas as shown', disabled: none, act: () => void actions.exportPng() },
  ]
  const label = (
    <>
      <I name="save" />
      <span class="wide-only">Export</span>
    </>
  )
  return <Menu name="Export" class="quiet-button" align="right" label={label} items={items} />
}

function PhoneMenu() {
  const actions = useActions()
  const items: MenuItem[] = [
    ...examples.map((example) => ({
      key: example.file,
      title: example.title,
      note: example.subtitle,
      act: () => void actions.openExample(example),
    })),
    { key: 'random', title: 'Random…', act: () => actions.openDialog('random') },
    { key: 'csv', title: 'Export CSV', act: () => void actions.exportCsv() },
    { key: 'png', title: 'Export PNG', act: () => void actions.exportPng() },
    { key: 'theme', title: 'Change theme', act: () => actions.toggleTheme() },
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
  const cannotShare = problem === null || state.kind === 'running'
  const source = problem?.source
  const name = source?.kind === 'example' ? source.title : source?.kind === 'text' ? source.name : ''
  return (
    <header class="header">
      <span class="brand">
        <Mark />
        <h1>Arenascope</h1>
      </span>
      {size !== 'phone' && <ExamplePicker />}
      {(size === 'medium' || size === 'narrow') && (
        <button type="button" class="quiet-button" aria-expanded={drawer} onClick={() => actions.toggleSetup()}>
          Setup
        </button>
      )}
      <span class="spring" />
      {size === 'phone' && <span class="mono dim clip">{name}</span>}
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
      {size === 'phone' ? (
        <PhoneMenu />
      ) : (
        <>
          <ExportMenu />
          <span class="rule" />
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
