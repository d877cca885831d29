import { expect, test } from 'vitest'
import { grown } from './law'

const wave = (k: number) => 1000 + ((k * 37) % 50)
const rounds = (n: number, leak: number) => Array.from({ length: n }, (_, k) => wave(k) + leak * k)

test.each([
  ['a figure that breathes', rounds(30, 0), false],
  ['one that falls', rounds(30, -10), false],
  ['what each round may add', rounds(30, 2), false],
  ['a slow leak', rounds(30, 6), true],
  ['a leak in a few rounds', rounds(8, 40), true],
  ['what comes once, at the beginning', [400, 900, ...rounds(20, 0)], false],
  ['what comes once, late', [...rounds(20, 0), ...rounds(20, 0).map((x) => x + 300)], true],
  ['no figure at all', rounds(9, Number.NaN), true],
] as const)('%s', (_, figures, leaks) => {
  expect(grown(figures, 0.05, 2).grown).toBe(leaks)
})

test('too few rounds say nothing', () => {
  expect(() => grown(rounds(4, 0), 0.05, 2)).toThrow('too few')
})
