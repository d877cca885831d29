/** What a model asks of the memory: its peak, whether that fits, what a plan leaves unused, and plans of others. */
import type { ComponentChildren } from 'preact'
import { bytesIn, percent, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { capacity, operators, problem, selects, shownCapacity, shownFrame, unit, opened } from '../../state/workbench'
import { fragmentsOf } from '../../state/model/fragments'
import { makerName, opName, shapeText } from '../../state/model/operators'
import { reorderOffer } from '../../state/model/reorder_offer'
import { type Peak, peakOf } from '../../state/problem/peak'
import { Bytes } from '../controls/amounts'
import { CommandText } from '../page/command_button'
import { useActions } from '../page/context'
import { FragmentChart } from './fragment_chart'
import { Levers } from './levers'
import { Program } from './program'
import { Schemes } from './schemes'
import { Pools, Selecting } from './selection'
import { TrafficCurve } from './traffic_curve'
import { GivenPlan } from './given_plan'
import { Tiling } from './tiling'
import { Fact } from '../solver/result'
import '../../styles/later'

/** Longer lists are cut: what is left out is small. */
const LISTED = 100

function Section({
  id,
  title,
  note,
  children,
}: {
  id: string
  title: string
  note?: string
  children: ComponentChildren
}) {
  return (
    <section class="tab-part" aria-labelledby={id}>
      <header class="section-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="section-note">{note}</span>}
      </header>
      {children}
    </section>
  )
}

function PeakRow({ buffer, peak }: { buffer: number; peak: Peak }) {
  const actions = useActions()
  const given = useValue(problem)
  const all = useValue(operators)
  const amounts = useValue(unit)
  if (given === null || all === null) return null
  const size = given.size[buffer] ?? 0
  const share = peak.bytes > 0 ? size / peak.bytes : 0
  const shape = shapeText(all, buffer)
  return (
    <li>
      <button
        type="button"
        class="peak-row"
        style={{ '--share': share.toFixed(4), '--fill': `var(--category-${all.bufferShade[buffer] ?? 0})` }}
        onPointerEnter={() => actions.canvas.light([buffer], -1)}
        onPointerLeave={() => actions.canvas.light([], -1)}
        onFocus={() => actions.canvas.light([buffer], -1)}
        onBlur={() => actions.canvas.light([], -1)}
        onClick={() => actions.canvas.reveal(buffer)}
      >
        <span class="peak-id mono clip">{given.ids.at(buffer)}</span>
        <span class="mono" title={`${thousands(size)} B`}>
          {bytesIn(size, amounts)}
        </span>
        <span class="peak-from clip">
          {makerName(all, buffer)}
          {shape !== '' && ` · ${shape}`}
        </span>
        <span class="mono dim">{percent(share)}</span>
      </button>
    </li>
  )
}

function PeakPart({ peak }: { peak: Peak }) {
  const actions = useActions()
  const all = useValue(operators)
  const amounts = useValue(unit)
  if (all === null) return null
  const running = peak.time < all.shade.length ? opName(all.model, peak.time) : ''
  const rest = peak.buffers.length - LISTED
  return (
    <Section id="peak-head" title="What the peak is made of" note={bytesIn(peak.bytes, amounts)}>
      <p class="hint">
        {running === '' ? `At time ${thousands(peak.time)}` : `At operator ${thousands(peak.time)}, ${running}`},{' '}
        {thousands(peak.buffers.length)} {peak.buffers.length === 1 ? 'buffer is' : 'buffers are'} alive.{' '}
        <button
          type="button"
          class="text-button"
          onPointerEnter={() => actions.canvas.light(peak.buffers, peak.section)}
          onPointerLeave={() => actions.canvas.light([], -1)}
          onClick={() => actions.canvas.lookAtOp(peak.time)}
        >
          Go there
        </button>
      </p>
      <ul class="peak-list">
        {peak.buffers.slice(0, LISTED).map((buffer) => (
          <PeakRow key={buffer} buffer={buffer} peak={peak} />
        ))}
      </ul>
      {rest > 0 && <p class="hint">and {thousands(rest)} smaller ones</p>}
    </Section>
  )
}

function Fit({ peak }: { peak: Peak }) {
  const available = useValue(capacity)
  const missing = peak.bytes - available
  const known = useValue(reorderOffer)
  return (
    <Section id="fit-head" title={missing > 0 ? 'Why it does not fit' : 'Does the load fit?'}>
      {missing > 0 && known.kind === 'small' && (
        <p>
          No order helps: <b>{known.operator}</b> alone needs <Bytes value={known.needs} />.
        </p>
      )}
      <dl class="facts">
        <Fact name="Required">
          <Bytes value={peak.bytes} />
        </Fact>
        <Fact name="Available">
          <Bytes value={available} />
        </Fact>
        <Fact name={missing > 0 ? 'Missing' : 'To spare'}>
          <span class={missing > 0 ? 'why' : ''}>
            <Bytes value={Math.abs(missing)} />
          </span>
        </Fact>
        <Fact name="Section">{thousands(peak.section)}</Fact>
      </dl>
      <div class="row row-wrap">
        <CommandText name="chips" class="button" />
      </div>
    </Section>
  )
}

function Fragmentation({ peak }: { peak: Peak }) {
  const given = useValue(problem)
  const shown = useValue(shownFrame)
  const limit = useValue(shownCapacity)
  if (given === null) return null
  const found = shown === null ? null : fragmentsOf(given, shown.offset, limit)
  if (found === null)
    return (
      <Section id="fragments-head" title="Fragmentation">
        <p class="hint">Once every buffer has its place, what the plan leaves unused over time stands here.</p>
      </Section>
    )
  const worst = found.worst < 0 ? 0 : (found.top[found.worst] ?? 0) - (given.sections.load[found.worst] ?? 0)
  return (
    <Section id="fragments-head" title="Fragmentation">
      <FragmentChart problem={given} fragments={found} capacity={limit} />
      <dl class="facts">
        <Fact name="Unused under the top, at most" title="bytes below the highest buffer alive that none has">
          <Bytes value={worst} />
        </Fact>
        <Fact name="Largest free block at the peak" title="run of addresses below the capacity that no buffer has">
          <Bytes value={found.largest[peak.section] ?? 0} />
        </Fact>
        <Fact name="Largest free block, at least" title="over all times">
          <Bytes value={found.largest.reduce((least, bytes) => Math.min(least, bytes), Number.POSITIVE_INFINITY)} />
        </Fact>
      </dl>
    </Section>
  )
}

export function ModelTab() {
  const now = useValue(opened)
  const peak = now === null ? null : peakOf(now.problem)
  const available = useValue(capacity)
  const chooses = useValue(selects)
  if (now?.model === undefined || peak === null) {
    return (
      <div class="tab-part">
        <p class="prose dim">This problem has no operators. Open a model to see what its peak is made of.</p>
      </div>
    )
  }
  if (chooses) return <Pools />
  return (
    <div class="model-tab">
      <Fit peak={peak} />
      <Levers missing={peak.bytes > available} />
      <PeakPart peak={peak} />
      <Fragmentation peak={peak} />
      <TrafficCurve />
      <Schemes />
      <Program />
      <Selecting />
      <Tiling />
      <GivenPlan />
      <Section id="lowerings-head" title="Another way">
        <p class="hint">Lower the same graph with other options or in another order, and see both.</p>
        <div class="row row-wrap">
          <CommandText name="lowerings" class="button">
            Compare…
          </CommandText>
        </div>
      </Section>
    </div>
  )
}
