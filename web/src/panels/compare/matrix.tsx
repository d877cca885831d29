/** Every chosen solver on every example. */
import { useState } from 'preact/hooks'
import { percent, seconds, thousands } from '../../base/format'
import { PartError } from '../../base/later'
import { useValue } from '../../base/use_value'
import { cancelMatrix, type Matrix, type MatrixRow, matrix, startMatrix } from '../../run/compare/matrix'
import { openCell } from '../../run/compare/open_matrix_cell'
import { openSweep, reading } from '../../run/compare/stored_sweep'
import { manifest, say, sayWhy } from '../../state/atoms'
import { type MatrixChoice, matrixChoice, setMatrixChoice } from '../../state/compare/compare'
import { type ResultCell, outcomeTitle } from '../../state/compare/results'
import { runsHere } from '../../state/compare/others'
import { type Order, ordered } from '../../state/compare/table'
import { useActions } from '../page/context'
import { FileButton } from '../controls/file_button'
import { CopyTable, DataTable } from '../controls/data_table'
import { chartOf, TakeChart } from '../controls/take_chart'
import { GlyphIcon, GlyphKey, glyphOf } from '../controls/glyphs'
import { cellAt, figureOf, longCsv, lossShade, lossText, tallyOf, toyLoss, wideColumns } from './matrix_tables'
import { outcomeTone } from '../controls/pill'
import { BudgetField, SolverChecks, useEscape, WorkButtons, WorkFrame } from './background_work'

async function openFolder(files: File[]): Promise<void> {
  try {
    await openSweep(files)
  } catch (error) {
    const again = () => {
      say(null)
      void openFolder(files)
    }
    const action = error instanceof PartError ? { title: 'Try again', act: again } : undefined
    sayWhy(error, 'The sweep was not opened.', action)
  }
}

/** How far a sweep is read, and the way out of it. */
function SweepRead() {
  const now = useValue(reading)
  if (now === null) return null
  return (
    <>
      <button type="button" class="run-button" onClick={cancelMatrix}>
        Cancel <kbd>Esc</kbd>
      </button>
      <p class="hint" role="status">
        {`Reading the sweep: ${thousands(now.done)} of ${thousands(now.of)} files`}
      </p>
    </>
  )
}

function Settings({ now }: { now: Matrix | null }) {
  const choice = useValue(matrixChoice)
  const known = useValue(manifest)
  return (
    <aside class="compare-side" aria-label="Matrix">
      <SolverChecks chosen={choice.solvers} set={(solvers) => setMatrixChoice({ solvers })} />
      <label class="check">
        <input
          type="checkbox"
          checked={choice.networks}
          onChange={(event) => setMatrixChoice({ networks: event.currentTarget.checked })}
        />
        <span>Networks too</span>
      </label>
      <BudgetField steps={choice.budget} set={(budget) => setMatrixChoice({ budget })} help="For each cell." />
      <WorkButtons
        work={now?.work ?? null}
        name={now === null ? 'Run all' : 'Run all again'}
        off={known === null || !choice.solvers.some(runsHere)}
        start={async () => {
          if (known !== null) await startMatrix(known, choice)
        }}
        cancel={cancelMatrix}
      />
      <FileButton label="Open a sweep…" class="button" accept="" folder take={(files) => void openFolder(files)} />
      <SweepRead />
      <p class="hint">
        A folder that Python’s <code>arenascope.sweep</code> wrote: of several seeds or options the lowest is shown.
      </p>
      <p class="hint">
        Examples at their own capacity, networks at their lower bound, every solver with its defaults and seed 1.
      </p>
    </aside>
  )
}

function MatrixCell(props: {
  cell: ResultCell
  /** what the planner's granules alone cost it there, 0: nothing to speak of */
  toy: number
  name: string
  shows: MatrixChoice['shows']
  open: () => void
}) {
  const { cell, shows, toy } = props
  const known = useValue(manifest)
  const value = figureOf(cell, shows)
  const outcome = outcomeTitle(known?.outcomes ?? [], cell.outcome)
  const steps = cell.steps < 0 ? '' : `, ${thousands(cell.steps)} steps, ${seconds(cell.seconds)}`
  const note = cell.note === '' ? '' : ` (${cell.note})`
  const text =
    value === null
      ? cell.outcome === 'refused'
        ? 'refused'
        : ''
      : shows === 'over'
        ? lossText(value)
        : thousands(value)
  const rounds =
    toy > 0 ? ` It takes memory in granules, which alone costs ${percent(toy)} on buffers as small as these.` : ''
  const loss = shows === 'over' && toy === 0 ? lossShade(value ?? 0) : 0
  const look =
    toy > 0 && shows === 'over' ? 'matrix-toy' : loss > 0 ? 'matrix-loss' : `matrix-${outcomeTone(cell.outcome)}`
  return (
    <button
      type="button"
      class={`matrix-cell ${look}`}
      style={{ '--loss': `${(loss * 100).toFixed(0)}%` }}
      title={`${outcome}${note}${steps}. Opens in the page.${rounds}`}
      aria-label={`${props.name}: ${outcome}${text === '' ? '' : ` ${text}`}${toy > 0 ? ', rounds sizes' : ''}`}
      onClick={props.open}
    >
      <GlyphIcon glyph={glyphOf(cell.outcome)} />
      {text}
      {toy > 0 && shows === 'over' && <sup aria-hidden="true">r</sup>}
    </button>
  )
}

function LossKey() {
  return (
    <ul class="glyph-key">
      <li title="On a log scale">
        above the bound: 0.1 %
        {[0.08, 0.33, 0.67, 1].map((shade) => (
          <span key={shade} class="loss-key matrix-loss" style={{ '--loss': `${shade * 100}%` }} />
        ))}
        100 %, log
      </li>
      <li title="The planner takes memory in granules of several bytes, and these buffers are as small">
        <sup>r</sup>rounds sizes: says nothing of it here
      </li>
    </ul>
  )
}

function Cells({ now }: { now: Matrix }) {
  const actions = useActions()
  const known = useValue(manifest)
  const { shows } = useValue(matrixChoice)
  const [order, setOrder] = useState<Order | null>(null)
  const columns = wideColumns(now, shows, known)
  const rows = ordered(now.rows, columns, order)
  const open = (row: MatrixRow, solver: string) =>
    void openCell(actions, row, solver, now.choice.budget).catch((error: unknown) => {
      sayWhy(error)
    })
  return (
    <>
      <DataTable
        name={now.stored === undefined ? 'Solvers on all examples' : `Solvers in ${now.stored}`}
        columns={columns}
        rows={rows}
        order={order}
        setOrder={setOrder}
        rowKey={({ instance }) => `${instance.kind} ${instance.id}`}
        foot={(column, at) => {
          if (at === 0) return 'At the lower bound'
          const k = now.solvers.indexOf(column.id)
          const { optimal, of } = tallyOf(now.rows, k)
          return k < 0 || of === 0 ? null : `${thousands(optimal)} of ${thousands(of)}`
        }}
        cell={(row, column) => {
          if (column.id === 'problem')
            return (
              <span title={row.wrong}>
                {row.instance.title} <span class="hint">{row.wrong === '' ? row.instance.note : 'not opened'}</span>
              </span>
            )
          const cell = cellAt(row, now.solvers.indexOf(column.id))
          if (cell === null) return null
          const name = `${row.instance.title}, ${column.title}`
          const toy = cell.height < 0 ? 0 : toyLoss(row, now.solvers.indexOf(column.id))
          return <MatrixCell cell={cell} toy={toy} name={name} shows={shows} open={() => open(row, column.id)} />
        }}
      />
      <div class="race-results-head">
        <GlyphKey />
        {shows === 'over' && <LossKey />}
        <span class="spring" />
        <TakeChart
          chart={() => chartOf(document.querySelector('.compare-main table'), 'Solvers on all examples')}
          file="arenascope.matrix"
          csv={() => longCsv(now, rows)}
        />
        <CopyTable columns={columns} rows={rows} file="arenascope.matrix" csv={() => longCsv(now, rows)} />
      </div>
    </>
  )
}

export function MatrixTab() {
  const now = useValue(matrix)
  const choice = useValue(matrixChoice)
  const isReading = useValue(reading) !== null
  useEscape(now?.work.kind === 'running' || isReading, cancelMatrix)
  return (
    <WorkFrame
      settings={<Settings now={now} />}
      shows={choice.shows}
      choices={[
        ['over', 'Over the bound'],
        ['steps', 'Steps'],
      ]}
      set={(shows) => setMatrixChoice({ shows })}
      none="Every chosen solver on every example: what each makes of it within the budget."
    >
      {now !== null && <Cells now={now} />}
    </WorkFrame>
  )
}
