/** The data layer: grid, room above the capacity, brackets, buffers and their labels; without a run, the load profile. */
import { overlaps, type Rect } from '../../base/geom'
import { atOnce, type Work } from '../../base/slices'
import { loadColumns } from '../../layout/canvas/load'
import { BAR } from '../../layout/canvas/memory_rects'
import { labelWidth } from '../../layout/ticks'
import { type Ctx, hatch, hline, mono, nameWithin, text } from '../primitives'
import { barColour, type Swatch } from '../buffer_colours'
import { amount, type Picture, swatchOf } from './picture'
import { paintLoadOutline } from './load_outline'

/** covered: rectangles of the overlay's tags, under which no label is written. */
export function paintData(c: Ctx, p: Picture, covered: Rect[]): void {
  atOnce(paintingData(c, p, covered))
}

/** Rectangles painted between two places where the work can be interrupted. */
const GRAIN = 2 ** 11

/** The same a little at a time. Nothing else may be painted on `c` before it is done. */
export function* paintingData(c: Ctx, p: Picture, covered: Rect[]): Work<void> {
  for (const tick of p.yTicks) {
    if (tick.value > 0) hline(c, p.plate.x, p.plate.x + p.plate.w, p.space.y(tick.value), p.theme.grid)
  }
  paintBanks(c, p)
  // While the least height is looked for, the capacity is only a reference.
  if (!p.scene.bounds) paintRoomAbove(c, p)
  c.save()
  c.beginPath()
  c.rect(p.plate.x, p.plate.y, p.plate.w, p.plate.h)
  c.clip()
  if (p.scene.frame) {
    paintBrackets(c, p)
    if (p.crowd) p.crowd.paint(c, p.space)
    yield* paintRects(c, p)
    if (p.rects?.detailed) paintLabels(c, p, covered)
  } else {
    paintLoad(c, p)
  }
  c.restore()
}

/** Closer together than this, in px, the lines of the banks say nothing and hide the rest. */
const BANK_ROOM = 5

/** Where banks meet: a line that no buffer crosses, or, dotted, one that a buffer may cross. */
function paintBanks(c: Ctx, p: Picture): void {
  const { plate, space, theme, scene } = p
  const { banks } = scene
  if (banks === null || banks.bytes * space.sy < BANK_ROOM) return
  const right = plate.x + plate.w
  const last = Math.min(space.view.b1, scene.capacity)
  for (let k = Math.max(1, Math.ceil(space.view.b0 / banks.bytes)); k * banks.bytes < last; k++)
    hline(c, plate.x, right, space.y(k * banks.bytes), theme.control, 1, banks.mayCross ? [1, 5] : [4, 5])
  // told at the highest line, where buffers are rare
  const highest = Math.ceil(last / banks.bytes) - 1
  const y = space.y(highest * banks.bytes)
  if (p.narrow || highest < 1 || y > plate.y + plate.h || banks.bytes * space.sy < 16) return
  text(c, `banks of ${amount(p, banks.bytes)}`, right - 4, y - 4, mono(11), theme.text3, 'right')
}

/** Above the capacity nothing may lie: hatched, quietly. */
function paintRoomAbove(c: Ctx, p: Picture): void {
  const { plate } = p
  const y = Math.min(p.space.y(p.scene.capacity), plate.y + plate.h)
  if (y > plate.y) hatch(c, { x: plate.x, y: plate.y, w: plate.w, h: y - plate.y }, p.theme.line1, 7)
}

function paintBrackets(c: Ctx, p: Picture): void {
  const path = (relevant: boolean): void => {
    c.beginPath()
    for (const bracket of p.brackets) {
      if (bracket.relevant !== relevant) continue
      const x0 = p.space.x(p.scene.problem.lower[bracket.buffer] as number)
      const x1 = Math.max(x0 + 2, p.space.x(p.scene.problem.upper[bracket.buffer] as number))
      const y = Math.floor(p.space.y(bracket.offset)) + 0.5
      c.moveTo(Math.floor(x0) + 0.5, y - 5)
      c.lineTo(Math.floor(x0) + 0.5, y)
      c.lineTo(Math.floor(x1) - 0.5, y)
      c.lineTo(Math.floor(x1) - 0.5, y - 5)
    }
    c.stroke()
  }
  c.save()
  c.globalAlpha = 0.4
  c.strokeStyle = p.theme.text3
  c.lineWidth = 1
  path(false)
  c.restore()
}

/** Buffers in order of colour, so that the context's colour changes as rarely as possible. */
function* paintRects(c: Ctx, p: Picture): Work<void> {
  const rects = p.rects
  if (!rects) return
  const swatches = p.colours[p.shades.kind]
  const byColour: number[][] = swatches.map(() => [])
  for (let k = 0; k < rects.count; k++) {
    if (k % GRAIN === GRAIN - 1) yield
    const buffer = rects.buffer[k] as number
    if (buffer === BAR) {
      c.fillStyle = barColour(p.colours, rects.share[k] as number)
      c.fillRect(rects.x[k] as number, rects.y[k] as number, rects.w[k] as number, rects.h[k] as number)
    } else {
      byColour[p.shades.of(buffer)]?.push(k)
    }
  }
  for (const [colour, swatch] of swatches.entries()) {
    const members = byColour[colour] as number[]
    for (let from = 0; from < members.length; from += GRAIN) {
      paintGroup(c, p, swatch, members.slice(from, from + GRAIN))
      yield
    }
  }
}

function paintGroup(c: Ctx, p: Picture, swatch: Swatch, members: number[]): void {
  const rects = p.rects
  if (!rects || members.length === 0) return
  const { dpr } = p
  const dark = p.theme.name === 'dark'
  c.fillStyle = swatch.fill
  c.strokeStyle = swatch.edge
  for (const k of members) {
    // Edges lie on device pixels, so that neighbours that touch in memory part by exactly one pixel on the screen.
    const x0 = Math.round((rects.x[k] as number) * dpr) / dpr
    const y0 = Math.round((rects.y[k] as number) * dpr) / dpr
    const x1 = Math.round(((rects.x[k] as number) + (rects.w[k] as number)) * dpr) / dpr
    const y1 = Math.round(((rects.y[k] as number) + (rects.h[k] as number)) * dpr) / dpr
    const w = Math.max(x1 - x0, 0.8)
    const h = Math.max(y1 - y0, 0.8)
    if (!rects.detailed) c.fillRect(x0, y0, w, h)
    else if (dark) tileDark(c, x0, y0, w, h)
    else tileLight(c, x0, y0, w, h, 0.5 / dpr)
  }
}

/** Tiles parted by the background: 1 px is left free at the right and the top; slivers give up less. */
function tileDark(c: Ctx, x: number, y: number, w: number, h: number): void {
  const dx = w > 2.5 ? 1 : w > 1.5 ? 0.5 : 0
  const dy = h > 2.5 ? 1 : h > 1.5 ? 0.5 : 0
  c.fillRect(x, y + dy, w - dx, h - dy)
  if (w > 7 && h > 7) {
    c.lineWidth = 1
    c.strokeRect(x + 0.5, y + dy + 0.5, w - dx - 1, h - dy - 1)
  }
}

/** Tiles as on paper: a thin darker edge that touching neighbours share. */
function tileLight(c: Ctx, x: number, y: number, w: number, h: number, half: number): void {
  c.fillRect(x, y, w, h)
  c.lineWidth = w > 4 && h > 4 ? 0.9 : 0.4
  c.strokeRect(x + half, y - half, w, h)
}

const ID_FONT = mono(12)
const SIZE_FONT = mono(11)
const TEXTBOOK_ID = mono(14, 500)
const TEXTBOOK_SIZE = mono(11.5)

function paintLabels(c: Ctx, p: Picture, covered: Rect[]): void {
  const rects = p.rects
  if (!rects) return
  const done = new Set<number>()
  const small: [string, number, number, string][] = []
  c.font = p.textbook ? TEXTBOOK_ID : ID_FONT
  c.textAlign = 'left'
  c.textBaseline = 'alphabetic'
  for (let k = 0; k < rects.count; k++) {
    const buffer = rects.buffer[k] as number
    const label = labelBox(p, k)
    if (buffer === BAR || label.h < 13 || label.w < 15 || done.has(buffer)) continue
    const id = nameWithin(c, p.scene.problem.ids.at(buffer) ?? '', label.w - (p.textbook ? 20 : 8))
    if (id === '') continue
    const { width } = c.measureText(id)
    const two = label.w > 64 && label.h > (p.textbook ? 42 : 29)
    const baseline = p.textbook ? label.h / 2 + (two ? -3 : 5) : Math.min(label.h / 2 + 4, 13)
    const x = label.x + (p.textbook ? 10 : 4)
    const ground = { x: x - 1, y: label.y + baseline - 11, w: width + 2, h: 14 }
    if (covered.some((r) => overlaps(r, ground))) continue
    done.add(buffer)
    const ink = swatchOf(p, buffer).ink
    c.fillStyle = ink
    c.fillText(id, x, label.y + baseline)
    const size = two ? sizeText(p, buffer) : ''
    const below = { x, y: ground.y + 15, w: labelWidth(size), h: 16 }
    if (two && !covered.some((r) => overlaps(r, below))) {
      small.push([size, x, label.y + baseline + (p.textbook ? 18 : 14), ink])
    }
  }
  c.font = p.textbook ? TEXTBOOK_SIZE : SIZE_FONT
  c.globalAlpha = 0.72
  for (const [label, x, y, ink] of small) {
    c.fillStyle = ink
    c.fillText(label, x, y)
  }
  c.globalAlpha = 1
}

function sizeText(p: Picture, buffer: number): string {
  const size = amount(p, p.scene.problem.size[buffer] as number)
  return p.textbook && p.unit.name === '' ? `size ${size}` : size
}

/** The part of a rectangle that can be read: on the plate, and below what an outlined set has above the capacity. */
function labelBox(p: Picture, k: number): Rect {
  const rects = p.rects
  if (!rects) return { x: 0, y: 0, w: 0, h: 0 }
  const { plate, scene } = p
  const x = Math.max(rects.x[k] as number, plate.x)
  const y = Math.max(rects.y[k] as number, scene.unfit.length > 0 ? p.space.y(scene.capacity) : plate.y, plate.y)
  const right = Math.min((rects.x[k] as number) + (rects.w[k] as number), plate.x + plate.w)
  const bottom = Math.min((rects.y[k] as number) + (rects.h[k] as number), plate.y + plate.h)
  return { x, y, w: right - x, h: bottom - y }
}

/** Nothing has run: what is alive at each time, and by how much it is more than there is. */
function paintLoad(c: Ctx, p: Picture): void {
  const { plate, space, scene, theme } = p
  paintLoadOutline(c, scene, space, loadColumns(scene.problem, space), theme)
  if (scene.problem.count === 0) {
    text(c, 'no buffers', plate.x + plate.w / 2, plate.y + plate.h / 2, mono(12), theme.text3, 'center')
  }
}
