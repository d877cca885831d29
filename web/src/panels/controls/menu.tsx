/**
 * A button that opens a list of choices: arrows, Home, End and first letters move, Esc and a click elsewhere close. A choice may lead to a list
 * of its own, and back.
 */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { I } from './icons'

interface Row {
  key: string
  title: string
  note?: string
  disabled?: boolean
}

export interface MenuItem extends Row {
  /** of what is on or off, and of the one that is chosen */
  on?: boolean | undefined
  act: () => void
}

export interface MenuGroup extends Row {
  items: MenuEntry[]
}

export type MenuEntry = MenuItem | MenuGroup

const ROWS = '[role^=menuitem]:not([disabled])'

/** The row that a key leads to, from row `at` of so many. */
const WAYS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at > 0 ? at : count) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

const rowsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>(ROWS) ?? [])]

function move(list: HTMLElement | null, way: (at: number, count: number) => number): void {
  const rows = rowsOf(list)
  rows[way(rows.indexOf(document.activeElement as HTMLElement), rows.length)]?.focus()
}

/** To the next row whose words begin with the letter, round the end. */
function seek(list: HTMLElement | null, letter: string): void {
  const rows = rowsOf(list)
  const at = rows.indexOf(document.activeElement as HTMLElement) + 1
  const begins = (row: HTMLElement) => row.textContent.toLowerCase().startsWith(letter.toLowerCase())
  ;[...rows.slice(at), ...rows.slice(0, at)].find(begins)?.focus()
}

/** What would be typed. Space is not: it chooses. */
const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/** Goes into the group that has the focus. */
function enter(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('[aria-haspopup]:focus')?.click()
}

/** The groups that the keys lead through, from the outermost on; those that are gone meanwhile are left out. */
function groupsOf(entries: MenuEntry[], keys: string[]): MenuGroup[] {
  const groups: MenuGroup[] = []
  for (const key of keys) {
    const next: MenuEntry | undefined = (groups.at(-1)?.items ?? entries).find((entry) => entry.key === key)
    if (next === undefined || !('items' in next)) break
    groups.push(next)
  }
  return groups
}

function EntryButton({ entry, choose }: { entry: MenuEntry; choose: (entry: MenuEntry, click: boolean) => void }) {
  const group = 'items' in entry
  const on = group ? undefined : entry.on
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: there only where the role is that of a check
    <button
      type="button"
      role={on === undefined ? 'menuitem' : 'menuitemcheckbox'}
      data-key={entry.key}
      aria-checked={on}
      aria-haspopup={group ? 'menu' : undefined}
      tabIndex={-1}
      disabled={entry.disabled ?? false}
      onClick={(event) => choose(entry, event.detail > 0)}
    >
      <span>{entry.title}</span>
      {(entry.note !== undefined || on === true || group) && (
        <span class="menu-note">
          {entry.note}
          {on === true && <I name="tick" />}
          {group && <I name="into" />}
        </span>
      )}
    </button>
  )
}

export function Menu(props: {
  label: ComponentChildren
  name: string
  class: string
  align?: 'left' | 'right'
  items: MenuEntry[]
  off?: boolean
}) {
  // the keys of the groups that were gone into; null: shut
  const [path, setPath] = useState<string[] | null>(null)
  const open = path !== null
  const groups = groupsOf(props.items, path ?? [])
  const within = groups.at(-1)
  const host = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  /** the group that was just left: the way goes on where it went in */
  const left = useRef('')
  useLayoutEffect(() => {
    const rows = rowsOf(list.current)
    const row = rows.find(({ dataset }) => dataset.key === left.current) ?? rows[0]
    left.current = ''
    row?.focus()
  }, [path])
  useLayoutEffect(() => {
    if (!open) return
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && host.current?.contains(event.target) !== true) setPath(null)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])
  const close = () => {
    setPath(null)
    button.current?.focus()
  }
  const back = () => {
    left.current = within?.key ?? ''
    setPath(groups.slice(0, -1).map(({ key }) => key))
  }
  const choose = (entry: MenuEntry, click: boolean) => {
    if ('items' in entry) {
      setPath([...groups.map(({ key }) => key), entry.key])
      return
    }
    if (click) setPath(null)
    else close()
    entry.act()
  }
  const onKey = (event: KeyboardEvent) => {
    const way = WAYS[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setPath(null)
    else if (event.key === 'ArrowRight') enter(list.current)
    else if (event.key === 'ArrowLeft') within !== undefined && back()
    else if (way !== undefined) move(list.current, way)
    else if (isLetter(event)) seek(list.current, event.key)
    else return
    // also where a key leads nowhere: on the page behind it would step through the search, or open something
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu" ref={host}>
      <button
        ref={button}
        type="button"
        class={props.class}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={props.name}
        disabled={props.off}
        onClick={() => setPath(open ? null : [])}
      >
        {props.label}
      </button>
      {open && (
        <div
          ref={list}
          class={`menu-list menu-${props.align ?? 'left'}`}
          role="menu"
          aria-label={within?.title ?? props.name}
          onKeyDown={onKey}
          tabIndex={-1}
        >
          {within !== undefined && (
            <button type="button" role="menuitem" class="menu-back" tabIndex={-1} onClick={back}>
              <I name="outOf" />
              {within.title}
            </button>
          )}
          {(within?.items ?? props.items).map((entry) => (
            <EntryButton key={entry.key} entry={entry} choose={choose} />
          ))}
        </div>
      )}
    </div>
  )
}
