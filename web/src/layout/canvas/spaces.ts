/**
 * Problem <-> canvas. A plate is the part of the canvas that data may use; the gutters around it hold rulers and tags. Times and
 * addresses may reach 2^53 - 1, so positions are always computed from differences to the viewport, never from products of
 * absolute values.
 */
import { clamp, type Rect } from '../../base/geom'
import type { Scene, Viewport } from '../scene'

/** Gutters around the plate in CSS pixels. All strips share left and right, so that one time is one x on all of them. */
export const GUTTER = { left: 58, right: 14, top: 30, bottom: 26 } as const
/** On a canvas narrower than this the left gutter shrinks to what four digits need. */
const NARROW = 480

/** Without a ruler the left gutter is as wide as the right one. */
export function gutterLeft(width: number, ruler = true): number {
  if (!ruler) return gutterRight(width)
  return width < NARROW ? 44 : GUTTER.left
}

export function gutterRight(width: number): number {
  return width < NARROW ? 10 : GUTTER.right
}

/** The plate of the memory canvas of that size; never negative. */
export function plateOf(width: number, height: number, ruler = true): Rect {
  const x = gutterLeft(width, ruler)
  return {
    x,
    y: GUTTER.top,
    w: Math.max(1, width - x - gutterRight(width)),
    h: Math.max(1, height - GUTTER.top - GUTTER.bottom),
  }
}

/** A view of the problem on a plate. y grows downwards on the canvas, addresses grow upwards. */
export class Space {
  readonly sx: number
  readonly sy: number

  constructor(
    readonly view: Viewport,
    readonly plate: Rect,
  ) {
    this.sx = plate.w / positive(view.t1 - view.t0)
    this.sy = plate.h / positive(view.b1 - view.b0)
  }

  x(time: number): number {
    return this.plate.x + (time - this.view.t0) * this.sx
  }

  y(address: number): number {
    return this.plate.y + this.plate.h - (address - this.view.b0) * this.sy
  }

  time(x: number): number {
    return this.view.t0 + (x - this.plate.x) / this.sx
  }

  address(y: number): number {
    return this.view.b0 + (this.plate.y + this.plate.h - y) / this.sy
  }
}

function positive(span: number): number {
  return span > 0 && Number.isFinite(span) ? span : 1
}

/** A part is shown over all the time of its whole. */
export function shareExtent(part: Scene['problem'], whole: Scene['problem']): void {
  extents.set(part, timeExtent(whole))
}

/** Time extent of a problem: [first lower, last upper); [0, 1] if there is no buffer. O(n), cached per problem. */
export function timeExtent(problem: Scene['problem']): [number, number] {
  const known = extents.get(problem)
  if (known) return known
  let lo = Number.POSITIVE_INFINITY
  let hi = Number.NEGATIVE_INFINITY
  for (let i = 0; i < problem.count; i++) {
    lo = Math.min(lo, problem.lower[i] as number)
    hi = Math.max(hi, problem.upper[i] as number)
  }
  const extent: [number, number] = hi > lo ? [lo, hi] : [0, 1]
  extents.set(problem, extent)
  return extent
}
const extents = new WeakMap<Scene['problem'], [number, number]>()

const heights = new WeakMap<NonNullable<Scene['frame']>, number>()

/** Greatest offset + size of what the scene shows as placed; 0 if nothing is. O(n), cached per frame. */
export function shownHeight(scene: Scene): number {
  const { frame, problem } = scene
  if (!frame) return 0
  const known = frame.top ?? heights.get(frame)
  if (known !== undefined) return known
  let top = 0
  for (let i = 0; i < problem.count; i++) {
    const offset = frame.offset[i] as number
    if (offset >= 0) top = Math.max(top, offset + (problem.size[i] as number))
  }
  heights.set(frame, top)
  return top
}

/**
 * The viewport that shows everything. Addresses go to 1.085 x capacity; a plan, a load or a lower bound above it stretches the
 * range in steps of an eighth, so that the scale does not crawl while a search plays.
 */
export function wholeViewport(scene: Scene): Viewport {
  const [t0, t1] = timeExtent(scene.problem)
  if (scene.top !== undefined) return { t0, t1, b0: 0, b1: scene.top }
  const capacity = Math.max(0, scene.capacity)
  const load = scene.frame ? 0 : scene.problem.lowerBound
  const need = 1.03 * Math.max(shownHeight(scene), load, scene.bounds?.height ?? 0, scene.bounds?.lowerBound ?? 0)
  let top = 1.085 * capacity
  if (need > top) {
    const grain = capacity > 0 ? capacity / 8 : Math.max(1, need / 8)
    top = need > 64 * grain ? need : Math.ceil(need / grain) * grain
  }
  return { t0, t1, b0: 0, b1: top > 0 ? top : 1 }
}

/** Smallest spans a viewport may have: the smallest thing fills the plate, and doubles still tell neighbours apart. */
export interface Limits {
  time: number
  bytes: number
}

/** O(n), cached per problem. */
export function limitsOf(problem: Scene['problem'], whole: Viewport): Limits {
  let smallest = smallestOf.get(problem)
  if (!smallest) {
    smallest = { time: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
    for (let i = 0; i < problem.count; i++) {
      smallest.time = Math.min(smallest.time, (problem.upper[i] as number) - (problem.lower[i] as number))
      if ((problem.size[i] as number) > 0) smallest.bytes = Math.min(smallest.bytes, problem.size[i] as number)
    }
    smallestOf.set(problem, smallest)
  }
  const precise = (a: number, b: number): number => Math.max(Math.abs(a), Math.abs(b)) * 2 ** -40
  const floor = (least: number, span: number, a: number, b: number): number =>
    Math.min(span, Math.max(1.2 * (Number.isFinite(least) ? least : span), precise(a, b)))
  return {
    time: floor(smallest.time, whole.t1 - whole.t0, whole.t0, whole.t1),
    bytes: floor(smallest.bytes, whole.b1 - whole.b0, whole.b0, whole.b1),
  }
}
const smallestOf = new WeakMap<Scene['problem'], Limits>()

/** The viewport moved and shrunk no more than needed to lie within the whole. NaN anywhere gives the whole. */
export function confine(view: Viewport, whole: Viewport, limits: Limits): Viewport {
  const sum = view.t0 + view.t1 + view.b0 + view.b1
  if (!Number.isFinite(sum)) return { ...whole }
  const spanT = clamp(view.t1 - view.t0, limits.time, whole.t1 - whole.t0)
  const spanB = clamp(view.b1 - view.b0, limits.bytes, whole.b1 - whole.b0)
  const t0 = clamp((view.t0 + view.t1 - spanT) / 2, whole.t0, whole.t1 - spanT)
  const b0 = clamp((view.b0 + view.b1 - spanB) / 2, whole.b0, whole.b1 - spanB)
  return { t0, t1: t0 + spanT, b0, b1: b0 + spanB }
}

/** Zooms by factors > 1 inwards about a point given as shares of the plate (0,0: first time, lowest address). */
export function zoomAbout(view: Viewport, fx: number, fy: number, px: number, py: number): Viewport {
  const spanT = (view.t1 - view.t0) / fx
  const spanB = (view.b1 - view.b0) / fy
  const t0 = view.t0 + (view.t1 - view.t0 - spanT) * px
  const b0 = view.b0 + (view.b1 - view.b0 - spanB) * py
  return { t0, t1: t0 + spanT, b0, b1: b0 + spanB }
}

/** Moves by shares of the visible spans; positive goes to later times and higher addresses. */
export function panBy(view: Viewport, dx: number, dy: number): Viewport {
  const dt = (view.t1 - view.t0) * dx
  const db = (view.b1 - view.b0) * dy
  return { t0: view.t0 + dt, t1: view.t1 + dt, b0: view.b0 + db, b1: view.b1 + db }
}

/** Nothing is hidden, up to rounding. */
export function isWhole(view: Viewport, whole: Viewport): boolean {
  const slackT = (whole.t1 - whole.t0) * 1e-6
  const slackB = (whole.b1 - whole.b0) * 1e-6
  return (
    view.t0 <= whole.t0 + slackT &&
    view.t1 >= whole.t1 - slackT &&
    view.b0 <= whole.b0 + slackB &&
    view.b1 >= whole.b1 - slackB
  )
}

export function between(a: Viewport, b: Viewport, t: number): Viewport {
  const mix = (p: number, q: number): number => p + (q - p) * t
  return { t0: mix(a.t0, b.t0), t1: mix(a.t1, b.t1), b0: mix(a.b0, b.b0), b1: mix(a.b1, b.b1) }
}
