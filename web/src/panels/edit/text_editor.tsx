/** The pasted text with line numbers; refused lines are tinted and the offending part is underlined. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Diagnostic } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { reading } from '../../state/atoms'
import { useActions } from '../page/context'
import { draft, mistakes, opened } from '../../state/workbench'
import '../../styles/later'

const LINE = 18
const PAD = 8
/** A text area of more than this many characters is too slow to type in. */
const EDITABLE = 2_000_000

/** Columns count bytes; the page needs characters. */
function characters(line: string, from: number, length: number): { from: number; length: number } {
  const bytes = new TextEncoder().encode(line)
  const text = (end: number) => new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)))
  const start = text(from - 1).length
  return { from: start, length: Math.max(1, text(from - 1 + length).length - start) }
}

/** Selects what an error speaks of and scrolls it into the middle. */
function showError(area: HTMLTextAreaElement, error: Diagnostic): void {
  const lines = area.value.split('\n')
  const line = lines[error.line - 1] ?? ''
  const span = characters(line, error.column, error.length)
  const start = lines.slice(0, error.line - 1).reduce((sum, l) => sum + l.length + 1, 0) + span.from
  area.focus()
  area.setSelectionRange(start, Math.min(start + span.length, start - span.from + line.length))
  area.scrollTop = Math.max(0, (error.line - 1) * LINE - area.clientHeight / 2)
}

function Marks({ errors, text }: { errors: Diagnostic[]; text: string }) {
  const lines = text.split('\n')
  const rows = [...new Set(errors.map((error) => error.line))].filter((line) => line > 0)
  return (
    <>
      {rows.map((line) => (
        <div key={line} class="bad-line" style={{ top: `${PAD + (line - 1) * LINE}px` }} />
      ))}
      {errors
        .filter((error) => error.line > 0 && error.column > 0)
        .map((error) => {
          const span = characters(lines[error.line - 1] ?? '', error.column, error.length)
          const style = { top: `${PAD + (error.line - 1) * LINE}px`, left: `${span.from}ch`, width: `${span.length}ch` }
          return <div key={`${error.line}:${error.column}`} class="bad-part" style={style} />
        })}
    </>
  )
}

function Errors({ area, editable }: { area: () => HTMLTextAreaElement | null; editable: boolean }) {
  const actions = useActions()
  const wrong = useValue(mistakes)
  const before = useValue(opened)
  const text = useValue(draft)?.text
  if (wrong === null) return null
  const changed = wrong.text !== text
  const show = (error: Diagnostic) => {
    const target = area()
    if (target !== null) showError(target, error)
  }
  const first = wrong.errors.find((error) => error.line > 0)
  const count = wrong.total
  return (
    <div class="errors" role="alert">
      <p class="errors-head">
        {thousands(count)} {count === 1 ? 'error' : 'errors'}
        {changed ? ' before the text was changed. Load reads it again.' : '. Nothing was loaded.'}
      </p>
      <ul>
        {wrong.errors.map((error, k) => (
          <li key={k}>
            {error.line > 0 && !editable ? (
              <span class="mono dim">line {thousands(error.line)}</span>
            ) : error.line > 0 ? (
              <button type="button" class="text-button mono" onClick={() => show(error)}>
                line {thousands(error.line)}
              </button>
            ) : (
              <span class="mono dim">file</span>
            )}
            <span class="mono">{error.field}</span>
            <span class="errors-text">{error.message}</span>
          </li>
        ))}
      </ul>
      {count > wrong.errors.length && <p class="hint">and {thousands(count - wrong.errors.length)} more</p>}
      <div class="row row-wrap">
        {first !== undefined && editable && !changed && (
          <button type="button" class="button" onClick={() => show(first)}>
            Go to first error
          </button>
        )}
        {before !== null && (
          <button type="button" class="plain-button" onClick={() => actions.draft.keepPrevious()}>
            Keep the previous problem
          </button>
        )}
      </div>
    </div>
  )
}

export function Editor() {
  const actions = useActions()
  const text = useValue(draft)?.text ?? ''
  const wrong = useValue(mistakes)
  const before = useValue(opened)
  const busy = useValue(reading)
  const area = useRef<HTMLTextAreaElement>(null)
  const back = useRef<HTMLDivElement>(null)
  const follow = () => {
    const from = area.current
    back.current?.style.setProperty('transform', `translate(0, ${-(from?.scrollTop ?? 0)}px)`)
    back.current?.style.setProperty('--scroll-x', `${-(from?.scrollLeft ?? 0)}px`)
  }
  useLayoutEffect(() => {
    if (wrong === null) area.current?.focus()
    follow()
  }, [wrong])
  const length = typeof text === 'string' ? text.length : text.size
  const short = typeof text === 'string' && length <= EDITABLE ? text : null
  const lines = short?.split('\n').length ?? 0
  const marked = wrong !== null && wrong.text === text ? wrong.errors : []
  // What replaces the whole text is meant to be read at once; what is typed waits for the button.
  const pasted = (event: ClipboardEvent) => {
    const target = area.current
    const whole = target !== null && target.selectionStart === 0 && target.selectionEnd === target.value.length
    const clip = event.clipboardData?.getData('text/plain') ?? ''
    if (!whole || clip === '') return
    event.preventDefault()
    actions.draft.typed(clip)
    void actions.draft.load()
  }
  return (
    <div class="editor">
      {short === null ? (
        <p class="hint">
          {thousands(length)} {typeof text === 'string' ? 'characters' : 'bytes'}: too long to edit here.
        </p>
      ) : (
        <div class={`editor-box${marked.length > 0 ? ' bad' : ''}`}>
          <div class="editor-back" ref={back} aria-hidden="true">
            <pre class="editor-lines">{Array.from({ length: lines }, (_, k) => k + 1).join('\n')}</pre>
            <div class="editor-marks">
              <Marks errors={marked} text={short} />
            </div>
          </div>
          <textarea
            ref={area}
            class="editor-text"
            aria-label="Buffer CSV"
            aria-invalid={marked.length > 0}
            spellcheck={false}
            autocomplete="off"
            wrap="off"
            value={short}
            onInput={(event) => actions.draft.typed(event.currentTarget.value)}
            onPaste={pasted}
            onScroll={follow}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void actions.draft.load()
            }}
          />
        </div>
      )}
      {wrong === null && (
        <p class="hint">
          Header id, lower, upper, size; perhaps alignment, offset, hint, bank, gaps, pool, shape. Usual other names,
          KiB, hexadecimals and JSON are read, too. Or a graph: rows tensor,id,bytes,… and op,id,type,inputs,outputs,…
        </p>
      )}
      <div class="row">
        <button type="button" class="button" disabled={busy || text === ''} onClick={() => void actions.draft.load()}>
          {busy ? 'Reading…' : 'Load'}
        </button>
        {before !== null && wrong === null && (
          <button type="button" class="plain-button" onClick={() => actions.draft.keepPrevious()}>
            Close
          </button>
        )}
      </div>
      <Errors area={() => area.current} editable={short !== null} />
    </div>
  )
}
