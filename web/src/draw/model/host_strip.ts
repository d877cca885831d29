/** The memory outside as a plate under the canvas: copies between spill and fetch, arrows between the two plates with their bytes. */
import { type ByteUnit, bytesIn, thousands } from '../../base/format'
import { offFrame, onFrame } from '../../base/raf'
import { SANS, type Tokens, tokens } from '../../base/theme'
import { GUTTER, gutterLeft, gutterRight, Space } from '../../layout/canvas/spaces'
import { type HostArrow, type HostBlock, type HostPlate, hostArrows } from '../../layout/model/host_plate'
import type { Theme, Viewport } from '../../layout/scene'
import { labelWidth } from '../../layout/ticks'
import { coloursOf } from '../buffer_colours'
import { type Ctx, hline, mono, outline, text } from '../primitives'
import { Surface } from '../surface'

export interface HostScene {
  host: HostPlate
  /** by tensor: its name, and the category of what makes it */
  name: (tensor: number) => string
  shade: (tensor: number) => number
  unit: ByteUnit
  theme: Theme
  /** tensor that is looked at, -1 */
  lit: number
}

export interface HostCallbacks {
  /** under the pointer; null: nothing is */
  hover(block: HostBlock | null): void
  pick(block: HostBlock): void
}

/** The arrows' part, at the edge to the arena. */
const ARROWS = 26
const BOTTOM = 5

export class HostStrip {
  private readonly surface: Surface
  private readonly end = new AbortController()
  private scene: HostScene | null = null
  private viewport: Viewport | null = null
  private readonly paint: () => void

  constructor(
    host: HTMLElement,
    private readonly on: HostCallbacks,
  ) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Memory outside', focusable: false }, () =>
      onFrame('paint', this.paint),
    )
    const { signal } = this.end
    const { root } = this.surface
    root.addEventListener('pointermove', (event) => this.on.hover(this.at(event)), { signal })
    root.addEventListener('pointerleave', () => this.on.hover(null), { signal })
    root.addEventListener('click', (event) => this.pick(event), { signal })
  }

  update(scene: HostScene, viewport: Viewport): void {
    this.scene = scene
    this.viewport = viewport
    const { blocks, transfers } = scene.host
    const moved = transfers.reduce((sum, { bytes }) => sum + bytes, 0)
    this.surface.label(
      `Memory outside: ${thousands(blocks.length)} tensors, ${thousands(transfers.length)} transfers of ${bytesIn(moved, scene.unit)}`,
    )
    onFrame('paint', this.paint)
  }

  dispose(): void {
    this.end.abort()
    offFrame('paint', this.paint)
    this.surface.dispose()
  }

  private space(scene: HostScene, viewport: Viewport): Space {
    const { width, height } = this.surface
    const x = gutterLeft(width)
    const plate = {
      x,
      y: ARROWS,
      w: Math.max(1, width - x - gutterRight(width)),
      h: Math.max(1, height - ARROWS - BOTTOM),
    }
    return new Space({ ...viewport, b0: 0, b1: Math.max(1, scene.host.top) }, plate)
  }

  private at(event: MouseEvent): HostBlock | null {
    const { scene, viewport } = this
    if (scene === null || viewport === null) return null
    const box = this.surface.root.getBoundingClientRect()
    const space = this.space(scene, viewport)
    const [x, y] = [event.clientX - box.left, event.clientY - box.top]
    if (y < ARROWS) {
      const arrow = hostArrows(scene.host.transfers, space).find((one) => Math.abs(one.x - x) < 6)
      return scene.host.blocks.find(({ tensor }) => tensor === arrow?.of[0]?.tensor) ?? null
    }
    const [time, address] = [space.time(x), space.address(y)]
    const inside = ({ lower, upper, from, bytes }: HostBlock) =>
      lower <= time && time < upper && from <= address && address < from + bytes
    return scene.host.blocks.find(inside) ?? null
  }

  private pick(event: MouseEvent): void {
    const block = this.at(event)
    if (block !== null) this.on.pick(block)
  }

  private repaint(): void {
    const { scene, viewport, surface } = this
    if (scene === null || viewport === null) return
    const theme = tokens[scene.theme]
    const space = this.space(scene, viewport)
    const { plate } = space
    const c = surface.begin(0)
    hline(c, plate.x, plate.x + plate.w, plate.y + plate.h, theme.line2)
    c.save()
    c.beginPath()
    c.rect(plate.x - 6, 0, plate.w + 12, surface.height)
    c.clip()
    for (const block of scene.host.blocks) paintBlock(c, block, space, scene, theme)
    for (const arrow of hostArrows(scene.host.transfers, space)) paintArrow(c, arrow, scene, theme)
    c.restore()
    const words = `11px ${SANS}`
    // a narrow gutter has no air to spare
    const right = plate.x - (plate.x < GUTTER.left ? 3 : 9)
    text(c, 'outside', right, plate.y + plate.h / 2 + 4, words, theme.text3, 'right')
    text(c, 'moves', right, 15, words, theme.text3, 'right')
  }
}

function paintBlock(c: Ctx, block: HostBlock, space: Space, scene: HostScene, theme: Tokens): void {
  const x = space.x(block.lower)
  const w = Math.max(2, space.x(block.upper) - x - 1)
  const y = space.y(block.from + block.bytes)
  const h = Math.max(1, space.y(block.from) - y - 0.5)
  const swatch = coloursOf(scene.theme).categories[scene.shade(block.tensor)]
  if (swatch === undefined || x > space.plate.x + space.plate.w || x + w < space.plate.x) return
  c.globalAlpha = 0.75
  c.fillStyle = swatch.fill
  c.fillRect(x, y, w, h)
  c.globalAlpha = 1
  if (theme.name === 'light' && w > 3 && h > 3) {
    c.strokeStyle = swatch.edge
    c.lineWidth = 0.9
    c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1)
  }
  if (block.tensor === scene.lit) outline(c, { x, y, w, h }, theme.text1, 2)
  const name = scene.name(block.tensor)
  const left = Math.max(x, space.plate.x) + 4
  if (h < 13 || left + labelWidth(name) + 4 > x + w) return
  text(c, name, left, Math.min(y + h / 2 + 4, y + 13), mono(11), swatch.ink)
}

/** Down to the memory outside, or up from it, with its bytes where there is room. */
function paintArrow(c: Ctx, arrow: HostArrow, scene: HostScene, theme: Tokens): void {
  const down = arrow.kind === 'spill'
  const x = Math.round(arrow.x) + 0.5
  const [from, to] = down ? [2, ARROWS - 2] : [ARROWS - 2, 2]
  const lit = arrow.of.some(({ tensor }) => tensor === scene.lit)
  c.strokeStyle = lit ? theme.text1 : down ? theme.text2 : theme.accent
  c.lineWidth = arrow.of.length > 1 || lit ? 2.4 : 1.4
  const head = down ? -5 : 5
  c.beginPath()
  c.moveTo(x, from)
  c.lineTo(x, to)
  c.moveTo(x - 3.5, to + head)
  c.lineTo(x, to)
  c.lineTo(x + 3.5, to + head)
  c.stroke()
  const label = bytesIn(arrow.bytes, scene.unit) + (arrow.of.length > 1 ? ` in ${arrow.of.length}` : '')
  if (labelWidth(label) + 12 > arrow.room) return
  text(c, label, down ? x - 7 : x + 7, 16, mono(11), lit ? theme.text1 : theme.text2, down ? 'right' : 'left')
}
