/** A lesson's text with its references: buffers light up on the canvas, numbers are live. */
import { useValue } from '../../base/use_value'
import type { Fact } from '../../lessons/lesson'
import { indexOf } from '../../lessons/answers/live'
import { pieces } from '../../lessons/text'
import { live } from '../../run/lesson/lesson_live'
import { useActions } from '../page/context'
import { opened } from '../../state/workbench'

export function BufferName({ buffer }: { buffer: number }) {
  const actions = useActions()
  const id = useValue(opened)?.problem.ids.at(buffer) ?? ''
  const on = () => actions.canvas.light([buffer], -1)
  const off = () => actions.canvas.light([], -1)
  return (
    <button
      type="button"
      class="ref ref-plain"
      onPointerEnter={on}
      onPointerLeave={off}
      onFocus={on}
      onBlur={off}
      // not pinned: that would be an answer
      onClick={() => actions.view?.reveal(buffer)}
    >
      {id}
    </button>
  )
}

export function Words({ text, facts }: { text: string; facts: Record<string, Fact> }) {
  const now = useValue(live)
  const problem = useValue(opened)?.problem
  return (
    <>
      {pieces(text, facts, now).map((piece, k) => {
        if (piece.kind === 'em') return <em key={k}>{piece.text}</em>
        if (piece.kind === 'fact') return <b key={k}>{piece.text}</b>
        if (piece.kind === 'text') return piece.text
        const buffer = problem === undefined ? -1 : indexOf(problem, piece.text)
        return buffer < 0 ? <code key={k}>{piece.text}</code> : <BufferName key={k} buffer={buffer} />
      })}
    </>
  )
}
