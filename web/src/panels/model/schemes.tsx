/** The least traffic beside what other schemes move, as a table; each row can be run. */
import { bytesIn, exactBytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import { openScheme, startComparison, stopComparison } from '../../run/model/schemes'
import { type Comparison, comparison, isLeast, schemeColumns, type SchemeRow } from '../../state/model/schemes'
import { opened, unit } from '../../state/workbench'
import { CopyTable } from '../controls/data_table'
import { I } from '../controls/icons'
import { useActions } from '../page/context'

/** As many as there is room for; the CSV has all. */
const SHOWN = ['traffic', 'spilled', 'fetched', 'footprint', 'seconds']
const columns = schemeColumns.filter(({ id }) => SHOWN.includes(id))

/** A scheme has a line for its name, which runs it, and one for its numbers. */
function Row({ row }: { row: SchemeRow }) {
  const { session } = useActions()
  const amounts = useValue(unit)
  const { scheme, moved, seconds } = row
  const cells = columns.map((column) => ({ id: column.id, value: column.value(row) }))
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={columns.length}>
          <button
            type="button"
            class="text-button"
            title={`${scheme.text} Run it.`}
            onClick={() => void openScheme(session, scheme)}
          >
            {scheme.name}
          </button>
          {isLeast(row) && (
            <span class="ok scheme-least">
              <I name="tick" />
              no plan moves less
            </span>
          )}
        </th>
      </tr>
      <tr class="mono">
        {moved === null && <td colSpan={columns.length - 1}>no plan found</td>}
        {cells.map(({ id, value }) =>
          id === 'seconds' ? (
            <td key={id}>{seconds.toFixed(2)} s</td>
          ) : (
            typeof value === 'number' && (
              <td key={id} title={exactBytes(value)}>
                {bytesIn(value, amounts).replace(` ${amounts.name}`, '')}
              </td>
            )
          ),
        )}
      </tr>
    </tbody>
  )
}

function Known({ now }: { now: Comparison }) {
  const problem = useValue(opened)
  const rows = now.rows.filter((row) => row !== null)
  return (
    <>
      <table class="schemes-table" aria-label="Schemes">
        <thead>
          <tr>
            {columns.map(({ id, title }) => (
              <th key={id} scope="col">
                {id === 'seconds' ? 'Time' : title}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map((row) => (
          <Row key={row.scheme.name} row={row} />
        ))}
      </table>
      {now.failed !== '' && <p class="hint why">{now.failed}</p>}
      <div class="row row-wrap">
        <CopyTable columns={schemeColumns} rows={rows} file={`${baseName(problem)}.schemes`} />
      </div>
    </>
  )
}

export function Schemes() {
  const now = useValue(comparison)
  const amounts = useValue(unit).name
  const done = now?.rows.filter((row) => row !== null).length ?? 0
  const note = now?.running === true ? `${done} of ${now.rows.length}` : now === null ? '' : amounts
  return (
    <section class="tab-part" aria-labelledby="schemes-head">
      <header class="section-head">
        <h2 id="schemes-head">Traffic by scheme</h2>
        <span class="section-note">{note}</span>
      </header>
      {now === null ? (
        <p class="hint">
          What moves when order, copies and addresses are decided together, beside fixed orders and rules of
          replacement, at this capacity.
        </p>
      ) : (
        <Known now={now} />
      )}
      <div class="row row-wrap">
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
