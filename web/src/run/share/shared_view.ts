/** How the page is looked at, as a link carries it: the part of the canvas, the tab, the colours, what is pinned. */
import type { ColourMode, Viewport } from '../../layout/scene'
import { problem } from '../../state/workbench'
import type { SharedView } from '../../state/share/schema'
import * as ui from '../../state/ui'
import { workbench } from '../../state/workbench_cells'

/** What this version has; a link may name others. */
const TABS: Record<ui.Tab, true> = {
  step: true,
  tree: true,
  stats: true,
  buffers: true,
  model: true,
  graph: true,
  tiles: true,
}
const COLOURS: Record<ColourMode, true> = {
  level: true,
  order: true,
  buffer: true,
  size: true,
  lifetime: true,
  waste: true,
  churn: true,
  phase: true,
  type: true,
}
/** A viewport is kept to a few thousandths of its span: the eye sees no more, and links stay short. */
const FINE = 2 ** 14

const isTab = (name: string): name is ui.Tab => Object.hasOwn(TABS, name)
const isColour = (name: string): name is ColourMode => Object.hasOwn(COLOURS, name)

/** Both ends at multiples of a power of two: few digits, and the same numbers however often they are kept. */
function rounded(from: number, to: number): [number, number] {
  const grain = 2 ** Math.ceil(Math.log2((to - from) / FINE))
  return [Math.floor(from / grain) * grain, Math.ceil(to / grain) * grain]
}

function kept(viewport: Viewport): Viewport {
  const [t0, t1] = rounded(viewport.t0, viewport.t1)
  const [b0, b1] = rounded(viewport.b0, viewport.b1)
  return { t0, t1, b0, b1 }
}

export function viewNow(): SharedView {
  const shown = ui.viewport.get()
  const pinned = workbench.pinned.get()
  return {
    viewport: shown === null || ui.viewportWhole.get() ? null : kept(shown),
    tab: ui.tab.get(),
    colour: workbench.colourChoice.get() ?? '',
    pinned: pinned < 0 ? [] : [pinned],
  }
}

/** Looks at the open problem as someone else did. */
export function showView(view: SharedView): void {
  if (isTab(view.tab)) ui.tab.set(view.tab)
  workbench.colourChoice.set(isColour(view.colour) ? view.colour : null)
  const first = view.pinned[0] ?? -1
  workbench.pinned.set(first < (problem.get()?.count ?? 0) ? first : -1)
  ui.askedViewport.set(view.viewport)
}
