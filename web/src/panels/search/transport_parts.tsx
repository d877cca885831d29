/** What transports are put together from: buttons, the step's field, the speed. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { brief, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { type PlayBy, playBy, speed } from '../../state/atoms'
import { steps, cursor } from '../../state/workbench'
import { parseCount } from '../../state/page/quantity'
import { useActions } from '../page/context'
import { I, type IconName } from '../controls/icons'

/** Positions of the speed slider per power of ten. */
const FINE = 10

export function Button(props: { icon: IconName; name: string; keys: string; off: boolean; act: () => void }) {
  return (
    <button
      type="button"
      class="transport-button"
      aria-label={props.name}
      title={`${props.name} (${props.keys})`}
      disabled={props.off}
      onClick={props.act}
    >
      <I name={props.icon} />
    </button>
  )
}

export function PlayButton({ on, off, toggle }: { on: boolean; off: boolean; toggle: () => void }) {
  const name = on ? 'Pause' : 'Play'
  return (
    <button
      type="button"
      class="transport-button play"
      aria-label={name}
      title={`${name} (Space)`}
      disabled={off}
      onClick={toggle}
    >
      <I name={on ? 'pause' : 'play'} />
    </button>
  )
}

/** The step shown; a number typed here jumps to it. */
export function StepField({ off }: { off: boolean }) {
  const actions = useActions()
  const at = useValue(cursor)
  const total = useValue(steps)
  const [text, setText] = useState<string | null>(null)
  // at once: a later effect would take what is typed by then; a field that goes off has no blur
  useLayoutEffect(() => setText(null), [at, off])
  const shown = text ?? thousands(at)
  const commit = () => {
    if (text === null) return
    const parsed = parseCount(text, 0, Number.MAX_SAFE_INTEGER)
    setText(null)
    if (parsed.ok) actions.player.seek(Math.min(parsed.value, total))
  }
  return (
    <span class="step-field mono">
      <input
        type="text"
        inputMode="numeric"
        aria-label="Step"
        title="Type a step to jump to it"
        disabled={off}
        value={shown}
        style={{ width: `${Math.max(2, shown.length)}ch` }}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          // what is typed goes first; with nothing typed it is the page's key
          if (event.key === 'Escape' && text !== null) {
            setText(null)
            event.stopPropagation()
          }
        }}
      />
      {/* of a search that went with its worker nobody knows the end */}
      {at <= total && <span class="dim">of {thousands(total)}</span>}
    </span>
  )
}

export function speedText(value: number): string {
  return `${brief(Number(value.toPrecision(2))).replace(' ', '')}/s`
}

/** before: what stands there instead of the word */
export function SpeedSlider(props: { value: number; set: (value: number) => void; before?: ComponentChildren }) {
  const { value, set, before } = props
  const at = Math.log10(value) / 6
  return (
    <span class="speed">
      {before ?? <span class="dim">Speed</span>}
      <span class="slider">
        <input
          type="range"
          min={0}
          max={6 * FINE}
          step={1}
          value={Math.round(Math.log10(value) * FINE)}
          aria-label="Speed"
          aria-valuetext={`${thousands(value)} steps per second`}
          style={{ '--at': `${(at * 100).toFixed(1)}%` }}
          onInput={(event) => set(Math.round(10 ** (Number(event.currentTarget.value) / FINE)))}
        />
      </span>
      <span class="mono speed-text">{speedText(value)}</span>
    </span>
  )
}

const PLAYED: [PlayBy, string][] = [
  ['steps', 'Every step'],
  ['backtracks', 'Backtracks'],
  ['records', 'Records'],
]

function Played() {
  const actions = useActions()
  const by = useValue(playBy)
  return (
    <select
      class="solver-select played"
      aria-label="What is played"
      title="Every step, only backtracks, or only records: deeper than all before, or a plan"
      value={by}
      onChange={(event) => {
        const chosen = PLAYED.find(([id]) => id === event.currentTarget.value)
        if (chosen !== undefined) actions.search.playBy(chosen[0])
      }}
    >
      {PLAYED.map(([id, title]) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  )
}

export function Speed() {
  const actions = useActions()
  return <SpeedSlider value={useValue(speed)} set={(value) => actions.player.setSpeed(value)} before={<Played />} />
}
