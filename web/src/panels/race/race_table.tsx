/** The results of all columns as a table, and who was first, as far as that can be said. */
import { useRef, useState } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import type { Lane, Race } from '../../run/race/race'
import { manifest } from '../../state/atoms'
import { unit, capacity, opened } from '../../state/workbench'
import { type Finish, raceNews } from '../../state/race/race_playhead'
import { type ResultCell, cellOfRun, outcomeTitle, resultColumns } from '../../state/compare/results'
import { type Column, type Order, ordered, toCsv } from '../../state/compare/table'
import { CopyTable, DataTable } from '../controls/data_table'
import { chartOf, TakeChart } from '../controls/take_chart'
import { settingsOf } from './race_column'
import { width } from '../../state/ui'
import { OutcomePill } from '../controls/pill'

interface Row {
  id: number
  title: string
  settings: string
  cell: ResultCell
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
  const settings = [names.note, cell.note].filter((part) => part !== '').join('; ')
  return { id: lane.id, title: names.title, settings, cell, finish }
}

/** Of those that were started together, of which some may have the same title. */
function lastRace(rows: readonly Row[]): Finish[] {
  const last = Math.max(0, ...rows.map(({ finish }) => finish?.race ?? 0))
  const twice = (title: string) => rows.filter((row) => row.title === title).length > 1
  return rows.flatMap(({ title, settings, finish }) =>
    finish !== null && finish.race === last
      ? [{ ...finish, title: twice(title) ? `${title} (${settings})` : title }]
      : [],
  )
}

function News({ rows }: { rows: readonly Row[] }) {
  const running = rows.some(({ cell }) => cell.outcome === 'running')
  const { first, fair } = raceNews(rows.length, lastRace(rows), navigator.hardwareConcurrency)
  return (
    <p class="race-news" role="status">
      {running ? 'Running…' : first} {!running && <span class="dim">{fair}</span>}
    </p>
  )
}

/** Shares of a bar on a log scale, from a tenth of a millisecond to the longest of the rows. */
function timeShare(time: number, rows: readonly Row[]): number {
  const most = Math.max(...rows.map(({ cell }) => cell.seconds))
  const [low, high] = [Math.log10(1e-4), Math.log10(Math.max(1e-3, most))]
  return Math.min(1, Math.max(0.04, (Math.log10(Math.max(1e-4, time)) - low) / (high - low)))
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
/** Its bars have a scale of their own, which is said where it is read. */
const withBars = (column: Column<Row>): Column<Row> =>
  column.id === 'seconds' ? { ...column, title: 'Time, bars on a log scale' } : column

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
  const box = useRef<HTMLElement>(null)
  const title = (outcome: ResultCell['outcome']) => outcomeTitle(known?.outcomes ?? [], outcome)
  const all = [SOLVER, SETTINGS, ...resultColumns<Row>(({ cell }) => cell, amounts, title).map(withBars), DIGEST]
  // what a phone shows first is what became of them; the columns below say how they were set
  const columns = useValue(width) === 'phone' ? all.filter((column) => column !== SETTINGS) : all
  const rows = lanes.map((lane) => rowOf(lane, settingsOf(known?.solvers ?? [], lane, usual, amounts)))
  const shown = ordered(rows, columns, order)
  return (
    <section class="race-results" aria-label="Results" ref={box}>
      <div class="race-results-head">
        <News rows={rows} />
        <span class="spring" />
        <TakeChart
          chart={() => chartOf(box.current?.querySelector('table') ?? null, 'Results')}
          file={`${baseName(problem)}.compare`}
          csv={() => toCsv(columns, shown)}
        />
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
          column.id === 'outcome' ? (
            <OutcomePill outcome={row.cell.outcome} title={title(row.cell.outcome)} />
          ) : column === SETTINGS ? (
            <span class="table-note" title={row.settings}>
              {row.settings}
            </span>
          ) : column.id === 'seconds' && row.cell.seconds >= 0 ? (
            <span class="time-bar" title="The bar is on a log scale, from 0.1 ms on">
              <span class="time-track">
                <span style={{ width: `${(timeShare(row.cell.seconds, rows) * 100).toFixed(1)}%` }} />
              </span>
              {column.shown(row)}
            </span>
          ) : null
        }
      />
    </section>
  )
}
