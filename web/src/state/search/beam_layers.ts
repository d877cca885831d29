/** The layers of a search, pass by pass, from what its steps told. */
import type { EventOf, SearchEvent } from '../../../../wasm/client/types'
import type { Beam, BeamLayer, BeamPass, GraphCut } from '../../layout/scene'

/** What is told of a pass is a count since it began: a layer has what came on top of the one before. */
function layerOf(event: EventOf<'expand'>, pass: number, before: EventOf<'expand'> | null, first: number): BeamLayer {
  return {
    pass,
    layer: event.layer,
    states: event.states,
    dominated: event.dominated - (before?.dominated ?? 0),
    pruned: event.pruned - (before?.pruned ?? 0),
    first,
    last: event.step,
    best: event.best,
  }
}

/** A pass of the same stage begins again where its layers do. */
const goesOn = (before: EventOf<'expand'>, event: EventOf<'expand'>): boolean =>
  event.stage === before.stage && event.layer >= before.layer

/** Of the last time that it was cut. */
function cutsOf(events: readonly SearchEvent[]): GraphCut[] {
  const told = events.filter((event) => event.kind === 'cut-at')
  const last = told.at(-1)?.step
  return told.filter(({ step }) => step === last).map(({ operators, live }) => ({ operators, live }))
}

/** events: of the whole search, in order; null: it does not go in layers. O(events). */
export function beamOf(events: readonly SearchEvent[]): Beam | null {
  const layers: BeamLayer[] = []
  const passes: BeamPass[] = []
  let before: EventOf<'expand'> | null = null
  // the last event of the layer before, in this pass
  let base: EventOf<'expand'> | null = null
  for (const event of events) {
    if (event.kind !== 'expand') continue
    const last: BeamLayer | undefined = layers.at(-1)
    if (before === null || !goesOn(before, event)) {
      base = null
      passes.push({ stage: event.stage, from: layers.length, to: 0, first: event.step, last: 0, widest: 0 })
    } else if (before.layer !== event.layer) base = before
    const same = last !== undefined && base !== before && before !== null && goesOn(before, event)
    const first = same ? last.first : event.step
    if (same) layers.pop()
    layers.push(layerOf(event, passes.length - 1, base, first))
    before = event
  }
  for (const [k, layer] of layers.entries()) {
    const pass = passes[layer.pass] as BeamPass
    pass.to = k + 1
    pass.last = layer.last
    pass.widest = Math.max(pass.widest, layer.states)
  }
  const reached = ({ states, dominated, pruned }: BeamLayer) => states + dominated + pruned
  return layers.length === 0
    ? null
    : { layers, passes, cuts: cutsOf(events), most: layers.reduce((most, one) => Math.max(most, reached(one)), 1) }
}
