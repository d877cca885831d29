/** What whoever shared this says along the search, under the step in words: one after the other, with their questions. */
import { useEffect, useRef } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { Fact } from '../../lessons/lesson'
import { askOf, endTour, walk } from '../../run/marks/tour'
import { shownTour } from '../../state/marks/tour'
import { cursor } from '../../state/workbench'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { AskCard } from '../lesson/ask'
import '../../styles/later'

/** without a prototype: the names in a stranger's question are no members of it */
const NO_FACTS: Record<string, Fact> = Object.create(null)

export function Tour() {
  const { session } = useActions()
  const now = useValue(shownTour)
  const at = useValue(cursor)
  const host = useRef<HTMLElement>(null)
  const place = now?.at ?? 0
  // an answer or a further word must be seen where the panel is short
  useEffect(() => host.current?.scrollIntoView({ block: 'nearest' }), [place])
  if (now === null) return null
  const { stations } = now
  const station = stations[place]
  if (station === undefined) return null
  const { step, text, ask } = station
  const there = step < 0 || step === at
  return (
    <section class="tour" aria-label="Said along the way" ref={host}>
      <header class="row">
        {stations.length > 1 && (
          <>
            <button
              type="button"
              class="icon-button tour-turn"
              aria-label="Before"
              disabled={place === 0}
              onClick={() => walk(session, -1)}
            >
              ‹
            </button>
            <span class="mono tour-place">
              {place + 1} of {stations.length}
            </span>
            <button
              type="button"
              class="icon-button tour-turn"
              aria-label="Next"
              disabled={place === stations.length - 1}
              onClick={() => walk(session, 1)}
            >
              ›
            </button>
          </>
        )}
        {!there && (
          <button type="button" class="text-button" onClick={() => walk(session, 0)}>
            Go to step {thousands(step)}
          </button>
        )}
        <span class="spring" />
        <button type="button" class="icon-button" aria-label="Close what was said" title="Close" onClick={endTour}>
          <I name="close" />
        </button>
      </header>
      <div role="status">{text !== '' && <p class="tour-text">{text}</p>}</div>
      {ask !== undefined && <AskCard key={place} ask={askOf(ask)} facts={NO_FACTS} done={() => {}} />}
    </section>
  )
}
