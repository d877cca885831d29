import type { RunStats } from '../../../wasm/client/types'
import { brief, thousands } from '../base/format'
import { type Fate, fateOf } from '../layout/fate'
import { useValue } from '../base/use_value'
import { manifest, opened } from '../state/atoms'
import { minimising, operators, stats } from '../state/derive'
import { Bytes } from './amounts'
import { useActions } from './context'
import { GivenPlan } from './given_plan'
import { I, type IconName } from './icons'
import { Gap } from './least'
import { Fact, Fragmentation } from './result'

/** Hue and glyph always go together. */
const FATES: Record<Fate, [IconName, string]> = {
  bound: ['cross', 'why'],
  dominance: ['bars', 'bound'],
  canonical: ['order', 'order'],
  hatless: ['cap', 'hatless'],
  learned: ['diamond', 'learned'],
  other: ['cross', 'why'],
}

function Rules({ counts }: { counts: number[] }) {
  const known = useValue(manifest)
  const total = counts.reduce((sum, n) => sum + n, 0)
  const rules = (known?.rules ?? [])
    .map((rule, k) => ({ rule, count: counts[k] ?? 0 }))
    .filter(({ rule, count }) => rule.id !== 'none' && count > 0)
  const most = Math.max(1, ...rules.map(({ count }) => count))
  return (
    <section class="tab-part" aria-labelledby="rules-head">
      <header class="section-head">
        <h2 id="rules-head">Decisions discarded, by rule</h2>
        <span class="section-note">{thousands(total)}</span>
      </header>
      {rules.length === 0 && <p class="hint">No decision was discarded.</p>}
      <dl class="facts rules">
        {rules.map(({ rule, count }) => {
          const [icon, tone] = FATES[fateOf(rule.id)]
          return (
            <div
              key={rule.id}
              class={`fact fact-rule rule-${tone}`}
              style={{ '--share': (count / most).toFixed(4) }}
              title={`${rule.text}${rule.source === '' ? '' : ` (${rule.source})`}`}
            >
              <dt>
                <span class={`fate fate-${tone}`}>
                  <I name={icon} />
                </span>
                {rule.title}
              </dt>
              <dd>{thousands(count)}</dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

function Totals({ now }: { now: RunStats }) {
  const actions = useActions()
  const count = useValue(opened)?.problem.count ?? 0
  const rate = now.seconds > 0 ? `${brief(now.steps / now.seconds)}` : '–'
  return (
    <section class="tab-part" aria-labelledby="totals-head">
      <header class="section-head">
        <h2 id="totals-head">The whole search</h2>
      </header>
      <dl class="facts">
        <Fact name="Steps">{thousands(now.steps)}</Fact>
        <Fact name="Steps per second">{rate}</Fact>
        <Fact name="Nodes">{thousands(now.nodes)}</Fact>
        <Fact name="Backtracks">{thousands(now.backtracks)}</Fact>
        <Fact name="Candidates skipped">{thousands(now.skipped)}</Fact>
        <Fact name="Restarts">{thousands(now.restarts)}</Fact>
        <Fact name="Deepest">
          {thousands(now.maxDepth)} of {thousands(count)}
        </Fact>
      </dl>
      <button type="button" class="button" disabled={now.steps === 0} onClick={() => actions.goToDeepest()}>
        Go to the deepest step
      </button>
    </section>
  )
}

export function StatsTab() {
  const now = useValue(stats)
  const least = useValue(minimising)
  // a model has it beside its peak
  const given = useValue(operators) === null && <GivenPlan />
  if (now === null) {
    return (
      <>
        <div class="tab-part">
          <p class="prose dim">Run the solver: its counts stand here.</p>
        </div>
        {given}
      </>
    )
  }
  return (
    <div class="stats-tab">
      <Totals now={now} />
      <Rules counts={now.rules} />
      <section class="tab-part" aria-labelledby="memory-head">
        <header class="section-head">
          <h2 id="memory-head">Memory</h2>
        </header>
        <dl class="facts">
          <Fact name="Lower bound">
            <Bytes value={now.lowerBound} />
          </Fact>
          <Fact name="Height">{now.height < 0 ? '–' : <Bytes value={now.height} />}</Fact>
          {least ? (
            <Fact name="Gap">
              <Gap stats={now} />
            </Fact>
          ) : (
            <Fact name="Fragmentation">
              <Fragmentation stats={now} />
            </Fact>
          )}
        </dl>
      </section>
      {given}
    </div>
  )
}
