// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keys
/** A table whose columns sort, and buttons that take it along as Markdown or CSV. */
import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { Later } from '../../base/later'
import { thousands } from '../../base/format'
import { type Column, type Order, toCsv, toMarkdown, turned } from '../../state/compare/table'

/** Rows at first, and with each press for more: of tens of thousands the browser would lay out for seconds. */
const ROWS = 200

const files = new Later(() => import('../../export/files'))

export interface DataTableProps<R> {
  name: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  order: Order | null
  setOrder: (order: Order | null) => void
  rowKey: (row: R) => string
  /** what stands in a cell, where it is more than its text */
  cell?: (row: R, column: Column<R>) => ComponentChildren
  /** what is unfolded under a row, over its whole width; false: nothing is */
  under?: (row: R) => ComponentChildren
  /** what stands under a column, over all rows */
  foot?: (column: Column<R>, at: number) => ComponentChildren
}

function Head<R>({ column, order, setOrder }: { column: Column<R> } & Pick<DataTableProps<R>, 'order' | 'setOrder'>) {
  // buttons of rows are in no order
  if (column.title === '') return <td />
  const mine = order?.column === column.id ? order : null
  return (
    <th
      scope="col"
      class={column.number ? 'number' : ''}
      aria-sort={mine === null ? 'none' : mine.down ? 'descending' : 'ascending'}
    >
      <button type="button" onClick={() => setOrder(turned(order, column.id))}>
        {column.title}
        <span class="sort-mark" aria-hidden="true">
          {mine === null ? '' : mine.down ? '▾' : '▴'}
        </span>
      </button>
    </th>
  )
}

export function DataTable<R>({ name, columns, rows, order, setOrder, rowKey, cell, under, foot }: DataTableProps<R>) {
  const [most, setMost] = useState(ROWS)
  const more = Math.min(ROWS, rows.length - most)
  return (
    <section class="table-box" aria-label={`Table: ${name}`} tabIndex={0}>
      <table class="data-table" aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} order={order} setOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row) => {
            const below = under?.(row) || null
            return (
              <Fragment key={rowKey(row)}>
                <tr class={below === null ? '' : 'unfolded'}>
                  {columns.map((column, k) => {
                    const inside = cell?.(row, column) ?? column.shown(row)
                    return k === 0 ? (
                      <th key={column.id} scope="row">
                        {inside}
                      </th>
                    ) : (
                      <td key={column.id} class={column.number ? 'number' : ''}>
                        {inside}
                      </td>
                    )
                  })}
                </tr>
                {below !== null && (
                  <tr class="unfolded">
                    <td colSpan={columns.length}>{below}</td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
        {foot !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column, k) =>
                k === 0 ? (
                  <th key={column.id} scope="row">
                    {foot(column, k)}
                  </th>
                ) : (
                  <td key={column.id} class={column.number ? 'number' : ''}>
                    {foot(column, k)}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        )}
      </table>
      {more > 0 && (
        <button type="button" class="button table-more" onClick={() => setMost(most + ROWS)}>
          Show {thousands(more)} more of {thousands(rows.length)} rows
        </button>
      )}
    </section>
  )
}

/** Where the browser does not let the page copy, the text is saved as a file instead. file: its name without an ending */
export function CopyTable<R>(props: {
  columns: readonly Column<R>[]
  rows: readonly R[]
  file: string
  csv?: () => string
}) {
  const { columns, rows, file } = props
  const [said, setSaid] = useState('')
  const hand = async (text: string, ending: string, type: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied.')
    } catch {
      const { saveText } = await files.get()
      saveText(text, `${file}.${ending}`, type)
      setSaid('The browser does not let the page copy: it was saved as a file.')
    }
  }
  const none = rows.length === 0
  return (
    <>
      <span class="hint" role="status">
        {said}
      </span>
      <button
        type="button"
        class="quiet-button"
        disabled={none}
        onClick={() => void hand(toMarkdown(columns, rows), 'md', 'text/markdown').catch(() => {})}
      >
        Copy Markdown
      </button>
      <button
        type="button"
        class="quiet-button"
        disabled={none}
        onClick={() => void hand(props.csv?.() ?? toCsv(columns, rows), 'csv', 'text/csv').catch(() => {})}
      >
        Copy CSV
      </button>
    </>
  )
}
