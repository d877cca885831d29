/** The widths of the side panels: plain numbers, so that they can be kept and tested. */

export type Side = 'left' | 'side'

export interface Panel {
  /** pixels, null: as the page's width suggests */
  width: number | null
  shut: boolean
}

export type Panels = Readonly<Record<Side, Panel>>

export const PANELS: Panels = { left: { width: null, shut: false }, side: { width: null, shut: false } }

const LEAST: Record<Side, number> = { left: 200, side: 300 }
const MOST: Record<Side, number> = { left: 480, side: 760 }
/** What the canvas keeps, if the window is not even narrower. */
const CENTRE = 420

/** From and to where a panel can be dragged, in a window of that width beside a panel of that width. */
export function limits(side: Side, window: number, other: number): [number, number] {
  return [LEAST[side], Math.max(LEAST[side], Math.min(MOST[side], window - other - CENTRE))]
}

/** A panel that was dragged to a width: half of the least shuts it. */
export function draggedTo(width: number, [least, most]: [number, number]): Panel {
  return { width: Math.round(Math.min(most, Math.max(least, width))), shut: width < least / 2 }
}

/** As it was kept; what is no width is none. */
export function readPanel(value: unknown, side: Side): Panel {
  if (typeof value !== 'object' || value === null) return PANELS[side]
  const { width, shut } = value as Record<string, unknown>
  const well = typeof width === 'number' && width >= LEAST[side] && width <= MOST[side]
  return { width: well ? Math.round(width) : null, shut: shut === true }
}
