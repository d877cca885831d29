import { useEffect, useRef } from 'preact/hooks'
import type { ColourMode, TypeShade } from '../../layout/scene'
import { COLOUR_TITLES, colourKey } from '../../layout/canvas/colour_key'
import { thousands } from '../../base/format'
import { tokens } from '../../base/theme'
import { useValue } from '../../base/use_value'
import { adding, fragments, measure, measuring, pinSeveral, shadeFragments } from '../../state/canvas/canvas'
import {
  colour,
  operators,
  colourModes,
  placings,
  progressWords,
  shownFrame,
  shownSolver,
  unit,
  opened,
  run,
} from '../../state/workbench'
import { uneditable } from '../../state/edit/editing'
import { lesson, theme } from '../../state/ui'
import { useActions } from './context'
import { Part } from '../controls/later_part'
import { aids } from './aids_later'
import { CommandButton } from './command_button'
import { useRead } from '../controls/use_read'

/** The ramp that buffers are filled from, with what its ends stand for. */
function RampKey({ low, high, of = 'ramp' }: { low: string; high: string; of?: 'ramp' | 'heat' }) {
  const host = useRef<HTMLSpanElement>(null)
  const name = useValue(theme)
  useEffect(() => {
    host.current?.style.setProperty('background', `linear-gradient(to right in oklab, ${tokens[name][of].join(', ')})`)
  }, [name, of])
  return (
    <span class="ramp-key mono">
      {low}
      <span class="ramp" ref={host} />
      {high}
    </span>
  )
}

/** More phases than this are not named one by one. */
const NAMED = 6

function PhaseKey({ entries }: { entries: readonly TypeShade[] }) {
  return (
    <span class="ramp-key mono">
      {entries.slice(0, NAMED).map(({ type, shade }, k) => (
        <span key={type} title={type}>
          <span class="op-swatch phase-swatch" style={{ background: `var(--category-${shade})` }} />
          {k + 1}
        </span>
      ))}
      {entries.length > NAMED && '…'}
    </span>
  )
}

function Key({ levels }: { levels: [string, string] | undefined }) {
  const mode = useValue(colour)
  const problem = useValue(opened)?.problem
  const amounts = useValue(unit)
  const frame = useRead(shownFrame)
  const types = useValue(operators)
  const placed = useRead(placings)
  const key = problem && colourKey({ colour: mode, problem, frame, operators: types, placed }, amounts)
  if (mode === 'level' && levels !== undefined) return <RampKey low={levels[0]} high={levels[1]} />
  if (key?.kind === 'ramp') return <RampKey {...key} />
  // the types are named under their strip
  return key?.kind === 'types' && mode === 'phase' ? <PhaseKey entries={key.entries} /> : null
}

/** levels: what the ends of that ramp stand for, where there is more than one search */
export function ColourChoice({ levels }: { levels?: [string, string] }) {
  const actions = useActions()
  const mode = useValue(colour)
  const modes = useValue(colourModes)
  return (
    <>
      <label class="toolbar-colour">
        <span class="dim">Colour</span>
        <select
          class="bare-select"
          value={mode}
          onChange={(event) => actions.canvas.setColour(event.currentTarget.value as ColourMode)}
        >
          {modes.map((id) => (
            <option key={id} value={id}>
              {COLOUR_TITLES[id]}
            </option>
          ))}
        </select>
      </label>
      <Key levels={levels} />
    </>
  )
}

/** On a phone: what is on says what it does, and is put away here. */
export function ToolsOn() {
  const measures = useValue(measuring)
  const shades = useValue(fragments)
  const adds = useValue(adding)
  const on = (
    [
      [measures, measure, 'Drag on the canvas to measure.'],
      [adds, pinSeveral, 'Tap buffers to pin them.'],
      [shades, shadeFragments, 'Free blocks are shaded.'],
    ] as const
  ).filter(([is]) => is)
  return (
    <>
      {on.map(([, turn, text]) => (
        <p key={text} class="tool-on" role="status">
          <span class="hint">{text}</span>
          <button type="button" class="text-button" onClick={() => turn(false)}>
            Done
          </button>
        </p>
      ))}
    </>
  )
}

export function Toolbar() {
  const fixed = useValue(uneditable)
  const { done, of, what } = useRead(progressWords)
  const taught = useValue(lesson) !== null
  const solver = useValue(shownSolver)
  const ran = useValue(run).kind === 'ended'
  return (
    <div class="toolbar" role="toolbar" aria-label="Canvas">
      {taught && ran && (
        <span class="toolbar-solver">
          <span class="dim">Solver</span> {solver?.title}
        </span>
      )}
      <ColourChoice />
      <span class="spring" />
      <span class="mono placed">
        <b>{thousands(done)}</b> of {thousands(of)} {what}
      </span>
      <span class="rule" />
      <CommandButton name="free-blocks" icon="holes" />
      <CommandButton name="ruler" icon="ruler" />
      {!taught && <CommandButton name="find" icon="find" />}
      {!taught && <CommandButton name="edit" icon="edit" off={fixed} />}
      <CommandButton name="present" icon="present" />
      <CommandButton name="zoom-out" icon="minus" />
      <CommandButton name="zoom-in" icon="plus" />
      <CommandButton name="fit" icon="fit" class="quiet-button" label="Fit">
        <span class="wide-text">Fit</span>
      </CommandButton>
      <Part of={aids} quiet>
        {({ Roving }) => <Roving />}
      </Part>
    </div>
  )
}
