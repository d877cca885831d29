/** Tasks on tiles: the schedule played, memory as its fragments, and what whole tensors would take. */
import { useEffect, useRef } from 'preact/hooks'
import type { Problem } from '../../../../wasm/client/types'
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { type MapScene, MemoryMap } from '../../draw/tiles/memory_map'
import { type PlateOfPlan, TwoPlates } from '../../draw/tiles/two_plates'
import { shadesOf } from '../../layout/canvas/shade'
import type { Scene } from '../../layout/scene'
import { fragmentsAt, memoryAt } from '../../layout/tiles/memory_rows'
import { bytesOfPieces, type TileMarks } from '../../layout/tiles/tile_marks'
import { piecesOf } from '../../layout/canvas/pieces'
import { leaveTasks, playTasks, showTask, stopTasks } from '../../run/tiles/schedule'
import { compareWhole } from '../../run/tiles/whole'
import { comparison, rolling, saved, type Side } from '../../state/tiles/tiles'
import { pinned, scene, unit } from '../../state/workbench'
import { PlayButton } from '../search/transport_parts'
import { useActions } from '../page/context'
import { shownTask } from './shown_task'
import '../../styles/later'

/** A canvas that is made once and told what to show. */
function Drawn<S>({ make, scene, name }: { make: new (host: HTMLElement) => View<S>; scene: S; name: string }) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<View<S> | null>(null)
  useEffect(() => {
    if (host.current === null) return
    const made = new make(host.current)
    view.current = made
    made.update(scene)
    return () => made.dispose()
  }, [])
  useEffect(() => view.current?.update(scene))
  return <div class={name} ref={host} />
}
interface View<S> {
  update(scene: S): void
  dispose(): void
}

function Doing({ name, problem, list }: { name: string; problem: Problem; list: readonly number[] }) {
  const amounts = useValue(unit)
  const pieces = piecesOf(problem)
  const tensors = [...new Set(list.map((k) => pieces.buffer[k] as number))]
  const bytes = bytesOfPieces(problem, list)
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd title={exactBytes(bytes)}>
        {tensors.length === 0
          ? 'nothing'
          : `${tensors.map((b) => problem.ids.at(b)).join(', ')} · ${bytesIn(bytes, amounts)}`}
      </dd>
    </div>
  )
}

const SHORT = { read: 'Reads', written: 'Writes', released: 'Lets go of' } as const

function Schedule({ problem }: { problem: Problem }) {
  const shown = useValue(shownTask)
  const on = useValue(rolling)
  const count = problem.tasks?.ids.length ?? 0
  return (
    <section class="tab-part" aria-labelledby="tasks-head">
      <header class="section-head">
        <h2 id="tasks-head">Tasks</h2>
        <span class="section-note">
          {shown === null ? thousands(count) : `${thousands(shown.task + 1)} of ${thousands(count)}`}
        </span>
      </header>
      <div class="row tile-transport">
        <PlayButton on={on} off={count === 0} toggle={playTasks} />
        <input
          type="range"
          aria-label="Task"
          aria-valuetext={shown?.id ?? ''}
          min={0}
          max={Math.max(0, count - 1)}
          value={shown?.task ?? 0}
          onInput={(event) => {
            stopTasks()
            showTask(Number(event.currentTarget.value))
          }}
        />
      </div>
      {shown !== null && (
        <>
          <p class="tile-task mono clip">{shown.id}</p>
          <dl class="facts">
            {(['read', 'released', 'written'] as const).map((what) => (
              <Doing key={what} name={SHORT[what]} problem={problem} list={shown.marks[what]} />
            ))}
          </dl>
          <ul class="legend">
            <li class="legend-written">written</li>
            <li class="legend-read">read</li>
            <li class="legend-released">read for the last time</li>
          </ul>
        </>
      )}
    </section>
  )
}

/** The tensor that is looked at: the pinned one, or what the task writes. */
function tensorOf(problem: Problem, pin: number, marks: TileMarks): number {
  if (pin >= 0) return pin
  const [first] = marks.written.length > 0 ? marks.written : marks.read
  return first === undefined ? -1 : (piecesOf(problem).buffer[first] as number)
}

function Memory({ now, offset }: { now: Scene; offset: Float64Array }) {
  const shown = useValue(shownTask)
  const pin = useValue(pinned)
  const amounts = useValue(unit)
  if (shown === null) return null
  const { problem, theme } = now
  const height = offset.reduce((top, at, k) => (at < 0 ? top : Math.max(top, at + (problem.size[k] as number))), 1)
  const tensor = tensorOf(problem, pin, shown.marks)
  const name = problem.ids.at(tensor) ?? ''
  const common = { unit: amounts, theme }
  const all: MapScene = {
    ...common,
    rows: memoryAt(problem, offset, height, shown.task, shown.marks),
    shades: shadesOf(now),
    label: `Memory while ${shown.id} runs`,
  }
  const own: MapScene | null =
    tensor < 0
      ? null
      : {
          ...common,
          rows: fragmentsAt(problem, offset, tensor, shown.task, shown.marks),
          shades: null,
          label: `Fragments of ${name}`,
        }
  return (
    <>
      <section class="tab-part" aria-labelledby="fragment-head">
        <header class="section-head">
          <h2 id="fragment-head">Fragments of {name}</h2>
          <span class="section-note">rows of {bytesIn(own?.rows.pitch ?? 0, amounts)}</span>
        </header>
        {own !== null && <Drawn make={MemoryMap} scene={own} name="memory-map" />}
        <p class="hint">
          Coloured by when they are first written; faint before and after. Pin a tensor to keep it here.
        </p>
      </section>
      <section class="tab-part" aria-labelledby="map-head">
        <header class="section-head">
          <h2 id="map-head">All memory</h2>
          <span class="section-note">rows of {bytesIn(all.rows.pitch, amounts)}</span>
        </header>
        <Drawn make={MemoryMap} scene={all} name="memory-map" />
      </section>
    </>
  )
}

const plateOf = (name: string, side: Side | null): PlateOfPlan | null => side && { ...side, name }

function proof({ outcome, height, lowerBound }: Side): string {
  return outcome === 'optimal' || height === lowerBound ? 'proven least' : 'best in time'
}

function Compared({ now }: { now: Scene }) {
  const known = useValue(comparison)
  const amounts = useValue(unit)
  const percent = known === null ? 0 : saved(known)
  return (
    <section class="tab-part" aria-labelledby="whole-head">
      <header class="section-head">
        <h2 id="whole-head">Tiles or whole tensors</h2>
        <span class="section-note">{known?.running === true ? 'running' : ''}</span>
      </header>
      {known === null ? (
        <p class="hint">The lowest plan of these tiles, and that of tensors which are needed as a whole.</p>
      ) : (
        <>
          <Drawn
            make={TwoPlates}
            name="tile-plates"
            scene={{
              plans: [plateOf('Tiles', known.tiles), plateOf('Whole', known.whole)],
              shades: shadesOf(now),
              unit: amounts,
              theme: now.theme,
            }}
          />
          {known.tiles !== null && known.whole !== null && (
            <p role="status">
              {percent > 0 ? `Tiles save ${percent.toFixed(1)} %` : 'Tiles save nothing'}:{' '}
              {bytesIn(known.tiles.height, amounts)} ({proof(known.tiles)}) where whole tensors take{' '}
              {bytesIn(known.whole.height, amounts)} ({proof(known.whole)}).
            </p>
          )}
          {known.failed !== '' && <p class="hint why">{known.failed}</p>}
        </>
      )}
      <div class="row row-wrap">
        <button type="button" class="button" disabled={known?.running} onClick={() => void compareWhole()}>
          {known === null ? 'Compare them' : 'Compare again'}
        </button>
      </div>
    </section>
  )
}

export function TilesTab() {
  const actions = useActions()
  const now = useValue(scene)
  const problem = now?.problem
  useEffect(() => {
    if (problem?.tasks === undefined) return
    showTask(0)
    return leaveTasks
  }, [problem])
  if (now === null || problem?.tasks === undefined) return null
  const offset = now.frame?.offset
  const placed = offset?.some((at) => at >= 0) === true
  return (
    <div class="tiles-tab">
      <Schedule problem={problem} />
      {placed && offset !== undefined ? (
        <Memory now={now} offset={offset} />
      ) : (
        <div class="tab-part">
          <p class="hint">Run a solver: once the tensors have addresses, their memory is shown here.</p>
          <button type="button" class="button" onClick={() => void actions.solver.run()}>
            Run
          </button>
        </div>
      )}
      <Compared now={now} />
    </div>
  )
}
