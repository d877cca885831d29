/** Where the search went wrong on the path shown, as the exact solver finds it out afterwards. */
import { useEffect } from 'preact/hooks'
import { bytesIn, exactly, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { askHindsight, follow, stopHindsight } from '../../run/marks/hindsight'
import { limit, unit, frame, opened, run } from '../../state/workbench'
import * as h from '../../state/marks/hindsight'
import { searchKey } from '../../state/marks/marks'
import '../../styles/later'
import { useActions } from '../page/context'
import { useRead } from '../controls/use_read'
import * as workbench from '../../state/workbench'
import { followSteps } from '../../run/page/modes'

const MEANING =
  'Doomed: no plan within the capacity has the offsets of these levels, in whatever order they are placed. A solver may also take back what is not doomed, where its own order of placing leaves no way on.'

/** The decision after which no plan was left. */
function Turn({ judged }: { judged: h.Judged }) {
  const actions = useActions()
  const ids = useValue(opened)?.problem.ids
  const amounts = useValue(unit)
  const decision = judged.path[judged.doomed - 1]
  if (decision === undefined) return null
  const exact = judged.solvable === judged.doomed - 1
  const later = judged.path.length - judged.doomed
  const name = ids?.at(decision.buffer) ?? '?'
  return (
    <>
      <p class="prose">
        {exact ? 'Level ' : 'At the latest level '}
        {thousands(judged.doomed)} was the wrong turn: with{' '}
        <button
          type="button"
          class="ref ref-why"
          onPointerEnter={() => actions.canvas.light([decision.buffer], -1)}
          onPointerLeave={() => actions.canvas.light([], -1)}
          onFocus={() => actions.canvas.light([decision.buffer], -1)}
          onBlur={() => actions.canvas.light([], -1)}
          onClick={() => actions.canvas.reveal(decision.buffer)}
        >
          {name}
        </button>{' '}
        at {bytesIn(decision.offset, amounts)} no plan within {exactly(judged.capacity, amounts)} is left
        {later > 0
          ? `, and ${later === 1 ? 'the decision' : `the ${thousands(later)} decisions`} after it could not help.`
          : '.'}
        {!exact && ` Of levels ${thousands(judged.solvable + 1)} to ${thousands(judged.doomed - 1)} it is not known.`}
      </p>
      {judged.turn > 0 && (
        <button type="button" class="button" onClick={() => actions.player.seek(judged.turn)}>
          Go to the wrong turn
        </button>
      )}
    </>
  )
}

function verdictOf(judged: h.Judged): string {
  const end = judged.path.length
  if (judged.doomed === 0) return 'Nothing fits this capacity at all: no decision is to blame.'
  if (judged.solvable === end)
    return end === 0
      ? 'A plan within the capacity exists.'
      : 'Nothing is lost here: a plan exists that keeps every placement of this path.'
  if (judged.solvable < 0) return 'Unknown: the budget did not decide about any level.'
  return `After level ${thousands(judged.solvable)} a plan still exists; of the levels above it is not known.`
}

function Known({ judged, asked }: { judged: h.Judged; asked: boolean }) {
  const actions = useActions()
  const open = judged.solvable + 1 < judged.doomed
  const turned = judged.doomed > 0 && judged.doomed <= judged.path.length
  return (
    <>
      {turned ? <Turn judged={judged} /> : <p class="prose">{verdictOf(judged)}</p>}
      <p class="hint">
        Step {thousands(judged.step)}: {thousands(judged.questions)} {judged.questions === 1 ? 'question' : 'questions'}
        , {thousands(judged.steps)} steps of the exact solver, at most {thousands(judged.budget)} each.
      </p>
      {asked && open && (
        <button type="button" class="button" onClick={() => void askHindsight(actions.session, judged.budget * 10)}>
          Ask with ten times the steps
        </button>
      )}
    </>
  )
}

function Body({ now }: { now: h.Hindsight }) {
  const actions = useActions()
  const known = useValue(h.judged)
  const at = useRead(frame)?.step ?? 0
  if (now.kind === 'asking')
    return (
      <div class="row row-wrap" role="status">
        <span>
          Question {thousands(now.judged.questions + 1)}: is there a plan after level {thousands(now.level)} of{' '}
          {thousands(now.judged.path.length)}?
        </span>
        <button type="button" class="button" onClick={stopHindsight}>
          Stop asking
        </button>
      </div>
    )
  const here = known !== null && known.step === at
  return (
    <>
      {now.kind === 'failed' && <p class="field-why">{now.message}</p>}
      {known !== null && <Known judged={known} asked={here} />}
      {!here && (
        <div class="row row-wrap">
          <button type="button" class="button" onClick={() => void askHindsight(actions.session)}>
            Ask about this step
          </button>
        </div>
      )}
    </>
  )
}

export function Hindsight() {
  const actions = useActions()
  const now = useValue(h.hindsight)
  const capacity = useValue(limit)
  const on = useValue(workbench.following)
  const kind = useValue(run).kind
  const key = useValue(searchKey)
  useEffect(() => follow(actions.session), [actions])
  // a question about another search is of no more use
  useEffect(() => {
    if (now.kind === 'asking' && now.judged.of !== key) stopHindsight()
  }, [key])
  if (kind !== 'ended' && kind !== 'cancelled') return null
  const asked = now.kind !== 'none'
  return (
    <section class="tab-part hindsight" aria-labelledby="hindsight-head">
      <header class="section-head">
        <h2 id="hindsight-head">Hindsight</h2>
        {asked ? (
          <label class="check hindsight-follow" title="Asks again wherever you stop">
            <input type="checkbox" checked={on} onChange={(event) => followSteps(event.currentTarget.checked)} />
            <span>at every step</span>
          </label>
        ) : (
          capacity !== null && (
            <button type="button" class="text-button" onClick={() => void askHindsight(actions.session)}>
              Look for the wrong turn
            </button>
          )
        )}
      </header>
      {capacity === null && <p class="hint">Looking for the least height, a search has no capacity to ask about.</p>}
      {capacity !== null && asked && <Body now={now} />}
      {asked && (
        <details class="hint">
          <summary>What doomed means</summary>
          <p>{MEANING}</p>
        </details>
      )}
    </section>
  )
}
