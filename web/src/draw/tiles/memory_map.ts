/** A stretch of memory as rows of bytes: fragments in their tensor's colour, or in that of their turn, as a task finds them. */
import type { Rect } from '../../base/geom'
import { type ByteUnit, bytesIn } from '../../base/format'
import { type Tokens, tokens } from '../../base/theme'
import { RAMP_STEPS, type Shades } from '../../layout/canvas/shade'
import type { Theme } from '../../layout/scene'
import { labelWidth } from '../../layout/ticks'
import type { MemoryCell, MemoryRows } from '../../layout/tiles/memory_rows'
import { coloursOf, type Swatch } from '../buffer_colours'
import { type Ctx, hatch, mono, outline, text } from '../primitives'
import { Still } from './still'

export interface MapScene {
  rows: MemoryRows
  /** of buffers; null: fragments are coloured by their turn */
  shades: Shades | null
  unit: ByteUnit
  theme: Theme
  label: string
}

/** Room for addresses, at least. */
const LEFT = 58
const EDGE = 2
/** Rows between two labels, in CSS pixels. */
const LABEL_GAP = 26

export class MemoryMap extends Still<MapScene> {
  protected told(scene: MapScene): string {
    return scene.label
  }

  protected paint(c: Ctx, scene: MapScene, { width, height }: { width: number; height: number }): void {
    const theme = tokens[scene.theme]
    const { rows, pitch, base, cells } = scene.rows
    const h = height - 2 * EDGE
    const high = h / rows
    const every = Math.max(1, Math.ceil(LABEL_GAP / high))
    const label = (row: number) => bytesIn(base + row * pitch, scene.unit)
    // none is cut: a fragment may begin at any address
    const labels = Array.from({ length: Math.ceil(rows / every) }, (_, k) => label(k * every))
    const left = Math.max(LEFT, ...labels.map((one) => labelWidth(one) + 9))
    const plate = { x: left, y: EDGE, w: width - left - EDGE, h }
    c.fillStyle = theme.grid
    for (let row = 0; row < rows; row++) c.fillRect(plate.x, plate.y + row * high, plate.w, Math.max(0.5, high - 1))
    for (const cell of cells) {
      const swatch = swatchOf(scene, cell)
      for (const rect of partsOf(cell, pitch, plate, high)) paintCell(c, rect, cell, swatch, theme)
    }
    for (const [k, words] of labels.entries()) {
      const y = plate.y + k * every * high + Math.max(9, Math.min(high - 1, 12))
      text(c, words, left - 7, y, mono(11), theme.text3, 'right')
    }
  }
}

function swatchOf({ shades, theme }: MapScene, { buffer, turn }: MemoryCell): Swatch | undefined {
  const colours = coloursOf(theme)
  if (shades === null) return colours.ramp[Math.round(turn * (RAMP_STEPS - 1))]
  return colours[shades.kind][shades.of(buffer)]
}

/** A cell falls into a part in each row that it touches. */
function partsOf({ from, to }: MemoryCell, pitch: number, plate: Rect, high: number): Rect[] {
  const parts: Rect[] = []
  for (let row = Math.floor(from / pitch); row * pitch < to; row++) {
    const x0 = plate.x + (Math.max(0, from - row * pitch) / pitch) * plate.w
    const x1 = plate.x + (Math.min(pitch, to - row * pitch) / pitch) * plate.w
    const h = Math.max(0.5, high - 1)
    parts.push({ x: x0, y: plate.y + row * high, w: Math.max(1, x1 - x0 - 0.5), h })
  }
  return parts
}

const ALPHA = { live: 1, written: 1, read: 1, released: 0.8, coming: 0.16, gone: 0.16 }

function paintCell(c: Ctx, rect: Rect, { state }: MemoryCell, swatch: Swatch | undefined, theme: Tokens): void {
  c.save()
  c.globalAlpha = ALPHA[state]
  c.fillStyle = state === 'written' ? theme.now : (swatch?.fill ?? theme.ghost)
  c.fillRect(rect.x, rect.y, rect.w, rect.h)
  c.restore()
  const ink = swatch?.ink ?? theme.text1
  if (state === 'released') hatch(c, rect, ink, 5)
  if (state === 'read' || state === 'released') outline(c, rect, ink, 1.5)
}
