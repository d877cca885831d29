/** The matrix in figures: losses in words and shades, what planners lose by their granules alone, and how often each is at the bound. */
import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../wasm/client/types'
import { segmentsOf } from '../../../web/src/export/dom_shapes'
import { lossShade, lossText, tallyOf, toyLoss } from '../../../web/src/panels/compare/matrix_tables'
import type { MatrixRow } from '../../../web/src/run/compare/matrix'
import { emptyCell, type ResultCell } from '../../../web/src/state/compare/results'
import { granuleOf, roundingLoss } from '../../../web/src/state/compare/rounding'
import { fiveBuffers, manifest } from '../support/fake'

const cell = (height: number): ResultCell => ({ ...emptyCell('feasible'), height, lowerBound: 100 })
const row = (cells: (ResultCell | null)[], rounding: number[]): MatrixRow => ({
  instance: { kind: 'example', id: 'x', title: 'X', note: '' },
  facts: { count: 1, lowerBound: 100, capacity: 100 },
  rounding,
  wrong: '',
  cells,
})

describe('a loss', () => {
  it('is none at the bound, and darker the larger it is, on a log scale', () => {
    expect([0, 0.075, 31.125].map(lossText)).toEqual(['optimal', '+7.50 %', '+3112.50 %'])
    const shades = [0, 0.001, 0.01, 0.1, 1, 30].map(lossShade)
    expect(shades).toEqual([0, 0.08, expect.closeTo(1 / 3), expect.closeTo(2 / 3), 1, 1])
  })

  it('that granules alone make on buffers as small says nothing of a planner', () => {
    // three buffers of 4 bytes at the peak: 48 bytes in granules of 16
    const problem: Problem = { ...fiveBuffers(), lowerBound: 12 }
    expect(roundingLoss(problem, 16)).toBe(3)
    expect(roundingLoss(problem, 4)).toBe(0)
    expect(roundingLoss(problem, 1)).toBe(0)
    const solver = manifest.solvers[0]
    if (solver === undefined) throw new Error('no solver')
    const option = { type: 'int' as const, title: '', min: 1, max: 64, choices: [], help: '' }
    expect(granuleOf({ ...solver, options: [{ ...option, name: 'alignment', initial: '64' }] })).toBe(64)
    expect(granuleOf({ ...solver, options: [] })).toBe(1)
    expect([0.04, 0.05, 3].map((loss) => toyLoss(row([], [loss]), 0))).toEqual([0, 0.05, 3])
  })

  it('is counted over all rows but those that are too small, refused or not known', () => {
    const rows = [
      row([cell(100)], [0]),
      row([cell(107)], [0]),
      row([cell(300)], [2]),
      row([emptyCell('refused')], [0]),
      row([null], [0]),
    ]
    expect(tallyOf(rows, 0)).toEqual({ optimal: 1, of: 2 })
  })
})

describe('paths of the page', () => {
  it('become segments, relative or not', () => {
    const to = (x: number, y: number) => [x + 10, y] as const
    expect(segmentsOf('M1 2h3V4l-1-.5Z', to)).toEqual([['M', 11, 2], ['L', 14, 2], ['L', 14, 4], ['L', 13, 3.5], ['Z']])
    expect(segmentsOf('M-3.6-3.6 3.6 3.6M0 1L2 3', to)).toEqual([
      ['M', 6.4, -3.6],
      ['L', 13.6, 3.6],
      ['M', 10, 1],
      ['L', 12, 3],
    ])
  })
})
