import { exactly, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { manifest } from '../../state/atoms'
import {
  decides,
  lacking,
  lackSentence,
  minimising,
  opened,
  operators,
  problem,
  shownGoal,
  result,
  stats,
  takesBuffers,
  unit,
  run,
} from '../../state/workbench'
import type { Goal, Manifest, Problem, RunStats, SolverInfo, SolverOption } from '../../../../wasm/client/types'
import type { Overload } from '../../state/problem/overload'
import { fixedClash } from '../../state/problem/fixed_clash'
import { forMany, MANY } from '../../state/solver/for_many'
import { buffer, type Span, say, wholeBytes } from '../../state/step/sentence_parts'
import { showAlive } from '../../run/solver/open_unfit'
import { useActions } from '../page/context'
import { OutcomePill, Pill } from '../controls/pill'
import { aside } from './result'
import { Prose } from '../step/prose'
import { Reason } from './reason'

/** Where a solver can look for it: the least capacity that would do. */
function LeastButton() {
  const actions = useActions()
  const known = useValue(manifest)
  if (known?.solvers.some((solver) => takesBuffers(solver) && solver.goals.includes('height')) !== true) return null
  return (
    <button type="button" class="button" onClick={() => void actions.solver.minimise()}>
      Find the least capacity
    </button>
  )
}

/** More bytes are alive at once than there are: no search is needed to see it. */
export function Overloaded({ why, proved }: { why: Overload; proved: boolean }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const count = why.buffers.length
  const model = useValue(operators) !== null
  return (
    <div class="tab-part">
      <div class="row chip-row">
        {proved ? <OutcomePill outcome="infeasible" /> : <Pill tone="why" icon="cross" text="Does not fit" />}
        <span>{proved ? 'the load alone proves it' : 'whatever the solver'}</span>
      </div>
      <Prose spans={why.spans} />
      <div class="row row-wrap">
        <button type="button" class="button" onClick={() => void showAlive(why)}>
          Show the {thousands(count)} {count === 1 ? 'buffer' : 'buffers'}
        </button>
        <button type="button" class="button" onClick={() => void actions.solver.runWithCapacity(why.need)}>
          Set capacity to {exactly(why.need, amounts)}
        </button>
        <LeastButton />
        {model && (
          <button type="button" class="button" onClick={() => actions.page.showTab('model')}>
            What can be done
          </button>
        )}
      </div>
      <Reason />
    </div>
  )
}

/** Why, of a search that has shown that nothing fits a capacity, or at any height. */
function proof(problem: Problem, { lowerBound, steps }: RunStats, capacity: number, least: boolean): Span[] {
  const clash = fixedClash(problem)
  if (clash !== null) {
    const [a, b] = clash.map((k) => say`${buffer(k, 'why')} at ${wholeBytes(problem.fixed[k] ?? 0)}`)
    return [...(a ?? []), ...say` and `, ...(b ?? []), ...say` are fixed and overlap: no plan can have both.`]
  }
  if (least) return say`No height is enough: some buffers exclude each other wherever the others lie.`
  const end = problem.fixed.some((offset) => offset >= 0)
    ? 'none is a plan with the offsets that are fixed'
    : 'each ends above the capacity'
  return [
    ...say`The load fits: at most ${wholeBytes(lowerBound)} are alive at once, and the capacity is ${wholeBytes(capacity)}. `,
    ...say`But every order of placement that could matter was tried in ${thousands(steps)} steps, and ${end}.`,
  ]
}

/** The load would fit, and yet the search has shown that nothing does. */
export function Proved() {
  const actions = useActions()
  const now = useValue(stats)
  const state = useValue(run)
  const least = useValue(minimising)
  const ended = useValue(result)
  const given = useValue(opened)?.problem ?? null
  if (now === null || given === null || state.kind !== 'ended') return null
  const used = ended?.conflict.length ?? 0
  return (
    <div class="tab-part">
      <div class="row chip-row">
        <OutcomePill outcome="infeasible" />
        <span>the proof is finished</span>
      </div>
      <Prose
        spans={[
          ...proof(given, now, state.config.capacity, least),
          ...(used > 0 && used < given.count
            ? say` The proof needs only ${thousands(used)} of the ${thousands(given.count)} buffers.`
            : []),
        ]}
      />
      <Reason />
      <div class="row row-wrap">
        {!least && <LeastButton />}
        <button type="button" class="button" onClick={() => actions.search.goToDeepest()}>
          Go to the deepest step
        </button>
      </div>
    </div>
  )
}

/**
 * Another solver that takes the problem: where one ran out of memory the one for many buffers, if there are many, or one that
 * remembers less, as those do that prove nothing.
 */
function another(known: Manifest | null, id: string, given: Problem | null, any: boolean) {
  const able =
    known?.solvers.filter((solver) => solver.id !== id && (given === null || lacking(solver, given).length === 0)) ?? []
  if (any) return able[0]
  const made = given === null ? undefined : forMany(given, able)
  return made ?? able.find(({ complete, refutes }) => !complete && !refutes)
}

const canBe = (solver: SolverInfo, goal: Goal) => goal === 'fit' || solver.goals.includes(goal)

/** The search stopped, or the heuristic missed the capacity: nothing is proved. */
export function Open({ stats }: { stats: RunStats }) {
  const actions = useActions()
  const goal = useValue(shownGoal)
  const least = goal === 'height'
  const { outcome } = stats
  const known = useValue(manifest)
  const given = useValue(problem)
  // a heuristic's miss says nothing: somebody who can prove it does
  const able = known?.solvers.filter(
    (solver) => given !== null && decides(solver, given) && lacking(solver, given).length === 0,
  )
  const exact = able?.find(({ id }) => id === 'exact') ?? able?.[0]
  const canGoOn = outcome === 'cancelled' || outcome === 'budget-spent'
  const full = outcome === 'out-of-memory'
  const state = useValue(run)
  const used = state.kind === 'idle' ? '' : state.config.solver
  // the same first way out, whoever failed; what failed itself is not asked again
  const many = full && (given?.count ?? 0) > MANY
  const ask = !many && goal !== 'traffic' && exact !== undefined && exact.id !== used && canBe(exact, goal)
  const other = full ? another(known, used, given, false) : undefined
  return (
    <div class="tab-part">
      <div class="row row-wrap">
        <OutcomePill outcome={outcome} />
        <span>{aside(outcome, stats, goal)}</span>
      </div>
      {(canGoOn || full) && (
        <p class="hint ending-text">
          Everything up to here can still be stepped through.
          {canGoOn && ' Continue picks up at the same step and gives the same result as one long run.'}
        </p>
      )}
      <div class="row row-wrap">
        {ask && (
          <button type="button" class="button primary" onClick={() => void actions.solver.runWithSolver(exact.id)}>
            Ask {exact.title}
          </button>
        )}
        {canGoOn && (
          <button
            type="button"
            class={ask ? 'button' : 'button primary'}
            onClick={() => void actions.solver.continueRun()}
          >
            Continue
          </button>
        )}
        {other !== undefined && (
          <button
            type="button"
            class={ask ? 'button' : 'button primary'}
            title={other.summary}
            onClick={() => void actions.solver.runWithSolver(other.id)}
          >
            Use {other.title}
          </button>
        )}
        {(canGoOn || full) && (
          <button type="button" class="button" onClick={() => actions.search.goToDeepest()}>
            Go to the deepest step
          </button>
        )}
        {!least && outcome === 'over-capacity' && stats.height > 0 && (
          <button type="button" class="button" onClick={() => void actions.solver.runWithCapacity(stats.height)}>
            Set capacity to the plan's height
          </button>
        )}
        <button type="button" class="plain-button" onClick={() => actions.solver.discard()}>
          Discard
        </button>
      </div>
    </div>
  )
}

interface Way {
  title: string
  note: string
  button: string
  act: () => void
}

/** lacks: what the solver does not honour of it; blamed: the option that the message begins with, said by the title of its field. */
function refusal(message: string, lacks: string[], given: Problem | null, blamed: SolverOption | undefined): string {
  if (lacks.length > 0 && given !== null) return lackSentence(lacks, given, 'It')
  return blamed === undefined ? message : blamed.title + message.slice(blamed.name.length)
}

/** The worker trapped or ran out of memory, and the client has a new one; or the solver refused. Nothing typed is lost. */
export function Failed() {
  const actions = useActions()
  const state = useValue(run)
  const known = useValue(manifest)
  const given = useValue(problem)
  if (state.kind !== 'failed') return null
  const memory = state.reason === 'memory'
  const refused = state.reason === 'argument'
  const silent = state.reason === 'silent'
  const ways: Way[] = []
  const budget = Math.floor((state.step * 0.97) / 1000) * 1000
  if (silent) {
    const note = 'from the start, with the same settings'
    ways.push({ title: 'Run it again', note, button: 'Run again', act: () => void actions.session.run(state.config) })
  } else if (!refused && budget > 0) {
    const title = `Run again with a budget of ${thousands(budget)} steps`
    ways.push({
      title,
      note: 'stops before the place where it broke',
      button: 'Run',
      act: () => void actions.solver.runWithBudget(budget),
    })
  }
  const used = known?.solvers.find((solver) => solver.id === state.config.solver)
  const lacks = used === undefined || given === null ? [] : lacking(used, given)
  const blamed = refused ? used?.options.find(({ name }) => state.message.startsWith(`${name} `)) : undefined
  if (used !== undefined && blamed !== undefined) {
    ways.push({
      title: `Run ${used.title} with its own rules`,
      note: 'none of them changed; budget and seed stay',
      button: 'Run',
      act: () => void actions.solver.runWithOwnRules(used.id),
    })
  }
  const other = another(known, state.config.solver, given, refused)
  if (other !== undefined) {
    ways.push({
      title: `Use ${other.title}`,
      note: other.summary,
      button: 'Switch',
      act: () => void actions.solver.runWithSolver(other.id),
    })
  }
  const at = state.step > 0 ? ` at step ${thousands(state.step)}` : ''
  const head = refused
    ? `The solver refused ${blamed === undefined ? 'this problem' : 'its settings'}.`
    : memory
      ? `The solver ran out of memory${at}.`
      : silent
        ? `The solver did not answer${at}.`
        : `The solver stopped working${at}.`
  return (
    <div class="tab-part" role="alert">
      <div class="banner">
        <p>
          <b>{head}</b>
        </p>
        <p>
          {refused
            ? refusal(state.message, lacks, given, blamed)
            : 'It was replaced. Your problem and options are still here.'}
        </p>
      </div>
      {ways.length > 0 && <h2>What you can do</h2>}
      <ul class="ways-out">
        {ways.map((way) => (
          <li key={way.title}>
            <span>
              {way.title}
              <span class="hint">{way.note}</span>
            </span>
            <button type="button" class="button" onClick={way.act}>
              {way.button}
            </button>
          </li>
        ))}
      </ul>
      {!refused && (
        <details class="hint">
          <summary>What the worker said</summary>
          {state.message}
        </details>
      )}
    </div>
  )
}
