/** Over the load: what was moved to the memory outside and back by each time, all of it being the strip's height. */
import { type ByteUnit, bytesIn } from '../../base/format'
import { offFrame, onFrame } from '../../base/raf'
import { SANS, type Tokens, tokens } from '../../base/theme'
import { GUTTER, gutterLeft, gutterRight, Space } from '../../layout/canvas/spaces'
import type { TrafficStep } from '../../layout/model/traffic_line'
import type { Theme, Viewport } from '../../layout/scene'
import { labelWidth } from '../../layout/ticks'
import { type Ctx, mono, plaque, text } from '../primitives'
import { Surface } from '../surface'

/** As in the load strip. */
const [TOP, BOTTOM] = [8, 6]
/** Of the bar that each step stands on, in CSS pixels. */
const BAR = 3

export interface TrafficScene {
  steps: readonly TrafficStep[]
  unit: ByteUnit
  theme: Theme
}

export class TrafficLine {
  private readonly surface: Surface
  private scene: TrafficScene | null = null
  private viewport: Viewport | null = null
  private readonly paint: () => void

  /** host: the element of the load strip */
  constructor(host: HTMLElement) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Traffic over time', focusable: false }, () =>
      onFrame('paint', this.paint),
    )
    // a layer over the strip, which keeps the pointer
    Object.assign(this.surface.root.style, { position: 'absolute', inset: '0', pointerEvents: 'none' })
  }

  update(scene: TrafficScene, viewport: Viewport): void {
    this.scene = scene
    this.viewport = viewport
    const last = scene.steps.at(-1)
    if (last !== undefined)
      this.surface.label(`Traffic over time: ${bytesIn(last.sum, scene.unit)} moved by time ${last.time}`)
    onFrame('paint', this.paint)
  }

  dispose(): void {
    offFrame('paint', this.paint)
    this.surface.dispose()
  }

  private repaint(): void {
    const { scene, viewport, surface } = this
    if (scene === null || viewport === null) return
    const c = surface.begin(0)
    const x = gutterLeft(surface.width)
    const w = Math.max(1, surface.width - x - gutterRight(surface.width))
    const total = scene.steps.at(-1)?.sum ?? 1
    const plate = { x, y: TOP, w, h: Math.max(1, surface.height - TOP - BOTTOM) }
    const space = new Space({ ...viewport, b0: 0, b1: total }, plate)
    const theme = tokens[scene.theme]
    c.save()
    c.beginPath()
    c.rect(plate.x, 0, plate.w, surface.height)
    c.clip()
    paintLine(c, scene, space, theme)
    c.restore()
    const right = plate.x - (plate.x < GUTTER.left ? 3 : 9)
    text(c, 'moved', right, plate.y + plate.h, `11px ${SANS}`, theme.accent, 'right')
  }
}

function paintLine(c: Ctx, { steps, unit }: TrafficScene, space: Space, theme: Tokens): void {
  const { plate, view } = space
  const base = plate.y + plate.h
  c.fillStyle = theme.accent
  c.globalAlpha = 0.4
  for (const { time, bytes } of steps) {
    const y = space.y(bytes)
    c.fillRect(Math.round(space.x(time)) - 1, y, BAR, base - y)
  }
  c.globalAlpha = 1
  c.strokeStyle = theme.accent
  c.lineWidth = 1.4
  c.beginPath()
  let y = base
  c.moveTo(plate.x, y)
  for (const { time, sum } of steps) {
    const x = Math.round(space.x(time)) + 0.5
    c.lineTo(x, y)
    y = Math.round(space.y(sum)) + 0.5
    c.lineTo(x, y)
  }
  c.lineTo(plate.x + plate.w, y)
  c.stroke()
  // as much as was moved by the end of what is seen
  const seen = steps.findLast(({ time }) => time <= view.t1)
  if (seen === undefined) return
  const words = `${bytesIn(seen.sum, unit)} moved`
  const [x, top] = [plate.x + plate.w - 4, space.y(seen.sum) + 4]
  const room = labelWidth(words) + 8
  c.globalAlpha = 0.75
  plaque(c, { x: x - room + 4, y: top, w: room, h: 13 }, theme.well)
  c.globalAlpha = 1
  text(c, words, x, top + 10, mono(11), theme.accent, 'right')
}
