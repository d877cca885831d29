/** A search in layers on the seismograph's plate: states kept above the line, what was left out below it, pass by pass. */
import { thousands } from '../../base/format'
import { SANS, type Tokens } from '../../base/theme'
import type { Beam, SearchScene } from '../../layout/scene'
import { shareOf } from '../../layout/search/beam'
import { labelWidth } from '../../layout/ticks'
import { type Ctx, mono, text, vline } from '../primitives'
import { stepX, type TracePlate } from './paint_trace'

const mostLost = ({ layers }: Beam): number =>
  layers.reduce((most, { dominated, pruned }) => Math.max(most, dominated + pruned), 1)
const mostKept = ({ passes }: Beam): number => passes.reduce((most, { widest }) => Math.max(most, widest), 1)

/** A pass begins where its name is, as far as there is room for it. */
function paintPasses(c: Ctx, plate: TracePlate, beam: Beam, scene: SearchScene, theme: Tokens): void {
  beam.passes.forEach(({ stage, first }, k) => {
    const x = stepX(plate, first - 1)
    const end = stepX(plate, (beam.passes[k + 1]?.first ?? scene.steps + 1) - 1)
    if (k > 0) vline(c, x, plate.top - 12, plate.end, theme.line2, 1, [1, 2])
    const name = scene.passName?.(stage) ?? ''
    if (labelWidth(name) + 8 < end - x) text(c, name, x + 4, plate.top - 5, `11px ${SANS}`, theme.text3)
  })
}

/** A tick where the best plan became better. */
function paintBests(c: Ctx, plate: TracePlate, beam: Beam, theme: Tokens): void {
  let best = -1
  for (const layer of beam.layers) {
    if (layer.best < 0 || layer.best === best) continue
    best = layer.best
    vline(c, stepX(plate, layer.last), plate.top - 3, plate.top + 6, theme.ok, 2)
  }
}

export function paintBeam(
  c: Ctx,
  plate: TracePlate,
  beam: Beam,
  scene: SearchScene,
  theme: Tokens,
  low: boolean,
): void {
  const [kept, lost] = [mostKept(beam), mostLost(beam)]
  for (const { first, last, states, dominated, pruned } of beam.layers) {
    const x = stepX(plate, first - 1)
    const w = Math.max(0.8, stepX(plate, last) - x)
    const past = first <= scene.cursor
    const high = (plate.zero - plate.top) * shareOf(states, kept)
    c.fillStyle = past ? theme.trace : theme.traceFuture
    c.fillRect(x, plate.zero - high, w, high)
    const deep = (plate.end - plate.below) * shareOf(dominated + pruned, lost)
    const part = (deep * dominated) / Math.max(1, dominated + pruned)
    c.globalAlpha = past ? 1 : 0.45
    c.fillStyle = theme.ghost
    c.fillRect(x, plate.below, w, part)
    c.fillStyle = theme.fateBound
    c.fillRect(x, plate.below + part, w, deep - part)
    c.globalAlpha = 1
  }
  if (!low) paintPasses(c, plate, beam, scene, theme)
  paintBests(c, plate, beam, theme)
  if (scene.ruler === false) return
  const at = plate.x - 9
  text(c, thousands(kept), at, plate.top + 4, mono(11), theme.text3, 'right')
  text(c, '0', at, plate.zero + 3, mono(11), theme.text3, 'right')
  if (low) return
  text(c, 'states', at, (plate.top + plate.zero) / 2 + 4, `11px ${SANS}`, theme.text3, 'right')
  text(c, 'left out', at, (plate.below + plate.end) / 2 + 6, `11px ${SANS}`, theme.text3, 'right')
}
