/** A chart of measurements to take along: its picture on white paper, its values as CSV. */
import type { Plot } from '../base/plot'
import { chartShapes, PRINTED } from '../draw/papers/chart'
import { csvCell } from '../state/compare/table'
import type { Chart } from './chart_files'

/** Of a picture whose place on the page is too small for axes, in CSS pixels. */
const WIDTH = 640

export function plotChart(plot: Plot, title: string): Chart {
  return { title, width: WIDTH, ...chartShapes(plot, WIDTH, PRINTED) }
}

/** dots: a line for each row, a column for each series. lines: a line for each point. */
export function plotCsv(plot: Plot): string {
  const line = (cells: readonly (string | number | null)[]) => `${cells.map(csvCell).join(',')}\n`
  if (plot.kind === 'lines') {
    const head = line(['series', plot.x.title ?? 'x', plot.y.title ?? 'y'])
    return head + plot.series.flatMap(({ name, points }) => points.map(([x, y]) => line([name, x, y]))).join('')
  }
  const head = line([plot.x.title ?? 'row', ...plot.series.map(({ name }) => name)])
  return head + plot.rows.map((row, k) => line([row, ...plot.series.map(({ values }) => values[k] ?? null)])).join('')
}
