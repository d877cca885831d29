/** The matrix as tables: wide for people, a line for each cell for a spreadsheet or a script. */
import type { Manifest } from '../../../../wasm/client/types'
import { bytes, percent, thousands } from '../../base/format'
import type { Matrix, MatrixRow } from '../../run/compare/matrix'
import type { MatrixChoice } from '../../state/compare/compare'
import { type ResultCell, fragmentation, outcomeTitle, overBound } from '../../state/compare/results'
import { type Column, toCsv } from '../../state/compare/table'

export const cellAt = (row: MatrixRow, k: number): ResultCell | null => row.cells[k] ?? null

/** What a cell is ordered by and what it says; null: nothing of the kind is known. */
export function figureOf(cell: ResultCell | null, shows: MatrixChoice['shows']): number | null {
  if (cell === null) return null
  if (shows === 'over') return fragmentation(cell)
  return cell.steps < 0 ? null : cell.steps
}

export function wideColumns(now: Matrix, shows: MatrixChoice['shows'], known: Manifest | null): Column<MatrixRow>[] {
  const outcomes = known?.outcomes ?? []
  const solver = (id: string, k: number): Column<MatrixRow> => ({
    id,
    title: known?.solvers.find((one) => one.id === id)?.title ?? id,
    number: true,
    value: (row) => figureOf(cellAt(row, k), shows),
    shown: (row) => {
      const cell = cellAt(row, k)
      const value = figureOf(cell, shows)
      const figure = value === null ? '' : shows === 'over' ? `, +${percent(value)}` : `, ${thousands(value)}`
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
  ]
  const long = rows.flatMap((row) => now.solvers.map((solver, k): LongRow => ({ row, solver, cell: cellAt(row, k) })))
  return toCsv(columns, long)
}
