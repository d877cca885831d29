/**
 * A problem with pools is drawn as one plate for each, on one time axis. A plate's scene is that of a problem of its own: what lies in the pool,
 * its sections, its capacity, and of the search what is said of its buffers.
 */
import { BUFFER_MEMBERS, type SearchEvent, SECTION_MEMBERS } from '../../../../wasm/client/events'
import type { Frame, Pool, Problem } from '../../../../wasm/client/types'
import { poolName } from '../../base/format'
import type { Operators, Scene } from '../scene'
import { shareExtent } from './spaces'

export interface PoolPlate {
  pool: Pool
  /** of the problem's pools */
  index: number
  problem: Problem
  /** by buffer of the plate: which of the whole */
  buffers: Uint32Array
  /** by buffer of the whole: which of the plate, -1: it lies elsewhere */
  own: Int32Array
  /** number of its first section in events */
  firstSection: number
}

const NONE = 0xffffffff

const cache = new WeakMap<Problem, PoolPlate[]>()

/** Of pools in which anything lies, in order. */
export const platesOf = (problem: Problem): PoolPlate[] =>
  allPlatesOf(problem).filter(({ problem: { count } }) => count > 0)

/** Of all pools, in order. O(buffers x pools), cached per problem. */
export function allPlatesOf(problem: Problem): PoolPlate[] {
  const known = cache.get(problem)
  if (known) return known
  let sections = 0
  const made = (problem.pools ?? []).map((pool, index) => {
    const plate = makePoolPlate(problem, pool, index, sections)
    sections += pool.sections.count
    return plate
  })
  cache.set(problem, made)
  return made
}

type Column = Float64Array<ArrayBuffer>

function makePoolPlate(problem: Problem, pool: Pool, index: number, firstSection: number): PoolPlate {
  const all = [...(problem.pool ?? [])]
  const buffers = Uint32Array.from(all.flatMap((where, buffer) => (where === index ? [buffer] : [])))
  const own = new Int32Array(problem.count).fill(-1)
  buffers.forEach((buffer, k) => {
    own[buffer] = k
  })
  const column = (of: Column): Column => Float64Array.from(buffers, (buffer) => of[buffer] as number)
  const inside = <T extends { buffer: number }>(list: readonly T[]): T[] =>
    list.flatMap((one) => ((own[one.buffer] ?? -1) < 0 ? [] : [{ ...one, buffer: own[one.buffer] as number }]))
  const ids = problem.ids.slice()
  const rects = inside(problem.rects ?? [])
  const part: Problem = {
    count: buffers.length,
    ids: Array.from(buffers, (buffer) => ids[buffer] as string),
    lower: column(problem.lower),
    upper: column(problem.upper),
    size: column(problem.size),
    alignment: column(problem.alignment),
    fixed: column(problem.fixed),
    hint: column(problem.hint),
    bank: column(problem.bank),
    gaps: inside(problem.gaps),
    ...(rects.length > 0 && { rects }),
    sections: pool.sections,
    peak: pool.peak,
    lowerBound: pool.lowerBound,
    partitions: problem.partitions,
    convention: '',
    digest: `${problem.digest}/${index}`,
  }
  shareExtent(part, problem)
  return { pool, index, problem: part, buffers, own, firstSection }
}

// ---- what is said of a plate

const isHere = (plate: PoolPlate, buffer: number): boolean => (plate.own[buffer] ?? -1) >= 0
const inPlate = (plate: PoolPlate, list: ArrayLike<number>): number[] =>
  Array.from(list, (buffer) => plate.own[buffer] ?? -1).filter((own) => own >= 0)

/** The plate's section of that number in events, -1: it is none of its own. */
function sectionIn(plate: PoolPlate, section: number): number {
  const own = section - plate.firstSection
  return own >= 0 && own < plate.problem.sections.count ? own : -1
}

/** The event in the plate's own numbers; null: it is about another pool, or about none. */
export function eventIn(plate: PoolPlate, event: SearchEvent): SearchEvent | null {
  const told: Record<string, unknown> = { ...event }
  const of = event as unknown as Record<string, number>
  const buffers = [...(BUFFER_MEMBERS[event.kind] ?? [])]
  const sections = [...(SECTION_MEMBERS[event.kind] ?? [])]
  const list = 'list' in event ? event.list : new Uint32Array()
  const named = [...buffers.map((name) => of[name] as number), ...list].filter((buffer) => buffer !== NONE)
  const within = sections.some((name) => sectionIn(plate, of[name] as number) >= 0)
  if (!named.some((buffer) => isHere(plate, buffer)) && !within) return null
  for (const name of buffers) told[name] = isHere(plate, of[name] as number) ? plate.own[of[name] as number] : NONE
  for (const name of sections) {
    const own = sectionIn(plate, of[name] as number)
    told[name] = own < 0 ? NONE : own
  }
  if ('list' in event) told.list = Uint32Array.from(inPlate(plate, list))
  return told as unknown as SearchEvent
}

export function frameIn(plate: PoolPlate, frame: Frame): Frame {
  const { buffers, own } = plate
  const at = [...frame.stack.keys()].filter((level) => isHere(plate, frame.stack[level] as number))
  const perBuffer = (of: Column): Column => Float64Array.from(buffers, (buffer) => of[buffer] as number)
  const perLevel = (of: Uint32Array): Uint32Array<ArrayBuffer> => Uint32Array.from(at, (level) => of[level] as number)
  const stack = Uint32Array.from(at, (level) => own[frame.stack[level] as number] as number)
  const level = new Int32Array(buffers.length)
  stack.forEach((buffer, k) => {
    level[buffer] = k + 1
  })
  return {
    step: frame.step,
    depth: at.length,
    offset: perBuffer(frame.offset),
    minOffset: frame.minOffset && perBuffer(frame.minOffset),
    level,
    stack,
    tried: frame.tried && perLevel(frame.tried),
    candidates: frame.candidates && perLevel(frame.candidates),
    phases: frame.phases && Uint32Array.from(buffers, (buffer) => frame.phases?.[buffer] as number),
    events: frame.events.flatMap((event) => eventIn(plate, event) ?? []),
    undone: frame.undone.flatMap((one) =>
      isHere(plate, one.buffer) ? [{ ...one, buffer: own[one.buffer] as number }] : [],
    ),
    bounds: null,
  }
}

/** Greatest offset + size of what is placed in the plate. */
export function heightIn(plate: PoolPlate, frame: Frame | null): number {
  let height = 0
  for (const buffer of plate.buffers) {
    const offset = frame?.offset[buffer] ?? -1
    if (offset >= 0) height = Math.max(height, offset + (plate.problem.size[plate.own[buffer] as number] as number))
  }
  return height
}

/** Of a model in several memories: a canvas asks what makes a buffer, for its colour, and no more. */
export const operatorsIn = ({ buffers }: PoolPlate, all: Operators): Operators => ({
  ...all,
  bufferShade: Uint8Array.from(buffers, (buffer) => all.bufferShade[buffer] as number),
})

/** frame, operators: of the scene, in the plate's numbers, for who keeps them while the scene's are the same. */
export function sceneIn(plate: PoolPlate, scene: Scene, frame: Frame | null, operators: Operators | null): Scene {
  const { pool, problem } = plate
  const capacity = pool.capacity || scene.capacity
  const peak = problem.sections.load[pool.peak] ?? 0
  const mask = Uint8Array.from(plate.buffers, (buffer) => scene.matches?.mask[buffer] ?? 0)
  return {
    ...scene,
    problem,
    capacity,
    frame,
    now: frame === null ? [] : frame.events.filter(({ step }) => step === frame.step),
    overloaded: peak > capacity ? pool.peak : -1,
    pinned: plate.own[scene.pinned] ?? -1,
    alsoPinned: inPlate(plate, scene.alsoPinned),
    matches: scene.matches && { list: Uint32Array.from(inPlate(plate, scene.matches.list)), mask },
    lit: {
      buffers: inPlate(plate, scene.lit.buffers),
      section: sectionIn(plate, scene.lit.section),
      inputs: inPlate(plate, scene.lit.inputs),
    },
    operators,
    bounds: null,
    limit: capacity,
    banks: pool.bank > 0 ? { bytes: pool.bank, mayCross: false } : null,
    unfit: inPlate(plate, scene.unfit),
    doomed: inPlate(plate, scene.doomed),
  }
}

// ---- on one plate

const lifted = new WeakMap<Frame, Frame>()
const bare = new WeakMap<Problem, Problem>()

/** Where each pool begins when all lie above each other, and at the end where the last one ends. */
function begins(pools: readonly Pool[], usual: number): number[] {
  const made = [0]
  for (const { capacity } of pools) made.push((made.at(-1) as number) + (capacity || usual))
  return made
}

function lift(frame: Frame, problem: Problem, base: readonly number[]): Frame {
  const at = (buffer: number) => base[Math.max(0, problem.pool?.[buffer] ?? 0)] as number
  const up = (of: Column): Column => of.map((offset, buffer) => (offset < 0 ? offset : offset + at(buffer)))
  return {
    ...frame,
    offset: up(frame.offset),
    minOffset: frame.minOffset && up(frame.minOffset),
    events: [],
    undone: frame.undone.map(({ buffer, offset }) => ({ buffer, offset: offset + at(buffer) })),
    bounds: null,
  }
}

/**
 * The scene for a canvas that has one plate alone (a column of a comparison, a figure): each pool begins at the address where the one before could
 * end. What a step says is left out: its addresses are those of a pool. Without pools the scene itself.
 */
export function onOnePlate(scene: Scene): Scene {
  const { problem, frame } = scene
  if (problem.pools === undefined) return scene
  const base = begins(problem.pools, scene.capacity)
  const whole = bare.get(problem) ?? { ...problem, lowerBound: 0 }
  bare.set(problem, whole)
  const shown = frame && (lifted.get(frame) ?? lift(frame, problem, base))
  if (frame && shown) lifted.set(frame, shown)
  const capacity = base.at(-1) as number
  const stacked = problem.pools.map((pool, k) => ({
    name: poolName(pool),
    from: base[k] as number,
    to: base[k + 1] as number,
  }))
  return {
    ...scene,
    problem: whole,
    stacked,
    capacity,
    limit: capacity,
    frame: shown,
    now: [],
    overloaded: -1,
    bounds: null,
    banks: null,
  }
}
