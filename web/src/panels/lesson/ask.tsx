/** A question: its answer is checked against what the core says, and two wrong ones earn the right one. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import type { Problem } from '../../../../wasm/client/types'
import type { Ask, AskBuffer, AskChoice, AskDo, AskNumber, AskSection, Fact, Live } from '../../lessons/lesson'
import { spanOf } from '../../lessons/answers/live'
import { busy, live, settle } from '../../run/lesson/lesson_live'
import { change, layBricks, setOrder } from '../../run/lesson/lessons'
import { parseCount } from '../../state/page/quantity'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Knobs } from './knobs'
import { Words } from './words'
import { capacity, frame, opened, options, pinned } from '../../state/workbench'

/** Wrong answers after which the right one can be had. */
const TRIES = 2
/** Buffers that are offered as buttons. */
const CHIPS = 40

export interface Answering {
  state: 'open' | 'wrong' | 'right' | 'shown'
  tries: number
  reply: string
}

interface KindProps<A extends Ask> {
  ask: A
  now: Answering
  answer: (right: boolean, reply: string) => void
}

const settled = (now: Answering) => now.state === 'right' || now.state === 'shown'

function Mark({ on, right }: { on: boolean; right: boolean }) {
  return on ? <I name={right ? 'tick' : 'cross'} /> : null
}

function NumberAnswer({ ask, now, answer }: KindProps<AskNumber>) {
  const known = useValue(live)
  const id = useId()
  const [text, setText] = useState('')
  /** answered before what the lesson is about had been found out */
  const [early, setEarly] = useState(false)
  const judge = (known: Live) => {
    const parsed = parseCount(text, 0, Number.MAX_SAFE_INTEGER)
    if (!parsed.ok) answer(false, 'Type a whole number.')
    else if (parsed.value === ask.answer(known)) answer(true, ask.right)
    else answer(false, ask.hint(parsed.value, known))
  }
  const ready = known !== null && ask.answer(known) >= 0
  const submit = (event: Event) => {
    event.preventDefault()
    if (ready) judge(known)
    else setEarly(true)
  }
  useLayoutEffect(() => {
    if (!early || !ready) return
    setEarly(false)
    judge(known)
  }, [early, known])
  const shown = now.state === 'shown' && known !== null ? String(ask.answer(known)) : text
  return (
    <form class="row" onSubmit={submit}>
      <label class="hidden" for={id}>
        {ask.label}
      </label>
      <input
        id={id}
        class="answer-number mono"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        placeholder="?"
        value={shown}
        readOnly={settled(now)}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={settled(now) || text.trim() === ''}>
        Check
      </button>
    </form>
  )
}

function ChoiceAnswer({ ask, now, answer, facts }: KindProps<AskChoice> & { facts: Record<string, Fact> }) {
  const known = useValue(live)
  const [chosen, setChosen] = useState(-1)
  const right = known === null ? -1 : ask.answer(known)
  const shown = now.state === 'shown' ? right : chosen
  return (
    <ul class="answers">
      {ask.options.map((option, k) => (
        <li key={k}>
          <button
            type="button"
            class={`answer ${k === shown ? (k === right ? 'answer-right' : 'answer-wrong') : ''}`}
            aria-pressed={k === shown}
            disabled={right < 0 || (settled(now) && k !== shown)}
            onClick={() => {
              if (settled(now)) return
              setChosen(k)
              answer(k === right, option.reply)
            }}
          >
            <span>
              <Words text={option.text} facts={facts} />
            </span>
            <Mark on={k === shown} right={k === right} />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface ChipsProps {
  names: string[]
  chosen: number
  rights: number[]
  over: boolean
  light: (index: number) => void
  pick: (index: number) => void
}

function Chips({ names, chosen, rights, over, light, pick }: ChipsProps) {
  return (
    <ul class="chips">
      {names.map((name, k) => {
        const right = rights.includes(k)
        const mark = k === chosen ? (right ? 'answer-right' : 'answer-wrong') : ''
        return (
          <li key={k}>
            <button
              type="button"
              class={`chip ${mark}`}
              aria-pressed={k === chosen}
              disabled={over && k !== chosen}
              onPointerEnter={() => light(k)}
              onPointerLeave={() => light(-1)}
              onFocus={() => light(k)}
              onBlur={() => light(-1)}
              onClick={() => pick(k)}
            >
              {name}
              <Mark on={k === chosen} right={right} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** More buffers than can be offered one by one. */
function NamedBuffer({
  now,
  ids,
  right,
  pick,
}: {
  now: Answering
  ids: Problem['ids']
  right: string
  pick: (buffer: number) => void
}) {
  const [name, setName] = useState('')
  const [unknown, setUnknown] = useState(false)
  const submit = (event: Event) => {
    event.preventDefault()
    const found = ids.indexOf(name.trim())
    setUnknown(found < 0)
    pick(found)
  }
  return (
    <form class="row row-wrap" onSubmit={submit}>
      <input
        class="answer-number answer-name mono"
        type="text"
        autocomplete="off"
        aria-label="Buffer"
        value={now.state === 'shown' ? right : name}
        readOnly={settled(now)}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={settled(now) || name.trim() === ''}>
        Check
      </button>
      <span class="hint" role="status">
        {unknown ? 'There is no buffer of that name.' : 'or click it on the canvas'}
      </span>
    </form>
  )
}

function BufferAnswer({ ask, now, answer }: KindProps<AskBuffer>) {
  const actions = useActions()
  const known = useValue(live)
  const [chosen, setChosen] = useState(-1)
  const rights = known === null ? [] : ask.answers(known)
  const pick = (buffer: number) => {
    if (known === null || buffer < 0 || settled(now)) return
    setChosen(buffer)
    const right = rights.includes(buffer)
    answer(right, right ? ask.right : ask.hint(buffer, known))
  }
  const latest = useRef(pick)
  latest.current = pick
  // on the canvas a buffer is chosen by pinning it
  useEffect(() => pinned.subscribe(() => latest.current(pinned.get())), [])
  const ids = known?.problem.ids
  if (ids !== undefined && ids.length > CHIPS)
    return <NamedBuffer now={now} ids={ids} right={ids.at(rights[0] ?? 0) ?? ''} pick={pick} />
  return (
    <Chips
      names={[...(ids ?? [])]}
      chosen={now.state === 'shown' ? (rights[0] ?? -1) : chosen}
      rights={rights}
      over={settled(now)}
      light={(k) => actions.canvas.light(k < 0 ? [] : [k], -1)}
      pick={pick}
    />
  )
}

function SectionAnswer({ ask, now, answer }: KindProps<AskSection>) {
  const actions = useActions()
  const known = useValue(live)
  const [chosen, setChosen] = useState(-1)
  const right = known === null ? -1 : ask.answer(known)
  const count = known?.problem.sections.count ?? 0
  const names = Array.from({ length: count }, (_, k) => (known === null ? '' : spanOf(known.problem, k)))
  return (
    <Chips
      names={names}
      chosen={now.state === 'shown' ? right : chosen}
      rights={[right]}
      over={settled(now)}
      light={(k) => actions.canvas.light([], k)}
      pick={(k) => {
        if (known === null || settled(now)) return
        setChosen(k)
        answer(k === right, k === right ? ask.right : ask.hint(k, known))
      }}
    />
  )
}

function DoAnswer({ ask, now, answer }: KindProps<AskDo>) {
  const known = useValue(live)
  const wait = useValue(busy)
  const check = () => {
    if (known === null) return
    const done = ask.done(known)
    answer(done, done ? ask.right : ask.hint(known))
  }
  return (
    <>
      <Knobs knobs={ask.knobs} />
      <button type="button" class="button" disabled={known === null || wait || settled(now)} onClick={check}>
        Check
      </button>
    </>
  )
}

/** What "Show me" does beside writing the answer down. */
function useDemonstration(ask: Ask): () => void {
  const { session, player } = useActions()
  const problem = useValue(opened)?.problem
  return () => {
    const known = live.get()
    if (ask.kind !== 'do' || known === null) return
    const { at, order, bricks, ...more } = ask.show(known)
    if (bricks !== undefined) layBricks(bricks)
    const list = order?.map((id) => problem?.ids.indexOf(id) ?? -1)
    if (list !== undefined) setOrder(list)
    if (Object.keys(more).length > 0) void change(session, at === undefined ? more : { ...more, at })
    else if (at !== undefined) player.seek(at)
  }
}

function Kind(props: KindProps<Ask> & { facts: Record<string, Fact> }): ComponentChildren {
  const { ask, ...rest } = props
  if (ask.kind === 'number') return <NumberAnswer ask={ask} {...rest} />
  if (ask.kind === 'choice') return <ChoiceAnswer ask={ask} {...rest} />
  if (ask.kind === 'buffer') return <BufferAnswer ask={ask} {...rest} />
  if (ask.kind === 'section') return <SectionAnswer ask={ask} {...rest} />
  return <DoAnswer ask={ask} {...rest} />
}

function rightReply(ask: Ask): string {
  const known = live.get()
  if (ask.kind !== 'choice') return ask.right
  return known === null ? '' : (ask.options[ask.answer(known)]?.reply ?? '')
}

interface CardProps {
  ask: Ask
  facts: Record<string, Fact>
  /** answered, by the reader or for them */
  done: () => void
}

export function AskCard({ ask, facts, done }: CardProps) {
  const [now, setNow] = useState<Answering>({ state: 'open', tries: 0, reply: '' })
  const demonstrate = useDemonstration(ask)
  // what was said of something else than is there now
  const stale = now.state === 'wrong' && ask.kind === 'do'
  useEffect(() => {
    if (!stale) return
    const clear = () => setNow((before) => (before.state === 'wrong' ? { ...before, reply: '' } : before))
    const leave = [capacity, frame, options].map((cell) => cell.subscribe(clear))
    return () => {
      for (const go of leave) go()
    }
  }, [stale])
  const answer = (right: boolean, reply: string) => {
    setNow(({ tries }) => ({ state: right ? 'right' : 'wrong', tries: right ? tries : tries + 1, reply }))
    if (right) end()
  }
  const end = () => {
    settle()
    done()
  }
  const showMe = () => {
    setNow((before) => ({ ...before, state: 'shown', reply: rightReply(ask) }))
    demonstrate()
    end()
  }
  return (
    <section class="ask" aria-label="Question">
      <p class="ask-question">
        <Words text={ask.question} facts={facts} />
      </p>
      <Kind ask={ask} facts={facts} now={now} answer={answer} />
      <div role="status" class="ask-reply">
        {now.reply !== '' && (
          // a wrong answer that is given again is said again
          <p key={`${now.state} ${now.tries}`} class={settled(now) ? 'reply-right' : ''}>
            {now.state === 'right' && <b>Right. </b>}
            {now.state === 'wrong' && <b>Not yet. </b>}
            <Words text={now.reply} facts={facts} />
          </p>
        )}
      </div>
      {now.state === 'wrong' && now.tries >= TRIES && (
        <button type="button" class="text-button" onClick={showMe}>
          Show me
        </button>
      )}
    </section>
  )
}
