/** The line between a side panel and the canvas: drags, steps with the arrows, shuts with Enter, and is as it was after a double click. */
import { useRef } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { draggedTo, limits, type Side } from '../../state/page/panel_widths'
import { panels, setPanel } from '../../state/ui'
import { I } from '../controls/icons'
import '../../styles/later'

const STEP = 16
const TITLES: Record<Side, string> = { left: 'setup', side: 'views' }

/** Of the panel as it stands. */
function widthOf(side: Side): number {
  return document.querySelector(`.${side}`)?.getBoundingClientRect().width ?? 0
}

function limitsNow(side: Side): [number, number] {
  return limits(side, window.innerWidth, widthOf(side === 'left' ? 'side' : 'left'))
}

export function Separator({ side }: { side: Side }) {
  const { width, shut } = useValue(panels)[side]
  const from = useRef<{ x: number; width: number } | null>(null)
  const outward = side === 'left' ? 1 : -1
  const [least, most] = limitsNow(side)
  const now = shut ? 0 : (width ?? Math.round(widthOf(side)))
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by !== 0) setPanel(side, draggedTo(Math.max(least, now) + by * outward * STEP, [least, most]))
    else if (event.key === 'Home') setPanel(side, { width: least, shut: false })
    else if (event.key === 'End') setPanel(side, { width: most, shut: false })
    else if (event.key === 'Enter') setPanel(side, { shut: !shut })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      class={`separator separator-${side}${shut ? ' separator-shut' : ''}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of the ${TITLES[side]}`}
      aria-valuenow={now}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuetext={shut ? 'shut' : `${now} pixels`}
      title={shut ? `Show the ${TITLES[side]}` : 'Drag: width · Double-click: as it was · Enter: shut'}
      tabIndex={0}
      onKeyDown={onKey}
      onDblClick={() => setPanel(side, { width: null, shut: false })}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width: now }
      }}
      onPointerMove={(event) => {
        const began = from.current
        if (began === null || began.x === event.clientX) return
        setPanel(side, draggedTo(began.width + outward * (event.clientX - began.x), [least, most]))
      }}
      onPointerUp={(event) => {
        const began = from.current
        from.current = null
        if (shut && began?.x === event.clientX) setPanel(side, { shut: false })
      }}
      onPointerCancel={() => {
        from.current = null
      }}
    >
      {shut && <I name="down" />}
    </div>
  )
}
