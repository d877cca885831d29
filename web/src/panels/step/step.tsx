// biome-ignore-all lint/a11y/useSemanticElements: the heads of a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus
import { hasEffect } from '../../../../wasm/client/events'
import { useEffect, useRef } from 'preact/hooks'
import type { OutcomeId } from '../../../../wasm/client/types'
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { Later } from '../../base/later'
import { watchSize } from '../../base/use_size'
import { useValue } from '../../base/use_value'
import { manifest } from '../../state/atoms'
import {
  candidate,
  phased,
  shownSolver,
  steps,
  told,
  tooMuch,
  unit,
  minimising,
  cursor,
  frame,
  opened,
  ordersOperators,
  selects,
  run,
} from '../../state/workbench'
import { fates, type LevelFate } from '../../state/marks/hindsight'
import { useActions } from '../page/context'
import { Name } from '../controls/name'
import { Part } from '../controls/later_part'
import { Pill, type PillTone } from '../controls/pill'
import { TourPlace } from '../marks/tour_place'
import { Flying } from './flying'
import { Prose } from './prose'
import { Cell, Rows } from '../controls/virtual_rows'
import { STEP_ICONS } from './step_icons'
import { SumBar } from './sum_bar'
import { flying, useRead } from '../controls/use_read'
import { eventsAt } from '../../state/workbench_values'

const whyNot = new Later(() => import('../solver/why_not'))
const optimum = new Later(() => import('../solver/least_height_result'))
/** Until it is there the rule has its name only. */
const chips = new Later(() => import('./rule_chip'))
/** Only searches whose frames have phases name their candidates. */
const candidates = new Later(() => import('./candidates'))
const hindsight = new Later(() => import('../marks/hindsight'))

export function Sentence() {
  const story = useRead(told)
  // of the step that is told, which the cursor may be ahead of
  const at = useRead(frame)?.step ?? 0
  const { kind } = useValue(run)
  if (useValue(flying)) return <Flying />
  if (story === null || kind === 'running') {
    // a step of a large search is made again, which takes its time
    const text =
      kind === 'running'
        ? 'The search is under way.'
        : kind === 'ended' || kind === 'cancelled'
          ? 'The step is on its way.'
          : 'Run the solver: each of its steps is told here.'
    return (
      <div class="tab-part">
        <p class="prose dim">{text}</p>
      </div>
    )
  }
  const tone: PillTone = story.tone
  return (
    <div class="tab-part">
      <div class="row chip-row">
        <Pill tone={tone} icon={STEP_ICONS[story.glyph]} text={story.chip} />
        <Title text={story.title} />
        <span class="spring" />
        <span class="mono dim">step {thousands(at)}</span>
      </div>
      <Prose spans={story.spans} />
      {story.sum !== null && <SumBar sum={story.sum} />}
    </div>
  )
}

/** Has as much room as the longest sentence of the run took so far: what lies below does not move with every step. */
function Told() {
  const state = useValue(run)
  const told = useRef<HTMLDivElement>(null)
  const config = state.kind === 'idle' ? null : state.config
  useEffect(() => {
    const room = told.current
    const text = room?.firstElementChild
    if (!room || !text) return
    let [width, height] = [0, 0]
    return watchSize(text, () => {
      const box = text.getBoundingClientRect()
      height = box.width === width ? Math.max(height, box.height) : box.height
      width = box.width
      room.style.minHeight = `${height}px`
    })
  }, [config])
  return (
    <div class="told" ref={told}>
      <div>
        <Sentence />
      </div>
    </div>
  )
}

/** The rule by which the step discards a decision, with what it says; else the kind of decision. */
function Title({ text }: { text: string }) {
  const known = useValue(manifest)
  const event = eventsAt(useRead(frame)).filter((event) => hasEffect(event, 'discards'))[0]
  const now = useValue(chips.arrival)
  const rule = event === undefined ? undefined : known?.rules[event.rule]
  useEffect(() => {
    if (rule !== undefined) chips.get().catch(() => {})
  }, [rule])
  if (rule !== undefined && rule.title === text && now.kind === 'there') return <now.part.RuleChip rule={rule} />
  return (
    <span class="clip" title={text}>
      {text}
    </span>
  )
}

function Pseudocode() {
  const solver = useValue(shownSolver)
  const story = useRead(told)
  if (solver === null || solver.pseudocode.length === 0) return null
  // which line it is changes too fast
  const active = useValue(flying) ? 0 : (story?.line ?? 0)
  return (
    <section class="tab-part" aria-labelledby="code-head">
      <header class="section-head">
        <h2 id="code-head">{solver.title}</h2>
        <span class="section-note">{active > 0 ? `line ${active}` : ''}</span>
      </header>
      <ol class="code">
        {solver.pseudocode.map((line, k) => (
          <li
            key={k}
            class={k + 1 === active ? `code-active code-${story?.tone ?? 'plain'}` : ''}
            aria-current={k + 1 === active ? 'step' : undefined}
          >
            <code>{line}</code>
          </li>
        ))}
      </ol>
    </section>
  )
}

const FATE_SIGNS: Record<LevelFate, [string, string]> = {
  solvable: ['✓', 'a plan still exists'],
  doomed: ['×', 'doomed: no plan has these offsets'],
  unknown: ['?', 'not known'],
}

/** What hindsight says of a level, once it was asked. */
function Fate({ of }: { of: LevelFate | undefined }) {
  if (of === undefined) return null
  const [sign, name] = FATE_SIGNS[of]
  return (
    <span class={`level-fate level-${of}`} role="img" aria-label={name} title={name}>
      {sign}
    </span>
  )
}

function Stack() {
  const actions = useActions()
  const shown = useRead(frame)
  const problem = useValue(opened)?.problem
  const amounts = useValue(unit)
  const tried = useRead(candidate)
  const known = useRead(fates)
  if (shown === null || problem === undefined) return null
  const extra = tried !== null && !tried.placed ? 1 : 0
  const branches = shown.tried !== null && shown.candidates !== null
  const entry = (index: number) => {
    if (extra === 1 && index === 0 && tried !== null) return { ...tried, tried: '' }
    const level = shown.depth - (index - extra)
    const buffer = shown.stack[level - 1] ?? 0
    const of = shown.candidates?.[level - 1] ?? 0
    const text = branches && of > 0 ? `${thousands(shown.tried?.[level - 1] ?? 0)} of ${thousands(of)}` : ''
    return { buffer, level, offset: shown.offset[buffer] ?? -1, tried: text }
  }
  return (
    <section
      class={`tab-part stack${branches ? '' : ' stack-plain'}`}
      style={{ '--level': String(thousands(shown.depth + extra).length + (known.length > 0 ? 2 : 0)) }}
      aria-labelledby="stack-head"
    >
      <header class="section-head">
        <h2 id="stack-head">Decision stack</h2>
        {shown.undone.length > 0 && (
          <span class="undone-note mono">
            −{thousands(shown.undone.length)} {shown.undone.length === 1 ? 'level' : 'levels'}
          </span>
        )}
        <span class="section-note">
          {thousands(shown.depth)} {shown.depth === 1 ? 'level' : 'levels'}
        </span>
      </header>
      <Rows
        name="Decision stack"
        columns={branches ? 5 : 4}
        count={shown.depth + extra}
        empty="Nothing is placed."
        head={
          <>
            <span role="columnheader">Level</span>
            <span role="columnheader">Buffer</span>
            <span role="columnheader">Offset</span>
            <span role="columnheader">Size</span>
            {branches && <span role="columnheader">Tried</span>}
          </>
        }
        rowClass={(index) => `stack-row${entry(index).buffer === tried?.buffer ? ' row-now' : ''}`}
        row={(index) => {
          const { level, buffer, offset, tried: text } = entry(index)
          const size = problem.size[buffer] ?? 0
          return (
            <>
              <Cell class="dim" title={text === '' ? undefined : `tried: ${text} candidates`}>
                <Fate of={index < extra ? undefined : known[level - 1]} />
                {thousands(level)}
              </Cell>
              <Cell class="clip" title={problem.ids.at(buffer)}>
                <Name of={problem.ids.at(buffer)} />
              </Cell>
              <Cell title={offset < 0 ? 'no address yet' : exactBytes(offset)}>
                {offset < 0 ? '–' : bytesIn(offset, amounts)}
              </Cell>
              <Cell title={exactBytes(size)}>{bytesIn(size, amounts)}</Cell>
              {branches && <Cell class="dim">{text}</Cell>}
            </>
          )
        }}
        hover={(index) => actions.canvas.light(index < 0 ? [] : [entry(index).buffer], -1)}
        pick={(index) => actions.canvas.reveal(entry(index).buffer)}
      />
    </section>
  )
}

/** Outcomes after which nothing is left open. */
const PLANS = new Set<OutcomeId>(['optimal', 'feasible'])

/** The search is over without a plan: why. */
function Ending() {
  const state = useValue(run)
  const at = useValue(cursor)
  const total = useValue(steps)
  const load = useValue(tooMuch)
  const least = useValue(minimising)
  if (state.kind === 'failed') return <Part of={whyNot}>{({ Failed }) => <Failed />}</Part>
  if (load !== null && state.kind !== 'running' && at === total)
    return <Part of={whyNot}>{({ Overloaded }) => <Overloaded why={load} proved={state.kind === 'ended'} />}</Part>
  if (at !== total || (state.kind !== 'ended' && state.kind !== 'cancelled')) return null
  const { stats } = state.result
  if (stats.outcome === 'infeasible') return <Part of={whyNot}>{({ Proved }) => <Proved />}</Part>
  return (
    <>
      {least && <Part of={optimum}>{({ Least }) => <Least stats={stats} />}</Part>}
      {!PLANS.has(stats.outcome) && <Part of={whyNot}>{({ Open }) => <Open stats={stats} />}</Part>}
    </>
  )
}

export function StepTab() {
  const state = useValue(run)
  const load = useValue(tooMuch)
  const total = useValue(steps)
  // operators in order are no stack of decisions
  const ordered = useValue(ordersOperators)
  const chooses = useValue(selects)
  const named = useValue(phased) && state.kind !== 'running'
  const at = useValue(cursor)
  // what ends the search is said by the verdict, and not once more as a step
  const bare = state.kind === 'failed' || (load !== null && at === total && state.kind !== 'running')
  return (
    <div class="step-tab">
      <Ending />
      {!bare && <Told />}
      <TourPlace />
      {state.kind !== 'running' && total > 0 && load === null && !ordered && !chooses && (
        <div class="hindsight-place">
          <Part of={hindsight} quiet>
            {({ Hindsight }) => <Hindsight />}
          </Part>
        </div>
      )}
      {named && <Part of={candidates}>{({ Candidates }) => <Candidates />}</Part>}
      <Pseudocode />
      {!ordered && <Stack />}
    </div>
  )
}
