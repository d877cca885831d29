/** What a person reads in a grid or a table: its rows without the head, cell by cell. */
import { screen } from './stand'

const read = (cell: Element) => cell.textContent?.trim() ?? ''

/** Of the grid of this name, whose rows are made of spans. */
export function gridRows(name: string): string[][] {
  const rows = [...screen.getByRole('grid', { name }).querySelectorAll('.rows-body > [role=row]')]
  return rows.map((row) => [...row.querySelectorAll('[role=gridcell]')].map(read))
}

export function gridRow(name: string, index: number): Element {
  const row = screen.getByRole('grid', { name }).querySelectorAll('.rows-body > [role=row]')[index]
  if (row === undefined) throw new Error(`there is no row ${index}`)
  return row
}

export function tableRows(name: string): string[][] {
  const rows = [...screen.getByRole('table', { name }).querySelectorAll('tbody tr')]
  return rows.map((row) => [...row.children].map(read))
}

/** Of the column with this head. */
export function sortOf(head: string): string | null {
  return screen.getByRole('columnheader', { name: head }).getAttribute('aria-sort')
}
