/** The page's plan: which panel stands where, by width. */
import { useEffect, useState } from 'preact/hooks'
import { Later } from './base/later'
import { useValue } from './base/use_value'
import { receive } from './panels/arrivals'
import { listen } from './panels/commands'
import { ActionsContext } from './panels/context'
import { Header } from './panels/header'
import { NoticeBar } from './panels/notice'
import { Part } from './panels/part'
import { PhoneSheet, PhoneTabs } from './panels/phone'
import { Running } from './panels/running'
import { Search } from './panels/search'
import { Setup } from './panels/setup'
import { Sheet } from './panels/sheets'
import { Side } from './panels/side'
import { Stage } from './panels/stage'
import { Transport } from './panels/transport'
import type { Actions } from './run/actions'
import type { Panels } from './state/panels'
import { dialog, embedded, mode, panels, setupOpen, type Width, width } from './state/ui'

const compare = new Later(() => import('./panels/compare'))
const separators = new Later(() => import('./panels/separator'))

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

const embed = new Later(() => import('./panels/embed'))

function Page({ actions }: { actions: Actions }) {
  const size = useValue(width)
  const setup = useValue(setupOpen)
  const comparing = useValue(mode) === 'compare'
  const [over, setOver] = useState(false)
  useEffect(() => receive(actions, setOver), [actions])
  const phone = size === 'phone'
  const widths = useValue(panels)
  const lines = useValue(separators.arrival)
  const columns = size === 'wide' || size === 'medium'
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
    <div class={`app app-${size}${over ? ' app-over' : ''}`} style={columns ? widthsOf(widths, size) : {}}>
      <Header />
      <NoticeBar />
      {!phone && (
        <div
          class={`left${setup ? ' left-open' : ''}${size === 'wide' && widths.left.shut ? ' panel-shut' : ''}`}
          id="setup"
        >
          <Setup />
        </div>
      )}
      {!phone && setup && size !== 'wide' && (
        <button type="button" class="veil" aria-label="Close the setup" onClick={() => actions.closeSetup()} />
      )}
      <main class="centre">
        <Stage />
        <Search />
        <Transport />
        <Running />
      </main>
      {phone ? (
        <>
          <PhoneSheet />
          <PhoneTabs />
        </>
      ) : (
        <Side shut={columns && widths.side.shut} />
      )}
      {size === 'wide' && lines.kind === 'there' && <lines.part.Separator side="left" />}
      {columns && lines.kind === 'there' && <lines.part.Separator side="side" />}
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
