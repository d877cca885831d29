/** What the reader may change while a question is open. Each change is run at once. */
import { useId } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { Knob } from '../../lessons/lesson'
import { restingPlace } from '../../lessons/answers/orders'
import { order } from '../../run/lesson/lesson_live'
import { change, setOrder } from '../../run/lesson/lessons'
import { setBricks } from '../../state/lesson/bricks'
import { bricks } from '../../state/lesson/lesson_workbench'
import { solverInfo, capacity, frame, opened, options } from '../../state/workbench'
import { useActions } from '../page/context'

function CapacityKnob({ knob }: { knob: Extract<Knob, { kind: 'capacity' }> }) {
  const { session } = useActions()
  const id = useId()
  const value = useValue(capacity)
  const set = (next: number) => {
    const within = Math.min(knob.to, Math.max(knob.from, next))
    if (within !== value) void change(session, { capacity: within })
  }
  const at = (value - knob.from) / (knob.to - knob.from)
  return (
    <div class="knob">
      <label for={id}>
        Capacity <b class="mono">{thousands(value)}</b>
      </label>
      <div class="row">
        <button type="button" class="button" aria-label="Less" onClick={() => set(value - knob.by)}>
          −
        </button>
        <span class="slider">
          <input
            id={id}
            type="range"
            min={knob.from}
            max={knob.to}
            step={knob.by}
            value={value}
            style={{ '--at': `${(at * 100).toFixed(1)}%` }}
            onInput={(event) => set(Number(event.currentTarget.value))}
          />
        </span>
        <button type="button" class="button" aria-label="More" onClick={() => set(value + knob.by)}>
          +
        </button>
      </div>
    </div>
  )
}

function OptionKnob({ name }: { name: string }) {
  const { session } = useActions()
  const id = useId()
  const solver = useValue(solverInfo)
  const all = useValue(options)
  const option = solver?.options.find((one) => one.name === name)
  if (solver === null || option === undefined) return null
  const mine = all[solver.id] ?? {}
  const value = mine[name] ?? option.initial
  const set = (next: string) => void change(session, { options: { ...mine, [name]: next } })
  if (option.type === 'bool')
    return (
      <label class="knob check" for={id}>
        <input
          id={id}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => set(String(event.currentTarget.checked))}
        />
        {option.title}
      </label>
    )
  return (
    <div class="knob field">
      <label for={id}>{option.title}</label>
      <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
        {option.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Places buffers by hand: each on top of those before it. */
function OrderKnob() {
  const actions = useActions()
  const problem = useValue(opened)?.problem
  const placed = useValue(order) ?? []
  const offset = useValue(frame)?.offset ?? []
  if (problem === undefined) return null
  const waiting = [...problem.ids.keys()].filter((k) => !placed.includes(k))
  return (
    <div class="knob">
      <p class="knob-name">{waiting.length > 0 ? 'Place next' : 'All are placed.'}</p>
      <ul class="chips">
        {waiting.map((buffer) => (
          <li key={buffer}>
            <button
              type="button"
              class="chip"
              onPointerEnter={() => actions.canvas.light([buffer], -1)}
              onPointerLeave={() => actions.canvas.light([], -1)}
              onClick={() => setOrder([...placed, buffer])}
            >
              {problem.ids.at(buffer)}
              <span class="dim">at {thousands(restingPlace(problem, offset, buffer))}</span>
            </button>
          </li>
        ))}
      </ul>
      {placed.length > 0 && (
        <div class="row">
          <span class="mono clip">{placed.map((k) => problem.ids.at(k)).join(' → ')}</span>
          <span class="spring" />
          <button type="button" class="plain-button" onClick={() => setOrder(placed.slice(0, -1))}>
            Take back
          </button>
        </div>
      )}
    </div>
  )
}

/** The same as dragging on the canvas, for keys. */
function BricksKnob() {
  const actions = useActions()
  const problem = useValue(opened)?.problem
  const where = useValue(bricks)
  if (problem === undefined || where === null) return null
  const total = problem.size.reduce((sum, size) => sum + size, 0)
  return (
    <div class="knob">
      <p class="knob-name">Drag the bricks on the canvas, or move them here</p>
      {[...problem.ids].map((id, k) => {
        const most = total - (problem.size[k] ?? 0)
        const at = where[k] ?? 0
        return (
          <label key={id} class="row brick" onPointerEnter={() => actions.canvas.light([k], -1)}>
            <span class="mono">{id}</span>
            <span class="slider">
              <input
                type="range"
                aria-label={`Offset of ${id}`}
                min={0}
                max={most}
                value={at}
                style={{ '--at': `${((100 * at) / Math.max(1, most)).toFixed(1)}%` }}
                onInput={(event) => setBricks(where.with(k, Number(event.currentTarget.value)))}
              />
            </span>
            <span class="mono dim">at {thousands(at)}</span>
          </label>
        )
      })}
    </div>
  )
}

export function Knobs({ knobs }: { knobs: Knob[] }) {
  return (
    <>
      {knobs.map((knob) => {
        if (knob.kind === 'capacity') return <CapacityKnob key="capacity" knob={knob} />
        if (knob.kind === 'bricks') return <BricksKnob key="bricks" />
        return knob.kind === 'order' ? <OrderKnob key="order" /> : <OptionKnob key={knob.name} name={knob.name} />
      })}
    </>
  )
}
