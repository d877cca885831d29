// biome-ignore-all lint/a11y/useSemanticElements: a table of a million rows, of which forty exist, cannot be made of table rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid has the keys
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: a grid, or a treegrid where rows have levels
// biome-ignore-all lint/a11y/noStaticElementInteractions: the role depends on the rows
/** A long table of which only the rows in sight exist. Rows are 22 px high; the arrows move through them, Enter takes one. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { watchSize } from '../../base/use_size'

export const ROW = 22
/** Rows kept beyond the edges, so that a turn of the wheel shows no gaps. Each costs time whenever all of them change. */
const SPARE = 5
/** Browsers have no higher elements than about this, in px: a longer table scrolls by more than a pixel for each of its bar. */
const MOST_HEIGHT = 12_000_000

export interface RowsProps {
  name: string
  columns: number
  count: number
  head: ComponentChildren
  /** the cells of a row */
  row: (index: number) => ComponentChildren
  rowClass: (index: number) => string
  /** a row was clicked or entered; add: with Shift */
  pick?: (index: number, add: boolean) => void
  hover?: (index: number) => void
  /** scrolled to when it changes, -1: none */
  focus?: number
  empty: string
  /** its rows are still being put in order */
  busy?: boolean
  /** rows are those of a tree: how deep each is in it, from 1 */
  depth?: (index: number) => number
  /** of a row, in pixels */
  height?: number
  /** keys of the table's own, with the active row or -1; true: taken */
  keys?: (event: KeyboardEvent, row: number) => boolean
}

/** Pixels of the table for each of the bar of a box so high. */
function stretch(room: number, pixels: number): number {
  const all = pixels - room
  return all <= MOST_HEIGHT ? 1 : all / Math.max(1, MOST_HEIGHT - room)
}

/** How far the box is scrolled and how high it is, as it last told: to ask it at every step would lay the page out twice. */
interface Seen {
  scroll: number
  room: number
}

/** The rows to be there; shift: by how much they stand higher than in a table that is drawn in full. */
function spanOf({ scroll, room }: Seen, count: number, height: number) {
  const top = Math.round(scroll * stretch(room, count * height))
  const first = Math.max(0, Math.floor(top / height) - SPARE)
  return { first, last: Math.ceil((top + room) / height) + SPARE, shift: top - scroll }
}

function useWindow(count: number, height: number) {
  const host = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<Seen>({ scroll: 0, room: 32 * ROW })
  const look = () => {
    const box = host.current
    if (box === null) return
    const now = { scroll: box.scrollTop, room: box.clientHeight }
    setSeen((before) => {
      const [a, b] = [spanOf(before, count, height), spanOf(now, count, height)]
      return a.first === b.first && a.last === b.last && a.shift === b.shift ? before : now
    })
  }
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    const box = host.current
    return box === null ? undefined : watchSize(box, () => latest.current())
  }, [])
  const { first, last, shift } = spanOf(seen, count, height)
  return { host, look, first: Math.min(first, Math.max(0, count - 1)), last: Math.min(last, count), shift }
}

export function Rows(props: RowsProps) {
  const { count, height = ROW } = props
  const id = useId()
  const { host, look, first, last, shift } = useWindow(count, height)
  const [active, setActive] = useState(-1)
  const show = (index: number) => {
    const box = host.current
    if (box === null || index < 0) return
    const by = stretch(box.clientHeight, count * height)
    const seen = box.scrollTop * by
    const top = index * height
    if (top < seen) box.scrollTop = top / by
    else if (top + ROW + height > seen + box.clientHeight) box.scrollTop = (top + ROW + height - box.clientHeight) / by
  }
  useEffect(() => show(props.focus ?? -1), [props.focus])
  const go = (index: number) => {
    const to = Math.max(0, Math.min(count - 1, index))
    setActive(to)
    show(to)
    props.hover?.(to)
  }
  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((host.current?.clientHeight ?? 0) / height) - 2)
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    }
    const to = moves[event.key]
    if (to !== undefined && count > 0) go(to)
    else if (props.keys?.(event, active < count ? active : -1) === true) setActive(active)
    else if (event.key === 'Enter' && active >= 0 && active < count) props.pick?.(active, event.shiftKey)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, k) => first + k)
  return (
    <div
      class="rows"
      ref={host}
      role={props.depth === undefined ? 'grid' : 'treegrid'}
      aria-label={props.name}
      aria-rowcount={count + 1}
      aria-colcount={props.columns}
      aria-busy={props.busy === true}
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      tabIndex={0}
      onScroll={look}
      onKeyDown={onKey}
      onPointerLeave={() => props.hover?.(-1)}
      onBlur={() => props.hover?.(-1)}
    >
      <div class="rows-head" role="row" aria-rowindex={1} tabIndex={-1}>
        {props.head}
      </div>
      {count === 0 && <p class="rows-empty">{props.empty}</p>}
      <div class="rows-body" role="rowgroup" style={{ height: `${Math.min(count * height, MOST_HEIGHT)}px` }}>
        {rows.map((index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="row"
            aria-rowindex={index + 2}
            aria-level={props.depth?.(index)}
            tabIndex={-1}
            class={`rows-row ${props.rowClass(index)}${index === active ? ' rows-active' : ''}`}
            style={{ top: `${index * height - shift}px`, height: `${height}px` }}
            // or Shift would mark text up to here
            onMouseDown={(event) => event.shiftKey && event.preventDefault()}
            onClick={(event) => props.pick?.(index, event.shiftKey)}
            onPointerEnter={() => props.hover?.(index)}
          >
            {props.row(index)}
          </div>
        ))}
      </div>
    </div>
  )
}

export function Cell({
  children,
  class: className,
  title,
}: {
  children: ComponentChildren
  class?: string
  title?: string | undefined
}) {
  return (
    <span role="gridcell" class={className} title={title}>
      {children}
    </span>
  )
}
