import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Goal, OutcomeId, RunStats } from '../../../../wasm/client/types'
import { exactly, percent, seconds, thousands } from '../../base/format'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { roomOf } from '../../state/problem/pools'
import {
  opened,
  ordersOperators,
  run,
  selects,
  shownCapacity,
  shownGoal,
  stale,
  unit,
  verdict,
} from '../../state/workbench'
import { Proven } from '../controls/amounts'
import { Part } from '../controls/later_part'
import { I } from '../controls/icons'
import { Gap, Interval } from './least_height'
import { OutcomePill, Pill } from '../controls/pill'

const certificates = new Later(() => import('./certificate'))

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

/** The result in one sentence: what is to be had, and how much of that is certain. count: of buffers, size: bytes in words, room: of all pools. */
export function leadOf(
  { outcome, height, lowerBound, cost, maxDepth }: RunStats,
  goal: Goal,
  capacity: number,
  count: number,
  size: (bytes: number) => string,
  room = capacity,
): string {
  const fit = goal === 'fit'
  if (outcome === 'infeasible')
    return goal === 'height' ? 'No plan exists at any height.' : `Does not fit: no plan is within ${size(capacity)}.`
  if ((goal === 'traffic' ? cost : height) < 0)
    return fit && maxDepth > 0
      ? `Undecided: at most ${thousands(maxDepth)} of ${thousands(count)} were placed at once.`
      : 'Undecided: no plan was found.'
  if (goal === 'traffic')
    return outcome === 'optimal'
      ? `Moves ${size(cost)}, and nothing moves less.`
      : lowerBound > 0
        ? `Moves ${size(cost)}; at least ${size(lowerBound)} must be moved.`
        : `Moves ${size(cost)}.`
  const over = outcome === 'over-capacity'
  if ((fit || over) && height > room)
    return `Its plan needs ${size(height)}, ${size(height - room)} more than there are.`
  if (over) return 'Its plan ends above the capacity of a pool.'
  const certain = outcome === 'optimal' || height === lowerBound
  const lower = certain ? 'and nothing lower exists' : `and nothing below ${size(lowerBound)} exists`
  return fit ? `Fits: ${size(height)}, ${lower}.` : `Needs ${size(height)}, ${lower}.`
}

function Lead({ stats, goal }: { stats: RunStats; goal: Goal }) {
  const amounts = useValue(unit)
  const problem = useValue(opened)?.problem
  const limit = useValue(shownCapacity)
  const room = problem === undefined ? limit : roomOf(problem, limit)
  const text = leadOf(stats, goal, limit, problem?.count ?? 0, (bytes) => exactly(bytes, amounts), room)
  return (
    <p class="result-lead" role="status">
      {text}
    </p>
  )
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
  const title = useValue(selects)
    ? 'bytes that operators read and write in slow memory'
    : 'bytes copied out and fetched, what must be copied in any case apart'
  return (
    <>
      <Fact name="Traffic" title={title}>
        {cost < 0 ? '–' : <Proven value={cost} />}
      </Fact>
      {cost !== lowerBound && lowerBound > 0 && (
        <Fact name="Proved" title="no plan moves less">
          <Proven value={lowerBound} />
        </Fact>
      )}
      {height >= 0 && (
        <Fact name="Height">
          <Proven value={height} />
        </Fact>
      )}
    </>
  )
}

/** digest: for who compares two machines, out of everybody else's way */
function Facts({ stats, digest }: { stats: RunStats; digest: boolean }) {
  const count = useValue(opened)?.problem.count ?? 0
  const goal = useValue(shownGoal)
  const ordered = useValue(ordersOperators)
  const chooses = useValue(selects)
  const least = goal === 'height'
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
            <Proven value={stats.height} />
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
      ) : chooses ? (
        <Fact name="Repacks">{thousands(stats.nodes)}</Fact>
      ) : (
        <Fact name="Backtracks">{thousands(stats.backtracks)}</Fact>
      )}
      <Fact name="Time">{seconds(stats.seconds)}</Fact>
      {digest && (
        <Fact name="Digest" title={stats.digest}>
          <span class="dim">{`${stats.digest.slice(0, 4)} ${stats.digest.slice(-4)}`}</span>
        </Fact>
      )}
    </dl>
  )
}

const BEFORE = 'Of the settings before the changes'

export function ResultPanel() {
  const state = useValue(run)
  const goal = useValue(shownGoal)
  const changed = useValue(stale)
  const [digest, showDigest] = useState(false)
  if (state.kind === 'idle') return null
  const stats =
    state.kind === 'running' ? (state.progress?.stats ?? null) : state.kind === 'failed' ? null : state.result.stats
  const ended = stats !== null && state.kind !== 'running'
  return (
    <section
      class={changed ? 'section before' : 'section'}
      title={changed ? BEFORE : undefined}
      aria-labelledby="result-head"
    >
      <header class="section-head result-head">
        <h2 id="result-head">Result</h2>
        {ended && (
          <span class="outcome">
            <OutcomePill outcome={stats.outcome} />
          </span>
        )}
        <span class="spring" />
        {stats !== null && (
          <button
            type="button"
            class="icon-button"
            aria-label="Digest"
            aria-expanded={digest}
            title="A number over all steps of the search: equal where two machines took the same"
            onClick={() => showDigest(!digest)}
          >
            <I name="info" />
          </button>
        )}
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
      {ended && <Lead stats={stats} goal={goal} />}
      <Verdict />
      {stats !== null && <Facts stats={stats} digest={digest} />}
      {ended && (
        <Part of={certificates} quiet>
          {({ RunCertificate }) => <RunCertificate />}
        </Part>
      )}
    </section>
  )
}
