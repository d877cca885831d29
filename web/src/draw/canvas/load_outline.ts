/** The outline of the load over time as one shape, so that neighbouring columns leave no seam: under the capacity, above it, and its upper edge. */
import type { Tokens } from '../../base/theme'
import type { LoadColumns } from '../../layout/canvas/load'
import type { Scene } from '../../layout/scene'
import type { Space } from '../../layout/canvas/spaces'
import type { Ctx } from '../primitives'
import { mix } from '../buffer_colours'

/** Columns further apart than this, in pixels, have nothing alive between them. */
const GAP = 0.5

/** Traces the load's upper edge, clipped to `ceiling`, down to the ground wherever nothing is alive. */
function trace(c: Ctx, columns: LoadColumns, y: (load: number) => number, ground: number): void {
  let end = Number.NaN
  c.beginPath()
  for (let k = 0; k < columns.count; k++) {
    const x = columns.x[k] as number
    const top = y(columns.load[k] as number)
    if (!(x - end <= GAP)) {
      if (!Number.isNaN(end)) c.lineTo(end, ground)
      c.moveTo(x, ground)
    }
    c.lineTo(x, top)
    end = x + (columns.w[k] as number)
    c.lineTo(end, top)
  }
  if (!Number.isNaN(end)) c.lineTo(end, ground)
}

/** Paints the outline on the space's plate; what lies above the capacity in vermilion, the overloaded section brightest. */
export function paintLoadOutline(c: Ctx, scene: Scene, space: Space, columns: LoadColumns, theme: Tokens): void {
  const { plate } = space
  const ground = space.y(space.view.b0)
  const yCapacity = Math.max(plate.y, space.y(scene.capacity))
  const sharp = (load: number): number => Math.floor(Math.max(plate.y, space.y(load))) + 0.5
  c.save()
  c.beginPath()
  c.rect(plate.x, plate.y - 1, plate.w, plate.h + 2)
  c.clip()
  trace(c, columns, (load) => Math.max(sharp(load), yCapacity), ground)
  c.fillStyle = theme.loadFill
  c.fill()
  trace(c, columns, (load) => Math.min(sharp(load), yCapacity), yCapacity)
  c.fillStyle = mix(theme.well, theme.why, 0.55)
  c.fill()
  for (let k = 0; k < columns.count; k++) {
    if (columns.section[k] !== scene.overloaded || !((columns.load[k] as number) > scene.capacity)) continue
    const y = sharp(columns.load[k] as number)
    c.fillStyle = theme.why
    c.fillRect(columns.x[k] as number, y, Math.max(3, columns.w[k] as number), Math.max(1, yCapacity - y))
  }
  trace(c, columns, sharp, ground)
  c.strokeStyle = theme.loadLine
  c.lineWidth = 1
  c.stroke()
  if (scene.frontier >= 0) paintFrontier(c, space, scene.frontier, theme)
  c.restore()
}

/** What is still to be decided fades, behind a line at the time from which on it is. */
function paintFrontier(c: Ctx, space: Space, time: number, theme: Tokens): void {
  const { plate } = space
  const x = Math.max(plate.x, Math.round(space.x(time)))
  c.globalAlpha = 0.62
  c.fillStyle = theme.well
  c.fillRect(x, plate.y - 1, plate.x + plate.w - x, plate.h + 2)
  c.globalAlpha = 1
  c.fillStyle = theme.now
  c.fillRect(x - 1, plate.y - 1, 2, plate.h + 2)
}
