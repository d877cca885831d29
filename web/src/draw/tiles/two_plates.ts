/** Two plans on one scale of addresses, side by side. */
import { type ByteUnit, bytesIn } from '../../base/format'
import { type Tokens, tokens } from '../../base/theme'
import { memoryRects } from '../../layout/canvas/memory_rects'
import type { Shades } from '../../layout/canvas/shade'
import { Space, timeExtent } from '../../layout/canvas/spaces'
import type { Theme } from '../../layout/scene'
import type { Problem } from '../../../../wasm/client/types'
import { coloursOf } from '../buffer_colours'
import { type Ctx, hline, mono, text } from '../primitives'
import { Still } from './still'

export interface PlateOfPlan {
  name: string
  problem: Problem
  offset: Float64Array<ArrayBuffer>
  height: number
}

export interface PlatesScene {
  /** null: not known yet */
  plans: readonly (PlateOfPlan | null)[]
  shades: Shades
  unit: ByteUnit
  theme: Theme
}

const GAP = 14
const TOP = 20

export class TwoPlates extends Still<PlatesScene> {
  protected told({ plans, unit }: PlatesScene): string {
    const known = plans.filter((plan) => plan !== null)
    return known.map(({ name, height }) => `${name}: ${bytesIn(height, unit)}`).join(', ')
  }

  protected paint(c: Ctx, scene: PlatesScene, { width, height }: { width: number; height: number }): void {
    const theme = tokens[scene.theme]
    const count = scene.plans.length
    const w = Math.max(1, (width - GAP * (count - 1)) / count)
    const top = Math.max(1, ...scene.plans.map((plan) => plan?.height ?? 0))
    for (const [k, plan] of scene.plans.entries()) {
      const plate = { x: k * (w + GAP), y: TOP, w, h: Math.max(1, height - TOP - 1) }
      hline(c, plate.x, plate.x + w, plate.y + plate.h, theme.line2)
      if (plan === null) continue
      const [t0, t1] = timeExtent(plan.problem)
      paintPlan(c, plan, scene, new Space({ t0, t1, b0: 0, b1: top }, plate), theme)
    }
  }
}

function paintPlan(c: Ctx, plan: PlateOfPlan, scene: PlatesScene, space: Space, theme: Tokens): void {
  const { plate } = space
  const rects = memoryRects(plan.problem, plan.offset, space, Number.POSITIVE_INFINITY)
  const colours = coloursOf(scene.theme)
  const swatches = colours[scene.shades.kind]
  for (let k = 0; rects !== null && k < rects.count; k++) {
    const buffer = rects.buffer[k] as number
    c.fillStyle = buffer < 0 ? theme.ghost : (swatches[scene.shades.of(buffer)]?.fill ?? theme.ghost)
    const [w, h] = [rects.w[k] as number, rects.h[k] as number]
    c.fillRect(rects.x[k] as number, rects.y[k] as number, Math.max(0.8, w - 0.5), Math.max(0.8, h - 0.5))
  }
  const y = space.y(plan.height)
  hline(c, plate.x, plate.x + plate.w, y, theme.capacity, 1.5)
  text(c, `${plan.name} ${bytesIn(plan.height, scene.unit)}`, plate.x, y - 6, mono(11), theme.text1)
}
