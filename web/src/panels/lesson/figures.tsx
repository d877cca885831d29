/** What stands beside the text: tables and small charts of what the core has computed. */
import { bytesIn, exactly, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { Figure, Other } from '../../lessons/lesson'
import { spanOf } from '../../lessons/answers/live'
import { indexMonotonic, offsetMonotonic, ordersOf, packing } from '../../lessons/answers/orders'
import { sectionSums, triedAt } from '../../lessons/answers/sections'
import { order, others } from '../../run/lesson/lesson_live'
import { change, setOrder } from '../../run/lesson/lessons'
import { manifest } from '../../state/atoms'
import { shownCapacity, unit, capacity, frame, opened } from '../../state/workbench'
import { Candidates } from '../step/candidates'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Lattice } from './lattice'

/** Floor and what is still to place, section by section, at the step shown. */
function Sections() {
  const actions = useActions()
  const problem = useValue(opened)?.problem
  const shown = useValue(frame)
  const limit = useValue(shownCapacity)
  const amounts = useValue(unit)
  if (problem === undefined) return null
  const sums = sectionSums(problem, shown, triedAt(shown))
  const end = Math.max(limit, ...sums.map(({ floor, rest }) => floor + rest))
  const at = (value: number) => `${((value / end) * 100).toFixed(2)}%`
  return (
    <table class="figure sections-figure">
      <caption>Sections at this step, capacity {exactly(limit, amounts)}</caption>
      <thead>
        <tr>
          <th scope="col">Section</th>
          <th scope="col">Floor</th>
          <th scope="col">To place</th>
          <th scope="col">Sum</th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ section, floor, rest }) => {
          const over = floor + rest > limit
          return (
            <tr
              key={section}
              onPointerEnter={() => actions.canvas.light([], section)}
              onPointerLeave={() => actions.canvas.light([], -1)}
            >
              <th scope="row">
                <span class="dim">{section}</span> {spanOf(problem, section)}
                <span class="sum-bar" aria-hidden="true">
                  <span class="sum-floor" style={{ left: '0', width: at(floor) }} />
                  <span class="sum-rest" style={{ left: at(floor), width: at(rest) }} />
                  {over && <span class="sum-over" style={{ left: at(limit), width: at(floor + rest - limit) }} />}
                  <span class="sum-line" style={{ left: at(limit) }} />
                </span>
              </th>
              <td>{bytesIn(floor, amounts)}</td>
              <td>{bytesIn(rest, amounts)}</td>
              <td class={over ? 'why' : ''}>{bytesIn(floor + rest, amounts)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const yes = (is: boolean) => (is ? <I name="tick" /> : <span class="dim">–</span>)

/** The orders that lead to a packing, in a table: MiniMalloc, Table 1. */
function Orders({ of }: { of: string[] }) {
  const problem = useValue(opened)?.problem
  const now = useValue(order)
  if (problem === undefined) return null
  const offset = packing(
    problem,
    of.map((id) => problem.ids.indexOf(id)),
  )
  const all = ordersOf(problem, offset)
  return (
    <table class="figure orders-figure">
      <caption>All orders that end in this packing</caption>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Offsets</th>
          <th scope="col">Ties</th>
        </tr>
      </thead>
      <tbody>
        {all.map((list) => {
          const [up, ties] = [offsetMonotonic(offset, list), indexMonotonic(offset, list)]
          return (
            <tr key={list.join()} class={up && ties ? 'row-chosen' : ''}>
              <th scope="row">
                <button
                  type="button"
                  class="ref ref-plain"
                  aria-pressed={now?.join() === list.join()}
                  onClick={() => setOrder(list)}
                >
                  {list.map((k) => problem.ids.at(k)).join(' ')}
                </button>
              </th>
              <td>
                {yes(up)}
                <span class="hidden">{up ? 'never down' : 'down'}</span>
              </td>
              <td>
                {yes(ties)}
                <span class="hidden">{ties ? 'by index' : 'not by index'}</span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Of the measuring voice at its size in tables, in pixels. */
const CHARACTER = 7.3

const OVER = new Set<Other['outcome']>(['over-capacity'])

interface BarsProps {
  rows: Other[]
  caption: string
  head: string
  value: (row: Other) => number
  /** of the bar, 0 to 1 */
  length: (row: Other) => number
  name: (row: Other) => string
  pick: ((row: Other) => void) | null
}

/** Runs by a number each. */
function Bars({ rows, caption, head, value, length, name, pick }: BarsProps) {
  const known = useValue(manifest)
  const at = useValue(capacity)
  const widest = Math.max(0, ...rows.map((row) => thousands(value(row)).length))
  const title = (row: Other) => known?.outcomes.find((one) => one.id === row.outcome)?.title ?? row.outcome
  return (
    <table class="figure bars-figure" style={{ '--number': `${(widest * CHARACTER).toFixed(1)}px` }}>
      <caption>{caption}</caption>
      <thead class="hidden">
        <tr>
          <th scope="col">Run</th>
          <th scope="col">{head}</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} class={pick !== null && row.capacity === at ? 'row-chosen' : ''}>
            <th scope="row">
              {pick === null ? (
                name(row)
              ) : (
                <button type="button" class="ref ref-plain" onClick={() => pick(row)}>
                  {name(row)}
                </button>
              )}
            </th>
            <td class="bar-cell">
              <span class="bar-row">
                <span class={`bar bar-${row.outcome}`} style={{ '--length': length(row).toFixed(3) }} />
                <span class="mono">{thousands(value(row))}</span>
              </span>
            </td>
            <td class={`outcome-word${OVER.has(row.outcome) ? ' dim' : ''}`}>{title(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Waiting() {
  return (
    <p class="figure hint" role="status">
      Running them…
    </p>
  )
}

type Measure = Extract<Figure, { kind: 'table' }>['by']
const MEASURES: Record<Measure, { caption: string; head: string; value: (row: Other) => number }> = {
  height: { caption: 'Height of each plan', head: 'Height', value: (row) => row.height },
  steps: { caption: 'Steps of each search', head: 'Steps', value: (row) => row.steps },
  traffic: { caption: 'Bytes that each plan moves', head: 'Traffic', value: (row) => row.cost },
}

function Table({ by }: { by: Measure }) {
  const rows = useValue(others)
  if (rows === null) return <Waiting />
  const { caption, head, value } = MEASURES[by]
  const most = Math.max(1, ...rows.map(value))
  return (
    <Bars
      rows={rows}
      caption={caption}
      head={head}
      value={value}
      length={(row) => value(row) / most}
      name={(row) => row.name}
      pick={null}
    />
  )
}

/** Steps against capacity, on a scale of powers of ten. */
function Sweep() {
  const { session } = useActions()
  const rows = useValue(others)
  if (rows === null) return <Waiting />
  const most = Math.log10(Math.max(10, ...rows.map((row) => row.steps)))
  return (
    <Bars
      rows={rows}
      caption="Steps against capacity (logarithmic)"
      head="Steps"
      value={(row) => row.steps}
      length={(row) => Math.log10(Math.max(1, row.steps)) / most}
      name={(row) => thousands(row.capacity)}
      pick={(row) => void change(session, { capacity: row.capacity })}
    />
  )
}

export function FigureOf({ figure }: { figure: Figure }) {
  switch (figure.kind) {
    case 'lattice':
      return <Lattice of={figure.of} />
    case 'orders':
      return <Orders of={figure.of} />
    case 'sections':
      return <Sections />
    case 'candidates':
      return (
        <div class="figure">
          <Candidates />
        </div>
      )
    case 'table':
      return <Table by={figure.by} />
    case 'sweep':
      return <Sweep />
  }
}
