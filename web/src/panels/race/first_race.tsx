/** The first page: a race, one sentence on what it is about, and the ways on. */
import { useEffect, useState } from 'preact/hooks'
import { bytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { togglePin } from '../../run/canvas/pins'
import { setMode } from '../../run/page/modes'
import { CAPACITY, firstRace, stepThrough } from '../../run/race/first_race'
import type { Race } from '../../run/race/race'
import { opened } from '../../state/workbench'
import { setModeKeys } from '../../state/ui'
import { CommandText } from '../page/command_button'
import { useActions } from '../page/context'
import { RaceColumn } from './race_column'
import { RaceStage } from './race_stage'
import { keysOf, RaceTransport } from './race_transport'
import '../../styles/race'

function Ways() {
  const actions = useActions()
  return (
    <nav class="ways" aria-label="Ways on">
      <button type="button" class="button primary" onClick={() => actions.draft.pasteNew()}>
        Paste yours
      </button>
      <CommandText name="zoo" class="button">
        Open a model
      </CommandText>
      <CommandText name="lessons" class="button">
        Learn
      </CommandText>
    </nav>
  )
}

function Words() {
  const actions = useActions()
  return (
    <header class="welcome">
      <div class="welcome-words">
        <h2>Two allocators, one scratchpad, 80 tensors. Watch.</h2>
        <p>
          <span class="welcome-told">
            <span class="wide-only">Each tensor lives for a while and needs one address all that time. </span>
            Both look for places for all of them within {bytes(CAPACITY)}, the least there can be, step for step.
          </span>{' '}
          <span class="welcome-more">
            <button type="button" class="text-button" onClick={() => void stepThrough(actions.session)}>
              Step through it
            </button>{' '}
            or{' '}
            <button type="button" class="text-button" onClick={() => void actions.problem.firstExample()}>
              begin with nine buffers
            </button>
            .
          </span>
        </p>
      </div>
      <Ways />
    </header>
  )
}

function Columns({ race }: { race: Race }) {
  const lanes = useValue(race.lanes)
  const [stage, setStage] = useState<RaceStage | null>(null)
  useEffect(() => {
    const made = new RaceStage(race, togglePin)
    setStage(made)
    setModeKeys(keysOf(race, made, () => setMode('search')))
    return () => {
      setModeKeys(null)
      made.dispose()
      setStage(null)
    }
  }, [race])
  if (stage === null) return null
  return (
    <>
      <div class={`lanes lanes-${lanes.length}`}>
        {lanes.map((lane, k) => (
          <RaceColumn key={lane.id} race={race} lane={lane} stage={stage} index={k} last={false} watched />
        ))}
      </div>
      <RaceTransport race={race} />
    </>
  )
}

export function Welcome() {
  const race = useValue(firstRace)
  const there = useValue(opened) !== null
  return (
    <>
      <Words />
      {race !== null && there ? <Columns race={race} /> : <div class="lanes" />}
    </>
  )
}
