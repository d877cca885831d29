/** The memory outside, under the canvas, for a plan that moves anything there. */
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { derived } from '../../base/cell'
import { useValue } from '../../base/use_value'
import { HostStrip } from '../../draw/model/host_strip'
import { TrafficLine } from '../../draw/model/traffic_line'
import { hostPlate } from '../../layout/model/host_plate'
import { trafficSteps } from '../../layout/model/traffic_line'
import { buffersOfStays } from '../../state/model/operators'
import { trafficOf, transfersOf } from '../../state/model/transfers'
import { hovered, lit, opened, operators, pinned, shownPlan, unit } from '../../state/workbench'
import { theme, viewport } from '../../state/ui'
import { useActions } from '../page/context'
import '../../styles/later'

/** What the plan that is shown moves; null: nothing. */
const moved = derived(() => {
  const [plan, model] = [shownPlan.get(), opened.get()?.model]
  if (plan === null || model === undefined) return null
  const transfers = transfersOf(plan, model)
  if (transfers.length === 0) return null
  const buffer = buffersOfStays(plan)
  const tensorOf = new Map<number, number>()
  for (let k = 0; k < plan.stays.count; k++)
    if ((buffer[k] as number) >= 0) tensorOf.set(buffer[k] as number, plan.stays.item[k] as number)
  const steps = trafficSteps(transfers)
  return { host: hostPlate(plan, transfers), transfers, steps, buffer, tensorOf, ids: model.tensors.ids }
})

/** The tensor in the buffer that is looked at. */
const litTensor = derived((): number => {
  const alone = lit.get().buffers[0] ?? -1
  const buffer = hovered.get()?.buffer ?? (alone >= 0 ? alone : pinned.get())
  return moved.get()?.tensorOf.get(buffer) ?? -1
})

function mount(element: HTMLElement, actions: ReturnType<typeof useActions>): () => void {
  const inside = (stays: readonly number[]) => {
    const now = moved.get()
    return now === null ? [] : stays.map((stay) => now.buffer[stay] as number)
  }
  const strip = new HostStrip(element, {
    hover: (block) => actions.canvas.light(block === null ? [] : inside(block.inside), -1),
    pick: (block) => {
      const [first] = inside(block.inside)
      if (first !== undefined) actions.canvas.reveal(first)
    },
  })
  const update = () => {
    const [now, all, visible] = [moved.get(), operators.get(), viewport.get()]
    if (now === null || visible === null) return
    const shade = (tensor: number) => {
      const at = [...now.tensorOf].find(([, of]) => of === tensor)?.[0] ?? -1
      return all?.bufferShade[at] ?? 0
    }
    const name = (tensor: number) => now.ids[tensor] ?? ''
    strip.update({ host: now.host, name, shade, unit: unit.get(), theme: theme.get(), lit: litTensor.get() }, visible)
  }
  update()
  const exits = [moved, viewport, operators, theme, litTensor].map((source) => source.subscribe(update))
  return () => {
    for (const exit of exits) exit()
    actions.canvas.light([], -1)
    strip.dispose()
  }
}

/** What has moved by each time, over the load. */
function mountLine(element: HTMLElement): () => void {
  const line = new TrafficLine(element)
  const update = () => {
    const [now, visible] = [moved.get(), viewport.get()]
    if (now !== null && visible !== null)
      line.update({ steps: now.steps, unit: unit.get(), theme: theme.get() }, visible)
  }
  update()
  const exits = [moved, viewport, theme].map((source) => source.subscribe(update))
  return () => {
    for (const exit of exits) exit()
    line.dispose()
  }
}

/** load: the strip under it */
export function HostPlate({ load }: { load: RefObject<HTMLElement | null> }) {
  const actions = useActions()
  const host = useRef<HTMLDivElement>(null)
  const now = useValue(moved)
  const amounts = useValue(unit)
  const some = now !== null
  useEffect(() => (host.current === null || !some ? undefined : mount(host.current, actions)), [some])
  useEffect(() => (load.current === null || !some ? undefined : mountLine(load.current)), [some])
  if (now === null) return null
  const bytes = trafficOf(now.transfers)
  const count = now.transfers.length
  return (
    <section class="host" aria-label="Memory outside">
      <header class="host-head">
        <b>outside</b>
        <span title={exactBytes(bytes)}>
          {bytesIn(bytes, amounts)} moved in {thousands(count)} {count === 1 ? 'copy' : 'copies'}
        </span>
        <span class="spring" />
        <ul class="legend" aria-label="Moves">
          <li class="legend-spill">spilled</li>
          <li class="legend-fetch">fetched</li>
        </ul>
      </header>
      <div class="host-strip" ref={host} />
    </section>
  )
}
