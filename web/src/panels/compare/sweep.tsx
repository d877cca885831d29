/** The capacity sweep of the open problem. */
import { useState } from 'preact/hooks'
import { exactly } from '../../base/format'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import { toggleCompare } from '../../run/page/modes'
import { openInPage } from '../../run/race/open_in_page'
import { raceProblem } from '../../run/race/page_race'
import { cancelSweep, type Sweep, type SweepPoint, startSweep, sweep } from '../../run/compare/sweep'
import { manifest } from '../../state/atoms'
import { PERCENT, POINTS, type SweepChoice, setSweepChoice, sweepChoice } from '../../state/compare/compare'
import { unit, opened } from '../../state/workbench'
import { parseCount } from '../../state/page/quantity'
import { boundOfCapacity } from '../../state/problem/pools'
import { isOther, runsHere, titleOf } from '../../state/compare/others'
import { outcomeTitle, resultColumns } from '../../state/compare/results'
import { type Column, type Order, ordered, toCsv } from '../../state/compare/table'
import { useActions } from '../page/context'
import { CopyTable, DataTable } from '../controls/data_table'
import { chartOf, TakeChart } from '../controls/take_chart'
import { NumberField } from '../controls/field'
import { GlyphKey } from '../controls/glyphs'
import { OutcomePill } from '../controls/pill'
import { SweepPicture } from './sweep_chart'
import { BudgetField, SolverChecks, useEscape, WorkButtons, WorkFrame } from './background_work'

function Settings({ now }: { now: Sweep | null }) {
  const choice = useValue(sweepChoice)
  const known = useValue(manifest)
  const problem = useValue(opened)?.problem
  const start = async () => {
    const on = raceProblem()
    if (on === null || known === null || problem === undefined) return
    await startSweep(on, boundOfCapacity(problem), known, choice)
  }
  return (
    <aside class="compare-side" aria-label="Sweep">
      <SolverChecks chosen={choice.solvers} set={(solvers) => setSweepChoice({ solvers })} hue />
      <NumberField
        label="Capacities"
        value={String(choice.points)}
        parse={(text) => parseCount(text, POINTS.min, POINTS.max)}
        set={(points) => setSweepChoice({ points })}
        help="So many, evenly from the lower bound up."
      />
      <NumberField
        label="Up to"
        value={String(choice.percent)}
        parse={(text) => parseCount(text, PERCENT.min, PERCENT.max)}
        set={(percent) => setSweepChoice({ percent })}
        unit="%"
        help="Of the lower bound."
      />
      <BudgetField steps={choice.budget} set={(budget) => setSweepChoice({ budget })} help="For each run." />
      <WorkButtons
        work={now?.work ?? null}
        name={now === null ? 'Sweep' : 'Sweep again'}
        off={!choice.solvers.some(runsHere)}
        start={start}
        cancel={cancelSweep}
      />
      <p class="hint">Each solver with the options of the page's form. Steps do not depend on the machine, times do.</p>
    </aside>
  )
}

function useColumns(): Column<SweepPoint>[] {
  const known = useValue(manifest)
  const amounts = useValue(unit)
  const name = (id: string) => titleOf(known?.solvers ?? [], id)
  return [
    {
      id: 'solver',
      title: 'Solver',
      number: false,
      value: ({ solver }) => name(solver),
      shown: ({ solver }) => name(solver),
    },
    {
      id: 'capacity',
      title: 'Capacity',
      number: true,
      value: ({ capacity }) => capacity,
      shown: ({ capacity }) => exactly(capacity, amounts),
    },
    ...resultColumns<SweepPoint>(
      ({ cell }) => cell,
      amounts,
      (outcome) => outcomeTitle(known?.outcomes ?? [], outcome),
    ),
  ]
}

/** Nodes and gap of a solver of others, or why there is nothing. */
const NOTE: Column<SweepPoint> = {
  id: 'note',
  title: 'Note',
  number: false,
  value: ({ cell }) => cell.note,
  shown: ({ cell }) => cell.note,
}

function Points(props: { now: Sweep; shows: SweepChoice['shows']; open: (point: SweepPoint) => void }) {
  const { now, shows, open } = props
  const problem = useValue(opened)
  const [order, setOrder] = useState<Order | null>(null)
  const plain = useColumns()
  const columns = now.points.some((point) => (point?.cell.note ?? '') !== '') ? [...plain, NOTE] : plain
  const picture = () =>
    chartOf(document.querySelector('.sweep-figure'), `${shows === 'steps' ? 'Steps' : 'Height'} over capacity`)
  const rows = ordered(
    now.points.filter((point) => point !== null),
    columns,
    order,
  )
  return (
    <section class="sweep-table" aria-label="Runs of the sweep">
      <div class="race-results-head">
        <GlyphKey />
        <span class="spring" />
        <TakeChart chart={picture} file={`${baseName(problem)}.sweep`} csv={() => toCsv(columns, rows)} />
        <CopyTable columns={columns} rows={rows} file={`${baseName(problem)}.sweep`} />
      </div>
      <DataTable
        name="Runs"
        columns={columns}
        rows={rows}
        order={order}
        setOrder={setOrder}
        rowKey={({ solver, capacity }) => `${solver} ${capacity}`}
        cell={(row, column) =>
          column.id === 'outcome' ? (
            <OutcomePill outcome={row.cell.outcome} title={column.shown(row)} />
          ) : column.id === 'capacity' ? (
            <button type="button" class="text-button mono" title="Open in the page" onClick={() => open(row)}>
              {column.shown(row)}
            </button>
          ) : column.id === 'note' ? (
            <span class="table-note" title={row.cell.note}>
              {row.cell.note}
            </span>
          ) : null
        }
      />
    </section>
  )
}

export function SweepTab() {
  const actions = useActions()
  const now = useValue(sweep)
  const choice = useValue(sweepChoice)
  useEscape(now?.work.kind === 'running', cancelSweep)
  const open = ({ solver, capacity }: SweepPoint) => {
    if (now === null) return
    if (isOther(solver)) {
      // it has no steps to show: the page's own solver looks at that capacity
      actions.solver.setCapacity(capacity)
      toggleCompare()
      return
    }
    const { options, seed } = now
    const config = { solver, capacity, seed, budget: now.choice.budget, options: options[solver] ?? {} }
    void openInPage(actions.session, config)
  }
  return (
    <WorkFrame
      settings={<Settings now={now} />}
      shows={choice.shows}
      choices={[
        ['steps', 'Steps, log scale'],
        ['height', 'Height'],
      ]}
      set={(shows) => setSweepChoice({ shows })}
      none="The same problem at every capacity from its lower bound up: where it is hard, and where it stops to be."
    >
      {now !== null && (
        <>
          <SweepPicture sweep={now} shows={choice.shows} open={open} />
          <Points now={now} shows={choice.shows} open={open} />
        </>
      )}
    </WorkFrame>
  )
}
