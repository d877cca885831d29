// biome-ignore-all lint/a11y/useSemanticElements: the heads of a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Frame, Problem } from '../../../../wasm/client/types'
import { type ByteUnit, bytesIn, exactBytes, poolName, thousands } from '../../base/format'
import { Later } from '../../base/later'
import { memo } from '../../base/memo'
import { useValue } from '../../base/use_value'
import { find, goToMatch, placeOf } from '../../run/canvas/find_buffers'
import type { Column, Order } from '../../state/canvas/buffer_order'
import { pinOnly, togglePin } from '../../run/canvas/pins'
import { adding, matches, pins } from '../../state/canvas/canvas'
import {
  candidate,
  operators,
  shownCapacity,
  unit,
  filter,
  frame,
  problem as shownProblem,
  pinned,
} from '../../state/workbench'
import type { Operators } from '../../layout/scene'
import { makerName } from '../../state/model/operators'
import { editing, setEditing, uneditable } from '../../state/edit/editing'
import { finding } from '../../state/ui'
import { Name } from '../controls/name'
import { useArranged } from '../controls/table_order'
import { useActions } from '../page/context'
import { chooseText } from '../controls/field'
import { I } from '../controls/icons'
import { Part } from '../controls/later_part'
import { Pins } from './pins'
import { Cell, Rows } from '../controls/virtual_rows'
import { useRead } from '../controls/use_read'
import '../../styles/later'

const table = new Later(() => import('../edit/edit_table'))

const COLUMNS: [Column, string][] = [
  ['id', 'Buffer'],
  ['lower', 'Lower'],
  ['upper', 'Upper'],
  ['size', 'Size'],
  ['alignment', 'Align'],
  ['pool', 'Pool'],
  ['offset', 'Offset'],
  ['level', 'Level'],
]

/** A model's tensors have long names, which say more than these; a pool says more than an alignment. */
const columnsIn = (named: boolean, pools: boolean): [Column, string][] =>
  COLUMNS.filter(
    ([column]) =>
      (column !== 'level' || !named) && (column !== 'alignment' || !(named || pools)) && (column !== 'pool' || pools),
  )

/** Seven columns have no room for units: the table names its unit once. */
const bare = (value: number, unit: ByteUnit) => bytesIn(value, unit).replace(` ${unit.name}`, '')

function mostOf(values: Float64Array): number {
  let most = 1
  for (let k = 0; k < values.length; k++) if ((values[k] as number) > most) most = values[k] as number
  return most
}

/** Columns as wide as their longest number, in characters; the id takes the rest. */
const widthsOf = memo((problem: Problem, capacity: number, unit: ByteUnit, named: boolean): string => {
  const { pools } = problem
  const time = Math.max(5, thousands(mostOf(problem.upper)).length)
  const amount = Math.max(6, bare(capacity, unit).length + (unit.name === '' ? 0 : 2))
  const names = Math.max(...(pools ?? []).map((pool) => poolName(pool).length), 0)
  const characters: Record<Exclude<Column, 'id'>, number> = {
    lower: time,
    upper: time,
    size: named ? amount : amount - 1,
    alignment: Math.max(5, thousands(mostOf(problem.alignment)).length),
    pool: Math.min(12, Math.max(5, names + 1)),
    offset: amount,
    level: Math.max(5, thousands(problem.count).length),
  }
  const widths = columnsIn(named, pools !== undefined).map(([column]) =>
    column === 'id' ? 'minmax(4ch, 1fr)' : `${characters[column]}ch`,
  )
  return widths.join(' ')
})

interface HeadProps {
  columns: [Column, string][]
  order: Order
  set: (order: Order) => void
}

function Head({ columns, order, set }: HeadProps) {
  return (
    <>
      {columns.map(([column, title]) => {
        const here = order.column === column
        return (
          <span key={column} role="columnheader" aria-sort={here ? (order.down ? 'descending' : 'ascending') : 'none'}>
            <button
              type="button"
              class={here ? `sorted${order.down ? ' sorted-down' : ''}` : ''}
              onClick={() => set({ column, down: here && !order.down })}
            >
              {title}
            </button>
          </span>
        )
      })}
    </>
  )
}

/** The search field, how many it finds, and the way from one to the next. */
function Finder({ rows }: { rows: number }) {
  const actions = useActions()
  const problem = useValue(shownProblem) ?? undefined
  const fixed = useValue(uneditable)
  const amounts = useValue(unit)
  const text = useValue(filter)
  const asked = useValue(finding)
  const list = useValue(matches)?.list
  const at = placeOf(list ?? NONE, useValue(pinned))
  const model = useValue(operators) !== null
  const edits = useValue(editing)
  const input = useRef<HTMLInputElement>(null)
  const seen = useRef(0)
  const before = useRef<Element | null>(null)
  useEffect(() => {
    if (asked > seen.current) {
      if (document.activeElement !== input.current) before.current = document.activeElement
      chooseText(input.current)
    }
    seen.current = asked
  }, [asked])
  const name = model ? 'Find by id or operator' : 'Find by id'
  const leave = () => {
    input.current?.blur()
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  const none = list === undefined || list.length === 0
  const count =
    at >= 0 ? `${thousands(at + 1)} of ${thousands(rows)}` : `${thousands(rows)} of ${thousands(problem?.count ?? 0)}`
  return (
    <div class="tab-part filter">
      <input
        ref={input}
        type="search"
        class="mono"
        aria-label={name}
        placeholder={name}
        title="Part of a name, or * and ? for what may be anything"
        value={text}
        onInput={(event) => void find(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') goToMatch(actions, event.shiftKey ? -1 : 1)
          if (event.key !== 'Escape') return
          // first the text goes, then the focus; the page's key comes after both
          event.preventDefault()
          if (text === '') leave()
          else void find('')
        }}
      />
      {text !== '' && (
        <>
          <button
            type="button"
            class="icon-button"
            aria-label="Previous match"
            title="Previous match (Shift G)"
            disabled={none}
            onClick={() => goToMatch(actions, -1)}
          >
            <I name="up" />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label="Next match"
            title="Next match (G)"
            disabled={none}
            onClick={() => goToMatch(actions, 1)}
          >
            <I name="down" />
          </button>
        </>
      )}
      <span class="hint" role="status">
        {text !== '' && count}
        {text === '' && !edits && amounts.name !== '' && `in ${amounts.name}`}
        {text === '' && edits && 'in bytes'}
      </span>
      <button
        type="button"
        class="quiet-button"
        aria-pressed={edits}
        disabled={fixed !== ''}
        title={fixed || undefined}
        onClick={() => setEditing(!edits)}
      >
        <I name={edits ? 'tick' : 'edit'} />
        <span>{edits ? 'Done' : 'Edit'}</span>
      </button>
    </div>
  )
}

function IdCell({ problem, makers, buffer: k }: { problem: Problem; makers: Operators | null; buffer: number }) {
  const id = problem.ids.at(k)
  return (
    <Cell class="clip" title={makers === null ? id : `${id}: ${makerName(makers, k)}`}>
      {makers !== null && (
        <span class="op-swatch" style={{ background: `var(--category-${makers.bufferShade[k] ?? 0})` }} />
      )}
      <Name of={id} />
    </Cell>
  )
}

interface RowProps {
  problem: Problem
  shown: Frame | null
  amounts: ByteUnit
  makers: Operators | null
  buffer: number
}

function cellOf(column: Column, { problem, shown, amounts, makers, buffer: k }: RowProps) {
  const of = (values: ArrayLike<number> | undefined, other: number) => values?.[k] ?? other
  switch (column) {
    case 'id':
      return <IdCell key={column} problem={problem} makers={makers} buffer={k} />
    case 'lower':
    case 'upper':
      return (
        <Cell key={column} class="dim">
          {thousands(of(problem[column], 0))}
        </Cell>
      )
    case 'size': {
      const size = of(problem.size, 0)
      return (
        <Cell key={column} title={exactBytes(size)}>
          {bare(size, amounts)}
        </Cell>
      )
    }
    case 'alignment':
      return (
        <Cell key={column} class="dim">
          {thousands(of(problem.alignment, 1))}
        </Cell>
      )
    case 'pool': {
      const pool = problem.pools?.[of(problem.pool, 0)]
      const name = pool === undefined ? '' : poolName(pool)
      return (
        <Cell key={column} class="dim" title={name}>
          {name}
        </Cell>
      )
    }
    case 'offset': {
      const offset = of(shown?.offset, -1)
      return (
        <Cell key={column} title={offset < 0 ? undefined : exactBytes(offset)}>
          {offset < 0 ? '–' : bare(offset, amounts)}
        </Cell>
      )
    }
    case 'level': {
      const level = of(shown?.level, 0)
      return (
        <Cell key={column} class="dim">
          {level > 0 ? thousands(level) : '–'}
        </Cell>
      )
    }
  }
}

const NONE = new Uint32Array(0)

export function BuffersTab() {
  const actions = useActions()
  const problem = useValue(shownProblem)
  const shown = useRead(frame)
  const amounts = useValue(unit)
  const capacity = useValue(shownCapacity)
  const text = useValue(filter)
  const pin = useValue(pinned)
  const all = useValue(pins)
  const now = useRead(candidate)
  const makers = useValue(operators)
  const edits = useValue(editing)
  const [order, setOrder] = useState<Order>({ column: 'id', down: false })
  // Only an order by what a step changes has to be made anew at each step.
  const moving = order.column === 'offset' || order.column === 'level'
  const { list, busy } = useArranged(problem, moving ? shown : null, order, useValue(matches)?.list ?? null)
  // a text that was typed before the tab was there is still to be looked for
  useEffect(() => void find(filter.get()), [problem])
  if (problem === null) return null
  const columns = columnsIn(makers !== null, problem.pools !== undefined)
  const at = pin < 0 ? -1 : list.indexOf(pin)
  return (
    <div class="buffers-tab" style={{ '--columns': widthsOf(problem, capacity, amounts, makers !== null) }}>
      <Finder rows={list.length} />
      <Pins />
      {edits ? (
        <Part of={table}>{({ EditTable }) => <EditTable />}</Part>
      ) : (
        <Rows
          name="Buffers"
          columns={columns.length}
          count={list.length}
          empty={`No id holds “${text}”.`}
          focus={at}
          head={<Head columns={columns} order={order} set={setOrder} />}
          rowClass={(index) =>
            `buffers-row${all.includes(list[index] ?? -1) ? ' row-pinned' : ''}${list[index] === now?.buffer ? ' row-now' : ''}`
          }
          row={(index) => {
            const k = list[index] ?? 0
            return columns.map(([column]) => cellOf(column, { problem, shown, amounts, makers, buffer: k }))
          }}
          hover={(index) => actions.canvas.light(index < 0 ? [] : [list[index] ?? 0], -1)}
          busy={busy}
          pick={(index, add) => {
            const buffer = list[index] ?? 0
            if (add || adding.get()) togglePin(buffer, true)
            else pinOnly(buffer)
            actions.view?.centre(buffer)
          }}
        />
      )}
    </div>
  )
}
