import type { ComponentChildren } from 'preact'
import type { Goal, OutcomeId, RunStats } from '../../../../wasm/client/types'
import { percent, seconds, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { opened, ordersOperators, run, shownGoal, verdict } from '../../state/workbench'
import { Bytes } from '../controls/amounts'
import { Gap, Interval } from './least_height'
import { OutcomePill, Pill } from '../controls/pill'

export function Fact({
  name,
  children,
  title,
}: {
  name: string
  children: ComponentChildren
  title?: string | undefined
}) {
  return (
    <div class="fact" title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const OPEN: Record<Goal, string> = {
  fit: 'Feasible or not is still open.',
  height: 'The least height is still open.',
  traffic: 'The least traffic is still open.',
}
const MET: Record<Goal, string> = {
  fit: 'meets the lower bound',
  height: 'no plan is lower',
  traffic: 'no plan moves less',
}

/** What the outcome means here, in a few words beside its pill. */
export function aside(outcome: OutcomeId, stats: RunStats, goal: Goal = 'fit'): string {
  const open = OPEN[goal]
  const fit = goal === 'fit'
  switch (outcome) {
    case 'optimal':
      return MET[goal]
    case 'feasible':
      return fit ? 'fits the capacity' : open
    case 'infeasible':
      return 'the proof is finished'
    case 'cancelled':
      return `at step ${thousands(stats.steps)}. ${open}`
    case 'budget-spent':
      return open
    case 'exhausted':
      return fit ? 'Out of moves. Feasible or not is open.' : open
    case 'over-capacity':
      return fit ? 'The plan ends above the capacity. Feasible or not is open.' : open
    case 'out-of-memory':
      return open
    default:
      return ''
  }
}

export function Fragmentation({ stats }: { stats: RunStats }) {
  return <>{stats.height < 0 || stats.lowerBound <= 0 ? '–' : percent(stats.height / stats.lowerBound - 1)}</>
}

function Verdict() {
  const now = useValue(verdict)
  if (now === null) return null
  if (now.kind === 'checking')
    return (
      <p class="hint" role="status">
        Comparing with the link…
      </p>
    )
  if (now.kind === 'same') {
    return (
      <p class="row" role="status">
        <Pill tone="ok" icon="tick" text="Reproduced exactly" />
      </p>
    )
  }
  return (
    <p class="verdict" role="status">
      <Pill tone="why" icon="cross" text={`Differs from step ${thousands(now.after + 1)}`} />
      <span class="hint">
        {now.by === now.after + 1 ? '' : `or a later one up to ${thousands(now.by)}. `}The link was made by another
        version.
      </span>
    </p>
  )
}

/** What is moved to memory outside and back, between what was proved and what was found. */
function Moved({ stats: { cost, lowerBound, height } }: { stats: RunStats }) {
  return (
    <>
      <Fact name="Traffic" title="bytes copied out and fetched, what must be copied in any case apart">
        {cost < 0 ? '–' : <Bytes value={cost} />}
      </Fact>
      {cost !== lowerBound && (
        <Fact name="Proved" title="no plan moves less">
          <Bytes value={lowerBound} />
        </Fact>
      )}
      {height >= 0 && (
        <Fact name="Height">
          <Bytes value={height} />
        </Fact>
      )}
    </>
  )
}

function Facts({ stats }: { stats: RunStats }) {
  const count = useValue(opened)?.problem.count ?? 0
  const goal = useValue(shownGoal)
  const ordered = useValue(ordersOperators)
  const least = goal === 'height'
  const digest = `${stats.digest.slice(0, 4)} ${stats.digest.slice(-4)}`
  return (
    <dl class="facts">
      {least ? (
        <>
          <Fact name="Least height">
            <Interval stats={stats} />
          </Fact>
          <Fact name="Gap" title="between the lower bound and the height of the best plan">
            <Gap stats={stats} />
          </Fact>
        </>
      ) : goal === 'traffic' ? (
        <Moved stats={stats} />
      ) : stats.height >= 0 ? (
        <>
          <Fact name="Height">
            <Bytes value={stats.height} />
          </Fact>
          <Fact name="Fragmentation" title="height / lower bound − 1">
            <Fragmentation stats={stats} />
          </Fact>
        </>
      ) : ordered ? null : (
        <Fact name="Deepest">
          {thousands(stats.maxDepth)} of {thousands(count)} placed
        </Fact>
      )}
      <Fact name="Steps">{thousands(stats.steps)}</Fact>
      {ordered ? (
        <Fact name="States">{thousands(stats.nodes)}</Fact>
      ) : (
        <Fact name="Backtracks">{thousands(stats.backtracks)}</Fact>
      )}
      <Fact name="Time">{seconds(stats.seconds)}</Fact>
      <Fact name="Digest" title={stats.digest}>
        <span class="dim">{digest}</span>
      </Fact>
    </dl>
  )
}

export function ResultPanel() {
  const state = useValue(run)
  const goal = useValue(shownGoal)
  if (state.kind === 'idle') return null
  const stats =
    state.kind === 'running' ? (state.progress?.stats ?? null) : state.kind === 'failed' ? null : state.result.stats
  return (
    <section class="section" aria-labelledby="result-head">
      <header class="section-head">
        <h2 id="result-head">Result</h2>
      </header>
      {state.kind === 'failed' && (
        <p class="row">
          <Pill
            tone="plain"
            text={state.reason === 'memory' ? 'Out of memory' : state.reason === 'argument' ? 'Refused' : 'Stopped'}
          />
          {state.step > 0 && <span class="hint">at step {thousands(state.step)}</span>}
        </p>
      )}
      {state.kind === 'running' && (
        <p class="row">
          <Pill tone="plain" text="Running" />
        </p>
      )}
      {stats !== null && state.kind !== 'running' && (
        <p class="row outcome" role="status">
          <OutcomePill outcome={stats.outcome} />
          <span>{aside(stats.outcome, stats, goal)}</span>
        </p>
      )}
      <Verdict />
      {stats !== null && <Facts stats={stats} />}
    </section>
  )
}
