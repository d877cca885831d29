/** The page's plan: which panel stands where, by width. */
import { useEffect } from 'preact/hooks'
import { Later } from './base/later'
import { useValue } from './base/use_value'
import { listen } from './panels/page/keyboard'
import { ActionsContext } from './panels/page/context'
import { Header } from './panels/page/header'
import { NoticeBar } from './panels/page/notice'
import { Part } from './panels/controls/later_part'
import { PhoneSheet, PhoneTabs } from './panels/phone/phone'
import { Search } from './panels/search/search_strips'
import { sidePanel, firstPage } from './panels/page/first_parts'
import { Sheet } from './panels/page/dialogs'
import { Side } from './panels/page/tabs'
import { Stage } from './panels/canvas/stage'
import { Transport } from './panels/search/transport'
import type { Actions } from './run/actions'
import type { Panels } from './state/page/panel_widths'
import {
  arrived,
  dialog,
  droppable,
  embedded,
  lesson,
  panels,
  presenting,
  sheet,
  type Width,
  welcome,
  width,
} from './state/ui'
import { aids } from './panels/page/aids_later'
import { mode, setupOpen } from './state/workbench'

/** A lesson takes the place of the side panels. */
const lessons = new Later(() => import('./panels/lesson/reader'))
const compare = new Later(() => import('./panels/compare/compare'))
/** Short runs end before it is seen. */
const running = new Later(() => import('./panels/solver/running'))
const present = new Later(() => import('./panels/page/present'))
const separators = new Later(() => import('./panels/page/separator'), 'unasked')

/** What the reader has made of the panels' widths; the style sheets have the others. */
function widthsOf(now: Panels, size: Width): Record<string, string> {
  const style: Record<string, string> = {}
  for (const side of size === 'wide' ? (['left', 'side'] as const) : (['side'] as const)) {
    const { width, shut } = now[side]
    if (shut) style[`--${side}`] = '0px'
    else if (width !== null) style[`--${side}`] = `${width}px`
  }
  return style
}

const embed = new Later(() => import('./panels/share/embed'))

/** The panels beside the instruments, or below them; which of them are there depends on the width. */
function SidePanels({ actions }: { actions: Actions }) {
  const size = useValue(width)
  const setup = useValue(setupOpen)
  const widths = useValue(panels)
  const lines = useValue(separators.arrival)
  const columns = size === 'wide' || size === 'medium'
  if (size === 'phone')
    return (
      <>
        <PhoneSheet />
        <PhoneTabs />
      </>
    )
  return (
    <>
      {setup && size !== 'wide' && (
        <button type="button" class="veil" aria-label="Close the setup" onClick={() => actions.page.closeSetup()} />
      )}
      <Side shut={columns && widths.side.shut} />
      {columns && lines.kind === 'there' && (
        <section class="separators" aria-label="Widths of the panels">
          {size === 'wide' && <lines.part.Separator side="left" />}
          <lines.part.Separator side="side" />
        </section>
      )}
    </>
  )
}

/** Before the instruments: the setup, or the lesson that has the page. */
function FirstPanel({ taught }: { taught: boolean }) {
  const size = useValue(width)
  const setup = useValue(setupOpen)
  const shut = useValue(panels).left.shut
  if (taught)
    return (
      <div class="lesson-pane">
        <Part of={lessons}>{({ Reader }) => <Reader />}</Part>
      </div>
    )
  if (size === 'phone') return null
  return (
    <div class={`left${setup ? ' left-open' : ''}${size === 'wide' && shut ? ' panel-shut' : ''}`} id="setup">
      <Part of={sidePanel} quiet>
        {({ Setup }) => <Setup />}
      </Part>
    </div>
  )
}

function Page({ actions }: { actions: Actions }) {
  const size = useValue(width)
  const widths = useValue(panels)
  const taught = useValue(lesson) !== null
  const first = useValue(welcome)
  const coming = !useValue(arrived)
  const shown = useValue(presenting)
  const over = useValue(droppable)
  const comparing = useValue(mode) === 'compare' && !taught
  // the canvas takes what the sheet leaves
  const peek = useValue(sheet) === 'peek' && size === 'phone' && !taught
  const columns = !taught && (size === 'wide' || size === 'medium')
  if (comparing && first)
    return (
      <div class={`app app-${size} app-compare app-first`}>
        <Header />
        <NoticeBar />
        <main class="compare-area">
          <Part of={firstPage} quiet>
            {({ Welcome }) => <Welcome />}
          </Part>
        </main>
      </div>
    )
  if (comparing)
    return (
      <div class={`app app-${size} app-compare`}>
        <Header />
        <NoticeBar />
        <main class="compare-area">
          <Part of={compare}>{({ Compare }) => <Compare />}</Part>
        </main>
      </div>
    )
  return (
    <div
      class={`app app-${size}${over ? ' app-over' : ''}${taught ? ' app-lesson' : ''}${peek ? ' app-peek' : ''}${coming ? ' app-coming' : ''}${shown ? ' app-present' : ''}`}
      style={columns ? widthsOf(widths, size) : {}}
    >
      <Part of={aids} quiet>
        {({ Skip }) => <Skip />}
      </Part>
      <Header />
      <NoticeBar />
      <FirstPanel taught={taught} />
      <main class="centre">
        <Stage />
        {taught && <Part of={lessons}>{({ Strip }) => <Strip />}</Part>}
        {shown && <Part of={present}>{({ Present }) => <Present />}</Part>}
        <Search />
        <Transport />
        <Part of={aids} quiet>
          {({ Announcer }) => <Announcer />}
        </Part>
        <Part of={running} quiet>
          {({ Running }) => <Running />}
        </Part>
      </main>
      {!taught && <SidePanels actions={actions} />}
    </div>
  )
}

export function App({ actions }: { actions: Actions }) {
  const open = useValue(dialog)
  useEffect(() => listen(actions), [actions])
  return (
    <ActionsContext.Provider value={actions}>
      {embedded.get() ? <Part of={embed}>{({ Embed }) => <Embed />}</Part> : <Page actions={actions} />}
      {open !== 'none' && <Sheet name={open} />}
    </ActionsContext.Provider>
  )
}
