/** The joint optimum beside the four baselines and fixed orders, at the capacity of the page: what each moves, and how much less the optimum does. */
import { useState } from 'preact/hooks'
import { bytesIn, exactBytes, percent } from '../../base/format'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import { openScheme, startComparison, stopComparison } from '../../run/model/schemes'
import { type Column, type Order, ordered } from '../../state/compare/table'
import {
  type Comparison,
  comparison,
  isLeast,
  reductionOf,
  schemeColumns,
  type SchemeRow,
  trafficOf,
} from '../../state/model/schemes'
import { budgets } from '../../state/model/budgets'
import { capacity, opened, unit } from '../../state/workbench'
import { CopyTable, DataTable } from '../controls/data_table'
import { I } from '../controls/icons'
import { OutcomePill } from '../controls/pill'
import { useActions } from '../page/context'
import { useEscape } from './background_work'

/** Where the comparison says nothing: below what one operator needs nothing fits, and from the best order's peak on nothing moves. */
function Sense({ room }: { room: number }) {
  const actions = useActions()
  const known = useValue(budgets)
  const amounts = useValue(unit)
  if (known === null || known.required >= known.peak) return null
  const { required, half, peak } = known
  if (room >= required && room < peak) return null
  return (
    <p class="hint">
      {room < required
        ? `One operator alone needs ${bytesIn(required, amounts)}: no scheme fits in less. `
        : `In ${bytesIn(peak, amounts)} all of it fits, and nothing has to move. `}
      <button type="button" class="text-button" onClick={() => actions.solver.setCapacity(half)}>
        Take {bytesIn(half, amounts)}
      </button>
    </p>
  )
}

function Settings({ now }: { now: Comparison | null }) {
  const [room, amounts] = [useValue(capacity), useValue(unit)]
  const rows = now?.rows ?? []
  const done = rows.filter((row) => row !== null).length
  return (
    <aside class="compare-side" aria-label="Schemes">
      <p class="hint">
        Order, copies and addresses decided together; the given order and one of least peak with the best copies; and
        both orders with each rule of replacement: the four baselines of COSMA’s paper.
      </p>
      <p>
        Capacity <span class="mono">{bytesIn(room, amounts)}</span>
      </p>
      <Sense room={room} />
      {now?.running === true ? (
        <button type="button" class="run-button" onClick={stopComparison}>
          Cancel <kbd>Esc</kbd>
        </button>
      ) : (
        <button type="button" class="run-button primary" onClick={() => void startComparison()}>
          <I name="play" />
          {now === null ? 'Run all' : 'Run all again'}
        </button>
      )}
      {now !== null && (
        <>
          <progress aria-label="Runs done" max={rows.length} value={done} />
          <p class="hint" role="status">
            {now.failed ||
              `${done} of ${rows.length} runs${now.running ? ', in the background: the page stays free.' : '.'}`}
          </p>
        </>
      )}
    </aside>
  )
}

/** Out and back, as parts of the most that any scheme moves. */
function Bar({ row, most }: { row: SchemeRow; most: number }) {
  const share = (bytes: number | undefined) => `${(100 * (bytes ?? 0)) / Math.max(1, most)}%`
  return (
    <span class="scheme-bar" aria-hidden="true">
      <span class="scheme-out" style={{ width: share(row.moved?.spilled) }} />
      <span class="scheme-back" style={{ width: share(row.moved?.fetched) }} />
    </span>
  )
}

function useColumns(rows: readonly SchemeRow[]): Column<SchemeRow>[] {
  const amounts = useValue(unit)
  const joint = rows.find(({ scheme }) => scheme.joint)
  const less: Column<SchemeRow> = {
    id: 'reduction',
    title: 'COSMA moves less by',
    number: true,
    value: (row) => reductionOf(row, joint),
    shown: (row) => {
      const part = reductionOf(row, joint)
      return part === null ? '' : percent(part)
    },
  }
  const inUnit = schemeColumns.map((column) => {
    const shown = (row: SchemeRow) => {
      const value = column.value(row)
      return typeof value === 'number' && column.id !== 'seconds' ? bytesIn(value, amounts) : column.shown(row)
    }
    return { ...column, shown }
  })
  return [...inUnit.slice(0, 2), less, ...inUnit.slice(2)]
}

function Known({ now }: { now: Comparison }) {
  const { session } = useActions()
  const problem = useValue(opened)
  const [order, setOrder] = useState<Order | null>(null)
  const known = now.rows.filter((row) => row !== null)
  const columns = useColumns(known)
  const rows = ordered(known, columns, order)
  const most = Math.max(0, ...known.map((row) => trafficOf(row) ?? 0))
  return (
    <section class="schemes-rows" aria-label="Schemes compared">
      <DataTable
        name="Traffic by scheme"
        columns={columns}
        rows={rows}
        order={order}
        setOrder={setOrder}
        rowKey={({ scheme }) => scheme.name}
        cell={(row, column) => {
          if (column.id === 'scheme')
            return (
              <>
                <button
                  type="button"
                  class="text-button"
                  title={`${row.scheme.text} Opens in the page.`}
                  onClick={() => void openScheme(session, row.scheme)}
                >
                  {row.scheme.name}
                </button>
                {most > 0 && <Bar row={row} most={most} />}
              </>
            )
          const value = column.value(row)
          if (column.id === 'outcome') return <OutcomePill outcome={row.outcome} />
          if (column.id === 'proven')
            return isLeast(row) ? <span class="ok">no plan moves less</span> : <span class="dim">–</span>
          if (column.id === 'traffic' && value === null) return <span class="dim">no plan found</span>
          return typeof value === 'number' && Number.isInteger(value) ? (
            <span title={exactBytes(value)}>{column.shown(row)}</span>
          ) : null
        }}
      />
      <div class="race-results-head">
        {most > 0 && (
          <span class="scheme-key">
            <span class="scheme-out" aria-hidden="true" /> out <span class="scheme-back" aria-hidden="true" /> back
          </span>
        )}
        <span class="spring" />
        <CopyTable columns={columns} rows={rows} file={`${baseName(problem)}.schemes`} />
      </div>
    </section>
  )
}

export function SchemesTab() {
  const now = useValue(comparison)
  const model = useValue(opened)?.model
  useEscape(now?.running === true, stopComparison)
  if (model === undefined)
    return <p class="compare-none">Schemes are of models: open a network or a model’s graph first.</p>
  return (
    <div class="compare-split">
      <Settings now={now} />
      <div class="compare-main">
        {now === null ? (
          <p class="compare-none">The least traffic, beside what others move at the same capacity.</p>
        ) : (
          <Known now={now} />
        )}
      </div>
    </div>
  )
}
