/** A file on its way: how far it is, what it leaves open, or why it cannot be read. What was open stays open meanwhile. */
import { useEffect, useState } from 'preact/hooks'
import { thousands, visible } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { ImportAnswers, Question } from '../../import/imported'
import { type Importing as State, importing } from '../../state/atoms'
import { MAX_BYTES, type Parsed, parseBytes, parseCount } from '../../state/page/quantity'
import { useActions } from '../page/context'
import { filled, NumberField } from '../controls/field'
import '../../styles/later'

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
          onClick={() => void actions.model.cancelImport()}
        >
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  )
}

const PARSE: Readonly<Record<Question['kind'], (text: string) => Parsed>> = {
  dim: (text) => parseCount(text, 1, MAX_BYTES),
  bytes: parseBytes,
  // may be left empty
  value: (text) => (text.trim() === '' ? { ok: true, value: Number.NaN } : parseCount(text, -MAX_BYTES, MAX_BYTES)),
}

/** For a side that the file leaves open, a size that nobody can know from it, or the value of an input. */
function Ask({ question, value, set }: { question: Question; value: number | undefined; set: (v: number) => void }) {
  const { kind, name, text } = question
  return (
    <div class="question">
      <p class="hint">{text}</p>
      <NumberField
        label={name}
        value={value === undefined || Number.isNaN(value) ? '' : kind === 'value' ? `${value}` : thousands(value)}
        parse={PARSE[kind]}
        set={set}
        unit={kind === 'bytes' ? 'B' : undefined}
      />
    </div>
  )
}

type Given = Readonly<Record<Question['kind'], Readonly<Record<string, number>>>>

/** What was answered before, a number each. */
function givenIn({ dims, bytes, values }: ImportAnswers): Given {
  const value = Object.entries(values).flatMap(([name, [first]]) =>
    first === undefined ? [] : [[name, first] as const],
  )
  return { dim: dims, bytes, value: Object.fromEntries(value) }
}

/** The answers with these. */
function answersOf(before: ImportAnswers, given: Given): ImportAnswers {
  const values = Object.entries(given.value).flatMap(([name, value]) =>
    Number.isNaN(value) ? [] : [[name, [value]] as const],
  )
  return { ...before, dims: { ...given.dim }, bytes: { ...given.bytes }, values: Object.fromEntries(values) }
}

function Questions({ state }: { state: Asking }) {
  const actions = useActions()
  const [all, setAll] = useState(() => givenIn(state.answers))
  const own = ({ kind, name }: Question) => all[kind][name]
  const given = (question: Question): number | undefined => {
    const other = state.questions.find(({ name }) => name === question.like)
    return own(question) ?? (other ? given(other) : question.suggestion)
  }
  const open = state.questions.filter((question) => !question.optional && given(question) === undefined).length
  const send = (form: Element | null) => {
    if (!filled(form)) return
    const answered = { dim: { ...all.dim }, bytes: { ...all.bytes }, value: { ...all.value } }
    for (const question of state.questions) {
      const value = question.like === undefined ? given(question) : own(question)
      if (value !== undefined) answered[question.kind][question.name] = value
    }
    void actions.model.answerImport(answersOf(state.answers, answered))
  }
  return (
    <fieldset class="importing" aria-label={`Questions about ${state.file.name}`}>
      <p>{visible(state.message)}</p>
      {state.questions.map((question) => (
        <Ask
          key={`${question.kind} ${question.name}`}
          question={question}
          value={given(question)}
          set={(value) => {
            const { kind, name } = question
            setAll((now) => ({ ...now, [kind]: { ...now[kind], [name]: value } }))
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
        <button type="button" class="plain-button" onClick={() => void actions.model.cancelImport()}>
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
      <p>{visible(state.message)}</p>
      <div class="row">
        <button type="button" class="button" onClick={() => void actions.model.cancelImport()}>
          Close
        </button>
      </div>
    </div>
  )
}
