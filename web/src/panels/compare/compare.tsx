/** Several runs in place of one: side by side, over a range of capacities, or over all examples. */
import { useEffect } from 'preact/hooks'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { enter, race } from '../../run/race/page_race'
import { manifest, reading } from '../../state/atoms'
import { type CompareTab, setTab, tab, verdict } from '../../state/compare/compare'
import { commandNamed, keyOf } from '../page/commands'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Part } from '../controls/later_part'
import { Pill } from '../controls/pill'
import { TourPlace } from '../marks/tour_place'
import { Lanes } from '../race/race_columns'
import { opened } from '../../state/workbench'
import '../../styles/later'

const sweep = new Later(() => import('./sweep'))
const matrix = new Later(() => import('./matrix'))
const schemes = new Later(() => import('./schemes_tab'))

const TABS: [CompareTab, string][] = [
  ['runs', 'Runs'],
  ['sweep', 'Capacity sweep'],
  ['schemes', 'Schemes'],
  ['matrix', 'All examples'],
]

function Tabs() {
  const now = useValue(tab)
  const turn = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const at = TABS.findIndex(([id]) => id === now)
    const [next] = TABS[(at + by + TABS.length) % TABS.length] ?? ['runs' as const]
    setTab(next)
    document.getElementById(`compare-${next}`)?.focus()
  }
  return (
    <div class="tabs compare-tabs" role="tablist" aria-label="Comparisons" onKeyDown={turn} tabIndex={-1}>
      {TABS.map(([id, title]) => (
        <button
          key={id}
          id={`compare-${id}`}
          type="button"
          role="tab"
          aria-selected={id === now}
          aria-controls="compare-panel"
          tabIndex={id === now ? 0 : -1}
          onClick={() => setTab(id)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

/** Whether what a link shared came out again. */
function Reproduced() {
  const now = useValue(verdict)
  if (now === 'none') return null
  return (
    <span class="row" role="status">
      {now === 'checking' ? (
        <span class="hint">Comparing with the link…</span>
      ) : now === 'same' ? (
        <Pill tone="ok" icon="tick" text="Reproduced exactly" />
      ) : (
        <Pill tone="why" icon="cross" text="Differs from the link" />
      )}
    </span>
  )
}

function NoProblem() {
  return (
    <p class="compare-none" role="status">
      {useValue(reading) ? 'Reading the problem…' : 'Open a problem first: its runs then stand here side by side.'}
    </p>
  )
}

const back = commandNamed('compare')

export function Compare() {
  const actions = useActions()
  const problem = useValue(opened)
  const known = useValue(manifest)
  const now = useValue(tab)
  const running = useValue(race)
  useEffect(() => {
    if (known === null) return
    // whoever opens a problem chooses its solver and capacity right after it
    const later = setTimeout(() => enter(actions.session), 0)
    return () => clearTimeout(later)
  }, [problem, known])
  return (
    <>
      <div class="compare-bar">
        <h2 class="compare-title">Compare</h2>
        <Tabs />
        <Reproduced />
        <span class="spring" />
        <button
          type="button"
          class="quiet-button"
          aria-label="Back to the search"
          title={`Back (${keyOf(back)})`}
          onClick={() => back.do(actions)}
        >
          <I name="close" />
          <span class="wide-only">Back to the search</span>
        </button>
      </div>
      <TourPlace />
      <div class="compare-panel" role="tabpanel" id="compare-panel" aria-labelledby={`compare-${now}`}>
        {now === 'matrix' ? (
          <Part of={matrix}>{({ MatrixTab }) => <MatrixTab />}</Part>
        ) : problem === null || running === null ? (
          <NoProblem />
        ) : now === 'runs' ? (
          <Lanes race={running} />
        ) : now === 'schemes' ? (
          <Part of={schemes}>{({ SchemesTab }) => <SchemesTab />}</Part>
        ) : (
          <Part of={sweep}>{({ SweepTab }) => <SweepTab />}</Part>
        )}
      </div>
    </>
  )
}
