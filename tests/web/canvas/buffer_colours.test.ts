import { describe, expect, test } from 'vitest'
import { cssVariables, type ThemeName, tokens } from '../../../web/src/base/theme'
import { contrast, inkOn, luminance, coloursOf, rampColour, toLab } from '../../../web/src/draw/buffer_colours'
import { CATEGORIES, RAMP_STEPS } from '../../../web/src/layout/canvas/shade'

const themes: ThemeName[] = ['dark', 'light']

type Matrix = [number, number, number][]

/** What remains of linear RGB without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1). */
const SIGHT: Record<string, Matrix> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function seen(hex: string, matrix: Matrix): string {
  const n = Number.parseInt(hex.slice(1), 16)
  const linear = [(n >> 16) & 255, (n >> 8) & 255, n & 255].map((v) => {
    const s = v / 255
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
  })
  const rgb = matrix.map((row) => {
    const v = Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, weight, k) => sum + weight * (linear[k] ?? 0), 0),
      ),
    )
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055))
  })
  return `#${rgb.map((v) => v.toString(16).padStart(2, '0')).join('')}`
}

/** 100 x the distance in OKLab. */
function apart(a: string, b: string): number {
  const [p, q] = [toLab(a), toLab(b)]
  return 100 * Math.hypot(...p.map((v, k) => v - (q[k] ?? 0)))
}

/** Of the two of a list that are most alike. */
function nearest(list: string[]): number {
  return Math.min(...list.flatMap((a, i) => list.slice(i + 1).map((b) => apart(a, b))))
}

/** Fills that are less apart are taken for one another where they touch. */
const TOLD_APART = 5

describe.each(Object.entries(SIGHT))('with %s', (_, matrix) => {
  const as = (hex: string) => seen(hex, matrix)

  test.each(themes)('all categories of the %s theme differ, the first six by far', (theme) => {
    const fills = coloursOf(theme).categories.map(({ fill }) => as(fill))
    expect(nearest(fills)).toBeGreaterThanOrEqual(TOLD_APART)
    expect(nearest(fills.slice(0, 6))).toBeGreaterThanOrEqual(8)
  })
  test.each(themes)('the ramp of the %s theme goes one way in lightness', (theme) => {
    const up = theme === 'dark' ? 1 : -1
    for (const stops of [tokens[theme].ramp, tokens[theme].heat]) {
      const lightness = stops.map((stop) => toLab(as(stop))[0])
      for (let k = 1; k < lightness.length; k++)
        expect(((lightness[k] ?? 0) - (lightness[k - 1] ?? 0)) * up).toBeGreaterThan(0.01)
    }
  })
  test.each(themes)('now and why of the %s theme are neither each other nor any buffer', (theme) => {
    const { now, why } = tokens[theme]
    expect(apart(as(now), as(why))).toBeGreaterThanOrEqual(10)
    const { categories, ramp, heat } = coloursOf(theme)
    for (const { fill } of [...categories, ...ramp, ...heat])
      for (const event of [now, why]) expect(apart(as(fill), as(event))).toBeGreaterThanOrEqual(TOLD_APART)
  })
  test.each(themes)('every tile of the %s theme stands out from the plate by its fill or its edge', (theme) => {
    const { well } = tokens[theme]
    const { categories, ramp, heat } = coloursOf(theme)
    for (const { fill, edge } of [...categories, ...ramp, ...heat])
      expect(Math.max(apart(as(fill), as(well)), apart(as(edge), as(well)))).toBeGreaterThanOrEqual(2 * TOLD_APART)
  })
})

test('the simulation takes away what it should', () => {
  const { deuteranopia, tritanopia } = SIGHT
  if (deuteranopia === undefined || tritanopia === undefined) throw new Error('not there')
  // a red and a green of one lightness
  expect(apart('#c96a5a', '#7d9440')).toBeGreaterThan(15)
  expect(apart(seen('#c96a5a', deuteranopia), seen('#7d9440', deuteranopia))).toBeLessThan(8)
  expect(seen('#808080', tritanopia)).toBe('#808080')
})

describe.each(themes)('%s colours', (theme) => {
  const colours = coloursOf(theme)

  test('the ramp runs evenly from its first stop to its last, one way in lightness', () => {
    expect(colours.ramp.length).toBe(RAMP_STEPS)
    const { ramp } = tokens[theme]
    expect(colours.ramp[0]?.fill.toUpperCase()).toBe(ramp[0])
    expect(colours.ramp[RAMP_STEPS - 1]?.fill.toUpperCase()).toBe(ramp[ramp.length - 1])
    const up = theme === 'dark' ? 1 : -1
    for (let k = 1; k < RAMP_STEPS; k++) {
      const step = luminance(colours.ramp[k]?.fill ?? '') - luminance(colours.ramp[k - 1]?.fill ?? '')
      expect(step * up).toBeGreaterThan(-0.002)
    }
  })
  test('stops are met exactly', () => {
    const { ramp } = tokens[theme]
    ramp.forEach((stop, k) => {
      expect(rampColour(ramp, k / (ramp.length - 1)).toUpperCase()).toBe(stop)
    })
  })
  test('labels can be read on every fill', () => {
    expect(colours.categories.length).toBe(CATEGORIES)
    for (const { fill, ink } of [...colours.categories, ...colours.ramp, ...colours.heat]) {
      expect(contrast(fill, ink)).toBeGreaterThanOrEqual(4.5)
      expect(ink).toBe(inkOn(fill))
    }
  })
  test('text and events can be read on the surfaces', () => {
    const t = tokens[theme]
    for (const colour of [t.text1, t.text2, t.text3, t.why, t.ok, t.accent, t.nowText]) {
      for (const ground of [t.well, t.surface1]) expect(contrast(colour, ground)).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(t.why, t.whyTint)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(t.nowInk, t.now)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(t.fateCanonical, t.fateCanonicalTint)).toBeGreaterThanOrEqual(4.5)
  })
  test('what tools draw can be made out: lines and outlines on the plate', () => {
    const t = tokens[theme]
    for (const colour of [t.capacity, t.bound, t.ok, t.accent, t.text1, t.control, t.loadLine])
      expect(contrast(colour, t.well)).toBeGreaterThanOrEqual(3)
  })
  test('every role becomes one custom property', () => {
    const names = cssVariables(theme).map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('--surface-1')
    expect(names).toContain('--on-accent')
    expect(names).toContain('--fate-canonical-tint')
    expect(names.filter((name) => name.startsWith('--category-')).length).toBe(CATEGORIES)
    for (const [, value] of cssVariables(theme)) expect(value).toMatch(/^#[0-9A-F]{6}$/)
  })
})
