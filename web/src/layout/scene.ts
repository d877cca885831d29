/**
 * What the drawing layer is told: plain data. Layout and draw import this, the client's types and base/, nothing else; they know
 * neither state nor workers. Spaces: problem (time steps × bytes), canvas (CSS pixels, y down).
 */
import type {
  Attempt,
  Bounds,
  Frame,
  GraphModel,
  Manifest,
  Overview,
  Problem,
  SearchEvent,
} from '../../../wasm/client/types'

export type ColourMode = 'level' | 'order' | 'buffer' | 'size' | 'lifetime' | 'waste' | 'churn' | 'phase' | 'type'
export type Theme = 'dark' | 'light'

/** The visible part of the problem: times [t0, t1], addresses [b0, b1]. */
export interface Viewport {
  t0: number
  t1: number
  b0: number
  b1: number
}

/** A type of operators in the legend: what it is called, its category (0 to 11), how many operators and other makers there are of it. */
export interface TypeShade {
  type: string
  shade: number
  count: number
}

/** The operators of a model beside the buffers they make and read; operator k runs at time k. Ranges are as in GraphModel.ops. */
export interface Operators {
  model: GraphModel
  /** most used first */
  legend: TypeShade[]
  /** by operator: category of its type */
  shade: Uint8Array
  /** by buffer: category of what makes it */
  bufferShade: Uint8Array
  /** by buffer: the operator that makes it first, -1: none does (an input, a constant) */
  maker: Int32Array
  /** by buffer: the operators that read it, in order */
  readStart: Uint32Array
  reads: Uint32Array
  /** by buffer: the tensors that it holds, in the order in which they are made */
  heldStart: Uint32Array
  held: Uint32Array
  /** null or left out: they run in the order that was given */
  changes?: OrderChanges | null
  /** by operator: the bytes that it reads and writes, and those of them in fast memory; null or left out: there is but one memory */
  accessed?: { all: Float64Array; fast: Float64Array } | null
}

/** An order of operators against the one that they came in. */
export interface OrderChanges {
  /** by operator: its place in the given order */
  from: Uint32Array
  /** by operator, 1: it was moved; the others are as many as can be that kept their order */
  moved: Uint8Array
  /** maker (-1: none) and reader of what was outside between the two */
  outside: [number, number][]
}

/** Operators to point out on their strip: one of itself, and those that make and read what is looked at. */
export interface OpMarks {
  current: number
  makes: number[]
  reads: number[]
}

/** Buffers that a search has found. */
export interface Matches {
  /** in the order of the problem */
  list: Uint32Array
  /** by buffer, 1: found */
  mask: Uint8Array
}

/** A pool on a plate that shows all of them, between two addresses. */
export interface StackedPool {
  name: string
  from: number
  to: number
}

export interface Scene {
  problem: Problem
  manifest: Manifest
  capacity: number
  /** null: nothing has run; the canvas then shows the load against the capacity */
  frame: Frame | null
  /** the events of the step shown: frame.events where event.step === frame.step */
  now: SearchEvent[]
  colour: ColourMode
  /** by buffer: how often the whole search placed it; empty or left out: that is not known */
  placed?: Uint32Array | undefined
  theme: Theme
  /** paused or at most 4 steps/s: motion may ease (TOKENS §7) */
  calm: boolean
  reducedMotion: boolean
  /** pinned buffer or -1 */
  pinned: number
  /** others that stay pinned beside it */
  alsoPinned: readonly number[]
  /** what is searched for: those buffers stay as they are, all others fade; null: nothing is */
  matches: Matches | null
  /** what is free under the top of the plan is shaded, and the largest free block drawn over time */
  fragments: boolean
  /** a drag measures instead of panning */
  measuring: boolean
  /** buffers and sections lit from elsewhere (a number in the sentence, a row of a table); inputs: of the operator pointed at, dashed */
  lit: { buffers: number[]; section: number; inputs: number[] }
  /** of a model; null: the problem came as buffers */
  operators: Operators | null
  /** the infeasibility witness to show when load exceeds capacity: a section index or -1 */
  overloaded: number
  /** time before which the lifespans were decided, of a search that decides them; -1: they are given */
  frontier: number
  /** what the least height is between, while a search minimises; the capacity is then only a reference */
  bounds: Bounds | null
  /** what the search under way may not exceed: the capacity, or while minimising the probe's, null if that is not known here */
  limit: number | null
  /** banks of the memory, drawn as lines; null: it has none */
  banks: { bytes: number; mayCross: boolean } | null
  /** pools that lie above each other on this plate; left out: it is of one memory */
  stacked?: readonly StackedPool[]
  /** buffers that alone do not fit, outlined while they are looked at; empty: none */
  unfit: number[]
  /** placed buffers of which hindsight knows that no plan has them where they are; empty: none */
  doomed: readonly number[]
  /** addresses to show, for views that share a scale; left out: as far as this one needs */
  top?: number
  /** false: the view beside it has the same address ruler */
  ruler?: boolean
}

/** What is marked along a search. */
export interface Along {
  /** in order of step */
  marks: readonly { step: number; note: string }[]
  /** to play within */
  range: { from: number; to: number } | null
  /** the step after which no plan was left on the path that hindsight was asked about, or -1 */
  turn: number
}

/** A decision with all that was tried above it, in order of step; childless but for placements. */
export interface Branch extends Attempt {
  children: Branch[]
}

/** A tensor that is copied out, or fetched, before the operator that runs at `time`. */
export interface Transfer {
  kind: 'spill' | 'fetch'
  time: number
  /** of the model's tensors */
  tensor: number
  bytes: number
  /** of the plan's stays: the one in the arena that ends with it, or begins */
  inside: number
  /** the one outside */
  outside: number
}

/** Of a search in layers: what a pass made of the states of `layer` + 1 operators. */
export interface BeamLayer {
  /** of Beam.passes */
  pass: number
  /** operators that had run before */
  layer: number
  /** kept */
  states: number
  /** superfluous beside another */
  dominated: number
  /** too dear */
  pruned: number
  /** steps that it took */
  first: number
  last: number
  /** bytes of the best plan known by then, -1 */
  best: number
}

export interface BeamPass {
  stage: number
  /** of Beam.layers: [from, to) */
  from: number
  to: number
  first: number
  last: number
  /** most states kept in a layer */
  widest: number
}

/** A search in layers: the states kept after so many operators, pass by pass, and what was left out of them. */
/** Through which a search passes all states: what runs between the cut before and this one, and what is alive there. */
export interface GraphCut {
  /** rows */
  operators: Uint32Array
  /** bytes */
  live: number
}

/** A graph that was cut, by the operators as they are shown. */
export interface GraphParts {
  /** by operator: its part, in the order in which the search goes through them */
  part: Uint32Array
  /** of each cut, at the last operator before it */
  flags: { op: number; text: string }[]
}

export interface Beam {
  layers: BeamLayer[]
  passes: BeamPass[]
  /** in order; empty: it was not cut */
  cuts: GraphCut[]
  /** most states of a layer that were reached, kept or not */
  most: number
}

/** What the seismograph and the local strip are told. */
export interface SearchScene {
  overview: Overview
  manifest: Manifest
  /** steps taken so far in all */
  steps: number
  /** buffers of the problem */
  count: number
  /** step shown */
  cursor: number
  frame: Frame | null
  /** a run is going on: the trace grows */
  running: boolean
  theme: Theme
  /** name of an arm (preorder heuristic) for a restart mark; '' where that is but a code */
  armName: (arm: number) => string
  /** what such a code means, for the mark under the pointer */
  armHint?: (arm: number) => string
  along: Along
  /** of a search in layers, which places nothing on its way: they are drawn instead; null: they are still unknown */
  beam?: Beam | null
  /** of its passes, by stage */
  passName?: (stage: number) => string
  /** false: the view beside it has the same ruler */
  ruler?: boolean
  /** no plan that it completed is within the capacity */
  over?: boolean
}

export interface MemoryViewCallbacks {
  /** buffer under the pointer or -1; x, y in client pixels for the tooltip */
  hover(buffer: number, x: number, y: number): void
  /** a click or tap on a buffer, or -1 on the ground; add: the others stay pinned */
  pin(buffer: number, add: boolean): void
  /** after every pan or zoom; whole = everything is visible */
  viewport(viewport: Viewport, whole: boolean): void
}

/** draw/canvas/memory_view.ts exports class MemoryView implements this; constructor(host: HTMLElement, on: MemoryViewCallbacks). */
export interface MemoryViewApi {
  /** of the canvas, in CSS pixels */
  readonly size: { width: number; height: number }
  update(scene: Scene): void
  fit(): void
  /** at once, confined to what there is */
  show(viewport: Viewport): void
  /** factor > 1 zooms in, around the centre */
  zoom(factor: number): void
  /** fractions of the visible width and height */
  pan(dx: number, dy: number): void
  /** shows the buffer, zooming out or panning no more than needed */
  reveal(buffer: number): void
  /** shows the times [lower, upper), panning or zooming out no more than needed */
  revealTime(lower: number, upper: number): void
  /** the times [lower, upper) fill the width */
  showTime(lower: number, upper: number): void
  /** moves the buffer to the middle as far as there is something to move */
  centre(buffer: number): void
  dispose(): void
}

export interface LoadStripCallbacks {
  /** a range of time was brushed */
  brush(lower: number, upper: number): void
}

/** draw/canvas/load_strip.ts exports class LoadStrip; constructor(host, on). Shares the memory view's x axis to the pixel. */
export interface LoadStripApi {
  update(scene: Scene, viewport: Viewport): void
  dispose(): void
}

export interface OpStripCallbacks {
  /** operator under the pointer or -1; x, y in client pixels for the tooltip */
  hover(op: number, x: number, y: number): void
  /** a click, a tap or a key on an operator; -1: beside them */
  pick(op: number): void
}

/** draw/model/op_strip.ts exports class OpStrip; constructor(host, on). Shares the memory view's x axis to the pixel. */
export interface OpStripApi {
  update(scene: Scene, viewport: Viewport, marks: OpMarks): void
  dispose(): void
}

/** draw/search/seismograph.ts exports class Seismograph; constructor(host, on). The whole search; drag scrubs, hover previews. */
export interface SeismographCallbacks {
  scrub(step: number): void
  preview(step: number | null, x: number): void
  /** a range is being marked out; from <= to */
  range?(from: number, to: number): void
}
export interface SeismographApi {
  update(scene: SearchScene): void
  dispose(): void
  /** steps per pixel, for the , and . keys */
  readonly stepsPerPixel: number
}

/** draw/search/local_strip.ts exports class LocalStrip; constructor(host, on). The 84 steps around the cursor. */
export interface LocalStripApi {
  update(scene: SearchScene): void
  dispose(): void
}
