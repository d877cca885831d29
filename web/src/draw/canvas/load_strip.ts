/** The load profile under the memory canvas, on the same time axis to the pixel; under it the phases of a search that has them. */
import { offFrame, onFrame } from '../../base/raf'
import { Later } from '../../base/later'
import { SANS, type Tokens, tokens } from '../../base/theme'
import { loadColumns } from '../../layout/canvas/load'
import { Drag } from '../../input/drag'
import type { LoadStripApi, LoadStripCallbacks, Scene, Viewport } from '../../layout/scene'
import { isIndexed } from '../../layout/canvas/time_index'
import { gutterLeft, gutterRight, Space } from '../../layout/canvas/spaces'
import { boundTriangle, type Ctx, hline, outline, text } from '../primitives'
import { paintLoadOutline } from './load_outline'
import { Surface } from '../surface'
import type { FreeBlocks } from './tools'

const TOP = 8
const BOTTOM = 6
/** Room for a load above the capacity, as a share of the capacity; more than that is cut off. */
const OVER_ROOM = 0.25
/** Only searches that have phases ask for it. */
const phases = new Later(() => import('./paint_phases'))
const toolbox = new Later(() => import('./tools'))

export class LoadStrip implements LoadStripApi {
  private readonly surface: Surface
  private scene: Scene | null = null
  private viewport: Viewport | null = null
  private readonly paint: () => void
  private readonly drag: Drag
  private space: Space | null = null
  private brush: [number, number] | null = null
  private free: FreeBlocks | null = null

  constructor(host: HTMLElement, on: LoadStripCallbacks) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Load over time', focusable: false }, () =>
      onFrame('paint', this.paint),
    )
    const brush = (range: [number, number] | null): void => {
      toolbox.get().catch(() => {})
      this.brush = range
      onFrame('paint', this.paint)
    }
    this.drag = new Drag(this.surface.root, {
      grip: () => (this.scene ? 'time' : null),
      over: () => {},
      drag: (_, from, to) => brush([from.x, to.x]),
      drop: (_, from, to, moved) => {
        brush(null)
        const { space } = this
        if (space && moved) on.brush(space.time(Math.min(from.x, to.x)), space.time(Math.max(from.x, to.x)))
      },
      cancel: () => brush(null),
    })
  }

  update(scene: Scene, viewport: Viewport): void {
    this.scene = scene
    this.viewport = viewport
    onFrame('paint', this.paint)
  }

  dispose(): void {
    offFrame('paint', this.paint)
    this.scene = null
    this.drag.dispose()
    this.surface.dispose()
  }

  private repaint(): void {
    const { scene, viewport, surface } = this
    if (!scene || !viewport) return
    const c = surface.begin(0)
    const x = gutterLeft(surface.width)
    const plate = {
      x,
      y: TOP,
      w: Math.max(1, surface.width - x - gutterRight(surface.width)),
      h: Math.max(1, surface.height - TOP - BOTTOM),
    }
    const capacity = Math.max(0, scene.capacity)
    const { sections, peak: busiest, lowerBound: peak } = scene.problem
    // of an order that is not the best there is, the load is above every order's bound
    const most = Math.max(peak, sections.load[busiest] ?? 0)
    const top =
      most > capacity && capacity > 0 ? Math.min(most, capacity * (1 + OVER_ROOM)) : Math.max(capacity, most, 1)
    const space = new Space({ ...viewport, b0: 0, b1: top }, plate)
    this.space = space
    const theme = tokens[scene.theme]
    paintLoadOutline(c, scene, space, loadColumns(scene.problem, space), theme)
    if (scene.frame?.phases) this.paintPhases(c, scene, space, theme)
    hline(c, plate.x, plate.x + plate.w, plate.y + plate.h, theme.loadLine)
    hline(c, plate.x, plate.x + plate.w, Math.max(plate.y, space.y(capacity)), theme.capacity)
    if (peak > 0 && Math.abs(peak - capacity) * space.sy >= 2) paintBound(c, space, peak, theme)
    paintSections(c, scene, space, theme)
    this.paintTools(c, scene, space, theme)
    text(c, 'load', x - 9, plate.y + plate.h / 2 + 4, `11px ${SANS}`, theme.text3, 'right')
  }

  private paintTools(c: Ctx, scene: Scene, space: Space, theme: Tokens): void {
    const now = toolbox.arrival.get()
    if (now.kind !== 'there') {
      if (scene.fragments)
        toolbox
          .get()
          .then(() => onFrame('paint', this.paint))
          .catch(() => {})
      return
    }
    if (scene.fragments && isIndexed(scene.problem)) {
      this.free ??= new now.part.FreeBlocks(() => onFrame('paint', this.paint))
      this.free.paint(c, scene, space, this.surface.dpr, theme)
    }
    if (this.brush) now.part.paintBrush(c, space.plate, ...this.brush, theme.accent)
  }

  private paintPhases(c: Ctx, scene: Scene, space: Space, theme: Tokens): void {
    const arrival = phases.arrival.get()
    if (arrival.kind === 'there') arrival.part.paintPhases(c, scene, space, theme)
    else
      phases
        .get()
        .then(() => onFrame('paint', this.paint))
        .catch(() => {})
  }
}

/** No plan is lower than the greatest load. */
function paintBound(c: Ctx, space: Space, bound: number, theme: Tokens): void {
  const { plate } = space
  const y = Math.max(plate.y, space.y(bound))
  hline(c, plate.x, plate.x + plate.w, y, theme.bound, 1, [2, 4])
  boundTriangle(c, plate.x + plate.w + 2, y, theme.bound)
}

/** The section the step's proof speaks of, and one lit from elsewhere. */
function paintSections(c: Ctx, scene: Scene, space: Space, theme: Tokens): void {
  // While a search plays fast the box would flash with every rejection.
  const proof = scene.calm ? scene.now.find((event) => event.kind === 'reject') : undefined
  const box = (section: number, colour: string): void => {
    const { sections } = scene.problem
    if (!(section >= 0 && section < sections.count)) return
    const x0 = space.x(sections.lower[section] as number)
    const x1 = space.x(sections.upper[section] as number)
    const w = Math.max(9, x1 - x0)
    const x = (x0 + x1 - w) / 2
    const { plate } = space
    if (x + w < plate.x || x > plate.x + plate.w) return
    outline(c, { x: Math.round(x), y: plate.y - 4, w: Math.round(w), h: plate.h + 6 }, colour, 1)
  }
  if (proof && scene.frame) box(proof.section, theme.why)
  box(scene.frame ? -1 : scene.overloaded, theme.why)
  box(scene.lit.section, theme.text1)
}
