/** Fills, edges and inks of buffers, made once per theme from the tokens. */
import { clamp, lerp } from '../base/geom'
import { type ThemeName, tokens } from '../base/theme'
import { RAMP_STEPS } from '../layout/canvas/shade'

export interface Swatch {
  fill: string
  /** light: the darker edge; dark: the lighter inner line */
  edge: string
  /** label on the fill, the one of two inks that contrasts more */
  ink: string
}

type Triple = [number, number, number]

function parse(hex: string): Triple {
  const n = Number.parseInt(hex.slice(1), 16)
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
}

function toHex(rgb: Triple): string {
  return `#${rgb.map((v) => clamp(Math.round(v), 0, 255).toString(16).padStart(2, '0')).join('')}`
}

function linear(v: number): number {
  const s = v / 255
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
}

function gamma(v: number): number {
  return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)
}

/** sRGB to OKLab (Ottosson 2020). */
export function toLab(hex: string): Triple {
  const [r, g, b] = parse(hex).map(linear) as Triple
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromLab([L, a, b]: Triple): string {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3
  return toHex([
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ])
}

/** Colour at 0..1 along stops, interpolated in OKLab. */
export function rampColour(stops: string[], share: number): string {
  const at = clamp(share, 0, 1) * (stops.length - 1)
  const k = Math.min(stops.length - 2, Math.floor(at))
  const from = toLab(stops[k] as string)
  const to = toLab(stops[k + 1] as string)
  return fromLab(from.map((v, i) => lerp(v, to[i] as number, at - k)) as Triple)
}

/** b over a with the given share of b, in sRGB as a canvas would blend it. */
export function mix(a: string, b: string, share: number): string {
  const from = parse(a)
  const to = parse(b)
  return toHex(from.map((v, i) => lerp(v, to[i] as number, share)) as Triple)
}

export function luminance(hex: string): number {
  const [r, g, b] = parse(hex).map(linear) as Triple
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(a: string, b: string): number {
  const p = luminance(a)
  const q = luminance(b)
  return (Math.max(p, q) + 0.05) / (Math.min(p, q) + 0.05)
}

export const DARK_INK = '#0B0D0F'
export const LIGHT_INK = '#FFFFFF'

/** AA for small text. Where a ramp passes between the two inks neither quite reaches it; plain black then does. */
const READABLE = 4.5

export function inkOn(fill: string): string {
  const dark = contrast(fill, DARK_INK)
  const light = contrast(fill, LIGHT_INK)
  if (Math.max(dark, light) < READABLE) return '#000000'
  return dark >= light ? DARK_INK : LIGHT_INK
}

function swatch(fill: string, theme: ThemeName): Swatch {
  const y = luminance(fill)
  const edge =
    theme === 'dark'
      ? mix(fill, '#FFFFFF', y < 0.12 ? 0.17 : 0.1)
      : mix(fill, '#10222C', lerp(0.5, 0.28, clamp((y - 0.1) / 0.5, 0, 1)))
  return { fill, edge, ink: inkOn(fill) }
}

export interface BufferColours {
  ramp: Swatch[]
  heat: Swatch[]
  categories: Swatch[]
  /** occupancy bars, by share */
  bars: string[]
}

const BAR_STEPS = 8
const made = new Map<ThemeName, BufferColours>()

export function coloursOf(theme: ThemeName): BufferColours {
  let colours = made.get(theme)
  if (!colours) {
    const t = tokens[theme]
    const along = (stops: string[]) =>
      Array.from({ length: RAMP_STEPS }, (_, k) => swatch(rampColour(stops, k / (RAMP_STEPS - 1)), theme))
    const bars: string[] = []
    for (let k = 0; k < BAR_STEPS; k++) bars.push(rampColour([t.loadFill, t.loadLine], k / (BAR_STEPS - 1)))
    colours = { ramp: along(t.ramp), heat: along(t.heat), categories: t.categories.map((c) => swatch(c, theme)), bars }
    made.set(theme, colours)
  }
  return colours
}

export function barColour(colours: BufferColours, share: number): string {
  return colours.bars[clamp(Math.round(share * (BAR_STEPS - 1)), 0, BAR_STEPS - 1)] as string
}
