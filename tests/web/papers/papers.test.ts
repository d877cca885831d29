import { describe, expect, it } from 'vitest'
import { FIGURES } from '../../../wasm/bench/papers/papers_figures.mjs'
import { networks } from '../../../web/src/state/model/zoo_networks'
import type { Plot } from '../../../web/src/base/plot'
import { chartShapes, PRINTED } from '../../../web/src/draw/papers/chart'
import { plotCsv } from '../../../web/src/export/plot_files'
import type { Shape } from '../../../web/src/draw/vector'
import { type PaperFigure, papers, SUITES } from '../../../web/src/state/papers/papers'

const KINDS = ['non-overlapping', 'full-overlap', 'network', 'random', 'synthetic']

describe('what was measured of the papers', () => {
  it('has a reason for each difference, and rows that open or say where their instance is', async () => {
    const data = await papers.get()
    expect(data.papers.map(({ id }) => id)).toEqual(['telamalloc', 'minimalloc', 'cosma', 'taa'])
    const known = new Set(networks.map(({ id }) => id))
    for (const { paper, where, why, said, theirs, ours } of data.figures) {
      expect(data.papers.some(({ id }) => id === paper)).toBe(true)
      expect(why.length, where).toBeGreaterThan(20)
      expect(said ?? theirs, where).toBeDefined()
      for (const row of theirs?.rows ?? []) expect(row.length, where).toBe(theirs?.titles.length)
      for (const { cells, open } of ours?.rows ?? []) {
        expect(cells.length, where).toBe(ours?.columns.length)
        if (open === undefined) continue
        if ('published' in open) expect(SUITES[open.suite]).toBeDefined()
        else if ('generate' in open) expect(KINDS).toContain(open.generate)
        else expect(known, open.network).toContain(open.network)
      }
      for (const chart of ours?.charts ?? []) {
        if (chart.kind === 'lines') continue
        for (const { values } of chart.series) expect(values.length, where).toBe(chart.rows.length)
      }
    }
  })

  it('gives no figure as a reason that neither the paper nor what was measured shows', async () => {
    const { figures } = await papers.get()
    let given = 0
    for (const { where, why, said = '', theirs, ours } of figures) {
      if (ours === undefined) continue
      const shown = [said, ours.note ?? '', ...[...(theirs?.rows ?? []), ...ours.rows.map(({ cells }) => cells)].flat()]
      // but for a sentence that names the file or the command which does
      const own = why.split(/(?<=[.:;]) /).filter((part) => !/\((bench |tests\/|core\/|arenascope )[^)]*\)/.test(part))
      const numbers = own.flatMap((part) => part.match(/\d{1,3}(,\d{3})+|\d+(\.\d+)? %/g) ?? [])
      for (const number of numbers)
        expect(
          shown.some((text) => text.includes(number)),
          `${where}: ${number}`,
        ).toBe(true)
      given += numbers.length
    }
    expect(given).toBeGreaterThan(1)
  })

  it('says the same of the runs wherever it shows them', async () => {
    const { figures } = await papers.get()
    const notes = figures
      .filter(({ command }) => command?.includes('baselines --part=networks'))
      .map(({ ours }) => ours?.note)
    expect(notes).toHaveLength(2)
    for (const note of notes) expect(note).toMatch(/; of searches the least of 5 runs, of HiGHS and CP-SAT one run\./)
  })

  it('is told in the words that the benches have', async () => {
    const { figures } = await papers.get()
    const texts = ({ where, title, said, why, theirs, same }: Partial<PaperFigure>) => ({
      where,
      title,
      said,
      why,
      theirs,
      same,
    })
    expect(figures.map(texts)).toEqual(FIGURES.map(texts))
  })
})

/** Where the dots of a drawing are: each is a closed path of curves with a fill. */
const dotsOf = (shapes: readonly Shape[]) =>
  shapes.flatMap((shape) => {
    if (shape.kind !== 'path' || shape.fill === null) return []
    const [, x = 0, y = 0] = shape.path[0] as ['M', number, number]
    return [{ x: x - 3.5, y, fill: shape.fill }]
  })

describe('a chart', () => {
  it('of any figure has all its letters in it on a phone, and no two numbers of an axis over each other', async () => {
    const { figures } = await papers.get()
    const wide = 312
    let seen = 0
    for (const { where, ours } of figures)
      for (const chart of ours?.charts ?? []) {
        const ends = new Map<number, number>()
        for (const shape of chartShapes(chart, wide, PRINTED).shapes) {
          if (shape.kind !== 'text') continue
          const letters = shape.text.length * 6.6
          const left = shape.x - letters * { left: 0, center: 0.5, right: 1 }[shape.align]
          expect([where, shape.text, left >= -0.5 && left + letters <= wide + 0.5]).toEqual([where, shape.text, true])
          if (shape.align !== 'center') continue
          expect([where, shape.text, left > (ends.get(shape.y) ?? -1)]).toEqual([where, shape.text, true])
          ends.set(shape.y, left + letters)
          seen += 1
        }
      }
    expect(seen).toBeGreaterThan(50)
  })

  it('is taken along as CSV: a line for each row of dots, or for each point', () => {
    const dots: Plot = {
      kind: 'dots',
      x: { title: 'ms' },
      rows: ['A', 'B,2'],
      series: [
        { name: 'paper', values: [1, null] },
        { name: 'here', values: [0.5, 2] },
      ],
    }
    expect(plotCsv(dots)).toBe('ms,paper,here\nA,1,0.5\n"B,2",,2\n')
    const lines: Plot = { kind: 'lines', x: {}, y: { title: 'solved' }, series: [{ name: 'exact', points: [[1, 2]] }] }
    expect(plotCsv(lines)).toBe('series,x,solved\nexact,1,2\n')
  })

  it('in steps holds a value until the next one', () => {
    const plot: Plot = {
      kind: 'lines',
      steps: true,
      x: { from: 0, to: 2 },
      y: { from: 0, to: 2 },
      series: [
        {
          name: 'moved',
          points: [
            [0, 2],
            [2, 0],
          ],
        },
      ],
    }
    const line = chartShapes(plot, 400, PRINTED).shapes.findLast(
      (shape) => shape.kind === 'path' && shape.stroke?.width === 1.5,
    )
    const path = line?.kind === 'path' ? line.path : []
    expect(path.map(([kind]) => kind)).toEqual(['M', 'L', 'L'])
    const [from, corner, to] = path as ['M', number, number][]
    expect(corner?.slice(1)).toEqual([to?.[1], from?.[2]])
  })

  it('has a decade for each power of ten, and a dot for each value that there is', () => {
    const plot: Plot = {
      kind: 'dots',
      x: { log: true },
      rows: ['a', 'b', 'c'],
      series: [{ name: 'only', values: [1, 10, null] }],
    }
    const { shapes } = chartShapes(plot, 500, PRINTED)
    const dots = dotsOf(shapes)
    expect(dots.length).toBe(2)
    const ticks = shapes.flatMap((shape) => (shape.kind === 'text' && shape.align === 'center' ? [shape] : []))
    expect(ticks.map(({ text }) => text)).toEqual(['1', '10'])
    expect(dots.map(({ x }) => x)).toEqual(ticks.map(({ x }) => x))
    // rows go down
    expect(dots[1]?.y).toBeGreaterThan(dots[0]?.y ?? 0)
  })

  it('keeps curves inside of its frame, more goes up, and names them where there are several', () => {
    const plot: Plot = {
      kind: 'lines',
      x: {},
      y: { from: 0, to: 100 },
      series: [
        {
          name: 'first',
          points: [
            [20, 100],
            [60, 40],
          ],
        },
        { name: 'second', points: [[20, 0]] },
      ],
    }
    const { shapes, height } = chartShapes(plot, 640, PRINTED)
    const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
    expect(texts).toContain('first')
    expect(texts).toContain('second')
    const [, , high, low, none] = dotsOf(shapes)
    expect(high?.y).toBeLessThan(low?.y ?? 0)
    expect(low?.y).toBeLessThan(none?.y ?? 0)
    expect(none?.fill).not.toBe(high?.fill)
    for (const { x, y } of dotsOf(shapes)) {
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(640)
      expect(y).toBeLessThan(height)
    }
  })

  it('without a value at all has its rows', () => {
    const plot: Plot = { kind: 'dots', x: { log: true }, rows: ['a'], series: [{ name: 'none', values: [null] }] }
    expect(chartShapes(plot, 400, PRINTED).shapes.some((shape) => shape.kind === 'text' && shape.text === 'a')).toBe(
      true,
    )
  })
})
