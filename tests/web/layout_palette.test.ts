import { describe, expect, test } from 'vitest'
import { cssVariables, type ThemeName, tokens } from '../../web/src/base/theme'
import { contrast, inkOn, luminance, paletteOf, rampColour } from '../../web/src/draw/palette'
import { CATEGORIES, RAMP_STEPS } from '../../web/src/layout/shade'

const themes: ThemeName[] = ['dark', 'light']

describe.each(themes)('%s palette', (theme) => {
  const palette = paletteOf(theme)

  test('the ramp runs evenly from its first stop to its last, one way in lightness', () => {
    expect(palette.ramp.length).toBe(RAMP_STEPS)
    const { ramp } = tokens[theme]
    expect(palette.ramp[0]?.fill.toUpperCase()).toBe(ramp[0])
    expect(palette.ramp[RAMP_STEPS - 1]?.fill.toUpperCase()).toBe(ramp[ramp.length - 1])
    const up = theme === 'dark' ? 1 : -1
    for (let k = 1; k < RAMP_STEPS; k++) {
      const step = luminance(palette.ramp[k]?.fill ?? '') - luminance(palette.ramp[k - 1]?.fill ?? '')
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
    expect(palette.categories.length).toBe(CATEGORIES)
    for (const { fill, ink } of [...palette.categories, ...palette.ramp]) {
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
