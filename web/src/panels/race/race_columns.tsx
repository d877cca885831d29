/** Up to four runs in columns, one transport for all, and their results as a table. */
import { useEffect, useState } from 'preact/hooks'
import { bytesIn, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { MOST_LANES, type Race } from '../../run/race/race'
import { manifest } from '../../state/atoms'
import { setTogether, together } from '../../state/compare/compare'
import { isOther, OTHERS } from '../../state/compare/others'
import { unit, opened, options, problem, worth } from '../../state/workbench'
import { setModeKeys, width } from '../../state/ui'
import { Choice } from '../controls/one_of'
import { toggleCompare } from '../../run/page/modes'
import { togglePin } from '../../run/canvas/pins'
import { I } from '../controls/icons'
import { RaceColumn } from './race_column'
import { Menu } from '../controls/menu'
import { RaceStage } from './race_stage'
import { RaceTable } from './race_table'
import { keysOf, RaceTransport, useChanges } from './race_transport'
import { ColourChoice } from '../page/toolbar'

/** The buffer under the pointer: lit in every column. */
function Pointed({ stage }: { stage: RaceStage }) {
  const at = useValue(stage.pointed)
  const problem = useValue(opened)?.problem
  const amounts = useValue(unit)
  if (at < 0 || problem === undefined) return null
  const [lower, upper] = [problem.lower[at] ?? 0, problem.upper[at] ?? 0]
  return (
    <span class="mono clip">
      {problem.ids.at(at)}: {bytesIn(problem.size[at] ?? 0, amounts)}, alive {thousands(lower)} to {thousands(upper)}
    </span>
  )
}

function AddRun({ race }: { race: Race }) {
  const solvers = useValue(manifest)?.solvers ?? []
  const lanes = useValue(race.lanes)
  const chosen = useValue(options)
  const given = useValue(problem)
  const add = (solver: string) => {
    const like = lanes[0]?.config.get()
    if (like === undefined) return
    const { goal, ...others } = like
    const asked = isOther(solver) || goal === undefined ? others : like
    const lane = race.add({ ...asked, solver, options: chosen[solver] ?? {} })
    if (lane) race.start(lane)
  }
  const label = (
    <>
      <I name="plus" />
      Add run
    </>
  )
  const items = solvers.map((solver) => ({
    key: solver.id,
    title: solver.title,
    note: worth(solver, given),
    act: () => add(solver.id),
  }))
  const foreign = OTHERS.map(({ id, title }) => ({ key: id, title, note: 'no steps', act: () => add(id) }))
  return <Menu name="Add run" class="button" align="right" label={label} items={[...items, ...foreign]} />
}

function Bar({ race, stage }: { race: Race; stage: RaceStage }) {
  useChanges(race)
  const lanes = useValue(race.lanes)
  const shared = useValue(together)
  const by = useValue(race.by)
  const busy = race.running
  return (
    <div class="compare-bar race-bar">
      <ColourChoice levels={['first', 'last']} />
      <Pointed stage={stage} />
      <span class="spring" />
      <Choice
        name="Scale"
        now={shared}
        choices={[
          [true, 'Shared'],
          [false, 'Each its own'],
        ]}
        set={setTogether}
      />
      <Choice
        name="Play by"
        now={by}
        choices={[
          ['steps', 'Steps'],
          ['share', 'Share of the run'],
        ]}
        set={(value) => race.lockBy(value)}
      />
      <span class="rule" />
      <button type="button" class="quiet-button" title="Show everything (0)" onClick={() => stage.fit()}>
        <I name="fit" />
        <span class="wide-only">Fit</span>
      </button>
      {lanes.length < MOST_LANES && <AddRun race={race} />}
      {busy ? (
        <button type="button" class="button" onClick={() => race.cancel()}>
          Cancel <kbd>Esc</kbd>
        </button>
      ) : (
        <button type="button" class="button primary" title="Run all at once (R)" onClick={() => void race.startAll()}>
          <I name="play" />
          Race
        </button>
      )}
    </div>
  )
}

export function Lanes({ race }: { race: Race }) {
  const lanes = useValue(race.lanes)
  const phone = useValue(width) === 'phone'
  const [stage, setStage] = useState<RaceStage | null>(null)
  useEffect(() => {
    const made = new RaceStage(race, togglePin)
    setStage(made)
    setModeKeys(keysOf(race, made, toggleCompare))
    return () => {
      setModeKeys(null)
      race.pause()
      made.dispose()
      setStage(null)
    }
  }, [race])
  if (stage === null) return null
  const table = <RaceTable race={race} />
  return (
    <>
      <Bar race={race} stage={stage} />
      {phone && table}
      <div class={`lanes lanes-${lanes.length}`}>
        {lanes.map((lane, k) => (
          <RaceColumn key={lane.id} race={race} lane={lane} stage={stage} index={k} last={lanes.length === 1} />
        ))}
      </div>
      <RaceTransport race={race} />
      {!phone && table}
    </>
  )
}
