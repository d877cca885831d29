import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { fileOpen, result, steps, mode, opened, run, setupOpen } from '../../state/workbench'
import { lesson, welcome, width } from '../../state/ui'
import { CommandButton } from './command_button'
import { useActions } from './context'
import { I, Logo } from '../controls/icons'
import { Menu } from '../controls/menu'
import { beginnings, exportItems } from './menu_items'
import { Part } from '../controls/later_part'
import { nameOf, type Source } from '../../state/workbench_values'
import { undo } from './undo_later'

/** Other pages have toolbars. */
export const phoneMenu = new Later(() => import('../phone/phone_menu'))

function isZoo(source: Source | undefined): source is Extract<Source, { kind: 'model' }> {
  return source?.kind === 'model' && source.from.kind === 'zoo'
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

export function Header() {
  const actions = useActions()
  const size = useValue(width)
  const source = useValue(opened)?.source
  const drawer = useValue(setupOpen)
  const back = useValue(undo.arrival)
  const comparing = useValue(mode) === 'compare'
  const taught = useValue(lesson) !== null
  // on the first page there is nothing yet to be taken along
  const bare = useValue(welcome) || taught
  const name = source?.kind === 'example' ? source.title : nameOf(source)
  return (
    <header class="header">
      <span class="brand">
        <Logo />
        <h1>Arenascope</h1>
      </span>
      {size !== 'phone' && !taught && <ExamplePicker />}
      {size !== 'phone' && (
        <CommandButton name="lessons" icon="book" class="quiet-button" label="Lessons">
          <span class="wide-only">Lessons</span>
        </CommandButton>
      )}
      {(size === 'medium' || size === 'narrow') && !taught && !comparing && (
        <button type="button" class="quiet-button" aria-expanded={drawer} onClick={() => actions.page.toggleSetup()}>
          Setup
        </button>
      )}
      {size !== 'phone' && !bare && back.kind === 'there' && <back.part.UndoButtons />}
      <span class="spring" />
      {size === 'phone' && <span class="mono dim clip">{taught ? 'Lessons' : bare ? '' : name}</span>}
      {size !== 'phone' && !bare && (
        <CommandButton name="compare" icon="columns" class="quiet-button" label="Compare">
          <span class="wide-only">Compare</span>
        </CommandButton>
      )}
      {!bare && (
        <CommandButton name="share" icon="link" class="quiet-button" label="Share">
          <span class="wide-only">Share</span>
        </CommandButton>
      )}
      {size === 'phone' ? (
        <div class="phone-menu">
          <Part of={phoneMenu} quiet>
            {({ PhoneMenu }) => <PhoneMenu />}
          </Part>
        </div>
      ) : (
        <>
          {!bare && <ExportMenu />}
          {!bare && <span class="rule" />}
          <CommandButton name="theme" icon="theme" />
          <CommandButton name="help" icon="help" />
        </>
      )}
    </header>
  )
}
