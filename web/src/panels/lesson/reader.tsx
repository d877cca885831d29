/** The lesson beside the app: one step at a time, in the reader's own pace. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import type { Lesson, Step } from '../../lessons/lesson'
import { atEnd, current, live, showEnd, texts } from '../../run/lesson/lesson_live'
import { answered, progress } from '../../run/lesson/lesson_progress'
import { fragmentOf, goTo, leave, openInWorkbench } from '../../run/lesson/lessons'
import { arrived } from '../../state/ui'
import { CommandText } from '../page/command_button'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { AskCard } from './ask'
import { End } from './end'
import { FigureOf } from './figures'
import { Words } from './words'
import '../../styles/lessons'

export { Strip } from './strip'

/** Whether the page was last touched by a key: then the focus goes on with the lesson, else it stays where the pointer left it. */
function useKeys(): { current: boolean } {
  const keys = useRef(true)
  useEffect(() => {
    const end = new AbortController()
    const on = { signal: end.signal, capture: true }
    document.addEventListener('pointerdown', () => (keys.current = false), on)
    document.addEventListener('keydown', () => (keys.current = true), on)
    return () => end.abort()
  }, [])
  return keys
}

function Sources({ lesson, at }: { lesson: Lesson; at: number }) {
  const { session } = useActions()
  return (
    <footer class="lesson-more">
      <p>
        {lesson.sources.map((source) => (
          <a key={source.text} href={source.url} target="_blank" rel="noreferrer">
            {source.text}
          </a>
        ))}
      </p>
      <p class="row row-wrap">
        <a href={`#${fragmentOf(lesson.id, at)}`}>Link to this step</a>
        <button type="button" class="text-button" onClick={() => void openInWorkbench(session)}>
          Open in workbench
        </button>
      </p>
    </footer>
  )
}

/** One for each step: where the reader is, and which questions are answered. */
function Dots({ lesson, at }: { lesson: Lesson; at: number }) {
  const { session } = useActions()
  const done = useValue(progress).answered[lesson.id] ?? []
  return (
    <ol class="dots">
      {lesson.steps.map((step, k) => {
        const state = step.ask === undefined ? '' : done.includes(k) ? ', answered' : ', with a question'
        return (
          <li key={step.title}>
            <button
              type="button"
              class={done.includes(k) ? 'dot dot-done' : 'dot'}
              aria-label={`Step ${k + 1}: ${step.title}${state}`}
              aria-current={k === at ? 'step' : undefined}
              title={step.title}
              onClick={() => void goTo(session, lesson.id, k)}
            />
          </li>
        )
      })}
    </ol>
  )
}

/** The lesson after this one; null after the last. */
function following(lesson: Lesson): Lesson | null {
  const arrival = texts.arrival.get()
  const all = arrival.kind === 'there' ? arrival.part.lessons : []
  return all[all.indexOf(lesson) + 1] ?? null
}

interface TurnProps {
  lesson: Lesson
  at: number
  /** no question is left open here */
  free: boolean
  next: { current: HTMLButtonElement | null }
}

function Turn({ lesson, at, free, next }: TurnProps) {
  const { session } = useActions()
  const ended = useValue(atEnd)
  const after = following(lesson)
  const last = at + 1 === lesson.steps.length
  const forth = () => {
    if (!last) void goTo(session, lesson.id, at + 1)
    else if (!ended) showEnd()
    else if (after === null) leave()
    else void goTo(session, after.id, 0)
  }
  return (
    <nav class="lesson-turn" aria-label="Steps of the lesson">
      <button
        type="button"
        class="button tall"
        disabled={at === 0}
        onClick={() => void goTo(session, lesson.id, ended ? at : at - 1)}
      >
        <I name="back" />
        Back
      </button>
      <Dots lesson={lesson} at={at} />
      <button ref={next} type="button" class={`button tall${free || ended ? ' primary' : ''}`} onClick={forth}>
        {!last ? 'Next' : !ended ? 'Finish' : after === null ? 'Workbench' : 'Next lesson'}
        <I name="step" />
      </button>
    </nav>
  )
}

interface PageProps {
  lesson: Lesson
  step: Step
  at: number
  done: () => void
}

function Body({ lesson, step, at, done }: PageProps) {
  const facts = step.facts ?? {}
  const ready = useValue(live) !== null
  return (
    <>
      {step.text.map((paragraph) => (
        <p key={paragraph} class="lesson-text">
          <Words text={paragraph} facts={facts} />
        </p>
      ))}
      {ready && step.figure !== undefined && <FigureOf figure={step.figure} />}
      {step.ask !== undefined && <AskCard key={`${lesson.id} ${at}`} ask={step.ask} facts={facts} done={done} />}
    </>
  )
}

export function Reader() {
  const now = useValue(current)
  const done = useValue(progress).answered
  const heading = useRef<HTMLHeadingElement>(null)
  const scroll = useRef<HTMLElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const keys = useKeys()
  const ended = useValue(atEnd)
  const place = now === null ? '' : `${now.lesson.id} ${now.at} ${ended}`
  const seen = useValue(arrived)
  // what is unseen takes no focus, and once it is seen a key that is pressed at once goes on from there
  useLayoutEffect(() => {
    if (!seen) return
    scroll.current?.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [place, seen])
  if (now === null) return null
  const { lesson, number, step, at } = now
  const free = step.ask === undefined || (done[lesson.id] ?? []).includes(at)
  return (
    <section class="lesson" aria-label={`Lesson ${number}: ${lesson.title}`}>
      <header class="lesson-head">
        <CommandText name="lessons" class="text-button">
          {number}. {lesson.title}
        </CommandText>
        <span class="spring" />
        <span class="mono dim">{ended ? 'done' : `${at + 1} of ${lesson.steps.length}`}</span>
        <button
          type="button"
          class="icon-button"
          aria-label="Leave the lesson"
          title="Leave the lesson"
          onClick={leave}
        >
          <I name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with keys */}
      <section class="lesson-page" ref={scroll} tabIndex={0} aria-label="Text">
        <h2 ref={heading} tabIndex={-1}>
          {ended ? lesson.title : step.title}
        </h2>
        {ended ? (
          <End lesson={lesson} next={following(lesson)} />
        ) : (
          <Body
            lesson={lesson}
            step={step}
            at={at}
            done={() => {
              answered(lesson.id, at)
              if (keys.current) next.current?.focus()
            }}
          />
        )}
        <Sources lesson={lesson} at={at} />
      </section>
      <Turn lesson={lesson} at={at} free={free} next={next} />
    </section>
  )
}
