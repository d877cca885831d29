/** A file on its way: how far it is, what it leaves open, or why it cannot be read. What was open stays open meanwhile. */
import { useEffect, useState } from 'preact/hooks'
import { thousands } from '../base/format'
import { useValue } from '../base/use_value'
import type { Question } from '../import/imported'
import { type Importing as State, importing } from '../state/atoms'
import { MAX_BYTES, parseBytes, parseCount } from '../state/quantity'
import { useActions } from './context'
import { filled, NumberField } from './field'
import '../styles/later'

type Coming = Extract<State, { kind: 'reading' }>
type Asking = Extract<State, { kind: 'asking' }>

/** Before so many milliseconds nothing is said: most files are there by then, and the panel would only jump. */
const SLOW = 300
/** Of rows the worker has counted for a while before it tells of them. */
const COUNTED = 100

/** How long a text is, is known after its last row only. */
function about(rows: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rows))) - 1)
  return thousands(Math.round(rows / unit) * unit)
}

function farOf(rows: NonNullable<Coming['rows']>): string {
  if (rows.rows < rows.of) return `${thousands(rows.rows)} of about ${about(rows.of)} rows`
  return `${thousands(rows.rows)} rows, being sorted`
}

export function Reading({ name, done, rows }: Coming) {
  const actions = useActions()
  const [slow, setSlow] = useState(false)
  const patience = rows === undefined ? SLOW : COUNTED
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), patience)
    return () => clearTimeout(timer)
  }, [patience])
  if (!slow) return null
  return (
    <div class="importing" role="status">
      <p class="hint clip">Reading {name}</p>
      <progress aria-label="Read so far" max={1} value={done} />
      {rows !== undefined && <p class="hint">{farOf(rows)}</p>}
      <div class="row">
        <span class="mono dim">{Math.floor(done * 100)} %</span>
        <span class="spring" />
        <button
          type="button"
          class="button"
          disabled={rows !== undefined && rows.rows >= rows.of}
          onClick={() => void actions.cancelImport()}
        >
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  )
}

/** One for a side that the file leaves open, one for a size that nobody can know from it. */
function Ask({ question, value, set }: { question: Question; value: number | undefined; set: (v: number) => void }) {
  const dim = question.kind === 'dim'
  return (
    <div class="question">
      <p class="hint">{question.text}</p>
      <NumberField
        label={question.name}
        value={value === undefined ? '' : thousands(value)}
        parse={dim ? (text) => parseCount(text, 1, MAX_BYTES) : parseBytes}
        set={set}
        unit={dim ? undefined : 'B'}
      />
    </div>
  )
}

function Questions({ state }: { state: Asking }) {
  const actions = useActions()
  const [dims, setDims] = useState(state.answers.dims)
  const [bytes, setBytes] = useState(state.answers.bytes)
  const given = ({ kind, name, suggestion }: Question) => (kind === 'dim' ? dims[name] : bytes[name]) ?? suggestion
  const open = state.questions.filter((question) => given(question) === undefined).length
  const send = (form: Element | null) => {
    if (!filled(form)) return
    const answered = { dims: { ...dims }, bytes: { ...bytes } }
    for (const question of state.questions) {
      const value = given(question)
      if (value !== undefined) answered[question.kind === 'dim' ? 'dims' : 'bytes'][question.name] = value
    }
    void actions.answerImport({ ...state.answers, ...answered })
  }
  return (
    <fieldset class="importing" aria-label={`Questions about ${state.file.name}`}>
      <p>{state.message}</p>
      {state.questions.map((question) => (
        <Ask
          key={`${question.kind} ${question.name}`}
          question={question}
          value={given(question)}
          set={(value) => {
            const set = question.kind === 'dim' ? setDims : setBytes
            set((all) => ({ ...all, [question.name]: value }))
          }}
        />
      ))}
      <div class="row">
        <button
          type="button"
          class="button primary"
          disabled={open > 0}
          onClick={(event) => send(event.currentTarget.closest('fieldset'))}
        >
          Read with these
        </button>
        <button type="button" class="plain-button" onClick={() => void actions.cancelImport()}>
          Leave it
        </button>
      </div>
    </fieldset>
  )
}

export function Importing() {
  const actions = useActions()
  const state = useValue(importing)
  if (state.kind === 'none') return null
  if (state.kind === 'reading') return <Reading {...state} />
  if (state.kind === 'asking') return <Questions key={state.file.name} state={state} />
  return (
    <div class="importing errors" role="alert">
      <p class="errors-head">Nothing was loaded.</p>
      <p>{state.message}</p>
      <div class="row">
        <button type="button" class="button" onClick={() => void actions.cancelImport()}>
          Close
        </button>
      </div>
    </div>
  )
}
