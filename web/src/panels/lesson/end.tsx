/** The end of a lesson: what was reached, what is still open, and where to go from here. */
import { useValue } from '../../base/use_value'
import type { Lesson } from '../../lessons/lesson'
import { texts } from '../../run/lesson/lesson_live'
import { finished, openQuestions, progress } from '../../run/lesson/lesson_progress'
import { goTo, leave } from '../../run/lesson/lessons'
import { setMode } from '../../run/page/modes'
import { useActions } from '../page/context'
import { I } from '../controls/icons'

const RING = 2 * Math.PI * 26

/** How many of all: an arc, which closes. */
function Ring({ share, text, label }: { share: number; text: string; label: string }) {
  return (
    <div class={`ring${share >= 1 ? ' ring-full' : ''}`}>
      <svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true" focusable="false">
        <circle class="ring-all" cx="32" cy="32" r="26" />
        <circle
          class="ring-part"
          cx="32"
          cy="32"
          r="26"
          stroke-dasharray={`${(RING * share).toFixed(1)} ${RING.toFixed(1)}`}
          transform="rotate(-90 32 32)"
        />
        {share >= 1 && <path class="ring-tick" d="m23 33 6.5 6.5L42 26" />}
      </svg>
      <p>
        <b>{text}</b> <span class="hint">{label}</span>
      </p>
    </div>
  )
}

function Open({ lesson }: { lesson: Lesson }) {
  const { session } = useActions()
  const open = openQuestions(lesson, useValue(progress))
  if (open.length === 0) return null
  return (
    <>
      <h3>Still open</h3>
      <ul class="answers">
        {open.map((at) => (
          <li key={at}>
            <button type="button" class="answer" onClick={() => void goTo(session, lesson.id, at)}>
              <span>{lesson.steps[at]?.title}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

export function End({ lesson, next }: { lesson: Lesson; next: Lesson | null }) {
  const actions = useActions()
  const known = useValue(progress)
  const arrival = useValue(texts.arrival)
  const all = arrival.kind === 'there' ? arrival.part.lessons : []
  const asked = lesson.steps.filter((step) => step.ask !== undefined).length
  const right = asked - openQuestions(lesson, known).length
  const done = all.filter((one) => finished(one, known)).length
  const out = (then: () => void) => {
    leave()
    then()
  }
  return (
    <div class="lesson-end">
      <div class="rings">
        <Ring share={right / asked} text={`${right} of ${asked}`} label="questions of this lesson" />
        <Ring share={done / Math.max(1, all.length)} text={`${done} of ${all.length}`} label="lessons" />
      </div>
      <p class="lesson-text">
        {right > 0 ? 'You can now' : 'With its questions answered, you can'} <b>{lesson.gained}</b>
      </p>
      <Open lesson={lesson} />
      {next !== null && (
        <>
          <h3>Next</h3>
          <button type="button" class="next-lesson" onClick={() => void goTo(actions.session, next.id, 0)}>
            <b>{next.title}</b>
            <span class="dim">{next.summary}</span>
            <span class="hint">{next.minutes} min</span>
            <I name="step" />
          </button>
        </>
      )}
      <h3>On your own</h3>
      <ul class="answers">
        <li>
          <button type="button" class="answer" onClick={() => out(() => actions.page.openDialog('zoo'))}>
            <span>Open a network and look for its peak</span>
          </button>
        </li>
        <li>
          <button type="button" class="answer" onClick={() => out(() => actions.draft.pasteNew())}>
            <span>Paste buffers of your own</span>
          </button>
        </li>
        <li>
          <button type="button" class="answer" onClick={() => out(() => setMode('compare'))}>
            <span>Let two solvers race</span>
          </button>
        </li>
      </ul>
    </div>
  )
}
