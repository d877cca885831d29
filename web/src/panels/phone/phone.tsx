/** Under 600 px: the panels share one sheet above a bar of tabs. */
import { useRef } from 'preact/hooks'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { sheet } from '../../state/ui'
import { useActions } from '../page/context'
import { Part } from '../controls/later_part'
import { sidePanel } from '../page/first_parts'
import { TabPanel, useTabs } from '../page/tabs'
import { setupOpen } from '../../state/workbench'

export const phoneFirst = new Later(() => import('./phone_first'))

const STATES = ['peek', 'half', 'full'] as const
/** A drag shorter than this, in pixels, is a tap. */
const TAP = 12

function Handle() {
  const actions = useActions()
  const now = useValue(sheet)
  const from = useRef<number | null>(null)
  // the click that follows a drag is no tap
  const dragged = useRef(false)
  const turn = (by: number) => {
    const next = STATES[Math.min(2, Math.max(0, STATES.indexOf(now) + by))]
    if (next !== undefined) actions.page.setSheet(next)
  }
  return (
    <button
      type="button"
      class="sheet-handle"
      aria-label={`Sheet: ${now}. Larger or smaller`}
      onPointerDown={(event) => {
        from.current = event.clientY
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerUp={(event) => {
        const by = from.current === null ? 0 : from.current - event.clientY
        from.current = null
        dragged.current = Math.abs(by) >= TAP
        if (dragged.current) turn(Math.sign(by))
      }}
      onClick={() => {
        if (!dragged.current) turn(now === 'full' ? -1 : 1)
        dragged.current = false
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp') turn(1)
        else if (event.key === 'ArrowDown') turn(-1)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <span />
    </button>
  )
}

export function PhoneSheet() {
  const size = useValue(sheet)
  const setup = useValue(setupOpen)
  const { now } = useTabs()
  return (
    <aside
      class={`sheet sheet-${size}`}
      aria-label={setup ? 'The problem and the solver' : 'The search in words and numbers'}
    >
      <Handle />
      {!setup && <Part of={phoneFirst}>{({ PhoneFirst }) => <PhoneFirst />}</Part>}
      <div class="sheet-body" key={setup ? 'setup' : now}>
        {setup ? <Part of={sidePanel}>{({ Setup }) => <Setup />}</Part> : <TabPanel />}
      </div>
    </aside>
  )
}

export function PhoneTabs() {
  const actions = useActions()
  const { tabs, now } = useTabs()
  const setup = useValue(setupOpen)
  return (
    <nav class="tab-bar" aria-label="Views">
      <button type="button" aria-pressed={setup} onClick={() => actions.page.showSetup()}>
        Setup
      </button>
      {tabs.map(([id, title]) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          aria-pressed={!setup && id === now}
          onClick={() => actions.page.showTab(id)}
        >
          {title}
        </button>
      ))}
    </nav>
  )
}
