import type { RunStats } from '../../../../wasm/client/types'
import { brief, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { layered, minimising, operators, shownGoal, stats, opened } from '../../state/workbench'
import { Proven } from '../controls/amounts'
import { RunCharts } from './run_charts'
import { GivenPlan } from '../model/given_plan'
import { JumpButtons } from './jumps'
import { Gap } from '../solver/least_height'
import { Fact, Fragmentation } from '../solver/result'
import { RuleCounts } from './rule_counts'

function Totals({ now }: { now: RunStats }) {
  const count = useValue(opened)?.problem.count ?? 0
  const inLayers = useValue(layered)
  const rate = now.seconds > 0 ? `${brief(now.steps / now.seconds)}` : '–'
  return (
    <section class="tab-part" aria-labelledby="totals-head">
      <header class="section-head">
        <h2 id="totals-head">The whole search</h2>
      </header>
      <dl class="facts">
        <Fact name="Steps">{thousands(now.steps)}</Fact>
        <Fact name="Steps per second">{rate}</Fact>
        <Fact name={inLayers ? 'States' : 'Nodes'}>{thousands(now.nodes)}</Fact>
        {!inLayers && (
          <>
            <Fact name="Backtracks">{thousands(now.backtracks)}</Fact>
            <Fact name="Candidates skipped">{thousands(now.skipped)}</Fact>
            <Fact name="Restarts">{thousands(now.restarts)}</Fact>
            <Fact name="Deepest">
              {thousands(now.maxDepth)} of {thousands(count)}
            </Fact>
          </>
        )}
      </dl>
      {now.steps > 0 && !inLayers && <JumpButtons />}
    </section>
  )
}

export function StatsTab() {
  const now = useValue(stats)
  const least = useValue(minimising)
  const inLayers = useValue(layered)
  const moves = useValue(shownGoal) === 'traffic'
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
      {given}
      {now.steps > 0 && !inLayers && <RunCharts />}
      <Totals now={now} />
      {!inLayers && <RuleCounts id="rules-head" title="Decisions discarded, by rule" counts={now.rules} />}
      <section class="tab-part" aria-labelledby="memory-head">
        <header class="section-head">
          <h2 id="memory-head">Memory</h2>
        </header>
        <dl class="facts">
          <Fact name={moves ? 'Traffic, proved' : 'Lower bound'}>
            <Proven value={now.lowerBound} />
          </Fact>
          {moves && <Fact name="Traffic">{now.cost < 0 ? '–' : <Proven value={now.cost} />}</Fact>}
          <Fact name="Height">{now.height < 0 ? '–' : <Proven value={now.height} />}</Fact>
          {moves ? null : least ? (
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
    </div>
  )
}
