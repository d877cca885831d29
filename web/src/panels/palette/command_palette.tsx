/** The command palette: everything the page can do, found by a few letters. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pausesWhile } from '../../base/slices'
import { type Entry, type Found, rank, remember } from '../../state/page/command_search'
import { recent } from '../../state/ui'
import { commandNamed, keyPressed } from '../page/commands'
import { useActions } from '../page/context'
import { buffersFor, lessonEntries, listed, stepsFor } from './command_palette_entries'
import '../../styles/later'

/** Rows that are made; nobody reads further. */
const MOST = 60

/** The title with the letters that matched. */
function Marked({ title, marks }: { title: string; marks: number[] }) {
  const lit = new Set(marks)
  return (
    <span class="clip">{Array.from(title).map((letter, at) => (lit.has(at) ? <b key={at}>{letter}</b> : letter))}</span>
  )
}

export function Palette() {
  const actions = useActions()
  const [lessons, setLessons] = useState<Entry[]>([])
  useEffect(() => void lessonEntries(actions).then(setLessons, () => {}), [])
  const all = useMemo(() => [...listed(actions), ...lessons], [lessons])
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // when this part came after its dialog was opened
  useLayoutEffect(() => field.current?.focus(), [])
  // of a million ids those that fit come a little later
  const [buffers, setBuffers] = useState<{ query: string; list: Entry[] }>({ query: '', list: [] })
  const found = useMemo((): Found[] => {
    const plain = (entries: ReturnType<typeof stepsFor>) => entries.map((entry) => ({ entry, marks: [] }))
    const fits = rank(all, query, recent.get()).slice(0, MOST)
    return [...plain(stepsFor(actions, query)), ...fits, ...plain(buffers.query === query ? buffers.list : [])]
  }, [query, buffers, all])
  useLayoutEffect(() => {
    let wanted = true
    void buffersFor(
      actions,
      query,
      pausesWhile(() => wanted),
    ).then((list) => list && wanted && setBuffers({ query, list }))
    return () => {
      wanted = false
    }
  }, [query])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, found])
  const run = (one: Found | undefined) => {
    if (one === undefined) return
    if (!/^(step|buffer)$/.test(one.entry.id)) remember(one.entry.id)
    actions.page.openDialog('none')
    one.entry.act()
  }
  const onKey = (event: KeyboardEvent) => {
    const last = found.length - 1
    if (event.key === 'ArrowDown') setAt(at >= last ? 0 : at + 1)
    else if (event.key === 'ArrowUp') setAt(at <= 0 ? Math.max(0, last) : at - 1)
    else if (event.key === 'PageDown') setAt(Math.max(0, Math.min(last, at + 8)))
    else if (event.key === 'PageUp') setAt(Math.max(0, at - 8))
    else if (event.key === 'Enter') run(found[at])
    else if (commandNamed('palette').keys?.includes(keyPressed(event)) === true) actions.page.openDialog('none')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="palette">
      <input
        ref={field}
        type="text"
        class="palette-input"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        placeholder="A command, an example, a buffer’s id, a step…"
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Commands" tabIndex={-1} ref={list}>
        {found.map((one, k) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={`${one.entry.id} ${one.entry.title}`}
            id={`palette-${k}`}
            role="option"
            aria-selected={k === at}
            tabIndex={-1}
            class="palette-row"
            onClick={() => run(one)}
            onPointerMove={() => setAt(k)}
          >
            <Marked title={one.entry.title} marks={one.marks} />
            {one.entry.keys === '' && <span class="palette-group">{one.entry.group}</span>}
            {one.entry.keys !== '' && <kbd>{one.entry.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="palette-none" role="status">
          Nothing fits “{query}”.
        </p>
      )}
    </div>
  )
}
