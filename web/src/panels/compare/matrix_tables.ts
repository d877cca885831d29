/** The matrix as tables: wide for people, a line for each cell for a spreadsheet or a script. */
import type { Manifest } from '../../../../wasm/client/types'
import { titleOf } from '../../state/compare/others'
import { bytes, percent, thousands } from '../../base/format'
import type { Matrix, MatrixRow } from '../../run/compare/matrix'
import type { MatrixChoice } from '../../state/compare/compare'
import { type ResultCell, fragmentation, outcomeTitle, overBound } from '../../state/compare/results'
import { TOY } from '../../state/compare/rounding'
import { type Column, toCsv } from '../../state/compare/table'

export const cellAt = (row: MatrixRow, k: number): ResultCell | null => row.cells[k] ?? null

/** What a cell is ordered by and what it says; null: nothing of the kind is known. */
export function figureOf(cell: ResultCell | null, shows: MatrixChoice['shows']): number | null {
  if (cell === null) return null
  if (shows === 'over') return fragmentation(cell)
  return cell.steps < 0 ? null : cell.steps
}

/** A plan at the lower bound is optimal; what is above it, by how much. */
export const lossText = (loss: number) => (loss === 0 ? 'optimal' : `+${percent(loss)}`)

/** Too small for the planner's granules: what they alone cost it, 0 where that is nothing to speak of. */
export const toyLoss = (row: MatrixRow, k: number): number => {
  const loss = row.rounding[k] ?? 0
  return loss >= TOY ? loss : 0
}

/** Share of the colour for a loss: a log scale from 0.1 % to 100 %. */
export function lossShade(loss: number): number {
  if (loss <= 0) return 0
  return Math.min(1, Math.max(0.08, (Math.log10(loss) + 3) / 3))
}

export interface Tally {
  optimal: number
  /** rows of which it is known what the solver made, those that are too small for its granules left out */
  of: number
}

/** What a solver reached over all rows. */
export function tallyOf(rows: readonly MatrixRow[], k: number): Tally {
  const told = rows.filter((row) => {
    const cell = cellAt(row, k)
    return cell !== null && cell.outcome !== 'refused' && toyLoss(row, k) === 0
  })
  const optimal = told.filter((row) => {
    const cell = cellAt(row, k)
    return cell !== null && (fragmentation(cell) === 0 || cell.outcome === 'optimal')
  })
  return { optimal: optimal.length, of: told.length }
}

export function wideColumns(now: Matrix, shows: MatrixChoice['shows'], known: Manifest | null): Column<MatrixRow>[] {
  const outcomes = known?.outcomes ?? []
  const solver = (id: string, k: number): Column<MatrixRow> => ({
    id,
    title: titleOf(known?.solvers ?? [], id),
    number: true,
    value: (row) => figureOf(cellAt(row, k), shows),
    shown: (row) => {
      const cell = cellAt(row, k)
      const value = figureOf(cell, shows)
      const toy = toyLoss(row, k) > 0 ? ', rounds sizes' : ''
      const figure = value === null ? '' : shows === 'over' ? `, ${lossText(value)}${toy}` : `, ${thousands(value)}`
      return cell === null ? '–' : `${outcomeTitle(outcomes, cell.outcome)}${figure}`
    },
  })
  const fact = (id: 'count' | 'lowerBound', title: string, shown: (n: number) => string): Column<MatrixRow> => ({
    id,
    title,
    number: true,
    value: (row) => row.facts?.[id] ?? null,
    shown: (row) => (row.facts === null ? '–' : shown(row.facts[id])),
  })
  return [
    {
      id: 'problem',
      title: 'Problem',
      number: false,
      value: ({ instance }) => instance.title,
      shown: ({ instance }) => instance.title,
    },
    fact('count', 'Buffers', thousands),
    fact('lowerBound', 'Lower bound', bytes),
    ...now.solvers.map(solver),
  ]
}

interface LongRow {
  row: MatrixRow
  solver: string
  cell: ResultCell | null
}

/** A line for each cell, exact: what a spreadsheet or a script wants. */
export function longCsv(now: Matrix, rows: readonly MatrixRow[]): string {
  const column = (id: string, value: (row: LongRow) => number | string | null): Column<LongRow> => ({
    id,
    title: id,
    number: false,
    value,
    shown: (row) => String(value(row) ?? ''),
  })
  const some = (n: number | undefined) => (n === undefined || n < 0 ? null : n)
  const columns = [
    column('problem', ({ row }) => row.instance.id),
    column('buffers', ({ row }) => row.facts?.count ?? null),
    column('lower_bound', ({ row }) => row.facts?.lowerBound ?? null),
    column('capacity', ({ row }) => row.facts?.capacity ?? null),
    column('solver', ({ solver }) => solver),
    column('outcome', ({ cell, row }) => cell?.outcome ?? (row.wrong === '' ? null : 'not opened')),
    column('height', ({ cell }) => some(cell?.height)),
    column('over', ({ cell }) => (cell === null ? null : overBound(cell))),
    column('steps', ({ cell }) => some(cell?.steps)),
    column('backtracks', ({ cell }) => some(cell?.backtracks)),
    column('seconds', ({ cell }) => some(cell?.seconds)),
    column('digest', ({ cell }) => cell?.digest || null),
    column('rounding', ({ row, solver }) => toyLoss(row, now.solvers.indexOf(solver)) || null),
  ]
  const long = rows.flatMap((row) => now.solvers.map((solver, k): LongRow => ({ row, solver, cell: cellAt(row, k) })))
  return toCsv(columns, long)
}
