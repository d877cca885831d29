/** The legend of a figure: what its colours and lines stand for. */
import { SANS } from '../../base/theme'
import { boundTriangle, type Ctx, hline, mono, outline, text } from '../../draw/primitives'
import { limit, type Picture } from '../../draw/canvas/picture'
import { capacityWords } from '../../draw/canvas/tags'
import { textWidth } from '../../draw/vector'
import { type ColourKey, colourKey } from '../../layout/canvas/colour_key'

/** Painted with its left edge at x, its middle at y. */
export interface Item {
  width: number
  paint: (c: Ctx, x: number, y: number) => void
}

const WORDS = `11px ${SANS}`
const NUMBERS = mono(11)
/** From the middle of a line of 11 units to its baseline. */
const BASE = 4
const GAP = 6
const SAMPLE = 18
const RAMP = { w: 72, h: 10, steps: 24 }
const SWATCH = 10
/** More types than this are not told apart by colour. */
const MOST_TYPES = 12

const wordsWidth = (words: string) => textWidth(words, { family: 'sans', size: 11, weight: 400 })
const numbersWidth = (words: string) => textWidth(words, { family: 'mono', size: 11, weight: 400 })

/** A sample with its name. */
function named(p: Picture, name: string, sample: number, paint: Item['paint']): Item {
  return {
    width: sample + GAP + wordsWidth(name),
    paint: (c, x, y) => {
      paint(c, x, y)
      text(c, name, x + sample + GAP, y + BASE, WORDS, p.theme.text2)
    },
  }
}

function rampItem(p: Picture, { of, title, low, high }: Extract<ColourKey, { kind: 'ramp' }>): Item {
  const from = wordsWidth(title) + GAP
  const ramp = from + numbersWidth(low) + GAP
  const to = ramp + RAMP.w + GAP
  return {
    width: to + numbersWidth(high),
    paint: (c, x, y) => {
      text(c, title, x, y + BASE, WORDS, p.theme.text2)
      text(c, low, x + from, y + BASE, NUMBERS, p.theme.text2)
      const w = RAMP.w / RAMP.steps
      for (let k = 0; k < RAMP.steps; k++) {
        const shade = Math.round((k / (RAMP.steps - 1)) * (p.colours[of].length - 1))
        c.fillStyle = p.colours[of][shade]?.fill ?? p.theme.loadFill
        c.fillRect(x + ramp + k * w, y - RAMP.h / 2, w, RAMP.h)
      }
      text(c, high, x + to, y + BASE, NUMBERS, p.theme.text2)
    },
  }
}

function swatchItem(p: Picture, name: string, shade: number): Item {
  return named(p, name, SWATCH, (c, x, y) => {
    const swatch = p.colours.categories[shade]
    c.fillStyle = swatch?.fill ?? p.theme.loadFill
    c.fillRect(x, y - SWATCH / 2, SWATCH, SWATCH)
    outline(c, { x, y: y - SWATCH / 2, w: SWATCH, h: SWATCH }, swatch?.edge ?? p.theme.line2, 0.9)
  })
}

function colours(p: Picture): Item[] {
  const key = p.scene.frame === null ? null : colourKey(p.scene, p.unit)
  if (key === null) return []
  if (key.kind === 'ramp') return [rampItem(p, key)]
  return key.entries.slice(0, MOST_TYPES).map(({ type, shade }) => swatchItem(p, type, shade))
}

/** What a step may show beside what is placed. always: whether this step shows it or not. */
function stepItems(p: Picture, always: boolean): Item[] {
  const { candidate, ghosts, swapped } = p.step
  const tile = (name: string, colour: string, width: number, dash: number[]) =>
    named(p, name, SWATCH, (c, x, y) => outline(c, { x, y: y - SWATCH / 2, w: SWATCH, h: SWATCH }, colour, width, dash))
  const items: Item[] = []
  const words = always ? 'this step' : candidate?.asked ? 'tried, not placed' : 'placed by this step'
  if (always || candidate !== null) items.push(tile(words, p.theme.now, 2, []))
  if (swapped.length > 0) items.push(tile('change places in the order', p.theme.now, 2, []))
  if (always || ghosts.length > 0) items.push(tile('taken back', p.theme.why, 1, [3, 3]))
  return items
}

/** steady: the same items at every step. */
export function legendItems(p: Picture, steady: boolean): Item[] {
  const { scene, theme } = p
  const least = scene.bounds !== null
  const bound = limit(p, scene.bounds?.lowerBound ?? scene.problem.lowerBound)
  const line = (name: string, colour: string, width: number, dash: number[], more: Item['paint'] = () => {}) =>
    named(p, name, SAMPLE, (c, x, y) => {
      hline(c, x, x + SAMPLE, y, colour, width, dash)
      more(c, x, y)
    })
  // of several pools none has a bound here, and each names its own capacity
  if (scene.stacked) return [...colours(p), line('capacity', theme.capacity, 1.5, []), ...stepItems(p, steady)]
  return [
    ...colours(p),
    line(capacityWords(p), theme.capacity, least ? 1 : 1.5, least ? [6, 4] : []),
    line(`lower bound ${bound}`, theme.bound, 1, [2, 4], (c, x, y) => boundTriangle(c, x + SAMPLE - 7, y, theme.bound)),
    ...stepItems(p, steady),
  ]
}
