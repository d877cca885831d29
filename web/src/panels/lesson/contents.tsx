/** The list of lessons, with how far the reader has come. */
import { useEffect } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import type { Lesson } from '../../lessons/lesson'
import { texts } from '../../run/lesson/lesson_live'
import { finished, goOn, progress } from '../../run/lesson/lesson_progress'
import { goTo } from '../../run/lesson/lessons'
import { lesson as place } from '../../state/ui'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Part } from '../controls/later_part'
import '../../styles/lessons'

const questions = (lesson: Lesson) => lesson.steps.filter((step) => step.ask !== undefined).length

function Row({ lesson, number }: { lesson: Lesson; number: number }) {
  const actions = useActions()
  const known = useValue(progress)
  const open = useValue(place)?.id === lesson.id
  const done = known.answered[lesson.id]?.length ?? 0
  const all = questions(lesson)
  const start = () => {
    actions.page.openDialog('none')
    void goTo(
      actions.session,
      lesson.id,
      known.last?.id === lesson.id && !finished(lesson, known) ? known.last.step : 0,
    )
  }
  return (
    <li>
      <button type="button" class="contents-row" aria-current={open ? 'true' : undefined} onClick={start}>
        <span class="contents-number mono">{number}</span>
        <span class="contents-title">{lesson.title}</span>
        <span class="contents-summary">{lesson.summary}</span>
        <span class="contents-state">
          {done > 0 && done >= all ? (
            <span class="contents-done">
              <I name="tick" /> done
            </span>
          ) : done > 0 ? (
            `${done} of ${all}`
          ) : (
            `${lesson.minutes} min`
          )}
        </span>
      </button>
    </li>
  )
}

function List({ lessons }: { lessons: readonly Lesson[] }) {
  const actions = useActions()
  const to = goOn(lessons, useValue(progress))
  return (
    <>
      <p class="hint">
        Short lessons beside the live page, from what static allocation is to why tight memories are hard. What you have
        open stays as it is.
      </p>
      {to !== null && (
        <p>
          <button
            type="button"
            class="button primary"
            onClick={() => {
              actions.page.openDialog('none')
              void goTo(actions.session, to.lesson.id, to.step)
            }}
          >
            Go on with “{to.lesson.title}”
          </button>
        </p>
      )}
      <ol class="contents">
        {lessons.map((lesson, k) => (
          <Row key={lesson.id} lesson={lesson} number={k + 1} />
        ))}
      </ol>
    </>
  )
}

export function Contents() {
  // the reader comes with the next click
  useEffect(() => void import('./reader').catch(() => {}), [])
  return <Part of={texts}>{({ lessons }) => <List lessons={lessons} />}</Part>
}
