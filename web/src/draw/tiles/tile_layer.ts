/** Over the memory canvas: the tiles that a task writes, reads and lets go of, and the two chunks of a collision. */
import type { Rect } from '../../base/geom'
import { offFrame, onFrame } from '../../base/raf'
import { type Tokens, tokens } from '../../base/theme'
import { shadesOf } from '../../layout/canvas/shade'
import { piecesOf } from '../../layout/canvas/pieces'
import { plateOf, Space } from '../../layout/canvas/spaces'
import type { Scene, Viewport } from '../../layout/scene'
import { type Collision, type PlacedPiece, readTime, type TileMarks } from '../../layout/tiles/tile_marks'
import { coloursOf } from '../buffer_colours'
import { type Ctx, hatch, mono, outline, plaque, text, vline } from '../primitives'
import { Surface } from '../surface'
import { shortened } from '../../base/format'

export interface TileScene {
  scene: Scene
  /** null: none is shown */
  shown: { task: number; id: string; marks: TileMarks } | null
  collision: Collision | null
}

/** However small, what is lit can be seen. */
const LEAST = 2

export class TileLayer {
  private readonly surface: Surface
  private now: TileScene | null = null
  private viewport: Viewport | null = null
  private readonly paint: () => void

  /** host: the element of the memory canvas */
  constructor(host: HTMLElement) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Tiles of a task', focusable: false }, () =>
      onFrame('paint', this.paint),
    )
    Object.assign(this.surface.root.style, { position: 'absolute', inset: '0', pointerEvents: 'none' })
  }

  update(now: TileScene, viewport: Viewport): void {
    this.now = now
    this.viewport = viewport
    const { shown } = now
    this.surface.label(shown === null ? 'Tiles of a task' : `Tiles of task ${shown.task + 1}, ${shown.id}`)
    onFrame('paint', this.paint)
  }

  dispose(): void {
    offFrame('paint', this.paint)
    this.surface.dispose()
  }

  private repaint(): void {
    const { now, viewport, surface } = this
    if (now === null || viewport === null) return
    const c = surface.begin(0)
    const space = new Space(viewport, plateOf(surface.width, surface.height))
    const { x, y, w, h } = space.plate
    c.save()
    c.beginPath()
    c.rect(x - 1, y - 1, w + 2, h + 2)
    c.clip()
    paintTask(c, now, space)
    if (now.collision !== null) paintCollision(c, now.scene, now.collision, space)
    c.restore()
    if (now.shown !== null) paintTag(c, now.shown, space, tokens[now.scene.theme])
  }
}

function rectOf(scene: Scene, { piece, offset }: PlacedPiece, space: Space): Rect {
  const pieces = piecesOf(scene.problem)
  const [x0, x1] = [space.x(pieces.lower[piece] as number), space.x(pieces.upper[piece] as number)]
  const [y0, y1] = [space.y(offset + (pieces.to[piece] as number)), space.y(offset + (pieces.from[piece] as number))]
  return { x: x0, y: y0, w: Math.max(LEAST, x1 - x0), h: Math.max(LEAST, y1 - y0) }
}

/** The task's own column of time, and in it and along its tiles what happens. */
function paintTask(c: Ctx, { scene, shown }: TileScene, space: Space): void {
  if (shown === null) return
  const theme = tokens[scene.theme]
  const offsets = scene.frame?.offset
  const pieces = piecesOf(scene.problem)
  const colours = coloursOf(scene.theme)
  const shades = shadesOf(scene)
  const swatches = colours[shades.kind]
  const placed = (list: readonly number[]) =>
    list.flatMap((piece) => {
      const buffer = pieces.buffer[piece] as number
      const offset = offsets?.[buffer] ?? -1
      const ink = swatches[shades.of(buffer)]?.ink ?? theme.text1
      return offset < 0 ? [] : [{ ink, rect: rectOf(scene, { piece, offset }, space) }]
    })
  const x0 = space.x(readTime(shown.task))
  const x1 = space.x(readTime(shown.task) + 2)
  fill(c, [{ x: x0, y: space.plate.y, w: Math.max(1, x1 - x0), h: space.plate.h }], theme.now, 0.14)
  vline(c, x0, space.plate.y, space.plate.y + space.plate.h, theme.now)
  for (const { rect, ink } of placed(shown.marks.read)) {
    fill(c, [rect], ink, 0.16)
    outline(c, rect, ink, 1.5)
  }
  for (const { rect, ink } of placed(shown.marks.released)) hatch(c, rect, ink, 5)
  const written = placed(shown.marks.written).map(({ rect }) => rect)
  fill(c, written, theme.now, 0.62)
  for (const rect of written) outline(c, rect, theme.now, 1.5)
}

function fill(c: Ctx, rects: readonly Rect[], colour: string, alpha: number): void {
  c.save()
  c.globalAlpha = alpha
  c.fillStyle = colour
  for (const { x, y, w, h } of rects) c.fillRect(x, y, w, h)
  c.restore()
}

/** Which task it is, over its column. */
function paintTag(c: Ctx, shown: { task: number; id: string }, space: Space, theme: Tokens): void {
  const x = space.x(readTime(shown.task) + 1)
  const { plate } = space
  if (x < plate.x || x > plate.x + plate.w) return
  const name = shortened(shown.id, 28)
  const width = 7.2 * name.length + 10
  const left = Math.max(plate.x, Math.min(plate.x + plate.w - width, x - width / 2))
  plaque(c, { x: left, y: plate.y - 20, w: width, h: 17 }, theme.now)
  text(c, name, left + 5, plate.y - 7.5, mono(12), theme.nowInk)
}

function paintCollision(c: Ctx, scene: Scene, { tried, placed, next }: Collision, space: Space): void {
  const theme = tokens[scene.theme]
  const [mine, other] = [rectOf(scene, tried, space), rectOf(scene, placed, space)]
  fill(c, [other], theme.why, 0.35)
  outline(c, other, theme.why, 2)
  hatch(c, mine, theme.why, 5)
  outline(c, mine, theme.why, 1.5, [3, 3])
  // up to where the chunk lies once its tensor is past the other
  const x = Math.round(mine.x + mine.w / 2) + 0.5
  const to = mine.y - (next - tried.offset) * space.sy
  c.strokeStyle = theme.now
  c.lineWidth = 1.5
  c.beginPath()
  c.moveTo(x, mine.y)
  c.lineTo(x, to)
  c.moveTo(x - 3.5, to + 5)
  c.lineTo(x, to)
  c.lineTo(x + 3.5, to + 5)
  c.stroke()
}
