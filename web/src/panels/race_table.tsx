/** The results of all columns as a table, and who was first, as far as that can be said. */
import { useState } from 'preact/hooks'
import { seconds } from '../base/format'
import { useValue } from '../base/use_value'
import { baseName } from '../export/files'
import type { Lane, Race } from '../run/race'
import { capacity, manifest, opened } from '../state/atoms'
import { unit } from '../state/derive'
import { type Finish, firstToDecide } from '../state/lockstep'
import { type Cell, cellOfRun, outcomeTitle, resultColumns } from '../state/results'
import { type Column, type Order, ordered } from '../state/table'
import { CopyTable, DataTable } from './data_table'
import { settingsOf } from './lane'
import { width } from '../state/ui'
import { OutcomePill } from './pill'

interface Row {
  id: number
  title: string
  settings: string
  cell: Cell
  finish: (Finish & { race: number }) | null
}

function rowOf(lane: Lane, names: { title: string; note: string }): Row {
  const state = lane.run.get()
  const times = lane.times.get()
  const cell = cellOfRun(state)
  const over = state.kind === 'ended' || state.kind === 'cancelled' || state.kind === 'failed'
  const outcome = state.kind === 'failed' ? 'failed' : cell.outcome
  const finish =
    times === null || !over
      ? null
      : {
          title: names.title,
          outcome: outcome as Finish['outcome'],
          after: times.ended - times.started,
          race: times.race,
        }
  return { id: lane.id, title: names.title, settings: names.note, cell, finish }
}

/** Of those that were started together. Times of workers that shared the cores say little of each alone, and the sentence says so. */
function News({ rows }: { rows: Row[] }) {
  const last = Math.max(0, ...rows.map(({ finish }) => finish?.race ?? 0))
  const twice = (title: string) => rows.filter((row) => row.title === title).length > 1
  const finishes = rows.flatMap(({ title, settings, finish }) =>
    finish !== null && finish.race === last
      ? [{ ...finish, title: twice(title) ? `${title} (${settings})` : title }]
      : [],
  )
  const first = finishes.length < 2 ? null : firstToDecide(finishes)
  const cores = navigator.hardwareConcurrency
  const shared = `${finishes.length} workers shared ${cores} ${cores === 1 ? 'core' : 'cores'}: times are of this race, steps are the same anywhere.`
  const running = rows.some(({ cell }) => cell.outcome === 'running')
  return (
    <p class="race-news" role="status">
      {running
        ? 'Running…'
        : first === null
          ? finishes.length < 2
            ? ''
            : 'None of them has an answer yet.'
          : first.titles.length > 1
            ? `${first.titles.join(' and ')} had an answer first, too close to tell apart. `
            : `${first.titles[0]} had an answer first, after ${seconds(first.after / 1000)}. `}
      {!running && first !== null && <span class="dim">{shared}</span>}
    </p>
  )
}

const SOLVER: Column<Row> = {
  id: 'solver',
  title: 'Solver',
  number: false,
  value: ({ title }) => title,
  shown: ({ title }) => title,
}
const SETTINGS: Column<Row> = {
  id: 'settings',
  title: 'Settings',
  number: false,
  value: ({ settings }) => settings,
  shown: ({ settings }) => settings,
}
const DIGEST: Column<Row> = {
  id: 'digest',
  title: 'Digest',
  number: false,
  value: ({ cell }) => cell.digest || null,
  shown: ({ cell }) => (cell.digest === '' ? '–' : `${cell.digest.slice(0, 4)} ${cell.digest.slice(-4)}`),
}

export function RaceTable({ race }: { race: Race }) {
  useValue(race.changes)
  const lanes = useValue(race.lanes)
  const known = useValue(manifest)
  const problem = useValue(opened)
  const amounts = useValue(unit)
  const usual = useValue(capacity)
  const [order, setOrder] = useState<Order | null>(null)
  const title = (outcome: Cell['outcome']) => outcomeTitle(known?.outcomes ?? [], outcome)
  const all = [SOLVER, SETTINGS, ...resultColumns<Row>(({ cell }) => cell, amounts, title), DIGEST]
  // what a phone shows first is what became of them; the columns below say how they were set
  const columns = useValue(width) === 'phone' ? all.filter((column) => column !== SETTINGS) : all
  const rows = lanes.map((lane) => rowOf(lane, settingsOf(known?.solvers ?? [], lane.config.get(), usual, amounts)))
  const shown = ordered(rows, columns, order)
  return (
    <section class="race-results" aria-label="Results">
      <div class="race-results-head">
        <News rows={rows} />
        <span class="spring" />
        <CopyTable columns={columns} rows={shown} file={`${baseName(problem)}.compare`} />
      </div>
      <DataTable
        name="Results"
        columns={columns}
        rows={shown}
        order={order}
        setOrder={setOrder}
        rowKey={(row) => String(row.id)}
        cell={(row, column) =>
          column.id === 'outcome' ? <OutcomePill outcome={row.cell.outcome} title={title(row.cell.outcome)} /> : null
        }
      />
    </section>
  )
}
