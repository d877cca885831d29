// biome-ignore-all lint/a11y/useSemanticElements: the heads of a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Frame, Problem } from '../../../wasm/client/types'
import { type ByteUnit, bytesIn, exactBytes, thousands } from '../base/format'
import { Later } from '../base/later'
import { memo } from '../base/memo'
import { useValue } from '../base/use_value'
import { frame, opened } from '../state/atoms'
import type { Operators } from '../layout/scene'
import { candidate, operators, shownCapacity, unit } from '../state/derive'
import { makerName } from '../state/operators'
import { editing } from '../state/editing'
import { filter, finding, pinned } from '../state/ui'
import { useActions } from './context'
import { I } from './icons'
import { Part } from './part'
import { Cell, Rows } from './rows'

const table = new Later(() => import('./edit_table'))

export type Column = 'file' | 'id' | 'lower' | 'upper' | 'size' | 'alignment' | 'offset' | 'level'
export interface Order {
  column: Column
  down: boolean
}

const COLUMNS: [Column, string][] = [
  ['id', 'Buffer'],
  ['lower', 'Lower'],
  ['upper', 'Upper'],
  ['size', 'Size'],
  ['alignment', 'Align'],
  ['offset', 'Offset'],
  ['level', 'Level'],
]

/** A model's tensors have long names, which say more than these. */
const SPARED: readonly Column[] = ['alignment', 'level']

/** Seven columns have no room for units: the table names its unit once. */
const bare = (value: number, unit: ByteUnit) => bytesIn(value, unit).replace(` ${unit.name}`, '')

const byId = new Intl.Collator('en', { numeric: true })

/** Indices of the buffers whose id, or what makes them, holds the text, in the order asked for ('file': theirs); ties by index. O(n log n). */
export function arrange(
  problem: Problem,
  shown: Frame | null,
  order: Order,
  text: string,
  makers: Operators | null = null,
): Uint32Array {
  const wanted = text.trim().toLowerCase()
  const found: number[] = []
  for (let k = 0; k < problem.count; k++) {
    const named = () => makers !== null && makerName(makers, k).toLowerCase().includes(wanted)
    if (wanted === '' || (problem.ids[k] ?? '').toLowerCase().includes(wanted) || named()) found.push(k)
  }
  const sign = order.down ? -1 : 1
  if (order.column === 'id') {
    found.sort((x, y) => sign * byId.compare(problem.ids[x] ?? '', problem.ids[y] ?? '') || x - y)
    return Uint32Array.from(found)
  }
  if (order.column === 'file') return Uint32Array.from(found)
  const sources = {
    lower: problem.lower,
    upper: problem.upper,
    size: problem.size,
    alignment: problem.alignment,
    offset: shown?.offset,
    level: shown?.level,
  }
  const values = sources[order.column]
  if (values !== undefined) found.sort((x, y) => sign * ((values[x] ?? 0) - (values[y] ?? 0)) || x - y)
  return Uint32Array.from(found)
}

/** Columns as wide as their longest number, in characters; the id takes the rest. */
const columnsOf = memo((problem: Problem, capacity: number, unit: ByteUnit, named: boolean): string => {
  const last = problem.sections.upper[problem.sections.count - 1] ?? 0
  const time = Math.max(5, thousands(last).length)
  const amount = Math.max(6, bare(capacity, unit).length + (unit.name === '' ? 0 : 2))
  const align = Math.max(5, thousands(problem.alignment.reduce((most, a) => Math.max(most, a), 1)).length)
  const level = Math.max(5, thousands(problem.count).length)
  return named
    ? `minmax(4ch, 1fr) ${time}ch ${time}ch ${amount}ch ${amount}ch`
    : `minmax(4ch, 1fr) ${time}ch ${time}ch ${amount - 1}ch ${align}ch ${amount}ch ${level}ch`
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

export function BuffersTab() {
  const actions = useActions()
  const problem = useValue(opened)?.problem ?? null
  const shown = useValue(frame)
  const amounts = useValue(unit)
  const capacity = useValue(shownCapacity)
  const text = useValue(filter)
  const pin = useValue(pinned)
  const now = useValue(candidate)
  const wish = useValue(finding)
  const all = useValue(operators)
  const edits = useValue(editing)
  const [order, setOrder] = useState<Order>({ column: 'id', down: false })
  const input = useRef<HTMLInputElement>(null)
  const sorted = useRef(memo(arrange))
  const seen = useRef(0)
  useEffect(() => {
    if (wish > seen.current) input.current?.select()
    seen.current = wish
  }, [wish])
  if (problem === null) return null
  const columns = all === null ? COLUMNS : COLUMNS.filter(([column]) => !SPARED.includes(column))
  // Only an order by what a step changes has to be made anew at each step.
  const moving = order.column === 'offset' || order.column === 'level'
  const list = sorted.current(problem, moving ? shown : null, order, text, all)
  const at = pin < 0 ? -1 : list.indexOf(pin)
  return (
    <div class="buffers-tab" style={{ '--columns': columnsOf(problem, capacity, amounts, all !== null) }}>
      <div class="tab-part filter">
        <input
          ref={input}
          type="search"
          class="mono"
          aria-label={all === null ? 'Find by id' : 'Find by id or operator'}
          placeholder={all === null ? 'Find by id' : 'Find by id or operator'}
          value={text}
          onInput={(event) => actions.setFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = list[0]
            if (event.key === 'Enter' && first !== undefined) actions.reveal(first)
          }}
        />
        <span class="hint">
          {text !== '' && `${thousands(list.length)} of ${thousands(problem.count)}`}
          {text === '' && !edits && amounts.name !== '' && `in ${amounts.name}`}
          {text === '' && edits && 'in bytes'}
        </span>
        <button type="button" class="quiet-button" aria-pressed={edits} onClick={() => editing.set(!edits)}>
          <I name={edits ? 'tick' : 'edit'} />
          <span>{edits ? 'Done' : 'Edit'}</span>
        </button>
      </div>
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
            `buffers-row${list[index] === pin ? ' row-pinned' : ''}${list[index] === now?.buffer ? ' row-now' : ''}`
          }
          row={(index) => {
            const k = list[index] ?? 0
            const offset = shown?.offset[k] ?? -1
            const level = shown?.level[k] ?? 0
            const size = problem.size[k] ?? 0
            return (
              <>
                <Cell class="clip" title={all === null ? problem.ids[k] : `${problem.ids[k]}: ${makerName(all, k)}`}>
                  {all !== null && (
                    <span class="op-swatch" style={{ background: `var(--category-${all.bufferShade[k] ?? 0})` }} />
                  )}
                  {problem.ids[k]}
                </Cell>
                <Cell class="dim">{thousands(problem.lower[k] ?? 0)}</Cell>
                <Cell class="dim">{thousands(problem.upper[k] ?? 0)}</Cell>
                <Cell title={exactBytes(size)}>{bare(size, amounts)}</Cell>
                {all === null && <Cell class="dim">{thousands(problem.alignment[k] ?? 1)}</Cell>}
                <Cell title={offset < 0 ? undefined : exactBytes(offset)}>
                  {offset < 0 ? '–' : bare(offset, amounts)}
                </Cell>
                {all === null && <Cell class="dim">{level > 0 ? thousands(level) : '–'}</Cell>}
              </>
            )
          }}
          hover={(index) => actions.light(index < 0 ? [] : [list[index] ?? 0], -1)}
          pick={(index) => actions.reveal(list[index] ?? 0)}
        />
      )}
    </div>
  )
}
