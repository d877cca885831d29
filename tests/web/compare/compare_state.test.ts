/** What a comparison says: orders, exports, one playhead over several runs, who was first, what is kept. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ClientError, Problem, SolverInfo } from '../../../wasm/client/types'
import { byteUnit } from '../../../web/src/base/format'
import { firstLanes, known, type LaneChoice, MATRIX, SWEEP } from '../../../web/src/state/compare/compare'
import { type KeptChoices, keepChoices, restoreChoices } from '../../../web/src/state/compare/kept_choices'
import {
  type Finish,
  firstToDecide,
  lengthOf,
  positionOf,
  raceNews,
  stepUnder,
  strideOf,
} from '../../../web/src/state/race/race_playhead'
import {
  type ResultCell,
  cellOf,
  cellOfRun,
  emptyCell,
  outcomeTitle,
  resultColumns,
} from '../../../web/src/state/compare/results'
import { type Column, ordered, toCsv, toMarkdown, turned } from '../../../web/src/state/compare/table'
import { fiveBuffers, manifest, statsOf } from '../support/fake'

const five = fiveBuffers()

interface Row {
  name: string
  size: number | null
}
const NAME: Column<Row> = {
  id: 'name',
  title: 'Name | id',
  number: false,
  value: ({ name }) => name,
  shown: ({ name }) => name,
}
const SIZE: Column<Row> = {
  id: 'size',
  title: 'Size',
  number: true,
  value: ({ size }) => size,
  shown: ({ size }) => (size === null ? '–' : `${size} KiB`),
}
const COLUMNS = [NAME, SIZE]
const rows = (...list: [string, number | null][]): Row[] => list.map(([name, size]) => ({ name, size }))

describe('a table', () => {
  const all = rows(['b10', 3], ['b2', null], ['b1', 20], ['b3', 3])
  const names = (list: Row[]) => list.map(({ name }) => name)

  it('is ordered by numbers as numbers and by names as people count, what is unknown last either way', () => {
    expect(names(ordered(all, COLUMNS, { column: 'size', down: false }))).toEqual(['b10', 'b3', 'b1', 'b2'])
    expect(names(ordered(all, COLUMNS, { column: 'size', down: true }))).toEqual(['b1', 'b10', 'b3', 'b2'])
    expect(names(ordered(all, COLUMNS, { column: 'name', down: false }))).toEqual(['b1', 'b2', 'b3', 'b10'])
    expect(names(ordered(all, COLUMNS, null))).toEqual(names(all))
    expect(names(ordered(all, COLUMNS, { column: 'gone', down: false }))).toEqual(names(all))
  })

  it('turns from up to down to as it came', () => {
    const up = turned(null, 'size')
    expect(up).toEqual({ column: 'size', down: false })
    const down = turned(up, 'size')
    expect(down).toEqual({ column: 'size', down: true })
    expect(turned(down, 'size')).toBeNull()
    expect(turned(down, 'name')).toEqual({ column: 'name', down: false })
  })

  it('is Markdown in which no cell can end a cell or a line', () => {
    const text = toMarkdown(COLUMNS, rows(['a|b\\', 1], ['two\r\nlines', null]))
    expect(text).toBe('| Name \\| id | Size |\n| :--- | ---: |\n| a\\|b\\\\ | 1 KiB |\n| two lines | – |\n')
  })

  it('is CSV with exact values, in quotes where that is needed', () => {
    const text = toCsv(COLUMNS, rows(['say "a, b"', 1.5], ['x\ny', null], [' edge ', 0], ['plain', 2]))
    expect(text).toBe('name,size\n"say ""a, b""",1.5\n"x\ny",\n" edge ",0\nplain,2\n')
  })
})

describe('one playhead over several runs', () => {
  it('stands at equal steps, and at its end where a run is over', () => {
    expect(lengthOf([10, 400, 0])).toBe(400)
    expect(stepUnder(7, 400, 10, 'steps')).toBe(7)
    expect(stepUnder(300, 400, 10, 'steps')).toBe(10)
    expect(stepUnder(300, 400, 400, 'steps')).toBe(300)
  })

  it('stands at equal shares: the start, the half and the end are those of every run', () => {
    for (const steps of [1, 10, 399, 400]) {
      expect(stepUnder(0, 400, steps, 'share')).toBe(0)
      expect(stepUnder(400, 400, steps, 'share')).toBe(steps)
    }
    expect(stepUnder(200, 400, 10, 'share')).toBe(5)
    expect(stepUnder(200, 400, 400, 'share')).toBe(200)
    expect(stepUnder(5, 0, 0, 'share')).toBe(0)
  })

  it('never runs backwards, nor past an end', () => {
    let before = 0
    for (let position = 0; position <= 1000; position += 7) {
      const step = stepUnder(position, 1000, 37, 'share')
      expect(step).toBeGreaterThanOrEqual(before)
      expect(step).toBeLessThanOrEqual(37)
      before = step
    }
  })

  it('goes where one of the runs is dragged to', () => {
    for (const step of [0, 1, 17, 36, 37]) {
      expect(stepUnder(positionOf(step, 1000, 37, 'share'), 1000, 37, 'share')).toBe(step)
      expect(stepUnder(positionOf(step, 1000, 37, 'steps'), 1000, 37, 'steps')).toBe(step)
    }
  })

  it('moves by a step, or by a hundredth of the runs', () => {
    expect(strideOf(5000, 'steps')).toBe(1)
    expect(strideOf(5000, 'share')).toBe(50)
    expect(strideOf(20, 'share')).toBe(1)
  })
})

describe('who was first', () => {
  const finish = (title: string, outcome: Finish['outcome'], after: number): Finish => ({ title, outcome, after })

  it('is who knew an answer, not who gave up', () => {
    const all = [
      finish('greedy', 'over-capacity', 1),
      finish('exact', 'infeasible', 90),
      finish('mini', 'optimal', 300),
    ]
    expect(firstToDecide(all)).toEqual({ titles: ['exact'], after: 90 })
    expect(firstToDecide(all.slice(0, 1))).toBeNull()
    for (const outcome of ['budget-spent', 'cancelled', 'exhausted', 'out-of-memory', 'failed'] as const)
      expect(firstToDecide([finish('x', outcome, 1)])).toBeNull()
  })

  it('is nobody alone where the clock cannot tell', () => {
    const all = [finish('b', 'optimal', 108), finish('a', 'feasible', 100), finish('c', 'optimal', 180)]
    expect(firstToDecide(all)).toEqual({ titles: ['a', 'b'], after: 100 })
  })

  it('is said with what it is worth, and only of runs that were started together', () => {
    const all = [finish('a', 'feasible', 100), finish('b', 'optimal', 300)]
    expect(raceNews(2, all, 2).first).toBe('a had an answer first, after 0.10 s.')
    expect(raceNews(2, all, 2).fair).toMatch(/^2 workers shared 2 cores/)
    expect(raceNews(3, all.slice(0, 1), 2)).toEqual({
      first: expect.stringContaining('not started together'),
      fair: '',
    })
    expect(raceNews(1, [], 2)).toEqual({ first: '', fair: '' })
    expect(raceNews(2, [finish('a', 'cancelled', 1), finish('b', 'budget-spent', 2)], 4).first).toContain('None')
  })
})

describe('results', () => {
  const columns = resultColumns<ResultCell>(
    (cell) => cell,
    byteUnit(1 << 20),
    (outcome) => outcomeTitle([], outcome),
  )
  const read = (cell: ResultCell) => Object.fromEntries(columns.map((column) => [column.id, column.value(cell)]))

  it('have a height, what is above the bound, and effort', () => {
    const cell = cellOf(statsOf(40, { height: 1200, lowerBound: 1000, backtracks: 3, seconds: 0.5 }))
    expect(read(cell)).toMatchObject({ height: 1200, over: 200, steps: 40, backtracks: 3, seconds: 0.5 })
    expect(read(cell).fragmentation).toBeCloseTo(0.2)
  })

  it('are unknown, not zero, where there is no plan or no run', () => {
    const open = cellOf(statsOf(40, { outcome: 'budget-spent', height: -1 }))
    expect(read(open)).toMatchObject({ height: null, over: null, fragmentation: null, steps: 40 })
    expect(read(emptyCell('refused'))).toMatchObject({ outcome: 'Refused', steps: null, seconds: null })
    expect(columns.map((column) => column.shown(emptyCell('ready')))).toEqual(['Not run', '–', '–', '–', '–', '–', '–'])
  })

  it('say of a run that was lost what became of it', () => {
    const config = { solver: 'exact', capacity: 1, seed: 1, budget: 0, options: {} }
    const failed = (reason: ClientError['reason']) =>
      cellOfRun({ kind: 'failed', config, reason, message: 'why', step: 3 }).outcome
    expect([failed('memory'), failed('trap'), failed('argument'), failed('protocol')]).toEqual([
      'out-of-memory',
      'stopped',
      'refused',
      'stopped',
    ])
  })
})

describe('choices', () => {
  let held: string | null
  const box = {
    getItem: () => held,
    setItem: (_: string, value: string) => {
      held = value
    },
  }
  const now = { solver: 'minimalloc', capacity: 12, seed: 3, budget: 99, options: { dominance: 'false' } }

  beforeEach(() => {
    held = null
  })

  it('begin with the run of the page beside another solver', () => {
    expect(firstLanes(now, [], manifest.solvers, five)).toEqual([
      now,
      { solver: 'exact', capacity: 12, seed: 3, budget: 99, options: {} },
    ])
    expect(firstLanes(now, [], manifest.solvers.slice(0, 1), five)).toEqual([now])
  })

  it('take the problem: its pools, its shapes, its size', () => {
    const [minimalloc, exact] = manifest.solvers as [SolverInfo, SolverInfo]
    const supports = { ...exact.supports, shapes: true, gaps: true }
    const taa = { ...exact, id: 'taa', supports }
    const large = { ...exact, id: 'large', complete: false, supports }
    const planner = { ...exact, id: 'planner', domain: 'graph' as const, supports }
    const all = [minimalloc, planner, exact, large, taa]
    const besides = (problem: Problem, kept: LaneChoice[] = [], solver = 'minimalloc') =>
      firstLanes({ ...now, solver }, kept, all, problem)
        .slice(1)
        .map((lane) => lane.solver)
    expect(besides(five)).toEqual(['exact'])
    const shapes: Problem = { ...five, rects: [] }
    expect(besides(shapes)).toEqual(['taa'])
    expect(besides(shapes, [], 'taa')).toEqual(['large'])
    // what was beside another problem may not take this one
    const kept = ['exact', 'large'].map((solver) => ({ solver, seed: 1, budget: 5, options: {} }))
    expect(besides(shapes, kept)).toEqual(['large'])
    expect(besides(shapes, kept.slice(0, 1))).toEqual(['taa'])
    // such as ends without a verdict there comes after one that decides
    const unsure = { ...exact, supports, incompleteWith: ['shapes' as const] }
    expect(firstLanes(now, [], [unsure, taa], shapes)[1]?.solver).toBe('taa')
    expect(firstLanes(now, [], [unsure, large], shapes)[1]?.solver).toBe('exact')
    const many: Problem = { ...five, count: 60_000 }
    expect(besides(many)).toEqual(['large'])
    expect(besides(many, [], 'large')).toEqual(['minimalloc'])
    // nobody may choose the pool of a buffer
    expect(besides({ ...five, pool: Float64Array.from([-1, 0, 0, 0, 0]) })).toEqual([])
  })

  it('take up the columns of the last visit, but for solvers that are gone', () => {
    const kept = [
      { solver: 'exact', seed: 1, budget: 5, goal: 'height' as const, options: {} },
      { solver: 'gone', seed: 1, budget: 5, options: {} },
    ]
    expect(firstLanes(now, kept, manifest.solvers, five)).toEqual([now, { ...kept[0], capacity: 12 }])
    expect(known(manifest.solvers, ['exact', 'gone', 'minimalloc']).map(({ id }) => id)).toEqual([
      'minimalloc',
      'exact',
    ])
  })

  it('come back as they were kept', () => {
    const choices: KeptChoices = {
      tab: 'matrix',
      together: false,
      lanes: [{ solver: 'exact', seed: 4, budget: 7, options: { portfolio: '10WATK' } }],
      sweep: { ...SWEEP, points: 5, shows: 'height' },
      matrix: { ...MATRIX, networks: true, shows: 'steps' },
    }
    keepChoices(box, choices)
    expect(restoreChoices(box)).toEqual(choices)
  })

  it('are dropped whole where they cannot be read, and a storage that refuses is lived with', () => {
    for (const bad of ['', '{', '[]', 'null', '{"sweep":{},"matrix":{}}', '{"sweep":{"solvers":[1]},"matrix":{}}']) {
      held = bad
      expect(restoreChoices(box)).toBeNull()
    }
    const refuses = {
      getItem: () => {
        throw new Error('no')
      },
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(restoreChoices(refuses)).toBeNull()
    keepChoices(refuses, { tab: 'runs', together: true, lanes: [], sweep: SWEEP, matrix: MATRIX })
  })
})
