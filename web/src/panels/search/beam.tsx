// biome-ignore-all lint/a11y/useSemanticElements: a group that the arrows walk through
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: and so it takes the focus
/** A search in layers: what its strip means, its figures at the step shown, and the beam, which is what it has instead of a tree. */
import { useEffect, useState } from 'preact/hooks'
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { derived } from '../../base/cell'
import { clamp } from '../../base/geom'
import { useSize } from '../../base/use_size'
import { useValue } from '../../base/use_value'
import type { Beam, BeamLayer, BeamPass } from '../../layout/scene'
import { layerAt, shareOf } from '../../layout/search/beam'
import { BeamWatch } from '../../run/search/beam_watch'
import { orderNames, transfersOf } from '../../state/model/transfers'
import { beam, passName } from '../../state/search/beam'
import { cursor, frame, opened, result, shownPlan, unit } from '../../state/workbench'
import { useRead } from '../controls/use_read'
import { useActions } from '../page/context'
import '../../styles/later'

export function BeamLegend() {
  return (
    <ul class="legend" aria-label="Legend">
      <li class="legend-placed">states kept</li>
      <li class="legend-dominated">no better than another</li>
      <li class="legend-dear">cost too much</li>
    </ul>
  )
}

/** The layer that the step shown belongs to. */
const shownLayer = derived((): BeamLayer | null => {
  const known = beam.get()
  return known === null ? null : (known.layers[layerAt(known, cursor.get())] ?? null)
})

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What the step shown comes to; it stands where other searches have their single steps, and keeps the beam known. */
export function BeamReadout() {
  const { session } = useActions()
  useEffect(() => {
    const watch = new BeamWatch(session)
    return () => watch.stop()
  }, [session])
  const known = useValue(beam)
  const layer = useRead(shownLayer)
  const stage = known?.passes[layer?.pass ?? -1]?.stage ?? -1
  const amounts = useValue(unit)
  const ended = useValue(result)
  const proved = ended !== null && ended.stats.cost >= 0 ? ended.stats.lowerBound : -1
  const amount = (bytes: number) => (bytes < 0 ? '–' : bytesIn(bytes, amounts))
  const number = (of: keyof BeamLayer) => (layer === null ? '–' : thousands(layer[of]))
  return (
    <dl class="beam-read mono" aria-label="The layer shown">
      <Figure name="Pass">{stage < 0 ? '–' : passName(stage)}</Figure>
      <Figure name="Operators">{number('layer')}</Figure>
      <Figure name="States">{number('states')}</Figure>
      <Figure name="Dominated">{number('dominated')}</Figure>
      <Figure name="Too dear">{number('pruned')}</Figure>
      <Figure name="Best so far">{amount(layer?.best ?? -1)}</Figure>
      <Figure name="Proved bound">{amount(proved)}</Figure>
    </dl>
  )
}

// ---- the beam

const MARGIN = { top: 12, bottom: 14, side: 16 }

interface Plot {
  /** y where the states after so many operators begin */
  y: (layer: number) => number
  middle: number
  /** half of what so many states take */
  half: (states: number) => number
  ops: number
}

function plotOf(known: Beam, ops: number, { width, height }: { width: number; height: number }): Plot {
  const room = Math.max(1, height - MARGIN.top - MARGIN.bottom)
  const middle = width / 2
  return {
    y: (layer) => MARGIN.top + (layer / Math.max(1, ops)) * room,
    middle,
    half: (states) => Math.max(1, (middle - MARGIN.side) * shareOf(states, known.most)),
    ops,
  }
}

/** The outline of a quantity on both sides of the trail, layer by layer. */
function outline(plot: Plot, layers: readonly BeamLayer[], of: (layer: BeamLayer) => number): string {
  const left: string[] = []
  const right: string[] = []
  for (const layer of layers) {
    const half = plot.half(of(layer))
    const [y0, y1] = [plot.y(layer.layer).toFixed(1), plot.y(layer.layer + 1).toFixed(1)]
    const [a, b] = [(plot.middle - half).toFixed(1), (plot.middle + half).toFixed(1)]
    left.push(`${a} ${y0}`, `${a} ${y1}`)
    right.push(`${b} ${y0}`, `${b} ${y1}`)
  }
  return layers.length === 0 ? '' : `M${left.join('L')}L${right.reverse().join('L')}Z`
}

const reached = ({ states, dominated, pruned }: BeamLayer) => states + dominated + pruned
const judged = ({ states, dominated }: BeamLayer) => states + dominated

function words(layer: BeamLayer, next: string): string {
  const { states, dominated, pruned } = layer
  const kept = `${thousands(states)} ${states === 1 ? 'state' : 'states'} kept`
  return `After ${thousands(layer.layer + 1)} operators: ${kept}, ${thousands(dominated)} dominated, ${thousands(pruned)} too dear.${next === '' ? '' : ` The plan runs ${next}.`}`
}

/** What the plan moves before each operator, on the trail. */
function Moves({ plot }: { plot: Plot }) {
  const plan = useValue(shownPlan)
  const model = useValue(opened)?.model
  if (plan === null || model === undefined) return null
  return (
    <>
      {transfersOf(plan, model).map(({ kind, time, tensor }) => (
        <path
          key={`${kind} ${tensor} ${time}`}
          class={`beam-${kind}`}
          d={`M${plot.middle} ${plot.y(time).toFixed(1)}h${kind === 'spill' ? 9 : -9}`}
        />
      ))}
    </>
  )
}

function Picture({ known, pass, say }: { known: Beam; pass: BeamPass; say: (text: string) => void }) {
  const { player } = useActions()
  const { host, size } = useSize()
  const at = useRead(shownLayer)
  const plan = useValue(shownPlan)
  const model = useValue(opened)?.model
  const layers = known.layers.slice(pass.from, pass.to)
  const plot = plotOf(known, model?.ops.count ?? 1, size)
  const names = plan === null || model === undefined ? [] : orderNames(plan, model)
  const under = (event: MouseEvent): BeamLayer | undefined => {
    const top = host.current?.getBoundingClientRect().top ?? 0
    const row = ((event.clientY - top - MARGIN.top) / Math.max(1, size.height - MARGIN.top - MARGIN.bottom)) * plot.ops
    return layers.find(({ layer }) => layer === clamp(Math.floor(row), 0, plot.ops - 1)) ?? layers.at(-1)
  }
  const tell = (layer: BeamLayer | undefined) => say(layer === undefined ? '' : words(layer, names[layer.layer] ?? ''))
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const now = layers.indexOf(at as BeamLayer)
    const to = layers[clamp(now + by, 0, layers.length - 1)]
    if (by === 0 || to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    tell(to)
    player.seek(to.last)
  }
  const here = at !== null && known.passes[at.pass] === pass ? at : null
  return (
    <div
      class="beam-picture"
      ref={host}
      role="group"
      aria-label={`States by layer, ${passName(pass.stage)}: at most ${thousands(pass.widest)}. The arrows go from layer to layer.`}
      tabIndex={0}
      onPointerMove={(event) => tell(under(event))}
      onPointerLeave={() => say('')}
      onClick={(event) => {
        const layer = under(event)
        if (layer !== undefined) player.seek(layer.last)
      }}
      onKeyDown={step}
    >
      <svg width={size.width} height={size.height} aria-hidden="true">
        <path class="beam-dear" d={outline(plot, layers, reached)} />
        <path class="beam-dominated" d={outline(plot, layers, judged)} />
        <path class="beam-kept" d={outline(plot, layers, ({ states }) => states)} />
        {here !== null && (
          <rect
            class="beam-now"
            x={0}
            y={plot.y(here.layer)}
            width={size.width}
            height={Math.max(2, plot.y(here.layer + 1) - plot.y(here.layer))}
          />
        )}
        {plan !== null && <path class="beam-trail" d={`M${plot.middle} ${plot.y(0)}V${plot.y(plot.ops)}`} />}
        <Moves plot={plot} />
      </svg>
    </div>
  )
}

function Passes({ known, shown, pick }: { known: Beam; shown: BeamPass; pick: (pass: BeamPass) => void }) {
  return (
    <label class="beam-passes">
      <span>Pass</span>
      <select
        class="solver-select"
        value={String(known.passes.indexOf(shown))}
        onChange={(event) => {
          const pass = known.passes[Number(event.currentTarget.value)]
          if (pass !== undefined) pick(pass)
        }}
      >
        {known.passes.map((pass, k) => (
          <option key={pass.first} value={String(k)}>
            {`${k + 1}. ${passName(pass.stage)}, at most ${thousands(pass.widest)} in a layer`}
          </option>
        ))}
      </select>
    </label>
  )
}

export function BeamTab() {
  const { player } = useActions()
  const known = useValue(beam)
  const layer = useRead(shownLayer)
  const ended = useValue(result)
  const amounts = useValue(unit)
  const [said, say] = useState('')
  const some = useRead(frame) !== null
  if (known === null)
    return (
      <div class="tab-part">
        <p class="prose dim">
          {some && ended !== null
            ? 'The layers are on their way.'
            : 'The search is under way: its layers stand here when it has ended.'}
        </p>
      </div>
    )
  const pass = known.passes[layer?.pass ?? 0] as BeamPass
  const cost = ended?.stats.cost ?? -1
  return (
    <div class="beam-tab">
      <div class="beam-head">
        <Passes known={known} shown={pass} pick={({ last }) => player.seek(last)} />
      </div>
      <Picture known={known} pass={pass} say={say} />
      <p class="beam-said hint" role="status">
        {said !== '' ? said : layer === null ? '' : words(layer, '')}
      </p>
      <ul class="legend beam-legend" aria-label="Legend">
        <li class="legend-placed">kept</li>
        <li class="legend-dominated">dominated</li>
        <li class="legend-dear">too dear</li>
        {cost >= 0 && (
          <li class="legend-trail" title={exactBytes(cost)}>
            plan, {bytesIn(cost, amounts)}
          </li>
        )}
      </ul>
    </div>
  )
}
