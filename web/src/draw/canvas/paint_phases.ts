/** Contention phases on the load strip: when each lasts, its number in the order of the search, and the one under way strongly. */
import { type PhaseBand, phaseBands, phaseNow } from '../../layout/canvas/phases'
import type { Scene } from '../../layout/scene'
import type { Space } from '../../layout/canvas/spaces'
import type { Tokens } from '../../base/theme'
import { thousands } from '../../base/format'
import { labelWidth } from '../../layout/ticks'
import { type Ctx, mono, outline, plaque, text } from '../primitives'

/** Neighbours are told apart by two tones. */
const TONES = [0.05, 0.11]
const NOW_TONE = 0.2
/** A band narrower than this has an edge and no room for a tone of its own. */
const LEAST = 1

export function paintPhases(c: Ctx, scene: Scene, space: Space, theme: Tokens): void {
  const { frame } = scene
  if (!frame?.phases) return
  const now = phaseNow(frame, scene.now)
  const { plate } = space
  const bands = phaseBands(scene.problem, frame.phases)
  c.save()
  c.beginPath()
  c.rect(plate.x, 0, plate.w, plate.y + plate.h + 2)
  c.clip()
  bands.forEach((band, k) => {
    const { x, w } = place(band, space)
    c.globalAlpha = band.phase === now ? NOW_TONE : (TONES[k % TONES.length] as number)
    c.fillStyle = theme.text1
    c.fillRect(x, plate.y, Math.max(LEAST, w), plate.h)
  })
  c.globalAlpha = 1
  for (const band of bands) if (band.phase !== now) paintNumber(c, band, space, theme.text2, 400, '')
  // the one under way last: its frame and its number cover what is beside it
  for (const band of bands) {
    if (band.phase !== now) continue
    const { x, w } = place(band, space)
    outline(c, { x: Math.round(x), y: plate.y, w: Math.max(3, Math.round(w)), h: plate.h }, theme.text1, 1)
    paintNumber(c, band, space, theme.text1, 500, theme.well)
  }
  c.restore()
}

/** x and width of a band, cut to the plate. */
function place(band: PhaseBand, space: Space): { x: number; w: number } {
  const { plate } = space
  const x = Math.max(plate.x, space.x(band.lower))
  return { x, w: Math.min(plate.x + plate.w, space.x(band.upper)) - x }
}

/** On the ground of the band, in words where they fit; with a ground of its own it may stick out. */
function paintNumber(c: Ctx, band: PhaseBand, space: Space, colour: string, weight: number, ground: string): void {
  const { plate } = space
  const { x, w } = place(band, space)
  if (w < 0) return
  const number = thousands(band.phase + 1)
  const long = `phase ${number}`
  const fits = (label: string): boolean => labelWidth(label) + 8 <= w
  if (!fits(number) && ground === '') return
  const label = fits(long) ? long : number
  const half = labelWidth(label) / 2
  const at = Math.max(plate.x + half + 2, Math.min(x + w / 2, plate.x + plate.w - half - 2))
  const y = plate.y + plate.h - 5
  if (ground !== '' && !fits(label)) plaque(c, { x: at - half - 3, y: y - 11, w: 2 * half + 6, h: 15 }, ground)
  text(c, label, at, y, mono(11, weight), colour, 'center')
}
