/** The question that a tour asks at a mark, written without code. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { askAt } from '../../run/marks/marking'
import { CHOICES, type Mark, type MarkAsk, NOTE_LIMIT } from '../../state/marks/marks'
import { parseCount } from '../../state/page/quantity'
import { opened } from '../../state/workbench'
import { Pick } from '../controls/choice'

const KINDS = [
  ['choice', 'one of these'],
  ['number', 'a number'],
  ['buffer', 'a buffer'],
] as const
type Kind = MarkAsk['kind']

interface Draft {
  kind: Kind
  question: string
  hint: string
  /** one a line; the right one comes first */
  options: string
  answer: string
}

function draftOf(ask: MarkAsk | undefined): Draft {
  if (ask === undefined) return { kind: 'choice', question: '', hint: '', options: '', answer: '' }
  const { kind, question, hint, answer } = ask
  if (kind !== 'choice') return { kind, question, hint, options: '', answer: String(answer) }
  return { kind, question, hint, options: ask.options.join('\n'), answer: String(ask.answer + 1) }
}

/** The question, or what is missing of it. */
function readAsk(draft: Draft, ids: { indexOf(id: string): number } | undefined): MarkAsk | string {
  const said = { question: draft.question.trim(), hint: draft.hint.trim() }
  if (said.question === '') return 'Write the question.'
  const answer = draft.answer.trim()
  if (draft.kind === 'buffer') {
    if ((ids?.indexOf(answer) ?? -1) < 0) return `There is no buffer “${answer}” in this problem.`
    return { kind: 'buffer', answer, ...said }
  }
  const count = parseCount(answer, 0, Number.MAX_SAFE_INTEGER)
  if (draft.kind === 'number') return count.ok ? { kind: 'number', answer: count.value, ...said } : 'Give the number.'
  const options = draft.options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (options.length < CHOICES.min || options.length > CHOICES.max || options.some((one) => one.length > NOTE_LIMIT))
    return `Give ${CHOICES.min} to ${CHOICES.max} answers, one a line.`
  if (!count.ok || count.value < 1 || count.value > options.length) return 'Say which line is right: 1, 2, …'
  return { kind: 'choice', options, answer: count.value - 1, ...said }
}

const ANSWERS: Record<Kind, string> = { choice: 'Right line', number: 'Answer', buffer: 'Answer' }

export function AskForm({ mark, close }: { mark: Mark; close: () => void }) {
  const ids = useValue(opened)?.problem.ids
  const [draft, setDraft] = useState(() => draftOf(mark.ask))
  const [wrong, setWrong] = useState('')
  const host = useRef<HTMLFormElement>(null)
  useEffect(() => {
    host.current?.scrollIntoView({ block: 'nearest' })
    host.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [])
  const at = thousands(mark.step)
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const keep = (event: Event) => {
    event.preventDefault()
    const read = readAsk(draft, ids)
    if (typeof read === 'string') return setWrong(read)
    askAt(mark, read)
    close()
  }
  const field = (name: string, value: string, set: (text: string) => void) => (
    <label class="ask-field">
      <span>{name}</span>
      <input
        type="text"
        class="input"
        maxLength={NOTE_LIMIT}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
  return (
    <form class="ask-form" ref={host} aria-label={`Question at step ${at}`} onSubmit={keep}>
      {field('Question', draft.question, (question) => change({ question }))}
      <Pick label="Answered by" value={draft.kind} choices={KINDS} set={(kind) => change({ kind })} />
      {draft.kind === 'choice' && (
        <label class="ask-field">
          <span>Answers</span>
          <textarea
            class="input"
            rows={3}
            placeholder="one a line"
            value={draft.options}
            onInput={(event) => change({ options: event.currentTarget.value })}
          />
        </label>
      )}
      {field(ANSWERS[draft.kind], draft.answer, (answer) => change({ answer }))}
      {field('If wrong', draft.hint, (hint) => change({ hint }))}
      <p class="field-why" role="alert">
        {wrong}
      </p>
      <div class="row">
        <button type="submit" class="button primary">
          Keep question
        </button>
        {mark.ask !== undefined && (
          <button
            type="button"
            class="button"
            onClick={() => {
              askAt(mark, undefined)
              close()
            }}
          >
            No question
          </button>
        )}
        <button type="button" class="plain-button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  )
}
