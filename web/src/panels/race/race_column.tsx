/** One column: whose run it is, its canvas, its search, and what it says of itself. */
import { useEffect, useRef } from 'preact/hooks'
import type { RunConfig, SolverInfo } from '../../../../wasm/client/types'
import { brief, type ByteUnit, bytesIn, exactly, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { openInPage } from '../../run/race/open_in_page'
import { deepestAtEnd, type Lane, MOST_LANES, type Race } from '../../run/race/race'
import { manifest } from '../../state/atoms'
import { editColumn } from '../../state/compare/compare'
import { goalOf, unit, capacity, opened } from '../../state/workbench'
import { cellOfRun, outcomeTitle } from '../../state/compare/results'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Menu, type MenuItem } from '../controls/menu'
import { OutcomePill } from '../controls/pill'
import type { RaceStage } from './race_stage'

/** What was changed from the defaults and from the page, in few words. */
function settingsText(solver: SolverInfo | undefined, config: RunConfig, usual: string): string {
  const changed = Object.entries(config.options).map(([name, value]) => {
    const option = solver?.options.find((one) => one.name === name)
    const title = option?.title ?? name
    return option?.type === 'bool' ? `${title} ${value === 'true' ? 'on' : 'off'}` : `${title} ${value}`
  })
  const goal = goalOf(config) === 'fit' ? [] : ['minimise']
  const own = [
    ...goal,
    ...changed,
    ...(usual === '' ? [] : [usual]),
    ...(config.seed === 1 ? [] : [`seed ${config.seed}`]),
  ]
  return own.length === 0 ? 'default options' : own.join(', ')
}

/** What a run is called beside others. usual: the capacity of the page */
export function settingsOf(
  solvers: readonly SolverInfo[],
  lane: Lane,
  usual: number,
  amounts: ByteUnit,
): { title: string; note: string } {
  const config = lane.config.get()
  const solver = solvers.find(({ id }) => id === config.solver)
  const own = config.capacity === usual ? '' : `capacity ${exactly(config.capacity, amounts)}`
  return lane.foreign === ''
    ? { title: solver?.title ?? config.solver, note: settingsText(solver, config, own) }
    : { title: lane.foreign, note: own }
}

function LaneMenu({ race, lane, title, last }: { race: Race; lane: Lane; title: string; last: boolean }) {
  const actions = useActions()
  const full = useValue(race.lanes).length >= MOST_LANES
  const running = useValue(lane.run).kind === 'running'
  const edit = () => {
    editColumn(lane.id)
    actions.page.openDialog('race-column')
  }
  const items: MenuItem[] = [
    { key: 'edit', title: 'Settings…', act: edit },
    running
      ? { key: 'cancel', title: 'Cancel this run', act: () => lane.cancel() }
      : { key: 'run', title: 'Run this one', act: () => race.start(lane) },
    { key: 'copy', title: 'Duplicate', disabled: full, act: () => race.add(lane.config.get(), lane) },
    ...(lane.foreign === ''
      ? [{ key: 'open', title: 'Open in the page', act: () => void openInPage(actions.session, lane.config.get()) }]
      : []),
    { key: 'remove', title: 'Remove', disabled: last, act: () => race.remove(lane) },
  ]
  return <Menu name={`Run of ${title}`} class="icon-button" align="right" label={<I name="more" />} items={items} />
}

/** Over the canvas where there is nothing to see, or no longer what the settings say. */
function LaneNotice({ race, lane }: { race: Race; lane: Lane }) {
  const state = useValue(lane.run)
  if (state.kind !== 'idle' && state.kind !== 'failed') return null
  const memory = state.kind === 'failed' && state.reason === 'memory'
  return (
    <div class="lane-notice" role={state.kind === 'failed' ? 'alert' : 'note'}>
      {state.kind === 'failed' ? (
        <p>
          <b>{memory ? 'Out of memory' : state.reason === 'argument' ? 'Refused' : 'The worker was replaced'}</b>
          {state.step > 0 ? ` at step ${thousands(state.step)}. ` : '. '}
          {state.message}
        </p>
      ) : (
        <p>These settings have not been run.</p>
      )}
      <button type="button" class="button" onClick={() => race.start(lane)}>
        {state.kind === 'failed' ? 'Run again' : 'Run this one'}
      </button>
    </div>
  )
}

function Foot({ lane, stage, watched }: { lane: Lane; stage: RaceStage; watched: boolean }) {
  const state = useValue(lane.run)
  const at = useValue(lane.cursor)
  const frame = useValue(lane.frame)
  const buffer = useValue(stage.pointed)
  const amounts = useValue(unit)
  const count = useValue(opened)?.problem.count ?? 0
  if (lane.foreign !== '') {
    const note = state.kind === 'ended' || state.kind === 'cancelled' ? (state.result.note ?? '') : ''
    return <p class="lane-foot mono">{note && `${note}; no steps`}</p>
  }
  if (state.kind === 'running' && !watched) {
    const stats = state.progress?.stats
    const rate = stats !== undefined && stats.seconds > 0 ? `${brief(stats.steps / stats.seconds)} steps/s` : ''
    const best = (stats?.height ?? -1) < 0 ? '' : `, best height ${bytesIn(stats?.height ?? 0, amounts)}`
    return (
      <p class="lane-foot mono" title="Steps so far, pace, depth">
        {thousands(stats?.steps ?? 0)} steps {rate} deepest {thousands(stats?.maxDepth ?? 0)} of {thousands(count)}
        {best}
      </p>
    )
  }
  if (state.kind !== 'ended' && state.kind !== 'cancelled') return <p class="lane-foot mono" />
  const offset = buffer < 0 ? -1 : (frame?.offset[buffer] ?? -1)
  const placed = `${thousands(frame?.depth ?? 0)} of ${thousands(count)}`
  const deepest = deepestAtEnd(state.result, at)
  return (
    <p class="lane-foot mono">
      {!watched && (
        <span>
          step {thousands(at)} of {thousands(state.result.stats.steps)}
        </span>
      )}
      <span>
        {buffer >= 0
          ? offset < 0
            ? 'not placed'
            : `at ${bytesIn(offset, amounts)}`
          : deepest !== null
            ? `deepest: ${placed}, at step ${thousands(deepest)}`
            : `${placed} placed`}
      </span>
    </p>
  )
}

function Progress({ lane }: { lane: Lane }) {
  const state = useValue(lane.run)
  if (state.kind !== 'running') return null
  const budget = lane.foreign === '' ? state.config.budget : 0
  const steps = state.progress?.stats.steps ?? 0
  return (
    <progress
      class={`lane-progress${budget === 0 ? ' endless' : ''}`}
      aria-label="Steps of the budget"
      max={budget === 0 ? 1 : budget}
      value={budget === 0 ? 1 : Math.min(steps, budget)}
    />
  )
}

/** How far a column has come, in words. */
function Progressed({ lane }: { lane: Lane }) {
  const state = useValue(lane.run)
  const at = useValue(lane.cursor)
  if (state.kind !== 'ended' && state.kind !== 'cancelled') return <span class="hint clip">Starting…</span>
  const { stats, best } = state.result
  const steps = thousands(at)
  const words =
    at < stats.steps
      ? `Searching: step ${steps}`
      : stats.outcome === 'optimal'
        ? `All ${thousands(best?.length ?? 0)} placed after ${steps} steps, and no plan is lower`
        : `Still searching after ${steps} steps, where this race ends`
  return (
    <span class="hint clip" title={words}>
      {words}
    </span>
  )
}

interface Column {
  race: Race
  lane: Lane
  stage: RaceStage
  index: number
  last: boolean
  /** only to be watched: it says how far it is and nothing of its end before that is shown, and has no menu */
  watched?: boolean
}

export function RaceColumn(props: Column) {
  const { race, lane, stage, watched = false } = props
  const memory = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLDivElement>(null)
  const state = useValue(lane.run)
  const known = useValue(manifest)
  useValue(lane.config)
  const usual = useValue(capacity)
  const amounts = useValue(unit)
  const { title, note } = settingsOf(known?.solvers ?? [], lane, usual, amounts)
  const { outcome } = cellOfRun(state)
  const over = useValue(lane.cursor) >= lane.steps && lane.steps > 0
  useEffect(() => {
    if (memory.current === null || search.current === null) return
    return stage.mount(lane, memory.current, search.current)
  }, [lane, stage])
  const blank =
    state.kind === 'idle' || state.kind === 'failed' || (state.kind === 'running' && state.progress === null)
  return (
    <section
      class={`lane lane-${state.kind}${blank ? ' lane-blank' : ''}${lane.foreign === '' ? '' : ' lane-foreign'}`}
      aria-label={`Run ${props.index + 1}: ${title}`}
    >
      <header class="lane-head">
        <span class="lane-name">
          <b class="clip">{title}</b>
          {watched ? (
            <Progressed lane={lane} />
          ) : (
            <span class="hint clip" title={note}>
              {note}
            </span>
          )}
        </span>
        {(!watched || over) && <OutcomePill outcome={outcome} title={outcomeTitle(known?.outcomes ?? [], outcome)} />}
        {!watched && <LaneMenu race={race} lane={lane} title={title} last={props.last} />}
      </header>
      <div class="lane-box">
        <Progress lane={lane} />
        <div class="lane-memory" ref={memory} />
        <LaneNotice race={race} lane={lane} />
      </div>
      <Foot lane={lane} stage={stage} watched={watched} />
      <div class="lane-search" ref={search} />
    </section>
  )
}
