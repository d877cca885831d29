// biome-ignore-all lint/a11y/useSemanticElements: the heads of a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
/** The Buffers tab while it is edited: every cell takes input, several buffers can be duplicated or deleted at once. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Problem } from '../../../../wasm/client/types'
import { thousands, visible } from '../../base/format'
import { memo } from '../../base/memo'
import { useValue } from '../../base/use_value'
import { change, editAsBuffers, fileAfter } from '../../run/edit/edit'
import { say } from '../../state/atoms'
import { type Column, COLUMNS } from '../../state/edit/csv_places'
import { readCell } from '../../state/edit/edit_cell'
import { cellOf, idFor } from '../../state/edit/edit_csv'
import { choose, chosen, fileOf, refused, rowIn, setEditing, setRefused, typeInto } from '../../state/edit/editing'
import { width } from '../../state/ui'
import { matches } from '../../state/canvas/canvas'
import { unordered } from '../../state/canvas/buffer_order'
import { useActions } from '../page/context'
import { chooseText } from '../controls/field'
import { Cell, ROW, Rows } from '../controls/virtual_rows'
import { UndoButtons } from './undo'
import { filter, opened, pinned } from '../../state/workbench'
import { nameOf, type Opened, stringOf } from '../../state/workbench_values'
import '../../styles/later'
import { clearFilter, pinBuffer } from '../../run/canvas/selection'

/** Rows that a finger can hit. */
const TOUCH_ROW = 44

const TITLES: Record<Column, string> = {
  id: 'Buffer',
  lower: 'Lower',
  upper: 'Upper',
  size: 'Size',
  alignment: 'Align',
  offset: 'Fixed at',
  pool: 'Pool',
  shape: 'Shape',
}

/** Pools and shapes where there are any. */
const columnsIn = memo(({ pools, rects }: Problem): readonly Column[] =>
  COLUMNS.filter((column) => (column !== 'pool' || pools !== undefined) && (column !== 'shape' || rects !== undefined)),
)

interface Place {
  buffer: number
  column: Column
}

/** A model's buffers follow from its graph. */
function OfModel() {
  const actions = useActions()
  return (
    <div class="tab-part edit-model">
      <p>These buffers are made from a model’s graph, so they are not edited one by one.</p>
      <div class="row row-wrap">
        <button type="button" class="button primary" onClick={() => void editAsBuffers(actions.session)}>
          Edit as buffers
        </button>
        <button type="button" class="plain-button" onClick={() => setEditing(false)}>
          Done
        </button>
      </div>
      <p class="hint">The model stays one Undo away.</p>
    </div>
  )
}

/** The cell beside, on the next row behind the last one; null behind the end of the table. */
function beside(columns: readonly Column[], list: Uint32Array, { buffer, column }: Place, by: -1 | 1): Place | null {
  const at = list.indexOf(buffer) * columns.length + columns.indexOf(column) + by
  const next = list[Math.floor(at / columns.length)]
  const name = columns[((at % columns.length) + columns.length) % columns.length]
  return at < 0 || next === undefined || name === undefined ? null : { buffer: next, column: name }
}

function below(list: Uint32Array, { buffer, column }: Place, by: -1 | 1): Place | null {
  const next = list[list.indexOf(buffer) + by]
  return next === undefined ? null : { buffer: next, column }
}

/** What was typed, or why it is none; compared with all other ids. */
function read(now: Opened, { buffer, column }: Place, text: string) {
  const { problem } = now
  return readCell(column, text, {
    lower: problem.lower[buffer] ?? 0,
    upper: problem.upper[buffer] ?? 0,
    alignment: problem.alignment[buffer] ?? 1,
    pools: (problem.pools ?? []).map(({ id }) => id),
    taken: (id) => ![-1, buffer].includes(problem.ids.indexOf(id)),
  })
}

interface FieldProps {
  now: Opened
  place: Place
  /** where to go, once what was typed is well; null: nowhere */
  leave: (to: Place | null) => void
  list: Uint32Array
}

/** The cell that is being typed in. What is wrong stays in it, and the bar below says why. */
function CellField({ now, place, leave, list }: FieldProps) {
  const actions = useActions()
  const wrong = useValue(refused)
  const before = cellOf(stringOf(now.text), place.buffer, place.column)
  const [text, setText] = useState(before)
  const input = useRef<HTMLInputElement>(null)
  const left = useRef(false)
  const commit = (to: Place | null): void => {
    if (left.current) return
    const typed = read(now, place, text)
    setRefused(typed.ok || text === before ? '' : typed.message)
    if (!typed.ok && text !== before) return
    left.current = true
    leave(to)
    if (!typed.ok || text === before) return
    const values = { [place.column]: typed.value }
    void change(actions.session, { kind: 'set', buffer: place.buffer, values }, now).then(setRefused)
  }
  const name = `${TITLES[place.column]} of ${now.problem.ids.at(place.buffer) ?? ''}`
  /** What is no value goes with its cell, but not without a word. */
  const drop = () => {
    if (left.current) return
    left.current = true
    const typed = read(now, place, text)
    if (typed.ok || text === before) return
    setRefused('')
    const where = `It was typed for ${name} in ${nameOf(now.source)}`
    say({
      tone: 'why',
      title: `“${visible(text)}” was not taken.`,
      text: `${where}: ${typed.message}.`,
    })
  }
  const kept = () => {
    const typed = read(now, place, text)
    if (left.current || !typed.ok || text === before) return null
    return fileAfter(now, { kind: 'set', buffer: place.buffer, values: { [place.column]: typed.value } })
  }
  const latest = useRef({ commit, drop, kept })
  latest.current = { commit, drop, kept }
  useLayoutEffect(() => {
    chooseText(input.current)
    const settle = () => latest.current.commit(null)
    const file = () => latest.current.kept()
    const end = typeInto(settle, file)
    return () => {
      end()
      latest.current.drop()
    }
  }, [])
  const cancel = () => {
    left.current = true
    setRefused('')
    leave(null)
  }
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    const by = event.shiftKey || event.key === 'ArrowUp' ? -1 : 1
    if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter') commit(null)
    else if (event.key === 'Tab') commit(beside(columnsIn(now.problem), list, place, by))
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') commit(below(list, place, by))
    else return
    event.preventDefault()
  }
  return (
    <input
      ref={input}
      type="text"
      class="cell-input"
      aria-label={name}
      aria-invalid={wrong !== ''}
      aria-describedby={wrong === '' ? undefined : 'edit-why'}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onClick={(event) => event.stopPropagation()}
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKey}
      onBlur={() => commit(null)}
    />
  )
}

/** Chosen buffers as the commands take them: in order; without any the one that is pinned. */
function target(problem: Problem): number[] {
  const some = [...chosen.get()].filter((k) => k < problem.count).sort((x, y) => x - y)
  if (some.length > 0) return some
  const one = pinned.get()
  return one >= 0 && one < problem.count ? [one] : []
}

function Bar({ now, edit }: { now: Opened; edit: (place: Place) => void }) {
  const actions = useActions()
  useValue(chosen)
  useValue(pinned)
  const why = useValue(refused)
  const some = target(now.problem)
  const make = async (kind: 'duplicate' | 'delete') => {
    const done = await change(actions.session, { kind, buffers: some })
    setRefused(done)
    if (done === '') choose([])
  }
  const add = async () => {
    const { problem, text } = now
    const like = some[0] ?? 0
    const values = {
      id: idFor(stringOf(text), 'new'),
      lower: problem.lower[like] ?? 0,
      upper: problem.upper[like] ?? 1,
      size: problem.size[like] ?? 1,
    }
    const done = await change(actions.session, { kind: 'add', values })
    setRefused(done)
    if (done !== '') return
    clearFilter()
    edit({ buffer: problem.count, column: 'id' })
  }
  const count = some.length > 1 ? ` ${thousands(some.length)}` : ''
  return (
    <div class="edit-bar">
      <p class="edit-why why" id="edit-why" role="alert">
        {why}
      </p>
      <div class="row row-tight" role="toolbar" aria-label="Edit">
        <button type="button" class="text-button" onClick={() => void add()}>
          Add
        </button>
        <button type="button" class="text-button" disabled={some.length === 0} onClick={() => void make('duplicate')}>
          Duplicate{count}
        </button>
        <button type="button" class="text-button" disabled={some.length === 0} onClick={() => void make('delete')}>
          Delete{count}
        </button>
        <span class="spring" />
        <UndoButtons />
      </div>
    </div>
  )
}

function chooseOne(buffer: number, on: boolean): void {
  const others = [...chosen.get()].filter((other) => other !== buffer)
  choose(on ? [...others, buffer] : others)
}

function Head({ list, columns }: { list: Uint32Array; columns: readonly Column[] }) {
  const some = useValue(chosen)
  const all = list.length > 0 && list.every((k) => some.has(k))
  return (
    <>
      <span role="columnheader">
        <input type="checkbox" aria-label="Choose all" checked={all} onChange={() => choose(all ? [] : list)} />
      </span>
      {columns.map((column) => (
        <span key={column} role="columnheader">
          {TITLES[column]}
        </span>
      ))}
    </>
  )
}

/** As wide as the longest of what the file says, in characters; the id takes the rest. */
const columnsOf = memo(({ problem }: Opened): string => {
  const longest = (values: ArrayLike<number | string>, least: number): number => {
    let most = 0
    for (let k = 0; k < values.length; k++) most = Math.max(most, String(values[k]).length)
    return Math.max(least, most + 2)
  }
  const { lower, upper, size, alignment } = problem
  const offset = Math.max(9, String(problem.lowerBound).length + 2)
  const { pools, rects } = problem
  const amounts = `${longest(lower, 6)}ch ${longest(upper, 6)}ch ${longest(size, 6)}ch ${longest(alignment, 6)}ch ${offset}ch`
  const pool =
    pools === undefined
      ? ''
      : ` ${Math.min(
          16,
          longest(
            pools.map(({ id }) => id),
            6,
          ),
        )}ch`
  return `22px minmax(5ch, 1fr) ${amounts}${pool}${rects === undefined ? '' : ' minmax(12ch, 1fr)'}`
})

function useChosenOf({ problem, source }: Opened): ReadonlySet<number> {
  const some = useValue(chosen)
  // at once: a later effect would take what was chosen by then
  useLayoutEffect(() => {
    choose([])
  }, [problem.count, fileOf(source)])
  return some
}

/** The cell that is open, and the problem in which it was opened. It stays open over edits of its file. */
function useOpenCell(now: Opened): [Place | null, (to: Place | null) => void] {
  const [cell, setCell] = useState<{ place: Place; of: Opened } | null>(null)
  const buffer = cell === null ? -1 : rowIn(now, cell.of, cell.place.buffer)
  const place = cell === null || buffer < 0 ? null : { ...cell.place, buffer }
  return [place, (to) => setCell(to && { place: to, of: opened.get() ?? now })]
}

function Table({ now }: { now: Opened }) {
  const actions = useActions()
  const text = useValue(filter)
  const pin = useValue(pinned)
  const touch = useValue(width) === 'phone'
  const some = useChosenOf(now)
  const [place, setPlace] = useOpenCell(now)
  const [column, setColumn] = useState<Column>('size')
  const host = useRef<HTMLDivElement>(null)
  const found = useValue(matches)?.list ?? null
  // in the order of the file: what is typed must not make its row jump away
  const list = useMemo(() => unordered(now.problem, found), [now.problem, found])
  const columns = columnsIn(now.problem)
  const go = (to: Place | null) => {
    setPlace(to)
    if (to !== null) setColumn(to.column)
    else host.current?.querySelector<HTMLElement>('.rows')?.focus()
  }
  const onKey = (event: KeyboardEvent, row: number): boolean => {
    const buffer = list[row]
    if (event.key === 'Delete' || event.key === 'Backspace') {
      const wanted = some.size > 0 ? [...some] : buffer === undefined ? [] : [buffer]
      void change(actions.session, { kind: 'delete', buffers: wanted }).then(setRefused)
    } else if (event.key === ' ' && buffer !== undefined) chooseOne(buffer, !some.has(buffer))
    else if (event.key === 'F2' && buffer !== undefined) go({ buffer, column })
    else return false
    return true
  }
  const cell = (buffer: number, name: Column) => {
    if (place?.buffer === buffer && place.column === name)
      return <CellField key={`${buffer} ${name}`} now={now} place={place} leave={go} list={list} />
    const value = cellOf(stringOf(now.text), buffer, name)
    return (
      <button
        type="button"
        class={`cell-button${value === '' ? ' dim' : ''}`}
        tabIndex={-1}
        aria-label={`${TITLES[name]} of ${now.problem.ids.at(buffer) ?? ''}: ${value || 'none'}`}
        onClick={(event) => {
          event.stopPropagation()
          pinBuffer(buffer)
          go({ buffer, column: name })
        }}
      >
        {value === '' ? '–' : value}
      </button>
    )
  }
  return (
    <div class="edit-table" ref={host} style={{ '--columns': columnsOf(now) }}>
      <Rows
        name="Buffers, to edit"
        columns={columns.length + 1}
        count={list.length}
        height={touch ? TOUCH_ROW : ROW}
        empty={`No id holds “${text}”.`}
        focus={list.indexOf(place?.buffer ?? pin)}
        head={<Head list={list} columns={columns} />}
        keys={onKey}
        rowClass={(index) => `edit-row${list[index] === pin ? ' row-pinned' : ''}`}
        row={(index) => {
          const k = list[index] ?? 0
          return (
            <>
              <Cell>
                <input
                  type="checkbox"
                  tabIndex={-1}
                  aria-label={`Choose ${now.problem.ids.at(k) ?? ''}`}
                  checked={some.has(k)}
                  onClick={(event) => event.stopPropagation()}
                  onChange={(event) => chooseOne(k, event.currentTarget.checked)}
                />
              </Cell>
              {columns.map((name) => (
                <Cell key={name}>{cell(k, name)}</Cell>
              ))}
            </>
          )
        }}
        hover={(index) => actions.canvas.light(index < 0 ? [] : [list[index] ?? 0], -1)}
        pick={(index) => go({ buffer: list[index] ?? 0, column })}
      />
      <Bar now={now} edit={go} />
    </div>
  )
}

export function EditTable() {
  const now = useValue(opened)
  if (now === null) return null
  return now.source.kind === 'model' ? <OfModel /> : <Table now={now} />
}
