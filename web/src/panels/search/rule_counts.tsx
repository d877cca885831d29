/** How many decisions each rule discarded in the whole search. */
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { manifest } from '../../state/atoms'
import { fateLook } from '../step/fates'
import { RuleChip } from '../step/rule_chip'
import '../../styles/later'

export function RuleCounts({ id, title, counts }: { id: string; title: string; counts: number[] }) {
  const known = useValue(manifest)
  const total = counts.reduce((sum, n) => sum + n, 0)
  const rules = (known?.rules ?? [])
    .map((rule, k) => ({ rule, count: counts[k] ?? 0 }))
    .filter(({ rule, count }) => rule.id !== 'none' && count > 0)
  const most = Math.max(1, ...rules.map(({ count }) => count))
  // one rule may do a thousand times what another does: both are to be seen
  const share = (count: number) => Math.log1p(count) / Math.log1p(most)
  return (
    <section class="tab-part" aria-labelledby={id}>
      <header class="section-head">
        <h2 id={id}>{title}</h2>
        <span class="section-note">{thousands(total)}, log scale</span>
      </header>
      {rules.length === 0 && <p class="hint">No decision was discarded.</p>}
      <dl class="facts rules">
        {rules.map(({ rule, count }) => (
          <div
            key={rule.id}
            class={`fact fact-rule rule-${fateLook(rule.id)[1]}`}
            style={{ '--share': share(count).toFixed(4) }}
          >
            <dt>
              <RuleChip rule={rule} />
            </dt>
            <dd>{thousands(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
