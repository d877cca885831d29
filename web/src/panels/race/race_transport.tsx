/** One playhead for all columns of a race, and the keys that move it. */
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { Race } from '../../run/race/race'
import { Button, PlayButton, SpeedSlider } from '../search/transport_parts'
import type { RaceStage } from './race_stage'

export function useChanges(race: Race): void {
  useValue(race.changes)
}

function Place({ race }: { race: Race }) {
  const at = useValue(race.position)
  const by = useValue(race.by)
  const { length } = race
  // its room is kept
  if (length === 0) return <span class="mono race-place" />
  if (at >= length)
    return (
      <span class="mono race-place">
        <b>end</b> <span class="race-of">of all runs</span>
      </span>
    )
  return (
    <span class="mono race-place">
      <b>{by === 'steps' ? thousands(Math.round(at)) : `${((at / length) * 100).toFixed(1)} %`}</b>{' '}
      <span class="race-of">{by === 'steps' ? `of ${thousands(length)} steps` : 'of each run'}</span>
    </span>
  )
}

export function RaceTransport({ race }: { race: Race }) {
  useChanges(race)
  const at = useValue(race.position)
  const on = useValue(race.playing)
  const speed = useValue(race.speed)
  const { length } = race
  const off = length === 0 || race.running
  return (
    <div class="transport" role="toolbar" aria-label="Transport of all runs">
      <Button icon="start" name="Start" keys="Home" off={off || at === 0} act={() => race.seek(0)} />
      <Button icon="back" name="Step back" keys="←" off={off || at === 0} act={() => race.stride(-1)} />
      <PlayButton on={on} off={off} toggle={() => race.toggle()} />
      <Button icon="step" name="Step" keys="→" off={off || at >= length} act={() => race.stride(1)} />
      <Button icon="end" name="End" keys="End" off={off || at >= length} act={() => race.toEnd()} />
      <span class="rule" />
      <input
        type="range"
        class="race-slider"
        aria-label="Playhead of all runs"
        min={0}
        max={Math.max(1, length)}
        step="any"
        value={at}
        disabled={off}
        style={{ '--at': `${length === 0 ? 0 : ((at / length) * 100).toFixed(2)}%` }}
        onInput={(event) => race.seek(Number(event.currentTarget.value))}
      />
      <Place race={race} />
      <SpeedSlider value={speed} set={(value) => race.setSpeed(value)} />
    </div>
  )
}

/** What the keys of the page's own transport do here; false for those that mean nothing. leave: what Esc does when nothing moves */
export function keysOf(race: Race, stage: RaceStage, leave: () => void): (name: string) => boolean {
  const keys: Record<string, () => void> = {
    ' ': () => race.toggle(),
    ArrowLeft: () => race.stride(-1),
    ArrowRight: () => race.stride(1),
    Home: () => race.seek(0),
    End: () => race.toEnd(),
    '[': () => race.setSpeed(Math.max(1, Math.round(race.speed.get() / 2))),
    ']': () => race.setSpeed(Math.min(1e6, race.speed.get() * 2)),
    r: () => {
      if (!race.running) void race.startAll()
    },
    '0': () => stage.fit(),
    Escape: () => {
      if (race.running) race.cancel()
      else if (race.playing.get()) race.pause()
      else leave()
    },
  }
  return (name) => {
    const act = keys[name] ?? keys[name.toLowerCase()]
    act?.()
    return act !== undefined
  }
}
