/** The least traffic beside what other schemes move, as a table; each row can be run. */
import { useState } from 'preact/hooks'
import { bytesIn, exactBytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import { openScheme, startComparison, stopComparison } from '../../run/model/schemes'
import { type Column, type Order, ordered } from '../../state/compare/table'
import { type Comparison, comparison, isLeast, schemeColumns, type SchemeRow } from '../../state/model/schemes'
import { opened, unit } from '../../state/workbench'
import { CopyTable, DataTable } from '../controls/data_table'
import { I } from '../controls/icons'
import { useActions } from '../page/context'

/** As many as there is room for; the CSV has all. */
const SHOWN = ['scheme', 'traffic', 'spilled', 'fetched', 'footprint', 'seconds']
const columns = schemeColumns.filter(({ id }) => SHOWN.includes(id))

function Cell({ row, column }: { row: SchemeRow; column: Column<SchemeRow> }) {
  const { session } = useActions()
  const amounts = useValue(unit)
  const value = column.value(row)
  if (column.id === 'scheme')
    return (
      <button
        type="button"
        class="text-button"
        title={`${row.scheme.text} Run it.`}
        onClick={() => void openScheme(session, row.scheme)}
      >
        {row.scheme.name}
      </button>
    )
  if (column.id === 'seconds') return <>{row.seconds.toFixed(2)} s</>
  if (typeof value !== 'number') return <span class="dim">no plan</span>
  return (
    <span title={exactBytes(value)}>
      {column.id === 'traffic' && isLeast(row) && (
        <span class="ok scheme-least" title="No plan moves less">
          <I name="tick" />
          <span class="hidden">proven least </span>
        </span>
      )}
      {bytesIn(value, amounts)}
    </span>
  )
}

function Known({ now }: { now: Comparison }) {
  const [order, setOrder] = useState<Order | null>(null)
  const problem = useValue(opened)
  const rows = now.rows.filter((row) => row !== null)
  return (
    <>
      <DataTable
        name="Schemes"
        columns={columns}
        rows={ordered(rows, columns, order)}
        order={order}
        setOrder={setOrder}
        rowKey={({ scheme }) => scheme.name}
        cell={(row, column) => <Cell row={row} column={column} />}
      />
      {now.failed !== '' && <p class="hint why">{now.failed}</p>}
      <div class="row row-wrap">
        <CopyTable columns={schemeColumns} rows={rows} file={`${baseName(problem)}.schemes`} />
      </div>
    </>
  )
}

export function Schemes() {
  const now = useValue(comparison)
  const done = now?.rows.filter((row) => row !== null).length ?? 0
  return (
    <section class="tab-part schemes" aria-labelledby="schemes-head">
      <header class="section-head">
        <h2 id="schemes-head">Traffic by scheme</h2>
        <span class="section-note">{now?.running === true ? `${done} of ${now.rows.length}` : ''}</span>
      </header>
      {now === null ? (
        <p class="hint">
          What moves when order, copies and addresses are decided together, beside fixed orders and rules of
          replacement, at this capacity.
        </p>
      ) : (
        <Known now={now} />
      )}
      <div class="row">
        {now?.running === true ? (
          <button type="button" class="button" onClick={stopComparison}>
            Stop
          </button>
        ) : (
          <button type="button" class="button" onClick={() => void startComparison()}>
            {now === null ? 'Compare them' : 'Compare again'}
          </button>
        )}
      </div>
    </section>
  )
}
